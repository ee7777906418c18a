// validate, sim: one experiment, or the whole suite as a table, JSON or curves.
#include "core/json/json_writer.h"
#include "tools/cli/devtools/validate.h"

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
    const char *nearest = coif_nearest_name(name, COIF_METHOD_NAMES, count);
    return coif_fail(error, COIF_ERR_ARGUMENT, "--solver: no solver '%s'%s%s%s", name,
                     nearest ? "; did you mean '" : "", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

static void write_number(coif_json_writer *writer, const char *key, double value)
{
    if (isfinite(value)) {
        coif_write_number(writer, key, value);
    } else {
        coif_write_raw(writer, key, "null");
    }
}

static coif_status print_answer_json(coif_app *app, const coif_experiment *experiment,
                                     const coif_experiment_result *answer, coif_error *error)
{
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "{");
    coif_write_text(&writer, "experiment", experiment->name);
    coif_write_text(&writer, "solver", answer->input.solver);
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        if (!isnan(answer->input.params[i])) {
            coif_write_number(&writer, COIF_EXPERIMENT_PARAMS[i].name, answer->input.params[i]);
        }
    }
    for (int32_t i = 0; i < answer->measurement_count; ++i) {
        write_number(&writer, answer->measurements[i].key, answer->measurements[i].value);
    }
    coif_write_open(&writer, "truth", "{");
    for (int32_t i = 0; i < answer->measurement_count; ++i) {
        if (!isnan(answer->measurements[i].reference)) {
            write_number(&writer, answer->measurements[i].key, answer->measurements[i].reference);
        }
    }
    coif_write_close(&writer, "}");
    write_number(&writer, "error", coif_experiment_result_error(answer));
    write_number(&writer, "max_stretch", answer->max_stretch);
    coif_write_number(&writer, "healed", answer->reset_count);
    coif_write_close(&writer, "}");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(writer.text.data, NULL, error);
}

static coif_status print_answer(coif_app *app, const coif_experiment *experiment,
                                const coif_experiment_result *answer, coif_error *error)
{
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    coif_strbuf_print(&text, "%s: %s\n  %-20s %s\n", experiment->name, experiment->help, "solver",
                      answer->input.solver);
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        if (!isnan(answer->input.params[i])) {
            coif_strbuf_print(&text, "  %-20s %.6g\n", COIF_EXPERIMENT_PARAMS[i].name,
                              answer->input.params[i]);
        }
    }
    coif_strbuf_print(&text, "\n  %-20s %12s %12s %10s\n", "", "result", "truth", "error");
    for (int32_t i = 0; i < answer->measurement_count; ++i) {
        const coif_measurement *figure = &answer->measurements[i];
        coif_strbuf_print(&text, "  %-20s %12.6g", figure->key, figure->value);
        if (!isnan(figure->reference)) {
            coif_strbuf_print(&text, " %12.6g", figure->reference);
            if (figure->reference != 0.0) {
                coif_strbuf_print(&text, " %+8.2f %%",
                                  100.0 * (figure->value - figure->reference) /
                                      fabs(figure->reference));
            }
        }
        coif_strbuf_add(&text, "\n");
    }
    coif_strbuf_print(&text, "  %-20s %12.3g\n", "max_stretch", answer->max_stretch);
    if (answer->reset_count > 0) {
        coif_strbuf_print(&text, "  %-20s %12d\n", "healed", answer->reset_count);
    }
    return coif_app_print(text.data, NULL, error);
}

static coif_status run_one(coif_app *app, const coif_validate_options *options, coif_error *error)
{
    const coif_experiment *experiment;
    COIF_TRY(coif_experiment_find(&experiment, options->what, error));
    coif_experiment_input question = coif_experiment_input_open(
        options->solver != NULL ? options->solver : COIF_VALIDATION_SOLVER, app->plugins);
    question.sets = app->globals.set.items;
    question.set_count = app->globals.set.count;
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        question.params[i] = (double)options->asked[i];
    }
    coif_experiment_result answer;
    COIF_TRY(coif_experiment_run(&answer, experiment, &question, &app->arena, error));
    return options->json ? print_answer_json(app, experiment, &answer, error)
                         : print_answer(app, experiment, &answer, error);
}

static const char *verdict(const coif_validation_result *finding)
{
    return !finding->has_limit ? "" : finding->within_limit ? "ok" : "BROKEN";
}

static coif_status print_table(coif_app *app, const coif_validation_result *findings, int32_t count,
                               coif_error *error)
{
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    coif_strbuf_print(&text, "%-20s %-24s %-7s %12s %12s %11s %9s %9s  %s\n", "experiment", "at",
                      "solver", "result", "truth", "error", "limit", "stretch", "");
    for (int32_t i = 0; i < count; ++i) {
        const coif_validation_result *f = &findings[i];
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

static coif_status print_table_json(coif_app *app, const coif_validation_result *findings,
                                    int32_t count, coif_error *error)
{
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    coif_write_open(&writer, NULL, "[");
    for (int32_t i = 0; i < count; ++i) {
        const coif_validation_result *f = &findings[i];
        coif_write_open(&writer, NULL, "{");
        coif_write_text(&writer, "series", f->series->name);
        coif_write_text(&writer, "experiment", f->series->experiment->name);
        coif_write_text(&writer, "oracle", f->series->source);
        coif_write_text(&writer, "solver", f->solver);
        coif_write_number(&writer, COIF_EXPERIMENT_PARAMS[f->series->param].name, f->at);
        coif_write_text(&writer, "figure", f->key);
        write_number(&writer, "result", f->value);
        write_number(&writer, "truth", f->reference);
        write_number(&writer, "error", f->error);
        coif_write_number(&writer, "limit", f->series->limit);
        coif_write_raw(&writer, "judged", f->has_limit ? "true" : "false");
        coif_write_raw(&writer, "kept", f->within_limit ? "true" : "false");
        write_number(&writer, "max_stretch", f->max_stretch);
        coif_write_number(&writer, "healed", f->reset_count);
        coif_write_close(&writer, "}");
    }
    coif_write_close(&writer, "]");
    coif_strbuf_add(&writer.text, "\n");
    return coif_app_print(writer.text.data, NULL, error);
}

static coif_status run_suite(coif_app *app, const coif_validate_options *options, coif_error *error)
{
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        if (!isnan(options->asked[i])) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s is a question to one experiment; name it, or leave it out",
                             COIF_EXPERIMENT_PARAMS[i].name);
        }
    }
    const coif_validation_desc desc = {.only = options->what,
                                       .solver = options->solver,
                                       .sets = app->globals.set.items,
                                       .set_count = app->globals.set.count,
                                       .plugins = app->plugins};
    coif_validation_result *findings;
    int32_t count;
    COIF_TRY(coif_validation_run(&findings, &count, &desc, &app->arena, app->jobs, app->progress,
                                 error));
    COIF_TRY(options->table  ? coif_validate_table(app, findings, count, error)
             : options->json ? print_table_json(app, findings, count, error)
                             : print_table(app, findings, count, error));
    if (options->curves != NULL) {
        COIF_TRY(coif_validate_curves(findings, count, options->curves, error));
    }
    int32_t broken = 0;
    int32_t judged = 0;
    for (int32_t i = 0; i < count; ++i) {
        judged += findings[i].has_limit;
        broken += findings[i].has_limit && !findings[i].within_limit;
    }
    if (broken > 0) {
        return coif_fail(error, COIF_ERR_LIMIT, "%d of %d limits are broken", broken, judged);
    }
    coif_log(COIF_LOG_INFO, "%d experiments, all %d limits kept", count, judged);
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
