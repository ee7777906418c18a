// solver_params: parameters of a step of the solver, and those of one substep derived from them.
#ifndef COIF_SIM_SOLVER_SOLVER_PARAMS_H
#define COIF_SIM_SOLVER_SOLVER_PARAMS_H

#include "sim/solver/strand_block.h"

typedef struct coif_solver_params {
    int32_t substeps;     // per step
    int32_t iterations;   // of the projection per substep
    coif_vec3 gravity;    // m/s2
    coif_vec3 tip_force;  // N, on every tip
    float damping;        // rate of velocity damping, 1/s
    float extra_damping;  // added to it everywhere, 1/s
    float damping_factor; // fraction of the velocity that each substep keeps, beside damping
    float rigid_damping;  // k of a substep, and the rate of the same damping, 1/s
    float rigid_damping_rate;
    float drag;                                        // linear drag rate, 1/s
    float tangential_drag_reduction, drag_coefficient; // see drag.h
    float stretch_stiffness, bend_stiffness, attachment_stiffness, shape_stiffness; // 0 to 1
    bool unscaled_iterations; // stiffnesses apply per iteration instead of per substep
    float friction, restitution;
    float max_depenetration_speed; // m/s; 0: unlimited
    float bending_damping_time;    // Rayleigh beta, s
    float ftl_velocity_correction; // 0 to 1
    int32_t length_constraint;     // COIF_LENGTH_...
} coif_solver_params;

// Stiffness per iteration k' = 1 - (1 - k)^(1/n), for which n iterations have the effect of k
// (Mueller et al. 2007).
float coif_iteration_stiffness(const coif_solver_params *params, float k);

// Largest depenetration of a point in h seconds, m.
float coif_max_depenetration(float speed, float h);

// Fraction of the velocity that damping, times a factor, leaves after h seconds.
float coif_velocity_retention(const coif_solver_params *params, float factor, float h);

// Fraction of the velocity beside rigid motion that h seconds remove, for these factors on the
// fraction per substep and on the rate.
float coif_rigid_damping(const coif_solver_params *params, float factor, float rate_factor,
                         float h);

// Substep index of a step that begins at time and lasts seconds.
coif_substep coif_substep_of(const coif_solver_params *params, int32_t index, double seconds,
                             double time);

// Rows for the per-point parameters of a block that has multipliers in param_scale.
void coif_strand_block_add_param_rows(coif_strand_block *block, coif_arena *arena);

// Their values in a substep of h seconds, see coif_strand_block.
void coif_strand_block_update_params(coif_strand_block *block, const coif_solver_params *params,
                                     float h);

#endif
