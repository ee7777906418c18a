// coif bench: how fast coif is on this machine, in the figures of the documentation.
#include "core/json_writer.h"
#include "sim/measure.h"
#include "sim/proof/bench.h"
#include "tools/coif/command.h"

#include <math.h>
#include <string.h>

typedef struct bench_options {
    const char *subject;
    int32_t json, table;
    int32_t strands, points, substeps, frames;
    int32_t kernel;
} bench_options;

static const char *const KERNELS[] = {"auto", "wide4", "wide8", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_OPTION_WITH(COIF_OPTION_ARGUMENT | COIF_OPTION_NEEDED, bench_options, subject, COIF_PARAM_STRING, "", "what to measure: sim"),
    COIF_OPTION(bench_options, json, COIF_PARAM_BOOL, "", "as JSON"),
    COIF_OPTION(bench_options, table, COIF_PARAM_BOOL, "", "cost over strands, points and solvers instead"),
    COIF_OPTION_NUMBER(bench_options, strands, COIF_PARAM_INT, "N", "strands of the head", 100000, 8, 10000000),
    COIF_OPTION_NUMBER(bench_options, points, COIF_PARAM_INT, "N", "points per strand", 32, 4, 1000),
    COIF_OPTION_NUMBER(bench_options, substeps, COIF_PARAM_INT, "N", "steps per frame", 10, 1, 1000),
    COIF_OPTION_NUMBER(bench_options, frames, COIF_PARAM_INT, "N", "frames to measure, after one to get going", 5, 1, 60),
    COIF_OPTION_CHOICE(bench_options, kernel, KERNELS, "width of the kernels"),
};
// clang-format on

typedef struct figures {
    double pbd, rod, scaling, scaling_cpu;
    coif_bench head;
} figures;

// Small enough for caches to be warm, large enough to be no matter of luck.
enum { SOME_STRANDS = 8000, SCALING_STRANDS = 20000, ROUNDS = 7 };

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static coif_bench_desc head_desc(const bench_options *options, const coif_kernels *kernels)
{
    return (coif_bench_desc){.strands = options->strands,
                             .points = options->points,
                             .substeps = options->substeps,
                             .solver = "rod",
                             .touch = true,
                             .crowd = true,
                             .frames = options->frames,
                             .threads = 2,
                             .kernels = kernels};
}

static coif_status measure(figures *found, coif_app *app, const bench_options *options,
                           const coif_kernels *kernels, coif_error *error)
{
    // The whole head first, while nothing else has touched memory.
    coif_bench_desc head = head_desc(options, kernels);
    COIF_TRY(coif_bench_head(&found->head, &head, app->progress, error));

    coif_bench scale[2];
    head.strands = least(options->strands, SCALING_STRANDS);
    for (int i = 0; i < 2; ++i) {
        head.threads = i + 1;
        COIF_TRY(coif_bench_head(&scale[i], &head, app->progress, error));
    }
    found->scaling = scale[0].least / scale[1].least;
    found->scaling_cpu = 2.0 * scale[0].cpu_seconds / scale[1].cpu_seconds;

    coif_bench rod;
    coif_bench_desc alone = head_desc(options, kernels);
    alone.strands = least(options->strands, SOME_STRANDS);
    alone.touch = alone.crowd = false;
    alone.threads = 1;
    COIF_TRY(coif_bench_head(&rod, &alone, app->progress, error));
    found->rod = 1e-6 * rod.per_second;

    const coif_measure_desc pbd = {.kernels = kernels,
                                   .strands = least(options->strands, SOME_STRANDS),
                                   .points = options->points,
                                   .substeps = options->substeps,
                                   .iterations = 4,
                                   .rounds = ROUNDS};
    found->pbd = 1e-6 * coif_measure_pbd(&pbd, &app->arena);
    return COIF_OK;
}

static coif_status print_json(coif_app *app, const bench_options *options, const figures *found,
                              const coif_kernels *kernels, coif_error *error)
{
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "{");
    coif_write_number(&writer, "pbd_mpi_per_s_thread", found->pbd);
    coif_write_number(&writer, "rod_mvs_per_s_thread", found->rod);
    coif_write_number(&writer, "scaling_2", found->scaling);
    coif_write_number(&writer, "scaling_2_cpu", found->scaling_cpu);
    coif_write_number(&writer, "head_100k_s_per_frame", found->head.seconds);
    coif_write_number(&writer, "head_100k_cpu_s_per_frame", found->head.cpu_seconds);
    coif_write_number(&writer, "bytes_per_point", found->head.bytes);
    coif_write_number(&writer, "strands", options->strands);
    coif_write_number(&writer, "points", options->points);
    coif_write_number(&writer, "substeps", options->substeps);
    coif_write_number(&writer, "healed", found->head.healed);
    coif_write_text(&writer, "kernel", kernels->name);
    coif_write_close(&writer, "}");
    coif_text_add(&writer.text, "\n");
    return coif_app_print(writer.text.data, NULL, error);
}

