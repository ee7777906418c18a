// stance: a sampled body at one moment of a frame, between the world and the pose in which it
// rests.
//
// A body that is one piece is turned and shifted; one that flexes (core/mesh/height_deform.h) has a
// turn and a shift for every height at rest. A place x of the world was at rest at the p for which
//
//   p = B(p.y) x        B the way back of a height, mixed between levels and between moments
//
// Vertices go straight through a frame, so half-way through one that turns by 3 degrees this is off
// by a tenth of a millimetre at the width of a head; planes of contacts are not, as they lie where
// vertices are. Nearby places go back by the gradient G = (1 + v e_y^T / (1 - v.y)) B, v = dB/dy x.
#ifndef COIF_SIM_COLLISION_BODY_TRANSFORM_H
#define COIF_SIM_COLLISION_BODY_TRANSFORM_H

#include "core/mesh/height_deform.h"
#include "sim/solver/simd/simd_float4.h"

// How a body goes through a frame.
typedef struct coif_body_motion {
    coif_affine ends[2]; // of one piece, or of what is above all levels: at the begin and the end
    coif_affine feet[2]; // of what is below them
    bool flexes;
    float low, high; // heights at rest between which it flexes
    coif_height_deform flexed[2];
    float4 back[2][COIF_HEIGHT_DEFORM_LEVELS + 1][3]; // rows of the ways back: turn, shift
    // Bounds of what flexes: per metre of height, how much turns differ and how far their centre is
    // shifted, in all and upwards; how far the centre is from where it rests, and how much turns
    // change and the centre moves during the frame.
    coif_vec3 centre;
    float turns, shifts, turns_up, shifts_up;
    float strays, turning, moving;
} coif_body_motion;

// A body that is one piece at both ends of the frame.
void coif_body_motion_rigid(coif_body_motion *passage, const coif_affine *begin,
                            const coif_affine *end);

// One that flexes around a centre, at rest. False when it cannot be followed.
bool coif_body_motion_height_deform(coif_body_motion *passage, const coif_height_deform *begin,
                                    const coif_height_deform *end, coif_vec3 centre);

// The least share to which anything may be pressed.
#define COIF_BODY_MOTION_COMPRESSED 0.25f

typedef struct coif_body_transform {
    const coif_body_motion *passage;
    float moment;
    coif_affine above,
        below; // from the rest pose, of one piece or above all levels, and below them
    coif_affine above_back, below_back;
    float4 back[COIF_HEIGHT_DEFORM_LEVELS + 1][3]; // as those of the passage, of what flexes
} coif_body_transform;

void coif_body_transform_at(coif_body_transform *stance, const coif_body_motion *passage,
                            float moment);

// Where a place was at rest. Not a number where that is not to be found.
coif_vec3 coif_to_rest(const coif_body_transform *stance, coif_vec3 place);

// Where a place of the body at rest is.
coif_vec3 coif_to_world(const coif_body_transform *stance, coif_vec3 p);

// How a surface looks from the world whose normal, not unit, is known at rest at p, where the place
// was: gradient of the distance, not unit; its length tells how many times as near it is.
coif_vec3 coif_gradient_to_world(const coif_body_transform *stance, coif_vec3 place, coif_vec3 p,
                                 coif_vec3 normal);

// To which share a place of the body at rest is pressed upwards: below zero it is folded over.
float coif_body_motion_vertical_compression(const coif_body_motion *passage, int end, coif_vec3 p);

// Distances of some millimetres around p at rest may be so many times as large as in the world.
float coif_body_motion_max_stretch(const coif_body_motion *passage, coif_vec3 p);

// How long ways are at rest, at the most, of anything in a box of the world, if they are so long in
// the world and take such a part of the frame.
float coif_body_motion_max_displacement(const coif_body_motion *passage, coif_vec3 low,
                                        coif_vec3 high, float way, float part);

#endif
