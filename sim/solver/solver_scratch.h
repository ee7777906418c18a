// solver_scratch: buffers of one worker thread that live within a substep.
#ifndef COIF_SIM_SOLVER_SOLVER_SCRATCH_H
#define COIF_SIM_SOLVER_SOLVER_SCRATCH_H

#include "core/base/base.h"
#include "core/simd/soa3.h"

// Rows of post_solve_contact.h and of segment_contact.h.
enum { COIF_RECHECK_ROWS = 18, COIF_SEGMENT_CONTACT_ROWS = 14 + 23 };

// Rows are as in a coif_strand_block.
typedef struct coif_solver_scratch {
    coif_soa3 predicted;      // positions: predicted, then projected
    coif_soa3 target;         // rest shape posed with the root
    coif_soa3 wind;           // air velocity
    coif_soa3 accel;          // acceleration by all forces but gravity
    coif_soa3 contact_normal; // contact plane n . p >= offset; n = 0: none
    float *contact_offset;
    coif_soa3 surface_disp;                  // displacement of the surface during the substep
    float *signed_distance;                  // to the surface of the contact
    float *surface_friction;                 // of the contact, -1: that of hair
    float *surface_soft;                     // of the contact: 1: soft, 0: rigid
    float *normal_push;                      // sum of displacements by contacts along the normal
    coif_soa3 v_pred;                        // predicted velocities
    coif_soa3 rounding_error;                // of predicted, if the method knows it; else 0
    float *drag_normal, *drag_tangential;    // drag rates, see drag.h
    coif_soa3 drag_axis;                     // strand direction of anisotropic drag
    coif_soa3 tangent;                       // segment directions
    float *diagonal, *off_diagonal, *lambda; // of the tridiagonal length system
    coif_soa3 ftl_disp;                      // displacement of points by follow-the-leader
    coif_soa3 smoothing;                     // intermediate of the centreline smoothing
    coif_soa3 residual;                      // of the shape constraint, or forces on the centreline
    float *tension_limit;                    // of gravity compensation
    float *supported_gravity;    // three rows: gravity that the rest shape carries, root frame
    coif_soa3 centreline;        // smoothed centreline
    float *reference_axis_world; // three rows: block->reference_axis posed with the root
    float *method_rows;          // private rows of the method
    float *recheck_rows;         // see post_solve_contact.h
    float *min_body_distance;    // lower bound of the distance from predicted to any body
    float *segment_rows;         // see segment_contact.h
    bool has_contacts;           // some point of the block has a contact plane;
    int32_t contact_begin;       // all of them are in the rows from contact_begin
    int32_t contact_end;         // to before contact_end
    bool has_surface_friction;   // some collider has friction of its own
    bool has_soft_surface;       // some collider is soft
    bool has_segment_contacts;   // some segment midpoint has a contact plane
} coif_solver_scratch;

void coif_solver_scratch_init(coif_solver_scratch *scratch, int32_t length, int32_t lanes,
                              coif_arena *arena);

#endif
