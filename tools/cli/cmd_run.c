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
    int32_t turntable;
    int32_t embree_isa;
} run_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(run_options, scene, "scene file"),
    COIF_ARG_WITH(COIF_ARG_REQUIRED, run_options, out, COIF_PARAM_PATH, "DIR", "output folder for cache, images and video"),
    COIF_ARG(run_options, frames, COIF_ARG_FRAMES, "A-B", "frames, as 1-48 (default: all frames of the scene)"),
    COIF_ARG(run_options, no_video, COIF_PARAM_BOOL, "", "do not encode a video"),
    COIF_ARG(run_options, delete_frames, COIF_PARAM_BOOL, "", "delete the images after the video has been verified"),
    COIF_ARG(run_options, rest, COIF_PARAM_BOOL, "", "render the groom without simulation; one image, unless --frames gives more"),
    COIF_ARG_NUMBER(run_options, turntable, COIF_PARAM_INT, "N", "render N images of one revolution of the camera around look_at, of the last frame, or of the first with --rest; 0 renders frames", 0, 0, 100000),
    COIF_ARG_CHOICE(run_options, embree_isa, COIF_EMBREE_ISAS, COIF_EMBREE_ISA_HELP),
};
// clang-format on

enum { STEP_SIM, STEP_RENDER, STEP_VIDEO, STEP_COUNT };

typedef struct run_plan {
    const coif_scene *scene;
    const char *folder;
    const char *video;       // NULL: none
    const char *formats;     // of the images: that of the scene, and PNG for the video
    coif_frame_range frames; // of the simulation
    coif_frame_range images; // the same, or 1 to N of a turntable
    int32_t turntable;
    const char *isa; // of Embree
    bool rest, delete_frames;
    double seconds[STEP_COUNT];
} run_plan;

static coif_status simulate(const run_plan *plan, coif_app *app, coif_error *error)
{
    const coif_simulate_desc desc = {
        .scene = plan->scene,
        .folder = plan->folder,
        .frames = plan->frames,
        .kernel = "auto",
    };
    return plan->rest ? coif_simulate_groom(&desc, app->jobs, app->progress, error)
                      : coif_simulate(&desc, app->jobs, app->progress, error);
}

static coif_status render(const run_plan *plan, coif_app *app, coif_error *error)
{
    const coif_frame_range *frames = &plan->images;
    const coif_render_desc desc = {
        .source.scene = plan->scene,
        .source.cache = plan->folder,
        .folder = plan->folder,
        .source.format = plan->formats,
        .frames = {frames->first, frames->last, frames->step, NULL},
        .source.use_rest_pose = plan->rest,
        .source.turntable = plan->turntable,
        .source.turntable_frame = plan->rest ? plan->frames.first : plan->frames.last,
        .source.isa = plan->isa,
        .source.eval_map = coif_eval_hair_map,
        .source.film = true,
        .checkpoint_seconds = 20.0,
    };
    return coif_render_frames(&desc, app->jobs, app->progress, error);
}

static coif_status encode_video(const run_plan *plan, coif_app *app, coif_error *error)
{
    if (plan->video == NULL) {
        return COIF_OK;
    }
    const coif_video_desc desc = {
        .folder = plan->folder,
        .format = "png",
        .path = plan->video,
        .frames = plan->images,
        .fps = coif_timeline_of(plan->scene).fps,
        .quality = 18,
        .delete_frames = plan->delete_frames,
    };
    return coif_video_make(&desc, &app->arena, app->progress, error);
}

static coif_status run_steps(run_plan *plan, coif_app *app, coif_error *error)
{
    static coif_status (*const steps[STEP_COUNT])(const run_plan *, coif_app *,
                                                  coif_error *) = {simulate, render, encode_video};
    for (int step = 0; step < STEP_COUNT; ++step) {
        const double started = coif_clock_seconds();
        COIF_TRY(steps[step](plan, app, error));
        plan->seconds[step] = coif_clock_seconds() - started;
    }
    return COIF_OK;
}

static coif_status report(const run_plan *plan, coif_app *app, coif_error *error)
{
    const double *seconds = plan->seconds;
    const char *stats = coif_path_join(plan->folder, "run.stats.json", &app->arena);
    COIF_TRY(coif_app_print(coif_arena_print(&app->arena,
                                             "{\"sim_seconds\": %.3f, \"render_seconds\": %.3f, "
                                             "\"video_seconds\": %.3f}\n",
                                             seconds[STEP_SIM], seconds[STEP_RENDER],
                                             seconds[STEP_VIDEO]),
                            stats, error));
    printf("cache     %s/*.%s\n", plan->folder, plan->rest ? "groom" : "strands");
    if (plan->video == NULL || !plan->delete_frames) {
        printf("images    %s/render%04d.%s to %04d\n", plan->folder, plan->images.first,
               coif_render_format(plan->scene), plan->images.last);
    }
    if (plan->video != NULL) {
        printf("video     %s\n", plan->video);
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
    const coif_frame_range frames = coif_frame_range_given(run->frames) ? run->frames : all;
    const coif_frame_range images =
        run->turntable > 0 ? (coif_frame_range){1, run->turntable, 1} : frames;
    const bool video = !run->no_video && (!run->rest || images.last > images.first);
    run_plan plan = {
        .scene = scene,
        .folder = run->out,
        .formats = video && strcmp(format, "png") != 0
                       ? coif_arena_print(&app->arena, "%s,png", format)
                       : format,
        .video = video ? coif_path_join(run->out, "output.mp4", &app->arena) : NULL,
        .frames = frames,
        .images = images,
        .turntable = run->turntable,
        .isa = COIF_EMBREE_ISAS[run->embree_isa],
        .rest = run->rest != 0,
        .delete_frames = run->delete_frames != 0,
    };
    if (plan.images.step != 1 && video) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "a video needs every frame; give --no-video with --frames %d-%dx%d",
                         plan.frames.first, plan.frames.last, plan.frames.step);
    }
    // Missing programs and unwritable folders are reported before the simulation, not after it.
    if (video) {
        COIF_TRY(coif_video_ready(&app->arena, error));
    }
    COIF_TRY(coif_path_make_directory(run->out, error));
    COIF_TRY(coif_image_save_check(coif_path_join(run->out, "render0001.png", &app->arena), error));
    COIF_TRY(run_steps(&plan, app, error));
    return report(&plan, app, error);
}

const coif_command COIF_COMMAND_RUN = {
    .name = "run",
    .help = "groom, simulate, render and encode a scene",
    .more =
        "Writes NAME.groom, NAME.0001.strands, ..., render0001.png, ... and output.mp4 to DIR.\n"
        "Images have the format of the scene; the video is encoded from PNG images. The same\n"
        "command resumes an interrupted run with the same result.\n",
    .examples = "  coif run scenes/tiny.json --out out/tiny\n"
                "  coif run scenes/tiny.json --out out/tiny --frames 1-3 --no-video\n"
                "  coif run scenes/straight.json --out out/straight --rest\n"
                "  coif run scenes/straight.json --out out/turn --rest --turntable 24\n",
    COIF_COMMAND_OPTIONS(run_options, OPTIONS),
    .run = run,
};
