#include "render/shading/hair_params.h"

#include "core/base/log.h"
#include "core/base/rng.h"
#include "render/bsdf/fur_albedo_inversion.h"

#include <float.h>
#include <string.h>

static const char *const COLOR_BY[] = {"melanin", "reflectance", "absorption", "surface", NULL};
static const char *const COLOR_SOURCES[] = {"auto", "file", "scene", NULL};
static const char *const CURVES[] = {"image", "round", "flat", "linear", "ribbon", NULL};
static const char *const MODELS[] = {"hair", "fur", NULL};

// clang-format off
#define ROW(...) COIF_PARAM_ROW(coif_hair_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(coif_hair_params, __VA_ARGS__)
#define BOTH COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP
#define VARYING(...) COIF_PLUGIN_ROW(coif_hair_params, __VA_ARGS__)
// Three components, from a map or a texture at the root, with a ramp along the strand.
#define THREE(field, kind, text, r, g, b, high_) VARYING(field, kind, BOTH, text, "", r, g, b, 0, high_)
#define COLOR(field, text, r, g, b) THREE(field, COIF_PARAM_COLOR, text, r, g, b, 1)
// Mappable at the root.
#define MAPPED(field, text, fallback_, low_, high_) VARYING(field, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, text, "", fallback_, 0, 0, low_, high_)
// BSDF and colour parameters (hair_varying_params.h): mappable, with a ramp.
#define OPTIC(field, text, unit_, fallback_, low_, high_) VARYING(field, COIF_PARAM_FLOAT, BOTH, text, unit_, fallback_, 0, 0, low_, high_)
#define PIGMENT(field, text, fallback_, low_, high_) OPTIC(field, text, "", fallback_, low_, high_)
// Orientation of ribbons (ribbon_orientation.h): mappable.
#define TURN(field, text, fallback_, high_) VARYING(field, COIF_PARAM_FLOAT, COIF_PARAM_MAPPABLE, text, "deg", fallback_, 0, 0, 0, high_)
static const coif_param ROWS[] = {
    CHOICE(color_source, "Colours of strands loaded from a file that has colours: those of the file, or those of this section. auto takes this section if it gives any colour.", COLOR_SOURCES, 0),
    CHOICE(color_model, "Source of the natural colour: melanin concentrations, reflectance, absorption, or the surface colour of the body at the root.", COLOR_BY, 0),
    PIGMENT(eumelanin, "Concentration of the brown-black pigment: 0.3 is blond, 1.3 brown, 8 black.", 0.7, 0, 100),
    PIGMENT(pheomelanin, "Concentration of the yellow-red pigment.", 0.25, 0, 100),
    COLOR(reflectance, "Multiple-scattering albedo of the hair, linear.", 0.35, 0.2, 0.1),
    THREE(absorption, COIF_PARAM_VEC3, "Absorption coefficient per fibre radius for red, green and blue.", 0.3, 0.5, 1.0, 1e4),
    ROW(texture, COIF_PARAM_PATH, "Image over the body's UVs that gives the colour instead of the body's material; <UDIM> stands for the tile number.", "", 0, 0, 0),
    CHOICE(model, "Fibre scattering model: hair, or fur with a scattering medulla.", MODELS, 0),
    OPTIC(ior, "Index of refraction of the fibre.", "", 1.55, 1.01, 3),
    OPTIC(longitudinal_roughness, "Longitudinal roughness of the fibre (beta_m).", "", 0.22, 0.01, 1),
    OPTIC(azimuthal_roughness, "Azimuthal roughness of the fibre (beta_n).", "", 0.3, 0.01, 1),
    OPTIC(cuticle_angle, "Tilt angle of the cuticle scales.", "deg", 2.5, -20, 20),
    OPTIC(r_weight, "Factor on the R lobe: light reflected by the cuticle, the white highlight.", "", 1, 0, 1),
    COLOR(r_tint, "Colour factor on the R lobe.", 1, 1, 1),
    OPTIC(tt_weight, "Factor on the TT lobe: light that passes through the fibre, seen against the light.", "", 1, 0, 1),
    COLOR(tt_tint, "Colour factor on the TT lobe.", 1, 1, 1),
    OPTIC(trt_weight, "Factor on the TRT lobe: light reflected once inside the fibre, the coloured highlight.", "", 1, 0, 1),
    COLOR(trt_tint, "Colour factor on the TRT lobe.", 1, 1, 1),
    OPTIC(residual_weight, "Factor on the residual lobe: light reflected inside the fibre more than once, and light scattered in a medulla.", "", 1, 0, 1),
    COLOR(residual_tint, "Colour factor on the residual lobe.", 1, 1, 1),
    OPTIC(opacity, "Fraction of the light that the strand stops; the rest passes straight on, for the camera and for shadows.", "", 1, 0, 1),
    MAPPED(ellipticity, "Ratio of the major to the minor axis of the fibre's cross section at constant area; the major axis lies along the surface tangent at the root. Where it is not given, that of sim, under a solver that bends it.", 1, 1, 10),
    OPTIC(medulla_radius, "Radius of the medulla relative to the fibre.", "", 0.75, 0, 0.98),
    OPTIC(medulla_scattering, "Scattering coefficient of the medulla per fibre radius.", "", 2.5, 0, 100),
    OPTIC(medulla_anisotropy, "Mean cosine of scattering in the medulla; 0 is isotropic, 1 forward.", "", 0.5, 0, 0.98),
    OPTIC(medulla_pigment, "Absorption of the medulla relative to the cortex.", "", 0.5, 0, 10),
    OPTIC(cuticle_layers, "Number of reflecting cuticle layers.", "", 1, 0.1, 10),
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
    CHOICE(curve_type, "Curve primitive of this groom: image uses image/curve_type; round, flat and linear as there; ribbon draws oriented ribbons of twice the radius for grass and leaves.", CURVES, 0),
    OPTIC(ribbon_transmission, "Fraction of the scattered light that leaves through the far side.", "", 0.4, 0, 1),
    COLOR(ribbon_tint, "Colour factor on transmitted light.", 1, 1, 1),
    OPTIC(ribbon_roughness, "Roughness of the specular coat.", "", 0.45, 0, 1),
    OPTIC(ribbon_specular, "Specular reflectance at normal incidence.", "", 0.04, 0, 1),
    TURN(ribbon_tilt, "Maximum random rotation of the ribbon about its axis away from the bending plane; 180 is any orientation.", 40, 180),
    TURN(ribbon_twist, "Maximum random twist of the ribbon from root to tip.", 60, 3600),
};
// clang-format on

