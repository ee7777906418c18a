// Alembic: files built property by property: transforms against matrices computed by hand, values
// of every scope and type, cyclic references.
#include "core/archive/alembic/abc_output.h"
#include "core/archive/alembic/abc_reader.h"
#include "core/base/fs.h"
#include "tests/support/archive_shapes.h"

static coif_arena arena;

// A file with one mesh below two transforms, built from properties.
typedef struct builder {
    coif_abc_output output;
    coif_abc_out_object *outer, *inner, *mesh;
} builder;

static void begin(builder *file, const char *path)
{
    coif_error error = {0};
    *file = (builder){.output = {.arena = &arena, .start = 0.0, .step = 0.5, .metadata = ""}};
    file->output.top = coif_arena_new(&arena, 1, coif_abc_out_object);
    file->output.top->name = "";
    file->outer = coif_abc_out_child(&file->output, file->output.top, "outer");
    file->inner = coif_abc_out_child(&file->output, file->outer, "inner");
    file->mesh = coif_abc_out_child(&file->output, file->inner, "mesh");
    file->outer->schema = file->inner->schema = "AbcGeom_Xform_v3";
    file->outer->compound = file->inner->compound = ".xform";
    file->mesh->schema = "AbcGeom_PolyMesh_v1";
    file->mesh->compound = ".geom";
    CHECK_OK(coif_ogawa_create(&file->output.ogawa, path, &arena, &error), error);
}

static void put(builder *file, coif_abc_out_object *object, const coif_abc_out_desc *desc,
                const void *data, size_t size)
{
    coif_error error = {0};
    CHECK_OK(coif_abc_out_sample(&file->output, &object->properties, desc, data, size, &error),
             error);
}

static void put_operations(builder *file, coif_abc_out_object *object, const uint8_t *codes,
                           uint32_t count, const double *values, uint32_t value_count)
{
    const coif_abc_out_desc ops = {".ops", "", false, COIF_ABC_UINT8, count, 0};
    const coif_abc_out_desc vals = {".vals", "", false, COIF_ABC_FLOAT64, value_count, 1};
    put(file, object, &ops, codes, count);
    put(file, object, &vals, values, value_count * sizeof *values);
}

// One triangle; positions as doubles, to test their conversion.
static void put_triangle(builder *file, const double *positions)
{
    static const int32_t corners[] = {2, 1, 0}, sizes[] = {3};
    const coif_abc_out_desc p = {"P", "", true, COIF_ABC_FLOAT64, 3, 1};
    const coif_abc_out_desc indices = {".faceIndices", "", true, COIF_ABC_INT32, 1, 0};
    const coif_abc_out_desc counts = {".faceCounts", "", true, COIF_ABC_INT32, 1, 0};
    put(file, file->mesh, &p, positions, 9 * sizeof *positions);
    put(file, file->mesh, &indices, corners, sizeof corners);
    put(file, file->mesh, &counts, sizes, sizeof sizes);
}

static coif_archive *finish(builder *file, const char *path)
{
    coif_error error = {0};
    CHECK_OK(coif_abc_output_commit(&file->output, &error), error);
    return archive_open(path, NULL, &arena);
}

static void expect_point(coif_vec3 p, double x, double y, double z)
{
    CHECK_NEAR(p.x, x, 1e-5);
    CHECK_NEAR(p.y, y, 1e-5);
    CHECK_NEAR(p.z, z, 1e-5);
}

