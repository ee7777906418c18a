// Dynamic follow-the-leader: falling, hanging, swinging and lying strands keep their exact length.
#include "core/base/jobs.h"
#include "sim/run/solver_setup.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/point_checks.h"

static coif_arena arena = {.name = "test"};

static coif_sim_params ftl_params(void)
{
    coif_sim_params params = bare_params();
    params.solver = 0;
    while (strcmp(COIF_METHOD_NAMES[params.solver], "ftl") != 0) {
        params.solver += 1;
    }
    params.ftl_velocity_correction = 0.9f;
    return params;
}

static const coif_vec3 *level(int32_t points, float length)
{
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = coif_vec3_of(length * (float)k / (float)(points - 1), 0.0f, 0.0f);
    }
    return shape;
}

// Three points, by hand: each at its distance from the one before, in the direction it lies.
TEST(points_follow_from_root_to_tip)
{
    pack p = random_pack("auto", &arena);
    const int32_t lanes = p.kernels->lanes;
    p.block.length = 3;
    p.work.has_contacts = false;
    for (int32_t i = 0; i < LENGTH * lanes; ++i) {
        p.block.rest_length[i] = 0.01f;
    }
    put(&p, 0, 0, 0, 0);
    put(&p, 1, 0, 0.02, 0);
    put(&p, 2, 0.03, 0.01, 0);
    p.kernels->ftl_project(&p.block, &p.work);
    CHECK_NEAR(at(&p, 1).y, 0.01, 1e-9);
    CHECK_NEAR(at(&p, 2).x, 0.01, 1e-9);
    CHECK_NEAR(at(&p, 2).y, 0.01, 1e-9);
    CHECK_NEAR(p.work.ftl_disp.y[lanes], -0.01, 1e-9); // how far they were moved
    CHECK_NEAR(p.work.ftl_disp.x[2 * lanes], -0.02, 1e-9);

    coif_substep step = STEP;
    step.ftl_velocity_correction = 0.9f;
    for (int32_t i = 0; i < 3 * lanes; ++i) {
        p.block.vel.x[i] = p.block.vel.y[i] = p.block.vel.z[i] = 0.0f;
    }
    p.kernels->ftl_velocity_correction(&p.block, &p.work, &step);
    CHECK(p.block.vel.y[0] == 0.0f); // pinned
    CHECK_NEAR(p.block.vel.x[lanes], 0.9 * 0.02 / STEP.h, 1e-5);
    CHECK(p.block.vel.x[2 * lanes] == 0.0f); // nothing follows the tip
}

TEST(points_that_fell_together_part_again)
{
    pack p = random_pack("auto", &arena);
    p.work.has_contacts = false;
    p.kernels->update_targets(&p.block, &p.work, &STEP);
    for (int32_t k = 0; k < LENGTH; ++k) {
        put(&p, k, 0.5, 0.5, 0.5);
    }
    p.kernels->ftl_project(&p.block, &p.work);
    for (int32_t k = 0; k + 1 < LENGTH; ++k) {
        CHECK_NEAR(distance(&p, k, k + 1) / p.block.rest_length[k * p.kernels->lanes], 1.0, 2e-5);
    }
}

// Points that would be below the floor lie on it at their distance; one that cannot reach it is
// vertical straight up.
TEST(contacts_and_lengths_hold_together)
{
    pack p = random_pack("auto", &arena);
    const int32_t lanes = p.kernels->lanes;
    for (int32_t i = 0; i < LENGTH * lanes; ++i) {
        p.block.rest_length[i] = 0.01f;
        p.work.contact_normal.x[i] = p.work.contact_normal.z[i] = p.work.contact_offset[i] =
            p.work.normal_push[i] = 0.0f;
        p.work.contact_normal.y[i] = 1.0f;
    }
    put(&p, 0, 0, 0.02, 0);
    for (int32_t k = 1; k < LENGTH; ++k) {
        put(&p, k, 0.012 * k, 0.02 - 0.01 * k, 0.001 * k);
    }
    p.kernels->ftl_project(&p.block, &p.work);
    for (int32_t k = 1; k < LENGTH; ++k) {
        CHECK_NEAR(distance(&p, k - 1, k), 0.01, 1e-7);
        CHECK(at(&p, k).y > -1e-8);
    }
    CHECK_NEAR(at(&p, LENGTH - 1).y, 0.0, 1e-8);
    CHECK(at(&p, LENGTH - 1).x > 0.05); // along the floor
    CHECK(p.work.normal_push[(LENGTH - 1) * lanes] > 0.0f);

    put(&p, 0, 0, -0.03, 0);
    p.kernels->ftl_project(&p.block, &p.work);
    CHECK_NEAR(at(&p, 1).y, -0.02, 1e-7);
    CHECK_NEAR(at(&p, 1).x, 0.0, 1e-7);
    CHECK_NEAR(at(&p, 3).y, 0.0, 1e-7);
}

