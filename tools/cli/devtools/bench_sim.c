// coif bench sim: throughput of the kernels and cost per frame of the whole simulation.
#include "sim/bench/kernel_bench.h"
#include "sim/bench/sim_bench.h"
#include "tools/cli/devtools/bench.h"

enum {
    KERNEL_STRANDS = 8000,   // for throughput per thread: fits into the caches
    SCALING_STRANDS = 20000, // for the speedup with two threads
    TABLE_STRANDS = 10000,   // where points and solvers are varied
    TABLE_ROWS = 32,
    ROUNDS = 7
};

// Time limit of one row of the table; its first frame is measured in any case.
static const double TABLE_ROW_SECONDS = 6.0;

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static coif_bench_desc full_sim_desc(const coif_app *app, const coif_bench_options *options,
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

typedef struct results {
    coif_bench_value values[16];
    size_t count;
} results;

static void add(results *found, const char *name, double value)
{
    found->values[found->count++] = (coif_bench_value){name, value};
}

static coif_status measure_full_sim(results *found, coif_app *app, coif_bench_desc desc,
                                    coif_error *error)
{
    coif_bench_result result;
    COIF_TRY(coif_bench_full_sim(&result, &desc, app->progress, error));
    add(found, "full_sim_seconds_per_frame", result.seconds);
    add(found, "full_sim_cpu_seconds_per_frame", result.cpu_seconds);
    add(found, "full_sim_threads", desc.threads);
    add(found, "peak_bytes_per_point", result.bytes_per_point);
    add(found, "strands_reset", result.reset_count);
    return COIF_OK;
}

static coif_status measure_scaling(results *found, coif_app *app, coif_bench_desc desc,
                                   coif_error *error)
{
    coif_bench_result result[2];
    desc.strands = smaller(desc.strands, SCALING_STRANDS);
    for (int i = 0; i < 2; ++i) {
        desc.threads = i + 1;
        COIF_TRY(coif_bench_full_sim(&result[i], &desc, app->progress, error));
    }
    add(found, "two_thread_speedup", result[0].best_seconds / result[1].best_seconds);
    add(found, "two_thread_speedup_cpu", 2.0 * result[0].cpu_seconds / result[1].cpu_seconds);
    return COIF_OK;
}

static coif_status measure_der(results *found, coif_app *app, coif_bench_desc desc,
                               coif_error *error)
{
    coif_bench_result result;
    desc.strands = smaller(desc.strands, KERNEL_STRANDS);
    desc.collide = desc.interaction = false;
    desc.threads = 1;
    COIF_TRY(coif_bench_full_sim(&result, &desc, app->progress, error));
    add(found, "der_million_vertex_substeps_per_second", 1e-6 * result.per_second);
    return COIF_OK;
}

// The whole simulation first, before anything else has touched memory.
static coif_status measure(results *found, coif_app *app, const coif_bench_options *options,
                           const coif_kernels *kernels, coif_error *error)
{
    const coif_bench_desc desc = full_sim_desc(app, options, kernels);
    const coif_kernel_bench_desc kernel_desc = {.kernels = kernels,
                                                .strands =
                                                    smaller(options->strands, KERNEL_STRANDS),
                                                .points = options->points,
                                                .substeps = options->substeps,
                                                .iterations = 4,
                                                .rounds = ROUNDS};
    const int32_t only = options->only;
    if (only == COIF_BENCH_ALL || only == COIF_BENCH_FULL_SIM) {
        COIF_TRY(measure_full_sim(found, app, desc, error));
    }
    if (only == COIF_BENCH_ALL || only == COIF_BENCH_SCALING) {
        COIF_TRY(measure_scaling(found, app, desc, error));
    }
    if (only == COIF_BENCH_ALL || only == COIF_BENCH_DER) {
        COIF_TRY(measure_der(found, app, desc, error));
    }
    if (only == COIF_BENCH_ALL || only == COIF_BENCH_DER_KERNEL) {
        add(found, "der_kernel_million_vertex_substeps_per_second",
            1e-6 * coif_kernel_bench_der(&kernel_desc, &app->arena));
    }
    if (only == COIF_BENCH_ALL || only == COIF_BENCH_PBD) {
        add(found, "pbd_million_particle_iterations_per_second",
            1e-6 * coif_kernel_bench_pbd(&kernel_desc, &app->arena));
    }
    add(found, "strands", options->strands);
    add(found, "points", options->points);
    add(found, "substeps", options->substeps);
    add(found, "simd_lanes", kernels->lanes);
    return COIF_OK;
}

static int32_t add_row(coif_bench_desc *rows, int32_t count, coif_bench_desc row)
{
    row.max_seconds = TABLE_ROW_SECONDS;
    rows[count] = row;
    return count + 1;
}

// Strand counts up to 1.5 times that of base, then point counts, then solvers.
static int32_t choose_rows(coif_bench_desc rows[TABLE_ROWS], const coif_bench_desc *base)
{
    static const int32_t strands[] = {1000, 3000, 10000, 30000, 100000, 150000};
    static const int32_t points[] = {8, 16, 32, 64, 128};
    int32_t count = 0;
    coif_bench_desc row = *base;
    for (size_t i = 0; i < COIF_COUNT_OF(strands); ++i) {
        row.strands = strands[i];
        if (strands[i] <= 3 * (int64_t)base->strands / 2) {
            count = add_row(rows, count, row);
        }
    }
    row.strands = smaller(base->strands, TABLE_STRANDS);
    for (size_t i = 0; i < COIF_COUNT_OF(points); ++i) {
        row.points = points[i];
        count = add_row(rows, count, row);
    }
    row.points = base->points;
    for (int32_t m = 0; COIF_METHOD_NAMES[m] != NULL && count < TABLE_ROWS; ++m) {
        row.solver = COIF_METHOD_NAMES[m];
        count = add_row(rows, count, row);
    }
    return count;
}

// Each line of text is printed as soon as it is measured; JSON at the end.
static coif_status print_table(coif_app *app, const coif_bench_desc *base, bool json,
                               coif_error *error)
{
    coif_bench_desc rows[TABLE_ROWS];
    const int32_t count = choose_rows(rows, base);
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "[");
    if (!json) {
        printf("%-8s %9s %8s %10s %12s %18s %22s %12s\n", "solver", "strands", "points", "s/frame",
               "CPU s/frame", "ns/point/substep", "M points/s per thread", "bytes/point");
    }
    for (int32_t i = 0; i < count; ++i) {
        const coif_bench_desc *row = &rows[i];
        coif_bench_result found;
        COIF_TRY(coif_bench_full_sim(&found, row, app->progress, error));
        const double nanoseconds =
            1e9 * found.cpu_seconds / ((double)row->strands * row->points * row->substeps);
        if (!json) {
            printf("%-8s %9d %8d %10.4f %12.4f %18.1f %22.2f %12.0f\n", row->solver, row->strands,
                   row->points, found.seconds, found.cpu_seconds, nanoseconds,
                   1e-6 * found.per_second, found.bytes_per_point);
            fflush(stdout);
        }
        const coif_bench_value values[] = {
            {"strands", row->strands},
            {"points", row->points},
            {"seconds_per_frame", found.seconds},
            {"cpu_seconds_per_frame", found.cpu_seconds},
            {"cpu_nanoseconds_per_point_substep", nanoseconds},
            {"million_point_substeps_per_second", 1e-6 * found.per_second},
            {"peak_bytes_per_point", found.bytes_per_point}};
        coif_write_open(&writer, NULL, "{");
        coif_write_text(&writer, "solver", row->solver);
        coif_bench_write_values(&writer, values, COIF_COUNT_OF(values));
        coif_write_close(&writer, "}");
    }
    coif_write_close(&writer, "]");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(json ? writer.text.data : "", NULL, error);
}

coif_status coif_bench_sim(coif_app *app, const coif_bench_options *options, coif_error *error)
{
    const coif_kernels *kernels;
    COIF_TRY(coif_kernels_find(&kernels, COIF_BENCH_KERNELS[options->kernel], error));
    if (options->table) {
        const coif_bench_desc base = full_sim_desc(app, options, kernels);
        return print_table(app, &base, options->json != 0, error);
    }
    results found = {.count = 0};
    COIF_TRY(measure(&found, app, options, kernels, error));
    return coif_bench_print_values(app, found.values, found.count, options->json != 0, error);
}
