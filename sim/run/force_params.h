// force_params: "forces" of a scene, beside the parameters of their plugins.
#ifndef COIF_SIM_RUN_FORCE_PARAMS_H
#define COIF_SIM_RUN_FORCE_PARAMS_H

#include "core/scene/scene.h"

enum { COIF_REGION_EVERYWHERE, COIF_REGION_BOX, COIF_REGION_BALL };

typedef struct coif_force_params {
    const char *name;
    int32_t enabled;
    const char *parent;  // body that the force rides on; NULL or "": none
    const char *affects; // names and tags of grooms; NULL or "": all
    float amount;
    float mask; // of the root, and its ramp along the strand
    int32_t region;
    float region_center[3];
    float region_size[3]; // of a box, edge lengths
    float region_radius;  // of a ball
    float region_falloff; // distance over which the force fades outside of the region
} coif_force_params;

extern const coif_section COIF_FORCES_SECTION;

#endif
