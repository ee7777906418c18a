// Directional albedo of a GGX coat by roughness and cosine.
//
// With Schlick's Fresnel term of reflectance F0 the albedo at a cosine is F0 scale + bias, the form
// of the split-sum table (Karis 2013). Multiple scattering between facets is not counted, so the
// albedo is below 1 even for F0 = 1.
#ifndef COIF_RENDER_BSDF_GGX_ALBEDO_H
#define COIF_RENDER_BSDF_GGX_ALBEDO_H

#include "core/base/base.h"

// The table row of one roughness, and hemispherical averages, 2 times the integral of (...) cos
// over the cosine: of scale, of bias, and of both times (1 - cos)^3, the sheen of surface_bsdf.h.
typedef struct coif_ggx_albedo {
    int32_t row;
    float row_fraction; // towards the next row
    float scale, bias, sheen_scale, sheen_bias;
} coif_ggx_albedo;

coif_ggx_albedo coif_ggx_albedo_of(float roughness);
void coif_ggx_albedo_at(const coif_ggx_albedo *albedo, float cosine, float *scale, float *bias);

#endif
