// Mass-spring method: swinging, falling, bending and curls against reference solutions; stable
// inner steps.
#include "tests/support/solver_methods.h"

static coif_arena arena = {.name = "test"};

static void as_by_default(coif_sim_params *params)
{
    params->spring_stretch_force = 20.0f;
    params->curl_core_force = 1e-4f;
    params->spring_damping_time = 3e-5f;
    params->spring_frame_smoothing = 0.002f;
    params->curl_core_smoothing = 0.01f;
    params->max_inner_steps = 500;
}

static coif_sim_params spring_params(void)
{
    coif_sim_params params = hair_params("spring");
    as_by_default(&params);
    return params;
}

// One spring: half a segment's mass at its end, k = stretch / length. Damping is lag times
// stiffness, so a swing leaves exp(-2 pi z / sqrt(1 - z^2)) of itself, z = lag omega / 2.
TEST(a_spring_swings_and_dies_out)
{
    const double length = 0.05;
    const double mass = 0.5 * 1320.0 * M_PI * 1.6e-9 * length;
    const double omega = sqrt(1e-5 / length / mass);
    for (int damped = 0; damped < 2; ++damped) {
        const coif_vec3 shape[2] = {{0, 0, 0}, {0.05f, 0, 0}};
        coif_sim_params params = spring_params();
        params.gravity[1] = 0.0f;
        params.youngs_modulus = 0.0f;
        params.spring_stretch_force = 1e-5f;
        params.curl_core_force = 0.0f;
        params.spring_damping_time = damped ? 0.002f : 0.0f;
        params.fps = 480.0f;
        params.substeps = 4;
        const hair_fixture_desc desc = {
            .shape = shape, .length = 2, .strand_count = 1, .params = params, .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        hair.positions[1].x += 0.005f;
        coif_solver_set_points(hair.solver.core, hair.positions, hair.velocities);
        double before = 0.005;
        double crossed[2] = {0};
        double low = 0.0;
        double high = 0.0;
        int crossings = 0;
        for (int f = 1; crossings < 2 && f < 1000; ++f) {
            fixture_step(&hair);
            const double now = (double)hair.positions[1].x - length;
            if (before > 0.0 && now <= 0.0) {
                crossed[crossings++] = (f - 1 + before / (before - now)) / 480.0;
            }
            low = crossings == 1 ? fmin(low, now) : low;
            high = crossings == 1 ? fmax(high, now) : high;
            before = now;
        }
        const double z = damped ? 0.001 * omega : 0.0;
        const double wanted = 2.0 * M_PI / (omega * sqrt(1.0 - z * z));
        CHECK_NEAR((crossed[1] - crossed[0]) / wanted, 1.0, 0.005);
        CHECK_NEAR(-high / low, exp(-M_PI * z / sqrt(1.0 - z * z)), 0.01);
    }
}

TEST(it_falls_as_everything_does)
{
    const coif_vec3 *shape = helix(20, 0.1f, 0.005f, 2.0f, &arena);
    const hair_fixture_desc desc = {
        .shape = shape, .length = 20, .strand_count = 1, .params = spring_params()};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_run(&hair, 12);
    for (int32_t k = 0; k < 20; ++k) {
        CHECK_NEAR(hair.positions[k].y - shape[k].y, -0.5 * 9.81 * 0.25, 2e-3);
        CHECK_NEAR(hair.velocities[k].y, -9.81 * 0.5, 2e-3);
    }
}

TEST(a_curl_without_weight_stays)
{
    const coif_vec3 *shape = helix(49, 0.1f, 0.008f, 3.0f, &arena);
    coif_sim_params params = spring_params();
    params.gravity[1] = 0.0f;
    const hair_fixture_desc desc = {
        .shape = shape, .length = 49, .strand_count = 1, .params = params, .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_run(&hair, 24);
    CHECK(strayed(&hair, shape, 49) < 1e-5);
    for (int32_t k = 1; k < 49; ++k) {
        hair.positions[k].y -= 0.01f * (float)(k * k) / (48.0f * 48.0f);
    }
    coif_solver_set_points(hair.solver.core, hair.positions, hair.velocities);
    hair.params.drag = 20.0f;
    fixture_run(&hair, 36);
    CHECK(strayed(&hair, shape, 49) < 1e-3);
}

// Gamma 10 and 100 of cantilever_discrete.csv: 1.0715 for 16 segments and 5.918 for 32. Smoothing
// makes short hair a little stiffer, since curvature is not the same everywhere.
TEST(hair_bends_as_hair_does)
{
    static const struct {
        double gamma, smooth, wanted, within;
        int32_t segments;
    } cases[3] = {{10.0, 0.002, 1.0715, 0.04, 16},
                  {10.0, 0.0, 1.0715, 0.01, 16},
                  {100.0, 0.002, 5.918, 0.01, 32}};
    for (int i = 0; i < 3; ++i) {
        coif_sim_params params = spring_params();
        params.drag = 20.0f;
        params.spring_frame_smoothing = (float)cases[i].smooth;
        cantilever c = {.gamma = cases[i].gamma, .segments = cases[i].segments, .seconds = 2};
        hang_cantilever(&c, &params, &arena);
        CHECK_NEAR(c.ratio / cases[i].wanted, 1.0, cases[i].within);
        CHECK(c.stretch < 1e-3);
    }
}

// More segments with a clamp of half a joint lead to the continuum, and more substeps change
// nothing.
TEST(more_segments_lead_to_the_elastica)
{
    double ratio[3];
    for (int i = 0; i < 3; ++i) {
        coif_sim_params params = spring_params();
        params.drag = 20.0f;
        params.spring_frame_smoothing = 0.0f;
        params.substeps = i == 2 ? 40 : 10;
        cantilever c = {.gamma = 10.0, .segments = i == 0 ? 8 : 16, .seconds = 2};
        hang_cantilever(&c, &params, &arena);
        ratio[i] = c.ratio;
    }
    CHECK(fabs(ratio[1] - 1.0668) < 0.5 * fabs(ratio[0] - 1.0668));
    CHECK_NEAR(ratio[1] / 1.0668, 1.0, 0.01);
    CHECK_NEAR(ratio[2] / ratio[1], 1.0, 0.01);
}

static double hanging_curl(float core)
{
    coif_vec3 shape[33];
    for (int k = 0; k < 33; ++k) {
        const double phi = 2.0 * M_PI * 2.0 * k / 32.0;
        shape[k] = coif_vec3_of((float)(0.01 * sin(phi)), -0.05f * (float)k / 32.0f,
                                (float)(0.01 * cos(phi)) - 0.01f);
    }
    coif_sim_params params = spring_params();
    params.drag = 20.0f;
    params.curl_core_force = core;
    const hair_fixture_desc desc = {
        .shape = shape, .length = 33, .strand_count = 1, .params = params, .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_run(&hair, 36);
    return -(double)hair.positions[32].y;
}

TEST(core_springs_keep_a_curl_from_unwinding)
{
    const double loose = hanging_curl(0.0f);
    const double firm = hanging_curl(1e-3f);
    const double firmest = hanging_curl(1e-2f);
    CHECK(loose - 0.05 > 1.8 * (firm - 0.05));
    CHECK(firm - 0.05 > 1.15 * (firmest - 0.05));
    CHECK(firmest > 0.0499);
}

// A tight curl hangs still: cores act on all that their course is made from, so they do no work in
// a circle.
TEST(cores_do_not_flutter)
{
    enum { POINTS = 81 };
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        const double phi = 2.0 * M_PI * 5.0 * k / (POINTS - 1);
        shape[k] = coif_vec3_of((float)(0.008 * sin(phi)), (float)(-0.008 * phi * 0.1763),
                                (float)(0.008 * cos(phi)) - 0.008f);
    }
    coif_sim_params params = spring_params();
    params.drag = 6.0f;
    params.hair_radius = 3e-5f;
    const hair_fixture_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 1, .params = params, .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    double stretch = 0.0;
    for (int f = 0; f < 24; ++f) {
        fixture_step(&hair);
        stretch = fmax(stretch, fixture_stretch(&hair));
    }
    CHECK(stretch < 1e-3);
}

TEST(groomed_shapes_do_not_sag)
{
    const coif_vec3 *shape = helix(33, 0.12f, 0.006f, 2.0f, &arena);
    coif_sim_params params = spring_params();
    params.gravity_compensation = 1.0f;
    params.drag = 3.0f;
    const hair_fixture_desc desc = {
        .shape = shape, .length = 33, .strand_count = 1, .params = params, .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_run(&hair, 120);
    CHECK(strayed(&hair, shape, 33) < 1e-5 * 0.12);
    hair.params.gravity[1] = 0.0f; // without weight it rises, so it did carry it
    fixture_run(&hair, 24);
    CHECK(hair.positions[32].y > shape[32].y + 0.01f);
}

// Hair of 20 cm falls across a ball, slides, and comes to lie on it. Lengths hold all the time, and
// in the end nothing moves: neither do contacts kick springs nor springs contacts.
TEST(hair_lies_still_on_a_ball)
{
    enum { POINTS = 33 };
    static const float frictions[2] = {0.3f, 1.0f};
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.2f * (float)k / (POINTS - 1) - 0.08f, 0.12f, 0.0f);
    }
    coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 24, &arena);
    coif_collider ball;
    coif_collider_build(&ball, &mesh, &arena);
    for (int i = 0; i < 2; ++i) {
        coif_sim_params params = spring_params();
        params.drag = 3.0f;
        params.friction = frictions[i];
        const hair_fixture_desc desc = {.shape = shape,
                                        .length = POINTS,
                                        .strand_count = 4,
                                        .spread = 0.015f,
                                        .params = params,
                                        .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        hair.bodies = &ball;
        hair.body_count = 1;
        double stretch = 0.0;
        double fastest = 0.0;
        for (int f = 0; f < 96; ++f) {
            fixture_step(&hair);
            stretch = fmax(stretch, fixture_stretch(&hair));
            for (int32_t k = 0; f >= 90 && k < 4 * POINTS; ++k) {
                fastest = fmax(fastest, coif_length(hair.velocities[k]));
            }
        }
        CHECK(stretch < 0.01);
        CHECK(fastest < 0.01);
        CHECK(hair.report.stats.contacts > 10);
    }
}

typedef struct motion {
    double push[3], turn[3];
} motion;

static motion motion_of(const hair_fixture *hair)
{
    const int32_t points = hair->groom.rest.point_count;
    motion sum = {{0}, {0}};
    for (int32_t k = 0; k < points; ++k) {
        const double mass = k == 0 || k + 1 == points ? 0.5 : 1.0;
        const double x[3] = {hair->positions[k].x, hair->positions[k].y, hair->positions[k].z};
        const double v[3] = {hair->velocities[k].x, hair->velocities[k].y, hair->velocities[k].z};
        for (int a = 0; a < 3; ++a) {
            const int b = (a + 1) % 3;
            const int c = (a + 2) % 3;
            sum.push[a] += mass * v[a];
            sum.turn[a] += mass * (x[b] * v[c] - x[c] * v[b]);
        }
    }
    return sum;
}

// Thrown and spun without weight. What would twist the first segment about itself is lost, so that
// turning is kept less well than momentum.
TEST(a_free_strand_keeps_its_momentum)
{
    enum { POINTS = 24 };
    const coif_vec3 *shape = helix(POINTS, 0.1f, 0.005f, 2.0f, &arena);
    coif_sim_params params = spring_params();
    params.gravity[1] = 0.0f;
    const hair_fixture_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 1, .params = params};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    coif_vec3 pushes[POINTS];
    for (int32_t k = 0; k < POINTS; ++k) {
        pushes[k] = coif_vec3_of(0.3f, 4.0f * (shape[k].x - 0.05f), 0.2f * sinf((float)k));
    }
    coif_solver_set_points(hair.solver.core, hair.positions, pushes);
    coif_solver_get_points(hair.solver.core, hair.positions, hair.velocities);
    const motion before = motion_of(&hair);
    fixture_run(&hair, 24);
    const motion after = motion_of(&hair);
    for (int a = 0; a < 3; ++a) {
        CHECK_NEAR(after.push[a], before.push[a], 2e-4 * fabs(before.push[0]));
        CHECK_NEAR(after.turn[a], before.turn[a], 0.03 * fabs(before.turn[2]));
    }
    CHECK(coif_length(coif_sub(hair.positions[5], shape[5])) > 0.2f);
}

// Springs stiffer than the steps allow are softened, not blown up: also at one step per substep.
TEST(too_few_steps_soften)
{
    for (int i = 0; i < 2; ++i) {
        coif_sim_params params = spring_params();
        params.drag = 10.0f;
        params.spring_stretch_force = 20.0f;
        params.max_inner_steps = i == 0 ? 30 : 1;
        cantilever c = {.gamma = 10.0, .segments = 16, .seconds = 1};
        hang_cantilever(&c, &params, &arena);
        CHECK(isfinite(c.ratio));
        CHECK(c.stretch < 1.0);
    }
}
