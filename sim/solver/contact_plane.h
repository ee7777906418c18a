// contact_plane: one contact plane, and helpers shared by all contact queries.
#ifndef COIF_SIM_SOLVER_CONTACT_PLANE_H
#define COIF_SIM_SOLVER_CONTACT_PLANE_H

#include "core/collision/collider.h"
#include "sim/solver/contact_query.h"

// Depth up to which a point inside a body is found, and search radius around it, m.
#define CONTACT_SEARCH 0.04f

// Points that move farther than this in a substep have no contacts, m.
#define CONTACT_MAX_DISPLACEMENT 1.0f

// Steps of conservative advancement.
enum { CONTACT_STEPS = 48 };

typedef struct contact_plane {
    coif_vec3 point, normal; // of the surface at the end of the substep
    coif_vec3 surface_disp;  // during the substep
    float signed_distance;   // from the predicted position
    const coif_contact_surface *surface;
} contact_plane;

// Depth up to which a point on the wrong side of a boundary is found, m.
#define CONTACT_INNER_SEARCH 0.5f

static inline float contact_search_depth(const coif_contact_surface *surface)
{
    return surface->inner ? CONTACT_INNER_SEARCH : CONTACT_SEARCH;
}

static inline coif_vec3 contact_position(const coif_contact_query *query, int32_t i)
{
    return coif_vec3_of(query->pos.x[i], query->pos.y[i], query->pos.z[i]);
}

static inline coif_vec3 contact_target(const coif_contact_query *query, int32_t i)
{
    return coif_vec3_of(query->predicted.x[i], query->predicted.y[i], query->predicted.z[i]);
}

// Largest depenetration of a point.
static inline float contact_max_depenetration(const coif_contact_query *query, int32_t i)
{
    if (query->max_depenetration_per_point == NULL) {
        return query->max_depenetration;
    }
    return query
        ->max_depenetration_per_point[query->source_segment != NULL ? query->source_segment[i] : i];
}

// Largest depth in a soft surface, in units of its softness.
#define CONTACT_MAX_SINK 8.0f

// Offset of a plane for which a projection to it has the effect of a soft contact: a spring of
// compliance a = softness / g per mass, implicit in the substep (XPBD, Macklin et al. 2016),
//
//   depth -> depth (a / h^2) / (1 + a / h^2)
//
// so that a point at rest sinks in by a g, whatever the substep.
static inline float contact_soften(const coif_contact_query *query, int32_t i,
                                   const contact_plane *plane, float offset)
{
    const float softness = plane->surface->softness;
    const float depth = offset - coif_dot(plane->normal, contact_target(query, i));
    if (!(softness > 0.0f) || !(depth > 0.0f)) {
        return offset;
    }
    const float compliance = softness / (9.81f * query->seconds * query->seconds);
    const float left = depth * (compliance / (1.0f + compliance));
    const float most = CONTACT_MAX_SINK * softness;
    return offset - (left < most ? left : most);
}

// Stores the plane if its surface is nearer than that of the present one. The offset of a deep
// point is lowered to the largest depenetration. Midpoints of segments rest on rigid surfaces only.
static inline void contact_write(const coif_contact_query *query, int32_t i,
                                 const contact_plane *plane)
{
    const coif_contact_surface *surface = plane->surface;
    if (!(plane->signed_distance < query->signed_distance[i]) ||
        (surface->softness > 0.0f && query->source_segment != NULL)) {
        return;
    }
    const coif_vec3 n = plane->normal;
    const coif_vec3 s = plane->surface_disp;
    const coif_vec3 carried = coif_add(contact_position(query, i), s);
    const float full =
        contact_soften(query, i, plane, coif_dot(n, plane->point) + query->contact_distance[i]);
    const float most = coif_dot(n, carried) + contact_max_depenetration(query, i);
    query->normal.x[i] = n.x;
    query->normal.y[i] = n.y;
    query->normal.z[i] = n.z;
    query->offset[i] = full < most ? full : most;
    query->surface_disp.x[i] = s.x;
    query->surface_disp.y[i] = s.y;
    query->surface_disp.z[i] = s.z;
    query->signed_distance[i] = plane->signed_distance;
    if (query->friction != NULL) {
        query->friction[i] = surface->has_friction ? surface->friction : -1.0f;
    }
    if (query->soft != NULL) {
        query->soft[i] = surface->softness > 0.0f ? 1.0f : 0.0f;
    }
}

// The nearest surface at a position, at a fraction of the path. False: none found; distance is then
// a lower bound.
typedef bool contact_nearest(void *context, coif_vec3 at, float fraction, float *distance);

// Conservative advancement along a path, to the fraction at which it first comes within touch of a
// surface. Length: upper bound of that of the path relative to the surface. False when the path is
// free or begins inside.
static inline bool contact_advance(float *fraction, const coif_vec3 path[2], float length,
                                   float touch, contact_nearest *nearest, void *context)
{
    const coif_vec3 disp = coif_sub(path[1], path[0]);
    float travelled = 0.0f;
    for (int step = 0; step < CONTACT_STEPS && travelled < length; ++step) {
        float distance;
        *fraction = travelled / length;
        if (nearest(context, coif_mad(path[0], *fraction, disp), *fraction, &distance) &&
            distance <= touch) {
            return step > 0 || distance > 0.0f;
        }
        const float free = distance - 0.9f * touch;
        travelled += free > 0.25f * touch ? free : 0.25f * touch;
    }
    return false;
}

// Bounds of all points of a query.
typedef struct contact_bounds {
    coif_vec3 low, high;        // of positions and predicted positions
    float max_displacement;     // of a point
    float max_contact_distance; // of a point
} contact_bounds;

// Contacts with a sphere, capsule or plane.
void coif_contact_query_primitive(const coif_contact_query *query, const coif_collider *body);

#endif
