// Mesh lights equal analytic lights of the same shape, by NEE and by BSDF sampling.
#include "render/lights/mesh_light.h"

#include "core/image/image.h"
#include "render/integrator/interaction.h"
#include "tests/support/render_cache.h"
#include "tests/support/render_wall.h"

static coif_arena arena;

static const double PI = 3.141592653589793;

// The wall and an emissive mesh above it.
typedef struct mesh_light_scene {
    coif_render_scene scene;
    coif_geometry geometries[2];
    coif_surface_material material;
    coif_mesh_light mesh_light;
    coif_light light;
} mesh_light_scene;

static void make_scene(mesh_light_scene *lit, const coif_mesh *meshes, int32_t steps,
                       const coif_texture *map)
{
    coif_error error = {0};
    const coif_lights none = {0};
    *lit = (mesh_light_scene){0};
    wall_scene(&lit->scene, &none, &arena);
    coif_accel_close(lit->scene.accel);
    lit->material = (coif_surface_material){.emission = {4.0f, 4.0f, 4.0f}, .emission_map = map};
    lit->geometries[0] = lit->scene.geometries[0];
    lit->geometries[1] = (coif_geometry){
        .mesh = meshes, .mesh_steps = steps, .materials = &lit->material, .light_index = 1};
    lit->mesh_light = (coif_mesh_light){.meshes = meshes,
                                        .steps = steps,
                                        .materials = &lit->material,
                                        .geometry = 1,
                                        .instance = -1};
    coif_mesh_light_prepare(&lit->mesh_light, &arena);
    lit->light = (coif_light){.type = COIF_LIGHT_MESH, .mesh_light = &lit->mesh_light};
    lit->scene.lights = (coif_lights){.lights = &lit->light, .count = 1, .has_mesh_lights = true};
    lit->scene.geometries = lit->geometries;
    lit->scene.geometry_count = 2;
    const coif_accel_desc accel = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&lit->scene.accel, &accel, &arena, &error), error);
    CHECK_OK(coif_accel_add_mesh(lit->scene.accel, lit->geometries[0].mesh, 1, &error), error);
    CHECK_OK(coif_accel_add_mesh(lit->scene.accel, meshes, steps, &error), error);
    CHECK_OK(coif_accel_build(lit->scene.accel, NULL, &error), error);
}

// A square of side 1 at a height, in two triangles that face down, or up.
static coif_mesh square_at(float height, float shift, bool down)
{
    const float h = 0.5f;
    const coif_vec3 corners[4] = {{shift - h, height, -h},
                                  {shift + h, height, -h},
                                  {shift + h, height, h},
                                  {shift - h, height, h}};
    static const int32_t below[6] = {0, 1, 2, 0, 2, 3}, above[6] = {0, 2, 1, 0, 3, 2};
    static const coif_vec2 uvs[4] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    coif_mesh mesh = {.vertex_count = 4, .triangle_count = 2};
    mesh.positions = coif_arena_new(&arena, 4, coif_vec3);
    mesh.indices = coif_arena_new(&arena, 6, int32_t);
    mesh.normals = coif_arena_new(&arena, 6, coif_vec3);
    mesh.uvs = coif_arena_new(&arena, 6, coif_vec2);
    memcpy(mesh.positions, corners, sizeof corners);
    memcpy(mesh.indices, down ? below : above, sizeof below);
    for (int i = 0; i < 6; ++i) {
        mesh.normals[i] = (coif_vec3){0.0f, down ? -1.0f : 1.0f, 0.0f};
        mesh.uvs[i] = uvs[mesh.indices[i]];
    }
    return mesh;
}

// Irradiance at the origin by BSDF sampling alone, over the shutter interval.
static double bsdf_irradiance(const coif_render_scene *scene, uint32_t samples)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < samples; ++i) {
        coif_sampler sampler = coif_sampler_at(5, 0, 0, i);
        const coif_vec2 u = coif_sampler_next_2d(&sampler);
        const float r = sqrtf(u.x), phi = COIF_TWO_PI * u.y;
        const coif_ray ray = {{0.0f, 1e-4f, 0.0f},
                              {r * cosf(phi), sqrtf(1.0f - u.x), r * sinf(phi)},
                              0.0f,
                              FLT_MAX,
                              coif_sampler_next_2d(&sampler).x,
                              0};
        coif_ray_hit hit;
        coif_interaction isect;
        if (coif_accel_intersect(scene->accel, &ray, &hit)) {
            coif_interaction_init(&isect, scene, &ray, &hit, 1);
            sum += isect.light_index >= 0
                       ? PI * coif_material_emission(scene->geometries[1].materials,
                                                     scene->geometries[1].mesh, hit.primitive,
                                                     hit.u, hit.v)
                                  .y
                       : 0.0;
        }
    }
    return sum / samples;
}

