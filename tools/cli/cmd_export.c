// coif export: writes the rest pose or frames for other programs.
#include "core/base/frame_list.h"
#include "core/hair/formats/strand_file.h"
#include "core/hair/strand_transfer.h"
#include "sim/run/simulate.h"
#include "tools/cli/export_archive.h"

#include <math.h>
#include <string.h>

typedef struct export_options {
    const char *scene;
    const char *file;
    const char *cache;
    const char *groom;
    coif_frame_list frame, frames;
    int32_t expand;
    const char *onto, *onto_group;
    float onto_scale;
    int32_t basis, widths, up_axis;
    float meters_per_unit;
    int32_t with_guides, guides_only, with_body, with_camera;
} export_options;

static const char *const BASES[] = {"auto", "linear", "bspline", "catmull-rom", NULL};
static const char *const WIDTHS[] = {"vertex", "varying", NULL};
static const char *const AXES[] = {"y", "z", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(export_options, scene, "scene file"),
    COIF_ARGUMENT(export_options, file, "output file: .usda, .usdc (USD), .abc (Alembic), or a format of one pose per file: .hair .tfx .obj .ply .data .txt .pbrt; #### is replaced by the frame"),
    COIF_ARG_WITH(COIF_ARG_REQUIRED, export_options, cache, COIF_PARAM_PATH, "DIR", "folder of the strand cache"),
    COIF_ARG(export_options, groom, COIF_PARAM_STRING, "NAME", "groom (default: all of them in USD and Alembic, else the only one)"),
    COIF_ARG(export_options, frame, COIF_ARG_FRAME_LIST, "N", "frame, as 12 or between frames as 12.5 (default: the rest pose)"),
    COIF_ARG(export_options, frames, COIF_ARG_FRAME_LIST, "LIST", "several frames, as 1-48, 2,5,9-20x3 or 1-24x0.5: one file each, or a .usda, .usdc or .abc file without #### with all of them"),
    COIF_ARG(export_options, expand, COIF_PARAM_BOOL, "", "interpolate all strands from the simulated ones"),
    COIF_ARG_HEADING("transfer of the rest pose to another head"),
    COIF_ARG(export_options, onto, COIF_PARAM_PATH, "MESH", "OBJ file of the head that gets the hair"),
    COIF_ARG(export_options, onto_group, COIF_PARAM_STRING, "NAME", "its scalp (default: the group of the groom)"),
    COIF_ARG_NUMBER(export_options, onto_scale, COIF_PARAM_FLOAT, "M", "metres per unit of its mesh", 1, 1e-6, 1000),
    COIF_ARG_HEADING("USD and Alembic"),
    COIF_ARG_CHOICE(export_options, basis, BASES, "curves: catmull-rom (auto of USD), linear (auto of .abc), or bspline through the same points"),
    COIF_ARG_CHOICE(export_options, widths, WIDTHS, "interpolation of widths in USD; varying for readers that do not know vertex"),
    COIF_ARG_CHOICE(export_options, up_axis, AXES, "up axis of the file"),
    COIF_ARG_NUMBER(export_options, meters_per_unit, COIF_PARAM_FLOAT, "M", "metres per unit of the file; 0.01 for programs that work in centimetres", 1, 1e-6, 1000),
    COIF_ARG(export_options, with_guides, COIF_PARAM_BOOL, "", "also write the simulated strands, as guides (NAME_guides)"),
    COIF_ARG(export_options, guides_only, COIF_PARAM_BOOL, "", "write the guides alone"),
    COIF_ARG(export_options, with_body, COIF_PARAM_BOOL, "", "also write the meshes of the visible bodies, with their polygons"),
    COIF_ARG(export_options, with_camera, COIF_PARAM_BOOL, "", "also write the camera of the scene"),
};
// clang-format on

// What is exported, and how.
typedef struct export_job {
    const export_options *options;
    coif_export_grooms grooms;        // one for formats of one pose per file
    coif_archive_export_desc archive; // format NULL: of one pose per file
} export_job;

static const coif_export_groom *only_groom(const export_job *job)
{
    return &job->grooms.items[0];
}

