// Shadow catcher: composited over the bare ground it gives the image of the whole scene.
#include "core/base/jobs.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/render_ball.h"
#include "tests/support/test.h"

enum { SIDE = 24, PIXELS = SIDE * SIDE };

static coif_arena arena;

// A horizontal square of 40 m at a height.
static void make_sheet(coif_mesh *mesh, float height)
{
    static const float corners[4][2] = {{-1, 1}, {1, 1}, {1, -1}, {-1, -1}};
    static int32_t indices[6] = {0, 1, 2, 0, 2, 3};
    *mesh = (coif_mesh){.vertex_count = 4, .triangle_count = 2, .indices = indices};
    mesh->positions = coif_arena_new(&arena, 4, coif_vec3);
    mesh->normals = coif_arena_new(&arena, 6, coif_vec3);
    for (int i = 0; i < 6; ++i) {
        mesh->positions[i % 4] =
            (coif_vec3){20.0f * corners[i % 4][0], height, 20.0f * corners[i % 4][1]};
        mesh->normals[i] = (coif_vec3){0.0f, 1.0f, 0.0f};
    }
}

// Contents of the scene.
typedef struct catcher_setup {
    bool catcher, ground, ball, roof, transparent;
    const char *aovs;
} catcher_setup;

static void render_film(coif_film *film, const catcher_setup *setup, int samples)
{
    coif_error error = {0};
    static coif_mesh sheet, roof, ball;
    make_sheet(&sheet, 0.0f);
    make_sheet(&roof, 3.0f);
    ball_mesh(&ball, 0.6f, &arena);
    for (int32_t i = 0; i < ball.vertex_count; ++i) {
        ball.positions[i].y += 0.8f;
    }
    const coif_surface_material grey = {
        .surface = {.color = {0.6f, 0.6f, 0.6f}, .roughness = 1.0f}};
    coif_surface_material floor = grey;
    floor.is_shadow_catcher = setup->catcher;
    coif_geometry shapes[3];
    int32_t count = 0;
    if (setup->ground) {
        shapes[count++] = (coif_geometry){.mesh = &sheet, .materials = &floor};
    }
    if (setup->ball) {
        shapes[count++] = (coif_geometry){.mesh = &ball, .materials = &grey};
    }
    if (setup->roof) {
        shapes[count++] = (coif_geometry){.mesh = &roof, .materials = &grey};
    }
    coif_light lights[2] = {{.type = COIF_LIGHT_SPHERE,
                             .position = {2.0f, 5.0f, 1.0f},
                             .radius = 0.7f,
                             .area = 1.5393804f,
                             .radiance = {20.0f, 20.0f, 20.0f},
                             .luminance = 20.0f},
                            {.type = COIF_LIGHT_ENVIRONMENT}};
    coif_environment_init(&lights[1].environment, (coif_vec3){0.2f, 0.2f, 0.2f}, NULL, 0.0f,
                          &arena);
    coif_render_scene scene = {.geometries = shapes,
                               .geometry_count = count,
                               .lights = {.lights = lights, .count = setup->roof ? 1 : 2},
                               .background = {0.3f, 0.3f, 0.3f},
                               .has_shadow_catcher = setup->catcher,
                               .transparent = setup->transparent};
    scene.camera =
        (coif_camera){.origin = {0.0f, 2.0f, 4.0f}, .half_height = 0.4f, .half_width = 0.4f};
    scene.camera.forward = coif_normalize((coif_vec3){0.0f, -1.6f, -4.0f});
    scene.camera.right = (coif_vec3){1.0f, 0.0f, 0.0f};
    scene.camera.up = coif_cross(scene.camera.right, scene.camera.forward);
    const coif_accel_desc desc = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&scene.accel, &desc, &arena, &error), error);
    for (int32_t i = 0; i < count; ++i) {
        CHECK_OK(coif_accel_add_mesh(scene.accel, shapes[i].mesh, 1, &error), error);
    }
    CHECK_OK(coif_accel_build(scene.accel, NULL, &error), error);
    coif_aovs aovs;
    const coif_aovs_desc layers = {.names = setup->aovs != NULL ? setup->aovs : "",
                                   .has_shadow_catcher = setup->catcher};
    CHECK_OK(coif_aovs_select(&aovs, &layers, &arena, &error), error);
    coif_film_init(film, &(coif_film_desc){.width = SIDE, .height = SIDE, .aovs = &aovs}, &arena);
    const coif_sampling_params sampling = {.samples = samples, .filter = COIF_FILTER_BOX};
    const coif_tile_pass tiles = {
        .scene = &scene, .sampling = &sampling, .transparent = setup->transparent};
    CHECK_OK(coif_tiles_render_pass(film, &tiles, NULL, NULL, &error), error);
    coif_accel_close(scene.accel);
}

