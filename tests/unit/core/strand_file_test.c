// Import of strand files of other programs.
#include "core/hair/formats/strand_file.h"

#include "core/base/rng.h"
#include "core/hair/strand_edit.h"
#include "tests/support/archive_shapes.h"
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

TEST(tressfx_files_are_read)
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
    coif_strand_file file = {0};
    // A block of its own: reading past the end is seen.
    char *own = coif_arena_new(&arena, size, char);
    memcpy(own, bytes, size);
    const coif_bytes all = {.name = "x.tfx", .data = own, .size = size};
    *error = (coif_error){0};
    return coif_tfx_read(&file, &all, NULL, &arena, error);
}

TEST(invalid_tressfx_files_are_rejected)
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

TEST(polylines_of_obj_files_are_strands)
{
    const coif_strand_file file = load(save("c.obj", CURVES, strlen(CURVES)), 0.1f, false);
    CHECK(file.strands.strand_count == 2 && !file.has_radius);
    CHECK(coif_strands_length(&file.strands, 0) == 3 && file.strands.points[2].y == 0.1f * 2.0f);
    CHECK(file.group_names.count == 2 && file.groups[0] == 0 && file.groups[1] == 1);
    CHECK_TEXT(file.group_names.names[1], "right");
}

// Eight curves, every fourth marked as a guide, and three more guides in an object of their own.
static const char *save_archive(coif_curve_basis basis, double meters_per_unit)
{
    const coif_archive_writer_vtable *format = &COIF_ARCHIVE_WRITE_ALEMBIC;
    const coif_archive_write_desc desc = {.fps = 24.0,
                                          .frame_step = 1.0,
                                          .sample_count = 1,
                                          .meters_per_unit = meters_per_unit,
                                          .up_axis = 'y',
                                          .basis = basis,
                                          .application = "test"};
    const coif_archive_write_object objects[] = {
        {"/head/hair", COIF_ARCHIVE_CURVES, false, false, NULL},
        {"/head/guides", COIF_ARCHIVE_CURVES, true, false, NULL}};
    const char *path = coif_arena_copy_text(&arena, coif_test_path("curves.abc"));
    const coif_archive_curves hair = archive_curves(8, POINTS, 0.0f, &arena);
    coif_archive_curves guides = archive_curves(3, POINTS, 1.0f, &arena);
    guides.guide = NULL;
    guides.group_ids = NULL;
    coif_error error = {0};
    coif_archive_writer *writer;
    CHECK_OK(format->create(&writer, path, &desc, objects, 2, &arena, &error), error);
    CHECK_OK(format->write_curves(writer, 0, 0, &hair, &error), error);
    CHECK_OK(format->write_curves(writer, 1, 0, &guides, &error), error);
    CHECK_OK(format->commit(writer, &error), error);
    return path;
}

static coif_strand_file load_archive(const char *path, const coif_hair_import *import)
{
    coif_strand_file file;
    coif_error error = {0};
    CHECK_OK(coif_strand_file_load(&file, path, import, &arena, &error), error);
    return file;
}

TEST(guides_and_children_of_an_archive_are_told_apart)
{
    const char *path = save_archive(COIF_BASIS_LINEAR, 0.01);
    const coif_archive_curves hair = archive_curves(8, POINTS, 0.0f, &arena);
    coif_hair_import import = {.scale = 1.0f};
    coif_strand_file file = load_archive(path, &import);
    CHECK(file.strands.strand_count == 6 && file.has_radius && file.strands.colors != NULL);
    CHECK_NEAR(file.strands.points[1].x, hair.points[POINTS + 1].x, 1e-7);
    CHECK_NEAR(file.strands.points[1].w, 0.5 * (double)hair.widths[POINTS + 1], 1e-9);
    CHECK_NEAR(file.strands.root_uv[0], hair.uv[2], 1e-7);
    CHECK_TEXT(file.group_names.names[file.groups[0]], "1");
    import.guides = true;
    file = load_archive(path, &import);
    CHECK(file.strands.strand_count == 5 && file.group_names.count == 3);
    CHECK_TEXT(file.group_names.names[file.groups[4]], "/head/guides");
    import = (coif_hair_import){.scale = 2.0f, .object = "guides"}; // nothing but guides
    file = load_archive(path, &import);
    CHECK(file.strands.strand_count == 3);
    CHECK_NEAR(file.strands.points[0].y, 2.0, 1e-6);
}

