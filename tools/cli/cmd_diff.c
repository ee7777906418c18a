// coif diff: compares strands, caches and images; the exit code tells whether they are equal.
#include "core/base/frame_list.h"
#include "core/base/text_writer.h"
#include "core/hair/frame_cache.h"
#include "core/image/image.h"
#include "core/json/json_writer.h"
#include "tools/cli/command.h"
#include "tools/cli/file_diff.h"
#include "tools/cli/json_text.h"
#include "tools/cli/strand_input.h"

#include <math.h>
#include <string.h>

typedef struct diff_options {
    const char *first, *second;
    float tolerance;
    const char *groom, *object;
    coif_frame_range frames;
    const char *plot, *picture;
    float picture_range;
    int32_t json;
} diff_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(diff_options, first, "strand file, archive, image, or folder of a strand cache"),
    COIF_ARGUMENT(diff_options, second, "what it is compared with; of images the reference"),
    COIF_ARG_NUMBER(diff_options, tolerance, COIF_PARAM_FLOAT, "T", "largest difference that counts as equal: metres, or pixel values (default: 0)", 0, 0, 1e6),
    COIF_ARG(diff_options, json, COIF_PARAM_BOOL, "", "print JSON"),
    COIF_ARG_HEADING("caches and archives"),
    COIF_ARG(diff_options, groom, COIF_PARAM_STRING, "NAME", "groom; needed for folders"),
    COIF_ARG(diff_options, object, COIF_PARAM_STRING, "NAME", "curves of archives by their path or name (default: all but guides)"),
    COIF_ARG(diff_options, frames, COIF_ARG_FRAMES, "A-B", "frames to compare (default: all)"),
    COIF_ARG(diff_options, plot, COIF_PARAM_PATH, "FILE", "writes largest and RMS distance over frames as a plot (.svg)"),
    COIF_ARG_HEADING("images"),
    COIF_ARG(diff_options, picture, COIF_PARAM_PATH, "FILE", "writes the difference of every pixel in false colours"),
    COIF_ARG_NUMBER(diff_options, picture_range, COIF_PARAM_FLOAT, "V", "difference that is white in the picture (default: the largest)", 0, 0, 1e6),
};
// clang-format on

typedef struct diff_ctx {
    const diff_options *options;
    coif_app *app;
    coif_json_writer writer;
    bool equal;
} diff_ctx;

static void write_strand_diff(diff_ctx *ctx, const coif_strand_diff *diff)
{
    coif_json_writer *to = &ctx->writer;
    const double tolerance = (double)ctx->options->tolerance;
    coif_write_number(to, "strands", diff->strand_count[0]);
    coif_write_number(to, "points", diff->point_count[0]);
    if (diff->different_strand >= 0) {
        coif_write_number(to, "second_strands", diff->strand_count[1]);
        coif_write_number(to, "second_points", diff->point_count[1]);
        coif_write_number(to, "first_different_strand", diff->different_strand);
        ctx->equal = false;
        return;
    }
    coif_write_number(to, "largest_distance", diff->largest);
    coif_write_number(to, "rms_distance", diff->rms);
    coif_write_number(to, "largest_radius_diff", diff->largest_radius);
    if (diff->largest > 0.0) {
        coif_write_number(to, "strand", diff->strand);
        coif_write_number(to, "point", diff->point);
    }
    ctx->equal = ctx->equal && diff->largest <= tolerance && diff->largest_radius <= tolerance;
}

// Strands at a frame; NULL: single poses.
static coif_status diff_strands(diff_ctx *ctx, coif_strand_diff *diff,
                                const coif_strand_source *sources, const double *frame,
                                coif_error *error)
{
    coif_arena *arena = &ctx->app->arena;
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    coif_strand_file files[2];
    for (int i = 0; i < 2; ++i) {
        COIF_TRY(coif_strand_source_load(&files[i], &sources[i], frame, arena, error));
    }
    *diff = coif_diff_strands(&files[0].strands, &files[1].strands);
    coif_arena_rewind(arena, mark);
    return COIF_OK;
}

