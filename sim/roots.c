// roots: candidates from a Halton sequence, thinned by density.
//
// Dimensions: base 2 chooses the triangle by area, 3 and 5 the place in it, 7 is the threshold. The
// seed shifts each dimension around its unit circle (Cranley and Patterson 1976), which keeps the
// even spread. Everything is computed from the candidate's number alone, so candidates may be made
// in any order and on any thread.
#include "sim/roots.h"

#include "core/arena.h"
#include "core/error.h"
#include "core/jobs.h"
#include "core/rng.h"

#include <string.h>

enum { DIMENSIONS = 4, BLOCK = 2048 };

static const uint32_t BASES[DIMENSIONS] = {2, 3, 5, 7};

typedef struct scatter {
    const coif_roots_desc *desc;
    int32_t triangle_count;
    int32_t *triangles; // those of the group
    double *areas;      // running sums, in the order of the mesh
    double shift[DIMENSIONS];

    int32_t *triangle;   // per candidate
    float *barycentric;  // 2 per candidate
    uint8_t *grows;      // per candidate
    int32_t *counts;     // per block: candidates that grow
    coif_status *status; // per block
} scatter;

// The digits of index mirrored at the point: 6 = 110 in base 2 becomes 0.011. Integer arithmetic
// and one division, so the result is the nearest double.
static double radical_inverse(uint32_t base, uint64_t index)
{
    uint64_t mirrored = 0;
    uint64_t power = 1;
    for (; index > 0; index /= base) {
        mirrored = mirrored * base + index % base;
        power *= base;
    }
    return (double)mirrored / (double)power;
}

static double candidate_coordinate(const scatter *all, int32_t candidate, int dimension)
{
    const double u =
        radical_inverse(BASES[dimension], (uint64_t)candidate + 1) + all->shift[dimension];
    return u < 1.0 ? u : u - 1.0;
}

static double triangle_area(const coif_mesh *mesh, int32_t triangle)
{
    const int32_t *corner = mesh->indices + 3 * (int64_t)triangle;
    const coif_vec3 a = mesh->positions[corner[0]];
    const coif_vec3 b = mesh->positions[corner[1]];
    const coif_vec3 c = mesh->positions[corner[2]];
    const double e1[3] = {(double)b.x - a.x, (double)b.y - a.y, (double)b.z - a.z};
    const double e2[3] = {(double)c.x - a.x, (double)c.y - a.y, (double)c.z - a.z};
    const double n[3] = {e1[1] * e2[2] - e1[2] * e2[1], e1[2] * e2[0] - e1[0] * e2[2],
                         e1[0] * e2[1] - e1[1] * e2[0]};
    return 0.5 * sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

// Fails when the group is unknown or has no area to grow on.
static coif_status choose_triangles(scatter *all, coif_arena *arena, coif_error *error)
{
    const coif_mesh *mesh = all->desc->mesh;
    const char *name = all->desc->group;
    const bool whole = name == NULL || name[0] == '\0';
    const int32_t group = whole ? -1 : coif_mesh_find_group(mesh, name);
    if (!whole && group < 0) {
        return coif_fail(error, COIF_ERR_SCENE, "the mesh has no group \"%s\"", name);
    }

    all->triangles = coif_arena_new(arena, mesh->triangle_count, int32_t);
    all->areas = coif_arena_new(arena, mesh->triangle_count, double);
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const double area = triangle_area(mesh, t);
        if ((whole || mesh->groups[t] == group) && area > 0.0) {
            sum += area;
            all->triangles[all->triangle_count] = t;
            all->areas[all->triangle_count++] = sum;
        }
    }
    if (all->triangle_count == 0 || !isfinite(sum)) {
        return coif_fail(error, COIF_ERR_SCENE, "%s%s%s has no surface to grow on",
                         whole ? "the mesh" : "group \"", whole ? "" : name, whole ? "" : "\"");
    }
    return COIF_OK;
}

// The first triangle whose running sum lies above the wanted area.
static int32_t find_triangle(const scatter *all, double u)
{
    const double wanted = u * all->areas[all->triangle_count - 1];
    int32_t low = 0;
    int32_t high = all->triangle_count - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (all->areas[middle] > wanted) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return all->triangles[low];
}

// Uniform in the triangle: 1 - sqrt(u) is the weight of the first corner.
static void place_candidate(scatter *all, int32_t candidate)
{
    const double side = sqrt(candidate_coordinate(all, candidate, 1));
    const double along = candidate_coordinate(all, candidate, 2);
    all->triangle[candidate] = find_triangle(all, candidate_coordinate(all, candidate, 0));
    all->barycentric[2 * (int64_t)candidate] = (float)(side * (1.0 - along));
    all->barycentric[2 * (int64_t)candidate + 1] = (float)(side * along);
}

