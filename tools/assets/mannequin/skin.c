// skin: blood perfusion, darkened folds, lips, lids, freckles and pores.
//
// Tints are factors on the material's colour, so that one texture serves every complexion.
#include "tools/assets/mannequin/skin.h"

#include "core/base/fs.h"
#include "tools/assets/shared/raster.h"
#include "tools/assets/shared/value_noise.h"

#include <string.h>

// A Gaussian falloff around a point and its mirror image.
typedef struct blob {
    coif_vec3d center, radii;
    double amount;
} blob;

static const blob BLOOD[] = {
    {{44, -20, 66}, {24, 20, 26}, 0.75}, // cheeks
    {{0, -27, 110}, {12, 11, 14}, 0.75}, // tip of the nose
    {{13, -32, 96}, {8, 9, 10}, 0.85},   // its wings
    {{0, -91, 92}, {20, 14, 18}, 0.40},  // chin
    {{31, 17, 82}, {20, 9, 14}, 0.50},   // upper lid
    {{31, -3, 80}, {19, 7, 14}, 0.35},   // lower lid
    {{0, 30, 97}, {22, 16, 16}, 0.20},   // between the brows
    {{0, -190, 30}, {60, 40, 40}, 0.35}, // throat
};

static const blob SHADOW[] = {
    {{15, 9, 76}, {7, 11, 12}, 0.75},  // inner corner of the eye
    {{27, -3, 80}, {15, 7, 14}, 0.35}, // below it
    {{32, 21, 82}, {22, 6, 14}, 0.45}, // the fold above it
    {{0, -78, 90}, {14, 5, 14}, 0.30}, // below the lips
    {{26, -61, 84}, {6, 5, 10}, 0.45}, // corners of the mouth
    {{17, -33, 90}, {4, 9, 9}, 0.40},  // beside the wings of the nose
};

static const blob SUN[] = {
    {{34, -14, 72}, {26, 20, 30}, 0.80},    {{0, -8, 98}, {14, 26, 24}, 0.85},
    {{0, 60, 92}, {56, 26, 40}, 0.30},      {{0, -90, 84}, {30, 18, 24}, 0.25},
    {{110, -200, -10}, {70, 50, 70}, 0.45},
};

// 1 - the product of (1 - weight) over the blobs.
static double blob_weight(const blob *list, size_t count, coif_vec3d p)
{
    double rest = 1.0;
    for (size_t i = 0; i < count; ++i) {
        const coif_vec3d d = coif_vec3d_sub(xyz(fabs(p.x), p.y, p.z), list[i].center);
        const double x = d.x / list[i].radii.x, y = d.y / list[i].radii.y,
                     z = d.z / list[i].radii.z;
        rest *= 1.0 - list[i].amount * exp(-1.4 * (x * x + y * y + z * z));
    }
    return 1.0 - rest;
}

// Interpolates the tint towards its product with a colour.
static void multiply_tint(skin_texel *skin, double amount, double red, double green, double blue)
{
    skin->tint[0] *= 1.0 + amount * (red - 1.0);
    skin->tint[1] *= 1.0 + amount * (green - 1.0);
    skin->tint[2] *= 1.0 + amount * (blue - 1.0);
}

// Noise coordinates with features of the given size, shifted to decorrelate octaves.
static coif_vec3d scaled(coif_vec3d p, double size)
{
    return coif_vec3d_scale(coif_vec3d_mad(p, size, xyz(17, 31, 47)), 1.0 / size);
}

// Lid margins: moist and pink inside, dark at the roots of the upper lashes.
static void add_lids(skin_texel *skin, coif_vec3d p)
{
    const double rim = eye_opening_distance(p);

    if (p.z < 55.0 || rim > 8.0) {
        return;
    }
    const double upper = smootherstep(-1.0, 1.5, p.y - 9.0 - 0.07 * (fabs(p.x) - 31.0));
    const double edge = smootherstep(-0.3, 0.5, rim) * (1.0 - smootherstep(0.9, 2.0, rim));
    const double margin = 1.0 - smootherstep(0.2, 0.9, rim);
    multiply_tint(skin, edge * (0.25 + 0.6 * upper), 0.42, 0.34, 0.32);
    multiply_tint(skin, margin, 0.86, 0.56, 0.54);
    skin->roughness *= 1.0 - 0.35 * margin;
}

static void add_mouth(skin_texel *skin, coif_vec3d p)
{
    double line = 0.0;
    const double lips = lip_mask(p, &line);

    multiply_tint(skin, lips, 0.86, 0.55, 0.55);
    multiply_tint(skin, lips * (1.0 - smootherstep(0.5, 4.5, fabs(line))), 0.82, 0.72, 0.72);
    multiply_tint(skin, smootherstep(0.2, 0.7, lips) * exp(-line * line / 0.5), 0.35, 0.25, 0.25);
    skin->roughness *= 1.0 - 0.38 * lips;
    // Vertical creases.
    const double crease = value_noise(xyz(p.x / 0.9, p.y / 7.0, 3.0)) +
                          0.6 * value_noise(xyz(p.x / 0.5 + 9.0, p.y / 4.0, 8.0));
    skin->height = (1.0 - lips) * skin->height + lips * 0.035 * crease;
}

static void add_nostrils(skin_texel *skin, coif_vec3d p)
{
    const double hole = sdf_capsule(xyz(fabs(p.x), p.y, p.z), xyz(4.6, -35.4, 102.6),
                                    xyz(7.6, -35.6, 95.0), 1.7, 2.5);
    multiply_tint(skin, p.z > 85.0 ? 1.0 - smootherstep(-0.4, 1.6, hole) : 0.0, 0.30, 0.20, 0.18);
}

