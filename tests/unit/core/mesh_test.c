// Triangulation, mesh queries and materials.
#include "core/mesh/mesh.h"

#include "core/base/fs.h"
#include "core/mesh/mesh_build.h"
#include "core/mesh/mesh_polygons.h"
#include "core/mesh/mesh_topology.h"
#include "core/mesh/mtl.h"
#include "core/mesh/triangulate.h"
#include "tests/support/test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static coif_arena arena;

static void begin(void)
{
    coif_arena_free(&arena);
    coif_arena_init(&arena, "test");
}

static coif_mesh load_text(const char *text)
{
    begin();
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK};
    const char *path = coif_test_path("mesh.obj");
    CHECK_OK(coif_file_save(path, text, strlen(text), &error), error);
    CHECK_OK(coif_mesh_load(&mesh, path, &COIF_MESH_ALL_TRIANGLES, &arena, &error), error);
    return mesh;
}

static double triangle_area(coif_vec3 a, coif_vec3 b, coif_vec3 c)
{
    return 0.5 * (double)coif_length(coif_cross(coif_sub(b, a), coif_sub(c, a)));
}

static double mesh_area(const coif_mesh *mesh)
{
    double sum = 0.0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *i = mesh->indices + 3 * t;
        sum += triangle_area(mesh->positions[i[0]], mesh->positions[i[1]], mesh->positions[i[2]]);
    }
    return sum;
}

// A polygon in the xy plane, put askew in space; a rotation keeps its area.
static coif_vec3 askew(double x, double y)
{
    return (coif_vec3){(float)(0.36 * x + 0.48 * y), (float)(-0.8 * x + 0.6 * y),
                       (float)(0.48 * x + 0.64 * y - 0.0)};
}

typedef struct plane_point {
    double x, y;
} plane_point;

static double shoelace(const plane_point *p, int32_t count)
{
    double sum = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        const plane_point q = p[(i + 1) % count];
        sum += 0.5 * (p[i].x * q.y - p[i].y * q.x);
    }
    return sum;
}

// The triangles of a polygon, in both senses of turning, must have its area: more means overlap,
// less a hole. Every triangle must have the orientation of the polygon.
static void check_polygon(const plane_point *plane, int32_t count, double tolerance)
{
    begin();
    coif_vec3 *points = coif_arena_new(&arena, count, coif_vec3);
    int32_t *triangles = coif_arena_new(&arena, 3 * (size_t)count, int32_t);
    for (int sense = 0; sense < 2; ++sense) {
        for (int32_t i = 0; i < count; ++i) {
            const plane_point p = plane[sense == 0 ? i : count - 1 - i];
            points[i] = askew(p.x, p.y);
        }
        const coif_vec3 up = coif_cross(askew(1, 0), askew(0, 1));
        const double wanted = shoelace(plane, count) * (sense == 0 ? 1.0 : -1.0);
        const int32_t found = coif_triangulate(triangles, points, count, &arena);
        CHECK(found <= count - 2);
        double area = 0.0;
        for (int32_t t = 0; t < found; ++t) {
            const coif_vec3 a = points[triangles[3 * t]];
            const coif_vec3 n = coif_cross(coif_sub(points[triangles[3 * t + 1]], a),
                                           coif_sub(points[triangles[3 * t + 2]], a));
            const double signed_area = 0.5 * (double)coif_dot(n, up);
            CHECK(signed_area * wanted >= -1e-6 * wanted * wanted);
            area += fabs(signed_area);
        }
        CHECK_NEAR(area, fabs(wanted), tolerance);
    }
}

