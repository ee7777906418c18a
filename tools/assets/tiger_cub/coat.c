// coat: colour and length of the hair.
//
// Stripes are periodic in one coordinate per part: along the trunk, down a leg, along the tail, and
// the distance from the nose on the head. Solid noise bends, forks and breaks them; they thin out
// towards the belly.
#include "tools/assets/shared/value_noise.h"
#include "tools/assets/tiger_cub/tiger_cub.h"

#include <stdint.h>

static const double TAU = 6.283185307179586;

// -1 to 1.
static double lattice(int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (double)((h ^ h >> 15) >> 8) / 8388608.0 - 1.0;
}

// Value noise, -1 to 1, of the given feature size in millimetres.
static double noise(coif_vec3d p, double size, double shift)
{
    return value_noise_of(
        lattice, xyz(p.x / size + shift, p.y / size + 17.3 * shift, p.z / size - 5.1 * shift));
}

// 1 on a stripe, 0 between; cover is the fraction that is dark.
static double stripes(double along, double period, double cover)
{
    const double wave = cos(TAU * along / period);
    const double edge = cos(TAU * 0.5 * sdf_clamp(cover, 0.0, 1.0));
    return cover <= 0.02 ? 0.0 : smootherstep(edge - 0.16, edge + 0.16, wave);
}

static double trunk_stripes(coif_vec3d p)
{
    const double bend = 13.0 * noise(p, 62, 0.3) + 6.0 * noise(p, 26, 1.7);
    // The stripes of the two sides are offset on the back.
    const double along = p.z + bend + 0.12 * (p.y - 250) + (p.x > 0 ? 5.0 : -5.0);
    const double height = smootherstep(185, 310, p.y);
    const double broken = 0.16 * noise(p, 44, 4.2);
    const double cover = 0.10 + 0.34 * height + broken - 0.10 * smootherstep(60, 170, p.z);
    const double main = stripes(along, 44, cover);
    // Occasional thin stripes between the broad ones.
    const double between = stripes(along + 22 + 5 * noise(p, 30, 9.1), 44,
                                   0.26 * smootherstep(0.0, 0.5, noise(p, 55, 7.7)) * height);

    return fmax(main, between);
}

static double leg_stripes(coif_vec3d p, double along, int hind)
{
    const double bend = 7.0 * noise(p, 40, 2.2) + 3.0 * noise(p, 18, 5.5);
    const double cover = (hind ? 0.34 : 0.24) + 0.16 * noise(p, 36, 3.3);
    return stripes(along + bend, hind ? 31 : 34, cover * smootherstep(20, 60, p.y));
}

static double tail_stripes(coif_vec3d p, double along)
{
    const double cover = 0.40 + 0.08 * noise(p, 30, 6.1);
    const double rings = stripes(along + 3.0 * noise(p, 22, 1.1), 37, cover);
    return fmax(rings, smootherstep(352, 372, along));
}

static double gaussian(double x, double y, double cx, double cy, double rx, double ry)
{
    const double a = (x - cx) / rx, b = (y - cy) / ry;
    return exp(-a * a - b * b);
}

static double head_stripes(coif_vec3d q)
{
    const double x = fabs(q.x), distance = hypot(hypot(q.x * 0.9, q.y + 2), (q.z - 84) * 0.75);
    const double bend = 5.0 * noise(q, 26, 8.8) + 2.5 * noise(q, 12, 2.9);
    // Arches on the brow and the cheeks.
    const double brow = smootherstep(30, 44, q.y) * smootherstep(46, 30, x);
    const double crown = stripes(q.y - 0.012 * x * x + 0.5 * (40 - q.z) + bend, 15,
                                 brow * (0.36 + 0.2 * noise(q, 24, 3.7)));
    const double cheek = smootherstep(36, 50, x) * smootherstep(52, 28, q.y);
    const double arches = stripes(distance + bend, 22, cheek * (0.42 + 0.14 * noise(q, 30, 4.4)));
    // Midline of the forehead.
    const double line =
        smootherstep(3.6, 1.6, x + 1.5 * noise(q, 14, 2)) * smootherstep(34, 44, q.y);
    return fmax(fmax(crown, arches), 0.7 * line);
}

