// coif denoise: denoise rendered frames over their neighbours.
#include "render/denoise/denoise_window.h"
#include "render/driver/denoise_film.h"
#include "tools/cli/command.h"

typedef struct denoise_options {
    const char *folder;
    int32_t radius, force, delete_inputs;
} denoise_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(denoise_options, folder, "folder of render0001.denoise, ..."),
    COIF_ARG_NUMBER(denoise_options, radius, COIF_PARAM_INT, "N", "frames before and after each frame that are averaged along the motion; 0: image/denoise_frames of the render", 0, 0, COIF_MAX_DENOISE_RADIUS),
    COIF_ARG(denoise_options, force, COIF_PARAM_BOOL, "", "denoise again even where a complete image exists"),
    COIF_ARG(denoise_options, delete_inputs, COIF_PARAM_BOOL, "", "delete the inputs after all images are written"),
};
// clang-format on

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const denoise_options *denoise = options;
    const coif_denoise_film_desc desc = {
        .folder = denoise->folder,
        .radius = denoise->radius,
        .overwrite = denoise->force != 0,
        .delete_inputs = denoise->delete_inputs != 0,
    };
    return coif_denoise_film(&desc, app->jobs, app->progress, error);
}

const coif_command COIF_COMMAND_DENOISE = {
    .name = "denoise",
    .help = "denoise rendered frames over their neighbours",
    .more =
        "Reads render0001.denoise, ... that coif render writes with image/denoise and\n"
        "image/denoise_frames, and writes render0001.denoised.png, ... in the formats of the\n"
        "render. No scene is needed. Images that are up to date are kept; those whose\n"
        "neighbours have changed are made again, so frames may be rendered in any order by any\n"
        "number of processes.\n",
    .examples = "  coif render scenes/tiny.json --out out/tiny --set image/denoise=true \\\n"
                "      --set image/samples=16 --set image/denoise_frames=2 --defer-denoise\n"
                "  coif denoise out/tiny\n",
    COIF_COMMAND_OPTIONS(denoise_options, OPTIONS),
    .run = run,
};
