// Body motion, deformation, sequences and their errors.
#include "core/base/fs.h"
#include "core/base/hash64.h"
#include "core/body/body_interpolate.h"
#include "core/mesh/height_deform.h"
#include "tests/support/test.h"

#include <unistd.h>

static const uint64_t WANTED_DIGEST = UINT64_C(0xb754f718ee9061d1);

static coif_arena arena = {.name = "test"};

static const char *const REQUIRED[] = {"name", "mesh", NULL};
static coif_section bodies_section = {.name = "bodies",
                                      .help = "meshes",
                                      .form = COIF_SECTION_ARRAY,
                                      .params = COIF_BODY_PARAMS,
                                      .required = REQUIRED,
                                      .unique = "name"};
static const coif_section *const ROOT_CHILDREN[] = {&bodies_section, NULL};
static const coif_section ROOT = {.name = "", .help = "a scene", .children = ROOT_CHILDREN};

static void save(const char *name, const char *text)
{
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_file_save(coif_test_path(name), text, strlen(text), &error), error);
}

static const char PLATE[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\ng plate\nf 1 2 3 4\n";

static coif_scene load_scene(const char *bodies)
{
    bodies_section.param_count = COIF_BODY_PARAM_COUNT;
    const char *path = coif_arena_copy_text(&arena, coif_test_path("scene.json"));
    save("scene.json", coif_arena_print(&arena, "{\"bodies\": [%s]}", bodies));
    save("plate.obj", PLATE);
    const coif_scene_desc desc = {.path = path, .tree = &ROOT};
    coif_scene scene;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_scene_load(&scene, &desc, &arena, &error), error);
    return scene;
}

static coif_scene scene;

static coif_body load_body(const char *body)
{
    scene = load_scene(body);
    coif_body *bodies;
    int32_t count;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_bodies_load(&bodies, &count, &scene, &arena, &error), error);
    CHECK(count == 1);
    return bodies[0];
}

static coif_mesh pose(const coif_body *body, double frame)
{
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_body_pose(&mesh, body, frame, &arena, &error), error);
    return mesh;
}

static void check_point(coif_vec3 p, double x, double y, double z)
{
    CHECK_NEAR(p.x, x, 2e-6);
    CHECK_NEAR(p.y, y, 2e-6);
    CHECK_NEAR(p.z, z, 2e-6);
}

TEST(a_body_without_motion_keeps_every_bit)
{
    const coif_body body =
        load_body("{\"name\": \"a\", \"mesh\": \"plate.obj\", \"pivot\": [0.1, 0.2, 0.3]}");
    const coif_mesh mesh = pose(&body, 7.25);
    CHECK(!coif_body_is_animated(&body) && !body.sequence);
    CHECK(mesh.positions != body.rest.positions && mesh.normals != body.rest.normals);
    CHECK(memcmp(mesh.positions, body.rest.positions, 4 * sizeof(coif_vec3)) == 0);
    CHECK(memcmp(mesh.normals, body.rest.normals, 6 * sizeof(coif_vec3)) == 0);
    CHECK(mesh.indices == body.rest.indices && mesh.triangle_count == 2);
    CHECK(coif_mesh_topology_digest(&mesh) == coif_mesh_topology_digest(&body.rest));
    CHECK(body.params.collide == 1 && body.params.visible == 1 && body.params.scale == 1.0f);
}

TEST(keys_rotate_a_body_about_its_pivot)
{
    const coif_body body =
        load_body("{\"name\": \"a\", \"mesh\": \"plate.obj\", \"scale\": 2, \"pivot\": [2, 0, 0],"
                  "\"rotate\": {\"keys\": [[1, [0, 0, 0]], [11, [0, 0, 180]]]},"
                  "\"translate\": {\"keys\": [[1, [0, 0, 0]], [11, [0, 0, 5]]]}}");
    CHECK(coif_body_is_animated(&body));
    CHECK(body.rest.positions[2].x == 2.0f && body.rest.positions[2].y == 2.0f);
    coif_mesh mesh = pose(&body, 6.0); // a quarter turn about z
    check_point(mesh.positions[0], 2, -2, 2.5);
    check_point(mesh.positions[1], 2, 0, 2.5);
    check_point(mesh.positions[2], 0, 0, 2.5);
    mesh = pose(&body, 3.5);
    check_point(mesh.positions[0], 2 - 2 * sqrt(0.5), -2 * sqrt(0.5), 1.25);
    mesh = pose(&body, 100.0);
    check_point(mesh.positions[0], 4, 0, 5);
}

