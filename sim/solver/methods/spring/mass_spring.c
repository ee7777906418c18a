#include "sim/solver/methods/spring/mass_spring.h"

#include "core/base/deterministic_math.h"

#include <math.h>

// Lower limit of segment lengths, relative to the mean of the strand: very short ones would need
// very many steps.
static const float MIN_LENGTH_FRACTION = 0.5f;

// Fraction of the longest stable step: the bound is for springs that do not rotate.
static const float SAFETY = 0.7f;

// Smallest number of steps with implicit lengths: lengths and contacts have to converge together.
static const float MIN_STEPS = 10.0f;

static float at_least(float a, float least)
{
    return a > least ? a : least;
}

// Multiplier at a point; 1 without a row.
static float at_point(const float *along, int32_t k)
{
    return along != NULL ? along[k] : 1.0f;
}

// Smoothing factor 1 - exp(-l / a); 1 without smoothing.
static float smoothing_of(float length, float smooth)
{
    return smooth > 0.0f ? 1.0f - coif_det_exp(-length / smooth) : 1.0f;
}

// How the smoothed frame follows a strand of uniform curvature, in joint angles; see
// mass_spring_simd.h.
typedef struct follower {
    float last, second;
} follower;

static float follow(follower *frame, float angle, float fraction)
{
    const float keep = 1.0f - fraction;
    const float next =
        2.0f * keep * frame->last - keep * keep * frame->second + fraction * fraction * angle;
    frame->second = frame->last;
    frame->last = next;
    return next;
}

// The energy of a bending spring is k l^2 / 2 times the squared angle between its segment and the
// frame before, which lags behind. For uniform curvature it equals that of a rod, B / 2 times the
// squared curvature, per length:
//
//   k = B / (m l^3 lag^2)        lag = angle to the frame over angle of a joint
//
// The clamp is half a joint from the first segment, so the lag there is a half, for half the
// bending length. For elliptic sections of axes in ratio e, the long one along the director u, it
// is k e along u and k / e across both.
void coif_spring_fill(coif_strand_block *block, int32_t lane, const coif_strand_material *material,
                      const coif_spring_material *settings, int32_t max_steps)
{
    coif_method_rows *spring = coif_method_rows_of(block);
    const int32_t lanes = block->lanes;
    const int32_t segments = block->length - 1;
    const float mean = coif_strand_block_mean_length(block, lane);
    const float shortest = MIN_LENGTH_FRACTION * mean;
    const float fraction = smoothing_of(mean, settings->smoothing_length);
    const float r = material->radius;
    const float bend = material->stiffness * material->youngs_modulus * r * r /
                       (4.0f * material->density * mean * block->mass_scale[lane]);
    const float held = material->clamped ? 1.0f : 0.0f;
    const float flat = at_least(material->ellipticity, 1.0f);
    spring->has_elliptic_sections = (lane > 0 && spring->has_elliptic_sections) || flat > 1.0f;
    float *lane_rows = spring->lane_rows + lane;
    lane_rows[COIF_SPRING_CLAMPED * lanes] = held;
    lane_rows[COIF_SPRING_MIN_LENGTH * lanes] = shortest;
    lane_rows[COIF_SPRING_SMOOTHING * lanes] = fraction;
    lane_rows[COIF_SPRING_CORE_SMOOTHING * lanes] =
        smoothing_of(mean, settings->core_smoothing_length);
    lane_rows[COIF_SPRING_DAMPING_TIME * lanes] = settings->damping_time;
    lane_rows[COIF_SPRING_ELLIPTICITY * lanes] = flat;
    lane_rows[COIF_SPRING_MAX_STEPS * lanes] = at_least((float)max_steps, 1.0f);
    follower frame = {0.0f, 0.0f};
    for (int32_t k = 0; k < segments; ++k) {
        const float here = at_least(block->rest_length[k * lanes + lane], shortest);
        const float along = at_point(material->stiffness_along, k);
        const float angle = 0.5f + (float)k;
        const float lag = angle - frame.last;
        float *rows = spring->rows + (int64_t)k * COIF_SPRING_ROWS * lanes + lane;
        rows[COIF_SPRING_LENGTH * lanes] = block->rest_length[k * lanes + lane];
        rows[COIF_SPRING_STRETCH * lanes] = settings->stretch *
                                            at_point(settings->stretch_along, k) *
                                            block->inv_point_mass[lane] / here;
        rows[COIF_SPRING_CORE * lanes] =
            settings->core * at_point(settings->core_along, k) * block->inv_point_mass[lane] / here;
        rows[COIF_SPRING_BEND * lanes] = k == 0 ? 2.0f * held * along * bend / (here * here * here)
                                                : along * bend / (here * here * here * lag * lag);
        // Twist is between the midpoints of segments; the last segment twists nothing.
        const float before =
            k > 0 ? at_least(block->rest_length[(k - 1) * lanes + lane], shortest) : 0.0f;
        const float twist = bend / (1.0f + material->poisson_ratio) * (2.0f / (flat + 1.0f / flat));
        rows[COIF_SPRING_TWIST * lanes] =
            k + 1 < segments ? along * twist / (0.5f * (before + here)) : 0.0f;
        follow(&frame, angle, fraction);
    }
}

