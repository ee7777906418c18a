// Geodesic distance to a border by fast marching.
#include "core/mesh/geodesic_border.h"

#include "core/base/arena.h"
#include "core/mesh/surface_path.h"

#include <string.h>

// Entry of the priority queue.
typedef struct queue_entry {
    double distance;
    int32_t vertex;
} queue_entry;

typedef struct marching_front {
    const coif_mesh *mesh;
    coif_surface_paths paths;
    int32_t group;
    double *distances; // per welded vertex
    uint8_t *accepted;
    int32_t *first, *corners; // triangle corners of the group at each vertex
    queue_entry *heap;
    int64_t count, capacity;
    coif_arena *arena;
} marching_front;

static bool in_group(const marching_front *front, int32_t triangle)
{
    return front->group < 0 || front->mesh->groups[triangle] == front->group;
}

static bool is_before(queue_entry a, queue_entry b)
{
    return a.distance != b.distance ? a.distance < b.distance : a.vertex < b.vertex;
}

static void push(marching_front *front, queue_entry entry)
{
    if (front->count == front->capacity) {
        queue_entry *more = coif_arena_new(front->arena, 2 * front->capacity, queue_entry);
        memcpy(more, front->heap, sizeof *more * (size_t)front->count);
        front->heap = more;
        front->capacity *= 2;
    }
    int64_t slot = front->count++;
    for (; slot > 0 && is_before(entry, front->heap[(slot - 1) / 2]); slot = (slot - 1) / 2) {
        front->heap[slot] = front->heap[(slot - 1) / 2];
    }
    front->heap[slot] = entry;
}

static queue_entry pop(marching_front *front)
{
    const queue_entry top = front->heap[0], last = front->heap[--front->count];
    int64_t slot = 0;
    for (int64_t child = 1; child < front->count; child = 2 * slot + 1) {
        child += child + 1 < front->count && is_before(front->heap[child + 1], front->heap[child]);
        if (!is_before(front->heap[child], last)) {
            break;
        }
        front->heap[slot] = front->heap[child];
        slot = child;
    }
    front->heap[slot] = last;
    return top;
}

static void relax(marching_front *front, int32_t vertex, double distance)
{
    if (!front->accepted[vertex] && distance < front->distances[vertex]) {
        front->distances[vertex] = distance;
        push(front, (queue_entry){distance, vertex});
    }
}

// Arrival time at c of a front that passed a and b. With V = (a - c, b - c), Q = (V^T V)^-1 and d
// the times of a and b, a plane wave arrives at the larger root of
//
//   (1 Q 1) t^2 - 2 (1 Q d) t + d Q d = 1
//
// if it comes from inside the triangle, Q (d - t) < 0; else the front follows an edge.
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

static coif_vec3 position_of(const marching_front *front, int32_t corner)
{
    return front->mesh->positions[front->paths.vertex[corner]];
}

static void accept(marching_front *front, int32_t vertex)
{
    for (int32_t i = front->first[vertex]; i < front->first[vertex + 1]; ++i) {
        const int32_t own = front->corners[i], triangle = own / 3;
        for (int32_t k = 1; k < 3; ++k) {
            const int32_t to = 3 * triangle + (own % 3 + k) % 3;
            const int32_t other = 3 * triangle + (own % 3 + 3 - k) % 3;
            const int32_t v = front->paths.vertex[to], u = front->paths.vertex[other];
            const coif_vec3 p[3] = {position_of(front, own), position_of(front, other),
                                    position_of(front, to)};
            if (front->accepted[u]) {
                relax(front, v, arrival(p, front->distances[vertex], front->distances[u]));
            } else {
                const double step = (double)coif_length(coif_sub(p[2], p[0]));
                relax(front, v, front->distances[vertex] + step);
            }
        }
    }
}

// Collects the corners at each vertex and starts the front at the border.
static bool open_front(marching_front *front)
{
    const coif_mesh *mesh = front->mesh;
    const int32_t corners = 3 * mesh->triangle_count;
    for (int32_t c = 0; c < corners; ++c) {
        front->first[front->paths.vertex[c] + 1] += in_group(front, c / 3);
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        front->first[v + 1] += front->first[v];
        front->distances[v] = INFINITY;
    }
    int32_t *next = coif_arena_new(front->arena, mesh->vertex_count, int32_t);
    bool any = false;
    for (int32_t c = 0; c < corners; ++c) {
        if (!in_group(front, c / 3)) {
            continue;
        }
        const int32_t v = front->paths.vertex[c];
        front->corners[front->first[v] + next[v]++] = c;
        const int32_t across = front->paths.across[c];
        if (across < 0 || !in_group(front, across)) {
            relax(front, v, 0.0);
            relax(front, front->paths.vertex[c % 3 == 2 ? c - 2 : c + 1], 0.0);
            any = true;
        }
    }
    return any;
}

bool coif_geodesic_border(float *distances, const coif_mesh *mesh, int32_t group,
                          coif_arena *scratch)
{
    marching_front front = {
        .mesh = mesh,
        .group = group,
        .distances = coif_arena_new(scratch, mesh->vertex_count, double),
        .accepted = coif_arena_new(scratch, mesh->vertex_count, uint8_t),
        .first = coif_arena_new(scratch, (int64_t)mesh->vertex_count + 1, int32_t),
        .corners = coif_arena_new(scratch, 3 * (int64_t)mesh->triangle_count, int32_t),
        .capacity = 1024,
        .heap = coif_arena_new(scratch, 1024, queue_entry),
        .arena = scratch};
    coif_surface_paths_open(&front.paths, mesh, scratch);
    const bool any = open_front(&front);
    while (front.count > 0) {
        const int32_t vertex = pop(&front).vertex;
        if (!front.accepted[vertex]) {
            front.accepted[vertex] = 1;
            accept(&front, vertex);
        }
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        distances[v] = INFINITY;
    }
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        distances[mesh->indices[c]] = (float)front.distances[front.paths.vertex[c]];
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
