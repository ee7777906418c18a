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
     .param = COIF_EXPERIMENT_PARAM_GAMMA,
     .count = 7,
     .at = {1, 3, 10, 30, 100, 300, 1000},
     .limit = 0.02,
     .source = "cantilever_elastica.csv",
     .log_x = true,
     .reference = cantilever},
    {.experiment = &COIF_EXPERIMENT_CANTILEVER,
     .name = "cantilever_substeps",
     .param = COIF_EXPERIMENT_PARAM_SUBSTEPS,
     .count = 6,
     .at = {2, 5, 10, 20, 30, 40},
     .fixed = {{COIF_EXPERIMENT_PARAM_GAMMA, 100}},
     .limit = 0.02,
     .source = "cantilever_elastica.csv",
     .reference = level},
    {.experiment = &COIF_EXPERIMENT_CANTILEVER,
     .name = "cantilever_segments",
     .param = COIF_EXPERIMENT_PARAM_SEGMENTS,
     .count = 4,
     .at = {16, 32, 64, 128},
     .fixed = {{COIF_EXPERIMENT_PARAM_GAMMA, 100}},
     .limit = 0.03,
     .source = "cantilever_discrete.csv",
     .log_x = true,
     .reference = level},
    {.experiment = &COIF_EXPERIMENT_HELIX,
     .name = "helix",
     .param = COIF_EXPERIMENT_PARAM_WEIGHT,
     .count = 6,
     .at = {0.02, 0.05, 0.1, 0.2, 0.3, 0.5},
     .limit = 0.03,
     .source = "helix_hang_kirchhoff.csv"},
    {.experiment = &COIF_EXPERIMENT_PULL,
     .name = "pull",
     .param = COIF_EXPERIMENT_PARAM_FORCE,
     .count = 4,
     .at = {0.05, 0.1, 0.25, 0.5},
     .limit = 0.03,
     .source = "helix_pull.csv",
     .reference = pull},
    {.experiment = &COIF_EXPERIMENT_GREENHILL,
     .name = "greenhill",
     .param = COIF_EXPERIMENT_PARAM_SEGMENTS,
     .count = 2,
     .at = {16, 32},
     .limit = 0.05,
     .source = "rod_thresholds.csv",
     .log_x = true},
    {.experiment = &COIF_EXPERIMENT_BEAM,
     .name = "beam",
     .param = COIF_EXPERIMENT_PARAM_MODE,
     .count = 2,
     .at = {1, 2},
     .limit = 0.03,
     .source = "rod_thresholds.csv"},
    {.experiment = &COIF_EXPERIMENT_SAG,
     .name = "sag",
     .param = COIF_EXPERIMENT_PARAM_WEIGHT,
     .count = 3,
     .at = {0.05, 0.1, 0.2},
     .limit = 1e-3,
     .source = "a groom keeps its shape"},
    {.experiment = &COIF_EXPERIMENT_CATENARY,
     .name = "catenary",
     .param = COIF_EXPERIMENT_PARAM_SPAN,
     .count = 5,
     .at = {1.05, 1.25, 1.5, 2, 3},
     .limit = 0.005,
     .source = "catenary.csv",
     .reference = catenary},
    {.experiment = &COIF_EXPERIMENT_CHAIN,
     .name = "chain",
     .param = COIF_EXPERIMENT_PARAM_MODE,
     .count = 3,
     .at = {1, 2, 3},
     .fixed = {{COIF_EXPERIMENT_PARAM_SEGMENTS, 64}},
     .limit = 0.01,
     .source = "hanging_chain_modes.csv"},
    {.experiment = &COIF_EXPERIMENT_PENDULUM,
     .name = "pendulum",
     .param = COIF_EXPERIMENT_PARAM_THETA,
     .count = 6,
     .at = {10, 30, 45, 60, 90, 120},
     .limit = 0.01,
     .source = "pendulum_large_amplitude.csv",
     .reference = pendulum},
    {.experiment = &COIF_EXPERIMENT_FREE_FALL,
     .name = "free_fall",
     .param = COIF_EXPERIMENT_PARAM_TIME,
     .count = 4,
     .at = {0.25, 0.5, 0.75, 1},
     .limit = 1e-6,
     .source = "free_fall.csv (semi-implicit Euler)",
     .reference = fall},
    {.experiment = &COIF_EXPERIMENT_DRAG,
     .name = "drag",
     .param = COIF_EXPERIMENT_PARAM_TIME,
     .count = 5,
     .at = {0.05, 0.1, 0.25, 0.5, 1},
     .limit = 0.01,
     .source = "drag_linear.csv",
     .reference = drag},
    {.experiment = &COIF_EXPERIMENT_DRAG,
     .name = "drag_quadratic",
     .param = COIF_EXPERIMENT_PARAM_TIME,
     .count = 4,
     .at = {0.05, 0.1, 0.25, 0.5},
     .fixed = {{COIF_EXPERIMENT_PARAM_TERMINAL, 1}},
     .limit = 0.01,
     .source = "drag_quadratic.csv",
     .reference = drag_quadratic},
    {.experiment = &COIF_EXPERIMENT_WIND,
     .name = "wind",
     .param = COIF_EXPERIMENT_PARAM_WIND,
     .count = 5,
     .at = {0.1, 0.25, 0.5, 1, 2},
     .limit = 0.01,
     .source = "wind_deflection.csv",
     .reference = wind},
    {.experiment = &COIF_EXPERIMENT_INCLINE,
     .name = "incline",
     .param = COIF_EXPERIMENT_PARAM_INCLINE,
     .count = 6,
     .at = {5, 10, 16, 20, 30, 45},
     .limit = 0.01,
     .source = "friction_incline.csv",
     .reference = incline},
    {.experiment = &COIF_EXPERIMENT_CAPSTAN,
     .name = "capstan",
     .param = COIF_EXPERIMENT_PARAM_MU,
     .count = 4,
     .at = {0.05, 0.1, 0.2, 0.4},
     .limit = 0.04,
     .source = "friction_capstan.csv",
     .reference = capstan},
    {.experiment = &COIF_EXPERIMENT_STICK_SLIP,
     .name = "stick_slip",
     .param = COIF_EXPERIMENT_PARAM_MU,
     .count = 3,
     .at = {0.1, 0.2, 0.3},
     .limit = 0.03,
     .source = "stick_slip_elastica.csv",
     .reference = stick_slip},
    {.experiment = &COIF_EXPERIMENT_RESTITUTION,
     .name = "restitution",
     .param = COIF_EXPERIMENT_PARAM_BOUNCE,
     .count = 5,
     .at = {0, 0.25, 0.5, 0.75, 1},
     .limit = 0.02,
     .source = "restitution.csv",
     .reference = restitution},
    {.experiment = &COIF_EXPERIMENT_MOMENTUM,
     .name = "momentum",
     .param = COIF_EXPERIMENT_PARAM_TIME,
     .count = 2,
     .at = {0.5, 1},
     .limit = 1e-6,
     .second_limit = 1e-4,
     .source = "conservation"},
};
const int32_t COIF_VALIDATION_COUNT = COIF_COUNT_OF(COIF_VALIDATION);

