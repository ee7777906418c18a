// Alembic: round trips, units, shared samples, and refusal of damage.
#include "core/archive/alembic/abc_reader.h"
#include "core/archive/object_names.h"
#include "core/base/fs.h"
#include "core/base/log.h"
#include "tests/support/archive_shapes.h"

static coif_arena arena;
static const coif_archive_writer_vtable *const WRITER = &COIF_ARCHIVE_WRITE_ALEMBIC;
static coif_archive_write_desc metres = {.fps = 24.0,
                                         .first_frame = 1.0,
                                         .frame_step = 1.0,
                                         .sample_count = 3,
                                         .meters_per_unit = 1.0,
                                         .up_axis = 'y',
                                         .basis = COIF_BASIS_CATMULL_ROM,
                                         .application = "coif test"};

static const coif_archive_write_object OBJECTS[] = {
    {"/head/hair", COIF_ARCHIVE_CURVES, false, true, NULL},
    {"/head/guides", COIF_ARCHIVE_CURVES, true, false, NULL},
    {"/head/skin", COIF_ARCHIVE_MESH, false, true, NULL},
    {"/shot/camera/camera", COIF_ARCHIVE_CAMERA, false, true, NULL}};
enum { HAIR, GUIDES, SKIN, CAMERA };

static const char *write_all(const char *name, const coif_archive_write_desc *desc)
{
    const char *path = coif_arena_copy_text(&arena, coif_test_path(name));
    coif_error error = {0};
    coif_archive_writer *writer;
    CHECK_OK(WRITER->create(&writer, path, desc, OBJECTS, 4, &arena, &error), error);
    for (int32_t f = 0; f < desc->sample_count; ++f) {
        const coif_archive_curves hair = archive_curves(5 + (f == 2), 4, (float)f, &arena);
        const coif_archive_curves guides = archive_curves(2, 4, 0.0f, &arena);
        const coif_archive_mesh skin = archive_mesh(1.0f + (float)f, &arena);
        const coif_archive_camera camera = archive_camera((float)f);
        CHECK_OK(WRITER->write_curves(writer, HAIR, f, &hair, &error), error);
        CHECK_OK(f == 0 ? WRITER->write_curves(writer, GUIDES, 0, &guides, &error) : COIF_OK,
                 error);
        CHECK_OK(WRITER->write_mesh(writer, SKIN, f, &skin, &error), error);
        CHECK_OK(WRITER->write_camera(writer, CAMERA, f, &camera, &error), error);
    }
    CHECK_OK(WRITER->commit(writer, &error), error);
    return path;
}

#define CHECK_SAME(a, b, count) CHECK(memcmp((a), (b), sizeof *(a) * (size_t)(count)) == 0)

TEST(curves_of_varying_topology_return_as_they_were)
{
    const coif_archive *archive = archive_open(write_all("curves.abc", &metres), NULL, &arena);
    CHECK(archive->object_count == 4 && archive->fps == 24.0);
    CHECK_TEXT(archive->application, "coif test");
    CHECK(!archive->objects[HAIR].constant_topology && archive->objects[SKIN].constant_topology);
    CHECK(!archive->objects[HAIR].is_guide && archive->objects[GUIDES].is_guide);
    CHECK(archive->objects[GUIDES].sample_count == 1 && archive->objects[HAIR].sample_count == 3);
    for (int32_t f = 0; f < 3; ++f) {
        const coif_archive_curves a = archive_curves(5 + (f == 2), 4, (float)f, &arena);
        const coif_archive_curves b = archive_read_curves(archive, HAIR, f, &arena);
        CHECK_NEAR(archive->objects[HAIR].times[f], (1.0 + f) / 24.0, 1e-12);
        CHECK(b.basis == COIF_BASIS_CATMULL_ROM && !b.periodic);
        CHECK(a.curve_count == b.curve_count && a.point_count == b.point_count);
        CHECK_SAME(a.counts, b.counts, a.curve_count);
        CHECK_SAME(a.points, b.points, a.point_count);
        CHECK_SAME(a.velocities, b.velocities, a.point_count);
        CHECK_SAME(a.widths, b.widths, a.point_count);
        CHECK_SAME(a.colors, b.colors, a.point_count);
        CHECK_SAME(a.uv, b.uv, 2 * a.curve_count);
        CHECK_SAME(a.ids, b.ids, a.curve_count);
        CHECK_SAME(a.group_ids, b.group_ids, a.curve_count);
        CHECK_SAME(a.guide, b.guide, a.curve_count);
        CHECK_SAME(a.closest_guides, b.closest_guides, 3 * a.curve_count);
        CHECK_SAME(a.guide_weights, b.guide_weights, 3 * a.curve_count);
    }
}

