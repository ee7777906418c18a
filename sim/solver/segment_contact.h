// middle: middles of segments meet bodies too, so that what is thinner than a segment is long, a
// finger or an edge, does not pass between two points.
//
// Middles are looked at when points have been solved for. Few need to be: points know how far away
// bodies are at least, and between two points that lie on a body a middle above the plane of either
// is outside. What a contact does to a middle is shared by both ends of its segment.
#ifndef COIF_SIM_SOLVER_SEGMENT_CONTACT_H
#define COIF_SIM_SOLVER_SEGMENT_CONTACT_H

#include "sim/solver/strand_block.h"

// Middle k lies between points k and k + 1; rows as in a coif_solver_scratch.
typedef struct coif_segment_contacts {
    float *want;                  // the distance to keep; 0 for those that need not be looked at
    float *nx, *ny, *nz, *offset; // planes of those that were inside
    float *sx, *sy, *sz;
    float *push;
    // What holds points while lengths are settled, and their inverse masses; see middle_lengths.c.
    float *hx, *hy, *hz, *hw;
} coif_segment_contacts;

// Rows of a coif_solver_scratch for this: the above, and those of as many points to look at.
enum { COIF_SEGMENT_CONTACT_ROWS = 13 + 22 };

// What has to be looked at, see again.h.
enum { COIF_RECHECK_POINTS = 1, COIF_RECHECK_MIDDLES = 2 };

coif_segment_contacts coif_segment_contacts_of(const coif_strand_block *block,
                                               const coif_solver_scratch *work);

// Looks at the middles that are wanted. Those inside get a plane; true when there are any, and for
// their lanes in wrong. Like says when, and from where points came.
bool coif_segment_contacts_find(bool *wrong, const coif_contact_query *like,
                                const coif_collider *bodies, int32_t body_count,
                                const coif_strand_block *block, coif_solver_scratch *work);

#endif