TEST(concave_polygons_keep_their_area)
{
    const plane_point l[] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 3}, {0, 3}};
    check_polygon(l, 6, 1e-5);
    const plane_point arrow[] = {{0, 0}, {1, 2}, {0, 1}, {-1, 2}};
    check_polygon(arrow, 4, 1e-5);
    const plane_point comb[] = {{0, 0}, {7, 0}, {7, 3}, {6, 3}, {6, 1}, {5, 1},
                                {5, 3}, {4, 3}, {4, 1}, {3, 1}, {3, 3}, {2, 3},
                                {2, 1}, {1, 1}, {1, 3}, {0, 3}, {0, 2}, {0, 1.5}};
    check_polygon(comb, 18, 1e-5);
}

TEST(corners_on_straight_edges_are_kept)
{
    const plane_point square[] = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    check_polygon(square, 8, 1e-5);
    begin();
    coif_vec3 points[8];
    int32_t triangles[3 * 6];
    for (int i = 0; i < 8; ++i) {
        points[i] = (coif_vec3){(float)square[i].x, (float)square[i].y, 0.0f};
    }
    // Fewer than six would leave a corner hanging on an edge of a neighbour.
    CHECK(coif_triangulate(triangles, points, 8, &arena) == 6);
}

TEST(touching_polygons_keep_their_area)
{
    // A square with a square hole, joined by a bridge that is passed twice.
    const plane_point ring[] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0},
                                {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}};
    check_polygon(ring, 10, 1e-5);
    // Two squares that share a corner.
    const plane_point eight[] = {{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0, 1}};
    check_polygon(eight, 8, 1e-5);
    // A spike out and back, and a corner that is there twice.
    const plane_point spike[] = {{0, 0}, {2, 0}, {3, 0}, {2, 0}, {2, 2}, {2, 2}, {0, 2}};
    check_polygon(spike, 7, 1e-5);
}

TEST(stars_keep_their_area)
{
    const int32_t counts[] = {10, 16, 34, 100, 1000, 20000};
    for (size_t c = 0; c < COIF_COUNT_OF(counts); ++c) {
        plane_point *star = malloc(sizeof *star * (size_t)counts[c]);
        for (int32_t i = 0; i < counts[c]; ++i) {
            const double radius = i % 2 ? 0.4 : 1.0;
            star[i].x = radius * cos(6.283185307179586 * i / counts[c]);
            star[i].y = radius * sin(6.283185307179586 * i / counts[c]);
        }
        check_polygon(star, counts[c], 1e-4);
        free(star);
    }
}

// A ribbon wound up seven times: almost every ear is blocked by the next winding.
TEST(spirals_keep_their_area)
{
    const int32_t counts[] = {40, 400, 4000};
    for (size_t c = 0; c < COIF_COUNT_OF(counts); ++c) {
        const int32_t half = counts[c] / 2;
        plane_point *spiral = malloc(sizeof *spiral * (size_t)counts[c]);
        for (int32_t i = 0; i < half; ++i) {
            const double turn = 6.283185307179586 * 7.0 * i / half * (half < 100 ? 0.2 : 1.0);
            const double radius = 0.2 + 0.02 * turn;
            spiral[i] = (plane_point){(radius + 0.05) * cos(turn), (radius + 0.05) * sin(turn)};
            spiral[counts[c] - 1 - i] = (plane_point){radius * cos(turn), radius * sin(turn)};
        }
        check_polygon(spiral, counts[c], 1e-4);
        free(spiral);
    }
}

TEST(a_large_convex_face_is_triangulated)
{
    const int32_t count = 20000;
    plane_point *round = malloc(sizeof *round * (size_t)count);
    for (int32_t i = 0; i < count; ++i) {
        round[i].x = cos(6.283185307179586 * i / count);
        round[i].y = sin(6.283185307179586 * i / count);
    }
    // Float corners of so fine a circle wobble in and out; the area must not.
    check_polygon(round, count, 1e-4);
    free(round);
}

