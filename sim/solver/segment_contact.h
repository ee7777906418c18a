// middle: middles of segments meet bodies too, so that what is thinner than a segment is long, a
// finger or an edge, does not pass between two points.
//
// Middles are looked at when points have been solved for. Few need to be: points know how far away
// bodies are at least, and between two points that lie on a body a middle above the plane of either
// is outside. What a contact does to a middle is shared by both ends of its segment.
#ifndef COIF_SIM_SOLVER_SEGMENT_CONTACT_H
#define COIF_SIM_SOLVER_SEGMENT_CONTACT_H

#include "sim/solver/strand_block.h"

// Middle k lies between points k and k + 1; rows as in a coif_work.
typedef struct coif_middles {
    float *want;                  // the distance to keep; 0 for those that need not be looked at
    float *nx, *ny, *nz, *offset; // planes of those that were inside
    float *sx, *sy, *sz;
    float *push;
    // What holds points while lengths are settled, and their inverse masses; see middle_lengths.c.
    float *hx, *hy, *hz, *hw;
} coif_middles;

// Rows of a coif_work for this: the above, and those of as many points to look at.
enum { COIF_MIDDLE_ROWS = 13 + 22 };

// What has to be looked at, see again.h.
enum { COIF_AGAIN_POINTS = 1, COIF_AGAIN_MIDDLES = 2 };

coif_middles coif_middles_of(const coif_block *block, const coif_work *work);

// Looks at the middles that are wanted. Those inside get a plane; true when there are any, and for
// their lanes in wrong. Like says when, and from where points came.
bool coif_middles_find(bool *wrong, const coif_contacts *like, const coif_collider *bodies,
                       int32_t body_count, const coif_block *block, coif_work *work);

#endif
