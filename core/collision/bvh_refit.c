// bvh_refit: moves triangles and boxes of the BVH through a frame.
#include "core/collision/collider.h"
#include "core/collision/deforming_sdf.h"
#include "core/collision/sdf.h"

// A box at the beginning and at the end of the frame.
typedef struct moving_box {
    float low[2][3], high[2][3];
} moving_box;

static const moving_box EMPTY = {
    .low = {{INFINITY, INFINITY, INFINITY}, {INFINITY, INFINITY, INFINITY}},
    .high = {{-INFINITY, -INFINITY, -INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};

static void extend_axis(moving_box *box, int end, int axis, float low, float high)
{
    float *lowest = &box->low[end][axis];
    float *highest = &box->high[end][axis];
    *lowest = low < *lowest ? low : *lowest;
    *highest = high > *highest ? high : *highest;
}

static void extend_by_leaf(moving_box *box, const coif_bvh_leaf *leaf)
{
    for (int c = 0; c < 3; ++c) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 0; i < COIF_BVH_LEAF_TRIANGLES; ++i) {
                const float begin = leaf->corner[c][axis][i];
                const float end = begin + leaf->motion[c][axis][i];
                extend_axis(box, 0, axis, begin, begin);
                extend_axis(box, 1, axis, end, end);
            }
        }
    }
}

static void extend_by_node(moving_box *box, const coif_bvh_node *node)
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < 4; ++i) {
            if (node->child[i] >= 0) {
                const float low = node->low[axis][i];
                const float high = node->high[axis][i];
                extend_axis(box, 0, axis, low, high);
                extend_axis(box, 1, axis, low + node->low_motion[axis][i],
                            high + node->high_motion[axis][i]);
            }
        }
    }
}

// Margin on every side, relative to the largest coordinate: positions between begin and end are
// rounded, those of boxes differently from those of corners.
static const float ROUNDING = 1e-6f;

static void refit_child(coif_collider *collider, coif_bvh_node *node, int child)
{
    moving_box box = EMPTY;
    if (node->child[child] < 0) {
        return;
    }
    if (node->leaf[child]) {
        extend_by_leaf(&box, &collider->leaves[node->child[child]]);
    } else {
        extend_by_node(&box, &collider->nodes[node->child[child]]);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const float low = fminf(box.low[0][axis], box.low[1][axis]);
        const float high = fmaxf(box.high[0][axis], box.high[1][axis]);
        const float rounding = ROUNDING * fmaxf(fabsf(low), fabsf(high));
        node->low[axis][child] = box.low[0][axis] - rounding;
        node->high[axis][child] = box.high[0][axis] + rounding;
        node->low_motion[axis][child] = box.low[1][axis] - box.low[0][axis];
        node->high_motion[axis][child] = box.high[1][axis] - box.high[0][axis];
    }
}

static void refit_bvh(coif_collider *collider)
{
    for (int32_t n = collider->node_count - 1; n >= 0; --n) {
        for (int child = 0; child < 4; ++child) {
            refit_child(collider, &collider->nodes[n], child);
        }
    }
    moving_box box = EMPTY;
    extend_by_node(&box, &collider->nodes[0]);
    float low[3];
    float high[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = fminf(box.low[0][a], box.low[1][a]);
        high[a] = fmaxf(box.high[0][a], box.high[1][a]);
    }
    collider->low = coif_vec3_of(low[0], low[1], low[2]);
    collider->high = coif_vec3_of(high[0], high[1], high[2]);
}

static void move_triangle(coif_collider *collider, coif_bvh_leaf *leaf, int i,
                          const coif_vec3 *const ends[2])
{
    for (int c = 0; c < 3; ++c) {
        const int32_t vertex = collider->indices[3 * (int64_t)leaf->index[i] + c];
        const coif_vec3 from = ends[0][vertex];
        const coif_vec3 displacement = coif_sub(ends[1][vertex], from);
        const float begin[3] = {from.x, from.y, from.z};
        const float motion[3] = {displacement.x, displacement.y, displacement.z};
        for (int axis = 0; axis < 3; ++axis) {
            leaf->corner[c][axis][i] = begin[axis];
            leaf->motion[c][axis][i] = motion[axis];
        }
        collider->max_displacement = fmaxf(collider->max_displacement, coif_length(displacement));
    }
}

static void move_bvh(coif_collider *collider, const coif_vec3 *begin, const coif_vec3 *end)
{
    const coif_vec3 *const ends[2] = {begin, end};
    collider->max_displacement = 0.0f;
    for (int32_t l = 0; l < collider->leaf_count; ++l) {
        for (int i = 0; i < COIF_BVH_LEAF_TRIANGLES; ++i) {
            move_triangle(collider, &collider->leaves[l], i, ends);
        }
    }
    refit_bvh(collider);
}

static void extend_box(coif_vec3 *low, coif_vec3 *high, coif_vec3 p)
{
    low->x = p.x < low->x ? p.x : low->x;
    low->y = p.y < low->y ? p.y : low->y;
    low->z = p.z < low->z ? p.z : low->z;
    high->x = p.x > high->x ? p.x : high->x;
    high->y = p.y > high->y ? p.y : high->y;
    high->z = p.z > high->z ? p.z : high->z;
}

// Bounds of all vertices over the frame, and the largest displacement.
static void bound_vertices(coif_collider *collider, const coif_vec3 *begin, const coif_vec3 *end)
{
    float max_motion2 = 0.0f;
    coif_vec3 low = {INFINITY, INFINITY, INFINITY};
    coif_vec3 high = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t v = 0; v < collider->vertex_count; ++v) {
        const coif_vec3 motion = coif_sub(end[v], begin[v]);
        const float motion2 = coif_dot(motion, motion);
        max_motion2 = motion2 > max_motion2 ? motion2 : max_motion2;
        extend_box(&low, &high, begin[v]);
        extend_box(&low, &high, end[v]);
    }
    collider->low = low;
    collider->high = high;
    collider->max_displacement = sqrtf(max_motion2);
}

void coif_collider_refit_posed(coif_collider *collider, const coif_mesh *begin,
                               const coif_mesh *end)
{
    coif_sdf *sdf = collider->sdf;
    if (sdf != NULL) {
        coif_sdf_update_transform(sdf, begin, end);
    }
    if (sdf == NULL || !sdf->valid) {
        move_bvh(collider, begin->positions, end->positions);
        collider->bvh_at_rest = false;
        if (sdf != NULL) {
            coif_deforming_sdf_update(collider->deforming, collider);
        }
        return;
    }
    // While the SDF is valid the BVH is queried in the rest pose.
    if (!collider->bvh_at_rest) {
        move_bvh(collider, sdf->mesh->positions, sdf->mesh->positions);
        collider->bvh_at_rest = true;
    }
    bound_vertices(collider, begin->positions, end->positions);
}

void coif_collider_refit(coif_collider *collider, const coif_vec3 *begin, const coif_vec3 *end)
{
    coif_collider_refit_posed(collider, &(coif_mesh){.positions = (coif_vec3 *)begin},
                              &(coif_mesh){.positions = (coif_vec3 *)end});
}
