#include "core/mesh/surface_path.h"

#include "core/base/arena.h"

#include <stdlib.h>

// Vertices no further apart than this share of the body's size are one.
static const float SEWN = 1e-6f;

// A vertex, found by how far it is along a direction across which few lie side by side.
typedef struct vertex_at {
    float along;
    int32_t vertex;
} vertex_at;

static int by_along(const void *left, const void *right)
{
    const vertex_at *a = left, *b = right;
    if (a->along != b->along) {
        return a->along < b->along ? -1 : 1;
    }
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static float largest(coif_vec3 a)
{
    return fmaxf(fabsf(a.x), fmaxf(fabsf(a.y), fabsf(a.z)));
}

// Per vertex, one of those at its place.
static int32_t *sew(const coif_mesh *mesh, coif_arena *scratch)
{
    static const coif_vec3 askew = {0.5421347f, 0.3178921f, 0.7778643f};
    const coif_vec3 *p = mesh->positions;
    vertex_at *sorted = coif_arena_new(scratch, mesh->vertex_count, vertex_at);
    int32_t *first = coif_arena_new(scratch, mesh->vertex_count, int32_t);
    float size = 0.0f;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sorted[v] = (vertex_at){coif_dot(askew, p[v]), v};
        size = fmaxf(size, largest(p[v]));
    }
    qsort(sorted, (size_t)mesh->vertex_count, sizeof *sorted, by_along);
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        const int32_t v = sorted[i].vertex;
        first[v] = v;
        for (int32_t k = i - 1; k >= 0 && sorted[i].along - sorted[k].along < 2.0f * SEWN * size;
             --k) {
            const int32_t other = sorted[k].vertex;
            if (largest(coif_sub(p[v], p[other])) < SEWN * size) {
                first[v] = first[other];
                break;
            }
        }
    }
    return first;
}

typedef struct edge_at {
    int32_t low, high; // vertices
    int32_t corner;    // of all triangles, from which the edge goes on
} edge_at;

static int by_vertices(const void *left, const void *right)
{
    const edge_at *a = left, *b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->corner > b->corner) - (a->corner < b->corner);
}

static int32_t next_corner(int32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

void coif_surface_paths_open(coif_surface_paths *ways, const coif_mesh *mesh, coif_arena *arena)
{
    const int32_t corners = 3 * mesh->triangle_count;
    *ways = (coif_surface_paths){.mesh = mesh,
                                 .vertex = coif_arena_new(arena, corners, int32_t),
                                 .across = coif_arena_new(arena, corners, int32_t)};
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    const int32_t *sewn = sew(mesh, arena);
    for (int32_t c = 0; c < corners; ++c) {
        ways->vertex[c] = sewn[mesh->indices[c]];
    }
    edge_at *edges = coif_arena_new(arena, corners, edge_at);
    for (int32_t c = 0; c < corners; ++c) {
        const int32_t a = ways->vertex[c], b = ways->vertex[next_corner(c)];
        edges[c] = (edge_at){a < b ? a : b, a < b ? b : a, c};
    }
    qsort(edges, (size_t)corners, sizeof *edges, by_vertices);
    for (int32_t i = 0, run; i < corners; i += run) {
        for (run = 1; i + run < corners && edges[i + run].low == edges[i].low &&
                      edges[i + run].high == edges[i].high;
             ++run) {
        }
        // Where more than two meet, from each to the next.
        for (int32_t k = 0; k < run; ++k) {
            ways->across[edges[i + k].corner] = run > 1 ? edges[i + (k + 1) % run].corner / 3 : -1;
        }
    }
    coif_arena_rewind(arena, mark);
}

// A little inside its triangle, so that planes through it cut two edges.
static coif_surface_point inside(const coif_mesh *mesh, coif_surface_location place)
{
    const float third = 1.0f / 3.0f, b1 = coif_clamp(place.b1, 0.0f, 1.0f);
    const float b2 = coif_clamp(place.b2, 0.0f, 1.0f - b1);
    return coif_mesh_at(mesh, place.triangle, b1 + 1e-3f * (third - b1), b2 + 1e-3f * (third - b2));
}

typedef struct cut {
    const coif_surface_paths *ways;
    coif_vec3 origin, normal; // of the plane
} cut;

static float side_of(const cut *plane, int32_t corner, coif_vec3 *at)
{
    *at = plane->ways->mesh->positions[plane->ways->vertex[corner]];
    return coif_dot(plane->normal, coif_sub(*at, plane->origin));
}

// Whether the plane cuts the edge that goes on from a corner, and where. A corner in the plane
// counts as above, so that a triangle has two such edges or none.
static bool cuts(const cut *plane, int32_t corner, coif_vec3 *at)
{
    coif_vec3 a, b;
    const float from = side_of(plane, corner, &a);
    const float to = side_of(plane, next_corner(corner), &b);
    if ((from >= 0.0f) == (to >= 0.0f)) {
        return false;
    }
    *at = coif_lerp(a, b, from / (from - to));
    return true;
}

// The edge by which to leave a triangle, -1 none: furthest along a direction, or, with a triangle
// one comes from, the one that does not lead back.
static int32_t find_exit(const cut *plane, int32_t triangle, int32_t before, coif_vec3 along,
                         coif_vec3 *at)
{
    int32_t exit = -1;
    float furthest = 0.0f;
    for (int32_t c = 3 * triangle; c < 3 * triangle + 3; ++c) {
        coif_vec3 place;
        if ((before >= 0 && plane->ways->across[c] == before) || !cuts(plane, c, &place)) {
            continue;
        }
        const float far = coif_dot(along, place);
        if (exit < 0 || far > furthest) {
            exit = c;
            furthest = far;
            *at = place;
        }
    }
    return exit;
}

bool coif_surface_paths_within(const coif_surface_paths *ways, coif_surface_location from,
                               coif_surface_location to, float times)
{
    if (from.triangle == to.triangle) {
        return true;
    }
    const coif_surface_point a = inside(ways->mesh, from), b = inside(ways->mesh, to);
    const coif_vec3 straight = coif_sub(b.position, a.position);
    coif_vec3 up = coif_add(a.normal, b.normal);
    if (coif_dot(up, up) < 1e-4f) { // they look away from each other, or at each other
        up = a.normal;
    }
    const coif_vec3 normal = coif_cross(straight, coif_normalize(up));
    const float most = times * coif_length(straight);
    if (coif_length(normal) < 0.05f * coif_length(straight)) {
        return false; // straight up from the skin
    }
    const cut plane = {ways, a.position, coif_normalize(normal)};
    coif_vec3 at = a.position;
    float length = 0.0f;
    int32_t triangle = from.triangle, before = -1;
    for (int32_t steps = 0; steps < ways->mesh->triangle_count; ++steps) {
        coif_vec3 next = at;
        const int32_t exit = find_exit(&plane, triangle, before, straight, &next);
        length += coif_length(coif_sub(next, at));
        if (exit < 0 || ways->across[exit] < 0 || length > most) {
            return false;
        }
        at = next;
        before = triangle;
        triangle = ways->across[exit];
        if (triangle == to.triangle) {
            return length + coif_length(coif_sub(b.position, at)) <= most;
        }
    }
    return false;
}
