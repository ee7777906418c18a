// renderer: <coif/render.h>, the path tracer of libcoif.
#include "tests/support/test.h"

#include <coif/render.h>

enum { STRANDS = 60, POINTS = 6, SIZE = 24, PIXELS = SIZE * SIZE };

static int32_t first[STRANDS + 1];
static float points[3 * STRANDS * POINTS];

// A tuft over a floor, with a rectangle light and an environment.
static coif_renderer_strands tuft(void)
{
    coif_renderer_strands strands;
    coif_renderer_strands_init(&strands, sizeof strands);
    for (int32_t i = 0; i < STRANDS * POINTS; ++i) {
        const int32_t s = i / POINTS;
        first[s + 1] = (s + 1) * POINTS;
        points[3 * i] = 0.01f * (float)(s % 10) - 0.045f;
        points[3 * i + 1] = 0.03f * (float)(i % POINTS);
        points[3 * i + 2] = 0.01f * (float)(s / 10) - 0.025f;
    }
    strands.strand_count = STRANDS;
    strands.first_point = first;
    strands.points = points;
    strands.radius = 2e-3f;
    return strands;
}

static coif_renderer_mesh floor_mesh(void)
{
    static const float corners[12] = {-1, 0, -1, -1, 0, 1, 1, 0, 1, 1, 0, -1};
    static const int32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    coif_renderer_mesh mesh;
    coif_renderer_mesh_init(&mesh, sizeof mesh);
    mesh.vertex_count = 4;
    mesh.triangle_count = 2;
    mesh.positions = corners;
    mesh.triangles = triangles;
    return mesh;
}

static coif_renderer_camera view(float x)
{
    coif_renderer_camera camera;
    coif_renderer_camera_init(&camera, sizeof camera);
    camera.position[0] = x;
    camera.position[1] = 0.3f;
    camera.position[2] = 0.5f;
    camera.look_at[1] = 0.07f;
    return camera;
}

static coif_renderer_desc small(void)
{
    coif_renderer_desc desc;
    coif_renderer_desc_init(&desc, sizeof desc);
    desc.width = desc.height = SIZE;
    desc.threads = 1;
    desc.aovs = "mask N Z";
    return desc;
}

static coif_renderer *open_renderer(const coif_renderer_desc *desc, float camera_x)
{
    coif_renderer *renderer = NULL;
    const coif_renderer_strands strands = tuft();
    const coif_renderer_mesh mesh = floor_mesh();
    const coif_renderer_camera camera = view(camera_x);
    coif_renderer_light light;
    coif_renderer_light_init(&light, sizeof light);
    light.intensity = 10.0f;
    CHECK(coif_renderer_create(&renderer, desc) == COIF_OK);
    CHECK_TEXT(coif_last_error(), "");
    CHECK(coif_renderer_add_strands(renderer, &strands) == COIF_OK);
    CHECK(coif_renderer_add_mesh(renderer, &mesh) == COIF_OK);
    CHECK(coif_renderer_add_light(renderer, &light) == COIF_OK);
    light.type = "environment";
    light.intensity = 0.5f;
    CHECK(coif_renderer_add_light(renderer, &light) == COIF_OK);
    CHECK(coif_renderer_set_camera(renderer, &camera) == COIF_OK);
    CHECK(coif_renderer_commit(renderer) == COIF_OK);
    return renderer;
}

static void render_to(float *rgba, coif_renderer *renderer, int32_t samples)
{
    CHECK(coif_renderer_render(renderer, samples, NULL, NULL) == COIF_OK);
    CHECK(coif_renderer_read(renderer, "rgba", rgba) == COIF_OK);
}

TEST(image_shows_hair_and_floor)
{
    static float rgba[4 * PIXELS], mask[2 * PIXELS], depth[PIXELS];
    coif_renderer_desc desc = small();
    coif_renderer *renderer = open_renderer(&desc, 0.0f);
    render_to(rgba, renderer, 16);
    CHECK(coif_renderer_channels(renderer, "rgba") == 4);
    CHECK(coif_renderer_channels(renderer, "N") == 3);
    CHECK(coif_renderer_channels(renderer, "albedo") == 0);
    CHECK(coif_renderer_channels(renderer, "mask") == 2);
    CHECK(coif_renderer_channels(renderer, "Z") == 1);
    CHECK(coif_renderer_read(renderer, "mask", mask) == COIF_OK);
    CHECK(coif_renderer_read(renderer, "Z", depth) == COIF_OK);
    int hair = 0;
    int floor = 0;
    for (int i = 0; i < PIXELS; ++i) {
        hair += mask[2 * i] > 0.3f;
        floor += mask[2 * i + 1] > 0.9f;
        CHECK(isfinite(rgba[4 * i]) && rgba[4 * i] > 0.01f);
        CHECK_NEAR(rgba[4 * i + 3], 1.0, 1e-5);
    }
    CHECK(hair > PIXELS / 10 && floor > PIXELS / 10);
    CHECK(depth[PIXELS / 2] > 0.3f && depth[PIXELS / 2] < 1.5f);
    coif_renderer_destroy(renderer);
}

