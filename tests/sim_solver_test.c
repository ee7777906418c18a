// solver: strands fall, swing, hang, slide, bounce and blow as mechanics says, and stay the same
// bits whatever runs them. Reference values are in tests/oracle.
#include "core/jobs.h"
#include "core/rng.h"
#include "sim/solver.h"
#include "tests/sim_tuft.h"
#include "tests/test.h"

static coif_arena arena = {.name = "test"};

static const float PI = 3.14159265f;

// Straight down from the origin, in equal segments.
static const coif_vec3 *hanging(int32_t points, float length)
{
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = coif_vec3_of(0.0f, -length * (float)k / (float)(points - 1), 0.0f);
    }
    return shape;
}

// Level, at a height, along z: what happens happens to all points alike.
static const coif_vec3 *lying(int32_t points, float height)
{
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = coif_vec3_of(0.0f, height, 0.01f * (float)k);
    }
    return shape;
}

// Semi-implicit Euler drops by g h^2 n (n + 1) / 2, and a free strand keeps its shape.
static void free_strands_fall_as_the_discrete_formula_says(void)
{
    double rows[32][10];
    const int count = read_oracle("free_fall.csv", rows, 32);
    CHECK(count == 16);
    for (int i = 0; i < count; ++i) {
        coif_sim_params params = bare_params();
        params.fps = (float)(1.0 / rows[i][0]);
        params.substeps = 1;
        params.bend = 0.5f;
        const tuft_desc desc = {
            .shape = hanging(5, 0.05f), .length = 5, .strand_count = 3, .params = params};
        tuft hair;
        tuft_open(&hair, &desc, &arena, NULL);
        tuft_run(&hair, (int32_t)rows[i][1]);
        // Velocities come from positions, whose rounding weighs more the smaller the step is.
        const double tolerance = rows[i][0] < 0.002 ? 1e-3 : 1e-4;
        CHECK_NEAR(-hair.places[0].y, rows[i][4], tolerance * rows[i][4] + 2e-5);
        CHECK_NEAR(hair.places[0].y - hair.places[4].y, 0.05, 2e-6);
        CHECK_NEAR(hair.places[4].x, 0.0, 1e-6);
    }
}

static void drag_slows_a_fall_as_the_exact_solution_says(void)
{
    double rows[32][10];
    const int count = read_oracle("drag_linear.csv", rows, 32);
    CHECK(count >= 18);
    for (int i = 0; i < count; ++i) {
        coif_sim_params params = bare_params();
        params.fps = 20.0f;
        params.substeps = 50;
        params.drag = (float)rows[i][0];
        const tuft_desc desc = {
            .shape = hanging(3, 0.05f), .length = 3, .strand_count = 1, .params = params};
        tuft hair;
        tuft_open(&hair, &desc, &arena, NULL);
        tuft_run(&hair, (int32_t)lround(rows[i][1] * 20.0));
        CHECK_NEAR(-hair.velocities[1].y, rows[i][2], 0.01 * rows[i][2]);
    }
}

// A wind of 2 m/s along x, as a plugin.
static void blow(const coif_host *host, const void *state, const void *params,
                 const coif_force_batch *batch)
{
    (void)host, (void)state, (void)params;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->wind_x[i] += 2.0f;
    }
}

static coif_instance *open_wind(void)
{
    static const coif_plugin plugin = {.struct_size = sizeof(coif_plugin),
                                       .kind = COIF_KIND_FORCE,
                                       .id = "test.wind",
                                       .version = "1.0.0",
                                       .help = "",
                                       .param_stride = sizeof(coif_param),
                                       .force = blow};
    static const coif_section section = {.name = "forces", .plugin_kind = COIF_KIND_FORCE};
    coif_node *node = coif_arena_new(&arena, 1, coif_node);
    *node = (coif_node){.section = &section, .path = "/forces/0", .plugin = &plugin};
    node->plugin_values.row_stride = sizeof(coif_param);
    coif_instance *wind = NULL;
    coif_error error = {0};
    CHECK_OK(coif_instance_open(&wind, node, 1.0, &arena, &error), error);
    return wind;
}

