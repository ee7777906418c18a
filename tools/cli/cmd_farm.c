// coif farm: a film on many machines, through a queue manager or without one.
#include "core/base/claim.h"
#include "core/base/dynlib.h"
#include "core/base/log.h"
#include "render/driver/render_frames.h"
#include "render/embree/accel.h"
#include "sim/run/simulate.h"
#include "tools/cli/command.h"
#include "tools/cli/farm/farm_engine.h"
#include "tools/cli/farm/farm_report.h"
#include "tools/cli/farm/farm_work.h"
#include "tools/cli/video.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct farm_options {
    const char *action, *target, *unit;
    const char *out;
    coif_frame_range frames;
    int32_t engine, chunk, jobs, tries, dry_run, no_video, round;
    int32_t embree_isa, partitions;
    const char *tiles, *engine_options;
} farm_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, farm_options, action, COIF_PARAM_STRING, "", "submit, status, logs, cancel, resume or work"),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, farm_options, target, COIF_PARAM_PATH, "", "submit: scene file; else: the folder given to submit as --out"),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, farm_options, unit, COIF_PARAM_STRING, "", "logs, work: unit, as sim-0, render-3, partition-1, tile-5 or assemble"),
    COIF_ARG(farm_options, out, COIF_PARAM_PATH, "DIR", "submit: shared folder for cache, images and video"),
    COIF_ARG_CHOICE(farm_options, engine, COIF_FARM_ENGINES, "submit: who runs the units: this process, GNU parallel or Slurm"),
    COIF_ARG(farm_options, frames, COIF_ARG_FRAMES, "A-B", "submit: frames, also every Nth as 1-240x10 (default: all frames of the scene)"),
    COIF_ARG_NUMBER(farm_options, chunk, COIF_PARAM_INT, "N", "submit: frames of a render unit", 4, 1, 100000),
    COIF_ARG(farm_options, tiles, COIF_PARAM_STRING, "CxR", "submit: render every frame as C columns and R rows of tiles, each a unit, that are joined"),
    COIF_ARG_NUMBER(farm_options, partitions, COIF_PARAM_INT, "N", "submit: simulate grooms whose strands do not interact as N partitions, each a unit, that are joined", 1, 1, 10000),
    COIF_ARG_NUMBER(farm_options, jobs, COIF_PARAM_INT, "N", "submit: units at a time of the engines local and parallel", 1, 1, 1000),
    COIF_ARG_NUMBER(farm_options, tries, COIF_PARAM_INT, "N", "submit: tries of a unit, and rounds of the assembly", 3, 1, 100),
    COIF_ARG_CHOICE(farm_options, embree_isa, COIF_EMBREE_ISAS, "submit: instruction set of Embree for all images; auto is that of this machine"),
    COIF_ARG(farm_options, engine_options, COIF_PARAM_STRING, "TEXT", "submit: more arguments for sbatch or parallel, as \"--partition=render --cpus-per-task=8\""),
    COIF_ARG(farm_options, no_video, COIF_PARAM_BOOL, "", "submit: do not encode a video"),
    COIF_ARG(farm_options, dry_run, COIF_PARAM_BOOL, "", "submit: print the commands of the engine and write nothing"),
    COIF_ARG_NUMBER(farm_options, round, COIF_PARAM_INT, "N", "work assemble: number of the round, set by the assembly itself", 0, 0, 100),
};
// clang-format on

static coif_text_list groom_names(const coif_scene *scene, coif_arena *arena)
{
    const coif_node *list = coif_node_at(scene->root, "grooms");
    coif_text_list names = {coif_arena_new(arena, list->child_count, const char *),
                            list->child_count};
    for (int32_t i = 0; i < list->child_count; ++i) {
        names.items[i] = coif_values_find(&list->children[i].values, "name")->text;
    }
    return names;
}

// Grooms whose strands interact are simulated in one piece.
static coif_text_list partitions_of(const coif_scene *scene, coif_frame_range frames, int32_t count,
                                    coif_arena *arena)
{
    const coif_node *list = coif_node_at(scene->root, "grooms");
    const char *number = coif_arena_print(arena, "%d", count);
    coif_text_list counts = {coif_arena_new(arena, list->child_count, const char *),
                             list->child_count};
    for (int32_t i = 0; i < list->child_count; ++i) {
        const coif_node *groom = &list->children[i];
        const char *coupling =
            count > 1 ? coif_simulate_coupling(scene, groom, frames, arena) : NULL;
        counts.items[i] = coupling == NULL ? number : "1";
        if (coupling != NULL) {
            coif_log(COIF_LOG_INFO, "groom %s is simulated in one unit: %s",
                     coif_values_find(&groom->values, "name")->text, coupling);
        }
    }
    return counts;
}

