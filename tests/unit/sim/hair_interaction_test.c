// Hair interaction: friction between strands, volume preservation, no force in the groomed state.
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "sim/run/solver_setup.h"
#include "sim/solver/solver_internal.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

static float chance(int32_t i, uint32_t what)
{
    return coif_random_unit(11, (uint64_t)i, what);
}

// Strands at random positions in a box, `pair` coincident ones per position.
static const coif_vec3 *strewn(int32_t count, float x, float y, float z, int32_t pair)
{
    coif_vec3 *offsets = coif_arena_new(&arena, count, coif_vec3);
    for (int32_t s = 0; s < count; ++s) {
        offsets[s] =
            coif_vec3_of(x * chance(s / pair, 0), y * chance(s / pair, 1), z * chance(s / pair, 2));
    }
    return offsets;
}

static const coif_vec3 *level(int32_t points, float length)
{
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = coif_vec3_of(length * (float)k / (float)(points - 1), 0.0f, 0.0f);
    }
    return shape;
}

static coif_sim_params hair_params(void)
{
    coif_sim_params params = bare_params();
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    return params;
}

static coif_mesh turned(const coif_mesh *mesh, float angle, coif_vec3 shift)
{
    coif_mesh copy = *mesh;
    copy.positions = coif_arena_new(&arena, mesh->vertex_count, coif_vec3);
    copy.normals = coif_arena_new(&arena, 3 * mesh->triangle_count, coif_vec3);
    const float c = cosf(angle);
    const float s = sinf(angle);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        const coif_vec3 p = mesh->positions[v];
        copy.positions[v] =
            coif_add(shift, coif_vec3_of(c * p.x - s * p.y, s * p.x + c * p.y, p.z));
    }
    for (int32_t v = 0; v < 3 * mesh->triangle_count; ++v) {
        const coif_vec3 n = mesh->normals[v];
        copy.normals[v] = coif_vec3_of(c * n.x - s * n.y, s * n.x + c * n.y, n.z);
    }
    return copy;
}

static double most_jostle(const hair_fixture *hair)
{
    double most = 0.0;
    for (int32_t b = 0; b < hair->solver.core->block_count; ++b) {
        const coif_strand_block *block = &hair->solver.core->blocks[b];
        for (int32_t i = 0; i < block->length * block->lanes; ++i) {
            most = fmax(most, fabs((double)block->interaction_accel.x[i]));
            most = fmax(most, fabs((double)block->interaction_accel.y[i]));
            most = fmax(most, fabs((double)block->interaction_accel.z[i]));
        }
    }
    return most;
}

// At rest, and on a body that has been turned and carried away: not one bit of a push, however
// unevenly the hair is strewn. Pressed together it pushes, drawn apart it does not.
TEST(the_groom_at_rest_has_no_interaction_forces)
{
    coif_sim_params params = hair_params();
    params.interaction_friction = 10.0f;
    params.interaction_stiffness = 2.0f;
    const hair_fixture_desc desc = {.shape = level(12, 0.1f),
                                    .length = 12,
                                    .strand_count = 600,
                                    .params = params,
                                    .pinned = 1,
                                    .offsets = strewn(600, 0.05f, 0.03f, 0.08f, 1)};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_measure_rest(&hair, &params);
    CHECK(hair.solver.interaction.cell >= 0.005f && hair.solver.interaction.cell < 0.05f);
    for (int i = 0; i < 4; ++i) {
        const coif_vec3 shift = {0.3f * (float)i, 1.7f * (float)i, -0.9f};
        const coif_mesh posed = turned(&hair.scalp, 0.4f * (float)i, shift);
        coif_groom_solver_reset_to_rest(&hair.solver, &posed);
        fixture_interact(&hair, &params, &posed, &posed, 0.5f, 0.02);
        CHECK(most_jostle(&hair) == 0.0);
    }
    const float scales[2] = {3.0f, 0.5f};
    double pushes[2];
    for (int i = 0; i < 2; ++i) {
        coif_groom_solver_reset_to_rest(&hair.solver, &hair.scalp);
        for (int32_t b = 0; b < hair.solver.core->block_count; ++b) {
            coif_strand_block *block = &hair.solver.core->blocks[b];
            for (int32_t n = 0; n < block->length * block->lanes; ++n) {
                block->pos.y[n] *= scales[i];
                block->pos.z[n] *= scales[i];
            }
        }
        fixture_interact(&hair, &params, &hair.scalp, &hair.scalp, 0.5f, 0.02);
        pushes[i] = most_jostle(&hair);
    }
    CHECK(pushes[0] < 1e-6 && pushes[1] > 1.0);
}