// With drag c and wind u the push is c u against the weight g: a chain hangs straight at
// atan(c u / g).
static void wind_blows_a_chain_out_at_the_right_angle(void)
{
    double rows[16][10];
    const int count = read_oracle("wind_deflection.csv", rows, 16);
    CHECK(count >= 6);
    coif_instance *wind = open_wind();
    for (int i = 1; i < 6; ++i) {
        coif_sim_params params = bare_params();
        params.drag = (float)(rows[i][0] * 9.81 / 2.0);
        params.damping = 3.0f;
        const tuft_desc desc = {.shape = hanging(9, 0.1f),
                                .length = 9,
                                .strand_count = 2,
                                .params = params,
                                .pinned = 1};
        tuft hair;
        tuft_open(&hair, &desc, &arena, NULL);
        hair.forces = &wind;
        hair.force_count = 1;
        tuft_run(&hair, 120);
        CHECK_NEAR(hair.places[8].x / 0.1, rows[i][2], 0.01);
        CHECK_NEAR(-hair.places[8].y / 0.1, rows[i][3], 0.01);
    }
}

// The time of a full swing, from two falls through the vertical.
static double period_of(tuft *hair, int32_t point, int32_t most_frames)
{
    double first = -1.0;
    double before = hair->places[point].x;
    for (int32_t f = 1; f <= most_frames; ++f) {
        tuft_step(hair);
        const double now = hair->places[point].x;
        if (before > 0.0 && now <= 0.0) {
            const double at = (f - 1 + before / (before - now)) / (double)hair->params.fps;
            if (first >= 0.0) {
                return at - first;
            }
            first = at;
        }
        before = now;
    }
    return -1.0;
}

static void a_pendulum_keeps_time_at_any_amplitude(void)
{
    double rows[16][10];
    const int count = read_oracle("pendulum_large_amplitude.csv", rows, 16);
    CHECK(count >= 6);
    for (int i = 1; i < 6; ++i) {
        const float angle = (float)rows[i][0] * PI / 180.0f;
        const float length = 0.25f;
        const coif_vec3 shape[2] = {{0, 0, 0}, {length * sinf(angle), -length * cosf(angle), 0}};
        coif_sim_params params = bare_params();
        params.fps = 200.0f;
        params.substeps = 8;
        const tuft_desc desc = {
            .shape = shape, .length = 2, .strand_count = 1, .params = params, .pinned = 1};
        tuft hair;
        tuft_open(&hair, &desc, &arena, NULL);
        const double wanted = 2.0 * (double)PI * sqrt(length / 9.81) * rows[i][1];
        CHECK_NEAR(period_of(&hair, 1, 600), wanted, 0.01 * wanted);
        double highest = -1.0;
        for (int f = 0; f < 400; ++f) {
            tuft_step(&hair);
            highest = fmax(highest, (double)hair.places[1].y);
        }
        CHECK(highest <= shape[1].y + 1e-4);
    }
}

// Mode 1 of a hanging chain of 16 links with half a mass at the tip: omega = 1.20102 sqrt(g / L).
static void a_hanging_chain_swings_at_its_frequency(void)
{
    double rows[16][10];
    const int count = read_oracle("hanging_chain_discrete.csv", rows, 16);
    CHECK(count >= 5 && rows[4][0] == 16);
    enum { POINTS = 17 };
    const double length = 0.2;
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        const double z = 1.0 - (double)k / (POINTS - 1);
        shape[k] = coif_vec3_of((float)(0.01 * length * j0(2.404826 * sqrt(z))),
                                (float)(-length * (1.0 - z)), 0.0f);
        shape[k].x -= shape[0].x * (float)z;
    }
    coif_sim_params params = bare_params();
    params.fps = 100.0f;
    params.substeps = 10;
    const tuft_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 1, .params = params, .pinned = 1};
    tuft hair;
    tuft_open(&hair, &desc, &arena, NULL);
    const double wanted = 2.0 * (double)PI / (rows[4][3] * sqrt(9.81 / length));
    CHECK_NEAR(period_of(&hair, POINTS - 1, 400), wanted, 0.02 * wanted);
    CHECK(tuft_stretch(&hair) < 1e-4);
}

