// shot: one picture of a production: what it is made from, posed, loaded and ready for rays.
#ifndef COIF_RENDER_SHOT_H
#define COIF_RENDER_SHOT_H

#include "render/production.h"

typedef struct coif_shot {
    int frame;
    coif_image_params image;
    coif_shutter shutter;
    int32_t steps;     // of bodies and hair: those of the shutter, 1 at rest
    coif_mesh *meshes; // steps per body, posed
    coif_look **looks; // one list per body
    coif_lights lights;
    uint64_t settings; // digest of everything its pixels depend on
} coif_shot;

// Poses bodies, loads textures, reads settings; strands are only asked for their digest, so that
// pictures which are there already cost little.
coif_status coif_shot_init(coif_shot *shot, coif_production *production, int frame,
                           coif_arena *arena, coif_error *error);

// Sets the stage: strands expanded, curves and hierarchy built. The caller closes stage->accel,
// also after a failure.
coif_status coif_shot_stage(coif_stage *stage, const coif_shot *shot, coif_production *production,
                            coif_arena *arena, coif_error *error);

#endif
