// experiment_motion: strands that fall, swing, vibrate and fly freely.
#include "core/base/arena.h"
#include "core/base/rng.h"
#include "sim/validation/experiment.h"
#include "sim/validation/reference_solutions.h"
#include "sim/validation/test_shapes.h"

static const coif_vec3 DOWN = {0.0f, -1.0f, 0.0f};
static const coif_vec3 LEVEL = {1.0f, 0.0f, 0.0f};

// A free horizontal strand falls without deformation.
static coif_status fall(coif_strand_rig *rig, coif_experiment_result *result, const char *settings,
                        coif_arena *arena, coif_error *error)
{
    const int32_t points = coif_experiment_points(result);
    const coif_strand_rig_desc desc = {
        .shape = coif_shape_straight(points, 0.05, LEVEL, arena),
        .point_count = points,
        .sim = coif_arena_print(arena, "root_boundary=free %s", settings)};
    COIF_TRY(coif_experiment_open(rig, result, desc, arena, error));
    const double frames = round(COIF_EXPERIMENT_VALUE(TIME) * (double)rig->params.fps);
    while (rig->frame < frames) {
        coif_strand_rig_step(rig);
    }
    coif_experiment_close(result, rig);
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
    coif_measure(result, "drop_m", start - height_of(&rig), coif_reference_fall_discrete(h, steps));
    coif_measure(result, "drop_exact_m", start - height_of(&rig),
                 0.5 * COIF_REFERENCE_GRAVITY * h * h * steps * (double)steps);
    double shape = 0.0;
    for (int32_t k = 0; k < rig.point_count; ++k) {
        shape = fmax(shape, fabs((double)rig.positions[k].y - height_of(&rig)));
    }
    coif_measure(result, "bent_m", shape, 0.0);
    return COIF_OK;
}

COIF_EXPERIMENT(FREE_FALL, free_fall,
                "a free strand falls as semi-implicit Euler does, and keeps its shape",
                COIF_EXPERIMENT_DEFAULT(TIME, 0.25), COIF_EXPERIMENT_DEFAULT(SEGMENTS, 8),
                COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10), COIF_EXPERIMENT_DEFAULT(FPS, 24));

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
    const double drag = COIF_EXPERIMENT_VALUE(DRAG);
    const double terminal = COIF_EXPERIMENT_VALUE(TERMINAL);
    const double seconds = COIF_EXPERIMENT_VALUE(TIME);
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
    coif_measure(result, "v_m_s", -(double)rig.velocities[rig.point_count / 2].y, reference.speed);
    coif_measure(result, "drop_m", start - height_of(&rig), reference.drop);
    return COIF_OK;
}

COIF_EXPERIMENT(DRAG, drag, "a free strand falls through air: speed and drop after t_s",
                COIF_EXPERIMENT_DEFAULT(DRAG, 5), COIF_EXPERIMENT_DEFAULT(TERMINAL, NAN),
                COIF_EXPERIMENT_DEFAULT(TIME, 0.5), COIF_EXPERIMENT_DEFAULT(SEGMENTS, 4),
                COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 50), COIF_EXPERIMENT_DEFAULT(FPS, 20));

static coif_status run_wind(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    static const double air = 2.0; // m/s
    const double push = COIF_EXPERIMENT_VALUE(WIND);
    const double drag = push * COIF_REFERENCE_GRAVITY / air;
    const int32_t points = coif_experiment_points(result);
    const double length = COIF_EXPERIMENT_VALUE(LENGTH);
    const coif_strand_rig_desc desc = {
        .shape = coif_shape_straight(points, length, DOWN, arena),
        .point_count = points,
        .sim = coif_arena_print(
            arena, "root_boundary=pinned drag=%.9g damping=3" COIF_STRAND_RIG_LIMP, drag),
        .forces = "{\"plugin\": \"wind.uniform\", \"velocity\": [2, 0, 0]}"};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
    coif_strand_rig_settle(&rig, 2.0, 10.0);
    coif_experiment_close(result, &rig);
    const coif_vec3 tip = coif_strand_rig_tip(&rig);
    const double angle = atan(push);
    coif_measure(result, "tip_x_over_L", (double)tip.x / length, sin(angle));
    coif_measure(result, "tip_drop_over_L", -(double)tip.y / length, cos(angle));
    coif_measure(result, "angle_deg", atan2((double)tip.x, -(double)tip.y) * 180.0 / M_PI,
                 angle * 180.0 / M_PI);
    return COIF_OK;
}

