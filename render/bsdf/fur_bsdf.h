// Fur BSDF: the lobes that a scattering medulla adds to the hair BSDF.
//
// After the double cylinder of Yan et al. 2015 and 2017 ("Physically-Accurate Fur Reflectance", "An
// Efficient and Practical Near and Far Field Fur Reflectance Model"): a medulla of kappa radii
// inside the fibre scatters light. Beside R, TT, TRT and residual there are TTs and TRTs, scattered
// in the first or in a later pass through the medulla. With F the reflectance of the cuticle, u the
// fraction that passes the medulla unscattered and a, a' the absorption along the path:
//
//   R = F, TT = (1 - F)^2 u a, TRT = TT u a F, residual = TRT u a F / (1 - u a F)
//   TTs = (1 - F) (1 - u) a',  TRTs = TTs u a F / (1 - u a F)
//
// Their sum is 1 without absorption. The gain of the residual lobe acts on TTs and TRTs too.
// Assumptions in place of precomputed tables:
// - Medulla and cortex have the same index of refraction.
// - Scattered light leaves the fibre without internal reflection at the cuticle.
// - Longitudinally, scattered light has the mean cosine g^n, n = tau / (1 - exp(-tau)) the mean
//   number of scattering events and tau the optical depth of the medulla; the lobe is a von
//   Mises-Fisher lobe with that mean.
// - Azimuthally it has a wrapped Cauchy distribution (Henyey-Greenstein in the plane) around the
//   direction of TT or TRT, with the mean cosine
//     g^n - 0.8 t^2 / (t^2 + 4 t + 20) (1 - (h / kappa)^2 / 2),   t = (1 - g) tau:
//   an optically thick medulla scatters back. Fitted to random walks, which a test repeats.
// - The mean path length in the medulla equals that of the straight path for any number of
//   scattering events (exact for isotropic illumination, within 20 % here).
#ifndef COIF_RENDER_BSDF_FUR_BSDF_H
#define COIF_RENDER_BSDF_FUR_BSDF_H

#include "render/bsdf/hair_lobes.h"

// Scale is that of the azimuthal logistic.
coif_medulla coif_medulla_of(const coif_hair_bsdf_params *hair, float scale);

// The refracted ray in the fibre.
typedef struct coif_fur_refraction {
    float h, cos_gamma, cos_theta;
    float reflected; // by one layer of the cuticle
} coif_fur_refraction;

// Attenuations and sampling weights of all lobes; angles and centres of the bsdf are set already.
void coif_fur_bsdf_init(coif_hair_bsdf *bsdf, const coif_fur_refraction *pass,
                        coif_vec3 absorption);

// Adds TTs and TRTs to a value and its pdf.
coif_vec3 coif_fur_bsdf_add(const coif_hair_bsdf *bsdf, coif_vec3 f, coif_vec3 wi, float *pdf);

// Samples the azimuth, in turns, of TTs (lobe 0) or TRTs (lobe 1).
float coif_fur_bsdf_sample_phi(const coif_hair_bsdf *bsdf, int lobe, float u);

#endif
