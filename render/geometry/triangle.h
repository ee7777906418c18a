// facet: a triangle of a body where it is at a time, as a copy of the body shows it.
#ifndef COIF_RENDER_GEOMETRY_TRIANGLE_H
#define COIF_RENDER_GEOMETRY_TRIANGLE_H

#include "core/mesh/mesh.h"
#include "render/geometry/bspline_curves.h"
#include "render/geometry/instance.h"

typedef struct coif_triangle {
    coif_vec3 p[3], n[3]; // corners and the normals at them
} coif_triangle;

// Meshes are steps of one topology over the time that the shutter is open. Copy may be NULL.
static inline coif_triangle coif_triangle_at(const coif_mesh *meshes, int32_t steps,
                                             int32_t triangle, float time,
                                             const coif_transform *copy)
{
    const int32_t *corner = meshes->indices + 3 * (size_t)triangle;
    float t = 0.0f;
    const bool moves = steps > 1;
    const int32_t step = moves ? coif_motion_step_at(steps, time, &t) : 0;
    const coif_mesh *mesh = meshes + step;
    coif_triangle at;
    for (int i = 0; i < 3; ++i) {
        at.p[i] = mesh->positions[corner[i]];
        at.n[i] = mesh->normals[3 * (size_t)triangle + (size_t)i];
        if (moves) {
            at.p[i] = coif_lerp(at.p[i], mesh[1].positions[corner[i]], t);
            at.n[i] = coif_lerp(at.n[i], mesh[1].normals[3 * (size_t)triangle + (size_t)i], t);
        }
        if (copy != NULL) {
            at.p[i] = coif_transform_point(copy, at.p[i]);
            at.n[i] = coif_mat3_apply(&copy->linear, at.n[i]);
        }
    }
    return at;
}

// The point at weights of the second and third corner.
static inline coif_vec3 coif_triangle_point(const coif_triangle *at, float b1, float b2)
{
    return coif_mad(coif_mad(coif_scale(at->p[0], 1.0f - b1 - b2), b1, at->p[1]), b2, at->p[2]);
}

// Across it, on the side from which its corners run round to the left; twice the area long.
static inline coif_vec3 coif_triangle_area_normal(const coif_triangle *at)
{
    return coif_cross(coif_sub(at->p[1], at->p[0]), coif_sub(at->p[2], at->p[0]));
}

#endif
