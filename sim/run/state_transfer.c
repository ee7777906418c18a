#include "sim/run/state_transfer.h"

#include "core/base/point_grid.h"

#include <string.h>

// Source strands and the simulated strands of the target.
typedef struct transfer {
    const coif_groom_sim *source;
    const coif_strands *from;   // current points
    const coif_vec4 *from_rest; // their rest points
    int32_t *simulated;         // index among the simulated strands, -1: none
    float *from_state;          // state of the method; NULL: another method
    coif_vec3 *roots;           // of the source strands
    coif_point_grid grid;
    coif_groom_sim *target;
    coif_vec3 *positions, *velocities; // to be written
    float *state;
} transfer;

static coif_vec3 point_position(const coif_vec4 *point)
{
    return coif_vec3_of(point->x, point->y, point->z);
}

// The source strand with the nearest root. Of equal distances the strand of the same index, then
// the lowest: a groom with fewer strands is mostly a prefix of one with more.
static int32_t nearest_root(const transfer *ctx, int32_t strand)
{
    const coif_groom *groom = ctx->target->groom;
    const coif_vec3 root = point_position(&groom->rest.points[groom->rest.first[strand]]);
    const int32_t nearest = coif_point_grid_nearest(&ctx->grid, root);
    if (strand < ctx->from->strand_count) {
        const coif_vec3 same = coif_sub(ctx->roots[strand], root);
        const coif_vec3 other = coif_sub(ctx->roots[nearest], root);
        return coif_dot(same, same) <= coif_dot(other, other) ? strand : nearest;
    }
    return nearest;
}

static float polyline_length(const coif_vec4 *points, int32_t count)
{
    float length = 0.0f;
    for (int32_t i = 0; i + 1 < count; ++i) {
        length += coif_length(coif_sub(point_position(&points[i + 1]), point_position(&points[i])));
    }
    return length;
}

// The method state is copied where root and point count are the same and both are simulated.
static void copy_method_state(const transfer *ctx, int32_t simulated, int32_t other)
{
    const coif_solver *to = ctx->target->solver.core;
    const coif_solver *from = ctx->source->solver.core;
    const int32_t other_simulated = ctx->simulated[other];
    const int32_t *to_first = coif_solver_first_point(to);
    const int32_t *from_first = coif_solver_first_point(from);
    const int32_t count = to_first[simulated + 1] - to_first[simulated];
    if (ctx->from_state == NULL || other_simulated < 0 ||
        from_first[other_simulated + 1] - from_first[other_simulated] != count) {
        return;
    }
    const int64_t rows = coif_solver_state_rows(to);
    memcpy(ctx->state + rows * to_first[simulated],
           ctx->from_state + rows * from_first[other_simulated],
           sizeof(float) * (size_t)(rows * count));
}

// Copies the shape of another strand from its own root on, scaled to its own length.
static void copy_shape(const transfer *ctx, int32_t simulated)
{
    const coif_groom *groom = ctx->target->groom;
    const int32_t strand = groom->simulated[simulated];
    const int32_t other = nearest_root(ctx, strand);
    const int32_t from = ctx->from->first[other];
    const int32_t other_count = ctx->from->first[other + 1] - from;
    const int32_t to = coif_solver_first_point(ctx->target->solver.core)[simulated];
    const int32_t count = coif_solver_first_point(ctx->target->solver.core)[simulated + 1] - to;
    const float own_length = polyline_length(&groom->rest.points[groom->rest.first[strand]], count);
    const float other_length = polyline_length(&ctx->from_rest[from], other_count);
    const float scale = own_length > 0.0f && other_length > 0.0f ? own_length / other_length : 1.0f;
    const coif_vec3 root = ctx->positions[to];
    const coif_vec3 other_root = point_position(&ctx->from->points[from]);
    for (int32_t k = 1; k < count; ++k) {
        const float parameter = (float)k / (float)(count - 1) * (float)(other_count - 1);
        const int32_t i =
            parameter < (float)(other_count - 2) ? (int32_t)parameter : other_count - 2;
        const float fraction = parameter - (float)i;
        const coif_vec3 point =
            coif_lerp(point_position(&ctx->from->points[from + i]),
                      point_position(&ctx->from->points[from + i + 1]), fraction);
        ctx->positions[to + k] = coif_mad(root, scale, coif_sub(point, other_root));
        ctx->velocities[to + k] = coif_lerp(ctx->from->velocities[from + i],
                                            ctx->from->velocities[from + i + 1], fraction);
    }
    const coif_vec3 offset =
        coif_sub(point_position(&ctx->from_rest[from]),
                 point_position(&groom->rest.points[groom->rest.first[strand]]));
    if (coif_dot(offset, offset) == 0.0f) {
        copy_method_state(ctx, simulated, other);
    }
}

static void read_states(transfer *ctx, coif_arena *scratch)
{
    const coif_groom *groom = ctx->source->groom;
    const coif_solver *from = ctx->source->solver.core;
    const coif_solver *to = ctx->target->solver.core;
    ctx->simulated = coif_arena_new(scratch, ctx->from->strand_count, int32_t);
    for (int32_t s = 0; s < ctx->from->strand_count; ++s) {
        ctx->simulated[s] = -1;
    }
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        ctx->simulated[groom->simulated[s]] = s;
    }
    const int64_t rows = coif_solver_state_rows(to);
    ctx->state = coif_arena_new(
        scratch, rows * coif_solver_first_point(to)[ctx->target->groom->simulated_count] + 1,
        float);
    coif_solver_get_state(to, ctx->state);
    if (strcmp(coif_solver_method_name(from), coif_solver_method_name(to)) == 0 && rows > 0) {
        ctx->from_state = coif_arena_new(
            scratch, rows * coif_solver_first_point(from)[groom->simulated_count] + 1, float);
        coif_solver_get_state(from, ctx->from_state);
    }
}

static void copy_shapes(transfer *ctx, coif_arena *scratch)
{
    ctx->roots = coif_arena_new(scratch, ctx->from->strand_count, coif_vec3);
    for (int32_t s = 0; s < ctx->from->strand_count; ++s) {
        ctx->roots[s] = point_position(&ctx->from_rest[ctx->from->first[s]]);
    }
    const coif_point_grid_desc grid = {.points = ctx->roots,
                                       .count = ctx->from->strand_count,
                                       .cells = sqrtf((float)ctx->from->strand_count),
                                       .max_cells = 64};
    coif_point_grid_init(&ctx->grid, &grid, scratch);
    coif_solver *solver = ctx->target->solver.core;
    const int32_t points = coif_solver_first_point(solver)[ctx->target->groom->simulated_count];
    ctx->positions = coif_arena_new(scratch, points + 1, coif_vec3);
    ctx->velocities = coif_arena_new(scratch, points + 1, coif_vec3);
    coif_solver_get_points(solver, ctx->positions, ctx->velocities);
    read_states(ctx, scratch);
    for (int32_t s = 0; s < ctx->target->groom->simulated_count; ++s) {
        copy_shape(ctx, s);
    }
    coif_solver_set_points(solver, ctx->positions, ctx->velocities);
    coif_solver_set_state(solver, ctx->state);
}

void coif_transfer_state(coif_groom_sim *target, const coif_groom_sim *source,
                         const coif_strands *strands)
{
    COIF_SCOPED_ARENA(scratch, "state transfer");
    transfer ctx = {.source = source,
                    .from = strands,
                    .from_rest = source->current.rest.points,
                    .target = target};
    copy_shapes(&ctx, &scratch);
}