TEST(rotation_axes_are_applied_in_the_order_x_y_z)
{
    const coif_body body =
        load_body("{\"name\": \"a\", \"mesh\": \"plate.obj\", \"rotate\": [90, 90, 0]}");
    const coif_mesh mesh = pose(&body, 0.0);
    check_point(mesh.positions[1], 0, 0, -1); // x: stays under x, goes to -z under y
    check_point(mesh.positions[3], 1, 0, 0);  // y: to z under x, to x under y
    check_point(mesh.normals[0], 0, -1, 0);   // z: to -y under x, stays under y
    const coif_body other =
        load_body("{\"name\": \"a\", \"mesh\": \"plate.obj\", \"rotate\": [0, 0, 90]}");
    check_point(pose(&other, 0.0).positions[1], 0, 1, 0);
}

// A tall wall of points, for bending.
static void save_wall(int rows)
{
    char *text = coif_arena_new(&arena, 200 * (size_t)(rows + 1), char);
    size_t used = 0;
    for (int i = 0; i <= rows; ++i) {
        const double y = (double)i / rows;
        used += (size_t)sprintf(text + used, "v -0.2 %.9g 0.1\nv 0.3 %.9g 0.2\n", y, y);
    }
    for (int i = 0; i < rows; ++i) {
        const int a = 2 * i + 1;
        used += (size_t)sprintf(text + used, "f %d %d %d %d\n", a, a + 1, a + 3, a + 2);
    }
    save("wall.obj", text);
}

TEST(falloff_deforms_between_two_heights)
{
    save_wall(100);
    const coif_body body =
        load_body("{\"name\": \"a\", \"mesh\": \"wall.obj\", \"rotate\": [0, 60, 0],"
                  "\"translate\": [0, 0, 1], \"deform_y_min\": 0.25, \"deform_y_max\": 0.75}");
    const coif_mesh mesh = pose(&body, 0.0);
    for (int i = 0; i <= 100; ++i) {
        const coif_vec3 p = body.rest.positions[2 * i];
        const double x = fmin(fmax((p.y - 0.25) / 0.5, 0.0), 1.0);
        const double s = x * x * (3 - 2 * x);
        const double angle = s * 1.0471975511965976;
        check_point(mesh.positions[2 * i], p.x * cos(angle) + p.z * sin(angle), p.y,
                    p.z * cos(angle) - p.x * sin(angle) + s);
    }
    CHECK(memcmp(mesh.positions, body.rest.positions, 20 * sizeof(coif_vec3)) == 0);
}

// The normals of a bent body are those of the bent surface, not merely turned ones.
TEST(normals_follow_the_deformation)
{
    save_wall(1000);
    const coif_body body = load_body(
        "{\"name\": \"a\", \"mesh\": \"wall.obj\", \"rotate\": [20, 50, -15],"
        "\"pivot\": [0.1, 0.3, 0], \"translate\": [0.02, 0.1, 0.3], \"deform_y_max\": 0.9}");
    const coif_mesh mesh = pose(&body, 0.0);
    double worst = 0.0;
    for (int32_t i = 0; i < 3 * mesh.triangle_count; ++i) {
        const int32_t v = mesh.indices[i];
        if (v < 2 || v + 2 >= mesh.vertex_count) {
            continue;
        }
        // Rows of the wall stay straight; across them the surface runs to the rows beside.
        const coif_vec3 row = coif_sub(mesh.positions[v | 1], mesh.positions[v & ~1]);
        const coif_vec3 rise = coif_sub(mesh.positions[v + 2], mesh.positions[v - 2]);
        const coif_vec3 n = mesh.normals[i];
        CHECK_NEAR(coif_length(n), 1.0, 1e-5);
        worst = fmax(worst, 1.0 - (double)coif_dot(n, coif_normalize(coif_cross(row, rise))));
    }
    CHECK(worst < 1e-5);
}