// Semi-implicit Euler drops by g h^2 n (n + 1) / 2; nothing pulls at anything, so nothing is
// corrected.
TEST(free_strands_fall_as_the_discrete_formula_says)
{
    double rows[32][10];
    const int count = read_oracle("free_fall.csv", rows, 32);
    CHECK(count == 16);
    for (int i = 0; i < count; ++i) {
        coif_sim_params params = ftl_params();
        params.fps = (float)(1.0 / rows[i][0]);
        params.substeps = 1;
        const hair_fixture_desc desc = {
            .shape = level(5, 0.05f), .length = 5, .strand_count = 3, .params = params};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        fixture_run(&hair, (int32_t)rows[i][1]);
        // Velocities come from positions, whose rounding adds up over n steps.
        const double tolerance = 1e-6 + 2e-9 * rows[i][1] * rows[i][1];
        CHECK_NEAR(-hair.positions[0].y, rows[i][4], tolerance * rows[i][4] + 3e-6);
        CHECK_NEAR(-hair.positions[4].y, rows[i][4], 5e-3 * rows[i][4] + 2e-5);
        CHECK_NEAR(hair.positions[4].x - hair.positions[0].x, 0.05, 5e-6);
    }
}

// A single segment is a true pendulum: pendulum_large_amplitude.csv.
TEST(one_segment_swings_in_time)
{
    double rows[16][10];
    CHECK(read_oracle("pendulum_large_amplitude.csv", rows, 16) >= 6);
    for (int i = 1; i < 6; ++i) {
        const double angle = rows[i][0] * M_PI / 180.0;
        const coif_vec3 shape[2] = {{0, 0, 0},
                                    {(float)(0.25 * sin(angle)), (float)(-0.25 * cos(angle)), 0}};
        coif_sim_params params = ftl_params();
        params.fps = 200.0f;
        params.substeps = 8;
        const hair_fixture_desc desc = {
            .shape = shape, .length = 2, .strand_count = 1, .params = params, .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        const double wanted = 2.0 * M_PI * sqrt(0.25 / 9.81) * rows[i][1];
        CHECK_NEAR(fixture_period(&hair, 1, 600) / wanted, 1.0, 0.01);
    }
}

// Released level, a long strand falls, swings and hangs: at its length in every frame, never higher
// than it began, straight down in the end. Without the correction it would still be whirling.
TEST(strands_come_to_rest_at_their_length)
{
    enum { POINTS = 40 };
    double speeds[2];
    for (int plain = 0; plain < 2; ++plain) {
        coif_sim_params params = ftl_params();
        params.damping = 1.0f;
        params.ftl_velocity_correction = plain ? 0.0f : 0.9f;
        const hair_fixture_desc desc = {.shape = level(POINTS, 0.3f),
                                        .length = POINTS,
                                        .strand_count = 1,
                                        .params = params,
                                        .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        double highest = -1.0;
        for (int f = 0; f < 120; ++f) {
            fixture_step(&hair);
            CHECK(fixture_stretch(&hair) < 1e-5);
            highest = fmax(highest, (double)hair.positions[POINTS - 1].y);
        }
        CHECK(plain || highest <= 0.0);
        CHECK(plain || fabs(hair.positions[POINTS - 1].y + 0.3) < 1e-3);
        speeds[plain] = coif_length(hair.velocities[POINTS - 1]);
        CHECK(hair.report.stats.reset_strands == 0);
    }
    printf("       tip after 5 s: %g m/s, without correction %g m/s\n", speeds[0], speeds[1]);
    CHECK(speeds[0] < 0.05);
}
