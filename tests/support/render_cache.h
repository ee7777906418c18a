// Cache files of hair on the ball of render_scene.h.
#ifndef COIF_TESTS_SUPPORT_RENDER_CACHE_H
#define COIF_TESTS_SUPPORT_RENDER_CACHE_H

#include "core/base/jobs.h"
#include "core/hair/frame_cache.h"
#include "core/hair/groom.h"
#include "core/image/image.h"
#include "tests/support/render_ball.h"
#include "tests/support/render_scene.h"

// A groom, frame 1 at rest, and frame 2 a centimetre to the right.
static inline void ball_cache(coif_arena *arena)
{
    enum { COUNT = 400, LENGTH = 10 };
    coif_error error = {0};
    coif_mesh mesh;
    CHECK_OK(coif_mesh_load(&mesh, coif_test_source("scenes/assets/ball.obj"),
                            &COIF_MESH_ALL_TRIANGLES, arena, &error),
             error);
    int32_t lengths[COUNT];
    for (int32_t s = 0; s < COUNT; ++s) {
        lengths[s] = LENGTH;
    }
    coif_groom groom;
    CHECK_OK(coif_groom_init(&groom, lengths, COUNT, arena, &error), error);
    for (int32_t s = 0; s < COUNT; ++s) {
        coif_vec4 *points = groom.rest.points + s * LENGTH;
        ball_strand(points, LENGTH, s, COUNT);
        for (int i = 0; i < LENGTH; ++i) {
            const float scale = 0.1f; // the ball has a radius of 10 cm
            points[i] = (coif_vec4){points[i].x * scale, points[i].y * scale, points[i].z * scale,
                                    points[i].w * 0.6f};
        }
        groom.rest.root_uv[2 * s] = ((float)s + 0.5f) / COUNT;
        groom.rest.root_uv[2 * s + 1] = 0.25f;
        groom.random[s] = coif_random_word(1, (uint64_t)s, 9);
    }
    groom.mesh_digest = coif_mesh_topology_digest(&mesh);
    CHECK_OK(coif_groom_save(&groom, coif_test_path("hair.groom"), &error), error);
    const coif_frame_cache_desc first = {.frame = 1}, second = {.frame = 2};
    CHECK_OK(coif_frame_cache_save(&groom.rest, &groom, &first, coif_test_path("hair.0001.strands"),
                                   &error),
             error);
    for (int32_t i = 0; i < groom.rest.point_count; ++i) {
        groom.rest.points[i].x += 0.01f;
    }
    CHECK_OK(coif_frame_cache_save(&groom.rest, &groom, &second,
                                   coif_test_path("hair.0002.strands"), &error),
             error);
}

// Renders the cache in the test folder into that folder.
static inline coif_render_desc ball_render_desc(const coif_scene *scene)
{
    return (coif_render_desc){.source.scene = scene,
                              .source.cache = coif_test_folder(),
                              .folder = coif_test_folder(),
                              .source.format = "exr",
                              .frames = {.first = 1, .last = 1, .step = 1},
                              .source.isa = "sse4.2"};
}

static inline coif_status ball_render(const coif_render_desc *desc, int threads, coif_arena *arena,
                                      coif_error *error)
{
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, threads, arena, error), *error);
    const coif_status status = coif_render_frames(desc, jobs, NULL, error);
    coif_jobs_close(jobs);
    return status;
}

// Index of a channel by name.
static inline int32_t channel_of(const coif_image *image, const char *name)
{
    for (int32_t c = 0; c < image->channel_count; ++c) {
        if (strcmp(image->channel_names[c], name) == 0) {
            return c;
        }
    }
    coif_test_failed(__FILE__, __LINE__, "no channel %s", name);
    return 0;
}

#endif