// Dark lid margins, lips and backs of the ears.
static double head_marks(coif_vec3d q)
{
    const double x = fabs(q.x);
    const coif_vec3d eye = cub_to_lids(q);
    // The inner corner extends towards the nose.
    const double inner = smootherstep(-6, -16, eye.x);
    const double rim = hypot(eye.x / (12.5 + 2.5 * inner), (eye.y + 1.0 * inner) / 8.6);
    double dark = eye.z > 0 ? smootherstep(1.30, 1.10, rim) : 0.0;

    if (q.z > 40) {
        // Lip line: down from the nose, outwards below the whisker pads, up at the corners.
        const double lip = -35 - 3.5 * smootherstep(0, 12, x) + 6.0 * smootherstep(16, 34, x);
        dark = fmax(dark, smootherstep(2.6, 1.0, fabs(q.y - lip)) * smootherstep(34, 24, x));
        dark = fmax(dark, q.y < -16 ? 0.8 * smootherstep(2.0, 0.6, x) * smootherstep(-36, -33, q.y)
                                    : 0.0);
        // Rows of whisker spots.
        const double row = fabs(fmod(q.y + 60.0, 6.0) - 3.0);
        dark = fmax(dark, 0.55 * gaussian(x, q.y, 25, -22, 9, 8) * smootherstep(1.6, 0.5, row));
    }
    if (q.y > 44 && x > 30 && q.z < -12) {
        const double spot = hypot(x - 58, q.y - 66);
        dark = fmax(dark, smootherstep(8, 12, spot));
    }
    return sdf_clamp(dark, 0, 1);
}

static double head_pale(coif_vec3d q)
{
    const double x = fabs(q.x);
    double pale = 0.0;

    if (q.z > 30) {
        pale = fmax(pale, gaussian(x, q.y, 24, 29, 15, 8));  // over the eyes
        pale = fmax(pale, gaussian(x, q.y, 38, -2, 14, 11)); // beside them
        pale =
            fmax(pale, smootherstep(-8, -18, q.y) * smootherstep(6, 14, x + (q.y < -18 ? 20 : 0)));
    }
    pale = fmax(pale, smootherstep(-22, -40, q.y + 0.2 * (40 - q.z)));
    pale = fmax(pale,
                smootherstep(44, 60, x) * smootherstep(10, -14, q.y) * smootherstep(-30, 0, q.z));
    // Inner ear.
    pale = fmax(pale,
                0.6 * smootherstep(25, 17, hypot(x - 55, q.y - 63)) * smootherstep(-14, -8, q.z));
    return sdf_clamp(pale * 1.15, 0, 1);
}

double cub_nose(const tiger_cub *cub, coif_vec3d p)
{
    const coif_vec3d q = cub_to_head(cub, p);
    const double half = sdf_clamp(14 + 0.5 * (q.y + 6), 4.0, 20.0);
    return sdf_ellipsoid(q, xyz(0, -7, 101), xyz(half, 9, 13));
}

bool cub_is_bare(const tiger_cub *cub, coif_vec3d p)
{
    return cub_nose(cub, p) < 0.0 || p.y < 3.0;
}

// Soft weights of the parts at a position.
typedef struct part_weights {
    double head, trunk, tail, leg[CUB_LEGS], legs, all;
} part_weights;

static double weight_of(double distance)
{
    return exp(-fmax(distance, 0) / 9);
}

static part_weights weigh(const cub_parts *parts)
{
    part_weights w = {.head = weight_of(parts->head),
                      .trunk = weight_of(parts->trunk),
                      .tail = weight_of(parts->tail)};
    for (int i = 0; i < CUB_LEGS; ++i) {
        w.leg[i] = weight_of(parts->leg[i]);
        w.legs += w.leg[i];
    }
    w.all = w.head + w.trunk + w.tail;
    w.all += w.legs;
    return w;
}

