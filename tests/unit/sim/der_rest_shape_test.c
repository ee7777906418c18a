// Rods at rest: bending, curls and buckling against beam theory; the groomed shape is kept for any
// number of substeps.
#include "tests/support/rod_shapes.h"

static coif_arena arena = {.name = "test"};

static void open_cantilever(rods *r, const double gammas[STRANDS], int32_t segments)
{
    straight *shape = coif_arena_new(&arena, 1, straight);
    shape->segments = segments;
    shape->along = coif_vec3_of(1.0f, 0.0f, 0.0f);
    for (int i = 0; i < STRANDS; ++i) {
        shape->length[i] = length_of(gammas[i], &HAIR);
    }
    open_straight(r, shape, &HAIR, &arena);
}

static double drop_over_reach(const rods *r, int32_t lane)
{
    const coif_vec3 tip = rods_tip(r, lane);
    return -(double)tip.y / (double)tip.x;
}

TEST(cantilevers_are_those_of_the_same_discrete_rod)
{
    static const double gammas[STRANDS] = {1.0, 10.0, 100.0, 1000.0};
    for (int32_t segments = 8; segments <= 64; segments *= 2) {
        rods r;
        open_cantilever(&r, gammas, segments);
        r.step = substep_of(5, 8.0f);
        settle(&r, 4.0);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const double key[2] = {gammas[i], segments};
            const double wanted = rods_oracle("cantilever_discrete.csv", key, 2, 8);
            CHECK_NEAR(drop_over_reach(&r, i) / wanted, 1.0, 0.005);
        }
        CHECK(rods_speed(&r) < 1e-3);
    }
}

TEST(cantilevers_are_elasticas)
{
    static const double gammas[2][STRANDS] = {{1.0, 5.0, 20.0, 50.0},
                                              {100.0, 200.0, 500.0, 1000.0}};
    for (int part = 0; part < 2; ++part) {
        rods r;
        open_cantilever(&r, gammas[part], 64);
        r.step = substep_of(5, 8.0f);
        settle(&r, 4.0);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const double wanted = rods_oracle("cantilever_elastica.csv", &gammas[part][i], 1, 3);
            CHECK_NEAR(drop_over_reach(&r, i) / wanted, 1.0, 0.02);
        }
    }
}

TEST(the_number_of_substeps_does_not_matter)
{
    static const double gammas[STRANDS] = {1.0, 10.0, 100.0, 1000.0};
    static const int32_t substeps[5] = {1, 5, 10, 20, 40};
    double low[STRANDS];
    double high[STRANDS] = {0.0};
    for (int s = 0; s < 5; ++s) {
        rods r;
        open_cantilever(&r, gammas, 24);
        r.step = substep_of(substeps[s], 10.0f);
        r.step.bending_damping_time = 0.01f;
        settle(&r, 2.5);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const double found = drop_over_reach(&r, i);
            low[i] = s == 0 ? found : fmin(low[i], found);
            high[i] = fmax(high[i], found);
        }
    }
    for (int32_t i = 0; i < STRANDS; ++i) {
        CHECK(low[i] > 0.0);
        CHECK_NEAR(high[i] / low[i], 1.0, 0.005);
    }
}

static double arc_length(const rods *r, int32_t lane)
{
    double length = 0.0;
    for (int32_t k = 0; k + 1 < r->block.length; ++k) {
        length += (double)r->block.rest_length[k * r->block.lanes + lane];
    }
    return length;
}

static void check_hanging_helix(double pitch_deg, double turns, int32_t per_turn, double tolerance)
{
    static const double weights[STRANDS] = {0.05, 0.1, 0.3, 0.5};
    coif_strand_material material = HAIR;
    material.poisson_ratio = 0.5f; // C / B = 2 / 3, as in the table
    helix shape = {
        .pitch = pitch_deg * M_PI / 180.0, .turns = turns, .segments = (int32_t)turns * per_turn};
    rods r;
    open_helix(&r, &shape, weights, &material, &arena);
    r.step = substep_of(10, 6.0f);
    r.step.bending_damping_time = 0.01f;
    settle(&r, 2.0);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const double key[4] = {pitch_deg, turns, 0.66666667, weights[i]};
        const double wanted = rods_oracle("helix_hang_kirchhoff.csv", key, 4, 5);
        CHECK_NEAR(-(double)rods_tip(&r, i).y / arc_length(&r, i) / wanted, 1.0, tolerance);
    }
    CHECK(rods_stretch(&r) < 1e-4);
}

TEST(hanging_curls_are_kirchhoff_rods)
{
    check_hanging_helix(10.0, 5.0, 16, 0.03);
    check_hanging_helix(20.0, 3.0, 16, 0.03);
    check_hanging_helix(20.0, 3.0, 32, 0.01);
}

TEST(rest_shapes_stay_without_gravity)
{
    static const double weights[STRANDS] = {0.05, 0.1, 0.3, 0.5};
    helix shape = {.pitch = 0.3, .turns = 3.0, .segments = 40};
    rods r;
    open_helix(&r, &shape, weights, &HAIR, &arena);
    r.step = substep_of(10, 0.0f);
    r.step.gravity = coif_vec3_of(0.0f, 0.0f, 0.0f);
    rods_step(&r, 200);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const coif_vec3 rest = helix_shape(i, shape.segments, &shape);
        CHECK(coif_length(coif_sub(rods_tip(&r, i), rest)) < 1e-5f);
    }
    CHECK(rods_speed(&r) < 1e-4);
}

