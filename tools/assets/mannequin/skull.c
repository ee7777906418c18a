// skull: cranium, facial bones and jaw, and soft tissue without distinct borders.
//
// Landmarks, in millimetres from the midpoint of the ear canals: crown y 121, brow y 28, eye y 9,
// base of the nose y -38, mouth y -61, chin y -106; forehead z 97, occiput z -98, temples x 76.
#include "core/base/base.h"
#include "tools/assets/mannequin/head_sdf.h"

static double cranium(coif_vec3d p)
{
    const double vault = sdf_ellipsoid(p, xyz(0, 40, -10), xyz(76.5, 80, 84));
    const double occiput = sdf_ellipsoid(p, xyz(0, 20, -46), xyz(62, 58, 50));
    const double forehead = sdf_ellipsoid(p, xyz(0, 50, 36), xyz(61, 58, 58));
    const double base = sdf_ellipsoid(p, xyz(0, -10, -6), xyz(65, 50, 60));

    double field = sdf_union(vault, occiput, 30.0);
    field = sdf_union(field, forehead, 34.0);
    return sdf_union(field, base, 30.0);
}

static double jaw(coif_vec3d p)
{
    const coif_vec3d q = xyz(smooth_abs(p.x, 6.0), p.y, p.z);
    const double ramus = sdf_capsule(q, xyz(50, -10, 14), xyz(37, -54, 22), 14, 13);
    const double body = sdf_capsule(q, xyz(37, -54, 22), xyz(7, -91, 74), 13, 11.5);
    const double chin = sdf_ellipsoid(p, xyz(0, -90, 78), xyz(17, 15, 16));

    return sdf_union(sdf_union(ramus, body, 20.0), chin, 16.0);
}

static double face(coif_vec3d p)
{
    const double mask = sdf_ellipsoid(p, xyz(0, -14, 36), xyz(58, 70, 56));
    const double cheek = sdf_ellipsoid(p, xyz(0, -38, 40), xyz(53, 54, 49));
    const double muzzle = sdf_ellipsoid(p, xyz(0, -60, 62), xyz(29, 32, 31));
    const double cheekbone = sdf_capsule(xyz(smooth_abs(p.x, 4.0), p.y, p.z), xyz(53, -4, 40),
                                         xyz(38, -14, 64), 9, 11.5);

    double field = sdf_union(mask, cheek, 20.0);
    field = sdf_union(field, muzzle, 18.0);
    return sdf_union(field, cheekbone, 26.0);
}

// Soft tissue and surface detail.
static const sdf_bump BUMPS[] = {
    {{0, 30, 96}, {15, 13, 22}, 1.2},    // between the brows
    {{0, 16, 95}, {18, 18, 28}, -2.6},   // root of the nose
    {{20, 29, 88}, {20, 10, 26}, 1.0},   // brow ridge, inner half
    {{18, 20, 86}, {12, 10, 20}, 1.5},   // below its inner end
    {{38, 31, 76}, {20, 11, 26}, 1.9},   // brow ridge, outer half
    {{64, 34, 50}, {24, 32, 28}, -1.6},  // temple
    {{44, -10, 64}, {22, 16, 26}, 1.2},  // crest of the cheekbone
    {{46, -52, 56}, {22, 22, 30}, -0.5}, // hollow below the cheekbone
    {{60, -26, 36}, {26, 22, 34}, 1.8},  // between cheekbone and jaw
    {{0, -46, 92}, {26, 14, 24}, 3.4},   // upper lip, above the red
    {{0, -77, 92}, {22, 8, 16}, -2.2},   // furrow between lip and chin
    {{24, -72, 80}, {14, 16, 16}, -1.0}, // beside the chin
};

double skull_sdf(coif_vec3d p)
{
    double field = sdf_union(cranium(p), face(p), 26.0);
    const double socket = sdf_ellipsoid(p, xyz(35, 10.5, 98), xyz(20, 13.5, 20));

    field = sdf_union(field, jaw(p), 26.0);
    field = sdf_subtract(field, socket, 20.0);
    return sdf_add_bumps(field, p, BUMPS, COIF_COUNT_OF(BUMPS));
}
