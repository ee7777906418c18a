#include "sim/run/groom_animation.h"

#include "core/base/error.h"

void coif_regrow_open(coif_regrow *regrow, const coif_grow_desc *desc, const coif_groom *groom)
{
    *regrow = (coif_regrow){.desc = *desc, .now = *groom};
    regrow->desc.again = groom;
    coif_arena_init(&regrow->arena, "groom of a frame");
}

void coif_regrow_close(coif_regrow *regrow)
{
    coif_arena_free(&regrow->arena);
}

coif_status coif_regrow_to(coif_regrow *regrow, int frame, bool at_once, coif_jobs *jobs,
                           coif_error *error)
{
    coif_arena_free(&regrow->arena);
    coif_arena_init(&regrow->arena, "groom of a frame");
    regrow->desc.frame = frame;
    COIF_TRY(coif_groom_grow(&regrow->now, &regrow->desc, &regrow->arena, jobs, error));
    const coif_sprout_step step = {
        .groom = &regrow->now, .at_once = at_once, .works = regrow->works};
    coif_sprout_next(regrow->solver, &step, jobs);
    return COIF_OK;
}
