#include "core/mesh/geodesic_border.h"

#include "core/base/arena.h"
#include "core/mesh/surface_path.h"

#include <string.h>

// A vertex that waits for the front to pass.
typedef struct waiting {
    double distance;
    int32_t vertex;
} waiting;

typedef struct front {
    const coif_mesh *mesh;
    coif_surface_paths ways;
    int32_t group;
    double *distances; // per vertex that stands for those at its place
    uint8_t *passed;
    int32_t *first, *corners; // of the triangles of the part around each vertex
    waiting *heap;
    int64_t count, room;
    coif_arena *arena;
} front;

static bool is_part(const front *all, int32_t triangle)
{
    return all->group < 0 || all->mesh->groups[triangle] == all->group;
}

static bool is_before(waiting a, waiting b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.vertex < b.vertex;
}

static void push(front *all, waiting entry)
{
    if (all->count == all->room) {
        waiting *more = coif_arena_new(all->arena, 2 * all->room, waiting);
        memcpy(more, all->heap, sizeof *more * (size_t)all->count);
        all->heap = more;
        all->room *= 2;
    }
    int64_t slot = all->count++;
    for (; slot > 0 && is_before(entry, all->heap[(slot - 1) / 2]); slot = (slot - 1) / 2) {
        all->heap[slot] = all->heap[(slot - 1) / 2];
    }
    all->heap[slot] = entry;
}

static waiting pop(front *all)
{
    const waiting top = all->heap[0], last = all->heap[--all->count];
    int64_t slot = 0;
    for (int64_t child = 1; child < all->count; child = 2 * slot + 1) {
        child += child + 1 < all->count && is_before(all->heap[child + 1], all->heap[child]);
        if (!is_before(all->heap[child], last)) {
            break;
        }
        all->heap[slot] = all->heap[child];
        slot = child;
    }
    all->heap[slot] = last;
    return top;
}

static void reach(front *all, int32_t vertex, double distance)
{
    if (!all->passed[vertex] && distance < all->distances[vertex]) {
        all->distances[vertex] = distance;
        push(all, (waiting){distance, vertex});
    }
}

// When a front that passed a and b comes to c. With a and b seen from c as the columns of a matrix
// and Q its square, a plane wave is there at the larger root of
//
//   (1 Q' 1) t^2 - 2 (1 Q' d) t + d Q' d = 1,     Q' the inverse of Q, d the times of a and b
//
// if it comes from between them: Q' (d - t) below 0. Else along an edge.
static double arrival(const coif_vec3 p[3], double da, double db)
{
    const coif_vec3 a = coif_sub(p[0], p[2]), b = coif_sub(p[1], p[2]);
    const double aa = (double)coif_dot(a, a), bb = (double)coif_dot(b, b);
    const double ab = (double)coif_dot(a, b), det = aa * bb - ab * ab;
    const double edge = fmin(da + sqrt(aa), db + sqrt(bb));
    if (!(det > 1e-12 * aa * bb)) {
        return edge;
    }
    const double q11 = bb / det, q12 = -ab / det, q22 = aa / det;
    const double ones = q11 + 2.0 * q12 + q22;
    const double mixed = (q11 + q12) * da + (q12 + q22) * db;
    const double square = q11 * da * da + 2.0 * q12 * da * db + q22 * db * db - 1.0;
    const double root = mixed * mixed - ones * square;
    if (!(root >= 0.0) || !(ones > 0.0)) {
        return edge;
    }
    const double t = (mixed + sqrt(root)) / ones;
    const bool between =
        q11 * (da - t) + q12 * (db - t) < 0.0 && q12 * (da - t) + q22 * (db - t) < 0.0;
    return between ? fmin(t, edge) : edge;
}

static coif_vec3 place_of(const front *all, int32_t corner)
{
    return all->mesh->positions[all->ways.vertex[corner]];
}

static void pass(front *all, int32_t vertex)
{
    for (int32_t i = all->first[vertex]; i < all->first[vertex + 1]; ++i) {
        const int32_t own = all->corners[i], triangle = own / 3;
        for (int32_t k = 1; k < 3; ++k) {
            const int32_t to = 3 * triangle + (own % 3 + k) % 3;
            const int32_t other = 3 * triangle + (own % 3 + 3 - k) % 3;
            const int32_t v = all->ways.vertex[to], u = all->ways.vertex[other];
            const coif_vec3 p[3] = {place_of(all, own), place_of(all, other), place_of(all, to)};
            if (all->passed[u]) {
                reach(all, v, arrival(p, all->distances[vertex], all->distances[u]));
            } else {
                const double step = (double)coif_length(coif_sub(p[2], p[0]));
                reach(all, v, all->distances[vertex] + step);
            }
        }
    }
}

// Triangles around each vertex, and the front where the part ends.
static bool open_front(front *all)
{
    const coif_mesh *mesh = all->mesh;
    const int32_t corners = 3 * mesh->triangle_count;
    for (int32_t c = 0; c < corners; ++c) {
        all->first[all->ways.vertex[c] + 1] += is_part(all, c / 3);
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        all->first[v + 1] += all->first[v];
        all->distances[v] = INFINITY;
    }
    int32_t *next = coif_arena_new(all->arena, mesh->vertex_count, int32_t);
    bool any = false;
    for (int32_t c = 0; c < corners; ++c) {
        if (!is_part(all, c / 3)) {
            continue;
        }
        const int32_t v = all->ways.vertex[c];
        all->corners[all->first[v] + next[v]++] = c;
        const int32_t across = all->ways.across[c];
        if (across < 0 || !is_part(all, across)) {
            reach(all, v, 0.0);
            reach(all, all->ways.vertex[c % 3 == 2 ? c - 2 : c + 1], 0.0);
            any = true;
        }
    }
    return any;
}

bool coif_geodesic_border(float *distances, const coif_mesh *mesh, int32_t group,
                          coif_arena *scratch)
{
    front all = {.mesh = mesh,
                 .group = group,
                 .distances = coif_arena_new(scratch, mesh->vertex_count, double),
                 .passed = coif_arena_new(scratch, mesh->vertex_count, uint8_t),
                 .first = coif_arena_new(scratch, (int64_t)mesh->vertex_count + 1, int32_t),
                 .corners = coif_arena_new(scratch, 3 * (int64_t)mesh->triangle_count, int32_t),
                 .room = 1024,
                 .heap = coif_arena_new(scratch, 1024, waiting),
                 .arena = scratch};
    coif_surface_paths_open(&all.ways, mesh, scratch);
    const bool any = open_front(&all);
    while (all.count > 0) {
        const int32_t vertex = pop(&all).vertex;
        if (!all.passed[vertex]) {
            all.passed[vertex] = 1;
            pass(&all, vertex);
        }
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        distances[v] = INFINITY;
    }
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        distances[mesh->indices[c]] = (float)all.distances[all.ways.vertex[c]];
    }
    return any;
}

float coif_geodesic_border_distance(const float *distances, const coif_mesh *mesh, int32_t triangle,
                                    float b1, float b2)
{
    const int32_t *corner = mesh->indices + 3 * (size_t)triangle;
    return (1.0f - b1 - b2) * distances[corner[0]] + b1 * distances[corner[1]] +
           b2 * distances[corner[2]];
}
