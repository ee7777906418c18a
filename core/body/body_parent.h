// body_parent: bodies that follow another body: eyes in a head, a hat on it.
//
// A child in its own pose is moved by the rigid motion of its parent at the child. For keyed motion
// that is the motion of the parent at the rest height of the child's centre; for a mesh sequence
// the best fit to the patch of the parent's surface that is nearest to the child at rest.
#ifndef COIF_CORE_BODY_BODY_PARENT_H
#define COIF_CORE_BODY_BODY_PARENT_H

#include "core/body/body.h"
#include "core/mesh/height_deform.h"

struct coif_body_window;

// The moment of a pose: keys at a frame; or smooth interpolation in a window, see
// body_interpolate.h; or a part of the motion from the rest pose.
typedef struct coif_body_moment {
    double frame;
    const struct coif_body_window *window; // NULL: keys at frame
    float t;                               // parameter in the window
    const float *ramp;                     // fraction of the motion; NULL: all of it
} coif_body_moment;

// Keyed motion at a moment, in body_interpolate.c.
void coif_body_params_at(coif_body_params *params, const coif_body *body,
                         const coif_body_moment *moment);

// Finds the parents of loaded bodies. An unknown name or a cycle is an error.
coif_status coif_bodies_link(coif_body *bodies, int32_t count, const coif_scene *scene,
                             coif_arena *arena, coif_error *error);

// Moves a body in its own pose with its parent, if any. Reads files of parents with a sequence.
coif_status coif_body_follow_parent(coif_mesh *mesh, const coif_body *body,
                                    const coif_body_moment *moment, coif_error *error);

#endif
