// collide, building: the tree from the rest pose; collide_move.c fits it to each frame.
//
// Triangles are halved at the median of the longest axis, twice per node. The mesh is what it is
// for a whole shot, so the tree is balanced and its depth known; only boxes change with the frame.
#include "core/base/arena.h"
#include "sim/collision/sdf.h"

#include <stdlib.h>
#include <string.h>

typedef struct edge {
    int32_t low, high;
    int32_t corner; // 3 * triangle + which edge
} edge;

typedef struct centre {
    float at[3];
    int32_t triangle;
} centre;

typedef struct place_of_vertex {
    coif_vec3 position;
    int32_t vertex;
} place_of_vertex;

static int order_of(float a, float b)
{
    return (a > b) - (a < b);
}

static int compare_places(const void *left, const void *right)
{
    const place_of_vertex *a = left;
    const place_of_vertex *b = right;
    int order = order_of(a->position.x, b->position.x);
    order = order != 0 ? order : order_of(a->position.y, b->position.y);
    order = order != 0 ? order : order_of(a->position.z, b->position.z);
    return order != 0 ? order : (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

// Files often repeat a vertex along seams; the surface goes on there all the same.
static void weld_vertices(coif_collider *collider, const coif_mesh *mesh, coif_arena *scratch)
{
    place_of_vertex *places = coif_arena_new(scratch, mesh->vertex_count, place_of_vertex);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        places[v] = (place_of_vertex){mesh->positions[v], v};
    }
    qsort(places, (size_t)mesh->vertex_count, sizeof *places, compare_places);
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        const bool same = i > 0 && places[i].position.x == places[i - 1].position.x &&
                          places[i].position.y == places[i - 1].position.y &&
                          places[i].position.z == places[i - 1].position.z;
        collider->weld[places[i].vertex] =
            same ? collider->weld[places[i - 1].vertex] : places[i].vertex;
    }
}

static int compare_edges(const void *left, const void *right)
{
    const edge *a = left;
    const edge *b = right;
    if (a->low != b->low) {
        return a->low < b->low ? -1 : 1;
    }
    if (a->high != b->high) {
        return a->high < b->high ? -1 : 1;
    }
    return (a->corner > b->corner) - (a->corner < b->corner);
}

// Edges shared by exactly two triangles join them; others count as borders.
static void find_neighbours(coif_collider *collider, coif_arena *scratch)
{
    const int32_t edge_count = 3 * collider->triangle_count;
    edge *edges = coif_arena_new(scratch, edge_count, edge);
    for (int32_t c = 0; c < edge_count; ++c) {
        const int32_t next = c % 3 == 2 ? c - 2 : c + 1;
        const int32_t a = collider->weld[collider->indices[c]];
        const int32_t b = collider->weld[collider->indices[next]];
        edges[c] = (edge){a < b ? a : b, a < b ? b : a, c};
        collider->neighbours[c] = -1;
    }
    qsort(edges, (size_t)edge_count, sizeof *edges, compare_edges);
    for (int32_t i = 0; i < edge_count;) {
        int32_t run = 1;
        while (i + run < edge_count && edges[i + run].low == edges[i].low &&
               edges[i + run].high == edges[i].high) {
            ++run;
        }
        if (run == 2) {
            collider->neighbours[edges[i].corner] = edges[i + 1].corner / 3;
            collider->neighbours[edges[i + 1].corner] = edges[i].corner / 3;
        }
        i += run;
    }
}

