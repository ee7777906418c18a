// Frames and weights of the operations on caches.
#include "sim/cache/cache_plan.h"

#include "core/base/error.h"

#include <math.h>

static void add(coif_cache_plan *plan, int32_t source, int frame, double weight)
{
    // The first term stays: masked strands are made of it.
    if (plan->count == 0 || weight != 0.0) {
        plan->terms[plan->count++] = (coif_cache_term){source, frame, (float)weight};
    }
}

static coif_status plan_cycle(coif_frame_range *cycle, const coif_cache_params *params,
                              coif_frame_range input, coif_error *error)
{
    *cycle = coif_frame_range_given(params->cycle) ? params->cycle : input;
    const int count = cycle->last - cycle->first + 1;
    if (cycle->first < input.first || cycle->last > input.last || cycle->step != 1) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "loop: the cache has frames %d-%d, the cycle is %d-%dx%d", input.first,
                         input.last, cycle->first, cycle->last, cycle->step);
    }
    if (2 * params->overlap > count) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "loop: %d frames cannot overlap by %d; at most half of them", count,
                         params->overlap);
    }
    return COIF_OK;
}

coif_status coif_cache_plan_range(coif_frame_range *output, const coif_cache_params *params,
                                  coif_frame_range input, coif_error *error)
{
    *output = (coif_frame_range){input.first, input.last, 1};
    const coif_frame_keys *map = &params->time_map;
    coif_frame_range cycle;
    switch (params->operation) {
    case COIF_CACHE_OFFSET:
        output->first += params->shift;
        output->last += params->shift;
        if (output->first < 0) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "offset: frame %d would become %d; frames are not negative",
                             input.first, output->first);
        }
        break;
    case COIF_CACHE_RETIME:
        if (map->count > 0) {
            output->first = (int)ceil(map->frames[0]);
            output->last = (int)floor(map->frames[map->count - 1]);
        } else {
            // A millionth of a frame is rounding.
            const double frames = (input.last - input.first) / params->speed;
            output->last = input.first + (int)floor(frames + 1e-6);
        }
        break;
    case COIF_CACHE_LOOP:
        COIF_TRY(plan_cycle(&cycle, params, input, error));
        output->first = cycle.first;
        output->last =
            cycle.first + params->repeat * (cycle.last - cycle.first + 1 - params->overlap) - 1;
        break;
    default:
        break;
    }
    return COIF_OK;
}

// Binomial weights of order 2 r, which approach a Gaussian of variance r / 2. Near the ends the
// radius shrinks, so that the filter stays symmetric and does not shift motion in time.
static void plan_smooth(coif_cache_plan *plan, int radius, coif_frame_range input, int frame)
{
    int r = radius;
    r = frame - input.first < r ? frame - input.first : r;
    r = input.last - frame < r ? input.last - frame : r;
    double weights[COIF_CACHE_MAX_RADIUS + 1]; // of the distance; C(2r, r - j) / 4^r
    weights[r] = 1.0;
    for (int i = 0; i < r; ++i) {
        weights[r] *= 0.25;
    }
    for (int j = r; j > 0; --j) {
        weights[j - 1] = weights[j] * (r + j) / (r - j + 1);
    }
    add(plan, COIF_CACHE_FIRST, frame, weights[0]);
    for (int j = 1; j <= r; ++j) {
        add(plan, COIF_CACHE_FIRST, frame - j, weights[j]);
        add(plan, COIF_CACHE_FIRST, frame + j, weights[j]);
    }
}