// A chain of 16 links between two pins hangs in a catenary.
static void a_chain_between_two_pins_is_a_catenary(void)
{
    double rows[16][10];
    CHECK(read_oracle("catenary.csv", rows, 16) == 7);
    enum { POINTS = 17 };
    for (int i = 2; i < 5; ++i) { // arc lengths of 1.25, 1.5 and 2 spans
        const float span = 0.1f;
        coif_vec3 shape[POINTS];
        // A triangle of that arc length: same ends, far from rest.
        const float half = 0.5f * span * (float)rows[i][0];
        const float depth = sqrtf(half * half - 0.25f * span * span);
        for (int k = 0; k < POINTS; ++k) {
            const float u = (float)k / (POINTS - 1);
            shape[k] =
                coif_vec3_of(span * u, -depth * (u < 0.5f ? 2.0f * u : 2.0f - 2.0f * u), 0.0f);
        }
        coif_sim_params params = bare_params();
        params.damping = 4.0f;
        const tuft_desc desc = {
            .shape = shape, .length = POINTS, .strand_count = 1, .params = params, .pinned = 1};
        tuft hair;
        tuft_open(&hair, &desc, &arena, NULL);
        coif_block *block = &hair.solver.blocks[0];
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            block->w[(POINTS - 1) * block->lanes + lane] = 0.0f;
        }
        tuft_run(&hair, 150);
        CHECK_NEAR(-hair.places[POINTS / 2].y / span, rows[i][6], 0.005 * rows[i][6]);
    }
}

static void on_floor(tuft *hair, coif_sim_params params, float height)
{
    coif_collider *floor = coif_arena_new(&arena, 1, coif_collider);
    coif_mesh *mesh = coif_arena_new(&arena, 1, coif_mesh);
    *mesh = shape_plane(20.0f, 8, &arena);
    coif_collider_build(floor, mesh, &arena);
    const tuft_desc desc = {
        .shape = lying(4, height), .length = 4, .strand_count = 2, .params = params};
    tuft_open(hair, &desc, &arena, NULL);
    hair->bodies = floor;
    hair->body_count = 1;
}

// The plane stays level and gravity tilts. Below the friction angle nothing moves at all.
static void friction_holds_or_slides_as_coulomb_says(void)
{
    double rows[64][10];
    const int count = read_oracle("friction_incline.csv", rows, 64);
    CHECK(count > 20);
    for (int i = 0; i < count; i += 2) {
        const float angle = (float)rows[i][1] * PI / 180.0f;
        coif_sim_params params = bare_params();
        params.friction = (float)rows[i][0];
        params.gravity[0] = 9.81f * sinf(angle);
        params.gravity[1] = -9.81f * cosf(angle);
        tuft hair;
        on_floor(&hair, params, 0.00104f);
        tuft_run(&hair, 24);
        const double wanted = rows[i][2];
        if (wanted == 0.0) {
            CHECK_NEAR(hair.places[0].x, 0.0, 1e-6);
        } else {
            CHECK_NEAR(hair.velocities[0].x, wanted, 0.05 * wanted);
        }
        CHECK(hair.places[0].y > 0.0005f);
    }
}

