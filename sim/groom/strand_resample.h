// grow_points: strands get the points that what comes needs.
#ifndef COIF_SIM_GROOM_STRAND_RESAMPLE_H
#define COIF_SIM_GROOM_STRAND_RESAMPLE_H

#include "sim/groom/modifiers.h"

// What strands wish for, and what they may have.
typedef struct coif_points_wish {
    const float *longest; // per strand: no segment longer than this; 0: any
    int32_t most;         // points of a strand
} coif_points_wish;

// How many points the most demanding strand would have needed, and got.
typedef struct coif_points_granted {
    int32_t needed, given;
} coif_points_granted;

// Strands whose segments are too long are drawn anew with more points, evenly spaced on the curve
// through the old ones (Catmull and Rom 1974); the others keep their bits. Numbers of points go up
// in steps of eight, so that strands of about one length can be moved side by side. New arrays live
// in the growth's arena.
coif_points_granted coif_growth_refine(coif_growth *growth, const coif_points_wish *wish,
                                       coif_jobs *jobs);

// Gives every strand that many points, drawn anew in the same way where it has another number.
void coif_growth_redraw(coif_growth *growth, const int32_t *counts, coif_jobs *jobs);

#endif
