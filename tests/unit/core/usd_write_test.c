// USD text written and read again.
#include "core/archive/usd/usd_archive.h"
#include "core/base/arena.h"
#include "core/base/fs.h"
#include "tests/support/test.h"

enum { CURVES = 2, POINTS = 5, SAMPLES = 3 };

static coif_arena arena;
static coif_error error;

// Curves with every attribute; points and velocities move with the sample, widths grow at the last.
typedef struct curves_data {
    coif_archive_curves curves;
    int32_t counts[CURVES], ids[CURVES], groups[CURVES], guide[CURVES], closest[3 * CURVES];
    coif_vec3 points[POINTS], velocities[POINTS], colors[POINTS];
    float widths[POINTS], uv[2 * CURVES], weights[3 * CURVES];
} curves_data;

static void make_curves(curves_data *data, int32_t sample)
{
    *data = (curves_data){.counts = {2, 3},
                          .ids = {7, -1},
                          .groups = {0, 2},
                          .guide = {1, 0},
                          .closest = {7, -1, -1, 7, 8, 9},
                          .uv = {0.1f, 0.2f, 1.0f / 3.0f, 1e-9f},
                          .weights = {1, 0, 0, 0.5f, 0.3f, 0.2f}};
    for (int i = 0; i < POINTS; ++i) {
        data->points[i] = (coif_vec3){0.1f * (float)i, 1.0f / (3.0f + (float)(i + sample)), -1e-7f};
        data->velocities[i] = (coif_vec3){1.0f / 7.0f, (float)sample, 123456.789f};
        data->widths[i] = 7e-5f + 1e-6f * (float)i + (sample == SAMPLES - 1 ? 1e-5f : 0.0f);
        data->colors[i] = (coif_vec3){0.2f, 0.3f, 0.1f * (float)i};
    }
    data->curves = (coif_archive_curves){.basis = COIF_BASIS_CATMULL_ROM,
                                         .pinned = true,
                                         .curve_count = CURVES,
                                         .point_count = POINTS,
                                         .counts = data->counts,
                                         .points = data->points,
                                         .velocities = data->velocities,
                                         .widths = data->widths,
                                         .colors = data->colors,
                                         .uv = data->uv,
                                         .ids = data->ids,
                                         .group_ids = data->groups,
                                         .guide = data->guide,
                                         .closest_guides = data->closest,
                                         .guide_weights = data->weights};
}

static const coif_archive_hair_look LOOK = {.absorption = {0.3f, 0.5f, 1.0f},
                                            .tint = {{1, 1, 1}, {1, 0.5f, 0.25f}, {1, 1, 1}},
                                            .ior = 1.55f,
                                            .longitudinal_variance = 0.04f,
                                            .azimuthal_scale = 0.2f,
                                            .cuticle_angle = 2.5f};

static coif_archive_write_desc desc_of(double meters_per_unit, char up_axis)
{
    return (coif_archive_write_desc){.fps = 25.0,
                                     .first_frame = 1.0,
                                     .frame_step = 0.5,
                                     .sample_count = SAMPLES,
                                     .meters_per_unit = meters_per_unit,
                                     .up_axis = up_axis,
                                     .basis = COIF_BASIS_CATMULL_ROM,
                                     .application = "coif test"};
}

static int32_t face_sizes[] = {3, 3}, corners[] = {0, 1, 2, 0, 2, 3}, face_group[] = {0, -1};
static coif_vec3 vertices[] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0.1f}, {0, 1, 0}};
static coif_vec3 normals[] = {{0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 0, 1}};
static float corner_uv[] = {0, 0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1};
static const char *group_names[] = {"skin of head"};
static const coif_archive_mesh MESH = {.vertex_count = 4,
                                       .face_count = 2,
                                       .corner_count = 6,
                                       .face_sizes = face_sizes,
                                       .corners = corners,
                                       .positions = vertices,
                                       .normals = normals,
                                       .uv = corner_uv,
                                       .group_count = 1,
                                       .group_names = group_names,
                                       .face_group = face_group};
static const coif_archive_camera CAMERA = {.to_world = {1, 0, 0, 0.5f, 0, 0, 1, 1.5f, 0, -1, 0, 3},
                                           .focal_length = 85,
                                           .film_width = 36,
                                           .film_height = 24,
                                           .film_offset = {1.5f, -0.5f},
                                           .focus_distance = 2.5f,
                                           .f_stop = 2.8f,
                                           .shutter_open = -0.01f,
                                           .shutter_close = 0.01f};

