// groom_animation: regenerates a keyed groom for every frame while it is simulated.
//
// Roots, point counts and guide binding stay those of the first frame; lengths and shapes are
// those of the current frame.
#ifndef COIF_SIM_RUN_GROOM_ANIMATION_H
#define COIF_SIM_RUN_GROOM_ANIMATION_H

#include "core/base/arena.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/solver_setup.h"

typedef struct coif_groom_animation {
    coif_groom_generate_desc desc; // reuse: the groom at the first frame
    coif_groom_solver *solver;
    coif_groom current;   // at the end of the frame
    coif_arena arenas[2]; // of the current groom and of the next
    int turn;             // arena of the current groom
} coif_groom_animation;

// desc is that of the first frame, groom its result, which the solver was created with.
void coif_groom_animation_open(coif_groom_animation *animation,
                               const coif_groom_generate_desc *desc, const coif_groom *groom);
void coif_groom_animation_close(coif_groom_animation *animation);

// Advances to a frame; after a failure the groom is the last one; at_once: the solver is already at
// that frame.
coif_status coif_groom_animation_to(coif_groom_animation *animation, int frame, bool at_once,
                                    coif_jobs *jobs, coif_error *error);

#endif
