// A map that halves a row of "sim" on one side of the head gives hair the same bits there
// as the plain half does, and those of the whole on the other side; for every row with map support.
#include "core/hair/frame_cache.h"
#include "core/scene/params.h"
#include "sim/run/sim_params.h"
#include "sim/run/simulate.h"
#include "sim/solver/solver.h"
#include "tests/support/map_ramp_cases.h"
#include "tests/support/sim_run.h"

#include <unistd.h>

static coif_arena arena = {.name = "test"};

// A row, the solver it belongs to, its whole value, and what else lets it matter.
typedef struct row_case {
    const char *name, *solver;
    double value;
    const char *more;
} row_case;

#define STICKY "\"warmup_time\": 0.05, \"gravity_compensation\": 0"

static const row_case CASES[] = {
    {"damping", "der", 4, ""},
    {"damping_factor", "der", 0.9, ""},
    {"rigid_damping", "der", 0.5, ""},
    {"rigid_damping_rate", "pbd", 100, ""},
    {"drag", "der", 8, ""},
    {"tangential_drag_reduction", "der", 0.8, ""},
    {"drag_coefficient", "der", 2, ""},
    {"stretch_stiffness", "pbd", 0.9, "\"length_constraint\": \"none\""},
    {"stretch_stiffness", "pbd", 0.8,
     "\"bend_constraint\": \"angle\", \"length_constraint\": \"none\""},
    {"bend_stiffness", "pbd", 0.8, ""},
    {"bend_stiffness", "pbd", 0.8, "\"bend_spans\": \"2 4 last\""},
    {"bend_stiffness", "pbd", 0.8, "\"bend_spans\": \"2*0.5 1-6*0.7\""},
    {"bend_stiffness", "pbd", 0.8, "\"bend_constraint\": \"both\", \"iteration_scaling\": \"raw\""},
    {"shape_stiffness", "pbd", 0.3, ""},
    {"shape_stiffness", "ftl", 0.2, ""},
    {"long_range_attachment", "pbd", 0.8,
     "\"length_constraint\": \"none\", \"stretch_stiffness\": 0.05"},
    {"ftl_velocity_correction", "ftl", 0.9, ""},
    {"goal_frequency_root", "pbd", 30, STICKY},
    {"goal_frequency_tip", "pbd", 6, STICKY},
    {"goal_scale", "pbd", 1, STICKY},
    {"goal_strength", "der", 0.6, STICKY},
    {"gravity_compensation", "pbd", 1, ""},
    {"gravity_compensation", "der", 1, ""},
    {"friction", "der", 0.8, STICKY},
    {"restitution", "pbd", 0.8, "\"goal_scale\": 0, \"gravity\": [0, 0, 0], \"drag\": 50, " STICKY},
    {"max_depenetration_speed", "der", 0.4, STICKY},
    {"max_depenetration_speed", "pbd", 0.4, STICKY},
    {"contact_margin", "der", 0.004, STICKY},
    {"gravity", "der", -9.81, ""},
    {"gravity", "pbd", -9.81, ""},
    {"gravity", "xpbd", -9.81, STICKY},
    {"gravity", "ftl", -9.81, "\"drag\": 0"},
    {"gravity", "spring", -9.81, ""},
    {"tip_force", "der", 1e-5, ""},
    {"mass", "der", 2, ""},
    {"mass_variation", "der", 0.8, ""},
    {"hair_radius", "der", 6e-5, STICKY},
    {"hair_density", "der", 2000, STICKY},
    {"youngs_modulus", "der", 4e9, STICKY},
    {"ellipticity", "der", 4, STICKY},
    {"ellipticity", "xpbd", 4, STICKY},
    {"ellipticity", "spring", 4, STICKY},
    {"poisson_ratio", "der", 0.5, STICKY},
    {"stiffness", "spring", 2, STICKY},
    {"stiffness_variation", "der", 0.8, STICKY},
    {"bending_damping_time", "der", 0.1, STICKY},
    {"spring_stretch_force", "spring", 0.02, STICKY},
    {"curl_core_force", "spring", 1e-3, STICKY},
    {"spring_damping_time", "spring", 1e-4, STICKY},
    {"spring_frame_smoothing", "spring", 0.02, STICKY},
    {"curl_core_smoothing", "spring", 0.02, "\"curl_core_force\": 1e-3, " STICKY},
};

