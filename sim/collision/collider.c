// collide, asking: the nearest point of a collider.
#include "sim/collision/primitive_colliders.h"
#include "sim/collision/sdf.h"
#include "sim/solver/simd/simd_float4.h"

// Balanced and four wide: 2^31 triangles are 16 levels, three siblings wait on each.
enum { STACK = 64 };

// Where on a triangle the nearest point lies.
enum { AT_CORNER = 0, AT_EDGE = 3, AT_FACE = 6 };

typedef struct best {
    float distance2;
    int32_t triangle; // of the mesh
    int feature;      // AT_CORNER + i, AT_EDGE + i (from corner i to the next), AT_FACE
    float weights[2];
} best;

// part / whole, 0 where there is no whole.
static inline float4 share4(float4 part, float4 whole)
{
    return select4(whole > 0.0f, part / whole, (float4){0});
}

static inline four3 corners_at(const coif_bvh_leaf *leaf, int corner, float moment)
{
    const float4 *from = (const float4 *)leaf->corner[corner];
    const float4 *way = (const float4 *)leaf->motion[corner];
    return (four3){from[0] + moment * way[0], from[1] + moment * way[1], from[2] + moment * way[2]};
}

typedef struct nearest4 {
    float4 weights[2], distance2;
    mask4 feature;
} nearest4;

// The nearest points of four triangles abc to a place p, as weights of b and c. Voronoi regions of
// the features (Ericson 2005, 5.1.5): all are computed, and of those that apply the one named last
// here counts, corners before edges before the face.
static inline void nearest_of_four(nearest4 *out, const coif_bvh_leaf *leaf,
                                   const coif_closest_point_query *search)
{
    const four3 a = corners_at(leaf, 0, search->moment);
    const four3 ab = sub4(corners_at(leaf, 1, search->moment), a);
    const four3 ac = sub4(corners_at(leaf, 2, search->moment), a);
    const float4 zero = {0};
    const four3 p = {zero + search->place.x, zero + search->place.y, zero + search->place.z};
    const four3 ap = sub4(p, a);
    const float4 abab = dot4(ab, ab);
    const float4 abac = dot4(ab, ac);
    const float4 acac = dot4(ac, ac);
    const float4 d1 = dot4(ab, ap);
    const float4 d2 = dot4(ac, ap);
    const float4 d3 = d1 - abab; // ab . bp
    const float4 d4 = d2 - abac; // ac . bp
    const float4 d5 = d1 - abac; // ab . cp
    const float4 d6 = d2 - acac; // ac . cp
    const float4 va = d3 * d6 - d5 * d4;
    const float4 vb = d5 * d2 - d1 * d6;
    const float4 vc = d1 * d4 - d3 * d2;

    float4 v = share4(vb, va + vb + vc);
    float4 w = share4(vc, va + vb + vc);
    mask4 feature = (mask4){0} + AT_FACE;

    mask4 here = (va <= 0.0f) & (d4 >= d3) & (d5 >= d6);
    w = select4(here, share4(d4 - d3, (d4 - d3) + (d5 - d6)), w);
    v = select4(here, 1.0f - w, v);
    feature = choose4(here, AT_EDGE + 1, feature);

    here = (vb <= 0.0f) & (d2 >= 0.0f) & (d6 <= 0.0f);
    v = select4(here, zero, v);
    w = select4(here, share4(d2, d2 - d6), w);
    feature = choose4(here, AT_EDGE + 2, feature);

    here = (vc <= 0.0f) & (d1 >= 0.0f) & (d3 <= 0.0f);
    v = select4(here, share4(d1, d1 - d3), v);
    w = select4(here, zero, w);
    feature = choose4(here, AT_EDGE, feature);

    here = (d6 >= 0.0f) & (d5 <= d6);
    v = select4(here, zero, v);
    w = select4(here, zero + 1.0f, w);
    feature = choose4(here, AT_CORNER + 2, feature);

    here = (d3 >= 0.0f) & (d4 <= d3);
    v = select4(here, zero + 1.0f, v);
    w = select4(here, zero, w);
    feature = choose4(here, AT_CORNER + 1, feature);

    here = (d1 <= 0.0f) & (d2 <= 0.0f);
    v = select4(here, zero, v);
    w = select4(here, zero, w);
    feature = choose4(here, AT_CORNER, feature);

    const four3 away = {ap.x - v * ab.x - w * ac.x, ap.y - v * ab.y - w * ac.y,
                        ap.z - v * ab.z - w * ac.z};
    *out = (nearest4){{v, w}, dot4(away, away), feature};
}

