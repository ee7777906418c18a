// The renderer as a library: scenes from arrays in memory, passes, float buffers, cancellation.
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "render/render.h"
#include "tests/support/render_ball.h"
#include "tests/support/test.h"

#include <string.h>

enum { SIZE = 40, STRANDS = 300, POINTS = 8 };

static coif_arena arena;

static coif_strands strands;
static coif_mesh ball;
static coif_hair_material hair_material;
static const coif_surface_material ball_material = {
    .surface = {.color = {0.5f, 0.4f, 0.3f}, .roughness = 1.0f}};

static coif_camera front_camera(void)
{
    coif_camera camera = {.origin = {0.0f, 0.5f, 5.0f},
                          .right = {1.0f, 0.0f, 0.0f},
                          .up = {0.0f, 1.0f, 0.0f},
                          .forward = {0.0f, 0.0f, -1.0f},
                          .half_height = 0.4f,
                          .half_width = 0.4f};
    camera.pixel_angle = 2.0f * camera.half_height / SIZE;
    return camera;
}

static coif_render_scene *make_scene(coif_jobs *jobs)
{
    coif_render_scene *scene;
    coif_error error = {0};
    const coif_render_scene_desc desc = {
        .isa = "sse4.2", .jobs = jobs, .background = {0.1f, 0.2f, 0.3f}};
    CHECK_OK(coif_render_scene_create(&scene, &desc, &arena, &error), error);
    ball_strands(&strands, STRANDS, POINTS, &arena);
    ball_mesh(&ball, 0.99f, &arena);
    coif_hair_material_init(&hair_material,
                            &(coif_hair_params){.eumelanin = 0.5f,
                                                .ior = 1.55f,
                                                .longitudinal_roughness = 0.3f,
                                                .azimuthal_roughness = 0.3f,
                                                .cuticle_angle = 2.0f,
                                                COIF_HAIR_OPAQUE},
                            COIF_WORKING_REC709);
    CHECK_OK(
        coif_render_scene_add_strands(
            scene, &(coif_render_strands){.steps = &strands, .material = &hair_material}, &error),
        error);
    CHECK_OK(coif_render_scene_add_mesh(
                 scene, &(coif_render_mesh){.steps = &ball, .materials = &ball_material}, &error),
             error);
    coif_light sky = {.type = COIF_LIGHT_ENVIRONMENT};
    coif_environment_init(&sky.environment, (coif_vec3){1.0f, 1.0f, 1.0f}, NULL, 0.0f, &arena);
    coif_render_scene_add_light(scene, &sky);
    const coif_camera camera = front_camera();
    coif_render_scene_set_camera(scene, &camera, 1);
    CHECK_OK(coif_render_scene_commit(scene, NULL, &error), error);
    return scene;
}

static coif_render_session *open_session(const coif_render_scene *scene, const char *names,
                                         coif_jobs *jobs, coif_progress *progress)
{
    coif_render_session *session;
    coif_error error = {0};
    coif_aovs *aovs = coif_arena_new(&arena, 1, coif_aovs);
    CHECK_OK(coif_aovs_select(aovs, &(coif_aovs_desc){.names = names}, &arena, &error), error);
    const coif_render_session_desc desc = {
        .scene = scene,
        .width = SIZE,
        .height = SIZE,
        .sampling = {.seed = 3, .filter = COIF_FILTER_BLACKMAN},
        .splat = true,
        .aovs = aovs,
        .jobs = jobs,
        .progress = progress,
    };
    CHECK_OK(coif_render_session_create(&session, &desc, &arena, &error), error);
    return session;
}

static void render_to(coif_render_session *session, int32_t samples)
{
    coif_error error = {0};
    CHECK_OK(coif_render_session_render(session, &(coif_render_pass){.samples = samples}, &error),
             error);
}

static float *read_beauty(const coif_render_session *session)
{
    coif_error error = {0};
    float *pixels = coif_arena_new(&arena, 4 * SIZE * SIZE, float);
    CHECK_OK(coif_render_session_read(session, "rgba", (coif_rect){0}, pixels, &error), error);
    return pixels;
}

static bool same_pixels(const float *a, const float *b)
{
    return memcmp(a, b, sizeof(float) * 4 * SIZE * SIZE) == 0;
}

