// Drag on cylinders against exact solutions; no wind makes a strand diverge.
#include "sim/run/solver_setup.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/test.h"
#include "tests/support/test_wind.h"

static coif_arena arena = {.name = "test"};

static const int32_t ROD = 1; // in the table of methods

static const coif_vec3 *straight(int32_t points, coif_vec3 to)
{
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = coif_scale(to, (float)k / (float)(points - 1));
    }
    return shape;
}

static coif_sim_params air_params(int32_t solver)
{
    coif_sim_params params = bare_params();
    params.solver = solver;
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    params.root_boundary = COIF_ROOT_FREE;
    return params;
}

// A level hair, free: vt = sqrt(pi d rho_hair g / (2 rho_air C_d)).
TEST(quadratic_drag_has_its_terminal_speed)
{
    double rows[32][10];
    const int count = read_oracle("drag_quadratic.csv", rows, 32);
    CHECK(count >= 18);
    for (int i = 0; i < count; ++i) {
        for (int32_t solver = 0; solver <= ROD; ++solver) {
            coif_sim_params params = air_params(solver);
            params.fps = 20.0f;
            params.substeps = 60;
            params.tangential_drag_reduction = 0.5f;
            const double vt = rows[i][0];
            params.drag_coefficient =
                (float)(M_PI * 8e-5 * 1320.0 * 9.81 / (2.0 * 1.204 * vt * vt));
            const hair_fixture_desc desc = {.shape = straight(4, coif_vec3_of(0.03f, 0.0f, 0.0f)),
                                            .length = 4,
                                            .strand_count = 1,
                                            .params = params};
            hair_fixture hair;
            fixture_open(&hair, &desc, &arena, NULL);
            if (rows[i][1] > 1.5) {
                continue;
            }
            fixture_run(&hair, (int32_t)lround(rows[i][1] * 20.0));
            CHECK_NEAR(-hair.velocities[1].y, rows[i][2], 0.01 * rows[i][2]);
            CHECK_NEAR(-hair.positions[1].y, rows[i][3], 0.01 * rows[i][3] + 1e-4);
        }
    }
}

// Terminal speed under linear drag: g / c for a level hair, g / c (1 - slip) for an upright one. A
// slanting one glides: each component of gravity has its own drag.
TEST(a_strand_falls_faster_along_itself)
{
    for (int32_t solver = 0; solver <= ROD; ++solver) {
        coif_sim_params params = air_params(solver);
        params.drag = 20.0f;
        params.tangential_drag_reduction = 0.5f;
        const coif_vec3 axes[3] = {{0.03f, 0, 0}, {0, 0.03f, 0}, {0.02f, 0.02f, 0}};
        const double falls[3] = {9.81 / 20.0, 9.81 / 10.0, 0.5 * 9.81 / 20.0 + 0.5 * 9.81 / 10.0};
        const double glides[3] = {0.0, 0.0, 0.5 * 9.81 / 10.0 - 0.5 * 9.81 / 20.0};
        for (int i = 0; i < 3; ++i) {
            const hair_fixture_desc desc = {
                .shape = straight(4, axes[i]), .length = 4, .strand_count = 1, .params = params};
            hair_fixture hair;
            fixture_open(&hair, &desc, &arena, NULL);
            fixture_run(&hair, 24);
            CHECK_NEAR(-hair.velocities[1].y, falls[i], 0.01 * falls[i]);
            CHECK_NEAR(-hair.velocities[1].x, glides[i], 0.01 * 0.24525);
        }
    }
}

// A limp hair in level wind hangs straight where the wind's push across it balances the weight:
// c_n u cos = g sin, whatever happens along it. So its angle is that of isotropic drag.
TEST(wind_lifts_a_limp_strand_by_its_normal_component)
{
    double rows[16][10];
    const int count = read_oracle("wind_deflection.csv", rows, 16);
    CHECK(count >= 6);
    coif_plugin_instance *wind = open_wind(2.0f, &arena);
    for (int i = 1; i < 6; ++i) {
        for (int32_t solver = 0; solver <= ROD; ++solver) {
            coif_sim_params params = air_params(solver);
            params.root_boundary = COIF_ROOT_PINNED;
            params.drag = (float)(rows[i][0] * 9.81 / 2.0);
            params.tangential_drag_reduction = 0.5f;
            params.damping = 3.0f;
            const hair_fixture_desc desc = {.shape = straight(9, coif_vec3_of(0.0f, -0.1f, 0.0f)),
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
}

// Sixty metres per second from changing sides, at few substeps, with the drag of real hair.
TEST(no_wind_blows_a_strand_up)
{
    coif_plugin_instance *wind = open_wind(0.0f, &arena);
    for (int32_t solver = 0; solver <= ROD; ++solver) {
        coif_sim_params params = air_params(solver);
        params.root_boundary = COIF_ROOT_CLAMPED;
        params.substeps = 2;
        params.drag = 30.0f;
        params.tangential_drag_reduction = 0.5f;
        params.drag_coefficient = 1.5f;
        params.youngs_modulus = 3.9e9f;
        params.stiffness = 1.0f;
        params.poisson_ratio = 0.4f;
        const hair_fixture_desc desc = {.shape = straight(24, coif_vec3_of(0.05f, 0.25f, 0.0f)),
                                        .length = 24,
                                        .strand_count = 3,
                                        .params = params,
                                        .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        hair.forces = &wind;
        hair.force_count = 1;
        for (int f = 0; f < 48; ++f) {
            wind_now = f / 8 % 2 == 0 ? coif_vec3_of(60.0f, 0.0f, 10.0f)
                                      : coif_vec3_of(-20.0f, -56.0f, 5.0f);
            fixture_step(&hair);
            CHECK(hair.report.stats.reset_strands == 0);
            CHECK(fixture_stretch(&hair) < 0.01);
        }
        for (int32_t p = 0; p < hair.groom.rest.point_count; ++p) {
            CHECK(coif_length(hair.velocities[p]) < 80.0f);
        }
    }
}
