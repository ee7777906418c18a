// modifier_blend: amount and mask of a modifier.
//
// A strand is interpolated between its shape before and after the modifier by amount times mask.
// Linear interpolation of positions would shorten segments that rotate, so each segment length
// is clamped to the range of the two it is interpolated between.
#ifndef COIF_SIM_GROOM_MODIFIER_BLEND_H
#define COIF_SIM_GROOM_MODIFIER_BLEND_H

#include "sim/groom/varying_params.h"

typedef struct coif_blend {
    coif_strand_buffer *buffer;     // after the modifier
    const coif_strand_view *before; // before the modifier
    const coif_param_values *amount, *mask;
} coif_blend;

// Where amount is 1 the result keeps the bits of the modifier. [worker]
void coif_blend_strand(const coif_blend *blend, int32_t strand);

#endif
