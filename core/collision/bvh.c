// bvh: closest point queries, with traversal in order of distance.
#include "core/collision/bvh.h"

#include "core/simd/simd_float4.h"

// Depth of the traversal stack: a balanced BVH4 of 2^31 triangles has 16 levels, three siblings
// are stacked on each.
enum { STACK = 64 };

// Feature of a triangle that the closest point lies on.
enum { AT_CORNER = 0, AT_EDGE = 3, AT_FACE = 6 };

typedef struct candidate {
    float distance2;
    int32_t triangle; // of the mesh
    int feature;      // AT_CORNER + i, AT_EDGE + i (from corner i to the next), AT_FACE
    float weights[2];
} candidate;

// part / whole, 0 for a zero denominator.
static inline simd_float4 ratio4(simd_float4 part, simd_float4 whole)
{
    return select4(whole > 0.0f, part / whole, (simd_float4){0});
}

static inline simd_float4x3 corners_at(const coif_bvh_leaf *leaf, int corner, float time)
{
    const simd_float4 *from = (const simd_float4 *)leaf->corner[corner];
    const simd_float4 *motion = (const simd_float4 *)leaf->motion[corner];
    return (simd_float4x3){from[0] + time * motion[0], from[1] + time * motion[1],
                           from[2] + time * motion[2]};
}

typedef struct closest4 {
    simd_float4 weights[2], distance2;
    simd_int4 feature;
} closest4;

// Closest points of four triangles abc to p, as weights of b and c. Voronoi regions of the
// features (Ericson 2005, 5.1.5): all are computed without branches, and the last one that
// applies is selected, corners before edges before the face.
static inline void closest_of_four(closest4 *out, const coif_bvh_leaf *leaf,
                                   const coif_closest_point_query *query)
{
    const simd_float4x3 a = corners_at(leaf, 0, query->time);
    const simd_float4x3 ab = sub4(corners_at(leaf, 1, query->time), a);
    const simd_float4x3 ac = sub4(corners_at(leaf, 2, query->time), a);
    const simd_float4 zero = {0};
    const simd_float4x3 p = {zero + query->position.x, zero + query->position.y,
                             zero + query->position.z};
    const simd_float4x3 ap = sub4(p, a);
    const simd_float4 abab = dot4(ab, ab);
    const simd_float4 abac = dot4(ab, ac);
    const simd_float4 acac = dot4(ac, ac);
    const simd_float4 d1 = dot4(ab, ap);
    const simd_float4 d2 = dot4(ac, ap);
    const simd_float4 d3 = d1 - abab; // ab . bp
    const simd_float4 d4 = d2 - abac; // ac . bp
    const simd_float4 d5 = d1 - abac; // ab . cp
    const simd_float4 d6 = d2 - acac; // ac . cp
    const simd_float4 va = d3 * d6 - d5 * d4;
    const simd_float4 vb = d5 * d2 - d1 * d6;
    const simd_float4 vc = d1 * d4 - d3 * d2;

    simd_float4 v = ratio4(vb, va + vb + vc);
    simd_float4 w = ratio4(vc, va + vb + vc);
    simd_int4 feature = (simd_int4){0} + AT_FACE;

    simd_int4 region = (va <= 0.0f) & (d4 >= d3) & (d5 >= d6);
    w = select4(region, ratio4(d4 - d3, (d4 - d3) + (d5 - d6)), w);
    v = select4(region, 1.0f - w, v);
    feature = select_int4(region, AT_EDGE + 1, feature);

    region = (vb <= 0.0f) & (d2 >= 0.0f) & (d6 <= 0.0f);
    v = select4(region, zero, v);
    w = select4(region, ratio4(d2, d2 - d6), w);
    feature = select_int4(region, AT_EDGE + 2, feature);

    region = (vc <= 0.0f) & (d1 >= 0.0f) & (d3 <= 0.0f);
    v = select4(region, ratio4(d1, d1 - d3), v);
    w = select4(region, zero, w);
    feature = select_int4(region, AT_EDGE, feature);

    region = (d6 >= 0.0f) & (d5 <= d6);
    v = select4(region, zero, v);
    w = select4(region, zero + 1.0f, w);
    feature = select_int4(region, AT_CORNER + 2, feature);

    region = (d3 >= 0.0f) & (d4 <= d3);
    v = select4(region, zero + 1.0f, v);
    w = select4(region, zero, w);
    feature = select_int4(region, AT_CORNER + 1, feature);

    region = (d1 <= 0.0f) & (d2 <= 0.0f);
    v = select4(region, zero, v);
    w = select4(region, zero, w);
    feature = select_int4(region, AT_CORNER, feature);

    const simd_float4x3 away = {ap.x - v * ab.x - w * ac.x, ap.y - v * ab.y - w * ac.y,
                                ap.z - v * ab.z - w * ac.z};
    *out = (closest4){{v, w}, dot4(away, away), feature};
}

