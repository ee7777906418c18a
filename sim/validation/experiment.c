#include "sim/validation/experiment.h"

#include "core/base/arena.h"

#include <string.h>

#define ASK(id_, name_, unit_, help_, whole_, low_, high_)                                         \
    {#name_, unit_, help_, whole_, low_, high_},
const coif_experiment_param_desc COIF_EXPERIMENT_PARAMS[COIF_EXPERIMENT_PARAM_COUNT] = {
    COIF_EXPERIMENT_PARAM_ROWS(ASK)};

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
    coif_experiment_input question = {.solver = solver, .plugins = plugins};
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        question.asked[i] = NAN;
    }
    return question;
}

coif_status coif_experiment_find(const coif_experiment **experiment, const char *name,
                                 coif_error *error)
{
    const char *names[64];
    size_t count = 0;
    for (; COIF_EXPERIMENTS[count] != NULL && count < COIF_COUNT_OF(names); ++count) {
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

static const coif_experiment_param_default *find_ask(const coif_experiment *experiment, int ask)
{
    for (int32_t i = 0; i < experiment->ask_count; ++i) {
        if ((int)experiment->asks[i].ask == ask) {
            return &experiment->asks[i];
        }
    }
    return NULL;
}

coif_status coif_experiment_run(coif_experiment_result *answer, const coif_experiment *experiment,
                                const coif_experiment_input *question, coif_arena *arena,
                                coif_error *error)
{
    *answer = (coif_experiment_result){.question = *question};
    for (int i = 0; i < COIF_EXPERIMENT_PARAM_COUNT; ++i) {
        double *asked = &answer->question.asked[i];
        const coif_experiment_param_default *own = find_ask(experiment, i);
        if (own == NULL && !isnan(*asked)) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s does not ask for %s", experiment->name,
                             COIF_EXPERIMENT_PARAMS[i].name);
        }
        if (own != NULL && isnan(*asked)) {
            *asked = own->value;
        }
        if (own != NULL && COIF_EXPERIMENT_PARAMS[i].whole && *asked != round(*asked)) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %g is not a whole number",
                             COIF_EXPERIMENT_PARAMS[i].name, *asked);
        }
    }
    return experiment->run(answer, arena, error);
}

void coif_experiment_result_add(coif_experiment_result *answer, const char *key, double value,
                                double truth)
{
    COIF_ASSERT(answer->figure_count < COIF_MEASUREMENTS_MAX);
    answer->figures[answer->figure_count++] = (coif_measurement){key, value, truth};
}

double coif_experiment_result_error(const coif_experiment_result *answer)
{
    const coif_measurement *first = &answer->figures[0];
    const double off = fabs(first->value - first->truth);
    return first->truth == 0.0 ? off : off / fabs(first->truth);
}

coif_status coif_experiment_result_open(coif_strand_rig *trial,
                                        const coif_experiment_result *answer,
                                        coif_strand_rig_desc desc, coif_arena *arena,
                                        coif_error *error)
{
    const coif_experiment_input *question = &answer->question;
    desc.sim =
        coif_arena_print(arena, "%s fps=%.9g substeps=%.0f", desc.sim != NULL ? desc.sim : "",
                         question->asked[COIF_EXPERIMENT_PARAM_FPS],
                         question->asked[COIF_EXPERIMENT_PARAM_SUBSTEPS]);
    desc.solver = question->solver;
    desc.sets = question->sets;
    desc.set_count = question->set_count;
    desc.plugins = question->plugins;
    return coif_strand_rig_open(trial, &desc, arena, error);
}

void coif_experiment_result_close(coif_experiment_result *answer, const coif_strand_rig *trial)
{
    answer->max_stretch = fmax(answer->max_stretch, trial->max_stretch);
    answer->healed += trial->healed;
    answer->shape = trial->places;
    answer->point_count = trial->point_count;
    answer->length = coif_strand_rig_length(trial);
}