static inline void try_one(best *found, const nearest4 *four, const coif_bvh_leaf *leaf, int i)
{
    const float distance2 = four->distance2[i];
    if (distance2 < found->distance2 ||
        (distance2 == found->distance2 && leaf->index[i] < found->triangle)) {
        *found = (best){distance2,
                        leaf->index[i],
                        four->feature[i],
                        {four->weights[0][i], four->weights[1][i]}};
    }
}

// Squared distances from a place to the four boxes of a node, shrunk by a few roundings so that no
// box is left out that holds a triangle at exactly the best distance.
static float4 box_distances(const coif_bvh_node *node, const coif_closest_point_query *search)
{
    const float at[3] = {search->place.x, search->place.y, search->place.z};
    const float moment = search->moment;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int a = 0; a < 3; ++a) {
        const float4 low = *(const float4 *)node->low[a];
        const float4 high = *(const float4 *)node->high[a];
        const float4 below = low + moment * *(const float4 *)node->low_way[a] - at[a];
        const float4 above = at[a] - (high + moment * *(const float4 *)node->high_way[a]);
        const float4 away =
            (float4)(((below > 0.0f) & (mask4)below) | ((above > 0.0f) & (mask4)above));
        sum += away * away;
    }
    return sum * 0.999999f;
}

typedef struct waiting {
    int32_t child, leaf;
    float distance2;
} waiting;

// Puts the children within reach on the stack, the nearest last so that it is taken first.
static inline int push_children(waiting *stack, int depth, const coif_bvh_node *node,
                                const best *found, const coif_closest_point_query *search)
{
    const float4 distances = box_distances(node, search);
    if (!any4(distances <= found->distance2)) {
        return depth;
    }
    const int base = depth;
    for (int i = 0; i < 4; ++i) {
        if (node->child[i] < 0 || distances[i] > found->distance2) {
            continue;
        }
        const waiting child = {node->child[i], node->leaf[i], distances[i]};
        int at = depth++;
        for (; at > base && stack[at - 1].distance2 < child.distance2; --at) {
            stack[at] = stack[at - 1];
        }
        stack[at] = child;
    }
    return depth;
}

static void search_leaf(best *found, const coif_bvh_leaf *leaf,
                        const coif_closest_point_query *search)
{
    nearest4 four;
    nearest_of_four(&four, leaf, search);
    const mask4 near = four.distance2 <= found->distance2;
    for (int i = 0; any4(near) && i < 4; ++i) {
        try_one(found, &four, leaf, i);
    }
}

// All leaves but the one that is known already; -1: none is.
static void search_tree(best *found, const coif_collider *collider,
                        const coif_closest_point_query *search, int32_t known)
{
    waiting stack[STACK];
    int depth = push_children(stack, 0, &collider->nodes[0], found, search);
    while (depth > 0) {
        const waiting next = stack[--depth];
        if (next.distance2 > found->distance2) {
            continue;
        }
        if (!next.leaf) {
            depth = push_children(stack, depth, &collider->nodes[next.child], found, search);
            continue;
        }
        if (next.child != known) {
            search_leaf(found, &collider->leaves[next.child], search);
        }
    }
}

// Corners of a triangle of the mesh and how they move.
static void read_triangle(coif_vec3 corner[3], coif_vec3 motion[3], const coif_collider *collider,
                          int32_t triangle)
{
    const int32_t place = collider->place[triangle];
    const coif_bvh_leaf *leaf = &collider->leaves[place / 4];
    const int i = place % 4;
    for (int c = 0; c < 3; ++c) {
        corner[c] =
            coif_vec3_of(leaf->corner[c][0][i], leaf->corner[c][1][i], leaf->corner[c][2][i]);
        motion[c] =
            coif_vec3_of(leaf->motion[c][0][i], leaf->motion[c][1][i], leaf->motion[c][2][i]);
    }
}

static coif_vec3 face_normal(const coif_collider *collider, int32_t triangle, float moment)
{
    coif_vec3 corner[3];
    coif_vec3 motion[3];
    read_triangle(corner, motion, collider, triangle);
    const coif_vec3 a = coif_mad(corner[0], moment, motion[0]);
    return coif_normalize(coif_cross(coif_sub(coif_mad(corner[1], moment, motion[1]), a),
                                     coif_sub(coif_mad(corner[2], moment, motion[2]), a)));
}