TEST(pinned_splines_return_without_the_points_beyond_their_ends)
{
    const coif_archive_write_object object = {"/hair", COIF_ARCHIVE_CURVES, false, true, NULL};
    const char *path = coif_test_path("pinned.abc");
    coif_error error = {0};
    coif_archive_writer *writer;
    coif_archive_curves hair = archive_curves(3, 4, 0.0f, &arena);
    hair.pinned = true;
    CHECK_OK(WRITER->create(&writer, path, &metres, &object, 1, &arena, &error), error);
    CHECK_OK(WRITER->write_curves(writer, 0, 0, &hair, &error), error);
    CHECK_OK(WRITER->commit(writer, &error), error);
    WRITER->discard(writer); // nothing after a commit
    CHECK(hair.point_count == 12 && hair.counts[0] == 4);
    const coif_archive *archive = archive_open(path, NULL, &arena);
    const coif_archive_curves back = archive_read_curves(archive, 0, 0, &arena);
    CHECK(back.pinned && back.point_count == 12 && back.counts[2] == 4);
    CHECK_SAME(hair.points, back.points, 12);
    CHECK_SAME(hair.velocities, back.velocities, 12);
    CHECK_SAME(hair.widths, back.widths, 12);
    CHECK_SAME(hair.colors, back.colors, 12);
    CHECK_SAME(hair.ids, back.ids, 3);
    // Other programs see splines that reach the first and the last point.
    coif_ogawa ogawa;
    const coif_abc_archive *self = (const coif_abc_archive *)archive;
    CHECK_OK(coif_ogawa_open(&ogawa, &self->source, &error), error);
    const coif_abc_query query = {.ogawa = &ogawa, .node = self->nodes[0], .arena = &arena};
    coif_abc_values points;
    CHECK_OK(coif_abc_read_values(&points, &query, coif_abc_find(query.node->properties, "P"), 3,
                                  COIF_ABC_AS_FLOAT, &error),
             error);
    coif_ogawa_close(&ogawa);
    CHECK(points.count == 18);
    CHECK_NEAR(points.floats[0], 2.0f * hair.points[0].x - hair.points[1].x, 1e-7);
}

TEST(splines_with_repeated_ends_are_not_pinned)
{
    const coif_archive_write_object object = {"/hair", COIF_ARCHIVE_CURVES, false, true, NULL};
    coif_error error = {0};
    for (int repeated = 0; repeated < 2; ++repeated) {
        const char *path = coif_test_path("repeated.abc");
        coif_archive_writer *writer;
        const coif_archive_curves hair = archive_curves(3, 6, 0.0f, &arena);
        for (int32_t s = 0; repeated && s < 3; ++s) {
            hair.points[6 * s] = hair.points[6 * s + 1];
            hair.points[6 * s + 5] = hair.points[6 * s + 4];
        }
        CHECK_OK(WRITER->create(&writer, path, &metres, &object, 1, &arena, &error), error);
        CHECK_OK(WRITER->write_curves(writer, 0, 0, &hair, &error), error);
        CHECK_OK(WRITER->commit(writer, &error), error);
        CHECK(archive_read_curves(archive_open(path, NULL, &arena), 0, 0, &arena).pinned ==
              !repeated);
    }
}

TEST(a_mesh_returns_with_uv_normals_and_groups)
{
    const coif_archive *archive = archive_open(write_all("mesh.abc", &metres), NULL, &arena);
    for (int32_t f = 0; f < 3; ++f) {
        const coif_archive_mesh a = archive_mesh(1.0f + (float)f, &arena);
        const coif_archive_mesh b = archive_read_mesh(archive, SKIN, f, &arena);
        CHECK(b.vertex_count == 5 && b.face_count == 5 && b.corner_count == 16);
        CHECK_SAME(a.face_sizes, b.face_sizes, 5);
        CHECK_SAME(a.corners, b.corners, 16);
        CHECK_SAME(a.positions, b.positions, 5);
        CHECK_SAME(a.velocities, b.velocities, 5);
        CHECK_SAME(a.uv, b.uv, 32);
        for (int32_t i = 0; i < 16; ++i) {
            CHECK_NEAR(coif_length(coif_sub(a.normals[i], b.normals[i])), 0.0, 1e-7);
        }
        CHECK(b.group_count == 2);
        CHECK_TEXT(b.group_names[1], "sides");
        CHECK_SAME(a.face_group, b.face_group, 5);
    }
}

