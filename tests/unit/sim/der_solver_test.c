// The rod method in the solver: bodies, wind, threads and saved states.
#include "core/base/jobs.h"
#include "sim/solver/solver_internal.h"
#include "tests/support/hair_fixture.h"

static coif_arena arena = {.name = "test"};

static int32_t method_of(const char *name)
{
    int32_t index = 0;
    while (COIF_METHOD_NAMES[index] != NULL && strcmp(COIF_METHOD_NAMES[index], name) != 0) {
        ++index;
    }
    CHECK(COIF_METHOD_NAMES[index] != NULL);
    return index;
}

static coif_sim_params rod_params(void)
{
    coif_sim_params params = bare_params();
    params.solver = method_of("der");
    params.drag = 3.0f;
    params.youngs_modulus = 3.9e9f;
    params.poisson_ratio = 0.4f;
    params.hair_density = 1320.0f;
    params.hair_radius = 4e-5f;
    params.stiffness = 1.0f;
    params.bending_damping_time = 0.005f;
    return params;
}

// A curl around a curve that leaves the scalp and bends down.
static const coif_vec3 *curl(int32_t points, float length, float radius)
{
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        const float s = (float)k / (float)(points - 1);
        shape[k] = coif_vec3_of(length * s, radius * sinf(12.0f * s) - 0.3f * length * s * s,
                                radius * cosf(12.0f * s));
    }
    return shape;
}

// The same as in the test of the kernels, now through blocks, roots and frames: heavy elastica at
// Gamma 10, cantilever_elastica.csv.
TEST(a_scalp_holds_a_cantilever)
{
    enum { POINTS = 33 };
    coif_vec3 shape[POINTS];
    const double length = cbrt(10.0 * 3.9e9 * 1.6e-9 / (4.0 * 1320.0 * 9.81));
    for (int k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of((float)(length * k / (POINTS - 1)), 0.0f, 0.0f);
    }
    coif_sim_params params = rod_params();
    params.drag = 10.0f;
    const hair_fixture_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 3, .params = params, .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_run(&hair, 72);
    for (int i = 0; i < 3; ++i) {
        const coif_vec3 tip = hair.positions[POINTS * i + POINTS - 1];
        CHECK_NEAR(-(double)tip.y / (double)tip.x / 1.06680232, 1.0, 0.02);
    }
    CHECK(fixture_stretch(&hair) < 1e-4);
}

// Waves in a plane, leaving the scalp likewise; none: straight.
static const coif_vec3 *wave(int32_t points, float length, float height)
{
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        const float s = (float)k / (float)(points - 1);
        shape[k] = coif_vec3_of(length * s, height * sinf(12.0f * s), 0.0f);
    }
    return shape;
}

