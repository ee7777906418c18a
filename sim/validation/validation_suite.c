#include "sim/validation/validation_suite.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/validation/reference_solutions.h"

#include <string.h>

const char *const COIF_VALIDATION_SOLVER = "der";

static double cantilever(double at, coif_arena *scratch)
{
    const coif_reference_tip tip = coif_reference_cantilever(at, 0, scratch);
    return tip.drop / tip.reach;
}

static double level(double at, coif_arena *scratch)
{
    (void)at;
    return cantilever(100.0, scratch);
}

static double pull(double at, coif_arena *scratch)
{
    (void)scratch;
    return coif_reference_helix_pull(10.0, 2.0 / 3.0, at);
}

static double catenary(double at, coif_arena *scratch)
{
    (void)scratch;
    return coif_reference_catenary(at, 0);
}

static double fall(double at, coif_arena *scratch)
{
    (void)scratch;
    return 0.5 * COIF_REFERENCE_GRAVITY * at * at;
}

static double drag(double at, coif_arena *scratch)
{
    (void)scratch;
    return coif_reference_fall_linear(5.0, at).speed;
}

static double drag_quadratic(double at, coif_arena *scratch)
{
    (void)scratch;
    return coif_reference_fall_quadratic(1.0, at).speed;
}

static double wind(double at, coif_arena *scratch)
{
    (void)scratch;
    return sin(atan(at));
}

static double pendulum(double at, coif_arena *scratch)
{
    (void)scratch;
    return coif_reference_pendulum(at);
}

static double stick_slip(double at, coif_arena *scratch)
{
    (void)scratch;
    return at;
}

static double incline(double at, coif_arena *scratch)
{
    (void)scratch;
    return coif_reference_incline(0.3, at);
}

static double capstan(double at, coif_arena *scratch)
{
    (void)scratch;
    return coif_reference_capstan(at, 180.0);
}

static double restitution(double at, coif_arena *scratch)
{
    (void)scratch;
    return at * at;
}

