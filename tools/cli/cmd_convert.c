// coif convert: strand files from one format to another, without a scene.
#include "core/archive/archive.h"
#include "core/base/frame_list.h"
#include "core/hair/strand_edit.h"
#include "sim/cache/strand_repair.h"
#include "tools/cli/command.h"
#include "tools/cli/strand_input.h"

#include <string.h>

typedef struct convert_options {
    const char *input, *output;
    coif_frame_list frame, frames;
    float fps;
    const char *object;
    int32_t guides_only;
    float scale;
    int32_t up_axis;
    int32_t points_per_strand;
    float radius;
    int32_t max_strands, resample;
    int32_t tfx_version;
    int32_t repair;
    const char *body, *group;
    float body_scale, clearance, max_root_distance;
    int32_t guides;
    const char *guides_file;
} convert_options;

static const char *const AXES[] = {"y", "z", NULL};
static const double DEFAULT_FPS = 24.0;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(convert_options, input, "strand file, archive, .groom, or .strands frame with its groom beside it; #### is replaced by the frame"),
    COIF_ARGUMENT(convert_options, output, "strand file to write; the extension selects the format"),
    COIF_ARG(convert_options, frames, COIF_ARG_FRAME_LIST, "LIST", "frames of a sequence or of an archive, as 1-48; the output needs #"),
    COIF_ARG_HEADING("input"),
    COIF_ARG(convert_options, frame, COIF_ARG_FRAME_LIST, "N", "frame of an archive, as 12 or between its samples as 12.5 (default: the first samples)"),
    COIF_ARG_NUMBER(convert_options, fps, COIF_PARAM_FLOAT, "R", "frames per second of --frame and --frames of an archive; 0: as it states, else 24", 0, 0, 1e6),
    COIF_ARG(convert_options, object, COIF_PARAM_STRING, "NAME", "curves of an archive by their path or name (default: all)"),
    COIF_ARG(convert_options, guides_only, COIF_PARAM_BOOL, "", "take the curves of an archive that are marked as guides instead of the others"),
    COIF_ARG_NUMBER(convert_options, scale, COIF_PARAM_FLOAT, "S", "factor on positions and radii, as 0.01 for centimetres to metres", 1, 1e-9, 1e9),
    COIF_ARG_CHOICE(convert_options, up_axis, AXES, "up axis of the input; z is converted to y"),
    COIF_ARG_NUMBER(convert_options, points_per_strand, COIF_PARAM_INT, "N", "divides the points of a .ply file into strands of N", 0, 0, 1000000),
    COIF_ARG_HEADING("output"),
    COIF_ARG_NUMBER(convert_options, radius, COIF_PARAM_FLOAT, "M", "radius where the input has none and the output needs one", 4e-5, 0, 1),
    COIF_ARG_NUMBER(convert_options, max_strands, COIF_PARAM_INT, "N", "at most N strands, evenly chosen by index; 0: all", 0, 0, 1000000000),
    COIF_ARG_NUMBER(convert_options, resample, COIF_PARAM_INT, "N", "N points per strand at equal arc length; 0: as in the input", 0, 0, 100000),
    COIF_ARG_NUMBER(convert_options, tfx_version, COIF_PARAM_INT, "V", "version of .tfx files, 3 or 4", 4, 3, 4),
    COIF_ARG_HEADING("repair"),
    COIF_ARG(convert_options, repair, COIF_PARAM_BOOL, "", "merge repeated points, reverse strands that begin at the tip, remove strays and duplicates, bind roots to the body, push points out of it"),
    COIF_ARG(convert_options, body, COIF_PARAM_PATH, "MESH", "mesh that the strands grow on"),
    COIF_ARG(convert_options, group, COIF_PARAM_STRING, "NAME", "group of the mesh with the scalp (default: all)"),
    COIF_ARG_NUMBER(convert_options, body_scale, COIF_PARAM_FLOAT, "S", "metres per unit of the mesh", 1, 1e-9, 1e9),
    COIF_ARG_NUMBER(convert_options, clearance, COIF_PARAM_FLOAT, "M", "distance of the fibres from the body", 0, 0, 1),
    COIF_ARG_NUMBER(convert_options, max_root_distance, COIF_PARAM_FLOAT, "M", "strands whose ends are both farther from the scalp are strays", 0.02, 0, 1000),
    COIF_ARG_HEADING("guides"),
    COIF_ARG_NUMBER(convert_options, guides, COIF_PARAM_INT, "N", "write N evenly spread strands as guides to --guides-file", 0, 0, 1000000),
    COIF_ARG(convert_options, guides_file, COIF_PARAM_PATH, "FILE", "strand file of the guides"),
};
// clang-format on

