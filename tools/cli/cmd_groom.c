// coif groom: generate the grooms of a scene in the rest pose.
#include "sim/run/simulate.h"
#include "tools/cli/command.h"

typedef struct groom_options {
    const char *scene;
    const char *out;
    int32_t frame;
} groom_options;

enum { FIRST_FRAME = -1 }; // below the range of --frame

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(groom_options, scene, "scene file"),
    COIF_ARG_WITH(COIF_ARG_REQUIRED, groom_options, out, COIF_PARAM_PATH, "DIR", "output folder for NAME.groom"),
    COIF_ARG_NUMBER(groom_options, frame, COIF_PARAM_INT, "N", "frame at which keyframed parameters are evaluated (default: the first)", FIRST_FRAME, 0, 9999999),
};
// clang-format on

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const groom_options *groom = options;
    coif_scene *scene;
    COIF_TRY(coif_app_load_scene(&scene, app, groom->scene, error));
    COIF_TRY(coif_path_make_directory(groom->out, error));
    const int frame = groom->frame;
    const coif_simulate_desc desc = {
        .scene = scene, .folder = groom->out, .moment = frame == FIRST_FRAME ? NULL : &frame};
    return coif_simulate_groom(&desc, app->jobs, app->progress, error);
}

const coif_command COIF_COMMAND_GROOM = {
    .name = "groom",
    .help = "generate the grooms of a scene in the rest pose",
    .more =
        "Writes DIR/NAME.groom for each groom of the scene; a file that is up to date is kept.\n"
        "Keyframes of a groom, of its maps and of its modifiers animate the rest pose.\n",
    .examples = "  coif groom scenes/tiny.json --out out/tiny\n"
                "  coif groom scenes/tiny.json --out out/tiny12 --frame 12\n",
    COIF_COMMAND_OPTIONS(groom_options, OPTIONS),
    .run = run,
};
