// Types and the longitudinal lobe that the hair and the fur BSDF have in common.
//
// Frame: x along the fibre from root to tip, y and z across. Directions are unit vectors that leave
// the fibre; sin(theta) = w.x, phi = atan2(w.z, w.y).
#ifndef COIF_RENDER_BSDF_HAIR_LOBES_H
#define COIF_RENDER_BSDF_HAIR_LOBES_H

#include "core/base/vec.h"
#include "render/math/fast_math.h"

#include <stdbool.h>

enum { COIF_HAIR_LOBES = 4 };

// Parameters of the fibre.
typedef struct coif_hair_bsdf_params {
    float eta;    // index of refraction
    float beta_m; // longitudinal roughness, 0 to 1
    float beta_n; // azimuthal roughness, 0 to 1
    float alpha;  // tilt of the cuticle scales, radians

    // Fur: a scattering medulla, see fur_bsdf.h. All 0 for hair.
    float medulla;    // radius of the medulla as a fraction of the fibre's
    float scattering; // scattering coefficient of the medulla per fibre radius
    float anisotropy; // mean cosine of one scattering event
    float pigment;    // absorption of the medulla as a fraction of the cortex's
    float layers;     // of the cuticle

    bool weighted;                   // lobes are multiplied by gain
    coif_vec3 gain[COIF_HAIR_LOBES]; // R, TT, TRT, residual; 0 to 1
} coif_hair_bsdf_params;

typedef struct coif_medulla {
    float radius; // 0: hair
    float scattering, anisotropy, pigment, layers;
    float log_anisotropy;
    float blur; // factor of the azimuthal mean cosine from the roughness of the cuticle
} coif_medulla;

// Constants that follow from the parameters; lanes are the lobes R, TT, TRT and residual.
typedef struct coif_hair_lobes {
    coif_lanes inverse_variance; // 1 / v_p
    coif_lanes m_norm;           // 1 / (v (1 - exp(-2 / v)))
    coif_lanes variance;         // v_p
    coif_lanes exp_m2_over_v;    // exp(-2 / v)
    coif_lanes tilt_sin, tilt_cos;
    float scale, inverse_scale; // s of the logistic, 1 / s
    float n_norm;               // of the logistic trimmed to +-pi, with its 1 / s
    float logistic_low;         // its CDF at -pi
    float eta, inverse_eta;
    coif_medulla medulla;
    bool weighted;
    coif_lanes gain[COIF_HAIR_LOBES]; // factors on red, green and blue of each lobe, if weighted
} coif_hair_lobes;

// Fur: light scattered in the medulla, TTs and TRTs.
typedef struct coif_hair_scattered {
    coif_vec3 color[2];
    float weight[2];
    float inverse_variance, norm; // longitudinal
    float mean_cosine[2];         // azimuthal, negative for backscattering
    float center_sin[2], center_cos[2];
} coif_hair_scattered;

// The BSDF at one hit: everything that does not depend on wi.
typedef struct coif_hair_bsdf {
    coif_lanes sin_o, cos_o; // theta_o tilted, per lobe
    coif_lanes center;       // azimuthal centre of N_p
    // A_p in red, green and blue, and the probability of sampling the lobe; all of those sum to 1.
    coif_lanes lobe[COIF_HAIR_LOBES];
    float phi_y, phi_z;       // unit direction of wo across the fibre
    float cosine;             // of theta_o
    float h_refraction_scale; // h inside over h outside the fibre
    float path_length_scale;  // 1 / cos(theta_t): path length in the fibre over that in its section
    const coif_hair_lobes *lobes;
    coif_hair_scattered scattered; // fur only
} coif_hair_bsdf;

// Scaled Bessel function exp(-x) I0(x), as a factor and an exponent so that the caller evaluates a
// single exponential. Polynomials of Abramowitz and Stegun 9.8.1 and 9.8.2, error below 2e-7.
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

// Longitudinal lobes: theta_o tilted, 1 / v, and 1 / (v (1 - exp(-2 / v))).
typedef struct coif_hair_cone {
    coif_lanes sin_o, cos_o;
    coif_lanes inverse_v, norm;
} coif_hair_cone;

// M_p of d'Eon et al. 2011, normalised over the sphere:
//
//   M = exp(-sin_i sin_o / v) I0(cos_i cos_o / v) / (2 v sinh(1 / v))
//
// With the scaled I0 the exponents join to -(1 - cos_i cos_o + sin_i sin_o) / v, and that
// difference is written as a sum of squares: no cancellation, however small v is.
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

// Unpolarised Fresnel reflectance from outside, with one division for both polarisations.
static inline float coif_hair_fresnel(float cos_i, const coif_hair_lobes *lobes)
{
    // The lower bounds avoid 0 / 0 for an index of 1 at grazing angles.
    cos_i = coif_max(cos_i, 1e-6f);
    const float eta = lobes->eta;
    const float sin_t2 = (1.0f - cos_i * cos_i) * (lobes->inverse_eta * lobes->inverse_eta);
    const float cos_t = sqrtf(coif_max(1.0f - sin_t2, 1e-12f));
    const float parallel = eta * cos_i + cos_t, crossed = cos_i + eta * cos_t;
    const float a = (eta * cos_i - cos_t) * crossed, b = (cos_i - eta * cos_t) * parallel;
    const float denominator = parallel * crossed;
    return 0.5f * (a * a + b * b) / (denominator * denominator);
}

// N_p: logistic of angles from the lobe's centre, wrapped into [0, pi] and trimmed there.
static inline coif_lanes coif_hair_azimuthal(const coif_hair_lobes *lobes, coif_lanes x)
{
    const coif_lanes turns = (x * (1.0f / COIF_TWO_PI) + COIF_ROUNDING_MAGIC) - COIF_ROUNDING_MAGIC;
    x = coif_lanes_abs(x - turns * COIF_TWO_PI);
    const coif_lanes e = coif_lanes_exp(-x * lobes->inverse_scale);
    return e * lobes->n_norm / ((1.0f + e) * (1.0f + e));
}

#endif
