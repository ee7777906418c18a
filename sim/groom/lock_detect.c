#include "sim/groom/lock_detect.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/point_grid.h"

enum { SAMPLES = 6 };

typedef struct lock_search {
    const coif_vec3 *samples; // SAMPLES per strand, root to tip
    int32_t *clump;
    int32_t leader;
    float distance;
} lock_search;

static float mean_distance(const coif_vec3 *a, const coif_vec3 *b)
{
    float sum = 0.0f;
    for (int i = 0; i < SAMPLES; ++i) {
        sum += coif_length(coif_sub(a[i], b[i]));
    }
    return sum / SAMPLES;
}

static void join(void *context, const int32_t *strands, int32_t count)
{
    const lock_search *search = context;
    for (int32_t i = 0; i < count; ++i) {
        const int32_t s = strands[i];
        if (search->clump[s] < 0 &&
            mean_distance(search->samples + SAMPLES * (int64_t)s,
                          search->samples + SAMPLES * (int64_t)search->leader) <=
                search->distance) {
            search->clump[s] = search->leader;
        }
    }
}

static coif_vec3 point_at(const coif_strands *strands, int32_t strand, float position)
{
    const coif_vec4 *points = strands->points + strands->first[strand];
    const int32_t last = coif_strands_length(strands, strand) - 1;
    const float at = position * (float)last;
    const int32_t k = at < (float)last ? (int32_t)at : last - 1;
    return coif_lerp(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k + 1]), at - (float)k);
}

void coif_detect_locks(int32_t *clump, const coif_strands *strands, float distance,
                       coif_arena *scratch)
{
    const int32_t count = strands->strand_count;
    coif_vec3 *samples = coif_arena_new(scratch, SAMPLES * (int64_t)count, coif_vec3);
    coif_vec3 *means = coif_arena_new(scratch, count, coif_vec3);
    coif_bounds bounds = coif_bounds_empty();
    for (int32_t s = 0; s < count; ++s) {
        coif_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int i = 0; i < SAMPLES; ++i) {
            coif_vec3 *sample = &samples[SAMPLES * (int64_t)s + i];
            *sample = point_at(strands, s, (float)i / (SAMPLES - 1));
            sum = coif_add(sum, *sample);
        }
        means[s] = coif_scale(sum, 1.0f / SAMPLES);
        coif_bounds_add(&bounds, means[s]);
        clump[s] = -1;
    }
    if (count == 0) {
        return;
    }
    // Means are not farther apart than strands are on average: one shell of cells of that size
    // around the leader holds its lock.
    const float extent = coif_bounds_extent(&bounds);
    const coif_point_grid_desc desc = {
        .points = means, .count = count, .cells = fmaxf(1.0f, extent / distance), .max_cells = 256};
    coif_point_grid grid;
    coif_point_grid_init(&grid, &desc, scratch);
    for (int32_t s = 0; s < count; ++s) {
        if (clump[s] >= 0) {
            continue;
        }
        clump[s] = s;
        lock_search search = {samples, clump, s, distance};
        int32_t cell[3];
        coif_point_grid_cell(&grid, means[s], cell);
        const int32_t shells = 1 + (int32_t)(distance / grid.cell);
        for (int32_t shell = 0; shell <= shells; ++shell) {
            coif_point_grid_visit_shell(&grid, cell, shell, join, &search);
        }
    }
}
