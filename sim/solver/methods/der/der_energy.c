// der_energy: elastic energy of bending and twist, in double precision, strand by strand, from the
// state between steps. For display and statistics.
#include "sim/solver/methods/der/der.h"

#include <math.h>

typedef struct frame {
    double t[3], u[3], v[3];
} frame;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double out[3], const double a[3], const double b[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

// A frame with direction t and a director near u. False where a segment has no direction.
static bool make_frame(frame *out, const double t[3], const double u[3])
{
    const double length = sqrt(dot(t, t));
    for (int k = 0; k < 3; ++k) {
        out->t[k] = t[k] / length;
    }
    const double along = dot(u, out->t);
    for (int k = 0; k < 3; ++k) {
        out->u[k] = u[k] - along * out->t[k];
    }
    const double across = sqrt(dot(out->u, out->u));
    for (int k = 0; k < 3; ++k) {
        out->u[k] /= across;
    }
    cross(out->v, out->t, out->u);
    return length > 0.0 && across > 0.0;
}

static bool segment_frame(frame *out, const coif_strand_block *block, int32_t lane, int32_t k)
{
    const int32_t lanes = block->lanes;
    const int64_t i = (int64_t)k * lanes + lane;
    const double t[3] = {(double)(block->pos.x[i + lanes] - block->pos.x[i]),
                         (double)(block->pos.y[i + lanes] - block->pos.y[i]),
                         (double)(block->pos.z[i + lanes] - block->pos.z[i])};
    const float *state = block->state + (int64_t)k * COIF_DER_STATE_ROWS * lanes + lane;
    const double u[3] = {(double)state[COIF_DER_UX * lanes], (double)state[COIF_DER_UY * lanes],
                         (double)state[COIF_DER_UZ * lanes]};
    return make_frame(out, t, u);
}

// The clamp frame of the root.
static bool clamp_frame(frame *out, const coif_strand_block *block, int32_t lane)
{
    const int32_t lanes = block->lanes;
    const float *rows = coif_method_rows_of(block)->lane_rows + lane;
    const float *root = block->root_end + lane;
    double posed[2][3];
    for (int w = 0; w < 2; ++w) {
        const float *from = rows + (w == 0 ? COIF_DER_CLAMP_T : COIF_DER_CLAMP_U) * lanes;
        for (int k = 0; k < 3; ++k) {
            posed[w][k] = 0.0;
            for (int axis = 0; axis < 3; ++axis) {
                posed[w][k] += (double)(from[axis * lanes] * root[(3 + 3 * axis + k) * lanes]);
            }
        }
    }
    return make_frame(out, posed[0], posed[1]);
}

// The angle between -pi and pi with cosine and sine in this ratio: tan(angle / 16) by half-angle
// formulas, then atan by its Taylor series, to 1e-15. Basic operations and square roots only, since
// functions of the C library differ between machines.
static double angle_of(double cosine, double sine)
{
    const double length = sqrt(cosine * cosine + sine * sine);
    if (!(length > 0.0)) {
        return 0.0;
    }
    const double c = cosine / length;
    const double s = fabs(sine) / length;
    const double large = sqrt(0.5 + 0.5 * fabs(c)); // of cosine and sine of half the angle
    const double small = 0.5 * s / large;
    double x = c < 0.0 ? large / (1.0 + small) : small / (1.0 + large); // tan(angle / 4)
    x = x / (1.0 + sqrt(1.0 + x * x));
    x = x / (1.0 + sqrt(1.0 + x * x));
    double series = 0.0;
    for (int n = 25; n >= 1; n -= 2) {
        series = 1.0 / n - x * x * series;
    }
    return sine < 0.0 ? -16.0 * x * series : 16.0 * x * series;
}

// Curvature and twist as in der_strain.h.
static void measure(double strain[3], const frame *e, const frame *f)
{
    const double chi = fmax(1.0 + dot(e->t, f->t), 0.02);
    double kb[3];
    cross(kb, e->t, f->t);
    const double size = 2.0 * sqrt(dot(kb, kb)) / chi;
    const double angle = size > 1e-9 ? 2.0 * angle_of(1.0, 0.5 * size) / size : 1.0;
    double sum_u[3], sum_v[3], carried[3];
    const double lean = dot(e->u, f->t) / chi;
    for (int k = 0; k < 3; ++k) {
        kb[k] *= 2.0 / chi;
        sum_u[k] = e->u[k] + f->u[k];
        sum_v[k] = e->v[k] + f->v[k];
        carried[k] = e->u[k] - lean * (e->t[k] + f->t[k]);
    }
    strain[0] = 0.5 * angle * dot(kb, sum_v);
    strain[1] = -0.5 * angle * dot(kb, sum_u);
    strain[2] = angle_of(dot(carried, f->u), -dot(carried, f->v));
}

double coif_der_energy(const coif_strand_block *block, int32_t lane)
{
    const int32_t lanes = block->lanes;
    double sum = 0.0;
    frame before, after;
    bool there = clamp_frame(&before, block, lane);
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const bool next = segment_frame(&after, block, lane, k);
        const float *row =
            coif_method_rows_of(block)->rows + (int64_t)k * COIF_DER_ROWS * lanes + lane;
        double strain[3];
        if (there && next) {
            measure(strain, &before, &after);
        }
        for (int r = 0; r < 3 && there && next; ++r) {
            const double off = strain[r] - (double)row[(COIF_DER_KAPPA_1 + r) * lanes];
            const double root = (double)row[(COIF_DER_SQRT_BEND_1 + r) * lanes];
            sum += 0.5 * root * root * off * off;
        }
        before = after;
        there = next;
    }
    return sum / (block->length - 1); // mass of the strand in mean point masses
}
