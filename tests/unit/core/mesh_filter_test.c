// Selection of groups and materials.
#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/mesh/mesh.h"
#include "tests/support/test.h"

static coif_arena arena = {.name = "test"};

// Two triangles of skin, one of them on the ear, one of glass on the eye, one of nothing on it.
static const char FILE_TEXT[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\n"
                                "g face\nusemtl skin\nf 1 2 3\ng left ear\nf 1 3 4\n"
                                "g eye\nusemtl glass\nf 1 2 5\n";

static coif_status load(coif_mesh *mesh, const char *group, const char *without, coif_error *error)
{
    *error = (coif_error){.status = COIF_OK};
    coif_error saving = {.status = COIF_OK};
    const char *path = coif_test_path("pick.obj");
    CHECK_OK(coif_file_save(path, FILE_TEXT, strlen(FILE_TEXT), &saving), saving);
    return coif_mesh_load(mesh, path, &(coif_mesh_desc){group, without, 60.0f, false}, &arena,
                          error);
}

static int32_t triangles_of(const char *group, const char *without)
{
    coif_mesh mesh;
    coif_error error;
    CHECK_OK(load(&mesh, group, without, &error), error);
    return mesh.triangle_count;
}

TEST(groups_and_materials_are_included_and_excluded)
{
    CHECK(triangles_of("", "") == 3);
    CHECK(triangles_of(NULL, NULL) == 3);
    CHECK(triangles_of("face", "") == 1);
    CHECK(triangles_of(" face ,eye,", "") == 2);
    CHECK(triangles_of("skin", "") == 2);
    CHECK(triangles_of("", "glass") == 2);
    CHECK(triangles_of("", "eye, face") == 1);
    CHECK(triangles_of("skin, eye", "face") == 2);
}

TEST(included_faces_are_unchanged)
{
    coif_mesh whole, part;
    coif_error error;
    CHECK_OK(load(&whole, "", "", &error), error);
    CHECK_OK(load(&part, "eye", "", &error), error);
    CHECK(part.triangle_count == 1 && part.vertex_count == whole.vertex_count);
    CHECK(memcmp(part.indices, whole.indices + 6, 3 * sizeof *part.indices) == 0);
    CHECK(strcmp(part.group_names[part.groups[0]], "eye") == 0);
    CHECK(strcmp(part.material_table[part.materials[0]].name, "glass") == 0);
    CHECK(part.polygon_digest == whole.polygon_digest); // frames of a sequence are compared by it
}

TEST(unknown_names_are_errors)
{
    coif_mesh mesh;
    coif_error error;
    CHECK(load(&mesh, "fase", "", &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text,
                   "include_groups: the mesh has no group or material \"fase\", did you mean "
                   "\"face\"? (groups: \"face\", ");
    CHECK_CONTAINS(error.text, "materials: \"skin\", \"glass\")");
    CHECK(load(&mesh, "", "eye, hat", &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "exclude_groups: the mesh has no group or material \"hat\"");
    CHECK(load(&mesh, "eye", "glass", &error) == COIF_ERR_SCENE);
    CHECK_TEXT(error.text, "exclude_groups: excludes all 3 faces");
}
