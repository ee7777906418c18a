// sim_params: the "sim" and "forces" sections of a scene.
#ifndef COIF_SIM_RUN_SIM_PARAMS_H
#define COIF_SIM_RUN_SIM_PARAMS_H

#include "core/scene/scene.h"
#include "sim/groom/groom_params.h"

extern const coif_section COIF_SIM_SECTION;       // solver and its parameters, frame rate, frames
extern const coif_section COIF_GROOM_SIM_SECTION; // overrides of these by a groom

// Stiffness k of one iteration of the projection: scaled so that all iterations together give k,
// or k itself.
enum { COIF_ITERATION_NORMALIZED, COIF_ITERATION_RAW };

typedef struct coif_sim_params {
    float fps;
    int32_t first_frame, last_frame;
    int32_t enabled; // else strands follow the body rigidly
    int32_t preset;  // has no effect of its own
    int32_t solver;  // an index of COIF_METHOD_NAMES
    int32_t substeps, iterations;
    float gravity[3];
    float damping, drag;                               // per second
    float tangential_drag_reduction, drag_coefficient; // see drag.h
    float damping_factor;                              // fraction of velocity that a substep keeps
    float rigid_damping, rigid_damping_rate; // fraction per substep, 1/s; see rigid_damping.c
    float stretch_stiffness, bend_stiffness, shape_stiffness; // 0 to 1, see iteration_scaling
    int32_t iteration_scaling;                                // COIF_ITERATION_...
    int32_t bend_constraint;                                  // COIF_BEND_...
    const char *bend_spans;                                   // see coif_bend_spans_parse
    float long_range_attachment;
    int32_t length_constraint;
    float ftl_velocity_correction;
    float goal_frequency_root, goal_frequency_tip; // per second
    float gravity_compensation;
    float goal_scale;       // times both
    float goal_strength;    // fraction per frame, see coif_point_targets
    float goal_amount;      // times that
    const char *goal_cache; // see goal_cache.h; NULL or "": the rest shape
    int32_t goal_cache_offset;
    float friction, restitution;
    float max_depenetration_speed; // m/s
    float contact_margin;
    float mass; // times as heavy; 0 counts as 1
    float mass_variation;
    float hair_radius, hair_density, youngs_modulus, poisson_ratio; // SI units
    float ellipticity;
    float stiffness, stiffness_variation;
    float spring_stretch_force, curl_core_force;                            // N
    float spring_damping_time, spring_frame_smoothing, curl_core_smoothing; // s, m, m
    int32_t max_inner_steps;
    float bending_damping_time;          // seconds
    int32_t root_boundary, tip_boundary; // COIF_ROOT_CLAMPED ..., COIF_TIP_FREE ...
    float tip_force[3];                  // N
    float preroll, warmup_time;          // seconds
    float simulated_fraction;            // of the strands that are simulated
    int32_t child_mode;                  // COIF_CHILDREN_...
    float clump_variation;
    int32_t body_interpolation; // COIF_MOTION_..., between frames
    float time_scale;
    const char *initial_state;                         // checkpoint to start from; NULL or "": none
    float interaction_friction, interaction_stiffness; // 1/s, m/s
    float cohesion;               // 1/s, see lock_cohesion.h; below 0: coif_cohesion_of
    float wind_attenuation;       // m2/kg, see wind_occlusion.h
    float interaction_cell_size;  // m
    int32_t interaction_interval; // substeps
    int32_t checkpoint_interval;
    int32_t quantise;
    float warmup_damping; // not in the scene: added during warm-up, 1/s
} coif_sim_params;

enum { COIF_CHILDREN_INTERPOLATE, COIF_CHILDREN_CLUMP };
enum { COIF_MOTION_SMOOTH, COIF_MOTION_LINEAR };

// Rate of cohesion, 1/s. Imported: the strands are of a file.
static inline float coif_cohesion_of(const coif_sim_params *params, bool imported)
{
    return params->cohesion >= 0.0f ? params->cohesion : imported ? 20.0f : 0.0f;
}

// Logs a warning for each wind that drag cannot transfer to hair. Returns their number.
int32_t coif_sim_warn_wind_without_drag(const coif_scene *scene);

// Simulated seconds of a frame.
double coif_frame_seconds(const coif_sim_params *params);

// What groom generation needs of the section.
coif_child_params coif_child_params_of(const coif_sim_params *params, const coif_node *sim);

// How the ends of a strand are held.
enum { COIF_ROOT_CLAMPED, COIF_ROOT_PINNED, COIF_ROOT_FREE };
enum { COIF_TIP_FREE, COIF_TIP_PINNED, COIF_TIP_CLAMPED };

#endif
