// instance: transforms of instances: copies of a body with its hair that share its memory.
//
// An instance is the posed body, with its own motion, under an affine transform:
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

// The transform of an instance at one time.
typedef struct coif_transform {
    coif_mat3 linear; // rows: rotation times scale
    coif_vec3 translation;
    float scale;
    bool is_transformed; // false: identity
} coif_transform;

coif_transform coif_transform_identity(void);

// An entry of "instances" at a frame.
coif_transform coif_instance_transform(const coif_node *node, double frame);

coif_transform coif_transform_lerp(const coif_transform *a, const coif_transform *b, float t);

static inline coif_vec3 coif_transform_point(const coif_transform *transform, coif_vec3 p)
{
    return coif_add(transform->translation, coif_mat3_apply(&transform->linear, p));
}

#endif
