// Neighbour lists equal a brute force search of all pairs.
#include "sim/groom/neighbor_lists.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { COUNT = 9000 };

static const double REACH = 0.05;

// On a plane and on another closely below that faces down, a ninth of them in one small heap.
static coif_neighbor_grid make_points(void)
{
    coif_neighbor_grid near;
    coif_neighbor_grid_init(&near, COUNT, &arena);
    for (int32_t i = 0; i < COUNT; ++i) {
        const float size = i % 9 == 0 ? 0.04f : 1.0f;
        const float side = i % 2 == 0 ? 1.0f : -1.0f;
        near.sorted.points[i].position =
            coif_vec3_of(size * coif_random_unit(1, (uint64_t)i, 0), 0.01f * side,
                         size * coif_random_unit(1, (uint64_t)i, 1) - 0.5f);
        near.sorted.normals[i] = coif_vec3_of(0.0f, side, 0.0f);
        near.sorted.ids[i] = i;
    }
    return near;
}

static bool are_near(const coif_neighbor_grid *near, int32_t a, int32_t b)
{
    const coif_vec3 between =
        coif_sub(near->sorted.points[a].position, near->sorted.points[b].position);
    return a != b && coif_dot(between, between) < near->radius * near->radius &&
           coif_dot(near->sorted.normals[a], near->sorted.normals[b]) >= 0.0f;
}

// The heap has many more neighbours than is usual, and more than the initial capacity.
TEST(neighbours_are_those_within_reach)
{
    coif_neighbor_grid near = make_points();
    coif_neighbor_grid_find(&near, REACH, &arena, NULL);
    for (int32_t i = 0; i < COUNT; i += 7) {
        const int32_t *others = near.indices + near.sorted.points[i].first;
        uint8_t listed[COUNT] = {0};
        for (int32_t n = 0; n < near.sorted.points[i].length; ++n) {
            ++listed[others[n]];
        }
        int32_t wrong = 0;
        for (int32_t j = 0; j < COUNT; ++j) {
            wrong += listed[j] != are_near(&near, i, j);
        }
        CHECK(wrong == 0);
    }
}

// Fewer points, and a wider reach: as rounds of blue noise ask.
TEST(points_may_be_sorted_again)
{
    coif_neighbor_grid near = make_points();
    coif_neighbor_grid_find(&near, REACH, &arena, NULL);
    near.count = COUNT / 2;
    coif_neighbor_grid_find(&near, 2.0 * REACH, &arena, NULL);
    uint8_t seen[COUNT] = {0};
    for (int32_t i = 0; i < near.count; ++i) {
        CHECK(seen[near.sorted.ids[i]]++ == 0);
        int32_t sum = 0;
        for (int32_t j = 0; j < near.count; j += 1) {
            sum += i % 31 == 0 && are_near(&near, i, j);
        }
        CHECK(i % 31 != 0 || sum == near.sorted.points[i].length);
    }
}

TEST(lists_are_the_same_for_any_number_of_threads)
{
    coif_neighbor_grid one = make_points(), many = make_points();
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, 3, &arena, &error), error);
    coif_neighbor_grid_find(&one, REACH, &arena, NULL);
    coif_neighbor_grid_find(&many, REACH, &arena, jobs);
    coif_jobs_close(jobs);
    for (int32_t i = 0; i < COUNT; ++i) {
        const coif_neighbor a = one.sorted.points[i], b = many.sorted.points[i];
        CHECK(one.sorted.ids[i] == many.sorted.ids[i] && a.length == b.length);
        CHECK(a.length != b.length || memcmp(one.indices + a.first, many.indices + b.first,
                                             sizeof(int32_t) * (size_t)a.length) == 0);
    }
}