// Moves the rest pose to the scalp of another head.
static coif_status transfer(coif_strands *strands, const export_job *job, coif_app *app,
                            coif_error *error)
{
    const export_options *export = job->options;
    const char *group = only_groom(job)->params.group;
    coif_mesh mesh;
    COIF_TRY(coif_mesh_load(&mesh, coif_app_find_file(app, export->onto), &COIF_MESH_ALL_TRIANGLES,
                            &app->arena, error));
    for (int32_t v = 0; v < mesh.vertex_count; ++v) {
        mesh.positions[v] = coif_scale(mesh.positions[v], export->onto_scale);
    }
    const coif_scalp from = {&only_groom(job)->body->rest, group};
    const coif_scalp to = {&mesh, export->onto_group != NULL ? export->onto_group : group};
    coif_transfer_report report;
    coif_error cause = {.status = COIF_OK};
    const coif_strands own = *strands;
    if (coif_strands_transfer(strands, &own, &from, &to, &report, &app->arena, app->jobs, &cause) !=
        COIF_OK) {
        return coif_fail_within(error, export->onto, &cause);
    }
    if (report.beyond > 0) {
        coif_log(
            COIF_LOG_WARNING,
            "%s: %d of %d roots lie beyond the border of the scalp and were moved to it, by at "
            "most %.1f degrees",
            export->onto, report.beyond, strands->strand_count, (double)report.largest_angle);
    }
    return COIF_OK;
}

// Formats of one pose per file.
static coif_status save_pose(const coif_strands *strands, const char *name, const char *path,
                             coif_error *error)
{
    const coif_strand_file file = {.strands = *strands, .has_radius = true, .has_root_uv = true};
    const coif_strand_export desc = {.name = name, .default_radius = 4e-5f};
    return coif_strand_file_save(&file, path, &desc, error);
}

// Strands of the guides of the rest pose.
static coif_status guides_at_rest(coif_strands *guides, const coif_groom *groom,
                                  const coif_strands *rest, coif_arena *arena, coif_error *error)
{
    int32_t *lengths = coif_arena_new(arena, groom->simulated_count, int32_t);
    for (int32_t g = 0; g < groom->simulated_count; ++g) {
        lengths[g] = coif_strands_length(rest, groom->simulated[g]);
    }
    COIF_TRY(coif_strands_init(guides, lengths, groom->simulated_count, arena, error));
    for (int32_t g = 0; g < groom->simulated_count; ++g) {
        memcpy(guides->points + guides->first[g], rest->points + rest->first[groom->simulated[g]],
               (size_t)lengths[g] * sizeof *guides->points);
    }
    return COIF_OK;
}

// All strands and all points of grooms.
static void log_file(const char *path, const coif_strands *strands, int32_t count)
{
    int64_t strand_count = 0, point_count = 0;
    for (int32_t g = 0; g < count; ++g) {
        strand_count += strands[g].strand_count;
        point_count += strands[g].point_count;
    }
    coif_log(COIF_LOG_INFO, "%s: %lld strands, %lld points", path, (long long)strand_count,
             (long long)point_count);
}

static coif_status save_rest(const export_job *job, const coif_strands *rest, coif_app *app,
                             coif_error *error)
{
    const char *path = job->options->file;
    const int32_t count = job->grooms.count;
    if (job->archive.format == NULL) {
        COIF_TRY(save_pose(rest, only_groom(job)->params.name, path, error));
    } else {
        coif_strands *guides = coif_arena_new(&app->arena, count, coif_strands);
        coif_archive_export file;
        const coif_archive_export_times times = {.step = 1.0, .count = 1};
        const coif_archive_export_sample sample = {
            .frame = coif_timeline_of(only_groom(job)->scene).first,
            .rest = true,
            .strands = rest,
            .simulated = guides};
        for (int32_t g = 0; g < count; ++g) {
            COIF_TRY(guides_at_rest(&guides[g], &job->grooms.items[g].groom, &rest[g], &app->arena,
                                    error));
        }
        COIF_TRY(
            coif_archive_export_begin(&file, path, &job->archive, &job->grooms, &times, error));
        COIF_TRY(coif_archive_export_end(
            &file, coif_archive_export_write(&file, &sample, &app->arena, error), error));
    }
    log_file(path, rest, count);
    return COIF_OK;
}

