// coif convert: strand files from one format to another, without a scene.
#include "core/archive/archive.h"
#include "core/base/frame_list.h"
#include "core/hair/formats/strand_curves.h"
#include "core/hair/strand_edit.h"
#include "tools/cli/command.h"
#include "tools/cli/convert_repair.h"
#include "tools/cli/strand_input.h"

#include <math.h>
#include <string.h>

typedef struct convert_options {
    const char *input, *output;
    coif_frame_list frame, frames;
    float fps;
    const char *groom, *object;
    int32_t guides_only;
    float scale;
    int32_t up_axis;
    int32_t points_per_strand;
    float radius;
    int32_t max_strands, resample;
    int32_t tfx_version;
    int32_t basis, output_up_axis;
    float meters_per_unit;
    int32_t repair;
    const char *repair_steps, *body, *group;
    float body_scale, clearance, max_root_distance, resample_tolerance;
    int32_t guides;
    const char *guides_file;
    int32_t json;
} convert_options;

static const char *const AXES[] = {"y", "z", NULL};
static const char *const BASES[] = {"auto", "linear", "bspline", "catmull-rom", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(convert_options, input, "strand file, archive, .groom, .strands frame with its groom beside it, or folder of a cache; #### is replaced by the frame"),
    COIF_ARGUMENT(convert_options, output, "strand file to write; the extension selects the format"),
    COIF_ARG(convert_options, frames, COIF_ARG_FRAME_LIST, "LIST", "frames of a sequence, an archive or a cache, as 1-48: one file each, or a .usda, .usdc or .abc file without #### with all of them"),
    COIF_ARG_HEADING("input"),
    COIF_ARG(convert_options, frame, COIF_ARG_FRAME_LIST, "N", "frame of an archive, as 12 or between its samples as 12.5 (default: all samples for .usda, .usdc and .abc, else the first)"),
    COIF_ARG_NUMBER(convert_options, fps, COIF_PARAM_FLOAT, "R", "frames per second of --frame and --frames, and of an archive that is written; 0: as the input states, else 24", 0, 0, 1e6),
    COIF_ARG(convert_options, groom, COIF_PARAM_STRING, "NAME", "groom of the folder of a cache"),
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
    COIF_ARG_HEADING("USD and Alembic output"),
    COIF_ARG_CHOICE(convert_options, basis, BASES, "curves: catmull-rom (auto of USD), linear (auto of .abc), or bspline through the same points"),
    COIF_ARG_CHOICE(convert_options, output_up_axis, AXES, "up axis of the file"),
    COIF_ARG_NUMBER(convert_options, meters_per_unit, COIF_PARAM_FLOAT, "M", "metres per unit of the file; 0.01 for programs that work in centimetres", 1, 1e-6, 1000),
    COIF_ARG_HEADING("repair"),
    COIF_ARG(convert_options, repair, COIF_PARAM_BOOL, "", "merge repeated points, reverse strands that begin at the tip, remove strays, bind roots to the body, resample uneven strands, push points out of the body, remove duplicates, choose guides"),
    COIF_ARG(convert_options, repair_steps, COIF_PARAM_STRING, "LIST", "steps of --repair: merge, reverse, strays, bind, resample, push, duplicates, guides, or no-NAME for the others (default: all)"),
    COIF_ARG(convert_options, body, COIF_PARAM_PATH, "MESH", "mesh that the strands grow on"),
    COIF_ARG(convert_options, group, COIF_PARAM_STRING, "NAME", "group of the mesh with the scalp (default: all)"),
    COIF_ARG_NUMBER(convert_options, body_scale, COIF_PARAM_FLOAT, "S", "metres per unit of the mesh", 1, 1e-9, 1e9),
    COIF_ARG_NUMBER(convert_options, clearance, COIF_PARAM_FLOAT, "M", "distance of the fibres from the body", 0, 0, 1),
    COIF_ARG_NUMBER(convert_options, max_root_distance, COIF_PARAM_FLOAT, "M", "strands whose ends are both farther from the scalp are strays", 0.02, 0, 1000),
    COIF_ARG_NUMBER(convert_options, resample_tolerance, COIF_PARAM_FLOAT, "F", "strands are resampled to equal segments, with as many points or those of --resample, when a segment differs from their mean by more than this fraction", 0.25f, 0, 1000),
    COIF_ARG_HEADING("guides"),
    COIF_ARG_NUMBER(convert_options, guides, COIF_PARAM_INT, "N", "choose N evenly spread strands as guides; 0: one in 50, 16 to 4000, with --repair, else none", 0, 0, 1000000),
    COIF_ARG(convert_options, guides_file, COIF_PARAM_PATH, "FILE", "strand file of the guides (default with --repair: in a .usda, .usdc or .abc file, else NAME_guides beside the output)"),
    COIF_ARG_HEADING("report"),
    COIF_ARG(convert_options, json, COIF_PARAM_BOOL, "", "print the number of strands and points, and what --repair changed, as JSON; lengths in metres"),
};
// clang-format on

