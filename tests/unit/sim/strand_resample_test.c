// Resampling: strands get the points that curls need, and nothing else changes.
#include "sim/groom/strand_resample.h"

#include "core/hair/formats/hair_file.h"
#include "sim/groom/groom_generate.h"
#include "sim/groom/strand_buffer.h"
#include "tests/support/sim_scene.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

// Three strands of five points on a quarter of a circle.
static coif_strand_buffer arcs(void)
{
    int32_t *first = coif_arena_new(&arena, 4, int32_t);
    coif_strand_buffer buffer = {.strand_count = 3,
                                 .point_count = 15,
                                 .first = first,
                                 .x = coif_arena_new(&arena, 15, float),
                                 .y = coif_arena_new(&arena, 15, float),
                                 .z = coif_arena_new(&arena, 15, float),
                                 .radius = coif_arena_new(&arena, 15, float),
                                 .origin = coif_arena_new(&arena, 15, float),
                                 .arena = &arena};
    for (int32_t i = 0; i < 15; ++i) {
        const double angle = 1.5707963 * (i % 5) / 4.0;
        first[i / 5 + 1] = 5 * (i / 5 + 1);
        buffer.x[i] = 0.1f * (float)sin(angle);
        buffer.y[i] = 0.1f * (float)cos(angle);
        buffer.z[i] = (float)(i / 5);
        buffer.radius[i] = 1.0f - 0.25f * (float)(i % 5);
        buffer.origin[i] = (float)(i % 5);
    }
    return buffer;
}

TEST(strands_are_redrawn_on_their_curve)
{
    coif_strand_buffer buffer = arcs();
    const float *x = buffer.x;
    const float longest[3] = {0.0f, 0.005f, 0.0001f};
    const coif_resample_request request = {.max_segment = longest, .max_points = 100};
    const coif_resample_result result = coif_strand_buffer_refine(&buffer, &request, NULL);
    CHECK(result.needed > 1500 && result.given == 100);
    CHECK(buffer.first[1] == 5 && buffer.first[3] - buffer.first[2] == 100);
    CHECK(memcmp(x, buffer.x, 5 * sizeof(float)) == 0);
    const int32_t first = buffer.first[1], last = buffer.first[2] - 1;
    CHECK((last + 1 - first) % 8 == 0);
    CHECK(buffer.x[last] == x[9] && buffer.x[first] == x[5]);
    CHECK_NEAR(buffer.radius[last], 0.0, 0.0);
    for (int32_t i = first; i < last; ++i) {
        const double step = hypot(buffer.x[i + 1] - buffer.x[i], buffer.y[i + 1] - buffer.y[i]);
        CHECK(step < 0.00501);
        CHECK_NEAR(hypot(buffer.x[i], buffer.y[i]), 0.1, 0.0005);
        CHECK_NEAR(buffer.radius[i], 1.0 - 0.25 * buffer.origin[i], 1e-6);
        CHECK(buffer.origin[i + 1] > buffer.origin[i]);
        CHECK_NEAR(buffer.z[i], 1.0, 1e-6);
    }
}

TEST(strands_with_enough_points_keep_their_bits)
{
    coif_strand_buffer buffer = arcs();
    const coif_strand_buffer before = buffer;
    const float longest[3] = {0.05f, 0.0f, 1.0f};
    const coif_resample_request request = {.max_segment = longest, .max_points = 100};
    coif_strand_buffer_refine(&buffer, &request, NULL);
    CHECK(buffer.x == before.x && buffer.first == before.first);
    // Never fewer points than there are.
    const float fine[3] = {1e-4f, 1e-4f, 1e-4f};
    const coif_resample_request few = {.max_segment = fine, .max_points = 3};
    CHECK(coif_strand_buffer_refine(&buffer, &few, NULL).given == 5);
    CHECK(buffer.x == before.x);
}

static coif_groom grow(const char *rows)
{
    write_ball("ball.obj", true, &arena);
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"length_variation\": 0, %s}]}",
        rows);
    const grown_scene result = grow_scene(text, &arena);
    CHECK_OK(result.status, result.error);
    return result.groom;
}

// Five turns: eighty segments at least, whatever the groom began with.
TEST(curls_get_sixteen_points_a_turn)
{
    const coif_groom groom =
        grow("\"group\": \"scalp\", \"count\": 60, \"points\": 10, \"length\": 0.1,\n"
             "\"modifiers\": [{\"plugin\": \"groom.curl\", \"wavelength\": 0.02, "
             "\"irregularity\": 0}]");
    for (int32_t s = 0; s < groom.rest.strand_count; ++s) {
        CHECK(coif_strands_length(&groom.rest, s) == 88);
    }
    const coif_groom capped =
        grow("\"group\": \"scalp\", \"count\": 60, \"points\": 10, \"length\": 0.1, "
             "\"max_points\": 40,\n"
             "\"modifiers\": [{\"plugin\": \"groom.curl\", \"wavelength\": 0.02}]");
    CHECK(coif_strands_length(&capped.rest, 7) == 40);
}

TEST(the_colours_of_a_file_go_along)
{
    const int32_t length = 4;
    coif_hair_file file = {.default_thickness = 1e-4f};
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&file.strands, &length, 1, &arena, &error), error);
    file.strands.colors = coif_arena_new(&arena, 4, coif_vec3);
    for (int32_t i = 0; i < 4; ++i) {
        file.strands.points[i] = (coif_vec4){0.0f, 0.1f + 0.05f * (float)i, 0.0f, 5e-5f};
        file.strands.colors[i] = coif_vec3_of((float)i / 3.0f, 0.5f, 0.0f);
    }
    CHECK_OK(coif_hair_file_save(&file, coif_test_path("one.hair"), &error), error);
    const coif_groom groom = grow("\"file\": \"one.hair\", \"modifiers\": [{\"plugin\": "
                                  "\"groom.curl\", \"wavelength\": 0.05}]");
    const coif_strands *rest = &groom.rest;
    CHECK(rest->point_count >= 48 && rest->colors != NULL);
    for (int32_t i = 0; i < rest->point_count && rest->colors != NULL; ++i) {
        CHECK_NEAR(rest->colors[i].x, (double)i / (rest->point_count - 1), 1e-4);
    }
}

// Numbers of points that add up to more than a groom may have, and to more than 32 bits hold.
TEST(too_many_points_in_all_are_refused)
{
    const int32_t counts[3] = {1 << 30, 1 << 30, 1 << 30};
    const int32_t lengths[3] = {2, 2, 2};
    coif_error error = {0};
    coif_groom groom;
    CHECK_OK(coif_groom_init(&groom, lengths, 3, &arena, &error), error);
    const coif_mesh mesh = {.positions = (coif_vec3[3]){{0}},
                            .normals = (coif_vec3[3]){{0}},
                            .indices = (int32_t[3]){0, 1, 2},
                            .vertex_count = 3,
                            .triangle_count = 1};
    coif_strand_buffer buffer;
    const coif_strand_buffer_desc grown = {
        .groom = &groom, .mesh = &mesh, .points = 2, .counts = counts};
    CHECK(coif_strand_buffer_open(&buffer, &grown, &arena, &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "3221225472 points");
    const coif_strand_buffer_desc loaded = {.groom = &groom, .mesh = &mesh};
    error = (coif_error){0};
    CHECK_OK(coif_strand_buffer_open(&buffer, &loaded, &arena, &error), error);
    CHECK(coif_strand_buffer_resample(&buffer, counts, NULL, &error) == COIF_ERR_SCENE);
    CHECK(buffer.point_count == 6);
}