// Rotating root and gravity alike rotates everything: frames have no favourite direction.
TEST(a_rotated_curl_hangs_as_the_original)
{
    static const double weights[STRANDS] = {0.05, 0.1, 0.2, 0.3};
    helix shape = {.pitch = 0.3, .turns = 3.0, .segments = 36};
    rods upright;
    rods turned;
    open_helix(&upright, &shape, weights, &HAIR, &arena);
    open_helix(&turned, &shape, weights, &HAIR, &arena);
    coif_strand_block *block = &turned.block;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        // x, y, z of the strand become z, x, y of the world.
        for (int r = 3; r < COIF_ROOT_ROWS; ++r) {
            const float one = r == 5 || r == 6 || r == 10 ? 1.0f : 0.0f;
            block->root_begin[r * block->lanes + lane] = one;
            block->root_end[r * block->lanes + lane] = one;
        }
        for (int32_t at = lane; at < block->length * block->lanes; at += block->lanes) {
            block->pos.z[at] = block->rest_local.x[at];
            block->pos.x[at] = block->rest_local.y[at];
            block->pos.y[at] = block->rest_local.z[at];
        }
    }
    turned.rod_kernels->reset_to_rest(block);
    upright.step = turned.step = substep_of(10, 6.0f);
    turned.step.gravity = coif_vec3_of(-9.81f, 0.0f, 0.0f);
    settle(&upright, 1.0);
    settle(&turned, 1.0);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const coif_vec3 a = rods_tip(&upright, i);
        const coif_vec3 b = rods_tip(&turned, i);
        CHECK(coif_length(coif_sub(a, coif_vec3_of(b.z, b.x, b.y))) < 2e-5f);
    }
}

TEST(upright_hair_buckles_at_greenhills_height)
{
    static const double threshold = 7.83734744; // rod_thresholds.csv
    straight shape = {.segments = 32, .along = {0.0f, 1.0f, 0.0f}};
    static const double fraction[STRANDS] = {0.5, 0.95, 1.05, 1.5};
    for (int i = 0; i < STRANDS; ++i) {
        shape.length[i] = length_of(fraction[i] * threshold, &HAIR);
    }
    rods r;
    open_straight(&r, &shape, &HAIR, &arena);
    r.step = substep_of(5, 2.0f);
    r.step.gravity.x = 0.001f; // a breath
    settle(&r, 6.0);
    for (int32_t i = 0; i < STRANDS; ++i) {
        const double lean = (double)rods_tip(&r, i).x / shape.length[i];
        CHECK(fraction[i] < 1.0 ? fabs(lean) < 0.02 : fabs(lean) > 0.2);
    }
}

static void make_sagfree(rods *r)
{
    float *gravity = coif_arena_new(&arena, 3 * COIF_MAX_LANES, float);
    for (int32_t lane = 0; lane < r->block.lanes; ++lane) {
        gravity[r->block.lanes + lane] = -9.81f;
    }
    r->rod_kernels->preload_gravity(&r->block, &r->work, gravity);
    r->rod_kernels->reset_to_rest(&r->block);
    r->step = substep_of(8, 3.0f);
}

// Far longer than hair can stand off or up by itself.
TEST(straight_hair_keeps_its_groomed_shape)
{
    static const coif_vec3 directions[4] = {
        {1.0f, 0.0f, 0.0f}, {0.6f, 0.8f, 0.0f}, {0.8f, -0.6f, 0.0f}, {0.28f, 0.96f, 0.0f}};
    for (int d = 0; d < 4; ++d) {
        straight shape = {.segments = 16, .along = directions[d]};
        for (int i = 0; i < STRANDS; ++i) {
            shape.length[i] = length_of(i == 0 ? 5.0 : 100.0 * i, &HAIR);
        }
        rods r;
        open_straight(&r, &shape, &HAIR, &arena);
        make_sagfree(&r);
        settle(&r, 3.0);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const coif_vec3 rest = straight_shape(i, shape.segments, &shape);
            const double drift = coif_length(coif_sub(rods_tip(&r, i), rest));
            CHECK_NEAR(drift / shape.length[i], 0.0, 1e-3);
        }
    }
}

TEST(shapes_that_carry_their_weight_do_not_sag)
{
    static const double weights[STRANDS] = {0.02, 0.05, 0.1, 0.2};
    helix shapes[3] = {{.pitch = 0.3, .turns = 2.0, .segments = 32},
                       {.pitch = 1.2, .turns = 2.0, .segments = 24},
                       {.pitch = 0.8, .turns = 0.2, .segments = 12}};
    for (int s = 0; s < 3; ++s) {
        rods r;
        open_helix(&r, &shapes[s], weights, &HAIR, &arena);
        make_sagfree(&r);
        rods_step(&r, 1);
        CHECK(rods_speed(&r) < 1e-3 * 9.81 * (double)r.step.h);
        settle(&r, 5.0);
        for (int32_t i = 0; i < STRANDS; ++i) {
            const coif_vec3 rest = helix_shape(i, shapes[s].segments, &shapes[s]);
            const double drift = coif_length(coif_sub(rods_tip(&r, i), rest));
            CHECK_NEAR(drift / shapes[s].length[i], 0.0, 1e-3);
        }
    }
}
