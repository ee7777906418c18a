// coif diff: compares strands, caches and images; the exit code tells whether they are equal.
#include "core/base/frame_list.h"
#include "core/base/text_writer.h"
#include "core/hair/frame_cache.h"
#include "core/image/image.h"
#include "core/json/json_writer.h"
#include "sim/cache/cache_input.h"
#include "tools/cli/command.h"
#include "tools/cli/file_diff.h"
#include "tools/cli/json_text.h"
#include "tools/cli/strand_input.h"

#include <math.h>
#include <string.h>

typedef struct diff_options {
    const char *first, *second;
    float tolerance;
    const char *groom;
    coif_frame_range frames;
    const char *plot, *picture;
    float picture_range;
    int32_t json;
} diff_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(diff_options, first, "strand file, image, or folder of a strand cache"),
    COIF_ARGUMENT(diff_options, second, "file or folder of the same kind; of images the reference"),
    COIF_ARG_NUMBER(diff_options, tolerance, COIF_PARAM_FLOAT, "T", "largest difference that counts as equal: metres, or pixel values (default: 0)", 0, 0, 1e6),
    COIF_ARG(diff_options, json, COIF_PARAM_BOOL, "", "print JSON"),
    COIF_ARG_HEADING("caches"),
    COIF_ARG(diff_options, groom, COIF_PARAM_STRING, "NAME", "groom; needed for folders"),
    COIF_ARG(diff_options, frames, COIF_ARG_FRAMES, "A-B", "frames to compare (default: those of the first folder)"),
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

static coif_status diff_strands(diff_ctx *ctx, coif_strand_diff *diff, const char *first,
                                const char *second, coif_error *error)
{
    coif_arena *arena = &ctx->app->arena;
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    const coif_hair_import import = {.scale = 1.0f};
    coif_strand_file a, b;
    COIF_TRY(coif_strand_input_load(&a, first, &import, arena, error));
    COIF_TRY(coif_strand_input_load(&b, second, &import, arena, error));
    *diff = coif_diff_strands(&a.strands, &b.strands);
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
                             const coif_frame_range *frames, coif_error *error)
{
    const int32_t count = frames->last - frames->first + 1;
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
                    "<text x=\"60\" y=\"280\">frame %d</text>"
                    "<text x=\"760\" y=\"280\" text-anchor=\"end\">%d</text>\n",
                    high, frames->first, frames->last);
    coif_put_text(&svg, "<text x=\"60\" y=\"300\" fill=\"#c0392b\">largest distance</text>"
                        "<text x=\"180\" y=\"300\" fill=\"#2c5f9e\">RMS distance</text>\n</svg>\n");
    return coif_text_writer_commit(&svg);
}

static coif_status diff_caches(diff_ctx *ctx, coif_error *error)
{
    const diff_options *options = ctx->options;
    coif_arena *arena = &ctx->app->arena;
    if (options->groom == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "folders are compared with --groom NAME");
    }
    coif_frame_range frames = options->frames;
    if (!coif_frame_range_given(frames)) {
        COIF_TRY(coif_cache_input_range(&frames, options->first, options->groom, error));
    }
    const int32_t count = frames.last - frames.first + 1;
    double *largest = coif_arena_new(arena, count, double),
           *rms = coif_arena_new(arena, count, double);
    coif_write_open(&ctx->writer, "frames", "[");
    coif_progress_begin(ctx->app->progress, "diff", count, "frames");
    for (int32_t i = 0; i < count; i += frames.step) {
        coif_strand_diff diff;
        const int frame = frames.first + i;
        COIF_TRY(diff_strands(
            ctx, &diff, coif_frame_file_path(options->first, options->groom, frame, arena),
            coif_frame_file_path(options->second, options->groom, frame, arena), error));
        coif_write_open(&ctx->writer, NULL, "{");
        coif_write_number(&ctx->writer, "frame", frame);
        write_strand_diff(ctx, &diff);
        coif_write_close(&ctx->writer, "}");
        largest[i] = diff.largest;
        rms[i] = diff.rms;
        if (!coif_progress_step(ctx->app->progress, 1)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "diff: cancelled after frame %d", frame);
        }
    }
    coif_progress_end(ctx->app->progress);
    coif_write_close(&ctx->writer, "]");
    return options->plot != NULL ? save_plot(options->plot, largest, rms, &frames, error) : COIF_OK;
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
    if (coif_path_is_directory(options->first)) {
        return diff_caches(ctx, error);
    }
    if (coif_image_has_extension(options->first)) {
        return diff_images(ctx, error);
    }
    if (!coif_strand_input_reads(options->first)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: neither a strand file, an image nor a folder", options->first);
    }
    coif_strand_diff diff;
    COIF_TRY(diff_strands(ctx, &diff, options->first, options->second, error));
    write_strand_diff(ctx, &diff);
    return COIF_OK;
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
    .more = "Prints the largest and RMS distance of points, per frame for caches, or RMSE and "
            "relative MSE\n"
            "(squared differences over the squared reference + 0.01) of the values of pixels, per "
            "part of EXR.\n"
            "Exit code 0: equal within the tolerance; 1: they differ.\n",
    .examples =
        "  coif diff scenes/assets/lashes.hair scenes/assets/lashes.hair\n"
        "  coif diff out/tiny out/tiny --groom hair --plot out/diff.svg\n"
        "  coif diff out/tiny/render0001.png out/tiny/render0001.png --picture out/diff.png\n",
    COIF_COMMAND_OPTIONS(diff_options, OPTIONS),
    .run = run,
};
