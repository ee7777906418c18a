#include "sim/validation/reference_solutions.h"

#include "core/base/arena.h"

#include <math.h>
#include <string.h>

static const double RADIANS = M_PI / 180.0;

// The root of a rising function between low and high.
static double bisect(double (*f)(double x, const void *context), const void *context, double low,
                     double high)
{
    for (int i = 0; i < 200; ++i) {
        const double middle = 0.5 * (low + high);
        if (f(middle, context) < 0.0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return 0.5 * (low + high);
}

// One Newton step on the angles of the segments, below the horizon:
//
//   E = sum_j (t_j+1 - t_j)^2 / 2 l + t_1^2 / l - Gamma sum_j w_j l sin t_j
//
// where w_j is the mass beyond the middle of segment j. Gives the largest change.
static double newton_step(double *angle, double *diagonal, double *rest, int32_t n, double gamma)
{
    const double l = 1.0 / n;
    const double k = 1.0 / l;
    for (int32_t j = 0; j < n; ++j) {
        const double pull = gamma * l * l * (n - j - 0.5);
        const double before = j == 0 ? 2.0 * angle[0] : angle[j] - angle[j - 1];
        const double after = j + 1 == n ? 0.0 : angle[j + 1] - angle[j];
        rest[j] = -(k * (before - after) - pull * cos(angle[j]));
        diagonal[j] = k * ((j == 0 ? 2.0 : 1.0) + (j + 1 == n ? 0.0 : 1.0)) + pull * sin(angle[j]);
    }
    for (int32_t j = 1; j < n; ++j) {
        const double factor = -k / diagonal[j - 1];
        diagonal[j] -= factor * -k;
        rest[j] -= factor * rest[j - 1];
    }
    double most = 0.0;
    for (int32_t j = n - 1; j >= 0; --j) {
        rest[j] = (rest[j] + (j + 1 < n ? k * rest[j + 1] : 0.0)) / diagonal[j];
        angle[j] += rest[j];
        most = fmax(most, fabs(rest[j]));
    }
    return most;
}

// Angles of the segments, below the horizon, in scratch.
static double *settle_angles(double gamma, int32_t n, coif_arena *scratch)
{
    double *angle = coif_arena_new(scratch, 3 * (int64_t)n, double);
    // The weight grows step by step, so that Newton's method never starts far from the answer.
    for (double now = fmin(gamma, 1.0);; now = fmin(gamma, 1.3 * now)) {
        for (int i = 0; i < 50 && newton_step(angle, angle + n, angle + 2 * n, n, now) > 1e-12;
             ++i) {
        }
        if (now >= gamma) {
            return angle;
        }
    }
}

static coif_reference_tip cantilever_of(double gamma, int32_t n, coif_arena *scratch)
{
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    const double *angle = settle_angles(gamma, n, scratch);
    coif_reference_tip tip = {0.0, 0.0};
    for (int32_t j = 0; j < n; ++j) {
        tip.drop += sin(angle[j]) / n;
        tip.reach += cos(angle[j]) / n;
    }
    coif_arena_rewind(scratch, mark);
    return tip;
}

// The error of many segments falls with their square: two of them give the limit (Richardson).
coif_reference_tip coif_reference_cantilever(double gamma, int32_t segments, coif_arena *scratch)
{
    enum { COARSE = 1000 };
    if (segments > 0) {
        return cantilever_of(gamma, segments, scratch);
    }
    const coif_reference_tip coarse = cantilever_of(gamma, COARSE, scratch);
    const coif_reference_tip fine = cantilever_of(gamma, 2 * COARSE, scratch);
    return (coif_reference_tip){(4.0 * fine.drop - coarse.drop) / 3.0,
                                (4.0 * fine.reach - coarse.reach) / 3.0};
}

void coif_reference_cantilever_line(double gamma, int32_t segments, double *x, double *y,
                                    coif_arena *scratch)
{
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    const double *angle = settle_angles(gamma, segments, scratch);
    x[0] = y[0] = 0.0;
    for (int32_t j = 0; j < segments; ++j) {
        x[j + 1] = x[j] + cos(angle[j]) / segments;
        y[j + 1] = y[j] - sin(angle[j]) / segments;
    }
    coif_arena_rewind(scratch, mark);
}

typedef struct hanging {
    double length; // of the whole, in spans
    int32_t links;
} hanging;

// The span under a level pull a, in lengths of weight: too wide gives more than 0.
static double span_of(double a, const void *context)
{
    const hanging *h = context;
    if (h->links == 0) {
        return 2.0 * a * asinh(0.5 * h->length / a) - 1.0;
    }
    const double l = h->length / h->links;
    double span = 0.0;
    for (int32_t j = 0; j < h->links; ++j) {
        const double down = l * (j - 0.5 * (h->links - 1));
        span += l * a / hypot(a, down);
    }
    return span - 1.0;
}

double coif_reference_catenary(double length_over_span, int32_t links)
{
    const hanging h = {length_over_span, links};
    const double a = bisect(span_of, &h, 1e-9, 1e3);
    if (links == 0) {
        return a * (cosh(0.5 / a) - 1.0);
    }
    const double l = length_over_span / links;
    double sag = 0.0;
    for (int32_t j = 0; j < links / 2; ++j) {
        const double down = l * (0.5 * (links - 1) - j);
        sag += l * down / hypot(a, down);
    }
    return sag;
}

// How many modes of the chain are slower than omega^2 = value (Sturm 1835).
static int32_t modes_below(double value, int32_t links)
{
    const double l = 1.0 / links;
    int32_t count = 0;
    double pivot = 1.0;
    for (int32_t i = 1; i <= links; ++i) {
        const double here = links - i + 0.5; // weight hanging on link i, and on the next one
        const double next = i < links ? here - 1.0 : 0.0;
        const double mass = i < links ? 1.0 : 0.5;
        const double side = i > 1 ? here / l : 0.0;
        pivot = (here + next) / l - value * mass - (i > 1 ? side * side / pivot : 0.0);
        pivot = fabs(pivot) < 1e-300 ? 1e-300 : pivot;
        count += pivot < 0.0;
    }
    return count;
}

static double signed_j0(double x, const void *context)
{
    return *(const double *)context * j0(x);
}

double coif_reference_bessel_zero(int32_t index)
{
    const double low = (index - 0.75) * M_PI;
    const double sign = j0(low) > 0.0 ? -1.0 : 1.0;
    return bisect(signed_j0, &sign, low, low + M_PI);
}

typedef struct chain_mode {
    int32_t mode, links;
} chain_mode;

static double missing_modes(double value, const void *context)
{
    const chain_mode *chain = context;
    return modes_below(value, chain->links) < chain->mode ? -1.0 : 1.0;
}

double coif_reference_chain(int32_t mode, int32_t links)
{
    if (links == 0) {
        return 0.5 * coif_reference_bessel_zero(mode);
    }
    const chain_mode chain = {mode, links};
    return sqrt(bisect(missing_modes, &chain, 0.0, 16.0 * links * (double)links));
}

// 1 / agm(1, cos(amplitude / 2)) (Gauss).
double coif_reference_pendulum(double amplitude_degrees)
{
    double a = 1.0;
    double b = cos(0.5 * RADIANS * amplitude_degrees);
    for (int i = 0; i < 30; ++i) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 1.0 / a;
}

coif_reference_fall coif_reference_fall_linear(double per_second, double seconds)
{
    const double g = COIF_REFERENCE_GRAVITY;
    if (per_second == 0.0) {
        return (coif_reference_fall){g * seconds, 0.5 * g * seconds * seconds};
    }
    const double speed = -g / per_second * expm1(-per_second * seconds);
    return (coif_reference_fall){speed, (g * seconds - speed) / per_second};
}

coif_reference_fall coif_reference_fall_quadratic(double terminal, double seconds)
{
    const double x = COIF_REFERENCE_GRAVITY * seconds / terminal;
    const double log_cosh = x + log1p(exp(-2.0 * x)) - log(2.0);
    return (coif_reference_fall){terminal * tanh(x),
                                 terminal * terminal / COIF_REFERENCE_GRAVITY * log_cosh};
}

double coif_reference_fall_discrete(double h, int32_t steps)
{
    return 0.5 * COIF_REFERENCE_GRAVITY * h * h * steps * (steps + 1.0);
}

double coif_reference_incline(double friction, double degrees)
{
    const double angle = RADIANS * degrees;
    return COIF_REFERENCE_GRAVITY * fmax(sin(angle) - friction * cos(angle), 0.0);
}

double coif_reference_capstan(double friction, double degrees)
{
    return exp(friction * RADIANS * degrees);
}

// T' = w r cos a + mu (T + w r sin a) from one side over the top to the other, with w r = 1:
// T = c exp(mu a) + p sin a + q cos a.
double coif_reference_capstan_heavy(double friction, double light_over_radius)
{
    const double m = friction;
    const double p = (1.0 - m * m) / (1.0 + m * m);
    const double q = -2.0 * m / (1.0 + m * m);
    const double heavy = (light_over_radius - q) * exp(m * M_PI) - q;
    (void)p; // the sine is 0 at both ends
    return heavy / light_over_radius;
}

typedef struct coil {
    double pitch, ratio, force;
} coil;

static double pull_of(double alpha, const void *context)
{
    const coil *k = context;
    const double curvature = cos(k->pitch) * cos(k->pitch);
    const double torsion = sin(k->pitch) * cos(k->pitch);
    const double c = cos(alpha);
    const double s = sin(alpha);
    const double omega = (curvature * c + k->ratio * torsion * s) / (c * c + k->ratio * s * s);
    return (k->ratio * (omega * s - torsion) * omega * c - (omega * c - curvature) * omega * s) /
               c -
           k->force;
}

double coif_reference_helix_pull(double pitch_degrees, double ratio, double force)
{
    const coil k = {RADIANS * pitch_degrees, ratio, force};
    return sin(bisect(pull_of, &k, k.pitch, 0.5 * M_PI - 1e-9));
}

double coif_reference_helix_weight(double pitch_degrees, double ratio, double weight)
{
    enum { SLICES = 400 }; // Simpson's rule
    double sum = 0.0;
    for (int i = 0; i <= SLICES; ++i) {
        const double weight_factor = i == 0 || i == SLICES ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        sum += weight_factor * coif_reference_helix_pull(pitch_degrees, ratio, weight * i / SLICES);
    }
    return sum / (3.0 * SLICES);
}

static double ringing(double x, const void *context)
{
    return *(const double *)context * (cos(x) + 1.0 / cosh(x));
}

double coif_reference_beam(int32_t mode)
{
    const double sign = mode % 2 == 1 ? -1.0 : 1.0;
    const double middle = (mode - 0.5) * M_PI;
    const double x = bisect(ringing, &sign, middle - 0.5, middle + 0.5);
    return x * x;
}

// Tables of a boundary value solver (scipy solve_bvp; see the headers of
// tests/data/reference/helix_hang_kirchhoff.csv and stick_slip_elastica.csv).

// clang-format off
const coif_reference_helix COIF_REFERENCE_HELICES[] = {
    {10, 3, 0.66666667, 0, 0.17364817}, {10, 3, 0.66666667, 0.02, 0.1881646}, {10, 3, 0.66666667, 0.05, 0.20901133},
    {10, 3, 0.66666667, 0.1, 0.24198515}, {10, 3, 0.66666667, 0.2, 0.30217592}, {10, 3, 0.66666667, 0.3, 0.35516734},
    {10, 3, 0.66666667, 0.5, 0.44301659}, {10, 5, 0.66666667, 0, 0.17364817}, {10, 5, 0.66666667, 0.02, 0.18822841},
    {10, 5, 0.66666667, 0.05, 0.20942582}, {10, 5, 0.66666667, 0.1, 0.24315383}, {10, 5, 0.66666667, 0.2, 0.30457698},
    {10, 5, 0.66666667, 0.3, 0.35853043}, {10, 5, 0.66666667, 0.5, 0.44802859}, {10, 10, 0.66666667, 0, 0.17364817},
    {10, 10, 0.66666667, 0.02, 0.18830744}, {10, 10, 0.66666667, 0.05, 0.20971569}, {10, 10, 0.66666667, 0.1, 0.24380349},
    {10, 10, 0.66666667, 0.2, 0.30603549}, {10, 10, 0.66666667, 0.3, 0.36084963}, {10, 10, 0.66666667, 0.5, 0.45185496},
    {20, 3, 0.66666667, 0, 0.34202013}, {20, 3, 0.66666667, 0.02, 0.35588128}, {20, 3, 0.66666667, 0.05, 0.37540978},
    {20, 3, 0.66666667, 0.1, 0.40555703}, {20, 3, 0.66666667, 0.2, 0.45822959}, {20, 3, 0.66666667, 0.3, 0.50262475},
    {20, 3, 0.66666667, 0.5, 0.57352111}, {20, 5, 0.66666667, 0, 0.34202013}, {20, 5, 0.66666667, 0.02, 0.35600983},
    {20, 5, 0.66666667, 0.05, 0.37594473}, {20, 5, 0.66666667, 0.1, 0.40670055}, {20, 5, 0.66666667, 0.2, 0.46029375},
    {20, 5, 0.66666667, 0.3, 0.50546087}, {20, 5, 0.66666667, 0.5, 0.57763685}, {20, 10, 0.66666667, 0, 0.34202013},
    {20, 10, 0.66666667, 0.02, 0.35611162}, {20, 10, 0.66666667, 0.05, 0.37623845}, {20, 10, 0.66666667, 0.1, 0.40733333},
    {20, 10, 0.66666667, 0.2, 0.46167341}, {20, 10, 0.66666667, 0.3, 0.50754587}, {20, 10, 0.66666667, 0.5, 0.58082228},
};

const coif_reference_stick COIF_REFERENCE_STICKS[] = {
    {0.01, 0.9090409, 20.266799, 0.044853698, -14.321311, 0.062014216},
    {0.02, 1.300529, 20.343092, 0.063929759, -20.298698, 0.087382624},
    {0.05, 2.1302363, 20.573093, 0.10354478, -32.316104, 0.13663305},
    {0.1, 3.2023245, 20.958642, 0.15279256, -46.254449, 0.1895227},
    {0.15, 4.1814965, 21.343322, 0.19591592, -57.381684, 0.22741005},
    {0.2, 5.1647309, 21.721196, 0.23777378, -67.178073, 0.25692823},
    {0.25, 6.1989777, 22.08358, 0.28070529, -76.233904, 0.2806207},
    {0.3, 7.3191924, 22.417725, 0.32649131, -84.873807, 0.29973236},
    {0.35, 8.5587264, 22.704742, 0.37695765, -93.317954, 0.31491752},
    {0.4, 9.954121, 22.91629, 0.43436878, -101.74473, 0.32648068},
    {0.45, 11.548399, 23.009088, 0.50190598, -110.32438, 0.33445566},
    {0.5, 13.393821, 22.915564, 0.58448577, -119.24518, 0.33860361},
};
// clang-format on

const int32_t COIF_REFERENCE_HELIX_COUNT = COIF_COUNT_OF(COIF_REFERENCE_HELICES);
const int32_t COIF_REFERENCE_STICK_COUNT = COIF_COUNT_OF(COIF_REFERENCE_STICKS);

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-3 * fabs(b);
}

double coif_reference_helix_hang(double pitch_degrees, double turns, double ratio, double weight)
{
    const coif_reference_helix *before = NULL;
    for (int32_t i = 0; i < COIF_REFERENCE_HELIX_COUNT; ++i) {
        const coif_reference_helix *row = &COIF_REFERENCE_HELICES[i];
        if (!near(pitch_degrees, row->pitch_degrees) || !near(turns, row->turns) ||
            !near(ratio, row->ratio)) {
            continue;
        }
        if (fabs(weight - row->weight) <= 1e-6 * row->weight) {
            return row->axial;
        }
        if (before != NULL && weight > before->weight && weight < row->weight) {
            const double fraction = (weight - before->weight) / (row->weight - before->weight);
            return before->axial + fraction * (row->axial - before->axial);
        }
        before = row;
    }
    return NAN;
}

double coif_reference_stick_friction(double eps)
{
    for (int32_t i = 0; i + 1 < COIF_REFERENCE_STICK_COUNT; ++i) {
        const coif_reference_stick *row = &COIF_REFERENCE_STICKS[i];
        if (eps >= row[0].eps && eps <= row[1].eps) {
            const double fraction = (eps - row[0].eps) / (row[1].eps - row[0].eps);
            return row[0].friction + fraction * (row[1].friction - row[0].friction);
        }
    }
    return NAN;
}
