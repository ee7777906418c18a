// PBD constraints against hand-computed corrections; stiffness as set; identical bits for both
// SIMD widths.
#include "sim/run/sim_params.h"
#include "sim/run/solver_setup.h"
#include "tests/support/point_checks.h"

#include <stdalign.h>

static coif_arena arena = {.name = "test"};

// Two points 2 cm apart that want to be 1 cm apart: the error shrinks by k, the lighter moves more.
TEST(two_points_divide_a_correction_by_inverse_mass)
{
    static const double weights[4][2] = {{0, 1}, {1, 1}, {1, 3}, {0, 0}};
    static const double stiffness[3] = {1.0, 0.5, 0.1};
    for (int i = 0; i < 12; ++i) {
        const double wa = weights[i % 4][0];
        const double wb = weights[i % 4][1];
        const double k = stiffness[i / 4];
        pack p = random_pack("auto", &arena);
        p.block.length = 2;
        for (int32_t lane = 0; lane < p.kernels->lanes; ++lane) {
            p.block.rest_length[lane] = 0.01f;
        }
        put(&p, 0, 0.1, 0, 0);
        put(&p, 1, 0.12, 0, 0);
        weigh(&p, 0, wa);
        weigh(&p, 1, wb);
        coif_substep step = STEP;
        step.stretch_stiffness = (float)k;
        pbd_of(&p)->project_stretch(&p.block, &p.work, &step);
        const double correction = wa + wb > 0.0 ? k * 0.01 / (wa + wb) : 0.0;
        CHECK_NEAR(at(&p, 0).x, 0.1 + wa * correction, 1e-8);
        CHECK_NEAR(at(&p, 1).x, 0.12 - wb * correction, 1e-8);
        CHECK(at(&p, 0).y == 0.0 && at(&p, 1).z == 0.0);
    }
}

static coif_sim_params params_of(int32_t iterations, int32_t rule)
{
    return (coif_sim_params){.fps = 24.0f,
                             .substeps = 10,
                             .iterations = iterations,
                             .damping_factor = 1.0f,
                             .stretch_stiffness = 0.6f,
                             .bend_stiffness = 0.3f,
                             .long_range_attachment = 0.5f,
                             .iteration_scaling = rule};
}

static coif_substep substep_of(const coif_sim_params *params)
{
    const coif_solver_params solver = coif_solver_params_of(params);
    return coif_substep_of(&solver, 0, 1.0 / 24.0, 0.0);
}

// What is left of an error after n iterations: 1 - k with stiffness per frame, (1 - k)^n with
// stiffness per iteration.
TEST(stiffness_is_per_frame_or_per_iteration)
{
    for (int rounds = 1; rounds <= 16; rounds *= 4) {
        for (int rule = 0; rule < 2; ++rule) {
            const coif_sim_params params = params_of(rounds, rule);
            const coif_substep step = substep_of(&params);
            pack p = random_pack("auto", &arena);
            p.block.length = 2;
            p.block.rest_length[0] = 0.01f;
            put(&p, 0, 0, 0, 0);
            put(&p, 1, 0.02, 0, 0);
            for (int i = 0; i < rounds; ++i) {
                pbd_of(&p)->project_stretch(&p.block, &p.work, &step);
            }
            const double left = rule == COIF_ITERATION_RAW ? pow(0.4, rounds) : 0.4;
            CHECK_NEAR(distance(&p, 0, 1), 0.01 + 0.01 * left, 1e-7);
            CHECK_NEAR(pow(1.0 - step.bend_stiffness, rounds),
                       rule == COIF_ITERATION_RAW ? pow(0.7, rounds) : 0.7, 1e-6);
            CHECK_NEAR(pow(1.0 - step.attachment_stiffness, rounds),
                       rule == COIF_ITERATION_RAW ? pow(0.5, rounds) : 0.5, 1e-6);
        }
    }
}

TEST(the_damping_factor_is_what_a_substep_keeps)
{
    coif_sim_params params = params_of(1, COIF_ITERATION_NORMALIZED);
    params.damping_factor = 0.98f;
    CHECK_NEAR(substep_of(&params).velocity_retention, 0.98, 1e-7);
    params.damping = 5.0f; // per second, beside it
    CHECK_NEAR(substep_of(&params).velocity_retention, 0.98 * exp(-5.0 / 240.0), 1e-6);
}

