// Denoiser: noise reduction, contrast of strands, outliers, albedo detail.
#include "render/denoise/denoise.h"

#include "core/base/fs.h"
#include "tests/support/render_cache.h"

static coif_arena arena;

enum { SIDE = 64, SAMPLES = 64 };

// Radiance of slanted strands, 1.5 pixels wide, under a soft shadow.
static double strand_light(int32_t x, int32_t y, double slant)
{
    const double across = cos(slant) * x - sin(slant) * y;
    return (0.5 + 0.2 * sin(0.02 * (x + 2 * y))) * (1.0 + 0.35 * sin(2.1 * across));
}

static double gaussian(uint64_t index, uint32_t dimension)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < 12; ++i) {
        sum += (double)coif_random_unit(7, index, 16 * dimension + i);
    }
    return sum - 6.0;
}

// A film with both sample halves of that radiance plus noise.
static void make_film(coif_film *film, double noise, double slant)
{
    coif_aovs aovs;
    coif_error error = {0};
    CHECK_OK(coif_aovs_select(&aovs, &(coif_aovs_desc){.denoise = true}, &arena, &error), error);
    coif_film_init(film, &(coif_film_desc){.width = SIDE, .height = SIDE, .aovs = &aovs}, &arena);
    for (int32_t i = 0; i < SIDE * SIDE; ++i) {
        double *sums = coif_film_sums(film, (size_t)i);
        double *halves = sums + aovs.offset[COIF_AOV_DENOISED];
        const double light = strand_light(i % SIDE, i / SIDE, slant);
        film->counts[i] = SAMPLES;
        for (int c = 0; c < 3; ++c) {
            for (int kind = 0; kind < 2; ++kind) {
                const uint32_t number = (uint32_t)(4 * c + 2 * kind);
                const double reference = kind == 0 ? 0.3 * light : 0.7 * light;
                const double a = reference + noise * reference * gaussian((uint64_t)i, number);
                const double b = reference + noise * reference * gaussian((uint64_t)i, number + 1);
                const int32_t offset = aovs.offset[kind == 0 ? COIF_AOV_DIRECT : COIF_AOV_INDIRECT];
                sums[offset + c] = 0.5 * SAMPLES * (a + b);
                halves[3 * kind + c] = 0.5 * SAMPLES * (a - b);
                sums[c] += 0.5 * SAMPLES * (a + b);
            }
            sums[aovs.offset[COIF_AOV_ALBEDO] + c] = 0.4 * SAMPLES;
        }
        sums[aovs.offset[COIF_AOV_MASK]] = SAMPLES;
        // Strands run along (sin, cos) of the slant, as (x, y).
        halves[6] = -SAMPLES * cos(2.0 * slant);
        halves[7] = SAMPLES * sin(2.0 * slant);
        halves[8] = SAMPLES;
    }
}

static void denoise(coif_film *film, int threads)
{
    coif_error error = {0};
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
    CHECK_OK(coif_film_denoise(film, jobs, NULL, &arena, &error), error);
    coif_jobs_close(jobs);
}

// Mean squared error, and mean squared difference of adjacent pixels.
typedef struct denoise_error {
    double raw, denoised;
    double true_steps, steps;
} denoise_error;

static denoise_error compare(const coif_film *film, double slant)
{
    denoise_error sum = {0};
    for (int32_t y = 8; y < SIDE - 8; ++y) {
        for (int32_t x = 8; x < SIDE - 8; ++x) {
            const size_t i = (size_t)(y * SIDE + x);
            const double reference = strand_light(x, y, slant);
            const double raw = coif_film_sums(film, i)[1] / SAMPLES;
            const double is = (double)film->denoised[3 * i + 1];
            const double next = (double)film->denoised[3 * (i + 1) + 1];
            sum.raw += (raw - reference) * (raw - reference);
            sum.denoised += (is - reference) * (is - reference);
            sum.steps += (next - is) * (next - is);
            sum.true_steps += pow(strand_light(x + 1, y, slant) - reference, 2.0);
        }
    }
    return sum;
}

TEST(noise_is_reduced_and_strand_contrast_kept)
{
    static const double slants[] = {0.3, -0.9};
    for (size_t i = 0; i < COIF_COUNT_OF(slants); ++i) {
        coif_film film;
        make_film(&film, 0.5, slants[i]);
        denoise(&film, 2);
        const denoise_error found = compare(&film, slants[i]);
        printf("  slant %.1f: error %.1f times smaller, contrast %.3f\n", slants[i],
               found.raw / found.denoised, sqrt(found.steps / found.true_steps));
        CHECK(found.denoised < found.raw / 15.0);
        CHECK_NEAR(sqrt(found.steps / found.true_steps), 1.0, 0.1);
    }
}

