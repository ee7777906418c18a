// bench_render: coif bench render.
#include "core/base/log.h"
#include "core/hair/formats/hair_file.h"
#include "core/image/image.h"
#include "core/json/json_writer.h"
#include "render/bench/render_bench.h"
#include "tools/cli/devtools/bench.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// One line of the table, or the only one.
typedef struct figures {
    coif_hairball_desc ball;
    double msamples, scaling, scaling_cpu;
    double embree_share, nearest, shadow;
    double peak;                       // bytes of the process
    double bytes, build_us, curves_us; // per segment
    double shoot_seconds, samples;
} figures;

static coif_hairball_desc describe(const coif_bench_options *options, int32_t strands)
{
    return (coif_hairball_desc){.kind = (coif_hairball_kind)options->setting,
                                .strands = strands,
                                .points = options->points,
                                .curves = (coif_curve_kind)options->curves,
                                .compact = options->compact != 0,
                                .steps = options->motion,
                                .size = options->size,
                                .max_depth = options->depth,
                                .threads = 1};
}

static double median_of_three(const double *x)
{
    return fmax(fmin(x[0], x[1]), fmin(fmax(x[0], x[1]), x[2]));
}

// One thread and two, in turns: what else the machine does meets both, and one bad round is none.
static coif_status shoot_turns(figures *found, const coif_hairball *ball, coif_app *app,
                               coif_bench_render_desc desc, coif_arena *arena, coif_error *error)
{
    enum { TURNS = 3 };
    double scaling[TURNS], scaling_cpu[TURNS], seconds = INFINITY;
    coif_bench_render_result one, two;
    coif_film film;
    for (int i = 0; i < TURNS; ++i) {
        desc.threads = 1;
        COIF_TRY(coif_hairball_render(&one, &film, ball, &desc, arena, app->progress, error));
        found->peak = i == 0 ? coif_hairball_peak_bytes() : found->peak;
        desc.threads = 2;
        COIF_TRY(coif_hairball_render(&two, &film, ball, &desc, arena, app->progress, error));
        scaling[i] = one.wall / two.wall;
        scaling_cpu[i] = 2.0 * one.seconds / two.seconds;
        seconds = fmin(seconds, one.seconds);
    }
    found->msamples = 1e-6 * one.samples / seconds;
    found->scaling = median_of_three(scaling);
    found->scaling_cpu = median_of_three(scaling_cpu);
    return COIF_OK;
}

static coif_status shoot_all(figures *found, const coif_hairball *ball, coif_app *app,
                             const coif_bench_options *options, coif_arena *arena,
                             coif_error *error)
{
    coif_bench_render_desc desc = {.size = options->size,
                                   .samples = options->samples,
                                   .filter = (coif_pixel_filter_kind)options->filter,
                                   .rounds = 1};
    COIF_TRY(shoot_turns(found, ball, app, desc, arena, error));
    coif_bench_render_result metered;
    coif_film film;
    desc.threads = 1;
    desc.metered = true;
    COIF_TRY(coif_hairball_render(&metered, &film, ball, &desc, arena, app->progress, error));
    found->embree_share = metered.embree_fraction;
    found->nearest = metered.nearest;
    found->shadow = metered.shadow;
    return COIF_OK;
}

static coif_status shoot_once(figures *found, const coif_hairball *ball, coif_app *app,
                              const coif_bench_options *options, coif_arena *arena,
                              coif_error *error)
{
    const coif_bench_render_desc desc = {.size = options->size,
                                         .samples = options->samples,
                                         .seed = options->seed,
                                         .filter = (coif_pixel_filter_kind)options->filter,
                                         .rounds = 1,
                                         .threads = 1};
    coif_bench_render_result shots;
    coif_film film;
    COIF_TRY(coif_hairball_render(&shots, &film, ball, &desc, arena, app->progress, error));
    found->msamples = 1e-6 * shots.samples / shots.seconds;
    found->shoot_seconds = shots.seconds;
    found->samples = shots.samples;
    found->peak = coif_hairball_peak_bytes();
    return options->picture != NULL ? coif_hairball_save(&film, options->picture, arena, error)
                                    : COIF_OK;
}

static coif_status measure(figures *found, coif_app *app, const coif_bench_options *options,
                           int32_t strands, bool all, coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "bench");
    *found = (figures){.ball = describe(options, strands)};
    const double before = coif_hairball_bytes();
    coif_hairball ball;
    coif_status status = coif_hairball_open(&ball, &found->ball, NULL, &arena, error);
    if (status == COIF_OK) {
        status = all ? shoot_all(found, &ball, app, options, &arena, error)
                     : shoot_once(found, &ball, app, options, &arena, error);
        const double segments = ball.curves.segment_count;
        found->bytes = (found->peak - before) / segments;
        found->build_us = 1e6 * ball.build_seconds / segments;
        found->curves_us = 1e6 * ball.curves_seconds / segments;
    }
    coif_hairball_close(&ball);
    coif_arena_free(&arena);
    return status;
}

static void write_head(coif_json_writer *writer, const figures *found)
{
    coif_write_number(writer, "msamples_per_cpu_s", found->msamples);
    coif_write_number(writer, "bytes_per_segment", found->bytes);
    coif_write_number(writer, "build_us_per_segment", found->build_us);
    coif_write_number(writer, "curves_us_per_segment", found->curves_us);
    coif_write_number(writer, "strands", found->ball.strands);
    coif_write_number(writer, "points", found->ball.points);
}

