// .hair files: round trips and validation.
#include "core/hair/formats/hair_file.h"

#include "core/base/log.h"
#include "core/base/rng.h"
#include "tests/support/test.h"

static coif_arena arena;

// A file built by hand, as the format's description says.
typedef struct builder {
    char data[4096];
    size_t size;
} builder;

static void put(builder *file, const void *data, size_t bytes)
{
    memcpy(file->data + file->size, data, bytes);
    file->size += bytes;
}

static void put_word(builder *file, uint32_t word)
{
    put(file, &word, sizeof word);
}

static void put_float(builder *file, float value)
{
    put(file, &value, sizeof value);
}

static builder begin(uint32_t strands, uint32_t points, uint32_t arrays, uint32_t segments)
{
    builder file = {.size = 0};
    put(&file, "HAIR", 4);
    put_word(&file, strands);
    put_word(&file, points);
    put_word(&file, arrays);
    put_word(&file, segments);
    put_float(&file, 0.5f); // default thickness
    put_float(&file, 0.25f);
    put_float(&file, 0.1f);
    put_float(&file, 0.2f);
    put_float(&file, 0.3f);
    char information[88] = "made by hand";
    put(&file, information, sizeof information);
    return file;
}

static void put_points(builder *file, int count)
{
    for (int i = 0; i < count; ++i) {
        put_float(file, (float)i);
        put_float(file, 10.0f + (float)i);
        put_float(file, 100.0f + (float)i);
    }
}

static coif_status read_built(coif_hair_file *hair, const builder *file,
                              const coif_hair_import *import, coif_error *error)
{
    const coif_bytes bytes = {.name = "a.hair", .data = file->data, .size = file->size};
    return coif_hair_file_read(hair, &bytes, import, &arena, error);
}

