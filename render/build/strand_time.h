// moment: the simulated strands of a groom at a time between frames.
//
// Between two frames a, b of the cache, a share s after the first, a point stands at
//
//   (1 - s) p_a + s p_b + r - ((1 - s) r_a + s r_b)
//
// where r is where the body has its root: strands go straight from frame to frame, but their roots
// stay on a body that turns. When one of the two frames is not there, the one of the picture itself
// is carried on by its velocities, or when it has none, by its root alone.
#ifndef COIF_RENDER_BUILD_STRAND_TIME_H
#define COIF_RENDER_BUILD_STRAND_TIME_H

#include "core/hair/groom.h"
#include "core/mesh/body_interpolate.h"

typedef struct coif_strand_time_desc {
    const coif_groom *groom;
    const char *cache, *name; // folder and name of the groom's files
    int frame;                // of the picture; its file must be there
    double time;              // in frames, at most 1 from frame
    double frame_seconds;     // from one frame to the next, for velocities
    const coif_body *body;
    coif_body_interpolation course; // the way it goes between frames
    uint64_t inputs;                // what frames would be made from now
    bool *told;                     // whether it was said that they were not; NULL: nobody asks
} coif_strand_time_desc;

// The frames of the cache that a time lies between, in order; one for a whole frame.
int coif_strand_time_frames(int frames[2], double time);

coif_status coif_strands_at_time(coif_strands *strands, const coif_strand_time_desc *desc,
                                 coif_arena *arena, coif_error *error);

#endif
