// experiment: table of experiments, parameters and results.
#include "sim/validation/experiment.h"

#include "core/base/arena.h"

#include <string.h>

#define PARAM_ROW(id_, name_, unit_, help_, whole_, low_, high_)                                   \
    {#name_, unit_, help_, whole_, low_, high_},
const coif_experiment_param_desc COIF_EXPERIMENT_PARAMS[COIF_EXPERIMENT_PARAM_COUNT] = {
    COIF_EXPERIMENT_PARAM_ROWS(PARAM_ROW)};

const coif_experiment *const COIF_EXPERIMENTS[] = {
    &COIF_EXPERIMENT_CANTILEVER, &COIF_EXPERIMENT_HELIX,       &COIF_EXPERIMENT_PULL,
    &COIF_EXPERIMENT_CATENARY,   &COIF_EXPERIMENT_GREENHILL,   &COIF_EXPERIMENT_SAG,
    &COIF_EXPERIMENT_FREE_FALL,  &COIF_EXPERIMENT_DRAG,        &COIF_EXPERIMENT_WIND,
    &COIF_EXPERIMENT_PENDULUM,   &COIF_EXPERIMENT_CHAIN,       &COIF_EXPERIMENT_BEAM,
    &COIF_EXPERIMENT_MOMENTUM,   &COIF_EXPERIMENT_INCLINE,     &COIF_EXPERIMENT_CAPSTAN,
    &COIF_EXPERIMENT_STICK_SLIP, &COIF_EXPERIMENT_RESTITUTION, NULL,
};

coif_experiment_input coif_experiment_input_open(const char *solver, coif_plugins *plugins)
{
    coif_experiment_input input = {.solver = solver, .plugins = plugins};
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        input.params[i] = NAN;
    }
    return input;
}

coif_status coif_experiment_find(const coif_experiment **experiment, const char *name,
                                 coif_error *error)
{
    const char *names[64];
    size_t count = 0;
    for (; count < COIF_COUNT_OF(names) && COIF_EXPERIMENTS[count] != NULL; ++count) {
        names[count] = COIF_EXPERIMENTS[count]->name;
        if (strcmp(names[count], name) == 0) {
            *experiment = COIF_EXPERIMENTS[count];
            return COIF_OK;
        }
    }
    const char *nearest = coif_nearest_name(name, names, count);
    return coif_fail(error, COIF_ERR_ARGUMENT, "no experiment '%s'%s%s%s", name,
                     nearest ? "; did you mean '" : "", nearest ? nearest : "",
                     nearest ? "'?" : "");
}

static const coif_experiment_param_default *find_default(const coif_experiment *experiment,
                                                         int param)
{
    for (int32_t i = 0; i < experiment->default_count; ++i) {
        if ((int)experiment->defaults[i].param == param) {
            return &experiment->defaults[i];
        }
    }
    return NULL;
}

coif_status coif_experiment_run(coif_experiment_result *result, const coif_experiment *experiment,
                                const coif_experiment_input *input, coif_arena *arena,
                                coif_error *error)
{
    *result = (coif_experiment_result){.input = *input};
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        double *value = &result->input.params[i];
        const coif_experiment_param_default *fallback = find_default(experiment, i);
        if (fallback == NULL && !isnan(*value)) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s has no parameter %s", experiment->name,
                             COIF_EXPERIMENT_PARAMS[i].name);
        }
        if (fallback != NULL && isnan(*value)) {
            *value = fallback->value;
        }
        if (fallback != NULL && COIF_EXPERIMENT_PARAMS[i].whole && *value != round(*value)) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %g is not a whole number",
                             COIF_EXPERIMENT_PARAMS[i].name, *value);
        }
    }
    return experiment->run(result, arena, error);
}

void coif_measure(coif_experiment_result *result, const char *key, double value, double reference)
{
    COIF_ASSERT(result->measurement_count < COIF_MEASUREMENTS_MAX);
    result->measurements[result->measurement_count++] = (coif_measurement){key, value, reference};
}

double coif_experiment_result_error(const coif_experiment_result *result)
{
    const coif_measurement *first = &result->measurements[0];
    const double error = fabs(first->value - first->reference);
    return first->reference == 0.0 ? error : error / fabs(first->reference);
}

coif_status coif_experiment_open(coif_strand_rig *rig, const coif_experiment_result *result,
                                 coif_strand_rig_desc desc, coif_arena *arena, coif_error *error)
{
    const coif_experiment_input *input = &result->input;
    desc.sim = coif_arena_print(
        arena, "%s fps=%.9g substeps=%.0f", desc.sim != NULL ? desc.sim : "",
        input->params[COIF_EXPERIMENT_PARAM_FPS], input->params[COIF_EXPERIMENT_PARAM_SUBSTEPS]);
    desc.solver = input->solver;
    desc.sets = input->sets;
    desc.set_count = input->set_count;
    desc.plugins = input->plugins;
    return coif_strand_rig_open(rig, &desc, arena, error);
}

void coif_experiment_close(coif_experiment_result *result, const coif_strand_rig *rig)
{
    result->max_stretch = fmax(result->max_stretch, rig->max_stretch);
    result->reset_count += rig->reset_count;
    result->shape = rig->positions;
    result->point_count = rig->point_count;
    result->length = coif_strand_rig_length(rig);
}
