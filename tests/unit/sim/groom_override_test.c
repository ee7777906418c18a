// Simulation parameters of a groom ("grooms[].sim"): they override those of the scene, for this
// groom alone.
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/body/input_digest.h"
#include "core/hair/child_interpolation.h"
#include "core/hair/frame_cache.h"
#include "core/scene/applies_to.h"
#include "sim/run/simulate.h"
#include "tests/support/sim_run.h"

#include <sys/stat.h>
#include <unistd.h>

static coif_arena arena = {.name = "test"};

enum { LAST = 6 };

#define HEAD                                                                                       \
    "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\",\n"                                 \
    "   \"rotate\": {\"keys\": [[1, [0, 0, 0]], [3, [0, 9, 4]], [6, [0, 30, 10]]]}}],\n"           \
    " \"forces\": [{\"plugin\": \"wind.uniform\", \"velocity\": [2, 0, 1]}],\n"
#define HAIR                                                                                       \
    "{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\", \"count\": 40,\n"              \
    "   \"points\": 10, \"length\": 0.12%s}"
#define BROWS                                                                                      \
    "{\"name\": \"brows\", \"body\": \"head\", \"group\": \"skin\", \"count\": 60, \"points\": "   \
    "8,\n   \"length\": 0.05, \"simulated_fraction\": 0.5%s}"
#define SIM                                                                                        \
    " \"sim\": {\"last_frame\": 6, \"checkpoint_interval\": 4,\n"                                  \
    "   \"warmup_time\": 0.1, \"quantise\": false%s}}\n"

// Both grooms with text in the entry of each and in "sim".
static const char *both(const char *hair, const char *brows, const char *sim)
{
    return coif_arena_print(&arena, HEAD "\"grooms\": [" HAIR ", " BROWS "],\n" SIM, hair, brows,
                            sim);
}

static void empty_folder(void)
{
    static const char *const grooms[] = {"hair", "brows"};
    for (size_t g = 0; g < COIF_COUNT_OF(grooms); ++g) {
        unlink(coif_test_path(coif_arena_print(&arena, "%s.groom", grooms[g])));
        for (int f = 1; f <= LAST; ++f) {
            unlink(coif_test_path(coif_arena_print(&arena, "%s.%04d.strands", grooms[g], f)));
            unlink(coif_test_path(coif_arena_print(&arena, "%s.%04d.state", grooms[g], f)));
        }
    }
}

static coif_status simulate(const coif_scene *scene, coif_error *error)
{
    const coif_simulate_desc desc = {
        .scene = scene, .folder = coif_test_folder(), .kernel = "auto"};
    return simulate_with_threads(&desc, 2, &arena, error);
}

static void simulate_text(const char *text)
{
    coif_error error = {0};
    const coif_scene scene = ball_scene(text, NULL, &arena);
    CHECK_OK(simulate(&scene, &error), error);
}

static const char *frame_path(const char *groom, int frame, const char *extension)
{
    return coif_arena_copy_text(
        &arena, coif_test_path(coif_arena_print(&arena, "%s.%04d.%s", groom, frame, extension)));
}

// Digest of all bytes of the cache of a groom, metadata included.
static uint64_t cache_digest(const char *groom)
{
    uint64_t digest = 0;
    for (int f = 1; f <= LAST; ++f) {
        for (int state = 0; state < 1 + (f == 4); ++state) {
            char *data;
            size_t size;
            coif_error error = {0};
            CHECK_OK(coif_file_load(&data, &size, frame_path(groom, f, state ? "state" : "strands"),
                                    &arena, &error),
                     error);
            digest = coif_hash64_extend(digest, data, size);
        }
    }
    return digest;
}

static uint64_t fresh_digest(const char *text, const char *groom)
{
    empty_folder();
    simulate_text(text);
    return cache_digest(groom);
}

// Overrides, and the same values in "sim".
#define PBD    "\"solver\": \"pbd\", \"substeps\": 3, \"iterations\": 5, \"goal_scale\": 0.5"
#define XPBD   "\"solver\": \"xpbd\", \"damping\": {\"keys\": [[1, 1], [6, 9]]}"
#define FTL    "\"solver\": \"ftl\", \"substeps\": 7"
#define SPRING "\"solver\": \"spring\", \"substeps\": 2, \"max_inner_steps\": 40"

