// Grooms keep their shape from the first frame on under every solver with default settings, and
// still move.
#include "sim/validation/single_strand_rig.h"
#include "tests/support/solver_methods.h"

static coif_arena arena = {.name = "test"};

enum { POINTS = 33, SHAPES = 5 };
static const float LENGTH = 0.16f;

static const char *const NAMES[SHAPES] = {"straight", "wavy", "curled", "upright", "hanging"};

// Off the scalp along x: straight, in waves of 6 mm, in three curls; upright; and hanging in waves.
static const coif_vec3 *shape_of(int which)
{
    coif_vec3 *points = coif_arena_new(&arena, POINTS, coif_vec3);
    for (int32_t k = 0; k < POINTS; ++k) {
        const float s = (float)k / (float)(POINTS - 1);
        const float phi = 18.849556f * s;
        const float along = LENGTH * s;
        const float wave = 0.006f * sinf(phi);
        const float curl = 0.006f * (cosf(phi) - 1.0f);
        const coif_vec3 all[SHAPES] = {
            coif_vec3_of(along, 0.0f, 0.0f), coif_vec3_of(along, wave, 0.0f),
            coif_vec3_of(along, wave, curl), coif_vec3_of(0.0f, along, 0.0f),
            coif_vec3_of(wave, -along, curl)};
        points[k] = all[which];
    }
    return points;
}

// A strand of each of the first shapes, in the solver as scenes have it.
static void open_shapes(hair_fixture *hair, const coif_vec3 *const *shapes, int32_t count,
                        const char *solver, const char *words)
{
    coif_error error = {0};
    coif_sim_params params = {0};
    const char *all = coif_arena_print(&arena, "solver=%s mass_variation=0 %s", solver, words);
    CHECK_OK(coif_strand_rig_settings(&params, all, &arena, &error), error);
    const hair_fixture_desc desc = {.shapes = shapes,
                                    .length = POINTS,
                                    .strand_count = count,
                                    .params = params,
                                    .pinned = coif_solver_vtable_at(params.solver)->pinned_points};
    fixture_open(hair, &desc, &arena, NULL);
}

// How far a strand has gone from its shape, in lengths of it.
static double drift_of(const hair_fixture *hair, int32_t strand, const coif_vec3 *shape)
{
    double most = 0.0;
    for (int32_t k = 0; k < POINTS; ++k) {
        const coif_vec3 displacement = coif_sub(hair->positions[strand * POINTS + k], shape[k]);
        most = fmax(most, (double)coif_length(displacement));
    }
    return most / (double)LENGTH;
}

enum { SECOND = 24 };

// Whether all of the first shapes stay, or all go.
static void check_drift(const char *solver, const char *words, int32_t count, int32_t frames,
                        bool stay)
{
    const coif_vec3 *shapes[SHAPES];
    for (int i = 0; i < SHAPES; ++i) {
        shapes[i] = shape_of(i);
    }
    hair_fixture hair;
    open_shapes(&hair, shapes, count, solver, words);
    fixture_run(&hair, frames);
    CHECK(hair.report.stats.reset_strands == 0);
    for (int32_t i = 0; i < count; ++i) {
        const double drift = drift_of(&hair, i, shapes[i]);
        if (stay != (drift < 1e-3)) {
            fprintf(stderr, "%s, %s, %s: %g\n", NAMES[i], solver, words, drift);
        }
        CHECK(stay ? drift < 1e-3 : drift > 0.03);
    }
}

LONG_TEST(grooms_keep_their_shape_for_five_seconds)
{
    for (int i = 0; COIF_METHOD_NAMES[i] != NULL; ++i) {
        check_drift(COIF_METHOD_NAMES[i], "", SHAPES, 5 * SECOND, true);
    }
    check_drift("der", "ellipticity=2", 3, SECOND, true);
    check_drift("xpbd", "ellipticity=2", 3, SECOND, true);
    check_drift("spring", "ellipticity=2 hair_radius=3e-5", 3, SECOND, true);
}