// Pairs of strands that part: their relative velocity decays at the requested rate, for
// any number of substeps and of meetings, and all together keep their momentum.
TEST(friction_has_the_rate_it_says)
{
    const int32_t substeps[3] = {4, 16, 16};
    const int32_t every[3] = {0, 4, 1};
    for (int i = 0; i < 3; ++i) {
        coif_sim_params params = hair_params();
        params.gravity[1] = 0.0f;
        params.substeps = substeps[i];
        params.interaction_interval = every[i];
        params.interaction_friction = 5.0f;
        params.interaction_cell_size = 0.05f;
        const hair_fixture_desc desc = {.shape = level(6, 0.1f),
                                        .length = 6,
                                        .strand_count = 400,
                                        .params = params,
                                        .offsets = strewn(400, 0.2f, 0.2f, 0.2f, 2)};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        for (int32_t p = 0; p < hair.groom.rest.point_count; ++p) {
            hair.velocities[p] = coif_vec3_of(0.1f, p / 6 % 2 == 0 ? 0.02f : -0.02f, 0.0f);
        }
        coif_solver_set_points(hair.solver.core, hair.positions, hair.velocities);
        fixture_run(&hair, 12);
        double apart = 0.0;
        double along = 0.0;
        double across = 0.0;
        for (int32_t p = 0; p < hair.groom.rest.point_count; ++p) {
            apart += (p / 6 % 2 == 0 ? 1.0 : -1.0) * (double)hair.velocities[p].y;
            along += (double)hair.velocities[p].x;
            across += (double)hair.velocities[p].y;
        }
        const double points = hair.groom.rest.point_count;
        CHECK_NEAR(apart / points, 0.02 * exp(-5.0 * 0.5), 0.03 * 0.02 * exp(-5.0 * 0.5));
        CHECK_NEAR(along / points, 0.1, 1e-4);
        CHECK_NEAR(across / points, 0.0, 1e-5);
    }
}

// Two clouds far from each other, one of hair that rubs and one of hair that does not; and a third
// of both kinds, which has the mean of the two.
TEST(friction_may_differ_from_hair_to_hair)
{
    coif_sim_params params = hair_params();
    params.gravity[1] = 0.0f;
    params.substeps = 8;
    params.interaction_interval = 2;
    params.interaction_friction = 1.0f;
    params.interaction_cell_size = 0.05f;
    coif_vec3 *offsets = coif_arena_new(&arena, 1200, coif_vec3);
    const coif_vec3 *cloud = strewn(400, 0.2f, 0.2f, 0.2f, 2);
    float rates[1200];
    for (int32_t s = 0; s < 1200; ++s) {
        offsets[s] = coif_add(cloud[s % 400], coif_vec3_of(3.0f * (float)(s / 400), 0.0f, 0.0f));
        rates[s] = s < 400 ? 5.0f : s < 800 || s % 4 < 2 ? 0.0f : 5.0f;
    }
    coif_param_fields fields = {.digest = 1};
    fields.rows[COIF_FIELD_INTERACTION_FRICTION].per_strand = rates;
    const hair_fixture_desc desc = {.shape = level(6, 0.1f),
                                    .length = 6,
                                    .strand_count = 1200,
                                    .params = params,
                                    .vary = &fields,
                                    .offsets = offsets};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    for (int32_t p = 0; p < hair.groom.rest.point_count; ++p) {
        hair.velocities[p] = coif_vec3_of(0.0f, p / 6 % 2 == 0 ? 0.02f : -0.02f, 0.0f);
    }
    coif_solver_set_points(hair.solver.core, hair.positions, hair.velocities);
    fixture_run(&hair, 12);
    double apart[3] = {0};
    for (int32_t p = 0; p < hair.groom.rest.point_count; ++p) {
        apart[p / 2400] += (p / 6 % 2 == 0 ? 1.0 : -1.0) * (double)hair.velocities[p].y / 2400.0;
    }
    CHECK_NEAR(apart[0], 0.02 * exp(-5.0 * 0.5), 0.03 * 0.02 * exp(-5.0 * 0.5));
    CHECK_NEAR(apart[1], 0.02, 1e-5);
    // Here and there chance puts more of one kind, so a little more is left.
    CHECK_NEAR(apart[2], 0.02 * exp(-2.5 * 0.5), 0.1 * 0.02 * exp(-2.5 * 0.5));
}