TEST(grooms_with_solvers_of_their_own_give_the_bytes_of_each_alone)
{
    static const char *const overrides[] = {PBD, XPBD, FTL, SPRING};
    const uint64_t hair = fresh_digest(
        coif_arena_print(&arena, HEAD "\"grooms\": [" HAIR "],\n" SIM, "", ""), "hair");
    for (size_t i = 0; i < COIF_COUNT_OF(overrides); ++i) {
        const uint64_t brows =
            fresh_digest(coif_arena_print(&arena, HEAD "\"grooms\": [" BROWS "],\n" SIM, "",
                                          coif_arena_print(&arena, ", %s", overrides[i])),
                         "brows");
        const uint64_t together = fresh_digest(
            both("", coif_arena_print(&arena, ", \"sim\": {%s}", overrides[i]), ""), "brows");
        CHECK(brows == together);
        CHECK(cache_digest("hair") == hair);
    }
    // A cache depends on its solver and substeps.
    CHECK(fresh_digest(both("", "", ""), "brows") !=
          fresh_digest(both("", ", \"sim\": {\"substeps\": 3}", ""), "brows"));
}

TEST(maps_ramps_and_children_may_be_overridden)
{
#define MAPS                                                                                       \
    ", \"maps\": [{\"name\": \"m\", \"plugin\": \"density.noise\", \"scale\": 0.05},\n"            \
    "   {\"name\": \"n\", \"plugin\": \"density.noise\", \"scale\": 0.09}]"
    static const char *const settings =
        "\"stiffness\": {\"map\": \"m\", \"range\": [0.5, 4]}, \"damping\": {\"value\": 3, "
        "\"ramp\": [[0, 1], [1, 0.2]]}, \"simulated_fraction\": 0.4, \"child_mode\": \"clump\", "
        "\"clump_variation\": {\"map\": \"n\"}";
    const uint64_t alone =
        fresh_digest(coif_arena_print(&arena, HEAD "\"grooms\": [" BROWS "],\n" SIM, MAPS,
                                      coif_arena_print(&arena, ", %s", settings)),
                     "brows");
    const uint64_t together = fresh_digest(
        both("", coif_arena_print(&arena, MAPS ", \"sim\": {%s}", settings), ""), "brows");
    CHECK(alone == together);
    // A map of the scene's "sim" that one groom has and another has not.
    const uint64_t inherited = fresh_digest(
        both("", MAPS, ", \"stiffness\": {\"map\": \"m\", \"range\": [0.5, 4]}"), "brows");
    CHECK(inherited == fresh_digest(both("",
                                         MAPS ", \"sim\": {\"stiffness\": {\"map\": \"m\", "
                                              "\"range\": [0.5, 4]}}",
                                         ""),
                                    "brows"));
}

TEST(an_override_equal_to_the_value_of_the_scene_changes_no_byte)
{
    const uint64_t plain = fresh_digest(both("", "", ""), "brows");
    const uint64_t equal = fresh_digest(
        both("", ", \"sim\": {\"solver\": \"der\", \"substeps\": 8, \"gravity\": [0, -9.81, 0]}",
             ""),
        "brows");
    CHECK(plain == equal);
    // Nor does a default that is written out in "sim".
    CHECK(plain == fresh_digest(both("", "", ", \"iterations\": 3, \"friction\": 0.3"), "brows"));
}

static ino_t inode(const char *groom, int frame)
{
    struct stat info = {0};
    CHECK(stat(frame_path(groom, frame, "strands"), &info) == 0);
    return info.st_ino;
}

// Frames are replaced by new files.
TEST(an_override_makes_the_cache_of_its_groom_alone_stale)
{
    empty_folder();
    simulate_text(both("", "", ""));
    const ino_t hair = inode("hair", LAST), brows = inode("brows", LAST);
    simulate_text(both("", ", \"sim\": {\"damping\": 5}", ""));
    CHECK(inode("hair", LAST) == hair);
    CHECK(inode("brows", LAST) != brows);
    const ino_t changed = inode("brows", LAST);
    simulate_text(both("", ", \"sim\": {\"damping\": 5, \"checkpoint_interval\": 2}", ""));
    CHECK(inode("brows", LAST) == changed);
    // What a groom overrides may change in the scene.
    simulate_text(both("", ", \"sim\": {\"damping\": 5}", ", \"damping\": 2"));
    CHECK(inode("brows", LAST) == changed);
    CHECK(inode("hair", LAST) != hair);
}

TEST(an_interrupted_run_restarts_with_the_overrides)
{
    static const char *const overrides[] = {PBD, "\"enabled\": false"};
    for (size_t i = 0; i < COIF_COUNT_OF(overrides); ++i) {
        const char *text = both("", coif_arena_print(&arena, ", \"sim\": {%s}", overrides[i]), "");
        const uint64_t whole = fresh_digest(text, "brows");
        unlink(frame_path("brows", 5, "strands"));
        unlink(frame_path("brows", 6, "strands"));
        simulate_text(text);
        CHECK(cache_digest("brows") == whole);
    }
    CHECK(!coif_path_exists(frame_path("brows", 2, "state")));
    simulate_text(both("", ", \"sim\": {\"damping\": 3, \"checkpoint_interval\": 2}", ""));
    CHECK(coif_path_exists(frame_path("brows", 2, "state")));
    CHECK(!coif_path_exists(frame_path("hair", 2, "state")));
}

