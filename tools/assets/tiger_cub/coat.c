// coat: stripes, pale underside, and how long the hair is.
//
// Each part has a coordinate across its stripes: along the trunk, down a leg, along the tail, and
// on the head how far from the nose. Noise in space bends, forks and breaks the stripes, and they
// thin out towards the belly as they do on a tiger.
#include "tools/assets/tiger_cub/tiger_cub.h"

#include <stdint.h>

static const double TAU = 6.283185307179586;

static double lattice(int x, int y, int z)
{
    uint32_t h = (uint32_t)x * 0x8da6b343u ^ (uint32_t)y * 0xd8163841u ^ (uint32_t)z * 0xcb1ab31fu;

    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (double)((h ^ h >> 15) >> 8) / 8388608.0 - 1.0;
}

// Smooth values between -1 and 1, changing over about `size` millimetres.
static double noise(head_vec p, double size, double shift)
{
    const double x = p.x / size + shift, y = p.y / size + 17.3 * shift,
                 z = p.z / size - 5.1 * shift;
    const int i = (int)floor(x), j = (int)floor(y), k = (int)floor(z);
    const double u = clay_fade(0, 1, x - i), v = clay_fade(0, 1, y - j), w = clay_fade(0, 1, z - k);
    double sum = 0.0;

    for (int c = 0; c < 8; ++c) {
        const int a = c & 1, b = c >> 1 & 1, d = c >> 2;
        sum += (a ? u : 1 - u) * (b ? v : 1 - v) * (d ? w : 1 - w) * lattice(i + a, j + b, k + d);
    }
    return sum;
}

// 1 on a stripe. `cover` is the share of the skin that is dark, below 0 none.
static double stripes(double along, double period, double cover)
{
    const double wave = cos(TAU * along / period);
    const double edge = cos(TAU * 0.5 * clay_clamp(cover, 0.0, 1.0));

    return cover <= 0.02 ? 0.0 : clay_fade(edge - 0.16, edge + 0.16, wave);
}

static double trunk_stripes(head_vec p)
{
    const double bend = 13.0 * noise(p, 62, 0.3) + 6.0 * noise(p, 26, 1.7);
    // The two sides of a stripe meet on the back a little apart.
    const double along = p.z + bend + 0.12 * (p.y - 250) + (p.x > 0 ? 5.0 : -5.0);
    const double height = clay_fade(185, 310, p.y);
    const double broken = 0.16 * noise(p, 44, 4.2);
    const double cover = 0.10 + 0.34 * height + broken - 0.10 * clay_fade(60, 170, p.z);
    const double main = stripes(along, 44, cover);
    // Thin stripes between the broad ones, here and there.
    const double between = stripes(along + 22 + 5 * noise(p, 30, 9.1), 44,
                                   0.26 * clay_fade(0.0, 0.5, noise(p, 55, 7.7)) * height);

    return fmax(main, between);
}

static double leg_stripes(head_vec p, double along, int hind)
{
    const double bend = 7.0 * noise(p, 40, 2.2) + 3.0 * noise(p, 18, 5.5);
    const double cover = (hind ? 0.34 : 0.24) + 0.16 * noise(p, 36, 3.3);

    return stripes(along + bend, hind ? 31 : 34, cover * clay_fade(20, 60, p.y));
}

static double tail_stripes(head_vec p, double along)
{
    const double cover = 0.40 + 0.08 * noise(p, 30, 6.1);
    const double rings = stripes(along + 3.0 * noise(p, 22, 1.1), 37, cover);

    return fmax(rings, clay_fade(352, 372, along));
}

static double bump(double x, double y, double cx, double cy, double rx, double ry)
{
    const double a = (x - cx) / rx, b = (y - cy) / ry;
    return exp(-a * a - b * b);
}

