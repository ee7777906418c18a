// constraints: pins, ties and attachments in simulated scenes.
#include "core/base/log.h"
#include "core/hair/child_interpolation.h"
#include "sim/run/groom_sim.h"
#include "tests/support/sim_run.h"
#include "tools/cli/command.h"

static coif_arena arena = {.name = "test"};

// A ball that moves and turns, a clip that moves otherwise, and hair on top; constraints and
// parameters of the simulation are inserted.
static const char SCENE[] =
    "{\"bodies\": [\n"
    "   {\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": false,\n"
    "    \"translate\": {\"keys\": [[1, [0, 0, 0]], [9, [0.1, 0.02, 0]]]},\n"
    "    \"rotate\": {\"keys\": [[1, [0, 0, 0]], [9, [1, 6, 0]]]}},\n"
    "   {\"name\": \"clip\", \"mesh\": \"ball.obj\", \"collide\": false, \"scale\": 0.1,\n"
    "    \"translate\": {\"keys\": [[1, [0, 0, 0]], [9, [0.1, 0.02, 0.003]]]}}],\n"
    " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\", \"count\": 12,\n"
    "   \"points\": 17, \"length\": 0.08, \"constraints\": [%s],\n"
    "   \"modifiers\": [{\"plugin\": \"groom.curl\", \"radius\": 0.004,\n"
    "     \"wavelength\": 0.03}],\n"
    "   \"maps\": [{\"name\": \"none\", \"plugin\": \"density.constant\", \"value\": 0},\n"
    "     {\"name\": \"front\", \"plugin\": \"density.hairline\", \"normal\": [0, 0, 1],\n"
    "      \"width\": 0, \"edge_noise\": 0}]}],\n"
    " \"sim\": {\"last_frame\": 9, \"warmup_time\": 0, \"quantise\": false, %s\n"
    "   \"damping\": 2}}\n";

static sim_run run_of(const char *constraints, const char *sim)
{
    coif_log_setup(COIF_LOG_ERROR, false);
    return (sim_run){.scene = coif_arena_print(&arena, SCENE, constraints, sim)};
}

static coif_strands simulated(const char *constraints, int frame)
{
    const sim_run run = run_of(constraints, "");
    return simulate_scene(&run, "hair", frame, &arena);
}

static coif_vec3 tip_of(const coif_strands *strands, int32_t strand)
{
    return coif_vec4_xyz(strands->points[strands->first[strand + 1] - 1]);
}

// Rest strands posed with a body at a frame.
static coif_strands posed(int32_t body, int frame)
{
    coif_error error = {0};
    coif_scene scene = ball_scene(coif_arena_print(&arena, SCENE, "", ""), NULL, &arena);
    coif_body *bodies;
    int32_t count;
    coif_mesh mesh;
    coif_groom groom;
    CHECK_OK(coif_bodies_load(&bodies, &count, &scene, &arena, &error), error);
    CHECK_OK(coif_groom_load(&groom, coif_test_path("hair.groom"), &arena, &error), error);
    CHECK_OK(coif_body_pose(&mesh, &bodies[body], frame, &arena, &error), error);
    coif_strands strands = groom.rest;
    strands.points = coif_arena_new(&arena, strands.point_count, coif_vec4);
    // The bodies move rigidly: the frame of one triangle is that of all.
    const coif_surface_anchor anchor = {.triangle = 7};
    const coif_anchor_frame from = coif_surface_anchor_frame(&bodies[body].rest, &anchor);
    const coif_anchor_frame to = coif_surface_anchor_frame(&mesh, &anchor);
    for (int32_t i = 0; i < strands.point_count; ++i) {
        const coif_vec3 p = coif_vec4_xyz(groom.rest.points[i]);
        const coif_vec3 q = coif_anchor_frame_world(&to, coif_anchor_frame_local(&from, p));
        strands.points[i] = (coif_vec4){q.x, q.y, q.z, 0.0f};
    }
    return strands;
}

static float farthest_tip(const coif_strands *a, const coif_strands *b)
{
    float most = 0.0f;
    for (int32_t s = 0; s < a->strand_count; ++s) {
        most = fmaxf(most, coif_length(coif_sub(tip_of(a, s), tip_of(b, s))));
    }
    return most;
}

