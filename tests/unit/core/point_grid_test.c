// Point grid: the nearest point is that of a brute force search.
#include "core/base/point_grid.h"

#include "core/base/arena.h"
#include "core/base/rng.h"
#include "tests/support/test.h"

enum { COUNT = 3000, QUERIES = 600 };

static coif_arena arena = {.name = "test"};
static coif_vec3 points[COUNT];

static coif_vec3 random_point(uint64_t seed, uint64_t index, float size)
{
    return coif_vec3_of(size * (coif_random_unit(seed, index, 0) - 0.5f),
                        size * (coif_random_unit(seed, index, 1) - 0.5f),
                        size * (coif_random_unit(seed, index, 2) - 0.5f));
}

static int32_t nearest_of_all(coif_vec3 position)
{
    int32_t best = -1;
    float best2 = INFINITY;
    for (int32_t i = 0; i < COUNT; ++i) {
        const coif_vec3 offset = coif_sub(points[i], position);
        if (coif_dot(offset, offset) < best2) {
            best2 = coif_dot(offset, offset);
            best = i;
        }
    }
    return best;
}

// Points on a sphere, some twice; positions among them and far outside.
TEST(the_nearest_point_is_found)
{
    for (int32_t i = 0; i < COUNT; ++i) {
        points[i] = coif_scale(coif_normalize(random_point(1, (uint64_t)i, 2.0f)), 0.1f);
        if (i % 10 == 9) {
            points[i] = points[i / 2];
        }
    }
    coif_point_grid grid;
    coif_point_grid_init(
        &grid,
        &(coif_point_grid_desc){
            .points = points, .count = COUNT, .cells = sqrtf((float)COUNT), .max_cells = 64},
        &arena);
    for (int32_t q = 0; q < QUERIES; ++q) {
        const coif_vec3 position = q % 3 == 0   ? points[q]
                                   : q % 3 == 1 ? random_point(2, (uint64_t)q, 0.3f)
                                                : random_point(3, (uint64_t)q, 4.0f);
        CHECK(coif_point_grid_nearest(&grid, position) == nearest_of_all(position));
    }
}

TEST(few_points_are_enough)
{
    coif_point_grid grid;
    coif_point_grid_init(
        &grid,
        &(coif_point_grid_desc){
            .points = points, .count = 0, .cells = sqrtf((float)0), .max_cells = 64},
        &arena);
    CHECK(coif_point_grid_nearest(&grid, points[0]) == -1);
    coif_point_grid_init(
        &grid,
        &(coif_point_grid_desc){
            .points = points, .count = 1, .cells = sqrtf((float)1), .max_cells = 64},
        &arena);
    CHECK(coif_point_grid_nearest(&grid, coif_vec3_of(5.0f, 0.0f, 0.0f)) == 0);
}