// Whether the output holds all frames as samples.
static bool writes_samples(const convert_options *options)
{
    return coif_archive_writer_for(options->output) != NULL && strchr(options->output, '#') == NULL;
}

static coif_status check_options(const convert_options *options, coif_error *error)
{
    const bool several = coif_frame_list_given(&options->frames);
    if (several && strchr(options->output, '#') == NULL && !writes_samples(options)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: --frames needs a run of # in the name, as hair.####.ply",
                         options->output);
    }
    if (coif_archive_writer_for(options->output) == NULL &&
        (options->basis != 0 || options->output_up_axis != 0 || options->meters_per_unit != 1.0f)) {
        coif_log(COIF_LOG_WARNING, "%s: options of USD and Alembic have no effect",
                 options->output);
    }
    if (several && coif_frame_list_given(&options->frame)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "give either --frame or --frames");
    }
    if ((options->repair != 0) != (options->body != NULL)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--repair and --body are used together");
    }
    if (options->repair_steps != NULL && !options->repair) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--repair-steps needs --repair");
    }
    if (!options->repair && (options->guides > 0) != (options->guides_file != NULL)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--guides and --guides-file are used together");
    }
    if (options->resample == 1) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--resample 1: a strand has at least 2 points");
    }
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

static coif_strand_export export_of(const convert_options *options)
{
    static const coif_curve_basis bases[] = {COIF_BASIS_LINEAR, COIF_BASIS_LINEAR,
                                             COIF_BASIS_BSPLINE, COIF_BASIS_CATMULL_ROM};
    return (coif_strand_export){.name = "hair",
                                .tfx_version = options->tfx_version,
                                .default_radius = options->radius,
                                .has_basis = options->basis != 0,
                                .basis = bases[options->basis],
                                .meters_per_unit = (double)options->meters_per_unit,
                                .up_axis = AXES[options->output_up_axis][0]};
}

static coif_status save(const coif_strand_file *file, const char *path,
                        const convert_options *options, coif_error *error)
{
    const coif_strand_export desc = export_of(options);
    COIF_TRY(coif_strand_file_save(file, path, &desc, error));
    coif_log(COIF_LOG_INFO, "%s: %d strands, %d points", path, file->strands.strand_count,
             file->strands.point_count);
    return COIF_OK;
}

// One conversion: where strands come from and the frames that are written.
typedef struct convert_job {
    const convert_options *options;
    coif_strand_source source;
    coif_strand_repair_desc repair; // without a mesh: no repair
    double *frames;
    int32_t frame_count;          // 0: the pose of the input
    const char *guides_file;      // NULL: guides are part of the output
    int32_t *guides, guide_count; // chosen in the first frame
    coif_arena *kept;             // holds guides and report, while frames come and go
    coif_json_writer report;
} convert_job;

static coif_status repair(coif_strand_file *file, convert_job *job, const double *frame,
                          coif_arena *arena, coif_error *error)
{
    const convert_options *options = job->options;
    const int32_t given = file->strands.strand_count;
    coif_strand_repair_report report;
    // Strands without radii are pushed out by the radius that they are written with.
    job->repair.clearance = options->clearance + (file->has_radius ? 0.0f : options->radius);
    COIF_TRY(coif_strand_repair(file, &job->repair, &report, arena, error));
    if (given > 0 && file->strands.strand_count == 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: no end of the %d strands is within %g m of the scalp, the nearest is "
                         "at %.4g m; --scale, --up-axis, --body-scale or --max-root-distance may "
                         "be wrong",
                         options->input, given, (double)options->max_root_distance,
                         (double)report.nearest_end);
    }
    coif_repair_log(&report, &job->repair,
                    job->frame_count > 1
                        ? coif_arena_print(arena, "%s: frame %.10g", options->input, *frame)
                        : options->input);
    coif_repair_write(&job->report, &report, &job->repair);
    return COIF_OK;
}

