// OBJ parser: accepted and rejected text, exact numbers.
#include "core/mesh/obj.h"

#include "core/base/fs.h"
#include "core/base/rng.h"
#include "core/mesh/parse_float.h"
#include "tests/support/test.h"

#include <stdlib.h>

static coif_arena arena;

static coif_status read_bytes(coif_obj *obj, const char *text, size_t size, coif_error *error)
{
    coif_arena_free(&arena);
    coif_arena_init(&arena, "test");
    char *copy = coif_arena_new(&arena, size + 1, char);
    memcpy(copy, text, size);
    *error = (coif_error){.status = COIF_OK};
    return coif_obj_read(obj, "test.obj", copy, size, &arena, error);
}

static coif_obj read_good(const char *text)
{
    coif_obj obj;
    coif_error error;
    CHECK_OK(read_bytes(&obj, text, strlen(text), &error), error);
    return obj;
}

// Refused as a damaged file, with a message that contains part.
static void check_refused(const char *text, const char *part)
{
    coif_obj obj;
    coif_error error;
    CHECK(read_bytes(&obj, text, strlen(text), &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "test.obj: ");
    CHECK_CONTAINS(error.text, part);
}

static const char TRIANGLE[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";

static char *with_triangle(const char *rest)
{
    static char text[2048];
    snprintf(text, sizeof text, "%s%s", TRIANGLE, rest);
    return text;
}

TEST(a_triangle_is_read)
{
    const coif_obj obj = read_good(with_triangle("f 1 2 3\n"));
    CHECK(obj.position_count == 3 && obj.face_count == 1 && obj.corner_count == 3);
    CHECK(obj.positions[1].x == 1.0f && obj.positions[2].y == 1.0f);
    CHECK(obj.corners[2].position == 2 && obj.corners[2].uv == -1 && obj.corners[2].normal == -1);
    CHECK_TEXT(obj.group_names.names[0], "default");
    CHECK(obj.materials[0] == -1);
}

TEST(all_forms_of_corners_mix)
{
    const coif_obj obj = read_good(with_triangle("vt 0.5 0.25\nvn 0 0 2\n"
                                                 "f 1 2/1 3//1\nf 1/1/1 2/ 3//\nf 1/1/ 2 3\n"));
    const coif_obj_corner *c = obj.corners;
    CHECK(obj.face_count == 3);
    CHECK(c[0].uv == -1 && c[0].normal == -1);
    CHECK(c[1].uv == 0 && c[1].normal == -1);
    CHECK(c[2].uv == -1 && c[2].normal == 0);
    CHECK(c[3].uv == 0 && c[3].normal == 0);
    CHECK(c[4].uv == -1 && c[5].normal == -1 && c[6].uv == 0 && c[6].normal == -1);
    CHECK(obj.uvs[0].x == 0.5f && obj.uvs[0].y == 0.25f && obj.normals[0].z == 2.0f);
}

TEST(negative_indices_count_back_from_their_line)
{
    const coif_obj obj = read_good("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
                                   "f -3/-1/-1 -2/-1/-1 -1/-1/-1\n"
                                   "v 5 0 0\nv 6 0 0\nv 5 1 0\nf -3 -2 -1\n");
    CHECK(obj.corners[0].position == 0 && obj.corners[2].position == 2);
    CHECK(obj.corners[0].uv == 0 && obj.corners[0].normal == 0);
    CHECK(obj.corners[3].position == 3 && obj.corners[5].position == 5);
}

TEST(faces_may_precede_their_vertices)
{
    const coif_obj obj = read_good("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
    CHECK(obj.face_count == 1 && obj.corners[2].position == 2);
}

TEST(line_ends_blanks_and_comments_do_not_matter)
{
    const char *const texts[] = {
        "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n",
        "v 0 0 0\rv 1 0 0\rv 0 1 0\rf 1 2 3",
        "\tv\t0 0\t0  \n  v 1 0 0\t\nv 0 1 0 # third\n\n#f 9 9 9\nf\t1  2\t3 # done",
        "v 0 0 \\\n0\nv \\\r\n1 0 0\nv 0 1 0\nf 1 \\\n 2 \\\n 3\n",
        "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3",
        "# c:\\models\\\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\\",
    };
    for (size_t i = 0; i + 1 < COIF_COUNT_OF(texts); ++i) {
        const coif_obj obj = read_good(texts[i]);
        CHECK(obj.position_count == 3 && obj.face_count == 1 && obj.corner_count == 3);
        CHECK(obj.positions[1].x == 1.0f && obj.positions[2].y == 1.0f);
    }
    check_refused(texts[6], "line 4");
}

TEST(colours_weights_and_other_statements_are_ignored)
{
    const coif_obj obj = read_good("v 1 2 3 0.5 0.5 0.5\nv 4 5 6 1\nv 7 8 10 1 1 0 0\n"
                                   "vt 0.5\nvt 0.5 0.25 0.125\nvp 1 2\ns 1\ns off\nl 1 2\np 1\n"
                                   "cstype bezier\nf 1/1 2/2 3/1\nend\n");
    CHECK(obj.positions[0].z == 3.0f && obj.positions[1].x == 4.0f && obj.positions[2].z == 10.0f);
    CHECK(obj.uvs[0].x == 0.5f && obj.uvs[0].y == 0.0f && obj.uvs[1].y == 0.25f);
    CHECK(obj.face_count == 1);
}

TEST(groups_and_materials_follow_their_lines)
{
    const coif_obj obj = read_good(with_triangle(
        "mtllib my skin.mtl\nmtllib other.mtl\nf 1 2 3\ng scalp hair\nusemtl dark  skin \nf 1 2 3\n"
        "g empty\no left ear\nf 1 2 3\ng scalp\nusemtl lip\nf 1 2 3\ng\nusemtl\nf 1 2 3\n"));
    CHECK(obj.face_count == 5 && obj.group_names.count == 3);
    CHECK_TEXT(obj.group_names.names[obj.groups[0]], "default");
    CHECK_TEXT(obj.group_names.names[obj.groups[1]], "scalp");
    CHECK_TEXT(obj.group_names.names[obj.groups[2]], "left ear");
    CHECK(obj.groups[3] == obj.groups[1] && obj.groups[4] == obj.groups[0]);
    CHECK(obj.materials[0] == -1 && obj.materials[4] == -1);
    CHECK_TEXT(obj.material_names.names[obj.materials[1]], "dark  skin");
    CHECK(obj.materials[2] == obj.materials[1]);
    CHECK_TEXT(obj.material_names.names[obj.materials[3]], "lip");
    CHECK(obj.libraries.count == 2);
    CHECK_TEXT(obj.libraries.names[0], "my skin.mtl");
}

TEST(thousands_of_groups_are_distinct)
{
    const size_t size = 400000;
    char *text = malloc(size);
    size_t used = (size_t)snprintf(text, size, "%s", TRIANGLE);
    for (int i = 0; i < 5000; ++i) {
        used += (size_t)snprintf(text + used, size - used, "g part%d\nf 1 2 3\ng part%d\nf 1 2 3\n",
                                 i, i / 2);
    }
    const coif_obj obj = read_good(text);
    CHECK(obj.group_names.count == 5000 && obj.face_count == 10000);
    CHECK_TEXT(obj.group_names.names[obj.groups[9998]], "part4999");
    CHECK_TEXT(obj.group_names.names[obj.groups[9999]], "part2499");
    free(text);
}

// The library keeps 16 corners of a line on its stack.
TEST(faces_of_any_length_are_read)
{
    const int sizes[] = {3, 4, 14, 15, 16, 17, 31, 100000};
    for (size_t s = 0; s < COIF_COUNT_OF(sizes); ++s) {
        const size_t size = (size_t)sizes[s] * 60 + 100;
        char *text = malloc(size);
        size_t used = 0;
        for (int i = 0; i < sizes[s]; ++i) {
            used += (size_t)snprintf(text + used, size - used, "v %d 0 0\n", i);
        }
        used += (size_t)snprintf(text + used, size - used, "vt 0 0\nvn 0 0 1\nf");
        for (int i = 0; i < sizes[s]; ++i) {
            used += (size_t)snprintf(text + used, size - used, " %d/1/1", sizes[s] - i);
        }
        const coif_obj obj = read_good(text);
        CHECK(obj.face_count == 1 && obj.corner_count == sizes[s]);
        CHECK(obj.first[1] == sizes[s]);
        int wrong = 0;
        for (int i = 0; i < sizes[s]; ++i) {
            wrong += obj.corners[i].position != sizes[s] - 1 - i || obj.corners[i].normal != 0;
        }
        CHECK(wrong == 0);
        free(text);
    }
}

TEST(many_lines_are_read_in_order_across_pieces)
{
    const int count = 20000;
    const size_t size = (size_t)count * 64;
    char *text = malloc(size);
    size_t used = 0;
    for (int i = 0; i < count; ++i) {
        used += (size_t)snprintf(text + used, size - used, "v %d 1 0\nvt %d 2\n", i, -i);
        if (i >= 2) {
            used += (size_t)snprintf(text + used, size - used, "f -3/-3 -2/-2 -1/-1\n");
        }
    }
    const coif_obj obj = read_good(text);
    CHECK(obj.position_count == count && obj.uv_count == count && obj.face_count == count - 2);
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        wrong += obj.positions[i].x != (float)i || obj.uvs[i].x != (float)-i;
        wrong += i >= 2 && (obj.corners[3 * i - 6].position != i - 2 ||
                            obj.corners[3 * i - 4].uv != i || obj.corners[3 * i - 4].normal != -1);
    }
    CHECK(wrong == 0);
    free(text);
}

TEST(short_faces_are_counted)
{
    const coif_obj obj = read_good(with_triangle("f\nf 1\nf 1 2\nf 1 2 3\n"));
    CHECK(obj.short_faces == 3 && obj.face_count == 1);
}

TEST(invalid_lines_are_rejected_with_their_number)
{
    check_refused(with_triangle("f 1 2 4\n"), "line 4: vertex 4 does not exist: there are 3");
    check_refused(with_triangle("f 1 2 -4\n"), "line 4: vertex -4 does not exist: there are 3");
    check_refused(with_triangle("f 1/1 2/1 3/1\n"),
                  "line 4: texture coordinate 1 does not exist: there are 0");
    check_refused(with_triangle("\nf 1//2 2 3\nvn 0 0 1\n"),
                  "line 5: normal 2 does not exist: there are 1");
    check_refused(with_triangle("f 0 1 2\n"), "line 4: found \"0\"");
    check_refused(with_triangle("f 1 2 x\n"), "line 4: found \"x\"");
    check_refused(with_triangle("f 1 2 3/1/1/1\n"), "line 4: found \"3/1/1/1\"");
    check_refused(with_triangle("f 1 2 3.5\n"), "line 4: found \"3.5\"");
    check_refused(with_triangle("f 1 2 /3\n"), "line 4: found \"/3\"");
    check_refused(with_triangle("f 1 2 -\n"), "line 4: found \"-\"");
    check_refused(with_triangle("f 1 2 99999999999999999999\n"), "line 4: vertex 99999999999999");
    check_refused(with_triangle("f 1 2 2147483648\n"),
                  "line 4: vertex 2147483648 does not exist: there are 3");
    check_refused(with_triangle("f 1 2 2147483647\n"),
                  "line 4: vertex 2147483647 does not exist: there are 3");
    check_refused("v 0 \\\n0 0\nv 1 2\n", "line 3: 2 numbers, expected 3");
    check_refused("vt\n", "line 1: 0 numbers, expected 1");
    check_refused("v 0 0 nan\n", "line 1: found \"nan\"");
    check_refused("v 0 inf 0\n", "line 1: found \"inf\"");
    check_refused("vn -Infinity 0 0\n", "line 1: found \"-Infinity\"");
    check_refused("\nvt 1e39 0\n", "line 2: found \"1e39\"");
    check_refused("v 0 0 0x10\n", "line 1: found \"0x10\"");
    check_refused("v 0 0 1,5\n", "line 1: found \"1,5\"");
    check_refused("v 0 0 1e\n", "line 1: found \"1e\"");
    check_refused("v 0 0 .\n", "line 1: found \".\"");
    check_refused("v 0 0 \x1b[2J\xff\n", "line 1: found \"?[2J?\"");
    check_refused("v 0 0 0 0 0 red\n", "line 1: found \"red\"");
}

TEST(files_without_faces_are_rejected)
{
    check_refused("", "no faces");
    check_refused("\n\n", "no faces");
    check_refused(TRIANGLE, "no faces");
    check_refused(with_triangle("l 1 2 3\n"), "no faces");
    check_refused(with_triangle("f 1 2\n"), "no faces");
}

TEST(other_encodings_are_rejected)
{
    coif_obj obj;
    coif_error error;
    const char *const texts[] = {"\xff\xfev\0 \0", "\xfe\xff\0v\0 ", "v\0 \0000\0 "};
    for (int i = 0; i < 3; ++i) {
        CHECK(read_bytes(&obj, texts[i], 6, &error) == COIF_ERR_FORMAT);
        CHECK_CONTAINS(error.text, "UTF-16");
    }
    CHECK(read_bytes(&obj, "v 0 0 0\n\0", 9, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "line 2");
}

TEST(a_missing_file_is_an_error)
{
    coif_error error = {.status = COIF_OK};
    coif_obj obj;
    CHECK(coif_obj_load(&obj, coif_test_path("none.obj"), &arena, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "none.obj");
}

static float read_through(const char *number)
{
    char text[4096];
    snprintf(text, sizeof text, "v %s 0 0\nf 1 1 1\n", number);
    return read_good(text).positions[0].x;
}

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

TEST(numbers_are_correctly_rounded)
{
    const char *const numbers[] = {
        "0",
        "-0",
        "+1.5",
        ".5",
        "-.25e1",
        "5.",
        "1e-3",
        "1E+3",
        "0.1",
        "123456789",
        "16777217",                    // between two floats: to even
        "16777219",                    // between two floats: to even
        "4194304.25",                  // between two floats
        "4194304.250000000000000001",  // just above
        "0.500000029802322387695",     // just below the middle
        "0.5000000298023223876953125", // the middle
        "0.50000002980232238769531251",
        "3.40282346e38",
        "3.4028235677973366e38", // the last that does not become infinite
        "1.17549435e-38",
        "1e-45",
        "7e-46",
        "1e-300",
        "0.00000000000000000000000000000000000001",
        "12345678901234567890123456789",
        "0.12345678901234567",
        "0.000000000000000000000000000000000000000000000123e+50",
        "000000000000000000000000000000000000000001.5",
        "9007199254740993",
        "1.0000000596046447753906251",
    };
    for (size_t i = 0; i < COIF_COUNT_OF(numbers); ++i) {
        const float value = read_through(numbers[i]);
        if (!same_bits(value, strtof(numbers[i], NULL))) {
            coif_test_failed(__FILE__, __LINE__, "%s became %.9g", numbers[i], (double)value);
        }
    }
}

// Random floats in many notations, through validation and library.
TEST(random_numbers_keep_their_bits)
{
    const int count = 30000;
    const size_t size = (size_t)count * 40 + 100;
    char *text = malloc(size);
    float *wanted = malloc(sizeof *wanted * (size_t)count);
    size_t used = (size_t)snprintf(text, size, "f 1 2 3\n");
    for (int i = 0; i < count; ++i) {
        static const char *const FORMS[] = {"%.6f", "%.9g", "%.17g", "%.3e", "%.8e", "%.12f"};
        const double magnitude = 2.0 * (double)coif_random_unit(7, (uint64_t)i, 0) - 1.0 +
                                 1e-8 * (double)coif_random_unit(7, (uint64_t)i, 2);
        const double value =
            ldexp(magnitude, (int)(coif_random_unit(7, (uint64_t)i, 1) * 60.0f) - 40);
        char number[64];
        snprintf(number, sizeof number, FORMS[i % 6], value);
        wanted[i] = strtof(number, NULL);
        used += (size_t)snprintf(text + used, size - used, "v %s 0 0\n", number);
    }
    const coif_obj obj = read_good(text);
    int wrong = 0;
    for (int i = 0; i < count; ++i) {
        wrong += !same_bits(obj.positions[i].x, wanted[i]);
    }
    CHECK(obj.position_count == count && wrong == 0);
    free(wanted);
    free(text);
}

TEST(equal_polygons_have_equal_topology)
{
    coif_obj obj = read_good(with_triangle("f 1 2 3\n"));
    const uint64_t triangle = coif_obj_topology_digest(&obj);
    obj = read_good("v 5 0 0\nv 1 9 0\nv 0 1 0\nvt 0 0\nf 1/1 2/1 3/1\n");
    CHECK(coif_obj_topology_digest(&obj) == triangle);
    obj = read_good(with_triangle("f 2 3 1\n"));
    CHECK(coif_obj_topology_digest(&obj) != triangle);
    obj = read_good("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n");
    CHECK(coif_obj_topology_digest(&obj) != triangle);
}