static int compare_centres(const centre *a, const centre *b, int axis)
{
    const int order = order_of(a->at[axis], b->at[axis]);
    return order != 0 ? order : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void swap_centres(centre *a, centre *b)
{
    const centre kept = *a;
    *a = *b;
    *b = kept;
}

// So few are sorted outright: leaves are the parts of such, and their order is kept.
enum { SORTED = 4 * COIF_BVH_LEAF_TRIANGLES };

static void sort_centres(centre *centres, int32_t count, int axis)
{
    for (int32_t i = 1; i < count; ++i) {
        for (int32_t k = i; k > 0 && compare_centres(&centres[k], &centres[k - 1], axis) < 0; --k) {
            swap_centres(&centres[k], &centres[k - 1]);
        }
    }
}

// Brings the smaller ones before place rank and the others behind it (Hoare 1961). Which they are
// does not depend on how, because no two are equal.
static void split_centres(centre *centres, int32_t count, int32_t rank, int axis)
{
    while (count > SORTED) {
        centre *low = centres;
        centre *middle = centres + count / 2;
        centre *high = centres + count - 1;
        if (compare_centres(middle, low, axis) < 0) {
            swap_centres(middle, low);
        }
        if (compare_centres(high, middle, axis) < 0) {
            swap_centres(high, middle);
        }
        if (compare_centres(middle, low, axis) < 0) {
            swap_centres(middle, low);
        }
        const centre pivot = *middle;
        int32_t i = 0;
        int32_t k = count - 1;
        while (i <= k) {
            while (compare_centres(&centres[i], &pivot, axis) < 0) {
                ++i;
            }
            while (compare_centres(&pivot, &centres[k], axis) < 0) {
                --k;
            }
            if (i <= k) {
                swap_centres(&centres[i++], &centres[k--]);
            }
        }
        if (rank <= k) {
            count = k + 1;
        } else if (rank >= i) {
            centres += i;
            count -= i;
            rank -= i;
        } else {
            return;
        }
    }
    sort_centres(centres, count, axis);
}

// Parts them along the longest axis and returns where the second half begins.
static int32_t halve(centre *centres, int32_t count)
{
    if (count < 2) {
        return count;
    }
    int axis = 0;
    float widest = -1.0f;
    for (int a = 0; a < 3; ++a) {
        float low = centres[0].at[a];
        float high = low;
        for (int32_t i = 1; i < count; ++i) {
            low = fminf(low, centres[i].at[a]);
            high = fmaxf(high, centres[i].at[a]);
        }
        if (high - low > widest) {
            widest = high - low;
            axis = a;
        }
    }
    split_centres(centres, count, count / 2, axis);
    return count / 2;
}

static int32_t build_leaf(coif_collider *collider, const centre *centres, int32_t count)
{
    const int32_t index = collider->leaf_count++;
    for (int32_t i = 0; i < COIF_BVH_LEAF_TRIANGLES; ++i) {
        const int32_t triangle = centres[i < count ? i : 0].triangle;
        collider->leaves[index].index[i] = triangle;
        if (i < count) {
            collider->place[triangle] = COIF_BVH_LEAF_TRIANGLES * index + i;
        }
    }
    return index;
}

// Children always come after their node, so a walk backwards fits them before it.
static int32_t build_node(coif_collider *collider, centre *centres, int32_t count)
{
    const int32_t index = collider->node_count++;
    const int32_t middle = halve(centres, count);
    const int32_t cut[5] = {0, halve(centres, middle), middle,
                            middle + halve(centres + middle, count - middle), count};
    for (int i = 0; i < 4; ++i) {
        centre *part = centres + cut[i];
        const int32_t size = cut[i + 1] - cut[i];
        int32_t child = -1;
        if (size > COIF_BVH_LEAF_TRIANGLES) {
            child = build_node(collider, part, size);
        } else if (size > 0) {
            child = build_leaf(collider, part, size);
        }
        collider->nodes[index].child[i] = child;
        collider->nodes[index].leaf[i] = size <= COIF_BVH_LEAF_TRIANGLES;
    }
    return index;
}

static void build_tree(coif_collider *collider, const coif_mesh *mesh, coif_arena *scratch)
{
    centre *centres = coif_arena_new(scratch, mesh->triangle_count, centre);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *corner = mesh->indices + 3 * (int64_t)t;
        const coif_vec3 sum =
            coif_add(coif_add(mesh->positions[corner[0]], mesh->positions[corner[1]]),
                     mesh->positions[corner[2]]);
        centres[t] = (centre){{sum.x, sum.y, sum.z}, t};
    }
    build_node(collider, centres, mesh->triangle_count);
}

