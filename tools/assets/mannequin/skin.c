// skin: blood near the surface, shadow in the folds, lips and lids, and the grain of it all.
//
// Tints multiply the colour of the skin, so that one picture serves every complexion.
#include "tools/assets/mannequin/skin.h"

#include "tools/assets/shared/files.h"
#include "tools/assets/shared/value_noise.h"
#include "tools/assets/shared/raster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where a tint is strongest, how far it reaches, and how strong it is; mirrored.
typedef struct touch {
    head_vec centre, radii;
    double amount;
} touch;

static const touch BLOOD[] = {
    {{44, -20, 66}, {24, 20, 26}, 0.75}, // cheeks
    {{0, -27, 110}, {12, 11, 14}, 0.75}, // tip of the nose
    {{13, -32, 96}, {8, 9, 10}, 0.85},   // its wings
    {{0, -91, 92}, {20, 14, 18}, 0.40},  // chin
    {{31, 17, 82}, {20, 9, 14}, 0.50},   // upper lid
    {{31, -3, 80}, {19, 7, 14}, 0.35},   // lower lid
    {{0, 30, 97}, {22, 16, 16}, 0.20},   // between the brows
    {{0, -190, 30}, {60, 40, 40}, 0.35}, // throat
};

static const touch SHADOW[] = {
    {{15, 9, 76}, {7, 11, 12}, 0.75},  // inner corner of the eye
    {{27, -3, 80}, {15, 7, 14}, 0.35}, // below it
    {{32, 21, 82}, {22, 6, 14}, 0.45}, // the fold above it
    {{0, -78, 90}, {14, 5, 14}, 0.30}, // below the lips
    {{26, -61, 84}, {6, 5, 10}, 0.45}, // corners of the mouth
    {{17, -33, 90}, {4, 9, 9}, 0.40},  // beside the wings of the nose
};

static const touch SUN[] = {
    {{34, -14, 72}, {26, 20, 30}, 0.80},    {{0, -8, 98}, {14, 26, 24}, 0.85},
    {{0, 60, 92}, {56, 26, 40}, 0.30},      {{0, -90, 84}, {30, 18, 24}, 0.25},
    {{110, -200, -10}, {70, 50, 70}, 0.45},
};
#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static double touched(const touch *list, int count, head_vec p)
{
    double left = 1.0;

    for (int i = 0; i < count; ++i) {
        const head_vec d = vec_sub(vec(fabs(p.x), p.y, p.z), list[i].centre);
        const double x = d.x / list[i].radii.x, y = d.y / list[i].radii.y,
                     z = d.z / list[i].radii.z;
        left *= 1.0 - list[i].amount * exp(-1.4 * (x * x + y * y + z * z));
    }
    return 1.0 - left;
}

static void wash(head_skin *skin, double amount, double red, double green, double blue)
{
    skin->tint[0] *= 1.0 + amount * (red - 1.0);
    skin->tint[1] *= 1.0 + amount * (green - 1.0);
    skin->tint[2] *= 1.0 + amount * (blue - 1.0);
}

static head_vec finer(head_vec p, double size)
{
    return vec_scale(vec_along(p, vec(17, 31, 47), size), 1.0 / size);
}

// The rims of the lids: wet and pink inside, dark where the lashes leave the upper one.
static void paint_lids(head_skin *skin, head_vec p)
{
    const double rim = head_eye_opening(p);

    if (p.z < 55.0 || rim > 8.0) {
        return;
    }
    const double upper = clay_fade(-1.0, 1.5, p.y - 9.0 - 0.07 * (fabs(p.x) - 31.0));
    const double edge = clay_fade(-0.3, 0.5, rim) * (1.0 - clay_fade(0.9, 2.0, rim));
    const double margin = 1.0 - clay_fade(0.2, 0.9, rim);
    wash(skin, edge * (0.25 + 0.6 * upper), 0.42, 0.34, 0.32);
    wash(skin, margin, 0.86, 0.56, 0.54);
    skin->roughness *= 1.0 - 0.35 * margin;
}

static void paint_mouth(head_skin *skin, head_vec p)
{
    double line = 0.0;
    const double lips = head_lips(p, &line);

    wash(skin, lips, 0.86, 0.55, 0.55);
    wash(skin, lips * (1.0 - clay_fade(0.5, 4.5, fabs(line))), 0.82, 0.72, 0.72);
    wash(skin, clay_fade(0.2, 0.7, lips) * exp(-line * line / 0.5), 0.35, 0.25, 0.25);
    skin->roughness *= 1.0 - 0.38 * lips;
    // Creases run across the lips.
    const double crease = head_noise(vec(p.x / 0.9, p.y / 7.0, 3.0)) +
                          0.6 * head_noise(vec(p.x / 0.5 + 9.0, p.y / 4.0, 8.0));
    skin->height = (1.0 - lips) * skin->height + lips * 0.035 * crease;
}

static void paint_nostrils(head_skin *skin, head_vec p)
{
    const double hole = clay_cone(vec(fabs(p.x), p.y, p.z), vec(4.6, -35.4, 102.6),
                                  vec(7.6, -35.6, 95.0), 1.7, 2.5);
    wash(skin, p.z > 85.0 ? 1.0 - clay_fade(-0.4, 1.6, hole) : 0.0, 0.30, 0.20, 0.18);
}

