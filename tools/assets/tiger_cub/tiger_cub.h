// tiger_cub: a tiger cub as a signed distance field, and the properties of its coat.
//
// Millimetres, y up; the paws stand on y = 0, the cub walks along +z and its head is turned to its
// left, +x.
#ifndef COIF_ASSETS_TIGER_CUB_H
#define COIF_ASSETS_TIGER_CUB_H

#include "tools/assets/shared/sdf.h"

#include <stdbool.h>

enum { CUB_COAT, CUB_SKIN, CUB_EYE, CUB_PUPIL, CUB_GROUPS };
enum { CUB_LEGS = 4 };

typedef struct tiger_cub {
    sdf_tube leg[CUB_LEGS], tail;
    coif_vec3d paw[CUB_LEGS];
    coif_vec3d head;         // centre of the skull
    double yaw_sin, yaw_cos; // of the head
    double pitch_sin, pitch_cos;
} tiger_cub;

// Distances to the body parts.
typedef struct cub_parts {
    double trunk, head, tail, leg[CUB_LEGS];
    double tail_along, leg_along[CUB_LEGS]; // arc length from the start of the limb
    coif_vec3d in_head;                     // the position in head space
} cub_parts;

typedef struct cub_coat {
    double color[3]; // linear
    double length;   // relative to the longest hair
    double legs;     // 1 where hair lies downwards as on a leg
    double head;     // 1 where hair lies away from the nose
} cub_coat;

void cub_init(tiger_cub *cub);
double cub_distance(const tiger_cub *cub, coif_vec3d p);
coif_vec3d cub_normal(const tiger_cub *cub, coif_vec3d p);
cub_parts cub_parts_at(const tiger_cub *cub, coif_vec3d p);

// For sdf_field.
double cub_field(const void *cub, coif_vec3d p);

coif_vec3d cub_from_head(const tiger_cub *cub, coif_vec3d q);
coif_vec3d cub_to_head(const tiger_cub *cub, coif_vec3d p);

// Centre of an eyeball in head space, and its radius.
coif_vec3d cub_eye(int side);
double cub_eye_radius(void);

// Head space to the frame of the lids: origin between them, x along them towards the temple.
coif_vec3d cub_to_lids(coif_vec3d q);

cub_coat cub_coat_at(const tiger_cub *cub, coif_vec3d p, coif_vec3d normal);

// Signed distance to the rim of the bare nose, negative on the nose.
double cub_nose(const tiger_cub *cub, coif_vec3d p);

// Whether the skin is bare: nose and soles.
bool cub_is_bare(const tiger_cub *cub, coif_vec3d p);

#endif
