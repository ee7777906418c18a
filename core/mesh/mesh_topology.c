// Mesh topology: welded vertices, sorted edges and triangle adjacency.
#include "core/mesh/mesh_topology.h"

#include "core/base/arena.h"

#include <stdlib.h>

typedef struct projected_vertex {
    float along; // projection on a direction that separates most vertices
    int32_t vertex;
} projected_vertex;

static int compare_projected(const void *left, const void *right)
{
    const projected_vertex *a = left, *b = right;
    if (a->along != b->along) {
        return a->along < b->along ? -1 : 1;
    }
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static float max_component(coif_vec3 a)
{
    return fmaxf(fabsf(a.x), fmaxf(fabsf(a.y), fabsf(a.z)));
}

// Equality counts for a tolerance of 0.
static bool is_within(float distance, float tolerance)
{
    return distance < tolerance || distance == 0.0f;
}

void coif_mesh_weld(int32_t *weld, const coif_mesh *mesh, float tolerance, coif_arena *scratch)
{
    static const coif_vec3 direction = {0.5421347f, 0.3178921f, 0.7778643f};
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    const coif_vec3 *p = mesh->positions;
    projected_vertex *sorted = coif_arena_new(scratch, mesh->vertex_count, projected_vertex);
    float size = 0.0f;
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sorted[v] = (projected_vertex){coif_dot(direction, p[v]), v};
        size = fmaxf(size, max_component(p[v]));
    }
    qsort(sorted, (size_t)mesh->vertex_count, sizeof *sorted, compare_projected);
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        const int32_t v = sorted[i].vertex;
        weld[v] = v;
        for (int32_t k = i - 1;
             k >= 0 && is_within(sorted[i].along - sorted[k].along, 2.0f * tolerance * size); --k) {
            const int32_t other = sorted[k].vertex;
            if (is_within(max_component(coif_sub(p[v], p[other])), tolerance * size)) {
                weld[v] = weld[other];
                break;
            }
        }
    }
    coif_arena_rewind(scratch, mark);
}

static int compare_edges(const void *left, const void *right)
{
    const coif_mesh_edge *a = left, *b = right;
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->corner > b->corner) - (a->corner < b->corner);
}

// Sorts the edges of one low vertex; nearly always a handful.
static void sort_bucket(coif_mesh_edge *edges, size_t count)
{
    if (count > 32) {
        qsort(edges, count, sizeof *edges, compare_edges);
        return;
    }
    for (size_t i = 1; i < count; ++i) {
        const coif_mesh_edge edge = edges[i];
        size_t k = i;
        for (; k > 0 && compare_edges(&edge, &edges[k - 1]) < 0; --k) {
            edges[k] = edges[k - 1];
        }
        edges[k] = edge;
    }
}

static coif_mesh_edge edge_at(const coif_mesh *mesh, const int32_t *weld, int32_t corner)
{
    int32_t a = mesh->indices[corner], b = mesh->indices[coif_mesh_next_corner(corner)];
    a = weld != NULL ? weld[a] : a;
    b = weld != NULL ? weld[b] : b;
    return (coif_mesh_edge){a < b ? a : b, a < b ? b : a, corner};
}

// Counting sort by the low vertex, then each vertex on its own.
static coif_mesh_edge *mesh_sort_edges(const coif_mesh *mesh, const int32_t *weld,
                                       coif_arena *arena)
{
    const int32_t count = 3 * mesh->triangle_count;
    coif_mesh_edge *edges = coif_arena_new(arena, count, coif_mesh_edge);
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    int32_t *first = coif_arena_new(arena, (size_t)mesh->vertex_count + 2, int32_t);
    for (int32_t c = 0; c < count; ++c) {
        ++first[edge_at(mesh, weld, c).low + 2];
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        first[v + 2] += first[v + 1];
    }
    for (int32_t c = 0; c < count; ++c) {
        const coif_mesh_edge edge = edge_at(mesh, weld, c);
        edges[first[edge.low + 1]++] = edge;
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        sort_bucket(edges + first[v], (size_t)(first[v + 1] - first[v]));
    }
    coif_arena_rewind(arena, mark);
    return edges;
}

static int32_t mesh_edge_run(const coif_mesh_edge *edges, int32_t count, int32_t i)
{
    int32_t run = 1;
    while (i + run < count && edges[i + run].low == edges[i].low &&
           edges[i + run].high == edges[i].high) {
        ++run;
    }
    return run;
}

void coif_mesh_adjacency(int32_t *across, const coif_mesh *mesh, const int32_t *weld, bool manifold,
                         coif_arena *scratch)
{
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    const int32_t count = 3 * mesh->triangle_count;
    const coif_mesh_edge *edges = mesh_sort_edges(mesh, weld, scratch);
    for (int32_t i = 0, run; i < count; i += run) {
        run = mesh_edge_run(edges, count, i);
        const bool border = run == 1 || (manifold && run > 2);
        for (int32_t k = 0; k < run; ++k) {
            across[edges[i + k].corner] = border ? -1 : edges[i + (k + 1) % run].corner / 3;
        }
    }
    coif_arena_rewind(scratch, mark);
}

coif_mesh_edges coif_mesh_count_edges(const coif_mesh *mesh, coif_arena *scratch)
{
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    const int32_t count = 3 * mesh->triangle_count;
    const coif_mesh_edge *edges = mesh_sort_edges(mesh, NULL, scratch);
    coif_mesh_edges found = {0, 0};
    for (int32_t i = 0, run; i < count; i += run) {
        run = mesh_edge_run(edges, count, i);
        found.boundary += run == 1;
        found.nonmanifold += run > 2;
    }
    coif_arena_rewind(scratch, mark);
    return found;
}
