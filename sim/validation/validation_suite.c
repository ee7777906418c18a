#include "sim/validation/validation_suite.h"

#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "sim/validation/reference_solutions.h"

#include <string.h>

const char *const COIF_VALIDATION_SOLVER = "der";

static double cantilever(double at)
{
    COIF_SCOPED_ARENA(scratch, "cantilever");
    const coif_reference_tip tip = coif_reference_cantilever(at, 0, &scratch);
    return tip.drop / tip.reach;
}

static double level(double at)
{
    (void)at;
    return cantilever(100.0);
}

static double pull(double at)
{
    return coif_reference_helix_pull(10.0, 2.0 / 3.0, at);
}

static double catenary(double at)
{
    return coif_reference_catenary(at, 0);
}

static double fall(double at)
{
    return 0.5 * COIF_REFERENCE_GRAVITY * at * at;
}

static double drag(double at)
{
    return coif_reference_fall_linear(5.0, at).speed;
}

static double drag_quadratic(double at)
{
    return coif_reference_fall_quadratic(1.0, at).speed;
}

static double wind(double at)
{
    return sin(atan(at));
}

static double stick_slip(double at)
{
    return at;
}

static double incline(double at)
{
    return coif_reference_incline(0.3, at);
}

static double capstan(double at)
{
    return coif_reference_capstan(at, 180.0);
}

static double restitution(double at)
{
    return at * at;
}

// clang-format off
#define ROW(experiment_, name_, param_) \
    &COIF_EXPERIMENT_##experiment_, #name_, COIF_EXPERIMENT_PARAM_##param_
const coif_series COIF_VALIDATION[] = {
    {ROW(CANTILEVER, cantilever, GAMMA), 7, {1, 3, 10, 30, 100, 300, 1000}, .limit = 0.02,
     .source = "cantilever_elastica.csv", .log_x = true, .reference = cantilever},
    {ROW(CANTILEVER, cantilever_substeps, SUBSTEPS), 6, {2, 5, 10, 20, 30, 40}, .limit = 0.02,
     .source = "cantilever_elastica.csv", .fixed = {{COIF_EXPERIMENT_PARAM_GAMMA, 100}}, .reference = level},
    {ROW(CANTILEVER, cantilever_segments, SEGMENTS), 4, {16, 32, 64, 128}, .limit = 0.03,
     .source = "cantilever_discrete.csv", .fixed = {{COIF_EXPERIMENT_PARAM_GAMMA, 100}}, .log_x = true, .reference = level},
    {ROW(HELIX, helix, WEIGHT), 6, {0.02, 0.05, 0.1, 0.2, 0.3, 0.5}, .limit = 0.03,
     .source = "helix_hang_kirchhoff.csv"},
    {ROW(PULL, pull, FORCE), 4, {0.05, 0.1, 0.25, 0.5}, .limit = 0.03,
     .source = "helix_pull.csv", .reference = pull},
    {ROW(GREENHILL, greenhill, SEGMENTS), 2, {16, 32}, .limit = 0.05,
     .source = "rod_thresholds.csv", .log_x = true},
    {ROW(BEAM, beam, MODE), 2, {1, 2}, .limit = 0.03,
     .source = "rod_thresholds.csv"},
    {ROW(SAG, sag, WEIGHT), 3, {0.05, 0.1, 0.2}, .limit = 1e-3,
     .source = "a groom keeps its shape"},
    {ROW(CATENARY, catenary, SPAN), 5, {1.05, 1.25, 1.5, 2, 3}, .limit = 0.005,
     .source = "catenary.csv", .reference = catenary},
    {ROW(CHAIN, chain, MODE), 3, {1, 2, 3}, .limit = 0.01,
     .source = "hanging_chain_modes.csv", .fixed = {{COIF_EXPERIMENT_PARAM_SEGMENTS, 64}}},
    {ROW(PENDULUM, pendulum, THETA), 6, {10, 30, 45, 60, 90, 120}, .limit = 0.01,
     .source = "pendulum_large_amplitude.csv", .reference = coif_reference_pendulum},
    {ROW(FREE_FALL, free_fall, TIME), 4, {0.25, 0.5, 0.75, 1}, .limit = 1e-6,
     .source = "free_fall.csv (semi-implicit Euler)", .reference = fall},
    {ROW(DRAG, drag, TIME), 5, {0.05, 0.1, 0.25, 0.5, 1}, .limit = 0.01,
     .source = "drag_linear.csv", .reference = drag},
    {ROW(DRAG, drag_quadratic, TIME), 4, {0.05, 0.1, 0.25, 0.5}, .limit = 0.01,
     .source = "drag_quadratic.csv", .fixed = {{COIF_EXPERIMENT_PARAM_TERMINAL, 1}}, .reference = drag_quadratic},
    {ROW(WIND, wind, WIND), 5, {0.1, 0.25, 0.5, 1, 2}, .limit = 0.01,
     .source = "wind_deflection.csv", .reference = wind},
    {ROW(INCLINE, incline, INCLINE), 6, {5, 10, 16, 20, 30, 45}, .limit = 0.01,
     .source = "friction_incline.csv", .reference = incline},
    {ROW(CAPSTAN, capstan, MU), 4, {0.05, 0.1, 0.2, 0.4}, .limit = 0.04,
     .source = "friction_capstan.csv", .reference = capstan},
    {ROW(STICK_SLIP, stick_slip, MU), 3, {0.1, 0.2, 0.3}, .limit = 0.03,
     .source = "stick_slip_elastica.csv", .reference = stick_slip},
    {ROW(RESTITUTION, restitution, BOUNCE), 5, {0, 0.25, 0.5, 0.75, 1}, .limit = 0.02,
     .source = "restitution.csv", .reference = restitution},
    {ROW(MOMENTUM, momentum, TIME), 2, {0.5, 1}, .limit = 1e-6,
     .source = "conservation", .second_limit = 1e-4},
};
// clang-format on
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
    suite_ctx ctx = {.desc = desc,
                     .results = *results,
                     .arenas = coif_arena_new(arena, *count, coif_arena),
                     .errors = coif_arena_new(arena, *count, coif_error),
                     .progress = progress};
    for (int32_t i = 0; i < *count; ++i) {
        coif_arena_init(&ctx.arenas[i], "experiment");
    }
    coif_progress_begin(progress, "experiments", *count, "experiments");
    coif_parallel_for(jobs, *count, 1, run_points, &ctx);
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