// A polyline of values over frames in a box of 720 x 240.
static void put_line(coif_text_writer *svg, const double *values, int32_t count, double high,
                     const char *color)
{
    coif_put_format(svg, "<polyline fill=\"none\" stroke=\"%s\" points=\"", color);
    for (int32_t i = 0; i < count; ++i) {
        coif_put_format(svg, "%.2f,%.2f ", 60.0 + 700.0 * i / (count > 1 ? count - 1 : 1),
                        260.0 - 240.0 * (high > 0.0 ? values[i] / high : 0.0));
    }
    coif_put_text(svg, "\"/>\n");
}

static coif_status save_plot(const char *path, const double *largest, const double *rms,
                             const double *frames, int32_t count, coif_error *error)
{
    double high = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        high = fmax(high, largest[i]);
    }
    coif_text_writer svg;
    COIF_TRY(coif_text_writer_open(&svg, path, error));
    coif_put_text(&svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 780 310\" "
                        "font-family=\"sans-serif\" font-size=\"12\">\n"
                        "<rect width=\"780\" height=\"310\" fill=\"white\"/>\n"
                        "<path d=\"M60 20V260H760\" fill=\"none\" stroke=\"black\"/>\n");
    put_line(&svg, largest, count, high, "#c0392b");
    put_line(&svg, rms, count, high, "#2c5f9e");
    coif_put_format(&svg,
                    "<text x=\"55\" y=\"25\" text-anchor=\"end\">%.3g m</text>"
                    "<text x=\"55\" y=\"260\" text-anchor=\"end\">0</text>\n"
                    "<text x=\"60\" y=\"280\">frame %.10g</text>"
                    "<text x=\"760\" y=\"280\" text-anchor=\"end\">%.10g</text>\n",
                    high, frames[0], frames[count - 1]);
    coif_put_text(&svg, "<text x=\"60\" y=\"300\" fill=\"#c0392b\">largest distance</text>"
                        "<text x=\"180\" y=\"300\" fill=\"#2c5f9e\">RMS distance</text>\n</svg>\n");
    return coif_text_writer_commit(&svg);
}

// Frames of the options, else those of the source that has some; 0: single poses.
static double *find_frames(int32_t *count, const diff_ctx *ctx, const coif_strand_source *sources)
{
    const coif_frame_range *range = &ctx->options->frames;
    const bool given = coif_frame_range_given(*range);
    const coif_strand_source *longest = &sources[sources[1].frame_count > sources[0].frame_count];
    *count = given ? (range->last - range->first) / range->step + 1 : longest->frame_count;
    double *frames = coif_arena_new(&ctx->app->arena, *count, double);
    for (int32_t i = 0; i < *count; ++i) {
        frames[i] = given ? range->first + i * range->step : longest->frames[i];
    }
    return frames;
}

// Sources that move cover the same frames.
static void compare_ranges(diff_ctx *ctx, const coif_strand_source *sources)
{
    static const char *const names[] = {"first_frames", "second_frames"};
    const coif_strand_source *a = &sources[0], *b = &sources[1];
    if (coif_frame_range_given(ctx->options->frames) || a->frame_count == 0 ||
        b->frame_count == 0 ||
        (a->frame_count == b->frame_count && fabs(a->frames[0] - b->frames[0]) < 1e-3 &&
         fabs(a->frames[a->frame_count - 1] - b->frames[b->frame_count - 1]) < 1e-3)) {
        return;
    }
    for (int i = 0; i < 2; ++i) {
        const coif_strand_source *source = &sources[i];
        coif_write_text(&ctx->writer, names[i],
                        coif_arena_print(&ctx->app->arena, "%d from %.10g to %.10g",
                                         source->frame_count, source->frames[0],
                                         source->frames[source->frame_count - 1]));
    }
    ctx->equal = false;
}

