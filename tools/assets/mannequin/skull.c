// skull: cranium, face bones and jaw, with the soft parts that have no edge of their own.
//
// Landmarks, in millimetres from the middle between the ear canals: crown y 121, brow y 28, eye
// y 9, base of the nose y -38, mouth y -61, chin y -106; the forehead reaches z 97, the back of
// the head z -98, the temples x 76.
#include "tools/assets/mannequin/head_sdf.h"

static double cranium(head_vec p)
{
    const double vault = clay_ellipsoid(p, vec(0, 40, -10), vec(76.5, 80, 84));
    const double occiput = clay_ellipsoid(p, vec(0, 20, -46), vec(62, 58, 50));
    const double forehead = clay_ellipsoid(p, vec(0, 50, 36), vec(61, 58, 58));
    const double base = clay_ellipsoid(p, vec(0, -10, -6), vec(65, 50, 60));

    double field = clay_join(vault, occiput, 30.0);
    field = clay_join(field, forehead, 34.0);
    return clay_join(field, base, 30.0);
}

static double jaw(head_vec p)
{
    const head_vec q = vec(clay_fold(p.x, 6.0), p.y, p.z);
    const double ramus = clay_cone(q, vec(50, -10, 14), vec(37, -54, 22), 14, 13);
    const double body = clay_cone(q, vec(37, -54, 22), vec(7, -91, 74), 13, 11.5);
    const double chin = clay_ellipsoid(p, vec(0, -90, 78), vec(17, 15, 16));

    return clay_join(clay_join(ramus, body, 20.0), chin, 16.0);
}

static double face(head_vec p)
{
    const double mask = clay_ellipsoid(p, vec(0, -14, 36), vec(58, 70, 56));
    const double cheek = clay_ellipsoid(p, vec(0, -38, 40), vec(53, 54, 49));
    const double muzzle = clay_ellipsoid(p, vec(0, -60, 62), vec(29, 32, 31));
    const double cheekbone =
        clay_cone(vec(clay_fold(p.x, 4.0), p.y, p.z), vec(53, -4, 40), vec(38, -14, 64), 9, 11.5);

    double field = clay_join(mask, cheek, 20.0);
    field = clay_join(field, muzzle, 18.0);
    return clay_join(field, cheekbone, 26.0);
}

// What a thumb adds and takes away once the bones stand.
static const head_dab DABS[] = {
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

double head_skull(head_vec p)
{
    double field = clay_join(cranium(p), face(p), 26.0);
    const double socket = clay_ellipsoid(p, vec(35, 10.5, 98), vec(20, 13.5, 20));

    field = clay_join(field, jaw(p), 26.0);
    field = clay_carve(field, socket, 20.0);
    return clay_dabs(field, p, DABS, (int)(sizeof DABS / sizeof DABS[0]));
}
