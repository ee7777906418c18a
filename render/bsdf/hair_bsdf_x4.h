// Hair BSDF for four directions at once, optionally at four offsets h.
//
// Equals coif_hair_bsdf_eval to float precision. There the SIMD lanes are the lobes of one
// direction; here they are four directions, so that refraction, attenuation and angles vectorise as
// well. Not for fur; four offsets only for round fibres.
#ifndef COIF_RENDER_BSDF_HAIR_BSDF_X4_H
#define COIF_RENDER_BSDF_HAIR_BSDF_X4_H

#include "render/bsdf/hair_bsdf.h"

enum { COIF_QUERY_X4 = 4 };

typedef struct coif_hair_query_x4 {
    coif_lanes x, y, z;   // wi, in the frame of coif_hair_bsdf_init_local
    coif_lanes h;         // random_h: offset of each direction
    coif_vec3 absorption; // random_h
} coif_hair_query_x4;

typedef struct coif_bsdf_values_x4 {
    coif_lanes red, green, blue; // f
    coif_lanes pdf;
} coif_bsdf_values_x4;

// At the h of the bsdf, which coif_hair_bsdf_init_local has set up.
coif_bsdf_values_x4 coif_hair_bsdf_eval_x4(const coif_hair_bsdf *bsdf,
                                           const coif_hair_query_x4 *query);

// Each direction at its own h.
coif_bsdf_values_x4 coif_hair_bsdf_eval_x4_random_h(const coif_hair_bsdf *bsdf,
                                                    const coif_hair_query_x4 *query);

#endif
