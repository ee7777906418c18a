// Bodies of PLY and GLB files: equal to those of OBJ, transforms of nodes, damaged files.
#include "core/archive/mesh/mesh_archive.h"

#include "core/base/fs.h"
#include "core/body/body_archive.h"
#include "core/mesh/mesh_build.h"
#include "tests/support/mesh_files.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};
static file_text text;

static const char *save(const char *name)
{
    coif_error error = {0};
    const char *path = coif_arena_copy_text(&arena, coif_test_path(name));
    CHECK_OK(coif_file_save(path, text.data, text.size, &error), error);
    return path;
}

// The mesh of a body, from the only object of that name.
static coif_mesh load(const char *path, const char *object)
{
    coif_mesh mesh = {0};
    coif_body_archive body;
    coif_obj obj;
    coif_error error = {0};
    CHECK_OK(coif_body_archive_open(&body, path, object, NULL, 24.0, &arena, &error), error);
    CHECK_OK(coif_body_archive_read(&obj, &body, 1.0, &arena, &error), error);
    CHECK_OK(coif_mesh_build(&mesh, &obj, &(coif_mesh_file){path, &COIF_MESH_ALL_TRIANGLES}, &arena,
                             &error),
             error);
    return mesh;
}

static coif_mesh load_glb(const char *document, const char *object)
{
    cube_glb(&text, document);
    return load(save("cube.glb"), object);
}

static float distance(coif_vec3 a, coif_vec3 b)
{
    return coif_length(coif_sub(a, b));
}

// Corner by corner: one of three triangulations may start at another corner, none does.
static void check_equal(const coif_mesh *a, const coif_mesh *b)
{
    CHECK(a->triangle_count == 12 && b->triangle_count == 12);
    for (int32_t c = 0; c < 36; ++c) {
        CHECK(distance(a->positions[a->indices[c]], b->positions[b->indices[c]]) == 0.0f);
        CHECK(distance(a->normals[c], b->normals[c]) < 1e-6f);
        CHECK_NEAR(a->uvs[c].x, b->uvs[c].x, 1e-6);
        CHECK_NEAR(a->uvs[c].y, b->uvs[c].y, 1e-6);
    }
}

static coif_mesh load_obj(void)
{
    coif_mesh mesh = {0};
    coif_error error = {0};
    cube_obj(&text);
    CHECK_OK(coif_mesh_load(&mesh, save("cube.obj"), &COIF_MESH_ALL_TRIANGLES, &arena, &error),
             error);
    return mesh;
}

TEST(a_cube_of_ply_and_glb_is_that_of_obj)
{
    const coif_mesh obj = load_obj();
    for (const char *format = "alb"; *format != '\0'; ++format) {
        cube_ply(&text, *format);
        const coif_mesh ply = load(save("cube.ply"), NULL);
        CHECK(ply.vertex_count == 8); // seams of uv and normals are welded
        check_equal(&ply, &obj);
    }
    const coif_mesh glb = load_glb(CUBE_DOCUMENT "\"nodes\": [{\"mesh\": 0}]", NULL);
    CHECK(glb.vertex_count == 8);
    check_equal(&glb, &obj);
    CHECK(coif_mesh_find_group(&glb, "skin") == glb.groups[0]);
    CHECK(coif_mesh_find_group(&glb, "eye") == glb.groups[11]);
    CHECK(glb.groups[0] != glb.groups[11]);
}

// A quarter turn about y, then a parent that scales by 2 and moves up by 3; a matrix does the same.
TEST(transforms_of_nodes_place_meshes)
{
    const coif_mesh plain = load_glb(CUBE_DOCUMENT "\"nodes\": [{\"mesh\": 0}]", NULL);
    static const char *const nodes[] = {
        "\"nodes\": [{\"name\": \"rig\", \"children\": [1], \"translation\": [0, 3, 0], "
        "\"scale\": [2, 2, 2]}, {\"name\": \"head\", \"mesh\": 0, "
        "\"rotation\": [0, 0.70710678118, 0, 0.70710678118]}, {\"name\": \"hat\", \"mesh\": 0}]",
        "\"nodes\": [{\"name\": \"head\", \"mesh\": 0, \"matrix\": "
        "[0,0,-2,0, 0,2,0,0, 2,0,0,0, 0,3,0,1]}, {\"name\": \"hat\", \"mesh\": 0}]"};
    for (int i = 0; i < 2; ++i) {
        const char *document = coif_arena_print(&arena, "%s%s", CUBE_DOCUMENT, nodes[i]);
        const coif_mesh head = load_glb(document, i == 0 ? "rig/head" : "head");
        for (int32_t c = 0; c < 36; ++c) {
            const coif_vec3 p = plain.positions[plain.indices[c]], n = plain.normals[c];
            const coif_vec3 wanted = {2.0f * p.z, 2.0f * p.y + 3.0f, -2.0f * p.x};
            CHECK(distance(head.positions[head.indices[c]], wanted) < 1e-5f);
            CHECK(distance(head.normals[c], (coif_vec3){n.z, n.y, -n.x}) < 1e-5f);
        }
    }
}

