// Computed normals: smooth on curved surfaces, sharp at creases.
#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/mesh/mesh.h"
#include "tests/support/test.h"

#include <stdio.h>

static coif_arena arena = {.name = "test"};

static const double PI = 3.14159265358979324;

static coif_mesh load(const char *text, float crease)
{
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK};
    const char *path = coif_test_path("mesh.obj");
    CHECK_OK(coif_file_save(path, text, strlen(text), &error), error);
    CHECK_OK(coif_mesh_load(&mesh, path, &(coif_mesh_desc){.crease = crease}, &arena, &error),
             error);
    return mesh;
}

static coif_mesh load_plain(const char *text)
{
    return load(text, COIF_MESH_ALL_TRIANGLES.crease);
}

// Some of its faces are cut.
static const char CUBE[] =
    "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
    "f 1 4 3\nf 1 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 4 8 7\nf 4 7 3\nf 1 5 8 4\nf 2 3 7 6\n";

// Weighted by angle, each face counts as a quarter turn at a cube's corner however it was cut.
TEST(missing_normals_are_computed)
{
    const coif_mesh mesh = load(CUBE, 180.0f);
    for (int32_t i = 0; i < 36; ++i) {
        const coif_vec3 p = mesh.positions[mesh.indices[i]];
        CHECK_NEAR(mesh.normals[i].x, p.x / sqrtf(3.0f), 1e-6);
        CHECK_NEAR(mesh.normals[i].y, p.y / sqrtf(3.0f), 1e-6);
        CHECK_NEAR(mesh.normals[i].z, p.z / sqrtf(3.0f), 1e-6);
    }
}

TEST(corners_without_normals_or_uvs_get_them)
{
    const coif_mesh mesh = load_plain("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nvt 0.5 0.75\nvn 1 0 0\n"
                                      "vn 0 0 0\nf 1//1 2/1 3//2\nf 2 4 3\n");
    CHECK(mesh.normals[0].x == 1.0f); // given
    CHECK(mesh.normals[1].z == 1.0f); // none
    CHECK(mesh.normals[2].z == 1.0f); // zero: as good as none
    CHECK(mesh.normals[4].z == 1.0f);
    CHECK(mesh.uvs != NULL && mesh.uvs[1].y == 0.75f && mesh.uvs[0].x == 0.0f);
}

// Two sheets back to back: the sum of their normals is nothing, so each keeps its own.
TEST(opposite_faces_have_unit_normals)
{
    const coif_mesh mesh = load_plain("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n");
    for (int i = 0; i < 6; ++i) {
        CHECK_NEAR(mesh.normals[i].z, i < 3 ? 1.0 : -1.0, 1e-6);
    }
}

TEST(tiny_and_huge_meshes_have_normals)
{
    const coif_mesh tiny = load_plain("v 0 0 0\nv 1e-30 0 0\nv 0 1e-30 0\nf 1 2 3\n");
    CHECK(tiny.triangle_count == 1 && tiny.normals[0].z == 1.0f);
    const coif_mesh huge = load_plain("v -3e38 0 0\nv 3e38 0 0\nv 0 3e38 0\nf 1 2 3\n");
    CHECK(huge.triangle_count == 1 && huge.normals[0].z == 1.0f);
}

static coif_vec3 flat_normal(const coif_mesh *mesh, int32_t corner)
{
    const int32_t *index = mesh->indices + corner / 3 * 3;
    const coif_vec3 *p = mesh->positions;
    return coif_normalize(
        coif_cross(coif_sub(p[index[1]], p[index[0]]), coif_sub(p[index[2]], p[index[0]])));
}

TEST(a_cube_has_sharp_edges)
{
    const coif_mesh mesh = load_plain(CUBE);
    for (int32_t i = 0; i < 36; ++i) {
        CHECK(coif_dot(mesh.normals[i], flat_normal(&mesh, i)) > 0.999999f);
    }
}

