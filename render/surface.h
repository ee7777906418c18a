// surface: how a body's skin scatters light: a diffuse ground under a thin rough coat.
//
// The coat is a GGX microfacet layer (Walter et al. 2007) with Schlick's Fresnel term; what it lets
// through is scattered evenly, coupled as Kelemen and Szirmay-Kalos 2001 do, so that the two
// together never return more than they got:
//
//   f cos = D G F / (4 cos_o) + c / pi (1 - F_o) (1 - F_i) / (1 - F_average) cos_i
//
// All directions are unit, in the world, and leave the surface; values contain the cosine.
#ifndef COIF_RENDER_SURFACE_H
#define COIF_RENDER_SURFACE_H

#include "core/vec.h"

typedef struct coif_surface {
    coif_vec3 color;
    float roughness; // 0 to 1; its square is the width of the microfacet lobe
    float specular;  // reflectance of the coat seen straight on; 0 for none
} coif_surface;

typedef struct coif_surface_bsdf {
    coif_surface surface;
    coif_vec3 flat;         // normal of the triangle, on the side of wo
    coif_vec3 normal, s, t; // shading normal and its frame
    coif_vec3 wo;
    float cos_o, through_o; // through_o: 1 - F_o, over 1 - F_average
    float alpha;
    float coat_chance;
} coif_surface_bsdf;

// Flat and smooth are unit normals of any orientation.
coif_surface_bsdf coif_surface_bsdf_at(const coif_surface *surface, coif_vec3 flat,
                                       coif_vec3 smooth, coif_vec3 wo);
coif_vec3 coif_surface_bsdf_eval(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf);
coif_vec3 coif_surface_bsdf_sample(const coif_surface_bsdf *bsdf, float u, coif_vec2 v);

#endif
