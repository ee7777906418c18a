// The groomed shape is kept as far as the settings say.
#include "tests/support/hair_fixture.h"
#include "tests/support/test_wind.h"

static coif_arena arena = {.name = "test"};

static coif_sim_params groomed_params(void)
{
    coif_sim_params params = bare_params();
    params.bend_stiffness = 0.6f;
    params.stiffness = 1.0f;
    params.shape_stiffness = 0.8f;
    params.damping = 1.0f;
    params.drag = 3.0f;
    params.goal_frequency_root = 30.0f;
    params.goal_frequency_tip = 3.0f;
    params.gravity_compensation = 1.0f;
    return params;
}

// Hair that leaves the scalp at an angle and then bends down stays as it was groomed, because the
// rest shape carries what tension does not.
TEST(a_groomed_shape_does_not_sag)
{
    enum { POINTS = 20 };
    coif_vec3 shape[POINTS] = {{0, 0, 0}};
    for (int k = 1; k < POINTS; ++k) {
        const float angle = 1.3f * (float)(k - 1) / (POINTS - 1);
        shape[k] = coif_mad(shape[k - 1], 0.01f, coif_vec3_of(cosf(angle), -sinf(angle), 0.0f));
    }
    const hair_fixture_desc desc = {.shape = shape,
                                    .length = POINTS,
                                    .strand_count = 1,
                                    .params = groomed_params(),
                                    .pinned = 2};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_run(&hair, 48);
    for (int k = 0; k < POINTS; ++k) {
        CHECK_NEAR(coif_length(coif_sub(hair.positions[k], shape[k])), 0.0, 0.015 * 0.19);
    }
    hair.params.gravity[1] = 0.0f; // the same strand without weight rises, so it did carry it
    fixture_run(&hair, 48);
    CHECK(hair.positions[POINTS - 1].y > shape[POINTS - 1].y + 0.01f);
}

// A hanging wave is stretched by its weight a little and keeps its waves; and it is as heavy as
// straight hair is: pushed aside, it swings back at the pace of a hanging chain.
TEST(waves_hang_and_stay_waves)
{
    enum { POINTS = 24 };
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        const float s = 0.01f * (float)k;
        shape[k] = coif_vec3_of(0.004f * sinf(100.0f * s), -s, 0.004f * (cosf(100.0f * s) - 1));
    }
    coif_sim_params params = groomed_params();
    params.goal_frequency_tip = 0.0f;
    const hair_fixture_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 1, .params = params, .pinned = 2};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_run(&hair, 48);
    CHECK_NEAR(hair.positions[POINTS - 1].y / shape[POINTS - 1].y, 1.0, 0.04);
    float low = 1.0f;
    float high = -1.0f;
    for (int k = 8; k < 20; ++k) {
        low = fminf(low, hair.positions[k].x);
        high = fmaxf(high, hair.positions[k].x);
    }
    CHECK(high - low > 0.5f * 0.008f);

    coif_plugin_instance *wind = open_wind(2.0f, &arena);
    hair.forces = &wind;
    hair.force_count = 1;
    fixture_run(&hair, 72);
    // Drag 3/s and 2 m/s of wind against gravity alone would be 31 degrees; the root holds back.
    const double aside = hair.positions[POINTS - 1].x / -(double)hair.positions[POINTS - 1].y;
    CHECK(aside > 0.2 && aside < 0.62);
}

// The pull to the rest shape is stated per second: substeps do not change how far hair sags.
TEST(hold_does_not_depend_on_substeps)
{
    double drops[3];
    for (int i = 0; i < 3; ++i) {
        const coif_vec3 shape[3] = {{0, 0, 0}, {0.01f, 0, 0}, {0.02f, 0, 0}};
        coif_sim_params params = bare_params();
        params.length_constraint = COIF_LENGTH_NONE;
        params.stretch_stiffness = 0.0f;
        params.substeps = 5 << i;
        params.goal_frequency_root = params.goal_frequency_tip = 20.0f;
        params.damping = 6.0f;
        const hair_fixture_desc desc = {
            .shape = shape, .length = 3, .strand_count = 1, .params = params, .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        fixture_run(&hair, 72);
        drops[i] = -hair.positions[2].y;
        CHECK_NEAR(drops[i], 9.81 / 400.0, 0.02 * 9.81 / 400.0);
    }
}
