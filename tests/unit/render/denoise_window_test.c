// Denoising over frames: strands and surfaces that move, disocclusion, lights that change.
#include "render/denoise/denoise_window.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "render/denoise/denoise.h"
#include "tests/support/test.h"

#include <math.h>
#include <string.h>

static coif_arena arena;

enum { SIDE = 64, FRAMES = 5 };

static double gaussian(uint64_t index, uint32_t dimension)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < 12; ++i) {
        sum += (double)coif_random_unit(11, index, 16 * dimension + i);
    }
    return sum - 6.0;
}

// Upright strands, 5 pixels wide, that move by speed pixels per frame to the right; from column
// edge on another object of light 2 covers them in the middle frame.
typedef struct film_desc {
    double speed, noise;
    int32_t edge;
    bool wrong_motion; // motion vectors of zero
} film_desc;

static double light_at(const film_desc *desc, int32_t x, int frame)
{
    return frame == FRAMES / 2 && x >= desc->edge
               ? 2.0
               : 0.5 + 0.3 * sin(1.3 * (x - desc->speed * frame));
}

static void make_frame(coif_denoise_frame *to, const film_desc *desc, int frame)
{
    coif_denoise_frame_init(to, SIDE, SIDE, &arena);
    for (int32_t i = 0; i < SIDE * SIDE; ++i) {
        float *inputs = coif_denoise_inputs(to, (size_t)i);
        const double light = light_at(desc, i % SIDE, frame);
        for (int k = 0; k < 4; ++k) {
            const double fraction = k < 2 ? 0.3 : 0.7;
            for (int c = 0; c < 3; ++c) {
                const double grain =
                    gaussian((uint64_t)(SIDE * SIDE * frame + i), (uint32_t)(3 * k + c));
                inputs[3 * k + c] = (float)(fraction * light * (1.0 + desc->noise * grain));
            }
        }
        inputs[COIF_INPUT_ALPHA] = inputs[COIF_INPUT_MASK] = 1.0f;
        inputs[COIF_INPUT_FIRST_HALF] = 0.5f;
        inputs[COIF_INPUT_TENSOR] = -1.0f; // upright
        inputs[COIF_INPUT_TENSOR + 2] = 1.0f;
        inputs[COIF_INPUT_DEPTH] = 1.0f;
        inputs[COIF_INPUT_FORWARD] = desc->wrong_motion ? 0.0f : (float)desc->speed;
        inputs[COIF_INPUT_BACKWARD] = -inputs[COIF_INPUT_FORWARD];
    }
}

static float *denoise(const film_desc *desc, int32_t radius, int threads)
{
    coif_error error = {0};
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
    coif_denoise_window window = {.radius = radius};
    for (int i = 0; i <= 2 * radius; ++i) {
        coif_denoise_frame *frame = coif_arena_new(&arena, 1, coif_denoise_frame);
        make_frame(frame, desc, FRAMES / 2 - radius + i);
        CHECK_OK(coif_denoise_frame_prepare(frame, jobs, NULL, &error), error);
        window.frames[i] = frame;
    }
    float *rgba = coif_arena_new(&arena, 4 * SIDE * SIDE, float);
    CHECK_OK(coif_denoise_window_filter(rgba, &window, jobs, NULL, &error), error);
    coif_jobs_close(jobs);
    return rgba;
}

// Mean squared error of green over columns.
static double error_of(const float *rgba, const film_desc *desc, int32_t first, int32_t last)
{
    double sum = 0.0;
    for (int32_t y = 8; y < SIDE - 8; ++y) {
        for (int32_t x = first; x < last; ++x) {
            const double d = (double)rgba[4 * (y * SIDE + x) + 1] - light_at(desc, x, FRAMES / 2);
            sum += d * d;
        }
    }
    return sum / ((SIDE - 16) * (last - first));
}

TEST(frames_are_averaged_along_the_motion)
{
    const film_desc desc = {.speed = 3.3, .noise = 0.6, .edge = SIDE};
    const double alone = error_of(denoise(&desc, 0, 2), &desc, 12, SIDE - 12);
    const double film = error_of(denoise(&desc, 2, 2), &desc, 12, SIDE - 12);
    printf("  error of one frame %.5f, over five %.5f\n", alone, film);
    CHECK(film < alone / 2.5);
}

// Frames that do not fit are left out: averages of strands would have an error of 0.02.
TEST(wrong_motion_vectors_do_not_smear)
{
    const film_desc desc = {.speed = 1.5, .noise = 0.3, .edge = SIDE, .wrong_motion = true};
    const double alone = error_of(denoise(&desc, 0, 2), &desc, 12, SIDE - 12);
    const double film = error_of(denoise(&desc, 2, 2), &desc, 12, SIDE - 12);
    printf("  error of one frame %.5f, over five %.5f\n", alone, film);
    CHECK(film < 2.0 * alone);
}

TEST(an_object_that_is_only_in_one_frame_leaves_no_ghost)
{
    const film_desc desc = {.speed = 1.0, .noise = 0.3, .edge = SIDE / 2};
    const double alone = error_of(denoise(&desc, 0, 2), &desc, SIDE / 2 + 4, SIDE - 8);
    const double film = error_of(denoise(&desc, 2, 2), &desc, SIDE / 2 + 4, SIDE - 8);
    printf("  error of one frame %.5f, over five %.5f\n", alone, film);
    CHECK(film < 1.3 * alone);
}

TEST(a_noise_free_film_is_unchanged)
{
    const film_desc desc = {.speed = 2.0, .noise = 0.0, .edge = SIDE};
    CHECK_NEAR(error_of(denoise(&desc, 2, 2), &desc, 12, SIDE - 12), 0.0, 1e-10);
}

TEST(the_bits_do_not_depend_on_threads)
{
    const film_desc desc = {.speed = 3.3, .noise = 0.6, .edge = SIDE};
    const float *one = denoise(&desc, 2, 1), *three = denoise(&desc, 2, 3);
    CHECK(memcmp(one, three, 4 * SIDE * SIDE * sizeof *one) == 0);
}
