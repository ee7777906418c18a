// coif validate sim --table: largest errors and costs of the solvers side by side, as Markdown.
#include "core/base/strbuf.h"
#include "sim/bench/sim_bench.h"
#include "tools/cli/devtools/validate.h"

#include <math.h>
#include <string.h>

enum { MAX_SOLVERS = 8, COST_STRANDS = 1000, COST_POINTS = 32, COST_SUBSTEPS = 10 };

// One column.
typedef struct solver_column {
    const char *solver;
    double nanoseconds; // CPU time per point and substep
    double max_stretch; // over all experiments
    int32_t reset_count;
} solver_column;

// CPU time of the benchmark head on one thread.
static coif_status measure_cost(solver_column *column, coif_app *app, coif_error *error)
{
    coif_bench_desc desc = {.strands = COST_STRANDS,
                            .points = COST_POINTS,
                            .substeps = COST_SUBSTEPS,
                            .solver = column->solver,
                            .collide = true,
                            .frames = 8,
                            .max_seconds = 20.0,
                            .threads = 1};
    COIF_TRY(coif_kernels_find(&desc.kernels, "auto", error));
    coif_bench_result bench;
    COIF_TRY(coif_bench_full_sim(&bench, &desc, app->progress, error));
    column->nanoseconds = 1e9 / bench.per_second;
    return COIF_OK;
}

static solver_column *find_column(solver_column *columns, int32_t count, const char *solver)
{
    for (int32_t m = 0; m < count; ++m) {
        if (strcmp(columns[m].solver, solver) == 0) {
            return &columns[m];
        }
    }
    return NULL;
}

// The solvers of the results: first the one with tolerances, then in the order of the results.
static int32_t collect_columns(solver_column *columns, const coif_validation_result *results,
                               int32_t count)
{
    int32_t column_count = 0;
    for (int pass = 0; pass < 2; ++pass) {
        for (int32_t i = 0; i < count; ++i) {
            const coif_validation_result *result = &results[i];
            if ((strcmp(result->solver, COIF_VALIDATION_SOLVER) == 0) != (pass == 0)) {
                continue;
            }
            solver_column *column = find_column(columns, column_count, result->solver);
            if (column == NULL && column_count < MAX_SOLVERS) {
                column = &columns[column_count++];
                *column = (solver_column){.solver = result->solver};
            }
            if (column != NULL) {
                column->reset_count += result->reset_count;
                column->max_stretch = fmax(column->max_stretch, result->max_stretch);
            }
        }
    }
    return column_count;
}

// The result of a series and a solver with the largest error, NULL when there is none.
static const coif_validation_result *worst_of(const coif_validation_result *results, int32_t count,
                                              const coif_series *series, const char *solver)
{
    const coif_validation_result *worst = NULL;
    for (int32_t i = 0; i < count; ++i) {
        const coif_validation_result *f = &results[i];
        if (f->series == series && strcmp(f->solver, solver) == 0 &&
            (worst == NULL || !(f->error <= worst->error))) {
            worst = f;
        }
    }
    return worst;
}

static void print_error(coif_strbuf *text, const coif_validation_result *worst)
{
    if (worst->reference == 0.0) {
        coif_strbuf_print(text, " %.1g |", worst->error);
    } else if (worst->error > 1.0) {
        const double times = worst->value / worst->reference;
        coif_strbuf_print(text, fabs(times) < 10.0 ? " x %.1f |" : " x %.0f |", times);
    } else {
        coif_strbuf_print(text, " %.2g %% |", 100.0 * worst->error);
    }
}

static void print_costs(coif_strbuf *text, const solver_column *columns, int32_t count)
{
    const double points = (double)COST_STRANDS * COST_POINTS * COST_SUBSTEPS * 24.0;
    coif_strbuf_add(text, "| maximum stretch of a segment, all experiments |");
    for (int32_t m = 0; m < count; ++m) {
        coif_strbuf_print(text, " %.1g %% |", 100.0 * columns[m].max_stretch);
    }
    coif_strbuf_add(text, "\n| strands reset |");
    for (int32_t m = 0; m < count; ++m) {
        coif_strbuf_print(text, " %d |", columns[m].reset_count);
    }
    coif_strbuf_add(text, "\n| CPU time per point and substep, ns |");
    for (int32_t m = 0; m < count; ++m) {
        coif_strbuf_print(text, " %.3g |", columns[m].nanoseconds);
    }
    coif_strbuf_add(text, "\n| CPU time of a second of animation, 1,000 strands of 32 points, s |");
    for (int32_t m = 0; m < count; ++m) {
        coif_strbuf_print(text, " %.2g |", 1e-9 * columns[m].nanoseconds * points);
    }
    coif_strbuf_add(text, "\n");
}

coif_status coif_validate_table(coif_app *app, const coif_validation_result *results, int32_t count,
                                coif_error *error)
{
    solver_column columns[MAX_SOLVERS] = {{0}};
    const int32_t solvers = collect_columns(columns, results, count);
    coif_strbuf text, rule;
    coif_strbuf_init(&text, &app->arena);
    coif_strbuf_init(&rule, &app->arena);
    coif_strbuf_add(&text, "| largest error |");
    for (int32_t m = 0; m < solvers; ++m) {
        COIF_TRY(measure_cost(&columns[m], app, error));
        coif_strbuf_print(&text, " `%s` |", columns[m].solver);
        coif_strbuf_add(&rule, " --- |");
    }
    coif_strbuf_print(&text, "\n| --- |%s\n", rule.data);
    for (int32_t s = 0; s < COIF_VALIDATION_COUNT; ++s) {
        const coif_series *series = &COIF_VALIDATION[s];
        if (worst_of(results, count, series, columns[0].solver) == NULL) {
            continue;
        }
        coif_strbuf_print(&text, "| `%s`, %s %g to %g |", series->name,
                          COIF_EXPERIMENT_PARAMS[series->param].name, series->at[0],
                          series->at[series->count - 1]);
        for (int32_t m = 0; m < solvers; ++m) {
            print_error(&text, worst_of(results, count, series, columns[m].solver));
        }
        coif_strbuf_add(&text, "\n");
    }
    print_costs(&text, columns, solvers);
    return coif_app_print(text.data, NULL, error);
}