static void expect_refused(const builder *file, const char *words)
{
    coif_hair_file hair;
    coif_error error = {0};
    CHECK(read_built(&hair, file, NULL, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "a.hair: ");
    CHECK_CONTAINS(error.text, words);
}

TEST(missing_arrays_use_the_defaults)
{
    builder file = begin(2, 6, 2, 2);
    put_points(&file, 6);
    coif_hair_file hair;
    coif_error error = {0};
    CHECK_OK(read_built(&hair, &file, NULL, &error), error);
    CHECK(hair.strands.strand_count == 2 && hair.strands.first[1] == 3);
    CHECK(hair.strands.points[4].x == 4.0f && hair.strands.points[4].z == 104.0f);
    CHECK(hair.strands.points[4].w == 0.25f); // half the thickness
    CHECK(hair.strands.colors == NULL && hair.transparency == NULL);
    CHECK(hair.default_color[2] == 0.3f && hair.default_transparency == 0.25f);
    CHECK_TEXT(hair.information, "made by hand");
}

TEST(every_array_is_read)
{
    builder file = begin(2, 5, 31, 9);
    const uint16_t segments[] = {1, 2};
    put(&file, segments, sizeof segments);
    put_points(&file, 5);
    for (int i = 0; i < 5; ++i) {
        put_float(&file, 0.02f * (float)i);
    }
    for (int i = 0; i < 5; ++i) {
        put_float(&file, 0.1f * (float)i);
    }
    put_points(&file, 5);
    coif_hair_file hair;
    coif_error error = {0};
    CHECK_OK(read_built(&hair, &file, NULL, &error), error);
    CHECK(hair.strands.first[1] == 2 && hair.strands.first[2] == 5);
    CHECK(hair.strands.points[3].w == 0.03f && hair.transparency[4] == 0.4f);
    CHECK(hair.strands.colors[2].y == 12.0f);
}

TEST(scale_and_axis_are_import_options)
{
    builder file = begin(1, 2, 2, 1);
    put_points(&file, 2);
    const coif_hair_import import = {.scale = 0.01f, .z_up = true};
    coif_hair_file hair;
    coif_error error = {0};
    CHECK_OK(read_built(&hair, &file, &import, &error), error);
    CHECK_NEAR(hair.strands.points[1].x, 0.01, 1e-9);
    CHECK_NEAR(hair.strands.points[1].y, 1.01, 1e-6);
    CHECK_NEAR(hair.strands.points[1].z, -0.11, 1e-8);
    CHECK_NEAR(hair.strands.points[1].w, 0.0025, 1e-9);
    CHECK_NEAR(hair.default_thickness, 0.005, 1e-9);
}

TEST(strands_without_segments_are_skipped)
{
    builder file = begin(4, 7, 3, 0);
    const uint16_t segments[] = {0, 2, 0, 1};
    put(&file, segments, sizeof segments);
    put_points(&file, 7);
    coif_hair_file hair;
    coif_error error = {0};
    CHECK_OK(read_built(&hair, &file, NULL, &error), error);
    CHECK(hair.skipped == 2 && hair.strands.strand_count == 2 && hair.strands.point_count == 5);
    CHECK(hair.strands.points[0].x == 1.0f && hair.strands.points[3].x == 5.0f);
}

TEST(a_file_without_strands_is_read)
{
    const builder file = begin(0, 0, 31, 5);
    coif_hair_file hair;
    coif_error error = {0};
    CHECK_OK(read_built(&hair, &file, NULL, &error), error);
    CHECK(hair.strands.strand_count == 0);
}

TEST(inconsistent_headers_are_rejected)
{
    builder file = begin(2, 6, 2, 2);
    put_points(&file, 6);
    for (size_t size = 0; size < file.size; ++size) {
        builder cut = file;
        cut.size = size;
        expect_refused(&cut, size < 4 ? "not a .hair file" : "truncated");
    }
    file.data[0] = 'P';
    expect_refused(&file, "not a .hair file: expected the magic HAIR");
    file = begin(2, 6, 1, 2);
    expect_refused(&file, "no points");
    file = begin(UINT32_MAX, UINT32_MAX, 31, 2);
    expect_refused(&file, "invalid counts of 4294967295 strands and 4294967295 points");
    file = begin(1, 999999999, 31, 2);
    expect_refused(&file, "truncated: 128 of 32000000098 bytes");
    file = begin(7, 6, 2, 2);
    expect_refused(&file, "invalid counts of 7 strands and 6 points");
    file = begin(2, 6, 2, 3);
    put_points(&file, 6);
    expect_refused(&file, "strand 1: strands need at least 8 points, header has 6");
    file = begin(2, 6, 2, 1);
    put_points(&file, 6);
    expect_refused(&file, "strands have 4 points, header has 6");
    file = begin(2, 6, 2, UINT32_MAX);
    put_points(&file, 6);
    expect_refused(&file, "strand 0: strands need at least 4294967296 points");
}

TEST(non_finite_numbers_are_rejected_with_their_location)
{
    builder file = begin(2, 6, 2, 2);
    put_points(&file, 6);
    const float bad = NAN;
    memcpy(file.data + 128 + 12 * 4 + 8, &bad, sizeof bad);
    expect_refused(&file, "strand 1: point 1 is not finite");
    file = begin(1, 2, 6, 1);
    put_points(&file, 2);
    put_float(&file, 1.0f);
    put_float(&file, -1.0f);
    expect_refused(&file, "strand 0: point 1");
    file = begin(1, 2, 2, 1);
    put_points(&file, 2);
    memcpy(file.data + 20, &bad, sizeof bad);
    expect_refused(&file, "strand 0: point 0");
    file = begin(1, 2, 18, 1);
    put_points(&file, 2);
    put_points(&file, 2);
    memcpy(file.data + 128 + 24 + 12, &bad, sizeof bad);
    expect_refused(&file, "strand 0: point 1");
}

TEST(an_unused_default_may_be_invalid)
{
    builder file = begin(1, 2, 6, 1);
    put_points(&file, 2);
    put_float(&file, 1.0f);
    put_float(&file, 1.0f);
    const float bad = INFINITY;
    memcpy(file.data + 20, &bad, sizeof bad);
    coif_hair_file hair;
    coif_error error = {0};
    CHECK_OK(read_built(&hair, &file, NULL, &error), error);
    CHECK(hair.default_thickness == 0.0f && hair.strands.points[1].w == 0.5f);
}

static coif_hair_file make(bool all_arrays)
{
    int32_t lengths[40];
    for (int32_t s = 0; s < 40; ++s) {
        lengths[s] = 2 + s % 6;
    }
    coif_hair_file hair = {.default_thickness = 0.1f, .information = "coif"};
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&hair.strands, lengths, 40, &arena, &error), error);
    const int32_t points = hair.strands.point_count;
    if (all_arrays) {
        hair.transparency = coif_arena_new(&arena, points, float);
        hair.strands.colors = coif_arena_new(&arena, points, coif_vec3);
    }
    for (int32_t i = 0; i < points; ++i) {
        const float x = coif_random_unit(1, (uint64_t)i, 0);
        hair.strands.points[i] = (coif_vec4){x, -x, 2.0f * x, 0.001f * x};
        if (all_arrays) {
            hair.transparency[i] = x;
            hair.strands.colors[i] = (coif_vec3){x, 0.5f * x, 0.25f * x};
        }
    }
    return hair;
}