static coif_status print_one(coif_app *app, const coif_bench_options *options, const figures *found,
                             coif_error *error)
{
    if (options->json) {
        coif_json_writer writer;
        coif_json_writer_init(&writer, &app->arena);
        coif_write_open(&writer, NULL, "{");
        coif_write_number(&writer, "embree_share", found->embree_share);
        coif_write_number(&writer, "scaling_2", found->scaling);
        coif_write_number(&writer, "scaling_2_cpu", found->scaling_cpu);
        coif_write_number(&writer, "nearest_rays_per_sample", found->nearest);
        coif_write_number(&writer, "shadow_rays_per_sample", found->shadow);
        write_head(&writer, found);
        coif_write_close(&writer, "}");
        coif_strbuf_add(&writer.text, "\n");
        return coif_app_print(writer.text.data, NULL, error);
    }
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    coif_strbuf_print(
        &text, "speed   %8.3f M samples per second of processor: %d strands x %d points, %s\n",
        found->msamples, found->ball.strands, found->ball.points,
        COIF_HAIRBALL_NAMES[found->ball.kind]);
    coif_strbuf_print(&text, "rays    %8.2f nearest and %.2f shadow rays per sample\n",
                      found->nearest, found->shadow);
    coif_strbuf_print(&text, "embree  %8.1f %% of the time is spent inside Embree\n",
                      100.0 * found->embree_share);
    coif_strbuf_print(&text,
                      "scaling %8.2f times as fast with 2 threads (%.2f by processor time)\n",
                      found->scaling, found->scaling_cpu);
    coif_strbuf_print(&text, "memory  %8.1f bytes per segment, everything counted\n", found->bytes);
    coif_strbuf_print(&text, "build   %8.2f us per segment, and %.2f us to make curves\n",
                      found->build_us, found->curves_us);
    return coif_app_print(text.data, NULL, error);
}

// How much memory may still be had; infinite where the system does not tell.
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

// Larger balls take as much per segment as the one before, and a tenth more for good measure.
static bool fits(const coif_app *app, const figures *before, int32_t strands)
{
    static const double USUAL = 170.0; // bytes per segment, for the first
    const double each = before->bytes > 0.0 ? before->bytes : USUAL;
    const double needs = 1.1 * each * strands * (before->ball.points - 1);
    if (needs <= free_bytes(app)) {
        return true;
    }
    coif_log(COIF_LOG_WARNING, "%d strands need about %.1f GB, %.1f GB are free: left out", strands,
             1e-9 * needs, 1e-9 * free_bytes(app));
    return false;
}

static coif_status print_table(coif_app *app, const coif_bench_options *options, coif_error *error)
{
    static const int32_t strands[] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "[");
    if (!options->json) {
        printf("%9s %12s %14s %12s %12s\n", "strands", "M samples/s", "us per sample", "bytes/seg",
               "build us/seg");
    }
    figures found = {.ball = describe(options, strands[0])};
    for (size_t i = 0; i < COIF_COUNT_OF(strands) && strands[i] <= options->strands; ++i) {
        if (!fits(app, &found, strands[i])) {
            break;
        }
        COIF_TRY(measure(&found, app, options, strands[i], false, error));
        if (!options->json) {
            printf("%9d %12.3f %14.2f %12.1f %12.2f\n", strands[i], found.msamples,
                   1.0 / found.msamples, found.bytes, found.build_us);
            fflush(stdout);
        }
        coif_write_open(&writer, NULL, "{");
        write_head(&writer, &found);
        coif_write_close(&writer, "}");
    }
    coif_write_close(&writer, "]");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(options->json ? writer.text.data : "", NULL, error);
}

// What other renderers need to draw the same.
static coif_status hand_over(const coif_bench_options *options, coif_app *app, coif_error *error)
{
    if (options->hair != NULL) {
        coif_hair_file file = {.default_thickness = 0.003f, .information = "coif bench render"};
        const coif_hairball_desc desc = describe(options, options->strands);
        coif_hairball_strands(&file.strands, &desc, &app->arena);
        COIF_TRY(coif_hair_file_save(&file, options->hair, error));
    }
    if (options->sky != NULL) {
        coif_image sky;
        coif_hairball_sky(&sky, &app->arena);
        static const coif_image_type types[] = {COIF_IMAGE_FLOAT, COIF_IMAGE_FLOAT,
                                                COIF_IMAGE_FLOAT};
        const coif_image_desc desc = {.width = sky.width,
                                      .height = sky.height,
                                      .channel_count = 3,
                                      .channel_types = types,
                                      .pixels = sky.pixels};
        COIF_TRY(coif_image_save(options->sky, &desc, error));
    }
    return COIF_OK;
}

// A picture and how long it took, to compare with other renderers.
static coif_status print_picture(coif_app *app, const coif_bench_options *options,
                                 coif_error *error)
{
    figures found;
    COIF_TRY(measure(&found, app, options, options->strands, false, error));
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "{");
    coif_write_number(&writer, "cpu_s", found.shoot_seconds);
    coif_write_number(&writer, "samples", found.samples);
    write_head(&writer, &found);
    coif_write_close(&writer, "}");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(writer.text.data, NULL, error);
}

coif_status coif_bench_render(coif_app *app, const coif_bench_options *asked, coif_error *error)
{
    coif_bench_options options = *asked;
    if (options.strands == 0) {
        options.strands = options.table ? 1000000 : 50000;
    }
    if (options.hair != NULL || options.sky != NULL) {
        return hand_over(&options, app, error);
    }
    if (options.table) {
        return print_table(app, &options, error);
    }
    if (options.picture != NULL) {
        return print_picture(app, &options, error);
    }
    figures found;
    COIF_TRY(measure(&found, app, &options, options.strands, true, error));
    return print_one(app, &options, &found, error);
}
