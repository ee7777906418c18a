// collider_params: "colliders" of a scene, see core/collision/primitive_colliders.h.
#ifndef COIF_SIM_RUN_COLLIDER_PARAMS_H
#define COIF_SIM_RUN_COLLIDER_PARAMS_H

#include "core/body/contact_params.h"
#include "core/collision/primitive_colliders.h"
#include "core/mesh/affine.h"
#include "core/scene/scene.h"

typedef struct coif_collider_params {
    const char *name;
    const char *parent; // body that the collider rides on; NULL or "": none
    int32_t shape;
    float position[3]; // middle of a sphere, one end of a capsule, a point of a plane
    float end[3];      // other end of a capsule
    float radius;      // of spheres and capsules
    float normal[3];   // of a plane, towards where hair is
    coif_contact_params contact;
} coif_collider_params;

extern const coif_section COIF_COLLIDERS_SECTION;

// The surface of a body or of an analytic collider.
coif_contact_surface coif_contact_surface_of(const coif_contact_params *params);

// Logs a warning for each contact parameter of a body that changes no contact. Returns their
// number.
int32_t coif_sim_warn_contact_without_effect(const coif_scene *scene);

// Pose at a frame, moved with the parent. A zero normal of a plane becomes y.
coif_primitive_pose coif_collider_params_pose(const coif_node *node, double frame,
                                              const coif_affine *motion);

#endif
