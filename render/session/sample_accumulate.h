// exposure: what one path adds to its pixel, layer by layer.
#ifndef COIF_RENDER_SESSION_SAMPLE_ACCUMULATE_H
#define COIF_RENDER_SESSION_SAMPLE_ACCUMULATE_H

#include "render/film/film.h"
#include "render/integrator/path.h"

typedef struct coif_sample_record {
    coif_vec3 light;
    float alpha;      // of the picture: 1 where the background belongs to it
    float depth;      // along the camera's axis
    coif_vec2 course; // of hair across the picture, right and down; asked for by denoising alone
    bool second_half; // of the samples
    const coif_primary_hit *first;
    const coif_light_aovs *split; // NULL unless the film's layers ask for it
} coif_sample_record;

// To the layers that are sums of samples, the first aovs.sum_count.
void coif_sample_add_filtered(double *sums, const coif_film *film,
                              const coif_sample_record *exposure);

// To the others, which keep to a pixel's own samples.
void coif_sample_add_unfiltered(double *sums, const coif_film *film, const coif_render_scene *stage,
                                const coif_sample_record *exposure);

#endif
