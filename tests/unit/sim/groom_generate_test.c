// Groom generation: roots on the scalp, strands from files, error messages.
#include "core/hair/formats/hair_file.h"
#include "core/image/image.h"
#include "tests/support/groom_fixture.h"

TEST(roots_are_on_the_scalp)
{
    const grown hair = grow("\"group\": \"scalp\", \"count\": 300, \"points\": 6, \"length\": 0.1");
    const coif_strands *rest = &hair.groom.rest;
    CHECK(rest->strand_count == 300 && rest->point_count == 1800);
    CHECK(hair.groom.simulated_count == 300);
    CHECK(hair.groom.mesh_digest == coif_mesh_topology_digest(&hair.body->rest));
    for (int32_t s = 0; s < 300; ++s) {
        const coif_vec4 *p = rest->points + rest->first[s];
        const coif_vec3 root = coif_vec4_xyz(p[0]);
        const float *frame = hair.groom.root_frame + 9 * s;
        CHECK(hair.body->rest.groups[hair.groom.root_triangle[s]] ==
              coif_mesh_find_group(&hair.body->rest, "scalp"));
        CHECK_NEAR(coif_length(root), 0.1, 0.001);
        CHECK_NEAR(rest->root_uv[2 * s], root.x * 5.0 + 0.5, 1e-5);
        for (int k = 1; k < 6; ++k) {
            const coif_vec3 step = coif_sub(coif_vec4_xyz(p[k]), coif_vec4_xyz(p[k - 1]));
            CHECK_NEAR(coif_length(step), 0.02, 1e-6);
            CHECK_NEAR(coif_dot(step, coif_vec3_of(frame[6], frame[7], frame[8])), 0.02, 1e-5);
            CHECK_NEAR(p[k].w, 4e-5, 1e-10);
        }
    }
    CHECK_CONTAINS(hair.groom.metadata, "groom=hair");
    CHECK_CONTAINS(hair.groom.metadata, "seed=1");
}

TEST(density_zero_is_a_groom_without_strands)
{
    grown hair = grow("\"count\": 500, \"density\": 0");
    CHECK(hair.groom.rest.strand_count == 0);
    coif_error error = {0};
    CHECK_OK(coif_groom_save(&hair.groom, coif_test_path("none.groom"), &error), error);
}

// The first strands of a hairstyle are the same strands, however roots are spread, and are spread
// over the scalp.
TEST(a_preview_is_a_beginning_of_the_whole)
{
    static const char *const distributions[] = {"halton", "sobol", "blue_noise"};
    for (int w = 0; w < 3; ++w) {
        static const char rows[] = "\"group\": \"scalp\", \"count\": 900, \"points\": 3,\n"
                                   "\"scatter\": \"%s\", \"density\": {\"map\": \"u\"},\n"
                                   "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}]%s";
        const grown whole = grow(coif_arena_print(&arena, rows, distributions[w], ""));
        const grown few =
            grow(coif_arena_print(&arena, rows, distributions[w], ", \"max_strands\": 100"));
        const coif_strands *all = &whole.groom.rest, *first = &few.groom.rest;
        CHECK(all->strand_count > 300 && first->strand_count == 100);
        CHECK(memcmp(all->points, first->points, 300 * sizeof(coif_vec4)) == 0);
        CHECK(memcmp(whole.groom.random, few.groom.random, 100 * sizeof(uint32_t)) == 0);
        int32_t front = 0;
        for (int32_t s = 0; s < 100; ++s) {
            front += first->root_uv[2 * s + 1] > 0.5f;
        }
        CHECK(front > 35 && front < 65);
    }
}

TEST(a_fraction_is_simulated)
{
    const grown hair = grow("\"count\": 101, \"points\": 3, \"simulated_fraction\": 0.25");
    CHECK(hair.groom.simulated_count == 26);
    CHECK(hair.groom.guides[3 * 100] >= 0);
}

