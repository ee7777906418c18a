// body_between: where a body is between two frames, on a smooth way through all of them.
//
// Shifts and turns, and the points of a sequence of files, go along cubics through their values at
// whole frames, with the slope of the mean of both neighbours (Hermite; Catmull and Rom 1974). A
// slope is never steeper than three times the slower side (after Fritsch and Carlson 1980), so a
// body that stands still does not draw back before it starts. Turns are turns: their points go
// along arcs.
#ifndef COIF_CORE_MESH_BODY_INTERPOLATE_H
#define COIF_CORE_MESH_BODY_INTERPOLATE_H

#include "core/mesh/body.h"

// A body at the frames before, at the begin, at the end and after the way between two frames.
typedef struct coif_body_window {
    const coif_mesh *poses[4]; // only the two in the middle are looked at without a sequence
    int begin;                 // frame number of the second one
    int first;                 // what is before this frame does not count: bodies stood still
} coif_body_window;

// The pose at share t of the way, 0 < t < 1: new positions and normals in arena.
void coif_body_interpolate(coif_mesh *mesh, const coif_body *body, const coif_body_window *way,
                           float t, coif_arena *arena);

// How bodies go from one whole frame to the next.
typedef struct coif_body_interpolation {
    bool smooth; // else straight: as their keys say, and files in equal steps
    int first;   // of smooth ways: as above
} coif_body_interpolation;

// The pose at a time between frames, or at a frame. Smooth ways of a sequence read up to four
// files.
coif_status coif_body_pose_interpolated(coif_mesh *mesh, const coif_body *body,
                                        const coif_body_interpolation *course, double frame,
                                        coif_arena *arena, coif_error *error);

// A pose on the way from rest to where the body is at a frame: share 0 is the mesh at rest.
coif_status coif_body_ramp(coif_mesh *mesh, const coif_body *body, double frame, float share,
                           coif_arena *arena, coif_error *error);

// The place at share t between b and c, on the way from a over b and c to d.
coif_vec3 coif_smooth_interpolate(coif_vec3 a, coif_vec3 b, coif_vec3 c, coif_vec3 d, float t);

#endif
