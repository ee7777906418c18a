// iris: colours of pupil, iris, sclera and its veins.
#include "tools/assets/mannequin/eyes.h"
#include "tools/assets/shared/value_noise.h"

static const double PUPIL = 2.2, COLLARET = 3.1, IRIS = 6.1; // millimetres

// Inner zone, outer zone, fibres; linear.
static const double COLORS[IRIS_KINDS][3][3] = {
    {{0.110, 0.048, 0.016}, {0.050, 0.020, 0.008}, {0.190, 0.090, 0.032}},
    {{0.170, 0.150, 0.105}, {0.062, 0.092, 0.112}, {0.200, 0.245, 0.262}},
    {{0.150, 0.080, 0.024}, {0.058, 0.064, 0.032}, {0.185, 0.160, 0.080}},
};

static double mix(double a, double b, double t)
{
    return a + t * (b - a);
}

// Noise that is periodic in the angle.
static double periodic_noise(double turn, double frequency, double distance, double shift)
{
    const double angle = 6.283185307179586 * turn;
    return value_noise(xyz(frequency * cos(angle) + shift, frequency * sin(angle), distance));
}

void iris_color(int kind, double turn, double distance, double color[3])
{
    const double fibre = 0.5 + 0.5 * (0.6 * periodic_noise(turn, 9.0, 0.35 * distance, 5.0) +
                                      0.7 * periodic_noise(turn, 21.0, 0.5 * distance, 60.0));
    const double edge = COLLARET + 0.35 * periodic_noise(turn, 3.0, 0.0, 20.0);
    const double inner = 1.0 - smootherstep(edge - 0.3, edge + 0.9, distance);
    const double limbus =
        smootherstep(4.4, IRIS, distance + 0.2 * periodic_noise(turn, 4.0, 1.0, 40.0));
    const double white = smootherstep(IRIS - 0.25, IRIS + 0.45, distance);
    const double outside_pupil = smootherstep(PUPIL - 0.15, PUPIL + 0.2, distance);
    const double far = smootherstep(8.0, 15.0, distance);
    const double vein =
        smootherstep(0.72, 0.95, 1.0 - fabs(periodic_noise(turn, 7.0, 0.22 * distance, 90.0))) *
        smootherstep(6.5, 12.0, distance) *
        (0.5 + 0.5 * periodic_noise(turn, 2.0, 0.3 * distance, 120.0));
    static const double WHITE[3] = {0.48, 0.44, 0.41}, CORNER[3] = {0.42, 0.27, 0.24},
                        VEIN[3] = {0.36, 0.15, 0.13};

    for (int c = 0; c < 3; ++c) {
        const double base = mix(COLORS[kind][1][c], COLORS[kind][0][c], inner);
        const double iris = mix(base, COLORS[kind][2][c], 0.75 * fibre * fibre) *
                            (0.65 + 0.7 * fibre) * mix(1.0, 0.22, limbus);
        const double ball = mix(mix(WHITE[c], CORNER[c], 0.7 * far), VEIN[c], 0.35 * vein);
        color[c] = mix(0.006, mix(iris, ball, white), outside_pupil);
    }
}