// Between hairs a mean of theirs acts; and who is a clone of whom is for sim_wisp_test.
static const char *const ELSEWHERE[] = {"interaction_friction", "interaction_stiffness",
                                        "wind_attenuation", "clump_variation"};

// Curls on a turning head in wind, some of them inside of a ball.
static coif_strands simulate_with(const row_case *row, const char *value, const char *kernel,
                                  coif_groom *groom)
{
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": false}],\n"
        " \"colliders\": [{\"name\": \"stone\", \"shape\": \"sphere\", \"radius\": 0.05,"
        " \"position\": [0, 0.17, 0]}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\",\n"
        "   \"count\": 40, \"points\": 10, \"max_points\": 10, \"length\": 0.1,\n"
        "   \"modifiers\": [{\"plugin\": \"groom.curl\", \"radius\": 0.006, "
        "\"wavelength\": 0.06}],\n"
        "   \"maps\": [{\"name\": \"half\", \"plugin\": \"density.texture\", \"path\": "
        "\"half.bmp\", \"filter\": \"nearest\"}]}],\n"
        " \"forces\": [{\"plugin\": \"wind.uniform\", \"velocity\": [2, 0, 1]}],\n"
        " \"sim\": {\"last_frame\": 2, \"substeps\": 3, \"quantise\": false, \"solver\": \"%s\", "
        "\"%s\": %s%s%s}}\n",
        row->solver, row->name, value, row->more[0] != '\0' ? ", " : "", row->more);
    coif_error error = {0};
    coif_scene scene = ball_scene(text, NULL, &arena);
    const coif_simulate_desc desc = {
        .scene = &scene, .folder = coif_test_folder(), .kernel = kernel};
    CHECK_OK(coif_simulate(&desc, NULL, NULL, &error), error);
    return load_strands(groom, coif_test_folder(), "hair", 2, &arena);
}

static coif_strands simulate(const row_case *row, const char *value, coif_groom *groom)
{
    return simulate_with(row, value, NULL, groom);
}

static const coif_param *param_of(const row_case *row)
{
    uint32_t r = 0;
    while (strcmp(COIF_SIM_SECTION.params[r].name, row->name) != 0) {
        ++r;
    }
    return &COIF_SIM_SECTION.params[r];
}

// A number, or where a row has three the two others beside it.
static const char *written(const row_case *row, double fraction)
{
    const bool three = param_of(row)->type == COIF_PARAM_VEC3;
    return three
               ? coif_arena_print(&arena, "[%.9g, %.9g, 0]", 1e-5 * fraction, fraction * row->value)
               : coif_arena_print(&arena, "%.9g", fraction * row->value);
}

TEST(a_map_that_halves_is_half_where_it_halves)
{
    write_halves("half.bmp");
    for (size_t c = 0; c < COIF_COUNT_OF(CASES); ++c) {
        const row_case *row = &CASES[c];
        coif_groom groom;
        const coif_strands whole = simulate(row, written(row, 1.0), &groom);
        const coif_strands half = simulate(row, written(row, 0.5), &groom);
        const char *map = coif_arena_print(&arena, "{\"map\": \"half\", \"range\": [%s, %s]}",
                                           written(row, 0.5), written(row, 1.0));
        const coif_strands mapped = simulate(row, map, &groom);
        int32_t wrong = 0, different = 0, sides[2] = {0};
        for (int32_t s = 0; s < mapped.strand_count; ++s) {
            const bool right = groom.rest.points[groom.rest.first[s]].x > 0.0f;
            wrong += !strands_are_equal(&mapped, right ? &whole : &half, s);
            different += !strands_are_equal(&whole, &half, s);
            sides[right] += 1;
        }
        if (wrong > 0 || different == 0) {
            fprintf(stderr, "sim.%s of %s: %d wrong, %d different\n", row->name, row->solver, wrong,
                    different);
        }
        CHECK(wrong == 0 && different > 0 && sides[0] > 5 && sides[1] > 5);
    }
}

static double farthest_apart(const coif_strands *a, const coif_strands *b)
{
    double most = 0.0;
    for (int32_t i = 0; i < a->point_count; ++i) {
        most = fmax(most, (double)coif_length(
                              coif_sub(coif_vec4_xyz(a->points[i]), coif_vec4_xyz(b->points[i]))));
    }
    return most;
}

