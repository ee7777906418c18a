// hair_optics: fibres of one groom that scatter light differently, from strand to strand by scalp
// maps and along the strand by ramps.
//
// Lobes are the same for a whole groom as long as its rows are plain numbers, and are then worked
// out once. Only grooms with a map or a ramp on such a row pay for lobes at every hit.
#ifndef COIF_RENDER_SHADING_HAIR_VARYING_PARAMS_H
#define COIF_RENDER_SHADING_HAIR_VARYING_PARAMS_H

#include "render/shading/hair_params.h"
#include "render/shading/strand_color.h"

typedef struct coif_optic {
    uint32_t offset; // of the field in coif_hair_params
    int32_t width;   // how many numbers it has
    float low, high;
    const float *values;    // as many per strand; NULL: those of the fibre
    const coif_value *ramp; // NULL: none
} coif_optic;

typedef struct coif_hair_optics {
    int32_t count;
    bool ramped; // some row has a ramp: places along the strand matter
    coif_optic *rows;
} coif_hair_optics;

// Whether a field of coif_hair_params is one of these; the others are about colour.
bool coif_hair_is_optic(uint32_t offset);

// What differs in the groom's "hair"; NULL when nothing does.
const coif_hair_optics *coif_hair_optics_of(const coif_node *hair, const coif_hair_maps *maps,
                                            coif_arena *arena);

// Multiplies a field by its ramp.
void coif_optic_scale(const coif_optic *row, float place, coif_hair_params *params);

// The rows of a strand at a place from root (0) to tip (1), and the lobes they give.
coif_hair_params coif_hair_optics_read(const coif_hair_optics *optics,
                                       const coif_hair_material *fibre, int32_t strand,
                                       float place);
coif_hair_lobes coif_hair_optics_at(const coif_hair_optics *optics, const coif_hair_material *fibre,
                                    int32_t strand, float place);

#endif
