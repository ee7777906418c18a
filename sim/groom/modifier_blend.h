// grow_blend: how much of a modifier counts.
//
// A strand lies between what it was and what the modifier made of it, by amount times mask.
// Straight lines between two places cut corners: hair that is combed half over would be shorter
// than before and after. So no segment is shorter than the shorter of the two it lies between, nor
// longer than the longer.
#ifndef COIF_SIM_GROOM_MODIFIER_BLEND_H
#define COIF_SIM_GROOM_MODIFIER_BLEND_H

#include "sim/groom/modifiers.h"

typedef struct coif_blend {
    coif_strand_buffer *growth;     // as the modifier left it
    const coif_strand_view *before; // as it was
    const coif_param_values *amount, *mask;
} coif_blend;

// Where all of it counts the modifier's own bits stay. [worker]
void coif_blend_strand(const coif_blend *blend, int32_t strand);

#endif
