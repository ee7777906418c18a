#include "tools/cli/devtools/bench_table.h"

#include "core/json/json_writer.h"

// Where strands are many, points are not varied.
enum { SOME_STRANDS = 10000, MOST_ROWS = 32 };

// Longest that frames of one row are measured; the first one counts however long it takes.
static const double MOST_SECONDS = 6.0;

typedef struct table {
    coif_bench_desc rows[MOST_ROWS];
    int32_t count;
} table;

static void add(table *all, const coif_bench_desc *head, const char *solver, int32_t strands,
                int32_t points)
{
    if (all->count < MOST_ROWS) {
        coif_bench_desc *row = &all->rows[all->count++];
        *row = *head;
        row->solver = solver;
        row->strands = strands;
        row->points = points;
        row->max_seconds = MOST_SECONDS;
    }
}

static void choose_rows(table *all, const coif_bench_desc *head)
{
    static const int32_t strands[] = {1000, 3000, 10000, 30000, 100000, 150000};
    static const int32_t points[] = {8, 16, 32, 64, 128};
    const int32_t some = head->strands < SOME_STRANDS ? head->strands : SOME_STRANDS;
    for (size_t i = 0; i < COIF_COUNT_OF(strands); ++i) {
        if (strands[i] <= 3 * (int64_t)head->strands / 2) {
            add(all, head, head->solver, strands[i], head->points);
        }
    }
    for (size_t i = 0; i < COIF_COUNT_OF(points); ++i) {
        add(all, head, head->solver, some, points[i]);
    }
    for (int32_t m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        add(all, head, COIF_METHOD_NAMES[m], some, head->points);
    }
}

// Processor time per point and substep.
static double nanoseconds(const coif_bench_desc *row, const coif_bench_result *found)
{
    return 1e9 * found->cpu_seconds / ((double)row->strands * row->points * row->substeps);
}

static void print_row(const coif_bench_desc *row, const coif_bench_result *found)
{
    printf("%-8s %9d %8d %10.4f %12.4f %10.1f %16.2f %9.0f\n", row->solver, row->strands,
           row->points, found->seconds, found->cpu_seconds, nanoseconds(row, found),
           1e-6 * found->per_second, found->bytes_per_point);
    fflush(stdout);
}

static void write_row(coif_json_writer *writer, const coif_bench_desc *row,
                      const coif_bench_result *found)
{
    coif_write_open(writer, NULL, "{");
    coif_write_text(writer, "solver", row->solver);
    coif_write_number(writer, "strands", row->strands);
    coif_write_number(writer, "points", row->points);
    coif_write_number(writer, "s_per_frame", found->seconds);
    coif_write_number(writer, "cpu_s_per_frame", found->cpu_seconds);
    coif_write_number(writer, "cpu_ns_per_point_substep", nanoseconds(row, found));
    coif_write_number(writer, "mps_per_s_thread", 1e-6 * found->per_second);
    coif_write_number(writer, "bytes_per_point", found->bytes_per_point);
    coif_write_close(writer, "}");
}

coif_status coif_bench_table(coif_app *app, const coif_bench_desc *head, bool json,
                             coif_error *error)
{
    table all = {.count = 0};
    choose_rows(&all, head);
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "[");
    if (!json) {
        printf("%-8s %9s %8s %10s %12s %10s %16s %9s\n", "solver", "strands", "points", "s/frame",
               "cpu s/frame", "ns/point", "M points/s/core", "bytes/pt");
    }
    for (int32_t i = 0; i < all.count; ++i) {
        coif_bench_result found;
        COIF_TRY(coif_bench_full_sim(&found, &all.rows[i], app->progress, error));
        if (!json) {
            print_row(&all.rows[i], &found);
        }
        write_row(&writer, &all.rows[i], &found);
    }
    coif_write_close(&writer, "]");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(json ? writer.text.data : "", NULL, error);
}