static void drops_bounce_to_the_square_of_restitution(void)
{
    double rows[32][10];
    const int count = read_oracle("restitution.csv", rows, 32);
    CHECK(count > 10);
    for (int i = 0; i < count; ++i) {
        if (rows[i][1] != 1.0) {
            continue; // later bounces follow from the first
        }
        coif_sim_params params = bare_params();
        params.fps = 100.0f;
        params.substeps = 20;
        params.restitution = (float)rows[i][0];
        tuft hair;
        on_floor(&hair, params, 0.30104f);
        double highest = 0.0;
        for (int f = 0; f < 60; ++f) {
            tuft_step(&hair);
            if (f > 26) { // it touches after 0.247 s
                highest = fmax(highest, (double)hair.places[1].y - 0.00104);
            }
        }
        CHECK_NEAR(highest / 0.3, rows[i][2], 0.02);
    }
}

static double deepest(const tuft *hair, const coif_collider *body)
{
    double least = 1.0;
    for (int32_t i = 0; i < hair->groom.rest.point_count; ++i) {
        coif_nearest nearest;
        coif_collider_find(
            &nearest, body,
            &(coif_search){.place = hair->places[i], .moment = 1.0f, .reach = 0.1f, .hint = -1});
        least = fmin(least, (double)nearest.distance);
    }
    return least;
}

// A level lock dropped across a sphere: drapes over it, slides off or stays, and is never inside.
static void a_lock_falling_on_a_sphere_is_never_inside(void)
{
    enum { POINTS = 24 };
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.25f * ((float)k / (POINTS - 1) - 0.4f), 0.15f, 0.0f);
    }
    coif_sim_params params = bare_params();
    params.friction = 0.3f;
    params.damping = 1.0f;
    params.bend = 0.2f;
    const tuft_desc desc = {.shape = shape,
                            .length = POINTS,
                            .strand_count = 16,
                            .spread = 0.003f,
                            .params = params,
                            .pinned = 0};
    tuft hair;
    tuft_open(&hair, &desc, &arena, NULL);
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 16, &arena);
    coif_collider sphere;
    coif_collider_build(&sphere, &mesh, &arena);
    hair.bodies = &sphere;
    hair.body_count = 1;
    double worst = 1.0;
    int64_t most = 0;
    for (int f = 0; f < 36; ++f) {
        tuft_step(&hair);
        worst = fmin(worst, deepest(&hair, &sphere));
        most = hair.report.tally.contacts > most ? hair.report.tally.contacts : most;
    }
    CHECK(worst > 0.0);
    CHECK(tuft_stretch(&hair) < 0.02);
    CHECK_NEAR(hair.report.tally.stretch, tuft_stretch(&hair), 1e-6);
    CHECK(most > 0 && most < hair.groom.rest.point_count);
    CHECK(hair.report.healed == 0);
}

// A sphere that sweeps through a hanging curtain faster than its thickness per substep takes the
// hair along instead of passing through.
static void a_fast_body_does_not_pass_through(void)
{
    const coif_sim_params params = bare_params();
    const tuft_desc desc = {
        .shape = hanging(24, 0.3f), .length = 24, .strand_count = 8, .params = params, .pinned = 2};
    tuft hair;
    tuft_open(&hair, &desc, &arena, NULL);
    const coif_mesh mesh = shape_sphere(coif_vec3_of(-0.12f, -0.2f, 0), 0.08f, 12, &arena);
    coif_collider sphere;
    coif_collider_build(&sphere, &mesh, &arena);
    hair.bodies = &sphere;
    hair.body_count = 1;
    coif_vec3 *pose[2] = {coif_arena_new(&arena, mesh.vertex_count, coif_vec3),
                          coif_arena_new(&arena, mesh.vertex_count, coif_vec3)};
    double worst = 1.0;
    for (int f = 0; f < 6; ++f) {
        for (int32_t v = 0; v < mesh.vertex_count; ++v) {
            pose[0][v] = pose[1][v] = mesh.positions[v];
            pose[0][v].x += 0.03f * (float)f;
            pose[1][v].x += 0.03f * (float)(f + 1);
        }
        coif_collider_move(&sphere, pose[0], pose[1]);
        tuft_step(&hair);
        worst = fmin(worst, deepest(&hair, &sphere));
    }
    CHECK(worst > -1e-4);
    CHECK(hair.places[16].x > 0.02f); // pushed along, not left behind
}