TEST(control_points_of_splines_become_points_of_the_curve)
{
    const coif_archive_curves hair = archive_curves(8, POINTS, 0.0f, &arena);
    const coif_vec3 *c = hair.points + POINTS;
    const coif_hair_import import = {.scale = 1.0f};
    coif_strand_file file = load_archive(save_archive(COIF_BASIS_BSPLINE, 1.0), &import);
    CHECK_NEAR(file.strands.points[0].x, c[0].x, 1e-7);
    CHECK_NEAR(file.strands.points[1].x, (c[0].x + 4.0f * c[1].x + c[2].x) / 6.0f, 1e-7);
    CHECK_NEAR(file.strands.points[3].x, c[3].x, 1e-7);
    file = load_archive(save_archive(COIF_BASIS_BEZIER, 1.0), &import);
    const float third = (8.0f * c[0].x + 12.0f * c[1].x + 6.0f * c[2].x + c[3].x) / 27.0f;
    CHECK_NEAR(file.strands.points[1].x, third, 1e-7);
    CHECK_NEAR(file.strands.points[3].x, c[3].x, 1e-7);
}

TEST(an_unknown_extension_is_an_error)
{
    coif_strand_file file;
    coif_error error = {0};
    const coif_hair_import import = {.scale = 1.0f};
    CHECK(coif_strand_file_load(&file, save("h.xyz", "x", 1), &import, &arena, &error) ==
          COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "expected one of .hair .tfx .obj .ply .data .txt .pbrt");
    CHECK_CONTAINS(error.text, "or an archive (Alembic, USD)");
}

#define CHECK_SAME(a, b, count)                                                                    \
    CHECK((a) != NULL && (b) != NULL && memcmp((a), (b), sizeof *(a) * (size_t)(count)) == 0)

// Guides come after the other curves in what is written; here they do already.
TEST(strands_keep_ids_guides_groups_and_velocities_through_archives)
{
    const coif_hair_import import = {.scale = 1.0f, .all_curves = true};
    coif_error error = {0};
    const coif_strand_file given = load_archive(save_archive(COIF_BASIS_LINEAR, 1.0), &import);
    CHECK(given.strands.strand_count == 11 && given.guide != NULL && given.guide[0] == 1);
    coif_strand_file sorted = given;
    int32_t order[11], count = 0;
    for (int guides = 0; guides < 2; ++guides) {
        for (int32_t s = 0; s < 11; ++s) {
            if (given.guide[s] == guides) {
                order[count++] = s;
            }
        }
    }
    CHECK_OK(coif_strand_file_select(&sorted, order, 11, &arena, &error), error);
    CHECK(sorted.guide[0] == 0 && sorted.ids[0] == 101 && sorted.closest_guides[1] == 104);
    for (int usd = 0; usd < 2; ++usd) {
        const char *path =
            coif_arena_copy_text(&arena, coif_test_path(usd ? "keep.usda" : "keep.abc"));
        const coif_strand_export export = {.name = "hair", .basis = COIF_BASIS_LINEAR};
        CHECK_OK(coif_strand_file_save(&sorted, path, &export, &error), error);
        const coif_strand_file back = load_archive(path, &import);
        const coif_strands *a = &sorted.strands, *b = &back.strands;
        CHECK(b->strand_count == 11);
        CHECK_SAME(a->points, b->points, a->point_count);
        CHECK_SAME(a->velocities, b->velocities, a->point_count);
        CHECK_SAME(a->colors, b->colors, a->point_count);
        CHECK_SAME(a->root_uv, b->root_uv, 22);
        CHECK_SAME(sorted.guide, back.guide, 11);
        CHECK_SAME(sorted.ids, back.ids, 11);
        CHECK_SAME(sorted.closest_guides, back.closest_guides, 33);
        CHECK_SAME(sorted.guide_weights, back.guide_weights, 33);
        for (int32_t s = 0; s < 11; ++s) {
            CHECK_TEXT(back.group_names.names[back.groups[s]],
                       sorted.group_names.names[sorted.groups[s]]);
        }
    }
}

