// coif render: render a scene from its strand cache.
#include "render/driver/render_frames.h"
#include "render/film/aov.h"
#include "sim/run/simulate.h"
#include "tools/cli/command.h"
#include "tools/cli/map_callback.h"

typedef struct render_options {
    const char *scene;
    const char *cache;
    const char *out;
    const char *format;
    coif_frame_list frames;
    int32_t rest, bodies_only, wire, wire_strands, force, compact, preview;
    int32_t embree_isa;
    float checkpoint;
    const char *aov, *crop, *tile, *join_tiles;
    int32_t exr_layout, progressive, keep_checkpoint;
    float time_limit;
    int32_t turntable;
    int32_t defer_denoise;
} render_options;

static const char *const LAYOUTS[] = {"scene", "spec", "nuke", "single", "files", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(render_options, scene, "scene file"),
    COIF_ARG_HEADING("input options"),
    COIF_ARG(render_options, cache, COIF_PARAM_PATH, "DIR", "folder of the strand cache (default: the folder of --out)"),
    COIF_ARG(render_options, frames, COIF_ARG_FRAME_LIST, "LIST", "frames to render, as 1-48, 2,5,9-20x3 or between frames as 12.5 and 1-24x0.5 (default: all frames of the scene)"),
    COIF_ARG(render_options, rest, COIF_PARAM_BOOL, "", "render the groom without simulation; it follows its body"),
    COIF_ARG_NUMBER(render_options, turntable, COIF_PARAM_INT, "N", "render N images of one revolution of the camera around look_at, of the groom at rest with --rest, else of one frame (default: the last); 0 renders frames", 0, 0, 100000),
    COIF_ARG(render_options, bodies_only, COIF_PARAM_BOOL, "", "render the bodies only, in grey clay"),
    COIF_ARG(render_options, wire, COIF_PARAM_BOOL, "", "render strands as thin lines with a dot at every point, on bodies in grey clay"),
    COIF_ARG_NUMBER(render_options, wire_strands, COIF_PARAM_INT, "N", "strands of each groom that --wire draws, evenly selected; 0 draws all", 200, 0, 10000000),
    COIF_ARG_HEADING("output options"),
    COIF_ARG_WITH(COIF_ARG_REQUIRED, render_options, out, COIF_PARAM_PATH, "DIR", "output folder for render0001.png, ..."),
    COIF_ARG(render_options, format, COIF_PARAM_STRING, "EXT", "exr, png, jpg, tif, bmp or hdr (default: image/format of the scene)"),
    COIF_ARG(render_options, aov, COIF_PARAM_STRING, "NAMES", "AOVs of EXR, as N,Z,hair_lobes (default: image/aovs of the scene)"),
    COIF_ARG_CHOICE(render_options, exr_layout, LAYOUTS, "layout of AOVs: parts, parts for Nuke, one part, or one file each"),
    COIF_ARG(render_options, crop, COIF_PARAM_STRING, "X,Y,W,H", "render a rectangle only, in pixels from the upper left corner"),
    COIF_ARG(render_options, tile, COIF_PARAM_STRING, "K/CxR", "render tile K of C columns and R rows of tiles, counted row by row, to a film"),
    COIF_ARG(render_options, join_tiles, COIF_PARAM_STRING, "CxR", "write images from the films of all tiles, and delete these"),
    COIF_ARG(render_options, defer_denoise, COIF_PARAM_BOOL, "", "with image/denoise_frames: write the inputs of the denoiser only, for coif denoise"),
    COIF_ARG(render_options, force, COIF_PARAM_BOOL, "", "render again even where a complete image exists"),
    COIF_ARG_HEADING("sampling options"),
    COIF_ARG_NUMBER(render_options, time_limit, COIF_PARAM_FLOAT, "SECONDS", "time limit for the samples of one image, 0 for none; the sample count then depends on speed", 0, 0, 1e7),
    COIF_ARG(render_options, progressive, COIF_PARAM_BOOL, "", "render in passes over the whole image, each written as preview0001.png"),
    COIF_ARG(render_options, preview, COIF_PARAM_BOOL, "", "write preview0001.png at once and again with every doubling of the samples"),
    COIF_ARG_NUMBER(render_options, checkpoint, COIF_PARAM_FLOAT, "SECONDS", "seconds between checkpoints of an unfinished image, 0 for none", 20, 0, 86400),
    COIF_ARG(render_options, keep_checkpoint, COIF_PARAM_BOOL, "", "keep the checkpoint of a finished image, so that a higher image/samples resumes from it"),
    COIF_ARG_HEADING("performance options"),
    COIF_ARG(render_options, compact, COIF_PARAM_BOOL, "", "compact BVH: less than half the memory, about a fifth slower"),
    COIF_ARG_CHOICE(render_options, embree_isa, COIF_EMBREE_ISAS, COIF_EMBREE_ISA_HELP),
};
// clang-format on

static coif_frame_list frames_of(const coif_scene *scene, coif_frame_list given)
{
    const coif_timeline timeline = coif_timeline_of(scene);
    const coif_frame_list all = {timeline.first, timeline.last, 1, NULL};
    return coif_frame_list_given(&given) ? given : all;
}

// Images of a turntable are those of one frame.
static coif_status set_turntable(coif_render_desc *desc, const render_options *render,
                                 coif_error *error)
{
    const coif_frame_list *given = &desc->frames;
    if (render->turntable == 0) {
        return COIF_OK;
    }
    if (coif_frame_list_given(&render->frames) &&
        (given->next != NULL || given->last > given->first)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--turntable shows one frame; give one, as --frames 12");
    }
    desc->source.turntable = render->turntable;
    desc->source.turntable_frame = desc->source.use_rest_pose ? given->first : given->last;
    desc->frames = (coif_frame_list){1, render->turntable, 1, NULL};
    return COIF_OK;
}