// Normals of triangles from positions, which the order of corners gives.
static float volume_of(const coif_mesh *mesh)
{
    float volume = 0.0f;
    for (int32_t c = 0; c < 3 * mesh->triangle_count; c += 3) {
        const coif_vec3 *p = mesh->positions;
        const int32_t *at = mesh->indices + c;
        volume += coif_dot(p[at[0]], coif_cross(p[at[1]], p[at[2]])) / 6.0f;
    }
    return volume;
}

TEST(mirrored_nodes_keep_the_outside_of_meshes)
{
    const coif_mesh mesh =
        load_glb(CUBE_DOCUMENT "\"nodes\": [{\"mesh\": 0, \"scale\": [-1, 1, 1]}]", NULL);
    CHECK_NEAR(volume_of(&mesh), 8.0, 1e-5);
}

TEST(strips_and_fans_have_the_triangles_of_lists)
{
    static const char *const modes[] = {"5", "6"};
    for (int i = 0; i < 2; ++i) {
        // Vertices 0 to 3 of the first face: a fan is the face, a strip crosses it.
        const char *document = coif_arena_print(
            &arena,
            CUBE_ACCESSORS "\"meshes\": [{\"primitives\": [{\"attributes\": {\"POSITION\": 0}, "
                           "\"mode\": %s}]}], \"nodes\": [{\"mesh\": 0}]",
            modes[i]);
        cube_glb(&text, document);
        coif_archive *archive;
        coif_archive_mesh mesh;
        coif_error error = {0};
        CHECK_OK(coif_archive_open(&archive, save("strip.glb"), NULL, &arena, &error), error);
        CHECK_OK(coif_archive_read_mesh(archive, 0, 0, &mesh, &arena, &error), error);
        CHECK(mesh.face_count == 22 && mesh.vertex_count == 24);
        static const int32_t wanted[2][6] = {{0, 1, 2, 1, 3, 2}, {0, 1, 2, 0, 2, 3}};
        CHECK(memcmp(mesh.corners, wanted[i], sizeof wanted[i]) == 0);
    }
}

static void expect_refused(const char *name, const char *words)
{
    coif_archive *archive;
    coif_archive_mesh mesh;
    coif_error error = {0};
    coif_status status = coif_archive_open(&archive, save(name), NULL, &arena, &error);
    if (status == COIF_OK) {
        status = coif_archive_read_mesh(archive, 0, 0, &mesh, &arena, &error);
    }
    CHECK(status == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, words);
}

TEST(glb_files_with_external_or_compressed_data_are_refused)
{
    cube_glb(&text, CUBE_DOCUMENT "\"nodes\": [{\"mesh\": 0}], "
                                  "\"extensionsRequired\": [\"KHR_draco_mesh_compression\"]");
    expect_refused("draco.glb", "extension KHR_draco_mesh_compression is not read");
    cube_glb(&text, "\"buffers\": [{\"byteLength\": 9, \"uri\": \"data.bin\"}]");
    expect_refused("external.glb", "buffers outside the file are not read");
    cube_glb(&text, CUBE_DOCUMENT "\"nodes\": [{\"mesh\": 7}]");
    expect_refused("mesh.glb", "no mesh with primitives");
    cube_glb(&text, CUBE_DOCUMENT "\"nodes\": [{\"mesh\": 0, \"children\": [0]}]");
    expect_refused("loop.glb", "more than 100 parents");
    cube_glb(&text, CUBE_DOCUMENT "\"nodes\": [{\"mesh\": 0}]");
    text.size -= 8;
    expect_refused("short.glb", "the binary chunk ends after byte");
    text.size = 0;
    put_text(&text, "{\"asset\": {\"version\": \"2.0\"}}");
    expect_refused("text.gltf", "export one binary .glb");
}

TEST(damaged_ply_meshes_are_refused)
{
    cube_ply(&text, 'l');
    text.size -= 1;
    expect_refused("short.ply", "truncated");
    text.data[text.size - 1] = 24;
    text.size += 1;
    expect_refused("index.ply", "an index of a vertex is out of range");
    text.size = 0;
    put_text(&text, "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n0\n");
    expect_refused("points.ply", "not a mesh");
}