COIF_EXPERIMENT(WIND, wind, "a chain in a level wind hangs straight, at an angle",
                COIF_EXPERIMENT_DEFAULT(WIND, 1), COIF_EXPERIMENT_DEFAULT(LENGTH, 0.1),
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 16), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10),
                COIF_EXPERIMENT_DEFAULT(FPS, 24));

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
    const double degrees = COIF_EXPERIMENT_VALUE(THETA);
    const double angle = degrees * M_PI / 180.0;
    const double length = COIF_EXPERIMENT_VALUE(LENGTH);
    const coif_vec3 along = {(float)sin(angle), (float)-cos(angle), 0.0f};
    const coif_strand_rig_desc desc = {.shape = coif_shape_straight(2, length, along, arena),
                                       .point_count = 2,
                                       .sim = "root_boundary=pinned" COIF_STRAND_RIG_LIMP};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
    const double slow = 2.0 * M_PI * sqrt(length / COIF_REFERENCE_GRAVITY);
    const oscillation found = measure_swing(&rig, 0, 12.0 * slow);
    coif_experiment_close(result, &rig);
    coif_measure(result, "T_over_T0", found.first / slow, coif_reference_pendulum(degrees));
    coif_measure(result, "amplitude_after", found.growth, NAN);
    return COIF_OK;
}

COIF_EXPERIMENT(PENDULUM, pendulum, "one segment swings far: period over that of small swings",
                COIF_EXPERIMENT_DEFAULT(THETA, 60), COIF_EXPERIMENT_DEFAULT(LENGTH, 0.25),
                COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 20), COIF_EXPERIMENT_DEFAULT(FPS, 200));

// Mode n of a hanging chain: x = A J0(j0n sqrt(z / L)), z from the tip.
static coif_status run_chain(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const int32_t mode = (int32_t)COIF_EXPERIMENT_VALUE(MODE);
    const int32_t points = coif_experiment_points(result);
    const double length = COIF_EXPERIMENT_VALUE(LENGTH);
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
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
    const double frequency_scale = sqrt(COIF_REFERENCE_GRAVITY / length);
    const double reference = coif_reference_chain(mode, 0) * frequency_scale;
    const oscillation found = measure_swing(&rig, 0, 4.0 * 2.0 * M_PI / reference);
    coif_experiment_close(result, &rig);
    const double omega = 2.0 * M_PI / found.period;
    coif_measure(result, "omega_rad_s", omega, reference);
    coif_measure(result, "period_s", found.period, 2.0 * M_PI / reference);
    coif_measure(result, "halftip_omega_norm", omega / frequency_scale,
                 coif_reference_chain(mode, points - 1));
    coif_measure(result, "amplitude_after", found.growth, NAN);
    return COIF_OK;
}

COIF_EXPERIMENT(CHAIN, chain, "a hanging chain without stiffness swings in one of its modes",
                COIF_EXPERIMENT_DEFAULT(LENGTH, 0.2), COIF_EXPERIMENT_DEFAULT(MODE, 1),
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 32), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 4),
                COIF_EXPERIMENT_DEFAULT(FPS, 120));

// A clamped weightless beam with the initial velocities of one of its modes.
static coif_status run_beam(coif_experiment_result *result, coif_arena *arena, coif_error *error)
{
    const int32_t mode = (int32_t)COIF_EXPERIMENT_VALUE(MODE);
    const int32_t points = coif_experiment_points(result);
    const double length = COIF_EXPERIMENT_VALUE(LENGTH);
    const coif_strand_rig_desc desc = {.shape = coif_shape_straight(points, length, LEVEL, arena),
                                       .point_count = points,
                                       .sim = "gravity=[0,0,0]"};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
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
    coif_experiment_close(result, &rig);
    coif_measure(result, "omega_norm", 2.0 * M_PI / (found.period * frequency_scale), reference);
    return COIF_OK;
}

COIF_EXPERIMENT(BEAM, beam, "a clamped strand without weight rings: omega L^2 sqrt(rho A / B)",
                COIF_EXPERIMENT_DEFAULT(MODE, 1), COIF_EXPERIMENT_DEFAULT(LENGTH, 0.1),
                COIF_EXPERIMENT_DEFAULT(SEGMENTS, 32), COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 4),
                COIF_EXPERIMENT_DEFAULT(FPS, 480));

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
    const int32_t points = coif_experiment_points(result);
    const coif_strand_rig_desc desc = {.shape = coif_shape_helix(points, &helix, arena),
                                       .point_count = points,
                                       .sim = "root_boundary=free gravity=[0,0,0]"};
    coif_strand_rig rig;
    COIF_TRY(coif_experiment_open(&rig, result, desc, arena, error));
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
    const double frames = COIF_EXPERIMENT_VALUE(TIME) * (double)rig.params.fps;
    while (rig.frame < frames) {
        coif_strand_rig_step(&rig);
    }
    coif_experiment_close(result, &rig);
    const momentum after = momentum_of(&rig);
    coif_measure(result, "momentum_change_m_s", distance3(after.linear, before.linear), 0.0);
    coif_measure(result, "angular_change_m2_s", distance3(after.angular, before.angular), 0.0);
    return COIF_OK;
}

COIF_EXPERIMENT(MOMENTUM, momentum, "a thrown strand without weight keeps its momentum, per mass",
                COIF_EXPERIMENT_DEFAULT(TIME, 0.5), COIF_EXPERIMENT_DEFAULT(SEGMENTS, 31),
                COIF_EXPERIMENT_DEFAULT(SUBSTEPS, 10), COIF_EXPERIMENT_DEFAULT(FPS, 24));