static coif_status read_crop(int32_t crop[4], const char *text, coif_error *error)
{
    int end = 0;
    if (text == NULL) {
        return COIF_OK;
    }
    if (sscanf(text, "%9d,%9d,%9d,%9d%n", &crop[0], &crop[1], &crop[2], &crop[3], &end) != 4 ||
        text[end] != '\0' || crop[2] < 1) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--crop \"%s\": expected X,Y,W,H in whole pixels, as 64,32,200,100", text);
    }
    return COIF_OK;
}

// AOVs, EXR layout and crop window.
static coif_status read_aovs(coif_render_desc *desc, const render_options *render,
                             coif_error *error)
{
    desc->source.aovs = render->aov;
    desc->source.exr_layout = render->exr_layout;
    if (render->aov != NULL && coif_aovs_check(render->aov, error) != COIF_OK) {
        error->status = COIF_ERR_ARGUMENT;
        return COIF_ERR_ARGUMENT;
    }
    return read_crop(desc->source.crop, render->crop, error);
}

static coif_status read_tile(coif_render_tile *tile, const render_options *render,
                             coif_error *error)
{
    const bool joins = render->join_tiles != NULL;
    const char *option = joins ? "--join-tiles" : "--tile";
    const char *text = joins ? render->join_tiles : render->tile;
    int end = 0;
    if (text == NULL) {
        return COIF_OK;
    }
    const int count =
        joins ? 1 + sscanf(text, "%5dx%5d%n", &tile->columns, &tile->rows, &end)
              : sscanf(text, "%9d/%5dx%5d%n", &tile->index, &tile->columns, &tile->rows, &end);
    if (count != 3 || text[end] != '\0' || tile->columns < 1 || tile->rows < 1 ||
        tile->columns > 1000 || tile->rows > 1000 || (!joins && tile->index < 1) ||
        tile->index > tile->columns * tile->rows) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s \"%s\": expected %s", option, text,
                         joins ? "columns and rows, as 2x2" : "K/CxR, as 3/2x2");
    }
    const char *other = render->tile != NULL && joins  ? "--tile"
                        : render->crop != NULL         ? "--crop"
                        : render->preview != 0         ? "--preview"
                        : render->progressive != 0     ? "--progressive"
                        : render->time_limit > 0.0f    ? "--time-limit"
                        : render->keep_checkpoint != 0 ? "--keep-checkpoint"
                                                       : NULL;
    return other == NULL ? COIF_OK
                         : coif_fail(error, COIF_ERR_ARGUMENT, "%s and %s: expected one of them",
                                     option, other);
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const render_options *render = options;
    coif_scene *scene;
    COIF_TRY(coif_app_load_scene(&scene, app, render->scene, error));
    coif_render_desc desc = {
        .source.scene = scene,
        .source.cache = render->cache != NULL ? render->cache : render->out,
        .folder = render->out,
        .source.format = render->format,
        .frames = frames_of(scene, render->frames),
        .source.use_rest_pose = render->rest != 0,
        .source.bodies_only = render->bodies_only != 0,
        .source.wire = render->wire != 0,
        .source.wire_strands = render->wire_strands,
        .overwrite = render->force != 0,
        .preview = render->preview != 0,
        .source.compact = render->compact != 0,
        .source.isa = COIF_EMBREE_ISAS[render->embree_isa],
        .source.eval_map = coif_eval_hair_map,
        .source.film = render->preview == 0,
        .defer_denoise = render->defer_denoise != 0,
        .checkpoint_seconds = render->checkpoint,
        .time_limit = render->time_limit,
        .progressive = render->progressive != 0,
        .keep_checkpoint = render->keep_checkpoint != 0,
    };
    COIF_TRY(set_turntable(&desc, render, error));
    COIF_TRY(read_tile(&desc.source.tile, render, error));
    COIF_TRY(read_aovs(&desc, render, error));
    COIF_TRY(coif_path_make_directory(render->out, error));
    return coif_render_frames(&desc, app->jobs, app->progress, error);
}

const coif_command COIF_COMMAND_RENDER = {
    .name = "render",
    .help = "render a scene from its strand cache",
    .more = "The same command resumes an interrupted render: complete images are kept, an "
            "unfinished one\n"
            "continues from its checkpoint, and the pixels are those of an uninterrupted render.\n"
            "Several processes on one folder, also of several machines, divide the frames; frames "
            "of a\n"
            "process that dies are rendered by the others.\n"
            "The tiles of an image may be rendered by several processes too: after --tile 1/2x2 to "
            "4/2x2,\n"
            "--join-tiles 2x2 writes the same pixels as one process.\n"
            "Between frames hair is interpolated from the two frames of the cache around, on the\n"
            "posed body; the image of frame 12.5 is render0012.500.png.\n",
    .examples =
        "  coif render scenes/tiny.json --out out/tiny\n"
        "  coif render scenes/tiny.json --out out/still --cache out/tiny --frames 4 \\\n"
        "      --format exr --set image/width=256 --set image/height=256\n"
        "  coif render scenes/tiny.json --out out/tiny --format exr --aov hair_lobes,N,Z,crypto\n",
    COIF_COMMAND_OPTIONS(render_options, OPTIONS),
    .run = run,
};
