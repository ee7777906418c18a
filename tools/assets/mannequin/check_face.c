// check_face: measures eyes, eyelashes and skin textures.
#include "tools/assets/mannequin/eyes.h"
#include "tools/assets/mannequin/skin.h"
#include "tools/assets/shared/generator.h"

#include <stdio.h>

typedef struct eye_measure {
    double lowest;  // least distance of the visible part above the mannequin, in millimetres
    double highest; // greatest distance of the outermost ring; negative below the lids
    int inverted;   // normals that point inwards
    double iris;    // distance between the irises, in millimetres
} eye_measure;

static eye_measure measure_eyes(const head_sdf *sdf)
{
    eye_measure all = {.lowest = 1e9, .highest = -1e9};
    for (int side = -1; side <= 1; side += 2) {
        eyeball eye;
        eyeball_build(&eye, side);
        all.iris += side * eye.iris.x;
        for (int a = 0; a < EYEBALL_SECTORS; ++a) {
            for (int r = 0; r <= EYEBALL_RINGS; ++r) {
                const coif_vec3d p = eye.point[r][a];
                const double distance = head_sdf_distance(sdf, p);
                if (eye_opening_distance(p) < -1.6) {
                    all.lowest = fmin(all.lowest, distance);
                }
                if (r == EYEBALL_RINGS) {
                    all.highest = fmax(all.highest, distance);
                }
                all.inverted += !(eye.normal[r][a].z > 0.0);
            }
        }
    }
    return all;
}

// Greatest distance of a root from the skin, and greatest depth of any other point below it.
static void measure_lashes(const head_sdf *sdf, double *root_distance, double *depth)
{
    *root_distance = *depth = 0.0;
    for (int n = 0; n < 2 * (EYELASHES_UPPER + EYELASHES_LOWER); ++n) {
        const bool upper = n / 2 < EYELASHES_UPPER;
        coif_vec3d p[EYELASH_POINTS];
        eyelash_points(sdf, n % 2 == 0 ? 1 : -1, upper, upper ? n / 2 : n / 2 - EYELASHES_UPPER, p);
        *root_distance = fmax(*root_distance, fabs(head_sdf_distance(sdf, p[0])));
        for (int i = 2; i < EYELASH_POINTS; ++i) {
            *depth = fmax(*depth, -head_sdf_distance(sdf, p[i]));
        }
    }
}

// Texels whose tint is not in (0, 1], or whose roughness or height does not fit the texture.
static int count_out_of_range(const mannequin *model, const head_regions *regions)
{
    int count = 0;
    for (int f = 0; f < model->mesh.face_count; ++f) {
        const poly_face *face = &model->mesh.face[f];
        const skin_texel skin =
            skin_evaluate(regions, model->mesh.point[face->corner[0]], face->group, f % 2 == 1);
        bool good = fabs(skin.height) < 0.5 * SKIN_HEIGHT_RANGE && skin.roughness > 0.3 &&
                    skin.roughness <= 1.0;
        for (int c = 0; c < 3; ++c) {
            good = good && skin.tint[c] > 0.0 && skin.tint[c] <= 1.0;
        }
        count += !good;
    }
    return count;
}

static double green_over_red(const head_regions *regions, coif_vec3d p)
{
    const skin_texel skin = skin_evaluate(regions, p, HEAD_FACE, false);
    return skin.tint[1] / skin.tint[0];
}

int mannequin_check_face(const mannequin *model, const head_sdf *sdf)
{
    const eye_measure eyes = measure_eyes(sdf);
    double root_distance, depth;
    head_regions regions;
    int bad = 0;
    head_regions_init(&regions, sdf);
    measure_lashes(sdf, &root_distance, &depth);
    const int out_of_range = count_out_of_range(model, &regions);
    const double lips = green_over_red(&regions, xyz(0, -66, 99));
    const double forehead = green_over_red(&regions, xyz(20, 60, 88));
    printf("eye above mesh      %.3f mm at least\n", eyes.lowest);
    printf("rim below lids      %.3f mm at least\n", -eyes.highest);
    printf("iris distance       %.2f mm\n", eyes.iris);
    printf("lash root distance  %.3f mm at most\n", root_distance);
    printf("lash depth in skin  %.3f mm at most\n", depth);
    printf("skin out of range   %d texels\n", out_of_range);
    printf("green over red      %.2f lips, %.2f forehead\n", lips, forehead);

    asset_expect(&bad, "eyes lie above the eyeballs of the mesh", eyes.lowest > 0.05);
    asset_expect(&bad, "rims of the eyes are below the lids", eyes.highest < 0.0);
    asset_expect(&bad, "eye normals point outwards", eyes.inverted == 0);
    asset_expect(&bad, "both eyes have the same gaze", fabs(eyes.iris - 62.0) < 1e-9);
    asset_expect(&bad, "lashes start on the lids", root_distance < 0.05);
    asset_expect(&bad, "lashes do not penetrate the skin", depth < 0.1);
    asset_expect(&bad, "tint, roughness and height fit their textures", out_of_range == 0);
    asset_expect(&bad, "lips are redder than the forehead", lips < 0.8 * forehead);
    return bad;
}