static coif_sim_params groomed_params(void)
{
    coif_sim_params params = bare_params();
    params.bend = 0.6f;
    params.shape = 0.8f;
    params.damping = 1.0f;
    params.drag = 3.0f;
    params.hold_root = 30.0f;
    params.hold_tip = 3.0f;
    params.support = 1.0f;
    return params;
}

// Hair that stands off and then bends down stays as it was groomed, because the rest shape carries
// what tension does not.
static void a_groomed_shape_does_not_sag(void)
{
    enum { POINTS = 20 };
    coif_vec3 shape[POINTS] = {{0, 0, 0}};
    for (int k = 1; k < POINTS; ++k) {
        const float angle = 1.3f * (float)(k - 1) / (POINTS - 1);
        shape[k] = coif_mad(shape[k - 1], 0.01f, coif_vec3_of(cosf(angle), -sinf(angle), 0.0f));
    }
    const tuft_desc desc = {.shape = shape,
                            .length = POINTS,
                            .strand_count = 1,
                            .params = groomed_params(),
                            .pinned = 2};
    tuft hair;
    tuft_open(&hair, &desc, &arena, NULL);
    tuft_run(&hair, 48);
    for (int k = 0; k < POINTS; ++k) {
        CHECK_NEAR(coif_length(coif_sub(hair.places[k], shape[k])), 0.0, 0.015 * 0.19);
    }
    hair.params.gravity[1] = 0.0f; // the same strand without weight rises, so it did carry it
    tuft_run(&hair, 48);
    CHECK(hair.places[POINTS - 1].y > shape[POINTS - 1].y + 0.01f);
}

// A hanging wave is stretched by its weight a little and keeps its waves; and it is as heavy as
// straight hair is: pushed aside, it swings back at the pace of a hanging chain.
static void waves_hang_and_stay_waves(void)
{
    enum { POINTS = 24 };
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        const float s = 0.01f * (float)k;
        shape[k] = coif_vec3_of(0.004f * sinf(100.0f * s), -s, 0.004f * (cosf(100.0f * s) - 1));
    }
    coif_sim_params params = groomed_params();
    params.hold_tip = 0.0f;
    const tuft_desc desc = {
        .shape = shape, .length = POINTS, .strand_count = 1, .params = params, .pinned = 2};
    tuft hair;
    tuft_open(&hair, &desc, &arena, NULL);
    tuft_run(&hair, 48);
    CHECK_NEAR(hair.places[POINTS - 1].y / shape[POINTS - 1].y, 1.0, 0.04);
    float low = 1.0f;
    float high = -1.0f;
    for (int k = 8; k < 20; ++k) {
        low = fminf(low, hair.places[k].x);
        high = fmaxf(high, hair.places[k].x);
    }
    CHECK(high - low > 0.5f * 0.008f);

    coif_instance *wind = open_wind();
    hair.forces = &wind;
    hair.force_count = 1;
    tuft_run(&hair, 72);
    // Drag 3/s and 2 m/s of wind against gravity alone would be 31 degrees; the root holds back.
    const double aside = hair.places[POINTS - 1].x / -(double)hair.places[POINTS - 1].y;
    CHECK(aside > 0.2 && aside < 0.62);
}

