// Affine transforms and their linear interpolation.
//
// Vertices and hair roots move linearly within a frame, so the transform between two rotations is
// their interpolation, which is not a rotation: the inverse is that of a general matrix.
#ifndef COIF_CORE_MESH_AFFINE_H
#define COIF_CORE_MESH_AFFINE_H

#include "core/base/vec.h"

// p -> linear p + translation
typedef struct coif_affine {
    coif_mat3 linear;
    coif_vec3 translation;
} coif_affine;

#define COIF_AFFINE_IDENTITY ((coif_affine){.linear = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}})

// Makes the rows of a matrix near a rotation orthonormal.
static inline void coif_orthonormalize(coif_mat3 *m)
{
    m->row[0] = coif_normalize(m->row[0]);
    m->row[2] = coif_normalize(coif_cross(m->row[0], m->row[1]));
    m->row[1] = coif_cross(m->row[2], m->row[0]);
}

static inline coif_vec3 coif_affine_apply(const coif_affine *affine, coif_vec3 p)
{
    return coif_add(coif_mat3_apply(&affine->linear, p), affine->translation);
}

// p -> a(b(p))
static inline coif_affine coif_affine_compose(const coif_affine *a, const coif_affine *b)
{
    coif_affine product = {.translation = coif_affine_apply(a, b->translation)};
    for (int r = 0; r < 3; ++r) {
        const coif_vec3 row = a->linear.row[r];
        product.linear.row[r] =
            coif_mad(coif_mad(coif_scale(b->linear.row[0], row.x), row.y, b->linear.row[1]), row.z,
                     b->linear.row[2]);
    }
    return product;
}

static inline coif_affine coif_affine_lerp(const coif_affine *a, const coif_affine *b, float t)
{
    coif_affine between;
    for (int r = 0; r < 3; ++r) {
        between.linear.row[r] = coif_lerp(a->linear.row[r], b->linear.row[r], t);
    }
    between.translation = coif_lerp(a->translation, b->translation, t);
    return between;
}

// Cramer's rule. The interpolation of a half turn is singular; its inverse is not finite, and
// queries with it never hit.
static inline coif_affine coif_affine_inverse(const coif_affine *affine)
{
    const coif_vec3 *m = affine->linear.row;
    const coif_vec3 a = coif_cross(m[1], m[2]);
    const coif_vec3 b = coif_cross(m[2], m[0]);
    const coif_vec3 c = coif_cross(m[0], m[1]);
    const float scale = 1.0f / coif_dot(m[0], a);
    coif_affine inverse = {.linear = {{{a.x * scale, b.x * scale, c.x * scale},
                                       {a.y * scale, b.y * scale, c.y * scale},
                                       {a.z * scale, b.z * scale, c.z * scale}}}};
    inverse.translation = coif_scale(coif_mat3_apply(&inverse.linear, affine->translation), -1.0f);
    return inverse;
}

// Frame of a triangle: its first edge, the in-plane perpendicular, its normal.
static inline coif_mat3 coif_affine_axes(const coif_vec3 corner[3])
{
    const coif_vec3 along = coif_normalize(coif_sub(corner[1], corner[0]));
    const coif_vec3 normal = coif_normalize(coif_cross(along, coif_sub(corner[2], corner[0])));
    return (coif_mat3){{along, coif_cross(normal, along), normal}};
}

// The affine transform between two congruent triangles.
static inline coif_affine coif_affine_fit(const coif_vec3 from[3], const coif_vec3 to[3])
{
    const coif_mat3 a = coif_affine_axes(from);
    const coif_mat3 b = coif_affine_axes(to);
    coif_affine fit;
    for (int r = 0; r < 3; ++r) {
        const float along[3] = {b.row[0].x, b.row[0].y, b.row[0].z};
        const float across[3] = {b.row[1].x, b.row[1].y, b.row[1].z};
        const float normal[3] = {b.row[2].x, b.row[2].y, b.row[2].z};
        fit.linear.row[r] = coif_mad(coif_mad(coif_scale(a.row[0], along[r]), across[r], a.row[1]),
                                     normal[r], a.row[2]);
    }
    fit.translation = coif_sub(to[0], coif_mat3_apply(&fit.linear, from[0]));
    return fit;
}

#endif