// Catmull and Rom 1974. Beyond the ends motion is continued linearly.
static void plan_sample(coif_cache_plan *plan, coif_frame_range input, double time)
{
    const int begin = (int)floor(time);
    const double t = time - begin;
    if (t == 0.0) {
        add(plan, COIF_CACHE_FIRST, begin, 1.0);
        return;
    }
    const double s = 1.0 - t;
    double before = -0.5 * t * s * s, after = -0.5 * t * t * s;
    double from = 1.0 - 0.5 * t * t * (5.0 - 3.0 * t), to = 0.5 * t * (1.0 + t * (4.0 - 3.0 * t));
    if (begin - 1 < input.first) {
        from += 2.0 * before;
        to -= before;
        before = 0.0;
    }
    if (begin + 2 > input.last) {
        to += 2.0 * after;
        from -= after;
        after = 0.0;
    }
    add(plan, COIF_CACHE_FIRST, begin, from);
    add(plan, COIF_CACHE_FIRST, begin + 1, to);
    add(plan, COIF_CACHE_FIRST, begin - 1, before);
    add(plan, COIF_CACHE_FIRST, begin + 2, after);
}

static double sample_time(const coif_cache_params *params, coif_frame_range input, int frame)
{
    return params->time_map.count > 0 ? coif_frame_keys_at(&params->time_map, frame)
                                      : input.first + (frame - input.first) * params->speed;
}

static coif_status plan_retime(coif_cache_plan *plan, const coif_cache_params *params,
                               coif_frame_range input, int frame, coif_error *error)
{
    double time = sample_time(params, input, frame);
    // Whole frames are exact in spite of rounding.
    time = fabs(time - floor(time + 0.5)) < 1e-6 ? floor(time + 0.5) : time;
    if (time < input.first || time > input.last) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "retime: frame %d samples frame %g; the cache has frames %d-%d", frame,
                         time, input.first, input.last);
    }
    plan->pose = params->with_body ? time : frame;
    plan->rate =
        0.5 * (sample_time(params, input, frame + 1) - sample_time(params, input, frame - 1));
    plan_sample(plan, input, time);
    return COIF_OK;
}

// The last frames of the cycle are faded into the first ones with zero slope at both ends.
static coif_status plan_loop(coif_cache_plan *plan, const coif_cache_params *params,
                             coif_frame_range input, int frame, coif_error *error)
{
    coif_frame_range cycle;
    COIF_TRY(plan_cycle(&cycle, params, input, error));
    const int period = cycle.last - cycle.first + 1 - params->overlap;
    const int i = (frame - cycle.first) % period;
    const double x = i < params->overlap ? (i + 1.0) / (params->overlap + 1.0) : 1.0;
    const double weight = x * x * (3.0 - 2.0 * x);
    add(plan, COIF_CACHE_FIRST, cycle.first + i, weight);
    add(plan, COIF_CACHE_FIRST, cycle.first + period + i, 1.0 - weight);
    return COIF_OK;
}

coif_status coif_cache_plan_frame(coif_cache_plan *plan, const coif_cache_params *params,
                                  coif_frame_range input, int frame, coif_error *error)
{
    *plan = (coif_cache_plan){.pose = frame, .rate = 1.0};
    double weight;
    switch (params->operation) {
    case COIF_CACHE_BLEND:
        weight = coif_frame_keys_at(&params->weight, frame);
        add(plan, COIF_CACHE_FIRST, frame, 1.0 - weight);
        add(plan, COIF_CACHE_SECOND, frame, weight);
        return COIF_OK;
    case COIF_CACHE_SMOOTH:
        plan_smooth(plan, params->radius, input, frame);
        return COIF_OK;
    case COIF_CACHE_DAMP:
        weight = coif_frame_keys_at(&params->amount, frame);
        add(plan, COIF_CACHE_FIRST, frame, 1.0 - weight);
        add(plan, COIF_CACHE_REST, frame, weight);
        return COIF_OK;
    case COIF_CACHE_OFFSET:
        add(plan, COIF_CACHE_FIRST, frame - params->shift, 1.0);
        return COIF_OK;
    case COIF_CACHE_RETIME:
        return plan_retime(plan, params, input, frame, error);
    case COIF_CACHE_LOOP:
        return plan_loop(plan, params, input, frame, error);
    default:
        add(plan, COIF_CACHE_FIRST, frame, 1.0);
        return COIF_OK;
    }
}