static const coif_applies_to APPLIES_TO[] = {
    {"eumelanin pheomelanin", "color_model", "melanin"},
    {"reflectance", "color_model", "reflectance"},
    {"absorption", "color_model", "absorption"},
    {"texture", "color_model", "surface"},
    {"medulla_radius medulla_scattering medulla_anisotropy medulla_pigment cuticle_layers", "model",
     "fur"},
    {"ellipticity", "model", "hair"},
    {"ellipticity model ior longitudinal_roughness azimuthal_roughness cuticle_angle r_weight "
     "r_tint tt_weight "
     "tt_tint trt_weight trt_tint residual_weight residual_tint",
     "curve_type", "image round flat linear"},
    {"ribbon_transmission ribbon_tint ribbon_roughness ribbon_specular ribbon_tilt ribbon_twist",
     "curve_type", "ribbon"},
    {NULL, NULL, NULL},
};

const coif_section COIF_HAIR_SECTION = {
    .name = "hair",
    .basic = "color_source color_model eumelanin pheomelanin reflectance texture "
             "longitudinal_roughness azimuthal_roughness variation grey_fraction bleach dye "
             "dye_amount streak_color streak_fraction tip_color tip_amount",
    .help = "Colour and fibre scattering of a groom",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .applies_to = APPLIES_TO,
};

// First colour parameter that the scene gives, NULL without one.
static const char *given_color(const coif_node *hair)
{
    static const char *const names[] = {"color_model",        "eumelanin",     "pheomelanin",
                                        "reflectance",        "absorption",    "texture",
                                        "grey_fraction",      "bleach",        "dye",
                                        "dye_amount",         "streak_color",  "streak_amount",
                                        "streak_clump_count", "tip_color",     "tip_amount",
                                        "streak_fraction",    "tip_lightening"};
    for (size_t i = 0; i < COIF_COUNT_OF(names); ++i) {
        if (coif_values_find(&hair->values, names[i])->given) {
            return names[i];
        }
    }
    return NULL;
}

bool coif_hair_uses_stored_colors(const coif_node *hair, double frame)
{
    coif_hair_params params;
    coif_node_read(hair, frame, &params);
    return params.color_source == COIF_HAIR_COLORS_OF_FILE ||
           (params.color_source == COIF_HAIR_COLORS_AUTO && given_color(hair) == NULL);
}