typedef struct suite_ctx {
    const coif_validation_desc *desc;
    coif_validation_result *results;
    coif_arena *arenas; // one per finding
    coif_error *errors;
    coif_progress *progress;
} suite_ctx;

static coif_status run_point(coif_validation_result *item, const coif_validation_desc *desc,
                             coif_arena *arena, coif_error *error)
{
    const coif_series *series = item->series;
    coif_experiment_input input = coif_experiment_input_open(item->solver, desc->plugins);
    input.sets = desc->sets;
    input.set_count = desc->set_count;
    for (int32_t i = 0; i < COIF_SERIES_FIXED; ++i) {
        if (series->fixed[i].value != 0.0) {
            input.params[series->fixed[i].param] = series->fixed[i].value;
        }
    }
    input.params[series->param] = item->at;
    coif_experiment_result result;
    COIF_TRY(coif_experiment_run(&result, series->experiment, &input, arena, error));
    item->key = result.measurements[0].key;
    item->value = result.measurements[0].value;
    item->reference = result.measurements[0].reference;
    item->error = coif_experiment_result_error(&result);
    item->max_stretch = result.max_stretch;
    item->reset_count = result.reset_count;
    item->shape = result.shape;
    item->point_count = result.point_count;
    item->length = result.length;
    item->has_limit = strcmp(item->solver, COIF_VALIDATION_SOLVER) == 0;
    item->within_limit = item->error <= series->limit && result.reset_count == 0;
    if (series->second_limit > 0.0) {
        const coif_measurement *second = &result.measurements[1];
        item->within_limit &= fabs(second->value - second->reference) <= series->second_limit;
    }
    return COIF_OK;
}

static void run_points(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const suite_ctx *ctx = context;
    for (int64_t i = begin; i < end && !coif_progress_cancelled(ctx->progress); ++i) {
        run_point(&ctx->results[i], ctx->desc, &ctx->arenas[i], &ctx->errors[i]);
        coif_progress_step(ctx->progress, 1);
    }
}

// Fills results unless NULL; returns their number.
static int32_t list_points(coif_validation_result *results, const coif_validation_desc *desc)
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
                if (results != NULL) {
                    results[count] = (coif_validation_result){
                        .series = series, .solver = solver, .at = series->at[i]};
                }
            }
        }
    }
    return count;
}

// Copies the shape out of the arena of its experiment.
static void copy_shape(coif_validation_result *item, coif_arena *arena)
{
    coif_vec3 *shape = coif_arena_new(arena, item->point_count, coif_vec3);
    if (item->point_count > 0) {
        memcpy(shape, item->shape, sizeof(coif_vec3) * (size_t)item->point_count);
    }
    item->shape = shape;
}

coif_status coif_validation_run(coif_validation_result **results, int32_t *count,
                                const coif_validation_desc *desc, coif_arena *arena,
                                coif_jobs *jobs, coif_progress *progress, coif_error *error)
{
    *count = list_points(NULL, desc);
    *results = coif_arena_new(arena, *count, coif_validation_result);
    list_points(*results, desc);
    const suite_ctx ctx = {.desc = desc,
                           .results = *results,
                           .arenas = coif_arena_new(arena, *count, coif_arena),
                           .errors = coif_arena_new(arena, *count, coif_error),
                           .progress = progress};
    for (int32_t i = 0; i < *count; ++i) {
        coif_arena_init(&ctx.arenas[i], "experiment");
    }
    coif_progress_begin(progress, "experiments", *count, "experiments");
    coif_parallel_for(jobs, *count, 1, run_points, (void *)&ctx);
    coif_progress_end(progress);
    coif_status status = coif_progress_cancelled(progress)
                             ? coif_fail(error, COIF_ERR_CANCELLED, "cancelled")
                             : COIF_OK;
    for (int32_t i = 0; i < *count; ++i) {
        if (status == COIF_OK && ctx.errors[i].status != COIF_OK) {
            status = coif_fail(error, ctx.errors[i].status, "%s", ctx.errors[i].text);
        }
        copy_shape(&(*results)[i], arena);
        coif_arena_free(&ctx.arenas[i]);
    }
    return status;
}