TEST(pinned_points_follow_a_moving_body)
{
    const coif_strands pinned = simulated("{\"type\": \"pin\", \"from\": 1}", 7);
    const coif_strands rigid = posed(0, 7);
    const coif_strands loose = simulated("", 7);
    CHECK(farthest_tip(&pinned, &rigid) < 2e-6f);
    CHECK(farthest_tip(&loose, &rigid) > 1e-3f);
}

TEST(points_attached_to_a_second_body_move_with_it)
{
    const char *attach = "{\"type\": \"attach\", \"body\": \"clip\", \"from\": 1}";
    const coif_strands attached = simulated(attach, 3);
    const coif_strands rigid = posed(1, 3);
    CHECK(farthest_tip(&attached, &rigid) < 2e-6f);
}

// A locator moves as the head does without turning, or by 1 cm in the space of the head.
TEST(a_locator_takes_its_points_along)
{
    const char *pin = "{\"type\": \"pin\", \"target\": \"locator\", %s \"from\": 1,\n"
                      " \"position\": {\"keys\": [[1, [0, 0, 0]], %s]}}";
    const coif_strands world =
        simulated(coif_arena_print(&arena, pin, "", "[9, [0.1, 0.02, 0]]"), 5);
    const coif_strands rest = posed(0, 1);
    for (int32_t s = 0; s < rest.strand_count; ++s) {
        const coif_vec3 moved = coif_sub(tip_of(&world, s), tip_of(&rest, s));
        CHECK_NEAR(coif_length(coif_sub(moved, coif_vec3_of(0.05f, 0.01f, 0))), 0.0, 2e-6);
    }
    const coif_strands on_head =
        simulated(coif_arena_print(&arena, pin, "\"body\": \"head\",", "[5, [0, -0.01, 0]]"), 5);
    const coif_strands head = posed(0, 5);
    for (int32_t s = 0; s < rest.strand_count; ++s) {
        const float distance = coif_length(coif_sub(tip_of(&on_head, s), tip_of(&head, s)));
        CHECK_NEAR(distance, 0.01, 2e-6);
    }
}

TEST(released_points_are_free_from_the_keyed_frame_on)
{
    const char *keys = "{\"type\": \"pin\", \"from\": 1,\n"
                       " \"strength\": {\"keys\": [[4, 1], [5, 0]]}}";
    const coif_strands always = simulated("{\"type\": \"pin\", \"from\": 1}", 4);
    const coif_strands held = simulated(keys, 4);
    CHECK(coif_strands_digest(&held) == coif_strands_digest(&always));
    const coif_strands released = strands_of("hair", 6, &arena);
    const coif_strands rigid = posed(0, 6);
    CHECK(farthest_tip(&released, &rigid) > 1e-4f);
}

// Caught hair keeps its position on the body, and hair caught at rest returns to it.
TEST(hair_is_caught_at_its_current_or_its_rest_position)
{
    const char *pin = "{\"type\": \"pin\", \"from\": 1, \"catch\": \"%s\",\n"
                      " \"enabled\": {\"keys\": [[1, false], [6, true]]}}";
    const coif_strands current = simulated(coif_arena_print(&arena, pin, "current"), 6);
    const coif_strands later = strands_of("hair", 8, &arena);
    const coif_strands before = posed(0, 6), after = posed(0, 8);
    CHECK(farthest_tip(&current, &before) > 1e-3f);
    for (int32_t s = 0; s < current.strand_count; ++s) {
        const float was = coif_length(coif_sub(tip_of(&current, s), tip_of(&before, s)));
        const float is = coif_length(coif_sub(tip_of(&later, s), tip_of(&after, s)));
        CHECK_NEAR(is, was, 5e-6);
    }
    const coif_strands rest = simulated(coif_arena_print(&arena, pin, "rest"), 8);
    CHECK(farthest_tip(&rest, &after) < 2e-6f);
}

// Position of the ring on the posed body and the largest distance from its axis of a strand where
// it crosses the plane of the ring nearest to its centre.
static float ring_radius(const coif_strands *strands, coif_vec3 centre, coif_vec3 axis)
{
    float largest = 0.0f;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        float nearest = INFINITY;
        for (int32_t i = strands->first[s]; i + 1 < strands->first[s + 1]; ++i) {
            const coif_vec3 a = coif_sub(coif_vec4_xyz(strands->points[i]), centre);
            const coif_vec3 b = coif_sub(coif_vec4_xyz(strands->points[i + 1]), centre);
            const float before = coif_dot(a, axis), after = coif_dot(b, axis);
            if ((before < 0.0f) != (after < 0.0f)) {
                const coif_vec3 at = coif_lerp(a, b, before / (before - after));
                nearest = fminf(nearest, coif_length(at));
            }
        }
        largest = fmaxf(largest, nearest);
    }
    return largest;
}

