// Solver: falling, swinging, hanging and wind against reference solutions; identical bits for any
// kernel and thread count. Reference values are in tests/data/reference.
#include "core/base/jobs.h"
#include "sim/run/solver_setup.h"
#include "sim/solver/solver_internal.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/test.h"
#include "tests/support/test_wind.h"

static coif_arena arena = {.name = "test"};

static const float PI = 3.14159265f;

// Semi-implicit Euler drops by g h^2 n (n + 1) / 2, and a free strand keeps its shape.
TEST(free_strands_fall_as_the_discrete_formula_says)
{
    double rows[32][10];
    const int count = read_oracle("free_fall.csv", rows, 32);
    CHECK(count == 16);
    for (int i = 0; i < count; ++i) {
        coif_sim_params params = bare_params();
        params.fps = (float)(1.0 / rows[i][0]);
        params.substeps = 1;
        params.bend_stiffness = 0.5f;
        params.stiffness = 1.0f;
        const hair_fixture_desc desc = {.shape = fixture_hanging(5, 0.05f, &arena),
                                        .length = 5,
                                        .strand_count = 3,
                                        .params = params};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        fixture_run(&hair, (int32_t)rows[i][1]);
        // Velocities come from positions, whose rounding adds up over n steps.
        const double tolerance = 1e-6 + 2e-9 * rows[i][1] * rows[i][1];
        CHECK_NEAR(-hair.positions[0].y, rows[i][4], tolerance * rows[i][4] + 3e-6);
        CHECK_NEAR(hair.positions[0].y - hair.positions[4].y, 0.05, 2e-6);
        CHECK_NEAR(hair.positions[4].x, 0.0, 1e-6);
    }
}

TEST(drag_slows_a_fall_as_the_exact_solution_says)
{
    double rows[32][10];
    const int count = read_oracle("drag_linear.csv", rows, 32);
    CHECK(count >= 18);
    for (int i = 0; i < count; ++i) {
        coif_sim_params params = bare_params();
        params.fps = 20.0f;
        params.substeps = 50;
        params.drag = (float)rows[i][0];
        const hair_fixture_desc desc = {.shape = fixture_hanging(3, 0.05f, &arena),
                                        .length = 3,
                                        .strand_count = 1,
                                        .params = params};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        fixture_run(&hair, (int32_t)lround(rows[i][1] * 20.0));
        CHECK_NEAR(-hair.velocities[1].y, rows[i][2], 0.01 * rows[i][2]);
    }
}

