// experiment_rest: equilibrium shapes under weight and load.
#include "core/base/arena.h"
#include "sim/validation/experiment.h"
#include "sim/validation/reference_solutions.h"
#include "sim/validation/test_shapes.h"

static const coif_vec3 LEVEL = {1.0f, 0.0f, 0.0f};
static const coif_vec3 UP = {0.0f, 1.0f, 0.0f};

// Hair with the default material: quantities are in units of its stiffness and weight.
static const double HAIR_BENDING = 3.9e9 * M_PI * 40e-6 * 40e-6 * 40e-6 * 40e-6 / 4.0;
static const double HAIR_WEIGHT = 1320.0 * M_PI * 40e-6 * 40e-6 * 9.81;
#define HAIR " hair_radius=4e-5 hair_density=1320 youngs_modulus=3.9e9 stiffness=1"

static double length_for_gamma(double gamma)
{
    return cbrt(gamma * HAIR_BENDING / HAIR_WEIGHT);
}

static coif_status run_cantilever(coif_experiment_result *result, coif_arena *arena,
                                  coif_error *error)
{
    const double gamma = COIF_EXPERIMENT_VALUE(GAMMA);
    const int32_t points = coif_experiment_points(result);
    const coif_vec3 *shape = coif_shape_straight(points, length_for_gamma(gamma), LEVEL, arena);
    const coif_strand_rig_desc desc = {
        .shape = shape, .point_count = points, .sim = "drag=8 bending_damping_time=0.005" HAIR};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
    coif_strand_rig_settle(&rig, 1.0, 10.0);
    coif_experiment_close(result, &rig);
    const coif_vec3 tip = coif_strand_rig_tip(&rig);
    const double length = coif_strand_rig_length(&rig);
    const coif_reference_tip reference = coif_reference_cantilever(gamma, 0, arena);
    const coif_reference_tip discrete = coif_reference_cantilever(gamma, points - 1, arena);
    const double ratio = -(double)tip.y / (double)tip.x;
    coif_measure(result, "H_over_W", ratio, reference.drop / reference.reach);
    coif_measure(result, "H_over_L", -(double)tip.y / length, reference.drop);
    coif_measure(result, "W_over_L", (double)tip.x / length, reference.reach);
    coif_measure(result, "HW_halfjoint", ratio, discrete.drop / discrete.reach);
    return COIF_OK;
}

COIF_EXPERIMENT(CANTILEVER, cantilever,
                "a straight strand clamped level sinks under its weight (heavy elastica)",
                COIF_EXPERIMENT_DEFAULT(GAMMA, 10), COIF_EXPERIMENT_DEFAULT(SEGMENTS, 64),
                COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10), COIF_EXPERIMENT_DEFAULT(FPS, 24));

// Helix with the requested ratio of weight to stiffness.
static coif_helix helix_of(const coif_experiment_result *result)
{
    coif_helix helix = {.pitch = COIF_EXPERIMENT_VALUE(PITCH) * M_PI / 180.0,
                        .turns = COIF_EXPERIMENT_VALUE(TURNS),
                        .radius = 1.0};
    const double arc = coif_helix_length(&helix);
    helix.radius = cbrt(COIF_EXPERIMENT_VALUE(WEIGHT) * HAIR_BENDING / HAIR_WEIGHT / arc);
    return helix;
}

// C / B = 1 / (1 + nu) of a round section.
static const char *twist_settings(const coif_experiment_result *result, coif_arena *arena)
{
    const double poisson = 1.0 / COIF_EXPERIMENT_VALUE(RATIO) - 1.0;
    return coif_arena_print(arena, "poisson_ratio=%.9g" HAIR, fmin(poisson, 0.5));
}

static coif_status run_helix(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const coif_helix helix = helix_of(result);
    const int32_t points = coif_experiment_points(result);
    const coif_strand_rig_desc desc = {
        .shape = coif_shape_helix(points, &helix, arena),
        .point_count = points,
        .sim = coif_arena_print(arena, "drag=6 bending_damping_time=0.01 %s",
                                twist_settings(result, arena))};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
    coif_strand_rig_settle(&rig, 1.0, 8.0);
    coif_experiment_close(result, &rig);
    const coif_vec3 tip = coif_strand_rig_tip(&rig);
    const double length = coif_strand_rig_length(&rig);
    coif_measure(
        result, "z_over_L", -(double)tip.y / length,
        coif_reference_helix_hang(COIF_EXPERIMENT_VALUE(PITCH), COIF_EXPERIMENT_VALUE(TURNS),
                                  COIF_EXPERIMENT_VALUE(RATIO), COIF_EXPERIMENT_VALUE(WEIGHT)));
    coif_measure(result, "tip_x_over_L", (double)tip.x / length, NAN);
    coif_measure(result, "tip_z_over_L", (double)tip.z / length, NAN);
    return COIF_OK;
}

