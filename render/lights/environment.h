// Environment light: constant, or a latitude-longitude image.
//
// Row 0 of the image is straight up, the middle column is the direction -z. Importance sampling is
// by luminance times solid angle of the pixels.
#ifndef COIF_RENDER_LIGHTS_ENVIRONMENT_H
#define COIF_RENDER_LIGHTS_ENVIRONMENT_H

#include "render/shading/texture.h"

typedef struct coif_environment {
    coif_vec3 tint;
    const coif_image_texture *texture; // NULL: tint alone
    float rotation;                    // about y, in turns
    float average;                     // luminance, averaged over the sphere
    coif_vec3 mean_direction;          // weighted by luminance, not of unit length: 0 if uniform
    float *row_cdf;                    // height + 1
    float *column_cdf;                 // (width + 1) per row
    uint16_t *row_guide;               // guide table: start of the CDF search
    uint16_t *column_guides;           // width per row
} coif_environment;

// Texture may be NULL.
void coif_environment_init(coif_environment *environment, coif_vec3 tint,
                           const coif_image_texture *texture, float rotation, coif_arena *arena);

coif_vec3 coif_environment_eval(const coif_environment *environment, coif_vec3 direction);
// A direction with its pdf and radiance.
coif_vec3 coif_environment_sample(const coif_environment *environment, coif_vec2 u, float *pdf,
                                  coif_vec3 *radiance);
float coif_environment_pdf(const coif_environment *environment, coif_vec3 direction);

#endif
