// strand_sim: <coif/sim.h>, the simulation of libcoif.
#include "core/scene/scene.h"
#include "sim/run/sim_params.h"
#include "sim/solver/solver.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

#include <coif/sim.h>

#include <pthread.h>

enum { STRANDS = 20, POINTS = 12, COUNT = STRANDS * POINTS };

static coif_arena arena = {.name = "test"};
static int32_t first[STRANDS + 1];
static float shape[3 * COUNT];
static coif_strand_sim_desc described; // of run_sim

// Straight strands of 22 cm that hang from a line.
static coif_strand_sim_desc hanging(void)
{
    coif_strand_sim_desc desc;
    coif_strand_sim_desc_init(&desc, sizeof desc);
    for (int32_t i = 0; i < COUNT; ++i) {
        first[i / POINTS + 1] = (i / POINTS + 1) * POINTS;
        shape[3 * i] = 0.002f * (float)(i / POINTS);
        shape[3 * i + 1] = -0.02f * (float)(i % POINTS);
        shape[3 * i + 2] = 0.0f;
    }
    desc.strand_count = STRANDS;
    desc.first_point = first;
    desc.points = shape;
    desc.threads = 1;
    return desc;
}

static coif_strand_sim *open_sim(const coif_strand_sim_desc *desc)
{
    coif_strand_sim *sim = NULL;
    CHECK(coif_strand_sim_create(&sim, desc) == COIF_OK);
    CHECK_TEXT(coif_last_error(), "");
    return sim;
}

static coif_strand_sim_stats step(coif_strand_sim *sim, int count)
{
    coif_strand_sim_stats stats = {.struct_size = sizeof stats};
    for (int i = 0; i < count; ++i) {
        CHECK(coif_strand_sim_step(sim, 1.0 / 24.0, &stats) == COIF_OK);
    }
    CHECK(stats.struct_size == sizeof stats);
    return stats;
}

static float largest_difference(const float *a, const float *b, int32_t count)
{
    float largest = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        largest = fmaxf(largest, fabsf(a[i] - b[i]));
    }
    return largest;
}

// The defaults of the description are those of "sim" in a scene.
TEST(defaults_are_those_of_scenes)
{
    coif_strand_sim_desc d;
    coif_strand_sim_desc_init(&d, sizeof d);
    coif_values values;
    coif_values_init(&values, COIF_SIM_SECTION.params, COIF_SIM_SECTION.param_count, &arena);
    coif_sim_params p;
    coif_values_at(&values, 0.0, &p);
    CHECK_TEXT(d.method, COIF_METHOD_NAMES[p.solver]);
    CHECK(d.substeps == p.substeps && d.iterations == p.iterations);
    CHECK(d.max_inner_steps == p.max_inner_steps);
    CHECK(d.interaction_interval == p.interaction_interval);
    const float pairs[][2] = {{d.radius, p.hair_radius},
                              {d.density, p.hair_density},
                              {d.youngs_modulus, p.youngs_modulus},
                              {d.poisson_ratio, p.poisson_ratio},
                              {d.ellipticity, p.ellipticity},
                              {d.bending_damping_time, p.bending_damping_time},
                              {d.stiffness, p.stiffness},
                              {d.stretch_stiffness, p.stretch_stiffness},
                              {d.bend_stiffness, p.bend_stiffness},
                              {d.shape_stiffness, p.shape_stiffness},
                              {d.ftl_velocity_correction, p.ftl_velocity_correction},
                              {d.spring_stretch_force, p.spring_stretch_force},
                              {d.curl_core_force, p.curl_core_force},
                              {d.spring_damping_time, p.spring_damping_time},
                              {d.spring_frame_smoothing, p.spring_frame_smoothing},
                              {d.curl_core_smoothing, p.curl_core_smoothing},
                              {d.gravity[1], p.gravity[1]},
                              {d.gravity_compensation, p.gravity_compensation},
                              {d.damping, p.damping},
                              {d.drag, p.drag},
                              {d.tangential_drag_reduction, p.tangential_drag_reduction},
                              {d.drag_coefficient, p.drag_coefficient},
                              {d.goal_frequency_root, p.goal_frequency_root},
                              {d.goal_frequency_tip, p.goal_frequency_tip},
                              {d.contact_margin, p.contact_margin},
                              {d.friction, p.friction},
                              {d.restitution, p.restitution},
                              {d.max_depenetration_speed, p.max_depenetration_speed},
                              {d.interaction_friction, p.interaction_friction},
                              {d.interaction_stiffness, p.interaction_stiffness},
                              {d.wind_attenuation, p.wind_attenuation},
                              {d.interaction_cell_size, p.interaction_cell_size}};
    for (size_t i = 0; i < COIF_COUNT_OF(pairs); ++i) {
        CHECK_NEAR(pairs[i][0], pairs[i][1], 0.0);
    }
}

