// hair_color: what a groom's fibres are made of, from pigment or from a wanted colour to
// absorption.
//
// A strand has a colour of its own: natural pigment (or what stands for it), of which bleach takes
// a share and to which dye adds; then streaks; then another colour towards the tip.
#ifndef COIF_RENDER_SHADING_HAIR_PARAMS_H
#define COIF_RENDER_SHADING_HAIR_PARAMS_H

#include "core/scene/scene.h"
#include "render/bsdf/hair_bsdf.h"

typedef enum coif_hair_color_by {
    COIF_HAIR_BY_MELANIN = 0,
    COIF_HAIR_BY_REFLECTANCE = 1,
    COIF_HAIR_BY_ABSORPTION = 2,
    COIF_HAIR_BY_SURFACE = 3
} coif_hair_color_by;

typedef enum coif_hair_model { COIF_MODEL_HAIR = 0, COIF_MODEL_FUR = 1 } coif_hair_model;

typedef struct coif_hair_params {
    int32_t color_model;
    float eumelanin, pheomelanin;
    float reflectance[3];
    float absorption[3];
    int32_t model;
    // The fibre itself: from here to leaf_tint rows may differ along a strand (hair_optics.h).
    float ior, longitudinal_roughness, azimuthal_roughness, cuticle_angle;
    float medulla_radius, medulla_scattering, medulla_anisotropy, medulla_pigment;
    float cuticle_layers;
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
    int32_t curve_type;  // 0: as "image" says; else 1 + coif_curve_kind
    const char *texture; // a picture instead of the body's own colours; "" for none
} coif_hair_params;

extern const coif_section COIF_HAIR_SECTION;

// How such fibres scatter, in the units of the model.
coif_hair_bsdf_params coif_hair_bsdf_params_of(const coif_hair_params *params);

// One strand: absorption per radius at the root and at the tip, where along it the one becomes the
// other and how fast, and the share of it that is lost at the tip.
typedef struct coif_strand_color {
    coif_vec3 root, tip;
    float from, change;
    float fade;
} coif_strand_color;

// A groom's fibres at one frame.
typedef struct coif_hair_material {
    coif_hair_lobes lobes;
    coif_hair_params params;
    float
        inversion; // Chiang's fit of beta_n, see coif_hair_material_absorption_of; for fur deepened
    coif_vec3 base;             // absorption of what does not vary by pigment
    coif_vec3 dye, streak, tip; // absorption of these colours
    bool changes;               // some strands have another colour at the tip
    coif_strand_color plain;    // a strand without traits of its own
} coif_hair_material;

void coif_hair_material_init(coif_hair_material *fibre, const coif_hair_params *params);

// What makes a strand differ from others of its groom.
typedef struct coif_strand_variation {
    uint32_t random;
    uint32_t lock;                  // random word of the lock it is in
    coif_vec3 surface;              // colour of the body at its root
    const coif_hair_params *params; // with its own values of mapped rows; NULL: those of the fibre
} coif_strand_variation;

coif_strand_color coif_hair_material_strand(const coif_hair_material *fibre,
                                            const coif_strand_variation *traits);

// Absorption per radius of a strand at a place from root (0) to tip (1).
coif_vec3 coif_hair_material_absorption(const coif_hair_material *fibre,
                                        const coif_strand_color *strand, float place);

// The absorption that gives hair lit from everywhere a colour, and back (Chiang et al. 2016, eq.
// 9): sigma = (ln C / fit(beta_n))^2; for fur see fur_color.h.
coif_vec3 coif_hair_material_absorption_of(const coif_hair_material *fibre, coif_vec3 color);
coif_vec3 coif_hair_material_color_of(const coif_hair_material *fibre, coif_vec3 absorption);

#endif
