// Cache of indirect light: energy, mean image, and the same bits for any division of work.
#include "core/base/fs.h"
#include "render/bench/render_bench.h"
#include "render/integrator/indirect_cache_fill.h"
#include "render/integrator/path.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/furnace_scene.h"
#include "tests/support/render_cache.h"

#include <unistd.h>

static coif_arena arena;

enum { SIDE = 16, PIXELS = SIDE * SIDE };

static void fill(coif_render_scene *scene, int32_t depth, int64_t paths)
{
    coif_error error = {0};
    const coif_indirect_cache_desc desc = {.depth = depth, .paths = paths};
    scene->arena = &arena;
    CHECK_OK(coif_indirect_cache_fill(scene, &desc, &error), error);
    CHECK(scene->indirect_cache != NULL);
}

static double mean_radiance(const coif_render_scene *scene, int samples)
{
    coif_film film;
    coif_error error = {0};
    coif_film_init(&film, &(coif_film_desc){.width = SIDE, .height = SIDE}, &arena);
    const coif_sampling_params sampling = {.samples = samples, .filter = COIF_FILTER_BOX};
    const coif_tile_pass desc = {.scene = scene, .sampling = &sampling};
    CHECK_OK(coif_tiles_render_pass(&film, &desc, NULL, NULL, &error), error);
    double light = 0.0;
    for (size_t i = 0; i < PIXELS; ++i) {
        light += coif_film_sums(&film, i)[1] / film.counts[i] / PIXELS;
    }
    return light;
}

// White fibres on a white scalp: most of the light has scattered many times.
static void init_white_ball(furnace_scene *furnace)
{
    coif_error error = {0};
    coif_strands strands;
    coif_bspline_curves *curves = coif_arena_new(&arena, 1, coif_bspline_curves);
    coif_hair_material *fibre = coif_arena_new(&arena, 1, coif_hair_material);
    coif_mesh *ball = coif_arena_new(&arena, 1, coif_mesh);
    coif_surface_material *material = coif_arena_new(&arena, 1, coif_surface_material);
    coif_strands *topology = coif_arena_new(&arena, 1, coif_strands);
    ball_strands(&strands, 1500, 12, &arena);
    *topology = strands;
    CHECK_OK(coif_bspline_curves_init(curves, &strands, COIF_CURVE_ROUND, &arena, NULL, &error),
             error);
    coif_hair_material_init(fibre,
                            &(coif_hair_params){.ior = 1.55f,
                                                .longitudinal_roughness = 0.25f,
                                                .azimuthal_roughness = 0.3f,
                                                .cuticle_angle = 2.0f,
                                                COIF_HAIR_OPAQUE},
                            COIF_WORKING_REC709);
    ball_mesh(ball, 0.99f, &arena);
    material->surface = (coif_surface){.color = {1.0f, 1.0f, 1.0f}, .roughness = 1.0f};
    const coif_geometry shapes[] = {{.curves = curves, .strands = topology, .hair_material = fibre},
                                    {.mesh = ball, .materials = material}};
    furnace_scene_init(furnace, shapes, 2, &arena);
}

TEST(white_hair_in_a_white_environment_is_invisible_with_the_cache)
{
    furnace_scene furnace;
    init_white_ball(&furnace);
    for (int32_t depth = 1; depth <= 2; ++depth) {
        fill(&furnace.scene, depth, 8192);
        CHECK_NEAR(mean_radiance(&furnace.scene, 256), 1.0, 0.01);
    }
    coif_accel_close(furnace.scene.accel);
}

// Mean colours of an image and its relative error against another.
static double compare(double mean[3], double reference_mean[3], const coif_film *film,
                      const coif_film *reference)
{
    double error = 0.0;
    const size_t count = coif_film_pixel_count(film);
    memset(mean, 0, 3 * sizeof *mean);
    memset(reference_mean, 0, 3 * sizeof *mean);
    for (size_t i = 0; i < count; ++i) {
        float here[4], there[4];
        coif_film_value(film, i, &film->aovs.list[0], here);
        coif_film_value(reference, i, &reference->aovs.list[0], there);
        for (int c = 0; c < 3; ++c) {
            const double x = (double)here[c], r = (double)there[c];
            mean[c] += x;
            reference_mean[c] += r;
            error += (x - r) * (x - r) / ((r * r + 0.01) * 3.0 * (double)count);
        }
    }
    return error;
}

