// Parameter fields: mapped and ramped values act as plain numbers would at each point.
#include "core/base/jobs.h"
#include "core/hair/frame_cache.h"
#include "plugins/host/host.h"
#include "sim/run/sim_params.h"
#include "sim/run/simulate.h"
#include "sim/solver/solver_internal.h"
#include "tests/support/hair_fixture.h"
#include "tests/support/sim_run.h"

#include <unistd.h>

static coif_arena arena = {.name = "test"};

enum { POINTS = 17, STRANDS = 11, PBD = 0, ROD = 1 };

static int32_t method_named(const char *name)
{
    int32_t index = 0;
    while (strcmp(COIF_METHOD_NAMES[index], name) != 0) {
        ++index;
    }
    return index;
}

static const coif_vec3 *straight_out(float length)
{
    static coif_vec3 points[POINTS];
    for (int k = 0; k < POINTS; ++k) {
        points[k] = coif_vec3_of(length * (float)k / (POINTS - 1), 0.0f, 0.0f);
    }
    return points;
}

static coif_sim_params hair_params(int32_t solver)
{
    coif_sim_params params = bare_params();
    params.solver = method_named(solver == ROD ? "der" : "pbd");
    params.damping = 2.0f;
    params.drag = 3.0f;
    params.bend_stiffness = 0.5f;
    params.goal_frequency_root = 10.0f;
    params.goal_frequency_tip = 4.0f;
    params.hair_radius = 4e-5f;
    params.hair_density = 1320.0f;
    params.youngs_modulus = 3.9e9f;
    params.poisson_ratio = 0.4f;
    params.stiffness = 1.0f;
    params.bending_damping_time = 0.005f;
    params.mass = 1.0f;
    params.mass_variation = 0.2f;
    params.stiffness_variation = 0.2f;
    return params;
}

static float *field_of(coif_sim_params *params, int row)
{
    uint32_t r = 0;
    while (strcmp(COIF_SIM_SECTION.params[r].name, COIF_FIELD_NAMES[row]) != 0) {
        ++r;
    }
    return (float *)((char *)params + COIF_SIM_SECTION.params[r].offset);
}

static void run_fixture(hair_fixture *hair, const coif_sim_params *params,
                        const coif_param_fields *fields, const char *kernel)
{
    const hair_fixture_desc desc = {.shape = straight_out(0.1f),
                                    .length = POINTS,
                                    .strand_count = STRANDS,
                                    .spread = 0.002f,
                                    .params = *params,
                                    .kernel = kernel,
                                    .pinned = coif_solver_vtable_at(params->solver)->pinned_points,
                                    .vary = fields};
    fixture_open(hair, &desc, &arena, NULL);
    fixture_run(hair, 6);
}

// What a row is where its default says nothing.
static float number_of(coif_sim_params *params, int row)
{
    switch (row) {
    case COIF_FIELD_ELLIPTICITY:
        return 2.0f;
    case COIF_FIELD_DAMPING_FACTOR:
    case COIF_FIELD_STRETCH_STIFFNESS:
        return 0.6f;
    case COIF_FIELD_INTERACTION_FRICTION:
        return 5.0f;
    case COIF_FIELD_RIGID_DAMPING_RATE:
    case COIF_FIELD_WIND_ATTENUATION:
        return 20.0f;
    case COIF_FIELD_GRAVITY_COMPENSATION:
    case COIF_FIELD_RIGID_DAMPING:
    case COIF_FIELD_TANGENTIAL_DRAG_REDUCTION:
        return 0.5f;
    case COIF_FIELD_DRAG_COEFFICIENT:
    case COIF_FIELD_INTERACTION_STIFFNESS:
        return 1.0f;
    default:
        return *field_of(params, row);
    }
}

static double farthest_apart(const hair_fixture *a, const hair_fixture *b)
{
    double most = 0.0;
    for (int32_t i = 0; i < STRANDS * POINTS; ++i) {
        most = fmax(most, (double)coif_length(coif_sub(a->positions[i], b->positions[i])));
    }
    return most;
}

// Numbers of vectors are rows that come together; sim_halves_test has them.
static bool is_vector(int row)
{
    return (row >= COIF_FIELD_GRAVITY && row < COIF_FIELD_GRAVITY + 3) ||
           row >= COIF_FIELD_TIP_FORCE;
}

