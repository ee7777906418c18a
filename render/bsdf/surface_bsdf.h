// surface: how a body scatters light: a ground under a thin rough coat, or metal, or glass.
//
// The coat is one GGX lobe or a mixture of two (ggx.h) with Schlick's Fresnel term. On its grazing
// side may lie a fuzz of fine hairs, w(cos) = (1 - cos)^3. What neither sends back is scattered
// evenly by the ground, coupled as Kelemen and Szirmay-Kalos 2001 do. With E what the coat sends
// back in all from a direction and v = sheen w (1 - E) what the fuzz does, T = 1 - E - v,
//
//   f cos_i = D G F / (4 cos_o) + (v_o v_i / <v> + c T_o T_i / <T>) cos_i / pi
//
// where <x> is 2 times the integral of x cos over the cosine. A white ground returns exactly what
// it got, at every angle and roughness. A leaf has a coat on either side and lets a share of the
// ground's light through, as even as what it sends back; it needs no inside. Metal has a coloured
// F0 and no ground; what its facets pass on to each other is added as Kulla and Conty 2017 do. All
// of these are reciprocal. Glass is in dielectric.h.
//
// All directions are unit, in the world, and leave the surface; values contain the cosine.
#ifndef COIF_RENDER_BSDF_SURFACE_BSDF_H
#define COIF_RENDER_BSDF_SURFACE_BSDF_H

#include "core/base/vec.h"
#include "render/bsdf/ggx_albedo.h"

typedef enum coif_surface_kind {
    COIF_SURFACE_LAYERED = 0,
    COIF_SURFACE_DIELECTRIC = 1
} coif_surface_kind;

typedef struct coif_surface {
    coif_vec3 color;
    float roughness;        // 0 to 1; its square is the width of the microfacet lobe
    float specular;         // reflectance of the coat seen straight on; 0 for none
    float metallic;         // 0 to 1: from ground under coat to metal
    float second_roughness; // of the coat's other lobe, which has second_share of it
    float second_share;
    float sheen;        // 0 to 1: what the fuzz sends back along the surface
    float subsurface;   // 0 to 1: how much of the ground's light wanders under it (subsurface.h)
    coif_vec3 radius;   // how far it wanders on average, per colour
    float translucency; // 0 to 1: share of the ground's light that leaves on the far side
    coif_vec3 far_tint; // colour that light has there besides
    coif_surface_kind kind;
    float eta;           // DIELECTRIC: index of refraction of the inside
    const float *energy; // DIELECTRIC: what its rough facets lose (dielectric.h); NULL for none
} coif_surface;

typedef struct coif_surface_bsdf {
    coif_surface surface;
    coif_vec3 flat;         // normal of the triangle, on the side of wo
    coif_vec3 normal, s, t; // shading normal and its frame
    coif_vec3 wo;
    bool inside; // wo lies on the side that the triangle turns away from
    float cos_o;
    float alpha, second_alpha;
    bool coated;       // there is a coat, though it may not be sampled
    float coat_chance; // of sampling the coat; 0: its value is left out
    float gloss_share; // of all that is sent back towards wo: by coat and fuzz

    // Layered: reflectance straight on, what coat and fuzz send back towards wo, and averages.
    coif_ggx_albedo energy, second_energy;
    coif_vec3 f0;
    coif_vec3 fuzz_o, through_o; // over their averages
    coif_vec3 far_o;             // as through_o, of light that leaves on the far side
    float far_chance;            // of sampling that side where the coat is not; 0: it is dark
    coif_vec3 metal_o;           // the same of what facets of metal pass on to each other
    float compensation;          // DIELECTRIC: makes up for what is lost between facets
    coif_vec3 local_o;           // wo in the frame (s, t, normal)
} coif_surface_bsdf;

// Flat and smooth are unit normals; flat is that of the triangle's own orientation.
void coif_surface_bsdf_at(coif_surface_bsdf *bsdf, const coif_surface *surface, coif_vec3 flat,
                          coif_vec3 smooth, coif_vec3 wo);

// The density counts directions below the horizon as well, which rough coats choose at times and
// whose value is 0: over the whole sphere it sums to 1.
coif_vec3 coif_surface_bsdf_eval(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf);
coif_vec3 coif_surface_bsdf_sample(const coif_surface_bsdf *bsdf, float u, coif_vec2 v);

#endif
