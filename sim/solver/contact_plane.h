// contact_plane: what both ways to find contacts share.
#ifndef COIF_SIM_SOLVER_CONTACT_PLANE_H
#define COIF_SIM_SOLVER_CONTACT_PLANE_H

#include "sim/collision/collider.h"
#include "sim/solver/contact_query.h"

// How deep inside a body a point is still found, and how far around it is searched.
#define CONTACT_SEARCH 0.04f

// Nothing sane goes this far in a substep, in metres.
#define CONTACT_MAX_DISPLACEMENT 1.0f

// Steps along a way that may have passed through something.
enum { CONTACT_STEPS = 48 };

typedef struct contact_plane {
    coif_vec3 point, normal; // of the surface at the end of the substep
    coif_vec3 surface_disp;  // of the surface during it
    float signed_distance;   // signed, from where the point wants to go
} contact_plane;

static inline coif_vec3 contact_position(const coif_contact_query *query, int32_t i)
{
    return coif_vec3_of(query->pos.x[i], query->pos.y[i], query->pos.z[i]);
}

static inline coif_vec3 contact_target(const coif_contact_query *query, int32_t i)
{
    return coif_vec3_of(query->predicted.x[i], query->predicted.y[i], query->predicted.z[i]);
}

// How far a point may be pushed out.
static inline float contact_max_depenetration(const coif_contact_query *query, int32_t i)
{
    if (query->max_depenetration_per_point == NULL) {
        return query->max_depenetration;
    }
    return query
        ->max_depenetration_per_point[query->source_segment != NULL ? query->source_segment[i] : i];
}

// Keeps the plane if its surface is nearer than that of the plane the point has. One that is too
// deep need not come out at once: its plane is lowered to as far as it may be pushed.
static inline void contact_write(const coif_contact_query *query, int32_t i,
                                 const contact_plane *plane)
{
    if (!(plane->signed_distance < query->signed_distance[i])) {
        return;
    }
    const coif_vec3 n = plane->normal;
    const coif_vec3 s = plane->surface_disp;
    const coif_vec3 carried = coif_add(contact_position(query, i), s);
    const float full = coif_dot(n, plane->point) + query->contact_distance[i];
    const float most = coif_dot(n, carried) + contact_max_depenetration(query, i);
    query->normal.x[i] = n.x;
    query->normal.y[i] = n.y;
    query->normal.z[i] = n.z;
    query->offset[i] = full < most ? full : most;
    query->surface_disp.x[i] = s.x;
    query->surface_disp.y[i] = s.y;
    query->surface_disp.z[i] = s.z;
    query->signed_distance[i] = plane->signed_distance;
}

// What holds for all points together.
typedef struct contact_bounds {
    coif_vec3 low, high;        // where they are and want to go
    float max_displacement;     // the longest way of one
    float max_contact_distance; // the largest distance kept
} contact_bounds;

// Contacts with a sphere, capsule or plane.
void coif_contact_query_primitive(const coif_contact_query *query,
                                  const struct coif_primitive *round);

#endif
