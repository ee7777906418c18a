// coif sim: simulate a scene and write one cache file per frame.
#include "sim/run/simulate.h"
#include "tools/cli/command.h"

typedef struct sim_options {
    const char *scene;
    const char *out;
    coif_frame_range frames;
    const char *from;
    const char *groom, *partition;
    int32_t join;
    int32_t kernel;
    int32_t force;
} sim_options;

static const char *const KERNELS[] = {"auto", "wide4", "wide8", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(sim_options, scene, "scene file"),
    COIF_ARG_WITH(COIF_ARG_REQUIRED, sim_options, out, COIF_PARAM_PATH, "DIR", "output folder for the strand cache"),
    COIF_ARG(sim_options, frames, COIF_ARG_FRAMES, "A-B", "frames to write, as 1-48; earlier frames are simulated but not written"),
    COIF_ARG(sim_options, groom, COIF_PARAM_STRING, "NAME", "simulate this groom only (default: all grooms)"),
    COIF_ARG(sim_options, partition, COIF_PARAM_STRING, "K/N", "simulate part K of N of the strands of each groom, where strands do not interact"),
    COIF_ARG_NUMBER(sim_options, join, COIF_PARAM_INT, "N", "join the frames of N partitions to those of whole grooms, and delete them; 0 simulates", 0, 0, 10000),
    COIF_ARG(sim_options, from, COIF_PARAM_PATH, "FILE", "state file to start from, instead of sim/initial_state; # is replaced by the groom name"),
    COIF_ARG_CHOICE(sim_options, kernel, KERNELS, "SIMD width of the kernels; the result has the same bits"),
    COIF_ARG(sim_options, force, COIF_PARAM_BOOL, "", "simulate again even where valid frames exist"),
};
// clang-format on

static coif_status read_partition(coif_partition *partition, const sim_options *sim,
                                  coif_error *error)
{
    int end = 0;
    *partition = (coif_partition){0, sim->join};
    if (sim->partition == NULL) {
        return COIF_OK;
    }
    if (sim->join > 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--partition and --join: expected one of them: partitions are joined "
                         "after all have been simulated");
    }
    if (sscanf(sim->partition, "%9d/%9d%n", &partition->index, &partition->count, &end) != 2 ||
        sim->partition[end] != '\0' || partition->index < 1 ||
        partition->index > partition->count || partition->count > 10000) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--partition \"%s\": expected K/N with K from 1 to N, as 2/8",
                         sim->partition);
    }
    return COIF_OK;
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const sim_options *sim = options;
    coif_scene *scene;
    coif_partition partition;
    COIF_TRY(read_partition(&partition, sim, error));
    COIF_TRY(coif_app_load_scene(&scene, app, sim->scene, error));
    COIF_TRY(coif_path_make_directory(sim->out, error));
    const coif_simulate_desc desc = {
        .scene = scene,
        .folder = sim->out,
        .frames = sim->frames,
        .from = sim->from,
        .groom = sim->groom,
        .partition = partition,
        .redo = sim->force != 0,
        .kernel = KERNELS[sim->kernel],
    };
    return coif_simulate(&desc, app->jobs, app->progress, error);
}

const coif_command COIF_COMMAND_SIM = {
    .name = "sim",
    .help = "simulate a scene into a strand cache",
    .more = "Writes DIR/NAME.groom, DIR/NAME.0001.strands, ... and, periodically, "
            "DIR/NAME.0008.state.\n"
            "The same command resumes an interrupted simulation; the files have the same bytes as "
            "those\n"
            "of an uninterrupted run. Several processes on one folder divide the grooms; none "
            "simulates\n"
            "a groom that another one simulates. Strands that do not interact can be divided too: "
            "after\n"
            "--partition 1/8 to 8/8, in any order and at the same time, --join 8 writes the same "
            "files as\n"
            "one process.\n",
    .examples = "  coif sim scenes/tiny.json --out out/tiny\n"
                "  coif sim scenes/tiny.json --out out/tiny --frames 1-3 --set sim/substeps=4\n",
    COIF_COMMAND_OPTIONS(sim_options, OPTIONS),
    .run = run,
};
