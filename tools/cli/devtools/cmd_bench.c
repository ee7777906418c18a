// coif bench: how fast coif is on this machine, in the figures of the documentation.
#include "core/json/json_writer.h"
#include "render/bench/hairball_scene.h"
#include "sim/bench/kernel_bench.h"
#include "tools/cli/devtools/bench.h"
#include "tools/cli/devtools/bench_table.h"

#include <string.h>

// What there is to measure, as bits 1 << (ONLY - 1).
enum { ALL, PBD, ROD, STEP, SCALING, HEAD };
static const char *const ONLY[] = {"all", "pbd", "der", "step", "scaling", "full_sim", NULL};

static const char *const KERNELS[] = {"auto", "wide4", "wide8", NULL};
static const char *const CURVES[] = {"round", "flat", "linear", NULL};
static const char *const FILTERS[] = {"blackman", "tent", "box", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, coif_bench_options, subject, COIF_PARAM_STRING, "", "what to measure: sim or render"),
    COIF_ARG_CHOICE(coif_bench_options, only, ONLY, "sim: one figure instead of all"),
    COIF_ARG(coif_bench_options, json, COIF_PARAM_BOOL, "", "as JSON"),
    COIF_ARG(coif_bench_options, table, COIF_PARAM_BOOL, "", "cost over strands (sim: also points and solvers) instead"),
    COIF_ARG_NUMBER(coif_bench_options, strands, COIF_PARAM_INT, "N", "strands; sim has 100,000, render 50,000", 0, 8, 10000000),
    COIF_ARG_NUMBER(coif_bench_options, points, COIF_PARAM_INT, "N", "points per strand", 32, 4, 1000),
    COIF_ARG_NUMBER(coif_bench_options, substeps, COIF_PARAM_INT, "N", "sim: steps per frame", 10, 1, 1000),
    COIF_ARG_NUMBER(coif_bench_options, frames, COIF_PARAM_INT, "N", "sim: frames to measure, after one to get going", 5, 1, 60),
    COIF_ARG_CHOICE(coif_bench_options, kernel, KERNELS, "sim: width of the kernels"),
    COIF_ARG_CHOICE(coif_bench_options, setting, COIF_HAIRBALL_NAMES, "render: hair and light"),
    COIF_ARG_CHOICE(coif_bench_options, curves, CURVES, "render: how strands are drawn"),
    COIF_ARG_CHOICE(coif_bench_options, filter, FILTERS, "render: how samples spread around a pixel"),
    COIF_ARG(coif_bench_options, compact, COIF_PARAM_BOOL, "", "render: half the memory for a fifth fewer rays"),
    COIF_ARG_NUMBER(coif_bench_options, motion, COIF_PARAM_INT, "STEPS", "render: motion blur over so many steps", 1, 1, 16),
    COIF_ARG_NUMBER(coif_bench_options, size, COIF_PARAM_INT, "PIXELS", "render: width and height of the picture", 640, 8, 8192),
    COIF_ARG_NUMBER(coif_bench_options, samples, COIF_PARAM_INT, "N", "render: paths per pixel", 4, 1, 65536),
    COIF_ARG_NUMBER(coif_bench_options, seed, COIF_PARAM_INT, "N", "render: another number gives other noise", 0, 0, 2147483647),
    COIF_ARG_NUMBER(coif_bench_options, depth, COIF_PARAM_INT, "N", "render: most scatterings per path; 0 for no limit", 0, 0, 4096),
    COIF_ARG(coif_bench_options, picture, COIF_PARAM_PATH, "FILE", "render: one picture and its cost instead"),
    COIF_ARG(coif_bench_options, hair, COIF_PARAM_PATH, "FILE", "render: only write the strands, as .hair"),
    COIF_ARG(coif_bench_options, sky, COIF_PARAM_PATH, "FILE", "render: only write the sky of the setting fur"),
};
// clang-format on

typedef struct figures {
    double pbd, rod, step, scaling, scaling_cpu;
    coif_bench_result head;
} figures;

// Small enough for caches to be warm, large enough to be no matter of luck.
enum { SOME_STRANDS = 8000, SCALING_STRANDS = 20000, ROUNDS = 7 };

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static coif_bench_desc head_desc(const coif_app *app, const coif_bench_options *options,
                                 const coif_kernels *kernels)
{
    return (coif_bench_desc){.strands = options->strands,
                             .points = options->points,
                             .substeps = options->substeps,
                             .solver = "der",
                             .collide = true,
                             .interaction = true,
                             .frames = options->frames,
                             .threads = app->globals.threads > 0 ? app->globals.threads : 2,
                             .kernels = kernels};
}

