// state: everything the solver has to know to go on after a frame, without loss: NAME.0040.state.
#ifndef COIF_SIM_RUN_SOLVER_CHECKPOINT_H
#define COIF_SIM_RUN_SOLVER_CHECKPOINT_H

#include "sim/run/solver_setup.h"

typedef struct coif_solver_checkpoint {
    int frame;
    double time;       // seconds since the first frame
    int64_t healed;    // strands put back so far, all frames together
    uint64_t settings; // digest of all that the motion depends on; another one is another motion
    uint64_t topology; // of the strands
    int32_t point_count;
    coif_vec3 *places, *velocities;
    int32_t method_rows; // floats per point that the method keeps beside them
    float *method;
} coif_solver_checkpoint;

// Room for the points of a solver.
void coif_solver_checkpoint_init(coif_solver_checkpoint *state, const coif_solver *solver,
                                 coif_arena *arena);

coif_status coif_solver_checkpoint_save(const coif_solver_checkpoint *state, const char *metadata,
                                        const char *path, coif_jobs *jobs, coif_error *error);

// State must have been initialised and hold the settings wanted. A state of other settings, another
// groom or with numbers that are not finite is COIF_ERR_FORMAT, as is a damaged file.
coif_status coif_solver_checkpoint_load(coif_solver_checkpoint *state, const char *path,
                                        coif_arena *scratch, coif_error *error);

// Takes the strands of a state that another run left, whatever its settings were. State must have
// been initialised; other strands than its own, or another solver, are an error that says both.
coif_status coif_solver_checkpoint_restore(coif_solver_checkpoint *state, const char *path,
                                           const char *solver, coif_arena *scratch,
                                           coif_error *error);

#endif