static coif_status diff_frames(diff_ctx *ctx, const coif_strand_source *sources,
                               const double *frames, int32_t count, coif_error *error)
{
    coif_arena *arena = &ctx->app->arena;
    double *largest = coif_arena_new(arena, count, double),
           *rms = coif_arena_new(arena, count, double);
    coif_status status = COIF_OK;
    compare_ranges(ctx, sources);
    coif_write_open(&ctx->writer, "frames", "[");
    coif_progress_begin(ctx->app->progress, "diff", count, "frames");
    for (int32_t i = 0; status == COIF_OK && i < count; ++i) {
        coif_strand_diff diff;
        status = diff_strands(ctx, &diff, sources, &frames[i], error);
        if (status == COIF_OK) {
            coif_write_open(&ctx->writer, NULL, "{");
            coif_write_number(&ctx->writer, "frame", frames[i]);
            write_strand_diff(ctx, &diff);
            coif_write_close(&ctx->writer, "}");
            largest[i] = diff.largest;
            rms[i] = diff.rms;
        }
        if (!coif_progress_step(ctx->app->progress, 1) && status == COIF_OK) {
            status = coif_fail(error, COIF_ERR_CANCELLED, "diff: cancelled after frame %.10g",
                               frames[i]);
        }
    }
    coif_progress_end(ctx->app->progress);
    coif_write_close(&ctx->writer, "]");
    return status == COIF_OK && ctx->options->plot != NULL
               ? save_plot(ctx->options->plot, largest, rms, frames, count, error)
               : status;
}

static coif_status diff_sources(diff_ctx *ctx, coif_error *error)
{
    const diff_options *options = ctx->options;
    const char *const paths[] = {options->first, options->second};
    const coif_hair_import import = {.scale = 1.0f, .object = options->object};
    coif_strand_source sources[2];
    for (int i = 0; i < 2; ++i) {
        COIF_TRY(coif_strand_source_open(&sources[i], paths[i], options->groom, &import, 0.0,
                                         &ctx->app->arena, error));
    }
    int32_t count;
    const double *frames = find_frames(&count, ctx, sources);
    if (count > 0) {
        return diff_frames(ctx, sources, frames, count, error);
    }
    coif_strand_diff diff;
    COIF_TRY(diff_strands(ctx, &diff, sources, NULL, error));
    write_strand_diff(ctx, &diff);
    if (options->plot != NULL) {
        coif_log(COIF_LOG_WARNING, "--plot has no effect on single poses");
    }
    return COIF_OK;
}

static coif_status save_picture(const diff_options *options, const float *map,
                                const coif_image *image, double largest, coif_arena *arena,
                                coif_error *error)
{
    const int64_t count = (int64_t)image->width * image->height;
    float *rgb = coif_arena_new(arena, 3 * count, float);
    coif_diff_colors(rgb, map, count,
                     options->picture_range > 0.0f ? options->picture_range : (float)largest);
    const coif_image_desc desc = {
        .width = image->width, .height = image->height, .channel_count = 3, .pixels = rgb};
    return coif_image_save(options->picture, &desc, error);
}

static bool same_channels(const coif_image *a, const coif_image *b)
{
    if (a->width != b->width || a->height != b->height || a->channel_count != b->channel_count) {
        return false;
    }
    for (int32_t c = 0; c < a->channel_count; ++c) {
        if (strcmp(a->channel_names[c], b->channel_names[c]) != 0) {
            return false;
        }
    }
    return true;
}

