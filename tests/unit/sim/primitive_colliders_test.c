// Spheres, capsules and planes; no tunnelling through fast or thin ones.
#include "core/collision/primitive_colliders.h"

#include "sim/solver/contact_query.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static const coif_primitive_pose CAPSULE = {.ends = {{-0.1f, 0, 0}, {0.1f, 0, 0}}, .radius = 0.02f};

static coif_closest_point found_at(const coif_collider *collider, coif_vec3 position, float moment)
{
    coif_closest_point nearest;
    CHECK(coif_collider_closest_point(
        &nearest, collider,
        &(coif_closest_point_query){
            .position = position, .time = moment, .max_distance = 10.0f, .hint = -1}));
    return nearest;
}

TEST(distances_are_exact)
{
    coif_primitive round = {.shape = COIF_PRIMITIVE_CAPSULE};
    coif_collider collider;
    coif_primitive_move(&collider, &round, &CAPSULE, &CAPSULE);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0.05f, 0.05f, 0), 0).distance, 0.03, 1e-7);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0.13f, 0.04f, 0), 0).distance, 0.03, 1e-7);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0.0f, 0.01f, 0), 0).distance, -0.01, 1e-7);
    CHECK_NEAR(coif_length(found_at(&collider, coif_vec3_of(0, 0, 0), 0).normal), 1.0, 1e-6);

    coif_primitive_pose up = CAPSULE;
    up.ends[0].y = up.ends[1].y = 0.1f;
    coif_primitive_move(&collider, &round, &CAPSULE, &up);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0, 0.2f, 0), 0.5f).distance, 0.13, 1e-6);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0, 0.2f, 0), 0.5f).motion.y, 0.1, 1e-6);

    coif_primitive plane = {.shape = COIF_PRIMITIVE_PLANE};
    const coif_primitive_pose level = {.ends = {{0, 0.5f, 0}, {0, 1, 0}}};
    coif_primitive_move(&collider, &plane, &level, &level);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(3, 0.2f, 1), 0).distance, -0.3, 1e-6);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(3, 0.2f, 1), 0).point.y, 0.5, 1e-6);
}

static int32_t method_of(const char *name)
{
    int32_t at = 0;
    while (strcmp(COIF_METHOD_NAMES[at], name) != 0) {
        ++at;
    }
    return at;
}

static coif_sim_params hair_params(const char *solver, int32_t substeps)
{
    coif_sim_params params = bare_params();
    params.solver = method_of(solver);
    params.substeps = substeps;
    params.damping = 1.0f;
    params.friction = 0.3f;
    params.max_depenetration_speed = 1.0f;
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    params.youngs_modulus = 3.9e9f;
    params.poisson_ratio = 0.4f;
    params.stiffness = 1.0f;
    params.bending_damping_time = 0.005f;
    return params;
}

static void hang(hair_fixture *hair, const char *solver, int32_t substeps)
{
    enum { POINTS = 24 };
    static coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.0f, -0.3f * (float)k / (POINTS - 1), 0.0f);
    }
    const hair_fixture_desc desc = {.shape = shape,
                                    .length = POINTS,
                                    .strand_count = 8,
                                    .spread = 0.002f,
                                    .params = hair_params(solver, substeps),
                                    .pinned = strcmp(solver, "pbd") == 0 ? 2 : 1};
    fixture_open(hair, &desc, &arena, NULL);
}

// Points of the lock that are deeper inside of the collider than this.
static int32_t points_inside(const hair_fixture *hair, const coif_collider *collider, float depth)
{
    int32_t inside = 0;
    for (int32_t i = 0; i < hair->groom.rest.point_count; ++i) {
        coif_closest_point nearest;
        const coif_closest_point_query search = {
            .position = hair->positions[i], .time = 1.0f, .max_distance = 0.05f, .hint = -1};
        inside +=
            coif_collider_closest_point(&nearest, collider, &search) && nearest.distance < -depth;
    }
    return inside;
}

static const char *const SOLVERS[] = {"pbd", "der"};
static const int32_t SUBSTEPS[] = {4, 10};