// Three points on a line, the pair of the outer two half as far apart as wanted: only they move,
// and the middle stays where it is.
TEST(a_pair_moves_its_own_points_and_no_other)
{
    for (int32_t span = 2; span <= 5; ++span) {
        pack p = random_pack("auto", &arena);
        const int32_t lanes = p.kernels->lanes;
        rest_here(&p, "2", COIF_BEND_DISTANCE, &arena);
        p.block.length = span + 1; // one pair
        for (int32_t k = 0; k < LENGTH; ++k) {
            put(&p, k, 0.01 * k, 0, 0);
            weigh(&p, k, 1.0);
        }
        const snapshot before = remember(&p);
        alignas(32) float distances[FLOATS];
        for (int32_t i = 0; i < LENGTH * lanes; ++i) {
            distances[i] = 0.02f * (float)span;
        }
        const coif_pbd_span pairs = {
            .pairs = {0, 1, span}, .rest = distances, .stiffness = 0.25f, .k = 0.5f};
        pbd_of(&p)->project_bend_distances(&p.block, &p.work, &pairs, &STEP);
        CHECK_NEAR(at(&p, 0).x, -0.0025 * span, 1e-8);
        CHECK_NEAR(at(&p, span).x, 0.0125 * span, 1e-8);
        for (int32_t k = 1; k < LENGTH; ++k) {
            CHECK(k == span || at(&p, k).x == (double)before.x[k * lanes]);
        }
    }
}

// A strand half as stiff is corrected by half as much, and one ten times as stiff by all of it.
TEST(stiffness_multiplies_bending)
{
    static const float factors[] = {0.0f, 0.5f, 1.0f, 10.0f};
    static const double corrections[] = {0.0, 0.25, 0.5, 1.0};
    for (int i = 0; i < 4; ++i) {
        pack p = random_pack("auto", &arena);
        rest_here(&p, "2", COIF_BEND_DISTANCE, &arena);
        p.block.length = 3;
        for (int32_t k = 0; k < 3; ++k) {
            put(&p, k, 0.01 * k, 0, 0);
            weigh(&p, k, 1.0);
        }
        alignas(32) float distances[FLOATS];
        for (int32_t lane = 0; lane < p.kernels->lanes; ++lane) {
            distances[lane] = 0.04f;
            coif_pbd_of(&p.block)->stiffness[p.kernels->lanes + lane] = factors[i];
        }
        coif_substep step = STEP;
        step.bend_stiffness = 0.5f;
        const coif_pbd_span pairs = {.pairs = {0, 1, 2}, .rest = distances, .stiffness = 1.0f};
        pbd_of(&p)->project_bend_distances(&p.block, &p.work, &pairs, &step);
        CHECK_NEAR(at(&p, 0).x, -0.01 * corrections[i], 1e-8);
        CHECK_NEAR(at(&p, 2).x, 0.02 + 0.01 * corrections[i], 1e-8);
    }
}

// The set of pairs that a text asks for, with the distances of the groom times the fractions.
TEST(pairs_are_those_of_the_text)
{
    pack p = random_pack("auto", &arena);
    const int32_t lanes = p.kernels->lanes;
    rest_here(&p, "2, 5:0.5 3-40 last:0.25 40", COIF_BEND_DISTANCE, &arena);
    const coif_pbd *pbd = coif_pbd_of(&p.block);
    const coif_pbd_span *spans = pbd->spans;
    CHECK(pbd->span_count == 3); // 40 does not fit into 12 points
    CHECK(spans[0].pairs.span == 2 && spans[0].pairs.end == LENGTH - 2);
    CHECK(spans[1].pairs.span == 5 && spans[1].pairs.end == LENGTH - 5);
    CHECK(spans[2].pairs.span == LENGTH - 1 && spans[2].pairs.end == 1);
    CHECK_NEAR(spans[0].rest[3 * lanes], distance(&p, 3, 5), 1e-7);
    CHECK_NEAR(spans[1].rest[3 * lanes], 0.5 * distance(&p, 3, 8), 1e-7);
    CHECK_NEAR(spans[2].rest[0], 0.25 * distance(&p, 0, LENGTH - 1), 1e-7);

    // All in one round, and the last one last: first and last point are where it wants them.
    coif_substep step = STEP;
    step.bend_stiffness = 1.0f;
    const double wanted = spans[2].rest[0];
    coif_pbd_iterate(pbd_of(&p), &p.block, &p.work, &step);
    CHECK_NEAR(distance(&p, 0, LENGTH - 1), wanted, 1e-6);
    for (int i = 0; i < 500; ++i) {
        coif_pbd_iterate(pbd_of(&p), &p.block, &p.work, &step);
    }
    CHECK_NEAR(distance(&p, 0, LENGTH - 1), wanted, 1e-6);
    CHECK(isfinite(at(&p, 5).x));
}

