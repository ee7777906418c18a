// modifiers: runs the stack of groom plugins over all strands.
#ifndef COIF_SIM_GROOM_MODIFIERS_H
#define COIF_SIM_GROOM_MODIFIERS_H

#include "sim/groom/varying_params.h"

typedef struct coif_modifier_params {
    const char *name;
    float amount, mask;
    int32_t enabled;
} coif_modifier_params;

// Runs the entries of the groom's "modifiers" in order.
coif_status coif_modifiers_apply(coif_strand_buffer *buffer, const coif_generate_services *services,
                                 coif_error *error);

#endif