static coif_status print_text(coif_app *app, const bench_options *options, const figures *found,
                              const coif_kernels *kernels, coif_error *error)
{
    coif_text text;
    coif_text_init(&text, &app->arena);
    coif_text_print(&text, "kernels %s\n", kernels->name);
    coif_text_print(&text, "pbd     %8.1f M particle-iterations/s per thread (distance and bend)\n",
                    found->pbd);
    coif_text_print(&text, "rod     %8.1f M vertex-substeps/s per thread, with twist\n",
                    found->rod);
    coif_text_print(&text,
                    "head    %8.3f s per frame on 2 threads (%.3f s of processor): %d strands x %d "
                    "points, %d substeps, contact and hair against hair\n",
                    found->head.seconds, found->head.cpu_seconds, options->strands, options->points,
                    options->substeps);
    coif_text_print(&text, "scaling %8.2f times as fast with 2 threads (%.2f by processor time)\n",
                    found->scaling, found->scaling_cpu);
    coif_text_print(&text, "memory  %8.0f bytes per point, everything counted\n",
                    found->head.bytes);
    return coif_app_print(text.data, NULL, error);
}

typedef struct row {
    const char *solver;
    int32_t strands, points;
    coif_bench found;
} row;

static coif_status measure_row(row *r, coif_app *app, const bench_options *options,
                               const coif_kernels *kernels, coif_error *error)
{
    coif_bench_desc desc = head_desc(options, kernels);
    desc.solver = r->solver;
    desc.strands = r->strands;
    desc.points = r->points;
    desc.frames = r->strands > 50000 ? least(options->frames, 2) : options->frames;
    return coif_bench_head(&r->found, &desc, app->progress, error);
}

// Strands from a thousand on, points, then every solver; each line as soon as it is there.
static coif_status print_table(coif_app *app, const bench_options *options,
                               const coif_kernels *kernels, coif_error *error)
{
    static const int32_t strands[] = {1000, 3000, 10000, 30000, 100000, 150000};
    static const int32_t points[] = {8, 16, 64, 128};
    row rows[32];
    int32_t count = 0;
    for (size_t i = 0; i < COIF_COUNT_OF(strands) && strands[i] <= 3 * options->strands / 2; ++i) {
        rows[count++] = (row){.solver = "rod", .strands = strands[i], .points = options->points};
    }
    const int32_t some = least(options->strands, 10000);
    for (size_t i = 0; i < COIF_COUNT_OF(points); ++i) {
        rows[count++] = (row){.solver = "rod", .strands = some, .points = points[i]};
    }
    for (int32_t m = 0; COIF_METHOD_NAMES[m] != NULL && count < 32; ++m) {
        rows[count++] =
            (row){.solver = COIF_METHOD_NAMES[m], .strands = some, .points = options->points};
    }
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "[");
    if (!options->json) {
        printf("%-8s %9s %8s %12s %12s %16s %8s\n", "solver", "strands", "points", "s/frame",
               "cpu s/frame", "M points/s/core", "bytes/pt");
    }
    for (int32_t i = 0; i < count; ++i) {
        COIF_TRY(measure_row(&rows[i], app, options, kernels, error));
        const coif_bench *found = &rows[i].found;
        if (!options->json) {
            printf("%-8s %9d %8d %12.4f %12.4f %16.2f %8.0f\n", rows[i].solver, rows[i].strands,
                   rows[i].points, found->seconds, found->cpu_seconds, 1e-6 * found->per_second,
                   found->bytes);
            fflush(stdout);
        }
        coif_write_open(&writer, NULL, "{");
        coif_write_text(&writer, "solver", rows[i].solver);
        coif_write_number(&writer, "strands", rows[i].strands);
        coif_write_number(&writer, "points", rows[i].points);
        coif_write_number(&writer, "s_per_frame", found->seconds);
        coif_write_number(&writer, "cpu_s_per_frame", found->cpu_seconds);
        coif_write_number(&writer, "mps_per_s_thread", 1e-6 * found->per_second);
        coif_write_number(&writer, "bytes_per_point", found->bytes);
        coif_write_close(&writer, "}");
    }
    coif_write_close(&writer, "]");
    coif_text_add(&writer.text, "\n");
    return coif_app_print(options->json ? writer.text.data : "", NULL, error);
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const bench_options *bench = options;
    if (strcmp(bench->subject, "sim") != 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "cannot measure '%s'; known: sim",
                         bench->subject);
    }
    const coif_kernels *kernels;
    COIF_TRY(coif_kernels_find(&kernels, KERNELS[bench->kernel], error));
    if (bench->table) {
        return print_table(app, bench, kernels, error);
    }
    figures found;
    COIF_TRY(measure(&found, app, bench, kernels, error));
    return bench->json ? print_json(app, bench, &found, kernels, error)
                       : print_text(app, bench, &found, kernels, error);
}

const coif_command COIF_COMMAND_BENCH = {
    .name = "bench",
    .help = "measure how fast hair moves on this machine",
    .more =
        "\nNo file is needed: the head is an ellipsoid of 43,200 triangles that turns by 3 "
        "degrees\n"
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
        "  scaling_2              two threads against one, for the head with 20,000 strands\n"
        "  scaling_2_cpu          the same from the time processors spent, for busy machines\n"
        "  head_100k_s_per_frame  the head at 24 frames per second, with contact and hair against\n"
        "                         hair, on 2 threads: the middle one of the frames\n"
        "  bytes_per_point        the most memory at once: meshes, groom, strands, scratch\n",
    .examples = "  coif bench sim\n"
                "  coif bench sim --json --strands 10000\n"
                "  coif bench sim --table\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(bench_options),
    .run = run,
};
