// segment_contact: contacts at segment midpoints.
//
// A body thinner than a segment, a finger or an edge, would pass between two points. Midpoints are
// tested after the constraint solve. Few need a query: points have a lower bound of their distance
// to bodies, and a midpoint between two points in contact is outside when it is above the plane of
// either. Corrections of a midpoint are distributed to both ends of its segment.
#ifndef COIF_SIM_SOLVER_SEGMENT_CONTACT_H
#define COIF_SIM_SOLVER_SEGMENT_CONTACT_H

#include "sim/solver/contact_find.h"
#include "sim/solver/solver_scratch.h"
#include "sim/solver/strand_block.h"

// Midpoint k lies between points k and k + 1; rows as in a coif_solver_scratch.
typedef struct coif_segment_contacts {
    float *contact_distance; // distance to keep; 0: no query needed
    coif_soa3 normal;        // contact planes of midpoints inside a body
    float *offset;
    coif_soa3 surface_disp;
    float *normal_push;
    float *friction; // of the surface, -1: that of hair
    // Constraint normals and inverse masses of points during the length solve with contacts, see
    // length_solve_contact.c.
    coif_soa3 held_normal;
    float *held_inv_mass;
} coif_segment_contacts;

// Which queries have to be repeated after the solve, see post_solve_contact.h.
enum { COIF_RECHECK_POINTS = 1, COIF_RECHECK_SEGMENTS = 2 };

coif_segment_contacts coif_segment_contacts_of(const coif_strand_block *block,
                                               const coif_solver_scratch *scratch);

// Queries the midpoints with a contact distance. Midpoints inside a body get a plane, and their
// lanes are set in penetrating; true when there are any. Time span and depenetration limits are
// those of like.
bool coif_segment_contacts_find(bool *penetrating, const coif_contact_query *like,
                                const coif_collider *bodies, int32_t body_count,
                                const coif_strand_block *block, coif_solver_scratch *scratch);

#endif
