// Filter splatting: unbiased, order-independent, half the variance.
#include "render/film/film_block.h"
#include "tests/support/render_cache.h"

#include <stdlib.h>

static coif_arena arena;

static const char *const NAMES[] = {"blackman", "tent", "box"};

// The weighted sum of any function over all samples equals its filtered value, inside the image and
// at its border.
TEST(splatting_weights_reproduce_the_filter)
{
    enum { STEPS = 4096, SIZE = 9 };
    for (int kind = 0; kind < 3; ++kind) {
        coif_pixel_filter filter;
        coif_pixel_filter_init(&filter, (coif_pixel_filter_kind)kind);
        for (int32_t pixel = 0; pixel < 5; pixel += 4) {
            double found[3] = {0}, wanted[3] = {0};
            for (int32_t i = 0; i < SIZE * STEPS; ++i) {
                const float u = ((float)(i % STEPS) + 0.5f) / STEPS;
                const int32_t own = i / STEPS;
                const float position = (float)own + 0.5f + coif_pixel_filter_sample(&filter, u);
                const coif_filter_weights weights =
                    coif_pixel_filter_weights(&filter, position, SIZE);
                const int32_t k = pixel - weights.first;
                const double all =
                    (double)(weights.values[0] + weights.values[1] + weights.values[2]);
                const double weight = k >= 0 && k < COIF_FILTER_TAPS && all > 0.0
                                          ? (double)weights.values[k] / all / STEPS
                                          : 0.0;
                const double x = (double)position - pixel - 0.5;
                CHECK(weight == 0.0 || abs(own - pixel) <= COIF_FILTER_RADIUS);
                for (int power = 0; power < 3; ++power) {
                    found[power] += weight * pow(x, power);
                    wanted[power] += own == pixel ? pow(x, power) / STEPS : 0.0;
                }
            }
            for (int power = 0; power < 3; ++power) {
                CHECK_NEAR(found[power], wanted[power], 1e-3);
            }
        }
    }
}

TEST(sums_do_not_depend_on_the_order_of_blocks)
{
    enum { SIDE = 16, SAMPLES = 300 };
    coif_pixel_filter filter;
    coif_pixel_filter_init(&filter, COIF_FILTER_BLACKMAN);
    coif_film films[2];
    for (int order = 0; order < 2; ++order) {
        coif_film *film = &films[order];
        const coif_film_desc desc = {.width = SIDE, .height = SIDE, .splat = true};
        coif_film_init(film, &desc, &arena);
        double *scratch = coif_arena_new(&arena, coif_film_block_scratch_size(film), double);
        for (int32_t i = 0; i < 4; ++i) {
            const int32_t number = order == 0 ? i : 3 - i;
            const int32_t x = number % 2 * COIF_BLOCK_SIZE, y = number / 2 * COIF_BLOCK_SIZE;
            coif_film_block block;
            coif_film_block_open(&block, film,
                                 (coif_rect){x, y, x + COIF_BLOCK_SIZE, y + COIF_BLOCK_SIZE}, true,
                                 scratch);
            for (uint32_t s = 0; s < SAMPLES; ++s) {
                const uint64_t seed = (uint64_t)number;
                const coif_filter_weights across = coif_pixel_filter_weights(
                    &filter, (float)x + COIF_BLOCK_SIZE * coif_random_unit(1, seed, 3 * s), SIDE);
                const coif_filter_weights down = coif_pixel_filter_weights(
                    &filter, (float)y + COIF_BLOCK_SIZE * coif_random_unit(1, seed, 3 * s + 1),
                    SIDE);
                const double light = exp(14.0 * (double)coif_random_unit(1, seed, 3 * s + 2) - 9.0);
                memcpy(block.sample, (double[]){light, 0.1 * light, light / 3.0, 1.0},
                       4 * sizeof(double));
                coif_film_block_splat(&block, film, &across, &down);
            }
            block.count = SAMPLES / (COIF_BLOCK_SIZE * COIF_BLOCK_SIZE);
            coif_film_block_close(&block, film);
        }
    }
    CHECK(memcmp(films[0].sums, films[1].sums, sizeof(double) * 4 * SIDE * SIDE) == 0);
    CHECK(memcmp(films[0].weights, films[1].weights, sizeof(double) * 2 * SIDE * SIDE) == 0);
    double weights = 0.0;
    for (size_t i = 0; i < SIDE * SIDE; ++i) {
        float values[4];
        coif_film_value(&films[0], i, &films[0].aovs.list[0], values);
        CHECK(values[3] == 1.0f);
        weights += coif_film_weight(&films[0], i);
    }
    CHECK_NEAR(weights, 4 * SAMPLES, 1e-3);
}

