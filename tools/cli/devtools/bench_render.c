// coif bench render: speed and memory of rendering the hairball.
#include "core/hair/formats/hair_file.h"
#include "core/image/image.h"
#include "render/bench/render_bench.h"
#include "tools/cli/devtools/bench.h"

#include <math.h>

typedef struct results {
    coif_hairball_desc ball;
    double megasamples;                   // per second of CPU time
    double speedup, speedup_cpu;          // with two threads
    double embree_fraction;               // of the time
    double closest_hit_rays, shadow_rays; // per sample
    double peak_bytes;                    // of the process
    double bytes, build_us, curve_us;     // per segment
    double cpu_seconds, samples;          // of one image
} results;

static coif_hairball_desc hairball_desc(const coif_bench_options *options, int32_t strands)
{
    return (coif_hairball_desc){.kind = (coif_hairball_kind)options->hairball,
                                .strands = strands,
                                .points = options->points,
                                .curves = (coif_curve_kind)options->curves,
                                .compact = options->compact != 0,
                                .steps = options->motion,
                                .size = options->size,
                                .max_depth = options->depth,
                                .hair_filtering = options->unfiltered == 0,
                                .threads = 1};
}

static coif_bench_render_desc render_desc(const coif_bench_options *options)
{
    return (coif_bench_render_desc){.size = options->size,
                                    .samples = options->samples,
                                    .seed = options->seed,
                                    .indirect_cache = options->indirect_cache,
                                    .filter = (coif_pixel_filter_kind)options->filter,
                                    .rounds = 1,
                                    .threads = 1};
}

static double median_of_three(const double *x)
{
    return fmax(fmin(x[0], x[1]), fmin(fmax(x[0], x[1]), x[2]));
}

// One thread and two threads alternate, so that other load affects both; the median is robust to
// one disturbed round.
static coif_status measure_speedup(results *found, const coif_hairball *ball, coif_app *app,
                                   coif_bench_render_desc desc, coif_arena *arena,
                                   coif_error *error)
{
    enum { ROUNDS = 3 };
    double speedup[ROUNDS], speedup_cpu[ROUNDS], seconds = INFINITY;
    coif_bench_render_result one, two;
    coif_film film;
    for (int i = 0; i < ROUNDS; ++i) {
        desc.threads = 1;
        COIF_TRY(coif_hairball_render(&one, &film, ball, &desc, arena, app->progress, error));
        found->peak_bytes = i == 0 ? coif_hairball_peak_bytes() : found->peak_bytes;
        desc.threads = 2;
        COIF_TRY(coif_hairball_render(&two, &film, ball, &desc, arena, app->progress, error));
        speedup[i] = one.wall / two.wall;
        speedup_cpu[i] = 2.0 * one.seconds / two.seconds;
        seconds = fmin(seconds, one.seconds);
    }
    found->megasamples = 1e-6 * one.samples / seconds;
    found->speedup = median_of_three(speedup);
    found->speedup_cpu = median_of_three(speedup_cpu);
    return COIF_OK;
}

static coif_status render_metered(results *found, const coif_hairball *ball, coif_app *app,
                                  const coif_bench_options *options, coif_arena *arena,
                                  coif_error *error)
{
    coif_bench_render_desc desc = render_desc(options);
    desc.seed = 0;
    COIF_TRY(measure_speedup(found, ball, app, desc, arena, error));
    coif_bench_render_result metered;
    coif_film film;
    desc.metered = true;
    COIF_TRY(coif_hairball_render(&metered, &film, ball, &desc, arena, app->progress, error));
    found->embree_fraction = metered.embree_fraction;
    found->closest_hit_rays = metered.nearest;
    found->shadow_rays = metered.shadow;
    return COIF_OK;
}

static coif_status render_once(results *found, const coif_hairball *ball, coif_app *app,
                               const coif_bench_options *options, coif_arena *arena,
                               coif_error *error)
{
    const coif_bench_render_desc desc = render_desc(options);
    coif_bench_render_result once;
    coif_film film;
    COIF_TRY(coif_hairball_render(&once, &film, ball, &desc, arena, app->progress, error));
    found->megasamples = 1e-6 * once.samples / once.seconds;
    found->cpu_seconds = once.seconds;
    found->samples = once.samples;
    found->peak_bytes = coif_hairball_peak_bytes();
    return options->image != NULL ? coif_hairball_save(&film, options->image, arena, error)
                                  : COIF_OK;
}

static coif_status measure(results *found, coif_app *app, const coif_bench_options *options,
                           int32_t strands, bool metered, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "bench");
    *found = (results){.ball = hairball_desc(options, strands)};
    const double before = coif_hairball_bytes();
    coif_hairball ball;
    coif_status status = coif_hairball_open(&ball, &found->ball, NULL, &arena, error);
    if (status == COIF_OK) {
        status = metered ? render_metered(found, &ball, app, options, &arena, error)
                         : render_once(found, &ball, app, options, &arena, error);
        const double segments = ball.curves.segment_count;
        found->bytes = (found->peak_bytes - before) / segments;
        found->build_us = 1e6 * ball.build_seconds / segments;
        found->curve_us = 1e6 * ball.curves_seconds / segments;
    }
    coif_hairball_close(&ball);
    return status;
}