// Chooses strands in the first frame; a file with guides keeps them.
static coif_status choose_guides(convert_job *job, const coif_strand_file *file,
                                 const double *frame, coif_arena *arena, coif_error *error)
{
    const convert_options *options = job->options;
    const int32_t total = file->strands.strand_count;
    if (job->guides == NULL) {
        const bool repaired =
            (job->repair.steps & COIF_REPAIR_GUIDES) != 0 && !coif_strand_file_has_guides(file);
        const int32_t wanted = options->guides > 0 ? options->guides
                               : repaired          ? coif_repair_guide_count(total)
                                                   : 0;
        job->guides = coif_arena_new(job->kept, wanted, int32_t);
        job->guide_count = coif_strands_spread(job->guides, wanted, &file->strands, arena);
    }
    for (int32_t g = 0; g < job->guide_count; ++g) {
        if (job->guides[g] >= total) {
            return coif_fail(error, COIF_ERR_FORMAT,
                             "%s: frame %.10g has %d strands, and strand %d is a guide",
                             options->input, *frame, total, job->guides[g]);
        }
    }
    coif_write_number(&job->report, "guides", job->guide_count);
    return COIF_OK;
}

static const char *path_at(const char *pattern, const convert_job *job, const double *frame,
                           coif_arena *arena)
{
    return job->frame_count > 0 ? coif_path_frame_time(pattern, *frame, arena) : pattern;
}

static coif_status save_guides(const coif_strand_file *file, convert_job *job, const double *frame,
                               coif_arena *arena, coif_error *error)
{
    const convert_options *options = job->options;
    coif_strand_file guides = *file;
    COIF_TRY(coif_strand_file_select(&guides, job->guides, job->guide_count, arena, error));
    return save(&guides, path_at(job->guides_file, job, frame, arena), options, error);
}

// The strands of a frame as they are written, and what is told of them; saves their guides.
static coif_status load(coif_strand_file *file, convert_job *job, const double *frame,
                        coif_app *app, coif_error *error)
{
    const convert_options *options = job->options;
    coif_arena *arena = &app->arena;
    COIF_TRY(coif_strand_source_load(file, &job->source, frame, arena, error));
    coif_write_open(&job->report, NULL, "{");
    if (frame != NULL) {
        coif_write_number(&job->report, "frame", *frame);
    }
    if (job->repair.mesh != NULL) {
        COIF_TRY(repair(file, job, frame, arena, error));
    }
    COIF_TRY(thin(file, options->max_strands, arena, error));
    if (job->repair.mesh == NULL && options->resample > 0) {
        COIF_TRY(coif_strand_file_resample(file, options->resample, arena, error));
    }
    COIF_TRY(choose_guides(job, file, frame, arena, error));
    if (job->guide_count > 0) {
        COIF_TRY(job->guides_file != NULL ? save_guides(file, job, frame, arena, error)
                                          : coif_strand_file_add_guides(
                                                file, job->guides, job->guide_count, arena, error));
    }
    coif_write_number(&job->report, "strands", file->strands.strand_count);
    coif_write_number(&job->report, "points", file->strands.point_count);
    coif_write_close(&job->report, "}");
    return COIF_OK;
}

// Writes one file, of a frame where frames are given.
static coif_status convert(convert_job *job, const double *frame, coif_app *app, coif_error *error)
{
    const convert_options *options = job->options;
    coif_arena *arena = &app->arena;
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    coif_strand_file file;
    COIF_TRY(load(&file, job, frame, app, error));
    COIF_TRY(save(&file, path_at(options->output, job, frame, arena), options, error));
    coif_arena_rewind(arena, mark);
    return COIF_OK;
}