// "A-B" is one pair, counted from the root or from the tip, in either order.
TEST(a_single_pair_moves_two_points)
{
    static const struct {
        const char *text;
        int32_t a, b;
    } pairs[] = {{"3-8:0.5", 3, 8},
                 {"8-3:0.5", 3, 8},
                 {"0-last:0.5", 0, LENGTH - 1},
                 {"2--3:0.5", 2, LENGTH - 3},
                 {"-6--2:0.5", LENGTH - 6, LENGTH - 2}};
    for (size_t i = 0; i < COIF_COUNT_OF(pairs); ++i) {
        pack p = random_pack("auto", &arena);
        weigh(&p, 0, 1.0);
        rest_here(&p, pairs[i].text, COIF_BEND_DISTANCE, &arena);
        const coif_pbd *pbd = coif_pbd_of(&p.block);
        CHECK(pbd->span_count == 1);
        const snapshot before = remember(&p);
        const double wanted = 0.5 * distance(&p, pairs[i].a, pairs[i].b);
        coif_substep step = STEP;
        step.bend_stiffness = 1.0f;
        pbd_of(&p)->project_bend_distances(&p.block, &p.work, &pbd->spans[0], &step);
        CHECK_NEAR(distance(&p, pairs[i].a, pairs[i].b), wanted, 1e-6);
        for (int32_t k = 0; k < LENGTH; ++k) {
            const bool moved = at(&p, k).x != (double)before.x[k * p.kernels->lanes];
            CHECK(moved == (k == pairs[i].a || k == pairs[i].b));
        }
    }
}

// "*0.5" halves k before it is scaled to one iteration, with and without a row per point; 1 is the
// stiffness of the block to the bit, and no factor gives more than all of the correction.
TEST(a_pair_has_its_own_stiffness)
{
    static const struct {
        const char *text;
        double k;
    } pairs[] = {
        {"0-last:0.5*0.5", 0.3}, {"0-last:0.5", 0.6}, {"0-last:0.5*0", 0.0}, {"0-last:0.5*9", 1.0}};
    for (int i = 0; i < 16; ++i) {
        const int32_t iterations = i & 4 ? 5 : 1;
        const bool varies = (i & 8) != 0;
        pack p = random_pack("auto", &arena);
        weigh(&p, 0, 1.0);
        float ones[FLOATS];
        for (int32_t k = 0; k < FLOATS; ++k) {
            ones[k] = 1.0f;
        }
        p.block.param_scale[COIF_FIELD_BEND_STIFFNESS] = varies ? ones : NULL;
        rest_here(&p, pairs[i % 4].text, COIF_BEND_DISTANCE, &arena);
        const coif_pbd_span *span = &coif_pbd_of(&p.block)->spans[0];
        coif_sim_params params = params_of(iterations, COIF_ITERATION_NORMALIZED);
        params.bend_stiffness = 0.6f;
        const coif_solver_params solver = coif_solver_params_of(&params);
        coif_pbd_update_params(&p.block, &solver);
        const coif_substep step = substep_of(&params);
        const double full = distance(&p, 0, LENGTH - 1);
        for (int32_t n = 0; n < iterations; ++n) {
            pbd_of(&p)->project_bend_distances(&p.block, &p.work, span, &step);
        }
        CHECK_NEAR(distance(&p, 0, LENGTH - 1) / full, 1.0 - 0.5 * pairs[i % 4].k, 1e-5);
    }
}