static double head_stripes(head_vec q)
{
    const double x = fabs(q.x), away = hypot(hypot(q.x * 0.9, q.y + 2), (q.z - 84) * 0.75);
    const double bend = 5.0 * noise(q, 26, 8.8) + 2.5 * noise(q, 12, 2.9);
    // Arches over the brow, bows on the cheeks.
    const double brow = clay_fade(30, 44, q.y) * clay_fade(46, 30, x);
    const double crown = stripes(q.y - 0.012 * x * x + 0.5 * (40 - q.z) + bend, 15,
                                 brow * (0.36 + 0.2 * noise(q, 24, 3.7)));
    const double cheek = clay_fade(36, 50, x) * clay_fade(52, 28, q.y);
    const double bows = stripes(away + bend, 22, cheek * (0.42 + 0.14 * noise(q, 30, 4.4)));
    // The middle line of the forehead.
    const double line = clay_fade(3.6, 1.6, x + 1.5 * noise(q, 14, 2)) * clay_fade(34, 44, q.y);

    return fmax(fmax(crown, bows), 0.7 * line);
}

// Dark rims of lids and lips, dark backs of ears.
static double head_marks(head_vec q)
{
    const double x = fabs(q.x);
    const head_vec eye = cub_in_lids(q);
    // The inner corner runs out into a drop towards the nose.
    const double inner = clay_fade(-6, -16, eye.x);
    const double rim = hypot(eye.x / (12.5 + 2.5 * inner), (eye.y + 1.0 * inner) / 8.6);
    double dark = eye.z > 0 ? clay_fade(1.30, 1.10, rim) : 0.0;

    if (q.z > 40) {
        // Lips: down from the nose, out below the pads and up again at the corners.
        const double lip = -35 - 3.5 * clay_fade(0, 12, x) + 6.0 * clay_fade(16, 34, x);
        dark = fmax(dark, clay_fade(2.6, 1.0, fabs(q.y - lip)) * clay_fade(34, 24, x));
        dark =
            fmax(dark, q.y < -16 ? 0.8 * clay_fade(2.0, 0.6, x) * clay_fade(-36, -33, q.y) : 0.0);
        // Rows of dots where whiskers grow.
        const double row = fabs(fmod(q.y + 60.0, 6.0) - 3.0);
        dark = fmax(dark, 0.55 * bump(x, q.y, 25, -22, 9, 8) * clay_fade(1.6, 0.5, row));
    }
    if (q.y > 44 && x > 30 && q.z < -12) {
        const double spot = hypot(x - 58, q.y - 66);
        dark = fmax(dark, clay_fade(8, 12, spot));
    }
    return clay_clamp(dark, 0, 1);
}

static double head_pale(head_vec q)
{
    const double x = fabs(q.x);
    double pale = 0.0;

    if (q.z > 30) {
        pale = fmax(pale, bump(x, q.y, 24, 29, 15, 8));  // over the eyes
        pale = fmax(pale, bump(x, q.y, 38, -2, 14, 11)); // beside them
        pale = fmax(pale, clay_fade(-8, -18, q.y) * clay_fade(6, 14, x + (q.y < -18 ? 20 : 0)));
    }
    pale = fmax(pale, clay_fade(-22, -40, q.y + 0.2 * (40 - q.z)));
    pale = fmax(pale, clay_fade(44, 60, x) * clay_fade(10, -14, q.y) * clay_fade(-30, 0, q.z));
    // Inside the ear.
    pale = fmax(pale, 0.6 * clay_fade(25, 17, hypot(x - 55, q.y - 63)) * clay_fade(-14, -8, q.z));
    return clay_clamp(pale * 1.15, 0, 1);
}

double cub_nose(const cub *body, head_vec p)
{
    const head_vec q = cub_to_head(body, p);
    const double half = clay_clamp(14 + 0.5 * (q.y + 6), 4.0, 20.0);

    return clay_ellipsoid(q, vec(0, -7, 101), vec(half, 9, 13));
}

int cub_is_leather(const cub *body, head_vec p)
{
    return cub_nose(body, p) < 0.0 || p.y < 3.0;
}