static bool wants(const coif_bench_options *options, int32_t figure)
{
    return options->only == ALL || options->only == figure;
}

static coif_status measure_scaling(figures *found, coif_app *app, coif_bench_desc head,
                                   coif_error *error)
{
    coif_bench_result scale[2];
    head.strands = least(head.strands, SCALING_STRANDS);
    for (int i = 0; i < 2; ++i) {
        head.threads = i + 1;
        COIF_TRY(coif_bench_full_sim(&scale[i], &head, app->progress, error));
    }
    found->scaling = scale[0].best_seconds / scale[1].best_seconds;
    found->scaling_cpu = 2.0 * scale[0].cpu_seconds / scale[1].cpu_seconds;
    return COIF_OK;
}

static coif_status measure_rod(figures *found, coif_app *app, coif_bench_desc alone,
                               coif_error *error)
{
    coif_bench_result rod;
    alone.strands = least(alone.strands, SOME_STRANDS);
    alone.collide = alone.interaction = false;
    alone.threads = 1;
    COIF_TRY(coif_bench_full_sim(&rod, &alone, app->progress, error));
    found->rod = 1e-6 * rod.per_second;
    return COIF_OK;
}

static coif_status measure(figures *found, coif_app *app, const coif_bench_options *options,
                           const coif_kernels *kernels, coif_error *error)
{
    // The whole head first, while nothing else has touched memory.
    const coif_bench_desc head = head_desc(app, options, kernels);
    if (wants(options, HEAD)) {
        COIF_TRY(coif_bench_full_sim(&found->head, &head, app->progress, error));
    }
    if (wants(options, SCALING)) {
        COIF_TRY(measure_scaling(found, app, head, error));
    }
    if (wants(options, ROD)) {
        COIF_TRY(measure_rod(found, app, head, error));
    }
    const coif_kernel_bench_desc some = {.kernels = kernels,
                                         .strands = least(options->strands, SOME_STRANDS),
                                         .points = options->points,
                                         .substeps = options->substeps,
                                         .iterations = 4,
                                         .rounds = ROUNDS};
    if (wants(options, STEP)) {
        found->step = 1e-6 * coif_kernel_bench_der(&some, &app->arena);
    }
    if (wants(options, PBD)) {
        found->pbd = 1e-6 * coif_kernel_bench_pbd(&some, &app->arena);
    }
    return COIF_OK;
}

static coif_status print_json(coif_app *app, const coif_bench_options *options,
                              const figures *found, const coif_kernels *kernels, coif_error *error)
{
    const struct {
        int32_t figure;
        const char *name;
        double value;
    } rows[] = {{PBD, "pbd_mpi_per_s_thread", found->pbd},
                {ROD, "rod_mvs_per_s_thread", found->rod},
                {STEP, "rod_step_mvs_per_s_thread", found->step},
                {SCALING, "scaling_2", found->scaling},
                {SCALING, "scaling_2_cpu", found->scaling_cpu},
                {HEAD, "head_100k_s_per_frame", found->head.seconds},
                {HEAD, "head_100k_cpu_s_per_frame", found->head.cpu_seconds},
                {HEAD, "bytes_per_point", found->head.bytes_per_point},
                {HEAD, "healed", found->head.reset_count}};
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "{");
    for (size_t i = 0; i < COIF_COUNT_OF(rows); ++i) {
        if (wants(options, rows[i].figure)) {
            coif_write_number(&writer, rows[i].name, rows[i].value);
        }
    }
    coif_write_number(&writer, "strands", options->strands);
    coif_write_number(&writer, "points", options->points);
    coif_write_number(&writer, "substeps", options->substeps);
    coif_write_text(&writer, "kernel", kernels->name);
    coif_write_close(&writer, "}");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(writer.text.data, NULL, error);
}

