// cub_sdf: the cub as a smooth union of its parts.
#include "core/base/base.h"
#include "tools/assets/tiger_cub/tiger_cub.h"

enum { KNOTS = 6 };

static const double LIMB_REACH = 50.0; // wider than any blend with a limb

// Front left, front right, hind left, hind right, from the trunk down. The left front leg and the
// right hind leg are forward in the stride.
static const sdf_tube_knot LEGS[CUB_LEGS][KNOTS] = {
    {{{40, 262, 118}, 46},
     {{50, 205, 122}, 38},
     {{52, 150, 122}, 30},
     {{51, 95, 146}, 25},
     {{50, 55, 162}, 23},
     {{50, 30, 168}, 25}},
    {{{-40, 262, 112}, 46},
     {{-50, 205, 98}, 38},
     {{-52, 150, 78}, 30},
     {{-51, 95, 80}, 25},
     {{-50, 55, 84}, 23},
     {{-50, 30, 90}, 25}},
    {{{38, 262, -128}, 60},
     {{50, 212, -128}, 50},
     {{55, 160, -126}, 36},
     {{54, 112, -172}, 24},
     {{53, 62, -188}, 21},
     {{53, 28, -180}, 23}},
    {{{-38, 262, -118}, 60},
     {{-50, 212, -102}, 50},
     {{-55, 160, -84}, 36},
     {{-54, 112, -112}, 24},
     {{-53, 62, -116}, 21},
     {{-53, 28, -106}, 23}},
};

static const sdf_tube_knot TAIL[] = {
    {{0, 296, -196}, 24},   {{2, 262, -250}, 20}, {{8, 196, -290}, 18},  {{16, 134, -322}, 18},
    {{26, 92, -366}, 18.5}, {{36, 92, -416}, 18}, {{44, 122, -446}, 14},
};

void cub_init(tiger_cub *cub)
{
    const double yaw = 0.5, pitch = 0.12;

    for (int i = 0; i < CUB_LEGS; ++i) {
        const coif_vec3d foot = LEGS[i][KNOTS - 1].point;
        sdf_tube_init(&cub->leg[i], LEGS[i], KNOTS, LIMB_REACH);
        cub->paw[i] = xyz(foot.x * 1.04, 20, foot.z + 16);
    }
    sdf_tube_init(&cub->tail, TAIL, COIF_COUNT_OF(TAIL), LIMB_REACH);
    cub->head = xyz(8, 378, 232);
    cub->yaw_sin = sin(yaw);
    cub->yaw_cos = cos(yaw);
    cub->pitch_sin = sin(pitch);
    cub->pitch_cos = cos(pitch);
}

coif_vec3d cub_to_head(const tiger_cub *cub, coif_vec3d p)
{
    const coif_vec3d d = coif_vec3d_sub(p, cub->head);
    const double x = cub->yaw_cos * d.x - cub->yaw_sin * d.z;
    const double z = cub->yaw_sin * d.x + cub->yaw_cos * d.z;

    return xyz(x, cub->pitch_cos * d.y + cub->pitch_sin * z,
               cub->pitch_cos * z - cub->pitch_sin * d.y);
}

coif_vec3d cub_from_head(const tiger_cub *cub, coif_vec3d q)
{
    const double y = cub->pitch_cos * q.y - cub->pitch_sin * q.z;
    const double z = cub->pitch_cos * q.z + cub->pitch_sin * q.y;

    return coif_vec3d_add(cub->head, xyz(cub->yaw_cos * q.x + cub->yaw_sin * z, y,
                                         cub->yaw_cos * z - cub->yaw_sin * q.x));
}

coif_vec3d cub_eye(int side)
{
    return xyz(side > 0 ? 29 : -29, 12, 42);
}

double cub_eye_radius(void)
{
    return 15.0;
}

// The outer corner is higher than the inner one.
coif_vec3d cub_to_lids(coif_vec3d q)
{
    const coif_vec3d d = coif_vec3d_sub(xyz(fabs(q.x), q.y, q.z), xyz(29.5, 11.5, 42));
    return xyz(0.98 * d.x + 0.20 * d.y, 0.98 * d.y - 0.20 * d.x, d.z);
}

// A tilted bowl: a flat ellipsoid minus another one in front.
static double ear(coif_vec3d p)
{
    const coif_vec3d d = coif_vec3d_sub(p, xyz(50, 54, -8));
    const double x = 0.80 * d.x - 0.60 * d.y, y = 0.60 * d.x + 0.80 * d.y;
    const coif_vec3d q = xyz(x, y, 0.92 * d.z - 0.39 * x);
    const double bowl = sdf_ellipsoid(q, xyz(0, 0, 0), xyz(25, 30, 12));
    const double hollow = sdf_ellipsoid(q, xyz(-1, 3, 13), xyz(18, 23, 11));

    return sdf_subtract(bowl, hollow, 5.0);
}