static const coif_archive_write_object OBJECTS[] = {
    {"/head/hair", COIF_ARCHIVE_CURVES, .is_guide = true, .animated = true, .look = &LOOK},
    {"/head/3 skin", COIF_ARCHIVE_MESH, .animated = false},
    {"/camera", COIF_ARCHIVE_CAMERA, .animated = true}};

static const coif_archive_writer_vtable *const FORMATS[] = {&COIF_ARCHIVE_WRITE_USDA,
                                                            &COIF_ARCHIVE_WRITE_USDC};

static const char *path_of(const char *name, const coif_archive_writer_vtable *usd)
{
    return coif_arena_copy_text(
        &arena, coif_test_path(coif_arena_print(&arena, "%s.%s", name, usd->extensions)));
}

// Writes three samples of curves and of a camera that rests, one of the mesh.
static void write_file(const char *path, const coif_archive_writer_vtable *usd,
                       const coif_archive_write_desc *desc)
{
    coif_archive_writer *writer;
    CHECK_OK(usd->create(&writer, path, desc, OBJECTS, 3, &arena, &error), error);
    for (int32_t s = 0; s < SAMPLES; ++s) {
        curves_data data;
        make_curves(&data, s);
        CHECK_OK(usd->write_curves(writer, 0, s, &data.curves, &error), error);
        CHECK_OK(usd->write_camera(writer, 2, s, &CAMERA, &error), error);
    }
    CHECK_OK(usd->write_mesh(writer, 1, 0, &MESH, &error), error);
    CHECK_OK(usd->commit(writer, &error), error);
    usd->discard(writer);
}

static coif_archive *open_file(const char *path)
{
    coif_archive *archive = NULL;
    CHECK_OK(coif_archive_open(&archive, path, NULL, &arena, &error), error);
    return archive;
}

static void begin(void)
{
    coif_arena_init(&arena, "USD write test");
    error = (coif_error){0};
}

#define SAME(read, wanted, count)                                                                  \
    CHECK((read) != NULL && memcmp((read), (wanted), (size_t)(count) * sizeof *(wanted)) == 0)

static void check_every_sample(const coif_archive_writer_vtable *usd)
{
    begin();
    const char *path = path_of("write", usd);
    const coif_archive_write_desc desc = desc_of(1.0, 'y');
    write_file(path, usd, &desc);
    const coif_archive *archive = open_file(path);
    const int32_t hair = coif_archive_find(archive, COIF_ARCHIVE_CURVES, "hair");
    CHECK(archive->object_count == 3 && hair >= 0 && archive->fps == 25.0);
    CHECK_TEXT(archive->application, "coif test");
    CHECK(archive->objects[hair].is_guide && archive->objects[hair].sample_count == SAMPLES);
    CHECK_NEAR(archive->objects[hair].times[1], 1.5 / 25.0, 1e-12);
    for (int32_t s = 0; s < SAMPLES; ++s) {
        curves_data data;
        coif_archive_curves curves;
        make_curves(&data, s);
        CHECK_OK(coif_archive_read_curves(archive, hair, s, &curves, &arena, &error), error);
        CHECK(curves.basis == COIF_BASIS_CATMULL_ROM && curves.pinned);
        CHECK(curves.curve_count == CURVES && curves.point_count == POINTS);
        SAME(curves.counts, data.counts, CURVES);
        SAME(curves.points, data.points, POINTS);
        SAME(curves.velocities, data.velocities, POINTS);
        SAME(curves.widths, data.widths, POINTS);
        SAME(curves.colors, data.colors, POINTS);
        SAME(curves.uv, data.uv, 2 * CURVES);
        SAME(curves.ids, data.ids, CURVES);
        SAME(curves.group_ids, data.groups, CURVES);
        SAME(curves.guide, data.guide, CURVES);
        SAME(curves.closest_guides, data.closest, 3 * CURVES);
        SAME(curves.guide_weights, data.weights, 3 * CURVES);
    }
    // The camera does not move: one sample.
    CHECK(archive->objects[coif_archive_find(archive, COIF_ARCHIVE_CAMERA, NULL)].sample_count ==
          1);
    coif_arena_free(&arena);
}

TEST(every_attribute_of_curves_is_exact_in_every_sample)
{
    check_every_sample(FORMATS[0]);
    check_every_sample(FORMATS[1]);
}

