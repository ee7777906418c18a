// lock_cohesion: strands of a lock follow their mean motion; locks of imported strands are found.
#include "sim/interaction/lock_cohesion.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "sim/groom/lock_detect.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 24, POINTS = 6 };

// Free strands in weightlessness, 24 of them in locks of two.
static void open_pairs(hair_fixture *hair, float rate, int32_t *clump, const char *kernel,
                       coif_jobs *jobs)
{
    coif_sim_params params = bare_params();
    params.gravity[1] = 0.0f;
    params.substeps = 16;
    params.interaction_interval = 1;
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    params.cohesion = rate;
    const hair_fixture_desc desc = {.shape = fixture_hanging(POINTS, 0.1f, &arena),
                                    .length = POINTS,
                                    .strand_count = STRANDS,
                                    .spread = 0.002f,
                                    .params = params,
                                    .kernel = kernel,
                                    .clump = clump};
    fixture_open(hair, &desc, &arena, jobs);
    for (int32_t p = 0; p < hair->groom.rest.point_count; ++p) {
        hair->velocities[p] = coif_vec3_of(p / POINTS % 2 == 0 ? 0.3f : 0.1f, 0.0f, 0.0f);
    }
    coif_solver_set_points(hair->solver.core, hair->positions, hair->velocities);
}

static int32_t *pairs(void)
{
    int32_t *clump = coif_arena_new(&arena, STRANDS, int32_t);
    for (int32_t s = 0; s < STRANDS; ++s) {
        clump[s] = s - s % 2;
    }
    return clump;
}

// Mean distance in x of the two strands of a lock, and their mean position.
static void measure(const hair_fixture *hair, double *apart, double *mean)
{
    *apart = *mean = 0.0;
    for (int32_t p = 0; p < hair->groom.rest.point_count; ++p) {
        const double x = hair->positions[p].x;
        *apart += (p / POINTS % 2 == 0 ? 2.0 : -2.0) * x / hair->groom.rest.point_count;
        *mean += x / hair->groom.rest.point_count;
    }
}

// Critical damping: each strand is v t exp(-w t) from the mean, which moves on.
TEST(strands_of_a_lock_return_to_their_mean_motion)
{
    hair_fixture hair;
    open_pairs(&hair, 8.0f, pairs(), "auto", NULL);
    for (int frame = 1; frame <= 12; ++frame) {
        fixture_step(&hair);
        double apart, mean;
        measure(&hair, &apart, &mean);
        const double t = frame / 24.0;
        const double wanted = 0.2 * t * exp(-8.0 * t);
        CHECK_NEAR(apart, wanted, 0.04 * 0.2 / 8.0 / 2.718281828);
        CHECK_NEAR(mean, 0.2 * t, 1e-4);
    }
}

TEST(any_rate_is_stable)
{
    hair_fixture hair;
    open_pairs(&hair, 1000.0f, pairs(), "auto", NULL);
    hair.params.interaction_interval = 0;
    hair.params.substeps = 2;
    fixture_run(&hair, 48);
    double apart, mean;
    measure(&hair, &apart, &mean);
    CHECK_NEAR(apart, 0.0, 1e-3);
    CHECK_NEAR(mean, 0.4, 0.01);
}

// Single strands, strands of no lock, and a rate of zero: the bits of hair without locks.
TEST(nothing_acts_without_a_lock_of_two)
{
    int32_t single[STRANDS], none[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        single[s] = s;
        none[s] = -1;
    }
    hair_fixture plain;
    open_pairs(&plain, 0.0f, NULL, "auto", NULL);
    fixture_run(&plain, 6);
    int32_t *const clumps[] = {single, none, pairs()};
    for (int i = 0; i < 3; ++i) {
        hair_fixture other;
        open_pairs(&other, i < 2 ? 8.0f : 0.0f, clumps[i], "auto", NULL);
        fixture_run(&other, 6);
        CHECK(fixture_digest(&other) == fixture_digest(&plain));
    }
}

TEST(threads_and_lanes_change_no_bit)
{
    hair_fixture one;
    open_pairs(&one, 8.0f, pairs(), "wide4", NULL);
    fixture_run(&one, 6);
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, 3, &arena, &error), error);
    hair_fixture other;
    open_pairs(&other, 8.0f, pairs(), "auto", jobs);
    fixture_run(&other, 6);
    CHECK(fixture_digest(&one) == fixture_digest(&other));
    coif_jobs_close(jobs);
}

enum { LOCKS = 6, EACH_LOCK = 8, WAVY_POINTS = 25 };

