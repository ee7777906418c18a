// Affine transforms in double precision, for hierarchies and the conversion of units and axes.
#ifndef COIF_CORE_ARCHIVE_TRANSFORM_H
#define COIF_CORE_ARCHIVE_TRANSFORM_H

#include "core/base/deterministic_math.h"
#include "core/base/vec3d.h"

// p -> m[.][0..2] p + m[.][3]
typedef struct coif_transform {
    double m[3][4];
} coif_transform;

static const coif_transform COIF_TRANSFORM_IDENTITY = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

// a after b
static inline coif_transform coif_transform_multiply(const coif_transform *a,
                                                     const coif_transform *b)
{
    coif_transform product;
    for (int r = 0; r < 3; ++r) {
        for (int c = 0; c < 4; ++c) {
            product.m[r][c] = a->m[r][0] * b->m[0][c] + a->m[r][1] * b->m[1][c] +
                              a->m[r][2] * b->m[2][c] + (c == 3 ? a->m[r][3] : 0.0);
        }
    }
    return product;
}

static inline coif_vec3 coif_transform_vector(const coif_transform *t, coif_vec3 v)
{
    return (coif_vec3){(float)(t->m[0][0] * v.x + t->m[0][1] * v.y + t->m[0][2] * v.z),
                       (float)(t->m[1][0] * v.x + t->m[1][1] * v.y + t->m[1][2] * v.z),
                       (float)(t->m[2][0] * v.x + t->m[2][1] * v.y + t->m[2][2] * v.z)};
}

static inline coif_vec3 coif_transform_point(const coif_transform *t, coif_vec3 p)
{
    return (coif_vec3){
        (float)(t->m[0][0] * p.x + t->m[0][1] * p.y + t->m[0][2] * p.z + t->m[0][3]),
        (float)(t->m[1][0] * p.x + t->m[1][1] * p.y + t->m[1][2] * p.z + t->m[1][3]),
        (float)(t->m[2][0] * p.x + t->m[2][1] * p.y + t->m[2][2] * p.z + t->m[2][3])};
}

static inline coif_vec3d coif_transform_axis(const coif_transform *t, int column)
{
    return (coif_vec3d){t->m[0][column], t->m[1][column], t->m[2][column]};
}

static inline double coif_transform_determinant(const coif_transform *t)
{
    return coif_vec3d_dot(coif_transform_axis(t, 0),
                          coif_vec3d_cross(coif_transform_axis(t, 1), coif_transform_axis(t, 2)));
}

// Mean scale of lengths: the cube root of the scale of volumes.
static inline double coif_transform_scale(const coif_transform *t)
{
    return coif_det_cbrt(fabs(coif_transform_determinant(t)));
}

// Transform of normals up to a positive factor: cofactors with the sign of the determinant.
static inline coif_transform coif_transform_of_normals(const coif_transform *t)
{
    const double sign = coif_transform_determinant(t) < 0.0 ? -1.0 : 1.0;
    coif_transform normals = {{{0}}};
    for (int c = 0; c < 3; ++c) {
        const coif_vec3d cofactor = coif_vec3d_cross(coif_transform_axis(t, (c + 1) % 3),
                                                     coif_transform_axis(t, (c + 2) % 3));
        normals.m[0][c] = sign * cofactor.x;
        normals.m[1][c] = sign * cofactor.y;
        normals.m[2][c] = sign * cofactor.z;
    }
    return normals;
}

// Space of a file to metres with y up: z up turns (x, y, z) to (x, z, -y).
static inline coif_transform coif_transform_of_units(double meters_per_unit, char up_axis)
{
    const double s = meters_per_unit;
    return up_axis == 'z' ? (coif_transform){{{s, 0, 0, 0}, {0, 0, s, 0}, {0, -s, 0, 0}}}
                          : (coif_transform){{{s, 0, 0, 0}, {0, s, 0, 0}, {0, 0, s, 0}}};
}

#endif
