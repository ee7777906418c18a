// Lists of frames, which may be fractional: 12.5, 1-24x0.5, 2,5,9-20x3.
//
// Frames are multiples of a thousandth. In file names a whole frame has four digits or more, as in
// render0012.png, a fractional one three more, as in render0012.500.png.
#ifndef COIF_CORE_BASE_FRAME_LIST_H
#define COIF_CORE_BASE_FRAME_LIST_H

#include "core/base/base.h"

// A range and those after it; a step of 0 means not given.
typedef struct coif_frame_list {
    double first, last, step;
    const struct coif_frame_list *next;
} coif_frame_list;

static inline bool coif_frame_list_given(const coif_frame_list *list)
{
    return list->step > 0.0;
}

coif_status coif_frame_list_parse(coif_frame_list *list, const char *text, coif_arena *arena,
                                  coif_error *error);

// The frame at an index, in the order given; false after the last.
bool coif_frame_list_at(double *frame, const coif_frame_list *list, int64_t index);

bool coif_frame_is_whole(double frame);

// "0012", "0012.500"
char *coif_frame_text(double frame, coif_arena *arena);

// Replaces the run of # in pattern by the frame, zero-padded to the length of the run:
// hair.####.obj, 12.5 -> hair.0012.500.obj. A pattern without # is returned unchanged.
char *coif_path_frame_time(const char *pattern, double frame, coif_arena *arena);

#endif
