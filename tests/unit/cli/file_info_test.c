// explain: every file of ours says what it is; damaged and foreign ones say why not.
#include "tools/cli/file_info.h"

#include "core/hair/formats/hair_file.h"
#include "core/hair/frame_cache.h"
#include "tests/support/test.h"

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

static const char *explain(const char *path)
{
    char *text = NULL;
    coif_error error = {0};
    CHECK_OK(coif_file_info(&text, path, &arena, &error), error);
    return text;
}

static void a_groom_is_explained(void)
{
    make_groom();
    const char *text = explain(coif_test_path("head.groom"));
    CHECK_CONTAINS(text, "head.groom: a groom, format version 1");
    CHECK_CONTAINS(text, "  strands    4, 2 of them simulated\n");
    CHECK_CONTAINS(text, "  points     9, 2 to 3 per strand\n");
    CHECK_CONTAINS(text, "  bounds     0 0 0 to 4 0 0 m\n");
    CHECK_CONTAINS(text, "  length     0.5 to 1 m, mean 0.625\n");
    CHECK_CONTAINS(text, "  radius     0.25 to 0.25 m\n");
    CHECK_CONTAINS(text, "  says       coif=0.1.0\n  says       seed=?7\n"); // no escape codes
    CHECK_CONTAINS(text, "  positions       float x 3             9  lossless           108");
}

static void a_frame_is_explained(void)
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
    const char *text = explain(path);
    CHECK_CONTAINS(text, "strands of a frame");
    CHECK_CONTAINS(text, "  frame      12, at 0.5 s\n  healed     1 strands\n");
    char digest[64];
    snprintf(digest, sizeof digest, "  of groom   %016llx\n", (unsigned long long)groom.digest);
    CHECK_CONTAINS(text, digest);
    CHECK_CONTAINS(text, "  speed      at most 5 m/s\n");
    CHECK_CONTAINS(text, "quantised");
}

static void a_hair_file_is_explained(void)
{
    const coif_groom groom = make_groom();
    const coif_hair_file hair = {.strands = groom.rest, .information = "by hand\033"};
    const char *path = coif_test_path("a.hair");
    coif_error error = {0};
    CHECK_OK(coif_hair_file_save(&hair, path, &error), error);
    const char *text = explain(path);
    CHECK_CONTAINS(text, "hair file");
    CHECK_CONTAINS(text, "  strands    4\n  points     9, 2 to 3 per strand\n");
    CHECK_CONTAINS(text, "  says       by hand?\n");
}

static void a_mesh_is_explained(void)
{
    static const char obj[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\ng skin\nf 1 2 3\n";
    const char *path = coif_test_path("a.obj");
    coif_error error = {0};
    CHECK_OK(coif_file_save(path, obj, sizeof obj - 1, &error), error);
    const char *text = explain(path);
    CHECK_CONTAINS(text, "  vertices   3\n  triangles  1\n");
    CHECK_CONTAINS(text, "  edges      3 open, 0 crowded\n");
    CHECK_CONTAINS(text, "  group      skin, 1 triangles\n");
}

static void other_files_are_errors(void)
{
    const char *path = coif_test_path("picture.png");
    char *text;
    coif_error error = {0};
    CHECK_OK(coif_file_save(path, "\x89PNG\r\n", 6, &error), error);
    CHECK(coif_file_info(&text, path, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "picture.png: not a coif file: begins with");
    error = (coif_error){0};
    CHECK(coif_file_info(&text, coif_test_path("gone"), &arena, &error) == COIF_ERR_IO);
}

TEST_LIST(TEST(a_groom_is_explained), TEST(a_frame_is_explained), TEST(a_hair_file_is_explained),
          TEST(a_mesh_is_explained), TEST(other_files_are_errors))
