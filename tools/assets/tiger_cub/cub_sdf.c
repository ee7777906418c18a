// shape: the cub as one field of soft joins.
#include "tools/assets/tiger_cub/tiger_cub.h"

enum { KNOTS = 6 };

// Farther from a limb than this its distance is only a lower bound: nothing is joined from there.
static const double REACH = 50.0;

// Front left, front right, hind left, hind right, from the trunk down. The left front paw and the
// right hind paw have just stepped forward.
static const head_knot LEGS[CUB_LEGS][KNOTS] = {
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

static const head_knot TAIL[] = {
    {{0, 296, -196}, 24},   {{2, 262, -250}, 20}, {{8, 196, -290}, 18},  {{16, 134, -322}, 18},
    {{26, 92, -366}, 18.5}, {{36, 92, -416}, 18}, {{44, 122, -446}, 14},
};

void cub_init(cub *body)
{
    const double turn = 0.5, nod = 0.12;

    for (int i = 0; i < CUB_LEGS; ++i) {
        const head_vec foot = LEGS[i][KNOTS - 1].point;
        clay_cord_init(&body->leg[i], LEGS[i], KNOTS);
        body->paw[i] = vec(foot.x * 1.04, 20, foot.z + 16);
    }
    clay_cord_init(&body->tail, TAIL, (int)(sizeof TAIL / sizeof TAIL[0]));
    body->head = vec(8, 378, 232);
    body->turn_sin = sin(turn);
    body->turn_cos = cos(turn);
    body->nod_sin = sin(nod);
    body->nod_cos = cos(nod);
}

head_vec cub_to_head(const cub *body, head_vec p)
{
    const head_vec d = vec_sub(p, body->head);
    const double x = body->turn_cos * d.x - body->turn_sin * d.z;
    const double z = body->turn_sin * d.x + body->turn_cos * d.z;

    return vec(x, body->nod_cos * d.y + body->nod_sin * z, body->nod_cos * z - body->nod_sin * d.y);
}

head_vec cub_from_head(const cub *body, head_vec q)
{
    const double y = body->nod_cos * q.y - body->nod_sin * q.z;
    const double z = body->nod_cos * q.z + body->nod_sin * q.y;

    return vec_add(body->head, vec(body->turn_cos * q.x + body->turn_sin * z, y,
                                   body->turn_cos * z - body->turn_sin * q.x));
}

head_vec cub_eye(int side)
{
    return vec(side > 0 ? 29 : -29, 12, 42);
}

double cub_eye_radius(void)
{
    return 15.0;
}

// The outer corner stands higher than the inner one.
head_vec cub_in_lids(head_vec q)
{
    const head_vec d = vec_sub(vec(fabs(q.x), q.y, q.z), vec(29.5, 11.5, 42));
    return vec(0.98 * d.x + 0.20 * d.y, 0.98 * d.y - 0.20 * d.x, d.z);
}

// An ear is a tilted bowl: a flat ball with a ball taken out in front.
static double ear(head_vec p)
{
    const head_vec d = vec_sub(p, vec(50, 54, -8));
    const double x = 0.80 * d.x - 0.60 * d.y, y = 0.60 * d.x + 0.80 * d.y;
    const head_vec q = vec(x, y, 0.92 * d.z - 0.39 * x);
    const double bowl = clay_ellipsoid(q, vec(0, 0, 0), vec(25, 30, 12));
    const double hollow = clay_ellipsoid(q, vec(-1, 3, 13), vec(18, 23, 11));

    return clay_carve(bowl, hollow, 5.0);
}

static double skull(head_vec p)
{
    const head_vec q = vec(clay_fold(p.x, 3.0), p.y, p.z);
    double field = clay_ellipsoid(p, vec(0, 8, -8), vec(68, 60, 66));

    field = clay_join(field, clay_ellipsoid(p, vec(0, 24, 16), vec(50, 42, 44)), 20.0);
    field = clay_join(field, clay_ellipsoid(q, vec(40, -20, 14), vec(32, 30, 34)), 22.0);
    field = clay_join(field, clay_cone(p, vec(0, 21, 44), vec(0, -4, 87), 20, 14), 14.0);
    field = clay_join(field, clay_ellipsoid(q, vec(15, -24, 72), vec(22, 19, 27)), 10.0);
    field = clay_join(field, clay_ellipsoid(p, vec(0, -46, 61), vec(19, 13, 24)), 8.0);
    field = clay_join(field, clay_ellipsoid(p, vec(0, -8, 95), vec(14.5, 9, 8)), 4.0);
    // The ridge over the eye, which shades it.
    field = clay_join(field, clay_ellipsoid(q, vec(27, 31, 40), vec(19, 9, 15)), 14.0);
    // Lids, which lie on the eyeball, and the opening between them.
    const double ball = vec_length(vec_sub(q, cub_eye(1))) - cub_eye_radius();
    const head_vec lid = cub_in_lids(q);
    const double opening = clay_ellipsoid(lid, vec(0, 0, 18), vec(12.5, 8.6, 14));
    field = clay_carve(field, clay_ellipsoid(q, vec(29, 12, 62), vec(15, 12, 14)), 10.0);
    field = clay_carve(clay_join(field, ball - 4.0, 16.0), opening, 3.0);
    // The furrow below the nose, and the mouth.
    field = clay_carve(field, clay_ellipsoid(p, vec(0, -22, 104), vec(1.6, 14, 9)), 4.0);
    field = clay_carve(field, clay_ellipsoid(p, vec(0, -39, 98), vec(17, 3, 18)), 5.0);
    return clay_join(field, ear(q), 14.0);
}

static double trunk(head_vec p)
{
    const head_vec q = vec(clay_fold(p.x, 6.0), p.y, p.z);
    double field = clay_ellipsoid(p, vec(0, 262, 96), vec(70, 84, 92));

    field = clay_join(field, clay_ellipsoid(p, vec(0, 258, -10), vec(70, 72, 130)), 40.0);
    field = clay_join(field, clay_ellipsoid(p, vec(0, 264, -130), vec(64, 74, 84)), 40.0);
    field = clay_join(field, clay_ellipsoid(q, vec(34, 318, 96), vec(28, 24, 50)), 30.0);
    return clay_join(field, clay_cone(p, vec(0, 285, 140), vec(6, 362, 210), 66, 56), 36.0);
}

// The distance to a limb, and how far along it the nearest place is.
static double limb(const head_cord *cord, head_vec p, double *along)
{
    const head_vec out = vec(fmax(fmax(cord->low.x - p.x, p.x - cord->high.x), 0.0),
                             fmax(fmax(cord->low.y - p.y, p.y - cord->high.y), 0.0),
                             fmax(fmax(cord->low.z - p.z, p.z - cord->high.z), 0.0));
    double nearest = 1e9, way = 0.0;

    *along = 0.0;
    if (vec_dot(out, out) > REACH * REACH) {
        return vec_length(out);
    }
    for (int i = 0; i + 1 < cord->count; ++i) {
        const head_vec a = cord->point[i], ab = vec_sub(cord->point[i + 1], a);
        const double t = clay_clamp(vec_dot(vec_sub(p, a), ab) / vec_dot(ab, ab), 0.0, 1.0);
        const double radius = cord->radius[i] + t * (cord->radius[i + 1] - cord->radius[i]);
        const double d = vec_length(vec_sub(p, vec_along(a, ab, t))) - radius;
        if (d < nearest) {
            nearest = d;
            *along = way + t * vec_length(ab);
        }
        way += vec_length(ab);
    }
    return nearest;
}

// A paw with four toes, flat below.
static double paw(head_vec p, head_vec centre)
{
    const head_vec q = vec_sub(p, centre);
    double field = clay_ellipsoid(q, vec(0, 0, 0), vec(30, 22, 36));

    for (int i = 0; i < 4; ++i) {
        const double x = -19.5 + 13.0 * i, z = i == 1 || i == 2 ? 25 : 19;
        field = clay_join(field, clay_ellipsoid(q, vec(x, -4, z), vec(9.5, 14, 17)), 3.5);
    }
    return clay_meet(field, -18.0 - q.y, 4.0);
}

cub_parts cub_parts_at(const cub *body, head_vec p)
{
    cub_parts parts;

    parts.in_head = cub_to_head(body, p);
    parts.head = skull(parts.in_head);
    parts.trunk = trunk(p);
    parts.tail = limb(&body->tail, p, &parts.tail_along);
    for (int i = 0; i < CUB_LEGS; ++i) {
        const double cord = limb(&body->leg[i], p, &parts.leg_along[i]);
        parts.leg[i] = clay_join(cord, paw(p, body->paw[i]), 14.0);
    }
    return parts;
}

double cub_field(const cub *body, head_vec p)
{
    const cub_parts parts = cub_parts_at(body, p);
    double legs = 1e9;

    for (int i = 0; i < CUB_LEGS; ++i) {
        legs = i == 0 ? parts.leg[i] : clay_join(legs, parts.leg[i], 18.0);
    }
    double field = clay_join(parts.trunk, legs, 30.0);
    field = clay_join(field, parts.tail, 24.0);
    return clay_join(field, parts.head, 26.0);
}

head_vec cub_normal(const cub *body, head_vec p)
{
    static const head_vec corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    head_vec sum = {0};

    for (int i = 0; i < 4; ++i) {
        sum = vec_along(sum, corner[i], cub_field(body, vec_along(p, corner[i], 0.2)));
    }
    return vec_unit(sum);
}
