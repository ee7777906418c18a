#include "sim/groom/root_surface.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/error.h"

#include <stdlib.h>

enum { HILBERT_BITS = 10 };

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

// Index on a Hilbert curve through 2^10 cells per side (J. Skilling, Programming the Hilbert
// curve, 2004).
static uint64_t hilbert_index(uint32_t x[3])
{
    for (uint32_t q = 1u << (HILBERT_BITS - 1); q > 1; q >>= 1) {
        for (int a = 0; a < 3; ++a) {
            const uint32_t swap = (x[0] ^ x[a]) & (q - 1);
            if (x[a] & q) {
                x[0] ^= q - 1;
            } else {
                x[0] ^= swap;
                x[a] ^= swap;
            }
        }
    }
    x[1] ^= x[0];
    x[2] ^= x[1];
    uint32_t gray = 0;
    for (uint32_t q = 1u << (HILBERT_BITS - 1); q > 1; q >>= 1) {
        gray ^= (x[2] & q) ? q - 1 : 0;
    }
    uint64_t index = 0;
    for (int bit = HILBERT_BITS - 1; bit >= 0; --bit) {
        for (int a = 0; a < 3; ++a) {
            index = index << 1 | ((x[a] ^ gray) >> bit & 1u);
        }
    }
    return index;
}

static int compare_words(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static coif_vec3 centre_of(const coif_mesh *mesh, int32_t triangle)
{
    const int32_t *corner = mesh->indices + 3 * (int64_t)triangle;
    const float third = 1.0f / 3.0f, rest = 1.0f - third - third;
    return coif_mad(
        coif_mad(coif_scale(mesh->positions[corner[0]], rest), third, mesh->positions[corner[1]]),
        third, mesh->positions[corner[2]]);
}

// Sorts the triangles along the curve; ties by index.
static void sort_along_curve(coif_root_surface *surface, const coif_mesh *mesh, coif_arena *arena)
{
    uint64_t *keys = coif_arena_new(arena, surface->triangle_count, uint64_t);
    coif_bounds bounds = coif_bounds_empty();
    for (int32_t i = 0; i < surface->triangle_count; ++i) {
        coif_bounds_add(&bounds, centre_of(mesh, surface->triangles[i]));
    }
    const float largest = coif_bounds_extent(&bounds);
    const float scale = largest > 0.0f ? (float)((1 << HILBERT_BITS) - 1) / largest : 0.0f;
    for (int32_t i = 0; i < surface->triangle_count; ++i) {
        const coif_vec3 at =
            coif_scale(coif_sub(centre_of(mesh, surface->triangles[i]), bounds.low), scale);
        uint32_t cell[3] = {(uint32_t)at.x, (uint32_t)at.y, (uint32_t)at.z};
        keys[i] = hilbert_index(cell) << 32 | (uint32_t)surface->triangles[i];
    }
    qsort(keys, (size_t)surface->triangle_count, sizeof *keys, compare_words);
    for (int32_t i = 0; i < surface->triangle_count; ++i) {
        surface->triangles[i] = (int32_t)(uint32_t)keys[i];
    }
}

coif_status coif_root_surface_init(coif_root_surface *surface, const coif_mesh *mesh,
                                   const char *name, coif_arena *arena, coif_error *error)
{
    *surface = (coif_root_surface){0};
    const bool whole = name == NULL || name[0] == '\0';
    const int32_t group = whole ? -1 : coif_mesh_find_group(mesh, name);
    if (!whole && group < 0) {
        return coif_fail(error, COIF_ERR_SCENE, "the mesh has no group \"%s\"", name);
    }

    surface->triangles = coif_arena_new(arena, mesh->triangle_count, int32_t);
    surface->areas = coif_arena_new(arena, mesh->triangle_count, double);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        if ((whole || mesh->groups[t] == group) && triangle_area(mesh, t) > 0.0) {
            surface->triangles[surface->triangle_count++] = t;
        }
    }
    sort_along_curve(surface, mesh, arena);
    double sum = 0.0;
    for (int32_t i = 0; i < surface->triangle_count; ++i) {
        sum += triangle_area(mesh, surface->triangles[i]);
        surface->areas[i] = sum;
    }
    if (surface->triangle_count == 0 || !isfinite(sum)) {
        return coif_fail(error, COIF_ERR_SCENE, "%s%s%s has no surface to grow on",
                         whole ? "the mesh" : "group \"", whole ? "" : name, whole ? "" : "\"");
    }
    return COIF_OK;
}

// The first triangle whose cumulative area exceeds the target.
int32_t coif_root_surface_find(const coif_root_surface *surface, double u)
{
    const double target = u * coif_root_surface_area(surface);
    int32_t low = 0;
    int32_t high = surface->triangle_count - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (surface->areas[middle] > target) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

int32_t coif_root_surface_find_from(const coif_root_surface *surface, double u, int32_t from)
{
    const double target = u * coif_root_surface_area(surface);
    while (from < surface->triangle_count - 1 && !(surface->areas[from] > target)) {
        ++from;
    }
    return from;
}
