// coif run: the whole pipeline, from a scene file to a video.
#include "core/image/image.h"
#include "render/driver/render_frames.h"
#include "sim/run/simulate.h"
#include "tools/cli/command.h"
#include "tools/cli/map_callback.h"
#include "tools/cli/video.h"

#include <string.h>

typedef struct run_options {
    const char *scene;
    const char *out;
    coif_frame_range frames;
    int32_t no_video;
    int32_t delete_frames;
    int32_t rest;
} run_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(run_options, scene, "scene file"),
    COIF_ARG_WITH(COIF_ARG_REQUIRED, run_options, out, COIF_PARAM_PATH, "DIR", "folder for everything that is made"),
    COIF_ARG(run_options, frames, COIF_ARG_FRAMES, "A-B", "frames, as 1-48; all of the scene when left out"),
    COIF_ARG(run_options, no_video, COIF_PARAM_BOOL, "", "stop at the pictures"),
    COIF_ARG(run_options, delete_frames, COIF_PARAM_BOOL, "", "remove the pictures once the film was decoded and counted"),
    COIF_ARG(run_options, rest, COIF_PARAM_BOOL, "", "a still of the hair as it was groomed: nothing moves, no film"),
};
// clang-format on

enum { STEP_SIM, STEP_RENDER, STEP_VIDEO, STEP_COUNT };

// Where everything goes, and how long each step took.
typedef struct street_plan {
    const coif_scene *scene;
    const char *folder, *film;
    const char *formats; // of the pictures: what the scene wants, and what the film is made from
    coif_frame_range frames;
    bool rest;
    double seconds[STEP_COUNT];
} street_plan;

static coif_status simulate(const street_plan *street, coif_app *app, coif_error *error)
{
    const coif_simulate_desc desc = {
        .scene = street->scene,
        .folder = street->folder,
        .frames = street->frames,
        .kernel = "auto",
    };
    return street->rest ? coif_simulate_groom(&desc, app->jobs, app->progress, error)
                        : coif_simulate(&desc, app->jobs, app->progress, error);
}

static coif_status render(const street_plan *street, coif_app *app, coif_error *error)
{
    const coif_render_desc desc = {
        .source.scene = street->scene,
        .source.cache = street->folder,
        .folder = street->folder,
        .source.format = street->formats,
        .frames = street->frames,
        .source.use_rest_pose = street->rest,
        .source.isa = "auto",
        .source.eval_map = coif_hair_maps_answer,
        .checkpoint_seconds = 20.0,
    };
    return coif_render_frames(&desc, app->jobs, app->progress, error);
}

static coif_status make_film(const street_plan *street, bool delete_frames, coif_app *app,
                             coif_error *error)
{
    const coif_video_desc desc = {
        .folder = street->folder,
        .format = "png",
        .path = street->film,
        .frames = street->frames,
        .fps = coif_timeline_of(street->scene).fps,
        .quality = 18,
        .delete_frames = delete_frames,
    };
    return coif_video_make(&desc, &app->arena, app->progress, error);
}

static coif_status walk(street_plan *street, const run_options *run, coif_app *app,
                        coif_error *error)
{
    double before = coif_clock_seconds();
    for (int step = 0; step < STEP_COUNT; ++step) {
        if (step == STEP_VIDEO && street->film == NULL) {
            break;
        }
        COIF_TRY(step == STEP_SIM      ? simulate(street, app, error)
                 : step == STEP_RENDER ? render(street, app, error)
                                       : make_film(street, run->delete_frames != 0, app, error));
        const double now = coif_clock_seconds();
        street->seconds[step] = now - before;
        before = now;
    }
    return COIF_OK;
}

static coif_status report(const street_plan *street, const run_options *run, coif_app *app,
                          coif_error *error)
{
    const double *seconds = street->seconds;
    const char *stats = coif_path_join(run->out, "run.stats.json", &app->arena);
    COIF_TRY(coif_app_print(coif_arena_print(&app->arena,
                                             "{\"sim_seconds\": %.3f, \"render_seconds\": %.3f, "
                                             "\"video_seconds\": %.3f}\n",
                                             seconds[STEP_SIM], seconds[STEP_RENDER],
                                             seconds[STEP_VIDEO]),
                            stats, error));
    printf("cache     %s/*.%s\n", street->folder, street->rest ? "groom" : "strands");
    if (street->film == NULL || !run->delete_frames) {
        printf("pictures  %s/render%04d.%s to %04d\n", street->folder, street->frames.first,
               coif_render_format(street->scene), street->frames.last);
    }
    if (street->film != NULL) {
        printf("video     %s\n", street->film);
    }
    printf("time      sim %.1f s, render %.1f s, video %.1f s\n", seconds[STEP_SIM],
           seconds[STEP_RENDER], seconds[STEP_VIDEO]);
    return coif_app_print("", NULL, error);
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const run_options *run = options;
    coif_scene *scene;
    COIF_TRY(coif_app_load_scene(&scene, app, run->scene, error));
    const coif_timeline timeline = coif_timeline_of(scene);
    const int32_t last = run->rest ? timeline.first : timeline.last;
    const coif_frame_range all = {timeline.first, last, 1};
    const char *format = coif_render_format(scene);
    const bool film = !run->no_video && !run->rest;
    const bool film_too = film && strcmp(format, "png") != 0;
    street_plan street = {
        .scene = scene,
        .folder = run->out,
        .formats = film_too ? coif_arena_print(&app->arena, "%s,png", format) : format,
        .film = film ? coif_path_join(run->out, "output.mp4", &app->arena) : NULL,
        .frames = coif_frame_range_given(run->frames) ? run->frames : all,
        .rest = run->rest != 0,
    };
    if (street.frames.step != 1 && film) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "a video needs every frame; give --no-video with --frames %d-%dx%d",
                         street.frames.first, street.frames.last, street.frames.step);
    }
    if (film) {
        COIF_TRY(coif_video_ready(&app->arena, error));
    }
    COIF_TRY(coif_path_make_directory(run->out, error));
    // Hours of simulation would come before the first picture that cannot be written.
    COIF_TRY(coif_image_save_check(coif_path_join(run->out, "render0001.png", &app->arena), error));
    COIF_TRY(walk(&street, run, app, error));
    return report(&street, run, app, error);
}

const coif_command COIF_COMMAND_RUN = {
    .name = "run",
    .help = "groom, simulate, render and encode in one go",
    .more = "Leaves NAME.groom, NAME.0001.strands, render0001.png, ... and output.mp4 in DIR. "
            "Pictures\n"
            "are in the format the scene says, and in PNG for the film. Run it again after an\n"
            "interruption: what is whole stays, and the result is that of an unbroken run.\n",
    .examples = "  coif run scenes/tiny.json --out out/tiny\n"
                "  coif run scenes/tiny.json --out out/tiny --frames 1-3 --no-video\n"
                "  coif run scenes/straight.json --out out/straight --rest\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(run_options),
    .run = run,
};
