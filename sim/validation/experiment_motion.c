// experiment_motion: strands that fall, swing, vibrate and fly freely.
#include "core/base/arena.h"
#include "core/base/rng.h"
#include "sim/validation/experiment.h"
#include "sim/validation/reference_solutions.h"
#include "sim/validation/test_shapes.h"

static const coif_vec3 DOWN = {0.0f, -1.0f, 0.0f};
static const coif_vec3 LEVEL = {1.0f, 0.0f, 0.0f};

static int32_t point_count_of(const coif_experiment_result *result)
{
    return (int32_t)coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_SEGMENTS) + 1;
}

// A free horizontal strand falls without deformation.
static coif_status fall(coif_strand_rig *rig, coif_experiment_result *result, const char *settings,
                        coif_arena *arena, coif_error *error)
{
    const int32_t points = point_count_of(result);
    const coif_strand_rig_desc desc = {
        .shape = coif_shape_straight(points, 0.05, LEVEL, arena),
        .point_count = points,
        .sim = coif_arena_print(arena, "root_boundary=free %s", settings)};
    COIF_TRY(coif_experiment_result_open(rig, result, desc, arena, error));
    const double frames = round(coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_TIME) *
                                (double)rig->params.fps);
    while (rig->frame < frames) {
        coif_strand_rig_step(rig);
    }
    coif_experiment_result_close(result, rig);
    return COIF_OK;
}

static double height_of(const coif_strand_rig *rig)
{
    return (double)rig->positions[rig->point_count / 2].y;
}

static coif_status run_free_fall(coif_experiment_result *result, coif_arena *arena,
                                 coif_error *error)
{
    coif_strand_rig rig;
    COIF_TRY(fall(&rig, result, "", arena, error));
    const double start = (double)rig.groom.rest.points[rig.point_count / 2].y;
    const double h = 1.0 / ((double)rig.params.fps * rig.params.substeps);
    const int32_t steps = rig.frame * rig.params.substeps;
    coif_experiment_result_add(result, "drop_m", start - height_of(&rig),
                               coif_reference_fall_discrete(h, steps));
    coif_experiment_result_add(result, "drop_exact_m", start - height_of(&rig),
                               0.5 * COIF_REFERENCE_GRAVITY * h * h * steps * (double)steps);
    double shape = 0.0;
    for (int32_t k = 0; k < rig.point_count; ++k) {
        shape = fmax(shape, fabs((double)rig.positions[k].y - height_of(&rig)));
    }
    coif_experiment_result_add(result, "bent_m", shape, 0.0);
    return COIF_OK;
}

static const coif_experiment_param_default FALL_DEFAULTS[] = {{COIF_EXPERIMENT_PARAM_TIME, 0.25},
                                                              {COIF_EXPERIMENT_PARAM_SEGMENTS, 8},
                                                              {COIF_EXPERIMENT_PARAM_SUBSTEPS, 10},
                                                              {COIF_EXPERIMENT_PARAM_FPS, 24}};
const coif_experiment COIF_EXPERIMENT_FREE_FALL = {
    .name = "free_fall",
    .help = "a free strand falls as semi-implicit Euler does, and keeps its shape",
    .defaults = FALL_DEFAULTS,
    .default_count = COIF_COUNT_OF(FALL_DEFAULTS),
    .run = run_free_fall,
};

// Drag coefficient for a terminal speed: v^2 = pi d rho g / 2 rho_air C_d.
static double drag_coefficient(double terminal)
{
    static const double hair = 1320.0; // kg/m3
    static const double air = 1.204;
    static const double diameter = 8e-5; // m
    return M_PI * diameter * hair * COIF_REFERENCE_GRAVITY / (2.0 * air * terminal * terminal);
}

static coif_status run_drag(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const double drag = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_DRAG);
    const double terminal = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_TERMINAL);
    const double seconds = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_TIME);
    const char *settings =
        isnan(terminal)
            ? coif_arena_print(arena, "drag=%.9g", drag)
            : coif_arena_print(arena, "hair_radius=4e-5 hair_density=1320 drag_coefficient=%.9g",
                               drag_coefficient(terminal));
    coif_strand_rig rig;
    COIF_TRY(fall(&rig, result, settings, arena, error));
    const double start = (double)rig.groom.rest.points[rig.point_count / 2].y;
    const coif_reference_fall reference = isnan(terminal)
                                              ? coif_reference_fall_linear(drag, seconds)
                                              : coif_reference_fall_quadratic(terminal, seconds);
    coif_experiment_result_add(result, "v_m_s", -(double)rig.velocities[rig.point_count / 2].y,
                               reference.speed);
    coif_experiment_result_add(result, "drop_m", start - height_of(&rig), reference.drop);
    return COIF_OK;
}

