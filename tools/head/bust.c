// bust: neck, collarbones, shoulders and the cut they end in.
#include "tools/head/sculpture.h"

static const head_knot COLLARBONE[] = {
    {{12, -195, 26}, 8}, {{42, -192, 31}, 6.5},  {{82, -187, 22}, 6.5},
    {{122, -185, 0}, 8}, {{150, -190, -18}, 10},
};

static const head_knot NECK_MUSCLE[] = {
    {{54, -22, -24}, 11}, {{46, -66, -18}, 12}, {{33, -120, 0}, 11},
    {{19, -168, 17}, 8},  {{10, -193, 24}, 6},
};

static const head_knot TRAPEZIUS[] = {
    {{16, -40, -46}, 22},  {{19, -105, -44}, 25},  {{34, -150, -46}, 31},
    {{82, -196, -44}, 32}, {{138, -218, -34}, 32},
};

void head_bust_init(head_bust *bust)
{
    clay_cord_init(&bust->collarbone, COLLARBONE, 5);
    clay_cord_init(&bust->neck_muscle, NECK_MUSCLE, 5);
    clay_cord_init(&bust->trapezius, TRAPEZIUS, 5);
}

static double torso(const head_bust *bust, head_vec p)
{
    const head_vec q = vec(clay_fold(p.x, 8.0), p.y, p.z);
    const double chest = clay_ellipsoid(p, vec(0, -310, -16), vec(166, 128, 84));
    const double pectoral = clay_ellipsoid(q, vec(66, -278, 6), vec(88, 92, 52));
    const double shoulder = clay_ellipsoid(q, vec(146, -236, -28), vec(44, 48, 45));
    double field = clay_join(clay_join(chest, pectoral, 40.0), shoulder, 40.0);

    return clay_join(field, clay_cord(&bust->trapezius, q), 34.0);
}

// Flat where it stands, rising towards the arms, which are cut upright.
static double cut(double field, head_vec p)
{
    const double side = clay_fade(40.0, 200.0, fabs(p.x));
    const double floor_height = -300.0 + 46.0 * side;

    field = clay_meet(field, floor_height - p.y, 14.0);
    return clay_meet(field, fabs(p.x) - 170.0, 14.0);
}

double head_bust_eval(const head_bust *bust, double field, head_vec p)
{
    if (p.y > 40.0) {
        return field;
    }
    const head_vec q = vec(clay_fold(p.x, 3.0), p.y, p.z);
    const double t = clay_fade(-60.0, -200.0, p.y);
    const double neck = clay_ellipsoid(vec(p.x, 0, p.z - (-14.0 - 10.0 * t)), vec(0, 0, 0),
                                       vec(43 + 6 * t, 1e3, 45 + 4 * t));
    const double column = clay_meet(neck, fabs(p.y + 140.0) - 110.0, 40.0);
    const double larynx = clay_cone(p, vec(0, -128, 21), vec(0, -180, 17), 7, 8);

    field = clay_join(field, column, 26.0);
    field = clay_join(field, larynx, 18.0);
    field = clay_join(field, torso(bust, p), 30.0);
    field = clay_join(field, clay_cord(&bust->neck_muscle, q), 18.0);
    field = clay_join(field, clay_cord(&bust->collarbone, q), 24.0);
    return cut(field, p);
}