// A polygon through random points self-intersects everywhere; it must terminate.
TEST(a_self_intersecting_polygon_terminates)
{
    begin();
    const int32_t count = 5000;
    coif_vec3 *points = coif_arena_new(&arena, count, coif_vec3);
    int32_t *triangles = coif_arena_new(&arena, 3 * count, int32_t);
    uint32_t word = 1;
    for (int32_t i = 0; i < count; ++i) {
        word = word * 1664525u + 1013904223u;
        points[i] = (coif_vec3){(float)(word >> 8 & 1023), (float)(word >> 20), 0.0f};
    }
    const int32_t found = coif_triangulate(triangles, points, count, &arena);
    CHECK(found > 0 && found <= count - 2);
    for (int32_t i = 0; i < 3 * found; ++i) {
        CHECK(triangles[i] >= 0 && triangles[i] < count);
    }
}

static const char CUBE[] = "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\n"
                           "v -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n";

TEST(a_cube_is_closed_and_has_hard_edges)
{
    char text[1024];
    snprintf(text, sizeof text,
             "%svn 0 0 -3\nvn 0 0 2\nvn 0 -1 0\nvn 0 1 0\nvn -1 0 0\nvn 1 0 0\n"
             "f 1//1 4//1 3//1 2//1\nf 5//2 6//2 7//2 8//2\nf 1//3 2//3 6//3 5//3\n"
             "f 4//4 8//4 7//4 3//4\nf 1//5 5//5 8//5 4//5\nf 2//6 3//6 7//6 6//6\n",
             CUBE);
    const coif_mesh mesh = load_text(text);
    CHECK(mesh.triangle_count == 12 && mesh.vertex_count == 8 && mesh.uvs == NULL);
    CHECK_NEAR(mesh_area(&mesh), 24.0, 1e-6);
    const coif_mesh_edges edges = coif_mesh_count_edges(&mesh, &arena);
    CHECK(edges.boundary == 0 && edges.nonmanifold == 0);
    for (int32_t i = 0; i < 36; ++i) {
        const coif_vec3 n = mesh.normals[i];
        const coif_vec3 p = mesh.positions[mesh.indices[i]];
        CHECK_NEAR(coif_length(n), 1.0, 1e-6);
        CHECK_NEAR(fabsf(n.x) + fabsf(n.y) + fabsf(n.z), 1.0, 1e-6); // along an axis: a hard edge
        CHECK(coif_dot(n, p) > 0.0f);
    }
    coif_vec3 low, high;
    coif_mesh_bounds(&mesh, &low, &high);
    CHECK(low.x == -1.0f && low.y == -1.0f && high.z == 1.0f);
}

TEST(degenerate_faces_are_skipped)
{
    const coif_mesh mesh =
        load_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 2 0 0\nv 0 0 0\nv 1 1 0\n"
                  "f 1 2\nf 1 1 2\nf 1 2 4\nf 1 5 2\nf 1 2 3\nf 1 2 2 6 3\nf 1 1 1 1\n");
    CHECK(mesh.triangle_count == 3); // the triangle, and the square whose corner is there twice
    CHECK_NEAR(mesh_area(&mesh), 1.5, 1e-6);
}

// What load_text says on stderr.
static const char *warnings_of(const char *text)
{
    static char said[4096];
    const char *path = coif_test_path("stderr.txt");
    fflush(stderr);
    const int before = dup(STDERR_FILENO);
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    dup2(file, STDERR_FILENO);
    load_text(text);
    fflush(stderr);
    dup2(before, STDERR_FILENO);
    const ssize_t size = pread(file, said, sizeof said - 1, 0);
    said[size > 0 ? size : 0] = '\0';
    close(before);
    close(file);
    return said;
}

TEST(defects_are_reported_in_one_line)
{
    const char *said = warnings_of("v 0 0 0\nv 0 1 0\nv 1 0 0\nv -1 0 0\nv 0 0 1\nf 1 1 1 1\n"
                                   "f 1 3 2\nf 2 4 1\nf 1 5 2\nf 1 2\nf 1 1 2\n");
    CHECK_CONTAINS(said, "mesh.obj: 3 degenerate faces skipped, "
                         "1 edge shared by more than two triangles\n");
    CHECK(strchr(said, '\n') == strrchr(said, '\n'));
    CHECK_TEXT(warnings_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), "");
}

