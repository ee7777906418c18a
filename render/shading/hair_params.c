#include "render/shading/hair_params.h"

#include "core/base/rng.h"
#include "render/bsdf/fur_albedo_inversion.h"

#include <string.h>

static const char *const COLOR_BY[] = {"melanin", "reflectance", "absorption", "surface", NULL};
static const char *const CURVES[] = {"image", "round", "flat", "linear", "ribbon", NULL};
static const char *const MODELS[] = {"hair", "fur", NULL};

// clang-format off
#define ROW(field, kind, help, unit, fallback, low, high)                                          \
    COIF_PARAM_ROW(coif_hair_params, field, kind, help, unit, fallback, low, high)
// Three numbers from a map or a picture at the root, and a ramp along the strand.
#define THREE(field, kind, text, r, g, b, high_)                                                   \
    {.name = #field, .help = text, .unit = "", .type = kind, .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, \
     .offset = offsetof(coif_hair_params, field), .fallback = {r, g, b}, .low = 0, .high = high_}
#define COLOR(field, text, r, g, b) THREE(field, COIF_PARAM_COLOR, text, r, g, b, 1)
// Rows that a scalp map may give.
#define MAPPED(field, text, fallback_, low_, high_)                                                \
    {.name = #field, .help = text, .unit = "", .type = COIF_PARAM_FLOAT, .flags = COIF_PARAM_MAPPABLE, \
     .offset = offsetof(coif_hair_params, field), .fallback = {fallback_}, .low = low_, .high = high_}
// The same and a ramp along the strand (hair_pigment.h).
#define PIGMENT(field, text, fallback_, low_, high_)                                               \
    {.name = #field, .help = text, .unit = "", .type = COIF_PARAM_FLOAT, .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, \
     .offset = offsetof(coif_hair_params, field), .fallback = {fallback_}, .low = low_, .high = high_}
// Rows of the fibre itself: a map at the root, and a ramp along the strand (hair_optics.h).
#define OPTIC(field, text, unit_, fallback_, low_, high_)                                          \
    {.name = #field, .help = text, .unit = unit_, .type = COIF_PARAM_FLOAT, .flags = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP, \
     .offset = offsetof(coif_hair_params, field), .fallback = {fallback_}, .low = low_, .high = high_}
// How blades stand (blade.h): a map at the root.
#define TURN(field, text, fallback_, high_)                                                        \
    {.name = #field, .help = text, .unit = "deg", .type = COIF_PARAM_FLOAT, .flags = COIF_PARAM_MAPPABLE, \
     .offset = offsetof(coif_hair_params, field), .fallback = {fallback_}, .low = 0, .high = high_}
