// bust: neck, collarbones, shoulders and the cut they end in.
#include "tools/assets/mannequin/head_sdf.h"

static const head_knot COLLARBONE[] = {
    {{12, -196, 22}, 7}, {{42, -193, 28}, 6.5},  {{82, -189, 22}, 6.5},
    {{122, -191, 0}, 8}, {{150, -200, -18}, 10},
};

static const head_knot NECK_MUSCLE[] = {
    {{54, -22, -24}, 10},  {{44, -64, -19}, 10.5}, {{31, -118, -2}, 10},
    {{18, -168, 16}, 7.5}, {{10, -194, 20}, 6},
};

static const head_knot TRAPEZIUS[] = {
    {{16, -40, -46}, 22},  {{18, -105, -44}, 24},  {{32, -150, -46}, 30},
    {{80, -194, -44}, 32}, {{138, -224, -34}, 32},
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
    const double shoulder = clay_ellipsoid(q, vec(144, -244, -28), vec(46, 50, 45));
    const double back = clay_ellipsoid(p, vec(0, -262, -46), vec(112, 104, 52));
    double field = clay_join(clay_join(chest, pectoral, 40.0), shoulder, 40.0);

    field = clay_join(field, back, 40.0);
    return clay_join(field, clay_cord(&bust->trapezius, q), 34.0);
}

// Cut like an antique bust: seen from the front, one curve from shoulder to shoulder, flat where it
// stands.
static double cut(double field, head_vec p)
{
    const double x = p.x / 174.0, y = fmin(p.y + 190.0, 0.0) / 112.0;
    const double curve = pow(pow(fabs(x), 2.5) + pow(fabs(y), 2.5), 1.0 / 2.5);

    field = clay_meet(field, 112.0 * (curve - 1.0), 12.0);
    return clay_meet(field, -300.0 - p.y, 8.0);
}

double head_bust_eval(const head_bust *bust, double field, head_vec p)
{
    if (p.y > 40.0) {
        return field;
    }
    const head_vec q = vec(clay_fold(p.x, 3.0), p.y, p.z);
    const double t = clay_fade(-60.0, -200.0, p.y);
    const double neck = clay_ellipsoid(vec(p.x, 0, p.z - (-14.0 - 10.0 * t)), vec(0, 0, 0),
                                       vec(41 + 7 * t, 1e3, 44 + 4 * t));
    const double column = clay_meet(neck, fabs(p.y + 140.0) - 110.0, 40.0);
    const double larynx = clay_cone(p, vec(0, -128, 21), vec(0, -180, 17), 7, 8);

    field = clay_join(field, column, 26.0);
    field = clay_join(field, larynx, 18.0);
    field = clay_join(field, torso(bust, p), 30.0);
    field = clay_join(field, clay_cord(&bust->neck_muscle, q), 18.0);
    field = clay_join(field, clay_cord(&bust->collarbone, q), 24.0);
    return cut(field, p);
}