static coif_status print_text(coif_app *app, const coif_bench_options *options,
                              const figures *found, const coif_kernels *kernels, coif_error *error)
{
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    coif_strbuf_print(&text, "kernels %s\n", kernels->name);
    if (wants(options, PBD)) {
        coif_strbuf_print(&text,
                          "pbd     %8.1f M particle-iterations/s per thread (distance and "
                          "bend)\n",
                          found->pbd);
    }
    if (wants(options, ROD)) {
        coif_strbuf_print(&text,
                          "rod     %8.1f M vertex-substeps/s per thread, with twist, on the "
                          "whole path\n",
                          found->rod);
    }
    if (wants(options, STEP)) {
        coif_strbuf_print(&text,
                          "step    %8.1f M vertex-substeps/s per thread, the kernels of the "
                          "rod alone\n",
                          found->step);
    }
    if (wants(options, HEAD)) {
        const coif_bench_desc desc = head_desc(app, options, kernels);
        coif_strbuf_print(
            &text,
            "head    %8.3f s per frame on %d threads (%.3f s of processor): %d strands "
            "x %d points, %d substeps, contact and hair against hair\n",
            found->head.seconds, desc.threads, found->head.cpu_seconds, options->strands,
            options->points, options->substeps);
        coif_strbuf_print(&text, "memory  %8.0f bytes per point, everything counted\n",
                          found->head.bytes_per_point);
    }
    if (wants(options, SCALING)) {
        coif_strbuf_print(&text,
                          "scaling %8.2f times as fast with 2 threads (%.2f by processor time)\n",
                          found->scaling, found->scaling_cpu);
    }
    return coif_app_print(text.data, NULL, error);
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const coif_bench_options *asked = options;
    if (strcmp(asked->subject, "render") == 0) {
        return coif_bench_render(app, asked, error);
    }
    if (strcmp(asked->subject, "sim") != 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "cannot measure '%s'; known: sim, render",
                         asked->subject);
    }
    coif_bench_options own = *asked, *bench = &own;
    own.strands = own.strands > 0 ? own.strands : 100000;
    const coif_kernels *kernels;
    COIF_TRY(coif_kernels_find(&kernels, KERNELS[bench->kernel], error));
    if (bench->table) {
        const coif_bench_desc head = head_desc(app, bench, kernels);
        return coif_bench_table(app, &head, bench->json != 0, error);
    }
    figures found = {0};
    COIF_TRY(measure(&found, app, bench, kernels, error));
    return bench->json ? print_json(app, bench, &found, kernels, error)
                       : print_text(app, bench, &found, kernels, error);
}

const coif_command COIF_COMMAND_BENCH = {
    .name = "bench",
    .help = "measure how fast hair moves and is rendered on this machine",
    .more =
        "\nNo file is needed.\n"
        "\n"
        "sim: the head is an ellipsoid of 43,200 triangles that turns by 3 degrees\n"
        "per frame, with wavy strands of 25 cm, made in memory. Figures per thread are in the "
        "time\n"
        "of that thread; figures per frame are by the clock on the wall, so leave the machine\n"
        "alone meanwhile. The full head needs about 1.5 GB and half a minute.\n"
        "\n"
        "  pbd_mpi_per_s_thread   million particle-iterations per second: one distance and one\n"
        "                         bending constraint per particle and iteration, and its share of\n"
        "                         prediction and velocities\n"
        "  rod_mvs_per_s_thread   million vertex-substeps per second of rods, twist included, "
        "with\n"
        "                         everything the solver does but contact and hair against hair\n"
        "  rod_step_mvs_per_s_thread  the same of the rod's kernels alone\n"
        "  scaling_2              two threads against one, for the head with 20,000 strands\n"
        "  scaling_2_cpu          the same from the time processors spent, for busy machines\n"
        "  head_100k_s_per_frame  the head at 24 frames per second, with contact and hair against\n"
        "                         hair, on 2 threads (or --threads): the middle one of the\n"
        "                         frames\n"
        "  bytes_per_point        the most memory at once: meshes, groom, strands, scratch\n"
        "\n"
        "--table measures that head from 1,000 to 1.5 times --strands strands, with 8 to 128 "
        "points\n"
        "and under every solver, some seconds each. Cost is linear where ns/point is the same.\n"
        "\n"
        "render: curly dark hair on a ball under a square lamp and a grey sky, 640 x 640 pixels,\n"
        "on one thread. Needs about 300 MB and half a minute; --table goes to a million strands\n"
        "and 4 GB, three minutes, and leaves out what does not fit into free memory.\n"
        "\n"
        "  msamples_per_cpu_s     million paths per second of processor time: the best of three\n"
        "  embree_share           of the time is spent inside the ray tracing library\n"
        "  scaling_2              two threads against one, by the clock on the wall\n"
        "  scaling_2_cpu          the same from the time processors spent, for busy machines\n"
        "  bytes_per_segment      the most memory at once, over what the program had before\n"
        "  build_us_per_segment   processor time from curves to the first ray\n",
    .examples = "  coif bench sim\n"
                "  coif bench sim --json --strands 10000\n"
                "  coif bench sim --only rod --strands 8000 --points 64 --kernel wide4\n"
                "  coif bench sim --table\n"
                "  coif bench render\n"
                "  coif bench render --table --json\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(coif_bench_options),
    .run = run,
};
