// trial: one strand of a given shape in the real solver, without files, watched while it moves.
//
// The settings are a scene in memory: members of "sim" written as words, "drag=8 fps=48", and
// forces as JSON go through the tables of scene files, and so does every --set. What a trial does
// not mention has the default of the table; COIF_TRIAL_BARE names what would disturb an experiment.
#ifndef COIF_SIM_VALIDATION_SINGLE_STRAND_RIG_H
#define COIF_SIM_VALIDATION_SINGLE_STRAND_RIG_H

#include "sim/solver/solver.h"

typedef struct coif_trial_desc {
    const coif_vec3 *shape; // at rest; the root is its first point
    int32_t point_count;
    const char *sim;         // beside COIF_TRIAL_BARE: "drag=8 gravity=[0,0,0]"; or NULL
    const char *forces;      // elements of "forces", or NULL
    const char *solver;      // name of a method
    const char *const *sets; // as of --set: "sim/bend=0.9"; they come last
    int32_t set_count;
    coif_plugins *plugins; // where forces are looked up; may be NULL without any
    const char *kernel;    // "auto", "wide4", ...; or NULL
} coif_trial_desc;

typedef struct coif_trial {
    coif_sim_params params;
    coif_mesh scalp;
    coif_mesh scalp_end; // where the scalp is when the frame ends
    coif_groom groom;
    coif_solver solver;
    coif_work *works;
    const coif_collider *bodies;
    int32_t body_count;
    coif_instance **forces;
    int32_t force_count;
    int32_t point_count;
    coif_vec3 *places, *velocities;
    int32_t frame;
    int32_t healed;     // times the strand had to be put back
    double max_stretch; // largest error of a segment's length so far, as a share of it
} coif_trial;

// Nothing but gravity and the strand: no air, no damping, no pull to a rest shape, no variation, no
// support of the weight.
extern const char *const COIF_TRIAL_BARE;

// The settings alone: COIF_TRIAL_BARE is not among them.
coif_status coif_trial_settings(coif_sim_params *params, const char *words, coif_arena *arena,
                                coif_error *error);

coif_status coif_trial_open(coif_trial *trial, const coif_trial_desc *desc, coif_arena *arena,
                            coif_error *error);

// One frame further.
void coif_trial_step(coif_trial *trial);

// Frames until nothing moves faster than 0.1 mm/s over a quarter of a second, but at least and at
// most as many seconds. Gives how long it took.
double coif_trial_settle(coif_trial *trial, double least, double most);

// Puts points, velocities as they are in the trial into the solver.
void coif_trial_write(coif_trial *trial);

// Fastest point now, m/s.
double coif_trial_speed(const coif_trial *trial);

// Length at rest, along the strand.
double coif_trial_length(const coif_trial *trial);

// The tip against the root.
coif_vec3 coif_trial_tip(const coif_trial *trial);

// Bending stiffness in N m2 and weight in N/m of the hair in these settings.
double coif_trial_bending(const coif_sim_params *params);
double coif_trial_weight(const coif_sim_params *params);

#endif