// The pull to the rest shape is stated per second: substeps do not change how far hair gives way.
static void hold_does_not_depend_on_substeps(void)
{
    double drops[3];
    for (int i = 0; i < 3; ++i) {
        const coif_vec3 shape[3] = {{0, 0, 0}, {0.01f, 0, 0}, {0.02f, 0, 0}};
        coif_sim_params params = bare_params();
        params.length_pass = COIF_LENGTH_NONE;
        params.stretch = 0.0f;
        params.substeps = 5 << i;
        params.hold_root = params.hold_tip = 20.0f;
        params.damping = 6.0f;
        const tuft_desc desc = {
            .shape = shape, .length = 3, .strand_count = 1, .params = params, .pinned = 1};
        tuft hair;
        tuft_open(&hair, &desc, &arena, NULL);
        tuft_run(&hair, 72);
        drops[i] = -hair.places[2].y;
        CHECK_NEAR(drops[i], 9.81 / 400.0, 0.02 * 9.81 / 400.0);
    }
}

static const int32_t MIXED[13] = {9, 12, 12, 5, 12, 12, 12, 2, 12, 12, 12, 12, 3};

// Strands of several lengths over a sphere, with everything switched on.
static uint64_t run_mixed(const char *kernel, int threads)
{
    coif_vec3 shape[12];
    for (int k = 0; k < 12; ++k) {
        shape[k] = coif_vec3_of(0.02f * (float)k - 0.05f, 0.13f + 0.002f * (float)(k * k), 0.0f);
    }
    coif_sim_params params = bare_params();
    params.bend = 0.4f;
    params.damping = 0.5f;
    params.drag = 4.0f;
    params.friction = 0.3f;
    params.restitution = 0.2f;
    params.hold_root = 10.0f;
    params.hold_tip = 1.0f;
    params.support = 0.5f;
    params.mass_variation = 0.3f;
    const tuft_desc desc = {.shape = shape,
                            .length = 12,
                            .strand_count = 13,
                            .spread = 0.005f,
                            .params = params,
                            .kernel = kernel,
                            .pinned = 2,
                            .lengths = MIXED};
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
    tuft hair;
    tuft_open(&hair, &desc, &arena, jobs);
    coif_instance *wind = open_wind();
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 12, &arena);
    coif_collider sphere;
    coif_collider_build(&sphere, &mesh, &arena);
    hair.bodies = &sphere;
    hair.body_count = 1;
    hair.forces = &wind;
    hair.force_count = 1;
    tuft_run(&hair, 12);
    coif_jobs_close(jobs);
    CHECK(isfinite(hair.places[20].x));
    return tuft_digest(&hair);
}

static void threads_and_widths_do_not_show(void)
{
    const uint64_t one = run_mixed("wide4", 1);
    CHECK(run_mixed("wide4", 2) == one);
    CHECK(run_mixed("wide4", 3) == one);
    CHECK(run_mixed("wide4", 8) == one);
    CHECK(run_mixed("auto", 1) == one);
    CHECK(run_mixed("auto", 2) == one);
    CHECK(run_mixed("auto", 8) == one);
}

// Reading and writing back between frames changes nothing: that is what a state file does.
static void a_solver_goes_on_from_what_it_told(void)
{
    const tuft_desc desc = {.shape = hanging(9, 0.1f),
                            .length = 9,
                            .strand_count = 11,
                            .spread = 0.01f,
                            .params = bare_params(),
                            .pinned = 1};
    tuft whole;
    tuft_open(&whole, &desc, &arena, NULL);
    whole.solver.blocks[0].vx[40] = 1.0f;
    coif_solver_read(&whole.solver, whole.places, whole.velocities);
    tuft_run(&whole, 3);
    tuft broken;
    tuft_open(&broken, &desc, &arena, NULL);
    coif_solver_write(&broken.solver, whole.places, whole.velocities);
    tuft_run(&whole, 5);
    tuft_run(&broken, 5);
    CHECK(tuft_digest(&whole) == tuft_digest(&broken));
}