// One frame as a sample of an open archive, or as a file of its own.
static coif_status save_frame(const export_job *job, coif_archive_export *open, int32_t sample,
                              double frame, coif_app *app, coif_error *error)
{
    coif_arena *arena = &app->arena;
    const int32_t count = job->grooms.count;
    coif_strands *simulated = coif_arena_new(arena, count, coif_strands);
    coif_strands *strands = coif_arena_new(arena, count, coif_strands);
    for (int32_t g = 0; g < count; ++g) {
        const coif_export_groom *groom = &job->grooms.items[g];
        COIF_TRY(coif_export_groom_simulated(&simulated[g], groom, frame, arena, error));
        strands[g] = simulated[g];
        if (job->options->expand) {
            COIF_TRY(coif_export_groom_expand(&strands[g], &simulated[g], groom, frame, arena,
                                              app->jobs, error));
        }
    }
    const coif_archive_export_sample written = {
        .index = sample, .frame = frame, .strands = strands, .simulated = simulated};
    if (open != NULL) {
        return coif_archive_export_write(open, &written, arena, error);
    }
    const char *path = coif_path_frame_time(job->options->file, frame, arena);
    if (job->archive.format == NULL) {
        COIF_TRY(save_pose(strands, only_groom(job)->params.name, path, error));
    } else {
        coif_archive_export file;
        const coif_archive_export_times times = {.first = frame, .step = 1.0, .count = 1};
        COIF_TRY(
            coif_archive_export_begin(&file, path, &job->archive, &job->grooms, &times, error));
        COIF_TRY(coif_archive_export_end(
            &file, coif_archive_export_write(&file, &written, arena, error), error));
    }
    log_file(path, strands, count);
    return COIF_OK;
}

// Number of frames; an archive of all of them needs even steps.
static coif_status count_frames(coif_archive_export_times *times, const export_job *job,
                                const coif_frame_list *frames, bool together, coif_error *error)
{
    const char *path = job->options->file;
    double frame, previous = 0.0;
    *times = (coif_archive_export_times){.step = 1.0};
    for (; coif_frame_list_at(&frame, frames, times->count); ++times->count) {
        times->first = times->count == 0 ? frame : times->first;
        times->step = times->count == 1 ? frame - previous : times->step;
        if (together && times->count > 0 &&
            (times->step <= 0.0 || fabs(frame - previous - times->step) > 1e-6)) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s: samples of one file have even steps; after frame %.10g frame "
                             "%.10g was given",
                             path, previous, frame);
        }
        previous = frame;
    }
    if (times->count > 1 && !together && strchr(path, '#') == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: %d frames need a run of # in the file name, as hair.####.obj", path,
                         times->count);
    }
    return COIF_OK;
}

static coif_status save_frames(const export_job *job, const coif_frame_list *frames, coif_app *app,
                               coif_error *error)
{
    const char *path = job->options->file;
    const char *name = job->grooms.count > 1 ? "export" : only_groom(job)->params.name;
    const bool together = job->archive.format != NULL && strchr(path, '#') == NULL;
    coif_archive_export_times times;
    coif_archive_export file, *open = NULL;
    COIF_TRY(count_frames(&times, job, frames, together, error));
    if (together && times.count > 1) {
        COIF_TRY(
            coif_archive_export_begin(&file, path, &job->archive, &job->grooms, &times, error));
        open = &file;
    }
    coif_progress_begin(app->progress, name, times.count, "frames");
    coif_status status = COIF_OK;
    double frame;
    for (int32_t i = 0; status == COIF_OK && coif_frame_list_at(&frame, frames, i); ++i) {
        const coif_arena_mark mark = coif_arena_mark_here(&app->arena);
        status = save_frame(job, open, i, frame, app, error);
        coif_arena_rewind(&app->arena, mark);
        if (!coif_progress_step(app->progress, 1) && status == COIF_OK) {
            status = coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled after frame %.10g", name,
                               frame);
        }
    }
    coif_progress_end(app->progress);
    if (open != NULL) {
        status = coif_archive_export_end(open, status, error);
        if (status == COIF_OK) {
            coif_log(COIF_LOG_INFO, "%s: %d frames", path, times.count);
        }
    }
    return status;
}