void coif_hair_report_color_source(const coif_node *hair, const char *groom, double frame,
                                   bool stored)
{
    coif_hair_params params;
    coif_node_read(hair, frame, &params);
    const char *given = given_color(hair);
    if (!stored && params.color_source == COIF_HAIR_COLORS_OF_FILE) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s/color_source: no effect: the strands have no colours of a file", groom,
                 hair->path);
    } else if (stored && given != NULL && params.color_source == COIF_HAIR_COLORS_OF_FILE) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s/%s: no effect: with color_source \"file\" strands have the colours of "
                 "their file",
                 groom, hair->path, given);
    } else if (stored && params.color_source == COIF_HAIR_COLORS_AUTO) {
        coif_log_once(COIF_LOG_INFO,
                      "%s: strands have the colours of %s; %s/color_source \"%s\" "
                      "takes those of %s",
                      groom, given != NULL ? "the scene" : "their file", hair->path,
                      given != NULL ? "file" : "scene", given != NULL ? "their file" : "the scene");
    }
}

// Absorption of one unit of pigment, per fibre radius (d'Eon et al. 2011, as used by Chiang et
// al.).
static const coif_vec3 EUMELANIN = {0.419f, 0.697f, 1.37f};
static const coif_vec3 PHEOMELANIN = {0.187f, 0.4f, 1.05f};

// A random factor around 1; each use takes its own dimension of the random word.
static float variation_factor(float variation, uint32_t random, uint32_t use)
{
    return 1.0f + variation * (2.0f * coif_random_unit(random, 0, use) - 1.0f);
}

// Chiang's fit, see coif_hair_material_absorption_of.
static float albedo_fit(float b)
{
    return 5.969f + b * (-0.215f + b * (2.532f + b * (-10.73f + b * (5.574f + b * 0.245f))));
}

// Factor of the absorption for a colour where the strand's roughness differs from its groom's.
static float absorption_scale(const coif_hair_material *material, const coif_hair_params *params)
{
    const float root =
        albedo_fit(material->params.azimuthal_roughness) / albedo_fit(params->azimuthal_roughness);
    return root * root;
}

enum { USE_DARK, USE_RED, USE_GREY, USE_STREAK };

static coif_vec3 color_at(const float *color)
{
    return (coif_vec3){color[0], color[1], color[2]};
}

// Absorption of a colour; known is that of the common colour, to save the inversion.
static coif_vec3 absorption_of_color(const coif_hair_material *material, const float own[3],
                                     const float common[3], coif_vec3 known)
{
    return memcmp(own, common, 3 * sizeof(float)) == 0
               ? known
               : coif_hair_material_absorption_of(material, color_at(own));
}

// Absorption of the same multiple-scattering albedo in the working space. The inversion does not
// clamp dark colours: black hair stays black.
static coif_vec3 working_absorption(const coif_hair_material *material, coif_vec3 absorption)
{
    const coif_working_space space = material->working_space;
    if (space == COIF_WORKING_REC709) {
        return absorption;
    }
    const float inversion = material->inversion;
    const coif_vec3 color =
        coif_working_from_rec709(space, coif_hair_material_color_of(material, absorption));
    const float roots[3] = {coif_fast_log(coif_max(color.x, FLT_MIN)) / inversion,
                            coif_fast_log(coif_max(color.y, FLT_MIN)) / inversion,
                            coif_fast_log(coif_max(color.z, FLT_MIN)) / inversion};
    return (coif_vec3){roots[0] * roots[0], roots[1] * roots[1], roots[2] * roots[2]};
}

static coif_vec3 natural_absorption(const coif_hair_material *material,
                                    const coif_strand_variation *variation,
                                    const coif_hair_params *params)
{
    const uint32_t random = variation->random;
    const float left = 1.0f - params->bleach;
    if (params->grey_fraction > 0.0f &&
        coif_random_unit(random, 0, USE_GREY) < params->grey_fraction) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    const float dark = left * variation_factor(params->variation, random, USE_DARK);
    if (params->color_model == COIF_HAIR_BY_SURFACE) {
        const coif_vec3 surface =
            coif_working_to_rec709(material->working_space, variation->surface);
        return coif_scale(coif_hair_material_absorption_of(material, surface),
                          dark * absorption_scale(material, params));
    }
    if (params->color_model == COIF_HAIR_BY_REFLECTANCE) {
        const coif_vec3 base = absorption_of_color(material, params->reflectance,
                                                   material->params.reflectance, material->base);
        return coif_scale(base, dark * absorption_scale(material, params));
    }
    if (params->color_model == COIF_HAIR_BY_ABSORPTION) {
        return coif_scale(color_at(params->absorption), dark);
    }
    const float red = left * variation_factor(params->variation, random, USE_RED);
    return coif_add(coif_scale(EUMELANIN, params->eumelanin * dark),
                    coif_scale(PHEOMELANIN, params->pheomelanin * red));
}