static const double TRIANGLE[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

TEST(operations_apply_from_the_last_to_the_first)
{
    const char *path = coif_test_path("ops.abc");
    const uint8_t outer[] = {1 << 4, 6 << 4, 0 << 4}; // translate, rotate z, scale
    const double outer_values[] = {10, 20, 30, 90, 2, 3, 4};
    const uint8_t inner[] = {2 << 4, 3 << 4}; // rotate about an axis, matrix of row vectors
    const double inner_values[] = {0, 0, 5, 180, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1};
    builder file;
    begin(&file, path);
    put_operations(&file, file.outer, outer, 3, outer_values, 7);
    put_operations(&file, file.inner, inner, 2, inner_values, 20);
    put_triangle(&file, TRIANGLE);
    const coif_archive_mesh mesh = archive_read_mesh(finish(&file, path), 0, 0, &arena);
    // (1, 0, 0) + (7, 8, 9) = (8, 8, 9); half turn (-8, -8, 9); scale (-16, -24, 36); quarter turn
    // (24, -16, 36); translation (34, 4, 66).
    expect_point(mesh.positions[0], 34, 4, 66);
    // (0, 1, 0): (7, 9, 9), (-7, -9, 9), (-14, -27, 36), (27, -14, 36), (37, 6, 66).
    expect_point(mesh.positions[1], 37, 6, 66);
}

TEST(rotations_about_x_and_y_are_counter_clockwise)
{
    const char *path = coif_test_path("turns.abc");
    const uint8_t outer[] = {4 << 4}, inner[] = {5 << 4};
    const double quarter[] = {90};
    builder file;
    begin(&file, path);
    put_operations(&file, file.outer, outer, 1, quarter, 1);
    put_operations(&file, file.inner, inner, 1, quarter, 1);
    put_triangle(&file, TRIANGLE);
    const coif_archive_mesh mesh = archive_read_mesh(finish(&file, path), 0, 0, &arena);
    expect_point(mesh.positions[0], 0, 1, 0); // about y to -z, about x to y
    expect_point(mesh.positions[1], 0, 0, 1); // y stays, then to z
    expect_point(mesh.positions[2], 1, 0, 0); // z to x, x stays
}

TEST(a_transform_that_does_not_inherit_ignores_its_parents)
{
    const char *path = coif_test_path("inherits.abc");
    const uint8_t translate[] = {1 << 4};
    const double outer[] = {100, 0, 0}, inner[] = {0, 5, 0};
    const uint8_t no = 0;
    const coif_abc_out_desc inherits = {".inherits", "", false, COIF_ABC_BOOL, 1, 0};
    builder file;
    begin(&file, path);
    put_operations(&file, file.outer, translate, 1, outer, 3);
    put_operations(&file, file.inner, translate, 1, inner, 3);
    put(&file, file.inner, &inherits, &no, 1);
    put_triangle(&file, TRIANGLE);
    expect_point(archive_read_mesh(finish(&file, path), 0, 0, &arena).positions[0], 1, 5, 0);
}

TEST(samples_of_animated_transforms_are_samples_of_the_object)
{
    const char *path = coif_test_path("moving.abc");
    const uint8_t translate[] = {1 << 4};
    builder file;
    begin(&file, path);
    for (int f = 0; f < 4; ++f) {
        const double moved[] = {f, 0, 0};
        put_operations(&file, file.outer, translate, 1, moved, 3);
    }
    put_triangle(&file, TRIANGLE);
    const coif_archive *archive = finish(&file, path);
    CHECK(archive->objects[0].sample_count == 4);
    CHECK_NEAR(archive->objects[0].times[3], 1.5, 1e-12);
    expect_point(archive_read_mesh(archive, 0, 3, &arena).positions[0], 4, 0, 0);
}

TEST(mirroring_transforms_keep_faces_outward)
{
    const char *path = coif_test_path("mirror.abc");
    const uint8_t scale[] = {0};
    const double mirrored[] = {-1, 1, 1};
    builder file;
    begin(&file, path);
    put_operations(&file, file.outer, scale, 1, mirrored, 3);
    put_triangle(&file, TRIANGLE);
    const coif_archive_mesh mesh = archive_read_mesh(finish(&file, path), 0, 0, &arena);
    CHECK(mesh.corners[0] == 2 && mesh.corners[1] == 1 && mesh.corners[2] == 0);
    expect_point(mesh.positions[0], -1, 0, 0);
}

TEST(indexed_parameters_and_values_of_every_scope_reach_the_corners)
{
    const char *path = coif_test_path("params.abc");
    const float uvs[] = {0.1f, 0.2f, 0.3f, 0.4f}, normals[] = {0, 0, 1, 0, 1, 0, 1, 0, 0};
    const uint32_t indices[] = {1, 0, 1};
    const coif_abc_out_desc values = {".vals", "", true, COIF_ABC_FLOAT32, 2, 0};
    const coif_abc_out_desc index = {".indices", "", true, COIF_ABC_UINT32, 1, 0};
    const coif_abc_out_desc n = {"N", "geoScope=vtx", true, COIF_ABC_FLOAT32, 3, 0};
    builder file;
    coif_error error = {0};
    begin(&file, path);
    put_triangle(&file, TRIANGLE);
    put(&file, file.mesh, &n, normals, sizeof normals);
    coif_abc_out_property *uv = coif_abc_out_compound(&file.output, &file.mesh->properties, "uv");
    CHECK_OK(coif_abc_out_sample(&file.output, &uv->children, &values, uvs, sizeof uvs, &error),
             error);
    CHECK_OK(
        coif_abc_out_sample(&file.output, &uv->children, &index, indices, sizeof indices, &error),
        error);
    const coif_archive_mesh mesh = archive_read_mesh(finish(&file, path), 0, 0, &arena);
    CHECK(mesh.corners[0] == 0 && mesh.corners[2] == 2); // 2, 1, 0 in the file
    CHECK(mesh.uv[0] == 0.3f && mesh.uv[2] == 0.1f && mesh.uv[5] == 0.4f);
    expect_point(mesh.normals[0], 0, 0, 1);
    expect_point(mesh.normals[2], 1, 0, 0);
}

TEST(velocities_include_those_of_moving_transforms)
{
    const char *path = coif_test_path("velocities.abc");
    const uint8_t scale_and_move[] = {1 << 4, 0};
    const float velocities[] = {0, 0, 1, 0, 0, 1, 0, 0, 1};
    const coif_abc_out_desc v = {".velocities", "", true, COIF_ABC_FLOAT32, 3, 0};
    builder file;
    begin(&file, path);
    for (int f = 0; f < 3; ++f) { // half a second apart: 6 units per second along x
        const double values[] = {3.0 * f, 0, 0, 2, 2, 2};
        put_operations(&file, file.outer, scale_and_move, 2, values, 6);
    }
    put_triangle(&file, TRIANGLE);
    put(&file, file.mesh, &v, velocities, sizeof velocities);
    const coif_archive_mesh mesh = archive_read_mesh(finish(&file, path), 0, 1, &arena);
    CHECK_NEAR(mesh.velocities[0].x, 6.0, 1e-3);
    CHECK_NEAR(mesh.velocities[0].z, 2.0, 1e-4);
}

TEST(squeeze_overscan_and_film_operations_change_the_film)
{
    const char *path = coif_test_path("film.abc");
    // Focal length, film 4 x 3 cm, offset 1 cm right, squeeze 2, overscan 0.5 on the left.
    const double core[16] = {40, 4, 1, 3, 0, 2, 0.5, 0, 0, 0, 2.8, 5, 0, 0, 0.1, 100};
    const double channels[] = {0.5, 0.5, 0.25, 0};
    static const char operations[] = "s\0t"; // translated first, then scaled
    const coif_abc_out_desc c = {".core", "", false, COIF_ABC_FLOAT64, 16, 0};
    const coif_abc_out_desc ops = {".filmBackOps", "", false, COIF_ABC_STRING, 2, 0};
    const coif_abc_out_desc chans = {".filmBackChannels", "", false, COIF_ABC_FLOAT64, 4, 0};
    builder file;
    begin(&file, path);
    file.mesh->schema = "AbcGeom_Camera_v1";
    put(&file, file.mesh, &c, core, sizeof core);
    put(&file, file.mesh, &ops, operations, sizeof operations);
    put(&file, file.mesh, &chans, channels, sizeof channels);
    const coif_archive_camera camera = archive_read_camera(finish(&file, path), 0, 0, &arena);
    // Window in half widths of 20 mm: x from -3 to 2, y from -1.5 to 1.5; moved by 0.25, halved:
    // -1.375 to 1.125 and -0.75 to 0.75.
    CHECK_NEAR(camera.film_width, 50.0, 1e-4);
    CHECK_NEAR(camera.film_height, 30.0, 1e-4);
    CHECK_NEAR(camera.film_offset[0], -0.125 * 20.0 + 20.0, 1e-4);
    CHECK(camera.focal_length == 40.0f);
}

TEST(cyclic_and_acyclic_times_are_read)
{
    const double cyclic[] = {0.0, 0.1}, acyclic[] = {0.0, 0.3, 2.0};
    coif_abc_sampling sampling = {.seconds_per_cycle = 1.0, .count = 2, .times = cyclic};
    const coif_abc_property property = {
        .sample_count = 5, .first_changed = 1, .last_changed = 4, .sampling = &sampling};
    CHECK_NEAR(coif_abc_sample_time(&property, 3), 1.1, 1e-12);
    coif_abc_interval at = coif_abc_samples_at(&property, 0.55);
    CHECK(at.before == 1 && at.after == 2);
    CHECK_NEAR(at.weight, 0.5, 1e-12);
    sampling = (coif_abc_sampling){COIF_ABC_ACYCLIC, 3, acyclic, true};
    at = coif_abc_samples_at(&property, 0.3);
    CHECK(at.before == 1 && at.after == 1);
    CHECK(coif_abc_samples_at(&property, 99.0).before == 4);
}

TEST(widths_of_every_scope_are_spread_over_points)
{
    static const struct {
        const char *scope;
        int32_t count;
        float first, last;
    } cases[] = {{"con", 1, 1, 1}, {"uni", 2, 1, 2}, {"var", 6, 1, 6}, {"vtx", 10, 1, 10}};
    for (size_t i = 0; i < COIF_COUNT_OF(cases); ++i) {
        const char *path = coif_test_path("widths.abc");
        const int32_t counts[] = {5, 5};
        const uint8_t basis[] = {0, 0, 2, 2}; // cubic B-spline: two segments of five points
        float points[30] = {0}, widths[10];
        for (int k = 0; k < 10; ++k) {
            points[3 * k] = (float)k;
            widths[k] = (float)(k + 1);
        }
        const coif_abc_out_desc p = {"P", "", true, COIF_ABC_FLOAT32, 3, 0};
        const coif_abc_out_desc n = {"nVertices", "", true, COIF_ABC_INT32, 1, 0};
        const coif_abc_out_desc b = {"curveBasisAndType", "", false, COIF_ABC_UINT8, 4, 0};
        const coif_abc_out_desc w = {
            "width", coif_arena_print(&arena, "geoScope=%s", cases[i].scope),
            true,    COIF_ABC_FLOAT32,
            1,       0};
        builder file;
        begin(&file, path);
        file.mesh->schema = "AbcGeom_Curve_v2";
        put(&file, file.mesh, &p, points, sizeof points);
        put(&file, file.mesh, &n, counts, sizeof counts);
        put(&file, file.mesh, &b, basis, sizeof basis);
        put(&file, file.mesh, &w, widths, (size_t)cases[i].count * sizeof *widths);
        const coif_archive_curves curves = archive_read_curves(finish(&file, path), 0, 0, &arena);
        CHECK(curves.basis == COIF_BASIS_BSPLINE);
        CHECK_NEAR(curves.widths[0], cases[i].first, 1e-6);
        CHECK_NEAR(curves.widths[9], cases[i].last, 1e-6);
    }
}

static uint64_t word_at(const char *bytes, uint64_t offset)
{
    uint64_t word;
    memcpy(&word, bytes + offset, sizeof word);
    return word;
}

TEST(cyclic_references_end_with_an_error)
{
    const char *path = coif_test_path("cyclic.abc");
    char *bytes;
    size_t size;
    coif_error error = {0};
    builder file;
    begin(&file, path);
    put_triangle(&file, TRIANGLE);
    finish(&file, path);
    CHECK_OK(coif_file_load(&bytes, &size, path, &arena, &error), error);
    const uint64_t root = word_at(bytes, 8);
    const uint64_t top = word_at(bytes, root + 8 + 2 * 8); // the third reference of the root
    const uint64_t outer = word_at(bytes, top + 8 + 8);    // after the properties
    CHECK(word_at(bytes, outer) == 3);                     // properties, one child, headers
    memcpy(bytes + outer + 8 + 8, &outer, sizeof outer);   // outer is its own child
    coif_archive *archive;
    CHECK_OK(coif_file_save(path, bytes, size, &error), error);
    CHECK(coif_archive_open(&archive, path, NULL, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "many times");
}
