// hair_pigment: colour of strands that ramps change between root and tip: roots that grew out, grey
// at the temples, dye that was washed out of the ends.
//
// Strands are painted once (hair_paint.h) as long as colour rows are plain or mapped. Only grooms
// with a ramp on such a row pay for their colour at every hit.
#ifndef COIF_RENDER_SHADING_STRAND_COLOR_RAMP_H
#define COIF_RENDER_SHADING_STRAND_COLOR_RAMP_H

#include "render/shading/hair_varying_params.h"

typedef struct coif_strand_color_ramp {
    const coif_hair_maps *maps; // NULL: none
    int32_t count;
    coif_varying_param *rows; // those with a ramp
    const coif_strand_variation *traits;
} coif_strand_color_ramp;

// What ramps change in the groom's "hair"; NULL when nothing is. Maps must outlive it.
const coif_strand_color_ramp *coif_strand_color_ramp_of(const coif_hair_material *fibre,
                                                        const coif_strand_color_desc *desc,
                                                        coif_arena *arena);

// Absorption per radius of a strand at a place from root (0) to tip (1).
coif_vec3 coif_strand_color_ramp_at(const coif_strand_color_ramp *pigment,
                                    const coif_hair_material *fibre, int32_t strand, float place);

#endif