TEST(falloff_may_point_downwards)
{
    save_wall(4);
    const coif_body body = load_body("{\"name\": \"a\", \"mesh\": \"wall.obj\", \"translate\": "
                                     "[0, 0, 1], \"deform_y_min\": 1, \"deform_y_max\": 0}");
    const coif_mesh mesh = pose(&body, 0.0);
    check_point(mesh.positions[0], -0.2, 0, 1.1);
    check_point(mesh.positions[4], -0.2, 0.5, 0.6);
    check_point(mesh.positions[8], -0.2, 1, 0.1);
}

// Caches and grooms follow these numbers, so no compiler, build or machine may change a bit.
static int32_t off_their_flex(const coif_mesh *posed, const coif_body *body)
{
    int32_t off = 0;
    for (int32_t v = 0; v < posed->vertex_count; ++v) {
        const coif_vec3 rest = body->rest.positions[v];
        const coif_affine motion = coif_height_deform_at(posed->height_deform, rest.y);
        const coif_vec3 at = coif_affine_apply(&motion, rest);
        off += !(coif_length(coif_sub(at, posed->positions[v])) < 3e-4f);
    }
    return off;
}

// Also with a drag on top of the pose, and with inverted heights.
TEST(height_deform_matches_the_vertices)
{
    save_wall(40);
    const char *const heights[2] = {"\"deform_y_min\": 0.2, \"deform_y_max\": 0.7",
                                    "\"deform_y_min\": 0.9, \"deform_y_max\": 0.1"};
    for (int i = 0; i < 2; ++i) {
        const coif_body body = load_body(
            coif_arena_print(&arena,
                             "{\"name\": \"b\", \"mesh\": \"wall.obj\", \"rotate\": [10, 25, -5], "
                             "\"pivot\": [0.1, 0.3, 0], \"translate\": [0.02, 0.1, 0.3], %s}",
                             heights[i]));
        coif_mesh posed = pose(&body, 1);
        CHECK(posed.height_deform != NULL && off_their_flex(&posed, &body) == 0);
        coif_body_params hand = body.params;
        hand.rotate[0] = -8.0f;
        hand.translate[1] = 0.05f;
        coif_body_transform_points(&posed, &hand, &body);
        CHECK(off_their_flex(&posed, &body) == 0);
    }
    const coif_body whole = load_body("{\"name\": \"b\", \"mesh\": \"wall.obj\"}");
    CHECK(pose(&whole, 1).height_deform == NULL);
}

TEST(a_pose_has_the_same_bits_everywhere)
{
    save_wall(50);
    const coif_body body = load_body(
        "{\"name\": \"a\", \"mesh\": \"wall.obj\", \"rotate\": [20, 50, -15], \"scale\": 0.37,"
        "\"pivot\": [0.1, 0.3, 0], \"translate\": [0.02, 0.1, 0.3], \"deform_y_max\": 0.3}");
    const coif_mesh mesh = pose(&body, 0.0);
    uint64_t digest = coif_hash64(body.rest.normals, 300 * sizeof(coif_vec3));
    digest = coif_hash64_extend(digest, mesh.positions, 102 * sizeof(coif_vec3));
    digest = coif_hash64_extend(digest, mesh.normals, 300 * sizeof(coif_vec3));
    CHECK(mesh.vertex_count == 102 && mesh.triangle_count == 100);
    if (digest != WANTED_DIGEST) {
        coif_test_failed(__FILE__, __LINE__, "digest is 0x%016llx", (unsigned long long)digest);
    }
}

static void save_frame(int number, double height, const char *faces)
{
    char name[64];
    snprintf(name, sizeof name, "seq.%04d.obj", number);
    save(name, coif_arena_print(&arena, "v 0 0 0\nv 1 0 0\nv 1 1 %g\nv 0 1 0\n%s", height, faces));
}