const coif_series COIF_VALIDATION[] = {
    {.experiment = &COIF_EXPERIMENT_CANTILEVER,
     .name = "cantilever",
     .vary = COIF_EXPERIMENT_PARAM_GAMMA,
     .count = 7,
     .at = {1, 3, 10, 30, 100, 300, 1000},
     .limit = 0.02,
     .source = "cantilever_elastica.csv",
     .log_x = true,
     .truth = cantilever},
    {.experiment = &COIF_EXPERIMENT_CANTILEVER,
     .name = "cantilever_substeps",
     .vary = COIF_EXPERIMENT_PARAM_SUBSTEPS,
     .count = 6,
     .at = {2, 5, 10, 20, 30, 40},
     .fixed = {{COIF_EXPERIMENT_PARAM_GAMMA, 100}},
     .limit = 0.02,
     .source = "cantilever_elastica.csv",
     .truth = level},
    {.experiment = &COIF_EXPERIMENT_CANTILEVER,
     .name = "cantilever_segments",
     .vary = COIF_EXPERIMENT_PARAM_SEGMENTS,
     .count = 4,
     .at = {16, 32, 64, 128},
     .fixed = {{COIF_EXPERIMENT_PARAM_GAMMA, 100}},
     .limit = 0.03,
     .source = "cantilever_discrete.csv",
     .log_x = true,
     .truth = level},
    {.experiment = &COIF_EXPERIMENT_HELIX,
     .name = "helix",
     .vary = COIF_EXPERIMENT_PARAM_WEIGHT,
     .count = 6,
     .at = {0.02, 0.05, 0.1, 0.2, 0.3, 0.5},
     .limit = 0.03,
     .source = "helix_hang_kirchhoff.csv"},
    {.experiment = &COIF_EXPERIMENT_PULL,
     .name = "pull",
     .vary = COIF_EXPERIMENT_PARAM_FORCE,
     .count = 4,
     .at = {0.05, 0.1, 0.25, 0.5},
     .limit = 0.03,
     .source = "helix_pull.csv",
     .truth = pull},
    {.experiment = &COIF_EXPERIMENT_GREENHILL,
     .name = "greenhill",
     .vary = COIF_EXPERIMENT_PARAM_SEGMENTS,
     .count = 2,
     .at = {16, 32},
     .limit = 0.05,
     .source = "rod_thresholds.csv",
     .log_x = true},
    {.experiment = &COIF_EXPERIMENT_BEAM,
     .name = "beam",
     .vary = COIF_EXPERIMENT_PARAM_MODE,
     .count = 2,
     .at = {1, 2},
     .limit = 0.03,
     .source = "rod_thresholds.csv"},
    {.experiment = &COIF_EXPERIMENT_SAG,
     .name = "sag",
     .vary = COIF_EXPERIMENT_PARAM_WEIGHT,
     .count = 3,
     .at = {0.05, 0.1, 0.2},
     .limit = 1e-3,
     .source = "a groom keeps its shape"},
    {.experiment = &COIF_EXPERIMENT_CATENARY,
     .name = "catenary",
     .vary = COIF_EXPERIMENT_PARAM_SPAN,
     .count = 5,
     .at = {1.05, 1.25, 1.5, 2, 3},
     .limit = 0.005,
     .source = "catenary.csv",
     .truth = catenary},
    {.experiment = &COIF_EXPERIMENT_CHAIN,
     .name = "chain",
     .vary = COIF_EXPERIMENT_PARAM_MODE,
     .count = 3,
     .at = {1, 2, 3},
     .fixed = {{COIF_EXPERIMENT_PARAM_SEGMENTS, 64}},
     .limit = 0.01,
     .source = "hanging_chain_modes.csv"},
    {.experiment = &COIF_EXPERIMENT_PENDULUM,
     .name = "pendulum",
     .vary = COIF_EXPERIMENT_PARAM_THETA,
     .count = 6,
     .at = {10, 30, 45, 60, 90, 120},
     .limit = 0.01,
     .source = "pendulum_large_amplitude.csv",
     .truth = pendulum},
    {.experiment = &COIF_EXPERIMENT_FREE_FALL,
     .name = "free_fall",
     .vary = COIF_EXPERIMENT_PARAM_TIME,
     .count = 4,
     .at = {0.25, 0.5, 0.75, 1},
     .limit = 1e-6,
     .source = "free_fall.csv (semi-implicit Euler)",
     .truth = fall},
    {.experiment = &COIF_EXPERIMENT_DRAG,
     .name = "drag",
     .vary = COIF_EXPERIMENT_PARAM_TIME,
     .count = 5,
     .at = {0.05, 0.1, 0.25, 0.5, 1},
     .limit = 0.01,
     .source = "drag_linear.csv",
     .truth = drag},
    {.experiment = &COIF_EXPERIMENT_DRAG,
     .name = "drag_quadratic",
     .vary = COIF_EXPERIMENT_PARAM_TIME,
     .count = 4,
     .at = {0.05, 0.1, 0.25, 0.5},
     .fixed = {{COIF_EXPERIMENT_PARAM_TERMINAL, 1}},
     .limit = 0.01,
     .source = "drag_quadratic.csv",
     .truth = drag_quadratic},
    {.experiment = &COIF_EXPERIMENT_WIND,
     .name = "wind",
     .vary = COIF_EXPERIMENT_PARAM_WIND,
     .count = 5,
     .at = {0.1, 0.25, 0.5, 1, 2},
     .limit = 0.01,
     .source = "wind_deflection.csv",
     .truth = wind},
    {.experiment = &COIF_EXPERIMENT_INCLINE,
     .name = "incline",
     .vary = COIF_EXPERIMENT_PARAM_INCLINE,
     .count = 6,
     .at = {5, 10, 16, 20, 30, 45},
     .limit = 0.01,
     .source = "friction_incline.csv",
     .truth = incline},
    {.experiment = &COIF_EXPERIMENT_CAPSTAN,
     .name = "capstan",
     .vary = COIF_EXPERIMENT_PARAM_MU,
     .count = 4,
     .at = {0.05, 0.1, 0.2, 0.4},
     .limit = 0.04,
     .source = "friction_capstan.csv",
     .truth = capstan},
    {.experiment = &COIF_EXPERIMENT_STICK_SLIP,
     .name = "stick_slip",
     .vary = COIF_EXPERIMENT_PARAM_MU,
     .count = 3,
     .at = {0.1, 0.2, 0.3},
     .limit = 0.03,
     .source = "stick_slip_elastica.csv",
     .truth = stick_slip},
    {.experiment = &COIF_EXPERIMENT_RESTITUTION,
     .name = "restitution",
     .vary = COIF_EXPERIMENT_PARAM_BOUNCE,
     .count = 5,
     .at = {0, 0.25, 0.5, 0.75, 1},
     .limit = 0.02,
     .source = "restitution.csv",
     .truth = restitution},
    {.experiment = &COIF_EXPERIMENT_MOMENTUM,
     .name = "momentum",
     .vary = COIF_EXPERIMENT_PARAM_TIME,
     .count = 2,
     .at = {0.5, 1},
     .limit = 1e-6,
     .second_limit = 1e-4,
     .source = "conservation"},
};
const int32_t COIF_VALIDATION_COUNT = COIF_COUNT_OF(COIF_VALIDATION);

