// environment: light from all around, of one colour or from a picture of the whole sphere.
//
// The picture is latitude and longitude: row 0 is straight up, the middle column looks along -z.
// Directions are chosen in proportion to brightness, pixel by pixel.
#ifndef COIF_RENDER_LIGHTS_ENVIRONMENT_H
#define COIF_RENDER_LIGHTS_ENVIRONMENT_H

#include "render/shading/texture_cache.h"

typedef struct coif_environment {
    coif_vec3 tint;
    const coif_image_texture *texture; // NULL: tint alone
    float turn;                        // share of a full turn about y
    float average;                     // brightness, averaged over the sphere
    coif_vec3 lean;          // mean direction by brightness: longer where it comes from one side
    float *rows;             // height + 1: cumulative share of rows
    float *columns;          // (width + 1) per row: cumulative share within it
    uint16_t *row_guide;     // where to begin looking into them
    uint16_t *column_guides; // width per row
} coif_environment;

// Texture may be NULL; turn is in shares of a full turn.
void coif_environment_init(coif_environment *environment, coif_vec3 tint,
                           const coif_image_texture *texture, float turn, coif_arena *arena);

coif_vec3 coif_environment_eval(const coif_environment *environment, coif_vec3 direction);
// A direction, its density and its light.
coif_vec3 coif_environment_sample(const coif_environment *environment, coif_vec2 u, float *pdf,
                                  coif_vec3 *radiance);
float coif_environment_pdf(const coif_environment *environment, coif_vec3 direction);

#endif
