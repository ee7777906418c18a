// goals: springs towards a goal, the rest shape on the moving body or positions of a cache.
#ifndef COIF_SIM_RUN_GOALS_H
#define COIF_SIM_RUN_GOALS_H

#include "core/base/jobs.h"

struct coif_groom_solver;
struct coif_groom_solver_frame;

// Sets the targets of a frame where they have changed.
void coif_goals_begin_step(struct coif_groom_solver *solver,
                           const struct coif_groom_solver_frame *frame, coif_jobs *jobs);

#endif