TEST(meshes_and_cameras_survive_units_and_axes)
{
    const double units[] = {1.0, 0.01, 1.0, 0.01};
    for (int i = 0; i < 4; ++i) {
        begin();
        const char *path = path_of("units", FORMATS[i / 2]);
        const coif_archive_write_desc desc = desc_of(units[i], i % 2 == 0 ? 'y' : 'z');
        write_file(path, FORMATS[i / 2], &desc);
        const coif_archive *archive = open_file(path);
        CHECK(archive->meters_per_unit == units[i] && archive->up_axis == desc.up_axis);
        coif_archive_mesh mesh;
        const int32_t skin = coif_archive_find(archive, COIF_ARCHIVE_MESH, NULL);
        CHECK_TEXT(archive->objects[skin].path, "/head/__skin");
        CHECK_OK(coif_archive_read_mesh(archive, skin, 0, &mesh, &arena, &error), error);
        SAME(mesh.corners, corners, 6);
        SAME(mesh.uv, corner_uv, 12);
        SAME(mesh.face_group, face_group, 2);
        CHECK_TEXT(mesh.group_names[0], "skin_of_head");
        for (int v = 0; v < 4; ++v) {
            CHECK_NEAR((double)coif_length(coif_sub(mesh.positions[v], vertices[v])), 0, 1e-7);
        }
        for (int c = 0; c < 6; ++c) {
            CHECK_NEAR((double)coif_dot(mesh.normals[c], normals[c]), 1, 1e-6);
        }
        coif_archive_camera camera;
        const int32_t eye = coif_archive_find(archive, COIF_ARCHIVE_CAMERA, "camera");
        CHECK_OK(coif_archive_read_camera(archive, eye, 0, &camera, &arena, &error), error);
        const float *read = camera.to_world, *wanted = CAMERA.to_world;
        for (size_t k = 0; k < sizeof camera / sizeof(float); ++k) {
            CHECK_NEAR((double)read[k], (double)wanted[k], 1e-5);
        }
        curves_data data;
        coif_archive_curves curves;
        make_curves(&data, 1);
        const int32_t hair = coif_archive_find(archive, COIF_ARCHIVE_CURVES, NULL);
        CHECK_OK(coif_archive_read_curves(archive, hair, 1, &curves, &arena, &error), error);
        CHECK_NEAR((double)curves.widths[4], (double)data.widths[4], 1e-11);
        CHECK_NEAR((double)curves.points[3].y, (double)data.points[3].y, 1e-7);
        coif_arena_free(&arena);
    }
}

// Writes a file, reads it, writes it again; the paths of both.
static void write_twice(const char *paths[2], const coif_archive_writer_vtable *usd)
{
    const char *first = paths[0] = path_of("first", usd);
    const char *second = paths[1] = path_of("second", usd);
    coif_archive_write_desc desc = desc_of(1.0, 'y');
    write_file(first, usd, &desc);
    const coif_archive *archive = open_file(first);
    coif_archive_writer *writer;
    CHECK_OK(usd->create(&writer, second, &desc, OBJECTS, 3, &arena, &error), error);
    for (int32_t s = 0; s < SAMPLES; ++s) {
        coif_archive_curves curves;
        coif_archive_camera camera;
        const int32_t hair = coif_archive_find(archive, COIF_ARCHIVE_CURVES, NULL);
        const int32_t eye = coif_archive_find(archive, COIF_ARCHIVE_CAMERA, NULL);
        CHECK_OK(coif_archive_read_curves(archive, hair, s, &curves, &arena, &error), error);
        CHECK_OK(coif_archive_read_camera(archive, eye, 0, &camera, &arena, &error), error);
        CHECK_OK(usd->write_curves(writer, 0, s, &curves, &error), error);
        CHECK_OK(usd->write_camera(writer, 2, s, &camera, &error), error);
    }
    coif_archive_mesh mesh;
    const int32_t skin = coif_archive_find(archive, COIF_ARCHIVE_MESH, NULL);
    CHECK_OK(coif_archive_read_mesh(archive, skin, 0, &mesh, &arena, &error), error);
    CHECK_OK(usd->write_mesh(writer, 1, 0, &mesh, &error), error);
    CHECK_OK(usd->commit(writer, &error), error);
}