enum { LOCK = 2000 };

static double thickness_of(const hair_fixture *hair)
{
    double sum = 0.0;
    for (int32_t p = 0; p < hair->groom.rest.point_count; ++p) {
        sum += (double)hair->positions[p].y * (double)hair->positions[p].y;
    }
    return sqrt(sum / hair->groom.rest.point_count);
}

// The least thickness of a loose lock whose strands fly together from both sides, as a fraction of
// that at rest.
static double least_thickness(bool together, int32_t every)
{
    coif_sim_params params = hair_params();
    params.gravity[1] = 0.0f;
    params.interaction_interval = every;
    params.interaction_stiffness = together ? 1.0f : 0.0f;
    coif_vec3 *offsets = coif_arena_new(&arena, LOCK, coif_vec3);
    memcpy(offsets, strewn(LOCK, 0.1f, 0.05f, 0.1f, 1), sizeof *offsets * LOCK);
    for (int i = 0; i < LOCK; ++i) {
        offsets[i].y -= 0.025f;
    }
    const hair_fixture_desc desc = {.shape = level(8, 0.1f),
                                    .length = 8,
                                    .strand_count = LOCK,
                                    .params = params,
                                    .offsets = offsets};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    const double rest = thickness_of(&hair);
    for (int32_t p = 0; p < hair.groom.rest.point_count; ++p) {
        hair.velocities[p] = coif_vec3_of(0.0f, -4.0f * hair.positions[p].y, 0.0f);
    }
    coif_solver_set_points(hair.solver.core, hair.positions, hair.velocities);
    double least = 1.0;
    for (int f = 0; f < 12; ++f) {
        fixture_step(&hair);
        least = fmin(least, thickness_of(&hair) / rest);
    }
    CHECK(hair.report.stats.reset_strands == 0);
    return least;
}

// Each by itself, all would be in one plane after a quarter of a second.
TEST(a_lock_pressed_together_keeps_its_volume)
{
    const double alone = least_thickness(false, 0);
    const double together = least_thickness(true, 2);
    const double seldom = least_thickness(true, 0);
    CHECK(alone < 0.01);
    CHECK(together > 0.6);
    CHECK(seldom > 0.5);
}

// Guides stand for the strands that follow them: every second strand simulated is as dense as all.
TEST(guides_weigh_as_much_as_all)
{
    enum { GUIDES = 500 };
    coif_sim_params params = hair_params();
    params.interaction_friction = 5.0f;
    params.interaction_cell_size = 0.02f;
    coif_vec3 *offsets = coif_arena_new(&arena, 2 * GUIDES, coif_vec3);
    memcpy(offsets, strewn(GUIDES, 0.05f, 0.05f, 0.05f, 1), sizeof *offsets * GUIDES);
    memcpy(offsets + GUIDES, offsets, sizeof *offsets * GUIDES);
    float packing[2];
    for (int i = 0; i < 2; ++i) {
        const hair_fixture_desc desc = {.shape = level(6, 0.1f),
                                        .length = 6,
                                        .strand_count = 2 * GUIDES,
                                        .params = params,
                                        .pinned = 1,
                                        .offsets = offsets,
                                        .simulated = i == 0 ? 2 * GUIDES : GUIDES};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        fixture_measure_rest(&hair, &params);
        packing[i] =
            hair.solver.interaction.rows[0].rest_density[2 * hair.solver.core->blocks[0].lanes];
    }
    CHECK(packing[0] > 0.1f);
    CHECK_NEAR(packing[1] / packing[0], 1.0, 1e-3);
}

// Enough strands for several groups, of two lengths so that blocks are not full.
TEST(threads_and_widths_do_not_show)
{
    enum { STRANDS = 2600 };
    int32_t *lengths = coif_arena_new(&arena, STRANDS, int32_t);
    for (int32_t s = 0; s < STRANDS; ++s) {
        lengths[s] = s % 3 == 0 ? 5 : 7;
    }
    coif_sim_params params = hair_params();
    params.interaction_friction = 8.0f;
    params.interaction_stiffness = 1.5f;
    params.interaction_interval = 3;
    uint64_t digests[6];
    for (int run = 0; run < 6; ++run) {
        const int threads[6] = {1, 2, 3, 8, 1, 2};
        coif_jobs *jobs = NULL;
        coif_error error = {0};
        CHECK_OK(coif_jobs_open(&jobs, threads[run], &arena, &error), error);
        const hair_fixture_desc desc = {.shape = level(7, 0.06f),
                                        .length = 7,
                                        .strand_count = STRANDS,
                                        .params = params,
                                        .pinned = 1,
                                        .lengths = lengths,
                                        .kernel = run < 4 ? "auto" : "wide4",
                                        .offsets = strewn(STRANDS, 0.02f, 0.05f, 0.1f, 1)};
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, jobs);
        fixture_run(&hair, 3);
        digests[run] = fixture_digest(&hair);
        CHECK(digests[run] == digests[0]);
        CHECK(most_jostle(&hair) > 0.01);
        coif_jobs_close(jobs);
    }
}