// What keeps it is the support: without it hair that leaves the scalp at an angle falls.
TEST(without_support_they_do_not)
{
    for (int i = 0; COIF_METHOD_NAMES[i] != NULL; ++i) {
        check_drift(COIF_METHOD_NAMES[i], "gravity_compensation=0 goal_scale=0", 3, SECOND, false);
    }
}

// Neither few nor many substeps, nor hair without any pull towards its goals, change that.
TEST(nor_does_it_depend_on_steps)
{
    const char *const words[] = {"substeps=1", "substeps=16", "goal_scale=0 iterations=1"};
    for (size_t w = 0; w < COIF_COUNT_OF(words); ++w) {
        check_drift("pbd", words[w], SHAPES, 5 * SECOND, true);
        check_drift("xpbd", words[w], SHAPES, 5 * SECOND, true);
        check_drift("ftl", words[w], SHAPES, 5 * SECOND, true);
    }
}

static coif_mesh moved_scalp(const coif_mesh *scalp, float displacement)
{
    coif_mesh moved = *scalp;
    coif_vec3 *positions = coif_arena_new(&arena, moved.vertex_count, coif_vec3);
    for (int32_t i = 0; i < moved.vertex_count; ++i) {
        positions[i] = coif_add(scalp->positions[i], coif_vec3_of(0.0f, 0.0f, displacement));
    }
    moved.positions = positions;
    return moved;
}

// A root shaken by 4 cm, three times in a second, moves its tip; left alone, the shape comes back.
TEST(a_shaken_root_moves_the_tip_and_the_rest_shape_is_restored)
{
    for (int i = 0; COIF_METHOD_NAMES[i] != NULL; ++i) {
        const coif_vec3 *const shapes[3] = {shape_of(0), shape_of(1), shape_of(2)};
        double most[3] = {0.0, 0.0, 0.0};
        hair_fixture hair;
        open_shapes(&hair, shapes, 3, COIF_METHOD_NAMES[i], "");
        coif_mesh before = hair.scalp;
        for (int f = 1; f <= 24; ++f) {
            const coif_mesh after = moved_scalp(
                &hair.scalp, f < 24 ? 0.04f * sinf(18.849556f * (float)f / 24.0f) : 0.0f);
            fixture_step_on(&hair, &before, &after);
            before = after;
            for (int s = 0; s < 3; ++s) {
                const coif_vec3 *p = hair.positions + (ptrdiff_t)s * POINTS;
                const coif_vec3 tip = coif_sub(p[POINTS - 1], p[0]);
                most[s] = fmax(most[s], (double)coif_length(coif_sub(tip, shapes[s][POINTS - 1])));
            }
        }
        fixture_run(&hair, 4 * SECOND);
        for (int s = 0; s < 3; ++s) {
            CHECK(most[s] > 0.05 * (double)LENGTH);
            CHECK(drift_of(&hair, s, shapes[s]) < 0.02);
        }
    }
}

// Straight hair hangs by tension, which turns with it: pushed aside in its slowest mode, it swings
// as it does without support.
TEST(hanging_hair_swings_as_a_chain_does)
{
    const char *const solvers[] = {"pbd", "ftl", "xpbd"};
    for (size_t i = 0; i < COIF_COUNT_OF(solvers); ++i) {
        double periods[2];
        for (int support = 0; support < 2; ++support) {
            const coif_vec3 *hanging = fixture_hanging(POINTS, LENGTH, &arena);
            const char *words = coif_arena_print(
                &arena,
                "gravity_compensation=%d goal_scale=0 shape_stiffness=0 bend_stiffness=0 "
                "stiffness=0 damping=0 drag=0 tangential_drag_reduction=0",
                support);
            hair_fixture hair;
            open_shapes(&hair, &hanging, 1, solvers[i], words);
            for (int32_t k = 1; k < POINTS; ++k) {
                const double s = (double)k / (POINTS - 1);
                hair.positions[k].x += 0.01f * (float)j0(2.404826 * sqrt(1.0 - s));
            }
            coif_solver_set_points(hair.solver.core, hair.positions, hair.velocities);
            periods[support] = fixture_period(&hair, POINTS - 1, 120);
        }
        CHECK_NEAR(periods[1] / periods[0], 1.0, 0.03);
    }
}
