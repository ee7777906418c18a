// Reference solutions of the program equal the tables of tests/data/reference, row by row.
#include "sim/validation/reference_solutions.h"

#include "tests/support/hair_fixture.h"

static coif_arena arena = {.name = "test"};

enum { MOST = 256 };
static double rows[MOST][10];

TEST(cantilevers_are_the_tables)
{
    int count = read_oracle("cantilever_elastica.csv", rows, MOST);
    CHECK(count > 30);
    for (int i = 0; i < count; ++i) {
        const coif_reference_tip tip = coif_reference_cantilever(rows[i][0], 0, &arena);
        CHECK_NEAR(tip.drop / rows[i][1], 1.0, 1e-6);
        CHECK_NEAR(tip.reach / rows[i][2], 1.0, 5e-5);
    }
    count = read_oracle("cantilever_discrete.csv", rows, MOST);
    CHECK(count > 30);
    for (int i = 0; i < count; ++i) {
        const coif_reference_tip tip =
            coif_reference_cantilever(rows[i][0], (int32_t)rows[i][1], &arena);
        CHECK_NEAR(tip.drop / tip.reach / rows[i][8], 1.0, 1e-7);
    }
}

TEST(chains_are_the_tables)
{
    int count = read_oracle("catenary.csv", rows, MOST);
    CHECK(count == 7);
    for (int i = 0; i < count; ++i) {
        CHECK_NEAR(coif_reference_catenary(rows[i][0], 0) / rows[i][2], 1.0, 1e-7);
        CHECK_NEAR(coif_reference_catenary(rows[i][0], 16) / rows[i][6], 1.0, 1e-7);
        CHECK_NEAR(coif_reference_catenary(rows[i][0], 64) / rows[i][8], 1.0, 1e-7);
    }
    count = read_oracle("hanging_chain_modes.csv", rows, MOST);
    CHECK(count > 10);
    for (int i = 0; i < count; ++i) {
        const double omega = coif_reference_chain((int32_t)rows[i][1], 0) * sqrt(9.81 / rows[i][0]);
        CHECK_NEAR(omega / rows[i][2], 1.0, 1e-7);
    }
    count = read_oracle("hanging_chain_discrete.csv", rows, MOST);
    CHECK(count > 5);
    for (int i = 0; i < count; ++i) {
        CHECK_NEAR(coif_reference_chain(1, (int32_t)rows[i][0]) / rows[i][3], 1.0, 1e-7);
    }
    count = read_oracle("pendulum_large_amplitude.csv", rows, MOST);
    CHECK(count > 8);
    for (int i = 0; i < count; ++i) {
        CHECK_NEAR(coif_reference_pendulum(rows[i][0]) / rows[i][1], 1.0, 1e-7);
    }
}

TEST(falls_are_the_tables)
{
    int count = read_oracle("drag_linear.csv", rows, MOST);
    CHECK(count > 30);
    for (int i = 0; i < count; ++i) {
        const coif_reference_fall fall = coif_reference_fall_linear(rows[i][0], rows[i][1]);
        CHECK_NEAR(fall.speed / rows[i][2], 1.0, 1e-7);
        CHECK_NEAR(fall.drop / rows[i][3], 1.0, 1e-7);
    }
    count = read_oracle("drag_quadratic.csv", rows, MOST);
    CHECK(count > 20);
    for (int i = 0; i < count; ++i) {
        const coif_reference_fall fall = coif_reference_fall_quadratic(rows[i][0], rows[i][1]);
        CHECK_NEAR(fall.speed / rows[i][2], 1.0, 1e-7);
        CHECK_NEAR(fall.drop / rows[i][3], 1.0, 1e-7);
    }
    count = read_oracle("free_fall.csv", rows, MOST);
    CHECK(count == 16);
    for (int i = 0; i < count; ++i) {
        const double drop = coif_reference_fall_discrete(rows[i][0], (int32_t)rows[i][1]);
        CHECK_NEAR(drop / rows[i][4], 1.0, 1e-7);
    }
    CHECK_NEAR(coif_reference_fall_linear(0.0, 0.5).drop, 1.22625, 1e-9);
}

TEST(friction_is_the_tables)
{
    int count = read_oracle("friction_incline.csv", rows, MOST);
    CHECK(count > 20);
    for (int i = 0; i < count; ++i) {
        CHECK_NEAR(coif_reference_incline(rows[i][0], rows[i][1]), rows[i][2], 1e-7);
    }
    count = read_oracle("friction_capstan.csv", rows, MOST);
    CHECK(count > 20);
    for (int i = 0; i < count; ++i) {
        CHECK_NEAR(coif_reference_capstan(rows[i][0], rows[i][1]) / rows[i][2], 1.0, 1e-7);
    }
    // A cylinder of no size weighs nothing; without friction both legs weigh the same.
    CHECK_NEAR(coif_reference_capstan_heavy(0.3, 1e9), coif_reference_capstan(0.3, 180.0), 1e-6);
    CHECK_NEAR(coif_reference_capstan_heavy(0.0, 5.0), 1.0, 1e-12);
    CHECK(coif_reference_capstan_heavy(0.3, 10.0) > coif_reference_capstan(0.3, 180.0));
    count = read_oracle("stick_slip_elastica.csv", rows, MOST);
    CHECK(count == COIF_REFERENCE_STICK_COUNT);
    for (int i = 0; i < count; ++i) {
        CHECK_NEAR(coif_reference_stick_friction(rows[i][0]), rows[i][3], 1e-12);
    }
    CHECK(isnan(coif_reference_stick_friction(1e-3)));
}

TEST(helices_are_the_tables)
{
    int count = read_oracle("helix_pull.csv", rows, MOST);
    CHECK(count > 100);
    for (int i = 0; i < count; ++i) {
        const double axial = coif_reference_helix_pull(rows[i][0], rows[i][1], rows[i][2]);
        CHECK_NEAR(axial / rows[i][4], 1.0, 1e-6);
    }
    count = read_oracle("helix_selfweight.csv", rows, MOST);
    CHECK(count > 40);
    for (int i = 0; i < count; ++i) {
        const double axial = coif_reference_helix_weight(rows[i][0], rows[i][1], rows[i][2]);
        CHECK_NEAR(axial / rows[i][3], 1.0, 1e-5);
    }
    count = read_oracle("helix_hang_kirchhoff.csv", rows, MOST);
    CHECK(count == COIF_REFERENCE_HELIX_COUNT);
    for (int i = 0; i < count; ++i) {
        const double *r = rows[i];
        CHECK_NEAR(coif_reference_helix_hang(r[0], r[1], r[2], r[3]), r[5], 1e-12);
    }
    CHECK(isnan(coif_reference_helix_hang(11.0, 3.0, 0.6667, 0.1)));
    CHECK(isnan(coif_reference_helix_hang(10.0, 3.0, 0.6667, 1e3)));
}

TEST(beams_ring_as_the_table_says)
{
    static const double wanted[3] = {3.51601527, 22.0344916, 61.6972144}; // rod_thresholds.csv
    for (int32_t i = 0; i < 3; ++i) {
        CHECK_NEAR(coif_reference_beam(i + 1) / wanted[i], 1.0, 1e-8);
    }
}
