// hair_optics: fibres of one groom that scatter light differently, from strand to strand by scalp
// maps and along the strand by ramps.
//
// Lobes are the same for a whole groom as long as its rows are plain numbers, and are then worked
// out once. Only grooms with a map or a ramp on such a row pay for lobes at every hit.
#ifndef COIF_RENDER_SHADING_HAIR_VARYING_PARAMS_H
#define COIF_RENDER_SHADING_HAIR_VARYING_PARAMS_H

#include "render/shading/hair_params.h"
#include "render/shading/strand_color.h"

typedef struct coif_varying_param {
    uint32_t offset; // of the field in coif_hair_params
    int32_t width;   // how many numbers it has
    float low, high;
    const float *values;    // as many per strand; NULL: those of the fibre
    const coif_value *ramp; // NULL: none
} coif_varying_param;

typedef struct coif_hair_varying_params {
    int32_t count;
    bool ramped; // some row has a ramp: places along the strand matter
    coif_varying_param *rows;
} coif_hair_varying_params;

// Whether a field of coif_hair_params is one of these; the others are about colour.
bool coif_hair_param_is_optical(uint32_t offset);

// What differs in the groom's "hair"; NULL when nothing does.
const coif_hair_varying_params *coif_hair_varying_params_of(const coif_node *hair,
                                                            const coif_hair_maps *maps,
                                                            coif_arena *arena);

// Multiplies a field by its ramp.
void coif_varying_param_apply_ramp(const coif_varying_param *row, float place,
                                   coif_hair_params *params);

// The rows of a strand at a place from root (0) to tip (1), and the lobes they give.
coif_hair_params coif_hair_varying_params_eval(const coif_hair_varying_params *optics,
                                               const coif_hair_material *fibre, int32_t strand,
                                               float place);
coif_hair_lobes coif_hair_varying_lobes(const coif_hair_varying_params *optics,
                                        const coif_hair_material *fibre, int32_t strand,
                                        float place);

#endif
