// collide, moving: triangles, normals and boxes of the tree as a body goes through a frame.
#include "sim/collision/sdf.h"

// acos within 7e-5 (Abramowitz and Stegun 4.4.45): weights of a sum need no more, and the C
// library's differs between machines.
static float angle_of(float cosine)
{
    const float x = coif_clamp(fabsf(cosine), 0.0f, 1.0f);
    const float angle =
        sqrtf(1.0f - x) * (1.5707288f + x * (-0.2121144f + x * (0.0742610f - 0.0187293f * x)));
    return cosine < 0.0f ? 3.14159265f - angle : angle;
}

// Each face's unit normal, weighted by its angle at the vertex. Welded vertices share one sum.
static void vertex_normals(coif_vec3 *normals, const coif_collider *collider,
                           const coif_vec3 *positions)
{
    for (int32_t v = 0; v < collider->vertex_count; ++v) {
        normals[v] = coif_vec3_of(0.0f, 0.0f, 0.0f);
    }
    for (int32_t t = 0; t < collider->triangle_count; ++t) {
        const int32_t *corner = collider->indices + 3 * (int64_t)t;
        const coif_vec3 p[3] = {positions[corner[0]], positions[corner[1]], positions[corner[2]]};
        const coif_vec3 normal =
            coif_normalize(coif_cross(coif_sub(p[1], p[0]), coif_sub(p[2], p[0])));
        for (int i = 0; i < 3; ++i) {
            const coif_vec3 a = coif_normalize(coif_sub(p[(i + 1) % 3], p[i]));
            const coif_vec3 b = coif_normalize(coif_sub(p[(i + 2) % 3], p[i]));
            coif_vec3 *sum = &normals[collider->weld[corner[i]]];
            *sum = coif_mad(*sum, angle_of(coif_dot(a, b)), normal);
        }
    }
}

// A box at the beginning and at the end of the frame.
typedef struct boxes {
    float low[2][3], high[2][3];
} boxes;

static const boxes NOWHERE = {
    .low = {{INFINITY, INFINITY, INFINITY}, {INFINITY, INFINITY, INFINITY}},
    .high = {{-INFINITY, -INFINITY, -INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};

static void grow_side(boxes *all, int end, int axis, float low, float high)
{
    float *lowest = &all->low[end][axis];
    float *highest = &all->high[end][axis];
    *lowest = low < *lowest ? low : *lowest;
    *highest = high > *highest ? high : *highest;
}

static void grow_by_leaf(boxes *all, const coif_bvh_leaf *leaf)
{
    for (int c = 0; c < 3; ++c) {
        for (int axis = 0; axis < 3; ++axis) {
            for (int i = 0; i < COIF_BVH_LEAF_TRIANGLES; ++i) {
                const float begin = leaf->corner[c][axis][i];
                const float end = begin + leaf->motion[c][axis][i];
                grow_side(all, 0, axis, begin, begin);
                grow_side(all, 1, axis, end, end);
            }
        }
    }
}

static void grow_by_node(boxes *all, const coif_bvh_node *node)
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int i = 0; i < 4; ++i) {
            if (node->child[i] >= 0) {
                const float low = node->low[axis][i];
                const float high = node->high[axis][i];
                grow_side(all, 0, axis, low, high);
                grow_side(all, 1, axis, low + node->low_way[axis][i],
                          high + node->high_way[axis][i]);
            }
        }
    }
}

// What is added on every side, as a share of the largest coordinate: places between begin and end
// are rounded, and those of boxes differently from those of corners.
static const float ROUNDED = 1e-6f;

static void fit_child(coif_collider *collider, coif_bvh_node *node, int child)
{
    boxes all = NOWHERE;
    if (node->child[child] < 0) {
        return;
    }
    if (node->leaf[child]) {
        grow_by_leaf(&all, &collider->leaves[node->child[child]]);
    } else {
        grow_by_node(&all, &collider->nodes[node->child[child]]);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const float low = fminf(all.low[0][axis], all.low[1][axis]);
        const float high = fmaxf(all.high[0][axis], all.high[1][axis]);
        const float rounded = ROUNDED * fmaxf(fabsf(low), fabsf(high));
        node->low[axis][child] = all.low[0][axis] - rounded;
        node->high[axis][child] = all.high[0][axis] + rounded;
        node->low_way[axis][child] = all.low[1][axis] - all.low[0][axis];
        node->high_way[axis][child] = all.high[1][axis] - all.high[0][axis];
    }
}