static const char SEQUENCE[] = "{\"name\": \"a\", \"mesh\": \"seq.####.obj\", \"scale\": 2}";

static void remove_frames(void)
{
    for (int i = 0; i < 12; ++i) {
        char name[64];
        snprintf(name, sizeof name, "seq.%04d.obj", i);
        unlink(coif_test_path(name));
    }
}

TEST(a_sequence_is_interpolated_and_clamped)
{
    remove_frames();
    save_frame(5, 0.0, "f 1 2 3 4\n");
    save_frame(6, 1.0, "f 1 2 3 4\n");
    save_frame(7, -9.0, "f 1 2 3 4\n");
    save("seq.7.obj", "not of the sequence");
    save("seq.0008.obj.bak", "nor this");
    const coif_body body = load_body(SEQUENCE);
    CHECK(body.sequence && coif_body_is_animated(&body));
    CHECK(body.sequence_first == 5 && body.sequence_last == 7);
    CHECK(pose(&body, 5.0).positions[2].z == 0.0f);
    CHECK(pose(&body, 5.25).positions[2].z == 0.5f);
    CHECK(pose(&body, 6.0).positions[2].z == 2.0f);
    CHECK(pose(&body, 6.5).positions[2].z == -8.0f);
    CHECK(pose(&body, 7.0).positions[2].z == -18.0f);
    CHECK(pose(&body, -1e30).positions[2].z == 0.0f);
    CHECK(pose(&body, 1e30).positions[2].z == -18.0f);
    CHECK(pose(&body, 6.5).positions[2].x == 2.0f);
    const coif_mesh mesh = pose(&body, 6.5);
    for (int i = 0; i < 6; ++i) {
        CHECK_NEAR(coif_length(mesh.normals[i]), 1.0, 1e-5);
    }
}

// Between frames the renderer has bodies go as the simulation does: on cubics through whole frames.
TEST(poses_between_frames_are_interpolated)
{
    remove_frames();
    save_frame(5, 0.0, "f 1 2 3 4\n");
    save_frame(6, 1.0, "f 1 2 3 4\n");
    save_frame(7, 4.0, "f 1 2 3 4\n");
    save_frame(8, 9.0, "f 1 2 3 4\n");
    const coif_body files = load_body(SEQUENCE);
    const coif_body keys =
        load_body("{\"name\": \"a\", \"mesh\": \"plate.obj\", \"translate\": {\"keys\": "
                  "[[5, [0, 0, 0]], [6, [1, 0, 0]], [7, [4, 0, 0]], [8, [9, 0, 0]]]}}");
    const coif_body_interpolation smooth = {true, 5}, straight = {false, 5};
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK};
    const coif_vec3 path[4] = {{0, 0, 0}, {1, 0, 0}, {4, 0, 0}, {9, 0, 0}};
    const double wanted =
        (double)coif_smooth_interpolate(path[0], path[1], path[2], path[3], 0.25f).x;
    CHECK(fabs(wanted - 1.75) > 0.05);
    CHECK_OK(coif_body_pose_interpolated(&mesh, &keys, &smooth, 6.25, &arena, &error), error);
    CHECK_NEAR(mesh.positions[0].x, wanted, 1e-6);
    CHECK_OK(coif_body_pose_interpolated(&mesh, &files, &smooth, 6.25, &arena, &error), error);
    CHECK_NEAR(mesh.positions[2].z, 2.0 * wanted, 1e-5);
    CHECK_OK(coif_body_pose_interpolated(&mesh, &keys, &straight, 6.25, &arena, &error), error);
    CHECK_NEAR(mesh.positions[0].x, 1.75, 1e-6);
    CHECK_OK(coif_body_pose_interpolated(&mesh, &keys, &smooth, 6.0, &arena, &error), error);
    CHECK_NEAR(mesh.positions[0].x, 1.0, 1e-6);
    CHECK_OK(coif_body_pose_interpolated(&mesh, &keys, &smooth, 4.5, &arena, &error), error);
    CHECK_NEAR(mesh.positions[0].x, 0.0, 1e-6);
}