static coif_status read_tiles(coif_farm_plan *plan, const char *text, coif_error *error)
{
    int end = 0;
    if (text == NULL) {
        return COIF_OK;
    }
    if (sscanf(text, "%5dx%5d%n", &plan->tile_columns, &plan->tile_rows, &end) != 2 ||
        text[end] != '\0' || plan->tile_columns < 1 || plan->tile_rows < 1 ||
        plan->tile_columns > 100 || plan->tile_rows > 100) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--tiles \"%s\": expected columns and rows from 1 to 100, as 2x2", text);
    }
    return COIF_OK;
}

static coif_status make_plan(coif_farm_plan *plan, coif_app *app, const farm_options *farm,
                             coif_error *error)
{
    coif_scene *scene;
    coif_arena *arena = &app->arena;
    if (farm->out == NULL) {
        return coif_fail(
            error, COIF_ERR_ARGUMENT,
            "farm submit: --out is missing; expected a folder that all machines share");
    }
    COIF_TRY(coif_app_load_scene(&scene, app, farm->target, error));
    const coif_timeline timeline = coif_timeline_of(scene);
    const coif_frame_range all = {timeline.first, timeline.last, 1};
    const coif_frame_range frames = coif_frame_range_given(farm->frames) ? farm->frames : all;
    const char *isa = coif_accel_select_isa(COIF_EMBREE_ISAS[farm->embree_isa]);
    const char *format = coif_render_format(scene);
    if (frames.step != 1 && !farm->no_video) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "farm submit: --frames %d-%dx%d: a video needs every frame; expected "
                         "--no-video",
                         frames.first, frames.last, frames.step);
    }
    if (isa == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--embree-isa %s: this machine does not have it",
                         COIF_EMBREE_ISAS[farm->embree_isa]);
    }
    *plan = (coif_farm_plan){
        .scene = coif_path_real(scene->path, arena),
        .program = coif_path_join(coif_dynlib_program_folder(arena), "coif", arena),
        .plugin_path = app->globals.plugin_path != NULL ? app->globals.plugin_path : "",
        .isa = isa,
        .formats = !farm->no_video && strcmp(format, "png") != 0
                       ? coif_arena_print(arena, "%s,png", format)
                       : format,
        .options = farm->engine_options != NULL ? farm->engine_options : "",
        .set = app->globals.set,
        .grooms = groom_names(scene, arena),
        .partitions = partitions_of(scene, frames, farm->partitions, arena),
        .engine = farm->engine,
        .first = frames.first,
        .last = frames.last,
        .step = frames.step,
        .chunk = farm->chunk,
        .tries = farm->tries,
        .jobs = farm->jobs,
        .threads = app->globals.threads,
        .fps = timeline.fps,
        .video = !farm->no_video,
    };
    return read_tiles(plan, farm->tiles, error);
}

// Creates the folders of the plan, and makes its paths absolute.
static coif_status create_folders(coif_farm_plan *plan, const char *out, coif_arena *arena,
                                  coif_error *error)
{
    static const char *const folders[] = {"units", "logs"};
    COIF_TRY(coif_path_make_directory(out, error));
    plan->folder = coif_path_real(out, arena);
    for (size_t i = 0; i < COIF_COUNT_OF(folders); ++i) {
        COIF_TRY(coif_path_make_directory(coif_farm_path(plan, folders[i], arena), error));
    }
    return COIF_OK;
}

static coif_status save_new_plan(const coif_farm_plan *plan, coif_arena *arena, coif_error *error)
{
    if (coif_path_exists(coif_farm_path(plan, "plan.json", arena))) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: a film was submitted to this folder before; 'coif farm resume %s' "
                         "continues it, another film needs another folder",
                         plan->folder, plan->folder);
    }
    return coif_farm_plan_save(plan, arena, error);
}