// One strand goes mad: it alone is put back, and only it is counted.
static void a_strand_gone_wrong_is_put_back(void)
{
    const tuft_desc desc = {.shape = hanging(9, 0.1f),
                            .length = 9,
                            .strand_count = 11,
                            .spread = 0.01f,
                            .params = bare_params(),
                            .pinned = 1};
    tuft hair;
    tuft_open(&hair, &desc, &arena, NULL);
    coif_block *block = &hair.solver.blocks[0];
    block->vx[5 * block->lanes + 2] = NAN;
    tuft_step(&hair);
    CHECK(hair.report.healed == 1 && hair.report.tally.not_finite == 1);
    block->vx[5 * block->lanes + 1] = 1e30f;
    tuft_step(&hair);
    CHECK(hair.report.healed == 1);
    tuft_step(&hair);
    CHECK(hair.report.healed == 0);
    for (int32_t i = 0; i < hair.groom.rest.point_count; ++i) {
        CHECK(isfinite(hair.places[i].x));
    }
    CHECK(tuft_stretch(&hair) < 1e-3);
}

// No strand at all, and strands of two points, both pinned.
static void the_smallest_grooms_step(void)
{
    tuft hair;
    tuft_open(&hair, &(tuft_desc){.shape = hanging(2, 0.1f), .length = 2, .params = bare_params()},
              &arena, NULL);
    tuft_step(&hair);
    tuft_open(&hair,
              &(tuft_desc){.shape = hanging(2, 0.1f),
                           .length = 2,
                           .strand_count = 1,
                           .params = bare_params(),
                           .pinned = 2},
              &arena, NULL);
    tuft_run(&hair, 3);
    CHECK_NEAR(hair.places[1].y, -0.1, 1e-7);
    CHECK(hair.report.healed == 0);
}

// Plain sweeps stretch; the other two passes do not. Fast swing of a long strand.
static void length_passes_keep_lengths(void)
{
    double stretch[3];
    for (int pass = 0; pass < 3; ++pass) {
        coif_sim_params params = bare_params();
        params.length_pass = pass;
        coif_vec3 *shape = coif_arena_new(&arena, 30, coif_vec3);
        for (int k = 0; k < 30; ++k) {
            shape[k] = coif_vec3_of(0.01f * (float)k, 0.0f, 0.0f);
        }
        const tuft_desc desc = {
            .shape = shape, .length = 30, .strand_count = 1, .params = params, .pinned = 1};
        tuft hair;
        tuft_open(&hair, &desc, &arena, NULL);
        stretch[pass] = 0.0;
        for (int f = 0; f < 20; ++f) {
            tuft_step(&hair);
            stretch[pass] = fmax(stretch[pass], tuft_stretch(&hair));
        }
    }
    CHECK(stretch[COIF_LENGTH_NONE] > 0.01);
    CHECK(stretch[COIF_LENGTH_FTL] < 1e-5);
    CHECK(stretch[COIF_LENGTH_DIRECT] < 1e-4);
}

TEST_MAIN(TEST(free_strands_fall_as_the_discrete_formula_says),
          TEST(drag_slows_a_fall_as_the_exact_solution_says),
          TEST(wind_blows_a_chain_out_at_the_right_angle),
          TEST(a_pendulum_keeps_time_at_any_amplitude),
          TEST(a_hanging_chain_swings_at_its_frequency),
          TEST(a_chain_between_two_pins_is_a_catenary),
          TEST(friction_holds_or_slides_as_coulomb_says),
          TEST(drops_bounce_to_the_square_of_restitution),
          TEST(a_lock_falling_on_a_sphere_is_never_inside), TEST(a_fast_body_does_not_pass_through),
          TEST(a_groomed_shape_does_not_sag), TEST(waves_hang_and_stay_waves),
          TEST(hold_does_not_depend_on_substeps), TEST(threads_and_widths_do_not_show),
          TEST(a_solver_goes_on_from_what_it_told), TEST(a_strand_gone_wrong_is_put_back),
          TEST(the_smallest_grooms_step), TEST(length_passes_keep_lengths))
