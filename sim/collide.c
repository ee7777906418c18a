// collide, asking: the nearest point of a collider.
#include "sim/collide.h"

#include <string.h>

typedef float box4 __attribute__((vector_size(16)));
typedef int32_t mask4 __attribute__((vector_size(16)));

// Balanced and four wide: 2^31 triangles are 16 levels, three siblings wait on each.
enum { STACK = 64 };

// Where on a triangle the nearest point lies.
enum { AT_CORNER = 0, AT_EDGE = 3, AT_FACE = 6 };

typedef struct best {
    float distance2;
    int32_t triangle; // of the mesh
    int feature;      // AT_CORNER + i, AT_EDGE + i (from corner i to the next), AT_FACE
    float weights[2];
    coif_vec3 point;
} best;

static coif_vec3 corner_at(const coif_collider_triangle *triangle, int corner, float moment)
{
    return coif_mad(triangle->corner[corner], moment, triangle->motion[corner]);
}

static float share(float part, float whole)
{
    return whole > 0.0f ? part / whole : 0.0f;
}

// Which feature of triangle abc is nearest to p, and the weights of b and c there: Voronoi regions
// of corners and edges first, the face last (after Ericson 2005, 5.1.5).
static int nearest_feature(float weights[2], const coif_vec3 corner[3], coif_vec3 p)
{
    const coif_vec3 ab = coif_sub(corner[1], corner[0]);
    const coif_vec3 ac = coif_sub(corner[2], corner[0]);
    const coif_vec3 ap = coif_sub(p, corner[0]);
    const float d1 = coif_dot(ab, ap);
    const float d2 = coif_dot(ac, ap);
    weights[0] = weights[1] = 0.0f;
    if (d1 <= 0.0f && d2 <= 0.0f) {
        return AT_CORNER;
    }
    const coif_vec3 bp = coif_sub(p, corner[1]);
    const float d3 = coif_dot(ab, bp);
    const float d4 = coif_dot(ac, bp);
    if (d3 >= 0.0f && d4 <= d3) {
        weights[0] = 1.0f;
        return AT_CORNER + 1;
    }
    const coif_vec3 cp = coif_sub(p, corner[2]);
    const float d5 = coif_dot(ab, cp);
    const float d6 = coif_dot(ac, cp);
    if (d6 >= 0.0f && d5 <= d6) {
        weights[1] = 1.0f;
        return AT_CORNER + 2;
    }
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f) {
        weights[0] = share(d1, d1 - d3);
        return AT_EDGE;
    }
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f) {
        weights[1] = share(d2, d2 - d6);
        return AT_EDGE + 2;
    }
    const float va = d3 * d6 - d5 * d4;
    if (va <= 0.0f && d4 >= d3 && d5 >= d6) {
        weights[1] = share(d4 - d3, (d4 - d3) + (d5 - d6));
        weights[0] = 1.0f - weights[1];
        return AT_EDGE + 1;
    }
    weights[0] = share(vb, va + vb + vc);
    weights[1] = share(vc, va + vb + vc);
    return AT_FACE;
}

static void try_triangle(best *found, const coif_collider_triangle *triangle,
                         const coif_search *search)
{
    const coif_vec3 corner[3] = {corner_at(triangle, 0, search->moment),
                                 corner_at(triangle, 1, search->moment),
                                 corner_at(triangle, 2, search->moment)};
    float w[2];
    const int feature = nearest_feature(w, corner, search->place);
    const coif_vec3 point = coif_mad(coif_mad(corner[0], w[0], coif_sub(corner[1], corner[0])),
                                     w[1], coif_sub(corner[2], corner[0]));
    const coif_vec3 away = coif_sub(search->place, point);
    const float distance2 = coif_dot(away, away);
    if (distance2 < found->distance2 ||
        (distance2 == found->distance2 && triangle->index < found->triangle)) {
        *found = (best){distance2, triangle->index, feature, {w[0], w[1]}, point};
    }
}