static const coif_experiment_param_default DRAG_DEFAULTS[] = {
    {COIF_EXPERIMENT_PARAM_DRAG, 5},      {COIF_EXPERIMENT_PARAM_TERMINAL, NAN},
    {COIF_EXPERIMENT_PARAM_TIME, 0.5},    {COIF_EXPERIMENT_PARAM_SEGMENTS, 4},
    {COIF_EXPERIMENT_PARAM_SUBSTEPS, 50}, {COIF_EXPERIMENT_PARAM_FPS, 20}};
const coif_experiment COIF_EXPERIMENT_DRAG = {
    .name = "drag",
    .help = "a free strand falls through air: speed and drop after t_s",
    .defaults = DRAG_DEFAULTS,
    .default_count = COIF_COUNT_OF(DRAG_DEFAULTS),
    .run = run_drag,
};

static coif_status run_wind(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    static const double air = 2.0; // m/s
    const double push = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_WIND);
    const double drag = push * COIF_REFERENCE_GRAVITY / air;
    const int32_t points = point_count_of(result);
    const double length = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_LENGTH);
    const coif_strand_rig_desc desc = {
        .shape = coif_shape_straight(points, length, DOWN, arena),
        .point_count = points,
        .sim = coif_arena_print(
            arena, "root_boundary=pinned drag=%.9g damping=3" COIF_STRAND_RIG_LIMP, drag),
        .forces = "{\"plugin\": \"wind.uniform\", \"velocity\": [2, 0, 0]}"};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_result_open(&rig, result, desc, arena, error));
    coif_strand_rig_settle(&rig, 2.0, 10.0);
    coif_experiment_result_close(result, &rig);
    const coif_vec3 tip = coif_strand_rig_tip(&rig);
    const double angle = atan(push);
    coif_experiment_result_add(result, "tip_x_over_L", (double)tip.x / length, sin(angle));
    coif_experiment_result_add(result, "tip_drop_over_L", -(double)tip.y / length, cos(angle));
    coif_experiment_result_add(result, "angle_deg",
                               atan2((double)tip.x, -(double)tip.y) * 180.0 / M_PI,
                               angle * 180.0 / M_PI);
    return COIF_OK;
}

static const coif_experiment_param_default WIND_DEFAULTS[] = {{COIF_EXPERIMENT_PARAM_WIND, 1},
                                                              {COIF_EXPERIMENT_PARAM_LENGTH, 0.1},
                                                              {COIF_EXPERIMENT_PARAM_SEGMENTS, 16},
                                                              {COIF_EXPERIMENT_PARAM_SUBSTEPS, 10},
                                                              {COIF_EXPERIMENT_PARAM_FPS, 24}};
const coif_experiment COIF_EXPERIMENT_WIND = {
    .name = "wind",
    .help = "a chain in a level wind hangs straight, at an angle",
    .defaults = WIND_DEFAULTS,
    .default_count = COIF_COUNT_OF(WIND_DEFAULTS),
    .run = run_wind,
};

typedef struct oscillation {
    double first;  // first full period from rest; NAN: none
    double period; // between crossings in the same direction
    double growth; // amplitude after three crossings over that before
} oscillation;

// Lateral motion of the tip along an axis (0: x, 1: y), until it has crossed the centre five
// times.
static oscillation measure_swing(coif_strand_rig *rig, int axis, double most_seconds)
{
    const float *tip = &rig->positions[rig->point_count - 1].x + axis;
    const double middle = (double)(&rig->positions[0].x)[axis];
    double crossings[5] = {0.0};
    double amplitude[2] = {fabs((double)*tip - middle), 0.0};
    int crossing_count = 0;
    const double frames = most_seconds * (double)rig->params.fps;
    while (crossing_count < 5 && rig->frame < frames) {
        const double before = (double)*tip - middle;
        coif_strand_rig_step(rig);
        const double now = (double)*tip - middle;
        if (before * now < 0.0) {
            crossings[crossing_count++] =
                (rig->frame - now / (now - before)) / (double)rig->params.fps;
        }
        double *most = &amplitude[crossing_count >= 3];
        *most = fmax(*most, fabs(now));
    }
    return (oscillation){.first = crossing_count >= 2 ? crossings[0] + crossings[1] : NAN,
                         .period = crossing_count >= 3 ? crossings[2] - crossings[0] : NAN,
                         .growth = amplitude[1] / amplitude[0]};
}