// A scene with a mannequin whose head turns, with few strands, some of which are simulated.
enum { TURN_FRAMES = 30 };

static coif_body *simulate_turn(const char *path, const char *const *sets, uint32_t count)
{
    static const char *const few[] = {
        "grooms/hair/count=2000", "grooms/brows/count=1", "grooms/brows/strands_per_cm2=0",
        "sim/quantise=false",     "sim/last_frame=30",    "image/width=16"};
    const char *all[16];
    CHECK(count + COIF_COUNT_OF(few) <= COIF_COUNT_OF(all));
    memcpy(all, few, sizeof few);
    for (uint32_t i = 0; i < count; ++i) {
        all[COIF_COUNT_OF(few) + i] = sets[i];
    }
    coif_error error = {0};
    coif_plugins *plugins;
    CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    const coif_plugin_lookup lookup = coif_plugins_lookup(plugins);
    const coif_scene_desc desc = {.path = coif_test_source(path),
                                  .sets = all,
                                  .set_count = COIF_COUNT_OF(few) + count,
                                  .tree = coif_scene_tree(&arena),
                                  .plugins = &lookup};
    coif_scene scene;
    CHECK_OK(coif_scene_load(&scene, &desc, &arena, &error), error);
    const coif_simulate_desc simulate = {
        .scene = &scene, .folder = coif_test_folder(), .kernel = "auto", .redo = true};
    CHECK_OK(coif_simulate(&simulate, NULL, NULL, &error), error);
    coif_body *bodies;
    int32_t body_count;
    CHECK_OK(coif_bodies_load(&bodies, &body_count, &scene, &arena, &error), error);
    coif_plugins_close(plugins);
    return bodies;
}

// Position and direction of rest space on the head at a frame.
static void pose_ring(coif_vec3 *centre, coif_vec3 *axis, const coif_body *body, int frame)
{
    coif_error error = {0};
    coif_mesh mesh;
    coif_surface_anchor anchor;
    coif_surface_anchors_find(&anchor, &body->rest, centre, 1);
    const coif_anchor_frame rest = coif_surface_anchor_frame(&body->rest, &anchor);
    CHECK_OK(coif_body_pose(&mesh, body, frame, &arena, &error), error);
    const coif_anchor_frame now = coif_surface_anchor_frame(&mesh, &anchor);
    *centre = coif_anchor_frame_world(&now, coif_anchor_frame_local(&rest, *centre));
    *axis = coif_mat3_apply_transposed(&now.axes, coif_mat3_apply(&rest.axes, *axis));
}

// All strands of the groom at a frame, with those between the simulated ones.
static coif_strands all_strands_of(const coif_body *body, int frame)
{
    coif_error error = {0};
    coif_groom groom;
    coif_mesh mesh;
    coif_strands all;
    const coif_strands simulated = load_strands(&groom, coif_test_folder(), "hair", frame, &arena);
    CHECK_OK(coif_body_pose(&mesh, body, frame, &arena, &error), error);
    CHECK_OK(coif_interpolate_children(&all, &simulated, &groom, &mesh, &arena, NULL, &error),
             error);
    return all;
}

// With children: also these.
static void check_ring(const coif_body *body, coif_vec3 centre, coif_vec3 axis, float radius,
                       int last, bool children)
{
    for (int frame = 1; frame <= last; ++frame) {
        const coif_arena_mark mark = coif_arena_mark_here(&arena);
        coif_vec3 at = centre, along = coif_normalize(axis);
        pose_ring(&at, &along, body, frame);
        const coif_strands strands =
            children ? all_strands_of(body, frame) : strands_of("hair", frame, &arena);
        CHECK(ring_radius(&strands, at, along) < 1.05f * radius);
        coif_arena_rewind(&arena, mark);
    }
}

