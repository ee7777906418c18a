// Wind occlusion: hair attenuates the wind behind it by the documented formula.
#include "sim/interaction/wind_occlusion.h"

#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "sim/run/solver_setup.h"
#include "sim/solver/solver_internal.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/test.h"
#include "tests/support/test_wind.h"

static coif_arena arena = {.name = "test"};

enum { STRANDS = 1600, POINTS = 6, SLICES = 5 };
static const float SIDE = 0.1f; // of a cube of upright hair, m
static const float AREA = 30.0f;

static coif_sim_params shelter_params(int32_t solver)
{
    coif_sim_params params = bare_params();
    params.solver = solver;
    params.gravity[1] = 0.0f;
    params.root_boundary = COIF_ROOT_FREE;
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    params.drag = 5.0f;
    params.substeps = 4;
    params.wind_attenuation = AREA;
    params.interaction_cell_size = 0.01f;
    return params;
}

static const coif_param_fields *vary; // of the cube, or NULL

static void open_cube(hair_fixture *hair, const coif_sim_params *params, const char *kernel,
                      coif_jobs *jobs)
{
    coif_vec3 *offsets = coif_arena_new(&arena, STRANDS, coif_vec3);
    for (int32_t s = 0; s < STRANDS; ++s) {
        offsets[s] = coif_vec3_of(SIDE * coif_random_unit(3, (uint64_t)s, 0),
                                  0.2f * SIDE * coif_random_unit(3, (uint64_t)s, 2),
                                  SIDE * coif_random_unit(3, (uint64_t)s, 1));
    }
    const hair_fixture_desc desc = {.shape = fixture_hanging(POINTS, SIDE, &arena),
                                    .length = POINTS,
                                    .strand_count = STRANDS,
                                    .params = *params,
                                    .kernel = kernel,
                                    .vary = vary,
                                    .offsets = offsets};
    fixture_open(hair, &desc, &arena, jobs);
}

// kg/m3: mass of a strand over the volume it occupies.
static double density(void)
{
    return STRANDS * M_PI * 4e-5 * 4e-5 * 1320.0 * (double)SIDE / pow((double)SIDE, 3.0);
}

// The mean over strands at a depth, without those at the sides, of what is left at a depth x.
static double left_in_slice(int slice)
{
    const double x = (double)SIDE * (slice + 0.5) / SLICES;
    return exp(-(double)AREA * density() * x);
}

// The mean of a number per point at each depth, away from the borders.
static void mean_by_depth(double means[SLICES], const hair_fixture *hair, const coif_vec3 *values)
{
    int counts[SLICES] = {0};
    memset(means, 0, sizeof(double) * SLICES);
    for (int32_t p = 0; p < hair->groom.rest.point_count; ++p) {
        const coif_vec4 at = hair->groom.rest.points[p];
        const int32_t k = p % POINTS;
        if (at.z > 0.2f * SIDE && at.z < 0.8f * SIDE && k > 1 && k + 2 < POINTS) {
            const int slice = (int)(SLICES * at.x / SIDE);
            means[slice] += (double)values[p].x;
            counts[slice] += 1;
        }
    }
    for (int i = 0; i < SLICES; ++i) {
        CHECK(counts[i] > 100);
        means[i] /= counts[i];
    }
}

// Loose strands at rest that wind begins to blow along with it: v = u' (1 - (1 + h c)^-n).
TEST(hair_behind_hair_gets_less_wind)
{
    coif_plugin_instance *wind = open_wind(0.5f, &arena);
    for (int32_t solver = 0; COIF_METHOD_NAMES[solver] != NULL; ++solver) {
        coif_sim_params params = shelter_params(solver);
        hair_fixture hair;
        open_cube(&hair, &params, NULL, NULL);
        hair.forces = &wind;
        hair.force_count = 1;
        fixture_step(&hair);
        double means[SLICES];
        mean_by_depth(means, &hair, hair.velocities);
        const double all = 0.5 * (1.0 - pow(1.0 + 5.0 / (24.0 * 4.0), -4.0));
        for (int i = 0; i < SLICES; ++i) {
            CHECK_NEAR(means[i] / all, left_in_slice(i), 0.04);
            CHECK(i == 0 || means[i] < 0.85 * means[i - 1]);
        }
        params.wind_attenuation = 0.0f;
        open_cube(&hair, &params, NULL, NULL);
        hair.forces = &wind;
        hair.force_count = 1;
        fixture_step(&hair);
        mean_by_depth(means, &hair, hair.velocities);
        CHECK_NEAR(means[SLICES - 1] / all, 1.0, 0.03); // springs use smaller steps
    }
}

