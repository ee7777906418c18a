// Targets of points under every method: exactness, closed forms, reach, stability, determinism.
#include "sim/run/sim_params.h"
#include "tests/support/hair_fixture.h"

static coif_arena arena = {.name = "test"};

enum { POINTS = 17 };

// Strands side by side with one set of targets, as arrays to fill in.
typedef struct target_rig {
    hair_fixture hair;
    int32_t count; // points
    coif_vec3 *begin, *end, *axis;
    float *strength, *slack;
} target_rig;

// Hair with nothing but its lengths: no stiffness, no damping, no air.
static coif_sim_params limp_params(int32_t method)
{
    coif_sim_params params = bare_params();
    params.solver = method;
    params.hair_density = 1320.0f;
    params.hair_radius = 4e-5f;
    return params;
}

// What a scene has that says nothing.
static coif_sim_params default_params(int32_t method, int32_t substeps)
{
    coif_values values;
    coif_sim_params params = {0};
    coif_values_init(&values, COIF_SIM_SECTION.params, COIF_SIM_SECTION.param_count, &arena);
    coif_values_at(&values, 1.0, &params);
    params.solver = method;
    params.substeps = substeps;
    params.max_inner_steps = 200;
    return params;
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

static void open_kernel(target_rig *rig, const coif_vec3 *shape, const coif_sim_params *params,
                        int32_t strands, const char *kernel, coif_jobs *jobs)
{
    const hair_fixture_desc desc = {.shape = shape,
                                    .length = POINTS,
                                    .strand_count = strands,
                                    .spread = 0.1f,
                                    .params = *params,
                                    .kernel = kernel,
                                    .pinned = coif_solver_vtable_at(params->solver)->pinned_points};
    fixture_open(&rig->hair, &desc, &arena, jobs);
    rig->count = strands * POINTS;
    rig->begin = coif_arena_new(&arena, rig->count, coif_vec3);
    rig->end = coif_arena_new(&arena, rig->count, coif_vec3);
    rig->axis = coif_arena_new(&arena, rig->count, coif_vec3);
    rig->strength = coif_arena_new(&arena, rig->count, float);
    rig->slack = coif_arena_new(&arena, rig->count, float);
    memcpy(rig->end, rig->hair.positions, sizeof(coif_vec3) * (size_t)rig->count);
}

static void open_rig(target_rig *rig, const coif_vec3 *shape, const coif_sim_params *params,
                     int32_t strands)
{
    open_kernel(rig, shape, params, strands, NULL, NULL);
}

static coif_point_targets targets_of(const target_rig *rig, int32_t set)
{
    return (coif_point_targets){.begin = rig->begin,
                                .end = rig->end,
                                .strength = rig->strength,
                                .slack = rig->slack,
                                .axis = set == COIF_TARGETS_CONSTRAINT ? rig->axis : NULL,
                                .frame_seconds = 1.0f / rig->hair.params.fps};
}

// One frame; targets move from where they ended to the present ends.
static void step(target_rig *rig, int32_t set)
{
    const coif_point_targets targets = targets_of(rig, set);
    coif_solver_set_targets(rig->hair.solver.core, set, &targets, rig->hair.jobs);
    fixture_step(&rig->hair);
    memcpy(rig->begin, rig->end, sizeof(coif_vec3) * (size_t)rig->count);
}

static void hold_still(target_rig *rig)
{
    memcpy(rig->begin, rig->end, sizeof(coif_vec3) * (size_t)rig->count);
}

// Strands that wave and whose lengths are some percent off.
static void wave(target_rig *rig, int32_t frame)
{
    for (int32_t i = 0; i < rig->count; ++i) {
        const float s = (float)(i % POINTS) / (POINTS - 1);
        const float turn = 0.3f * (float)frame;
        rig->end[i] = coif_vec3_of(0.2f * s * cosf(turn), 0.2f * s * sinf(turn),
                                   0.1f * (float)(i / POINTS) + 0.04f * s * sinf(7.0f * s + turn));
    }
}

static double largest_distance(const target_rig *rig)
{
    double most = 0.0;
    for (int32_t i = 0; i < rig->count; ++i) {
        most = fmax(most, coif_length(coif_sub(rig->hair.positions[i], rig->end[i])));
    }
    return most;
}

TEST(strength_1_is_exactly_the_target)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int32_t substeps = 1; substeps <= 9; substeps += 4) {
            const coif_sim_params params = default_params(method, substeps);
            target_rig rig;
            open_rig(&rig, straight(0.2f, 0.0f), &params, 3);
            for (int32_t i = 0; i < rig.count; ++i) {
                rig.strength[i] = 1.0f;
            }
            wave(&rig, 0);
            hold_still(&rig);
            for (int32_t frame = 1; frame <= 8; ++frame) {
                wave(&rig, frame);
                step(&rig, COIF_TARGETS_GOAL);
                CHECK(largest_distance(&rig) == 0.0);
            }
            // After the release the strands move without divergence.
            coif_solver_set_targets(rig.hair.solver.core, COIF_TARGETS_GOAL, NULL, NULL);
            fixture_run(&rig.hair, 24);
            CHECK(rig.hair.report.stats.reset_strands == 0);
            CHECK(fixture_stretch(&rig.hair) < 0.1);
        }
    }
}