void coif_collider_build_sdf(coif_collider *collider, const coif_mesh *mesh, coif_arena *arena,
                             coif_jobs *jobs)
{
    coif_sdf *shell = coif_arena_new(arena, 1, coif_sdf);
    if (coif_sdf_build(shell, mesh, collider, arena, jobs)) {
        collider->shell = shell;
        coif_collider_refit(collider, mesh->positions, mesh->positions);
    }
}

void coif_collider_build(coif_collider *collider, const coif_mesh *mesh, coif_arena *arena)
{
    const int32_t most = mesh->triangle_count;
    *collider = (coif_collider){
        .vertex_count = mesh->vertex_count,
        .triangle_count = mesh->triangle_count,
        .indices = mesh->indices,
        .weld = coif_arena_new(arena, mesh->vertex_count, int32_t),
        .neighbours = coif_arena_new(arena, 3 * (int64_t)mesh->triangle_count, int32_t),
        .place = coif_arena_new(arena, mesh->triangle_count, int32_t),
        .normals_begin = coif_arena_new(arena, mesh->vertex_count, coif_vec3),
        .normals_end = coif_arena_new(arena, mesh->vertex_count, coif_vec3),
        // Only parts of more than four triangles are split, into four of one or more: there are
        // never more leaves than triangles, nor more nodes than a third of that and the root.
        .nodes = coif_arena_new(arena, most / 3 + 1, coif_bvh_node),
        .leaves = coif_arena_new(arena, most, coif_bvh_leaf),
    };
    coif_arena scratch;
    coif_arena_init(&scratch, "collider build");
    weld_vertices(collider, mesh, &scratch);
    find_neighbours(collider, &scratch);
    build_tree(collider, mesh, &scratch);
    coif_arena_free(&scratch);
    coif_collider_refit(collider, mesh->positions, mesh->positions);
}

static void *copy(const void *from, size_t bytes, coif_arena *arena)
{
    void *to = coif_arena_new(arena, bytes, char);
    memcpy(to, from, bytes);
    return to;
}

#define COPY(array, count, arena) copy(array, sizeof *(array) * (size_t)(count), arena)

static coif_sdf *copy_shell(const coif_sdf *like, const coif_mesh *mesh, const coif_collider *still,
                            coif_arena *arena)
{
    const int32_t count = like->size[0] * like->size[1] * like->size[2];
    coif_sdf *shell = COPY(like, 1, arena);
    shell->index = COPY(like->index, count, arena);
    shell->middle = COPY(like->middle, count, arena);
    shell->blocks = COPY(like->blocks, like->block_count, arena);
    shell->mesh = mesh;
    shell->passage = coif_arena_new(arena, 1, coif_body_motion);
    shell->still = still;
    return shell;
}

void coif_collider_copy(coif_collider *collider, const coif_collider *like, const coif_mesh *mesh,
                        coif_arena *arena)
{
    *collider = *like;
    collider->indices = mesh->indices;
    collider->weld = COPY(like->weld, like->vertex_count, arena);
    collider->neighbours = COPY(like->neighbours, 3 * (int64_t)like->triangle_count, arena);
    collider->place = COPY(like->place, like->triangle_count, arena);
    collider->nodes = COPY(like->nodes, like->node_count, arena);
    collider->leaves = COPY(like->leaves, like->leaf_count, arena);
    collider->normals_begin = COPY(like->normals_begin, like->vertex_count, arena);
    collider->normals_end = COPY(like->normals_end, like->vertex_count, arena);
    if (like->shell != NULL) {
        collider->shell = copy_shell(like->shell, mesh, collider, arena);
    }
    coif_collider_refit(collider, mesh->positions, mesh->positions);
}