static coif_status check_options(const convert_options *options, coif_error *error)
{
    const bool several = coif_frame_list_given(&options->frames);
    if (several && strchr(options->output, '#') == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: --frames needs a run of # in the name, as hair.####.ply",
                         options->output);
    }
    if (several && coif_frame_list_given(&options->frame)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "give either --frame or --frames");
    }
    if ((options->repair != 0) != (options->body != NULL)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--repair and --body are used together");
    }
    if ((options->guides > 0) != (options->guides_file != NULL)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--guides and --guides-file are used together");
    }
    if (options->resample == 1) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--resample 1: a strand has at least 2 points");
    }
    return COIF_OK;
}

static coif_status repair(coif_strand_file *file, const convert_options *options,
                          const coif_mesh *body, coif_app *app, coif_error *error)
{
    const coif_strand_repair_desc desc = {.mesh = body,
                                          .group = options->group,
                                          .max_root_distance = options->max_root_distance,
                                          .clearance = options->clearance,
                                          .jobs = app->jobs};
    coif_strand_repair_report report;
    COIF_TRY(coif_strand_repair(file, &desc, &report, &app->arena, error));
    coif_log(COIF_LOG_INFO,
             "%s: %d repeated points merged, %d strands reversed, %d strays and %d duplicates "
             "removed, %d roots moved to the body by at most %.3f mm",
             options->input, report.merged_points, report.reversed, report.strays,
             report.duplicates, report.bound, 1e3 * (double)report.largest_translation);
    coif_log(COIF_LOG_INFO,
             "%s: %lld of %lld points of %d strands pushed out of the body, by %.3f mm on average "
             "and at most %.3f mm",
             options->input, (long long)report.pushed.moved, (long long)report.pushed.points,
             report.pushed_strands, 1e3 * report.pushed.average, 1e3 * report.pushed.largest);
    return COIF_OK;
}

static coif_status thin(coif_strand_file *file, int32_t count, coif_arena *arena, coif_error *error)
{
    const int32_t total = file->strands.strand_count;
    if (count == 0 || count >= total) {
        return COIF_OK;
    }
    int32_t *kept = coif_arena_new(arena, count, int32_t);
    for (int32_t i = 0; i < count; ++i) {
        kept[i] = (int32_t)((int64_t)i * total / count);
    }
    return coif_strand_file_select(file, kept, count, arena, error);
}

static coif_status save(const coif_strand_file *file, const char *path,
                        const convert_options *options, coif_error *error)
{
    const coif_strand_export desc = {
        .name = "hair", .tfx_version = options->tfx_version, .default_radius = options->radius};
    COIF_TRY(coif_strand_file_save(file, path, &desc, error));
    coif_log(COIF_LOG_INFO, "%s: %d strands, %d points", path, file->strands.strand_count,
             file->strands.point_count);
    return COIF_OK;
}

static coif_status save_guides(const coif_strand_file *file, const char *path,
                               const convert_options *options, coif_arena *arena, coif_error *error)
{
    coif_strand_file guides = *file;
    int32_t *chosen = coif_arena_new(arena, options->guides, int32_t);
    const int32_t count = coif_strands_spread(chosen, options->guides, &file->strands, arena);
    COIF_TRY(coif_strand_file_select(&guides, chosen, count, arena, error));
    return save(&guides, path, options, error);
}

static const char *path_at(const char *pattern, const convert_options *options, double frame,
                           coif_arena *arena)
{
    return coif_frame_list_given(&options->frames) ? coif_path_frame_time(pattern, frame, arena)
                                                   : pattern;
}

// Whether frames select samples of one file.
static bool samples_archive(const convert_options *options)
{
    return coif_frame_list_given(&options->frame) ||
           (coif_frame_list_given(&options->frames) && strchr(options->input, '#') == NULL);
}

