// White furnace: geometry in a uniform environment of radiance 1, framed by a camera of 16 x 16
// pixels.
#ifndef COIF_TESTS_SUPPORT_FURNACE_SCENE_H
#define COIF_TESTS_SUPPORT_FURNACE_SCENE_H

#include "render/camera/camera.h"
#include "render/scene/render_scene.h"
#include "tests/support/test.h"

typedef struct furnace_scene {
    coif_render_scene scene;
    coif_light sky;
} furnace_scene;

// The caller closes the accel.
static inline void furnace_scene_init(furnace_scene *furnace, const coif_geometry *shape,
                                      int32_t shape_count, coif_arena *arena)
{
    coif_error error = {0};
    *furnace = (furnace_scene){.sky = {.type = COIF_LIGHT_ENVIRONMENT, .visible = true}};
    const coif_vec3 white = {1.0f, 1.0f, 1.0f};
    coif_environment_init(&furnace->sky.environment, white, NULL, 0.0f, arena);
    furnace->scene.geometries = coif_arena_new(arena, shape_count, coif_geometry);
    memcpy(furnace->scene.geometries, shape, sizeof *shape * (size_t)shape_count);
    furnace->scene.geometry_count = shape_count;
    furnace->scene.lights = (coif_lights){.lights = &furnace->sky, .count = 1};
    coif_node node = {0};
    coif_values_init(&node.values, COIF_CAMERA_SECTION.params, COIF_CAMERA_SECTION.param_count,
                     arena);
    const coif_bounds bounds = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    furnace->scene.camera = coif_camera_at(&node, 1.0, 16, 16, &bounds);
    const coif_accel_desc desc = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&furnace->scene.accel, &desc, arena, &error), error);
    for (int32_t i = 0; i < shape_count; ++i) {
        const coif_status status =
            shape[i].mesh != NULL
                ? coif_accel_add_mesh(furnace->scene.accel, shape[i].mesh, 1, &error)
                : coif_accel_add_curves(furnace->scene.accel, shape[i].curves, &error);
        CHECK(status == COIF_OK);
    }
    CHECK_OK(coif_accel_build(furnace->scene.accel, NULL, &error), error);
}

#endif