static float constant(const coif_strand_block *block, int32_t lane, int32_t k, int row)
{
    if (k < 0 || k + 1 >= block->length) {
        return 0.0f;
    }
    return coif_method_rows_of(block)
        ->rows[((int64_t)k * COIF_SPRING_ROWS + row) * block->lanes + lane];
}

// Gershgorin bound of the highest frequency.
static float highest_of(const coif_strand_block *block, int32_t lane, float stretch)
{
    const float flat =
        coif_method_rows_of(block)->lane_rows[COIF_SPRING_ELLIPTICITY * block->lanes + lane];
    float most = 0.0f;
    for (int32_t k = 0; k < block->length; ++k) {
        const float along = stretch * (constant(block, lane, k - 1, COIF_SPRING_STRETCH) +
                                       constant(block, lane, k, COIF_SPRING_STRETCH)) +
                            constant(block, lane, k - 1, COIF_SPRING_CORE) +
                            constant(block, lane, k, COIF_SPRING_CORE);
        const float across = constant(block, lane, k - 1, COIF_SPRING_BEND) +
                             2.0f * constant(block, lane, k, COIF_SPRING_BEND) +
                             constant(block, lane, k + 1, COIF_SPRING_BEND);
        const float omega2 =
            block->inv_mass[k * block->lanes + lane] * (2.0f * along + 4.0f * flat * across);
        most = omega2 > most ? omega2 : most;
    }
    return sqrtf(at_least(most, 1e-6f));
}

// The longest stable step of semi-implicit Euler when damping is b times stiffness:
//
//   h < 2 / omega (sqrt(1 + z^2) - z)        z = b omega / 2
static float longest_of(float omega, float lag)
{
    const float z = 0.5f * omega * lag;
    return SAFETY * 2.0f / (omega * (sqrtf(1.0f + z * z) + z));
}

// Damping is for the fastest oscillations. Of bending they are critically damped at z = 1/2, and
// more damping would only need shorter steps.
void coif_spring_measure(coif_strand_block *block, int32_t lane)
{
    float *rows = coif_method_rows_of(block)->lane_rows + lane;
    float *lag = &rows[COIF_SPRING_DAMPING_TIME * block->lanes];
    const float all = highest_of(block, lane, 1.0f);
    const float bending = highest_of(block, lane, 0.0f);
    *lag = *lag * bending < 1.0f ? *lag : 1.0f / bending;
    rows[COIF_SPRING_MAX_STEP * block->lanes] = longest_of(all, *lag);
    rows[COIF_SPRING_MAX_STEP_BENDING * block->lanes] = longest_of(bending, *lag);
}

coif_spring_substeps coif_spring_substeps_of(const coif_strand_block *block, int32_t lane, float h)
{
    const float *rows = coif_method_rows_of(block)->lane_rows + lane;
    const float most = rows[COIF_SPRING_MAX_STEPS * block->lanes];
    const float bending = h / rows[COIF_SPRING_MAX_STEP_BENDING * block->lanes];
    const float all = h / rows[COIF_SPRING_MAX_STEP * block->lanes];
    coif_spring_substeps plan = {.implicit_lengths = all > at_least(2.0f * bending, MIN_STEPS)};
    plan.unlimited_steps = plan.implicit_lengths ? at_least(bending, MIN_STEPS) : all;
    const float whole =
        plan.unlimited_steps < 1e6f ? (float)((int32_t)plan.unlimited_steps + 1) : 1e6f;
    plan.steps = whole < most ? whole : most;
    const float fraction = plan.steps / at_least(plan.implicit_lengths ? bending : all, plan.steps);
    plan.softness = fraction * fraction;
    return plan;
}