static double path_irradiance(const coif_render_scene *scene, uint32_t samples)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < samples; ++i) {
        coif_sampler sampler = coif_sampler_at(6, 0, 0, i);
        coif_primary_hit first;
        const coif_ray ray = {{0.0f, 1e-3f, 0.0f},
                              {0.0f, -1.0f, 0.0f},
                              0.0f,
                              FLT_MAX,
                              coif_sampler_next_2d(&sampler).x,
                              0};
        sum += coif_path_trace(scene, ray, &sampler, &first, NULL).y;
    }
    return sum * PI / (0.5 * samples);
}

// Four times the view factor of a corner rectangle (Howell C-11).
static double square_irradiance(double height)
{
    const double a = 0.5 / height, n = a / sqrt(1.0 + a * a);
    return 4.0 * PI * 4.0 * 2.0 * n * atan(n) / (2.0 * PI);
}

TEST(square_mesh_light_equals_a_rectangle_light)
{
    for (int i = 0; i < 3; ++i) {
        const double height = i == 0 ? 0.05 : i == 1 ? 0.4 : 1.5;
        const coif_mesh mesh = square_at((float)height, 0.0f, true);
        mesh_light_scene lit;
        make_scene(&lit, &mesh, 1, NULL);
        lit.scene.max_depth = 1; // without interreflection of wall and square
        const double expected = square_irradiance(height);
        CHECK_NEAR(path_irradiance(&lit.scene, 8192) / expected, 1.0, 0.01);
        CHECK_NEAR(bsdf_irradiance(&lit.scene, 1 << 17) / expected, 1.0, 0.02);
        if (i > 0) { // NEE alone is too noisy close to the light
            CHECK_NEAR(wall_nee_irradiance(&lit.scene.lights, 0.0f, 0.0f, 1 << 17) / expected, 1.0,
                       0.02);
        }
        coif_accel_close(lit.scene.accel);
    }
}

// A triangulated sphere: pi L (r / d)^2.
TEST(spherical_mesh_light_equals_a_sphere_light)
{
    coif_mesh ball;
    ball_mesh(&ball, 0.4f, &arena);
    for (int32_t i = 0; i < ball.vertex_count; ++i) {
        ball.positions[i].y += 1.5f;
    }
    mesh_light_scene lit;
    make_scene(&lit, &ball, 1, NULL);
    lit.scene.max_depth = 1;
    const double expected = PI * 4.0 * 0.16 / 2.25;
    CHECK_NEAR(path_irradiance(&lit.scene, 8192) / expected, 1.0, 0.01);
    CHECK_NEAR(bsdf_irradiance(&lit.scene, 1 << 17) / expected, 1.0, 0.02);
    CHECK_NEAR(wall_nee_irradiance(&lit.scene.lights, 0.0f, 0.0f, 1 << 16) / expected, 1.0, 0.02);
    coif_accel_close(lit.scene.accel);
}

// Over the hemisphere of directions.
TEST(mesh_light_pdf_integrates_to_one)
{
    const coif_mesh mesh = square_at(0.7f, 0.2f, true);
    mesh_light_scene lit;
    make_scene(&lit, &mesh, 1, NULL);
    double sum = 0.0;
    enum { SAMPLES = 200000 };
    for (uint64_t i = 0; i < SAMPLES; ++i) {
        const float y = coif_random_unit(3, i, 0), phi = COIF_TWO_PI * coif_random_unit(3, i, 1);
        const float r = sqrtf(1.0f - y * y);
        const coif_ray ray = {
            {0.0f, 0.0f, 0.0f}, {r * cosf(phi), y, r * sinf(phi)}, 1e-3f, FLT_MAX, 0.0f, 0};
        coif_ray_hit hit;
        if (coif_accel_intersect(lit.scene.accel, &ray, &hit) && hit.geometry == 1) {
            const coif_vec3 point = coif_scale(ray.direction, hit.distance);
            sum += coif_mesh_light_pdf(&lit.mesh_light, hit.primitive, point, ray.origin, 0.0f);
        }
    }
    CHECK_NEAR(sum * 2.0 * PI / SAMPLES, 1.0, 0.01);
    coif_accel_close(lit.scene.accel);
}