static coif_status set_archive(export_job *job, coif_app *app, coif_error *error)
{
    const export_options *export = job->options;
    const bool extra = export->basis != 0 || export->widths != 0 || export->up_axis != 0 ||
                       export->meters_per_unit != 1.0f || export->with_guides ||
                       export->guides_only || export->with_body || export->with_camera;
    job->archive = (coif_archive_export_desc){.format = coif_archive_writer_for(export->file),
                                              .automatic_basis = export->basis == 0,
                                              .basis = export->basis == 2   ? COIF_BASIS_BSPLINE
                                                       : export->basis == 3 ? COIF_BASIS_CATMULL_ROM
                                                                            : COIF_BASIS_LINEAR,
                                              .meters_per_unit = (double)export->meters_per_unit,
                                              .up_axis = AXES[export->up_axis][0],
                                              .varying_widths = export->widths == 1,
                                              .with_guides = export->with_guides,
                                              .guides_only = export->guides_only,
                                              .with_body = export->with_body,
                                              .with_camera = export->with_camera};
    if (coif_strand_format_of(export->file) == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: unknown format; expected one of %s",
                         export->file, coif_strand_format_list(true, &app->arena));
    }
    if (job->archive.format == NULL && extra) {
        coif_log(COIF_LOG_WARNING, "%s: options of USD and Alembic have no effect", export->file);
    }
    if (export->onto != NULL && export->with_body) {
        return coif_fail(
            error, COIF_ERR_ARGUMENT,
            "--with-body writes the bodies of the scene; it cannot be used with --onto");
    }
    return COIF_OK;
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const export_options *export = options;
    export_job job = {.options = export};
    COIF_TRY(set_archive(&job, app, error));
    const bool several = coif_frame_list_given(&export->frames);
    if (several && coif_frame_list_given(&export->frame)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "give either --frame or --frames");
    }
    const coif_frame_list *frames = several ? &export->frames : &export->frame;
    if (export->onto != NULL && coif_frame_list_given(frames)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--onto transfers the rest pose; it cannot be used with --frame");
    }
    const bool all = job.archive.format != NULL && export->onto == NULL;
    COIF_TRY(coif_export_grooms_open(&job.grooms, app, export->scene, export->cache, export->groom,
                                     all, error));
    coif_strands *rest = coif_arena_new(&app->arena, job.grooms.count, coif_strands);
    for (int32_t g = 0; g < job.grooms.count; ++g) {
        rest[g] = job.grooms.items[g].groom.rest;
    }
    const bool at_rest = !coif_frame_list_given(frames);
    if (!at_rest || export->onto != NULL || export->with_body || export->with_camera) {
        COIF_TRY(coif_export_grooms_load_bodies(&job.grooms, &app->arena, error));
    }
    if (export->onto != NULL) {
        COIF_TRY(transfer(rest, &job, app, error));
    }
    return at_rest ? save_rest(&job, rest, app, error) : save_frames(&job, frames, app, error);
}

const coif_command COIF_COMMAND_EXPORT = {
    .name = "export",
    .help = "write strands for other programs",
    .more =
        "Lengths are in metres, y is up, thickness is a diameter. The rest pose has all strands.\n"
        "A .usda, .usdc or .abc file without #### holds all frames as time samples.\n"
        "Between frames strands are interpolated as in the renderer: hair.####.obj of frame 12.5 "
        "is\n"
        "hair.0012.500.obj.\n",
    .examples = "  coif export scenes/tiny.json out/rest.hair --cache out/tiny\n"
                "  coif export scenes/tiny.json out/f4.hair --cache out/tiny --frame 4 --expand\n"
                "  coif export scenes/tiny.json out/rest.usda --cache out/tiny\n"
                "  coif export scenes/tiny.json out/f.####.usda --cache out/tiny --frames 1-6x0.5\n"
                "  coif export scenes/tiny.json out/all.usda --cache out/tiny --frames 1-6 "
                "--with-body --with-camera\n"
                "  coif export scenes/tiny.json out/moved.hair --cache out/tiny --onto "
                "scenes/assets/mannequin.obj\n",
    COIF_COMMAND_OPTIONS(export_options, OPTIONS),
    .run = run,
};
