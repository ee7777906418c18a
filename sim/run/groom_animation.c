#include "sim/run/groom_animation.h"

#include "core/base/error.h"

void coif_groom_animation_open(coif_groom_animation *regrow, const coif_groom_generate_desc *desc,
                               const coif_groom *groom)
{
    *regrow = (coif_groom_animation){.desc = *desc, .now = *groom};
    regrow->desc.reuse = groom;
    coif_arena_init(&regrow->arena, "groom of a frame");
}

void coif_groom_animation_close(coif_groom_animation *regrow)
{
    coif_arena_free(&regrow->arena);
}

coif_status coif_groom_animation_to(coif_groom_animation *regrow, int frame, bool at_once,
                                    coif_jobs *jobs, coif_error *error)
{
    coif_arena_free(&regrow->arena);
    coif_arena_init(&regrow->arena, "groom of a frame");
    regrow->desc.frame = frame;
    COIF_TRY(coif_groom_generate(&regrow->now, &regrow->desc, &regrow->arena, jobs, error));
    coif_groom_solver_set_rest_shape(regrow->solver, &regrow->now, at_once, jobs);
    return COIF_OK;
}