TEST(errors_say_what_is_wrong)
{
    coif_strand_sim *sim = NULL;
    coif_strand_sim_desc desc = hanging();
    CHECK(coif_strand_sim_create(&sim, NULL) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "NULL");
    desc.struct_size = 0;
    CHECK(coif_strand_sim_create(&sim, &desc) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "struct_size");
    desc = hanging();
    desc.method = "magic";
    CHECK(coif_strand_sim_create(&sim, &desc) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "\"magic\" is not one of pbd, der");
    desc = hanging();
    desc.density = NAN;
    CHECK(coif_strand_sim_create(&sim, &desc) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "density is nan; expected 1 to 100000");
    desc = hanging();
    shape[3 * 7] = INFINITY;
    CHECK(coif_strand_sim_create(&sim, &desc) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "point 7 is not finite");
    desc = hanging();
    desc.youngs_modulus = -1.0f;
    CHECK(coif_strand_sim_create(&sim, &desc) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "youngs_modulus is -1; expected 0 to 1e+12");
    desc = hanging();
    float frames[9 * STRANDS] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, -1};
    desc.root_frames = frames;
    CHECK(coif_strand_sim_create(&sim, &desc) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "the root frame of strand 1 is no rotation");
    desc = hanging();
    first[1] = 1;
    CHECK(coif_strand_sim_create(&sim, &desc) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "strand 0 has fewer than 2 points");
    CHECK(sim == NULL);
    desc = hanging();
    sim = open_sim(&desc);
    const float twice[12] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0};
    CHECK(coif_strand_sim_move_roots(sim, twice) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "rigid");
    static const float roots[12 * STRANDS];
    CHECK(coif_strand_sim_set_roots(sim, roots) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "rotation");
    CHECK(coif_strand_sim_move_collider(sim, 0, twice) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "collider");
    CHECK(coif_strand_sim_step(sim, -1.0, NULL) == COIF_ERR_ARGUMENT);
    CHECK(coif_strand_sim_step(NULL, 1.0, NULL) == COIF_ERR_ARGUMENT);
    coif_strand_sim_stats stats = {.struct_size = 0};
    CHECK(coif_strand_sim_step(sim, 0.01, &stats) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "the struct_size of coif_strand_sim_stats is 0");
    CHECK(coif_strand_sim_time(sim) == 0.0);
    coif_strand_sim_destroy(sim);
    coif_strand_sim_destroy(NULL);
}

// A caller compiled with a shorter description gets the defaults of what it does not know.
TEST(a_shorter_description_keeps_defaults)
{
    float points[2][3 * COUNT];
    for (int i = 0; i < 2; ++i) {
        coif_strand_sim_desc desc = hanging();
        desc.wind[0] = 2.0f;
        desc.friction = i == 0 ? desc.friction : 10.0f;
        desc.struct_size =
            i == 0 ? sizeof desc : (uint32_t)offsetof(coif_strand_sim_desc, friction);
        const float below[3] = {0.1f, -0.1f, 0.0f};
        coif_strand_sim *sim = open_sim(&desc);
        CHECK(coif_strand_sim_add_capsule(sim, below, below, 0.08f, NULL) == COIF_OK);
        CHECK(step(sim, 12).contacts > 0);
        CHECK(coif_strand_sim_get_points(sim, points[i], NULL) == COIF_OK);
        coif_strand_sim_destroy(sim);
    }
    CHECK(memcmp(points[0], points[1], sizeof points[0]) == 0);
}