// Squared distances from a place to the four boxes of a node, shrunk by a few roundings so that no
// box is left out that holds a triangle at exactly the best distance.
static box4 box_distances(const coif_collider_node *node, coif_vec3 place)
{
    const float at[3] = {place.x, place.y, place.z};
    box4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int a = 0; a < 3; ++a) {
        box4 low;
        box4 high;
        memcpy(&low, node->low[a], sizeof low);
        memcpy(&high, node->high[a], sizeof high);
        const box4 p = {at[a], at[a], at[a], at[a]};
        const box4 below = low - p;
        const box4 above = p - high;
        const box4 zero = {0.0f, 0.0f, 0.0f, 0.0f};
        const mask4 from_below = below > zero;
        const mask4 from_above = above > zero;
        const box4 away = (box4)((from_below & (mask4)below) | (from_above & (mask4)above));
        sum += away * away;
    }
    return sum * 0.999999f;
}

typedef struct waiting {
    int32_t child, count;
    float distance2;
} waiting;

// Puts the children within reach on the stack, the nearest last so that it is taken first.
static int push_children(waiting *stack, int depth, const coif_collider_node *node,
                         const best *found, coif_vec3 place)
{
    const int base = depth;
    const box4 distances = box_distances(node, place);
    for (int i = 0; i < 4; ++i) {
        if (node->count[i] < 0 || distances[i] > found->distance2) {
            continue;
        }
        const waiting child = {node->child[i], node->count[i], distances[i]};
        int at = depth++;
        for (; at > base && stack[at - 1].distance2 < child.distance2; --at) {
            stack[at] = stack[at - 1];
        }
        stack[at] = child;
    }
    return depth;
}

static void search_tree(best *found, const coif_collider *collider, const coif_search *search)
{
    waiting stack[STACK];
    int depth = push_children(stack, 0, &collider->nodes[0], found, search->place);
    while (depth > 0) {
        const waiting next = stack[--depth];
        if (next.distance2 > found->distance2) {
            continue;
        }
        if (next.count == 0) {
            depth = push_children(stack, depth, &collider->nodes[next.child], found, search->place);
            continue;
        }
        for (int32_t i = 0; i < next.count; ++i) {
            try_triangle(found, &collider->triangles[next.child + i], search);
        }
    }
}

static coif_vec3 face_normal(const coif_collider *collider, int32_t triangle, float moment)
{
    const coif_collider_triangle *t = &collider->triangles[collider->place[triangle]];
    const coif_vec3 a = corner_at(t, 0, moment);
    return coif_normalize(
        coif_cross(coif_sub(corner_at(t, 1, moment), a), coif_sub(corner_at(t, 2, moment), a)));
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

static void describe(coif_nearest *nearest, const coif_collider *collider, const best *found,
                     const coif_search *search)
{
    const coif_vec3 pseudo = feature_normal(collider, found, search->moment);
    const coif_vec3 away = coif_sub(search->place, found->point);
    const float distance = sqrtf(found->distance2);
    const bool inside = coif_dot(away, pseudo) < 0.0f;
    const coif_collider_triangle *t = &collider->triangles[collider->place[found->triangle]];
    const float w1 = found->weights[0];
    const float w2 = found->weights[1];

    nearest->triangle = found->triangle;
    nearest->weights[0] = w1;
    nearest->weights[1] = w2;
    nearest->distance = inside ? -distance : distance;
    nearest->point = found->point;
    // On the surface itself the way out has no direction of its own.
    nearest->normal =
        distance > 1e-6f ? coif_scale(away, (inside ? -1.0f : 1.0f) / distance) : pseudo;
    nearest->motion = coif_mad(coif_mad(t->motion[0], w1, coif_sub(t->motion[1], t->motion[0])), w2,
                               coif_sub(t->motion[2], t->motion[0]));
}

bool coif_collider_find(coif_nearest *nearest, const coif_collider *collider,
                        const coif_search *search)
{
    best found = {.distance2 = search->reach * search->reach, .triangle = INT32_MAX};
    if (search->hint >= 0) {
        try_triangle(&found, &collider->triangles[collider->place[search->hint]], search);
    }
    search_tree(&found, collider, search);
    if (found.triangle == INT32_MAX) {
        *nearest = (coif_nearest){.triangle = -1, .distance = search->reach};
        return false;
    }
    describe(nearest, collider, &found, search);
    return true;
}
