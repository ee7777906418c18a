// Live sessions move hair as cached runs do.
#include "sim/run/live_session.h"

#include "core/base/jobs.h"
#include "core/hair/frame_cache.h"
#include "sim/run/simulate.h"
#include "tests/support/test.h"
#include "tools/cli/command.h"

static coif_arena arena = {.name = "test"};
static coif_jobs *jobs;
static coif_plugins *plugins;

static void load(coif_scene *scene, const char *const *sets, int32_t count)
{
    coif_error error = {0};
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
        CHECK_OK(coif_jobs_open(&jobs, 2, &arena, &error), error);
    }
    coif_plugin_lookup *lookup = coif_arena_new(&arena, 1, coif_plugin_lookup);
    *lookup = coif_plugins_lookup(plugins);
    const coif_scene_desc desc = {.path = coif_test_source("scenes/tiny.json"),
                                  .sets = sets,
                                  .set_count = count,
                                  .tree = coif_scene_tree(&arena),
                                  .plugins = lookup};
    CHECK_OK(coif_scene_load(scene, &desc, &arena, &error), error);
}

static coif_live *open_live(const coif_scene *scene)
{
    coif_error error = {0};
    coif_live *live;
    CHECK_OK(coif_live_open(&live, scene, 0, NULL, &arena, jobs, &error), error);
    return live;
}

static coif_strands step(coif_live *live, int count)
{
    coif_error error = {0};
    coif_step_stats stats;
    for (int i = 0; i < count; ++i) {
        CHECK_OK(coif_live_step(live, &stats, &error), error);
    }
    coif_strands strands;
    CHECK_OK(coif_live_get_points(&strands, live, &arena, &error), error);
    return strands;
}

static float farthest(const coif_strands *a, const coif_strands *b)
{
    CHECK(a->point_count == b->point_count);
    float most = 0.0f;
    for (int32_t i = 0; i < a->point_count && i < b->point_count; ++i) {
        most = fmaxf(
            most, coif_length(coif_sub(coif_vec4_xyz(a->points[i]), coif_vec4_xyz(b->points[i]))));
    }
    return most;
}

TEST(live_hair_moves_as_cached_hair_does)
{
    static const char *const sets[] = {"sim/warmup_time=0",
                                       "sim/body_interpolation=linear",
                                       "sim/last_frame=4",
                                       "sim/quantise=false",
                                       "grooms/0/count=40",
                                       "grooms/0/simulated_fraction=1",
                                       "grooms/0/constraints=[{\"type\": \"pin\", \"from\": 1}, "
                                       "{\"type\": \"tie\", \"target\": \"free\", "
                                       "\"from\": 0.6, \"to\": 0.6, \"radius\": 0.02}]"};
    coif_scene scene;
    load(&scene, sets, COIF_COUNT_OF(sets));
    coif_error error = {0};
    const coif_simulate_desc desc = {.scene = &scene, .folder = coif_test_folder()};
    CHECK_OK(coif_simulate(&desc, jobs, NULL, &error), error);
    const coif_node *groom = &coif_node_at(scene.root, "grooms")->children[0];
    const char *name = coif_values_find(&groom->values, "name")->text;
    coif_strands cached;
    const char *path = coif_frame_file_path(coif_test_folder(), name, 4, &arena);
    coif_live *live = open_live(&scene);
    coif_frame_cache_desc head;
    CHECK_OK(coif_frame_cache_load(&cached, &head, coif_live_groom(live), path, &arena, &error),
             error);
    const coif_strands seen = step(live, 4 - coif_live_frame(live));
    CHECK_NEAR((double)farthest(&cached, &seen), 0.0, 1e-6);
    coif_live_close(live);
}