static coif_status run_pendulum(coif_experiment_result *result, coif_arena *arena,
                                coif_error *error)
{
    const double degrees = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_THETA);
    const double angle = degrees * M_PI / 180.0;
    const double length = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_LENGTH);
    const coif_vec3 along = {(float)sin(angle), (float)-cos(angle), 0.0f};
    const coif_strand_rig_desc desc = {.shape = coif_shape_straight(2, length, along, arena),
                                       .point_count = 2,
                                       .sim = "root_boundary=pinned" COIF_STRAND_RIG_LIMP};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_result_open(&rig, result, desc, arena, error));
    const double slow = 2.0 * M_PI * sqrt(length / COIF_REFERENCE_GRAVITY);
    const oscillation found = measure_swing(&rig, 0, 12.0 * slow);
    coif_experiment_result_close(result, &rig);
    coif_experiment_result_add(result, "T_over_T0", found.first / slow,
                               coif_reference_pendulum(degrees));
    coif_experiment_result_add(result, "amplitude_after", found.growth, NAN);
    return COIF_OK;
}

static const coif_experiment_param_default PENDULUM_DEFAULTS[] = {
    {COIF_EXPERIMENT_PARAM_THETA, 60},
    {COIF_EXPERIMENT_PARAM_LENGTH, 0.25},
    {COIF_EXPERIMENT_PARAM_SUBSTEPS, 20},
    {COIF_EXPERIMENT_PARAM_FPS, 200}};
const coif_experiment COIF_EXPERIMENT_PENDULUM = {
    .name = "pendulum",
    .help = "one segment swings far: period over that of small swings",
    .defaults = PENDULUM_DEFAULTS,
    .default_count = COIF_COUNT_OF(PENDULUM_DEFAULTS),
    .run = run_pendulum,
};

// Mode n of a hanging chain: x = A J0(j0n sqrt(z / L)), z from the tip.
static coif_status run_chain(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const int32_t mode = (int32_t)coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_MODE);
    const int32_t points = point_count_of(result);
    const double length = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_LENGTH);
    const double zero = coif_reference_bessel_zero(mode);
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        const double z = 1.0 - (double)k / (points - 1);
        shape[k] = coif_vec3_of((float)(0.01 * length / mode * j0(zero * sqrt(z))),
                                (float)(-length * (1.0 - z)), 0.0f);
    }
    const coif_strand_rig_desc desc = {
        .shape = shape, .point_count = points, .sim = "root_boundary=pinned" COIF_STRAND_RIG_LIMP};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_result_open(&rig, result, desc, arena, error));
    const double frequency_scale = sqrt(COIF_REFERENCE_GRAVITY / length);
    const double reference = coif_reference_chain(mode, 0) * frequency_scale;
    const oscillation found = measure_swing(&rig, 0, 4.0 * 2.0 * M_PI / reference);
    coif_experiment_result_close(result, &rig);
    const double omega = 2.0 * M_PI / found.period;
    coif_experiment_result_add(result, "omega_rad_s", omega, reference);
    coif_experiment_result_add(result, "period_s", found.period, 2.0 * M_PI / reference);
    coif_experiment_result_add(result, "halftip_omega_norm", omega / frequency_scale,
                               coif_reference_chain(mode, points - 1));
    coif_experiment_result_add(result, "amplitude_after", found.growth, NAN);
    return COIF_OK;
}

static const coif_experiment_param_default CHAIN_DEFAULTS[] = {{COIF_EXPERIMENT_PARAM_LENGTH, 0.2},
                                                               {COIF_EXPERIMENT_PARAM_MODE, 1},
                                                               {COIF_EXPERIMENT_PARAM_SEGMENTS, 32},
                                                               {COIF_EXPERIMENT_PARAM_SUBSTEPS, 4},
                                                               {COIF_EXPERIMENT_PARAM_FPS, 120}};
const coif_experiment COIF_EXPERIMENT_CHAIN = {
    .name = "chain",
    .help = "a hanging chain without stiffness swings in one of its modes",
    .defaults = CHAIN_DEFAULTS,
    .default_count = COIF_COUNT_OF(CHAIN_DEFAULTS),
    .run = run_chain,
};

// A clamped weightless beam with the initial velocities of one of its modes.
static coif_status run_beam(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const int32_t mode = (int32_t)coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_MODE);
    const int32_t points = point_count_of(result);
    const double length = coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_LENGTH);
    const coif_strand_rig_desc desc = {.shape = coif_shape_straight(points, length, LEVEL, arena),
                                       .point_count = points,
                                       .sim = "gravity=[0,0,0]"};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_result_open(&rig, result, desc, arena, error));
    const double reference = coif_reference_beam(mode);
    const double root = sqrt(reference);
    const double sigma = (cosh(root) + cos(root)) / (sinh(root) + sin(root));
    for (int32_t k = 1; k < points; ++k) {
        const double x = root * k / (points - 1);
        rig.velocities[k].y =
            (float)(0.02 / mode * (cosh(x) - cos(x) - sigma * (sinh(x) - sin(x))));
    }
    coif_strand_rig_write(&rig);
    const double mass = coif_strand_rig_weight(&rig.params) / 9.81;
    const double frequency_scale =
        sqrt(coif_strand_rig_bending(&rig.params) / mass) / (length * length);
    coif_strand_rig_step(&rig);
    const oscillation found =
        measure_swing(&rig, 1, 4.0 * 2.0 * M_PI / (reference * frequency_scale));
    coif_experiment_result_close(result, &rig);
    coif_experiment_result_add(result, "omega_norm", 2.0 * M_PI / (found.period * frequency_scale),
                               reference);
    return COIF_OK;
}