static void fit_tree(coif_collider *collider)
{
    for (int32_t n = collider->node_count - 1; n >= 0; --n) {
        for (int child = 0; child < 4; ++child) {
            fit_child(collider, &collider->nodes[n], child);
        }
    }
    boxes all = NOWHERE;
    grow_by_node(&all, &collider->nodes[0]);
    float low[3];
    float high[3];
    for (int a = 0; a < 3; ++a) {
        low[a] = fminf(all.low[0][a], all.low[1][a]);
        high[a] = fmaxf(all.high[0][a], all.high[1][a]);
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
        const coif_vec3 way = coif_sub(ends[1][vertex], from);
        const float begin[3] = {from.x, from.y, from.z};
        const float motion[3] = {way.x, way.y, way.z};
        for (int axis = 0; axis < 3; ++axis) {
            leaf->corner[c][axis][i] = begin[axis];
            leaf->motion[c][axis][i] = motion[axis];
        }
        collider->fastest = fmaxf(collider->fastest, coif_length(way));
    }
}

static void move_tree(coif_collider *collider, const coif_vec3 *begin, const coif_vec3 *end)
{
    const coif_vec3 *const ends[2] = {begin, end};
    collider->fastest = 0.0f;
    for (int32_t l = 0; l < collider->leaf_count; ++l) {
        for (int i = 0; i < COIF_BVH_LEAF_TRIANGLES; ++i) {
            move_triangle(collider, &collider->leaves[l], i, ends);
        }
    }
    vertex_normals(collider->normals_begin, collider, begin);
    vertex_normals(collider->normals_end, collider, end);
    fit_tree(collider);
}

static void grow_box(coif_vec3 *low, coif_vec3 *high, coif_vec3 p)
{
    low->x = p.x < low->x ? p.x : low->x;
    low->y = p.y < low->y ? p.y : low->y;
    low->z = p.z < low->z ? p.z : low->z;
    high->x = p.x > high->x ? p.x : high->x;
    high->y = p.y > high->y ? p.y : high->y;
    high->z = p.z > high->z ? p.z : high->z;
}

// The box of all vertices during the frame, and the longest way of one.
static void bound_vertices(coif_collider *collider, const coif_vec3 *begin, const coif_vec3 *end)
{
    float longest2 = 0.0f;
    coif_vec3 low = {INFINITY, INFINITY, INFINITY};
    coif_vec3 high = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t v = 0; v < collider->vertex_count; ++v) {
        const coif_vec3 way = coif_sub(end[v], begin[v]);
        const float way2 = coif_dot(way, way);
        longest2 = way2 > longest2 ? way2 : longest2;
        grow_box(&low, &high, begin[v]);
        grow_box(&low, &high, end[v]);
    }
    collider->low = low;
    collider->high = high;
    collider->fastest = sqrtf(longest2);
}

void coif_collider_refit_posed(coif_collider *collider, const coif_mesh *begin,
                               const coif_mesh *end)
{
    coif_sdf *shell = collider->shell;
    if (shell != NULL) {
        coif_sdf_update_transform(shell, begin, end);
    }
    if (shell == NULL || !shell->holds) {
        move_tree(collider, begin->positions, end->positions);
        collider->tree_rests = false;
        return;
    }
    // The tree is asked in the rest pose.
    if (!collider->tree_rests) {
        move_tree(collider, shell->mesh->positions, shell->mesh->positions);
        collider->tree_rests = true;
    }
    bound_vertices(collider, begin->positions, end->positions);
}

void coif_collider_refit(coif_collider *collider, const coif_vec3 *begin, const coif_vec3 *end)
{
    coif_collider_refit_posed(collider, &(coif_mesh){.positions = (coif_vec3 *)begin},
                              &(coif_mesh){.positions = (coif_vec3 *)end});
}
