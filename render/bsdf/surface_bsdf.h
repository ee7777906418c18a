// Surface BSDF: a diffuse base under a thin rough specular coat, metal, or glass.
//
// The coat is one GGX lobe or a mixture of two (ggx.h) with Schlick's Fresnel term. Above it may
// lie sheen, w(cos) = (1 - cos)^3. What neither reflects reaches the diffuse base, coupled as in
// Kelemen and Szirmay-Kalos 2001. With E the directional albedo of the coat, v = sheen w (1 - E)
// that of the sheen, and T = 1 - E - v,
//
//   f cos_i = D G F / (4 cos_o) + (v_o v_i / <v> + c T_o T_i / <T>) cos_i / pi
//
// where <x> is 2 times the integral of x cos over the cosine. A white base conserves energy
// exactly, at every angle and roughness. A thin leaf has a coat on either side and transmits a
// fraction of the base's light diffusely; it has no interior. Metal has a coloured F0 and no base;
// multiple scattering between its facets is added as in Kulla and Conty 2017. All of these are
// reciprocal. Glass is in dielectric.h.
//
// All directions are unit vectors in world space that leave the surface; values contain the cosine.
#ifndef COIF_RENDER_BSDF_SURFACE_BSDF_H
#define COIF_RENDER_BSDF_SURFACE_BSDF_H

#include "core/base/vec.h"
#include "render/bsdf/dielectric.h"
#include "render/bsdf/ggx_albedo.h"

typedef enum coif_surface_kind {
    COIF_SURFACE_LAYERED = 0,
    COIF_SURFACE_DIELECTRIC = 1
} coif_surface_kind;

// Parameters at one point, textures evaluated.
typedef struct coif_surface {
    coif_vec3 color;
    float roughness;       // 0 to 1; its square is alpha of the microfacet distribution
    float specular;        // F0 of the coat; 0: no coat
    float metallic;        // 0 to 1: from diffuse base under a coat to metal
    float coat2_roughness; // of the second lobe of the coat
    float coat2_weight;    // of the second lobe, 0 to 1
    float sheen;           // 0 to 1: reflectance at grazing angles
    float subsurface;      // 0 to 1: fraction of the base's light that scatters below the surface
    coif_vec3 subsurface_radius; // mean scattering distance per colour
    float translucency;          // 0 to 1: fraction of the base's light that is transmitted
    coif_vec3 transmission_tint; // further colour of transmitted light
    coif_surface_kind kind;
    float eta;                      // DIELECTRIC: index of refraction of the inside
    const float *dielectric_albedo; // DIELECTRIC: table of dielectric.h; NULL: no compensation
} coif_surface;

typedef struct coif_surface_bsdf {
    coif_surface surface;
    coif_vec3 geometric_normal; // of the triangle, on the side of wo
    coif_vec3 horizon; // normal above whose plane reflected light leaves: the geometric normal, or
                       // that of the smooth surface where rays start there
    coif_vec3 normal, s, t; // shading normal and its frame
    coif_vec3 wo;
    coif_vec3 local_o; // wo in the frame (s, t, normal)
    bool inside;       // wo is on the back side of the triangle
    float cos_o;
    float alpha, coat2_alpha;
    bool coated;          // there is a coat, though it may not be sampled
    float coat_prob;      // probability of sampling the coat; 0: its value is left out
    float gloss_fraction; // of the reflectance towards wo: coat and sheen

    // LAYERED. The _o terms are those of wo over their averages.
    coif_ggx_albedo albedo, coat2_albedo;
    coif_vec3 f0;
    coif_vec3 sheen_o, base_o;
    coif_vec3 transmission_o;   // as base_o, of light that leaves on the far side
    float transmission_prob;    // of sampling the far side where the coat is not sampled
    coif_vec3 metal_o;          // multiple scattering between facets of metal
    coif_dielectric dielectric; // DIELECTRIC
} coif_surface_bsdf;

// Both normals are unit vectors in the triangle's own orientation.
void coif_surface_bsdf_init(coif_surface_bsdf *bsdf, const coif_surface *surface,
                            coif_vec3 geometric_normal, coif_vec3 shading_normal, coif_vec3 wo);

// BSDF times cosine, and the pdf per solid angle. The pdf also covers directions below the horizon,
// which rough coats sample at times and whose value is 0: it integrates to 1 over the sphere.
coif_vec3 coif_surface_bsdf_eval(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf);
coif_vec3 coif_surface_bsdf_sample(const coif_surface_bsdf *bsdf, float u, coif_vec2 v);

#endif
