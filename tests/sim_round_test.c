// round: spheres, capsules and planes, and how hair comes out of them.
#include "sim/contact.h"
#include "sim/round.h"
#include "tests/sim_shapes.h"
#include "tests/sim_tuft.h"
#include "tests/test.h"

static coif_arena arena = {.name = "test"};

static const coif_round_pose CAPSULE = {.ends = {{-0.1f, 0, 0}, {0.1f, 0, 0}}, .radius = 0.02f};

static coif_nearest found_at(const coif_collider *collider, coif_vec3 place, float moment)
{
    coif_nearest nearest;
    CHECK(coif_collider_find(
        &nearest, collider,
        &(coif_search){.place = place, .moment = moment, .reach = 10.0f, .hint = -1}));
    return nearest;
}

static void distances_are_exact(void)
{
    coif_round round = {.shape = COIF_ROUND_CAPSULE};
    coif_collider collider;
    coif_round_move(&collider, &round, &CAPSULE, &CAPSULE);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0.05f, 0.05f, 0), 0).distance, 0.03, 1e-7);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0.13f, 0.04f, 0), 0).distance, 0.03, 1e-7);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0.0f, 0.01f, 0), 0).distance, -0.01, 1e-7);
    CHECK_NEAR(coif_length(found_at(&collider, coif_vec3_of(0, 0, 0), 0).normal), 1.0, 1e-6);

    coif_round_pose up = CAPSULE;
    up.ends[0].y = up.ends[1].y = 0.1f;
    coif_round_move(&collider, &round, &CAPSULE, &up);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0, 0.2f, 0), 0.5f).distance, 0.13, 1e-6);
    CHECK_NEAR(found_at(&collider, coif_vec3_of(0, 0.2f, 0), 0.5f).motion.y, 0.1, 1e-6);

    coif_round plane = {.shape = COIF_ROUND_PLANE};
    const coif_round_pose level = {.ends = {{0, 0.5f, 0}, {0, 1, 0}}};
    coif_round_move(&collider, &plane, &level, &level);
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
    params.push_out = 1.0f;
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    params.young = 3.9e9f;
    params.poisson = 0.4f;
    params.stiffness = 1.0f;
    params.bend_damping = 0.005f;
    return params;
}

static void hang(tuft *hair, const char *solver, int32_t substeps)
{
    enum { POINTS = 24 };
    static coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.0f, -0.3f * (float)k / (POINTS - 1), 0.0f);
    }
    const tuft_desc desc = {.shape = shape,
                            .length = POINTS,
                            .strand_count = 8,
                            .spread = 0.002f,
                            .params = hair_params(solver, substeps),
                            .pinned = strcmp(solver, "pbd") == 0 ? 2 : 1};
    tuft_open(hair, &desc, &arena, NULL);
}

// Points of the lock that are deeper inside of the collider than this.
static int32_t points_inside(const tuft *hair, const coif_collider *collider, float depth)
{
    int32_t inside = 0;
    for (int32_t i = 0; i < hair->groom.rest.point_count; ++i) {
        coif_nearest nearest;
        const coif_search search = {
            .place = hair->places[i], .moment = 1.0f, .reach = 0.05f, .hint = -1};
        inside += coif_collider_find(&nearest, collider, &search) && nearest.distance < -depth;
    }
    return inside;
}

static const char *const SOLVERS[] = {"pbd", "rod"};
// A lock inside a ball comes out, no faster than it may.
static void hair_comes_out_calmly(void)
{
    for (int c = 0; c < 2; ++c) {
        tuft hair;
        hang(&hair, SOLVERS[c], 10);
        coif_round round = {.shape = COIF_ROUND_SPHERE};
        const coif_round_pose pose = {.ends = {{-0.01f, -0.2f, 0}, {-0.01f, -0.2f, 0}},
                                      .radius = 0.04f};
        coif_collider ball;
        coif_round_move(&ball, &round, &pose, &pose);
        hair.bodies = &ball;
        hair.body_count = 1;
        hair.params.push_out = 0.2f;
        CHECK(points_inside(&hair, &ball, 1e-4f) > 30);
        double fastest = 0.0;
        for (int f = 0; f < 30; ++f) {
            tuft_step(&hair);
            for (int32_t i = 0; i < hair.groom.rest.point_count; ++i) {
                fastest = fmax(fastest, coif_length(hair.velocities[i]));
            }
        }
        CHECK(points_inside(&hair, &ball, 1e-4f) == 0);
        CHECK(fastest < 1.0);
        CHECK(hair.report.healed == 0);
    }
}

TEST_MAIN(TEST(distances_are_exact), TEST(hair_comes_out_calmly))