static const float BALL[3] = {0.08f, -0.13f, 0.008f}; // 1 cm beside the strands
static const float BALL_RADIUS = 0.03f;

static void ball_distance(void *context, const coif_distance_batch *batch)
{
    const float x = BALL[0] + *(const float *)context * (float)batch->time;
    for (int32_t i = 0; i < batch->count; ++i) {
        const float d[3] = {batch->x[i] - x, batch->y[i] - BALL[1], batch->z[i] - BALL[2]};
        const float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        batch->distance[i] = length - BALL_RADIUS;
        batch->nx[i] = d[0] / length;
        batch->ny[i] = d[1] / length;
        batch->nz[i] = d[2] / length;
        batch->vx[i] = *(const float *)context;
    }
}

// The same ball as a capsule, a mesh and a distance function, for every method.
TEST(colliders_of_all_kinds_push_alike)
{
    const coif_mesh mesh =
        shape_sphere(coif_vec3_of(BALL[0], BALL[1], BALL[2]), BALL_RADIUS, 24, &arena);
    float speed = -0.25f;
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        static float points[3][3 * COUNT];
        for (int kind = 0; kind < 3; ++kind) {
            coif_strand_sim_desc desc = hanging();
            desc.method = COIF_METHOD_NAMES[m];
            coif_strand_sim *sim = open_sim(&desc);
            int32_t index = -1;
            CHECK((kind == 0   ? coif_strand_sim_add_capsule(sim, BALL, BALL, BALL_RADIUS, &index)
                   : kind == 1 ? coif_strand_sim_add_distance(sim, ball_distance, &speed, &index)
                               : coif_strand_sim_add_mesh(sim, mesh.vertex_count,
                                                          &mesh.positions->x, mesh.triangle_count,
                                                          mesh.indices, &index)) == COIF_OK);
            CHECK(index == 0);
            for (int f = 1; f <= 6; ++f) {
                const float pose[12] = {1, 0, 0, speed * (float)f / 24.0f, 0, 1, 0, 0, 0, 0, 1, 0};
                CHECK(coif_strand_sim_move_collider(sim, 0, pose) ==
                      (kind == 1 ? COIF_ERR_ARGUMENT : COIF_OK));
                CHECK(step(sim, 1).contacts > 0 || f < 4);
            }
            CHECK(coif_strand_sim_get_points(sim, points[kind], NULL) == COIF_OK);
            coif_strand_sim_destroy(sim);
        }
        CHECK(largest_difference(points[0], shape, 3 * COUNT) > 0.01f);
        CHECK_NEAR(largest_difference(points[0], points[1], 3 * COUNT), 0.0, 1e-3);
        CHECK_NEAR(largest_difference(points[0], points[2], 3 * COUNT), 0.0, 4e-3);
    }
}

static void add_gust(void *context, const coif_force_batch *batch)
{
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->wind_x[i] += 4.0f;
        batch->ay[i] += context != NULL && batch->y[i] < -0.1f ? NAN : 1.0f;
    }
}

