// Boundary conditions of roots and tips under every method.
#include "tests/support/hair_fixture.h"

static coif_arena arena = {.name = "test"};

enum { POINTS = 33 };

// Hair with nothing but its lengths: no stiffness, no damping, no air.
static coif_sim_params limp_params(int32_t method)
{
    coif_sim_params params = bare_params();
    params.solver = method;
    params.hair_density = 1320.0f;
    params.hair_radius = 4e-5f;
    return params;
}

static void open_fixture(hair_fixture *hair, const coif_vec3 *shape, const coif_sim_params *params)
{
    const hair_fixture_desc desc = {.shape = shape,
                                    .length = POINTS,
                                    .strand_count = 2,
                                    .params = *params,
                                    .pinned = coif_solver_vtable_at(params->solver)->pinned_points};
    fixture_open(hair, &desc, &arena, NULL);
}

static const coif_vec3 *straight(float x, float y)
{
    coif_vec3 *shape = coif_arena_new(&arena, POINTS, coif_vec3);
    for (int k = 0; k < POINTS; ++k) {
        const float s = (float)k / (POINTS - 1);
        shape[k] = coif_vec3_of(x * s, y * s, 0.0f);
    }
    return shape;
}

static double mean_height(const hair_fixture *hair)
{
    double sum = 0.0;
    for (int k = 0; k < POINTS; ++k) {
        const double mass = k == 0 || k == POINTS - 1 ? 0.5 : 1.0;
        sum += mass * (double)hair->positions[k].y / (POINTS - 1);
    }
    return sum;
}

// n steps of semi-implicit Euler fall g h^2 n (n + 1) / 2.
TEST(a_free_root_falls)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        coif_sim_params params = limp_params(method);
        params.root_boundary = COIF_ROOT_FREE;
        params.goal_frequency_root = params.goal_frequency_tip = 30.0f;
        params.gravity_compensation = 1.0f;
        params.max_inner_steps = 1; // as large as those of the others
        hair_fixture hair;
        open_fixture(&hair, straight(0.1f, 0.0f), &params);
        fixture_run(&hair, 12);
        const double n = 12.0 * params.substeps;
        const double h = 1.0 / (24.0 * params.substeps);
        CHECK_NEAR(mean_height(&hair) / (-9.81 * h * h * n * (n + 1.0) / 2.0), 1.0, 1e-4);
        CHECK_NEAR(hair.positions[0].y, hair.positions[POINTS - 1].y, 1e-4);
    }
}

// A force on the tip that is the weight of the whole strand: its centre of mass stays.
TEST(a_force_on_the_tip_is_in_newtons)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        if (strcmp(COIF_METHOD_NAMES[method], "ftl") == 0) {
            continue; // no pull goes from a point to its leader
        }
        coif_sim_params params = limp_params(method);
        params.root_boundary = COIF_ROOT_FREE;
        params.mass_variation = 0.0f;
        params.tip_force[1] = (float)(1320.0 * M_PI * 1.6e-9 * 0.1 * 9.81);
        hair_fixture hair;
        open_fixture(&hair, straight(0.1f, 0.0f), &params);
        const double before = mean_height(&hair);
        fixture_run(&hair, 6);
        CHECK_NEAR(mean_height(&hair), before, 1e-5);
        CHECK(hair.positions[POINTS - 1].y > 0.01f);
        CHECK(hair.positions[0].y < -0.01f);
    }
}

TEST(a_pinned_root_is_a_hinge)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        coif_sim_params params = limp_params(method);
        params.youngs_modulus = 3.9e10f; // ten times as stiff as hair
        params.poisson_ratio = 0.4f;
        params.stiffness = 1.0f;
        params.bend_stiffness = params.shape_stiffness = 1.0f;
        params.stiffness = 1.0f;
        params.iterations = 32; // xpbd is too soft with less
        params.goal_frequency_root = params.goal_frequency_tip = 100.0f;
        params.gravity_compensation = 1.0f;
        for (params.root_boundary = COIF_ROOT_CLAMPED; params.root_boundary <= COIF_ROOT_PINNED;
             ++params.root_boundary) {
            hair_fixture hair;
            open_fixture(&hair, straight(0.1f, 0.0f), &params);
            fixture_run(&hair, 3);
            const bool falls = hair.positions[POINTS - 1].y < -0.05f;
            CHECK(falls == (params.root_boundary == COIF_ROOT_PINNED));
            CHECK(coif_length(hair.positions[0]) < 1e-6f);
        }
    }
}

// A chain between two nails at the same height: catenary.csv.
TEST(strands_held_at_both_ends_are_catenaries)
{
    double rows[16][10];
    const int count = read_oracle("catenary.csv", rows, 16);
    CHECK(count >= 5);
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int i = 1; i < 5; i += 3) {
            const double half = 0.5 * rows[i][0]; // of the length, for a span of 1
            const double depth = sqrt(half * half - 0.25);
            coif_vec3 shape[POINTS];
            for (int k = 0; k < POINTS; ++k) {
                const double s = (double)k / (POINTS - 1);
                shape[k] = coif_vec3_of((float)(0.1 * s),
                                        (float)(-0.1 * depth * (1.0 - fabs(2.0 * s - 1.0))), 0);
            }
            coif_sim_params params = limp_params(method);
            params.root_boundary = COIF_ROOT_PINNED;
            params.tip_boundary = COIF_TIP_PINNED;
            params.damping = 8.0f;
            hair_fixture hair;
            open_fixture(&hair, shape, &params);
            fixture_run(&hair, 72);
            CHECK_NEAR(-(double)hair.positions[POINTS / 2].y / (0.1 * rows[i][7]), 1.0, 0.005);
            CHECK_NEAR(hair.positions[POINTS - 1].x, 0.1, 1e-6);
            CHECK_NEAR(hair.positions[POINTS - 1].y, 0.0, 1e-6);
        }
    }
}

// The tip goes with the root; clamped, it also keeps its direction.
TEST(a_clamped_tip_keeps_its_direction)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        coif_sim_params params = limp_params(method);
        params.tip_boundary = COIF_TIP_CLAMPED;
        params.youngs_modulus = 3.9e9f;
        params.poisson_ratio = 0.4f;
        params.stiffness = 1.0f;
        const coif_vec3 *shape = straight(0.3f, 0.0f);
        hair_fixture hair;
        open_fixture(&hair, shape, &params);
        fixture_run(&hair, 12);
        for (int k = POINTS - 2; k < POINTS; ++k) {
            CHECK_NEAR(coif_length(coif_sub(hair.positions[k], shape[k])), 0.0, 1e-6);
        }
    }
}