TEST(a_noise_free_image_is_unchanged)
{
    coif_film film;
    make_film(&film, 0.0, 0.3);
    denoise(&film, 2);
    double worst = 0.0;
    for (int32_t i = 0; i < SIDE * SIDE; ++i) {
        const double *sums = coif_film_sums(&film, (size_t)i);
        for (int c = 0; c < 3; ++c) {
            worst = fmax(worst, fabs((double)film.denoised[3 * i + c] - sums[c] / SAMPLES));
        }
    }
    CHECK_NEAR(worst, 0.0, 2e-6);
}

// A firefly in one half.
TEST(a_firefly_does_not_smear)
{
    coif_film clean, film;
    make_film(&clean, 0.2, 0.3);
    make_film(&film, 0.2, 0.3);
    const size_t at = SIDE / 2 * SIDE + SIDE / 2;
    double *sums = coif_film_sums(&film, at);
    for (int c = 0; c < 3; ++c) {
        sums[c] += 100.0 * SAMPLES;
        sums[film.aovs.offset[COIF_AOV_INDIRECT] + c] += 100.0 * SAMPLES;
        sums[film.aovs.offset[COIF_AOV_DENOISED] + 3 + c] += 100.0 * SAMPLES;
    }
    denoise(&clean, 2);
    denoise(&film, 2);
    double worst = 0.0;
    for (size_t i = 0; i < SIDE * SIDE; ++i) {
        worst = fmax(worst, fabs((double)(film.denoised[3 * i] - clean.denoised[3 * i])));
    }
    printf("  100 in one pixel changes others by %.3f\n", worst);
    CHECK(worst < 0.6);
}

// Freckles: one pixel in nine is darker by a third.
static double freckle(int32_t x, int32_t y)
{
    return x % 3 == 1 && y % 3 == 1 ? 0.3 : 0.45;
}

static double soft_light(int32_t x, int32_t y)
{
    return 0.8 + 0.2 * sin(0.05 * (x - y));
}

// A mesh with that albedo, or with unknown albedo.
static void make_skin(coif_film *film, double noise, bool has_albedo)
{
    make_film(film, 0.0, 0.3);
    const coif_aovs *aovs = &film->aovs;
    for (int32_t i = 0; i < SIDE * SIDE; ++i) {
        const int32_t x = i % SIDE, y = i / SIDE;
        double *sums = coif_film_sums(film, (size_t)i);
        double *own = sums + aovs->offset[COIF_AOV_DENOISED];
        memset(sums, 0, sizeof *sums * (size_t)aovs->stride);
        sums[aovs->offset[COIF_AOV_MASK] + 1] = SAMPLES;
        for (int c = 0; c < 3; ++c) {
            const double paint = freckle(x, y), reference = paint * soft_light(x, y);
            const double a = reference * (1.0 + noise * gaussian((uint64_t)i, 2 * (uint32_t)c));
            const double b = reference * (1.0 + noise * gaussian((uint64_t)i, 2 * (uint32_t)c + 1));
            sums[c] = sums[aovs->offset[COIF_AOV_DIRECT] + c] = 0.5 * SAMPLES * (a + b);
            own[COIF_SUM_DIRECT + c] = 0.5 * SAMPLES * (a - b);
            own[COIF_SUM_ALBEDO + c] = (has_albedo ? paint : 0.45) * SAMPLES;
            sums[aovs->offset[COIF_AOV_ALBEDO] + c] = (has_albedo ? paint : 0.45) * SAMPLES;
        }
    }
}

// Contrast of freckles relative to the reference, and the error on skin.
static double freckle_contrast(const coif_film *film, double *error)
{
    double found = 0.0, wanted = 0.0, squares = 0.0;
    for (int32_t y = 7; y < SIDE - 8; y += 3) {
        for (int32_t x = 7; x < SIDE - 8; x += 3) {
            const double reference = freckle(x, y) * soft_light(x, y);
            const double beside = freckle(x + 1, y) * soft_light(x + 1, y);
            const float *is = film->denoised + 3 * ((size_t)y * SIDE + (size_t)x);
            found += (double)(is[4] - is[1]);
            wanted += beside - reference;
            squares += pow(((double)is[4] - beside) / beside, 2.0);
        }
    }
    *error = sqrt(squares / (16.0 * 16.0));
    return found / wanted;
}