// A ball of few faces: 8 around and 4 from pole to pole, 45 degrees from one to the next.
static const char *ball(void)
{
    static char text[8192];
    int size = 0;
    for (int row = 0; row <= 4; ++row) {
        for (int column = 0; column < 8; ++column) {
            const double up = PI * row / 4.0, around = PI * column / 4.0;
            size += snprintf(text + size, sizeof text - (size_t)size, "v %.9g %.9g %.9g\n",
                             sin(up) * sin(around), cos(up), sin(up) * cos(around));
        }
    }
    for (int row = 0; row < 4; ++row) {
        for (int column = 0; column < 8; ++column) {
            const int next = (column + 1) % 8;
            // At the poles all columns are one point.
            const int top = row == 0 ? 1 : 8 * row + 1, low = row == 3 ? 33 : 8 * row + 9;
            const int a = row == 0 ? 1 : top + column, b = row == 3 ? 33 : low + column;
            const int c = row == 3 ? 33 : low + next, d = row == 0 ? 1 : top + next;
            size += row == 0
                        ? snprintf(text + size, sizeof text - (size_t)size, "f %d %d %d\n", a, b, c)
                    : row == 3
                        ? snprintf(text + size, sizeof text - (size_t)size, "f %d %d %d\n", a, b, d)
                        : snprintf(text + size, sizeof text - (size_t)size, "f %d %d %d %d\n", a, b,
                                   c, d);
        }
    }
    return text;
}

TEST(a_sphere_is_smooth)
{
    const coif_mesh mesh = load_plain(ball());
    CHECK(mesh.triangle_count == 48);
    for (int32_t i = 0; i < 3 * mesh.triangle_count; ++i) {
        CHECK(coif_dot(mesh.normals[i], mesh.positions[mesh.indices[i]]) > 0.98f);
    }
}

// The same ball with an angle below that of its faces, and a cube with one above.
TEST(the_crease_angle_selects_sharp_edges)
{
    const coif_mesh facets = load(ball(), 10.0f), round = load(CUBE, 100.0f);
    for (int32_t i = 0; i < 3 * facets.triangle_count; ++i) {
        CHECK(coif_dot(facets.normals[i], flat_normal(&facets, i)) > 0.999f);
    }
    for (int32_t i = 0; i < 36; ++i) {
        CHECK(coif_dot(round.normals[i], flat_normal(&round, i)) < 0.6f);
    }
}

// Triangles of one flat polygon are together even without any crease.
TEST(planar_polygons_are_smooth)
{
    const coif_mesh mesh = load(
        "v 0 0 0.1\nv 1 0.1 0.32\nv 1.1 1 0.52\nv 0.5 1.5 0.5\nv 0 1 0.3\nf 1 2 3 4 5\n", 0.0f);
    for (int32_t i = 1; i < 3 * mesh.triangle_count; ++i) {
        CHECK(coif_dot(mesh.normals[i], mesh.normals[0]) > 0.9999f);
    }
}

// A cone of so many triangles that the creases of its apex would be the square of their number.
TEST(triangles_of_a_vertex_with_very_many_are_flat)
{
    enum { COUNT = 3000 };
    char *text = coif_arena_new(&arena, 100 * COUNT, char), *end = text;
    end += sprintf(end, "v 0 1 0\n");
    for (int i = 0; i < COUNT; ++i) {
        const double angle = 2.0 * PI * i / COUNT;
        end += sprintf(end, "v %.9f 0 %.9f\n", cos(angle), sin(angle));
    }
    for (int i = 0; i < COUNT; ++i) {
        end += sprintf(end, "f 1 %d %d\n", 2 + (i + 1) % COUNT, 2 + i);
    }
    const coif_mesh mesh = load(text, 60.0f);
    CHECK(mesh.triangle_count == COUNT);
    for (int32_t t = 0; t < COUNT; ++t) {
        const double angle = 2.0 * PI * (t + 0.5) / COUNT;
        const coif_vec3 apex = mesh.normals[3 * t], rim = mesh.normals[3 * t + 1];
        CHECK_NEAR(apex.y, sqrt(0.5), 1e-3);
        CHECK_NEAR(apex.x, sqrt(0.5) * cos(angle), 1e-3);
        CHECK_NEAR(rim.y, sqrt(0.5), 1e-3); // smooth
    }
}
