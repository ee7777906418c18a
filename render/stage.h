// stage: everything one picture is made from, ready for rays.
//
// Shapes are numbered as the accel numbers them. Nothing here changes while rays are traced.
#ifndef COIF_RENDER_STAGE_H
#define COIF_RENDER_STAGE_H

#include "render/accel.h"
#include "render/hair_color.h"
#include "render/light.h"
#include "render/material.h"

// Curves with their fibre, or a mesh with its looks.
typedef struct coif_shape {
    const coif_curves *curves;
    const coif_strands *strands; // the points behind curves
    const uint32_t *random;      // per strand; NULL for none
    const coif_fibre *fibre;

    const coif_mesh *mesh;
    const coif_look *looks;
} coif_shape;

typedef struct coif_stage {
    coif_accel *accel;
    coif_shape *shapes;
    int32_t shape_count;
    coif_lights lights;
    coif_camera camera;
    coif_vec3 background; // seen where nothing else is
    bool transparent;     // background is left out of the picture
    int32_t max_depth;    // scatterings per path; 0 for as many as it takes
    float clamp;          // most that one indirect contribution may add; 0 for no limit
} coif_stage;

#endif