// A capsule 4 cm thick crosses the lock at 2 m/s, 2 cm per substep at the coarsest: it drags the
// hair along.
TEST(a_fast_capsule_drags_hair_along)
{
    for (int c = 0; c < 4; ++c) {
        hair_fixture hair;
        hang(&hair, SOLVERS[c / 2], SUBSTEPS[c % 2]);
        coif_primitive round = {.shape = COIF_PRIMITIVE_CAPSULE};
        coif_collider rod;
        hair.bodies = &rod;
        hair.body_count = 1;
        const float step = 2.0f / 24.0f;
        for (int f = 0; f < 2; ++f) {
            coif_primitive_pose pose[2];
            for (int e = 0; e < 2; ++e) {
                const float x = -0.05f + step * (float)(f + e);
                pose[e] = (coif_primitive_pose){.ends = {{x, -0.2f, -0.1f}, {x, -0.2f, 0.1f}},
                                                .radius = 0.02f};
            }
            coif_primitive_move(&rod, &round, &pose[0], &pose[1]);
            fixture_step(&hair);
            CHECK(points_inside(&hair, &rod, 1e-4f) == 0);
        }
        // The lock goes around the front of the rod, which is at 0.117 m.
        CHECK(hair.positions[17].x > 0.1f);
        CHECK(hair.report.stats.reset_strands == 0);
    }
}

// A blade on a turning body, 10 cm from the axis: its edge goes 2 m/s. As triangles, sampled.
TEST(a_turning_head_has_no_tunnelling)
{
    coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.05f, 8, &arena);
    for (int32_t v = 0; v < mesh.vertex_count; ++v) {
        coif_vec3 *p = &mesh.positions[v];
        *p = coif_vec3_of(0.1f + p->x, p->y - 0.2f, 0.6f * p->z); // 6 cm thick, out to 15 cm
    }
    const double turn = 2.0 / 0.15 / 24.0; // radians per frame
    for (int c = 0; c < 8; ++c) {
        hair_fixture hair;
        hang(&hair, SOLVERS[c / 2 % 2], SUBSTEPS[c % 2]);
        coif_collider blade;
        coif_collider_build(&blade, &mesh, &arena);
        if (c >= 4) {
            coif_collider_build_sdf(&blade, &mesh, &arena);
            CHECK(blade.sdf != NULL);
        }
        hair.bodies = &blade;
        hair.body_count = 1;
        coif_vec3 *pose[2] = {coif_arena_new(&arena, mesh.vertex_count, coif_vec3),
                              coif_arena_new(&arena, mesh.vertex_count, coif_vec3)};
        for (int f = 0; f < 4; ++f) {
            for (int e = 0; e < 2; ++e) {
                const double angle = 0.6 - turn * (f + e); // the axis is 10 cm beside the lock
                const float s = (float)sin(angle);
                const float co = (float)cos(angle);
                for (int32_t v = 0; v < mesh.vertex_count; ++v) {
                    const coif_vec3 p = mesh.positions[v];
                    pose[e][v] = coif_vec3_of(co * p.x + s * p.z - 0.1f, p.y, co * p.z - s * p.x);
                }
            }
            coif_collider_refit(&blade, pose[0], pose[1]);
            fixture_step(&hair);
            CHECK(points_inside(&hair, &blade, 5e-4f) == 0); // half of the distance kept
        }
        CHECK(hair.positions[18].z > 0.05f || hair.positions[18].x > 0.05f); // swept along
    }
}

// A lock inside a ball comes out, no faster than it may.
TEST(hair_leaves_a_penetration_without_a_velocity_jump)
{
    for (int c = 0; c < 2; ++c) {
        hair_fixture hair;
        hang(&hair, SOLVERS[c], 10);
        coif_primitive round = {.shape = COIF_PRIMITIVE_SPHERE};
        const coif_primitive_pose pose = {.ends = {{-0.01f, -0.2f, 0}, {-0.01f, -0.2f, 0}},
                                          .radius = 0.04f};
        coif_collider ball;
        coif_primitive_move(&ball, &round, &pose, &pose);
        hair.bodies = &ball;
        hair.body_count = 1;
        hair.params.max_depenetration_speed = 0.2f;
        CHECK(points_inside(&hair, &ball, 1e-4f) > 30);
        double fastest = 0.0;
        for (int f = 0; f < 30; ++f) {
            fixture_step(&hair);
            for (int32_t i = 0; i < hair.groom.rest.point_count; ++i) {
                fastest = fmax(fastest, coif_length(hair.velocities[i]));
            }
        }
        CHECK(points_inside(&hair, &ball, 1e-4f) == 0);
        CHECK(fastest < 1.0);
        CHECK(hair.report.stats.reset_strands == 0);
    }
}