static void check_setting(coif_hairball_kind kind, int32_t samples, double most_error)
{
    coif_error error = {0};
    const coif_hairball_desc desc = {.kind = kind,
                                     .strands = 6000,
                                     .points = 16,
                                     .size = 48,
                                     .hair_filtering = true,
                                     .threads = 1};
    coif_bench_render_desc once = {
        .size = 48, .samples = samples, .filter = COIF_FILTER_BOX, .rounds = 1, .threads = 2};
    coif_hairball ball;
    coif_bench_render_result cost;
    CHECK_OK(coif_hairball_open(&ball, &desc, NULL, &arena, &error), error);
    coif_film reference, film;
    CHECK_OK(coif_hairball_render(&cost, &reference, &ball, &once, &arena, NULL, &error), error);
    once.samples = samples / 4;
    for (once.indirect_cache = 1; once.indirect_cache <= 2; ++once.indirect_cache) {
        enum { SEEDS = 4 }; // each with a cache of its own
        double ratio[3] = {0.0, 0.0, 0.0}, found = 0.0;
        for (once.seed = 1; once.seed <= SEEDS; ++once.seed) {
            double mean[3], reference_mean[3];
            CHECK_OK(coif_hairball_render(&cost, &film, &ball, &once, &arena, NULL, &error), error);
            found += compare(mean, reference_mean, &film, &reference) / SEEDS;
            for (int c = 0; c < 3; ++c) {
                ratio[c] += mean[c] / reference_mean[c] / SEEDS;
            }
        }
        printf("  %s, cache after %d: relMSE %.5f, mean %.4f %.4f %.4f times\n",
               COIF_HAIRBALL_NAMES[kind], once.indirect_cache, found, ratio[0], ratio[1], ratio[2]);
        for (int c = 0; c < 3; ++c) {
            // Spherical harmonics blur what arrives after one scattering event in back light.
            CHECK_NEAR(ratio[c], 1.0,
                       kind == COIF_HAIRBALL_BLOND && once.indirect_cache == 1 ? 0.02 : 0.01);
        }
        CHECK(found < most_error);
    }
    coif_hairball_close(&ball);
}

TEST(the_mean_of_dark_curls_is_that_of_path_tracing)
{
    check_setting(COIF_HAIRBALL_DARK, 256, 0.01);
}

// Strands of a third of a pixel: less noise, and the same mean as without.
TEST(hair_filtering_reduces_noise_and_keeps_the_mean)
{
    enum { SEEDS = 8 };
    coif_error error = {0};
    const coif_hairball_desc desc = {
        .kind = COIF_HAIRBALL_DARK, .strands = 6000, .points = 16, .size = 48, .threads = 1};
    coif_bench_render_desc once = {
        .size = 48, .samples = 256, .filter = COIF_FILTER_BOX, .rounds = 1, .threads = 2};
    coif_hairball ball;
    coif_bench_render_result cost;
    coif_film reference, film;
    CHECK_OK(coif_hairball_open(&ball, &desc, NULL, &arena, &error), error);
    CHECK_OK(coif_hairball_render(&cost, &reference, &ball, &once, &arena, NULL, &error), error);
    double noise[2] = {0.0, 0.0}, green[2] = {0.0, 0.0}, mean[3], reference_mean[3];
    once.samples = 16;
    for (int i = 0; i < 2 * SEEDS; ++i) {
        ball.scene->hair_filtering = i % 2 == 1;
        once.seed = 1 + i / 2;
        CHECK_OK(coif_hairball_render(&cost, &film, &ball, &once, &arena, NULL, &error), error);
        noise[i % 2] += compare(mean, reference_mean, &film, &reference) / SEEDS;
        green[i % 2] += mean[1] / reference_mean[1] / SEEDS;
    }
    printf("  relMSE %.5f and %.5f, mean %.4f and %.4f times\n", noise[0], noise[1], green[0],
           green[1]);
    CHECK(noise[1] < 0.9 * noise[0]);
    CHECK_NEAR(green[1] / green[0], 1.0, 0.005);
    coif_hairball_close(&ball);
}