TEST(texts_that_are_no_pairs_are_named)
{
    static const char *const bad[] = {
        "1",      "2.5",        "-3",       "2 two", "lastly", "4:3",  "4:-1",   "2:",    "1e30",
        "last:",  "2x",         "nan",      "0",     "2;4",    "3-",   "-",      "--1",   "3-x",
        "4:0.5x", "2 4 100001", "infinity", ":2",    "4*",     "4*-1", "4*1001", "3-8*x", "3-8.5"};
    for (size_t i = 0; i < COIF_COUNT_OF(bad); ++i) {
        coif_bend_spans spans;
        coif_error error = {0};
        CHECK(coif_bend_spans_parse(&spans, bad[i], &error) == COIF_ERR_SCENE);
        CHECK_CONTAINS(error.text, "expected a number of segments from 2 on, \"last\"");
    }
    static const char *const close[] = {"3-4", "4-3", "5-5", "-1--2", "0-1"};
    for (size_t i = 0; i < COIF_COUNT_OF(close); ++i) {
        coif_bend_spans spans;
        coif_error error = {0};
        CHECK(coif_bend_spans_parse(&spans, close[i], &error) == COIF_ERR_SCENE);
        CHECK_CONTAINS(error.text, "at least two segments apart");
    }
    coif_bend_spans spans;
    coif_error error = {0};
    CHECK(coif_bend_spans_parse(&spans, "2 4 six 8", &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "found \"six\" at character 5");
    coif_error more = {0};
    char text[3 * (COIF_BEND_SPANS_MAX + 1) + 1] = "";
    for (int32_t i = 0; i <= COIF_BEND_SPANS_MAX; ++i) {
        strcat(text, "99 ");
    }
    CHECK(coif_bend_spans_parse(&spans, text, &more) == COIF_ERR_SCENE);
    CHECK_CONTAINS(more.text, "\"99\" at character 97 is one more than the maximum of 32 spans");
    CHECK(coif_bend_spans_parse(&spans, NULL, NULL) == COIF_OK && spans.count == 1);
    CHECK(coif_bend_spans_parse(&spans, "  ", NULL) == COIF_OK && spans.spans[0].segments == 2);
    CHECK(coif_bend_spans_parse(&spans, "last", NULL) == COIF_OK && spans.spans[0].segments == 0);
    CHECK(spans.spans[0].first == 0 && spans.spans[0].last == -1);
}

// Points within reach stay to the bit; points beyond it return to the sphere, by the fraction k.
TEST(attachment_pulls_only_from_outside)
{
    pack p = random_pack("auto", &arena);
    const int32_t lanes = p.kernels->lanes;
    for (int32_t i = 0; i < LENGTH * lanes; ++i) {
        p.block.rest_length[i] = 0.01f;
    }
    for (int32_t k = 0; k < LENGTH; ++k) {
        put(&p, k, 0.0099 * k, 0, 0);
    }
    const snapshot inside = remember(&p);
    pbd_of(&p)->project_attachment(&p.block, &p.work, 1.0f);
    CHECK(is_unmoved(&p, &inside));

    put(&p, 4, 0, 0.06, 0); // 0.04 along the strand
    pbd_of(&p)->project_attachment(&p.block, &p.work, 0.5f);
    CHECK_NEAR(at(&p, 4).y, 0.05, 1e-8);
    pbd_of(&p)->project_attachment(&p.block, &p.work, 1.0f);
    CHECK_NEAR(at(&p, 4).y, 0.04, 1e-8);
    CHECK_NEAR(at(&p, 3).x, 0.0297, 1e-8);
    CHECK(at(&p, 0).x == 0.0); // pinned

    weigh(&p, 0, 1.0); // a free root is corrected by half
    weigh(&p, 4, 1.0);
    put(&p, 4, 0, 0.06, 0);
    pbd_of(&p)->project_attachment(&p.block, &p.work, 1.0f);
    CHECK_NEAR(at(&p, 4).y, 0.05, 1e-6);
}

// One sweep over segments and pairs is two sweeps, to the bit.
TEST(the_fused_sweep_is_two_sweeps)
{
    static const char *const names[] = {"wide4", "wide8"};
    for (int n = 0; n < (has_wide8() ? 2 : 1); ++n) {
        for (int32_t length = 2; length <= LENGTH; ++length) {
            pack one = random_pack(names[n], &arena);
            pack two = random_pack(names[n], &arena);
            rest_here(&one, "2", COIF_BEND_DISTANCE, &arena);
            rest_here(&two, "2", COIF_BEND_DISTANCE, &arena);
            for (int32_t i = 0; i < LENGTH * one.kernels->lanes; ++i) {
                coif_pbd_of(&one.block)->stiffness[i] = coif_pbd_of(&two.block)->stiffness[i] =
                    0.1f * (float)(i % 13);
            }
            one.block.length = two.block.length = length;
            const coif_pbd_span *span = &coif_pbd_of(&one.block)->spans[0];
            coif_pbd_span fitting = *span;
            fitting.pairs.end = length - 2;
            for (int round = 0; round < 4; ++round) {
                pbd_of(&one)->project_stretch_bend(&one.block, &one.work, span, &STEP);
                pbd_of(&two)->project_stretch(&two.block, &two.work, &STEP);
                pbd_of(&two)->project_bend_distances(&two.block, &two.work, &fitting, &STEP);
            }
            const snapshot wanted = remember(&two);
            CHECK(is_unmoved(&one, &wanted));
        }
    }
}

static void project_everything(pack *p)
{
    coif_substep step = STEP;
    step.attachment_stiffness = 0.3f;
    const coif_sim_params params = params_of(4, COIF_ITERATION_NORMALIZED);
    const coif_solver_params solver = coif_solver_params_of(&params);
    for (int32_t bending = COIF_BEND_DISTANCE; bending <= COIF_BEND_BOTH; ++bending) {
        const snapshot before = remember(p);
        memcpy(p->work.predicted.x, p->block.pos.x,
               sizeof(float) * (size_t)(LENGTH * p->kernels->lanes));
        rest_here(p, "3 2 last 1-6*0.5 4*0.3", bending, &arena);
        coif_pbd_update_params(&p->block, &solver);
        memcpy(p->work.predicted.x, before.x, sizeof(float) * (size_t)(LENGTH * p->kernels->lanes));
        for (int round = 0; round < 3; ++round) {
            coif_pbd_iterate(pbd_of(p), &p->block, &p->work, &step);
        }
    }
}

TEST(four_lanes_and_eight_give_the_same_bits)
{
    if (!has_wide8()) {
        printf("       this processor has no wide8 kernels\n");
        return;
    }
    pack narrow = random_pack("wide4", &arena);
    pack wide = random_pack("wide8", &arena);
    project_everything(&narrow);
    project_everything(&wide);
    int32_t different = 0;
    for (int32_t k = 0; k < LENGTH; ++k) {
        different +=
            memcmp(narrow.work.predicted.x + 4 * k, wide.work.predicted.x + 8 * k, 16) != 0;
        different +=
            memcmp(narrow.work.predicted.y + 4 * k, wide.work.predicted.y + 8 * k, 16) != 0;
        different +=
            memcmp(narrow.work.predicted.z + 4 * k, wide.work.predicted.z + 8 * k, 16) != 0;
        CHECK(isfinite(wide.work.predicted.x[8 * k]));
    }
    CHECK(different == 0);
}

// Constraints between points of a strand are internal: they move no centre of mass, and turn
// nothing.
TEST(projections_keep_momentum)
{
    for (int32_t bending = COIF_BEND_DISTANCE; bending <= COIF_BEND_BOTH; ++bending) {
        pack p = random_pack("auto", &arena);
        weigh(&p, 0, 1.3); // free root
        triple before = {0, 0, 0};
        triple after = {0, 0, 0};
        double lever[2] = {0, 0};
        triple from[LENGTH];
        for (int32_t k = 0; k < LENGTH; ++k) {
            put(&p, k, 0.012 * k, 0.006 * sin(0.9 * k), 0.006 * cos(1.3 * k));
            from[k] = at(&p, k);
        }
        rest_here(&p, "2 4:0.8 last:0.9", bending, &arena);
        coif_substep step = STEP;
        step.stretch_stiffness = 0.2f;
        step.bend_stiffness = 0.01f;
        coif_pbd_iterate(pbd_of(&p), &p.block, &p.work, &step);
        for (int32_t k = 0; k < LENGTH; ++k) {
            const double mass = 1.0 / p.block.inv_mass[k * p.kernels->lanes];
            before.x += mass * from[k].x;
            after.x += mass * at(&p, k).x;
            before.y += mass * from[k].y;
            after.y += mass * at(&p, k).y;
            lever[0] += mass * (from[k].x * at(&p, k).y - from[k].y * at(&p, k).x);
        }
        CHECK_NEAR(after.x, before.x, 1e-6);
        CHECK_NEAR(after.y, before.y, 1e-6);
        CHECK_NEAR(lever[0], lever[1], 2e-6);
    }
}
