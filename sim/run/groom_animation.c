#include "sim/run/groom_animation.h"

#include "core/base/error.h"

void coif_groom_animation_open(coif_groom_animation *animation,
                               const coif_groom_generate_desc *desc, const coif_groom *groom)
{
    *animation = (coif_groom_animation){.desc = *desc, .current = *groom};
    animation->desc.reuse = groom;
    coif_arena_init(&animation->arenas[0], "groom of a frame");
    coif_arena_init(&animation->arenas[1], "groom of a frame");
}

void coif_groom_animation_close(coif_groom_animation *animation)
{
    coif_arena_free(&animation->arenas[0]);
    coif_arena_free(&animation->arenas[1]);
}

coif_status coif_groom_animation_to(coif_groom_animation *animation, int frame, bool at_once,
                                    coif_jobs *jobs, coif_error *error)
{
    coif_arena *arena = &animation->arenas[!animation->turn];
    coif_arena_free(arena);
    coif_arena_init(arena, "groom of a frame");
    coif_groom next;
    animation->desc.frame = frame;
    COIF_TRY(coif_groom_generate(&next, &animation->desc, arena, jobs, error));
    animation->current = next;
    animation->turn = !animation->turn;
    coif_groom_solver_set_rest_shape(animation->solver, &animation->current, at_once, jobs);
    return COIF_OK;
}