TEST(writing_what_was_read_gives_the_same_bytes)
{
    const char *paths[2];
    char *a, *b;
    size_t a_size, b_size;
    begin();
    write_twice(paths, FORMATS[1]);
    CHECK_OK(coif_file_load(&a, &a_size, paths[0], &arena, &error), error);
    CHECK_OK(coif_file_load(&b, &b_size, paths[1], &arena, &error), error);
    CHECK(a_size == b_size && memcmp(a, b, a_size) == 0);
    write_twice(paths, FORMATS[0]);
    CHECK_OK(coif_file_load(&a, &a_size, paths[0], &arena, &error), error);
    CHECK_OK(coif_file_load(&b, &b_size, paths[1], &arena, &error), error);
    CHECK_TEXT(b, a);
    CHECK_CONTAINS(a, "ND_chiang_hair_bsdf");
    CHECK_CONTAINS(a, "color3f inputs:tint_TT = (1, 0.5, 0.25)");
    CHECK_CONTAINS(a, "float2 inputs:roughness_TT = (0.01, 0.2)");
    coif_arena_free(&arena);
}

// The first curve is missing from the last sample, and a corner is cut off the mesh.
TEST(counts_attributes_and_faces_change_with_the_samples)
{
    static const char *names[] = {"fringe", "back"};
    const coif_archive_write_object objects[] = {{"/hair", COIF_ARCHIVE_CURVES, .animated = true},
                                                 {"/skin", COIF_ARCHIVE_MESH, .animated = true}};
    for (int f = 0; f < 2; ++f) {
        begin();
        const char *path = path_of("varying", FORMATS[f]);
        const coif_archive_write_desc desc = desc_of(1.0, 'y');
        coif_archive_writer *writer;
        curves_data all;
        CHECK_OK(FORMATS[f]->create(&writer, path, &desc, objects, 2, &arena, &error), error);
        for (int32_t s = 0; s < SAMPLES; ++s) {
            const bool last = s == SAMPLES - 1;
            make_curves(&all, s);
            coif_archive_curves curves = all.curves;
            coif_archive_mesh mesh = MESH;
            curves.group_names = names;
            if (last) {
                curves.curve_count = 1;
                curves.point_count = 3;
                curves.counts += 1;
                curves.points += 2;
                curves.velocities += 2;
                curves.widths += 2;
                curves.colors += 2;
                curves.uv += 2;
                curves.ids += 1;
                curves.group_ids += 1;
                curves.group_names += 1;
                curves.guide += 1;
                curves.closest_guides += 3;
                curves.guide_weights += 3;
                mesh.face_count = 1;
                mesh.corner_count = 3;
            }
            CHECK_OK(FORMATS[f]->write_curves(writer, 0, s, &curves, &error), error);
            CHECK_OK(FORMATS[f]->write_mesh(writer, 1, s, &mesh, &error), error);
        }
        CHECK_OK(FORMATS[f]->commit(writer, &error), error);
        const coif_archive *archive = open_file(path);
        const int32_t hair = coif_archive_find(archive, COIF_ARCHIVE_CURVES, NULL);
        const int32_t skin = coif_archive_find(archive, COIF_ARCHIVE_MESH, NULL);
        CHECK(!archive->objects[hair].constant_topology &&
              !archive->objects[skin].constant_topology);
        CHECK(archive->objects[hair].sample_count == SAMPLES);
        for (int32_t s = 0; s < SAMPLES; ++s) {
            coif_archive_curves curves;
            coif_archive_mesh mesh;
            const int32_t cut = s == SAMPLES - 1, count = CURVES - cut, points = POINTS - 2 * cut;
            make_curves(&all, s);
            CHECK_OK(coif_archive_read_curves(archive, hair, s, &curves, &arena, &error), error);
            CHECK(curves.curve_count == count && curves.point_count == points);
            SAME(curves.counts, all.counts + cut, count);
            SAME(curves.points, all.points + 2 * cut, points);
            SAME(curves.velocities, all.velocities + 2 * cut, points);
            SAME(curves.widths, all.widths + 2 * cut, points);
            SAME(curves.colors, all.colors + 2 * cut, points);
            SAME(curves.uv, all.uv + 2 * cut, 2 * count);
            SAME(curves.ids, all.ids + cut, count);
            SAME(curves.group_ids, all.groups + cut, count);
            SAME(curves.guide, all.guide + cut, count);
            SAME(curves.closest_guides, all.closest + 3 * cut, 3 * count);
            SAME(curves.guide_weights, all.weights + 3 * cut, 3 * count);
            CHECK_TEXT(curves.group_names[0], names[cut]);
            CHECK_OK(coif_archive_read_mesh(archive, skin, s, &mesh, &arena, &error), error);
            CHECK(mesh.face_count == 2 - cut && mesh.corner_count == 6 - 3 * cut);
            SAME(mesh.corners, corners, mesh.corner_count);
            SAME(mesh.uv, corner_uv, 2 * mesh.corner_count);
        }
        coif_arena_free(&arena);
    }
}
