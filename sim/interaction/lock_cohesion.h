// lock_cohesion: strands of a lock (clump) follow their mean motion.
//
// The deviation of a point is its displacement from the rest shape on the moving root. Along each
// strand the deviation from the mean of its lock, at the same fraction of the strand, obeys
//
//   y'' = -w^2 y - 2 w y'
//
// a critically damped spring, integrated implicitly over the interval between two updates, so that
// no rate is unstable:
//
//   a = -(w^2 y + (2 w + w^2 t) y') / (1 + 2 w t + w^2 t^2)
//
// Strands of a lock keep their offsets in the groom; a lock as a whole is not held, and hair that
// moves rigidly with its body gets no force.
#ifndef COIF_SIM_INTERACTION_LOCK_COHESION_H
#define COIF_SIM_INTERACTION_LOCK_COHESION_H

#include "sim/interaction/hair_interaction.h"

typedef struct coif_lock_cohesion {
    int32_t lock_count;
    int32_t *first;    // per lock and one more: offset into members
    int32_t *members;  // strands by lock, ascending within a lock
    int32_t *lock;     // per strand; -1: in no lock
    float *means;      // per lock: rows of the mean deviation
    float *deviations; // per strand: the same of the strand
    coif_soa3 *own;    // per block: deviation of every point, and its rate
} coif_lock_cohesion;

// Lock_of: per strand, any number that its lock has in common; below 0: none. Locks of one strand
// count as none.
void coif_lock_cohesion_init(coif_lock_cohesion *cohesion, const int32_t *lock_of,
                             int32_t strand_count, coif_arena *arena);

// Adds to interaction_accel of the blocks; which is set where it is not allocated yet. Rate: w,
// 1/s.
void coif_lock_cohesion_update(coif_lock_cohesion *cohesion, coif_interaction_strands *strands,
                               float rate, const coif_interaction_interval *interval,
                               coif_jobs *jobs);

#endif
