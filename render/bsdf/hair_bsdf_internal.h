// hair_lobe: what the lobes of hair and of fur have in common. Only for hair_bsdf.c and fur_bsdf.c.
#ifndef COIF_RENDER_BSDF_HAIR_BSDF_INTERNAL_H
#define COIF_RENDER_BSDF_HAIR_BSDF_INTERNAL_H

#include "render/bsdf/hair_bsdf.h"

// exp(-x) I0(x) = i0_scaled, split into a factor and an exponent so that the caller takes one
// exponential for everything. Polynomials of Abramowitz and Stegun 9.8.1 and 9.8.2; their error
// stays below 2e-7, the precision of a float.
static inline coif_lanes coif_hair_i0(coif_lanes x, coif_lanes *exponent)
{
    const coif_lanes_int near = x < 3.75f;
    const coif_lanes t = (1.0f / (3.75f * 3.75f)) * x * x;
    coif_lanes a = t * 0.0045813f + 0.0360768f;
    a = a * t + 0.2659732f;
    a = a * t + 1.2067492f;
    a = a * t + 3.0899424f;
    a = a * t + 3.5156229f;
    a = a * t + 1.0f;

    const coif_lanes far = coif_lanes_max(x, coif_lanes_splat(3.75f));
    const coif_lanes s = 3.75f / far;
    coif_lanes b = s * 0.00392377f - 0.01647633f;
    b = b * s + 0.02635537f;
    b = b * s - 0.02057706f;
    b = b * s + 0.00916281f;
    b = b * s - 0.00157565f;
    b = b * s + 0.00225319f;
    b = b * s + 0.01328592f;
    b = b * s + 0.39894228f;

    *exponent = coif_lanes_select(near, -x, coif_lanes_splat(0.0f));
    return coif_lanes_select(near, a, b / coif_lanes_sqrt(far));
}

// Lobes around cones of directions: theta_o tilted, 1 / v, and 1 / (v (1 - exp(-2 / v))).
typedef struct coif_hair_cone {
    coif_lanes sin_o, cos_o;
    coif_lanes inverse_v, norm;
} coif_hair_cone;

// M_p of d'Eon et al. 2011, for which the lobe is normalised over the sphere:
//
//   M = exp(-sin_i sin_o / v) I0(cos_i cos_o / v) / (2 v sinh(1 / v))
//
// With I0(a) = exp(a) i0_scaled(a) the exponents join to -(1 - cos_i cos_o + sin_i sin_o) / v, and
// that difference is written as a sum of squares: nothing cancels, however small v is.
static inline coif_lanes coif_hair_longitudinal(const coif_hair_cone *cone, coif_lanes sin_i,
                                                coif_lanes cos_i)
{
    const coif_lanes c = cone->cos_o - cos_i;
    const coif_lanes s = cone->sin_o + sin_i;
    const coif_lanes distance = 0.5f * (c * c + s * s);
    coif_lanes exponent;
    const coif_lanes factor = coif_hair_i0(cone->cos_o * cos_i * cone->inverse_v, &exponent);
    return coif_lanes_exp(exponent - distance * cone->inverse_v) * factor * cone->norm;
}

#endif