TEST(a_mesh_without_area_is_rejected)
{
    begin();
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK};
    const char text[] = "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\nf 1 1 2\n";
    const char *path = coif_test_path("flat.obj");
    CHECK_OK(coif_file_save(path, text, strlen(text), &error), error);
    CHECK(coif_mesh_load(&mesh, path, &COIF_MESH_ALL_TRIANGLES, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "flat.obj: all 2 faces are degenerate");
}

TEST(edges_are_counted)
{
    const coif_mesh book = load_text("v 0 0 0\nv 0 1 0\nv 1 0 0\nv -1 0 0\nv 0 0 1\n"
                                     "f 1 3 2\nf 2 4 1\nf 1 5 2\n"); // three pages
    const coif_mesh_edges edges = coif_mesh_count_edges(&book, &arena);
    CHECK(edges.nonmanifold == 1 && edges.boundary == 6);
}

// One point in every edge of a fan: the drawer that holds them all must still be sorted.
TEST(edges_of_a_hub_are_counted)
{
    const int count = 2000;
    char *text = malloc(64 * (size_t)count);
    size_t used = (size_t)snprintf(text, 64, "v 0 0 0\n");
    for (int i = 0; i < count; ++i) {
        const double turn = 6.283185307179586 * (i * 7 % count) / count;
        used += (size_t)snprintf(text + used, 64, "v %.9f %.9f 0\n", cos(turn), sin(turn));
    }
    for (int i = 0; i < count; ++i) { // neighbours on the circle are far apart in number
        int at = 0, next = 0;
        for (int k = 0; k < count; ++k) {
            at = k * 7 % count == i ? k : at;
            next = k * 7 % count == (i + 1) % count ? k : next;
        }
        used += (size_t)snprintf(text + used, 64, "f 1 %d %d\n", at + 2, next + 2);
    }
    const coif_mesh mesh = load_text(text);
    const coif_mesh_edges edges = coif_mesh_count_edges(&mesh, &arena);
    CHECK(mesh.triangle_count == count && edges.boundary == count && edges.nonmanifold == 0);
    free(text);
}

TEST(groups_are_found_by_name)
{
    const coif_mesh mesh =
        load_text("v 0 0 0\nv 1 0 0\nv 0 1 0\ng scalp\nf 1 2 3\ng face\nf 3 2 1\n");
    CHECK(coif_mesh_find_group(&mesh, "scalp") == 0 && coif_mesh_find_group(&mesh, "face") == 1);
    CHECK(coif_mesh_find_group(&mesh, "ear") == -1);
    CHECK(mesh.groups[0] == 0 && mesh.groups[1] == 1);
}

TEST(topology_ignores_the_pose)
{
    const coif_mesh mesh = load_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    const uint64_t one = coif_mesh_topology_digest(&mesh), polygons = mesh.polygon_digest;
    const coif_mesh moved = load_text("v 0 0 9\nv 1 5 0\nv 0 1 0\nf 1 2 3\n");
    CHECK(coif_mesh_topology_digest(&moved) == one && moved.polygon_digest == polygons);
    const coif_mesh turned = load_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 2 3 1\n");
    CHECK(coif_mesh_topology_digest(&turned) != one);
}

TEST(surface_points_are_interpolated)
{
    const coif_mesh mesh = load_text("v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 1 0\nvt 0 1\n"
                                     "vn 0 0 1\nvn 0 1 0\nf 1/1/1 2/2/1 3/3/2\n");
    const coif_surface_point point = coif_mesh_at(&mesh, 0, 0.25f, 0.5f);
    CHECK(point.position.x == 0.5f && point.position.y == 1.0f && point.position.z == 0.0f);
    CHECK(point.uv.x == 0.25f && point.uv.y == 0.5f);
    CHECK_NEAR(point.normal.y, sqrt(0.5), 1e-6);
    CHECK_NEAR(point.normal.z, sqrt(0.5), 1e-6);
}