// No segment is longer or shorter than in the first frame.
static void check_lengths(int last)
{
    const coif_strands rest = strands_of("hair", 1, &arena);
    for (int frame = 2; frame <= last; ++frame) {
        const coif_strands now = strands_of("hair", frame, &arena);
        float most = 0.0f;
        for (int32_t s = 0; s < rest.strand_count; ++s) {
            for (int32_t i = rest.first[s]; i + 1 < rest.first[s + 1]; ++i) {
                const float before = coif_length(
                    coif_sub(coif_vec4_xyz(rest.points[i + 1]), coif_vec4_xyz(rest.points[i])));
                const float after = coif_length(
                    coif_sub(coif_vec4_xyz(now.points[i + 1]), coif_vec4_xyz(now.points[i])));
                most = fmaxf(most, fabsf(after - before) / before);
            }
        }
        CHECK(most < 0.01f);
    }
}

LONG_TEST(a_ponytail_keeps_its_radius_on_a_turning_head)
{
    static const char *const sets[] = {"sim/last_frame=48", "grooms/hair/count=3000",
                                       "sim/simulated_fraction=0.4"};
    const coif_body *bodies = simulate_turn("scenes/ponytail.json", sets, COIF_COUNT_OF(sets));
    check_ring(bodies, coif_vec3_of(0.0f, 0.057f, -0.116f), coif_vec3_of(0.0f, 0.5f, -1.0f), 0.014f,
               48, true);
    check_lengths(48);
}

LONG_TEST(children_of_few_guides_stay_in_the_tie)
{
    static const char *const sets[] = {"sim/last_frame=48", "grooms/hair/count=3000",
                                       "sim/simulated_fraction=0.03"};
    const coif_body *bodies = simulate_turn("scenes/ponytail.json", sets, COIF_COUNT_OF(sets));
    check_ring(bodies, coif_vec3_of(0.0f, 0.057f, -0.116f), coif_vec3_of(0.0f, 0.5f, -1.0f), 0.014f,
               48, true);
}

LONG_TEST(a_braid_keeps_its_tie_on_a_turning_head)
{
    static const char *const sets[] = {"grooms/hair/modifiers/braid/enabled=true",
                                       "grooms/hair/constraints/braid/enabled=true",
                                       "grooms/hair/constraints/braid_end/enabled=true",
                                       "grooms/hair/maps/ear/base=sideburns", "sim/cohesion=0"};
    const coif_body *bodies = simulate_turn("scenes/styles.json", sets, COIF_COUNT_OF(sets));
    check_ring(bodies, coif_vec3_of(0.0f, -0.02f, -0.116f), coif_vec3_of(0.0f, -0.6f, -0.8f),
               0.015f, TURN_FRAMES, false);
    check_lengths(TURN_FRAMES);
}

// The points of a bun stay where they are on the head.
LONG_TEST(a_bun_stays_wound_on_a_turning_head)
{
    static const char *const sets[] = {"grooms/hair/modifiers/bun/enabled=true",
                                       "grooms/hair/constraints/bun/enabled=true",
                                       "grooms/hair/constraints/bun_coil/enabled=true",
                                       "grooms/hair/maps/ear/base=sideburns", "sim/cohesion=0"};
    const coif_body *bodies = simulate_turn("scenes/styles.json", sets, COIF_COUNT_OF(sets));
    check_ring(bodies, coif_vec3_of(0.0f, 0.062f, -0.107f), coif_vec3_of(0.0f, 0.4f, -1.0f), 0.013f,
               TURN_FRAMES, false);
    check_lengths(TURN_FRAMES);
    const coif_vec3 centre = coif_vec3_of(0.0f, 0.067f, -0.119f);
    coif_vec3 start = centre, axis = coif_vec3_of(0.0f, 1.0f, 0.0f);
    pose_ring(&start, &axis, bodies, 1);
    const coif_strands rest = strands_of("hair", 1, &arena);
    for (int frame = 2; frame <= TURN_FRAMES; ++frame) {
        coif_vec3 at = centre;
        pose_ring(&at, &axis, bodies, frame);
        const coif_strands now = strands_of("hair", frame, &arena);
        for (int32_t s = 0; s < rest.strand_count; ++s) {
            const float before = coif_length(coif_sub(tip_of(&rest, s), start));
            const float after = coif_length(coif_sub(tip_of(&now, s), at));
            CHECK(fabsf(after - before) < 0.003f);
        }
    }
}

