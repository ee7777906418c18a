// lock_cohesion: strands of a lock follow their mean motion; locks of imported strands are found.
#include "sim/interaction/lock_cohesion.h"

#include "core/base/jobs.h"
#include "sim/groom/lock_detect.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 24, POINTS = 6 };

// Free strands in weightlessness, 24 of them in locks of two.
static hair_fixture open_pairs(float rate, int32_t *clump, const char *kernel, coif_jobs *jobs)
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
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, jobs);
    for (int32_t p = 0; p < hair.groom.rest.point_count; ++p) {
        hair.velocities[p] = coif_vec3_of(p / POINTS % 2 == 0 ? 0.3f : 0.1f, 0.0f, 0.0f);
    }
    coif_solver_set_points(hair.solver.core, hair.positions, hair.velocities);
    return hair;
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
    hair_fixture hair = open_pairs(8.0f, pairs(), "auto", NULL);
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
    hair_fixture hair = open_pairs(1000.0f, pairs(), "auto", NULL);
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
    hair_fixture plain = open_pairs(0.0f, NULL, "auto", NULL);
    fixture_run(&plain, 6);
    hair_fixture others[] = {open_pairs(8.0f, single, "auto", NULL),
                             open_pairs(8.0f, none, "auto", NULL),
                             open_pairs(0.0f, pairs(), "auto", NULL)};
    for (int i = 0; i < 3; ++i) {
        fixture_run(&others[i], 6);
        CHECK(fixture_digest(&others[i]) == fixture_digest(&plain));
    }
}

TEST(threads_and_lanes_change_no_bit)
{
    hair_fixture one = open_pairs(8.0f, pairs(), "wide4", NULL);
    fixture_run(&one, 6);
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, 3, &arena, &error), error);
    hair_fixture other = open_pairs(8.0f, pairs(), "auto", jobs);
    fixture_run(&other, 6);
    CHECK(fixture_digest(&one) == fixture_digest(&other));
    coif_jobs_close(jobs);
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
