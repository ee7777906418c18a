// sample_accumulate: adds the result of one path to the sums of the film, AOV by AOV.
#ifndef COIF_RENDER_SESSION_SAMPLE_ACCUMULATE_H
#define COIF_RENDER_SESSION_SAMPLE_ACCUMULATE_H

#include "render/film/film.h"
#include "render/integrator/path.h"

typedef struct coif_sample_record {
    coif_vec3 radiance;
    float alpha;              // of the beauty image: 1 where the background is part of it
    float depth;              // along the camera axis
    coif_vec2 screen_tangent; // of hair, right and down; for the denoiser only
    bool second_half;         // of the samples, see denoise.h
    const coif_primary_hit *hit;
    const coif_light_aovs *split; // NULL: not recorded
} coif_sample_record;

// Adds to the first aovs.sum_count sums, which are linear in the samples and may be splatted.
void coif_sample_add_filtered(double *sums, const coif_film *film,
                              const coif_sample_record *record);

// Adds to the other sums, which take the pixel's own samples only.
void coif_sample_add_unfiltered(double *sums, const coif_film *film, const coif_render_scene *scene,
                                const coif_sample_record *record);

#endif
