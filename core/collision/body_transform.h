// body_transform: maps between world space and the rest space of a body at one time of a frame.
//
// A rigid body has one rotation and translation; one that deforms by height
// (core/mesh/height_deform.h) has one for every rest height. A world position x corresponds to the
// rest position p with
//
//   p = B(p.y) x        B the inverse transform of a height, lerped between levels and in time
//
// Vertices move on straight lines within a frame, so halfway through one that rotates by 3 degrees
// this is off by a tenth of a millimetre at the radius of a head; contact planes are exact, as they
// are placed at the vertices. Near p the map has the gradient
// G = (1 + v e_y^T / (1 - v.y)) B, v = dB/dy x.
#ifndef COIF_CORE_COLLISION_BODY_TRANSFORM_H
#define COIF_CORE_COLLISION_BODY_TRANSFORM_H

#include "core/mesh/height_deform.h"
#include "core/simd/simd_float4.h"

// Motion of a body through a frame: transforms at its begin and its end.
typedef struct coif_body_motion {
    coif_affine upper[2]; // of a rigid body, or of the part above all levels
    coif_affine lower[2]; // of the part below all levels
    bool deforms;
    float low, high; // rest heights of the deforming part
    coif_height_deform deform[2];
    simd_float4 inverse[2][COIF_HEIGHT_DEFORM_LEVELS + 1][3]; // rows (rotation, translation) of B
    // Bounds of a deformation: change of the rotation and displacement of the centre per metre of
    // height, in norm and along y; distance of the centre from its rest position; change of the
    // rotation and displacement of the centre during the frame.
    coif_vec3 centre;
    float rotation_gradient, shift_gradient, rotation_gradient_up, shift_gradient_up;
    float centre_offset, rotation_change, centre_motion;
} coif_body_motion;

void coif_body_motion_rigid(coif_body_motion *motion, const coif_affine *begin,
                            const coif_affine *end);

// A body that deforms by height; centre is a rest position that bounds refer to. False when the
// deformation is not finite or its levels differ between begin and end.
bool coif_body_motion_height_deform(coif_body_motion *motion, const coif_height_deform *begin,
                                    const coif_height_deform *end, coif_vec3 centre);

// Bodies that are compressed along y to less than this fraction are not queried in rest space.
#define COIF_BODY_MOTION_MIN_COMPRESSION 0.25f

typedef struct coif_body_transform {
    const coif_body_motion *motion;
    float time;               // 0..1 within the frame
    coif_affine above, below; // rest to world: above all levels (or rigid), and below them
    coif_affine above_inverse, below_inverse;
    simd_float4 inverse[COIF_HEIGHT_DEFORM_LEVELS + 1][3]; // as in the motion, at this time
} coif_body_transform;

void coif_body_transform_at(coif_body_transform *transform, const coif_body_motion *motion,
                            float time);

// Rest to world position, of a point of the body.
coif_vec3 coif_to_world(const coif_body_transform *transform, coif_vec3 p);

// Gradient of the distance in world space, G^T n, not unit: n is the rest normal at the rest
// position p of a world position. Its length is the ratio of rest distance to world distance.
coif_vec3 coif_gradient_to_world(const coif_body_transform *transform, coif_vec3 position,
                                 coif_vec3 p, coif_vec3 normal);

// Compression along y at a rest position; below zero the body is folded over.
float coif_body_motion_vertical_compression(const coif_body_motion *motion, int end, coif_vec3 p);

#endif
