// dielectric: rough glass, which reflects and refracts (Walter et al. 2007).
//
// Paths carry radiance over the square of the index around them, which keeps its value through an
// interface; since they begin and end in air, that is what is seen. What facets lose by shadowing
// each other is made up for by a factor per angle (after Turquin 2019), so clear glass of any
// roughness returns all light; with it rough glass is not reciprocal. The outside is where
// triangles face.
#ifndef COIF_RENDER_BSDF_DIELECTRIC_H
#define COIF_RENDER_BSDF_DIELECTRIC_H

#include "render/bsdf/surface_bsdf.h"

// Numbers in a table of what is left of the light, from outside and from inside.
enum { COIF_DIELECTRIC_ROWS = 17, COIF_DIELECTRIC_COLUMNS = 24 };
enum { COIF_DIELECTRIC_ALBEDO_COUNT = 2 * COIF_DIELECTRIC_ROWS * COIF_DIELECTRIC_COLUMNS };
void coif_dielectric_albedo_init(float energy[COIF_DIELECTRIC_ALBEDO_COUNT], float eta);

// What surface.h does for its surfaces. Wi is given in the world and in the frame of the normal;
// samples are in the frame.
void coif_dielectric_at(coif_surface_bsdf *bsdf);
coif_vec3 coif_dielectric_eval(const coif_surface_bsdf *bsdf, coif_vec3 wi, coif_vec3 local,
                               float *pdf);
coif_vec3 coif_dielectric_sample(const coif_surface_bsdf *bsdf, float u, coif_vec2 v);

#endif
