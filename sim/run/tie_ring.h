// tie_ring: a ring that holds points of many strands together.
//
// Strands are solved one by one, each with an implicit spring of its points towards the ring. The
// springs are soft, so that lengths win and points keep their momentum, and the pull is an
// augmented Lagrangian (Hestenes 1969; Powell 1969): targets are displaced by multipliers u that
// take over the load from substep to substep,
//
//   y_i = x_i - c - a_i axis + u_i      u_i <- y_i - y_i min(1, radius / |y_i|)
//
// with a_i the position along the axis; where points slide y_i is its part across the axis.
//
// A ring without a body has its centre c where the multipliers have no sum, so that the tie at rest
// changes no momentum. It moves through the next substep with the mean velocity of its points and
// gravity: it falls as they do.
#ifndef COIF_SIM_RUN_TIE_RING_H
#define COIF_SIM_RUN_TIE_RING_H

#include "sim/run/constraint_select.h"
#include "sim/solver/solver.h"

// A point in the blocks of a solver, and its neighbours on the strand, or itself at an end.
typedef struct coif_tie_point {
    int32_t block, element, before, after;
} coif_tie_point;

typedef struct coif_tie {
    int32_t count;
    const coif_tie_point *points;
    const coif_vec3 *local; // per point: x is its position along the axis
    bool slide;
    float radius;
    coif_vec3 *multipliers; // per point
} coif_tie;

// A ring at the begin of a substep and its displacement in the substep.
typedef struct coif_tie_ring {
    coif_vec3 centre, axis, displacement;
} coif_tie_ring;

// The points in the blocks of a solver, in arena.
coif_tie_point *coif_tie_find_points(const coif_constraint_points *points, coif_solver *solver,
                                     coif_arena *arena, coif_jobs *jobs);

// Updates the multiplier of a point for a ring at the begin of a substep. [worker]
void coif_tie_update(const coif_tie *tie, const coif_strand_block *blocks,
                     const coif_tie_ring *ring, int32_t point);

// The same for the ring without a body, which it returns. Seconds are those of the substep.
coif_tie_ring coif_tie_update_free(const coif_tie *tie, const coif_strand_block *blocks,
                                   coif_vec3 gravity, double seconds);

// The strength of the springs: that of the scene, or less.
float coif_tie_strength(float strength, bool has_body, double substep_seconds,
                        double frame_seconds);

#endif