static coif_status find_time(double *seconds, const convert_options *options, const char *path,
                             double frame, coif_arena *arena, coif_error *error)
{
    coif_archive *archive;
    if (!coif_archive_is_archive(path)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s is not an archive; --frame and --frames need one, or a run of # in "
                         "the name",
                         path);
    }
    COIF_TRY(coif_archive_open(&archive, path, NULL, arena, error));
    const double fps = options->fps > 0.0f  ? (double)options->fps
                       : archive->fps > 0.0 ? archive->fps
                                            : DEFAULT_FPS;
    if (options->fps == 0.0f && archive->fps == 0.0) {
        coif_log_once(COIF_LOG_WARNING, "%s: the file states no frame rate; %g is assumed", path,
                      DEFAULT_FPS);
    }
    *seconds = frame / fps;
    return COIF_OK;
}

// Writes one file, of a frame where frames are given.
static coif_status convert(const convert_options *options, double frame, const coif_mesh *body,
                           coif_app *app, coif_error *error)
{
    coif_arena *arena = &app->arena;
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    coif_hair_import import = {.scale = options->scale,
                               .z_up = options->up_axis == 1,
                               .points_per_strand = options->points_per_strand,
                               .object = options->object,
                               .guides = options->guides_only != 0};
    coif_strand_file file;
    const char *input = coif_app_find_file(app, path_at(options->input, options, frame, arena));
    double seconds;
    if (samples_archive(options)) {
        COIF_TRY(find_time(&seconds, options, input, frame, arena, error));
        import.seconds = &seconds;
    }
    COIF_TRY(coif_strand_input_load(&file, input, &import, arena, error));
    if (body != NULL) {
        COIF_TRY(repair(&file, options, body, app, error));
    }
    COIF_TRY(thin(&file, options->max_strands, arena, error));
    if (options->resample > 0) {
        COIF_TRY(coif_strand_file_resample(&file, options->resample, arena, error));
    }
    COIF_TRY(save(&file, path_at(options->output, options, frame, arena), options, error));
    if (options->guides > 0) {
        COIF_TRY(save_guides(&file, path_at(options->guides_file, options, frame, arena), options,
                             arena, error));
    }
    coif_arena_rewind(arena, mark);
    return COIF_OK;
}

static coif_status load_body(coif_mesh *mesh, const convert_options *options, coif_app *app,
                             coif_error *error)
{
    COIF_TRY(coif_mesh_load(mesh, coif_app_find_file(app, options->body), &COIF_MESH_ALL_TRIANGLES,
                            &app->arena, error));
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        mesh->positions[v] = coif_scale(mesh->positions[v], options->body_scale);
    }
    if (options->group != NULL && coif_mesh_find_group(mesh, options->group) < 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: no group '%s'", options->body,
                         options->group);
    }
    return COIF_OK;
}

static coif_status run(coif_app *app, const void *given, coif_error *error)
{
    const convert_options *options = given;
    COIF_TRY(check_options(options, error));
    coif_mesh mesh;
    const coif_mesh *body = options->body != NULL ? &mesh : NULL;
    if (body != NULL) {
        COIF_TRY(load_body(&mesh, options, app, error));
    }
    double frame = 0.0;
    if (!coif_frame_list_given(&options->frames)) {
        coif_frame_list_at(&frame, &options->frame, 0);
        return convert(options, frame, body, app, error);
    }
    int64_t count = 0;
    while (coif_frame_list_at(&frame, &options->frames, count)) {
        ++count;
    }
    coif_progress_begin(app->progress, "convert", count, "frames");
    coif_status status = COIF_OK;
    for (int64_t i = 0; status == COIF_OK && coif_frame_list_at(&frame, &options->frames, i); ++i) {
        status = convert(options, frame, body, app, error);
        if (!coif_progress_step(app->progress, 1) && status == COIF_OK) {
            status =
                coif_fail(error, COIF_ERR_CANCELLED, "convert: cancelled after frame %.10g", frame);
        }
    }
    coif_progress_end(app->progress);
    return status;
}

const coif_command COIF_COMMAND_CONVERT = {
    .name = "convert",
    .help = "convert strand files between formats",
    .more = "Strands are copied as they are: without --scale, --up-axis, --resample, --max-strands "
            "and --repair\n"
            "positions keep their bits. The log tells what --repair changed.\n",
    .examples = "  coif convert shot.abc hair.####.ply --frames 1-48\n"
                "  coif convert scenes/assets/lashes.hair out/lashes.ply\n"
                "  coif convert out/lashes.ply out/lashes.tfx --resample 8\n"
                "  coif convert scenes/assets/lashes.hair out/bound.hair --repair --body "
                "scenes/assets/mannequin.obj\n",
    COIF_COMMAND_OPTIONS(convert_options, OPTIONS),
    .run = run,
};