static const coif_param ROWS[] = {
    {.name = "color_model", .help = "Source of the natural colour: melanin concentrations, reflectance, absorption, or the surface colour of the body at the root.", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_hair_params, color_model), .choices = COLOR_BY},
    PIGMENT(eumelanin, "Concentration of the brown-black pigment: 0.3 is blond, 1.3 brown, 8 black.", 0.7, 0, 100),
    PIGMENT(pheomelanin, "Concentration of the yellow-red pigment.", 0.25, 0, 100),
    COLOR(reflectance, "Multiple-scattering albedo of the hair, linear (color_model reflectance).", 0.35, 0.2, 0.1),
    THREE(absorption, COIF_PARAM_VEC3, "Absorption coefficient per fibre radius for red, green and blue (color_model absorption).", 0.3, 0.5, 1.0, 1e4),
    ROW(texture, COIF_PARAM_PATH, "Image over the body's UVs that gives the colour instead of the body's material (color_model surface); <UDIM> stands for the tile number.", "", 0, 0, 0),
    {.name = "model", .help = "Fibre scattering model: hair, or fur with a scattering medulla.", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_hair_params, model), .choices = MODELS},
    OPTIC(ior, "Index of refraction of the fibre.", "", 1.55, 1.01, 3),
    OPTIC(longitudinal_roughness, "Longitudinal roughness of the fibre (beta_m).", "", 0.22, 0.01, 1),
    OPTIC(azimuthal_roughness, "Azimuthal roughness of the fibre (beta_n).", "", 0.3, 0.01, 1),
    OPTIC(cuticle_angle, "Tilt angle of the cuticle scales.", "deg", 2.5, -20, 20),
    OPTIC(medulla_radius, "Radius of the medulla relative to the fibre (model fur).", "", 0.75, 0, 0.98),
    OPTIC(medulla_scattering, "Scattering coefficient of the medulla per fibre radius (model fur).", "", 2.5, 0, 100),
    OPTIC(medulla_anisotropy, "Mean cosine of scattering in the medulla (model fur); 0 is isotropic, 1 forward.", "", 0.5, 0, 0.98),
    OPTIC(medulla_pigment, "Absorption of the medulla relative to the cortex (model fur).", "", 0.5, 0, 10),
    OPTIC(cuticle_layers, "Number of reflecting cuticle layers (model fur).", "", 1, 0.1, 10),
    PIGMENT(variation, "Random relative variation of pigment between strands.", 0.2, 0, 1),
    PIGMENT(grey_fraction, "Fraction of strands without natural pigment.", 0, 0, 1),
    PIGMENT(bleach, "Fraction of the natural pigment that is removed.", 0, 0, 1),
    COLOR(dye, "Colour of the dye on hair without pigment.", 0.5, 0.06, 0.08),
    PIGMENT(dye_amount, "Concentration of the dye, added to the remaining pigment.", 0, 0, 10),
    COLOR(streak_color, "Colour of the streaks.", 0.75, 0.6, 0.4),
    PIGMENT(streak_fraction, "Fraction of the clumps that are streaks.", 0, 0, 1),
    PIGMENT(streak_amount, "Blend from the natural colour (0) to the streak colour (1).", 1, 0, 1),
    ROW(streak_clump_count, COIF_PARAM_INT, "Number of clumps from which streaks are selected; 0 uses the clumps of the last groom.clump, or 300 without one.", "", 0, 0, 100000),
    COLOR(tip_color, "Colour of the tips.", 0.75, 0.6, 0.4),
    PIGMENT(tip_amount, "Blend from the natural colour (0) to the tip colour (1) at the tip.", 0, 0, 1),
    MAPPED(tip_position, "Position along the strand, from root 0 to tip 1, of the middle of the colour transition.", 0.5, 0, 1),
    MAPPED(tip_softness, "Length of the colour transition as a fraction of the strand.", 0.4, 0, 2),
    PIGMENT(tip_lightening, "Fraction of all pigment lost linearly from root to tip.", 0, 0, 1),
    {.name = "curve_type", .help = "Curve primitive of this groom: image uses image/curve_type; round, flat and linear as there; ribbon draws oriented ribbons of twice the radius for grass and leaves.", .unit = "",
     .type = COIF_PARAM_CHOICE, .offset = offsetof(coif_hair_params, curve_type), .choices = CURVES},
    OPTIC(ribbon_transmission, "Fraction of the scattered light that leaves through the far side (curve_type ribbon).", "", 0.4, 0, 1),
    COLOR(ribbon_tint, "Colour factor on transmitted light (curve_type ribbon).", 1, 1, 1),
    OPTIC(ribbon_roughness, "Roughness of the specular coat (curve_type ribbon).", "", 0.45, 0, 1),
    OPTIC(ribbon_specular, "Specular reflectance at normal incidence (curve_type ribbon).", "", 0.04, 0, 1),
    TURN(ribbon_tilt, "Maximum random rotation of the ribbon about its axis away from the bending plane (curve_type ribbon); 180 is any orientation.", 40, 180),
    TURN(ribbon_twist, "Maximum random twist of the ribbon from root to tip (curve_type ribbon).", 60, 3600),
};
// clang-format on

