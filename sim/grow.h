// grow: rest strands from roots: straight growth along the normal, then the stack of modifiers.
#ifndef COIF_SIM_GROW_H
#define COIF_SIM_GROW_H

#include "core/body.h"
#include "core/groom.h"
#include "plugins/host.h"

typedef struct coif_groom_params {
    const char *name;
    const char *body;
    const char *group; // of the body's mesh; "" for all of it
    const char *file;  // a .hair file to take strands from instead of growing them; "" for none
    int32_t count;     // roots at density 1
    int32_t points;    // per strand
    int32_t seed;
    float density;   // mappable
    float length;    // metres, mappable
    float radius;    // metres, mappable, ramp
    float simulated; // share of strands that are simulated; the others follow
} coif_groom_params;

extern const coif_param COIF_GROOM_PARAMS[];
extern const uint32_t COIF_GROOM_PARAM_COUNT;
extern const coif_section COIF_MAPS_SECTION;      // "maps": named scalp maps of a groom
extern const coif_section COIF_MODIFIERS_SECTION; // "modifiers": groom plugins, in order

coif_status coif_groom_grow(coif_groom *groom, const coif_node *node, const coif_scene *scene,
                            const coif_body *body, coif_arena *arena, coif_jobs *jobs,
                            coif_error *error);

#endif