TEST(groomed_shapes_do_not_sag)
{
    const int32_t points = 30;
    const coif_vec3 *const shapes[] = {wave(points, 0.12f, 0.0f), wave(points, 0.12f, 0.005f),
                                       curl(points, 0.12f, 0.006f)};
    coif_sim_params params = rod_params();
    params.gravity_compensation = 1.0f;
    for (size_t i = 0; i < COIF_COUNT_OF(shapes); ++i) {
        const hair_fixture_desc desc = {
            .shape = shapes[i], .length = points, .strand_count = 1, .params = params, .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        fixture_run(&hair, 120);
        for (int32_t k = 0; k < points; ++k) {
            CHECK_NEAR(coif_length(coif_sub(hair.positions[k], shapes[i][k])), 0.0, 1e-3 * 0.12);
        }
        hair.params.gravity[1] = 0.0f; // the same strand without weight rises, so it did carry it
        fixture_run(&hair, 48);
        CHECK(hair.positions[points - 1].y > shapes[i][points - 1].y + 0.01f);
    }
}

TEST(a_strand_gone_wrong_is_put_back)
{
    const hair_fixture_desc desc = {.shape = curl(16, 0.1f, 0.004f),
                                    .length = 16,
                                    .strand_count = 11,
                                    .spread = 0.01f,
                                    .params = rod_params(),
                                    .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    coif_strand_block *block = &hair.solver.core->blocks[0];
    fixture_step(&hair);
    block->vel.x[5 * block->lanes + 2] = NAN;
    fixture_step(&hair);
    CHECK(hair.report.stats.reset_strands == 1);
    block->vel.x[5 * block->lanes + 1] = 1e30f;
    fixture_step(&hair);
    CHECK(hair.report.stats.reset_strands == 1);
    fixture_run(&hair, 3);
    CHECK(hair.report.stats.reset_strands == 0);
    for (int32_t i = 0; i < hair.groom.rest.point_count; ++i) {
        CHECK(isfinite(hair.positions[i].x));
    }
    CHECK(fixture_stretch(&hair) < 1e-4);
}

// Without stiffness a rod is a chain: pendulum_large_amplitude.csv and hanging_chain_discrete.csv.
TEST(limp_hair_swings_as_chains_do)
{
    enum { POINTS = 17 };
    double rows[16][10];
    const int count = read_oracle("pendulum_large_amplitude.csv", rows, 16);
    CHECK(count >= 6);
    coif_sim_params params = rod_params();
    params.stiffness = params.drag = params.bending_damping_time = 0.0f;
    params.fps = 100.0f;
    params.substeps = 16;
    hair_fixture hair;
    for (int i = 1; i < 6; i += 2) {
        const double angle = rows[i][0] * M_PI / 180.0;
        const coif_vec3 shape[2] = {{0, 0, 0},
                                    {(float)(0.25 * sin(angle)), (float)(-0.25 * cos(angle)), 0}};
        const hair_fixture_desc desc = {
            .shape = shape, .length = 2, .strand_count = 1, .params = params, .pinned = 1};
        fixture_open(&hair, &desc, &arena, NULL);
        const double wanted = 2.0 * M_PI * sqrt(0.25 / 9.81) * rows[i][1];
        CHECK_NEAR(fixture_period(&hair, 1, 300) / wanted, 1.0, 0.01);
    }

    CHECK(read_oracle("hanging_chain_discrete.csv", rows, 16) >= 5 && rows[4][0] == 16);
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        const double z = 1.0 - (double)k / (POINTS - 1);
        shape[k] = coif_vec3_of((float)(0.002 * (j0(2.404826 * sqrt(z)) - z * j0(2.404826))),
                                (float)(-0.2 * (1.0 - z)), 0.0f);
    }
    const hair_fixture_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 1, .params = params, .pinned = 1};
    fixture_open(&hair, &desc, &arena, NULL);
    const double wanted = 2.0 * M_PI / (rows[4][3] * sqrt(9.81 / 0.2));
    CHECK_NEAR(fixture_period(&hair, POINTS - 1, 400) / wanted, 1.0, 0.01);
    CHECK(fixture_stretch(&hair) < 1e-4);
}

static double deepest(const hair_fixture *hair, const coif_collider *body)
{
    double worst = 1.0;
    for (int32_t i = 0; i < hair->groom.rest.point_count; ++i) {
        coif_closest_point nearest = {.distance = 0.05f};
        const coif_closest_point_query search = {
            .position = hair->positions[i], .max_distance = 0.05f, .hint = -1};
        if (coif_collider_closest_point(&nearest, body, &search)) {
            worst = fmin(worst, nearest.distance);
        }
    }
    return worst;
}

// A curl whose root is beside a sphere falls over it, stays out of it and comes to rest.
TEST(a_curl_comes_to_rest_on_a_sphere)
{
    const hair_fixture_desc desc = {.shape = curl(32, 0.2f, 0.004f),
                                    .length = 32,
                                    .strand_count = 6,
                                    .spread = 0.003f,
                                    .params = rod_params(),
                                    .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    hair.params.friction = 0.3f;
    hair.params.damping = 2.0f;
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0.1f, -0.13f, 0), 0.08f, 16, &arena);
    coif_collider sphere;
    coif_collider_build(&sphere, &mesh, &arena);
    hair.bodies = &sphere;
    hair.body_count = 1;
    double worst = 1.0;
    for (int f = 0; f < 60; ++f) {
        fixture_step(&hair);
        worst = fmin(worst, deepest(&hair, &sphere));
    }
    CHECK(worst > 0.0);
    CHECK(hair.report.stats.reset_strands == 0);
    double fastest = 0.0;
    for (int32_t i = 0; i < hair.groom.rest.point_count; ++i) {
        fastest = fmax(fastest, coif_length(hair.velocities[i]));
    }
    CHECK(fastest < 0.02);
    CHECK(fixture_stretch(&hair) < 0.01);
}

