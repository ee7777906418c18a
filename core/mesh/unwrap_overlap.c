#include "core/mesh/unwrap_overlap.h"

#include "core/base/arena.h"
#include "core/base/array_grow.h"

#include <math.h>

enum { MAX_SIDE = 512 };

static coif_vec2 point_of(const coif_overlap_grid *grid, int32_t corner)
{
    const coif_vec3 p = grid->obj->positions[grid->obj->corners[corner].position];
    return (coif_vec2){coif_dot(p, grid->u), coif_dot(p, grid->v)};
}

typedef struct box {
    float low_u, low_v, high_u, high_v;
} box;

static box box_of(const coif_overlap_grid *grid, int32_t face)
{
    box found = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t c = grid->obj->first[face]; c < grid->obj->first[face + 1]; ++c) {
        const coif_vec2 p = point_of(grid, c);
        found.low_u = fminf(found.low_u, p.x);
        found.low_v = fminf(found.low_v, p.y);
        found.high_u = fmaxf(found.high_u, p.x);
        found.high_v = fmaxf(found.high_v, p.y);
    }
    return found;
}

void coif_overlap_grid_init(coif_overlap_grid *grid, const coif_obj *obj, coif_vec3 u, coif_vec3 v,
                            const int32_t *faces, int32_t count, coif_arena *arena)
{
    *grid = (coif_overlap_grid){.obj = obj, .u = u, .v = v, .arena = arena};
    box all = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; ++i) {
        const box each = box_of(grid, faces[i]);
        all = (box){fminf(all.low_u, each.low_u), fminf(all.low_v, each.low_v),
                    fmaxf(all.high_u, each.high_u), fmaxf(all.high_v, each.high_v)};
    }
    const float width = all.high_u - all.low_u, height = all.high_v - all.low_v;
    const float side = fminf(MAX_SIDE, sqrtf((float)count) + 1.0f);
    grid->low_u = all.low_u;
    grid->low_v = all.low_v;
    grid->cell = fmaxf(fmaxf(width, height) / side, 1e-30f);
    grid->columns = (int32_t)(width / grid->cell) + 1;
    grid->rows = (int32_t)(height / grid->cell) + 1;
    grid->cells = coif_arena_new(arena, (int64_t)grid->columns * grid->rows, int32_t);
    for (int32_t i = 0; i < grid->columns * grid->rows; ++i) {
        grid->cells[i] = -1;
    }
}

// The range of a face's corners along a direction.
static void extent(float *low, float *high, const coif_overlap_grid *grid, int32_t face,
                   coif_vec2 direction)
{
    *low = INFINITY;
    *high = -INFINITY;
    for (int32_t c = grid->obj->first[face]; c < grid->obj->first[face + 1]; ++c) {
        const coif_vec2 p = point_of(grid, c);
        const float at = p.x * direction.x + p.y * direction.y;
        *low = fminf(*low, at);
        *high = fmaxf(*high, at);
    }
}

// Whether an edge of `face` separates it from `other`, but for a part of the smaller one:
// neighbours touch along an edge, and folded quads are not quite convex.
static bool separates(const coif_overlap_grid *grid, int32_t face, int32_t other)
{
    static const float TOLERANCE = 0.05f;
    const int32_t first = grid->obj->first[face], end = grid->obj->first[face + 1];
    for (int32_t c = first; c < end; ++c) {
        const coif_vec2 a = point_of(grid, c), b = point_of(grid, c + 1 < end ? c + 1 : first);
        const coif_vec2 normal = {b.y - a.y, a.x - b.x};
        float low, high, other_low, other_high;
        extent(&low, &high, grid, face, normal);
        extent(&other_low, &other_high, grid, other, normal);
        const float depth = fminf(high, other_high) - fmaxf(low, other_low);
        if (depth <= TOLERANCE * fminf(high - low, other_high - other_low)) {
            return true;
        }
    }
    return false;
}

typedef struct cell_range {
    int32_t left, right, low, high;
} cell_range;

static int32_t cell_at(float position, float low, float cell, int32_t count)
{
    const float index = (position - low) / cell;
    return index <= 0.0f ? 0 : index >= (float)(count - 1) ? count - 1 : (int32_t)index;
}

static cell_range cells_of(const coif_overlap_grid *grid, int32_t face)
{
    const box around = box_of(grid, face);
    return (cell_range){cell_at(around.low_u, grid->low_u, grid->cell, grid->columns),
                        cell_at(around.high_u, grid->low_u, grid->cell, grid->columns),
                        cell_at(around.low_v, grid->low_v, grid->cell, grid->rows),
                        cell_at(around.high_v, grid->low_v, grid->cell, grid->rows)};
}

static bool overlaps(const coif_overlap_grid *grid, int32_t face, const cell_range *range)
{
    for (int32_t y = range->low; y <= range->high; ++y) {
        for (int32_t x = range->left; x <= range->right; ++x) {
            for (int32_t e = grid->cells[y * grid->columns + x]; e >= 0;
                 e = grid->entries[e].next) {
                const int32_t other = grid->entries[e].face;
                if (!separates(grid, face, other) && !separates(grid, other, face)) {
                    return true;
                }
            }
        }
    }
    return false;
}

bool coif_overlap_grid_add(coif_overlap_grid *grid, int32_t face)
{
    const cell_range range = cells_of(grid, face);
    if (overlaps(grid, face, &range)) {
        return false;
    }
    for (int32_t y = range.low; y <= range.high; ++y) {
        for (int32_t x = range.left; x <= range.right; ++x) {
            int32_t *cell = &grid->cells[y * grid->columns + x];
            grid->entries =
                coif_array_grow(grid->entries, grid->entry_count, 1, &grid->entry_capacity,
                                sizeof *grid->entries, grid->arena);
            grid->entries[grid->entry_count] = (coif_overlap_entry){face, *cell};
            *cell = (int32_t)grid->entry_count++;
        }
    }
    return true;
}
