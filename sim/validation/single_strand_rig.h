// single_strand_rig: one strand of a given shape in the real solver, without files.
//
// The settings are a scene in memory: members of "sim" as "drag=8 fps=48" and forces as JSON go
// through the parameter tables of scene files, as does every override. Parameters that are not
// set have their defaults; COIF_STRAND_RIG_NO_FORCES turns off those that would disturb an
// experiment.
#ifndef COIF_SIM_VALIDATION_SINGLE_STRAND_RIG_H
#define COIF_SIM_VALIDATION_SINGLE_STRAND_RIG_H

#include "sim/run/solver_setup.h"

typedef struct coif_strand_rig_desc {
    const coif_vec3 *shape; // at rest; the root is its first point
    int32_t point_count;
    const char *sim;         // beside COIF_STRAND_RIG_BARE: "drag=8 gravity=[0,0,0]"; or NULL
    const char *forces;      // elements of "forces", or NULL
    const char *solver;      // name of a method
    const char *const *sets; // as of --set: "sim/bend_stiffness=0.9"; they come last
    int32_t set_count;
    coif_plugins *plugins; // where forces are looked up; may be NULL without any
    const char *kernel;    // "auto", "wide4", ...; or NULL
} coif_strand_rig_desc;

typedef struct coif_strand_rig {
    coif_sim_params params;
    coif_mesh scalp;
    coif_mesh scalp_end; // at the end of the frame
    coif_groom groom;
    coif_groom_solver solver;
    const coif_collider *bodies;
    int32_t body_count;
    coif_plugin_instance **forces;
    int32_t force_count;
    int32_t point_count;
    coif_vec3 *positions, *velocities;
    int32_t frame;
    int32_t reset_count; // times the strand diverged and was reset
    double max_stretch;  // largest relative error of a segment length so far
} coif_strand_rig;

// Only gravity and the strand: no drag, damping, goal forces, variation or gravity compensation.
extern const char *const COIF_STRAND_RIG_NO_FORCES;

// Parses settings only; COIF_STRAND_RIG_NO_FORCES is not included.
coif_status coif_strand_rig_settings(coif_sim_params *params, const char *settings,
                                     coif_arena *arena, coif_error *error);

coif_status coif_strand_rig_open(coif_strand_rig *rig, const coif_strand_rig_desc *desc,
                                 coif_arena *arena, coif_error *error);

// Steps one frame.
void coif_strand_rig_step(coif_strand_rig *rig);

// Steps until no point is faster than 0.1 mm/s for a quarter of a second, within the given
// limits. Returns the time it took.
double coif_strand_rig_settle(coif_strand_rig *rig, double min_seconds, double max_seconds);

// Writes the positions and velocities of the rig into the solver.
void coif_strand_rig_write(coif_strand_rig *rig);

// Speed of the fastest point, m/s.
double coif_strand_rig_speed(const coif_strand_rig *rig);

// Rest length.
double coif_strand_rig_length(const coif_strand_rig *rig);

// Tip position relative to the root.
coif_vec3 coif_strand_rig_tip(const coif_strand_rig *rig);

// Bending stiffness in N m2 and weight in N/m of the hair.
double coif_strand_rig_bending(const coif_sim_params *params);
double coif_strand_rig_weight(const coif_sim_params *params);

#endif
