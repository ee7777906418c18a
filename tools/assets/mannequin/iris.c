// iris: pupil, iris, the white of the eye and its veins, as a picture around the pupil.
#include "tools/assets/mannequin/eyes.h"
#include "tools/assets/shared/value_noise.h"

static const double PUPIL = 2.2, COLLARET = 3.1, IRIS = 6.1; // millimetres

// Near the pupil, beyond it, and light fibres; linear light.
static const double COLOURS[HEAD_IRIS_KINDS][3][3] = {
    {{0.110, 0.048, 0.016}, {0.050, 0.020, 0.008}, {0.190, 0.090, 0.032}},
    {{0.170, 0.150, 0.105}, {0.062, 0.092, 0.112}, {0.200, 0.245, 0.262}},
    {{0.150, 0.080, 0.024}, {0.058, 0.064, 0.032}, {0.185, 0.160, 0.080}},
};

static double mix(double a, double b, double t)
{
    return a + t * (b - a);
}

// Noise on the ring, without a seam.
static double around(double turn, double rate, double away, double word)
{
    const double angle = 6.283185307179586 * turn;
    return head_noise(vec(rate * cos(angle) + word, rate * sin(angle), away));
}

void head_iris_at(int kind, double turn, double away, double colour[3])
{
    const double fibre = 0.5 + 0.5 * (0.6 * around(turn, 9.0, 0.35 * away, 5.0) +
                                      0.7 * around(turn, 21.0, 0.5 * away, 60.0));
    const double edge = COLLARET + 0.35 * around(turn, 3.0, 0.0, 20.0);
    const double inner = 1.0 - clay_fade(edge - 0.3, edge + 0.9, away);
    const double limbus = clay_fade(4.4, IRIS, away + 0.2 * around(turn, 4.0, 1.0, 40.0));
    const double white = clay_fade(IRIS - 0.25, IRIS + 0.45, away);
    const double open = clay_fade(PUPIL - 0.15, PUPIL + 0.2, away);
    const double far = clay_fade(8.0, 15.0, away);
    const double vein = clay_fade(0.72, 0.95, 1.0 - fabs(around(turn, 7.0, 0.22 * away, 90.0))) *
                        clay_fade(6.5, 12.0, away) *
                        (0.5 + 0.5 * around(turn, 2.0, 0.3 * away, 120.0));
    static const double WHITE[3] = {0.48, 0.44, 0.41}, CORNER[3] = {0.42, 0.27, 0.24},
                        VEIN[3] = {0.36, 0.15, 0.13};

    for (int c = 0; c < 3; ++c) {
        const double ground = mix(COLOURS[kind][1][c], COLOURS[kind][0][c], inner);
        const double iris = mix(ground, COLOURS[kind][2][c], 0.75 * fibre * fibre) *
                            (0.65 + 0.7 * fibre) * mix(1.0, 0.22, limbus);
        const double ball = mix(mix(WHITE[c], CORNER[c], 0.7 * far), VEIN[c], 0.35 * vein);
        colour[c] = mix(0.006, mix(iris, ball, white), open);
    }
}
