// instance: further copies of a body with all hair that grows on it, at the cost of one.
//
// A copy is the body as it is posed, with its own motion, turned, scaled and shifted as a whole:
//
//   p' = translate + scale R(rotate) p        R(a) = Rz(a.z) Ry(a.y) Rx(a.x)
#ifndef COIF_RENDER_GEOMETRY_INSTANCE_H
#define COIF_RENDER_GEOMETRY_INSTANCE_H

#include "core/base/vec.h"
#include "core/scene/scene.h"

typedef struct coif_instance_params {
    const char *name, *body;
    float translate[3], rotate[3]; // metres, degrees
    float scale;
} coif_instance_params;

extern const coif_section COIF_INSTANCES_SECTION;

// Where a copy stands at one time.
typedef struct coif_transform {
    coif_mat3 linear; // rows: turn and scale
    coif_vec3 shift;
    float scale;
    bool is_transformed; // false: the thing itself, where it is
} coif_transform;

// The thing itself.
coif_transform coif_transform_identity(void);

// An entry of "instances" at a frame.
coif_transform coif_instance_transform(const coif_node *node, double frame);

coif_transform coif_transform_lerp(const coif_transform *a, const coif_transform *b, float t);

static inline coif_vec3 coif_transform_point(const coif_transform *placement, coif_vec3 p)
{
    return coif_add(placement->shift, coif_mat3_apply(&placement->linear, p));
}

#endif