// Each row, given as a map that is the same number everywhere, gives the bits of that number; and
// the number matters to one of the solvers.
TEST(a_map_of_one_number_is_that_number)
{
    static const float factors[] = {0.5f, 1.5f};
    for (int row = 0; row < COIF_FIELD_COUNT; ++row) {
        if (is_vector(row)) {
            continue;
        }
        // Nothing is touched here, hair moves together and no wind blows.
        // Rows of other solvers are in sim_halves_test.
        bool matters =
            row == COIF_FIELD_FRICTION || row == COIF_FIELD_RESTITUTION ||
            row == COIF_FIELD_CONTACT_MARGIN || row == COIF_FIELD_INTERACTION_STIFFNESS ||
            row == COIF_FIELD_WIND_ATTENUATION || row == COIF_FIELD_POISSON_RATIO ||
            row == COIF_FIELD_FTL_VELOCITY_CORRECTION ||
            row == COIF_FIELD_MAX_DEPENETRATION_SPEED || row == COIF_FIELD_LONG_RANGE_ATTACHMENT ||
            row == COIF_FIELD_SHAPE_STIFFNESS || row >= COIF_FIELD_SPRING_STRETCH_FORCE;
        // What acts between hairs is a mean of theirs.
        const bool mean =
            row >= COIF_FIELD_INTERACTION_FRICTION && row <= COIF_FIELD_WIND_ATTENUATION;
        for (int32_t solver = PBD; solver <= ROD; ++solver) {
            coif_sim_params params = hair_params(solver);
            const float number = number_of(&params, row);
            uint64_t digests[2];
            for (int i = 0; i < 2; ++i) {
                float strands[STRANDS];
                for (int s = 0; s < STRANDS; ++s) {
                    strands[s] = number * factors[i];
                }
                coif_param_fields fields = {.digest = 1};
                fields.rows[row].per_strand = strands;
                *field_of(&params, row) = 1.0f;
                hair_fixture mapped, plain;
                run_fixture(&mapped, &params, &fields, "auto");
                *field_of(&params, row) = number * factors[i];
                run_fixture(&plain, &params, NULL, "auto");
                digests[i] = fixture_digest(&plain);
                CHECK(mean ? farthest_apart(&mapped, &plain) < 1e-6
                           : fixture_digest(&mapped) == digests[i]);
            }
            matters = matters || digests[0] != digests[1];
        }
        CHECK(matters);
    }
}

// Strands with different numbers side by side in a block are each what they would be alone.
TEST(strands_keep_to_their_own_number)
{
    for (int32_t solver = PBD; solver <= ROD; ++solver) {
        coif_sim_params params = hair_params(solver);
        params.mass_variation = params.stiffness_variation = 0.0f;
        float drags[STRANDS];
        for (int s = 0; s < STRANDS; ++s) {
            drags[s] = 1.0f + (float)(s % 3) * 4.0f;
        }
        coif_param_fields fields = {.digest = 1};
        fields.rows[COIF_FIELD_DRAG].per_strand = drags;
        params.drag = 1.0f;
        hair_fixture mixed[2];
        run_fixture(&mixed[0], &params, &fields, "wide4");
        run_fixture(&mixed[1], &params, &fields, "auto");
        CHECK(fixture_digest(&mixed[0]) == fixture_digest(&mixed[1]));
        for (int which = 0; which < 3; ++which) {
            params.drag = drags[which];
            hair_fixture plain;
            run_fixture(&plain, &params, NULL, "auto");
            const int tip = POINTS * (which + 3) + POINTS - 1;
            CHECK(memcmp(&plain.positions[tip], &mixed[0].positions[tip], sizeof(coif_vec3)) == 0);
        }
    }
}

// The distance that points keep from bodies, by strand and along it.
TEST(margins_differ)
{
    static const float falling[] = {0.0f, 1.0f, 1.0f, 0.5f};
    const coif_value value = {.ramp_count = 2, .ramp = falling};
    coif_sim_params params = hair_params(PBD);
    float margins[STRANDS];
    for (int s = 0; s < STRANDS; ++s) {
        margins[s] = 0.001f * (float)(s + 1);
    }
    coif_param_fields fields = {.digest = 1};
    fields.rows[COIF_FIELD_CONTACT_MARGIN] = (coif_param_field){margins, &value};
    params.contact_margin = 1.0f;
    hair_fixture hair;
    run_fixture(&hair, &params, &fields, "auto");
    const coif_strand_block *block = &hair.solver.core->blocks[0];
    for (int32_t lane = 0; lane < block->strand_count; ++lane) {
        const float *radius = &hair.groom.rest.points[block->strands[lane] * POINTS].w;
        for (int32_t k = block->length - 3; k < block->length; ++k) {
            const double kept =
                (double)block->contact_distance[k * block->lanes + lane] - (double)*radius;
            const double wanted = (double)margins[block->strands[lane]] * (1.0 - 0.5 * k / 16.0);
            CHECK_NEAR(kept, wanted, 1e-7);
        }
    }
}

