// Hair grid: mass and momentum are conserved, no force at rest, no attraction.
#include "sim/interaction/hair_grid.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { SAMPLES = 20000 };

static const simd_float4 ONE = {0.0f, 0.0f, 0.0f, 1e-8f};

static float chance(int32_t i, uint32_t what)
{
    return coif_random_unit(7, (uint64_t)i, what);
}

// A cloud of samples about four tiles wide, moving in random directions.
static coif_grid_sample sample_at(int32_t i, float squeeze)
{
    const float mass = 1e-8f * (0.5f + chance(i, 3));
    return (coif_grid_sample){
        .position = {squeeze * 16.0f * (chance(i, 0) - 0.5f) - 3.0f, 12.0f * (chance(i, 1) - 0.5f),
                     10.0f * chance(i, 2), 0.05f},
        .sums = mass *
                (simd_float4){chance(i, 4) - 0.3f, chance(i, 5) - 0.5f, chance(i, 6) - 0.9f, 1.0f},
        .coefficients = {2.0f * chance(i, 7), 2.0f * chance(i, 8), chance(i, 9), 0.0f}};
}

static bool varied; // samples have laws of their own

static void build(coif_hair_grid *field, coif_grid_scatter *splats, int32_t count, float squeeze,
                  coif_jobs *jobs)
{
    for (int32_t s = 0; s < count; ++s) {
        coif_grid_scatter_open(&splats[s], 1000);
        splats[s].varying = varied;
        for (int32_t i = s * SAMPLES / count; i < (s + 1) * SAMPLES / count; ++i) {
            const coif_grid_sample sample = sample_at(i, squeeze);
            coif_grid_scatter_add(&splats[s], &sample);
        }
    }
    coif_hair_grid_build(field, splats, count, 0.005f, &arena, jobs);
    for (int32_t s = 0; s < count; ++s) {
        coif_grid_scatter_close(&splats[s]);
    }
}

typedef struct totals {
    double mass, momentum[3];
} totals;

static totals of_samples(float squeeze)
{
    totals sum = {0};
    for (int32_t i = 0; i < SAMPLES; ++i) {
        const coif_grid_sample sample = sample_at(i, squeeze);
        sum.mass += (double)sample.sums[3];
        for (int a = 0; a < 3; ++a) {
            sum.momentum[a] += (double)sample.sums[a];
        }
    }
    return sum;
}

static totals of_field(const coif_hair_grid *field)
{
    totals sum = {0};
    for (int64_t n = 0; n < (int64_t)field->tiles.count * COIF_TILE_OWNED_NODES; ++n) {
        sum.mass += (double)field->sums[n][3];
        for (int a = 0; a < 3; ++a) {
            sum.momentum[a] += (double)field->sums[n][a];
        }
    }
    return sum;
}

TEST(nodes_add_up_to_the_samples)
{
    coif_hair_grid field;
    coif_grid_scatter splats[3];
    build(&field, splats, 3, 1.0f, NULL);
    const totals wanted = of_samples(1.0f);
    const totals got = of_field(&field);
    CHECK_NEAR(got.mass, wanted.mass, 1e-6 * wanted.mass);
    for (int a = 0; a < 3; ++a) {
        CHECK_NEAR(got.momentum[a], wanted.momentum[a], 1e-5 * wanted.mass);
    }
}

// What a sample feels, as the crowd gathers it.
static simd_float4 felt_by(const coif_hair_grid *field, const coif_grid_sample *sample, float rate)
{
    coif_tile_sample spot = {.node = 0};
    CHECK(coif_tile_sample_at(&spot, sample->position));
    const int32_t tile = coif_sparse_grid_find(&field->tiles, spot.tile);
    CHECK(tile >= 0);
    simd_float4 sum = {0};
    rate = field->friction_rates != NULL ? 0.0f : rate;
    for (int i = 0; i < 8; ++i) {
        const int64_t at = (int64_t)tile * COIF_TILE_NODES + spot.node + COIF_TILE_CORNERS[i];
        sum += spot.weights[i] * field->response[at];
        rate += field->friction_rates != NULL ? spot.weights[i] * field->friction_rates[at] : 0.0f;
    }
    return sum - rate * sample->sums / sample->sums[3];
}

// The sum of all forces on the samples, as a fraction of the sum of their sizes.
static double imbalance(const coif_hair_grid *field, float rate, float squeeze, double *size)
{
    double sum[3] = {0};
    *size = 0.0;
    for (int32_t i = 0; i < SAMPLES; ++i) {
        const coif_grid_sample sample = sample_at(i, squeeze);
        const simd_float4 felt = felt_by(field, &sample, rate);
        for (int a = 0; a < 3; ++a) {
            sum[a] += (double)(sample.sums[3] * felt[a]);
            *size += fabs((double)(sample.sums[3] * felt[a]));
        }
    }
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / (*size + 1e-300);
}

TEST(friction_and_pressure_keep_momentum)
{
    for (int run = 0; run < 6; ++run) {
        const int what = run % 3;
        varied = run >= 3;
        const coif_grid_coefficients law = {
            .seconds = 0.02f, .rate = what != 1 ? 20.0f : 0.0f, .speed = what != 0 ? 1.0f : 0.0f};
        coif_hair_grid field;
        coif_grid_scatter splats[2];
        build(&field, splats, 2, 1.0f, NULL);
        coif_hair_grid_respond(&field, &law, NULL);
        double size;
        CHECK(imbalance(&field, coif_hair_grid_rate(&law), 1.0f, &size) < 1e-5);
        CHECK(size > 0.0);
    }
    varied = false;
}

