// What a path records for AOVs besides its radiance: the primary hit and the split by light.
#ifndef COIF_RENDER_INTEGRATOR_PATH_AOVS_H
#define COIF_RENDER_INTEGRATOR_PATH_AOVS_H

#include "core/base/vec.h"
#include "render/film/aov.h"

// The camera ray's hit, for AOVs.
typedef struct coif_primary_hit {
    float alpha;              // coverage: 1, less through transparent strands, 0 for none
    float distance;           // along the ray
    coif_vec3 normal, albedo; // times alpha
    coif_vec3 position;       // strands: on the centre line
    coif_vec3 tangent;        // of strands, unit; zero elsewhere
    bool hair;                // a strand, as fibre or ribbon
    // A shadow catcher: direct light with and without shadows, and the background behind it. Alpha
    // is 0 then, and none of this is in the path's radiance.
    bool is_shadow_catcher;
    coif_vec3 shadowed, unshadowed, background;
    int32_t geometry, primitive, instance; // as in coif_ray_hit, as u and v
    float u, v;
} coif_primary_hit;

// Radiance split by kind and by light group, for AOVs that add up to the beauty image (aov.h). The
// caller zeroes it.
typedef struct coif_light_aovs {
    coif_vec3 parts[COIF_AOV_LIGHT]; // by kind: R, TT, TRT, multiple, surface, ... indirect
    coif_vec3 groups[COIF_MAX_LIGHT_GROUPS];
} coif_light_aovs;

#endif