// Hair of 22 cm in a ball of 15 cm, whose surface reaches inwards by 2 cm.
TEST(a_boundary_with_a_margin_keeps_hair_inside)
{
    const coif_strand_sim_desc desc = hanging();
    coif_strand_sim *sim = open_sim(&desc);
    const float centre[3] = {0.02f, -0.05f, 0.0f};
    coif_collider_surface surface = {.struct_size = sizeof surface, .inner = 1};
    int32_t ball;
    float points[3 * COUNT];
    CHECK(coif_strand_sim_add_capsule(sim, centre, centre, 0.15f, &ball) == COIF_OK);
    for (int turn = 0; turn < 2; ++turn) { // the margin grows while hair rests on it
        surface.margin = turn == 0 ? 0.02f : 0.03f;
        CHECK(coif_strand_sim_set_surface(sim, ball, &surface) == COIF_OK);
        step(sim, 40);
        CHECK(coif_strand_sim_get_points(sim, points, NULL) == COIF_OK);
        float largest = 0.0f;
        for (int32_t i = 0; i < COUNT; ++i) {
            const coif_vec3 p = {points[3 * i] - centre[0], points[3 * i + 1] - centre[1],
                                 points[3 * i + 2] - centre[2]};
            largest = fmaxf(largest, coif_length(p));
        }
        CHECK(largest < 0.1501f - surface.margin && largest > 0.14f - surface.margin);
    }
    surface.softness = -1.0f;
    CHECK(coif_strand_sim_set_surface(sim, ball, &surface) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "softness is -1; expected 0 to 0.1");
    CHECK(coif_strand_sim_set_surface(sim, 7, &surface) == COIF_ERR_ARGUMENT);
    coif_strand_sim_destroy(sim);
}

TEST(threads_do_not_change_bits)
{
    static float points[2][3 * COUNT];
    for (int i = 0; i < 2; ++i) {
        coif_strand_sim_desc desc = hanging();
        desc.threads = 1 + 2 * i;
        coif_strand_sim *sim = open_sim(&desc);
        CHECK(coif_strand_sim_set_force(sim, add_gust, NULL) == COIF_OK);
        CHECK(step(sim, 10).rejected_forces == 0);
        CHECK_NEAR(coif_strand_sim_time(sim), 10.0 / 24.0, 1e-12);
        CHECK(coif_strand_sim_get_points(sim, points[i], NULL) == COIF_OK);
        coif_strand_sim_destroy(sim);
    }
    CHECK(memcmp(points[0], points[1], sizeof points[0]) == 0);
    CHECK(largest_difference(points[0], shape, 3 * COUNT) > 0.02f);
}

// Points after 10 steps, and the error of a call that fails on the same thread.
typedef struct run_result {
    float points[3 * COUNT];
    char error[64];
} run_result;

static void *run_sim(void *context)
{
    run_result *result = context;
    const coif_strand_sim_desc desc = described;
    coif_strand_sim *sim = open_sim(&desc);
    step(sim, 10);
    coif_strand_sim_get_points(sim, result->points, NULL);
    coif_strand_sim_destroy(sim);
    coif_strand_sim_create(&sim, NULL);
    snprintf(result->error, sizeof result->error, "%s", coif_last_error());
    return NULL;
}

// Objects of different threads are independent, and so are their errors.
TEST(threads_may_have_objects_of_their_own)
{
    static run_result results[3];
    pthread_t threads[3];
    described = hanging();
    described.threads = 2;
    described.wind[0] = 2.0f;
    for (int i = 0; i < 3; ++i) {
        CHECK(pthread_create(&threads[i], NULL, run_sim, &results[i]) == 0);
    }
    for (int i = 0; i < 3; ++i) {
        CHECK(pthread_join(threads[i], NULL) == 0);
        CHECK_CONTAINS(results[i].error, "is NULL");
        CHECK(memcmp(results[i].points, results[0].points, sizeof results[0].points) == 0);
    }
}

