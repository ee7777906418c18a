// solver_internal: the solver as its own files see it.
#ifndef COIF_SIM_SOLVER_SOLVER_INTERNAL_H
#define COIF_SIM_SOLVER_SOLVER_INTERNAL_H

#include "core/base/arena.h"
#include "sim/solver/solver.h"

struct coif_solver {
    const coif_kernels *kernels;
    const struct coif_solver_vtable *method;
    int32_t block_count;
    coif_strand_block *blocks;
    int32_t strand_count;
    int32_t max_length;              // points of the longest strand
    int32_t *first_point;            // strand_count + 1 offsets
    coif_strand_material *materials; // per strand
    coif_spring_material *springs;   // per strand; NULL: none
    coif_root_pose *rest_frames, *rest_roots;
    bool root_clamped, compensates_gravity, animated_rest;
    float substep_seconds;
    int32_t max_spring_steps;
    int32_t bend_constraint;
    coif_bend_spans bend_spans;
    bool caches_valid;  // distance caches of the blocks are those of the bodies of the last step
    int32_t body_count; // of the last step
    coif_solver_scratch *scratch; // one per worker
    int32_t scratch_count;
    coif_arena *arena; // own_arena, or that of the caller
    coif_arena own_arena;
};

// Computes everything that follows from the rest shape of a block. The roots of the block are the
// rest roots; the state of the method may be lost.
void coif_solver_precompute_rest(const coif_solver *solver, coif_strand_block *block,
                                 coif_solver_scratch *scratch);

// The same between steps: roots and state are kept. Memory for the state: state_rows of the block.
void coif_solver_update_rest(const coif_solver *solver, coif_strand_block *block, float *state,
                             coif_solver_scratch *scratch);

// Scratch for as many workers as jobs has.
void coif_solver_ensure_scratch(coif_solver *solver, coif_jobs *jobs);

#endif