static int count_calls(void *context, int32_t done, int32_t samples)
{
    (void)samples;
    ++*(int *)context;
    return done == 3;
}

// Threads, calls and a cancelled call do not change the image.
TEST(images_have_the_same_bits)
{
    static float rgba[2][4 * PIXELS];
    coif_renderer_desc desc = small();
    coif_renderer *renderer = open_renderer(&desc, 0.1f);
    render_to(rgba[0], renderer, 8);
    coif_renderer_destroy(renderer);
    desc.threads = 3;
    renderer = open_renderer(&desc, 0.1f);
    int calls = 0;
    CHECK(coif_renderer_render(renderer, 8, count_calls, &calls) == COIF_ERR_CANCELLED);
    CHECK(calls == 3);
    render_to(rgba[1], renderer, 8);
    coif_renderer_destroy(renderer);
    CHECK(memcmp(rgba[0], rgba[1], sizeof rgba[0]) == 0);
}

TEST(another_camera_restarts)
{
    static float rgba[3][4 * PIXELS];
    coif_renderer_desc desc = small();
    coif_renderer *renderer = open_renderer(&desc, -0.2f);
    render_to(rgba[0], renderer, 4);
    coif_renderer_destroy(renderer);
    renderer = open_renderer(&desc, 0.2f);
    render_to(rgba[1], renderer, 4);
    const coif_renderer_camera camera = view(-0.2f);
    CHECK(coif_renderer_set_camera(renderer, &camera) == COIF_OK);
    render_to(rgba[2], renderer, 4);
    coif_renderer_destroy(renderer);
    CHECK(memcmp(rgba[0], rgba[1], sizeof rgba[0]) != 0);
    CHECK(memcmp(rgba[0], rgba[2], sizeof rgba[0]) == 0);
}

// In a uniform environment a white floor has the radiance of the environment; an image of one
// colour is the same.
TEST(environments_light_evenly)
{
    static const float white[3 * 8] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                       1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    for (int kind = 0; kind < 2; ++kind) {
        static float rgba[4 * PIXELS];
        coif_renderer_desc desc = small();
        coif_renderer *renderer = NULL;
        coif_renderer_mesh mesh = floor_mesh();
        mesh.color[0] = mesh.color[1] = mesh.color[2] = 1.0f;
        mesh.specular = 0.0f;
        coif_renderer_camera camera = view(0.0f);
        camera.position[1] = 2.0f;
        coif_renderer_light light;
        coif_renderer_light_init(&light, sizeof light);
        light.type = "environment";
        light.image = kind == 1 ? white : NULL;
        light.image_width = 4;
        light.image_height = 2;
        CHECK(coif_renderer_create(&renderer, &desc) == COIF_OK);
        CHECK(coif_renderer_add_mesh(renderer, &mesh) == COIF_OK);
        CHECK(coif_renderer_add_light(renderer, &light) == COIF_OK);
        CHECK(coif_renderer_set_camera(renderer, &camera) == COIF_OK);
        CHECK(coif_renderer_commit(renderer) == COIF_OK);
        render_to(rgba, renderer, 16);
        double mean = 0.0;
        for (int i = 0; i < PIXELS; ++i) {
            mean += rgba[4 * i] / PIXELS;
        }
        CHECK_NEAR(mean, 1.0, 0.02);
        coif_renderer_destroy(renderer);
    }
}

TEST(strands_may_have_colors)
{
    static float rgba[4 * PIXELS], colors[3 * STRANDS];
    coif_renderer_desc desc = small();
    coif_renderer *renderer = NULL;
    coif_renderer_strands strands = tuft();
    coif_renderer_camera camera = view(0.0f);
    coif_renderer_light light;
    coif_renderer_light_init(&light, sizeof light);
    light.type = "environment";
    for (int s = 0; s < STRANDS; ++s) {
        colors[3 * s] = s % 10 < 5 ? 0.8f : 0.05f; // red on the left, blue on the right
        colors[3 * s + 1] = 0.05f;
        colors[3 * s + 2] = s % 10 < 5 ? 0.05f : 0.8f;
    }
    strands.colors = colors;
    desc.background[0] = desc.background[1] = desc.background[2] = 0.0f;
    CHECK(coif_renderer_create(&renderer, &desc) == COIF_OK);
    CHECK(coif_renderer_add_strands(renderer, &strands) == COIF_OK);
    CHECK(coif_renderer_add_light(renderer, &light) == COIF_OK);
    CHECK(coif_renderer_set_camera(renderer, &camera) == COIF_OK);
    CHECK(coif_renderer_commit(renderer) == COIF_OK);
    render_to(rgba, renderer, 16);
    double sum[2][2] = {{0}};
    for (int i = 0; i < PIXELS; ++i) {
        sum[i % SIZE >= SIZE / 2][0] += rgba[4 * i];
        sum[i % SIZE >= SIZE / 2][1] += rgba[4 * i + 2];
    }
    CHECK(sum[0][0] > 1.5 * sum[0][1]);
    CHECK(sum[1][1] > 1.5 * sum[1][0]);
    coif_renderer_destroy(renderer);
}