// A sphere sweeps through a hanging curtain by more than its thickness per substep, and drags the
// hair along.
TEST(a_fast_body_does_not_pass_through)
{
    enum { POINTS = 24 };
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.0f, -0.3f * (float)k / (POINTS - 1), 0.0f);
    }
    const hair_fixture_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 8, .params = rod_params(), .pinned = 1};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    const coif_mesh mesh = shape_sphere(coif_vec3_of(-0.12f, -0.2f, 0), 0.08f, 12, &arena);
    coif_collider sphere;
    coif_collider_build(&sphere, &mesh, &arena);
    hair.bodies = &sphere;
    hair.body_count = 1;
    coif_vec3 *pose[2] = {coif_arena_new(&arena, mesh.vertex_count, coif_vec3),
                          coif_arena_new(&arena, mesh.vertex_count, coif_vec3)};
    double worst = 1.0;
    for (int f = 0; f < 9; ++f) {
        const float shift[2] = {f < 6 ? 0.03f * (float)f : 0.18f,
                                f < 6 ? 0.03f * (float)(f + 1) : 0.18f};
        for (int32_t v = 0; v < mesh.vertex_count; ++v) {
            pose[0][v] = pose[1][v] = mesh.positions[v];
            pose[0][v].x += shift[0];
            pose[1][v].x += shift[1];
        }
        coif_collider_refit(&sphere, pose[0], pose[1]);
        fixture_step(&hair);
        worst = fmin(worst, deepest(&hair, &sphere));
        CHECK(hair.report.stats.reset_strands == 0);
    }
    CHECK(worst > -1e-4);
    CHECK(hair.positions[16].x > 0.02f);
}

// A free strand across a slope. The plane stays level and gravity tilts.
TEST(friction_holds_or_slides_as_coulomb_says)
{
    double rows[64][10];
    const int count = read_oracle("friction_incline.csv", rows, 64);
    CHECK(count > 20);
    coif_vec3 shape[6];
    for (int k = 0; k < 6; ++k) {
        shape[k] = coif_vec3_of(0.0f, 0.00104f, 0.01f * (float)k);
    }
    const coif_mesh mesh = shape_plane(20.0f, 8, &arena);
    coif_collider floor;
    coif_collider_build(&floor, &mesh, &arena);
    for (int i = 0; i < count; i += 2) {
        const double angle = rows[i][1] * M_PI / 180.0;
        coif_sim_params params = rod_params();
        params.drag = 0.0f;
        params.friction = (float)rows[i][0];
        params.gravity[0] = (float)(9.81 * sin(angle));
        params.gravity[1] = (float)(-9.81 * cos(angle));
        const hair_fixture_desc desc = {
            .shape = shape, .length = 6, .strand_count = 2, .params = params};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        hair.bodies = &floor;
        hair.body_count = 1;
        fixture_run(&hair, 24);
        const double wanted = rows[i][2];
        if (wanted == 0.0) {
            // It may move while it touches down, in the first substep, and never after.
            CHECK_NEAR(hair.positions[2].x, 0.0, 3e-5);
            CHECK_NEAR(hair.velocities[2].x, 0.0, 1e-8);
        } else {
            CHECK_NEAR(hair.velocities[2].x, wanted, 0.02 * wanted);
        }
        CHECK(hair.positions[2].y > 0.0005f);
    }
}

