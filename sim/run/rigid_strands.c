#include "sim/run/rigid_strands.h"

#include "core/base/arena.h"

static int32_t point_count(const coif_solver *solver)
{
    return coif_solver_first_point(solver)[coif_solver_strand_count(solver)];
}

void coif_rigid_strands_init(coif_rigid_strands *rigid, const coif_solver *solver,
                             coif_arena *arena)
{
    const int32_t points = point_count(solver);
    *rigid = (coif_rigid_strands){.before = coif_arena_new(arena, points, coif_vec3),
                                  .after = coif_arena_new(arena, points, coif_vec3),
                                  .velocities = coif_arena_new(arena, points, coif_vec3)};
}

void coif_rigid_strands_step(coif_rigid_strands *rigid, coif_solver *solver,
                             const coif_root_pose *root_end, double seconds)
{
    const int32_t points = point_count(solver);
    const float rate = (float)(1.0 / seconds);
    coif_solver_get_points(solver, rigid->before, rigid->velocities);
    coif_solver_reset_to_rest(solver, root_end);
    coif_solver_get_points(solver, rigid->after, rigid->velocities);
    for (int32_t i = 0; i < points; ++i) {
        rigid->velocities[i] = coif_scale(coif_sub(rigid->after[i], rigid->before[i]), rate);
    }
    coif_solver_set_points(solver, rigid->after, rigid->velocities);
}