static double droop_of(const coif_sim_params *params, const coif_param_fields *fields)
{
    const hair_fixture_desc desc = {.shape = straight_out(0.03f),
                                    .length = POINTS,
                                    .strand_count = 1,
                                    .params = *params,
                                    .kernel = "auto",
                                    .pinned = 1,
                                    .vary = fields};
    hair_fixture hair;
    fixture_open(&hair, &desc, &arena, NULL);
    fixture_run(&hair, 40);
    return (double)-hair.positions[POINTS - 1].y;
}

// A cylinder that sticks out droops by rho g L^4 / (2 E r^2), a cone by a third of that: its weight
// is r^2 and its stiffness r^4 at every point.
TEST(a_tapered_hair_droops_as_a_cone_does)
{
    coif_sim_params params = hair_params(ROD);
    params.mass_variation = params.stiffness_variation = 0.0f;
    params.damping = 30.0f;
    params.drag = 0.0f;
    const float ramp[] = {0.0f, 1.0f, 1.0f, 0.0f};
    const coif_value value = {.ramp_count = 2, .ramp = ramp};
    coif_param_fields fields = {.digest = 0};
    const double cylinder = droop_of(&params, NULL);
    fields.rows[COIF_FIELD_HAIR_RADIUS].ramp = &value;
    const double cone = droop_of(&params, &fields);
    const double exact = 1320.0 * 9.81 * pow(0.03, 4.0) / (2.0 * 3.9e9 * 1.6e-9);
    CHECK_NEAR(cylinder / exact, 1.0, 0.02);
    CHECK_NEAR(cone / cylinder, 1.0 / 3.0, 0.02);
}

// A tip ten times as heavy as the root pulls hair down further; drag that grows towards the tip
// leaves it lower than drag that is all there everywhere.
TEST(ramps_act_where_they_say)
{
    static const float heavy[] = {0.0f, 1.0f, 1.0f, 10.0f}, rising[] = {0.0f, 0.0f, 1.0f, 1.0f};
    coif_sim_params params = hair_params(ROD);
    params.damping = 30.0f;
    coif_value value = {.ramp_count = 2, .ramp = heavy};
    coif_param_fields fields = {.digest = 0};
    fields.rows[COIF_FIELD_MASS].ramp = &value;
    const double droop = droop_of(&params, &fields);
    CHECK(droop > 3.0 * droop_of(&params, NULL));
    // The same by density; and a modulus is a stiffness.
    fields = (coif_param_fields){.digest = 0};
    fields.rows[COIF_FIELD_HAIR_DENSITY].ramp = &value;
    CHECK(droop_of(&params, &fields) == droop);
    fields = (coif_param_fields){.digest = 0};
    fields.rows[COIF_FIELD_STIFFNESS].ramp = &value;
    const double stiff = droop_of(&params, &fields);
    fields = (coif_param_fields){.digest = 0};
    fields.rows[COIF_FIELD_YOUNGS_MODULUS].ramp = &value;
    CHECK(droop_of(&params, &fields) == stiff && stiff < droop_of(&params, NULL));
    for (int32_t solver = PBD; solver <= ROD; ++solver) {
        static const int rows[] = {COIF_FIELD_DRAG, COIF_FIELD_DAMPING,
                                   COIF_FIELD_BENDING_DAMPING_TIME};
        for (int i = 0; i < 2 + solver; ++i) {
            params = hair_params(solver);
            params.drag = params.damping = 20.0f;
            params.bending_damping_time = 0.2f;
            value.ramp = rising;
            fields = (coif_param_fields){.digest = 0};
            fields.rows[rows[i]].ramp = &value;
            hair_fixture ramped, whole;
            run_fixture(&ramped, &params, &fields, "auto");
            run_fixture(&whole, &params, NULL, "auto");
            CHECK(ramped.positions[POINTS - 1].y < whole.positions[POINTS - 1].y - 1e-5f);
            CHECK(fixture_stretch(&ramped) < 1e-3);
        }
    }
}

