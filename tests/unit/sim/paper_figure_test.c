// The two scenes of plain position based dynamics reproduce the figures they cite.
#include "core/base/jobs.h"
#include "core/hair/frame_cache.h"
#include "plugins/host/host.h"
#include "sim/run/simulate.h"
#include "tests/support/sim_run.h"
#include "tests/support/test.h"
#include "tools/cli/command.h"

static coif_arena arena = {.name = "test"};

enum { LAST = 30 };

// The last frame of a scene with fewer strands.
static coif_strands last_frame(const char *name)
{
    static const char *const sets[] = {"grooms/hair/count=16", "sim/last_frame=30",
                                       "sim/quantise=false", "sim/checkpoint_interval=100"};
    coif_error error = {0};
    coif_plugins *plugins;
    CHECK_OK(coif_plugins_open(&plugins, NULL, &arena, &error), error);
    const coif_plugin_lookup lookup = coif_plugins_lookup(plugins);
    const char *path = coif_arena_print(&arena, "scenes/%s.json", name);
    const coif_scene_desc loading = {.path = coif_arena_copy_text(&arena, coif_test_source(path)),
                                     .sets = sets,
                                     .set_count = COIF_COUNT_OF(sets),
                                     .tree = coif_scene_tree(&arena),
                                     .plugins = &lookup};
    coif_scene scene;
    CHECK_OK(coif_scene_load(&scene, &loading, &arena, &error), error);
    const char *folder = coif_arena_copy_text(&arena, coif_test_path(name));
    const coif_simulate_desc desc = {
        .scene = &scene, .folder = folder, .frames = {LAST, LAST, 1}, .redo = true};
    CHECK_OK(simulate_with_threads(&desc, 1, &arena, &error), error);
    coif_groom groom;
    coif_strands strands;
    coif_frame_cache_desc frame = {.frame = -1};
    CHECK_OK(coif_groom_load(&groom, coif_groom_file_path(folder, "hair", &arena), &arena, &error),
             error);
    CHECK_OK(coif_frame_cache_load(&strands, &frame, &groom,
                                   coif_frame_file_path(folder, "hair", LAST, &arena), &arena,
                                   &error),
             error);
    CHECK(frame.reset_count == 0 && strands.strand_count == 16);
    return strands;
}

// The mean distance of points so far apart along their strand.
static double mean_distance(const coif_strands *strands, int32_t span)
{
    double sum = 0.0;
    int32_t count = 0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        for (int32_t i = strands->first[s]; i + span < strands->first[s + 1]; ++i, ++count) {
            sum += coif_length(coif_sub(coif_vec4_xyz(strands->points[i + span]),
                                        coif_vec4_xyz(strands->points[i])));
        }
    }
    return count > 0 ? sum / count : 0.0;
}

// 60 segments of 1 cm keep their length, and pairs shortened to 0.8 fold the strand into waves.
TEST(shortened_pairs_make_waves)
{
    const coif_strands strands = last_frame("figure_pairs");
    CHECK(strands.first[1] - strands.first[0] == 61);
    CHECK_NEAR(mean_distance(&strands, 1), 0.01, 0.0003);
    const double pair = mean_distance(&strands, 2);
    CHECK(pair > 0.015 && pair < 0.0185);
    CHECK(mean_distance(&strands, 60) < 0.54); // as a whole shorter than 60 cm
}

// 40 segments of 1.5 cm; first and last are half the length apart, so the strand turns up again.
TEST(first_and_last_make_loops)
{
    const coif_strands strands = last_frame("figure_loops");
    CHECK(strands.first[1] - strands.first[0] == 41);
    CHECK_NEAR(mean_distance(&strands, 1), 0.015, 0.0003);
    CHECK_NEAR(mean_distance(&strands, 40), 0.3, 0.01);
    int32_t loops = 0;
    for (int32_t s = 0; s < strands.strand_count; ++s) {
        float lowest = 1.0f;
        for (int32_t i = strands.first[s]; i < strands.first[s + 1]; ++i) {
            lowest = fminf(lowest, strands.points[i].y);
        }
        loops += strands.points[strands.first[s + 1] - 1].y > lowest + 0.05f;
    }
    CHECK(loops >= 14);
}
