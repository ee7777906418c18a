// hair_tries: the hair BSDF for four directions at once, each met at an offset of its own.
//
// The same values as coif_hair_bsdf_eval, to the precision of a float. There the lanes are the
// lobes of one direction; here they are four directions, so that what does not vectorise over lobes
// (refraction, attenuation, angles) costs a quarter. Not for fur.
#ifndef COIF_RENDER_BSDF_HAIR_BSDF_X4_H
#define COIF_RENDER_BSDF_HAIR_BSDF_X4_H

#include "render/bsdf/hair_bsdf.h"

enum { COIF_QUERY_X4 = 4 };

typedef struct coif_hair_query_x4 {
    coif_lanes x, y, z;   // of wi, where wo lies in the plane of x and y, on the side of y
    coif_lanes h;         // for apart: where each one's ray meets the width
    coif_vec3 absorption; // for apart
} coif_hair_query_x4;

typedef struct coif_bsdf_values_x4 {
    coif_lanes red, green, blue; // f
    coif_lanes pdf;
} coif_bsdf_values_x4;

// A fibre that was made by coif_hair_bsdf_init_local.
coif_bsdf_values_x4 coif_hair_bsdf_eval_x4(const coif_hair_bsdf *bsdf,
                                           const coif_hair_query_x4 *tries);

// The same as if each ray had met the fibre at an offset of its own.
coif_bsdf_values_x4 coif_hair_bsdf_eval_x4_random_h(const coif_hair_bsdf *bsdf,
                                                    const coif_hair_query_x4 *tries);

#endif
