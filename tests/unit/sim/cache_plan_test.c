// Frames and weights that operations on caches use.
#include "sim/cache/cache_plan.h"

#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static const coif_frame_range INPUT = {1, 20, 1};

static coif_cache_plan plan_of(const coif_cache_params *params, int frame)
{
    coif_cache_plan plan = {0};
    coif_error error = {0};
    CHECK_OK(coif_cache_plan_frame(&plan, params, INPUT, frame, &error), error);
    return plan;
}

// The sum of weights times a power of the frame number.
static double moment(const coif_cache_plan *plan, int power)
{
    double sum = 0.0;
    for (int32_t t = 0; t < plan->count; ++t) {
        sum += (double)plan->terms[t].weight * pow(plan->terms[t].frame, power);
    }
    return sum;
}

static coif_frame_keys keys(const char *text)
{
    coif_frame_keys parsed;
    coif_error error = {0};
    CHECK_OK(coif_frame_keys_parse(&parsed, text, &arena, &error), error);
    return parsed;
}

TEST(keys_are_linear_between_frames_and_constant_outside)
{
    const coif_frame_keys one = keys("0.25"), two = keys("10:0,20:1");
    CHECK(coif_frame_keys_at(&one, 3) == 0.25);
    CHECK(coif_frame_keys_at(&two, 9) == 0.0 && coif_frame_keys_at(&two, 10) == 0.0);
    CHECK_NEAR(coif_frame_keys_at(&two, 12.5), 0.25, 1e-12);
    CHECK(coif_frame_keys_at(&two, 20) == 1.0 && coif_frame_keys_at(&two, 99) == 1.0);
    static const char *const bad[] = {"",        "x",       "1:",  "1:2,",  "2:0,1:1",
                                      "1:0,1:1", "1:0 2:1", "nan", "1:inf", "1,2"};
    for (size_t i = 0; i < COIF_COUNT_OF(bad); ++i) {
        coif_frame_keys parsed;
        coif_error error = {0};
        CHECK(coif_frame_keys_parse(&parsed, bad[i], &arena, &error) == COIF_ERR_ARGUMENT);
    }
}

TEST(smoothing_is_symmetric_and_spares_the_ends)
{
    const coif_cache_params params = {.operation = COIF_CACHE_SMOOTH, .radius = 3};
    for (int frame = 1; frame <= 20; ++frame) {
        const coif_cache_plan plan = plan_of(&params, frame);
        CHECK_NEAR(moment(&plan, 0), 1.0, 1e-6);
        CHECK_NEAR(moment(&plan, 1), frame, 1e-5);
        CHECK(plan.terms[0].frame == frame);
        // Variance of the binomial distribution of 2 r trials.
        const int radius = frame < 4 ? frame - 1 : frame > 17 ? 20 - frame : 3;
        CHECK_NEAR(moment(&plan, 2) - frame * frame, 0.5 * radius, 1e-4);
    }
    CHECK(plan_of(&params, 1).count == 1 && plan_of(&params, 20).count == 1);
}

TEST(retiming_reproduces_quadratic_motion)
{
    const coif_cache_params half = {.operation = COIF_CACHE_RETIME, .speed = 0.5};
    coif_frame_range output;
    coif_error error = {0};
    CHECK_OK(coif_cache_plan_range(&output, &half, INPUT, &error), error);
    CHECK(output.first == 1 && output.last == 39);
    for (int frame = 1; frame <= 39; ++frame) {
        const double time = 1.0 + 0.5 * (frame - 1);
        const coif_cache_plan plan = plan_of(&half, frame);
        CHECK(plan.pose == frame && plan.rate == 0.5);
        CHECK_NEAR(moment(&plan, 0), 1.0, 1e-6);
        CHECK_NEAR(moment(&plan, 1), time, 1e-5);
        const bool end = time < 2.0 || time > 19.0;
        CHECK_NEAR(moment(&plan, 2), time * time, end ? 0.13 : 1e-4);
        CHECK(time != floor(time) || plan.count == 1);
    }
}

TEST(speed_one_is_the_identity)
{
    const coif_cache_params same = {.operation = COIF_CACHE_RETIME, .speed = 1.0};
    for (int frame = 1; frame <= 20; ++frame) {
        const coif_cache_plan plan = plan_of(&same, frame);
        CHECK(plan.count == 1 && plan.terms[0].frame == frame && plan.terms[0].weight == 1.0f);
        CHECK(plan.rate == 1.0);
    }
}

TEST(a_time_map_samples_its_keys)
{
    coif_cache_params params = {
        .operation = COIF_CACHE_RETIME, .time_map = keys("5:1,9:11,13:20"), .with_body = true};
    coif_frame_range output;
    coif_error error = {0};
    CHECK_OK(coif_cache_plan_range(&output, &params, INPUT, &error), error);
    CHECK(output.first == 5 && output.last == 13);
    const coif_cache_plan plan = plan_of(&params, 6);
    CHECK_NEAR(moment(&plan, 1), 3.5, 1e-5);
    CHECK(plan.pose == 3.5);
    params.time_map = keys("1:1,2:21");
    coif_cache_plan none;
    CHECK(coif_cache_plan_frame(&none, &params, INPUT, 2, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "frame 2 samples frame 21; the cache has frames 1-20");
}

TEST(a_cycle_has_no_seam)
{
    const coif_cache_params params = {
        .operation = COIF_CACHE_LOOP, .cycle = {3, 18, 1}, .overlap = 5, .repeat = 2};
    coif_frame_range output;
    coif_error error = {0};
    CHECK_OK(coif_cache_plan_range(&output, &params, INPUT, &error), error);
    CHECK(output.first == 3 && output.last == 24);
    for (int frame = 3; frame <= 13; ++frame) {
        const coif_cache_plan once = plan_of(&params, frame), again = plan_of(&params, frame + 11);
        CHECK(once.count == again.count &&
              memcmp(once.terms, again.terms, (size_t)once.count * sizeof *once.terms) == 0);
        CHECK_NEAR(moment(&once, 0), 1.0, 1e-6);
    }
    // After frame 13 comes frame 14, which is most of the first frame of the next cycle.
    const coif_cache_plan seam = plan_of(&params, 14);
    CHECK(seam.terms[0].frame == 3 && seam.terms[1].frame == 14);
    CHECK(seam.terms[1].weight > 0.9f && plan_of(&params, 7).terms[1].weight < 0.1f);
    CHECK(plan_of(&params, 8).count == 1);
    coif_cache_params bad = params;
    bad.overlap = 9;
    CHECK(coif_cache_plan_range(&output, &bad, INPUT, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "16 frames cannot overlap by 9");
}

TEST(unused_caches_are_not_read)
{
    coif_cache_params params = {.operation = COIF_CACHE_BLEND, .weight = keys("10:0,20:1")};
    CHECK(plan_of(&params, 10).count == 1);
    const coif_cache_plan middle = plan_of(&params, 15);
    CHECK(middle.count == 2 && middle.terms[1].source == COIF_CACHE_SECOND);
    params = (coif_cache_params){.operation = COIF_CACHE_DAMP, .amount = keys("0.25")};
    const coif_cache_plan damped = plan_of(&params, 15);
    CHECK(damped.terms[1].source == COIF_CACHE_REST && damped.terms[1].weight == 0.25f);
}