// An unpinned strand that no other force acts on.
static void open_free(target_rig *rig, int32_t method, int32_t substeps, float strength)
{
    coif_sim_params params = limp_params(method);
    params.root_boundary = COIF_ROOT_FREE;
    params.substeps = substeps;
    params.gravity[1] = 0.0f;
    open_rig(rig, straight(0.1f, 0.0f), &params, 1);
    for (int32_t i = 0; i < rig->count; ++i) {
        rig->strength[i] = strength;
    }
    hold_still(rig);
}

static void move_by(target_rig *rig, float x)
{
    for (int32_t i = 0; i < rig->count; ++i) {
        rig->end[i].x += x;
    }
}

// At constant velocity there is no lag; at the acceleration a it is a (dt (1 - s) / s)^2. Targets
// move linearly within a frame, so the latter holds for one substep.
TEST(the_lag_behind_a_target_is_that_of_its_acceleration)
{
    static const float strengths[] = {0.25f, 0.5f, 0.75f};
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int32_t i = 0; i < 6; ++i) {
            const double s = (double)strengths[i / 2];
            const double inverse_rate = (1.0 - s) / (24.0 * s);
            const int32_t substeps = i % 2 == 0 ? 1 : 8;
            target_rig rig;
            open_free(&rig, method, substeps, strengths[i / 2]);
            for (int32_t frame = 0; frame < 90; ++frame) {
                move_by(&rig, 0.02f);
                step(&rig, COIF_TARGETS_GOAL);
            }
            CHECK_NEAR(largest_distance(&rig), 0.0, 5e-5);
            for (int32_t frame = 0; frame < 90; ++frame) {
                move_by(&rig, 0.02f + 0.002f * (float)frame);
                step(&rig, COIF_TARGETS_GOAL);
            }
            const double lag = (double)(rig.end[0].x - rig.hair.positions[0].x);
            const double wanted = 0.002 * 24.0 * 24.0 * inverse_rate * inverse_rate;
            if (substeps == 1 && strcmp(COIF_METHOD_NAMES[method], "spring") != 0) {
                CHECK_NEAR(lag / wanted, 1.0, 0.02);
            }
            CHECK_NEAR(lag, wanted, 4e-4);
        }
    }
}

// Under gravity a strand of equal strength hangs g / r^2 below its target, for any substeps.
TEST(weight_draws_a_target_by_the_same_distance_for_any_substeps)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int32_t substeps = 1; substeps <= 16; substeps *= 4) {
            coif_sim_params params = limp_params(method);
            params.root_boundary = COIF_ROOT_FREE;
            params.substeps = substeps;
            target_rig rig;
            open_rig(&rig, straight(0.1f, 0.0f), &params, 1);
            for (int32_t i = 0; i < rig.count; ++i) {
                rig.strength[i] = 0.4f;
            }
            hold_still(&rig);
            for (int32_t frame = 0; frame < 60; ++frame) {
                step(&rig, COIF_TARGETS_GOAL);
            }
            const double rest = 0.6 / (0.4 * 24.0); // 1 / r
            CHECK_NEAR(largest_distance(&rig) / (9.81 * rest * rest), 1.0, 2e-3);
        }
    }
}

// Two strands of three are held at their tips, in lanes of one block: catenary.csv.
TEST(strands_between_two_targets_are_catenaries)
{
    double rows[16][10];
    CHECK(read_oracle("catenary.csv", rows, 16) >= 5);
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int32_t i = 1; i < 5; i += 3) {
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
            params.damping = 8.0f;
            target_rig rig, alone;
            open_rig(&rig, shape, &params, 3);
            open_rig(&alone, shape, &params, 3);
            rig.strength[POINTS - 1] = rig.strength[3 * POINTS - 1] = 1.0f;
            hold_still(&rig);
            for (int32_t frame = 0; frame < 72; ++frame) {
                step(&rig, COIF_TARGETS_CONSTRAINT);
                fixture_step(&alone.hair);
            }
            for (int32_t strand = 0; strand < 3; strand += 2) {
                const int32_t first = strand * POINTS;
                CHECK_NEAR(-(double)rig.hair.positions[first + POINTS / 2].y / (0.1 * rows[i][7]),
                           1.0, 0.01);
                CHECK(memcmp(&rig.hair.positions[first + POINTS - 1], &rig.end[first + POINTS - 1],
                             sizeof(coif_vec3)) == 0);
            }
            CHECK(memcmp(rig.hair.positions + POINTS, alone.hair.positions + POINTS,
                         POINTS * sizeof(coif_vec3)) == 0);
        }
    }
}

