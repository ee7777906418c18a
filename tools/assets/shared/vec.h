// vec: three numbers that are a place or a direction.
//
// The sculpture is measured in millimetres, as a sculptor's callipers are; only the writer of the
// OBJ file knows metres. x is the left side of the head (the viewer's right), y up, z the way the
// face looks.
#ifndef COIF_ASSETS_VEC_H
#define COIF_ASSETS_VEC_H

#include <math.h>

typedef struct head_vec {
    double x, y, z;
} head_vec;

static inline head_vec vec(double x, double y, double z)
{
    return (head_vec){x, y, z};
}

static inline head_vec vec_add(head_vec a, head_vec b)
{
    return vec(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline head_vec vec_sub(head_vec a, head_vec b)
{
    return vec(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline head_vec vec_scale(head_vec a, double s)
{
    return vec(a.x * s, a.y * s, a.z * s);
}

// a + s b
static inline head_vec vec_along(head_vec a, head_vec b, double s)
{
    return vec(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

static inline head_vec vec_mix(head_vec a, head_vec b, double t)
{
    return vec_along(a, vec_sub(b, a), t);
}

static inline double vec_dot(head_vec a, head_vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline head_vec vec_cross(head_vec a, head_vec b)
{
    return vec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double vec_length(head_vec a)
{
    return sqrt(vec_dot(a, a));
}

static inline head_vec vec_unit(head_vec a)
{
    const double length = vec_length(a);
    return length > 0.0 ? vec_scale(a, 1.0 / length) : a;
}

#endif
