// Parameters of "hair" and the hair material: pigment or colour to absorption.
//
// Colour of a strand: natural pigment (or a colour), reduced by bleach; dye adds to it; then
// streaks; then a blend to the tip colour.
#ifndef COIF_RENDER_SHADING_HAIR_PARAMS_H
#define COIF_RENDER_SHADING_HAIR_PARAMS_H

#include "core/scene/scene.h"
#include "render/bsdf/hair_bsdf.h"
#include "render/math/working_space.h"

typedef enum coif_hair_color_by {
    COIF_HAIR_BY_MELANIN = 0,
    COIF_HAIR_BY_REFLECTANCE = 1,
    COIF_HAIR_BY_ABSORPTION = 2,
    COIF_HAIR_BY_SURFACE = 3
} coif_hair_color_by;

typedef enum coif_hair_color_source {
    COIF_HAIR_COLORS_AUTO = 0,
    COIF_HAIR_COLORS_OF_FILE = 1,
    COIF_HAIR_COLORS_OF_SCENE = 2
} coif_hair_color_source;

typedef enum coif_hair_model { COIF_MODEL_HAIR = 0, COIF_MODEL_FUR = 1 } coif_hair_model;

typedef struct coif_hair_params {
    int32_t color_source;
    int32_t color_model;
    float eumelanin, pheomelanin;
    float reflectance[3];
    float absorption[3];
    int32_t model;
    float opacity;     // coif_hair_opacity_fill
    float ellipticity; // coif_hair_section_ratios
    // BSDF parameters, from here to ribbon_tint: may vary along a strand (hair_varying_params.h).
    float ior, longitudinal_roughness, azimuthal_roughness, cuticle_angle;
    float medulla_radius, medulla_scattering, medulla_anisotropy, medulla_pigment;
    float cuticle_layers;
    float r_weight, tt_weight, trt_weight, residual_weight;
    float r_tint[3], tt_tint[3], trt_tint[3], residual_tint[3];
    float ribbon_transmission, ribbon_roughness, ribbon_specular;
    float ribbon_tint[3];
    float ribbon_tilt, ribbon_twist;
    float variation;
    float grey_fraction;
    float bleach;
    float dye[3], dye_amount;
    float streak_color[3], streak_fraction, streak_amount;
    int32_t streak_clump_count;
    float tip_color[3], tip_amount, tip_position, tip_softness;
    float tip_lightening;
    int32_t curve_type;  // 0: that of "image"; else 1 + coif_curve_kind
    const char *texture; // overrides the surface colours of the body; "" for none
} coif_hair_params;

extern const coif_section COIF_HAIR_SECTION;

// Designated initialisers of opaque hair with lobes of full weight.
// clang-format off
#define COIF_HAIR_OPAQUE                                                                           \
    .opacity = 1.0f, .r_weight = 1.0f, .tt_weight = 1.0f, .trt_weight = 1.0f,                      \
    .residual_weight = 1.0f, .r_tint = {1.0f, 1.0f, 1.0f}, .tt_tint = {1.0f, 1.0f, 1.0f},          \
    .trt_tint = {1.0f, 1.0f, 1.0f}, .residual_tint = {1.0f, 1.0f, 1.0f}
// clang-format on

// Whether strands that have colours, of a strand file, keep them; hair is the node of "hair".
bool coif_hair_uses_stored_colors(const coif_node *hair, double frame);

// Logs which colours are used, if that is not obvious; stored: the strands have colours.
void coif_hair_report_color_source(const coif_node *hair, const char *groom, double frame,
                                   bool stored);

// BSDF parameters in the units of the model, with tints in the colour space.
coif_hair_bsdf_params coif_hair_bsdf_params_of(const coif_hair_params *params,
                                               coif_working_space space);

// Absorption per radius at root and tip, position and slope of the transition, and the fraction of
// the absorption that fades towards the tip.
typedef struct coif_strand_color {
    coif_vec3 root, tip;
    float from, change;
    float tip_fade;
} coif_strand_color;

// The hair material of a groom at one frame.
typedef struct coif_hair_material {
    coif_hair_lobes lobes;
    coif_hair_params params;          // colours are Rec. 709
    coif_working_space working_space; // of strand colours and lobes
    float inversion; // Chiang's fit of beta_n, scaled for fur: coif_hair_material_absorption_of
    coif_vec3 base;  // absorption of the reflectance colour
    coif_vec3 dye, streak, tip;      // absorption of these colours
    bool has_tip_color;              // tip_amount is above 0
    coif_strand_color default_color; // of a strand without variation
} coif_hair_material;

void coif_hair_material_init(coif_hair_material *material, const coif_hair_params *params,
                             coif_working_space space);

// Variation of a strand within its groom.
typedef struct coif_strand_variation {
    uint32_t random;
    uint32_t clump_random;          // random word of its clump
    coif_vec3 surface;              // surface colour at its root
    const coif_hair_params *params; // with mapped values; NULL: those of the material
} coif_strand_variation;

coif_strand_color coif_hair_material_strand(const coif_hair_material *material,
                                            const coif_strand_variation *variation);

// Absorption per radius of a strand at a position from root (0) to tip (1).
coif_vec3 coif_hair_material_absorption(const coif_hair_material *material,
                                        const coif_strand_color *strand, float position);

// Albedo inversion and its inverse (Chiang et al. 2016, eq. 9): sigma = (ln C / fit(beta_n))^2; for
// fur see fur_albedo_inversion.h.
coif_vec3 coif_hair_material_absorption_of(const coif_hair_material *material, coif_vec3 color);
coif_vec3 coif_hair_material_color_of(const coif_hair_material *material, coif_vec3 absorption);

#endif
