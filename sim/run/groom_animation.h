// regrow: a groom with keys, grown again for every frame while a solver moves it.
//
// Roots, numbers of points and who follows whom stay what they are at the first frame; lengths and
// shapes are those of the frame.
#ifndef COIF_SIM_RUN_GROOM_ANIMATION_H
#define COIF_SIM_RUN_GROOM_ANIMATION_H

#include "core/base/arena.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/solver_setup.h"

typedef struct coif_groom_animation {
    coif_groom_generate_desc desc; // again: the groom at the first frame
    coif_groom_solver *solver;
    coif_groom now; // at the end of the frame
    coif_arena arena;
} coif_groom_animation;

// Desc is that of the first frame, groom what it gave, in the solver.
void coif_groom_animation_open(coif_groom_animation *regrow, const coif_groom_generate_desc *desc,
                               const coif_groom *groom);
void coif_groom_animation_close(coif_groom_animation *regrow);

// The frame that the solver is to move hair to; at once: it is there already.
coif_status coif_groom_animation_to(coif_groom_animation *regrow, int frame, bool at_once,
                                    coif_jobs *jobs, coif_error *error);

#endif