TEST(threads_do_not_show)
{
    static const char ROWS[] = "\"count\": 900, \"points\": 7, \"simulated_fraction\": 0.5,\n"
                               "\"density\": {\"map\": \"u\"},\n"
                               "\"maps\": [{\"name\": \"u\", \"plugin\": \"test.u\"}],\n"
                               "\"modifiers\": [{\"plugin\": \"test.push\",\n"
                               "   \"push\": {\"map\": \"u\", \"range\": [0, 0.04]}},\n"
                               "  {\"plugin\": \"test.fold\", \"amount\": 0.3}]";
    const grown alone = grow(ROWS);
    uint64_t one;
    coif_error error = {0};
    CHECK_OK(coif_groom_digest(&one, &alone.groom, &error), error);
    for (int threads = 2; threads <= 8; threads += 3) {
        coif_jobs *jobs;
        CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
        const grown hair = grow_on("ball.obj", ROWS, jobs);
        coif_jobs_close(jobs);
        uint64_t digest;
        CHECK_OK(coif_groom_digest(&digest, &hair.groom, &error), error);
        CHECK(digest == one);
    }
}

// Strands of a file stay where they are and are bound to the triangle below their root.
TEST(strands_come_from_a_file)
{
    const int32_t lengths[2] = {4, 3};
    coif_hair_file file = {.default_thickness = 1e-4f};
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&file.strands, lengths, 2, &arena, &error), error);
    for (int32_t i = 0; i < 7; ++i) {
        const float up = 10.0f + (float)(i < 4 ? i : i - 4); // centimetres
        file.strands.points[i] =
            i < 4 ? (coif_vec4){0.0f, up, 0.0f, 0.005f} : (coif_vec4){up, 0.0f, 0.5f, 0.005f};
    }
    CHECK_OK(coif_hair_file_save(&file, coif_test_path("two.hair"), &error), error);
    const grown hair = grow("\"file\": \"two.hair\", \"file_scale\": 0.01");
    const coif_groom *groom = &hair.groom;
    CHECK(groom->rest.strand_count == 2 && groom->rest.point_count == 7);
    CHECK_NEAR(groom->rest.points[3].y, 0.13, 1e-6);
    CHECK_NEAR(groom->rest.points[4].x, 0.1, 1e-6);
    for (int32_t s = 0; s < 2; ++s) {
        const float *b = groom->root_barycentric + 2 * s;
        const coif_vec3 root =
            coif_mesh_at(&hair.body->rest, groom->root_triangle[s], b[0], b[1]).position;
        const coif_vec3 first = coif_vec4_xyz(groom->rest.points[groom->rest.first[s]]);
        CHECK_NEAR(coif_length(coif_sub(root, first)), 0.0, 1e-3);
    }
}

// The strand passes through the ball of 0.1 m: its second point is 3 cm deep.
TEST(strands_of_a_file_keep_their_bits_unless_they_are_pushed_out)
{
    static const char CURVES[] = "v 0 0.1 0\nv 0 0.07 0.01\nv 0.01 0.13 0.02\nl 1 2 3\n";
    static const coif_vec3 wanted[] = {
        {0.0f, 0.1f, 0.0f}, {0.0f, 0.07f, 0.01f}, {0.01f, 0.13f, 0.02f}};
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("in.obj"), CURVES, strlen(CURVES), &error), error);
    const grown kept = grow("\"file\": \"in.obj\"");
    for (int k = 0; k < 3; ++k) {
        CHECK(memcmp(&kept.groom.rest.points[k], &wanted[k], sizeof wanted[k]) == 0);
    }
    const grown pushed = grow("\"file\": \"in.obj\", \"file_push_out\": true");
    CHECK(coif_length(coif_vec4_xyz(pushed.groom.rest.points[1])) > 0.099f);
}