// A tip that is drawn farther than its strand is long.
TEST(lengths_win_over_targets_out_of_reach)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        coif_sim_params params = default_params(method, 8);
        params.root_boundary = COIF_ROOT_PINNED;
        target_rig rig;
        open_rig(&rig, straight(0.1f, 0.0f), &params, 1);
        rig.strength[POINTS - 1] = 1.0f;
        rig.end[POINTS - 1] = coif_vec3_of(0.0f, 0.3f, 0.0f);
        memcpy(rig.begin, rig.hair.positions, sizeof(coif_vec3) * (size_t)rig.count);
        double stretch = 0.0;
        for (int32_t frame = 0; frame < 48; ++frame) {
            step(&rig, COIF_TARGETS_CONSTRAINT);
            stretch = fmax(stretch, fixture_stretch(&rig.hair));
        }
        CHECK(stretch < 0.005);
        CHECK_NEAR(rig.hair.positions[POINTS - 1].y, 0.1, 3e-4);
        CHECK(rig.hair.report.stats.reset_strands == 0);
    }
}

// A weight on a string, and a bead on a wire.
TEST(slack_and_axis_leave_points_free)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        coif_sim_params params = limp_params(method);
        params.root_boundary = COIF_ROOT_FREE;
        params.damping = 4.0f;
        params.max_inner_steps = 1;
        target_rig rig;
        open_rig(&rig, straight(0.0f, -0.1f), &params, 1);
        rig.strength[0] = 1.0f;
        rig.slack[0] = 0.03f;
        hold_still(&rig);
        for (int32_t frame = 0; frame < 96; ++frame) {
            step(&rig, COIF_TARGETS_CONSTRAINT);
        }
        CHECK_NEAR(rig.hair.positions[0].y, -0.03, 1e-4);
        // A wire at 45 degrees, along which it slides with half of gravity.
        params.damping = 0.0f;
        open_rig(&rig, straight(0.0f, -0.1f), &params, 1);
        for (int32_t k = 0; k < POINTS; ++k) {
            rig.strength[k] = 1.0f;
            rig.axis[k] = coif_vec3_of(sqrtf(0.5f), -sqrtf(0.5f), 0.0f);
        }
        hold_still(&rig);
        for (int32_t frame = 0; frame < 12; ++frame) {
            step(&rig, COIF_TARGETS_CONSTRAINT);
        }
        const double n = 12.0 * params.substeps;
        const double h = 1.0 / (24.0 * params.substeps);
        const double fallen = 0.25 * 9.81 * h * h * n * (n + 1.0);
        for (int32_t k = 0; k < POINTS; k += POINTS - 1) {
            const coif_vec3 d = coif_sub(rig.hair.positions[k], rig.end[k]);
            CHECK_NEAR(d.x / fallen, 1.0, 1e-3);
            CHECK_NEAR(d.y / fallen, -1.0, 1e-3);
        }
    }
}

// Every strength with every number of substeps, while targets jerk about.
TEST(no_strength_is_unstable)
{
    static const float strengths[] = {0.01f, 0.3f, 0.9f, 0.999f, 0.999999f, 1.0f};
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        for (int32_t substeps = 1; substeps <= 20; substeps = substeps * 2 + 1) {
            for (int32_t kind = 0; kind < 2; ++kind) {
                const coif_sim_params params = default_params(method, substeps);
                target_rig rig;
                open_rig(&rig, straight(0.2f, 0.0f), &params, COIF_COUNT_OF(strengths));
                for (int32_t i = 0; i < rig.count; ++i) {
                    // On all points that no method pins, or on two.
                    const int32_t k = i % POINTS;
                    const bool pulled = kind == 0 ? k > 1 : k == 7 || k == POINTS - 1;
                    rig.strength[i] = pulled ? strengths[i / POINTS] : 0.0f;
                }
                hold_still(&rig);
                int32_t resets = 0;
                for (int32_t frame = 1; frame <= 48; ++frame) {
                    wave(&rig, frame < 24 ? 5 * frame : 120);
                    step(&rig, COIF_TARGETS_GOAL);
                    resets += rig.hair.report.stats.reset_strands;
                }
                CHECK(resets == 0);
                // Those of strength 1 have the lengths of their targets.
                rig.hair.groom.rest.strand_count -= kind == 0;
                CHECK(fixture_stretch(&rig.hair) < 0.3);
                for (int32_t i = 0; i < rig.count; ++i) {
                    CHECK(coif_length(rig.hair.velocities[i]) < 20.0f);
                }
            }
        }
    }
}