// Linear drag is that of the strand as a whole, which knows of its ramp and not of plain numbers:
// sim_vary_test has the ramps of these.
static bool weighs(const char *name)
{
    return strcmp(name, "hair_radius") == 0 || strcmp(name, "hair_density") == 0;
}

// A ramp that is a half everywhere gives what the half gives; one that is a half on the outer half
// gives neither.
TEST(a_ramp_that_halves_is_half_where_it_halves)
{
    write_halves("half.bmp");
    for (size_t c = 0; c < COIF_COUNT_OF(CASES); ++c) {
        const row_case *row = &CASES[c];
        if ((param_of(row)->flags & COIF_PARAM_RAMP) == 0 || weighs(row->name)) {
            continue;
        }
        coif_groom groom;
        const coif_strands whole = simulate(row, written(row, 1.0), &groom);
        const coif_strands half = simulate(row, written(row, 0.5), &groom);
        const coif_strands even =
            simulate(row,
                     coif_arena_print(&arena, "{\"value\": %s, \"ramp\": [[0, 0.5], [1, 0.5]]}",
                                      written(row, 1.0)),
                     &groom);
        const coif_strands outer =
            simulate(row,
                     coif_arena_print(&arena, "{\"value\": %s, \"ramp\": [[0.4, 1], [0.5, 0.5]]}",
                                      written(row, 1.0)),
                     &groom);
        const double off = farthest_apart(&even, &half);
        const double least = fmin(farthest_apart(&outer, &half), farthest_apart(&outer, &whole));
        if (!(off < 1e-6) || !(least > 10.0 * off)) {
            fprintf(stderr, "sim.%s of %s: even %g, outer %g\n", row->name, row->solver, off,
                    least);
        }
        CHECK(off < 1e-6 && least > 10.0 * off);
    }
}

static bool is_tested(const char *name)
{
    bool found = false;
    for (size_t c = 0; c < COIF_COUNT_OF(CASES); ++c) {
        found |= strcmp(CASES[c].name, name) == 0;
    }
    for (size_t i = 0; i < COIF_COUNT_OF(ELSEWHERE); ++i) {
        found |= strcmp(ELSEWHERE[i], name) == 0;
    }
    return found;
}

// Some touch the ball and some do not, and tips are pulled: the motion of a strand does not depend
// on the other strands of its block.
TEST(strands_do_not_feel_their_block)
{
    write_halves("half.bmp");
    for (int i = 0; COIF_METHOD_NAMES[i] != NULL; ++i) {
        const row_case row = {"tip_force", COIF_METHOD_NAMES[i], 0.0,
                              "\"gravity_compensation\": 0.5"};
        coif_groom groom;
        const coif_strands narrow = simulate_with(&row, "[0, 5e-4, 0]", "wide4", &groom);
        unlink(coif_test_path("hair.0002.strands"));
        const coif_strands wide = simulate_with(&row, "[0, 5e-4, 0]", "auto", &groom);
        int32_t wrong = 0;
        for (int32_t s = 0; s < wide.strand_count; ++s) {
            wrong += !strands_are_equal(&narrow, &wide, s);
        }
        CHECK(wrong == 0);
    }
}

static bool is_uniform(const char *name)
{
    static const char *const names[] = {
        "fps",      "time_scale",         "preroll",    "warmup_time", "interaction_cell_size",
        "cohesion", "simulated_fraction", "goal_amount"};
    for (size_t i = 0; i < COIF_COUNT_OF(names); ++i) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

// Numbers that are not about time, steps, clumps or the whole run, nor factors of others, support
// maps, and all of these are tested.
TEST(no_row_is_forgotten)
{
    for (uint32_t r = 0; r < COIF_SIM_SECTION.param_count; ++r) {
        const coif_param *row = &COIF_SIM_SECTION.params[r];
        const bool number = row->type == COIF_PARAM_FLOAT || row->type == COIF_PARAM_VEC3;
        const bool varies = (row->flags & COIF_PARAM_MAPPABLE) != 0;
        if (varies != (number && !is_uniform(row->name)) || (varies && !is_tested(row->name))) {
            coif_test_failed(__FILE__, __LINE__, "sim.%s: does it support maps?", row->name);
        }
    }
}