const coif_section COIF_HAIR_SECTION = {
    .name = "hair",
    .help = "Colour and fibre scattering of a groom",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
};

// Absorption of one unit of pigment, per fibre radius (d'Eon et al. 2011, as used by Chiang et
// al.).
static const coif_vec3 EUMELANIN = {0.419f, 0.697f, 1.37f};
static const coif_vec3 PHEOMELANIN = {0.187f, 0.4f, 1.05f};

// A factor around 1 from a share of a random word: each use takes another part of it.
static float vary(float variation, uint32_t random, uint32_t use)
{
    return 1.0f + variation * (2.0f * coif_random_unit(random, 0, use) - 1.0f);
}

// Chiang's fit, see coif_hair_material_absorption_of.
static float fit_of(float b)
{
    return 5.969f + b * (-0.215f + b * (2.532f + b * (-10.73f + b * (5.574f + b * 0.245f))));
}

// How much more a strand of another roughness than its groom's must absorb to have a wanted colour.
static float depth_of(const coif_hair_material *fibre, const coif_hair_params *params)
{
    const float share =
        fit_of(fibre->params.azimuthal_roughness) / fit_of(params->azimuthal_roughness);
    return share * share;
}

enum { USE_DARK, USE_RED, USE_GREY, USE_STREAK };

static coif_vec3 color_at(const float *color)
{
    return (coif_vec3){color[0], color[1], color[2]};
}

// The absorption of a colour of the strand's own; known is that of the colour of the fibre.
static coif_vec3 absorbed(const coif_hair_material *fibre, const float own[3],
                          const float common[3], coif_vec3 known)
{
    return memcmp(own, common, 3 * sizeof(float)) == 0
               ? known
               : coif_hair_material_absorption_of(fibre, color_at(own));
}

static coif_vec3 natural(const coif_hair_material *fibre, const coif_strand_variation *traits,
                         const coif_hair_params *params)
{
    const uint32_t random = traits->random;
    const float left = 1.0f - params->bleach;
    if (params->grey_fraction > 0.0f &&
        coif_random_unit(random, 0, USE_GREY) < params->grey_fraction) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    const float dark = left * vary(params->variation, random, USE_DARK);
    if (params->color_model == COIF_HAIR_BY_SURFACE) {
        return coif_scale(coif_hair_material_absorption_of(fibre, traits->surface),
                          dark * depth_of(fibre, params));
    }
    if (params->color_model == COIF_HAIR_BY_REFLECTANCE) {
        const coif_vec3 base =
            absorbed(fibre, params->reflectance, fibre->params.reflectance, fibre->base);
        return coif_scale(base, dark * depth_of(fibre, params));
    }
    if (params->color_model == COIF_HAIR_BY_ABSORPTION) {
        return coif_scale(color_at(params->absorption), dark);
    }
    const float red = left * vary(params->variation, random, USE_RED);
    return coif_add(coif_scale(EUMELANIN, params->eumelanin * dark),
                    coif_scale(PHEOMELANIN, params->pheomelanin * red));
}

coif_strand_color coif_hair_material_strand(const coif_hair_material *fibre,
                                            const coif_strand_variation *traits)
{
    const coif_hair_params *params = traits->params != NULL ? traits->params : &fibre->params;
    coif_vec3 color = natural(fibre, traits, params);
    const float depth = depth_of(fibre, params);
    const coif_hair_params *common = &fibre->params;
    color = coif_mad(color, params->dye_amount * depth,
                     absorbed(fibre, params->dye, common->dye, fibre->dye));
    // A lock is a streak or not as a whole; its strands differ a little all the same.
    if (params->streak_fraction > 0.0f &&
        coif_random_unit(traits->lock, 0, USE_STREAK) < params->streak_fraction) {
        const coif_vec3 own =
            absorbed(fibre, params->streak_color, common->streak_color, fibre->streak);
        const coif_vec3 streak =
            coif_scale(own, depth * vary(params->variation, traits->random, USE_DARK));
        color = coif_lerp(color, streak, params->streak_amount);
    }
    const coif_vec3 tip = absorbed(fibre, params->tip_color, common->tip_color, fibre->tip);
    return (coif_strand_color){.root = color,
                               .tip = coif_lerp(color, coif_scale(tip, depth), params->tip_amount),
                               .from = params->tip_position,
                               .change = 1.0f / coif_max(params->tip_softness, 1e-4f),
                               .fade = params->tip_lightening};
}