static coif_status simulate(const char *sim, const char *maps, int threads, coif_error *error)
{
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\",\n"
        "   \"count\": 60, \"points\": 8, \"length\": 0.1, \"maps\": [%s]},\n"
        "  {\"name\": \"bare\", \"body\": \"head\", \"count\": 20, \"points\": 8}],\n"
        " \"sim\": {\"last_frame\": 3, \"substeps\": 3, \"warmup_time\": 0.1, %s}}\n",
        maps, sim);
    coif_scene scene;
    COIF_TRY(load_ball_scene(&scene, text, NULL, &arena, error));
    const coif_simulate_desc desc = {.scene = &scene, .folder = coif_test_folder()};
    return simulate_with_threads(&desc, threads, &arena, error);
}

static uint64_t last_frame(void)
{
    char *data;
    size_t size;
    coif_error error = {0};
    CHECK_OK(coif_file_load(&data, &size, coif_test_path("hair.0003.strands"), &arena, &error),
             error);
    return coif_hash64(data, size);
}

// A picture of one grey, one byte per channel.
static void write_grey(int grey)
{
    FILE *file = fopen(coif_test_path("grey.bmp"), "wb");
    unsigned char head[54] = {
        'B', 'M', 54 + 16, [10] = 54, [14] = 40, [18] = 2, [22] = 2, [26] = 1, [28] = 24};
    CHECK(fwrite(head, 1, sizeof head, file) == sizeof head);
    for (int i = 0; i < 16; ++i) {
        fputc(i % 8 < 6 ? grey : 0, file);
    }
    fclose(file);
}

// Frames are those of any number of threads, and are made anew when a picture changes.
TEST(a_changed_picture_is_a_changed_simulation)
{
    static const char sim[] = "\"stiffness\": {\"map\": \"firm\", \"range\": [0.1, 8]}, "
                              "\"drag\": {\"map\": \"firm\", \"range\": [1, 9], "
                              "\"ramp\": [[0, 0.2], [1, 1]]}, \"solver\": \"der\"";
    static const char maps[] =
        "{\"name\": \"firm\", \"plugin\": \"density.texture\", \"path\": \"grey.bmp\"}";
    coif_error error = {0};
    uint64_t digests[4];
    for (int i = 0; i < 4; ++i) {
        write_grey(i == 1 ? 200 : 90);
        if (i == 3) {
            unlink(coif_test_path("hair.0003.strands"));
        }
        CHECK_OK(simulate(sim, maps, 1 + i, &error), error);
        digests[i] = last_frame();
    }
    CHECK(digests[0] != digests[1]);
    CHECK(digests[0] == digests[2]);
    CHECK(digests[0] == digests[3]);
}

static uint64_t positions_of(const char *name)
{
    coif_groom groom;
    coif_strands strands;
    coif_error error = {0};
    const char *file = coif_arena_print(&arena, "%s.groom", name);
    CHECK_OK(coif_groom_load(&groom, coif_test_path(file), &arena, &error), error);
    file = coif_arena_print(&arena, "%s.0003.strands", name);
    CHECK_OK(coif_frame_cache_load(&strands, NULL, &groom, coif_test_path(file), &arena, &error),
             error);
    return coif_strands_digest(&strands);
}

// One groom has a number of its own; the other, which has no such map, has 1 of the range.
TEST(grooms_may_override_scene_wide_settings)
{
    static const char map[] =
        "{\"name\": \"firm\", \"plugin\": \"density.constant\", \"value\": 0.25}";
    coif_error error = {0};
    CHECK_OK(simulate("\"drag\": {\"map\": \"firm\", \"range\": [0, 8]}", map, 1, &error), error);
    const uint64_t hair = positions_of("hair"), bare = positions_of("bare");
    CHECK_OK(simulate("\"drag\": 2", map, 1, &error), error);
    CHECK(positions_of("hair") == hair && positions_of("bare") != bare);
    CHECK_OK(simulate("\"drag\": 8", map, 1, &error), error);
    CHECK(positions_of("hair") != hair && positions_of("bare") == bare);
}

TEST(invalid_input_is_an_error_with_its_location)
{
    coif_error error = {0};
    CHECK(simulate("\"drag\": {\"map\": \"thick\", \"range\": [0, 9]}",
                   "{\"name\": \"thin\", \"plugin\": \"density.noise\"}", 1,
                   &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "/sim/drag/map: \"thick\" is not the name of a map of /grooms/0");
    error = (coif_error){0};
    CHECK(simulate("\"iterations\": {\"map\": \"thin\"}", "", 1, &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "cannot come from a map");
    error = (coif_error){0};
    CHECK(simulate("\"gravity_compensation\": {\"value\": 1, \"ramp\": [[0, 1], [1, 0]]}", "", 1,
                   &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "/sim/gravity_compensation");
}
