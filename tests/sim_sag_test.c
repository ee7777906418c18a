// sag: grooms keep their shape from the first frame on, under every solver as a scene has it when
// it says nothing; and hair that does is alive all the same.
#include "sim/proof/trial.h"
#include "tests/sim_methods.h"

static coif_arena arena = {.name = "test"};

enum { POINTS = 33 };
static const float LENGTH = 0.16f;

typedef struct shape {
    const char *name;
    coif_vec3 points[POINTS];
} shape;

// Off the scalp along x: straight, in waves of 6 mm, in three curls; upright; and hanging in waves.
static shape shape_of(int which)
{
    static const char *const names[] = {"straight", "wavy", "curled", "upright", "hanging"};
    shape made = {.name = names[which]};
    for (int32_t k = 0; k < POINTS; ++k) {
        const float s = (float)k / (float)(POINTS - 1);
        const float phi = 18.849556f * s;
        const float along = LENGTH * s;
        const float wave = 0.006f * sinf(phi);
        const float curl = 0.006f * (cosf(phi) - 1.0f);
        const coif_vec3 all[] = {coif_vec3_of(along, 0.0f, 0.0f), coif_vec3_of(along, wave, 0.0f),
                                 coif_vec3_of(along, wave, curl), coif_vec3_of(0.0f, along, 0.0f),
                                 coif_vec3_of(wave, -along, curl)};
        made.points[k] = all[which];
    }
    return made;
}

static void open_shape(tuft *hair, const shape *groomed, const char *solver, const char *words)
{
    coif_error error = {0};
    coif_sim_params params;
    const char *all = coif_arena_print(&arena, "solver=%s mass_variation=0 %s", solver, words);
    CHECK_OK(coif_trial_settings(&params, all, &arena, &error), error);
    const tuft_desc desc = {.shape = groomed->points,
                            .length = POINTS,
                            .strand_count = 1,
                            .params = params,
                            .pinned = coif_method_at(params.solver)->pinned};
    tuft_open(hair, &desc, &arena, NULL);
}

static double drift_of(const shape *groomed, const char *solver, const char *words)
{
    tuft hair;
    open_shape(&hair, groomed, solver, words);
    tuft_run(&hair, 120);
    CHECK(hair.report.healed == 0);
    return strayed(&hair, groomed->points, POINTS) / LENGTH;
}

static void grooms_keep_their_shape_for_five_seconds(void)
{
    for (int which = 0; which < 5; ++which) {
        const shape groomed = shape_of(which);
        for (int i = 0; COIF_METHOD_NAMES[i] != NULL; ++i) {
            const double drift = drift_of(&groomed, COIF_METHOD_NAMES[i], "");
            if (drift >= 1e-3) {
                fprintf(stderr, "%s, %s: %g\n", groomed.name, COIF_METHOD_NAMES[i], drift);
            }
            CHECK(drift < 1e-3);
        }
    }
}

// What keeps it is the support: without it hair that stands off falls.
static void without_support_they_do_not(void)
{
    for (int which = 0; which < 3; ++which) {
        const shape groomed = shape_of(which);
        for (int i = 0; COIF_METHOD_NAMES[i] != NULL; ++i) {
            CHECK(drift_of(&groomed, COIF_METHOD_NAMES[i], "support=0 hold=0") > 0.03);
        }
    }
}

// Neither few nor many substeps, nor hair without any pull towards its goals, change that.
static void nor_does_it_depend_on_steps(void)
{
    const char *const words[] = {"substeps=1", "substeps=2", "substeps=16", "hold=0",
                                 "iterations=1"};
    const shape groomed = shape_of(2);
    for (size_t w = 0; w < COIF_COUNT_OF(words); ++w) {
        CHECK(drift_of(&groomed, "pbd", words[w]) < 1e-3);
        CHECK(drift_of(&groomed, "xpbd", words[w]) < 1e-3);
        CHECK(drift_of(&groomed, "ftl", words[w]) < 1e-3);
    }
}

static coif_mesh moved_scalp(const coif_mesh *scalp, float way)
{
    coif_mesh moved = *scalp;
    coif_vec3 *positions = coif_arena_new(&arena, moved.vertex_count, coif_vec3);
    for (int32_t i = 0; i < moved.vertex_count; ++i) {
        positions[i] = coif_add(scalp->positions[i], coif_vec3_of(0.0f, 0.0f, way));
    }
    moved.positions = positions;
    return moved;
}

// A root shaken by 4 cm, three times in a second, moves its tip; left alone, the shape comes back.
static void a_shaken_root_moves_the_tip_and_the_shape_comes_back(void)
{
    for (int which = 0; which < 3; ++which) {
        const shape groomed = shape_of(which);
        for (int i = 0; COIF_METHOD_NAMES[i] != NULL; ++i) {
            tuft hair;
            open_shape(&hair, &groomed, COIF_METHOD_NAMES[i], "");
            double most = 0.0;
            coif_mesh before = hair.scalp;
            for (int f = 1; f <= 24; ++f) {
                const coif_mesh after = moved_scalp(
                    &hair.scalp, f < 24 ? 0.04f * sinf(18.849556f * (float)f / 24.0f) : 0.0f);
                tuft_step_on(&hair, &before, &after);
                before = after;
                const coif_vec3 tip = coif_sub(hair.places[POINTS - 1], hair.places[0]);
                const coif_vec3 rest = coif_sub(groomed.points[POINTS - 1], groomed.points[0]);
                most = fmax(most, coif_length(coif_sub(tip, rest)));
            }
            tuft_run(&hair, 144);
            const double left = strayed(&hair, groomed.points, POINTS);
            CHECK(most > 0.05 * LENGTH);
            CHECK(left < 0.02 * LENGTH);
        }
    }
}

// Straight hair hangs by tension, which turns with it: pushed aside, it swings as it does without
// support.
static void hanging_hair_swings_as_a_chain_does(void)
{
    const char *const solvers[] = {"pbd", "ftl", "xpbd"};
    for (size_t i = 0; i < COIF_COUNT_OF(solvers); ++i) {
        double periods[2];
        for (int support = 0; support < 2; ++support) {
            shape groomed = shape_of(3);
            for (int32_t k = 0; k < POINTS; ++k) {
                groomed.points[k].y = -groomed.points[k].y;
            }
            const char *words = coif_arena_print(
                &arena, "support=%d hold=0 shape=0 bend=0 stiffness=0 damping=0 drag=0 drag_slip=0",
                support);
            tuft hair;
            open_shape(&hair, &groomed, solvers[i], words);
            for (int32_t k = 1; k < POINTS; ++k) {
                const float s = (float)k / (float)(POINTS - 1);
                hair.places[k].x += 0.01f * (float)j0(2.404826 * sqrt(1.0 - (double)s));
            }
            coif_solver_write(&hair.solver, hair.places, hair.velocities);
            periods[support] = tuft_period(&hair, POINTS - 1, 120);
        }
        CHECK_NEAR(periods[1] / periods[0], 1.0, 0.03);
    }
}

TEST_MAIN(TEST(grooms_keep_their_shape_for_five_seconds), TEST(without_support_they_do_not),
          TEST(nor_does_it_depend_on_steps),
          TEST(a_shaken_root_moves_the_tip_and_the_shape_comes_back),
          TEST(hanging_hair_swings_as_a_chain_does))
