// check_face: measures what is promised of eyes, lashes and the pictures of the skin.
#include "tools/assets/mannequin/eyes.h"
#include "tools/assets/mannequin/skin.h"

#include <stdio.h>

typedef struct eye_measure {
    double lowest;  // of what the lids leave open, over the mannequin, in millimetres
    double highest; // of its rim: below the lids it is negative
    int turned;     // faces that look inwards
    double iris;    // between the irises, in millimetres
} eye_measure;

static eye_measure measure_eyes(const head_sculpture *sculpture)
{
    eye_measure all = {.lowest = 1e9, .highest = -1e9};

    for (int side = -1; side <= 1; side += 2) {
        head_eyeball eye;
        head_eyeball_build(&eye, side);
        all.iris += side * eye.iris.x;
        for (int a = 0; a < HEAD_EYE_AROUND; ++a) {
            for (int r = 0; r <= HEAD_EYE_RINGS; ++r) {
                const head_vec p = eye.point[r][a];
                const double over = head_sculpture_eval(sculpture, p);
                if (head_eye_opening(p) < -1.6) {
                    all.lowest = fmin(all.lowest, over);
                }
                if (r == HEAD_EYE_RINGS) {
                    all.highest = fmax(all.highest, over);
                }
                all.turned += !(eye.normal[r][a].z > 0.0);
            }
        }
    }
    return all;
}

// How far roots of lashes are from the skin, and how far into it other points are, at most.
static void measure_lashes(const head_sculpture *sculpture, double *off, double *deep)
{
    *off = *deep = 0.0;
    for (int n = 0; n < 2 * (HEAD_LASHES_UPPER + HEAD_LASHES_LOWER); ++n) {
        const int upper = n / 2 < HEAD_LASHES_UPPER;
        head_vec p[HEAD_LASH_POINTS];
        head_lash(sculpture, n % 2 == 0 ? 1 : -1, upper, upper ? n / 2 : n / 2 - HEAD_LASHES_UPPER,
                  p);
        *off = fmax(*off, fabs(head_sculpture_eval(sculpture, p[0])));
        for (int i = 2; i < HEAD_LASH_POINTS; ++i) {
            *deep = fmax(*deep, -head_sculpture_eval(sculpture, p[i]));
        }
    }
}

// Tints darken and never brighten, and heights fit their picture, all over the mannequin.
static int skin_outside(const head_model *model, const head_regions *regions)
{
    int outside = 0;

    for (int f = 0; f < model->mesh.face_count; ++f) {
        const head_face *face = &model->mesh.face[f];
        const head_skin skin =
            head_skin_at(regions, model->mesh.point[face->corner[0]], face->group, f % 2);
        int good = fabs(skin.height) < 0.5 * HEAD_HEIGHT_RANGE && skin.roughness > 0.3 &&
                   skin.roughness <= 1.0;
        for (int c = 0; c < 3; ++c) {
            good = good && skin.tint[c] > 0.0 && skin.tint[c] <= 1.0;
        }
        outside += !good;
    }
    return outside;
}

// Green over red of a tint: redder is less.
static double redness(const head_regions *regions, head_vec p)
{
    const head_skin skin = head_skin_at(regions, p, HEAD_FACE, 0);
    return skin.tint[1] / skin.tint[0];
}

static int promise(const char *name, int kept)
{
    if (!kept) {
        fprintf(stderr, "coif_head: broken promise: %s\n", name);
    }
    return !kept;
}

int head_face_check(const head_model *model, const head_sculpture *sculpture)
{
    const eye_measure eyes = measure_eyes(sculpture);
    double off, deep;
    head_regions regions;
    int broken = 0;

    head_regions_init(&regions, sculpture);
    measure_lashes(sculpture, &off, &deep);
    const int outside = skin_outside(model, &regions);
    const double lips = redness(&regions, vec(0, -66, 99)),
                 brow = redness(&regions, vec(20, 60, 88));
    printf("eyes over the balls %.3f mm at least\n", eyes.lowest);
    printf("rims below the lids %.3f mm at least\n", -eyes.highest);
    printf("between the irises  %.2f mm\n", eyes.iris);
    printf("lashes off the lids %.3f mm at most\n", off);
    printf("lashes in the skin  %.3f mm at most\n", deep);
    printf("skin out of range   %d places\n", outside);
    printf("green over red      %.2f lips, %.2f forehead\n", lips, brow);

    broken += promise("eyes lie over the balls between the lids", eyes.lowest > 0.05);
    broken += promise("no rim of an eye shows", eyes.highest < 0.0);
    broken += promise("eyes face outwards", eyes.turned == 0);
    broken += promise("both eyes look the same way", fabs(eyes.iris - 62.0) < 1e-9);
    broken += promise("lashes begin on the lids", off < 0.05);
    broken += promise("lashes do not go through the skin", deep < 0.1);
    broken += promise("tints, gloss and heights within their pictures", outside == 0);
    broken += promise("lips are redder than the forehead", lips < 0.8 * brow);
    return broken;
}