// Settings may be enabled later, and a solver that is given positions and velocities continues
// exactly as the one that exported them.
TEST(interaction_forces_have_no_hidden_state)
{
    coif_sim_params params = hair_params();
    const hair_fixture_desc desc = {.shape = level(7, 0.06f),
                                    .length = 7,
                                    .strand_count = 300,
                                    .params = params,
                                    .pinned = 1,
                                    .offsets = strewn(300, 0.02f, 0.03f, 0.05f, 1)};
    hair_fixture one;
    hair_fixture two;
    fixture_open(&one, &desc, &arena, NULL);
    fixture_open(&two, &desc, &arena, NULL);
    fixture_run(&one, 3);
    one.params.interaction_friction = two.params.interaction_friction = 8.0f;
    one.params.interaction_stiffness = two.params.interaction_stiffness = 1.0f;
    fixture_run(&one, 2);
    coif_solver_set_points(two.solver.core, one.positions, one.velocities);
    two.frame = one.frame;
    fixture_run(&one, 2);
    fixture_run(&two, 2);
    CHECK(fixture_digest(&one) == fixture_digest(&two));
}

// Roots of all blocks, and whether they have changed while the rest shape was evaluated.
static struct {
    const coif_kernels *kernels;
    const coif_strand_block *blocks;
    int32_t block_count;
    float roots[64][COIF_ROOT_ROWS * COIF_MAX_LANES];
    bool changed;
    int32_t calls;
} watched;

static void watch_roots(void)
{
    for (int32_t b = 0; b < watched.block_count; ++b) {
        const coif_strand_block *block = &watched.blocks[b];
        const size_t bytes = sizeof(float) * COIF_ROOT_ROWS * (size_t)block->lanes;
        watched.changed =
            watched.changed || memcmp(block->root_begin, watched.roots[b], bytes) != 0;
    }
}

static void watched_targets(const coif_strand_block *block, coif_solver_scratch *scratch,
                            const coif_substep *step)
{
    ++watched.calls;
    watch_roots();
    watched.kernels->update_targets(block, scratch, step);
}

// Neither while it runs nor afterwards, on a body that is not at rest.
TEST(measuring_the_rest_state_does_not_change_roots)
{
    coif_sim_params params = hair_params();
    params.interaction_friction = 10.0f;
    const hair_fixture_desc desc = {.shape = level(12, 0.1f),
                                    .length = 12,
                                    .strand_count = 100,
                                    .params = params,
                                    .pinned = 1,
                                    .offsets = strewn(100, 0.05f, 0.03f, 0.08f, 1)};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    const coif_mesh posed = turned(&hair.scalp, 0.4f, coif_vec3_of(0.3f, 1.7f, -0.9f));
    coif_groom_solver_reset_to_rest(&hair.solver, &posed);
    coif_interaction_strands strands = coif_groom_solver_strands(&hair.solver, NULL);
    const coif_interaction_params between = coif_interaction_params_of(&params);
    coif_kernels kernels = *strands.kernels;
    kernels.update_targets = watched_targets;
    watched.kernels = strands.kernels;
    watched.blocks = strands.blocks;
    watched.block_count = strands.block_count;
    CHECK(strands.block_count > 1 && strands.block_count <= 64);
    for (int32_t b = 0; b < strands.block_count; ++b) {
        memcpy(watched.roots[b], strands.blocks[b].root_begin,
               sizeof(float) * COIF_ROOT_ROWS * (size_t)strands.blocks[b].lanes);
    }
    strands.kernels = &kernels;
    coif_hair_interaction_measure_rest(&hair.solver.interaction, &strands, &between, NULL);
    watch_roots();
    CHECK(watched.calls >= strands.block_count);
    CHECK(!watched.changed);
}
