// Contact: sliding, sticking, bouncing and draping against reference solutions; no tunnelling.
// Reference values are in tests/data/reference.
#include "sim/solver/solver_internal.h"
#include "tests/support/solver_methods.h"

static coif_arena arena = {.name = "test"};

static const float PI = 3.14159265f;

// Level, at a height, along z: what happens happens to all points alike.
static const coif_vec3 *lying(int32_t points, float height)
{
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = coif_vec3_of(0.0f, height, 0.01f * (float)k);
    }
    return shape;
}

static void on_floor_varied(hair_fixture *hair, coif_sim_params params, float height,
                            const coif_param_fields *fields)
{
    coif_collider *floor = coif_arena_new(&arena, 1, coif_collider);
    coif_mesh *mesh = coif_arena_new(&arena, 1, coif_mesh);
    *mesh = shape_plane(20.0f, 8, &arena);
    coif_collider_build(floor, mesh, &arena);
    const hair_fixture_desc desc = {.shape = lying(4, height),
                                    .length = 4,
                                    .strand_count = 2,
                                    .params = params,
                                    .vary = fields};
    fixture_open(hair, &desc, &arena, NULL);
    hair->bodies = floor;
    hair->body_count = 1;
}

static void on_floor(hair_fixture *hair, coif_sim_params params, float height)
{
    on_floor_varied(hair, params, height, NULL);
}

// The plane stays level and gravity tilts. Below the friction angle nothing moves at all.
TEST(friction_holds_or_slides_as_coulomb_says)
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
        hair_fixture hair;
        on_floor(&hair, params, 0.00104f);
        fixture_run(&hair, 24);
        const double wanted = rows[i][2];
        if (wanted == 0.0) {
            CHECK_NEAR(hair.positions[0].x, 0.0, 1e-6);
        } else {
            CHECK_NEAR(hair.velocities[0].x, wanted, 0.05 * wanted);
        }
        CHECK(hair.positions[0].y > 0.0005f);
    }
}

TEST(drops_bounce_to_the_square_of_restitution)
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
        hair_fixture hair;
        on_floor(&hair, params, 0.30104f);
        double highest = 0.0;
        for (int f = 0; f < 60; ++f) {
            fixture_step(&hair);
            if (f > 26) { // it touches after 0.247 s
                highest = fmax(highest, (double)hair.positions[1].y - 0.00104);
            }
        }
        CHECK_NEAR(highest / 0.3, rows[i][2], 0.02);
    }
}

// Two strands that fall side by side, each with its own restitution.
TEST(strands_bounce_as_their_own_roots_say)
{
    static const float fractions[2] = {0.3f, 0.9f};
    coif_param_fields fields = {.digest = 1};
    fields.rows[COIF_FIELD_RESTITUTION].per_strand = fractions;
    coif_sim_params params = bare_params();
    params.fps = 100.0f;
    params.substeps = 20;
    params.restitution = 1.0f; // that of a mapped row
    hair_fixture hair;
    on_floor_varied(&hair, params, 0.30104f, &fields);
    double highest[2] = {0.0, 0.0};
    for (int f = 0; f < 60; ++f) {
        fixture_step(&hair);
        for (int s = 0; s < 2 && f > 26; ++s) {
            highest[s] = fmax(highest[s], (double)hair.positions[4 * s + 1].y - 0.00104);
        }
    }
    CHECK_NEAR(highest[0] / 0.3, 0.09, 0.02);
    CHECK_NEAR(highest[1] / 0.3, 0.81, 0.02);
}

static double deepest(const hair_fixture *hair, const coif_collider *body)
{
    double least = 1.0;
    for (int32_t i = 0; i < hair->groom.rest.point_count; ++i) {
        coif_closest_point nearest;
        coif_collider_closest_point(
            &nearest, body,
            &(coif_closest_point_query){
                .position = hair->positions[i], .time = 1.0f, .max_distance = 0.1f, .hint = -1});
        least = fmin(least, (double)nearest.distance);
    }
    return least;
}

// A level lock dropped across a sphere: drapes over it, slides off or stays, and is never inside.
TEST(a_lock_falling_on_a_sphere_is_never_inside)
{
    enum { POINTS = 24 };
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.25f * ((float)k / (POINTS - 1) - 0.4f), 0.15f, 0.0f);
    }
    coif_sim_params params = bare_params();
    params.friction = 0.3f;
    params.damping = 1.0f;
    params.bend_stiffness = 0.2f;
    params.stiffness = 1.0f;
    const hair_fixture_desc desc = {.shape = shape,
                                    .length = POINTS,
                                    .strand_count = 16,
                                    .spread = 0.003f,
                                    .params = params,
                                    .pinned = 0};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 16, &arena);
    coif_collider sphere;
    coif_collider_build(&sphere, &mesh, &arena);
    hair.bodies = &sphere;
    hair.body_count = 1;
    double worst = 1.0;
    int64_t most = 0;
    for (int f = 0; f < 36; ++f) {
        fixture_step(&hair);
        worst = fmin(worst, deepest(&hair, &sphere));
        most = hair.report.stats.contacts > most ? hair.report.stats.contacts : most;
    }
    CHECK(worst > 0.0);
    CHECK(fixture_stretch(&hair) < 0.02);
    CHECK_NEAR(hair.report.stats.stretch, fixture_stretch(&hair), 1e-6);
    CHECK(most > 0 && most < hair.groom.rest.point_count);
    CHECK(hair.report.stats.reset_strands == 0);
}

// A sphere that sweeps through a hanging curtain faster than its thickness per substep drags the
// hair along instead of passing through.
TEST(a_fast_body_does_not_pass_through)
{
    const coif_sim_params params = bare_params();
    const hair_fixture_desc desc = {.shape = fixture_hanging(24, 0.3f, &arena),
                                    .length = 24,
                                    .strand_count = 8,
                                    .params = params,
                                    .pinned = 2};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
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
        coif_collider_refit(&sphere, pose[0], pose[1]);
        fixture_step(&hair);
        worst = fmin(worst, deepest(&hair, &sphere));
    }
    CHECK(worst > -1e-4);
    CHECK(hair.positions[16].x > 0.02f); // pushed along, not left behind
}

// Planes are made early: the first points of this strand always have one, and none ever bears it.
TEST(a_body_out_of_contact_range_has_no_effect)
{
    enum { POINTS = 24 };
    coif_vec3 shape[POINTS];
    for (int32_t k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.0001f * (float)k, 0.0015f + 0.0012f * (float)k, 0.0f);
    }
    coif_mesh mesh = shape_plane(1.0f, 1, &arena);
    coif_collider floor;
    coif_collider_build(&floor, &mesh, &arena);
    uint64_t digests[2];
    for (int32_t bodies = 0; bodies < 2; ++bodies) {
        coif_sim_params params = hair_params("der");
        params.friction = 0.4f;
        const hair_fixture_desc desc = {.shape = shape,
                                        .length = POINTS,
                                        .strand_count = 3,
                                        .spread = 0.01f,
                                        .params = params,
                                        .pinned = 1};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        hair.bodies = &floor;
        hair.body_count = bodies;
        fixture_run(&hair, 6);
        CHECK(hair.report.stats.contacts == 0);
        CHECK(hair.solver.core->scratch->has_contacts == (bodies == 1));
        digests[bodies] = fixture_digest(&hair);
    }
    CHECK(digests[0] == digests[1]);
}
