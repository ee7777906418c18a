// Rough dielectric BSDF (glass): reflection and refraction at GGX microfacets (Walter et al. 2007).
//
// Throughput carries radiance over the square of the surrounding index of refraction, which is
// invariant across an interface; paths begin and end in air, so the result is radiance. Energy lost
// to masking and shadowing is restored by a factor per direction (after Turquin 2019): colourless
// glass of any roughness conserves energy, but rough glass is not reciprocal. Triangle normals
// point outside.
#ifndef COIF_RENDER_BSDF_DIELECTRIC_H
#define COIF_RENDER_BSDF_DIELECTRIC_H

#include "core/base/vec.h"

#include <stdbool.h>

// Directional albedo by roughness (rows) and square root of the cosine (columns), seen from outside
// and then from inside.
enum { COIF_DIELECTRIC_ROWS = 17, COIF_DIELECTRIC_COLUMNS = 24 };
enum { COIF_DIELECTRIC_ALBEDO_COUNT = 2 * COIF_DIELECTRIC_ROWS * COIF_DIELECTRIC_COLUMNS };
void coif_dielectric_albedo_init(float albedo[COIF_DIELECTRIC_ALBEDO_COUNT], float eta);

typedef struct coif_dielectric_desc {
    float roughness, eta; // eta: index of refraction of the inside
    const float *albedo;  // of coif_dielectric_albedo_init; NULL: no energy compensation
    coif_vec3 color;      // of light that is refracted in and out again
    bool inside;          // wo is inside
    coif_vec3 wo;         // in the frame of the shading normal, z above 0
} coif_dielectric_desc;

typedef struct coif_dielectric {
    float eta; // index of the far side over that of the side of wo
    float alpha;
    float compensation; // 1 / directional albedo
    coif_vec3 color, wo;
} coif_dielectric;

void coif_dielectric_init(coif_dielectric *bsdf, const coif_dielectric_desc *desc);

// BSDF times cosine, and the pdf per solid angle; directions in the frame of the shading normal.
// The pdf counts reflections below the horizon and refractions above it, whose value is lost
// between facets.
coif_vec3 coif_dielectric_eval(const coif_dielectric *bsdf, coif_vec3 wi, float *pdf);
coif_vec3 coif_dielectric_sample(const coif_dielectric *bsdf, float u, coif_vec2 v);

#endif