static coif_mesh posed_head(const coif_scene *scene, int frame)
{
    coif_error error = {0};
    coif_body *bodies;
    int32_t count;
    coif_mesh mesh;
    CHECK_OK(coif_bodies_load(&bodies, &count, scene, &arena, &error), error);
    CHECK_OK(coif_body_pose(&mesh, bodies, frame, &arena, &error), error);
    return mesh;
}

// Positions of the rest shape that moves with its roots, from another implementation: children
// without guides.
static coif_strands posed_rest(const coif_groom *groom, const coif_mesh *body)
{
    coif_error error = {0};
    coif_groom loose = *groom;
    coif_strands none = {0}, all;
    int32_t first = 0;
    none.first = &first;
    loose.simulated_count = 0;
    loose.guides =
        coif_arena_new(&arena, COIF_GUIDES_PER_CHILD * (int64_t)groom->rest.strand_count, int32_t);
    for (int32_t i = 0; i < COIF_GUIDES_PER_CHILD * groom->rest.strand_count; ++i) {
        loose.guides[i] = -1;
    }
    CHECK_OK(coif_interpolate_children(&all, &none, &loose, body, &arena, NULL, &error), error);
    return all;
}

TEST(a_disabled_groom_is_the_rest_groom_posed_with_the_body)
{
    const coif_scene scene = ball_scene(both("", ", \"sim\": {\"enabled\": false}",
                                             ", \"body_interpolation\": "
                                             "\"linear\", \"preroll\": 0.2"),
                                        NULL, &arena);
    coif_error error = {0};
    empty_folder();
    CHECK_OK(simulate(&scene, &error), error);
    coif_groom groom;
    CHECK_OK(coif_groom_load(&groom, coif_test_path("brows.groom"), &arena, &error), error);
    CHECK(groom.simulated_count > 0 && groom.simulated_count < groom.rest.strand_count);
    coif_strands before = {0};
    for (int f = 1; f <= LAST; ++f) {
        const coif_mesh body = posed_head(&scene, f);
        const coif_strands expected = posed_rest(&groom, &body);
        coif_strands simulated, all;
        coif_frame_cache_desc desc;
        CHECK_OK(coif_frame_cache_load(&simulated, &desc, &groom, frame_path("brows", f, "strands"),
                                       &arena, &error),
                 error);
        CHECK_CONTAINS(desc.metadata, "solver=none");
        CHECK_OK(coif_interpolate_children(&all, &simulated, &groom, &body, &arena, NULL, &error),
                 error);
        double farthest = 0.0, velocity_error = 0.0, fastest = 0.0;
        for (int32_t i = 0; i < all.point_count; ++i) {
            const coif_vec3 p = coif_vec4_xyz(all.points[i]);
            farthest =
                fmax(farthest, (double)coif_length(coif_sub(p, coif_vec4_xyz(expected.points[i]))));
        }
        // Linear motion of bodies: the velocity is that of the whole frame.
        for (int32_t i = 0; f > 1 && i < simulated.point_count; ++i) {
            const coif_vec3 step =
                coif_sub(coif_vec4_xyz(simulated.points[i]), coif_vec4_xyz(before.points[i]));
            const coif_vec3 v = coif_scale(step, 24.0f);
            velocity_error =
                fmax(velocity_error, (double)coif_length(coif_sub(v, simulated.velocities[i])));
            fastest = fmax(fastest, (double)coif_length(v));
        }
        CHECK_NEAR(farthest, 0.0, 1e-6);
        CHECK_NEAR(velocity_error, 0.0, 1e-4);
        CHECK(f == 1 || fastest > 0.1);
        before = simulated;
    }
}