// Samples of an archive have even steps.
static coif_status find_times(coif_strand_times *times, const convert_job *job, coif_error *error)
{
    const double *frames = job->frames;
    *times = (coif_strand_times){.fps = job->source.fps,
                                 .first = frames[0],
                                 .step = job->frame_count > 1 ? frames[1] - frames[0] : 1.0,
                                 .count = job->frame_count};
    for (int32_t i = 1; i < job->frame_count; ++i) {
        if (!(times->step > 0.0) || fabs(frames[i] - frames[i - 1] - times->step) > 2e-6) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s: samples of one file have even steps; after frame %.10g frame "
                             "%.10g was given; --frames selects others",
                             job->options->output, frames[i - 1], frames[i]);
        }
    }
    return COIF_OK;
}

// Writes an archive with all frames.
static coif_status convert_samples(convert_job *job, coif_app *app, coif_error *error)
{
    const char *path = job->options->output;
    const coif_strand_export desc = export_of(job->options);
    coif_strand_times times;
    coif_strand_curves to;
    bool begun = false;
    coif_status status = find_times(&times, job, error);
    coif_progress_begin(app->progress, "convert", job->frame_count, "frames");
    for (int32_t i = 0; status == COIF_OK && i < job->frame_count; ++i) {
        const coif_arena_mark mark = coif_arena_mark_here(&app->arena);
        coif_strand_file file;
        status = load(&file, job, &job->frames[i], app, error);
        if (status == COIF_OK && !begun) {
            status = coif_strand_curves_begin(&to, path, &desc, &times, &file, error);
            begun = status == COIF_OK;
        }
        status = status == COIF_OK ? coif_strand_curves_add(&to, &file, error) : status;
        coif_arena_rewind(&app->arena, mark);
        if (!coif_progress_step(app->progress, 1) && status == COIF_OK) {
            status = coif_fail(error, COIF_ERR_CANCELLED, "convert: cancelled after frame %.10g",
                               job->frames[i]);
        }
    }
    coif_progress_end(app->progress);
    status = begun ? coif_strand_curves_end(&to, status, error) : status;
    if (status == COIF_OK) {
        coif_log(COIF_LOG_INFO, "%s: %d frames", path, job->frame_count);
    }
    return status;
}

static coif_status convert_files(convert_job *job, coif_app *app, coif_error *error)
{
    coif_progress_begin(app->progress, "convert", job->frame_count, "frames");
    coif_status status = COIF_OK;
    for (int32_t i = 0; status == COIF_OK && i < job->frame_count; ++i) {
        status = convert(job, &job->frames[i], app, error);
        if (!coif_progress_step(app->progress, 1) && status == COIF_OK) {
            status = coif_fail(error, COIF_ERR_CANCELLED, "convert: cancelled after frame %.10g",
                               job->frames[i]);
        }
    }
    coif_progress_end(app->progress);
    return status;
}

// The frames of the options, else all samples of the input where the output holds them.
static coif_status find_frames(convert_job *job, coif_arena *arena, coif_error *error)
{
    const convert_options *options = job->options;
    const coif_strand_source *source = &job->source;
    const coif_frame_list *list =
        coif_frame_list_given(&options->frames) ? &options->frames : &options->frame;
    const bool folder = coif_path_is_directory(options->input);
    double frame;
    if (coif_frame_list_given(list)) {
        if (source->archive == NULL && !folder && strchr(options->input, '#') == NULL) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s is not an archive; --frame and --frames need one, the folder of a "
                             "cache, or a run of # in the name",
                             options->input);
        }
        int64_t count = 0;
        while (coif_frame_list_at(&frame, list, count)) {
            ++count;
        }
        job->frames = coif_arena_new(arena, count, double);
        for (; coif_frame_list_at(&frame, list, job->frame_count); ++job->frame_count) {
            job->frames[job->frame_count] = frame;
        }
    } else if (source->frame_count > 0 && writes_samples(options)) {
        job->frames = coif_arena_new(arena, source->frame_count, double);
        job->frame_count = source->frame_count;
        memcpy(job->frames, source->frames, (size_t)source->frame_count * sizeof *job->frames);
    } else if (folder) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s is a folder; --frame or --frames is needed",
                         options->input);
    }
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