TEST(groups_get_distinct_names_that_the_format_allows)
{
    static const char *const names[] = {"left eye", "left/eye", "left_eye", "2", ""};
    const char **text = coif_archive_object_names(names, 5, false, &arena);
    const char **identifiers = coif_archive_object_names(names, 5, true, &arena);
    const char *const expected[] = {"left eye", "left_eye", "left_eye_", "2", "_"};
    const char *const usd[] = {"left_eye", "left_eye_", "left_eye__", "_", "__"};
    for (int i = 0; i < 5; ++i) {
        CHECK_TEXT(text[i], expected[i]);
        CHECK_TEXT(identifiers[i], usd[i]);
    }
    // Both groups are there after a round trip.
    static const coif_archive_writer_vtable *const formats[] = {&COIF_ARCHIVE_WRITE_ALEMBIC,
                                                                &COIF_ARCHIVE_WRITE_USDA};
    const coif_archive_write_object object = {"/skin", COIF_ARCHIVE_MESH, false, false, NULL};
    for (int f = 0; f < 2; ++f) {
        const char *path =
            coif_arena_copy_text(&arena, coif_test_path(f == 0 ? "groups.abc" : "groups.usda"));
        coif_error error = {0};
        coif_archive_writer *writer;
        coif_archive_mesh mesh = archive_mesh(1.0f, &arena);
        mesh.group_names[0] = "a/b";
        mesh.group_names[1] = "a_b";
        CHECK_OK(formats[f]->create(&writer, path, &metres, &object, 1, &arena, &error), error);
        CHECK_OK(formats[f]->write_mesh(writer, 0, 0, &mesh, &error), error);
        CHECK_OK(formats[f]->commit(writer, &error), error);
        const coif_archive_mesh back =
            archive_read_mesh(archive_open(path, NULL, &arena), 0, 0, &arena);
        CHECK(back.group_count == 2);
        CHECK_TEXT(back.group_names[1], "a_b_");
        CHECK_SAME(mesh.face_group, back.face_group, 5);
    }
}

TEST(a_camera_returns_with_film_and_focus)
{
    const coif_archive *archive = archive_open(write_all("camera.abc", &metres), NULL, &arena);
    CHECK(coif_archive_find(archive, COIF_ARCHIVE_CAMERA, NULL) == CAMERA);
    const coif_abc_property *xform =
        ((const coif_abc_archive *)archive)->nodes[CAMERA]->parent->properties;
    CHECK(coif_abc_find(xform, ".vals")->sample_count == 3);
    CHECK(coif_abc_find(xform, ".ops")->sample_count == 1); // of the static sampling
    for (int32_t f = 0; f < 3; ++f) {
        const coif_archive_camera a = archive_camera((float)f);
        const coif_archive_camera b = archive_read_camera(archive, CAMERA, f, &arena);
        CHECK_SAME(a.to_world, b.to_world, 12);
        CHECK(a.focal_length == b.focal_length && a.f_stop == b.f_stop);
        CHECK_NEAR(b.film_width, 36.0, 1e-5);
        CHECK_NEAR(b.film_height, 20.25, 1e-5);
        CHECK_NEAR(b.film_offset[0], 1.5, 1e-6);
        CHECK_NEAR(b.film_offset[1], -0.5, 1e-6);
        CHECK_NEAR(b.focus_distance, 2.5, 1e-6);
        CHECK_NEAR(b.shutter_close, 0.0208333, 1e-7);
    }
}

// Writes again what is read; animated objects only have the samples of the file.
static void copy_archive(const coif_archive *archive, const char *path)
{
    coif_archive_write_object objects[4];
    coif_error error = {0};
    coif_archive_writer *writer;
    for (int32_t i = 0; i < 4; ++i) {
        const coif_archive_object *object = &archive->objects[i];
        objects[i] = (coif_archive_write_object){object->path, object->kind, object->is_guide,
                                                 object->sample_count > 1, NULL};
    }
    CHECK_OK(WRITER->create(&writer, path, &metres, objects, 4, &arena, &error), error);
    for (int32_t f = 0; f < 3; ++f) {
        const coif_archive_curves hair = archive_read_curves(archive, HAIR, f, &arena);
        coif_archive_curves guides = archive_read_curves(archive, GUIDES, 0, &arena);
        const coif_archive_mesh skin = archive_read_mesh(archive, SKIN, f, &arena);
        const coif_archive_camera camera = archive_read_camera(archive, CAMERA, f, &arena);
        guides.guide = NULL; // the object says it
        CHECK_OK(WRITER->write_curves(writer, HAIR, f, &hair, &error), error);
        CHECK_OK(f == 0 ? WRITER->write_curves(writer, GUIDES, 0, &guides, &error) : COIF_OK,
                 error);
        CHECK_OK(WRITER->write_mesh(writer, SKIN, f, &skin, &error), error);
        CHECK_OK(WRITER->write_camera(writer, CAMERA, f, &camera, &error), error);
    }
    CHECK_OK(WRITER->commit(writer, &error), error);
}

