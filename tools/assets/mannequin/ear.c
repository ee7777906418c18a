// ear: an auricle of cords on a thin bowl, tilted back and standing off the head.
//
// Local coordinates: x backwards, y up, z outwards. The helix is a cord that starts in the bowl,
// runs forward, over the top and down to the lobe; the antihelix is a second cord inside it with
// a fork; between the two lies the scapha, in front of them the concha.
#include "tools/assets/mannequin/head_sdf.h"

static const head_knot HELIX[] = {
    {{6, -0.5, -10}, 1.8},      {{1, 1.5, -6.5}, 2.4},    {{-3.8, 6, -1.6}, 2.6},
    {{-5, 14, 0.2}, 2.5},       {{-2.5, 22, 0.8}, 2.6},   {{3.5, 28, 1.2}, 2.7},
    {{11.5, 30, 1.4}, 2.8},     {{19.5, 27.5, 1.2}, 2.8}, {{25, 20.5, 0.8}, 2.8},
    {{26.8, 11, 0.4}, 2.7},     {{25.6, 1, 0}, 2.5},      {{22.2, -8, -0.4}, 2.2},
    {{17.5, -15.5, -0.8}, 2.0}, {{12.5, -22, -1}, 2.0},
};

static const head_knot ANTIHELIX[] = {
    {{2.5, -13.5, -0.4}, 2.8}, {{8.5, -12, -0.4}, 2.4}, {{14, -6, -0.4}, 2.5},
    {{16.6, 2, 0.2}, 2.8},     {{16.6, 10, 0.2}, 2.8},  {{15.2, 17, -0.6}, 2.4},
    {{13.4, 23.5, -1.6}, 1.6},
};

static const head_knot FORK[] = {
    {{16.4, 10.0, 0.0}, 2.6},
    {{11.5, 13.4, -0.8}, 2.2},
    {{5.5, 14.2, -1.6}, 1.8},
    {{0, 13.6, -2.4}, 1.4},
};

void head_ear_init(head_ear *ear)
{
    const double tilt = 0.30, flare = 0.42; // radians

    ear->origin = vec(77.0, 2.5, -3.0);
    ear->up = vec_unit(vec(0.06, cos(tilt), -sin(tilt)));
    ear->back = vec(sin(flare), -sin(tilt) * cos(flare), -cos(tilt) * cos(flare));
    ear->back = vec_unit(vec_along(ear->back, ear->up, -vec_dot(ear->back, ear->up)));
    ear->out = vec_cross(ear->up, ear->back);
    if (ear->out.x < 0.0) {
        ear->out = vec_scale(ear->out, -1.0);
    }
    clay_cord_init(&ear->helix, HELIX, (int)(sizeof HELIX / sizeof HELIX[0]));
    clay_cord_init(&ear->antihelix, ANTIHELIX, (int)(sizeof ANTIHELIX / sizeof ANTIHELIX[0]));
    clay_cord_init(&ear->fork, FORK, (int)(sizeof FORK / sizeof FORK[0]));
}

head_vec head_ear_local(const head_ear *ear, head_vec p)
{
    const head_vec d = vec_sub(p, ear->origin);
    return vec(vec_dot(d, ear->back), vec_dot(d, ear->up), vec_dot(d, ear->out));
}

// A slab of even thickness with the outline of an ellipse.
static double slab(head_vec q, head_vec centre, double width, double height, double thickness)
{
    const double outline =
        clay_ellipsoid(vec(q.x, q.y, 0), vec(centre.x, centre.y, 0), vec(width, height, 1.0));
    return clay_meet(outline, fabs(q.z - centre.z) - thickness, 3.0);
}

// A flat ellipse thickened all around, with a rim as round as a finger.
static double disc(head_vec q, head_vec centre, double width, double height, double radius)
{
    const double outline =
        clay_ellipsoid(vec(q.x, q.y, 0), vec(centre.x, centre.y, 0), vec(width, height, 1.0));
    return hypot(fmax(outline, 0.0), q.z - centre.z) - radius;
}

// A pit with upright walls above its widest place, so that its rim never overhangs.
static double pit(head_vec q, head_vec centre, head_vec radii)
{
    return clay_ellipsoid(vec(q.x, q.y, fmin(q.z, centre.z)), centre, radii);
}

static double auricle(const head_ear *ear, head_vec q)
{
    const double upper = slab(q, vec(11, 11, -3.0), 15.5, 18.5, 2.3);
    const double lower = slab(q, vec(9.5, -8, -2.8), 14, 15, 2.3);
    const double bowl = clay_ellipsoid(q, vec(5.5, 0.5, -5), vec(14.5, 17.5, 12));
    const double lobe = disc(q, vec(6.5, -22, -1.4), 5.6, 7.0, 3.0);
    const double tragus = clay_ellipsoid(q, vec(-3.4, -5.0, 0.2), vec(3.2, 5.4, 3.8));
    const double concha = pit(q, vec(5.4, -2.5, -2.0), vec(9.6, 10.0, 8.0));
    const double cymba = pit(q, vec(4.6, 7.6, -1.5), vec(8.6, 5.2, 5.5));

    double field = clay_join(clay_join(upper, lower, 6.0), bowl, 5.0);
    field = clay_join(field, lobe, 6.0);
    field = clay_carve(field, clay_join(concha, cymba, 4.0), 3.0);
    field = clay_join(field, clay_cord(&ear->antihelix, q), 3.0);
    field = clay_join(field, clay_cord(&ear->fork, q), 2.6);
    // In front a furrow stays along the helix; behind, it flows into the back of the ear.
    field = clay_join(field, clay_cord(&ear->helix, q), 3.2 + 5.0 * clay_fade(1.0, -3.0, q.z));
    return clay_join(field, tragus, 4.0);
}

double head_ear_eval(const head_ear *ear, double field, head_vec p)
{
    const head_vec q = head_ear_local(ear, p);
    const double reach = clay_ellipsoid(q, vec(10, 0, -6), vec(38, 46, 30));

    if (reach > 0.0) {
        return field;
    }
    return clay_join(field, auricle(ear, q), 7.0);
}
