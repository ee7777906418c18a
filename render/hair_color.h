// hair_color: what a groom's fibres are made of, from pigment or from a wanted colour to
// absorption.
#ifndef COIF_RENDER_HAIR_COLOR_H
#define COIF_RENDER_HAIR_COLOR_H

#include "core/scene.h"
#include "render/hair_bsdf.h"

typedef enum coif_hair_color_by {
    COIF_HAIR_BY_MELANIN = 0,
    COIF_HAIR_BY_REFLECTANCE = 1,
    COIF_HAIR_BY_ABSORPTION = 2
} coif_hair_color_by;

typedef struct coif_hair_params {
    int32_t colour_by;
    float eumelanin, pheomelanin;
    float reflectance[3];
    float absorption[3];
    float eta, beta_m, beta_n, alpha;
    float variation;
    float grey;
    float tip_lightening;
} coif_hair_params;

extern const coif_section COIF_HAIR_SECTION;

// A groom's fibres at one frame.
typedef struct coif_fibre {
    coif_hair_lobes lobes;
    coif_hair_params params;
    coif_vec3 base;  // absorption of what does not vary by pigment
    float inversion; // Chiang's fit of beta_n, see coif_fibre_absorption_of
} coif_fibre;

void coif_fibre_init(coif_fibre *fibre, const coif_hair_params *params);

// Absorption per radius of a strand with that random word, at a place from root (0) to tip (1).
coif_vec3 coif_fibre_absorption(const coif_fibre *fibre, uint32_t random, float place);

// The absorption that gives hair lit from everywhere a colour, and back (Chiang et al. 2016, eq.
// 9): sigma = (ln C / fit(beta_n))^2.
coif_vec3 coif_fibre_absorption_of(const coif_fibre *fibre, coif_vec3 color);
coif_vec3 coif_fibre_color_of(const coif_fibre *fibre, coif_vec3 absorption);

#endif
