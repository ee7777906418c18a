// ggx_energy: how much light a rough mirror sends back in all, by roughness and angle.
//
// With Schlick's Fresnel term of reflectance F0 a layer of facets reflects F0 base + edge of what
// arrives at a cosine; what is missing to 1 may be given to what lies below. Facets that pass light
// on to each other are not counted, so even F0 = 1 gives less than 1.
#ifndef COIF_RENDER_BSDF_GGX_ALBEDO_H
#define COIF_RENDER_BSDF_GGX_ALBEDO_H

#include "core/base/base.h"

// The table's rows for one roughness, and what its entries are on average over the hemisphere,
// 2 times the integral of (...) cos over the cosine: of base, of edge, and of both times
// (1 - cos)^3, the fuzz of surface.h.
typedef struct coif_ggx_albedo {
    int32_t row;
    float share; // of the next row
    float base, edge, fuzzy_base, fuzzy_edge;
} coif_ggx_albedo;

coif_ggx_albedo coif_ggx_albedo_of(float roughness);
void coif_ggx_albedo_at(const coif_ggx_albedo *energy, float cosine, float *base, float *edge);

#endif
