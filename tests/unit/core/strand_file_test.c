// Import of strand files of other programs.
#include "core/hair/formats/strand_file.h"

#include "core/hair/formats/tfx_file.h"
#include "tests/support/test.h"
#include "tools/cli/file_info.h"

#include <string.h>

static coif_arena arena = {.name = "test"};

enum { STRANDS = 3, POINTS = 4, HEADER = 160, OLD_HEADER = 296 };

static float position_of(int strand, int point, int axis)
{
    return (float)(100 * strand + 10 * point + axis);
}

// A file as TressFX writes it; returns its size.
static size_t make_tfx(char *bytes, float version)
{
    const bool old = version < 4.0f;
    const uint32_t begin = old ? OLD_HEADER : HEADER;
    uint32_t words[HEADER / 4] = {0, STRANDS, POINTS, old ? 0 : begin};
    words[36] = old ? begin : 0;
    memcpy(words, &version, sizeof version);
    memset(bytes, 0, begin);
    memcpy(bytes, words, sizeof words);
    size_t size = begin;
    for (int s = 0; s < STRANDS; ++s) {
        for (int p = 0; p < POINTS; ++p) {
            const float position[4] = {position_of(s, p, 0), position_of(s, p, 1),
                                       position_of(s, p, 2), 1.0f};
            memcpy(bytes + size, position, sizeof position);
            size += old ? 12 : 16;
        }
    }
    return size;
}

static const char *save(const char *name, const char *data, size_t size)
{
    coif_error error = {0};
    const char *path = coif_arena_copy_text(&arena, coif_test_path(name));
    CHECK_OK(coif_file_save(path, data, size, &error), error);
    return path;
}

static coif_strand_file load(const char *path, float scale, bool z_up)
{
    coif_strand_file file;
    coif_error error = {0};
    const coif_hair_import import = {.scale = scale, .z_up = z_up};
    CHECK_OK(coif_strand_file_load(&file, path, &import, &arena, &error), error);
    return file;
}

static void tressfx_files_are_read(void)
{
    char bytes[1024];
    static const float versions[] = {3.0f, 4.0f, 4.1f};
    for (size_t v = 0; v < COIF_COUNT_OF(versions); ++v) {
        const size_t size = make_tfx(bytes, versions[v]);
        const coif_strand_file file = load(save("h.tfx", bytes, size), 0.5f, true);
        CHECK(file.strands.strand_count == STRANDS && !file.has_radius && file.groups == NULL);
        for (int s = 0; s < STRANDS; ++s) {
            CHECK(coif_strands_length(&file.strands, s) == POINTS);
            for (int p = 0; p < POINTS; ++p) {
                const coif_vec4 got = file.strands.points[s * POINTS + p];
                CHECK(got.x == 0.5f * position_of(s, p, 0) && got.y == 0.5f * position_of(s, p, 2));
                CHECK(got.z == -0.5f * position_of(s, p, 1) && got.w == 0.0f);
            }
        }
    }
}

static coif_status try_bytes(const char *bytes, size_t size, coif_error *error)
{
    coif_strands strands;
    // A block of its own: reading past the end is seen.
    char *own = coif_arena_new(&arena, size, char);
    memcpy(own, bytes, size);
    const coif_bytes all = {.name = "x.tfx", .data = own, .size = size};
    *error = (coif_error){0};
    return coif_tfx_file_read(&strands, &all, &arena, error);
}

static void invalid_tressfx_files_are_rejected(void)
{
    char bytes[1024];
    coif_error error;
    for (int v = 3; v <= 4; ++v) {
        const size_t size = make_tfx(bytes, (float)v);
        for (size_t cut = 0; cut < size; ++cut) {
            CHECK(try_bytes(bytes, cut, &error) == COIF_ERR_FORMAT && error.text[0] != '\0');
        }
        // Counts and offsets out of bounds.
        for (size_t word = 0; word < HEADER / 4; ++word) {
            char wrong[1024];
            const uint32_t huge = 0xfffffff0u;
            memcpy(wrong, bytes, size);
            memcpy(wrong + 4 * word, &huge, sizeof huge);
            const coif_status status = try_bytes(wrong, size, &error);
            CHECK(status == COIF_OK || status == COIF_ERR_FORMAT);
        }
        const float nan = NAN;
        memcpy(bytes + size - 12, &nan, sizeof nan);
        CHECK(try_bytes(bytes, size, &error) == COIF_ERR_FORMAT);
        CHECK_CONTAINS(error.text, "strand 2: point 3 is not finite");
    }
    make_tfx(bytes, 2.0f);
    CHECK(try_bytes(bytes, 1000, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "not a .tfx file: version 2, expected 3 or 4");
}

static const char CURVES[] = "v 0 0 0\nv 0 1 0\nv 0 2 0\nv 1 0 0\nv 1 1 0\n"
                             "g left\nl 1 2 3\ng right\nl 4 5\n";

static void polylines_of_obj_files_are_strands(void)
{
    const coif_strand_file file = load(save("c.obj", CURVES, strlen(CURVES)), 0.1f, false);
    CHECK(file.strands.strand_count == 2 && !file.has_radius);
    CHECK(coif_strands_length(&file.strands, 0) == 3 && file.strands.points[2].y == 0.1f * 2.0f);
    CHECK(file.group_names.count == 2 && file.groups[0] == 0 && file.groups[1] == 1);
    CHECK_TEXT(file.group_names.names[1], "right");
}

static void an_unknown_extension_is_an_error(void)
{
    coif_strand_file file;
    coif_error error = {0};
    const coif_hair_import import = {.scale = 1.0f};
    CHECK(coif_strand_file_load(&file, save("h.abc", "x", 1), &import, &arena, &error) ==
          COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "expected .hair .tfx or .obj");
}

static void strand_files_are_described(void)
{
    char bytes[1024];
    coif_json_writer writer;
    coif_error error = {0};
    const size_t size = make_tfx(bytes, 4.0f);
    coif_json_writer_init(&writer, &arena);
    CHECK_OK(coif_file_info(&writer, save("h.tfx", bytes, size), &arena, &error), error);
    CHECK_CONTAINS(writer.text.data, "\"kind\": \"tfx\"");
    CHECK_CONTAINS(writer.text.data, "\"strands\": 3");
    coif_json_writer_init(&writer, &arena);
    CHECK_OK(coif_file_info(&writer, save("c.obj", CURVES, strlen(CURVES)), &arena, &error), error);
    CHECK_CONTAINS(writer.text.data, "\"kind\": \"curves\"");
    CHECK_CONTAINS(writer.text.data, "\"name\": \"left\"");
}

TEST_LIST(TEST(tressfx_files_are_read), TEST(invalid_tressfx_files_are_rejected),
          TEST(polylines_of_obj_files_are_strands), TEST(an_unknown_extension_is_an_error),
          TEST(strand_files_are_described))