COIF_EXPERIMENT(HELIX, helix, "a curl clamped at its top hangs by its weight (Kirchhoff rod)",
                COIF_EXPERIMENT_DEFAULT(PITCH, 10), COIF_EXPERIMENT_DEFAULT(TURNS, 5),
                COIF_EXPERIMENT_DEFAULT(RATIO, 2.0 / 3.0), COIF_EXPERIMENT_DEFAULT(WEIGHT, 0.1),
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 80), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10),
                COIF_EXPERIMENT_DEFAULT(FPS, 24));

// The force increases over some seconds: applied at once, the helix may reach another
// equilibrium.
static void pull_slowly(coif_strand_rig *rig, double newton)
{
    static const double seconds = 4.0;
    const double frames = seconds * (double)rig->params.fps;
    while (rig->frame < frames) {
        rig->params.tip_force[1] = (float)(-newton * (rig->frame + 1) / frames);
        coif_strand_rig_step(rig);
    }
}

// Pulled at its tip, weightless. End effects are excluded: only the middle half is measured.
static coif_status run_pull(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const double pitch = COIF_EXPERIMENT_VALUE(PITCH);
    const double ratio = COIF_EXPERIMENT_VALUE(RATIO);
    const double force = COIF_EXPERIMENT_VALUE(FORCE);
    const coif_helix helix = {
        .pitch = pitch * M_PI / 180.0, .turns = COIF_EXPERIMENT_VALUE(TURNS), .radius = 0.008};
    const int32_t points = coif_experiment_points(result);
    const double newton = force * HAIR_BENDING / (helix.radius * helix.radius);
    const coif_strand_rig_desc desc = {
        .shape = coif_shape_helix(points, &helix, arena),
        .point_count = points,
        .sim = coif_arena_print(arena, "drag=6 bending_damping_time=0.01 gravity=[0,0,0] %s",
                                twist_settings(result, arena))};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
    pull_slowly(&rig, newton);
    coif_strand_rig_settle(&rig, 1.0, 20.0);
    coif_experiment_close(result, &rig);
    const int32_t first = points / 4;
    const int32_t last = points - 1 - points / 4;
    const double length = coif_strand_rig_length(&rig) * (last - first) / (points - 1);
    coif_measure(result, "z_over_L",
                 (double)coif_length(coif_sub(rig.positions[first], rig.positions[last])) / length,
                 coif_reference_helix_pull(pitch, ratio, force));
    coif_measure(result, "tip_z_over_L",
                 -(double)coif_strand_rig_tip(&rig).y / coif_strand_rig_length(&rig), NAN);
    return COIF_OK;
}

COIF_EXPERIMENT(PULL, pull,
                "a curl without weight is pulled at its tip (Kirchhoff rod, many turns)",
                COIF_EXPERIMENT_DEFAULT(PITCH, 10), COIF_EXPERIMENT_DEFAULT(TURNS, 8),
                COIF_EXPERIMENT_DEFAULT(RATIO, 2.0 / 3.0), COIF_EXPERIMENT_DEFAULT(FORCE, 0.1),
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 128), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10),
                COIF_EXPERIMENT_DEFAULT(FPS, 24));

// With gravity compensation a rest shape is kept from the first frame on.
static coif_status run_sag(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const coif_helix helix = helix_of(result);
    const int32_t points = coif_experiment_points(result);
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    const coif_vec3 *down = coif_shape_helix(points, &helix, arena);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = coif_vec3_of(-down[k].y, down[k].x, down[k].z);
    }
    const coif_strand_rig_desc desc = {
        .shape = shape,
        .point_count = points,
        .sim = coif_arena_print(
            arena,
            "drag=3 bending_damping_time=0.005 gravity_compensation=1 goal_frequency_root=30 "
            "goal_frequency_tip=3 poisson_ratio=0.4" HAIR)};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
    const coif_vec3 *rest = rig.positions;
    coif_vec3 *first = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        first[k] = rest[k];
    }
    coif_strand_rig_settle(&rig, 5.0, 5.0);
    coif_experiment_close(result, &rig);
    double drift = 0.0;
    for (int32_t k = 0; k < points; ++k) {
        drift = fmax(drift, (double)coif_length(coif_sub(rig.positions[k], first[k])));
    }
    coif_measure(result, "drift_over_L", drift / coif_strand_rig_length(&rig), 0.0);
    return COIF_OK;
}

