// Hair BSDF: near-field scattering of one fibre.
//
// The model of Chiang et al. 2016 ("A Practical and Controllable Hair and Fur Model for Production
// Path Tracing") on Marschner et al. 2003 and d'Eon et al. 2011: reflection (R), transmission (TT),
// one internal reflection (TRT), and all higher orders (residual), each a product of a longitudinal
// lobe M, an azimuthal lobe N and an attenuation A:
//
//   f(wo, wi) = sum_p M_p(theta_o, theta_i) A_p(h, theta_o) N_p(phi_i - phi_o, h)
//
// h in [-1, 1] is the offset across the width at which the ray of wo hits the fibre: h = x . (n x
// wo) for the outward normal n, wo projected across the fibre. Values contain the cosine: outgoing
// radiance is the integral of f L over the sphere. Frame: hair_lobes.h.
//
// Fur has two more lobes, see fur_bsdf.h. The model conserves energy: without absorption f
// integrates to 1 for every h, wo and roughness. It is not reciprocal (A and the tilt use theta_o
// only).
#ifndef COIF_RENDER_BSDF_HAIR_BSDF_H
#define COIF_RENDER_BSDF_HAIR_BSDF_H

#include "render/bsdf/hair_lobes.h"
#include "render/math/ellipse.h"

coif_hair_lobes coif_hair_lobes_of(const coif_hair_bsdf_params *hair);

// Absorption is per fibre radius. Lobes must outlive the result.
coif_hair_bsdf coif_hair_bsdf_at(const coif_hair_lobes *lobes, coif_vec3 absorption, float h,
                                 coif_vec3 wo);

// The same for wo in the half-plane z = 0, y > 0.
void coif_hair_bsdf_init_local(coif_hair_bsdf *bsdf, const coif_hair_lobes *lobes,
                               coif_vec3 absorption, float h, float sin_o);

// The same for a fibre of elliptical section without medulla, see ellipse_bsdf.h.
void coif_hair_bsdf_init_ellipse(coif_hair_bsdf *bsdf, const coif_hair_lobes *lobes,
                                 coif_vec3 absorption, float h, float sin_o,
                                 const coif_ellipse *section);

// f, and the pdf of sampling wi per solid angle.
coif_vec3 coif_hair_bsdf_eval(const coif_hair_bsdf *bsdf, coif_vec3 wi, float *pdf);

// f by lobe: R, TT, TRT, residual; the medulla's scattering counts as residual.
void coif_hair_bsdf_lobes(const coif_hair_bsdf *bsdf, coif_vec3 wi,
                          coif_vec3 lobes[COIF_HAIR_LOBES]);

// A direction from three uniform numbers in [0, 1).
coif_vec3 coif_hair_bsdf_sample(const coif_hair_bsdf *bsdf, float u, coif_vec2 v);

// Sample and eval in one, which saves recomputing angles.
coif_vec3 coif_hair_bsdf_sample_eval(const coif_hair_bsdf *bsdf, float u, coif_vec2 v, coif_vec3 *f,
                                     float *pdf);

#endif