coif_strand_color coif_hair_material_strand(const coif_hair_material *material,
                                            const coif_strand_variation *variation)
{
    const coif_hair_params *params =
        variation->params != NULL ? variation->params : &material->params;
    coif_vec3 color = natural_absorption(material, variation, params);
    const float depth = absorption_scale(material, params);
    const coif_hair_params *common = &material->params;
    color = coif_mad(color, params->dye_amount * depth,
                     absorption_of_color(material, params->dye, common->dye, material->dye));
    // A whole clump is a streak; its strands still vary.
    if (params->streak_fraction > 0.0f &&
        coif_random_unit(variation->clump_random, 0, USE_STREAK) < params->streak_fraction) {
        const coif_vec3 own = absorption_of_color(material, params->streak_color,
                                                  common->streak_color, material->streak);
        const coif_vec3 streak = coif_scale(
            own, depth * variation_factor(params->variation, variation->random, USE_DARK));
        color = coif_lerp(color, streak, params->streak_amount);
    }
    const coif_vec3 tip =
        absorption_of_color(material, params->tip_color, common->tip_color, material->tip);
    const coif_vec3 end = coif_lerp(color, coif_scale(tip, depth), params->tip_amount);
    return (coif_strand_color){.root = working_absorption(material, color),
                               .tip = working_absorption(material, end),
                               .from = params->tip_position,
                               .change = 1.0f / coif_max(params->tip_softness, 1e-4f),
                               .tip_fade = params->tip_lightening};
}

coif_hair_bsdf_params coif_hair_bsdf_params_of(const coif_hair_params *params,
                                               coif_working_space space)
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
    const float weights[] = {params->r_weight, params->tt_weight, params->trt_weight,
                             params->residual_weight};
    const float *const tints[] = {params->r_tint, params->tt_tint, params->trt_tint,
                                  params->residual_tint};
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        hair.gain[p] = coif_scale(coif_working_from_rec709(space, color_at(tints[p])), weights[p]);
        hair.weighted |= hair.gain[p].x != 1.0f || hair.gain[p].y != 1.0f || hair.gain[p].z != 1.0f;
    }
    return hair;
}

void coif_hair_material_init(coif_hair_material *material, const coif_hair_params *params,
                             coif_working_space space)
{
    coif_hair_bsdf_params hair = coif_hair_bsdf_params_of(params, space);
    *material = (coif_hair_material){
        .lobes = coif_hair_lobes_of(&hair), .params = *params, .working_space = space};
    material->inversion = albedo_fit(params->azimuthal_roughness);
    hair.weighted = false; // colours are those of hair without weights
    if (hair.medulla > 0.0f) {
        const float middle =
            coif_hair_material_absorption_of(material, (coif_vec3){0.3f, 0.3f, 0.3f}).x;
        material->inversion /= sqrtf(coif_fur_absorption_scale(&hair, middle));
    }

    if (params->color_model == COIF_HAIR_BY_REFLECTANCE) {
        material->base = coif_hair_material_absorption_of(material, color_at(params->reflectance));
    }
    material->dye = coif_hair_material_absorption_of(material, color_at(params->dye));
    material->streak = coif_hair_material_absorption_of(material, color_at(params->streak_color));
    material->tip = coif_hair_material_absorption_of(material, color_at(params->tip_color));
    material->has_tip_color = params->tip_amount > 0.0f;
    material->default_color =
        coif_hair_material_strand(material, &(coif_strand_variation){.random = 0x80000000u});
}

coif_vec3 coif_hair_material_absorption(const coif_hair_material *material,
                                        const coif_strand_color *strand, float position)
{
    const float left = 1.0f - strand->tip_fade * position;
    if (!material->has_tip_color) {
        return coif_scale(strand->root, left);
    }
    const float t = coif_clamp((position - strand->from) * strand->change + 0.5f, 0.0f, 1.0f);
    return coif_scale(coif_lerp(strand->root, strand->tip, t * t * (3.0f - 2.0f * t)), left);
}

static float absorption_of(float inversion, float color)
{
    const float root = coif_fast_log(coif_clamp(color, 1e-4f, 1.0f)) / inversion;
    return root * root;
}

coif_vec3 coif_hair_material_absorption_of(const coif_hair_material *material, coif_vec3 color)
{
    const float inversion = material->inversion;
    return (coif_vec3){absorption_of(inversion, color.x), absorption_of(inversion, color.y),
                       absorption_of(inversion, color.z)};
}

coif_vec3 coif_hair_material_color_of(const coif_hair_material *material, coif_vec3 absorption)
{
    const coif_lanes roots =
        coif_lanes_sqrt((coif_lanes){absorption.x, absorption.y, absorption.z, 0.0f});
    const coif_lanes color = coif_lanes_exp(-material->inversion * roots);
    return (coif_vec3){color[0], color[1], color[2]};
}