cub_coat cub_coat_at(const cub *body, head_vec p, head_vec normal)
{
    static const double tawny[3] = {0.50, 0.215, 0.058}, pale[3] = {0.80, 0.74, 0.62},
                        dark[3] = {0.018, 0.015, 0.013};
    const cub_parts parts = cub_parts_at(body, p);
    const double head = exp(-fmax(parts.head, 0) / 9), trunk = exp(-fmax(parts.trunk, 0) / 9),
                 tail = exp(-fmax(parts.tail, 0) / 9);
    // No stripes on throat and chest.
    const double front = clay_fade(0.30, 0.70, normal.z) * clay_fade(360, 310, p.y);
    double all = head + trunk + tail, legs = 0.0, black, white, length;
    cub_coat coat;

    black = head * fmax(head_stripes(parts.in_head), head_marks(parts.in_head)) +
            trunk * (1 - front) * trunk_stripes(p) + tail * tail_stripes(p, parts.tail_along);
    white = head * head_pale(parts.in_head) + tail * 0.15 +
            trunk * fmax(clay_fade(222, 178, p.y), 0.95 * front);
    for (int i = 0; i < CUB_LEGS; ++i) {
        const double weight = exp(-fmax(parts.leg[i], 0) / 9);
        const double inside = clay_fade(0.1, 0.8, (p.x > 0 ? -1 : 1) * normal.x);
        const double fade = clay_fade(215, 150, p.y);
        legs += weight;
        black += weight * ((1 - fade) * trunk_stripes(p) +
                           fade * (1 - 0.6 * inside) * leg_stripes(p, parts.leg_along[i], i > 1));
        white += weight *
                 fmax(fmax(0.9 * inside * clay_fade(240, 160, p.y), 0.75 * clay_fade(60, 22, p.y)),
                      0.25 * clay_fade(160, 60, p.y));
    }
    all += legs;
    // Where parts meet, a stripe is there or not: no ghosts of half of one.
    black = clay_fade(0.22, 0.78, black / all);
    white /= all;

    for (int c = 0; c < 3; ++c) {
        const double patchy = 1.0 + 0.12 * noise(p, 35, 12.0);
        const double back = 1.0 - 0.22 * clay_fade(270, 340, p.y) * trunk / all;
        const double ground = tawny[c] * patchy * back;
        const double mixed = ground + (pale[c] - ground) * clay_clamp(white, 0, 1);
        coat.colour[c] = mixed + (dark[c] - mixed) * clay_clamp(black, 0, 1);
    }

    // Short on the face and the feet, long on the ruff, the belly and the tail.
    const head_vec q = parts.in_head;
    const double face = clay_fade(28, 78, q.z) * 0.9 + 0.1 * clay_fade(0, 40, q.z);
    const double ruff = clay_fade(30, 60, fabs(q.x)) * clay_fade(24, -12, q.y) *
                        clay_fade(40, 10, q.z) * clay_fade(-60, -20, q.z);
    const double ear_here = q.y > 42 && fabs(q.x) > 30 ? 1.0 : 0.0;
    // Almost none on the lids, or it would hang into the eyes.
    const head_vec eye = cub_in_lids(q);
    const double lids = 0.25 + 0.75 * clay_fade(14, 26, hypot(eye.x, 1.4 * eye.y));
    length =
        head * lids * clay_clamp(0.55 - 0.45 * face + 0.45 * ruff - 0.3 * ear_here, 0.06, 1.0) +
        trunk * (0.62 + 0.38 * clay_fade(230, 180, p.y)) + tail * 0.72;
    length += legs * (0.22 + 0.40 * clay_fade(40, 230, p.y));
    coat.length = clay_clamp(length / all, 0.03, 1.0);
    coat.density = cub_is_leather(body, p) ? 0.0 : 1.0;
    coat.legs = clay_clamp(legs / all * clay_fade(250, 180, p.y) + tail / all, 0, 1);
    coat.head = clay_clamp(head / all, 0, 1);
    return coat;
}
