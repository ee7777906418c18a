// Strands of several lengths about a ball, in wind, under every method: the motion does not depend
// on threads, lanes, the strands of the same block, or a resume from a state file.
#include "core/base/jobs.h"
#include "tests/support/solver_methods.h"
#include "tests/support/test_wind.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 13, FEW = 5, POINTS = 12, FRAMES = 10 };

// What a method needs beside the common settings to have all its parts at work.
static void as_pbd(coif_sim_params *params)
{
    params->bend_stiffness = 0.4f;
    params->goal_frequency_root = 10.0f;
    params->goal_frequency_tip = 1.0f;
}

static void as_rod(coif_sim_params *params)
{
    params->restitution = 0.3f;
}

static void as_xpbd(coif_sim_params *params)
{
    params->iterations = 4;
}

static void as_ftl(coif_sim_params *params)
{
    params->ftl_velocity_correction = 0.9f;
    params->goal_frequency_root = 4.0f;
    params->shape_stiffness = 0.3f;
}

static void as_spring(coif_sim_params *params)
{
    params->spring_stretch_force = 20.0f;
    params->curl_core_force = 0.1f;
}

static void as_loose_spring(coif_sim_params *params)
{
    as_spring(params);
    params->root_boundary = COIF_ROOT_FREE;
}

// `rows` is what a state file keeps of a point beside position and velocity: rods and quaternions
// their material frames, springs their twist, and the frame of a root that nothing clamps.
typedef struct method {
    const char *name;
    void (*change)(coif_sim_params *params);
    int32_t pinned;
    int32_t rows;
} method;

static const method METHODS[] = {
    {.name = "pbd", .change = as_pbd, .pinned = 2, .rows = 0},
    {.name = "der", .change = as_rod, .pinned = 1, .rows = 5},
    {.name = "xpbd", .change = as_xpbd, .pinned = 1, .rows = 7},
    {.name = "ftl", .change = as_ftl, .pinned = 2, .rows = 0},
    {.name = "spring", .change = as_spring, .pinned = 1, .rows = 1},
    {.name = "spring", .change = as_loose_spring, .pinned = 1, .rows = 4},
};

static void open_mixed(hair_fixture *hair, const method *how, const char *kernel, int32_t strands,
                       coif_jobs *jobs)
{
    static const int32_t lengths[STRANDS] = {9, 12, 12, 5, 12, 12, 12, 2, 12, 12, 12, 12, 3};
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        // Not in one plane, so that there is twist.
        shape[k] = coif_vec3_of(0.02f * (float)k - 0.05f, 0.13f + 0.002f * (float)(k * k),
                                0.004f * sinf((float)k));
    }
    coif_sim_params params = hair_params(how->name);
    params.drag = 3.0f;
    params.damping = 0.5f;
    params.friction = 0.3f;
    params.restitution = 0.2f;
    params.gravity_compensation = 0.2f;
    params.mass_variation = 0.3f;
    params.stiffness_variation = 0.5f;
    how->change(&params);
    const hair_fixture_desc desc = {.shape = shape,
                                    .length = POINTS,
                                    .strand_count = strands,
                                    .spread = 0.02f,
                                    .params = params,
                                    .kernel = kernel,
                                    .pinned = how->pinned,
                                    .lengths = lengths};
    fixture_open(hair, &desc, &arena, jobs);
    coif_collider *sphere = coif_arena_new(&arena, 1, coif_collider);
    coif_mesh *mesh = coif_arena_new(&arena, 1, coif_mesh);
    *mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 12, &arena);
    coif_collider_build(sphere, mesh, &arena);
    coif_plugin_instance **wind = coif_arena_new(&arena, 1, coif_plugin_instance *);
    *wind = open_wind(2.0f, &arena);
    hair->bodies = sphere;
    hair->body_count = 1;
    hair->forces = wind;
    hair->force_count = 1;
}

static uint64_t run_mixed(const method *how, const char *kernel, int threads)
{
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
    hair_fixture hair;
    open_mixed(&hair, how, kernel, STRANDS, jobs);
    int64_t contacts = 0;
    for (int f = 0; f < FRAMES; ++f) {
        fixture_step(&hair);
        CHECK(hair.report.stats.reset_strands == 0);
        contacts += hair.report.stats.contacts;
    }
    coif_jobs_close(jobs);
    CHECK(contacts > 0);
    for (int32_t i = 0; i < hair.groom.rest.point_count; ++i) {
        CHECK(coif_length(hair.positions[i]) > 0.099f); // a number, and not in the ball
    }
    return fixture_digest(&hair);
}

TEST(threads_and_widths_do_not_show)
{
    for (size_t m = 0; m < COIF_COUNT_OF(METHODS); ++m) {
        const uint64_t one = run_mixed(&METHODS[m], "wide4", 1);
        CHECK(run_mixed(&METHODS[m], "wide4", 3) == one);
        CHECK(run_mixed(&METHODS[m], "auto", 1) == one);
        CHECK(run_mixed(&METHODS[m], "auto", 8) == one);
    }
}

// With fewer strands in the groom a strand is in a block with others, and moves the same.
TEST(neighbours_in_a_block_do_not_show)
{
    for (size_t m = 0; m < COIF_COUNT_OF(METHODS); ++m) {
        hair_fixture many;
        hair_fixture few;
        open_mixed(&many, &METHODS[m], "auto", STRANDS, NULL);
        open_mixed(&few, &METHODS[m], "auto", FEW, NULL);
        fixture_run(&many, FRAMES);
        fixture_run(&few, FRAMES);
        const size_t bytes = sizeof(coif_vec3) * (size_t)few.groom.rest.point_count;
        CHECK(memcmp(many.positions, few.positions, bytes) == 0);
    }
}

// As a state file does: positions, velocities and the state of the method, into a new solver.
TEST(a_solver_resumes_from_exported_state)
{
    for (size_t m = 0; m < COIF_COUNT_OF(METHODS); ++m) {
        hair_fixture whole;
        hair_fixture broken;
        hair_fixture forgetful;
        open_mixed(&whole, &METHODS[m], "auto", STRANDS, NULL);
        fixture_run(&whole, 5);
        const int32_t rows = coif_solver_state_rows(whole.solver.core);
        const int64_t points = whole.groom.rest.point_count;
        float *state = coif_arena_new(&arena, (rows + 1) * points, float);
        coif_solver_get_state(whole.solver.core, state);
        CHECK(rows == METHODS[m].rows);

        open_mixed(&broken, &METHODS[m], "wide4", STRANDS, NULL);
        coif_solver_set_points(broken.solver.core, whole.positions, whole.velocities);
        coif_solver_set_state(broken.solver.core, state);
        broken.frame = whole.frame;
        open_mixed(&forgetful, &METHODS[m], "auto", STRANDS, NULL);
        coif_solver_set_points(forgetful.solver.core, whole.positions, whole.velocities);
        forgetful.frame = whole.frame;
        fixture_run(&whole, 4);
        fixture_run(&broken, 4);
        fixture_run(&forgetful, 4);
        CHECK(fixture_digest(&whole) == fixture_digest(&broken));
        CHECK((fixture_digest(&whole) == fixture_digest(&forgetful)) == (rows == 0));
    }
}
