// Segment contact: a body thinner than a segment is long does not pass between two points.
#include "core/collision/primitive_colliders.h"
#include "tests/support/solver_methods.h"

static coif_arena arena = {.name = "test"};

enum { POINTS = 16, STRANDS = 5 };

static const float SEGMENT = 0.012f;

// Level from its root towards +x, 8 mm above the origin, which lies below the middle of a segment.
static const coif_vec3 *level(void)
{
    coif_vec3 *shape = coif_arena_new(&arena, POINTS, coif_vec3);
    for (int32_t k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(SEGMENT * ((float)k - 4.5f), 0.008f, 0.0f);
    }
    return shape;
}

static void open_lock(hair_fixture *hair, const char *method, coif_jobs *jobs, const char *kernel)
{
    coif_sim_params params = hair_params(method);
    params.damping = 2.0f;
    params.friction = 0.3f;
    params.max_depenetration_speed = 1.0f;
    params.stiffness = 0.05f;
    params.ftl_velocity_correction = 0.9f;
    const hair_fixture_desc desc = {.shape = level(),
                                    .length = POINTS,
                                    .strand_count = STRANDS,
                                    .spread = 0.003f,
                                    .params = params,
                                    .kernel = kernel,
                                    .pinned = coif_solver_vtable_at(params.solver)->pinned_points};
    fixture_open(hair, &desc, &arena, jobs);
}

static double depth_at(coif_vec3 position, const coif_collider *body)
{
    coif_closest_point nearest;
    const coif_closest_point_query search = {
        .position = position, .time = 1.0f, .max_distance = 0.05f, .hint = -1};
    return coif_collider_closest_point(&nearest, body, &search) ? -(double)nearest.distance : -1.0;
}

// Of middles, from the first that is not at the root.
static double deepest_middle(const hair_fixture *hair, const coif_collider *body)
{
    double deepest = -1.0;
    for (int32_t i = 0; i + 1 < hair->groom.rest.point_count; ++i) {
        if (i % POINTS > 1 && i % POINTS + 1 < POINTS) {
            const coif_vec3 middle = coif_lerp(hair->positions[i], hair->positions[i + 1], 0.5f);
            deepest = fmax(deepest, depth_at(middle, body));
        }
    }
    return deepest;
}

typedef struct draped {
    double deepest, stretch, speed;
    coif_vec3 tip;
} draped;

static draped drape(const char *method, const coif_collider *body)
{
    hair_fixture hair;
    open_lock(&hair, method, NULL, NULL);
    hair.bodies = body;
    hair.body_count = 1;
    draped out = {.deepest = -1.0};
    for (int f = 0; f < 48; ++f) {
        fixture_step(&hair);
        out.deepest = fmax(out.deepest, deepest_middle(&hair, body));
        out.stretch = fmax(out.stretch, fixture_stretch(&hair));
    }
    for (int32_t i = 0; i < hair.groom.rest.point_count; ++i) {
        out.speed = fmax(out.speed, (double)coif_length(hair.velocities[i]));
    }
    out.tip = hair.positions[POINTS - 1];
    CHECK(hair.report.stats.reset_strands == 0);
    return out;
}

// Without middles they would be 0.8 to 3.8 mm inside.
static void check_drape(const char *method, const coif_collider *body)
{
    const draped found = drape(method, body);
    const bool leads = strcmp(method, "ftl") == 0;
    CHECK(found.deepest < 0.0);
    CHECK(found.deepest > -0.001); // it does lie there
    CHECK(found.stretch < (strcmp(method, "der") == 0 ? 0.002 : leads ? 1e-5 : 0.03));
    CHECK(found.speed < 0.3);
    // Leaders know no tension: theirs slides off to the side of the root.
    CHECK(leads || (found.tip.x > -0.01f && found.tip.y < -0.11f));
}

TEST(a_wire_holds_hair_between_its_points)
{
    coif_primitive round = {.shape = COIF_PRIMITIVE_CAPSULE};
    const coif_primitive_pose pose = {.ends = {{0, 0, -0.05f}, {0, 0, 0.05f}}, .radius = 0.004f};
    coif_collider wire;
    coif_primitive_move(&wire, &round, &pose, &pose);
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        check_drape(COIF_METHOD_NAMES[m], &wire);
    }
}

// A bar of square section along z, an edge on top.
static coif_mesh bar(void)
{
    coif_mesh mesh = shape_alloc(8, 12, &arena);
    static const float around[4][2] = {{0, 0}, {0.01f, -0.01f}, {0, -0.02f}, {-0.01f, -0.01f}};
    int32_t at = 0;
    for (int32_t i = 0; i < 4; ++i) {
        for (int32_t far = 0; far < 2; ++far) {
            mesh.positions[2 * i + far] =
                coif_vec3_of(around[i][0], around[i][1], far == 0 ? -0.05f : 0.05f);
        }
        const int32_t next = (i + 1) % 4;
        shape_quad(&mesh, &at, (int32_t[4]){2 * i, 2 * i + 1, 2 * next + 1, 2 * next});
    }
    shape_quad(&mesh, &at, (int32_t[4]){0, 2, 4, 6});
    shape_quad(&mesh, &at, (int32_t[4]){7, 5, 3, 1});
    return mesh;
}

// As triangles, and sampled.
TEST(an_edge_holds_hair_between_its_points)
{
    const coif_mesh mesh = bar();
    for (int sampled = 0; sampled < 2; ++sampled) {
        coif_collider body;
        coif_collider_build(&body, &mesh, &arena);
        CHECK(depth_at(coif_vec3_of(0, -0.005f, 0), &body) > 0.0);
        CHECK(depth_at(coif_vec3_of(0, 0.005f, 0), &body) < 0.0);
        if (sampled == 1) {
            coif_collider_build_sdf(&body, &mesh, &arena);
            CHECK(body.sdf != NULL);
        }
        for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
            check_drape(COIF_METHOD_NAMES[m], &body);
        }
    }
}

// The wire ends in the midst of the lock: some strands of a block lie on it, others fall.
static uint64_t digest_of(const char *method, const char *kernel, int threads)
{
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
    hair_fixture hair;
    open_lock(&hair, method, jobs, kernel);
    coif_primitive round = {.shape = COIF_PRIMITIVE_CAPSULE};
    const coif_primitive_pose pose = {.ends = {{0, 0, -0.05f}, {0, 0, 0.005f}}, .radius = 0.004f};
    coif_collider wire;
    coif_primitive_move(&wire, &round, &pose, &pose);
    hair.bodies = &wire;
    hair.body_count = 1;
    fixture_run(&hair, 16);
    coif_jobs_close(jobs);
    return fixture_digest(&hair);
}

TEST(results_do_not_depend_on_lanes_and_threads)
{
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        const uint64_t digest = digest_of(COIF_METHOD_NAMES[m], "wide4", 1);
        CHECK(digest_of(COIF_METHOD_NAMES[m], "auto", 3) == digest);
    }
}