// Larger grain on the body, fine grain in the face; pores show most on nose and cheeks.
static void add_grain(head_skin *skin, head_vec p, int group)
{
    const double blotch = 0.55 * head_noise(finer(p, 11.0)) + 0.45 * head_noise(finer(p, 4.5));
    const double fine = group == HEAD_FACE ? head_noise(finer(p, 1.5)) : 0.0;

    wash(skin, 1.0, 0.962 + 0.025 * blotch + 0.012 * fine, 0.918 + 0.06 * blotch + 0.022 * fine,
         0.922 + 0.055 * blotch + 0.022 * fine);
    if (group != HEAD_FACE) {
        return;
    }
    const double porous = 0.35 + 0.65 * touched(SUN, 2, p);
    skin->height = 0.012 * head_noise(finer(p, 2.6)) + 0.016 * porous * head_noise(finer(p, 1.1)) -
                   0.05 * porous * head_spots(finer(p, 2.2), 0.5);
    skin->roughness *= 1.0 - 0.10 * touched(SUN + 1, 2, p) + 0.05 * blotch;
}

head_skin head_skin_at(const head_regions *regions, head_vec p, int group, int freckled)
{
    head_skin skin = {{1, 1, 1}, 0.95, 0.0};

    add_grain(&skin, p, group);
    if (group == HEAD_SCALP || (group == HEAD_FACE && (p.y > 70.0 || p.z < 60.0))) {
        // Skin under hair sees no sun, and stubs of hair darken it.
        const double inside = head_regions_level(regions, HEAD_SCALP, p);
        wash(&skin, clay_fade(-3.0, 10.0, inside), 0.56, 0.47, 0.41);
    }
    if (group == HEAD_EAR) {
        wash(&skin, 0.8, 1.0, 0.74, 0.71);
    }
    wash(&skin, touched(BLOOD, COUNT(BLOOD), p), 1.0, 0.74, 0.72);
    wash(&skin, touched(SHADOW, COUNT(SHADOW), p), 0.74, 0.62, 0.62);
    if (freckled && group != HEAD_SCALP) {
        const double sun = 0.06 + touched(SUN, COUNT(SUN), p);
        const double spots = fmax(head_spots(finer(p, 3.0), 0.75 * sun),
                                  0.7 * head_spots(finer(p, 1.9), 0.55 * sun));
        wash(&skin, 0.85 * spots, 0.70, 0.50, 0.38);
    }
    if (group == HEAD_FACE) {
        paint_nostrils(&skin, p);
        paint_mouth(&skin, p);
        paint_lids(&skin, p);
    }
    return skin;
}

static void paint_colour(const void *subject, head_vec p, int group, int freckled,
                         unsigned char *bytes)
{
    const head_skin skin = head_skin_at(subject, p, group, freckled);

    for (int c = 0; c < 3; ++c) {
        bytes[c] = head_byte_srgb(skin.tint[c]);
    }
}

static void brush_tint(const void *subject, head_vec p, int group, unsigned char *bytes)
{
    paint_colour(subject, p, group, 0, bytes);
}

static void brush_freckles(const void *subject, head_vec p, int group, unsigned char *bytes)
{
    paint_colour(subject, p, group, 1, bytes);
}

static void brush_gloss(const void *subject, head_vec p, int group, unsigned char *bytes)
{
    bytes[0] = head_byte(head_skin_at(subject, p, group, 0).roughness);
}

static void brush_relief(const void *subject, head_vec p, int group, unsigned char *bytes)
{
    const double height = group == HEAD_FACE ? head_skin_at(subject, p, group, 0).height : 0.0;

    bytes[0] = head_byte(0.5 + height / HEAD_HEIGHT_RANGE);
}

int head_skin_save(const head_model *model, const head_regions *regions, const char *directory)
{
    static const struct {
        const char *name;
        int size, channels;
        head_brush *brush;
    } PICTURES[] = {
        {"mannequin_tint.png", 1024, 3, brush_tint},
        {"mannequin_freckles.png", 1024, 3, brush_freckles},
        {"mannequin_gloss.png", 512, 1, brush_gloss},
        {"mannequin_relief.png", 1536, 1, brush_relief},
    };
    double *uv = head_allocate(8 * (size_t)model->mesh.face_count, sizeof *uv);
    int good = 1;

    for (int i = 0; i < 4 * model->mesh.face_count; ++i) {
        if (i % 4 < head_face_size(&model->mesh.face[i / 4])) {
            memcpy(uv + 2 * (size_t)i, model->uv + 2 * (size_t)model->uv_corner[i], 2 * sizeof *uv);
        }
    }
    for (int i = 0; i < COUNT(PICTURES) && good; ++i) {
        head_picture picture = {.size = PICTURES[i].size, .channels = PICTURES[i].channels};
        char path[4096];
        head_picture_paint(&picture, &model->mesh, uv, PICTURES[i].brush, regions);
        good = head_path(path, sizeof path, directory, PICTURES[i].name) &&
               head_picture_save(&picture, path);
        free(picture.bytes);
    }
    free(uv);
    return good;
}