static const coif_experiment_param_default BEAM_DEFAULTS[] = {{COIF_EXPERIMENT_PARAM_MODE, 1},
                                                              {COIF_EXPERIMENT_PARAM_LENGTH, 0.1},
                                                              {COIF_EXPERIMENT_PARAM_SEGMENTS, 32},
                                                              {COIF_EXPERIMENT_PARAM_SUBSTEPS, 4},
                                                              {COIF_EXPERIMENT_PARAM_FPS, 480}};
const coif_experiment COIF_EXPERIMENT_BEAM = {
    .name = "beam",
    .help = "a clamped strand without weight rings: omega L^2 sqrt(rho A / B)",
    .defaults = BEAM_DEFAULTS,
    .default_count = COIF_COUNT_OF(BEAM_DEFAULTS),
    .run = run_beam,
};

typedef struct momentum {
    double linear[3], angular[3]; // per mass of the strand
} momentum;

static momentum momentum_of(const coif_strand_rig *rig)
{
    momentum sum = {{0.0}, {0.0}};
    for (int32_t k = 0; k < rig->point_count; ++k) {
        const bool end = k == 0 || k + 1 == rig->point_count;
        const double mass = (end ? 0.5 : 1.0) / (rig->point_count - 1);
        const coif_vec3 x = rig->positions[k];
        const coif_vec3 v = rig->velocities[k];
        const double p[3] = {(double)x.x, (double)x.y, (double)x.z};
        const double w[3] = {(double)v.x, (double)v.y, (double)v.z};
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3;
            const int c = (a + 2) % 3;
            sum.linear[a] += mass * w[a];
            sum.angular[a] += mass * (p[b] * w[c] - p[c] * w[b]);
        }
    }
    return sum;
}

static double distance3(const double a[3], const double b[3])
{
    return sqrt(pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2) + pow(a[2] - b[2], 2));
}

// A free helix is thrown and rotates, without weight and drag.
static coif_status run_momentum(coif_experiment_result *result, coif_arena *arena,
                                coif_error *error)
{
    const coif_helix helix = {.pitch = 0.5, .turns = 2.0, .radius = 0.008};
    const int32_t points = point_count_of(result);
    const coif_strand_rig_desc desc = {.shape = coif_shape_helix(points, &helix, arena),
                                       .point_count = points,
                                       .sim = "root_boundary=free gravity=[0,0,0]"};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_result_open(&rig, result, desc, arena, error));
    for (int32_t k = 0; k < points; ++k) {
        const float s = (float)k / (float)points - 0.5f;
        float *v = &rig.velocities[k].x;
        for (uint32_t a = 0; a < 3; ++a) {
            v[a] = 0.5f * coif_random_unit(1, 0, a) - 0.25f + s * coif_random_unit(2, 0, a);
        }
    }
    coif_strand_rig_write(&rig);
    coif_strand_rig_step(&rig); // the throw itself does not fit the lengths
    const momentum before = momentum_of(&rig);
    const double frames =
        coif_experiment_param_value(result, COIF_EXPERIMENT_PARAM_TIME) * (double)rig.params.fps;
    while (rig.frame < frames) {
        coif_strand_rig_step(&rig);
    }
    coif_experiment_result_close(result, &rig);
    const momentum after = momentum_of(&rig);
    coif_experiment_result_add(result, "momentum_change_m_s",
                               distance3(after.linear, before.linear), 0.0);
    coif_experiment_result_add(result, "angular_change_m2_s",
                               distance3(after.angular, before.angular), 0.0);
    return COIF_OK;
}

static const coif_experiment_param_default MOMENTUM_DEFAULTS[] = {
    {COIF_EXPERIMENT_PARAM_TIME, 0.5},
    {COIF_EXPERIMENT_PARAM_SEGMENTS, 31},
    {COIF_EXPERIMENT_PARAM_SUBSTEPS, 10},
    {COIF_EXPERIMENT_PARAM_FPS, 24}};
const coif_experiment COIF_EXPERIMENT_MOMENTUM = {
    .name = "momentum",
    .help = "a thrown strand without weight keeps its momentum, per mass",
    .defaults = MOMENTUM_DEFAULTS,
    .default_count = COIF_COUNT_OF(MOMENTUM_DEFAULTS),
    .run = run_momentum,
};