static uint64_t digest_of(int32_t method, const char *kernel, int32_t threads)
{
    coif_error error = {0};
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
    const coif_sim_params params = default_params(method, 5);
    target_rig rig;
    open_kernel(&rig, straight(0.2f, 0.0f), &params, 23, kernel, jobs);
    for (int32_t i = 0; i < rig.count; ++i) {
        const int32_t s = i / POINTS;
        const int32_t k = i % POINTS;
        rig.strength[i] = s % 4 == 0 || k < 3 ? 0.0f : (float)((7 * s + k * k) % 11) / 10.0f;
        rig.slack[i] = s % 3 == 0 ? 0.01f : 0.0f;
        rig.axis[i] = s % 5 == 0 ? coif_vec3_of(0.6f, 0.0f, 0.8f) : coif_vec3_of(0.0f, 0.0f, 0.0f);
    }
    hold_still(&rig);
    const coif_point_targets rest = {.strength = rig.strength, .frame_seconds = 1.0f / params.fps};
    coif_solver_set_targets(rig.hair.solver.core, COIF_TARGETS_GOAL, &rest, jobs);
    for (int32_t frame = 1; frame <= 12; ++frame) {
        wave(&rig, frame);
        step(&rig, COIF_TARGETS_CONSTRAINT);
    }
    const uint64_t digest = fixture_digest(&rig.hair);
    coif_jobs_close(jobs);
    return digest;
}

TEST(threads_and_widths_give_the_same_bits)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        const uint64_t narrow = digest_of(method, "wide4", 1);
        CHECK(digest_of(method, "auto", 1) == narrow);
        CHECK(digest_of(method, "auto", 3) == narrow);
    }
}

// Blocks of held strands take a shorter path. The strand shares its block with strands that are
// held or free.
static void hold_and_release(target_rig *rig, int32_t method, bool all_held)
{
    const coif_sim_params params = default_params(method, 5);
    open_rig(rig, straight(0.2f, 0.0f), &params, 3);
    for (int32_t i = 0; i < rig->count; ++i) {
        rig->strength[i] = all_held || i < POINTS ? 1.0f : 0.0f;
    }
    wave(rig, 0);
    hold_still(rig);
    for (int32_t frame = 1; frame <= 6; ++frame) {
        wave(rig, frame);
        step(rig, COIF_TARGETS_GOAL);
    }
    coif_solver_set_targets(rig->hair.solver.core, COIF_TARGETS_GOAL, NULL, NULL);
    fixture_run(&rig->hair, 6);
}

TEST(a_held_strand_has_the_same_bits_beside_held_and_free_strands_after_its_release_too)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        target_rig held, mixed;
        hold_and_release(&held, method, true);
        hold_and_release(&mixed, method, false);
        const size_t bytes = sizeof(coif_vec3) * POINTS;
        CHECK(memcmp(held.hair.positions, mixed.hair.positions, bytes) == 0);
        CHECK(memcmp(held.hair.velocities, mixed.hair.velocities, bytes) == 0);
    }
}

// The rest shape on the root is the same as targets that are given there.
TEST(targets_without_positions_are_the_rest_shape)
{
    for (int32_t method = 0; COIF_METHOD_NAMES[method] != NULL; ++method) {
        const coif_sim_params params = default_params(method, 6);
        target_rig rig, rest;
        open_rig(&rig, straight(0.2f, 0.0f), &params, 2);
        open_rig(&rest, straight(0.2f, 0.0f), &params, 2);
        for (int32_t i = 0; i < rig.count; ++i) {
            rig.strength[i] = rest.strength[i] = 0.2f;
        }
        hold_still(&rig);
        coif_point_targets targets = targets_of(&rest, COIF_TARGETS_GOAL);
        targets.begin = targets.end = NULL;
        coif_solver_set_targets(rest.hair.solver.core, COIF_TARGETS_GOAL, &targets, NULL);
        for (int32_t frame = 0; frame < 12; ++frame) {
            step(&rig, COIF_TARGETS_GOAL);
            fixture_step(&rest.hair);
        }
        for (int32_t i = 0; i < rig.count; ++i) {
            const coif_vec3 d = coif_sub(rig.hair.positions[i], rest.hair.positions[i]);
            CHECK_NEAR(coif_length(d), 0.0, 2e-6);
        }
    }
}