static coif_status find_guides_file(convert_job *job, coif_arena *arena, coif_error *error)
{
    const convert_options *options = job->options;
    const bool chooses = options->guides > 0 || (job->repair.steps & COIF_REPAIR_GUIDES) != 0;
    if (!chooses) {
        return COIF_OK;
    }
    const bool inside =
        options->guides_file == NULL && coif_archive_writer_for(options->output) != NULL;
    job->guides_file = inside ? NULL
                       : options->guides_file != NULL
                           ? options->guides_file
                           : coif_repair_guides_path(options->output, arena);
    if (job->guides_file != NULL && job->frame_count > 1 && strchr(job->guides_file, '#') == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: %d frames need a run of # in the name, as guides.####.ply",
                         job->guides_file, job->frame_count);
    }
    return COIF_OK;
}

static coif_status write_all(convert_job *job, coif_app *app, coif_error *error)
{
    if (job->frame_count > 0 && writes_samples(job->options)) {
        return convert_samples(job, app, error);
    }
    return coif_frame_list_given(&job->options->frames) ? convert_files(job, app, error)
                                                        : convert(job, job->frames, app, error);
}

static coif_status run(coif_app *app, const void *given, coif_error *error)
{
    const convert_options *options = given;
    COIF_SCOPED_ARENA(kept, "convert");
    COIF_TRY(check_options(options, error));
    coif_mesh mesh;
    convert_job job = {.options = options, .kept = &kept};
    if (options->repair) {
        COIF_TRY(load_body(&mesh, options, app, error));
        job.repair = (coif_strand_repair_desc){.mesh = &mesh,
                                               .group = options->group,
                                               .max_root_distance = options->max_root_distance,
                                               .resample_points = options->resample,
                                               .resample_tolerance = options->resample_tolerance,
                                               .jobs = app->jobs};
        COIF_TRY(coif_repair_steps_parse(&job.repair.steps, options->repair_steps, error));
    }
    const coif_hair_import import = {
        .scale = options->scale,
        .z_up = options->up_axis == 1,
        .points_per_strand = options->points_per_strand,
        .object = options->object,
        .guides = options->guides_only != 0,
        .all_curves = !options->guides_only && coif_archive_writer_for(options->output) != NULL};
    COIF_TRY(coif_strand_source_open(&job.source, coif_app_find_file(app, options->input),
                                     options->groom, &import, (double)options->fps, &app->arena,
                                     error));
    COIF_TRY(find_frames(&job, &app->arena, error));
    COIF_TRY(find_guides_file(&job, &app->arena, error));
    coif_json_writer_init(&job.report, &kept);
    coif_write_open(&job.report, NULL, "{");
    coif_write_text(&job.report, "input", options->input);
    coif_write_text(&job.report, "output", options->output);
    if (job.guides_file != NULL) {
        coif_write_text(&job.report, "guides_file", job.guides_file);
    }
    coif_write_open(&job.report, "frames", "[");
    COIF_TRY(write_all(&job, app, error));
    coif_write_close(&job.report, "]");
    coif_write_close(&job.report, "}");
    coif_strbuf_add(&job.report.text, "\n");
    return options->json ? coif_app_print(job.report.text.data, NULL, error) : COIF_OK;
}

const coif_command COIF_COMMAND_CONVERT = {
    .name = "convert",
    .help = "convert strand files between formats",
    .more =
        "Strands are copied as they are: without --scale, --up-axis, --resample, --max-strands "
        "and --repair\n"
        "positions keep their bits. The log tells what each step of --repair changed, --json in "
        "metres; a second\n"
        "--repair changes nothing.\n"
        "An archive as .usda, .usdc or .abc keeps all its samples, guides included, unless "
        "--frame, "
        "--frames,\n"
        "--object or --guides-only selects less.\n",
    .examples = "  coif convert out/tiny out/tiny.abc --groom hair\n"
                "  coif convert out/tiny.abc out/strands.####.ply --frames 1-3\n"
                "  coif convert out/strands.####.ply out/tiny.usda --frames 1-3 --fps 24\n"
                "  coif convert scenes/assets/lashes.hair out/lashes.ply\n"
                "  coif convert out/lashes.ply out/lashes.tfx --resample 8\n"
                "  coif convert scenes/assets/lashes.hair out/bound.hair --repair --body "
                "scenes/assets/mannequin.obj\n"
                "  coif convert scenes/assets/lashes.hair out/bound.abc --repair --body "
                "scenes/assets/mannequin.obj --repair-steps no-resample\n",
    COIF_COMMAND_OPTIONS(convert_options, OPTIONS),
    .run = run,
};