// Coarse mottling on the body, fine mottling in the face; pores are strongest on nose and cheeks.
static void add_mottling(skin_texel *skin, coif_vec3d p, int group)
{
    const double blotch = 0.55 * value_noise(scaled(p, 11.0)) + 0.45 * value_noise(scaled(p, 4.5));
    const double fine = group == HEAD_FACE ? value_noise(scaled(p, 1.5)) : 0.0;

    multiply_tint(skin, 1.0, 0.962 + 0.025 * blotch + 0.012 * fine,
                  0.918 + 0.06 * blotch + 0.022 * fine, 0.922 + 0.055 * blotch + 0.022 * fine);
    if (group != HEAD_FACE) {
        return;
    }
    const double porous = 0.35 + 0.65 * blob_weight(SUN, 2, p);
    skin->height = 0.012 * value_noise(scaled(p, 2.6)) +
                   0.016 * porous * value_noise(scaled(p, 1.1)) -
                   0.05 * porous * spot_noise(scaled(p, 2.2), 0.5);
    skin->roughness *= 1.0 - 0.10 * blob_weight(SUN + 1, 2, p) + 0.05 * blotch;
}

skin_texel skin_evaluate(const head_regions *regions, coif_vec3d p, int group, bool freckled)
{
    skin_texel skin = {{1, 1, 1}, 0.95, 0.0};

    add_mottling(&skin, p, group);
    if (group == HEAD_SCALP || (group == HEAD_FACE && (p.y > 70.0 || p.z < 60.0))) {
        // The scalp is untanned and darkened by stubble.
        const double inside = head_regions_level(regions, HEAD_SCALP, p);
        multiply_tint(&skin, smootherstep(-3.0, 10.0, inside), 0.56, 0.47, 0.41);
    }
    if (group == HEAD_EAR) {
        multiply_tint(&skin, 0.8, 1.0, 0.74, 0.71);
    }
    multiply_tint(&skin, blob_weight(BLOOD, COIF_COUNT_OF(BLOOD), p), 1.0, 0.74, 0.72);
    multiply_tint(&skin, blob_weight(SHADOW, COIF_COUNT_OF(SHADOW), p), 0.74, 0.62, 0.62);
    if (freckled && group != HEAD_SCALP) {
        const double sun = 0.06 + blob_weight(SUN, COIF_COUNT_OF(SUN), p);
        const double spots = fmax(spot_noise(scaled(p, 3.0), 0.75 * sun),
                                  0.7 * spot_noise(scaled(p, 1.9), 0.55 * sun));
        multiply_tint(&skin, 0.85 * spots, 0.70, 0.50, 0.38);
    }
    if (group == HEAD_FACE) {
        add_nostrils(&skin, p);
        add_mouth(&skin, p);
        add_lids(&skin, p);
    }
    return skin;
}

static void shade_tint(const void *regions, coif_vec3d p, int group, double texel[RASTER_CHANNELS])
{
    memcpy(texel, skin_evaluate(regions, p, group, false).tint, RASTER_CHANNELS * sizeof *texel);
}

static void shade_freckles(const void *regions, coif_vec3d p, int group,
                           double texel[RASTER_CHANNELS])
{
    memcpy(texel, skin_evaluate(regions, p, group, true).tint, RASTER_CHANNELS * sizeof *texel);
}

static void shade_gloss(const void *regions, coif_vec3d p, int group, double texel[RASTER_CHANNELS])
{
    texel[0] = skin_evaluate(regions, p, group, false).roughness;
}

static void shade_relief(const void *regions, coif_vec3d p, int group,
                         double texel[RASTER_CHANNELS])
{
    const double height = group == HEAD_FACE ? skin_evaluate(regions, p, group, false).height : 0.0;
    texel[0] = 0.5 + height / SKIN_HEIGHT_RANGE;
}

coif_status skin_save(const mannequin *model, const head_regions *regions, const char *folder,
                      coif_error *error)
{
    static const struct {
        const char *name;
        int size, channels;
        raster_shader *shader;
    } TEXTURES[] = {
        {"mannequin_tint.png", 1024, 3, shade_tint},
        {"mannequin_freckles.png", 1024, 3, shade_freckles},
        {"mannequin_gloss.png", 512, 1, shade_gloss},
        {"mannequin_relief.png", 1536, 1, shade_relief},
    };
    const poly_mesh *mesh = &model->mesh;
    double *uv = coif_arena_new(mesh->arena, 8 * (size_t)mesh->face_count, double);
    for (int i = 0; i < 4 * mesh->face_count; ++i) {
        if (i % 4 < poly_face_size(&mesh->face[i / 4])) {
            memcpy(uv + 2 * (size_t)i, model->uv + 2 * (size_t)model->uv_corner[i], 2 * sizeof *uv);
        }
    }
    for (size_t i = 0; i < COIF_COUNT_OF(TEXTURES); ++i) {
        raster image;
        const bool color = TEXTURES[i].channels == 3;
        raster_init(&image, TEXTURES[i].size, TEXTURES[i].channels, color, mesh->arena);
        raster_bake(&image, mesh, uv, TEXTURES[i].shader, regions);
        const char *path = coif_path_join(folder, TEXTURES[i].name, mesh->arena);
        COIF_TRY(raster_save(&image, path, error));
    }
    return COIF_OK;
}
