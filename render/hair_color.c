#include "render/hair_color.h"

#include "core/rng.h"

static const char *const COLOUR_BY[] = {"melanin", "reflectance", "absorption", NULL};

// clang-format off
#define ROW(field, kind, help, unit, fallback, low, high)                                          \
    COIF_ROW(coif_hair_params, field, kind, help, unit, fallback, low, high)
static const coif_param ROWS[] = {
    {.name = "colour_by", .help = "which of the following rows give the colour", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_hair_params, colour_by), .choices = COLOUR_BY},
    ROW(eumelanin, COIF_PARAM_FLOAT, "brown to black pigment: 0.3 blond, 1.3 brown, 8 black", "", 0.7, 0, 100),
    ROW(pheomelanin, COIF_PARAM_FLOAT, "yellow to red pigment", "", 0.25, 0, 100),
    COIF_ROW3(coif_hair_params, reflectance, COIF_PARAM_COLOR,
              "colour of a mass of hair in even light, linear", "", 0.35, 0.2, 0.1, 0, 1),
    COIF_ROW3(coif_hair_params, absorption, COIF_PARAM_VEC3,
              "absorption per fibre radius, red green blue", "", 0.3, 0.5, 1.0, 0, 1e4),
    ROW(eta, COIF_PARAM_FLOAT, "index of refraction", "", 1.55, 1.01, 3),
    ROW(beta_m, COIF_PARAM_FLOAT, "roughness along the fibre", "", 0.22, 0.01, 1),
    ROW(beta_n, COIF_PARAM_FLOAT, "roughness across the fibre", "", 0.3, 0.01, 1),
    ROW(alpha, COIF_PARAM_FLOAT, "tilt of the cuticle scales", "deg", 2.5, -20, 20),
    ROW(variation, COIF_PARAM_FLOAT, "how much pigment differs from strand to strand", "", 0.2, 0, 1),
    ROW(grey, COIF_PARAM_FLOAT, "share of strands without pigment", "", 0, 0, 1),
    ROW(tip_lightening, COIF_PARAM_FLOAT, "share of the pigment lost at the tip", "", 0, 0, 1),
};
// clang-format on

const coif_section COIF_HAIR_SECTION = {
    .name = "hair",
    .help = "colour and fibre of a groom",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
};

// Absorption of one unit of pigment, per fibre radius (d'Eon et al. 2011, as used by Chiang et
// al.).
static const coif_vec3 EUMELANIN = {0.419f, 0.697f, 1.37f};
static const coif_vec3 PHEOMELANIN = {0.187f, 0.4f, 1.05f};

void coif_fibre_init(coif_fibre *fibre, const coif_hair_params *params)
{
    const coif_hair hair = {params->eta, params->beta_m, params->beta_n,
                            params->alpha * (COIF_PI / 180.0f)};
    *fibre = (coif_fibre){.lobes = coif_hair_lobes_of(&hair), .params = *params};
    const float b = params->beta_n;
    fibre->inversion =
        5.969f + b * (-0.215f + b * (2.532f + b * (-10.73f + b * (5.574f + b * 0.245f))));

    const float *color = params->reflectance, *absorption = params->absorption;
    if (params->colour_by == COIF_HAIR_BY_REFLECTANCE) {
        fibre->base = coif_fibre_absorption_of(fibre, (coif_vec3){color[0], color[1], color[2]});
    } else if (params->colour_by == COIF_HAIR_BY_ABSORPTION) {
        fibre->base = (coif_vec3){absorption[0], absorption[1], absorption[2]};
    }
}

// A factor around 1 from a share of a random word: each use takes another part of it.
static float vary(float variation, uint32_t random, uint32_t use)
{
    return 1.0f + variation * (2.0f * coif_random_unit(random, 0, use) - 1.0f);
}

coif_vec3 coif_fibre_absorption(const coif_fibre *fibre, uint32_t random, float place)
{
    const coif_hair_params *params = &fibre->params;
    if (params->grey > 0.0f && coif_random_unit(random, 0, 2) < params->grey) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    const float left = 1.0f - params->tip_lightening * place;
    const float dark = left * vary(params->variation, random, 0);
    if (params->colour_by != COIF_HAIR_BY_MELANIN) {
        return coif_scale(fibre->base, dark);
    }
    const float red = left * vary(params->variation, random, 1);
    return coif_add(coif_scale(EUMELANIN, params->eumelanin * dark),
                    coif_scale(PHEOMELANIN, params->pheomelanin * red));
}

static float absorption_of(float inversion, float color)
{
    const float root = coif_fast_log(coif_clamp(color, 1e-4f, 1.0f)) / inversion;
    return root * root;
}

coif_vec3 coif_fibre_absorption_of(const coif_fibre *fibre, coif_vec3 color)
{
    const float inversion = fibre->inversion;
    return (coif_vec3){absorption_of(inversion, color.x), absorption_of(inversion, color.y),
                       absorption_of(inversion, color.z)};
}

coif_vec3 coif_fibre_color_of(const coif_fibre *fibre, coif_vec3 absorption)
{
    const float k = -fibre->inversion;
    return (coif_vec3){coif_fast_exp(k * sqrtf(absorption.x)),
                       coif_fast_exp(k * sqrtf(absorption.y)),
                       coif_fast_exp(k * sqrtf(absorption.z))};
}