// The better diagonal of a square that bends is another one in each frame; triangles must not jump.
TEST(a_sequence_keeps_its_triangles)
{
    remove_frames();
    save("seq.0001.obj", "v 0 0 0\nv 2 0 0\nv 2.5 2.5 0\nv 0 2 0\nf 1 2 3 4\n");
    save("seq.0002.obj", "v 0 0 0\nv 3 -1 0\nv 1 1 0\nv -1 3 0\nvn 0 0 1\nvn 1 0 0\nvn 0 1 0\n"
                         "vn 0 0 -1\nf 1//1 2//2 3//3 4//4\n");
    const coif_body body = load_body(SEQUENCE);
    const coif_mesh mesh = pose(&body, 2.0);
    CHECK(coif_mesh_topology_digest(&mesh) == coif_mesh_topology_digest(&body.rest));
    static const float WANTED[4][3] = {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, -1}};
    for (int i = 0; i < 6; ++i) { // each corner has the normal of its point in the second file
        const float *n = WANTED[mesh.indices[i]];
        check_point(mesh.normals[i], n[0], n[1], n[2]);
    }
}

TEST(a_rest_file_is_the_bind_pose_of_a_posed_mesh)
{
    remove_frames();
    save_frame(5, 1.0, "f 1 2 3 4\n");
    save_frame(6, 2.0, "f 1 2 3 4\n");
    const coif_body sequence = load_body("{\"name\": \"a\", \"mesh\": \"seq.####.obj\", "
                                         "\"rest\": \"plate.obj\", \"scale\": 2}");
    CHECK(sequence.rest.positions[2].z == 0.0f && sequence.rest.positions[2].x == 2.0f);
    CHECK(pose(&sequence, 5.0).positions[2].z == 2.0f);
    CHECK(pose(&sequence, 5.5).positions[2].z == 3.0f);
    const coif_body still = load_body("{\"name\": \"a\", \"mesh\": \"seq.0006.obj\", "
                                      "\"rest\": \"plate.obj\", \"translate\": [0, 0, 4]}");
    CHECK(still.rest.positions[2].z == 0.0f);
    CHECK(pose(&still, 1.0).positions[2].z == 6.0f && pose(&still, 9.5).positions[2].z == 6.0f);
    coif_mesh half;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_body_ramp(&half, &still, 1.0, 0.5f, &arena, &error), error);
    CHECK(half.positions[2].z == 3.0f);
}

TEST(a_frame_of_a_sequence_may_be_its_bind_pose)
{
    remove_frames();
    save_frame(5, 1.0, "f 1 2 3 4\n");
    save_frame(6, 2.0, "f 1 2 3 4\n");
    const coif_body body =
        load_body("{\"name\": \"a\", \"mesh\": \"seq.####.obj\", \"rest_frame\": 6}");
    CHECK(body.rest.positions[2].z == 2.0f);
    CHECK(pose(&body, 5.0).positions[2].z == 1.0f && pose(&body, 6.0).positions[2].z == 2.0f);
}

static coif_status fail_to_load(const char *body, coif_error *error)
{
    scene = load_scene(body);
    coif_body *bodies;
    int32_t count;
    *error = (coif_error){.status = COIF_OK};
    return coif_bodies_load(&bodies, &count, &scene, &arena, error);
}

