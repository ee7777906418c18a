// coif validate sim: one experiment, or the whole suite as a table, JSON or curves.
#include "core/json/json_writer.h"
#include "tools/cli/devtools/validate.h"
#include "tools/cli/json_text.h"

#include <math.h>
#include <string.h>

static coif_status check_solver(const char *name, coif_error *error)
{
    size_t count = 0;
    for (; COIF_METHOD_NAMES[count] != NULL; ++count) {
        if (strcmp(name, COIF_METHOD_NAMES[count]) == 0) {
            return COIF_OK;
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "--solver: no solver '%s'%s", name,
                     coif_suggest(name, COIF_METHOD_NAMES, count, "").text);
}

static coif_status print_result(coif_app *app, const coif_experiment *experiment,
                                const coif_experiment_result *result, bool json, coif_error *error)
{
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "{");
    coif_write_text(&writer, "experiment", experiment->name);
    coif_write_text(&writer, "solver", result->input.solver);
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        if (!isnan(result->input.params[i])) {
            coif_write_number(&writer, COIF_EXPERIMENT_PARAMS[i].name, result->input.params[i]);
        }
    }
    for (int32_t i = 0; i < result->measurement_count; ++i) {
        coif_write_number(&writer, result->measurements[i].key, result->measurements[i].value);
    }
    coif_write_number(&writer, "error", coif_experiment_result_error(result));
    coif_write_number(&writer, "max_stretch", result->max_stretch);
    coif_write_number(&writer, "strands_reset", result->reset_count);
    coif_write_open(&writer, "reference", "{");
    for (int32_t i = 0; i < result->measurement_count; ++i) {
        if (!isnan(result->measurements[i].reference)) {
            coif_write_number(&writer, result->measurements[i].key,
                              result->measurements[i].reference);
        }
    }
    coif_write_close(&writer, "}");
    coif_write_close(&writer, "}");
    coif_strbuf_add(&writer.text, "\n");
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    if (!json) {
        coif_json_text(&text, writer.text.data, &app->arena);
    }
    return coif_app_print(json ? writer.text.data : text.data, NULL, error);
}

static coif_status run_one(coif_app *app, const coif_validate_options *options, coif_error *error)
{
    const coif_experiment *experiment;
    COIF_TRY(coif_experiment_find(&experiment, options->what, error));
    coif_experiment_input input = coif_experiment_input_open(
        options->solver != NULL ? options->solver : COIF_VALIDATION_SOLVER, app->plugins);
    input.sets = app->globals.set.items;
    input.set_count = app->globals.set.count;
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        input.params[i] = (double)options->params[i];
    }
    coif_experiment_result result;
    COIF_TRY(coif_experiment_run(&result, experiment, &input, &app->arena, error));
    return print_result(app, experiment, &result, options->json != 0, error);
}

static const char *verdict(const coif_validation_result *result)
{
    return !result->has_limit ? "" : result->within_limit ? "ok" : "EXCEEDED";
}

static coif_status print_table(coif_app *app, const coif_validation_result *results, int32_t count,
                               coif_error *error)
{
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    coif_strbuf_print(&text, "%-20s %-24s %-7s %12s %12s %11s %9s %9s  %s\n", "experiment", "at",
                      "solver", "result", "reference", "error", "tolerance", "stretch", "");
    for (int32_t i = 0; i < count; ++i) {
        const coif_validation_result *f = &results[i];
        char at[64];
        snprintf(at, sizeof at, "%s %g", COIF_EXPERIMENT_PARAMS[f->series->param].name, f->at);
        coif_strbuf_print(&text, "%-20s %-24s %-7s %12.6g %12.6g ", f->series->name, at, f->solver,
                          f->value, f->reference);
        if (f->reference == 0.0) {
            coif_strbuf_print(&text, "%11.2g %9.2g ", f->error, f->series->limit);
        } else {
            coif_strbuf_print(&text, "%9.3f %% %7.2g %% ", 100.0 * f->error,
                              100.0 * f->series->limit);
        }
        coif_strbuf_print(&text, "%9.1e  %s\n", f->max_stretch, verdict(f));
    }
    return coif_app_print(text.data, NULL, error);
}

static coif_status print_table_json(coif_app *app, const coif_validation_result *results,
                                    int32_t count, coif_error *error)
{
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "[");
    for (int32_t i = 0; i < count; ++i) {
        const coif_validation_result *f = &results[i];
        coif_write_open(&writer, NULL, "{");
        coif_write_text(&writer, "series", f->series->name);
        coif_write_text(&writer, "experiment", f->series->experiment->name);
        coif_write_text(&writer, "source", f->series->source);
        coif_write_text(&writer, "solver", f->solver);
        coif_write_number(&writer, COIF_EXPERIMENT_PARAMS[f->series->param].name, f->at);
        coif_write_text(&writer, "measurement", f->key);
        coif_write_number(&writer, "result", f->value);
        coif_write_number(&writer, "reference", f->reference);
        coif_write_number(&writer, "error", f->error);
        coif_write_number(&writer, "tolerance", f->series->limit);
        coif_write_raw(&writer, "checked", f->has_limit ? "true" : "false");
        coif_write_raw(&writer, "within_tolerance", f->within_limit ? "true" : "false");
        coif_write_number(&writer, "max_stretch", f->max_stretch);
        coif_write_number(&writer, "strands_reset", f->reset_count);
        coif_write_close(&writer, "}");
    }
    coif_write_close(&writer, "]");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(writer.text.data, NULL, error);
}

static coif_status run_suite(coif_app *app, const coif_validate_options *options, coif_error *error)
{
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        if (!isnan(options->params[i])) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s is a parameter of one experiment; name the experiment",
                             COIF_EXPERIMENT_PARAMS[i].name);
        }
    }
    const coif_validation_desc desc = {.only = options->what,
                                       .solver = options->solver,
                                       .sets = app->globals.set.items,
                                       .set_count = app->globals.set.count,
                                       .plugins = app->plugins};
    coif_validation_result *results;
    int32_t count;
    COIF_TRY(
        coif_validation_run(&results, &count, &desc, &app->arena, app->jobs, app->progress, error));
    COIF_TRY(options->table  ? coif_validate_table(app, results, count, error)
             : options->json ? print_table_json(app, results, count, error)
                             : print_table(app, results, count, error));
    if (options->curves != NULL) {
        COIF_TRY(coif_validate_curves(results, count, options->curves, error));
    }
    int32_t exceeded = 0;
    int32_t checked = 0;
    for (int32_t i = 0; i < count; ++i) {
        checked += results[i].has_limit;
        exceeded += results[i].has_limit && !results[i].within_limit;
    }
    if (exceeded > 0) {
        return coif_fail(error, COIF_ERR_LIMIT, "%d of %d tolerances exceeded", exceeded, checked);
    }
    coif_log(COIF_LOG_INFO, "%d measurements, all %d tolerances kept", count, checked);
    return COIF_OK;
}

coif_status coif_validate_sim(coif_app *app, const coif_validate_options *options,
                              coif_error *error)
{
    if (options->solver != NULL) {
        COIF_TRY(check_solver(options->solver, error));
    }
    COIF_TRY(coif_app_open_plugins(app, error));
    if (options->what == NULL) {
        return run_suite(app, options, error);
    }
    // Curves and tables need the whole series of an experiment.
    const coif_experiment *experiment;
    COIF_TRY(coif_experiment_find(&experiment, options->what, error));
    return options->curves != NULL || options->table ? run_suite(app, options, error)
                                                     : run_one(app, options, error);
}
