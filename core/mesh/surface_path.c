// Surface paths: intersection of the surface with a plane, triangle by triangle.
#include "core/mesh/surface_path.h"

#include "core/base/arena.h"
#include "core/mesh/mesh_topology.h"

static const float WELD_TOLERANCE = 1e-6f;

void coif_surface_paths_open(coif_surface_paths *paths, const coif_mesh *mesh, coif_arena *arena)
{
    const int32_t corners = 3 * mesh->triangle_count;
    *paths = (coif_surface_paths){.mesh = mesh,
                                  .vertex = coif_arena_new(arena, corners, int32_t),
                                  .across = coif_arena_new(arena, corners, int32_t)};
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    int32_t *weld = coif_arena_new(arena, mesh->vertex_count, int32_t);
    coif_mesh_weld(weld, mesh, WELD_TOLERANCE, arena);
    for (int32_t c = 0; c < corners; ++c) {
        paths->vertex[c] = weld[mesh->indices[c]];
    }
    coif_mesh_adjacency(paths->across, mesh, weld, false, arena);
    coif_arena_rewind(arena, mark);
}

// A point slightly inside its triangle, so that planes through it cut two edges.
static coif_surface_point move_inside(const coif_mesh *mesh, coif_surface_location location)
{
    const float third = 1.0f / 3.0f, b1 = coif_clamp(location.b1, 0.0f, 1.0f);
    const float b2 = coif_clamp(location.b2, 0.0f, 1.0f - b1);
    return coif_mesh_at(mesh, location.triangle, b1 + 1e-3f * (third - b1),
                        b2 + 1e-3f * (third - b2));
}

typedef struct cutting_plane {
    const coif_surface_paths *paths;
    coif_vec3 origin, normal;
} cutting_plane;

static float signed_distance(const cutting_plane *plane, int32_t corner, coif_vec3 *at)
{
    *at = plane->paths->mesh->positions[plane->paths->vertex[corner]];
    return coif_dot(plane->normal, coif_sub(*at, plane->origin));
}

// Intersection of the plane with the edge from a corner on. A corner in the plane counts as above,
// so that a triangle has two such edges or none.
static bool intersect_edge(const cutting_plane *plane, int32_t corner, coif_vec3 *at)
{
    coif_vec3 a, b;
    const float from = signed_distance(plane, corner, &a);
    const float to = signed_distance(plane, coif_mesh_next_corner(corner), &b);
    if ((from >= 0.0f) == (to >= 0.0f)) {
        return false;
    }
    *at = coif_lerp(a, b, from / (from - to));
    return true;
}

// The edge by which the path leaves a triangle, -1 for none: the furthest along a direction,
// without the edge to the previous triangle.
static int32_t find_exit(const cutting_plane *plane, int32_t triangle, int32_t previous,
                         coif_vec3 along, coif_vec3 *at)
{
    int32_t exit = -1;
    float furthest = 0.0f;
    for (int32_t c = 3 * triangle; c < 3 * triangle + 3; ++c) {
        coif_vec3 hit;
        if ((previous >= 0 && plane->paths->across[c] == previous) ||
            !intersect_edge(plane, c, &hit)) {
            continue;
        }
        const float distance = coif_dot(along, hit);
        if (exit < 0 || distance > furthest) {
            exit = c;
            furthest = distance;
            *at = hit;
        }
    }
    return exit;
}

bool coif_surface_paths_within(const coif_surface_paths *paths, coif_surface_location from,
                               coif_surface_location to, float max_ratio)
{
    if (from.triangle == to.triangle) {
        return true;
    }
    const coif_surface_point a = move_inside(paths->mesh, from), b = move_inside(paths->mesh, to);
    const coif_vec3 straight = coif_sub(b.position, a.position);
    coif_vec3 up = coif_add(a.normal, b.normal);
    if (coif_dot(up, up) < 1e-4f) { // opposite normals
        up = a.normal;
    }
    const coif_vec3 normal = coif_cross(straight, coif_normalize(up));
    const float max_length = max_ratio * coif_length(straight);
    if (coif_length(normal) < 0.05f * coif_length(straight)) {
        return false; // along the surface normal
    }
    const cutting_plane plane = {paths, a.position, coif_normalize(normal)};
    coif_vec3 at = a.position;
    float length = 0.0f;
    int32_t triangle = from.triangle, previous = -1;
    for (int32_t steps = 0; steps < paths->mesh->triangle_count; ++steps) {
        coif_vec3 next = at;
        const int32_t exit = find_exit(&plane, triangle, previous, straight, &next);
        length += coif_length(coif_sub(next, at));
        if (exit < 0 || paths->across[exit] < 0 || length > max_length) {
            return false;
        }
        at = next;
        previous = triangle;
        triangle = paths->across[exit];
        if (triangle == to.triangle) {
            return length + coif_length(coif_sub(b.position, at)) <= max_length;
        }
    }
    return false;
}