TEST(reading_and_writing_again_gives_the_same_bytes)
{
    char *bytes[2];
    size_t sizes[2];
    coif_error error = {0};
    const char *first = coif_arena_copy_text(&arena, coif_test_path("copy1.abc"));
    const char *second = coif_arena_copy_text(&arena, coif_test_path("copy2.abc"));
    copy_archive(archive_open(write_all("copy0.abc", &metres), NULL, &arena), first);
    copy_archive(archive_open(first, NULL, &arena), second);
    CHECK_OK(coif_file_load(&bytes[0], &sizes[0], first, &arena, &error), error);
    CHECK_OK(coif_file_load(&bytes[1], &sizes[1], second, &arena, &error), error);
    CHECK(sizes[0] == sizes[1] && memcmp(bytes[0], bytes[1], sizes[0]) == 0);
}

TEST(centimetres_with_z_up_are_converted_and_stated)
{
    coif_archive_write_desc desc = metres;
    desc.meters_per_unit = 0.01;
    desc.up_axis = 'z';
    const char *path = write_all("cm.abc", &desc);
    const coif_archive *archive = archive_open(path, NULL, &arena);
    CHECK(archive->states_units && archive->meters_per_unit == 0.01 && archive->up_axis == 'z');
    const coif_archive_mesh a = archive_mesh(2.0f, &arena),
                            b = archive_read_mesh(archive, SKIN, 1, &arena);
    for (int32_t v = 0; v < 5; ++v) {
        CHECK_NEAR(coif_length(coif_sub(a.positions[v], b.positions[v])), 0.0, 1e-6);
    }
    CHECK_NEAR(archive_read_curves(archive, HAIR, 0, &arena).widths[0], 1e-4, 1e-10);
    CHECK_NEAR(archive_read_camera(archive, CAMERA, 1, &arena).focus_distance, 2.5, 1e-6);
    CHECK_NEAR(archive_read_camera(archive, CAMERA, 1, &arena).to_world[11], 3.0, 1e-6);
    const coif_archive_import raw = {.meters_per_unit = 1.0, .up_axis = 'y'};
    const coif_archive_mesh unconverted =
        archive_read_mesh(archive_open(path, &raw, &arena), SKIN, 1, &arena);
    CHECK_NEAR(unconverted.positions[4].z, 200.0, 1e-4);
}

TEST(samples_that_are_equal_share_their_data)
{
    uint64_t sizes[2];
    for (int animated = 0; animated < 2; ++animated) {
        const coif_archive_write_object object = {"/hair", COIF_ARCHIVE_CURVES, false, true, NULL};
        const char *path = coif_test_path("shared.abc");
        coif_error error = {0};
        coif_archive_writer *writer;
        CHECK_OK(WRITER->create(&writer, path, &metres, &object, 1, &arena, &error), error);
        for (int32_t f = 0; f < 30; ++f) {
            const coif_archive_curves hair =
                archive_curves(100, 8, animated ? (float)f : 0.0f, &arena);
            CHECK_OK(WRITER->write_curves(writer, 0, f, &hair, &error), error);
        }
        CHECK_OK(WRITER->commit(writer, &error), error);
        const coif_archive *archive = archive_open(path, NULL, &arena);
        CHECK(archive->objects[0].sample_count == (animated ? 30 : 1));
        coif_file file;
        CHECK_OK(coif_file_open(&file, path, COIF_FILE_READ, &error), error);
        sizes[animated] = file.size;
        coif_file_close(&file);
    }
    CHECK(sizes[1] > 12 * sizes[0]);
}

static void expect_refused(const char *data, size_t size, const char *words)
{
    const char *path = coif_test_path("refused.abc");
    coif_error error = {0};
    coif_archive *archive;
    CHECK_OK(coif_file_save(path, data, size, &error), error);
    CHECK(coif_archive_open(&archive, path, NULL, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "refused.abc: ");
    CHECK_CONTAINS(error.text, words);
}

TEST(other_formats_get_advice)
{
    expect_refused("\x89HDF\r\n\x1a\n....", 12, "abcconvert -toOgawa");
    expect_refused("glTF....", 8, "expected glTF 2.0");
    expect_refused("solid", 5, "not an archive of a known format");
    expect_refused("Ogawa\0\0\1........", 16, "not completed");
    expect_refused("Ogawa\xff\0\1", 8, "truncated");
}

TEST(references_beyond_the_file_are_refused)
{
    char *bytes;
    size_t size;
    coif_error error = {0};
    CHECK_OK(coif_file_load(&bytes, &size, write_all("damage.abc", &metres), &arena, &error),
             error);
    expect_refused(bytes, size - 8, "offset");
    const uint64_t root = size;
    memcpy(bytes + 8, &root, sizeof root);
    expect_refused(bytes, size, "offset");
}