// The cache of a run as goal of another, of strength 1 from frame 3 on.
TEST(goals_pull_live_hair_as_cached_hair)
{
    char goal[512];
    snprintf(goal, sizeof goal, "sim/goal_cache=%s", coif_test_folder());
    const char *const sets[] = {"sim/warmup_time=0",
                                "sim/body_interpolation=linear",
                                "sim/last_frame=4",
                                "sim/quantise=false",
                                "grooms/0/count=40",
                                "grooms/0/simulated_fraction=1",
                                "sim/goal_strength={\"keys\": [[1, 0.2], [3, 1]]}",
                                "sim/gravity=[0, 0, 9.81]",
                                goal};
    coif_scene scene, pulled;
    load(&scene, sets, 6);
    coif_error error = {0};
    const coif_simulate_desc desc = {.scene = &scene, .folder = coif_test_folder()};
    CHECK_OK(coif_simulate(&desc, jobs, NULL, &error), error);
    load(&pulled, sets, COIF_COUNT_OF(sets));
    const char *folder = coif_arena_copy_text(&arena, coif_test_path("pulled"));
    CHECK_OK(coif_path_make_directory(folder, &error), error);
    const coif_simulate_desc next = {.scene = &pulled, .folder = folder};
    CHECK_OK(coif_simulate(&next, jobs, NULL, &error), error);
    coif_live *live = open_live(&pulled);
    coif_strands wanted, cached;
    const char *path = coif_frame_file_path(coif_test_folder(), "hair", 4, &arena);
    CHECK_OK(coif_frame_cache_load(&wanted, NULL, coif_live_groom(live), path, &arena, &error),
             error);
    path = coif_frame_file_path(folder, "hair", 4, &arena);
    CHECK_OK(coif_frame_cache_load(&cached, NULL, coif_live_groom(live), path, &arena, &error),
             error);
    const coif_strands early = step(live, 1);
    const coif_strands seen = step(live, 2);
    CHECK_NEAR((double)farthest(&cached, &seen), 0.0, 1e-6);
    CHECK_NEAR((double)farthest(&wanted, &seen), 0.0, 1e-6);
    CHECK(farthest(&early, &seen) > 1e-4f);
    coif_live_close(live);
}