TEST(hair_and_mesh_are_visible_against_the_background)
{
    coif_render_scene *scene = make_scene(NULL);
    coif_render_session *session = open_session(scene, "mask Z", NULL, NULL);
    render_to(session, 16);
    const float *pixels = read_beauty(session);
    for (int c = 0; c < 3; ++c) { // a corner; sums are quantised
        CHECK_NEAR(pixels[c], 0.1 * (c + 1), 1e-6);
    }
    float mask[2 * SIZE * SIZE], depth[SIZE * SIZE];
    coif_error error = {0};
    CHECK_OK(coif_render_session_read(session, "mask", (coif_rect){0}, mask, &error), error);
    CHECK_OK(coif_render_session_read(session, "Z", (coif_rect){0}, depth, &error), error);
    double hair = 0.0, surface = 0.0;
    for (int i = 0; i < SIZE * SIZE; ++i) {
        hair += (double)mask[2 * i] / (SIZE * SIZE);
        surface += (double)mask[2 * i + 1] / (SIZE * SIZE);
        CHECK((depth[i] > 0.0f) == (depth[i] > 3.0f)); // in front of the camera, or nothing
    }
    CHECK(hair > 0.01 && surface > 0.1);
    coif_render_session_destroy(session);
    coif_render_scene_destroy(scene);
}

TEST(passes_threads_and_coarse_previews_do_not_change_the_image)
{
    coif_error error = {0};
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, 3, &arena, &error), error);
    coif_render_scene *scene = make_scene(jobs);
    coif_render_session *once = open_session(scene, "", NULL, NULL);
    render_to(once, 9);
    coif_render_session *passes = open_session(scene, "", jobs, NULL);
    const coif_render_pass coarse = {.samples = 1, .pixel_step = 4};
    CHECK_OK(coif_render_session_render(passes, &coarse, &error), error);
    render_to(passes, 2);
    render_to(passes, 5);
    CHECK(!same_pixels(read_beauty(once), read_beauty(passes)));
    render_to(passes, 9);
    CHECK(same_pixels(read_beauty(once), read_beauty(passes)));
    coif_render_session_destroy(once);
    coif_render_session_destroy(passes);
    coif_render_scene_destroy(scene);
    coif_jobs_close(jobs);
}

TEST(a_cancelled_session_continues_to_the_same_image)
{
    coif_error error = {0};
    coif_render_scene *scene = make_scene(NULL);
    coif_render_session *whole = open_session(scene, "", NULL, NULL);
    render_to(whole, 8);
    coif_progress *progress = coif_progress_open(&arena);
    coif_progress_cancel(progress);
    coif_render_session *cancelled = open_session(scene, "", NULL, progress);
    CHECK(coif_render_session_render(cancelled, &(coif_render_pass){.samples = 8}, &error) ==
          COIF_ERR_CANCELLED);
    // The same film, without the cancelled progress.
    coif_render_session *resumed = open_session(scene, "", NULL, NULL);
    *coif_render_session_film(resumed) = *coif_render_session_film(cancelled);
    render_to(resumed, 8);
    CHECK(same_pixels(read_beauty(whole), read_beauty(resumed)));
    coif_render_session_destroy(whole);
    coif_render_session_destroy(resumed);
    coif_render_session_destroy(cancelled);
    coif_render_scene_destroy(scene);
}

TEST(a_window_is_a_part_of_the_buffer)
{
    coif_error error = {0};
    coif_render_scene *scene = make_scene(NULL);
    coif_render_session *session = open_session(scene, "", NULL, NULL);
    render_to(session, 2);
    const float *all = read_beauty(session);
    float part[4 * 6 * 3];
    CHECK_OK(coif_render_session_read(session, "rgba", (coif_rect){10, 20, 16, 23}, part, &error),
             error);
    for (int y = 0; y < 3; ++y) {
        CHECK(memcmp(part + 4 * 6 * y, all + 4 * ((20 + y) * SIZE + 10), 4 * 6 * sizeof *part) ==
              0);
    }
    CHECK(coif_render_session_read(session, "rgba", (coif_rect){30, 0, SIZE + 1, 3}, part,
                                   &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "not inside the rendered region");
    coif_render_session_destroy(session);
    coif_render_scene_destroy(scene);
}

TEST(an_aov_that_was_not_selected_is_an_error)
{
    coif_error error = {0};
    coif_render_scene *scene = make_scene(NULL);
    coif_render_session *session = open_session(scene, "Z", NULL, NULL);
    float unused[1];
    CHECK(coif_render_session_read(session, "albedo", (coif_rect){0}, unused, &error) ==
          COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "\"albedo\" was not selected");
    error = (coif_error){0};
    CHECK(coif_render_session_denoise(session, &error) == COIF_ERR_ARGUMENT);
    coif_render_session_destroy(session);
    coif_render_scene_destroy(scene);
}