static void value_of(const coif_film *film, int pixel, int layer, float values[4])
{
    coif_film_value(film, (size_t)pixel, &film->aovs.list[layer], values);
}

TEST(a_fully_lit_catcher_is_transparent)
{
    coif_film film;
    render_film(&film, &(catcher_setup){.catcher = true, .ground = true, .transparent = true}, 4);
    for (int i = 0; i < PIXELS; ++i) {
        float v[4];
        value_of(&film, i, 0, v);
        CHECK(v[0] == 0.0f && v[3] == 0.0f);
    }
}

// The light is above the roof, the ground below.
TEST(a_fully_shadowed_catcher_is_black)
{
    coif_film film;
    render_film(&film,
                &(catcher_setup){.catcher = true,
                                 .ground = true,
                                 .roof = true,
                                 .transparent = true,
                                 .aovs = "shadow_catcher"},
                8);
    for (int i = PIXELS / 2; i < PIXELS; ++i) {
        float v[4], caught[COIF_MAX_AOV_CHANNELS];
        value_of(&film, i, 0, v);
        value_of(&film, i, 1, caught);
        CHECK_NEAR(v[3], 1.0, 1e-6);
        CHECK_NEAR(caught[1], 0.0, 1e-6);
        CHECK_NEAR(v[1], 0.0, 1e-6);
    }
}

// Over an image of the bare ground, and with its own background over the ground colour.
TEST(composited_over_the_ground_it_equals_the_whole_scene)
{
    coif_film whole, bare, caught;
    enum { SAMPLES = 256 };
    render_film(&whole, &(catcher_setup){.ground = true, .ball = true}, SAMPLES);
    render_film(&bare, &(catcher_setup){.ground = true}, SAMPLES);
    render_film(&caught,
                &(catcher_setup){.catcher = true,
                                 .ground = true,
                                 .ball = true,
                                 .transparent = true,
                                 .aovs = "shadow_catcher mask"},
                SAMPLES);
    const coif_aov *mask = coif_aovs_find(&caught.aovs, "mask");
    const coif_aov *ratio = coif_aovs_find(&caught.aovs, "shadow_catcher");
    double difference = 0.0, light = 0.0, squares = 0.0, deepest = 0.0, ground = 0.0;
    for (int i = 0; i < PIXELS; ++i) {
        float a[4], b[4], c[4], covered[COIF_MAX_AOV_CHANNELS], light_ratio[COIF_MAX_AOV_CHANNELS];
        value_of(&whole, i, 0, a);
        value_of(&bare, i, 0, b);
        value_of(&caught, i, 0, c);
        coif_film_value(&caught, (size_t)i, mask, covered);
        coif_film_value(&caught, (size_t)i, ratio, light_ratio);
        const double laid = (double)c[1] + (1.0 - (double)c[3]) * (double)b[1];
        difference += laid - (double)a[1];
        squares += (laid - (double)a[1]) * (laid - (double)a[1]);
        light += (double)a[1];
        // Beside the ball, alpha is the missing fraction of light.
        if (covered[1] == 0.0f) {
            CHECK_NEAR(c[3], 1.0 - light_ratio[1], 1e-6);
            deepest = fmax(deepest, (double)c[3]);
            ground += 1.0;
        }
    }
    CHECK(ground > 0.5 * PIXELS && deepest > 0.6);
    CHECK_NEAR(difference / light, 0.0, 3e-3);
    CHECK_NEAR(sqrt(squares / PIXELS) / (light / PIXELS), 0.0, 0.03);
}

TEST(the_background_of_the_image_is_shadowed)
{
    coif_film film;
    render_film(&film, &(catcher_setup){.catcher = true, .ground = true}, 4);
    float v[4];
    value_of(&film, PIXELS - SIDE / 2, 0, v);
    CHECK_NEAR(v[1], 0.3, 1e-5);
    CHECK_NEAR(v[3], 1.0, 1e-6);
    render_film(&film, &(catcher_setup){.catcher = true, .ground = true, .roof = true}, 4);
    value_of(&film, PIXELS - SIDE / 2, 0, v);
    CHECK_NEAR(v[1], 0.0, 1e-5);
    CHECK_NEAR(v[3], 1.0, 1e-6);
}
