// contact_primitives: contacts with shapes that have no triangles.
#include "core/collision/primitive_colliders.h"
#include "sim/solver/contact_plane.h"

typedef struct primitive_path {
    const coif_contact_query *query;
    const coif_collider *body;
    coif_closest_point nearest;
} primitive_path;

// Closest points of the contact surface.
static void closest_points(coif_closest_point *nearest, const coif_collider *body,
                           const coif_vec3 *positions, int32_t count, float time)
{
    coif_primitive_closest_points(nearest, body->primitive, positions, count, time);
    for (int32_t i = 0; i < count; ++i) {
        coif_contact_surface_apply(&body->surface, &nearest[i]);
    }
}

static bool nearest_on_path(void *context, coif_vec3 at, float fraction, float *distance)
{
    primitive_path *path = context;
    const float substep = path->query->end - path->query->begin;
    closest_points(&path->nearest, path->body, &at, 1, path->query->begin + fraction * substep);
    *distance = path->nearest.distance;
    return true;
}

// Nearest: to the predicted position, at the end of the substep.
static void find_contact(const coif_contact_query *query, int32_t i, const coif_collider *body,
                         coif_closest_point nearest)
{
    const coif_primitive *primitive = body->primitive;
    const coif_vec3 x = contact_position(query, i);
    const coif_vec3 target = contact_target(query, i);
    const float substep = query->end - query->begin;
    const coif_vec3 disp = coif_sub(target, x);
    if (query->min_body_distance != NULL && nearest.distance < query->min_body_distance[i]) {
        query->min_body_distance[i] = nearest.distance;
    }
    const float passed = coif_length(coif_mad(disp, -substep, nearest.motion));
    // Also false for NaN.
    if (!(nearest.distance < query->contact_distance[i] + query->margin + passed)) {
        return;
    }
    float left = 0.0f;
    const coif_vec3 carried = coif_mad(x, substep, nearest.motion);
    if (primitive->shape != COIF_PRIMITIVE_PLANE &&
        coif_dot(nearest.normal, coif_sub(carried, nearest.point)) < 0.0f) {
        primitive_path path = {.query = query, .body = body};
        const float max_motion = coif_primitive_max_motion(primitive, &nearest);
        float fraction;
        if (contact_advance(&fraction, (coif_vec3[]){x, target},
                            coif_length(disp) + substep * max_motion, query->contact_distance[i],
                            nearest_on_path, &path)) {
            nearest = path.nearest;
            left = (1.0f - fraction) * substep;
        }
    }
    contact_plane plane = {.point = coif_mad(nearest.point, left, nearest.motion),
                           .normal = nearest.normal,
                           .surface_disp = coif_scale(nearest.motion, substep),
                           .surface = &body->surface};
    plane.signed_distance = coif_dot(plane.normal, coif_sub(target, plane.point));
    if (plane.signed_distance < query->contact_distance[i] + query->margin) {
        contact_write(query, i, &plane);
    }
}

enum { BATCH = 64 };

void coif_contact_query_primitive(const coif_contact_query *query, const coif_collider *body)
{
    int32_t points[BATCH];
    coif_vec3 targets[BATCH];
    coif_closest_point nearest[BATCH];
    for (int32_t i = 0; i < query->count;) {
        int32_t count = 0;
        for (; i < query->count && count < BATCH; ++i) {
            if (query->contact_distance[i] > 0.0f) {
                points[count] = i;
                targets[count++] = contact_target(query, i);
            }
        }
        closest_points(nearest, body, targets, count, query->end);
        for (int32_t k = 0; k < count; ++k) {
            find_contact(query, points[k], body, nearest[k]);
        }
    }
}
