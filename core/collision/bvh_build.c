// bvh_build: builds the BVH of a collider in the rest pose; bvh_refit.c fits it to each frame.
//
// Triangles are split at the median of the longest axis, twice per node. The topology is
// constant for a whole run, so the tree is balanced and its depth known; only boxes change per
// frame.
#include "core/base/arena.h"
#include "core/collision/collider.h"
#include "core/collision/deforming_sdf.h"
#include "core/collision/sdf.h"
#include "core/mesh/mesh_topology.h"

#include <stdlib.h>
#include <string.h>

typedef struct centre {
    float at[3];
    int32_t triangle;
} centre;

static int compare_floats(float a, float b)
{
    return (a > b) - (a < b);
}

static int compare_centres(const centre *a, const centre *b, int axis)
{
    const int order = compare_floats(a->at[axis], b->at[axis]);
    return order != 0 ? order : (a->triangle > b->triangle) - (a->triangle < b->triangle);
}

static void swap_centres(centre *a, centre *b)
{
    const centre swapped = *a;
    *a = *b;
    *b = swapped;
}

// Ranges this small are sorted outright: leaves are cut from them in that order.
enum { SORT_OUTRIGHT = 4 * COIF_BVH_LEAF_TRIANGLES };

static void sort_centres(centre *centres, int32_t count, int axis)
{
    for (int32_t i = 1; i < count; ++i) {
        for (int32_t k = i; k > 0 && compare_centres(&centres[k], &centres[k - 1], axis) < 0; --k) {
            swap_centres(&centres[k], &centres[k - 1]);
        }
    }
}

// Partitions around the element of a rank (quickselect, Hoare 1961). The partition is unique
// because no two elements compare equal.
static void split_centres(centre *centres, int32_t count, int32_t rank, int axis)
{
    while (count > SORT_OUTRIGHT) {
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

// Median split along the longest axis; returns the begin of the second half.
static int32_t median_split(centre *centres, int32_t count)
{
    if (count < 2) {
        return count;
    }
    int axis = 0;
    float longest = -1.0f;
    for (int a = 0; a < 3; ++a) {
        float low = centres[0].at[a];
        float high = low;
        for (int32_t i = 1; i < count; ++i) {
            low = fminf(low, centres[i].at[a]);
            high = fmaxf(high, centres[i].at[a]);
        }
        if (high - low > longest) {
            longest = high - low;
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
            collider->leaf_slot[triangle] = COIF_BVH_LEAF_TRIANGLES * index + i;
        }
    }
    return index;
}

// Children follow their node, so that iterating backwards refits children first.
static int32_t build_node(coif_collider *collider, centre *centres, int32_t count)
{
    const int32_t index = collider->node_count++;
    const int32_t middle = median_split(centres, count);
    const int32_t begin[5] = {0, median_split(centres, middle), middle,
                              middle + median_split(centres + middle, count - middle), count};
    for (int i = 0; i < 4; ++i) {
        centre *range = centres + begin[i];
        const int32_t size = begin[i + 1] - begin[i];
        int32_t child = -1;
        if (size > COIF_BVH_LEAF_TRIANGLES) {
            child = build_node(collider, range, size);
        } else if (size > 0) {
            child = build_leaf(collider, range, size);
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

// Counting sort of all corners by their welded vertex.
static void sort_corners(coif_collider *collider, coif_arena *scratch)
{
    const int32_t count = 3 * collider->triangle_count;
    int32_t *next = coif_arena_new(scratch, collider->vertex_count + 1, int32_t);
    for (int32_t i = 0; i < count; ++i) {
        ++next[collider->weld[collider->indices[i]] + 1];
    }
    for (int32_t v = 0; v < collider->vertex_count; ++v) {
        next[v + 1] += next[v];
        collider->corner_first[v + 1] = next[v + 1];
    }
    for (int32_t i = 0; i < count; ++i) {
        collider->corners[next[collider->weld[collider->indices[i]]]++] = i;
    }
}

void coif_collider_build_sdf(coif_collider *collider, const coif_mesh *mesh, coif_arena *arena)
{
    coif_sdf *sdf = coif_arena_new(arena, 1, coif_sdf);
    if (coif_sdf_build(sdf, mesh, collider, arena)) {
        collider->sdf = sdf;
        collider->deforming = coif_deforming_sdf_new(sdf, arena);
        coif_collider_refit(collider, mesh->positions, mesh->positions);
    }
}

void coif_collider_build(coif_collider *collider, const coif_mesh *mesh, coif_arena *arena)
{
    const int32_t max_leaves = mesh->triangle_count;
    *collider = (coif_collider){
        .vertex_count = mesh->vertex_count,
        .triangle_count = mesh->triangle_count,
        .indices = mesh->indices,
        .weld = coif_arena_new(arena, mesh->vertex_count, int32_t),
        .neighbours = coif_arena_new(arena, 3 * (int64_t)mesh->triangle_count, int32_t),
        .leaf_slot = coif_arena_new(arena, mesh->triangle_count, int32_t),
        .corner_first = coif_arena_new(arena, mesh->vertex_count + 1, int32_t),
        .corners = coif_arena_new(arena, 3 * (int64_t)mesh->triangle_count, int32_t),
        // Only ranges of more than four triangles are split, into four non-empty ones:
        // there are at most as many leaves as triangles, and a third of that nodes plus
        // the root.
        .nodes = coif_arena_new(arena, max_leaves / 3 + 1, coif_bvh_node),
        .leaves = coif_arena_new(arena, max_leaves, coif_bvh_leaf),
    };
    COIF_SCOPED_ARENA(scratch, "collider build");
    coif_mesh_weld(collider->weld, mesh, 0.0f, &scratch);
    coif_mesh_adjacency(collider->neighbours, mesh, collider->weld, true, &scratch);
    sort_corners(collider, &scratch);
    build_tree(collider, mesh, &scratch);
    coif_collider_refit(collider, mesh->positions, mesh->positions);
}

static void *copy(const void *from, size_t bytes, coif_arena *arena)
{
    void *to = coif_arena_new(arena, bytes, char);
    memcpy(to, from, bytes);
    return to;
}

#define COPY(array, count, arena) copy(array, sizeof *(array) * (size_t)(count), arena)

void coif_collider_copy(coif_collider *collider, const coif_collider *source, const coif_mesh *mesh,
                        coif_arena *arena)
{
    *collider = *source;
    collider->indices = mesh->indices;
    collider->weld = COPY(source->weld, source->vertex_count, arena);
    collider->neighbours = COPY(source->neighbours, 3 * (int64_t)source->triangle_count, arena);
    collider->leaf_slot = COPY(source->leaf_slot, source->triangle_count, arena);
    collider->nodes = COPY(source->nodes, source->node_count, arena);
    collider->leaves = COPY(source->leaves, source->leaf_count, arena);
    collider->corner_first = COPY(source->corner_first, source->vertex_count + 1, arena);
    collider->corners = COPY(source->corners, 3 * (int64_t)source->triangle_count, arena);
    if (source->sdf != NULL) {
        collider->sdf = coif_arena_new(arena, 1, coif_sdf);
        coif_sdf_copy(collider->sdf, source->sdf, mesh, collider, arena);
        collider->deforming = coif_deforming_sdf_new(collider->sdf, arena);
    }
    coif_collider_refit(collider, mesh->positions, mesh->positions);
}