COIF_EXPERIMENT(SAG, sag,
                "a groomed curl that projects from the scalp keeps its shape for five seconds "
                "(gravity_compensation 1)",
                COIF_EXPERIMENT_DEFAULT(PITCH, 20), COIF_EXPERIMENT_DEFAULT(TURNS, 3),
                COIF_EXPERIMENT_DEFAULT(WEIGHT, 0.1), COIF_EXPERIMENT_DEFAULT(SEGMENTS, 48),
                COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10), COIF_EXPERIMENT_DEFAULT(FPS, 24));

static coif_status run_catenary(coif_experiment_result *result, coif_arena *arena,
                                coif_error *error)
{
    const double ratio = COIF_EXPERIMENT_VALUE(SPAN);
    const double span = COIF_EXPERIMENT_VALUE(LENGTH) / ratio;
    const int32_t points = coif_experiment_points(result);
    // Two straight legs between the same ends: far from equilibrium.
    const double half = 0.5 * span * ratio;
    const double depth = sqrt(half * half - 0.25 * span * span);
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        const double u = (double)k / (points - 1);
        shape[k] = coif_vec3_of((float)(span * u),
                                (float)(-depth * (u < 0.5 ? 2.0 * u : 2.0 - 2.0 * u)), 0.0f);
    }
    const coif_strand_rig_desc desc = {
        .shape = shape,
        .point_count = points,
        .sim = "drag=4 root_boundary=pinned tip_boundary=pinned" HAIR COIF_STRAND_RIG_LIMP};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
    coif_strand_rig_settle(&rig, 2.0, 12.0);
    coif_experiment_close(result, &rig);
    double low = 0.0;
    for (int32_t k = 0; k < points; ++k) {
        low = fmax(low, (double)rig.positions[0].y - (double)rig.positions[k].y);
    }
    coif_measure(result, "sag", low / span, coif_reference_catenary(ratio, 0));
    coif_measure(result, "sag_N", low / span, coif_reference_catenary(ratio, points - 1));
    return COIF_OK;
}

COIF_EXPERIMENT(CATENARY, catenary, "a chain between two pins at the same height; sag in spans",
                COIF_EXPERIMENT_DEFAULT(SPAN, 1.5), COIF_EXPERIMENT_DEFAULT(LENGTH, 0.15),
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 64), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10),
                COIF_EXPERIMENT_DEFAULT(FPS, 24));

// Whether an upright strand of that weight has buckled after a small perturbation.
static coif_status buckles(bool *fell, double gamma, coif_experiment_result *result,
                           coif_arena *arena, coif_error *error)
{
    const int32_t points = coif_experiment_points(result);
    const double length = length_for_gamma(gamma);
    const coif_strand_rig_desc desc = {.shape = coif_shape_straight(points, length, UP, arena),
                                       .point_count = points,
                                       .sim = "drag=2 gravity=[0.001,-9.81,0]" HAIR};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
    while (rig.frame < 12.0 * (double)rig.params.fps) {
        coif_strand_rig_step(&rig);
    }
    coif_experiment_close(result, &rig);
    *fell = !(fabs((double)coif_strand_rig_tip(&rig).x) < 0.15 * length);
    return COIF_OK;
}

static coif_status run_greenhill(coif_experiment_result *result, coif_arena *arena,
                                 coif_error *error)
{
    double low = 0.25 * COIF_REFERENCE_GREENHILL;
    double high = 4.0 * COIF_REFERENCE_GREENHILL;
    for (int i = 0; i < 10; ++i) {
        const double middle = sqrt(low * high);
        bool fell;
        COIF_TRY(buckles(&fell, middle, result, arena, error));
        *(fell ? &high : &low) = middle;
    }
    coif_measure(result, "gamma_at_buckling", sqrt(low * high), COIF_REFERENCE_GREENHILL);
    return COIF_OK;
}

COIF_EXPERIMENT(GREENHILL, greenhill, "the weight at which an upright strand buckles, by bisection",
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 32), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 5),
                COIF_EXPERIMENT_DEFAULT(FPS, 24));
