// Stress tests of every method: roots are shaken, strong wind blows, segments
// have no length, strands begin inside a head, have one segment or five hundred, and a frame has
// one substep. No point may stop being a number, fly off, or have to be put back.
#include "sim/run/sim_params.h"
#include "sim/solver/solver_internal.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/test_wind.h"

static coif_arena arena = {.name = "test"};

// What a scene has that says nothing.
static coif_sim_params default_params(int32_t method, int32_t substeps)
{
    coif_values values;
    coif_sim_params params = {0};
    coif_values_init(&values, COIF_SIM_SECTION.params, COIF_SIM_SECTION.param_count, &arena);
    coif_values_at(&values, 1.0, &params);
    params.solver = method;
    params.substeps = substeps;
    params.max_inner_steps = 200; // soft is enough here; more would only be slower
    return params;
}

// A curl that leads off the scalp and bends down.
static const coif_vec3 *curl(int32_t points, float length)
{
    coif_vec3 *shape = coif_arena_new(&arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        const float s = (float)k / (float)(points - 1);
        shape[k] = coif_vec3_of(length * s, 0.005f * sinf(12.0f * s) - 0.3f * length * s * s,
                                0.005f * cosf(12.0f * s) - 0.005f);
    }
    return shape;
}

// Every strand whole, near its root, slower than the solver would put up with; and exactly as long
// as ever where the method promises that.
static bool is_sane(const hair_fixture *hair)
{
    const coif_strands *rest = &hair->groom.rest;
    if (strcmp(hair->solver.core->method->name, "ftl") == 0 && fixture_stretch(hair) > 1e-4) {
        printf("       stretched by %g\n", fixture_stretch(hair));
        return false;
    }
    if (hair->report.stats.reset_strands != 0) {
        printf("       %d strands had to be put back\n", hair->report.stats.reset_strands);
        return false;
    }
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        double length = 0.0;
        for (int32_t i = rest->first[s]; i + 1 < rest->first[s + 1]; ++i) {
            length += coif_length(
                coif_sub(coif_vec4_xyz(rest->points[i + 1]), coif_vec4_xyz(rest->points[i])));
        }
        for (int32_t i = rest->first[s]; i < rest->first[s + 1]; ++i) {
            const double away =
                coif_length(coif_sub(hair->positions[i], hair->positions[rest->first[s]]));
            if (!(away <= 1.5 * length) || !(coif_length(hair->velocities[i]) < 300.0f)) {
                printf("       point %d is %g lengths off at %g m/s\n", i - rest->first[s],
                       away / length, (double)coif_length(hair->velocities[i]));
                return false;
            }
        }
    }
    return true;
}

static bool survives(hair_fixture *hair, int32_t frames)
{
    bool sane = true;
    for (int32_t f = 0; f < frames && sane; ++f) {
        fixture_step(hair);
        sane = is_sane(hair);
    }
    if (!sane) {
        printf("       %s, %d substeps, frame %d\n", hair->solver.core->method->name,
               hair->params.substeps, hair->frame);
    }
    return sane;
}

// Calls what for every method, with one substep and with the usual number.
static void with_every_method(void (*what)(coif_sim_params params))
{
    for (int32_t m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        what(default_params(m, 1));
        what(default_params(m, 8));
    }
}

static hair_fixture_desc fixture_of(coif_sim_params params, const coif_vec3 *shape, int32_t points)
{
    return (hair_fixture_desc){.shape = shape,
                               .length = points,
                               .strand_count = 5,
                               .spread = 0.004f,
                               .params = params,
                               .pinned = coif_solver_vtable_at(params.solver)->pinned_points};
}

// To and fro three times a second, at up to so many times the acceleration of gravity.
static void shake(coif_sim_params params)
{
    static const double loads[] = {1.0, 10.0, 50.0};
    for (size_t i = 0; i < COIF_COUNT_OF(loads); ++i) {
        const hair_fixture_desc desc = fixture_of(params, curl(24, 0.15f), 24);
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        const double rate = 2.0 * M_PI * 3.0;
        const double reach = loads[i] * 9.81 / (rate * rate);
        coif_mesh scalps[2] = {hair.scalp, hair.scalp};
        for (int e = 0; e < 2; ++e) {
            scalps[e].positions = coif_arena_new(&arena, hair.scalp.vertex_count, coif_vec3);
        }
        bool sane = true;
        for (int f = 0; f < 24 && sane; ++f) {
            for (int e = 0; e < 2; ++e) {
                const float offset = (float)(reach * sin(rate * (f + e) / 24.0));
                for (int32_t v = 0; v < hair.scalp.vertex_count; ++v) {
                    scalps[e].positions[v] = coif_add(hair.scalp.positions[v],
                                                      coif_vec3_of(offset, 0.0f, 0.5f * offset));
                }
            }
            fixture_step_on(&hair, &scalps[0], &scalps[1]);
            sane = is_sane(&hair);
        }
        if (!sane) {
            printf("       %s, %d substeps, %g g\n", hair.solver.core->method->name,
                   params.substeps, loads[i]);
        }
        CHECK(sane);
    }
}