// Strands are numbered from 1 over all calls; every AOV that the header names exists.
TEST(aovs_are_read_by_name)
{
    static float ids[PIXELS];
    coif_renderer_desc desc = small();
    desc.aovs = "albedo N Z P tangent mask direct indirect R TT TRT strand_id";
    coif_renderer *renderer = NULL;
    coif_renderer_strands strands = tuft();
    const coif_renderer_camera camera = view(0.0f);
    CHECK(coif_renderer_create(&renderer, &desc) == COIF_OK);
    CHECK(coif_renderer_add_strands(renderer, &strands) == COIF_OK);
    for (int32_t i = 0; i < STRANDS * POINTS; ++i) {
        points[3 * i] += 0.005f;
    }
    CHECK(coif_renderer_add_strands(renderer, &strands) == COIF_OK);
    CHECK(coif_renderer_set_camera(renderer, &camera) == COIF_OK);
    CHECK(coif_renderer_commit(renderer) == COIF_OK);
    CHECK(coif_renderer_render(renderer, 4, NULL, NULL) == COIF_OK);
    CHECK(coif_renderer_read(renderer, "strand_id", ids) == COIF_OK);
    int seen[2] = {0};
    for (int i = 0; i < PIXELS; ++i) {
        CHECK(ids[i] >= 0.0f && ids[i] <= 2 * STRANDS && ids[i] == floorf(ids[i]));
        seen[ids[i] > STRANDS] += ids[i] > 0.0f;
    }
    CHECK(seen[0] > 10 && seen[1] > 10);
    CHECK(coif_renderer_read(renderer, "variance", ids) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "variance");
    coif_renderer_destroy(renderer);
}

TEST(denoised_images_are_smoother)
{
    static float rgba[4 * PIXELS], denoised[3 * PIXELS];
    coif_renderer_desc desc = small();
    desc.denoise = 1;
    coif_renderer *renderer = open_renderer(&desc, 0.0f);
    render_to(rgba, renderer, 8);
    CHECK(coif_renderer_denoise(renderer) == COIF_ERR_ARGUMENT);
    render_to(rgba, renderer, 16);
    CHECK(coif_renderer_denoise(renderer) == COIF_OK);
    CHECK(coif_renderer_read(renderer, "denoised", denoised) == COIF_OK);
    double before = 0.0;
    double after = 0.0;
    for (int i = 0; i < 2 * SIZE - 1; ++i) { // of the floor behind
        before += fabs(rgba[4 * i] - rgba[4 * i + 4]);
        after += fabs(denoised[3 * i] - denoised[3 * i + 3]);
    }
    CHECK(after < before && after > 0.0);
    coif_renderer_destroy(renderer);
}

TEST(errors_say_what_is_wrong)
{
    coif_renderer *renderer = NULL;
    coif_renderer_desc desc = small();
    desc.aovs = "N nonsense";
    CHECK(coif_renderer_create(&renderer, &desc) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "nonsense");
    desc.aovs = "all";
    CHECK(coif_renderer_create(&renderer, &desc) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "motion vectors");
    CHECK(renderer == NULL);
    desc = small();
    CHECK(coif_renderer_create(&renderer, &desc) == COIF_OK);
    CHECK(coif_renderer_commit(renderer) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "camera");
    coif_renderer_strands strands = tuft();
    strands.ior = 0.5f;
    CHECK(coif_renderer_add_strands(renderer, &strands) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "ior is 0.5; expected 1.01 to 3");
    strands = tuft();
    strands.color_model = "surface";
    CHECK(coif_renderer_add_strands(renderer, &strands) == COIF_ERR_ARGUMENT);
    strands.color_model = "plaid";
    CHECK(coif_renderer_add_strands(renderer, &strands) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "\"plaid\" is not one of melanin, reflectance");
    coif_renderer_mesh mesh = floor_mesh();
    mesh.vertex_count = 3;
    CHECK(coif_renderer_add_mesh(renderer, &mesh) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "vertex");
    coif_renderer_light light;
    coif_renderer_light_init(&light, sizeof light);
    light.type = "moon";
    CHECK(coif_renderer_add_light(renderer, &light) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "\"moon\"");
    coif_renderer_camera camera = view(0.0f);
    memcpy(camera.look_at, camera.position, sizeof camera.position);
    CHECK(coif_renderer_set_camera(renderer, &camera) == COIF_ERR_ARGUMENT);
    float pixel;
    CHECK(coif_renderer_read(renderer, "rgba", &pixel) == COIF_ERR_ARGUMENT);
    CHECK(coif_renderer_render(renderer, 1, NULL, NULL) == COIF_ERR_ARGUMENT);
    coif_renderer_destroy(renderer);
    renderer = open_renderer(&desc, 0.0f);
    CHECK(coif_renderer_add_strands(renderer, &strands) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(coif_last_error(), "committed");
    CHECK(coif_renderer_denoise(renderer) == COIF_ERR_ARGUMENT);
    coif_renderer_destroy(renderer);
    coif_renderer_destroy(NULL);
}