// A file of curves says nothing of thickness: the groom does.
TEST(strands_of_curves_are_as_thick_as_the_groom_says)
{
    static const char CURVES[] = "v 0 10 0\nv 0 11 0\nv 0 12 0\nl 1 2 3\n";
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("one.obj"), CURVES, strlen(CURVES), &error), error);
    const grown hair = grow("\"file\": \"one.obj\", \"file_scale\": 0.01, \"radius\": "
                            "{\"value\": 3e-5, \"ramp\": [[0, 1], [1, 0.5]]}");
    const coif_vec4 *points = hair.groom.rest.points;
    CHECK(hair.groom.rest.strand_count == 1 && hair.groom.rest.point_count == 3);
    CHECK(points[0].w == 3e-5f);
    CHECK_NEAR(points[1].w, 2.25e-5, 1e-10);
    CHECK_NEAR(points[2].w, 1.5e-5, 1e-10);
}

static void expect_error(const char *mesh, const char *rows, coif_status status, const char *part)
{
    const grown hair = grow_on(mesh, rows, NULL);
    CHECK(hair.status == status);
    CHECK_CONTAINS(hair.error.text, part);
}

TEST(growth_can_be_stopped)
{
    progress = coif_progress_open(&arena);
    coif_progress_cancel(progress);
    expect_error("ball.obj", "\"count\": 10", COIF_ERR_CANCELLED,
                 "hair: groom generation cancelled");
    progress = NULL;
}

// The first point is 1 cm off the ball.
TEST(strands_that_begin_off_the_body_are_an_error)
{
    static const char CURVES[] = "v 0 11 0\nv 0 12 0\nl 1 2\n";
    coif_error error = {0};
    CHECK_OK(coif_file_save(coif_test_path("off.obj"), CURVES, strlen(CURVES), &error), error);
    expect_error("ball.obj", "\"file\": \"off.obj\", \"file_scale\": 0.01", COIF_ERR_SCENE,
                 "strand 0 by 10 mm: if the mesh is posed, give the pose");
    const grown hair =
        grow("\"file\": \"off.obj\", \"file_scale\": 0.01, \"root_tolerance\": 0.011");
    CHECK(hair.groom.rest.strand_count == 1);
}

TEST(invalid_input_is_an_error_with_its_location)
{
    const float pixel = 1.0f;
    const coif_image_desc image = {.width = 1, .height = 1, .channel_count = 1, .pixels = &pixel};
    coif_error error = {0};
    CHECK_OK(coif_image_save(coif_test_path("p.png"), &image, &error), error);
    expect_error("bare.obj",
                 "\"density\": {\"map\": \"p\"}, \"maps\": [{\"name\": \"p\", \"plugin\": "
                 "\"test.picture\", \"file\": \"p.png\"}]",
                 COIF_ERR_SCENE,
                 "/grooms/0/density: map \"p\" reads an image, but the body's mesh "
                 "has no texture coordinates");
    expect_error("ball.obj", "\"group\": \"beard\"", COIF_ERR_SCENE,
                 "/grooms/0/group: body \"head\" has no group \"beard\" (known: ");
    expect_error("ball.obj", "\"group\": \"sclap\"", COIF_ERR_SCENE,
                 "has no group \"sclap\", did you mean \"scalp\"? (known: ");
    expect_error("ball.obj", "\"modifiers\": [{\"plugin\": \"test.spoil\"}]", COIF_ERR_PLUGIN,
                 "/grooms/0/modifiers/0: test.spoil returned points that are not finite");
    // Maps that open no image need no texture coordinates, also those with a path.
    const grown table =
        grow_on("bare.obj",
                "\"density\": {\"map\": \"p\"}, \"count\": 10, \"maps\": [{\"name\": "
                "\"p\", \"plugin\": \"test.table\", \"file\": \"p.png\"}]",
                NULL);
    CHECK_OK(table.status, table.error);
    const grown bare = grow_on("bare.obj",
                               "\"length\": {\"map\": \"u\", \"range\": [0.1, 0.2]},\n"
                               "\"count\": 10, \"maps\": [{\"name\": \"u\", \"plugin\": "
                               "\"test.u\"}]",
                               NULL);
    CHECK_OK(bare.status, bare.error);
}