static void set_color(cub_coat *coat, const cub_parts *parts, const part_weights *w, coif_vec3d p,
                      coif_vec3d normal)
{
    static const double tawny[3] = {0.50, 0.215, 0.058}, pale[3] = {0.80, 0.74, 0.62},
                        dark[3] = {0.018, 0.015, 0.013};
    // Throat and chest have no stripes.
    const double front = smootherstep(0.30, 0.70, normal.z) * smootherstep(360, 310, p.y);
    double black = w->head * fmax(head_stripes(parts->in_head), head_marks(parts->in_head)) +
                   w->trunk * (1 - front) * trunk_stripes(p) +
                   w->tail * tail_stripes(p, parts->tail_along);
    double white = w->head * head_pale(parts->in_head) + w->tail * 0.15 +
                   w->trunk * fmax(smootherstep(222, 178, p.y), 0.95 * front);
    for (int i = 0; i < CUB_LEGS; ++i) {
        const double inside = smootherstep(0.1, 0.8, (p.x > 0 ? -1 : 1) * normal.x);
        const double fade = smootherstep(215, 150, p.y);
        black +=
            w->leg[i] * ((1 - fade) * trunk_stripes(p) +
                         fade * (1 - 0.6 * inside) * leg_stripes(p, parts->leg_along[i], i > 1));
        white += w->leg[i] * fmax(fmax(0.9 * inside * smootherstep(240, 160, p.y),
                                       0.75 * smootherstep(60, 22, p.y)),
                                  0.25 * smootherstep(160, 60, p.y));
    }
    // Sharpened, so that blends of two parts show no half-transparent stripes.
    black = smootherstep(0.22, 0.78, black / w->all);
    white /= w->all;
    for (int c = 0; c < 3; ++c) {
        const double mottling = 1.0 + 0.12 * noise(p, 35, 12.0);
        const double back = 1.0 - 0.22 * smootherstep(270, 340, p.y) * w->trunk / w->all;
        const double base = tawny[c] * mottling * back;
        const double mixed = base + (pale[c] - base) * sdf_clamp(white, 0, 1);
        coat->color[c] = mixed + (dark[c] - mixed) * sdf_clamp(black, 0, 1);
    }
}

// Short on face and feet, long on ruff, belly and tail; shortest on the lids, to keep the eyes
// free.
static double hair_length(const cub_parts *parts, const part_weights *w, coif_vec3d p)
{
    const coif_vec3d q = parts->in_head, eye = cub_to_lids(q);
    const double face = smootherstep(28, 78, q.z) * 0.9 + 0.1 * smootherstep(0, 40, q.z);
    const double ruff = smootherstep(30, 60, fabs(q.x)) * smootherstep(24, -12, q.y) *
                        smootherstep(40, 10, q.z) * smootherstep(-60, -20, q.z);
    const double ear = q.y > 42 && fabs(q.x) > 30 ? 1.0 : 0.0;
    const double lids = 0.25 + 0.75 * smootherstep(14, 26, hypot(eye.x, 1.4 * eye.y));
    double length =
        w->head * lids * sdf_clamp(0.55 - 0.45 * face + 0.45 * ruff - 0.3 * ear, 0.06, 1.0) +
        w->trunk * (0.62 + 0.38 * smootherstep(230, 180, p.y)) + w->tail * 0.72;
    length += w->legs * (0.22 + 0.40 * smootherstep(40, 230, p.y));
    return sdf_clamp(length / w->all, 0.03, 1.0);
}

cub_coat cub_coat_at(const tiger_cub *cub, coif_vec3d p, coif_vec3d normal)
{
    const cub_parts parts = cub_parts_at(cub, p);
    const part_weights w = weigh(&parts);
    cub_coat coat = {
        .length = hair_length(&parts, &w, p),
        .legs = sdf_clamp(w.legs / w.all * smootherstep(250, 180, p.y) + w.tail / w.all, 0, 1),
        .head = sdf_clamp(w.head / w.all, 0, 1)};
    set_color(&coat, &parts, &w, p, normal);
    return coat;
}