typedef struct running {
    const coif_validation_desc *desc;
    coif_validation_result *findings;
    coif_arena *arenas; // one per finding
    coif_error *errors;
    coif_progress *progress;
} running;

static coif_status ask(coif_validation_result *finding, const coif_validation_desc *desc,
                       coif_arena *arena, coif_error *error)
{
    const coif_series *series = finding->series;
    coif_experiment_input question = coif_experiment_input_open(finding->solver, desc->plugins);
    question.sets = desc->sets;
    question.set_count = desc->set_count;
    for (int32_t i = 0; i < COIF_SERIES_FIXED; ++i) {
        if (series->fixed[i].value != 0.0) {
            question.asked[series->fixed[i].ask] = series->fixed[i].value;
        }
    }
    question.asked[series->vary] = finding->at;
    coif_experiment_result answer;
    COIF_TRY(coif_experiment_run(&answer, series->experiment, &question, arena, error));
    finding->key = answer.figures[0].key;
    finding->value = answer.figures[0].value;
    finding->truth = answer.figures[0].truth;
    finding->error = coif_experiment_result_error(&answer);
    finding->max_stretch = answer.max_stretch;
    finding->healed = answer.healed;
    finding->shape = answer.shape;
    finding->point_count = answer.point_count;
    finding->length = answer.length;
    finding->judged = strcmp(finding->solver, COIF_VALIDATION_SOLVER) == 0;
    finding->kept = finding->error <= series->limit && answer.healed == 0;
    if (series->second_limit > 0.0) {
        const coif_measurement *second = &answer.figures[1];
        finding->kept &= fabs(second->value - second->truth) <= series->second_limit;
    }
    return COIF_OK;
}

static void run_some(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const running *all = context;
    for (int64_t i = begin; i < end && !coif_progress_cancelled(all->progress); ++i) {
        ask(&all->findings[i], all->desc, &all->arenas[i], &all->errors[i]);
        coif_progress_step(all->progress, 1);
    }
}

// Fills findings when there is room for them; gives how many there are.
static int32_t list_findings(coif_validation_result *findings, const coif_validation_desc *desc)
{
    int32_t count = 0;
    for (int32_t s = 0; s < COIF_VALIDATION_COUNT; ++s) {
        const coif_series *series = &COIF_VALIDATION[s];
        if (desc->only != NULL && strcmp(desc->only, series->experiment->name) != 0) {
            continue;
        }
        for (int32_t m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
            const char *solver = COIF_METHOD_NAMES[m];
            if (desc->solver != NULL && strcmp(desc->solver, solver) != 0) {
                continue;
            }
            for (int32_t i = 0; i < series->count; ++i, ++count) {
                if (findings != NULL) {
                    findings[count] = (coif_validation_result){
                        .series = series, .solver = solver, .at = series->at[i]};
                }
            }
        }
    }
    return count;
}

// The shape outlives the arena it was made in.
static void keep_shape(coif_validation_result *finding, coif_arena *arena)
{
    coif_vec3 *shape = coif_arena_new(arena, finding->point_count, coif_vec3);
    if (finding->point_count > 0) {
        memcpy(shape, finding->shape, sizeof(coif_vec3) * (size_t)finding->point_count);
    }
    finding->shape = shape;
}

coif_status coif_validation_run(coif_validation_result **findings, int32_t *count,
                                const coif_validation_desc *desc, coif_arena *arena,
                                coif_jobs *jobs, coif_progress *progress, coif_error *error)
{
    *count = list_findings(NULL, desc);
    *findings = coif_arena_new(arena, *count, coif_validation_result);
    list_findings(*findings, desc);
    const running all = {.desc = desc,
                         .findings = *findings,
                         .arenas = coif_arena_new(arena, *count, coif_arena),
                         .errors = coif_arena_new(arena, *count, coif_error),
                         .progress = progress};
    for (int32_t i = 0; i < *count; ++i) {
        coif_arena_init(&all.arenas[i], "experiment");
    }
    coif_progress_begin(progress, "experiments", *count, "experiments");
    coif_parallel_for(jobs, *count, 1, run_some, (void *)&all);
    coif_progress_end(progress);
    coif_status status = coif_progress_cancelled(progress)
                             ? coif_fail(error, COIF_ERR_CANCELLED, "cancelled")
                             : COIF_OK;
    for (int32_t i = 0; i < *count; ++i) {
        if (status == COIF_OK && all.errors[i].status != COIF_OK) {
            status = coif_fail(error, all.errors[i].status, "%s", all.errors[i].text);
        }
        keep_shape(&(*findings)[i], arena);
        coif_arena_free(&all.arenas[i]);
    }
    return status;
}