TEST(strand_files_are_described)
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

// Strands of equal counts, as .tfx needs; thickness that is not linear along a strand.
static coif_strand_file sample_file(bool with_colors)
{
    enum { COUNT = 40, LENGTH = 7 };
    coif_strand_file file = {.has_radius = true};
    coif_error error = {0};
    int32_t lengths[COUNT];
    for (int32_t s = 0; s < COUNT; ++s) {
        lengths[s] = LENGTH;
    }
    CHECK_OK(coif_strands_init(&file.strands, lengths, COUNT, &arena, &error), error);
    file.strands.colors = coif_arena_new(&arena, COUNT * LENGTH, coif_vec3);
    for (int32_t i = 0; i < COUNT * LENGTH; ++i) {
        float value[4];
        for (uint32_t k = 0; k < 4; ++k) {
            value[k] = coif_random_unit(7, (uint64_t)i, k);
        }
        const float radius = i / LENGTH % 2 == 0 ? 4e-5f : 1e-5f * value[3];
        file.strands.points[i] =
            (coif_vec4){value[0] - 0.5f, 1e-3f * value[1], 1e3f * value[2], radius};
        file.strands.colors[i] = (coif_vec3){value[0], value[1], value[2]};
    }
    file.strands.colors = with_colors ? file.strands.colors : NULL;
    return file;
}

static const coif_strand_export EXPORT = {.name = "hair", .default_radius = 4e-5f};

TEST(every_format_reads_back_what_it_writes)
{
    static const struct {
        const char *name;
        bool keeps_radius, keeps_colors;
    } CASES[] = {{"r.hair", true, true}, {"r.tfx", false, false},  {"r.obj", false, false},
                 {"r.ply", true, true},  {"r.data", false, false}, {"r.txt", true, false},
                 {"r.pbrt", true, false}};
    const coif_strand_file from = sample_file(true);
    const coif_strands *a = &from.strands;
    for (size_t i = 0; i < COIF_COUNT_OF(CASES); ++i) {
        coif_error error = {0};
        const char *path = coif_arena_copy_text(&arena, coif_test_path(CASES[i].name));
        CHECK_OK(coif_strand_file_save(&from, path, &EXPORT, &error), error);
        const coif_strand_file to = load(path, 1.0f, false);
        const coif_strands *b = &to.strands;
        CHECK_TEXT(to.has_radius == CASES[i].keeps_radius ? CASES[i].name : "radius",
                   CASES[i].name);
        CHECK((b->colors != NULL) == CASES[i].keeps_colors);
        if (a->strand_count != b->strand_count || a->point_count != b->point_count) {
            CHECK_TEXT(CASES[i].name, "a file with the same counts");
            continue;
        }
        CHECK(memcmp(a->first, b->first, sizeof(int32_t) * (size_t)a->strand_count) == 0);
        int32_t wrong = 0;
        for (int32_t k = 0; k < a->point_count; ++k) {
            const size_t size = CASES[i].keeps_radius ? sizeof(coif_vec4) : sizeof(coif_vec3);
            wrong += memcmp(&a->points[k], &b->points[k], size) != 0;
            wrong += CASES[i].keeps_colors &&
                     memcmp(&a->colors[k], &b->colors[k], sizeof(coif_vec3)) != 0;
        }
        CHECK_TEXT(wrong == 0 ? CASES[i].name : "points differ", CASES[i].name);
        // Writing what was read gives the same bytes.
        const char *again = coif_arena_print(&arena, "%s2%s", path, strrchr(path, '.'));
        CHECK_OK(coif_strand_file_save(&to, again, &EXPORT, &error), error);
        char *first, *second;
        size_t sizes[2];
        CHECK_OK(coif_file_load(&first, &sizes[0], path, &arena, &error), error);
        CHECK_OK(coif_file_load(&second, &sizes[1], again, &arena, &error), error);
        CHECK(sizes[0] == sizes[1] && memcmp(first, second, sizes[0]) == 0);
    }
}