// Half a degree below the friction angle no point of a long strand moves, however it
// lies on the slope; a degree above, all of them do as they should.
TEST(long_strands_stick_or_slide_in_every_orientation)
{
    enum { POINTS = 41 };
    const coif_mesh mesh = shape_plane(20.0f, 8, &arena);
    coif_collider floor;
    coif_collider_build(&floor, &mesh, &arena);
    for (int i = 0; i < 4; ++i) {
        const double side = (1 + i % 2) * M_PI / 4.0;
        const double angle = (i < 2 ? 16.2 : 17.7) * M_PI / 180.0;
        coif_vec3 shape[POINTS];
        for (int k = 0; k < POINTS; ++k) {
            const float along = 0.00125f * (float)k;
            shape[k] = coif_vec3_of(along * (float)sin(side), 0.00104f, along * (float)cos(side));
        }
        coif_sim_params params = rod_params();
        params.drag = 0.0f;
        params.friction = 0.3f;
        params.gravity[0] = (float)(9.81 * sin(angle));
        params.gravity[1] = (float)(-9.81 * cos(angle));
        const hair_fixture_desc desc = {
            .shape = shape, .length = POINTS, .strand_count = 1, .params = params};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        hair.bodies = &floor;
        hair.body_count = 1;
        coif_vec3 start[POINTS];
        memcpy(start, hair.positions, sizeof start);
        fixture_run(&hair, i < 2 ? 24 : 12);
        const double wanted = 0.5 * 9.81 * (sin(angle) - 0.3 * cos(angle));
        double worst = 0.0;
        for (int k = 0; k < POINTS; ++k) {
            const double shift = (double)coif_length(coif_sub(hair.positions[k], start[k])) / 0.05;
            const double off = fabs((double)hair.velocities[k].x / wanted - 1.0);
            worst = fmax(worst, i < 2 ? shift : off);
        }
        CHECK_NEAR(worst, 0.0, i < 2 ? 1e-5 : 0.01);
    }
}

TEST(drops_bounce_to_the_square_of_restitution)
{
    double rows[32][10];
    const int count = read_oracle("restitution.csv", rows, 32);
    CHECK(count > 10);
    coif_vec3 shape[4];
    for (int k = 0; k < 4; ++k) {
        shape[k] = coif_vec3_of(0.0f, 0.30104f, 0.01f * (float)k);
    }
    const coif_mesh mesh = shape_plane(20.0f, 8, &arena);
    coif_collider floor;
    coif_collider_build(&floor, &mesh, &arena);
    for (int i = 0; i < count; ++i) {
        if (rows[i][1] != 1.0) {
            continue; // later bounces follow from the first
        }
        coif_sim_params params = rod_params();
        params.drag = 0.0f;
        params.fps = 100.0f;
        params.substeps = 20;
        params.restitution = (float)rows[i][0];
        const hair_fixture_desc desc = {
            .shape = shape, .length = 4, .strand_count = 1, .params = params};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        hair.bodies = &floor;
        hair.body_count = 1;
        double highest = 0.0;
        for (int f = 0; f < 60; ++f) {
            fixture_step(&hair);
            if (f > 26) { // it touches after 0.247 s
                highest = fmax(highest, (double)hair.positions[1].y - 0.00104);
            }
        }
        CHECK_NEAR(highest / 0.3, rows[i][2], 0.02 * fmax(rows[i][2], 0.01));
    }
}

TEST(the_smallest_grooms_step)
{
    const coif_vec3 shape[2] = {{0, 0, 0}, {0.05f, 0, 0}};
    hair_fixture hair;
    fixture_open(&hair, &(hair_fixture_desc){.shape = shape, .length = 2, .params = rod_params()},
                 &arena, NULL);
    fixture_step(&hair);
    for (int32_t pinned = 0; pinned <= 2; ++pinned) {
        const hair_fixture_desc desc = {.shape = shape,
                                        .length = 2,
                                        .strand_count = 1,
                                        .params = rod_params(),
                                        .pinned = pinned};
        fixture_open(&hair, &desc, &arena, NULL);
        fixture_run(&hair, 3);
        CHECK(hair.report.stats.reset_strands == 0);
        CHECK_NEAR(fixture_stretch(&hair), 0.0, 1e-5);
    }
}
