// hair_bsdf: how one fibre scatters light, seen from close by.
//
// The near-field model of Chiang et al. 2016 ("A Practical and Controllable Hair and Fur Model for
// Production Path Tracing") on Marschner et al. 2003 and d'Eon et al. 2011: light that is reflected
// (R), goes through (TT), comes back after one inner reflection (TRT), and all the rest, each a
// product of a longitudinal lobe M, an azimuthal lobe N and an attenuation A:
//
//   f(wo, wi) = sum_p M_p(theta_o, theta_i) A_p(h, theta_o) N_p(phi_i - phi_o, h)
//
// Frame: x along the fibre from root to tip, y and z across. Directions are unit and leave the
// fibre; sin(theta) = w.x, phi = atan2(w.z, w.y). h in [-1, 1] is where the ray from wo meets the
// width of the fibre: h = x . (n x wo) for the outward normal n, wo taken across the fibre. The
// value contains the cosine: the light that leaves is the integral of f L over the sphere.
//
// Fur has two more lobes, see fur_bsdf.h. Everything is conserved: without absorption f integrates
// to 1 for every h, wo and roughness. The model is not reciprocal (A and the tilt know theta_o
// only), so nothing here may rely on swapping.
#ifndef COIF_RENDER_BSDF_HAIR_BSDF_H
#define COIF_RENDER_BSDF_HAIR_BSDF_H

#include "core/base/vec.h"
#include "render/math/fast_math.h"

// What a person sets.
typedef struct coif_hair_bsdf_params {
    float eta;    // index of refraction
    float beta_m; // roughness along the fibre, 0 to 1
    float beta_n; // roughness across it, 0 to 1
    float alpha;  // tilt of the cuticle scales, radians

    // Fur: a core that scatters, see fur_bsdf.h. All 0 for hair.
    float medulla;    // radius of the core, share of the fibre's
    float scattering; // per fibre radius in the core
    float anisotropy; // mean cosine of one scattering
    float pigment;    // of the core, share of the absorption around it
    float layers;     // of the cuticle
} coif_hair_bsdf_params;

typedef struct coif_medulla {
    float radius; // 0: hair
    float scattering, anisotropy, pigment, layers;
    float log_anisotropy;
    float blur; // what the cuticle's roughness leaves of a mean cosine across the fibre
} coif_medulla;

// What follows from that for every hit: lanes are the lobes R, TT, TRT, rest.
typedef struct coif_hair_lobes {
    coif_lanes inverse_variance; // 1 / v_p
    coif_lanes m_norm;           // 1 / (v (1 - exp(-2 / v)))
    coif_lanes variance;         // v_p
    coif_lanes tail;             // exp(-2 / v)
    coif_lanes tilt_sin, tilt_cos;
    float scale, inverse_scale; // s of the logistic, 1 / s
    float n_norm;               // of the logistic cut off at +-pi, with its 1 / s
    float logistic_low;         // its cumulative value at -pi
    float eta, inverse_eta;
    coif_medulla medulla;
} coif_hair_lobes;

coif_hair_lobes coif_hair_lobes_of(const coif_hair_bsdf_params *hair);

// Light that was scattered in the core on its first way through, and on later ones.
typedef struct coif_hair_scattered {
    coif_vec3 color[2];
    float weight[2];
    float inverse_variance, norm; // along the fibre
    float focus[2];               // mean cosine across it, negative for backwards
    float centre_sin[2], centre_cos[2];
} coif_hair_scattered;

enum { COIF_HAIR_LOBES = 4 };

// One hit. What does not depend on wi is worked out here, so that eval is cheap.
typedef struct coif_hair_bsdf {
    coif_lanes sin_o, cos_o; // theta_o tilted, per lobe
    coif_lanes centre;       // where N_p is centred
    // A_p in red, green and blue, and the chance of choosing the lobe; all chances sum to 1.
    coif_lanes lobe[COIF_HAIR_LOBES];
    float across_y, across_z; // unit direction of wo across the fibre
    float cosine;             // of theta_o
    float bend;               // h inside over h outside: how refraction bends across the fibre
    float stretch;            // a way through is so much longer than across
    const coif_hair_lobes *lobes;
    coif_hair_scattered scattered; // fur only
} coif_hair_bsdf;

// Absorption is per fibre radius. Lobes must outlive the result.
coif_hair_bsdf coif_hair_bsdf_at(const coif_hair_lobes *lobes, coif_vec3 absorption, float h,
                                 coif_vec3 wo);

// The same where wo has no z and y above 0.
void coif_hair_bsdf_init_local(coif_hair_bsdf *bsdf, const coif_hair_lobes *lobes,
                               coif_vec3 absorption, float h, float sin_o);

// f, and through pdf the density per solid angle with which sample would have found wi.
coif_vec3 coif_hair_bsdf_eval(const coif_hair_bsdf *bsdf, coif_vec3 wi, float *pdf);

// The same f told apart: R, TT, TRT, rest with what the core of fur scatters.
void coif_hair_bsdf_lobes(const coif_hair_bsdf *bsdf, coif_vec3 wi,
                          coif_vec3 lobes[COIF_HAIR_LOBES]);

// Three uniform numbers in [0, 1) to a direction.
coif_vec3 coif_hair_bsdf_sample(const coif_hair_bsdf *bsdf, float u, coif_vec2 v);

// The same with what eval says of it, for less: the angles are at hand.
coif_vec3 coif_hair_bsdf_sample_eval(const coif_hair_bsdf *bsdf, float u, coif_vec2 v, coif_vec3 *f,
                                     float *pdf);

#endif