// An emission texture with one bright stripe.
TEST(emission_textures_steer_triangle_selection)
{
    enum { SIZE = 16 };
    float pixels[SIZE * SIZE];
    for (int i = 0; i < SIZE * SIZE; ++i) {
        pixels[i] = i % SIZE == 3 ? 10.0f : 0.0f;
    }
    coif_error error = {0};
    const char *path = coif_test_path("stripe.exr");
    const coif_image_desc texture = {
        .width = SIZE, .height = SIZE, .channel_count = 1, .pixels = pixels};
    CHECK_OK(coif_image_save(path, &texture, &error), error);
    coif_texture_cache textures = {.arena = &arena};
    const coif_texture *stripe = NULL;
    CHECK_OK(coif_texture_load(&stripe, &textures, path, COIF_MAP_COLOR, &error), error);
    const coif_mesh mesh = square_at(0.6f, 0.0f, true);
    mesh_light_scene lit;
    make_scene(&lit, &mesh, 1, stripe);
    lit.scene.max_depth = 1;
    const double expected = bsdf_irradiance(&lit.scene, 1 << 18);
    CHECK(expected > 1.0);
    CHECK_NEAR(path_irradiance(&lit.scene, 16384) / expected, 1.0, 0.02);
    CHECK_NEAR(wall_nee_irradiance(&lit.scene.lights, 0.0f, 0.0f, 1 << 17) / expected, 1.0, 0.02);
    coif_accel_close(lit.scene.accel);
}

// Irradiance is averaged over the motion.
TEST(moving_mesh_light_is_sampled_at_its_current_position)
{
    const coif_mesh steps[2] = {square_at(0.5f, -2.0f, true), square_at(0.9f, 2.0f, true)};
    mesh_light_scene lit;
    make_scene(&lit, steps, 2, NULL);
    lit.scene.max_depth = 1;
    lit.scene.has_motion = true;
    const double expected = bsdf_irradiance(&lit.scene, 1 << 18);
    CHECK_NEAR(path_irradiance(&lit.scene, 16384) / expected, 1.0, 0.02);
    coif_accel_close(lit.scene.accel);
}

// No light from the back side of the mesh, nor from below the wall.
TEST(mesh_light_does_not_leak_behind_a_wall)
{
    const coif_mesh away = square_at(0.5f, 0.0f, false), below = square_at(-0.002f, 0.0f, false);
    mesh_light_scene lit;
    make_scene(&lit, &away, 1, NULL);
    CHECK_NEAR(path_irradiance(&lit.scene, 256), 0.0, 0.0);
    coif_accel_close(lit.scene.accel);
    make_scene(&lit, &below, 1, NULL);
    CHECK_NEAR(path_irradiance(&lit.scene, 256), 0.0, 0.0);
    coif_accel_close(lit.scene.accel);
}

// Renders the ball scene with lobe and light AOVs.
static coif_image render_image(const char *const *sets, int32_t count)
{
    coif_error error = {0};
    coif_image image = {0};
    coif_render_desc desc = ball_render_desc(ball_scene(sets, count, &arena));
    ball_cache(&arena);
    desc.source.aovs = "hair_lobes light_passes lights";
    desc.overwrite = true;
    CHECK_OK(ball_render(&desc, 2, &arena, &error), error);
    CHECK_OK(coif_image_load(&image, coif_test_path("render0001.exr"), &arena, &error), error);
    return image;
}

static double total(const coif_image *image, const char *channel)
{
    const int32_t c = channel_of(image, channel);
    double sum = 0.0;
    for (int64_t i = 0; i < (int64_t)image->width * image->height; ++i) {
        sum += image->pixels[i * image->channel_count + c];
    }
    return sum / ((double)image->width * image->height);
}

TEST(emissive_body_lights_its_hair)
{
    static const char *const sets[] = {"lights=[]",
                                       "image/exr_layout=single",
                                       "image/exr_pixel_type=float",
                                       "image/width=32",
                                       "image/height=32",
                                       "image/background=[0,0,0]",
                                       "bodies/0/material/emission=[1,2,1]",
                                       "bodies/0/material/light_group=glow"};
    const coif_image image = render_image(sets, COIF_COUNT_OF(sets));
    const double whole = total(&image, "G");
    CHECK(whole > 0.2);
    CHECK_NEAR(total(&image, "light_glow.G") / whole, 1.0, 1e-5);
    CHECK_NEAR((total(&image, "R.G") + total(&image, "TT.G") + total(&image, "TRT.G") +
                total(&image, "hair_multiple.G") + total(&image, "surface.G")) /
                   whole,
               1.0, 1e-5);
    CHECK_NEAR((total(&image, "direct.G") + total(&image, "indirect.G")) / whole, 1.0, 1e-5);
    CHECK(total(&image, "TT.G") > 0.001 && total(&image, "hair_multiple.G") > 0.001);
    CHECK_NEAR(total(&image, "R"), 0.5 * whole, 0.2 * whole);

    static const char *const copies[] = {
        "lights=[]",
        "image/exr_layout=single",
        "image/exr_pixel_type=float",
        "image/width=32",
        "image/height=32",
        "image/background=[0,0,0]",
        "bodies/0/material/emission=[1,2,1]",
        "instances=[{\"body\":\"ball\",\"translate\":[0.09,0.1,0.05],\"scale\":0.3}]"};
    const coif_image two = render_image(copies, COIF_COUNT_OF(copies));
    CHECK(total(&two, "G") > 1.02 * whole);
}