// Wavy strands of up to 20 cm that hang in locks around the axis of a turn, as of a file.
static void open_locks(hair_fixture *hair, float cohesion)
{
    enum { COUNT = LOCKS * EACH_LOCK };
    const coif_vec3 *shapes[COUNT];
    coif_vec3 offsets[COUNT];
    for (int32_t s = 0; s < COUNT; ++s) {
        const float phase = 6.2831853f * coif_random_unit(1, (uint64_t)s, 0);
        const float angle = 6.2831853f * (float)(s / EACH_LOCK) / LOCKS;
        const float length = 0.2f - 0.025f * coif_random_unit(1, (uint64_t)s, 2);
        const float radius = 0.08f + 0.004f * coif_random_unit(1, (uint64_t)s, 1);
        offsets[s] = coif_vec3_of(radius * cosf(angle), 0.0f, radius * sinf(angle));
        coif_vec3 *shape = coif_arena_new(&arena, WAVY_POINTS, coif_vec3);
        for (int32_t k = 0; k < WAVY_POINTS; ++k) {
            const float along = (float)k / (WAVY_POINTS - 1);
            const float wave = 0.004f * along * sinf(25.0f * along + phase);
            shape[k] = coif_vec3_of(wave, -length * along, wave * cosf(phase));
        }
        shapes[s] = shape;
    }
    coif_sim_params params = bare_params();
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    params.youngs_modulus = 3.9e9f;
    params.poisson_ratio = 0.4f;
    params.stiffness = 1.0f;
    params.drag = 1.0f;
    params.cohesion = cohesion;
    const hair_fixture_desc desc = {.shapes = shapes,
                                    .length = WAVY_POINTS,
                                    .strand_count = COUNT,
                                    .offsets = offsets,
                                    .params = params,
                                    .imported = true,
                                    .pinned = 1};
    fixture_open(hair, &desc, &arena, NULL);
}

// Turned about the axis of the normals, y.
static coif_mesh turned(const coif_mesh *mesh, float angle)
{
    coif_mesh other = *mesh;
    other.positions = coif_arena_new(&arena, mesh->vertex_count, coif_vec3);
    const float c = cosf(angle), s = sinf(angle);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        const coif_vec3 p = mesh->positions[v];
        other.positions[v] = coif_vec3_of(c * p.x + s * p.z, p.y, c * p.z - s * p.x);
    }
    return other;
}

// RMS distance of tips from the middle of their lock.
static double lock_spread(const hair_fixture *hair)
{
    double sum = 0.0;
    for (int32_t lock = 0; lock < LOCKS; ++lock) {
        const coif_vec3 *tips = hair->positions + lock * EACH_LOCK * WAVY_POINTS + WAVY_POINTS - 1;
        coif_vec3 middle = {0.0f, 0.0f, 0.0f};
        for (int32_t s = 0; s < EACH_LOCK; ++s) {
            middle = coif_mad(middle, 1.0f / EACH_LOCK, tips[s * WAVY_POINTS]);
        }
        for (int32_t s = 0; s < EACH_LOCK; ++s) {
            const coif_vec3 d = coif_sub(tips[s * WAVY_POINTS], middle);
            sum += (double)coif_dot(d, d);
        }
    }
    return sqrt(sum / (LOCKS * EACH_LOCK));
}

// By 110 degrees within a quarter of a second: the largest spread over one and a half seconds.
static double spread_in_a_turn(float cohesion, double *at_rest)
{
    hair_fixture hair;
    open_locks(&hair, cohesion);
    double most = *at_rest = lock_spread(&hair);
    coif_mesh begin = hair.scalp;
    for (int32_t frame = 1; frame <= 36; ++frame) {
        const coif_mesh end = turned(&hair.scalp, 1.92f * fminf((float)frame / 6.0f, 1.0f));
        fixture_step_on(&hair, &begin, &end);
        most = fmax(most, lock_spread(&hair));
        begin = end;
    }
    return most;
}

TEST(locks_of_imported_hair_hold_together_in_a_fast_turn)
{
    double at_rest;
    const double apart = spread_in_a_turn(0.0f, &at_rest);
    const double together = spread_in_a_turn(-1.0f, &at_rest);
    printf("       spread of a lock: %.1f mm at rest, %.1f mm apart, %.1f mm together\n",
           1e3 * at_rest, 1e3 * apart, 1e3 * together);
    CHECK(apart > 2.0 * at_rest);
    CHECK(together < 1.5 * at_rest);
}

// Two bundles that cross in the middle: side by side there, but far apart at their ends.
TEST(crossing_bundles_are_two_locks)
{
    enum { EACH = 20, LENGTH = 9 };
    int32_t lengths[2 * EACH], clump[2 * EACH];
    for (int s = 0; s < 2 * EACH; ++s) {
        lengths[s] = LENGTH;
    }
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&strands, lengths, 2 * EACH, &arena, &error), error);
    for (int s = 0; s < 2 * EACH; ++s) {
        const float side = s % 2 == 0 ? 1.0f : -1.0f;
        for (int k = 0; k < LENGTH; ++k) {
            const float along = (float)k / (LENGTH - 1) - 0.5f;
            strands.points[s * LENGTH + k] =
                (coif_vec4){0.04f * side * along, -0.2f * along, 0.0001f * (float)(s / 2), 4e-5f};
        }
    }
    coif_detect_locks(clump, &strands, 0.004f, &arena);
    for (int s = 0; s < 2 * EACH; ++s) {
        CHECK(clump[s] == s % 2);
    }
    coif_detect_locks(clump, &strands, 0.00005f, &arena);
    for (int s = 0; s < 2 * EACH; ++s) {
        CHECK(clump[s] == s);
    }
}