TEST(a_gap_in_a_sequence_is_an_error)
{
    remove_frames();
    save_frame(1, 0.0, "f 1 2 3 4\n");
    save_frame(2, 0.0, "f 1 2 3 4\n");
    save_frame(4, 0.0, "f 1 2 3 4\n");
    coif_error error;
    CHECK(fail_to_load(SEQUENCE, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "/bodies/0/mesh: ");
    CHECK_CONTAINS(error.text, "seq.0003.obj: missing file between frames 1 and 4");
    remove_frames();
    CHECK(fail_to_load(SEQUENCE, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "seq.####.obj: no file of this sequence");
}

TEST(another_topology_is_an_error_that_names_both_files)
{
    const char *const others[] = {"f 1 2 3\nf 1 3 4\n", "f 2 3 4 1\n", "v 9 9 9\nf 1 2 3 4\n"};
    for (size_t i = 0; i < COIF_COUNT_OF(others); ++i) {
        remove_frames();
        save_frame(3, 0.0, "f 1 2 3 4\n");
        save_frame(4, 0.0, others[i]);
        const coif_body body = load_body(SEQUENCE);
        coif_mesh mesh;
        coif_error error = {.status = COIF_OK};
        CHECK(coif_body_pose(&mesh, &body, 3.5, &arena, &error) == COIF_ERR_FORMAT);
        CHECK_CONTAINS(error.text, "seq.0004.obj: ");
        CHECK_CONTAINS(error.text, "seq.0003.obj");
    }
}

TEST(unusable_bind_poses_are_errors)
{
    remove_frames();
    save_frame(3, 0.0, "f 1 2 3 4\n");
    save_frame(4, 0.0, "f 1 2 3 4\n");
    save("tris.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3\nf 1 3 4\n");
    coif_error error;
    CHECK(fail_to_load("{\"name\": \"a\", \"mesh\": \"seq.####.obj\", \"rest_frame\": 7}",
                       &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "/bodies/0/rest_frame: 7 is not a frame of the sequence, 3 to 4");
    CHECK(fail_to_load("{\"name\": \"a\", \"mesh\": \"plate.obj\", \"rest_frame\": 7}", &error) ==
          COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "/bodies/0/rest_frame: 7 needs a mesh sequence");
    CHECK(fail_to_load("{\"name\": \"a\", \"mesh\": \"seq.####.obj\", \"rest\": \"plate.obj\", "
                       "\"rest_frame\": 3}",
                       &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "/bodies/0/rest_frame: 3 and rest are two bind poses");
    const coif_body body =
        load_body("{\"name\": \"a\", \"mesh\": \"seq.####.obj\", \"rest\": \"tris.obj\"}");
    coif_mesh mesh;
    error = (coif_error){.status = COIF_OK};
    CHECK(coif_body_pose(&mesh, &body, 3.0, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "seq.0003.obj: topology");
    CHECK_CONTAINS(error.text, "tris.obj (4 vertices)");
}

TEST(a_missing_file_of_a_sequence_is_an_error)
{
    remove_frames();
    save_frame(1, 0.0, "f 1 2 3 4\n");
    save_frame(2, 0.0, "f 1 2 3 4\n");
    const coif_body body = load_body(SEQUENCE);
    unlink(coif_test_path("seq.0002.obj"));
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK};
    CHECK(coif_body_pose(&mesh, &body, 2.0, &arena, &error) == COIF_ERR_IO);
    CHECK_CONTAINS(error.text, "seq.0002.obj");
}

TEST(all_bad_bodies_are_named)
{
    save("bad.obj", "v 0 0 0\nf 1 2 3\n");
    save("empty.obj", "");
    coif_error error;
    CHECK(fail_to_load("{\"name\": \"a\", \"mesh\": \"bad.obj\"},"
                       "{\"name\": \"b\", \"mesh\": \"plate.obj\"},"
                       "{\"name\": \"c\", \"mesh\": \"empty.obj\"}",
                       &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "scene.json: /bodies/0/mesh: ");
    CHECK_CONTAINS(error.text, "bad.obj: line 2: vertex 3 does not exist: there are 1\n");
    CHECK_CONTAINS(error.text, "/bodies/2/mesh: ");
    CHECK_CONTAINS(error.text, "empty.obj: no faces");
}

TEST(bodies_are_found_by_name)
{
    scene = load_scene("{\"name\": \"a\", \"mesh\": \"plate.obj\"},"
                       "{\"name\": \"b\", \"mesh\": \"plate.obj\", \"collide\": false}");
    coif_body *bodies;
    int32_t count;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_bodies_load(&bodies, &count, &scene, &arena, &error), error);
    CHECK(count == 2 && coif_bodies_find(bodies, count, "b") == &bodies[1]);
    CHECK(coif_bodies_find(bodies, count, "c") == NULL);
    CHECK(bodies[1].params.collide == 0);
    CHECK_TEXT(bodies[0].rest.group_names[0], "plate");
}

// A drag moves the body on top of its keys, and the bodies inside it; no others.
TEST(a_drag_moves_a_body_and_bodies_inside_it)
{
    const char *rest = "\"pivot\": [0.5, 0, 0.2], \"deform_y_min\": 0.1, \"deform_y_max\": 0.8";
    const char *motion = "\"translate\": [0.1, 0.2, -0.3], \"rotate\": [5, 20, -10]";
    const coif_body keyed = load_body(coif_arena_print(
        &arena, "{\"name\": \"a\", \"mesh\": \"plate.obj\", %s, %s}", rest, motion));
    const coif_mesh wanted = pose(&keyed, 3.0);
    scene =
        load_scene(coif_arena_print(&arena,
                                    "{\"name\": \"wall\", \"mesh\": \"plate.obj\", \"scale\": 1.5},"
                                    "{\"name\": \"a\", \"mesh\": \"plate.obj\", %s},"
                                    "{\"name\": \"within\", \"mesh\": \"plate.obj\"}",
                                    rest));
    const coif_body_drag hand = {"a", {0.1f, 0.2f, -0.3f}, {5.0f, 20.0f, -10.0f}};
    scene.drag = &hand;
    coif_body *bodies;
    int32_t count;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_bodies_load(&bodies, &count, &scene, &arena, &error), error);
    for (int32_t b = 1; b < count; ++b) {
        const coif_mesh held = pose(&bodies[b], 3.0);
        CHECK(memcmp(held.positions, wanted.positions, 4 * sizeof(coif_vec3)) == 0);
        CHECK(memcmp(held.normals, wanted.normals, 6 * sizeof(coif_vec3)) == 0);
    }
    const coif_mesh wall = pose(&bodies[0], 3.0);
    CHECK(memcmp(wall.positions, bodies[0].rest.positions, 4 * sizeof(coif_vec3)) == 0);
}

// Keyed offsets give the bits of a drag, on top of keyed motion, and move children as a drag does.
TEST(an_offset_is_a_keyed_drag)
{
    const char *form = "{\"name\": \"a\", \"mesh\": \"plate.obj\", \"pivot\": [0.5, 0, 0.2], "
                       "\"deform_y_min\": 0.1, \"deform_y_max\": 0.8, \"rotate\": {\"keys\": [[1, "
                       "[0, 0, 0]], [3, [0, 30, 0]]]} %s},"
                       "{\"name\": \"hat\", \"mesh\": \"plate.obj\", \"parent\": \"a\"}";
    const coif_body_drag hand = {"a", {0.1f, 0.2f, -0.3f}, {5.0f, 20.0f, -10.0f}};
    coif_error error = {.status = COIF_OK};
    coif_mesh meshes[2][2];
    for (int offset = 0; offset < 2; ++offset) {
        scene = load_scene(coif_arena_print(
            &arena, form,
            offset ? ", \"offset_translate\": {\"keys\": [[1, [0, 0, 0]], [3, [0.1, 0.2, -0.3]]]}, "
                     "\"offset_rotate\": {\"keys\": [[1, [0, 0, 0]], [3, [5, 20, -10]]]}"
                   : ""));
        scene.drag = offset ? NULL : &hand;
        coif_body *bodies;
        int32_t count;
        CHECK_OK(coif_bodies_load(&bodies, &count, &scene, &arena, &error), error);
        for (int b = 0; b < 2; ++b) {
            meshes[offset][b] = pose(&bodies[b], 3.0);
        }
        if (offset) {
            const coif_mesh before = pose(&bodies[0], 1.0);
            CHECK(memcmp(before.positions, bodies[0].rest.positions, 4 * sizeof(coif_vec3)) == 0);
        }
    }
    for (int b = 0; b < 2; ++b) {
        const size_t size = 4 * sizeof(coif_vec3);
        CHECK(memcmp(meshes[0][b].positions, meshes[1][b].positions, size) == 0);
        CHECK(meshes[0][b].positions[2].x != 1.0f);
    }
}
