// coif validate sim --curves: every series with its reference solution, the results of all solvers
// and the final strand shapes as JSON, for plotting (docs/figures/validation.py).
#include "core/json/json_writer.h"
#include "sim/validation/reference_solutions.h"
#include "tools/cli/devtools/validate.h"

#include <math.h>

enum { REFERENCE_POINTS = 160 };

// JSON has no NaN or infinity: those become null.
static void add_number(coif_strbuf *text, int32_t index, double value)
{
    if (isfinite(value)) {
        coif_strbuf_print(text, index > 0 ? ", %.9g" : "%.9g", value);
    } else {
        coif_strbuf_add(text, index > 0 ? ", null" : "null");
    }
}

static void write_array(coif_json_writer *writer, const char *key, const double *values,
                        int32_t count)
{
    coif_strbuf text;
    coif_strbuf_init(&text, writer->text.arena);
    coif_strbuf_add(&text, "[");
    for (int32_t i = 0; i < count; ++i) {
        add_number(&text, i, values[i]);
    }
    coif_strbuf_add(&text, "]");
    coif_write_raw(writer, key, text.data);
}

static void write_curve(coif_json_writer *writer, const char *key, const double *x, const double *y,
                        int32_t count)
{
    coif_write_open(writer, key, "{");
    write_array(writer, "x", x, count);
    write_array(writer, "y", y, count);
    coif_write_close(writer, "}");
}

// The reference solution, densely sampled where it can be evaluated between the measured points.
static void write_reference(coif_json_writer *writer, const coif_validation_result *first,
                            int32_t points)
{
    const coif_series *series = first->series;
    coif_arena *arena = writer->text.arena;
    const int32_t count = series->reference != NULL ? REFERENCE_POINTS : points;
    double *x = coif_arena_new(arena, count, double);
    double *y = coif_arena_new(arena, count, double);
    const double low = first[0].at;
    const double high = first[points - 1].at;
    for (int32_t i = 0; i < count; ++i) {
        const double t = (double)i / (count - 1);
        x[i] = series->reference == NULL ? first[i].at
               : series->log_x           ? low * pow(high / low, t)
                                         : low + t * (high - low);
        y[i] = series->reference != NULL ? series->reference(x[i]) : first[i].reference;
    }
    write_curve(writer, "reference", x, y, count);
}

// The strand in the xy plane relative to its root, divided by its rest length.
static void write_shape(coif_json_writer *writer, const coif_validation_result *result)
{
    const int32_t count = result->point_count;
    double *x = coif_arena_new(writer->text.arena, count, double);
    double *y = coif_arena_new(writer->text.arena, count, double);
    for (int32_t k = 0; k < count; ++k) {
        const coif_vec3 p = coif_sub(result->shape[k], result->shape[0]);
        x[k] = (double)p.x / result->length;
        y[k] = (double)p.y / result->length;
    }
    write_curve(writer, "shape", x, y, count);
}

// Equilibrium shape of the heavy elastica, Gamma being the varied quantity.
static void write_reference_shape(coif_json_writer *writer, const coif_validation_result *result)
{
    double x[REFERENCE_POINTS + 1], y[REFERENCE_POINTS + 1];
    coif_reference_cantilever_line(result->at, REFERENCE_POINTS, x, y, writer->text.arena);
    write_curve(writer, "reference_shape", x, y, REFERENCE_POINTS + 1);
}

static void write_solver(coif_json_writer *writer, const coif_validation_result *first,
                         int32_t points)
{
    const coif_series *series = first->series;
    coif_write_open(writer, NULL, "{");
    coif_write_text(writer, "solver", first->solver);
    coif_write_open(writer, "results", "[");
    for (int32_t i = 0; i < points; ++i) {
        coif_write_open(writer, NULL, "{");
        write_array(writer, "point", (const double[]){first[i].at, first[i].value}, 2);
        write_shape(writer, &first[i]);
        if (series->experiment == &COIF_EXPERIMENT_CANTILEVER &&
            series->param == COIF_EXPERIMENT_PARAM_GAMMA) {
            write_reference_shape(writer, &first[i]);
        }
        coif_write_close(writer, "}");
    }
    coif_write_close(writer, "]");
    coif_write_close(writer, "}");
}

// Number of leading results of one series and solver.
static int32_t run_length(const coif_validation_result *results, int32_t count)
{
    int32_t length = 1;
    while (length < count && results[length].series == results->series &&
           results[length].solver == results->solver) {
        ++length;
    }
    return length;
}

// Writes the series of the first result; returns the number of results it consists of.
static int32_t write_series(coif_json_writer *writer, const coif_validation_result *results,
                            int32_t count)
{
    const coif_series *series = results->series;
    coif_write_open(writer, NULL, "{");
    coif_write_text(writer, "series", series->name);
    coif_write_text(writer, "quantity", COIF_EXPERIMENT_PARAMS[series->param].name);
    coif_write_text(writer, "result", results->key);
    coif_write_text(writer, "source", series->source);
    coif_write_number(writer, "tolerance", series->limit);
    write_reference(writer, results, run_length(results, count));
    coif_write_open(writer, "solvers", "[");
    int32_t done = 0;
    while (done < count && results[done].series == series) {
        const int32_t length = run_length(results + done, count - done);
        write_solver(writer, results + done, length);
        done += length;
    }
    coif_write_close(writer, "]");
    coif_write_close(writer, "}");
    return done;
}

coif_status coif_validate_curves(const coif_validation_result *results, int32_t count,
                                 const char *path, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "curves");
    coif_json_writer writer;
    coif_json_writer_init(&writer, &arena);
    coif_write_open(&writer, NULL, "[");
    for (int32_t i = 0; i < count;) {
        i += write_series(&writer, results + i, count - i);
    }
    coif_write_close(&writer, "]");
    coif_strbuf_add(&writer.text, "\n");
    return coif_file_save(path, writer.text.data, writer.text.size, error);
}
