// A Lambertian wall with irradiance estimators: path tracing, light sampling, BSDF sampling.
//
// The wall is the square |x|, |z| <= 20 at y = 0 and faces up; its irradiance has closed forms.
#ifndef COIF_TESTS_SUPPORT_RENDER_WALL_H
#define COIF_TESTS_SUPPORT_RENDER_WALL_H

#include "core/base/rng.h"
#include "core/scene/scene.h"
#include "render/integrator/path.h"
#include "render/math/fast_math.h"
#include "tests/support/light_sampling_fixture.h"
#include "tests/support/test.h"

#include <float.h>

static const float WALL_ALBEDO = 0.5f;

// Lights from the elements of the JSON list "lights".
static inline void wall_lights(coif_lights *lights, const char *members, coif_arena *arena)
{
    static const coif_section *const children[] = {&COIF_LIGHTS_SECTION, NULL};
    static const coif_section root = {.name = "", .children = children};
    const char *text = coif_arena_print(arena, "{\"lights\": [%s]}", members);
    const coif_scene_desc desc = {.path = coif_test_path("lights.json"),
                                  .tree = &root,
                                  .source = text,
                                  .source_size = strlen(text)};
    coif_scene file;
    coif_error error = {0};
    CHECK_OK(coif_scene_load(&file, &desc, arena, &error), error);
    coif_texture_cache *textures = coif_arena_new(arena, 1, coif_texture_cache);
    textures->arena = arena;
    const coif_param_source from = {coif_node_at(file.root, "lights"), 1.0, textures, arena};
    const coif_bounds bounds = {{-1.0f, -1.0f, -1.0f}, {1.0f, 1.0f, 1.0f}};
    CHECK_OK(coif_lights_init(lights, &from, &bounds, &error), error);
}

// A scene of the wall alone; the caller closes its accel.
static inline void wall_scene(coif_render_scene *scene, const coif_lights *lights,
                              coif_arena *arena)
{
    static coif_vec3 corners[4] = {
        {-20.0f, 0.0f, -20.0f}, {-20.0f, 0.0f, 20.0f}, {20.0f, 0.0f, 20.0f}, {20.0f, 0.0f, -20.0f}};
    static int32_t indices[6] = {0, 1, 2, 0, 2, 3};
    static coif_vec3 normals[6];
    static coif_mesh wall = {.vertex_count = 4, .triangle_count = 2};
    static coif_surface_material material = {.surface = {.roughness = 1.0f}};
    static coif_geometry shape;
    for (int i = 0; i < 6; ++i) {
        normals[i] = (coif_vec3){0.0f, 1.0f, 0.0f};
    }
    wall.positions = corners;
    wall.indices = indices;
    wall.normals = normals;
    material.surface.color = (coif_vec3){WALL_ALBEDO, WALL_ALBEDO, WALL_ALBEDO};
    shape = (coif_geometry){.mesh = &wall, .materials = &material};
    coif_error error = {0};
    *scene = (coif_render_scene){.geometries = &shape, .geometry_count = 1, .lights = *lights};
    const coif_accel_desc accel = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&scene->accel, &accel, arena, &error), error);
    CHECK_OK(coif_accel_add_mesh(scene->accel, &wall, 1, &error), error);
    CHECK_OK(coif_accel_build(scene->accel, NULL, &error), error);
}

// Irradiance at (x, 0, z) by path tracing, with MIS of light and BSDF sampling.
static inline coif_vec3 wall_path_irradiance(const coif_render_scene *scene, float x, float z,
                                             uint32_t samples)
{
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < samples; ++i) {
        coif_sampler sampler = coif_sampler_at(3, (int32_t)(100.0f * x), (int32_t)(100.0f * z), i);
        coif_primary_hit first;
        const coif_ray ray = {{x, 1e-3f, z}, {0.0f, -1.0f, 0.0f}, 0.0f, FLT_MAX, 0.0f, 0};
        sum = coif_add(sum, coif_path_trace(scene, ray, &sampler, &first, NULL));
    }
    return coif_scale(sum, COIF_PI / (WALL_ALBEDO * (float)samples));
}

// The same by light sampling alone (NEE), without occlusion.
static inline double wall_nee_irradiance(const coif_lights *lights, float x, float z,
                                         uint32_t samples)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < samples; ++i) {
        coif_sampler sampler = coif_sampler_at(4, 0, 0, i);
        const float choice = coif_sampler_next_2d(&sampler).x;
        const light_sample sample =
            sample_lights(lights, (coif_vec3){x, 0.0f, z}, choice, coif_sampler_next_2d(&sampler));
        if (sample.pdf > 0.0f && sample.direction.y > 0.0f) {
            sum += sample.radiance.y * sample.direction.y / sample.pdf;
        }
    }
    return sum / samples;
}

// The same by BSDF sampling alone, without occlusion.
static inline double wall_bsdf_irradiance(const coif_lights *lights, float x, float z,
                                          uint32_t samples)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < samples; ++i) {
        coif_sampler sampler = coif_sampler_at(5, 0, 0, i);
        const coif_vec2 u = coif_sampler_next_2d(&sampler);
        const float r = sqrtf(u.x), phi = COIF_TWO_PI * u.y;
        const coif_ray ray = {{x, 0.0f, z}, {r * cosf(phi), sqrtf(1.0f - u.x), r * sinf(phi)},
                              0.0f,         FLT_MAX,
                              0.0f,         0};
        for (int32_t k = 0; k < lights->count; ++k) {
            float pdf, distance;
            sum += COIF_PI * coif_light_eval_ray(&lights->lights[k], &ray, 1.0f, &pdf, &distance).y;
        }
    }
    return sum / samples;
}

#endif