static void fractions_of(coif_vec3 *fractions, const hair_fixture *hair)
{
    for (int32_t b = 0; b < hair->solver.core->block_count; ++b) {
        const coif_strand_block *block = &hair->solver.core->blocks[b];
        for (int32_t i = 0; i < block->length * block->strand_count; ++i) {
            const int32_t lane = i % block->strand_count;
            const int32_t k = i / block->strand_count;
            const int64_t at = (int64_t)k * block->lanes + lane;
            fractions[hair->solver.core->first_point[block->strands[lane]] + k] =
                coif_vec3_of(hair->solver.interaction.rows[b].wind_fraction[at], 0.0f, 0.0f);
        }
    }
}

// Only the hair of the front three slices keeps wind away: behind it no more is lost.
TEST(hair_shelters_as_its_map_says)
{
    coif_plugin_instance *wind = open_wind(0.5f, &arena);
    float areas[STRANDS];
    for (int32_t s = 0; s < STRANDS; ++s) {
        areas[s] = coif_random_unit(3, (uint64_t)s, 0) < 0.6f ? AREA : 0.0f;
    }
    coif_param_fields own = {.digest = 1};
    own.rows[COIF_FIELD_WIND_ATTENUATION].per_strand = areas;
    coif_sim_params params = shelter_params(0);
    params.wind_attenuation = 1.0f;
    vary = &own;
    hair_fixture hair;
    open_cube(&hair, &params, NULL, NULL);
    vary = NULL;
    hair.forces = &wind;
    hair.force_count = 1;
    fixture_step(&hair);
    coif_vec3 *fractions = coif_arena_new(&arena, hair.groom.rest.point_count, coif_vec3);
    fractions_of(fractions, &hair);
    double means[SLICES];
    mean_by_depth(means, &hair, fractions);
    const double front = exp(-(double)AREA * density() * 0.6 * (double)SIDE);
    for (int i = 0; i < SLICES; ++i) {
        CHECK_NEAR(means[i], i < 3 ? left_in_slice(i) : front, 0.05);
    }
}

// Where the head itself moves against still air, it is the same wind, and the air between the hair
// goes along.
TEST(a_moving_head_is_a_head_in_the_wind)
{
    const coif_sim_params params = shelter_params(0);
    hair_fixture hair;
    open_cube(&hair, &params, NULL, NULL);
    coif_mesh moved = hair.scalp;
    moved.positions = coif_arena_new(&arena, moved.vertex_count, coif_vec3);
    for (int32_t v = 0; v < moved.vertex_count; ++v) {
        moved.positions[v] = coif_add(hair.scalp.positions[v], coif_vec3_of(-0.02f, 0.0f, 0.0f));
    }
    fixture_measure_rest(&hair, &params);
    fixture_interact(&hair, &params, &hair.scalp, &moved, 1.0f, 0.04);
    coif_vec3 *fractions = coif_arena_new(&arena, hair.groom.rest.point_count, coif_vec3);
    fractions_of(fractions, &hair);
    double means[SLICES];
    mean_by_depth(means, &hair, fractions);
    for (int i = 0; i < SLICES; ++i) {
        CHECK_NEAR(means[i], left_in_slice(i), 0.04);
    }
    const coif_strand_block *block = &hair.solver.core->blocks[0];
    coif_solver_scratch *scratch = &hair.solver.core->scratch[0];
    memset(scratch->wind.x, 0, sizeof(float) * (size_t)(block->length * block->lanes));
    coif_hair_interaction_attenuate_wind(&hair.solver.interaction, block, scratch);
    CHECK_NEAR(scratch->wind.x[0],
               -0.5f * (1.0f - hair.solver.interaction.rows[0].wind_fraction[0]), 1e-4);
}

TEST(threads_and_widths_do_not_show)
{
    coif_plugin_instance *wind = open_wind(2.0f, &arena);
    coif_sim_params params = shelter_params(1);
    params.youngs_modulus = 3.9e9f;
    params.stiffness = 1.0f;
    params.interaction_friction = 3.0f;
    uint64_t first = 0;
    for (int run = 0; run < 3; ++run) {
        static const int threads[3] = {1, 3, 2};
        coif_jobs *jobs = NULL;
        coif_error error = {0};
        CHECK_OK(coif_jobs_open(&jobs, threads[run], &arena, &error), error);
        hair_fixture hair;
        open_cube(&hair, &params, run < 2 ? "auto" : "wide4", jobs);
        hair.forces = &wind;
        hair.force_count = 1;
        fixture_run(&hair, 2);
        first = run == 0 ? fixture_digest(&hair) : first;
        CHECK(fixture_digest(&hair) == first);
        coif_jobs_close(jobs);
    }
}