// The normal that tells inside from outside at the nearest feature.
static coif_vec3 feature_normal(const coif_collider *collider, const best *found, float moment)
{
    if (found->feature < AT_EDGE) {
        const int32_t corner = 3 * found->triangle + found->feature;
        const int32_t vertex = collider->weld[collider->indices[corner]];
        return coif_normalize(
            coif_lerp(collider->normals_begin[vertex], collider->normals_end[vertex], moment));
    }
    coif_vec3 normal = face_normal(collider, found->triangle, moment);
    if (found->feature < AT_FACE) {
        const int32_t across = collider->neighbours[3 * found->triangle + found->feature - AT_EDGE];
        if (across >= 0) {
            normal = coif_add(normal, face_normal(collider, across, moment));
        }
    }
    return coif_normalize(normal);
}

static coif_vec3 weigh(const coif_vec3 corner[3], const float weights[2])
{
    return coif_mad(coif_mad(corner[0], weights[0], coif_sub(corner[1], corner[0])), weights[1],
                    coif_sub(corner[2], corner[0]));
}

static void describe(coif_closest_point *nearest, const coif_collider *collider, const best *found,
                     const coif_closest_point_query *search)
{
    coif_vec3 corner[3];
    coif_vec3 motion[3];
    read_triangle(corner, motion, collider, found->triangle);
    *nearest = (coif_closest_point){.triangle = found->triangle,
                                    .weights = {found->weights[0], found->weights[1]},
                                    .motion = weigh(motion, found->weights)};
    nearest->point = coif_mad(weigh(corner, found->weights), search->moment, nearest->motion);

    const coif_vec3 pseudo = feature_normal(collider, found, search->moment);
    const coif_vec3 away = coif_sub(search->place, nearest->point);
    const float distance = coif_length(away);
    const bool inside = coif_dot(away, pseudo) < 0.0f;
    nearest->distance = inside ? -distance : distance;
    // On the surface itself the way out has no direction of its own.
    nearest->normal =
        distance > 1e-6f ? coif_scale(away, (inside ? -1.0f : 1.0f) / distance) : pseudo;
}

bool coif_collider_closest_point_bvh(coif_closest_point *nearest, const coif_collider *collider,
                                     const coif_closest_point_query *search)
{
    best found = {.distance2 = search->reach * search->reach, .triangle = INT32_MAX};
    const int32_t place = search->hint >= 0 ? collider->place[search->hint] : -1;
    const int32_t known = place >= 0 ? place / 4 : -1;
    if (known >= 0) {
        search_leaf(&found, &collider->leaves[known], search);
    }
    search_tree(&found, collider, search, known);
    if (found.triangle == INT32_MAX) {
        *nearest = (coif_closest_point){.triangle = -1, .distance = search->reach};
        return false;
    }
    describe(nearest, collider, &found, search);
    return true;
}

// Where a body stands at rest whose tree does: distances are those of the world near the surface.
static bool find_at_rest(coif_closest_point *nearest, const coif_collider *collider,
                         const coif_closest_point_query *search)
{
    const coif_body_motion *passage = collider->shell->passage;
    coif_body_transform stance;
    coif_body_transform_at(&stance, passage, search->moment);
    coif_closest_point_query rest = *search;
    rest.place = coif_to_rest(&stance, search->place);
    rest.reach *= coif_body_motion_max_stretch(passage, rest.place);
    if (!coif_collider_closest_point_bvh(nearest, collider, &rest)) {
        nearest->distance = search->reach;
        return false;
    }
    const coif_vec3 slope =
        coif_gradient_to_world(&stance, search->place, rest.place, nearest->normal);
    coif_body_transform begin;
    coif_body_transform end;
    coif_body_transform_at(&begin, passage, 0.0f);
    coif_body_transform_at(&end, passage, 1.0f);
    const coif_vec3 point = nearest->point;
    nearest->point = coif_to_world(&stance, point);
    nearest->normal = coif_normalize(slope);
    nearest->distance = coif_dot(nearest->normal, coif_sub(search->place, nearest->point));
    nearest->motion = coif_sub(coif_to_world(&end, point), coif_to_world(&begin, point));
    if (!(fabsf(nearest->distance) < search->reach)) {
        *nearest = (coif_closest_point){.triangle = -1, .distance = search->reach};
    }
    return nearest->triangle >= 0;
}

bool coif_collider_closest_point(coif_closest_point *nearest, const coif_collider *collider,
                                 const coif_closest_point_query *search)
{
    if (collider->round != NULL) {
        coif_primitive_closest_point(nearest, collider->round, search->place, search->moment);
        const bool within = fabsf(nearest->distance) < search->reach;
        *nearest =
            within ? *nearest : (coif_closest_point){.triangle = -1, .distance = search->reach};
        return within;
    }
    return collider->tree_rests ? find_at_rest(nearest, collider, search)
                                : coif_collider_closest_point_bvh(nearest, collider, search);
}
