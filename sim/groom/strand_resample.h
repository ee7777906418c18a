// grow_points: strands get the points that what comes needs.
#ifndef COIF_SIM_GROOM_STRAND_RESAMPLE_H
#define COIF_SIM_GROOM_STRAND_RESAMPLE_H

#include "sim/groom/modifiers.h"

// What strands wish for, and what they may have.
typedef struct coif_resample_request {
    const float *longest; // per strand: no segment longer than this; 0: any
    int32_t most;         // points of a strand
} coif_resample_request;

// How many points the most demanding strand would have needed, and got.
typedef struct coif_resample_result {
    int32_t needed, given;
} coif_resample_result;

// Strands whose segments are too long are drawn anew with more points, evenly spaced on the curve
// through the old ones (Catmull and Rom 1974); the others keep their bits. Numbers of points go up
// in steps of eight, so that strands of about one length can be moved side by side. New arrays live
// in the growth's arena.
coif_resample_result coif_strand_buffer_refine(coif_strand_buffer *growth,
                                               const coif_resample_request *wish, coif_jobs *jobs);

// Gives every strand that many points, drawn anew in the same way where it has another number.
void coif_strand_buffer_resample(coif_strand_buffer *growth, const int32_t *counts,
                                 coif_jobs *jobs);

#endif
