// lashes: one curve for each lash, written as strands that need no growing.
#include "tools/assets/mannequin/eyes.h"
#include "tools/assets/shared/files.h"
#include "tools/assets/shared/value_noise.h"

#include <stdint.h>
#include <string.h>

static const double RIM = 0.8;     // from the opening, where lashes leave the lid
static const double ROOT = 8.5e-5; // thickness in metres, and at the tip
static const double TIP = 1.5e-5;

// The rim above or below a place of the eye, seen from the front.
static double rim_height(double x, int upper)
{
    const head_vec middle = head_eye_middle();
    const double step = upper ? 0.02 : -0.02;
    double y = middle.y + 0.07 * (x - middle.x);

    while (fabs(y - middle.y) < 12.0 && head_eye_opening(vec(x, y, 0)) < RIM) {
        y += step;
    }
    return y;
}

// The skin at a place seen from the front.
static head_vec skin_front(const head_sculpture *sculpture, double x, double y)
{
    double outside = 110.0, inside = 50.0;

    for (double z = outside; z > inside; z -= 0.5) {
        if (head_sculpture_eval(sculpture, vec(x, y, z)) < 0.0) {
            inside = z;
            break;
        }
        outside = z;
    }
    for (int round = 0; round < 24; ++round) {
        const double half = 0.5 * (outside + inside);
        *(head_sculpture_eval(sculpture, vec(x, y, half)) < 0.0 ? &inside : &outside) = half;
    }
    return vec(x, y, inside);
}

void head_lash(const head_sculpture *sculpture, int side, int upper, int n,
               head_vec point[HEAD_LASH_POINTS])
{
    const int count = upper ? HEAD_LASHES_UPPER : HEAD_LASHES_LOWER, word = 40 + 2 * upper;
    const head_vec middle = head_eye_middle();
    const double jitter = head_random(n, side, 0, word) - 0.5;
    const double share = (n + 0.5 + 0.8 * jitter) / count; // 0 at the nose
    const double across = (upper ? -11.5 : -8.0) + share * (upper ? 25.5 : 21.5);
    const double x = middle.x + across;
    const head_vec root = skin_front(sculpture, x, rim_height(x, upper));
    // They lean together in small groups, as lashes do.
    const double group = (floor(share * count / 4.0) + 0.5) * 4.0 / count;
    const double lean = (group - share) * (upper ? 16.0 : 9.0) + 1.1 * jitter;
    const double wild = head_random(n, side, 1, word);
    const double length = (upper ? 6.0 + 3.6 * clay_fade(-0.1, 0.75, share)
                                 : 3.0 + 1.8 * clay_fade(-0.1, 0.8, share)) *
                          (0.78 + 0.32 * wild);
    const double out = across / 17.0; // the ball turns away to the side
    const head_vec ahead = vec_unit(vec(0.75 * out, upper ? 0.05 : -0.42, 1.0));
    const double rise = (upper ? 0.78 : -0.30) * (0.85 + 0.3 * head_random(n, side, 2, word));

    for (int i = 0; i < HEAD_LASH_POINTS; ++i) {
        const double t = (double)i / (HEAD_LASH_POINTS - 1);
        head_vec p = vec_along(root, ahead, length * (t - 0.30 * t * t));
        p.y += length * rise * t * t;
        p.x += length * (0.35 * out * t * t) + lean * t;
        point[i] = vec(side * p.x, p.y, p.z);
    }
}

static void put(FILE *file, const void *bytes, size_t size)
{
    fwrite(bytes, 1, size, file);
}

// Cem Yuksel's format: a header of 128 bytes, then points and thickness. Little endian, as the
// machines are that make it.
int head_lashes_save(const head_sculpture *sculpture, const char *directory)
{
    enum { STRANDS = 2 * (HEAD_LASHES_UPPER + HEAD_LASHES_LOWER) };
    const uint32_t numbers[4] = {STRANDS, STRANDS * HEAD_LASH_POINTS, 2 | 4, HEAD_LASH_POINTS - 1};
    const float defaults[5] = {(float)ROOT, 0, 0.05f, 0.04f, 0.03f};
    char path[4096], information[88] = "Lashes of the mannequin of coif, in metres.";
    FILE *file = head_path(path, sizeof path, directory, "lashes.hair") ? head_create(path) : NULL;

    if (file == NULL) {
        return 0;
    }
    put(file, "HAIR", 4);
    put(file, numbers, sizeof numbers);
    put(file, defaults, sizeof defaults);
    put(file, information, sizeof information);
    for (int s = 0; s < STRANDS; ++s) {
        const int side = s % 2 == 0 ? 1 : -1, upper = s / 2 < HEAD_LASHES_UPPER;
        head_vec point[HEAD_LASH_POINTS];
        head_lash(sculpture, side, upper, upper ? s / 2 : s / 2 - HEAD_LASHES_UPPER, point);
        for (int i = 0; i < HEAD_LASH_POINTS; ++i) {
            const float place[3] = {(float)(1e-3 * point[i].x), (float)(1e-3 * point[i].y),
                                    (float)(1e-3 * point[i].z)};
            put(file, place, sizeof place);
        }
    }
    for (int i = 0; i < STRANDS * HEAD_LASH_POINTS; ++i) {
        const double t = (double)(i % HEAD_LASH_POINTS) / (HEAD_LASH_POINTS - 1);
        const float thickness = (float)(ROOT + (TIP - ROOT) * t * t);
        put(file, &thickness, sizeof thickness);
    }
    return head_finish(file, path);
}