TEST(tressfx_3_is_written_as_well)
{
    const coif_strand_file from = sample_file(false);
    coif_error error = {0};
    const coif_strand_export desc = {.name = "hair", .tfx_version = 3};
    const char *path = coif_arena_copy_text(&arena, coif_test_path("old.tfx"));
    CHECK_OK(coif_strand_file_save(&from, path, &desc, &error), error);
    const coif_strand_file to = load(path, 1.0f, false);
    CHECK(to.strands.point_count == from.strands.point_count);
    CHECK(to.strands.points[20].x == from.strands.points[20].x);
}

static coif_status read_text(coif_strand_file *file, const char *name, const char *text,
                             const coif_hair_import *import, coif_error *error)
{
    *file = (coif_strand_file){0};
    *error = (coif_error){0};
    const coif_bytes bytes = {.name = name, .data = text, .size = strlen(text)};
    return coif_strand_format_of(name)->read(file, &bytes, import, &arena, error);
}

#define PLY                                                                                        \
    "ply\nformat ascii 1.0\ncomment by hand\nelement vertex 5\n"                                   \
    "property double x\nproperty float y\nproperty float z\n"
#define PLY_POINTS "0 0 0\n0 1 0\n0 2 0\n1 0 0\n1 1 0\n"

TEST(points_of_ply_files_are_divided_by_attribute_count_or_edges)
{
    static const char *const texts[] = {
        PLY "property uchar red\nproperty int strand_id\nend_header\n"
            "0 0 0 255 4\n0 1 0 0 4\n0 2 0 51 4\n1 0 0 0 2\n1 1 0 0 2\n",
        PLY "element strand 2\nproperty int point_count\nend_header\n" PLY_POINTS "3\n2\n",
        PLY "element edge 3\nproperty int vertex1\nproperty int vertex2\nend_header\n" PLY_POINTS
            "0 1\n1 2\n3 4\n",
        PLY "element face 1\nproperty list uchar int vertex_indices\nelement polyline 2\n"
            "property list uchar int vertex_index\nend_header\n" PLY_POINTS
            "3 0 1 2\n3 0 1 2\n2 3 4\n"};
    for (size_t i = 0; i < COIF_COUNT_OF(texts); ++i) {
        coif_strand_file file;
        coif_error error;
        CHECK_OK(read_text(&file, "t.ply", texts[i], NULL, &error), error);
        CHECK(file.strands.strand_count == 2 && coif_strands_length(&file.strands, 0) == 3);
        CHECK(file.strands.points[2].y == 2.0f && file.strands.points[4].x == 1.0f);
        CHECK(i != 0 || fabsf(file.strands.colors[2].x - 0.2f) < 1e-6f);
    }
    coif_strand_file file;
    coif_error error;
    CHECK(read_text(&file, "t.ply",
                    PLY "element edge 1\nproperty int vertex1\nend_header\n" PLY_POINTS "0\n", NULL,
                    &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "polyline 0: 2 vertices, but 1 indices are left");
    CHECK(read_text(&file, "t.ply",
                    PLY "property float red\nproperty int strand\nend_header\n"
                        "0 0 0 1 4\n0 1 0 nan 4\n0 2 0 1 4\n1 0 0 0 2\n1 1 0 0 2\n",
                    NULL, &error) == COIF_ERR_FORMAT);
    CHECK(read_text(&file, "t.ply", PLY "end_header\n" PLY_POINTS, NULL, &error) ==
          COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "nothing divides the 5 points into strands");
    const coif_hair_import fixed = {.scale = 1.0f, .points_per_strand = 2};
    CHECK(read_text(&file, "t.ply", PLY "end_header\n" PLY_POINTS, &fixed, &error) ==
          COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "strand 2: 2 points, but 1 vertices are left");
}

TEST(curves_of_pbrt_and_mitsuba_are_read)
{
    coif_strand_file file;
    coif_error error;
    CHECK_OK(
        read_text(&file, "t.pbrt",
                  "# by hand\nAttributeBegin\nMaterial \"hair\" \"float eumelanin\" 1.3\n"
                  "Shape \"curve\" \"point3 P\" [0 0 0 0 1 0 0 2 0 0 3 0]\n"
                  "  \"string basis\" [\"bspline\"] \"float width0\" [0.2] \"float width1\" 0\n"
                  "Shape \"sphere\" \"float radius\" 2\nAttributeEnd\n",
                  NULL, &error),
        error);
    CHECK(file.strands.strand_count == 1 && file.strands.point_count == 4);
    CHECK(file.strands.points[0].w == 0.1f && file.strands.points[3].w == 0.0f);
    // Windows of four points over two strands of six and four.
    CHECK_OK(
        read_text(&file, "t.pbrt",
                  "Shape \"curve\" \"point P\" [0 0 0 0 1 0 0 2 0 0 3 0] \"float width0\" [0.6] "
                  "\"float width1\" [0.3]\n"
                  "Shape \"curve\" \"point P\" [0 1 0 0 2 0 0 3 0 0 4 0] \"float width0\" [0.5] "
                  "\"float width1\" [0.2]\n"
                  "Shape \"curve\" \"point P\" [0 2 0 0 3 0 0 4 0 0 5 0] \"float width0\" [0.4] "
                  "\"float width1\" [0.1]\n"
                  "Shape \"curve\" \"point P\" [9 1 0 9 2 0 9 3 0 9 4 0]\n"
                  "Shape \"curve\" \"point P\" [9 2 0 9 3 0 9 4 0 9 5 0]\n",
                  NULL, &error),
        error);
    CHECK(file.strands.strand_count == 2 && file.strands.point_count == 11);
    for (int32_t i = 0; i < 6; ++i) {
        CHECK(file.strands.points[i].y == (float)i);
        CHECK_NEAR((double)file.strands.points[i].w, 0.5 * (0.6 - 0.1 * i), 1e-6);
    }
    CHECK(file.strands.points[6].y == 1.0f && file.strands.points[10].y == 5.0f);
    CHECK_OK(read_text(&file, "t.txt", "0 0 0 1e-4\n0 1 0 1e-4\n\n\n1 0 0 0\n\n2 0 0 0\r\n2 1 0 0",
                       NULL, &error),
             error);
    CHECK(file.strands.strand_count == 2 && file.skipped == 1);
    CHECK_OK(read_text(&file, "t.txt", "0 0 0\n0 1 0 \n\n1 0 0\n1 1 0\n", NULL, &error), error);
    CHECK(file.strands.strand_count == 2 && !file.has_radius);
    CHECK(read_text(&file, "t.txt", "0 0 0\n0 1 0 1\n", NULL, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "t.txt: line 2: more than 3 numbers");
    CHECK(read_text(&file, "t.txt", "0 0 0 0\n0 1 0\n", NULL, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "t.txt: line 2: expected x y z radius");
}

TEST(unequal_counts_cannot_be_tressfx)
{
    coif_strand_file file = sample_file(false);
    coif_error error = {0};
    file.strands.first[1] = 6;
    CHECK(coif_strand_file_save(&file, coif_test_path("u.tfx"), &EXPORT, &error) ==
          COIF_ERR_ARGUMENT);
    CHECK_CONTAINS(error.text, "needs equal counts");
}