// Wind moves hair less behind other hair, with the same bits for any number of threads.
TEST(hair_attenuates_wind)
{
    float mean[3] = {0};
    static float result[3][3 * COUNT];
    for (int i = 0; i < 3; ++i) {
        coif_strand_sim_desc desc = hanging();
        desc.wind[0] = 3.0f;
        desc.threads = 1 + i;
        desc.wind_attenuation = i > 0 ? 10.0f : 0.0f;
        desc.interaction_friction = i > 0 ? 2.0f : 0.0f;
        desc.hairs_per_strand = 3000.0f;
        coif_strand_sim *sim = open_sim(&desc);
        CHECK(step(sim, 8).reset_strands == 0);
        CHECK(coif_strand_sim_step(sim, 1.0 / 20.0, NULL) == COIF_OK); // another solver
        CHECK(coif_strand_sim_get_points(sim, result[i], NULL) == COIF_OK);
        coif_strand_sim_destroy(sim);
        for (int32_t k = 0; k < COUNT; ++k) {
            mean[i] += (result[i][3 * k] - shape[3 * k]) / COUNT;
        }
    }
    CHECK(mean[0] > 0.01f);
    CHECK(mean[1] < 0.8f * mean[0] && mean[1] > 0.0f);
    CHECK(memcmp(result[1], result[2], sizeof result[1]) == 0);
}

TEST(forces_that_are_not_finite_are_rejected)
{
    coif_strand_sim_desc desc = hanging();
    static float points[3 * COUNT];
    coif_strand_sim *sim = open_sim(&desc);
    CHECK(coif_strand_sim_set_force(sim, add_gust, sim) == COIF_OK);
    const coif_strand_sim_stats stats = step(sim, 4);
    CHECK(stats.rejected_forces > 0 && stats.reset_strands == 0);
    CHECK(coif_strand_sim_get_points(sim, points, NULL) == COIF_OK);
    for (int32_t i = 0; i < 3 * COUNT; ++i) {
        CHECK(isfinite(points[i]));
    }
    coif_strand_sim_destroy(sim);
}

// Roots, and points that are pinned, follow the transform of the roots exactly.
TEST(pinned_points_follow_the_roots)
{
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        uint8_t pinned[COUNT] = {0};
        static float points[3 * COUNT];
        coif_strand_sim_desc desc = hanging();
        for (int32_t i = 0; i < COUNT; ++i) {
            pinned[i] = i % POINTS < 4;
        }
        desc.pinned = pinned;
        desc.method = COIF_METHOD_NAMES[m];
        coif_strand_sim *sim = open_sim(&desc);
        for (int f = 1; f <= 6; ++f) {
            const float pose[12] = {0, 0, 1, 0.02f * (float)f, 0, 1, 0, 0, -1, 0, 0, 0};
            CHECK(coif_strand_sim_move_roots(sim, pose) == COIF_OK);
            CHECK(step(sim, 1).reset_strands == 0);
        }
        CHECK(coif_strand_sim_get_points(sim, points, NULL) == COIF_OK);
        for (int32_t i = 0; i < COUNT; ++i) {
            const float wanted[3] = {0.12f + shape[3 * i + 2], shape[3 * i + 1], -shape[3 * i]};
            CHECK(!pinned[i] || largest_difference(&points[3 * i], wanted, 3) < 1e-5f);
        }
        coif_strand_sim_destroy(sim);
    }
}

TEST(points_can_be_set_and_reset)
{
    static float moved[3 * COUNT], points[3 * COUNT], velocities[3 * COUNT];
    coif_strand_sim_desc desc = hanging();
    coif_strand_sim *sim = open_sim(&desc);
    memcpy(moved, shape, sizeof moved);
    for (int32_t i = 0; i < COUNT; ++i) {
        moved[3 * i + 2] = 0.1f * shape[3 * i + 1];
    }
    CHECK(coif_strand_sim_set_points(sim, moved, velocities) == COIF_OK);
    CHECK(coif_strand_sim_get_points(sim, points, NULL) == COIF_OK);
    CHECK(memcmp(points, moved, sizeof points) == 0);
    step(sim, 1);
    CHECK(coif_strand_sim_get_points(sim, points, velocities) == COIF_OK);
    CHECK(points[3 * POINTS - 1] < -0.005f); // the tip has not jumped back
    CHECK(velocities[3 * POINTS - 1] > 0.01f);
    CHECK(coif_strand_sim_reset(sim) == COIF_OK);
    CHECK(coif_strand_sim_get_points(sim, points, velocities) == COIF_OK);
    CHECK(largest_difference(points, shape, 3 * COUNT) < 1e-6f);
    for (int32_t i = 0; i < 3 * COUNT; ++i) {
        CHECK(velocities[i] == 0.0f);
    }
    coif_strand_sim_destroy(sim);
}

