// file_info: contents of every file type as JSON and text; errors of other files.
#include "tools/cli/file_info.h"

#include "core/hair/formats/hair_file.h"
#include "core/hair/frame_cache.h"
#include "tests/support/test.h"
#include "tools/cli/json_text.h"

static coif_arena arena;

static coif_groom make_groom(void)
{
    const int32_t lengths[] = {2, 3, 2, 2};
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_init(&groom, lengths, 4, &arena, &error), error);
    for (int32_t i = 0; i < groom.rest.point_count; ++i) {
        groom.rest.points[i] = (coif_vec4){0.5f * (float)i, 0, 0, 0.25f};
    }
    groom.metadata = "coif=0.1.0\nseed=\0337\n";
    coif_groom_bind(&groom, 0.5, &arena);
    CHECK_OK(coif_groom_save(&groom, coif_test_path("head.groom"), &error), error);
    return groom;
}

// The text of `coif info`.
static const char *describe(const char *path)
{
    coif_json_writer writer;
    coif_strbuf text;
    coif_error error = {0};
    coif_json_writer_init(&writer, &arena);
    coif_strbuf_init(&text, &arena);
    coif_write_open(&writer, NULL, "{");
    CHECK_OK(coif_file_info(&writer, path, &arena, &error), error);
    coif_write_close(&writer, "}");
    coif_json_text(&text, writer.text.data, &arena);
    return text.data;
}

TEST(a_groom_is_described)
{
    make_groom();
    const char *text = describe(coif_test_path("head.groom"));
    CHECK_CONTAINS(text, "  kind                  groom\n  version               1\n");
    CHECK_CONTAINS(text, "  strands               4\n  points                9\n");
    CHECK_CONTAINS(text, "  min_strand_points     2\n  max_strand_points     3\n");
    CHECK_CONTAINS(text, "  bounds_min            0 0 0\n  bounds_max            4 0 0\n");
    CHECK_CONTAINS(text, "  max_length            1\n  mean_length           0.625\n");
    CHECK_CONTAINS(text, "  max_radius            0.25\n  colors                false\n");
    CHECK_CONTAINS(text, "  simulated_strands     2\n");
    // No escape codes reach a terminal.
    CHECK_CONTAINS(text, "  metadata              coif=0.1.0\n                        seed=?7\n");
    CHECK_CONTAINS(text, "    positions     float          3     9 lossless   108");
}

TEST(a_frame_is_described)
{
    const coif_groom groom = make_groom();
    const coif_frame_cache_desc desc = {
        .frame = 12, .time = 0.5, .quantise = true, .reset_count = 1};
    const char *path = coif_test_path("head.0012.strands");
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(coif_groom_simulated(&strands, &groom, &arena, &error), error);
    strands.velocities = coif_arena_new(&arena, strands.point_count, coif_vec3);
    strands.velocities[4] = (coif_vec3){3, 4, 0};
    CHECK_OK(coif_frame_cache_save(&strands, &groom, &desc, path, &error), error);
    const char *text = describe(path);
    CHECK_CONTAINS(text, "  kind                  frame\n");
    CHECK_CONTAINS(text, "  frame                 12\n  strands_reset         1\n");
    char digest[64];
    snprintf(digest, sizeof digest, "  groom_digest          %016llx\n",
             (unsigned long long)groom.digest);
    CHECK_CONTAINS(text, digest);
    CHECK_CONTAINS(text, "  max_speed             5\n");
    CHECK_CONTAINS(text, "quantised");
}

TEST(a_hair_file_is_described)
{
    const coif_groom groom = make_groom();
    const coif_hair_file hair = {.strands = groom.rest, .information = "by hand\033"};
    const char *path = coif_test_path("a.hair");
    coif_error error = {0};
    CHECK_OK(coif_hair_file_save(&hair, path, &error), error);
    const char *text = describe(path);
    CHECK_CONTAINS(text, "  kind                  hair\n  strands               4\n");
    CHECK_CONTAINS(text, "  information           by hand?\n");
}

TEST(a_mesh_is_described)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng skin\nf 1 2 3\n";
    const char *path = coif_test_path("a.obj");
    coif_error error = {0};
    CHECK_OK(coif_file_save(path, obj, sizeof obj - 1, &error), error);
    const char *text = describe(path);
    CHECK_CONTAINS(text, "  vertices              3\n  triangles             1\n");
    CHECK_CONTAINS(text, "  boundary_edges        3\n  nonmanifold_edges     0\n");
    CHECK_CONTAINS(text, "    skin     1\n");
}

TEST(other_files_are_errors)
{
    const char *path = coif_test_path("foreign.pack");
    coif_json_writer writer;
    coif_error error = {0};
    coif_json_writer_init(&writer, &arena);
    CHECK_OK(coif_file_save(path, "\x89PNG\r\n", 6, &error), error);
    CHECK(coif_file_info(&writer, path, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "foreign.pack: not a coif file: begins with");
    error = (coif_error){0};
    CHECK(coif_file_info(&writer, coif_test_path("gone"), &arena, &error) == COIF_ERR_IO);
}
