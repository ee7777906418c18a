// Errors: invalid caches and textures are named in the message, and no image is written.
#include "core/image/image.h"
#include "tests/support/render_cache.h"

static coif_arena arena;

static coif_status attempt(const char *const *sets, int32_t count, coif_error *error)
{
    coif_render_desc desc = ball_render_desc(ball_scene(sets, count, &arena));
    desc.overwrite = true;
    return ball_render(&desc, 1, &arena, error);
}

static const char *const SMALL[] = {"image/width=16", "image/height=16", "image/samples=1"};

static void load_groom(coif_groom *groom)
{
    coif_error error = {0};
    CHECK_OK(coif_groom_load(groom, coif_test_path("hair.groom"), &arena, &error), error);
}

TEST(a_cache_of_another_groom_is_an_error)
{
    ball_cache(&arena);
    coif_error error = {0};
    coif_groom other;
    int32_t lengths[3] = {10, 10, 10};
    CHECK_OK(coif_groom_init(&other, lengths, 3, &arena, &error), error);
    for (int32_t i = 0; i < other.rest.point_count; ++i) {
        other.rest.points[i] = (coif_vec4){0.1f, 0.01f * (float)i, 0.0f, 1e-4f};
    }
    const coif_frame_cache_desc first = {.frame = 1};
    CHECK_OK(coif_frame_cache_save(&other.rest, &other, &first, coif_test_path("hair.0001.strands"),
                                   &error),
             error);
    CHECK(attempt(SMALL, COIF_COUNT_OF(SMALL), &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "hair.0001.strands");
    CHECK(!coif_path_exists(coif_test_path("render0001.exr")));
}

TEST(points_that_are_not_finite_are_not_written)
{
    ball_cache(&arena);
    coif_error error = {0};
    coif_groom groom;
    load_groom(&groom);
    groom.rest.points[37].y = NAN;
    const coif_frame_cache_desc first = {.frame = 1};
    CHECK(coif_frame_cache_save(&groom.rest, &groom, &first, coif_test_path("hair.0001.strands"),
                                &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "hair.0001.strands: strand 3: point 7 is not finite");
    // The existing frame is unchanged.
    error = (coif_error){0};
    CHECK_OK(attempt(SMALL, COIF_COUNT_OF(SMALL), &error), error);
}

TEST(an_empty_groom_is_rendered)
{
    coif_error error = {0};
    ball_cache(&arena);
    coif_groom bald;
    coif_mesh mesh;
    CHECK_OK(coif_mesh_load(&mesh, coif_test_source("scenes/assets/ball.obj"),
                            &COIF_MESH_ALL_TRIANGLES, &arena, &error),
             error);
    int32_t none = 0;
    CHECK_OK(coif_groom_init(&bald, &none, 0, &arena, &error), error);
    bald.mesh_digest = coif_mesh_topology_digest(&mesh);
    CHECK_OK(coif_groom_save(&bald, coif_test_path("hair.groom"), &error), error);
    const coif_frame_cache_desc first = {.frame = 1};
    CHECK_OK(coif_frame_cache_save(&bald.rest, &bald, &first, coif_test_path("hair.0001.strands"),
                                   &error),
             error);
    CHECK_OK(attempt(SMALL, COIF_COUNT_OF(SMALL), &error), error);
    CHECK(coif_path_exists(coif_test_path("render0001.exr")));
}

// The digest of the file is valid; only the mesh tells that the triangle does not exist.
TEST(a_root_on_a_triangle_that_does_not_exist_is_an_error)
{
    ball_cache(&arena);
    coif_error error = {0};
    coif_groom groom;
    load_groom(&groom);
    groom.root_triangle[7] = 1 << 30;
    CHECK_OK(coif_groom_save(&groom, coif_test_path("hair.groom"), &error), error);
    const coif_frame_cache_desc first = {.frame = 1};
    CHECK_OK(coif_frame_cache_save(&groom.rest, &groom, &first, coif_test_path("hair.0001.strands"),
                                   &error),
             error);
    static const char *const sets[] = {"image/width=16", "image/height=16", "image/samples=1",
                                       "grooms/0/hair/color_model=surface"};
    CHECK(attempt(sets, COIF_COUNT_OF(sets), &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "hair.groom: the root of strand 7 is on triangle 1073741824 of");
}

// An HDR environment with one given value.
static coif_status render_with_environment(float value, coif_error *error)
{
    ball_cache(&arena);
    float pixels[3 * 8 * 4];
    for (int i = 0; i < 3 * 8 * 4; ++i) {
        pixels[i] = 0.5f;
    }
    pixels[3 * (8 * 2 + 5) + 1] = value;
    const coif_image_desc desc = {.width = 8, .height = 4, .channel_count = 3, .pixels = pixels};
    const char *path = coif_test_path("sky.exr");
    CHECK_OK(coif_image_save(path, &desc, error), *error);
    const char *light =
        coif_arena_print(&arena, "lights=[{\"type\":\"environment\",\"image\":\"%s\"}]", path);
    const char *const sets[] = {SMALL[0], SMALL[1], SMALL[2], light};
    return attempt(sets, COIF_COUNT_OF(sets), error);
}

TEST(an_environment_with_nan_is_an_error_with_its_pixel)
{
    coif_error error = {0};
    CHECK(render_with_environment(NAN, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "sky.exr: pixel 5,2 is not a number");
    error = (coif_error){0};
    CHECK_OK(render_with_environment(-0.25f, &error), error); // black, with a warning
}
