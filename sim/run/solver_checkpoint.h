// solver_checkpoint: lossless solver state to restart from after a frame: NAME.0040.state.
#ifndef COIF_SIM_RUN_SOLVER_CHECKPOINT_H
#define COIF_SIM_RUN_SOLVER_CHECKPOINT_H

#include "sim/run/solver_setup.h"

typedef struct coif_solver_checkpoint {
    int frame;
    double time;         // seconds since the first frame
    int64_t reset_count; // diverged strands reset so far, all frames together
    uint64_t settings;   // digest of everything the motion depends on
    uint64_t topology;   // of the strands
    int32_t point_count;
    coif_vec3 *positions, *velocities;
    int32_t method_rows; // floats per point of the state of the method
    float *method;
    int32_t constraint_count; // vectors of state of constraints, set by the owner
    coif_vec3 *constraint_state;
} coif_solver_checkpoint;

// Allocates the arrays for the points of a solver.
void coif_solver_checkpoint_init(coif_solver_checkpoint *checkpoint, const coif_solver *solver,
                                 coif_arena *arena);

// The same for the simulated strands of a groom without a solver: the rows of the method are those
// of a file.
coif_status coif_solver_checkpoint_init_from_file(coif_solver_checkpoint *checkpoint,
                                                  const coif_strands *strands, const char *path,
                                                  coif_arena *arena, coif_error *error);

coif_status coif_solver_checkpoint_save(const coif_solver_checkpoint *checkpoint,
                                        const char *metadata, const char *path, coif_jobs *jobs,
                                        coif_error *error);

// The checkpoint must be initialised and hold the expected settings digest. Other settings,
// another groom, values that are not finite and damaged files are COIF_ERR_FORMAT.
coif_status coif_solver_checkpoint_load(coif_solver_checkpoint *checkpoint, const char *path,
                                        coif_arena *scratch, coif_error *error);

// Loads the state of another run, whatever its settings, without that of constraints. The
// checkpoint must be initialised; another topology or solver is an error.
coif_status coif_solver_checkpoint_restore(coif_solver_checkpoint *checkpoint, const char *path,
                                           const char *solver, coif_arena *scratch,
                                           coif_error *error);

#endif