TEST(saved_data_is_loaded_unchanged)
{
    for (int all_arrays = 0; all_arrays < 2; ++all_arrays) {
        const coif_hair_file hair = make(all_arrays);
        const char *path = coif_test_path("round.hair");
        coif_hair_file back;
        coif_error error = {0};
        CHECK_OK(coif_hair_file_save(&hair, path, &error), error);
        CHECK_OK(coif_hair_file_load(&back, path, NULL, &arena, &error), error);
        CHECK(coif_strands_digest(&hair.strands) == coif_strands_digest(&back.strands));
        CHECK((back.transparency != NULL) == (all_arrays == 1));
        CHECK(all_arrays == 0 || memcmp(back.transparency, hair.transparency,
                                        4 * (size_t)hair.strands.point_count) == 0);
        CHECK(back.default_thickness == 0.1f && back.skipped == 0);
        CHECK_TEXT(back.information, "coif");
    }
}

TEST(strands_too_long_for_the_format_are_not_saved)
{
    const int32_t lengths[] = {65536, 65537};
    coif_hair_file hair = {.default_thickness = 0.1f};
    coif_error error = {0};
    CHECK_OK(coif_strands_init(&hair.strands, lengths, 2, &arena, &error), error);
    const char *path = coif_test_path("long.hair");
    CHECK(coif_hair_file_save(&hair, path, &error) == COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "strand 1 has 65536 segments");
    CHECK(!coif_path_exists(path));
    hair.strands.strand_count = 1;
    hair.strands.point_count = 65536;
    error = (coif_error){0};
    CHECK_OK(coif_hair_file_save(&hair, path, &error), error);
    coif_hair_file back;
    CHECK_OK(coif_hair_file_load(&back, path, NULL, &arena, &error), error);
    CHECK(back.strands.point_count == 65536);
}

TEST(foreign_and_missing_files_have_different_errors)
{
    coif_hair_file hair;
    coif_error error = {0};
    const char *path = coif_test_path("other.hair");
    CHECK(coif_hair_file_load(&hair, path, NULL, &arena, &error) == COIF_ERR_IO);
    error = (coif_error){0};
    CHECK_OK(coif_file_save(path, "COIFPACK", 8, &error), error);
    CHECK(coif_hair_file_load(&hair, path, NULL, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "other.hair: not a .hair file");
    error = (coif_error){0};
    CHECK_OK(coif_file_save(path, "", 0, &error), error);
    CHECK(coif_hair_file_load(&hair, path, NULL, &arena, &error) == COIF_ERR_FORMAT);
}