static inline void accept_closer(candidate *found, const closest4 *four, const coif_bvh_leaf *leaf,
                                 int i)
{
    const float distance2 = four->distance2[i];
    if (distance2 < found->distance2 ||
        (distance2 == found->distance2 && leaf->index[i] < found->triangle)) {
        *found = (candidate){distance2,
                             leaf->index[i],
                             four->feature[i],
                             {four->weights[0][i], four->weights[1][i]}};
    }
}

// Squared distances to the four boxes of a node, shrunk by a few roundings so that no box is
// culled that contains a triangle at exactly the best distance.
static simd_float4 box_distances(const coif_bvh_node *node, const coif_closest_point_query *query)
{
    const float at[3] = {query->position.x, query->position.y, query->position.z};
    const float time = query->time;
    simd_float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int a = 0; a < 3; ++a) {
        const simd_float4 low = *(const simd_float4 *)node->low[a];
        const simd_float4 high = *(const simd_float4 *)node->high[a];
        const simd_float4 below = low + time * *(const simd_float4 *)node->low_motion[a] - at[a];
        const simd_float4 above =
            at[a] - (high + time * *(const simd_float4 *)node->high_motion[a]);
        const simd_float4 away = (simd_float4)(((below > 0.0f) & (simd_int4)below) |
                                               ((above > 0.0f) & (simd_int4)above));
        sum += away * away;
    }
    return sum * 0.999999f;
}

typedef struct stack_entry {
    int32_t child, leaf;
    float distance2;
} stack_entry;

// Pushes the children within the best distance, the closest last so that it is visited first.
static inline int push_children(stack_entry *stack, int depth, const coif_bvh_node *node,
                                const candidate *found, const coif_closest_point_query *query)
{
    const simd_float4 distances = box_distances(node, query);
    if (!any4(distances <= found->distance2)) {
        return depth;
    }
    const int base = depth;
    for (int i = 0; i < 4; ++i) {
        if (node->child[i] < 0 || distances[i] > found->distance2) {
            continue;
        }
        const stack_entry child = {node->child[i], node->leaf[i], distances[i]};
        int at = depth++;
        for (; at > base && stack[at - 1].distance2 < child.distance2; --at) {
            stack[at] = stack[at - 1];
        }
        stack[at] = child;
    }
    return depth;
}

static void query_leaf(candidate *found, const coif_bvh_leaf *leaf,
                       const coif_closest_point_query *query)
{
    closest4 four;
    closest_of_four(&four, leaf, query);
    const simd_int4 near = four.distance2 <= found->distance2;
    for (int i = 0; any4(near) && i < 4; ++i) {
        accept_closer(found, &four, leaf, i);
    }
}

// Visits all leaves but the one of the hint; -1: no hint.
static void traverse(candidate *found, const coif_collider *collider,
                     const coif_closest_point_query *query, int32_t hint_leaf)
{
    stack_entry stack[STACK];
    int depth = push_children(stack, 0, &collider->nodes[0], found, query);
    while (depth > 0) {
        const stack_entry next = stack[--depth];
        if (next.distance2 > found->distance2) {
            continue;
        }
        if (!next.leaf) {
            depth = push_children(stack, depth, &collider->nodes[next.child], found, query);
            continue;
        }
        if (next.child != hint_leaf) {
            query_leaf(found, &collider->leaves[next.child], query);
        }
    }
}

// Corners of a triangle of the mesh and their motion.
static void read_triangle(coif_vec3 corner[3], coif_vec3 motion[3], const coif_collider *collider,
                          int32_t triangle)
{
    const int32_t slot = collider->leaf_slot[triangle];
    const coif_bvh_leaf *leaf = &collider->leaves[slot / 4];
    const int i = slot % 4;
    for (int c = 0; c < 3; ++c) {
        corner[c] =
            coif_vec3_of(leaf->corner[c][0][i], leaf->corner[c][1][i], leaf->corner[c][2][i]);
        motion[c] =
            coif_vec3_of(leaf->motion[c][0][i], leaf->motion[c][1][i], leaf->motion[c][2][i]);
    }
}

static coif_vec3 face_normal(const coif_collider *collider, int32_t triangle, float time)
{
    coif_vec3 corner[3];
    coif_vec3 motion[3];
    read_triangle(corner, motion, collider, triangle);
    const coif_vec3 a = coif_mad(corner[0], time, motion[0]);
    return coif_normalize(coif_cross(coif_sub(coif_mad(corner[1], time, motion[1]), a),
                                     coif_sub(coif_mad(corner[2], time, motion[2]), a)));
}