// A groom that grows is rigid at every frame too; sim/enabled is inherited like any parameter.
TEST(a_disabled_groom_follows_its_own_keys)
{
    const char *text =
        both(", \"sim\": {\"enabled\": true}",
             ", \"length_variation\": {\"keys\": [[1, 0], [6, 0.5]]}", ", \"enabled\": false");
    const coif_scene scene = ball_scene(text, NULL, &arena);
    coif_error error = {0};
    empty_folder();
    CHECK_OK(simulate(&scene, &error), error);
    coif_groom groom, last;
    coif_strands simulated;
    const coif_node *node = &coif_node_at(scene.root, "grooms")->children[1];
    coif_body *bodies;
    int32_t count;
    CHECK_OK(coif_bodies_load(&bodies, &count, &scene, &arena, &error), error);
    CHECK_OK(coif_groom_load(&groom, coif_test_path("brows.groom"), &arena, &error), error);
    const coif_groom_generate_desc desc = {
        .scene = &scene, .node = node, .body = bodies, .frame = LAST, .reuse = &groom};
    CHECK_OK(coif_groom_generate(&last, &desc, &arena, NULL, &error), error);
    const coif_mesh body = posed_head(&scene, LAST);
    const coif_strands expected = posed_rest(&last, &body);
    CHECK_OK(coif_frame_cache_load(&simulated, NULL, &groom, frame_path("brows", LAST, "strands"),
                                   &arena, &error),
             error);
    double farthest = 0.0, grown = 0.0;
    for (int32_t s = 0; s < groom.simulated_count; ++s) {
        const int32_t rest = groom.rest.first[groom.simulated[s]];
        for (int32_t i = simulated.first[s]; i < simulated.first[s + 1]; ++i) {
            const int32_t at = rest + i - simulated.first[s];
            const coif_vec3 p = coif_vec4_xyz(simulated.points[i]);
            farthest = fmax(farthest,
                            (double)coif_length(coif_sub(p, coif_vec4_xyz(expected.points[at]))));
            grown =
                fmax(grown, (double)coif_length(coif_sub(coif_vec4_xyz(last.rest.points[at]),
                                                         coif_vec4_xyz(groom.rest.points[at]))));
        }
    }
    CHECK_NEAR(farthest, 0.0, 1e-6);
    CHECK(grown > 1e-3);
    CHECK(cache_digest("hair") == fresh_digest(both("", "", ""), "hair"));
}

static const char *error_of(const char *brows)
{
    coif_scene scene;
    coif_error *error = coif_arena_new(&arena, 1, coif_error);
    CHECK(load_ball_scene(&scene, both("", coif_arena_print(&arena, ", \"sim\": {%s}", brows), ""),
                          NULL, &arena, error) == COIF_ERR_SCENE);
    return error->text;
}

TEST(parameters_of_the_whole_scene_and_unknown_ones_are_errors)
{
    static const char *const global[] = {"fps",        "first_frame",        "last_frame",
                                         "time_scale", "body_interpolation", "initial_state"};
    for (size_t i = 0; i < COIF_COUNT_OF(global); ++i) {
        const char *text = error_of(coif_arena_print(&arena, "\"%s\": 1", global[i]));
        CHECK_CONTAINS(text, coif_arena_print(&arena,
                                              "/grooms/1/sim/%s: is one value for the whole "
                                              "scene; set /sim/%s instead",
                                              global[i], global[i]));
    }
    CHECK_CONTAINS(error_of("\"subsetps\": 3"),
                   "/grooms/1/sim/subsetps: unknown key, did you mean \"substeps\"?");
    CHECK_CONTAINS(error_of("\"stiffness\": {\"map\": \"gone\"}"), "/grooms/1/sim/stiffness/map");
    CHECK_CONTAINS(error_of("\"solver\": {\"keys\": [[1, \"pbd\"], [2, \"der\"]]}"),
                   "/grooms/1/sim/solver/keys: solver cannot have keys");
    CHECK_CONTAINS(error_of("\"bend_spans\": \"x\""), "/grooms/1/sim/bend_spans");
    CHECK_CONTAINS(error_of("\"young\": 1"), "renamed to \"youngs_modulus\"");
}

static int32_t warnings(const char *hair, const char *brows, const char *sim)
{
    const coif_scene scene = ball_scene(both(hair, brows, sim), NULL, &arena);
    return coif_scene_warn_without_effect(&scene, &arena);
}

TEST(parameters_without_effect_are_judged_by_the_solver_of_the_groom)
{
    coif_log_setup(COIF_LOG_ERROR, false);
#define OWN(text) ", \"sim\": {" text "}"
    CHECK(warnings("", OWN("\"iterations\": 4"), "") == 1);
    CHECK(warnings("", OWN("\"iterations\": 4, \"solver\": \"pbd\""), "") == 0);
    CHECK(warnings("", OWN("\"youngs_modulus\": 1e9, \"solver\": \"pbd\""), "") == 1);
    CHECK(warnings("", OWN("\"youngs_modulus\": 1e9"), ", \"solver\": \"pbd\"") == 1);
    // A value of "sim" acts through the grooms that inherit it.
    CHECK(warnings("", "", ", \"iterations\": 4") == 1);
    CHECK(warnings("", OWN("\"solver\": \"pbd\""), ", \"iterations\": 4") == 0);
    CHECK(warnings("", OWN("\"solver\": \"pbd\", \"iterations\": 2"), ", \"iterations\": 4") == 1);
    CHECK(warnings(OWN("\"damping\": 1"), "", ", \"damping\": 2") == 0);
    CHECK(warnings(OWN("\"damping\": 1"), OWN("\"damping\": 3"), ", \"damping\": 2") == 1);
}
