// Triangles of one polygon use a contiguous range of file corners, that of no other polygon, and
// are connected by edges, so the ranges of any two parts of them overlap.
#include "core/mesh/mesh_polygons.h"

#include "core/base/arena.h"

static int32_t least_corner(const coif_mesh *mesh, int32_t triangle)
{
    const int32_t *c = mesh->corners + 3 * (size_t)triangle;
    const int32_t least = c[0] < c[1] ? c[0] : c[1];
    return least < c[2] ? least : c[2];
}

static int32_t greatest_corner(const coif_mesh *mesh, int32_t triangle)
{
    const int32_t *c = mesh->corners + 3 * (size_t)triangle;
    const int32_t greatest = c[0] > c[1] ? c[0] : c[1];
    return greatest > c[2] ? greatest : c[2];
}

static void add_polygon(coif_mesh_polygons *polygons, int32_t size, int32_t triangle)
{
    polygons->sizes[polygons->count] = size;
    polygons->triangles[polygons->count++] = triangle;
    polygons->corner_count += size;
}

// Adds the triangles [first, end) with the file corners [low, high].
static void add_run(coif_mesh_polygons *polygons, const coif_mesh *mesh, int32_t first, int32_t end,
                    int32_t low, int32_t high)
{
    const int64_t size = (int64_t)high - low + 1;
    int32_t *to = polygons->corners + polygons->corner_count;
    int64_t found = 0;
    if (size == (int64_t)end - first + 2) {
        for (int64_t i = 0; i < size; ++i) {
            to[i] = -1;
        }
        for (int32_t c = 3 * first; c < 3 * end; ++c) {
            const int32_t slot = mesh->corners[c] - low;
            found += to[slot] < 0;
            to[slot] = to[slot] < 0 ? c : to[slot];
        }
    }
    if (found == size) {
        add_polygon(polygons, (int32_t)size, first);
        return;
    }
    for (int32_t t = first; t < end; ++t) {
        for (int32_t k = 0; k < 3; ++k) {
            polygons->corners[polygons->corner_count + k] = 3 * t + k;
        }
        add_polygon(polygons, 3, t);
    }
}

coif_mesh_polygons coif_mesh_polygons_of(const coif_mesh *mesh, coif_arena *arena)
{
    const int32_t count = mesh->triangle_count;
    coif_mesh_polygons polygons = {.sizes = coif_arena_new(arena, count, int32_t),
                                   .corners = coif_arena_new(arena, 3 * (size_t)count, int32_t),
                                   .triangles = coif_arena_new(arena, count, int32_t)};
    COIF_SCOPED_ARENA(scratch, "polygons");
    int32_t *least_after = coif_arena_new(&scratch, (size_t)count + 1, int32_t);
    least_after[count] = INT32_MAX;
    for (int32_t t = count - 1; t >= 0; --t) {
        const int32_t least = least_corner(mesh, t);
        least_after[t] = least < least_after[t + 1] ? least : least_after[t + 1];
    }
    int32_t first = 0, high = -1;
    for (int32_t t = 0; t < count; ++t) {
        const int32_t greatest = greatest_corner(mesh, t);
        high = greatest > high ? greatest : high;
        if (high < least_after[t + 1]) {
            add_run(&polygons, mesh, first, t + 1, least_after[first], high);
            first = t + 1;
        }
    }
    return polygons;
}
