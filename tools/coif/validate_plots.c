// validate, plots: the findings of all solvers over the truth, one picture per series.
#include "sim/proof/truth.h"
#include "tools/coif/plot.h"
#include "tools/coif/validate.h"

#include <math.h>
#include <string.h>

enum { FINE = 160, CURVES_MOST = 16 };

// rod first, so that it keeps its look whatever others there are.
static int32_t look_of(const char *solver)
{
    static const char *const looks[] = {"rod", "pbd", "xpbd", "ftl", "spring"};
    for (int32_t i = 0; i < (int32_t)COIF_COUNT_OF(looks); ++i) {
        if (strcmp(solver, looks[i]) == 0) {
            return i + 1;
        }
    }
    return 6;
}

static coif_plot_mark mark_of(const char *solver)
{
    static const coif_plot_mark marks[] = {
        COIF_MARK_NONE,     COIF_MARK_DISC,     COIF_MARK_SQUARE, COIF_MARK_DIAMOND,
        COIF_MARK_TRIANGLE, COIF_MARK_PENTAGON, COIF_MARK_DISC};
    return marks[look_of(solver)];
}

// The truth as a line: exact between the points where it can be computed there.
static coif_curve truth_curve(const coif_finding *first, int32_t points, coif_arena *arena)
{
    const coif_series *series = first->series;
    const int32_t count = series->truth != NULL ? FINE : points;
    double *x = coif_arena_new(arena, count, double);
    double *y = coif_arena_new(arena, count, double);
    const double low = first[0].at;
    const double high = first[points - 1].at;
    for (int32_t i = 0; i < count; ++i) {
        const double share = count > 1 ? (double)i / (count - 1) : 0.0;
        x[i] = series->truth == NULL ? first[i].at
               : series->log_x       ? low * pow(high / low, share)
                                     : low + share * (high - low);
        y[i] = series->truth != NULL ? series->truth(x[i], arena) : first[i].truth;
    }
    return (coif_curve){.label = "exact", .x = x, .y = y, .count = count};
}

static coif_curve solver_curve(const coif_finding *first, int32_t points, coif_arena *arena)
{
    double *x = coif_arena_new(arena, points, double);
    double *y = coif_arena_new(arena, points, double);
    for (int32_t i = 0; i < points; ++i) {
        x[i] = first[i].at;
        y[i] = first[i].value;
    }
    return (coif_curve){.label = first->solver,
                        .x = x,
                        .y = y,
                        .count = points,
                        .mark = mark_of(first->solver),
                        .joined = look_of(first->solver) != 1,
                        .dashed = true,
                        .color = look_of(first->solver)};
}

static int32_t run_length(const coif_finding *findings, int32_t count)
{
    int32_t length = 1;
    while (length < count && findings[length].series == findings->series &&
           findings[length].solver == findings->solver) {
        ++length;
    }
    return length;
}

// Draws the series that begins the findings; gives how many of them it took.
static coif_status plot_series(int32_t *taken, const coif_finding *findings, int32_t count,
                               const char *folder, coif_arena *arena, coif_error *error)
{
    const coif_series *series = findings->series;
    coif_curve curves[CURVES_MOST];
    int32_t curve_count = 0;
    *taken = 0;
    curves[curve_count++] = truth_curve(findings, run_length(findings, count), arena);
    while (*taken < count && findings[*taken].series == series) {
        const int32_t length = run_length(findings + *taken, count - *taken);
        if (curve_count < CURVES_MOST) {
            curves[curve_count++] = solver_curve(findings + *taken, length, arena);
        }
        *taken += length;
    }
    const coif_plot plot = {
        .title = series->title,
        .note = coif_arena_print(arena, "limit of %s: %g %s; truth: %s", COIF_SUITE_SOLVER,
                                 findings->truth == 0.0 ? series->limit : 100.0 * series->limit,
                                 findings->truth == 0.0 ? "" : "%", series->source),
        .x = {.label = series->x_label, .logarithmic = series->log_x},
        .y = {.label = series->y_label, .logarithmic = series->log_y},
        .curves = curves,
        .curve_count = curve_count};
    return coif_plot_save(&plot, coif_arena_print(arena, "%s/%s.png", folder, series->name), error);
}

// The strand from the side, in lengths of it, moved aside by an offset.
static coif_curve shape_curve(const coif_finding *finding, double offset, coif_arena *arena)
{
    const int32_t points = finding->point_count;
    double *x = coif_arena_new(arena, points, double);
    double *y = coif_arena_new(arena, points, double);
    for (int32_t k = 0; k < points; ++k) {
        const coif_vec3 p = coif_sub(finding->shape[k], finding->shape[0]);
        x[k] = offset + (double)p.x / finding->length;
        y[k] = (double)p.y / finding->length;
    }
    return (coif_curve){.label = finding->solver,
                        .x = x,
                        .y = y,
                        .count = points,
                        .color = look_of(finding->solver)};
}

typedef struct gathering {
    const char *series, *title;
    double at;
    double aside; // from strand to strand
} gathering;

// Where the strands of all solvers ended at one point of a series.
static coif_status plot_shapes(const coif_finding *findings, int32_t count, const gathering *which,
                               const char *folder, coif_arena *arena, coif_error *error)
{
    coif_curve curves[CURVES_MOST];
    int32_t curve_count = 0;
    for (int32_t i = 0; i < count && curve_count + 1 < CURVES_MOST; ++i) {
        if (strcmp(findings[i].series->name, which->series) == 0 && findings[i].at == which->at) {
            curves[curve_count] = shape_curve(&findings[i], which->aside * curve_count, arena);
            ++curve_count;
        }
    }
    if (curve_count == 0) {
        return COIF_OK;
    }
    if (strcmp(which->series, "cantilever") == 0) {
        double *x = coif_arena_new(arena, FINE + 1, double);
        double *y = coif_arena_new(arena, FINE + 1, double);
        coif_truth_cantilever_line(which->at, FINE, x, y, arena);
        curves[curve_count++] =
            (coif_curve){.label = "exact", .x = x, .y = y, .count = FINE + 1, .dashed = true};
    }
    const coif_plot plot = {.title = which->title,
                            .note =
                                "where they ended, seen from the side, in lengths of the strand",
                            .x = {.label = "x / L"},
                            .y = {.label = "y / L"},
                            .same_scale = true,
                            .curves = curves,
                            .curve_count = curve_count};
    return coif_plot_save(&plot, coif_arena_print(arena, "%s/%s_shapes.png", folder, which->series),
                          error);
}

coif_status coif_validate_plot(const coif_finding *findings, int32_t count, const char *folder,
                               coif_error *error)
{
    coif_arena arena;
    coif_arena_init(&arena, "plots");
    coif_status status = COIF_OK;
    for (int32_t i = 0, taken = 0; i < count && status == COIF_OK; i += taken) {
        status = plot_series(&taken, findings + i, count - i, folder, &arena, error);
    }
    static const gathering gatherings[] = {
        {"cantilever", "The same cantilever, Gamma 10, under every solver", 10.0, 0.0},
        {"helix", "The same curl, hanging by its weight, under every solver", 0.1, 0.25}};
    for (size_t i = 0; i < COIF_COUNT_OF(gatherings) && status == COIF_OK; ++i) {
        status = plot_shapes(findings, count, &gatherings[i], folder, &arena, error);
    }
    coif_arena_free(&arena);
    return status;
}