LONG_TEST(the_mean_of_blond_hair_is_that_of_path_tracing)
{
    check_setting(COIF_HAIRBALL_BLOND, 1024, 0.01);
}

LONG_TEST(the_mean_of_white_fur_is_that_of_path_tracing)
{
    check_setting(COIF_HAIRBALL_FUR, 1024, 0.02);
}

static const char *const IMAGE = "render0001.exr", *const CHECKPOINT = "render0001.checkpoint";

static coif_render_desc describe(const char *samples, const char *aovs, const char *other)
{
    const char *sets[] = {"image/exr_pixel_type=float", "image/indirect_cache=1", samples, aovs,
                          other};
    return ball_render_desc(ball_scene(sets, 4 + (other != NULL), &arena));
}

static coif_image render(const coif_render_desc *desc, int threads)
{
    coif_error error = {0};
    coif_image image = {0};
    CHECK_OK(ball_render(desc, threads, &arena, &error), error);
    CHECK_OK(coif_image_load(&image, coif_test_path(IMAGE), &arena, &error), error);
    unlink(coif_test_path(IMAGE));
    return image;
}

static bool same_pixels(const coif_image *a, const coif_image *b)
{
    const size_t bytes =
        (size_t)a->width * (size_t)a->height * (size_t)a->channel_count * sizeof(float);
    return a->width == b->width && a->height == b->height && a->channel_count == b->channel_count &&
           memcmp(a->pixels, b->pixels, bytes) == 0;
}

TEST(images_with_the_cache_have_the_same_bits_for_any_threads)
{
    ball_cache(&arena);
    const coif_render_desc desc = describe("image/samples=4", "image/aovs=N", NULL);
    const coif_render_desc plain =
        describe("image/samples=4", "image/aovs=N", "image/indirect_cache=0");
    const coif_image one = render(&desc, 1), three = render(&desc, 3), traced = render(&plain, 2);
    CHECK(same_pixels(&one, &three));
    CHECK(!same_pixels(&one, &traced));
}

TEST(a_crop_with_the_cache_has_the_pixels_of_the_whole_image)
{
    ball_cache(&arena);
    coif_render_desc desc = describe("image/samples=4", "image/aovs=N", NULL);
    const coif_image whole = render(&desc, 2);
    memcpy(desc.source.crop, (int32_t[]){13, 27, 30, 9}, sizeof desc.source.crop);
    const coif_image crop = render(&desc, 2);
    const size_t channels = (size_t)whole.channel_count;
    CHECK(crop.width == 30 && crop.height == 9);
    for (size_t y = 0; y < 9 && crop.width == 30; ++y) {
        CHECK(memcmp(crop.pixels + y * 30 * channels,
                     whole.pixels + ((y + 27) * 64 + 13) * channels,
                     30 * channels * sizeof(float)) == 0);
    }
}

TEST(samples_added_later_with_the_cache_give_the_same_bits)
{
    ball_cache(&arena);
    coif_render_desc desc = describe("image/samples=12", "image/aovs=N", NULL);
    const coif_image at_once = render(&desc, 2);
    desc = describe("image/samples=5", "image/aovs=N", NULL);
    desc.keep_checkpoint = true;
    render(&desc, 2);
    CHECK(coif_path_exists(coif_test_path(CHECKPOINT)));
    desc = describe("image/samples=12", "image/aovs=N", NULL);
    const coif_image later = render(&desc, 2);
    CHECK(same_pixels(&at_once, &later));
}

// The cache holds the sum of all lights.
TEST(the_cache_is_off_with_light_groups)
{
    ball_cache(&arena);
    const coif_render_desc desc = describe("image/samples=4", "image/aovs=lights", NULL);
    const coif_render_desc plain =
        describe("image/samples=4", "image/aovs=lights", "image/indirect_cache=0");
    const coif_image cached = render(&desc, 2), traced = render(&plain, 2);
    CHECK(same_pixels(&cached, &traced));
}