// A cloud that is thinner than at rest is not drawn together; a denser one is pushed apart.
TEST(pressure_is_one_sided)
{
    for (int dense = 0; dense < 2; ++dense) {
        coif_hair_grid field;
        coif_grid_scatter splat;
        coif_grid_scatter_open(&splat, 1000);
        for (int32_t i = 0; i < SAMPLES; ++i) {
            coif_grid_sample sample = sample_at(i, 1.0f);
            sample.sums = sample.sums[3] * (simd_float4){0.0f, 0.0f, 0.0f, 1.0f};
            sample.position[3] = dense ? 0.2f : 10.0f; // it is about 0.8 kg/m3
            coif_grid_scatter_add(&splat, &sample);
        }
        coif_hair_grid_build(&field, &splat, 1, 0.005f, &arena, NULL);
        coif_grid_scatter_close(&splat);
        coif_hair_grid_respond(&field, &(coif_grid_coefficients){.seconds = 0.02f, .speed = 1.0f},
                               NULL);
        double outwards = 0.0;
        double size = 0.0;
        for (int32_t i = 0; i < SAMPLES; ++i) {
            const coif_grid_sample sample = sample_at(i, 1.0f);
            const simd_float4 felt = felt_by(&field, &sample, 0.0f);
            outwards +=
                (double)(felt[0] * (sample.position[0] + 3.0f) + felt[1] * sample.position[1] +
                         felt[2] * (sample.position[2] - 5.0f));
            size += fabs((double)felt[0]) + fabs((double)felt[1]) + fabs((double)felt[2]);
        }
        CHECK(dense ? outwards > 0.1 * size : size == 0.0);
    }
}

// The law of friction for any length of time: what is left after t is exp(-rate t).
TEST(friction_acts_for_the_requested_time)
{
    const float times[3] = {1e-6f, 0.01f, 1.0f};
    for (int i = 0; i < 3; ++i) {
        const coif_grid_coefficients law = {.seconds = times[i], .rate = 8.0f};
        const double left = 1.0 - (double)coif_hair_grid_rate(&law) * (double)times[i];
        CHECK_NEAR(left, exp(-8.0 * (double)times[i]), 1e-6);
    }
}

TEST(a_hair_far_away_costs_a_few_tiles)
{
    coif_grid_scatter splat;
    coif_grid_scatter_open(&splat, 100);
    for (int32_t i = 0; i < 100; ++i) {
        const coif_grid_sample near = {.position = {0.1f * (float)i}, .sums = ONE};
        const coif_grid_sample far = {.position = {2000.0f, -3000.0f + 0.1f * (float)i},
                                      .sums = ONE};
        const coif_grid_sample gone = {.position = {i % 2 == 0 ? INFINITY : NAN}, .sums = ONE};
        coif_grid_scatter_add(&splat, &near);
        coif_grid_scatter_add(&splat, &far);
        coif_grid_scatter_add(&splat, &gone);
    }
    CHECK(splat.tiles.count <= 8);
    // Hair spread everywhere fills the allocated tiles and no more.
    for (int32_t i = 0; i < 1000; ++i) {
        const coif_grid_sample sample = {.position = {0.0f, 0.0f, 50.0f * (float)i}, .sums = ONE};
        coif_grid_scatter_add(&splat, &sample);
    }
    CHECK(splat.tiles.count == 100);
    coif_hair_grid field;
    coif_hair_grid_build(&field, &splat, 1, 0.005f, &arena, NULL);
    coif_grid_scatter_close(&splat);
    CHECK(field.tiles.count <= 800);
    coif_hair_grid_respond(&field, &(coif_grid_coefficients){0.02f, 1.0f, 1.0f}, NULL);
}

TEST(threads_do_not_show)
{
    const coif_grid_coefficients law = {.seconds = 0.02f, .rate = 5.0f, .speed = 1.0f};
    coif_hair_grid fields[3];
    for (int run = 0; run < 3; ++run) {
        coif_jobs *jobs = NULL;
        coif_error error = {0};
        CHECK_OK(coif_jobs_open(&jobs, run + 1, &arena, &error), error);
        coif_grid_scatter splats[3];
        build(&fields[run], splats, 3, 0.7f, jobs);
        coif_hair_grid_respond(&fields[run], &law, jobs);
        coif_jobs_close(jobs);
        CHECK(fields[run].tiles.count == fields[0].tiles.count);
        CHECK(memcmp(fields[run].response, fields[0].response,
                     sizeof(simd_float4) * COIF_TILE_NODES * (size_t)fields[0].tiles.count) == 0);
    }
}

// Samples beyond the tiles that a scatter may use are counted.
TEST(dropped_samples_are_counted)
{
    coif_grid_scatter scatter;
    coif_grid_scatter_open(&scatter, 2);
    for (int32_t i = 0; i < 6; ++i) {
        const coif_grid_sample sample = {.position = {4.0f * (float)(i % 3) + 1.0f, 1.0f, 1.0f},
                                         .sums = ONE};
        coif_grid_scatter_add(&scatter, &sample);
    }
    const coif_grid_sample lost = {.position = {NAN, 1.0f, 1.0f}, .sums = ONE};
    coif_grid_scatter_add(&scatter, &lost);
    CHECK(scatter.dropped == 3);
    coif_grid_scatter_close(&scatter);
}