// With drag c and wind u the push is c u against the weight g: a chain hangs straight at
// atan(c u / g).
TEST(wind_blows_a_chain_out_at_the_right_angle)
{
    double rows[16][10];
    const int count = read_oracle("wind_deflection.csv", rows, 16);
    CHECK(count >= 6);
    coif_plugin_instance *wind = open_wind(2.0f, &arena);
    for (int i = 1; i < 6; ++i) {
        coif_sim_params params = bare_params();
        params.drag = (float)(rows[i][0] * 9.81 / 2.0);
        params.damping = 3.0f;
        const hair_fixture_desc desc = {.shape = fixture_hanging(9, 0.1f, &arena),
                                        .length = 9,
                                        .strand_count = 2,
                                        .params = params,
                                        .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        hair.forces = &wind;
        hair.force_count = 1;
        fixture_run(&hair, 120);
        CHECK_NEAR(hair.positions[8].x / 0.1, rows[i][2], 0.01);
        CHECK_NEAR(-hair.positions[8].y / 0.1, rows[i][3], 0.01);
    }
}

TEST(a_pendulum_keeps_time_at_any_amplitude)
{
    double rows[16][10];
    const int count = read_oracle("pendulum_large_amplitude.csv", rows, 16);
    CHECK(count >= 6);
    for (int i = 1; i < 6; ++i) {
        const float angle = (float)rows[i][0] * PI / 180.0f;
        const float length = 0.25f;
        const coif_vec3 shape[2] = {{0, 0, 0}, {length * sinf(angle), -length * cosf(angle), 0}};
        coif_sim_params params = bare_params();
        params.fps = 200.0f;
        params.substeps = 8;
        const hair_fixture_desc desc = {
            .shape = shape, .length = 2, .strand_count = 1, .params = params, .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        const double wanted = 2.0 * (double)PI * sqrt(length / 9.81) * rows[i][1];
        CHECK_NEAR(fixture_period(&hair, 1, 600), wanted, 0.01 * wanted);
        double highest = -1.0;
        for (int f = 0; f < 400; ++f) {
            fixture_step(&hair);
            highest = fmax(highest, (double)hair.positions[1].y);
        }
        CHECK(highest <= shape[1].y + 1e-4);
    }
}

// Mode 1 of a hanging chain of 16 links with half a mass at the tip: omega = 1.20102 sqrt(g / L).
TEST(a_hanging_chain_swings_at_its_frequency)
{
    double rows[16][10];
    const int count = read_oracle("hanging_chain_discrete.csv", rows, 16);
    CHECK(count >= 5 && rows[4][0] == 16);
    enum { POINTS = 17 };
    const double length = 0.2;
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        const double z = 1.0 - (double)k / (POINTS - 1);
        shape[k] = coif_vec3_of((float)(0.01 * length * j0(2.404826 * sqrt(z))),
                                (float)(-length * (1.0 - z)), 0.0f);
        shape[k].x -= shape[0].x * (float)z;
    }
    coif_sim_params params = bare_params();
    params.fps = 100.0f;
    params.substeps = 10;
    const hair_fixture_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 1, .params = params, .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    const double wanted = 2.0 * (double)PI / (rows[4][3] * sqrt(9.81 / length));
    CHECK_NEAR(fixture_period(&hair, POINTS - 1, 400), wanted, 0.02 * wanted);
    CHECK(fixture_stretch(&hair) < 1e-4);
}

// A chain of 16 links between two pins hangs in a catenary.
TEST(a_chain_between_two_pins_is_a_catenary)
{
    double rows[16][10];
    CHECK(read_oracle("catenary.csv", rows, 16) == 7);
    enum { POINTS = 17 };
    for (int i = 2; i < 5; ++i) { // arc lengths of 1.25, 1.5 and 2 spans
        const float span = 0.1f;
        coif_vec3 shape[POINTS];
        // A triangle of that arc length: same ends, far from rest.
        const float half = 0.5f * span * (float)rows[i][0];
        const float depth = sqrtf(half * half - 0.25f * span * span);
        for (int k = 0; k < POINTS; ++k) {
            const float u = (float)k / (POINTS - 1);
            shape[k] =
                coif_vec3_of(span * u, -depth * (u < 0.5f ? 2.0f * u : 2.0f - 2.0f * u), 0.0f);
        }
        coif_sim_params params = bare_params();
        params.damping = 4.0f;
        const hair_fixture_desc desc = {
            .shape = shape, .length = POINTS, .strand_count = 1, .params = params, .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        coif_strand_block *block = &hair.solver.core->blocks[0];
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            block->inv_mass[(POINTS - 1) * block->lanes + lane] = 0.0f;
        }
        fixture_run(&hair, 150);
        CHECK_NEAR(-hair.positions[POINTS / 2].y / span, rows[i][6], 0.005 * rows[i][6]);
    }
}

// One strand goes mad: it alone is put back, and only it is counted.
TEST(a_strand_gone_wrong_is_put_back)
{
    const hair_fixture_desc desc = {.shape = fixture_hanging(9, 0.1f, &arena),
                                    .length = 9,
                                    .strand_count = 11,
                                    .spread = 0.01f,
                                    .params = bare_params(),
                                    .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    coif_strand_block *block = &hair.solver.core->blocks[0];
    block->vel.x[5 * block->lanes + 2] = NAN;
    fixture_step(&hair);
    CHECK(hair.report.stats.reset_strands == 1 && hair.report.stats.not_finite == 1);
    block->vel.x[5 * block->lanes + 1] = 1e30f;
    fixture_step(&hair);
    CHECK(hair.report.stats.reset_strands == 1);
    fixture_step(&hair);
    CHECK(hair.report.stats.reset_strands == 0);
    for (int32_t i = 0; i < hair.groom.rest.point_count; ++i) {
        CHECK(isfinite(hair.positions[i].x));
    }
    CHECK(fixture_stretch(&hair) < 1e-3);
}

// No strand at all, and strands of two points, both pinned.
TEST(the_smallest_grooms_step)
{
    hair_fixture hair;
    fixture_open(&hair,
                 &(hair_fixture_desc){.shape = fixture_hanging(2, 0.1f, &arena),
                                      .length = 2,
                                      .params = bare_params()},
                 &arena, NULL);
    fixture_step(&hair);
    fixture_open(&hair,
                 &(hair_fixture_desc){.shape = fixture_hanging(2, 0.1f, &arena),
                                      .length = 2,
                                      .strand_count = 1,
                                      .params = bare_params(),
                                      .pinned = 2},
                 &arena, NULL);
    fixture_run(&hair, 3);
    CHECK_NEAR(hair.positions[1].y, -0.1, 1e-7);
    CHECK(hair.report.stats.reset_strands == 0);
}

// Plain sweeps stretch; the other two passes do not. Fast swing of a long strand.
TEST(length_passes_keep_lengths)
{
    double stretch[3];
    for (int pass = 0; pass < 3; ++pass) {
        coif_sim_params params = bare_params();
        params.length_constraint = pass;
        coif_vec3 *shape = coif_arena_new(&arena, 30, coif_vec3);
        for (int k = 0; k < 30; ++k) {
            shape[k] = coif_vec3_of(0.01f * (float)k, 0.0f, 0.0f);
        }
        const hair_fixture_desc desc = {
            .shape = shape, .length = 30, .strand_count = 1, .params = params, .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        stretch[pass] = 0.0;
        for (int f = 0; f < 20; ++f) {
            fixture_step(&hair);
            stretch[pass] = fmax(stretch[pass], fixture_stretch(&hair));
        }
    }
    CHECK(stretch[COIF_LENGTH_NONE] > 0.01);
    CHECK(stretch[COIF_LENGTH_FTL] < 1e-5);
    CHECK(stretch[COIF_LENGTH_DIRECT] < 1e-4);
}
