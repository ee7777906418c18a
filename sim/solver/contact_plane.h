// contact_plane: what both ways to find contacts share.
#ifndef COIF_SIM_SOLVER_CONTACT_PLANE_H
#define COIF_SIM_SOLVER_CONTACT_PLANE_H

#include "sim/solver/contact_query.h"

// How deep inside a body a point is still found, and how far around it is searched.
#define CONTACT_SEARCH 0.04f

// Nothing sane goes this far in a substep, in metres.
#define CONTACT_LONGEST_WAY 1.0f

// Steps along a way that may have passed through something.
enum { CONTACT_STEPS = 48 };

typedef struct contact_plane {
    coif_vec3 point, normal; // of the surface at the end of the substep
    coif_vec3 motion;        // of the surface during it
    float distance;          // signed, from where the point wants to go
} contact_plane;

static inline coif_vec3 contact_place(const coif_contact_query *contacts, int32_t i)
{
    return coif_vec3_of(contacts->x[i], contacts->y[i], contacts->z[i]);
}

static inline coif_vec3 contact_target(const coif_contact_query *contacts, int32_t i)
{
    return coif_vec3_of(contacts->px[i], contacts->py[i], contacts->pz[i]);
}

// How far a point may be pushed out.
static inline float contact_most_out(const coif_contact_query *contacts, int32_t i)
{
    if (contacts->outs == NULL) {
        return contacts->most_out;
    }
    return contacts->outs[contacts->owner != NULL ? contacts->owner[i] : i];
}

// Keeps the plane if its surface is nearer than that of the plane the point has. One that is too
// deep need not come out at once: its plane is lowered to as far as it may be pushed.
static inline void contact_write(const coif_contact_query *contacts, int32_t i,
                                 const contact_plane *plane)
{
    if (!(plane->distance < contacts->depth[i])) {
        return;
    }
    const coif_vec3 n = plane->normal;
    const coif_vec3 s = plane->motion;
    const coif_vec3 carried = coif_add(contact_place(contacts, i), s);
    const float full = coif_dot(n, plane->point) + contacts->reach[i];
    const float most = coif_dot(n, carried) + contact_most_out(contacts, i);
    contacts->nx[i] = n.x;
    contacts->ny[i] = n.y;
    contacts->nz[i] = n.z;
    contacts->offset[i] = full < most ? full : most;
    contacts->sx[i] = s.x;
    contacts->sy[i] = s.y;
    contacts->sz[i] = s.z;
    contacts->depth[i] = plane->distance;
}

// What holds for all points together.
typedef struct contact_bounds {
    coif_vec3 low, high; // where they are and want to go
    float way;           // the longest way of one
    float reach;         // the largest distance kept
} contact_bounds;

// Contacts with a sphere, capsule or plane.
void coif_contact_query_primitive(const coif_contact_query *contacts,
                                  const struct coif_primitive *round);

#endif