enum { SEEDS = 24, SIZE = 32 };

typedef struct statistics {
    double mean, noise; // of luminance over the image; variance over seeds relative to it
} statistics;

static statistics render_seeds(const char *splatting, const char *filter, const char *samples,
                               const char *noise)
{
    double sums[SIZE * SIZE] = {0}, squares[SIZE * SIZE] = {0};
    for (int seed = 0; seed < SEEDS; ++seed) {
        const char *const sets[] = {
            "image/write_aovs=false",
            "image/exr_pixel_type=float",
            "image/width=32",
            "image/height=32",
            "image/adaptive_min_samples=4",
            coif_arena_print(&arena, "image/samples=%s", samples),
            coif_arena_print(&arena, "image/adaptive_threshold=%s", noise),
            coif_arena_print(&arena, "image/seed=%d", seed),
            coif_arena_print(&arena, "image/filter_splatting=%s", splatting),
            coif_arena_print(&arena, "image/filter=%s", filter),
        };
        coif_render_desc desc = ball_render_desc(ball_scene(sets, COIF_COUNT_OF(sets), &arena));
        desc.overwrite = true;
        coif_error error = {0};
        coif_image image = {0};
        CHECK_OK(ball_render(&desc, 2, &arena, &error), error);
        CHECK_OK(coif_image_load(&image, coif_test_path("render0001.exr"), &arena, &error), error);
        for (int i = 0; i < SIZE * SIZE; ++i) {
            const double y = (double)image.pixels[i * image.channel_count + 1];
            sums[i] += y / SEEDS;
            squares[i] += y * y / SEEDS;
        }
    }
    statistics found = {0};
    for (int i = 0; i < SIZE * SIZE; ++i) {
        found.mean += sums[i] / (SIZE * SIZE);
        found.noise += (squares[i] - sums[i] * sums[i]) / (SIZE * SIZE);
    }
    return found;
}

// The mean square of a Blackman-Harris window over 3 pixels is 0.67 of its squared mean: 0.44 on
// both axes.
TEST(splatting_halves_the_variance_without_bias)
{
    static const double most[] = {0.55, 0.62, 1.0};
    ball_cache(&arena);
    for (int i = 0; i < 3; ++i) {
        const statistics own = render_seeds("false", NAMES[i], "4", "0"),
                         shared = render_seeds("true", NAMES[i], "4", "0");
        const double ratio = shared.noise / own.noise;
        printf("  %s: mean %.5f and %.5f, noise %.3f times\n", NAMES[i], own.mean, shared.mean,
               ratio);
        CHECK_NEAR(shared.mean, own.mean, 0.005 * own.mean);
        CHECK(i == 2 ? ratio == 1.0 : ratio < most[i]);
    }
}

// No bias between neighbouring blocks of few and many samples. Stopping at a low estimate darkens
// both images slightly and equally.
LONG_TEST(converged_blocks_do_not_bias_their_neighbours)
{
    ball_cache(&arena);
    const statistics plain = render_seeds("true", "blackman", "16", "0");
    const statistics own = render_seeds("false", "blackman", "16", "0.25");
    const statistics shared = render_seeds("true", "blackman", "16", "0.17");
    printf("  mean %.5f plain, %.5f alone, %.5f shared; noise %.2g, %.2g, %.2g\n", plain.mean,
           own.mean, shared.mean, plain.noise, own.noise, shared.noise);
    CHECK_NEAR(own.mean, plain.mean, 0.01 * plain.mean);
    CHECK_NEAR(shared.mean, plain.mean, 0.01 * plain.mean);
}