static double skull(coif_vec3d p)
{
    const coif_vec3d q = xyz(smooth_abs(p.x, 3.0), p.y, p.z);
    double field = sdf_ellipsoid(p, xyz(0, 8, -8), xyz(68, 60, 66));

    field = sdf_union(field, sdf_ellipsoid(p, xyz(0, 24, 16), xyz(50, 42, 44)), 20.0);
    field = sdf_union(field, sdf_ellipsoid(q, xyz(40, -20, 14), xyz(32, 30, 34)), 22.0);
    field = sdf_union(field, sdf_capsule(p, xyz(0, 21, 44), xyz(0, -4, 87), 20, 14), 14.0);
    field = sdf_union(field, sdf_ellipsoid(q, xyz(15, -24, 72), xyz(22, 19, 27)), 10.0);
    field = sdf_union(field, sdf_ellipsoid(p, xyz(0, -46, 61), xyz(19, 13, 24)), 8.0);
    field = sdf_union(field, sdf_ellipsoid(p, xyz(0, -8, 95), xyz(14.5, 9, 8)), 4.0);
    // Brow ridge.
    field = sdf_union(field, sdf_ellipsoid(q, xyz(27, 31, 40), xyz(19, 9, 15)), 14.0);
    // Lids on the eyeball, and the opening between them.
    const double ball = coif_vec3d_length(coif_vec3d_sub(q, cub_eye(1))) - cub_eye_radius();
    const coif_vec3d lid = cub_to_lids(q);
    const double opening = sdf_ellipsoid(lid, xyz(0, 0, 18), xyz(12.5, 8.6, 14));
    field = sdf_subtract(field, sdf_ellipsoid(q, xyz(29, 12, 62), xyz(15, 12, 14)), 10.0);
    field = sdf_subtract(sdf_union(field, ball - 4.0, 16.0), opening, 3.0);
    // Philtrum and mouth.
    field = sdf_subtract(field, sdf_ellipsoid(p, xyz(0, -22, 104), xyz(1.6, 14, 9)), 4.0);
    field = sdf_subtract(field, sdf_ellipsoid(p, xyz(0, -39, 98), xyz(17, 3, 18)), 5.0);
    return sdf_union(field, ear(q), 14.0);
}

static double trunk(coif_vec3d p)
{
    const coif_vec3d q = xyz(smooth_abs(p.x, 6.0), p.y, p.z);
    double field = sdf_ellipsoid(p, xyz(0, 262, 96), xyz(70, 84, 92));

    field = sdf_union(field, sdf_ellipsoid(p, xyz(0, 258, -10), xyz(70, 72, 130)), 40.0);
    field = sdf_union(field, sdf_ellipsoid(p, xyz(0, 264, -130), xyz(64, 74, 84)), 40.0);
    field = sdf_union(field, sdf_ellipsoid(q, xyz(34, 318, 96), xyz(28, 24, 50)), 30.0);
    return sdf_union(field, sdf_capsule(p, xyz(0, 285, 140), xyz(6, 362, 210), 66, 56), 36.0);
}

// A paw with four toes and a flat sole.
static double paw(coif_vec3d p, coif_vec3d center)
{
    const coif_vec3d q = coif_vec3d_sub(p, center);
    double field = sdf_ellipsoid(q, xyz(0, 0, 0), xyz(30, 22, 36));

    for (int i = 0; i < 4; ++i) {
        const double x = -19.5 + 13.0 * i, z = i == 1 || i == 2 ? 25 : 19;
        field = sdf_union(field, sdf_ellipsoid(q, xyz(x, -4, z), xyz(9.5, 14, 17)), 3.5);
    }
    return sdf_intersect(field, -18.0 - q.y, 4.0);
}

cub_parts cub_parts_at(const tiger_cub *cub, coif_vec3d p)
{
    cub_parts parts;

    parts.in_head = cub_to_head(cub, p);
    parts.head = skull(parts.in_head);
    parts.trunk = trunk(p);
    parts.tail = sdf_tube_distance(&cub->tail, p, &parts.tail_along);
    for (int i = 0; i < CUB_LEGS; ++i) {
        const double tube = sdf_tube_distance(&cub->leg[i], p, &parts.leg_along[i]);
        parts.leg[i] = sdf_union(tube, paw(p, cub->paw[i]), 14.0);
    }
    return parts;
}

double cub_distance(const tiger_cub *cub, coif_vec3d p)
{
    const cub_parts parts = cub_parts_at(cub, p);
    double legs = 1e9;

    for (int i = 0; i < CUB_LEGS; ++i) {
        legs = i == 0 ? parts.leg[i] : sdf_union(legs, parts.leg[i], 18.0);
    }
    double field = sdf_union(parts.trunk, legs, 30.0);
    field = sdf_union(field, parts.tail, 24.0);
    return sdf_union(field, parts.head, 26.0);
}

double cub_field(const void *cub, coif_vec3d p)
{
    return cub_distance(cub, p);
}

coif_vec3d cub_normal(const tiger_cub *cub, coif_vec3d p)
{
    return coif_vec3d_normalize(sdf_gradient((sdf_field){cub_field, cub}, p, 0.2));
}