TEST(changed_settings_continue_and_a_reset_restarts)
{
    static const char *const calm[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1"};
    static const char *const light[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1",
                                        "sim/gravity=[0, 9.81, 0]"};
    static const char *const other[] = {"grooms/0/count=41"};
    coif_scene scene, changed, grown;
    load(&scene, calm, 2);
    load(&changed, light, 3);
    load(&grown, other, 1);
    coif_live *live = open_live(&scene), *same = open_live(&scene);
    CHECK(coif_live_can_reuse(live, &changed) && !coif_live_can_reuse(live, &grown));
    const coif_strands before = step(live, 3);
    coif_error error = {0};
    CHECK_OK(coif_live_apply_scene(live, &changed, &error), error);
    const coif_strands after = step(live, 0);
    CHECK(farthest(&before, &after) == 0.0f);
    // Hair that falls upwards is somewhere else by now.
    const coif_strands up = step(live, 3), down = step(same, 6);
    CHECK(farthest(&up, &down) > 1e-3f);
    CHECK_OK(coif_live_apply_scene(live, &scene, &error), error);
    CHECK_OK(coif_live_reset(live, &error), error);
    const coif_strands again = step(live, 3);
    CHECK(farthest(&before, &again) == 0.0f);
    coif_live_close(live);
    coif_live_close(same);
}

// The same values in the groom and in "sim" give the same hair, from the beginning and when they
// change; a disabled groom keeps its rest shape.
TEST(live_sessions_use_the_parameters_of_their_groom)
{
    static const char *const own[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1",
                                      "grooms/hair/sim/solver=pbd", "grooms/hair/sim/substeps=3"};
    static const char *const all[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1",
                                      "sim/solver=pbd", "sim/substeps=3"};
    static const char *const rigid[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1",
                                        "grooms/hair/sim/enabled=false"};
    static const char *const fewer[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1",
                                        "grooms/hair/sim/simulated_fraction=0.5"};
    coif_scene groom, scene, disabled, guides, plain;
    load(&groom, own, 4);
    load(&scene, all, 4);
    load(&disabled, rigid, 3);
    load(&guides, fewer, 3);
    load(&plain, own, 2);
    coif_error error = {0};
    coif_live *a = open_live(&groom), *b = open_live(&scene), *c = open_live(&plain);
    CHECK(coif_live_substeps_of(a).requested == 3 && coif_live_can_reuse(a, &plain));
    CHECK(!coif_live_can_reuse(a, &guides));
    const coif_strands first = step(a, 3), second = step(b, 3), third = step(c, 3);
    CHECK(farthest(&first, &second) == 0.0f);
    CHECK(farthest(&first, &third) > 1e-4f);
    CHECK_OK(coif_live_apply_scene(a, &plain, &error), error);
    CHECK_OK(coif_live_apply_scene(b, &plain, &error), error);
    const coif_strands changed = step(a, 2), same = step(b, 2);
    CHECK(farthest(&changed, &same) == 0.0f);
    CHECK_OK(coif_live_apply_scene(a, &disabled, &error), error);
    step(a, 2);
    CHECK_OK(coif_live_reset(b, &error), error);
    CHECK_OK(coif_live_apply_scene(b, &disabled, &error), error);
    CHECK_OK(coif_live_reset(b, &error), error);
    const coif_strands posed = step(a, 1), from_rest = step(b, coif_live_frame(a) - 1);
    CHECK(farthest(&posed, &from_rest) == 0.0f);
    coif_live_close(a);
    coif_live_close(b);
    coif_live_close(c);
}

static float length_of(const coif_strands *strands)
{
    float sum = 0.0f;
    for (int32_t i = 1; i < strands->first[1]; ++i) {
        sum += coif_length(
            coif_sub(coif_vec4_xyz(strands->points[i]), coif_vec4_xyz(strands->points[i - 1])));
    }
    return sum;
}

TEST(rest_shape_animation_runs_in_live_sessions)
{
    static const char *const sets[] = {"sim/damping=3",
                                       "sim/warmup_time=0",
                                       "sim/body_interpolation=linear",
                                       "sim/last_frame=6",
                                       "sim/quantise=false",
                                       "grooms/0/count=40",
                                       "grooms/0/simulated_fraction=1",
                                       "grooms/0/length={\"keys\": [[1, 0.02], [6, 0.1]]}"};
    coif_scene scene, damped;
    load(&damped, sets, COIF_COUNT_OF(sets));
    load(&scene, sets + 1, COIF_COUNT_OF(sets) - 1);
    coif_error error = {0};
    const coif_simulate_desc desc = {.scene = &scene, .folder = coif_test_folder()};
    CHECK_OK(coif_simulate(&desc, jobs, NULL, &error), error);
    const coif_node *groom = &coif_node_at(scene.root, "grooms")->children[0];
    const char *name = coif_values_find(&groom->values, "name")->text;
    const char *path = coif_frame_file_path(coif_test_folder(), name, 6, &arena);
    coif_live *live = open_live(&scene);
    coif_strands cached;
    coif_frame_cache_desc head;
    CHECK_OK(coif_frame_cache_load(&cached, &head, coif_live_groom(live), path, &arena, &error),
             error);
    const coif_strands before = step(live, 0);
    const coif_strands seen = step(live, 6 - coif_live_frame(live));
    CHECK_NEAR((double)farthest(&cached, &seen), 0.0, 1e-6);
    CHECK(length_of(&seen) > 4.0f * length_of(&before));
    // Other settings leave it as long as it is, and a reset makes it short again.
    CHECK(coif_live_can_reuse(live, &damped));
    CHECK_OK(coif_live_apply_scene(live, &damped, &error), error);
    const coif_strands changed = step(live, 0);
    CHECK_NEAR((double)farthest(&changed, &seen), 0.0, 1e-6);
    const coif_strands later = step(live, 1);
    CHECK_NEAR((double)(length_of(&later) / length_of(&seen)), 1.0, 1e-3);
    CHECK_OK(coif_live_reset(live, &error), error);
    const coif_strands again = step(live, 0);
    CHECK_NEAR((double)farthest(&again, &before), 0.0, 1e-6);
    coif_live_close(live);
}

TEST(dragging_the_head_moves_the_roots)
{
    static const char *const sets[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1"};
    coif_scene scene;
    load(&scene, sets, 2);
    coif_live *held = open_live(&scene), *free_one = open_live(&scene);
    const float shift[3] = {0.05f, 0.0f, 0.0f}, turn[3] = {0};
    coif_live_set_body_drag(held, shift, turn);
    const coif_strands a = step(held, 1), b = step(free_one, 1);
    for (int32_t s = 0; s < a.strand_count; ++s) {
        const coif_vec4 p = a.points[a.first[s]], q = b.points[b.first[s]];
        CHECK_NEAR((double)(p.x - q.x), 0.05, 1e-5);
        CHECK_NEAR((double)(p.y - q.y), 0.0, 1e-5);
    }
    coif_live_close(held);
    coif_live_close(free_one);
}

// Fewer substeps than the scene has are those of a scene that has so few, and the scene's own come
// back.
TEST(fewer_substeps_are_those_of_another_scene)
{
    static const char *const many[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1",
                                       "sim/substeps=8"};
    static const char *const few[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1",
                                      "sim/substeps=5"};
    static const char *const plain[] = {"grooms/0/count=40", "grooms/0/simulated_fraction=1",
                                        "sim/substeps=8", "sim/solver=pbd"};
    coif_scene scene, short_scene, other;
    load(&scene, many, 3);
    load(&short_scene, few, 3);
    load(&other, plain, 4);
    coif_live *held = open_live(&scene), *whole = open_live(&scene);
    coif_live *same = open_live(&short_scene), *pbd = open_live(&other);
    coif_live_limit_substeps(held, 5);
    CHECK(coif_live_substeps_of(held).requested == 8 && coif_live_substeps_of(held).limited == 5);
    const coif_strands a = step(held, 3), b = step(same, 3), c = step(whole, 3);
    CHECK(farthest(&a, &b) == 0.0f);
    CHECK(farthest(&a, &c) > 0.0f);
    coif_live_limit_substeps(held, 0);
    CHECK(coif_live_substeps_of(held).limited == 8);
    coif_live_limit_substeps(held, 12);
    CHECK(coif_live_substeps_of(held).limited == 8);
    // Its stiffness would be another.
    coif_live_limit_substeps(pbd, 5);
    CHECK(coif_live_substeps_of(pbd).limited == 8);
    coif_live_close(held);
    coif_live_close(whole);
    coif_live_close(same);
    coif_live_close(pbd);
}

// The same strands go on as if nothing had been; fewer of them, and more that follow, are where
// those are that they were taken from.
TEST(other_strands_go_on_where_they_are)
{
    static const char *const many[] = {"grooms/0/count=120", "grooms/0/simulated_fraction=1"};
    static const char *const few[] = {"grooms/0/count=70", "grooms/0/simulated_fraction=1"};
    static const char *const settings[] = {"grooms/0/count=120", "grooms/0/simulated_fraction=1",
                                           "sim/simulated_fraction=0.5"};
    coif_scene scene, fewer, followed;
    load(&scene, many, 2);
    load(&fewer, few, 2);
    load(&followed, settings, 3);
    coif_error error = {0};
    coif_live *first = open_live(&scene), *same = open_live(&scene);
    coif_live *thin = open_live(&fewer), *half = open_live(&followed);
    const float shift[3] = {0.03f, 0.0f, 0.0f}, turn[3] = {0};
    coif_live_set_body_drag(first, shift, turn);
    const coif_strands rest = step(same, 0);
    const coif_strands before = step(first, 4);
    CHECK(farthest(&rest, &before) > 0.02f);
    CHECK_OK(coif_live_transfer_from(same, first, true, &error), error);
    CHECK_OK(coif_live_transfer_from(thin, first, true, &error), error);
    CHECK_OK(coif_live_transfer_from(half, first, true, &error), error);
    CHECK(coif_live_frame(thin) == coif_live_frame(first));
    coif_strands now = step(same, 0);
    CHECK_NEAR((double)farthest(&now, &before), 0.0, 1e-7);
    now = step(half, 0);
    CHECK(coif_live_groom(half)->simulated_count < 80);
    CHECK(farthest(&now, &before) < 0.02f);
    now = step(thin, 0);
    for (int32_t i = 0; i < now.point_count; ++i) {
        CHECK_NEAR((double)coif_length(
                       coif_sub(coif_vec4_xyz(now.points[i]), coif_vec4_xyz(before.points[i]))),
                   0.0, 1e-7);
    }
    const coif_strands a = step(first, 3), b = step(same, 3);
    CHECK_NEAR((double)farthest(&a, &b), 0.0, 2e-4);
    coif_live_close(first);
    coif_live_close(same);
    coif_live_close(thin);
    coif_live_close(half);
}

// Whatever state those are in: they come as they are at rest.
TEST(bodies_of_another_are_as_good_as_new_ones)
{
    static const char *const sets[] = {"grooms/0/count=80", "grooms/0/simulated_fraction=1"};
    coif_scene scene;
    load(&scene, sets, 2);
    coif_error error = {0};
    coif_live *first = open_live(&scene), *fresh = open_live(&scene), *second;
    const float shift[3] = {0.03f, 0.0f, 0.0f}, turn[3] = {0.0f, 20.0f, 0.0f};
    coif_live_set_body_drag(first, shift, turn);
    step(first, 4);
    CHECK_OK(coif_live_open(&second, &scene, 0, first, &arena, jobs, &error), error);
    coif_live_close(first);
    const coif_strands a = step(second, 5), b = step(fresh, 5);
    CHECK(farthest(&a, &b) == 0.0f);
    coif_live_close(second);
    coif_live_close(fresh);
}