// A ball of 2 cm that strikes the lock at 2 m/s on one side of its centre, as a distance function
// and as a sphere.
static const float BALL_SPEED = 2.0f;
static const float BALL_RADIUS = 0.02f;

static coif_vec3 ball_centre(double seconds)
{
    return coif_vec3_of(-0.05f + BALL_SPEED * (float)seconds, -0.2f, 0.01f);
}

static void ball_distance(void *context, coif_closest_point *nearest, const coif_vec3 *positions,
                          int32_t count, double seconds)
{
    int32_t *largest_batch = context;
    *largest_batch = count > *largest_batch ? count : *largest_batch;
    for (int32_t i = 0; i < count; ++i) {
        const coif_vec3 offset = coif_sub(positions[i], ball_centre(seconds));
        nearest[i].distance = coif_length(offset) - BALL_RADIUS;
        nearest[i].normal = coif_normalize(offset);
        nearest[i].motion = coif_vec3_of(BALL_SPEED, 0.0f, 0.0f);
    }
}

TEST(a_distance_function_collides_as_the_sphere_does)
{
    for (int c = 0; c < 4; ++c) {
        hair_fixture hair[2];
        coif_collider body[2];
        int32_t largest_batch = 0;
        coif_primitive sphere = {.shape = COIF_PRIMITIVE_SPHERE};
        coif_primitive function = {
            .shape = COIF_PRIMITIVE_FUNCTION, .function = ball_distance, .context = &largest_batch};
        for (int b = 0; b < 2; ++b) {
            hang(&hair[b], SOLVERS[c / 2], SUBSTEPS[c % 2]);
            hair[b].bodies = &body[b];
            hair[b].body_count = 1;
        }
        for (int f = 0; f < 6; ++f) {
            coif_primitive_pose pose[2];
            for (int e = 0; e < 2; ++e) {
                const coif_vec3 centre = ball_centre((f + e) / 24.0);
                pose[e] = (coif_primitive_pose){.ends = {centre, centre}, .radius = BALL_RADIUS};
            }
            coif_primitive_move(&body[0], &sphere, &pose[0], &pose[1]);
            coif_primitive_set_time(&body[1], &function, f / 24.0, 1.0 / 24.0);
            fixture_step(&hair[0]);
            fixture_step(&hair[1]);
            CHECK(points_inside(&hair[1], &body[1], 1e-4f) == 0);
            CHECK(hair[1].report.stats.contacts > 0 || f != 1);
            float apart = 0.0f;
            for (int32_t i = 0; i < hair[0].groom.rest.point_count; ++i) {
                apart =
                    fmaxf(apart, coif_length(coif_sub(hair[0].positions[i], hair[1].positions[i])));
            }
            CHECK(apart < (f < 2 ? 1e-4f : 1e-3f)); // rounding of normals, on hair of 30 cm
        }
        CHECK(largest_batch > 8);
    }
}

// Values that are not finite, and zero normals, are no surface.
static void wild_distance(void *context, coif_closest_point *nearest, const coif_vec3 *positions,
                          int32_t count, double seconds)
{
    (void)positions;
    (void)seconds;
    const float wild[3] = {NAN, -INFINITY, -1.0f};
    for (int32_t i = 0; i < count; ++i) {
        nearest[i].distance = wild[*(const int *)context];
        nearest[i].normal = coif_vec3_of(*(const int *)context < 2 ? 1.0f : 0.0f, 0.0f, 0.0f);
    }
}

TEST(a_wild_distance_function_is_no_body)
{
    for (int kind = 0; kind < 3; ++kind) {
        hair_fixture hair;
        coif_collider body;
        coif_primitive function = {
            .shape = COIF_PRIMITIVE_FUNCTION, .function = wild_distance, .context = &kind};
        hang(&hair, "pbd", 4);
        hair.bodies = &body;
        hair.body_count = 1;
        coif_primitive_set_time(&body, &function, 0.0, 1.0 / 24.0);
        fixture_step(&hair);
        CHECK(hair.report.stats.contacts == 0);
        CHECK(hair.report.stats.reset_strands == 0);
    }
}