TEST(threads_and_kernels_do_not_change_a_bit)
{
    const char *constraints =
        "{\"type\": \"pin\", \"from\": 0.5, \"to\": 0.5, \"catch\": \"current\", \"slack\": 0.01},"
        "{\"type\": \"tie\", \"target\": \"free\", \"from\": 0.75, \"to\": 0.75,"
        " \"radius\": 0.01}, {\"type\": \"tie\", \"position\": [0, 0.18, 0], \"slide\": true,"
        " \"radius\": 0.01, \"strength\": 0.9}";
    sim_run run = run_of(constraints, "");
    run.kernel = "wide4";
    const coif_strands narrow = simulate_scene(&run, "hair", 9, &arena);
    run.kernel = "auto";
    run.threads = 3;
    const coif_strands wide = simulate_scene(&run, "hair", 9, &arena);
    CHECK(coif_strands_digest(&narrow) == coif_strands_digest(&wide));
}

TEST(wrong_constraints_are_errors_with_their_location)
{
    static const struct {
        const char *constraint, *says;
    } cases[] = {
        {"{\"type\": \"glue\"}", "/grooms/0/constraints/0/type"},
        {"{\"type\": \"attach\", \"body\": \"klip\"}",
         "/grooms/0/constraints/0/body: \"klip\" is not the name of one of the bodies, did you "
         "mean \"clip\"?"},
        {"{\"type\": \"attach\"}", "/grooms/0/constraints/0: an attachment needs a body"},
        {"{\"type\": \"pin\", \"target\": \"free\"}", "/target: only a tie can be free"},
        {"{\"type\": \"tie\", \"axis\": [0, 0, 0]}", "/axis: is zero"},
        {"{\"from\": 0.5, \"to\": 0.4}", "/from: 0.5 is above \"to\", 0.4"},
        {"{\"mask\": {\"map\": \"frond\"}}", "\"frond\""},
        {"{\"points_file\": \"strands.txt\"}", "/points_file: "},
    };
    const char *text = "3 2\n12 # there are 12 strands\n";
    coif_error saved = {0};
    CHECK_OK(coif_file_save(coif_test_path("strands.txt"), text, strlen(text), &saved), saved);
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        const sim_run run = run_of(cases[i].constraint, "");
        coif_error error = {0};
        CHECK(try_simulate(&run, &arena, &error) != COIF_OK);
        CHECK(strstr(error.text, cases[i].says) != NULL);
        if (strstr(error.text, cases[i].says) == NULL) {
            fprintf(stderr, "%s\n", error.text);
        }
    }
    const sim_run run = run_of("{\"points_file\": \"strands.txt\"}", "");
    coif_error error = {0};
    CHECK(try_simulate(&run, &arena, &error) == COIF_ERR_FORMAT);
    CHECK(strstr(error.text, "strands.txt:2: expected the index of a strand, 0 to 11") != NULL);
}

// Strands whose tips are on the body posed at the last frame.
static uint32_t held_strands(const char *selection)
{
    const char *constraint =
        coif_arena_print(&arena, "{\"type\": \"pin\", \"from\": 1, %s}", selection);
    const coif_strands strands = simulated(constraint, 7);
    const coif_strands rigid = posed(0, 7);
    uint32_t held = 0;
    for (int32_t s = 0; s < strands.strand_count; ++s) {
        const float distance = coif_length(coif_sub(tip_of(&strands, s), tip_of(&rigid, s)));
        held |= distance < 2e-6f ? 1u << s : 0u;
    }
    return held;
}

TEST(strands_are_chosen_by_map_region_and_file)
{
    const coif_strands rest = posed(0, 1);
    uint32_t front = 0;
    for (int32_t s = 0; s < rest.strand_count; ++s) {
        front |= rest.points[rest.first[s]].z > 0.0f ? 1u << s : 0u;
    }
    CHECK(front != 0 && front != 0xfff);
    CHECK(held_strands("\"mask\": {\"map\": \"front\"}") == front);
    CHECK(held_strands("\"mask\": {\"map\": \"none\"}") == 0);
    CHECK(held_strands("\"region\": \"ball\", \"region_radius\": 1") == 0xfff);
    CHECK(held_strands("\"region\": \"box\", \"region_center\": [0, 0, 0.5],"
                       "\"region_size\": [1, 1, 1]") != 0xfff);
    CHECK(held_strands("\"groom_region\": 1") == 0);
    const char *text = "3\n5 0 1 # not the tip\n7 -1 2\n";
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("strands.txt"), text, strlen(text), &error), error);
    CHECK(held_strands("\"points_file\": \"strands.txt\"") == ((1u << 3) | (1u << 7)));
}
