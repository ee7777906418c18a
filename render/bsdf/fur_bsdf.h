// fur_bsdf: what a scattering core, the medulla, adds to the scattering of a fibre.
//
// After the double cylinder of Yan et al. 2015 and 2017 ("Physically-Accurate Fur Reflectance", "An
// Efficient and Practical Near and Far Field Fur Reflectance Model"): a core of kappa radii inside
// the fibre scatters light. Beside R, TT, TRT and the rest there are TTs and TRTs, light that was
// scattered on its first way through the core and on a later one. With F the reflectance of the
// cuticle, u the share that goes through the core unscattered and a, a' absorption on the way:
//
//   R = F, TT = (1 - F)^2 u a, TRT = TT u a F, rest = TRT u a F / (1 - u a F)
//   TTs = (1 - F) (1 - u) a',  TRTs = TTs u a F / (1 - u a F)
//
// Their sum is 1 without absorption. What is assumed instead of looked up in tables:
// - Core and cortex have the same index: the core bends no rays.
// - Light that was scattered leaves the fibre; the cuticle does not send it back in.
// - Along the fibre scattered light keeps a mean cosine of g^n, n = tau / (1 - exp(-tau)) the mean
//   number of scatterings and tau the optical depth of the core; its lobe is a von Mises-Fisher
//   lobe with that mean.
// - Across the fibre it has a wrapped Cauchy distribution, Henyey and Greenstein's in the plane,
//   around the direction of TT or TRT, with a mean cosine of
//     g^n - 0.8 t^2 / (t^2 + 4 t + 20) (1 - (h / kappa)^2 / 2),   t = (1 - g) tau:
//   a thick core sends light back. Fitted to random walks; a test walks them again.
// - Its way through the core is on average as long as the straight one, however often it was
//   scattered (that is so for light from all sides, and within a fifth here).
#ifndef COIF_RENDER_BSDF_FUR_BSDF_H
#define COIF_RENDER_BSDF_FUR_BSDF_H

#include "render/bsdf/hair_bsdf.h"

// Scale is that of the logistic across the fibre.
coif_medulla coif_medulla_of(const coif_hair_bsdf_params *hair, float scale);

// One way through the fibre after refraction.
typedef struct coif_fur_pass {
    float h, cos_gamma, cos_theta;
    float reflected; // by one layer of the cuticle
} coif_fur_pass;

// Colours and weights of all lobes; angles and centres of the bsdf are set already.
void coif_fur_bsdf_init(coif_hair_bsdf *bsdf, const coif_fur_pass *pass, coif_vec3 absorption);

// Adds the scattered lobes to a value and its density.
coif_vec3 coif_fur_bsdf_add(const coif_hair_bsdf *bsdf, coif_vec3 f, coif_vec3 wi, float *pdf);

// A uniform number to an angle across the fibre, in turns, for one of the two scattered lobes.
float coif_fur_bsdf_sample_phi(const coif_hair_bsdf *bsdf, int lobe, float u);

#endif
