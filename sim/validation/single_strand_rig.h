// trial: one strand of a given shape in the real solver, without files, watched while it moves.
//
// The settings are a scene in memory: members of "sim" written as words, "drag=8 fps=48", and
// forces as JSON go through the tables of scene files, and so does every --set. What a trial does
// not mention has the default of the table; COIF_STRAND_RIG_BARE names what would disturb an
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
    coif_mesh scalp_end; // where the scalp is when the frame ends
    coif_groom groom;
    coif_groom_solver solver;
    const coif_collider *bodies;
    int32_t body_count;
    coif_plugin_instance **forces;
    int32_t force_count;
    int32_t point_count;
    coif_vec3 *places, *velocities;
    int32_t frame;
    int32_t healed;     // times the strand had to be put back
    double max_stretch; // largest error of a segment's length so far, as a share of it
} coif_strand_rig;

// Nothing but gravity and the strand: no air, no damping, no pull to a rest shape, no variation, no
// support of the weight.
extern const char *const COIF_STRAND_RIG_BARE;

// The settings alone: COIF_STRAND_RIG_BARE is not among them.
coif_status coif_strand_rig_settings(coif_sim_params *params, const char *words, coif_arena *arena,
                                     coif_error *error);

coif_status coif_strand_rig_open(coif_strand_rig *trial, const coif_strand_rig_desc *desc,
                                 coif_arena *arena, coif_error *error);

// One frame further.
void coif_strand_rig_step(coif_strand_rig *trial);

// Frames until nothing moves faster than 0.1 mm/s over a quarter of a second, but at least and at
// most as many seconds. Gives how long it took.
double coif_strand_rig_settle(coif_strand_rig *trial, double least, double most);

// Puts points, velocities as they are in the trial into the solver.
void coif_strand_rig_write(coif_strand_rig *trial);

// Fastest point now, m/s.
double coif_strand_rig_speed(const coif_strand_rig *trial);

// Length at rest, along the strand.
double coif_strand_rig_length(const coif_strand_rig *trial);

// The tip against the root.
coif_vec3 coif_strand_rig_tip(const coif_strand_rig *trial);

// Bending stiffness in N m2 and weight in N/m of the hair in these settings.
double coif_strand_rig_bending(const coif_sim_params *params);
double coif_strand_rig_weight(const coif_sim_params *params);

#endif
