// Strand colour with ramps along the strand, such as grey roots or faded dye at the tips.
//
// Colours are computed once per strand (strand_color.h) while colour parameters are constant or
// mapped. Only grooms with a ramp on such a parameter compute colour at every hit.
#ifndef COIF_RENDER_SHADING_STRAND_COLOR_RAMP_H
#define COIF_RENDER_SHADING_STRAND_COLOR_RAMP_H

#include "render/shading/hair_varying_params.h"

typedef struct coif_strand_color_ramp {
    const coif_hair_maps *maps; // NULL: none
    int32_t count;
    coif_varying_param *rows; // parameters with a ramp
    const coif_strand_variation *variations;
} coif_strand_color_ramp;

// The colour ramps of the groom's "hair"; NULL when there are none. Maps must outlive it.
const coif_strand_color_ramp *coif_strand_color_ramp_of(const coif_hair_material *material,
                                                        const coif_strand_color_desc *desc,
                                                        coif_arena *arena);

// Absorption per radius of a strand at a position from root (0) to tip (1).
coif_vec3 coif_strand_color_ramp_at(const coif_strand_color_ramp *ramp,
                                    const coif_hair_material *material, int32_t strand,
                                    float position);

#endif