// A longer step keeps positions, velocities and the state of the method.
TEST(a_longer_step_keeps_the_state)
{
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        static float before[3 * COUNT], after[3 * COUNT], velocities[3 * COUNT];
        coif_strand_sim_desc desc = hanging();
        desc.method = COIF_METHOD_NAMES[m];
        desc.wind[0] = 3.0f;
        desc.contact_margin = 0.1f; // the largest
        coif_strand_sim *sim = open_sim(&desc);
        step(sim, 3);
        CHECK(coif_strand_sim_get_points(sim, before, velocities) == COIF_OK);
        CHECK(coif_strand_sim_step(sim, 1.0 / 20.0, NULL) == COIF_OK);
        CHECK(coif_strand_sim_get_points(sim, after, NULL) == COIF_OK);
        static const float zero[3 * COUNT];
        const float fastest = largest_difference(velocities, zero, 3 * COUNT);
        CHECK(fastest > 0.1f);
        CHECK(largest_difference(before, after, 3 * COUNT) < 2.0f * fastest / 20.0f + 0.01f);
        coif_strand_sim_destroy(sim);
    }
}

// Tips pinned to a point that moves, and strands pulled to a shape.
TEST(pins_and_goals_hold_points)
{
    const coif_strand_sim_desc desc = hanging();
    coif_strand_sim *sim = open_sim(&desc);
    static float positions[3 * COUNT], wanted[3 * COUNT], strength[COUNT];
    for (int32_t s = 0; s < STRANDS; ++s) {
        strength[first[s + 1] - 1] = 1.0f;
    }
    coif_strand_targets pins = {
        .struct_size = sizeof pins, .positions = wanted, .strength = strength};
    memcpy(wanted, shape, sizeof shape);
    for (int frame = 0; frame < 24; ++frame) {
        for (int32_t s = 0; s < STRANDS; ++s) {
            wanted[3 * first[s + 1] - 3] += 0.005f;
            wanted[3 * first[s + 1] - 2] += 0.004f;
        }
        CHECK(coif_strand_sim_set_pins(sim, &pins) == COIF_OK);
        CHECK(step(sim, 1).max_stretch < 0.01f);
    }
    CHECK(coif_strand_sim_get_points(sim, positions, NULL) == COIF_OK);
    for (int32_t s = 0; s < STRANDS; ++s) {
        const int32_t tip = 3 * (first[s + 1] - 1);
        CHECK(memcmp(positions + tip, wanted + tip, 3 * sizeof(float)) == 0);
    }
    // Released, and held in the rest shape.
    CHECK(coif_strand_sim_set_pins(sim, NULL) == COIF_OK);
    for (int32_t i = 0; i < COUNT; ++i) {
        strength[i] = 1.0f;
    }
    const coif_strand_targets goals = {.struct_size = sizeof goals, .strength = strength};
    CHECK(coif_strand_sim_set_goals(sim, &goals) == COIF_OK);
    step(sim, 1);
    CHECK(coif_strand_sim_get_points(sim, positions, NULL) == COIF_OK);
    CHECK_NEAR((double)largest_difference(positions, shape, 3 * COUNT), 0.0, 1e-6);
    strength[5] = 1.5f;
    CHECK(coif_strand_sim_set_goals(sim, &goals) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "strength");
    strength[5] = 1.0f;
    pins.axes = wanted;
    CHECK(coif_strand_sim_set_pins(sim, &pins) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "axis");
    CHECK(coif_strand_sim_set_goals(NULL, NULL) == COIF_ERR_ARGUMENT);
    coif_strand_sim_destroy(sim);
}
