// A triangle at a time, in the space of the geometry or transformed as an instance.
#ifndef COIF_RENDER_GEOMETRY_TRIANGLE_H
#define COIF_RENDER_GEOMETRY_TRIANGLE_H

#include "core/mesh/mesh.h"
#include "render/geometry/bspline_curves.h"
#include "render/geometry/instance.h"

typedef struct coif_triangle {
    coif_vec3 p[3], n[3]; // corners and their normals
} coif_triangle;

// Meshes are time steps of one topology over the shutter interval. Transform may be NULL.
static inline coif_triangle coif_triangle_at(const coif_mesh *meshes, int32_t steps,
                                             int32_t triangle, float time,
                                             const coif_transform *transform)
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
        if (transform != NULL) {
            at.p[i] = coif_transform_point(transform, at.p[i]);
            at.n[i] = coif_mat3_apply(&transform->linear, at.n[i]);
        }
    }
    return at;
}

// The point at barycentric weights of the second and third corner.
static inline coif_vec3 coif_triangle_point(const coif_triangle *at, float b1, float b2)
{
    return coif_mad(coif_mad(coif_scale(at->p[0], 1.0f - b1 - b2), b1, at->p[1]), b2, at->p[2]);
}

// The interpolated normal there; zero where the corner normals cancel.
static inline coif_vec3 coif_triangle_normal(const coif_triangle *at, float b1, float b2)
{
    return coif_normalize(
        coif_mad(coif_mad(coif_scale(at->n[0], 1.0f - b1 - b2), b1, at->n[1]), b2, at->n[2]));
}

// Geometric normal, counter-clockwise corners seen from its tip; twice the area long.
static inline coif_vec3 coif_triangle_area_normal(const coif_triangle *at)
{
    return coif_cross(coif_sub(at->p[1], at->p[0]), coif_sub(at->p[2], at->p[0]));
}

#endif