static void check_frame(const coif_mat3 *frame)
{
    for (int i = 0; i < 3; ++i) {
        CHECK_NEAR(coif_length(frame->row[i]), 1.0, 1e-5);
        CHECK_NEAR(coif_dot(frame->row[i], frame->row[(i + 1) % 3]), 0.0, 1e-5);
    }
    const coif_vec3 across = coif_cross(frame->row[0], frame->row[1]);
    CHECK_NEAR(coif_dot(across, frame->row[2]), 1.0, 1e-5);
}

TEST(frames_follow_u_and_are_right_handed)
{
    // u runs along y, once as it is and once mirrored.
    const char *const texts[] = {
        "v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 0 1\nvt 1 0\nf 1/1 2/2 3/3\n",
        "v 0 0 0\nv 2 0 0\nv 0 2 0\nvt 0 0\nvt 0 -1\nvt 1 0\nf 1/1 2/2 3/3\n"};
    for (int i = 0; i < 2; ++i) {
        const coif_mesh mesh = load_text(texts[i]);
        const coif_mat3 frame = coif_mesh_frame(&mesh, 0, 0.2f, 0.2f);
        check_frame(&frame);
        CHECK_NEAR(frame.row[0].y, 1.0, 1e-6);
        CHECK_NEAR(frame.row[2].z, 1.0, 1e-6);
    }
}

TEST(frames_without_u_follow_the_first_edge)
{
    const coif_mesh plain = load_text("v 0 0 0\nv 0 0 3\nv 1 0 0\nf 1 2 3\n");
    coif_mat3 frame = coif_mesh_frame(&plain, 0, 0.3f, 0.3f);
    check_frame(&frame);
    CHECK_NEAR(frame.row[0].z, 1.0, 1e-6);
    // All corners at one point of the map, and a normal along the first edge.
    const coif_mesh odd =
        load_text("v 0 0 0\nv 0 0 3\nv 1 0 0\nvt 0 0\nvn 0 0 1\nf 1/1/1 2/1/1 3/1/1\n");
    frame = coif_mesh_frame(&odd, 0, 0.3f, 0.3f);
    check_frame(&frame);
}

static void save(const char *name, const char *text)
{
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_file_save(coif_test_path(name), text, strlen(text), &error), error);
}

