// Interpolation of body motion between frames.
//
// Translation, rotation and the vertices of a sequence follow cubic Hermite curves through their
// values at whole frames with Catmull-Rom tangents (1974), limited to three times the slower side
// (after Fritsch and Carlson 1980), so that a body at rest does not overshoot. Rotation angles are
// interpolated, so that vertices move on arcs.
#ifndef COIF_CORE_BODY_BODY_INTERPOLATE_H
#define COIF_CORE_BODY_BODY_INTERPOLATE_H

#include "core/body/body.h"

// The four frames around an interval: before, begin, end, after.
typedef struct coif_body_window {
    const coif_mesh *poses[4]; // unless a sequence is followed, only the middle two are used
    int begin;                 // frame number of poses[1]
    int first;                 // first frame; bodies do not move before it
} coif_body_window;

// The pose at parameter 0 < t < 1 of the interval: new positions and normals in arena.
void coif_body_interpolate(coif_mesh *mesh, const coif_body *body, const coif_body_window *window,
                           float t, coif_arena *arena);

// Interpolation between whole frames.
typedef struct coif_body_interpolation {
    bool smooth; // cubic; else linear between keys and files
    int first;   // first frame, as above
} coif_body_interpolation;

// As in the simulation of the scene; linear where its section tree has no simulation.
coif_body_interpolation coif_body_interpolation_of(const coif_scene *scene);

// The pose at a fractional frame. Smooth interpolation of a sequence reads up to four files; an
// archive with samples between whole frames gives the pose itself.
coif_status coif_body_pose_interpolated(coif_mesh *mesh, const coif_body *body,
                                        const coif_body_interpolation *interpolation, double frame,
                                        coif_arena *arena, coif_error *error);

// Interpolates between the rest mesh (weight 0) and the pose at a frame (weight 1).
coif_status coif_body_ramp(coif_mesh *mesh, const coif_body *body, double frame, float weight,
                           coif_arena *arena, coif_error *error);

// Limited Catmull-Rom interpolation between b and c with neighbours a and d.
coif_vec3 coif_smooth_interpolate(coif_vec3 a, coif_vec3 b, coif_vec3 c, coif_vec3 d, float t);

#endif