TEST(albedo_detail_is_preserved)
{
    coif_film has_albedo, untold;
    make_skin(&has_albedo, 0.8, true);
    make_skin(&untold, 0.8, false);
    denoise(&has_albedo, 2);
    denoise(&untold, 2);
    double error, other;
    const double contrast = freckle_contrast(&has_albedo, &error);
    const double without = freckle_contrast(&untold, &other);
    printf("  contrast %.3f, error %.3f; without their paint %.3f\n", contrast, error, without);
    CHECK_NEAR(contrast, 1.0, 0.06);
    CHECK(error < 0.08);
    CHECK(without < 0.8);
}

TEST(the_result_does_not_depend_on_threads)
{
    coif_film one, three;
    make_film(&one, 0.5, 0.3);
    make_film(&three, 0.5, 0.3);
    denoise(&one, 1);
    denoise(&three, 3);
    CHECK(memcmp(one.denoised, three.denoised, sizeof(float) * 3 * SIDE * SIDE) == 0);
}

TEST(too_few_samples_are_not_denoised)
{
    coif_film film;
    make_film(&film, 0.5, 0.3);
    film.counts[5] = COIF_HALF_RUN;
    denoise(&film, 1);
    CHECK(film.denoised[30] == (float)(coif_film_sums(&film, 10)[0] / SAMPLES));
}

static coif_image render_image(const char *const *sets, int32_t set_count, const char *format,
                               const char *file)
{
    coif_error error = {0};
    coif_image image = {0};
    const char *all[8] = {"image/exr_layout=single", "image/exr_pixel_type=float", "image/width=40",
                          "image/height=40"};
    for (int32_t i = 0; i < set_count; ++i) {
        all[4 + i] = sets[i];
    }
    coif_render_desc desc = ball_render_desc(ball_scene(all, 4 + set_count, &arena));
    desc.source.format = format;
    desc.overwrite = true;
    ball_cache(&arena);
    CHECK_OK(ball_render(&desc, 2, &arena, &error), error);
    CHECK_OK(coif_image_load(&image, coif_test_path(file), &arena, &error), error);
    return image;
}

// mean((I - R)^2 / (R^2 + 0.01)) over red, green and blue from a channel on.
static double error_of(const coif_image *image, const char *first, const coif_image *reference)
{
    const int32_t from = channel_of(image, first);
    double sum = 0.0;
    for (int64_t i = 0; i < (int64_t)image->width * image->height; ++i) {
        for (int c = 0; c < 3; ++c) {
            const double is = image->pixels[i * image->channel_count + from + c];
            const double wanted = reference->pixels[i * reference->channel_count + c];
            sum += (is - wanted) * (is - wanted) / (wanted * wanted + 0.01);
        }
    }
    return sum / (3.0 * image->width * image->height);
}

TEST(denoised_renders_are_closer_to_the_reference)
{
    static const char *const plain_sets[] = {"image/samples=16"};
    static const char *const sets[] = {"image/samples=16", "image/denoise=true"};
    static const char *const long_sets[] = {"image/samples=160", "image/seed=5"};
    const coif_image plain = render_image(plain_sets, 1, "exr", "render0001.exr");
    const coif_image both = render_image(sets, 2, "exr", "render0001.exr");
    const coif_image reference = render_image(long_sets, 2, "exr", "render0001.exr");
    for (int64_t i = 0; i < (int64_t)plain.width * plain.height; ++i) {
        CHECK(memcmp(plain.pixels + i * plain.channel_count, both.pixels + i * both.channel_count,
                     4 * sizeof(float)) == 0);
    }
    const double raw = error_of(&both, "R", &reference);
    const double denoised = error_of(&both, "denoised.R", &reference);
    printf("  relMSE of 16 samples: %.4f, denoised %.4f\n", raw, denoised);
    CHECK(denoised < raw / 1.6);
}

TEST(display_formats_get_a_second_file)
{
    static const char *const plain_sets[] = {"image/samples=16"};
    static const char *const sets[] = {"image/samples=16", "image/denoise=true"};
    const coif_image plain = render_image(plain_sets, 1, "png", "render0001.png");
    CHECK(!coif_path_exists(coif_test_path("render0001.denoised.png")));
    const coif_image raw = render_image(sets, 2, "png", "render0001.png");
    const coif_image denoised = render_image(sets, 2, "png", "render0001.denoised.png");
    const size_t size = sizeof(float) * (size_t)plain.channel_count * 40 * 40;
    CHECK(memcmp(plain.pixels, raw.pixels, size) == 0);
    CHECK(memcmp(raw.pixels, denoised.pixels, size) != 0);
}