TEST(shaken_roots_keep_lengths)
{
    with_every_method(shake);
}

static void blow(coif_sim_params params)
{
    static const float winds[2] = {60.0f, -60.0f};
    const hair_fixture_desc desc = fixture_of(params, curl(24, 0.15f), 24);
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    for (int i = 0; i < 2; ++i) { // and all at once from the other side
        coif_plugin_instance *wind = open_wind(winds[i], &arena);
        hair.forces = &wind;
        hair.force_count = 1;
        CHECK(survives(&hair, 12));
    }
}

TEST(strong_wind_keeps_strands_finite)
{
    with_every_method(blow);
}

// Tight curls on a head, in segments of 2 mm that bodies push apart more easily than lengths bring
// them together again. Each method says by how much a segment may be off, of the mean one.
static void press(coif_sim_params params)
{
    enum { POINTS = 70 };
    static const float winds[2] = {60.0f, -60.0f};
    const coif_solver_vtable *method = coif_solver_vtable_at(params.solver);
    const double most =
        method->max_length_error > 0.0f ? 2.0 * (double)method->max_length_error : 1e-4;
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        const float turn = 0.3f * (float)k;
        shape[k] =
            coif_vec3_of(0.006f * sinf(turn), 0.0008f * (float)k, 0.006f * cosf(turn) - 0.006f);
    }
    hair_fixture_desc desc = fixture_of(params, shape, POINTS);
    desc.strand_count = 4;
    desc.params.max_inner_steps = 50;
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, -0.1f, 0), 0.1f, 12, &arena);
    coif_collider sphere;
    coif_collider_build(&sphere, &mesh, &arena);
    hair.bodies = &sphere;
    hair.body_count = 1;
    double worst = 0.0;
    for (int f = 0; f < 10; ++f) {
        coif_plugin_instance *wind = open_wind(winds[f / 5], &arena);
        hair.forces = &wind;
        hair.force_count = 1;
        fixture_step(&hair);
        worst = fmax(worst, fixture_stretch(&hair));
        CHECK(is_sane(&hair));
    }
    if (!(worst < most)) {
        printf("       %s, %d substeps: stretched by %g\n", hair.solver.core->method->name,
               params.substeps, worst);
    }
    CHECK(worst < most);
}

TEST(strong_wind_against_a_head_keeps_lengths)
{
    with_every_method(press);
}

// One segment of no length, several in a row, and all of them.
static void collapse(coif_sim_params params)
{
    enum { POINTS = 12 };
    for (int variant = 0; variant < 3; ++variant) {
        coif_vec3 shape[POINTS];
        memcpy(shape, curl(POINTS, 0.1f), sizeof shape);
        for (int k = 1; k < POINTS; ++k) {
            if (variant == 2 || k == 5 || (variant == 1 && k > 3 && k < 8)) {
                shape[k] = shape[k - 1];
            }
        }
        const hair_fixture_desc desc = fixture_of(params, shape, POINTS);
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        for (int f = 0; f < 24; ++f) {
            fixture_step(&hair);
            for (int32_t i = 0; i < hair.groom.rest.point_count; ++i) {
                CHECK(isfinite(hair.positions[i].x + hair.positions[i].y + hair.positions[i].z));
            }
        }
        CHECK(variant == 2 || is_sane(&hair));
    }
}

TEST(segments_without_length_do_no_harm)
{
    with_every_method(collapse);
}

// The root on the skin of a sphere, the strand through its middle.
static void bury(coif_sim_params params)
{
    enum { POINTS = 16 };
    coif_vec3 shape[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        shape[k] = coif_vec3_of(0.001f * (float)k, -0.01f * (float)k, 0.0005f * (float)(k * k % 5));
    }
    const hair_fixture_desc desc = fixture_of(params, shape, POINTS);
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, -0.1f, 0), 0.1f, 12, &arena);
    coif_collider sphere;
    coif_collider_build(&sphere, &mesh, &arena);
    hair.bodies = &sphere;
    hair.body_count = 1;
    CHECK(survives(&hair, 36));
}

TEST(strands_that_start_inside_a_head_stay_finite)
{
    with_every_method(bury);
}

static void stretch_out(coif_sim_params params)
{
    static const int32_t points[2] = {2, 501};
    for (int i = 0; i < 2; ++i) {
        hair_fixture_desc desc = fixture_of(params, curl(points[i], 0.3f), points[i]);
        desc.strand_count = 2;
        hair_fixture hair;
        fixture_open(&hair, &desc, &arena, NULL);
        CHECK(survives(&hair, 16));
    }
}

TEST(one_segment_and_five_hundred_do_as_well)
{
    with_every_method(stretch_out);
}
