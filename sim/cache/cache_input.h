// cache_input: frames of the caches that a correction reads, with the root frames of their poses.
#ifndef COIF_SIM_CACHE_CACHE_INPUT_H
#define COIF_SIM_CACHE_CACHE_INPUT_H

#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/body/body_interpolate.h"
#include "core/hair/frame_cache.h"
#include "core/hair/strand_combine.h"

// A loaded frame.
typedef struct coif_cache_frame {
    coif_arena arena;
    bool loaded;
    int32_t source;
    int frame;
    int64_t used; // when it was asked for last
    coif_strands strands;
    coif_frame_cache_desc info;
    coif_root_frame *roots; // NULL: not computed yet
} coif_cache_frame;

typedef struct coif_cache_input {
    const char *folders[2];
    const char *name; // of the groom
    const coif_groom *groom;
    const coif_body *body;
    coif_body_interpolation interpolation;
    coif_cache_frame *frames; // the most recently used ones
    int32_t capacity;
    int64_t clock;
} coif_cache_input;

// Capacity is the number of frames that are valid at the same time.
void coif_cache_input_open(coif_cache_input *input, int32_t capacity, coif_arena *arena);
void coif_cache_input_close(coif_cache_input *input);

// First and last frame of a groom in a folder; none, or a gap between them, is an error.
coif_status coif_cache_input_range(coif_frame_range *range, const char *folder, const char *name,
                                   coif_error *error);

coif_status coif_cache_input_frame(coif_cache_frame **frame, coif_cache_input *input,
                                   int32_t source, int number, coif_error *error);

// Root frames on the body at a fractional frame.
coif_status coif_cache_input_roots(coif_root_frame **roots, const coif_cache_input *input,
                                   double frame, coif_arena *arena, coif_error *error);

#endif