// Memory that can be allocated; infinite where the system does not report it.
static double free_bytes(const coif_app *app)
{
    double bytes = INFINITY;
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        double kibibytes;
        if (sscanf(line, "MemAvailable: %lf", &kibibytes) == 1) {
            bytes = 1024.0 * kibibytes;
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return app->globals.max_memory > 0 ? fmin(bytes, (double)app->globals.max_memory) : bytes;
}

// Estimates the memory from the bytes per segment of the previous size, plus a tenth.
static bool fits(const coif_app *app, const results *previous, int32_t strands)
{
    static const double BYTES_PER_SEGMENT = 170.0; // of the first size
    const double each = previous->bytes > 0.0 ? previous->bytes : BYTES_PER_SEGMENT;
    const double required = 1.1 * each * strands * (previous->ball.points - 1);
    if (required <= free_bytes(app)) {
        return true;
    }
    coif_log(COIF_LOG_WARNING, "%d strands need about %.1f GB, %.1f GB are free: omitted", strands,
             1e-9 * required, 1e-9 * free_bytes(app));
    return false;
}

// The results that are measured in every mode.
#define COMMON_VALUES(found)                                                                       \
    {"million_samples_per_cpu_second", (found)->megasamples},                                      \
        {"peak_bytes_per_segment", (found)->bytes},                                                \
        {"build_microseconds_per_segment", (found)->build_us},                                     \
        {"curve_microseconds_per_segment", (found)->curve_us}, {"strands", (found)->ball.strands}, \
    {                                                                                              \
        "points", (found)->ball.points                                                             \
    }

static coif_status print_table(coif_app *app, const coif_bench_options *options, coif_error *error)
{
    static const int32_t strands[] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "[");
    if (!options->json) {
        printf("%9s %12s %14s %14s %16s\n", "strands", "M samples/s", "us/sample", "bytes/segment",
               "build us/segment");
    }
    results found = {.ball = hairball_desc(options, strands[0])};
    for (size_t i = 0; i < COIF_COUNT_OF(strands) && strands[i] <= options->strands; ++i) {
        if (!fits(app, &found, strands[i])) {
            break;
        }
        COIF_TRY(measure(&found, app, options, strands[i], false, error));
        if (!options->json) {
            printf("%9d %12.3f %14.2f %14.1f %16.2f\n", strands[i], found.megasamples,
                   1.0 / found.megasamples, found.bytes, found.build_us);
            fflush(stdout);
        }
        const coif_bench_value values[] = {COMMON_VALUES(&found)};
        coif_write_open(&writer, NULL, "{");
        coif_bench_write_values(&writer, values, COIF_COUNT_OF(values));
        coif_write_close(&writer, "}");
    }
    coif_write_close(&writer, "]");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(options->json ? writer.text.data : "", NULL, error);
}

// Input for other renderers.
static coif_status write_inputs(const coif_bench_options *options, coif_app *app, coif_error *error)
{
    if (options->hair != NULL) {
        coif_hair_file file = {.default_thickness = 0.003f, .information = "coif bench render"};
        const coif_hairball_desc desc = hairball_desc(options, options->strands);
        coif_hairball_strands(&file.strands, &desc, &app->arena);
        COIF_TRY(coif_hair_file_save(&file, options->hair, error));
    }
    if (options->environment != NULL) {
        static const coif_image_type types[] = {COIF_IMAGE_FLOAT, COIF_IMAGE_FLOAT,
                                                COIF_IMAGE_FLOAT};
        coif_image sky;
        coif_hairball_sky(&sky, &app->arena);
        const coif_image_desc desc = {.width = sky.width,
                                      .height = sky.height,
                                      .channel_count = 3,
                                      .channel_types = types,
                                      .pixels = sky.pixels};
        COIF_TRY(coif_image_save(options->environment, &desc, error));
    }
    return COIF_OK;
}

coif_status coif_bench_render(coif_app *app, const coif_bench_options *options, coif_error *error)
{
    if (options->hair != NULL || options->environment != NULL) {
        return write_inputs(options, app, error);
    }
    if (options->table) {
        return print_table(app, options, error);
    }
    results found;
    const bool image = options->image != NULL;
    COIF_TRY(measure(&found, app, options, options->strands, !image, error));
    if (image) {
        const coif_bench_value values[] = {
            {"cpu_seconds", found.cpu_seconds}, {"samples", found.samples}, COMMON_VALUES(&found)};
        return coif_bench_print_values(app, values, COIF_COUNT_OF(values), true, error);
    }
    const coif_bench_value values[] = {{"embree_fraction", found.embree_fraction},
                                       {"closest_hit_rays_per_sample", found.closest_hit_rays},
                                       {"shadow_rays_per_sample", found.shadow_rays},
                                       {"two_thread_speedup", found.speedup},
                                       {"two_thread_speedup_cpu", found.speedup_cpu},
                                       COMMON_VALUES(&found)};
    return coif_bench_print_values(app, values, COIF_COUNT_OF(values), options->json != 0, error);
}
