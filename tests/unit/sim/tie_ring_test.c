// tie_ring: equilibrium and momentum of tied bundles.
#include "core/base/vec3d.h"
#include "sim/run/constraints.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/sim_scene.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 12, POINTS = 21 };

static const float LENGTH = 0.2f;

// Limp strands that hang from a circle, tied by the constraint of a scene.
typedef struct bundle {
    hair_fixture hair;
    coif_constraints constraints;
} bundle;

static void open_bundle(bundle *tied, const char *constraint, const coif_vec3 *offsets,
                        coif_sim_params params)
{
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"constraints\": [%s]}]}",
        constraint);
    coif_scene *scene = coif_arena_new(&arena, 1, coif_scene);
    *scene = ball_scene(text, NULL, &arena);
    const hair_fixture_desc desc = {.shape = fixture_hanging(POINTS, LENGTH, &arena),
                                    .length = POINTS,
                                    .strand_count = STRANDS,
                                    .offsets = offsets,
                                    .params = params,
                                    .kernel = "auto",
                                    .pinned = 2};
    fixture_open(&tied->hair, &desc, &arena, NULL);
    const coif_constraints_desc constraints = {
        .groom = {.scene = scene,
                  .groom_node = &coif_node_at(scene->root, "grooms")->children[0],
                  .groom = &tied->hair.groom,
                  .rest = &tied->hair.scalp},
        .body = -1,
        .params = &tied->hair.params};
    coif_error error = {0};
    CHECK_OK(coif_constraints_open(&tied->constraints, &constraints, &arena, &error), error);
    tied->hair.constraints = &tied->constraints;
}

static coif_sim_params rod_params(int32_t root)
{
    coif_sim_params params = bare_params();
    params.enabled = 1;
    params.solver = 1; // der
    params.root_boundary = root;
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    params.youngs_modulus = 1e4f; // limp
    params.poisson_ratio = 0.4f;
    params.stiffness = 1.0f;
    return params;
}

static const coif_vec3 *circle(float radius)
{
    coif_vec3 *offsets = coif_arena_new(&arena, STRANDS, coif_vec3);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const double angle = 6.283185307179586 * s / STRANDS;
        offsets[s] = coif_vec3_of(radius * (float)cos(angle), 0.0f, radius * (float)sin(angle));
    }
    return offsets;
}

// A strand of length l from the circle of radius R to a ring of radius r hangs nearly straight, so
// that the ring is sqrt(l^2 - (R - r)^2) below. Its own weight shortens the chord by 0.3 %.
static void check_ring(const bundle *tied, float roots, float ring, int32_t point)
{
    const double length = LENGTH * point / (POINTS - 1);
    const double across = roots - ring;
    const double depth = sqrt(length * length - across * across);
    coif_vec3 centre = {0};
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 p = tied->hair.positions[s * POINTS + point];
        CHECK_NEAR(hypot(p.x, p.z), ring, 0.01 * ring);
        CHECK_NEAR(-p.y, depth, 0.005 * depth);
        centre = coif_mad(centre, 1.0f / STRANDS, p);
    }
    CHECK_NEAR(hypot(centre.x, centre.z), 0.0, 1e-5);
    CHECK(fixture_stretch(&tied->hair) < 1e-4);
}

TEST(strands_pulled_into_a_free_ring_hang_from_their_roots_to_it)
{
    coif_sim_params params = rod_params(COIF_ROOT_PINNED);
    params.damping = 8.0f;
    bundle tied;
    open_bundle(&tied,
                "{\"type\": \"tie\", \"target\": \"free\", \"from\": 0.5, \"to\": 0.5,"
                " \"radius\": 0.01, \"slide\": true}",
                circle(0.05f), params);
    CHECK(tied.constraints.items[0].points.count == STRANDS);
    fixture_run(&tied.hair, 96);
    check_ring(&tied, 0.05f, 0.01f, POINTS / 2);
}

// The ring is given and points slide along its axis.
TEST(strands_pulled_into_a_ring_in_space_touch_it)
{
    coif_sim_params params = rod_params(COIF_ROOT_PINNED);
    params.damping = 8.0f;
    bundle tied;
    open_bundle(&tied,
                "{\"type\": \"tie\", \"target\": \"locator\", \"points\": \"nearest\","
                " \"position\": [0, -0.1, 0], \"radius\": 0.02, \"slide\": true}",
                circle(0.05f), params);
    fixture_run(&tied.hair, 96);
    check_ring(&tied, 0.05f, 0.02f, POINTS / 2);
}

static coif_vec3 centre_of_mass(const hair_fixture *hair)
{
    coif_vec3d sum = {0};
    double mass = 0.0;
    for (int32_t i = 0; i < STRANDS * POINTS; ++i) {
        const double m = i % POINTS == 0 || i % POINTS == POINTS - 1 ? 0.5 : 1.0;
        const coif_vec3 p = hair->positions[i];
        sum = coif_vec3d_mad(sum, m, (coif_vec3d){p.x, p.y, p.z});
        mass += m;
    }
    return coif_vec3_of((float)(sum.x / mass), (float)(sum.y / mass), (float)(sum.z / mass));
}

// An uneven bundle without roots: the tie draws it together while it falls.
TEST(a_tied_bundle_falls_as_a_free_body)
{
    coif_vec3 offsets[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        const float out = s < 3 ? 0.02f : 0.01f;
        offsets[s] = coif_vec3_of(out, 0.002f * (float)s, 0.001f * (float)(s % 4));
    }
    bundle tied, loose;
    open_bundle(&tied,
                "{\"type\": \"tie\", \"target\": \"free\", \"from\": 0.5, \"to\": 0.5,"
                " \"radius\": 0.005}",
                offsets, rod_params(COIF_ROOT_FREE));
    open_bundle(&loose, "", offsets, rod_params(COIF_ROOT_FREE));
    fixture_run(&tied.hair, 12);
    fixture_run(&loose.hair, 12);
    const coif_vec3 a = centre_of_mass(&tied.hair), b = centre_of_mass(&loose.hair);
    const double fallen = -b.y;
    CHECK(fallen > 1.0);
    CHECK_NEAR(a.y, b.y, 0.001 * fallen);
    CHECK_NEAR(a.x, b.x, 0.0005 * fallen);
    CHECK_NEAR(a.z, b.z, 0.0005 * fallen);
    // The bundle is together.
    for (int32_t s = 0; s < STRANDS; ++s) {
        const coif_vec3 p = tied.hair.positions[s * POINTS + POINTS / 2];
        CHECK(hypot(p.x - a.x, p.z - a.z) < 0.006);
    }
}