static coif_status ask_density(const scatter *all, int32_t begin, int32_t end, float *density,
                               coif_error *error)
{
    coif_surface_point points[BLOCK];
    for (int32_t i = begin; i < end; ++i) {
        const float *b = all->barycentric + 2 * (int64_t)i;
        points[i - begin] = coif_mesh_at(all->desc->mesh, all->triangle[i], b[0], b[1]);
        density[i - begin] = 0.0f;
    }
    return all->desc->density(all->desc->density_context, end - begin, points, density, error);
}

static int32_t block_end(const scatter *all, int64_t block)
{
    const int64_t end = (block + 1) * BLOCK;
    return end < all->desc->candidates ? (int32_t)end : all->desc->candidates;
}

// A threshold lies in [0, 1), so density 1 lets every candidate grow and density 0 none.
static void thin_block(scatter *all, int64_t block)
{
    const int32_t begin = (int32_t)(block * BLOCK);
    const int32_t end = block_end(all, block);
    float density[BLOCK];
    if (all->desc->density != NULL) {
        all->status[block] = ask_density(all, begin, end, density, NULL);
    }
    for (int32_t i = begin; i < end; ++i) {
        const bool grows = all->desc->density == NULL ||
                           candidate_coordinate(all, i, 3) < (double)density[i - begin];
        all->grows[i] = grows;
        all->counts[block] += grows;
    }
}

static void scatter_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    scatter *all = context;
    (void)worker;
    for (int64_t block = begin; block < end; ++block) {
        for (int32_t i = (int32_t)(block * BLOCK); i < block_end(all, block); ++i) {
            place_candidate(all, i);
        }
        thin_block(all, block);
    }
}

// Workers cannot share one error, so the first block that failed is asked again for its reason.
static coif_status check_blocks(const scatter *all, int64_t block_count, coif_error *error)
{
    for (int64_t block = 0; block < block_count; ++block) {
        if (all->status[block] != COIF_OK) {
            float density[BLOCK];
            const coif_status status =
                ask_density(all, (int32_t)(block * BLOCK), block_end(all, block), density, error);
            return coif_fail(error, status == COIF_OK ? all->status[block] : status,
                             "the density could not be evaluated");
        }
    }
    return COIF_OK;
}

static void keep_grown(coif_roots *roots, const scatter *all, int64_t block_count,
                       coif_arena *arena)
{
    int32_t count = 0;
    for (int64_t block = 0; block < block_count; ++block) {
        count += all->counts[block];
    }
    roots->triangles = coif_arena_new(arena, count, int32_t);
    roots->barycentrics = coif_arena_new(arena, 2 * (int64_t)count, float);
    roots->candidates = coif_arena_new(arena, count, int32_t);
    roots->count = 0;
    for (int32_t i = 0; i < all->desc->candidates; ++i) {
        if (all->grows[i]) {
            const int32_t root = roots->count++;
            roots->triangles[root] = all->triangle[i];
            memcpy(roots->barycentrics + 2 * (int64_t)root, all->barycentric + 2 * (int64_t)i,
                   2 * sizeof(float));
            roots->candidates[root] = i;
        }
    }
}

coif_status coif_roots_scatter(coif_roots *roots, const coif_roots_desc *desc, coif_arena *arena,
                               coif_jobs *jobs, coif_error *error)
{
    if (desc->candidates < 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%d roots cannot be scattered",
                         desc->candidates);
    }
    scatter all = {.desc = desc};
    COIF_TRY(choose_triangles(&all, arena, error));
    for (uint32_t d = 0; d < DIMENSIONS; ++d) {
        all.shift[d] = (double)coif_random_word(desc->seed, 0, d) * 0x1p-32;
    }

    const int64_t block_count = (desc->candidates + (int64_t)BLOCK - 1) / BLOCK;
    all.triangle = coif_arena_new(arena, desc->candidates, int32_t);
    all.barycentric = coif_arena_new(arena, 2 * (int64_t)desc->candidates, float);
    all.grows = coif_arena_new(arena, desc->candidates, uint8_t);
    all.counts = coif_arena_new(arena, block_count, int32_t);
    all.status = coif_arena_new(arena, block_count, coif_status);
    coif_parallel_for(jobs, block_count, 1, scatter_blocks, &all);
    COIF_TRY(check_blocks(&all, block_count, error));

    keep_grown(roots, &all, block_count, arena);
    return COIF_OK;
}