// acos within 7e-5 (Abramowitz and Stegun 4.4.45): weights of a sum need no more, and libm
// differs between machines.
static float acos_approx(float cosine)
{
    const float x = coif_clamp(fabsf(cosine), 0.0f, 1.0f);
    const float angle =
        sqrtf(1.0f - x) * (1.5707288f + x * (-0.2121144f + x * (0.0742610f - 0.0187293f * x)));
    return cosine < 0.0f ? 3.14159265f - angle : angle;
}

// Sums of unit face normals weighted by the angle at the vertex, at the begin and the end of the
// frame, interpolated.
static coif_vec3 vertex_normal(const coif_collider *collider, int32_t vertex, float time)
{
    coif_vec3 sum[2] = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    for (int32_t k = collider->corner_first[vertex]; k < collider->corner_first[vertex + 1]; ++k) {
        coif_vec3 p[3];
        coif_vec3 motion[3];
        const int32_t i = collider->corners[k] % 3;
        read_triangle(p, motion, collider, collider->corners[k] / 3);
        for (int end = 0; end < 2; ++end) {
            const coif_vec3 normal =
                coif_normalize(coif_cross(coif_sub(p[1], p[0]), coif_sub(p[2], p[0])));
            const coif_vec3 a = coif_normalize(coif_sub(p[(i + 1) % 3], p[i]));
            const coif_vec3 b = coif_normalize(coif_sub(p[(i + 2) % 3], p[i]));
            sum[end] = coif_mad(sum[end], acos_approx(coif_dot(a, b)), normal);
            for (int c = 0; c < 3; ++c) {
                p[c] = coif_add(p[c], motion[c]);
            }
        }
    }
    return coif_lerp(sum[0], sum[1], time);
}

// Pseudonormal of the closest feature.
static coif_vec3 feature_normal(const coif_collider *collider, const candidate *found, float time)
{
    if (found->feature < AT_EDGE) {
        const int32_t corner = 3 * found->triangle + found->feature;
        const int32_t vertex = collider->weld[collider->indices[corner]];
        return coif_normalize(vertex_normal(collider, vertex, time));
    }
    coif_vec3 normal = face_normal(collider, found->triangle, time);
    if (found->feature < AT_FACE) {
        const int32_t across = collider->neighbours[3 * found->triangle + found->feature - AT_EDGE];
        if (across >= 0) {
            normal = coif_add(normal, face_normal(collider, across, time));
        }
    }
    return coif_normalize(normal);
}

static coif_vec3 interpolate(const coif_vec3 corner[3], const float weights[2])
{
    return coif_mad(coif_mad(corner[0], weights[0], coif_sub(corner[1], corner[0])), weights[1],
                    coif_sub(corner[2], corner[0]));
}

static void fill_closest_point(coif_closest_point *nearest, const coif_collider *collider,
                               const candidate *found, const coif_closest_point_query *query)
{
    coif_vec3 corner[3];
    coif_vec3 motion[3];
    read_triangle(corner, motion, collider, found->triangle);
    *nearest = (coif_closest_point){.triangle = found->triangle,
                                    .weights = {found->weights[0], found->weights[1]},
                                    .motion = interpolate(motion, found->weights)};
    nearest->point = coif_mad(interpolate(corner, found->weights), query->time, nearest->motion);

    const coif_vec3 pseudo = feature_normal(collider, found, query->time);
    const coif_vec3 away = coif_sub(query->position, nearest->point);
    const float distance = coif_length(away);
    const bool inside = coif_dot(away, pseudo) < 0.0f;
    nearest->distance = inside ? -distance : distance;
    // On the surface itself the direction is undefined.
    nearest->normal =
        distance > 1e-6f ? coif_scale(away, (inside ? -1.0f : 1.0f) / distance) : pseudo;
}

bool coif_collider_closest_point_bvh(coif_closest_point *nearest, const coif_collider *collider,
                                     const coif_closest_point_query *query)
{
    candidate found = {.distance2 = query->max_distance * query->max_distance,
                       .triangle = INT32_MAX};
    const int32_t slot = query->hint >= 0 ? collider->leaf_slot[query->hint] : -1;
    const int32_t hint_leaf = slot >= 0 ? slot / 4 : -1;
    if (hint_leaf >= 0) {
        query_leaf(&found, &collider->leaves[hint_leaf], query);
    }
    traverse(&found, collider, query, hint_leaf);
    if (found.triangle == INT32_MAX) {
        *nearest = (coif_closest_point){.triangle = -1, .distance = query->max_distance};
        return false;
    }
    fill_closest_point(nearest, collider, &found, query);
    return true;
}