static coif_status diff_part(diff_ctx *ctx, int32_t part, bool *more, coif_error *error)
{
    const diff_options *options = ctx->options;
    coif_arena *arena = &ctx->app->arena;
    coif_image a, b;
    coif_error cause = {.status = COIF_OK};
    *more = part == 0 || coif_image_load_part(&a, options->first, part, arena, &cause) == COIF_OK;
    if (!*more) {
        return cause.status == COIF_ERR_ARGUMENT ? COIF_OK
                                                 : coif_fail(error, cause.status, "%s", cause.text);
    }
    if (part == 0) {
        COIF_TRY(coif_image_load(&a, options->first, arena, error));
        COIF_TRY(coif_image_load(&b, options->second, arena, error));
    } else {
        COIF_TRY(coif_image_load_part(&b, options->second, part, arena, error));
    }
    coif_write_open(&ctx->writer, NULL, "{");
    coif_write_text(&ctx->writer, "part", a.part != NULL ? a.part : "");
    if (!same_channels(&a, &b)) {
        coif_write_text(&ctx->writer, "difference",
                        coif_arena_print(arena, "%d x %d with %d channels, %d x %d with %d",
                                         a.width, a.height, a.channel_count, b.width, b.height,
                                         b.channel_count));
        coif_write_close(&ctx->writer, "}");
        ctx->equal = false;
        return COIF_OK;
    }
    const bool picture = part == 0 && options->picture != NULL;
    float *map = picture ? coif_arena_new(arena, (int64_t)a.width * a.height, float) : NULL;
    const coif_image_diff diff = coif_diff_images(&a, &b, map);
    coif_write_number(&ctx->writer, "rmse", diff.rmse);
    coif_write_number(&ctx->writer, "relative_mse", diff.relative_mse);
    coif_write_number(&ctx->writer, "largest_difference", diff.largest);
    coif_write_number(&ctx->writer, "different_pixels", (double)diff.different_pixels);
    if (diff.largest > 0.0) {
        coif_write_number(&ctx->writer, "x", diff.x);
        coif_write_number(&ctx->writer, "y", diff.y);
    }
    coif_write_close(&ctx->writer, "}");
    ctx->equal = ctx->equal && diff.largest <= (double)options->tolerance;
    return picture ? save_picture(options, map, &a, diff.largest, arena, error) : COIF_OK;
}

static coif_status diff_images(diff_ctx *ctx, coif_error *error)
{
    coif_write_open(&ctx->writer, "parts", "[");
    bool more = true;
    for (int32_t part = 0; more; ++part) {
        COIF_TRY(diff_part(ctx, part, &more, error));
        more = more && coif_path_has_extension(ctx->options->first, "exr");
    }
    coif_write_close(&ctx->writer, "]");
    return COIF_OK;
}

static coif_status compare(diff_ctx *ctx, coif_error *error)
{
    const diff_options *options = ctx->options;
    if (coif_image_has_extension(options->first)) {
        return diff_images(ctx, error);
    }
    if (!coif_path_is_directory(options->first) && strchr(options->first, '#') == NULL &&
        !coif_strand_input_reads(options->first)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: neither a strand file, an image nor a folder", options->first);
    }
    return diff_sources(ctx, error);
}

static coif_status run(coif_app *app, const void *given, coif_error *error)
{
    diff_options found = *(const diff_options *)given;
    found.first = coif_app_find_file(app, found.first);
    found.second = coif_app_find_file(app, found.second);
    const diff_options *options = &found;
    diff_ctx ctx = {.options = options, .app = app, .equal = true};
    coif_strbuf text;
    coif_json_writer_init(&ctx.writer, &app->arena);
    coif_strbuf_init(&text, &app->arena);
    coif_write_open(&ctx.writer, NULL, "{");
    COIF_TRY(compare(&ctx, error));
    coif_write_raw(&ctx.writer, "equal", ctx.equal ? "true" : "false");
    coif_write_close(&ctx.writer, "}");
    coif_strbuf_add(&ctx.writer.text, "\n");
    if (!options->json) {
        coif_json_text(&text, ctx.writer.text.data, &app->arena);
    }
    COIF_TRY(coif_app_print(options->json ? ctx.writer.text.data : text.data, NULL, error));
    return ctx.equal ? COIF_OK
                     : coif_fail(error, COIF_ERR_ARGUMENT, "%s and %s differ", options->first,
                                 options->second);
}

const coif_command COIF_COMMAND_DIFF = {
    .name = "diff",
    .help = "compare strands, caches or images",
    .more = "Prints the largest and RMS distance of points, per frame for caches and archives, or "
            "RMSE and\n"
            "relative MSE (squared differences over the squared reference + 0.01) of the values of "
            "pixels,\n"
            "per part of EXR.\n"
            "Exit code 0: equal within the tolerance; 1: they differ.\n",
    .examples =
        "  coif diff scenes/assets/lashes.hair scenes/assets/lashes.hair\n"
        "  coif diff out/tiny out/tiny --groom hair --plot out/diff.svg\n"
        "  coif diff out/tiny.abc out/tiny.abc --object hair\n"
        "  coif diff out/tiny/render0001.png out/tiny/render0001.png --picture out/diff.png\n",
    COIF_COMMAND_OPTIONS(diff_options, OPTIONS),
    .run = run,
};