TEST(materials_reach_the_mesh)
{
    save("my skin.mtl",
         "# skin\r\nnewmtl skin\r\n\tKd 0.5 0.25 1e-1\r\nKs 0.5\r\nKe 1 2 3\r\n"
         "Ns 96.5\r\nNi 1.4\r\nTr 0.75\r\nd 0.5\r\nTr 0.9\r\n"
         "map_Kd -s 2 2 1 -o 0.5 -mm 0 1 maps\\my skin.png\r\n"
         "map_bump -bm 0.2 \"bump map.exr\"\r\nmap_d -clamp on -imfchan l a.png\r\n"
         "map_Ks /abs/s.png\r\nmap_Ke e.png\r\nPr 0.25\r\nPm 0.5\r\nPs 0.1\r\n"
         "map_Pr rough.png\r\nmap_Pm metal.png\r\nillum 7\r\nnewmtl unused\r\nKd 9 9 9\r\n");
    save("two.mtl", "newmtl lip\nKd red\nKd 0.1 nan 0.2\nTr 0.25\nnorm -weird.png\n"
                    "map_Kd\nillum -1e30\nnewmtl skinny\nKd 0 0 0");
    const coif_mesh mesh =
        load_text("mtllib my skin.mtl\nmtllib two.mtl gone.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                  "usemtl skin\nf 1 2 3\nusemtl lip\nf 1 2 3\nusemtl nowhere\nf 1 2 3\n");
    CHECK(mesh.material_count == 3 && mesh.materials[2] == 2);
    const coif_mtl *skin = &mesh.material_table[0];
    CHECK_TEXT(skin->name, "skin");
    CHECK(skin->diffuse.x == 0.5f && skin->diffuse.y == 0.25f && skin->diffuse.z == 0.1f);
    CHECK(skin->specular.z == 0.5f && skin->emission.y == 2.0f && skin->shininess == 96.5f);
    CHECK(skin->ior == 1.4f && skin->opacity == 0.5f);
    CHECK_TEXT(skin->diffuse_map, coif_test_path("maps/my skin.png"));
    CHECK_TEXT(skin->bump_map, coif_test_path("bump map.exr"));
    CHECK_TEXT(skin->opacity_map, coif_test_path("a.png"));
    CHECK_TEXT(skin->emission_map, coif_test_path("e.png"));
    CHECK_TEXT(skin->specular_map, "/abs/s.png");
    const coif_mtl *lip = &mesh.material_table[1];
    CHECK(lip->diffuse.x == 0.8f && lip->opacity == 0.75f && lip->diffuse_map == NULL);
    CHECK_TEXT(lip->normal_map, coif_test_path("-weird.png"));
    CHECK(lip->specular.x == -1.0f && lip->shininess == -1.0f && lip->illum == -1);
    CHECK(skin->bump_scale == 0.2f && skin->clamp && skin->roughness == 0.25f);
    CHECK(skin->metallic == 0.5f && skin->sheen == 0.1f && skin->illum == 7);
    CHECK_TEXT(skin->roughness_map, coif_test_path("rough.png"));
    CHECK_TEXT(skin->metallic_map, coif_test_path("metal.png"));
    CHECK(mesh.material_table[2].diffuse.x == 0.8f);
}

TEST(a_material_library_is_found_beside_the_mesh)
{
    save("far.mtl", "newmtl a\nKd 0.25 0 0\n");
    const coif_mesh mesh = load_text("mtllib C:\\Users\\me\\far.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"
                                     "usemtl a\nf 1 2 3\n");
    CHECK(mesh.material_table[0].diffuse.x == 0.25f);
}

static bool is_polygon(const coif_mesh *mesh, const coif_mesh_polygons *polygons, int32_t polygon,
                       const int32_t *vertices, int32_t count)
{
    int32_t first = 0;
    for (int32_t f = 0; f < polygon; ++f) {
        first += polygons->sizes[f];
    }
    bool equal = polygons->sizes[polygon] == count;
    for (int32_t i = 0; equal && i < count; ++i) {
        equal = mesh->indices[polygons->corners[first + i]] == vertices[i];
    }
    return equal;
}

// A concave hexagon, a triangle, a quadrangle of its own vertices and one folded flat.
TEST(polygons_are_those_of_the_file)
{
    const coif_mesh mesh = load_text("v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 0.5 0\nv 0.5 2 0\nv 0 2 0\n"
                                     "v 5 0 0\nv 6 0 0\nv 6 1 0\nv 5 1 0\nv 7 0 0\n"
                                     "f 1 2 3 4 5 6\nf 1 3 2\nf 7 8 9 10\nf 7 8 11 9\n");
    const coif_mesh_polygons polygons = coif_mesh_polygons_of(&mesh, &arena);
    CHECK(is_polygon(&mesh, &polygons, 0, (int32_t[]){0, 1, 2, 3, 4, 5}, 6));
    CHECK(is_polygon(&mesh, &polygons, 1, (int32_t[]){0, 2, 1}, 3));
    CHECK(is_polygon(&mesh, &polygons, 2, (int32_t[]){6, 7, 8, 9}, 4));
    CHECK(polygons.triangles[2] == 5);
    int32_t corners = 0, triangles = 0;
    for (int32_t f = 0; f < polygons.count; ++f) {
        corners += polygons.sizes[f];
        triangles += polygons.sizes[f] - 2;
    }
    CHECK(corners == polygons.corner_count);
    CHECK(triangles == mesh.triangle_count);
}