static coif_status submit(coif_app *app, const farm_options *farm, coif_error *error)
{
    coif_farm_plan plan;
    coif_claim claim;
    coif_arena *arena = &app->arena;
    COIF_TRY(make_plan(&plan, app, farm, error));
    if (farm->dry_run) {
        plan.folder = farm->out;
        return coif_app_print(coif_farm_commands(&plan, arena), NULL, error);
    }
    if (plan.video) {
        COIF_TRY(coif_video_ready(arena, error));
    }
    COIF_TRY(create_folders(&plan, farm->out, arena, error));
    const char *path = coif_farm_path(&plan, "plan.json", arena);
    if (!coif_claim_try(&claim, path)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s: another process submits to this folder",
                         plan.folder);
    }
    const coif_status status = save_new_plan(&plan, arena, error);
    coif_claim_release(&claim);
    COIF_TRY(status);
    return coif_farm_run(&plan, app->progress, arena, error);
}

static coif_status resume(coif_app *app, const coif_farm_plan *plan, coif_error *error)
{
    unlink(coif_farm_path(plan, "cancel", &app->arena));
    return coif_farm_run(plan, app->progress, &app->arena, error);
}

static coif_status status(coif_app *app, const coif_farm_plan *plan, coif_error *error)
{
    return coif_app_print(coif_farm_report(plan, &app->arena), NULL, error);
}

static coif_status cancel(coif_app *app, const coif_farm_plan *plan, coif_error *error)
{
    return coif_farm_cancel(plan, app->progress, &app->arena, error);
}

static coif_status logs(coif_app *app, const coif_farm_plan *plan, const farm_options *farm,
                        coif_error *error)
{
    char *text;
    COIF_TRY(coif_farm_logs(&text, plan, farm->unit, &app->arena, error));
    return coif_app_print(text, NULL, error);
}

static coif_status work(coif_app *app, const coif_farm_plan *plan, const farm_options *farm,
                        coif_error *error)
{
    coif_farm_unit unit;
    const char *name = farm->unit != NULL ? farm->unit : "";
    if (strcmp(name, "assemble") == 0) {
        return coif_farm_assemble(plan, farm->round, app->progress, &app->arena, error);
    }
    COIF_TRY(coif_farm_unit_find(&unit, plan, name, &app->arena, error));
    return coif_farm_work(plan, &unit, app->progress, &app->arena, error);
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const farm_options *farm = options;
    static const char *const actions[] = {"submit", "status", "logs", "cancel", "resume", "work"};
    coif_farm_plan plan;
    if (strcmp(farm->action, "submit") == 0) {
        return submit(app, farm, error);
    }
    size_t action = 1;
    while (action < COIF_COUNT_OF(actions) && strcmp(farm->action, actions[action]) != 0) {
        ++action;
    }
    if (action == COIF_COUNT_OF(actions)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "farm %s: expected submit, status, logs, cancel, resume or work%s",
                         farm->action,
                         coif_suggest(farm->action, actions, COIF_COUNT_OF(actions), "").text);
    }
    COIF_TRY(coif_farm_plan_load(&plan, farm->target, &app->arena, error));
    switch (action) {
    case 1:
        return status(app, &plan, error);
    case 2:
        return logs(app, &plan, farm, error);
    case 3:
        return cancel(app, &plan, error);
    case 4:
        return resume(app, &plan, error);
    default:
        return work(app, &plan, farm, error);
    }
}

const coif_command COIF_COMMAND_FARM = {
    .name = "farm",
    .help = "make a film on many machines",
    .more =
        "submit divides a film into units: the simulation of each groom, and chunks of frames; "
        "large\n"
        "grooms and frames also into --partitions and --tiles that further units join. They\n"
        "run in this process, through GNU parallel, or as arrays of Slurm. Every unit may be "
        "killed,\n"
        "lost with its machine or started twice: valid files are kept, exit codes 3, 4, 6 and 7 "
        "and\n"
        "signals are tried again. The assembly verifies every image against its digest, makes what "
        "is\n"
        "missing or damaged again, and encodes the video. status shows progress, ETA, the rate of\n"
        "every machine and failures with their last message.\n",
    .examples = "  coif farm submit scenes/tiny.json --out out/film --chunk 2 --jobs 2\n"
                "  coif farm submit scenes/tiny.json --out out/other --engine slurm --dry-run\n"
                "  coif farm status out/film\n",
    COIF_COMMAND_OPTIONS(farm_options, OPTIONS),
    .run = run,
};