coif_hair_bsdf_params coif_hair_bsdf_params_of(const coif_hair_params *params)
{
    coif_hair_bsdf_params hair = {.eta = params->ior,
                                  .beta_m = params->longitudinal_roughness,
                                  .beta_n = params->azimuthal_roughness,
                                  .alpha = params->cuticle_angle * (COIF_PI / 180.0f)};
    if (params->model == COIF_MODEL_FUR) {
        hair.medulla = params->medulla_radius;
        hair.scattering = params->medulla_scattering;
        hair.anisotropy = params->medulla_anisotropy;
        hair.pigment = params->medulla_pigment;
        hair.layers = params->cuticle_layers;
    }
    return hair;
}

void coif_hair_material_init(coif_hair_material *fibre, const coif_hair_params *params)
{
    const coif_hair_bsdf_params hair = coif_hair_bsdf_params_of(params);
    *fibre = (coif_hair_material){.lobes = coif_hair_lobes_of(&hair), .params = *params};
    fibre->inversion = fit_of(params->azimuthal_roughness);
    if (hair.medulla > 0.0f) {
        const float middle =
            coif_hair_material_absorption_of(fibre, (coif_vec3){0.3f, 0.3f, 0.3f}).x;
        fibre->inversion /= sqrtf(coif_fur_absorption_scale(&hair, middle));
    }

    if (params->color_model == COIF_HAIR_BY_REFLECTANCE) {
        fibre->base = coif_hair_material_absorption_of(fibre, color_at(params->reflectance));
    }
    fibre->dye = coif_hair_material_absorption_of(fibre, color_at(params->dye));
    fibre->streak = coif_hair_material_absorption_of(fibre, color_at(params->streak_color));
    fibre->tip = coif_hair_material_absorption_of(fibre, color_at(params->tip_color));
    fibre->changes = params->tip_amount > 0.0f;
    fibre->plain =
        coif_hair_material_strand(fibre, &(coif_strand_variation){.random = 0x80000000u});
}

coif_vec3 coif_hair_material_absorption(const coif_hair_material *fibre,
                                        const coif_strand_color *strand, float place)
{
    const float left = 1.0f - strand->fade * place;
    if (!fibre->changes) {
        return coif_scale(strand->root, left);
    }
    const float t = coif_clamp((place - strand->from) * strand->change + 0.5f, 0.0f, 1.0f);
    return coif_scale(coif_lerp(strand->root, strand->tip, t * t * (3.0f - 2.0f * t)), left);
}

static float absorption_of(float inversion, float color)
{
    const float root = coif_fast_log(coif_clamp(color, 1e-4f, 1.0f)) / inversion;
    return root * root;
}

coif_vec3 coif_hair_material_absorption_of(const coif_hair_material *fibre, coif_vec3 color)
{
    const float inversion = fibre->inversion;
    return (coif_vec3){absorption_of(inversion, color.x), absorption_of(inversion, color.y),
                       absorption_of(inversion, color.z)};
}

coif_vec3 coif_hair_material_color_of(const coif_hair_material *fibre, coif_vec3 absorption)
{
    const coif_lanes roots =
        coif_lanes_sqrt((coif_lanes){absorption.x, absorption.y, absorption.z, 0.0f});
    const coif_lanes color = coif_lanes_exp(-fibre->inversion * roots);
    return (coif_vec3){color[0], color[1], color[2]};
}
