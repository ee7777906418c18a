// coif validate sim --table: largest errors and costs of the solvers side by side, as Markdown.
#include "core/json/json_writer.h"
#include "sim/bench/sim_bench.h"
#include "tools/cli/devtools/validate.h"

#include <math.h>
#include <string.h>

enum { MAX_SOLVERS = 8, COST_STRANDS = 1000, COST_POINTS = 32, COST_SUBSTEPS = 10 };

typedef struct costs {
    double nanoseconds; // CPU time per point and substep
    double max_stretch; // over all experiments
    int32_t reset_count;
} costs;

// The benchmark head on one thread, in CPU time.
static coif_status measure(costs *cost, const char *solver, coif_app *app, coif_error *error)
{
    coif_bench_desc desc = {.strands = COST_STRANDS,
                            .points = COST_POINTS,
                            .substeps = COST_SUBSTEPS,
                            .solver = solver,
                            .collide = true,
                            .frames = 8,
                            .max_seconds = 20.0,
                            .threads = 1};
    COIF_TRY(coif_kernels_find(&desc.kernels, "auto", error));
    coif_bench_result bench;
    COIF_TRY(coif_bench_full_sim(&bench, &desc, app->progress, error));
    cost->nanoseconds = 1e9 / bench.per_second;
    return COIF_OK;
}

// The result of a series and a solver with the largest error.
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

static void print_costs(coif_strbuf *text, const costs *all, int32_t solvers)
{
    const double points = (double)COST_STRANDS * COST_POINTS * COST_SUBSTEPS * 24.0;
    coif_strbuf_add(text, "| maximum stretch of a segment, all experiments |");
    for (int32_t m = 0; m < solvers; ++m) {
        coif_strbuf_print(text, " %.1g %% |", 100.0 * all[m].max_stretch);
    }
    coif_strbuf_add(text, "\n| strands reset |");
    for (int32_t m = 0; m < solvers; ++m) {
        coif_strbuf_print(text, " %d |", all[m].reset_count);
    }
    coif_strbuf_add(text, "\n| CPU time per point and substep, ns |");
    for (int32_t m = 0; m < solvers; ++m) {
        coif_strbuf_print(text, " %.3g |", all[m].nanoseconds);
    }
    coif_strbuf_add(text, "\n| CPU time of a second of animation, 1,000 strands of 32 points, s |");
    for (int32_t m = 0; m < solvers; ++m) {
        coif_strbuf_print(text, " %.2g |", 1e-9 * all[m].nanoseconds * points);
    }
    coif_strbuf_add(text, "\n");
}

coif_status coif_validate_table(coif_app *app, const coif_validation_result *results, int32_t count,
                                coif_error *error)
{
    const char *solvers[MAX_SOLVERS];
    costs all[MAX_SOLVERS] = {{0}};
    int32_t solver_count = 0;
    // First the solver with tolerances, then the others.
    for (int32_t m = -1; m < 0 || COIF_METHOD_NAMES[m] != NULL; ++m) {
        const char *solver = m < 0 ? COIF_VALIDATION_SOLVER : COIF_METHOD_NAMES[m];
        bool present = false;
        if (solver_count == MAX_SOLVERS ||
            (m >= 0 && strcmp(solver, COIF_VALIDATION_SOLVER) == 0)) {
            continue;
        }
        for (int32_t i = 0; i < count; ++i) {
            if (strcmp(results[i].solver, solver) == 0) {
                present = true;
                all[solver_count].reset_count += results[i].reset_count;
                all[solver_count].max_stretch =
                    fmax(all[solver_count].max_stretch, results[i].max_stretch);
            }
        }
        if (present) {
            solvers[solver_count] = solver;
            COIF_TRY(measure(&all[solver_count], solvers[solver_count], app, error));
            ++solver_count;
        }
    }
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    coif_strbuf_add(&text, "| largest error |");
    for (int32_t m = 0; m < solver_count; ++m) {
        coif_strbuf_print(&text, " `%s` |", solvers[m]);
    }
    coif_strbuf_add(&text, "\n| --- |");
    for (int32_t m = 0; m < solver_count; ++m) {
        coif_strbuf_add(&text, " --- |");
    }
    coif_strbuf_add(&text, "\n");
    for (int32_t s = 0; s < COIF_VALIDATION_COUNT; ++s) {
        const coif_series *series = &COIF_VALIDATION[s];
        if (solver_count == 0 || worst_of(results, count, series, solvers[0]) == NULL) {
            continue;
        }
        coif_strbuf_print(&text, "| `%s`, %s %g to %g |", series->name,
                          COIF_EXPERIMENT_PARAMS[series->param].name, series->at[0],
                          series->at[series->count - 1]);
        for (int32_t m = 0; m < solver_count; ++m) {
            print_error(&text, worst_of(results, count, series, solvers[m]));
        }
        coif_strbuf_add(&text, "\n");
    }
    print_costs(&text, all, solver_count);
    return coif_app_print(text.data, NULL, error);
}
