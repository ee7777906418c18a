// ear: the auricle, tubes on a thin bowl, tilted back and flared outwards.
//
// Local coordinates: x backwards, y up, z outwards. The helix is a tube that starts in the bowl and
// leads forward, over the top and down to the lobe; the antihelix is a second tube inside it with a
// fork; between the two lies the scapha, in front of them the concha.
#include "core/base/base.h"
#include "tools/assets/mannequin/head_sdf.h"

static const sdf_tube_knot HELIX[] = {
    {{6, -0.5, -10}, 1.8},      {{1, 1.5, -6.5}, 2.4},    {{-3.8, 6, -1.6}, 2.6},
    {{-5, 14, 0.2}, 2.5},       {{-2.5, 22, 0.8}, 2.6},   {{3.5, 28, 1.2}, 2.7},
    {{11.5, 30, 1.4}, 2.8},     {{19.5, 27.5, 1.2}, 2.8}, {{25, 20.5, 0.8}, 2.8},
    {{26.8, 11, 0.4}, 2.7},     {{25.6, 1, 0}, 2.5},      {{22.2, -8, -0.4}, 2.2},
    {{17.5, -15.5, -0.8}, 2.0}, {{12.5, -22, -1}, 2.0},
};

static const sdf_tube_knot ANTIHELIX[] = {
    {{2.5, -13.5, -0.4}, 2.8}, {{8.5, -12, -0.4}, 2.4}, {{14, -6, -0.4}, 2.5},
    {{16.6, 2, 0.2}, 2.8},     {{16.6, 10, 0.2}, 2.8},  {{15.2, 17, -0.6}, 2.4},
    {{13.4, 23.5, -1.6}, 1.6},
};

static const sdf_tube_knot FORK[] = {
    {{16.4, 10.0, 0.0}, 2.6},
    {{11.5, 13.4, -0.8}, 2.2},
    {{5.5, 14.2, -1.6}, 1.8},
    {{0, 13.6, -2.4}, 1.4},
};

void ear_sdf_init(ear_sdf *ear)
{
    const double tilt = 0.30, flare = 0.42; // radians

    ear->origin = xyz(77.0, 2.5, -3.0);
    ear->up = coif_vec3d_normalize(xyz(0.06, cos(tilt), -sin(tilt)));
    ear->back = xyz(sin(flare), -sin(tilt) * cos(flare), -cos(tilt) * cos(flare));
    ear->back = coif_vec3d_normalize(
        coif_vec3d_mad(ear->back, -coif_vec3d_dot(ear->back, ear->up), ear->up));
    ear->out = coif_vec3d_cross(ear->up, ear->back);
    if (ear->out.x < 0.0) {
        ear->out = coif_vec3d_scale(ear->out, -1.0);
    }
    sdf_tube_init(&ear->helix, HELIX, COIF_COUNT_OF(HELIX), HEAD_TUBE_REACH);
    sdf_tube_init(&ear->antihelix, ANTIHELIX, COIF_COUNT_OF(ANTIHELIX), HEAD_TUBE_REACH);
    sdf_tube_init(&ear->fork, FORK, COIF_COUNT_OF(FORK), HEAD_TUBE_REACH);
}

coif_vec3d ear_sdf_local(const ear_sdf *ear, coif_vec3d p)
{
    const coif_vec3d d = coif_vec3d_sub(p, ear->origin);
    return xyz(coif_vec3d_dot(d, ear->back), coif_vec3d_dot(d, ear->up),
               coif_vec3d_dot(d, ear->out));
}

// An elliptic plate of constant thickness.
static double plate(coif_vec3d q, coif_vec3d center, double width, double height, double thickness)
{
    const double outline =
        sdf_ellipsoid(xyz(q.x, q.y, 0), xyz(center.x, center.y, 0), xyz(width, height, 1.0));
    return sdf_intersect(outline, fabs(q.z - center.z) - thickness, 3.0);
}

// A flat ellipse offset by a radius in all directions.
static double disc(coif_vec3d q, coif_vec3d center, double width, double height, double radius)
{
    const double outline =
        sdf_ellipsoid(xyz(q.x, q.y, 0), xyz(center.x, center.y, 0), xyz(width, height, 1.0));
    return hypot(fmax(outline, 0.0), q.z - center.z) - radius;
}

// A pit with vertical walls above its widest section, so that the rim does not overhang.
static double pit(coif_vec3d q, coif_vec3d center, coif_vec3d radii)
{
    return sdf_ellipsoid(xyz(q.x, q.y, fmin(q.z, center.z)), center, radii);
}

static double auricle(const ear_sdf *ear, coif_vec3d q)
{
    const double upper = plate(q, xyz(11, 11, -3.0), 15.5, 18.5, 2.3);
    const double lower = plate(q, xyz(9.5, -8, -2.8), 14, 15, 2.3);
    const double bowl = sdf_ellipsoid(q, xyz(5.5, 0.5, -5), xyz(14.5, 17.5, 12));
    const double lobe = disc(q, xyz(6.5, -22, -1.4), 5.6, 7.0, 3.0);
    const double tragus = sdf_ellipsoid(q, xyz(-3.4, -5.0, 0.2), xyz(3.2, 5.4, 3.8));
    const double concha = pit(q, xyz(5.4, -2.5, -2.0), xyz(9.6, 10.0, 8.0));
    const double cymba = pit(q, xyz(4.6, 7.6, -1.5), xyz(8.6, 5.2, 5.5));

    double field = sdf_union(sdf_union(upper, lower, 6.0), bowl, 5.0);
    field = sdf_union(field, lobe, 6.0);
    field = sdf_subtract(field, sdf_union(concha, cymba, 4.0), 3.0);
    field = sdf_union(field, sdf_tube_distance(&ear->antihelix, q, NULL), 3.0);
    field = sdf_union(field, sdf_tube_distance(&ear->fork, q, NULL), 2.6);
    // A narrow blend in front keeps the furrow along the helix; the back of the ear is smooth.
    field = sdf_union(field, sdf_tube_distance(&ear->helix, q, NULL),
                      3.2 + 5.0 * smootherstep(1.0, -3.0, q.z));
    return sdf_union(field, tragus, 4.0);
}

double ear_sdf_distance(const ear_sdf *ear, double field, coif_vec3d p)
{
    const coif_vec3d q = ear_sdf_local(ear, p);
    const double reach = sdf_ellipsoid(q, xyz(10, 0, -6), xyz(38, 46, 30));

    if (reach > 0.0) {
        return field;
    }
    return sdf_union(field, auricle(ear, q), 7.0);
}
