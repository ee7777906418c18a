// Bodies from archives: samples of any rate, rest poses, units, errors, and flat memory.
#include "core/archive/alembic/abc_reader.h"
#include "core/base/fs.h"
#include "core/body/body_interpolate.h"
#include "tests/support/archive_shapes.h"

#include <stdlib.h>

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

static coif_scene scene;

static coif_status load(coif_body **bodies, const char *entry, coif_error *error)
{
    bodies_section.param_count = COIF_BODY_PARAM_COUNT;
    const char *path = coif_arena_copy_text(&arena, coif_test_path("scene.json"));
    const char *text = coif_arena_print(&arena, "{\"bodies\": [{\"name\": \"a\", %s}]}", entry);
    const coif_scene_desc desc = {.path = path, .tree = &ROOT};
    int32_t count;
    COIF_TRY(coif_file_save(path, text, strlen(text), error));
    COIF_TRY(coif_scene_load(&scene, &desc, &arena, error));
    return coif_bodies_load(bodies, &count, &scene, &arena, error);
}

static coif_body load_body(const char *entry)
{
    coif_body *bodies = NULL;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(load(&bodies, entry, &error), error);
    return bodies[0];
}

static void expect_refused(const char *entry, const char *words)
{
    coif_body *bodies;
    coif_error error = {.status = COIF_OK};
    CHECK(load(&bodies, entry, &error) != COIF_OK);
    CHECK_CONTAINS(error.text, words);
}

static coif_mesh pose(const coif_body *body, double frame)
{
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_body_pose(&mesh, body, frame, &arena, &error), error);
    return mesh;
}

// Pyramids whose height is 1 at the first sample and grows by 1 with each.
typedef struct animation {
    double first_frame, step, meters_per_unit;
    char up_axis;
    int32_t samples, broken_sample; // the sample with another topology, -1: none
} animation;

static const animation TEN_FRAMES = {1.0, 1.0, 1.0, 'y', 10, -1};

static void save_animation(const char *name, const animation *moving)
{
    const coif_archive_writer_vtable *format = &COIF_ARCHIVE_WRITE_ALEMBIC;
    const coif_archive_write_desc desc = {.fps = 24.0,
                                          .first_frame = moving->first_frame,
                                          .frame_step = moving->step,
                                          .sample_count = moving->samples,
                                          .meters_per_unit = moving->meters_per_unit,
                                          .up_axis = moving->up_axis,
                                          .application = "test"};
    const coif_archive_write_object objects[] = {
        {"/head/skin", COIF_ARCHIVE_MESH, false, true, NULL},
        {"/head/teeth", COIF_ARCHIVE_MESH, false, false, NULL}};
    coif_error error = {.status = COIF_OK};
    coif_archive_writer *writer;
    CHECK_OK(format->create(&writer, coif_test_path(name), &desc, objects, 2, &arena, &error),
             error);
    for (int32_t s = 0; s < moving->samples; ++s) {
        coif_archive_mesh mesh = archive_mesh(1.0f + (float)s, &arena);
        mesh.normals = NULL;
        if (s == moving->broken_sample) {
            mesh.corners[4] = 3;
        }
        CHECK_OK(format->write_mesh(writer, 0, s, &mesh, &error), error);
        CHECK_OK(s == 0 ? format->write_mesh(writer, 1, 0, &mesh, &error) : COIF_OK, error);
    }
    CHECK_OK(format->commit(writer, &error), error);
}

TEST(samples_of_an_archive_animate_a_body)
{
    save_animation("ten.abc", &TEN_FRAMES);
    const coif_body body = load_body("\"mesh\": \"ten.abc\", \"object\": \"skin\"");
    CHECK(body.sequence && coif_body_is_animated(&body) && !body.subframes);
    CHECK(body.sequence_first == 1 && body.sequence_last == 10 && body.rest_frame == 1);
    CHECK(body.rest.group_count == 3 && body.rest.uvs != NULL);
    CHECK_TEXT(body.rest.group_names[1], "base");
    CHECK_NEAR(pose(&body, 1.0).positions[4].y, 1.0, 1e-6);
    CHECK_NEAR(pose(&body, 4.0).positions[4].y, 4.0, 1e-6);
    CHECK_NEAR(pose(&body, 4.25).positions[4].y, 4.25, 1e-6);
    CHECK_NEAR(pose(&body, -5.0).positions[4].y, 1.0, 1e-6); // constant beyond the ends
    CHECK_NEAR(pose(&body, 99.0).positions[4].y, 10.0, 1e-6);
    const coif_mesh moved = pose(&body, 9.0);
    const coif_vec3 expected = coif_normalize((coif_vec3){0.0f, 1.0f, -9.0f});
    CHECK_NEAR(coif_length(coif_sub(moved.normals[6], expected)), 0.0, 1e-5);
}

// The file states y up; the key turns it, in the rest pose and between samples.
TEST(the_up_axis_of_an_archive_is_a_choice)
{
    save_animation("ten.abc", &TEN_FRAMES);
    const coif_body body =
        load_body("\"mesh\": \"ten.abc\", \"object\": \"skin\", \"up_axis\": \"z\"");
    CHECK_NEAR(body.rest.positions[4].z, -1.0, 1e-6);
    CHECK_NEAR(pose(&body, 4.25).positions[4].z, -4.25, 1e-6);
    CHECK_NEAR(pose(&body, 4.25).positions[2].y, 1.0, 1e-6);
}

// Normals of the file turn with its points.
TEST(the_up_axis_of_obj_files_is_a_choice)
{
    static const char text[] = "v 0 0 %d\nv 1 0 %d\nv 0 1 %d\nvn 0 0 1\nf 1//1 2//1 3//1\n";
    coif_error error = {.status = COIF_OK};
    for (int f = 1; f <= 3; ++f) {
        const char *path = coif_test_path(coif_arena_print(&arena, "up.%04d.obj", f));
        const char *obj = coif_arena_print(&arena, text, f, f, f);
        CHECK_OK(coif_file_save(path, obj, strlen(obj), &error), error);
    }
    const coif_body body = load_body("\"mesh\": \"up.####.obj\", \"up_axis\": \"z\"");
    const coif_mesh third = pose(&body, 3.0);
    CHECK_NEAR(body.rest.positions[2].y, 1.0, 1e-6);
    CHECK_NEAR(body.rest.positions[2].z, -1.0, 1e-6);
    CHECK_NEAR(body.rest.normals[0].y, 1.0, 1e-6);
    CHECK_NEAR(third.positions[0].y, 3.0, 1e-6);
    CHECK_NEAR(third.normals[0].y, 1.0, 1e-6);
}

TEST(a_static_archive_is_a_static_body)
{
    save_animation("ten.abc", &TEN_FRAMES);
    const coif_body body = load_body("\"mesh\": \"ten.abc\", \"object\": \"/head/teeth\"");
    CHECK(!body.sequence && !coif_body_is_animated(&body));
    CHECK_NEAR(pose(&body, 7.0).positions[4].y, 1.0, 1e-6);
}

TEST(samples_at_another_rate_keep_their_times)
{
    const animation slow = {0.0, 2.0, 1.0, 'y', 5, -1}; // 12 per second, from frame 0
    save_animation("slow.abc", &slow);
    const coif_body body = load_body("\"mesh\": \"slow.abc\", \"object\": \"skin\"");
    CHECK(body.sequence_first == 0 && body.sequence_last == 8);
    CHECK_NEAR(pose(&body, 4.0).positions[4].y, 3.0, 1e-6);
    CHECK_NEAR(pose(&body, 5.0).positions[4].y, 3.5, 1e-6);
}

TEST(samples_between_frames_are_poses_of_motion_blur)
{
    const animation fine = {1.0, 0.25, 1.0, 'y', 9, -1};
    save_animation("fine.abc", &fine);
    const coif_body body = load_body("\"mesh\": \"fine.abc\", \"object\": \"skin\"");
    CHECK(body.subframes && body.sequence_last == 3);
    const coif_body_interpolation smooth = {.smooth = true, .first = 1};
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK};
    CHECK_OK(coif_body_pose_interpolated(&mesh, &body, &smooth, 1.75, &arena, &error), error);
    CHECK_NEAR(mesh.positions[4].y, 4.0, 1e-5);
}

TEST(units_of_the_file_and_scale_of_the_scene_multiply)
{
    const animation centimetres = {1.0, 1.0, 0.01, 'z', 3, -1};
    save_animation("cm.abc", &centimetres);
    const coif_body body = load_body(
        "\"mesh\": \"cm.abc\", \"object\": \"skin\", \"scale\": 2, \"translate\": [0, 1, 0]");
    CHECK_NEAR(pose(&body, 3.0).positions[4].y, 7.0, 1e-5);
    CHECK_NEAR(body.rest.positions[4].y, 2.0, 1e-6);
}

TEST(any_frame_or_another_archive_is_the_rest_pose)
{
    save_animation("ten.abc", &TEN_FRAMES);
    const animation still = {1.0, 1.0, 1.0, 'y', 1, -1};
    save_animation("still.abc", &still);
    coif_body body = load_body("\"mesh\": \"ten.abc\", \"object\": \"skin\", \"rest_frame\": 6");
    CHECK_NEAR(body.rest.positions[4].y, 6.0, 1e-6);
    CHECK_NEAR(pose(&body, 6.0).positions[4].y, 6.0, 1e-6);
    body = load_body("\"mesh\": \"ten.abc\", \"object\": \"skin\", \"rest\": \"still.abc\"");
    CHECK(body.rest_frame == -1);
    CHECK_NEAR(body.rest.positions[4].y, 1.0, 1e-6);
    CHECK_NEAR(pose(&body, 6.0).positions[4].y, 6.0, 1e-6);
}

TEST(digests_follow_the_content_of_the_samples)
{
    save_animation("ten.abc", &TEN_FRAMES);
    const coif_body body = load_body("\"mesh\": \"ten.abc\", \"object\": \"skin\"");
    uint64_t digests[3];
    coif_error error = {.status = COIF_OK};
    for (int i = 0; i < 3; ++i) {
        CHECK_OK(coif_body_file_digest(&digests[i], &body, 10 * i - 5, &error), error);
    }
    CHECK(digests[0] != digests[1] && digests[1] != digests[2]);
    const animation longer = {1.0, 1.0, 1.0, 'y', 11, -1};
    save_animation("ten.abc", &longer);
    const coif_body again = load_body("\"mesh\": \"ten.abc\", \"object\": \"skin\"");
    uint64_t digest;
    CHECK_OK(coif_body_file_digest(&digest, &again, 5, &error), error);
    CHECK(digest == digests[1]);
}

TEST(what_a_body_cannot_use_is_refused)
{
    save_animation("ten.abc", &TEN_FRAMES);
    expect_refused("\"mesh\": \"ten.abc\"", "object: ");
    expect_refused("\"mesh\": \"ten.abc\"", "more than one mesh (\"/head/skin\", \"/head/teeth\")");
    expect_refused("\"mesh\": \"ten.abc\", \"object\": \"hat\"", "has no mesh hat");
    expect_refused("\"mesh\": \"ten.abc\", \"object\": \"skin\", \"rest_frame\": 11",
                   "11 is not a frame of the sequence, 1 to 10");
    expect_refused("\"mesh\": \"ten.abc\", \"object\": \"teeth\", \"rest_frame\": 2",
                   "an animated archive");
    expect_refused("\"mesh\": \"ten.abc\", \"object\": \"skin\", \"include_groups\": \"ears\"",
                   "no group or material \"ears\"");
}

TEST(a_change_of_topology_is_an_error_of_its_frame)
{
    const animation broken = {1.0, 1.0, 1.0, 'y', 5, 2};
    save_animation("broken.abc", &broken);
    const coif_body body = load_body("\"mesh\": \"broken.abc\", \"object\": \"skin\"");
    coif_mesh mesh;
    coif_error error = {.status = COIF_OK}, between = {.status = COIF_OK};
    pose(&body, 2.0);
    CHECK(coif_body_pose(&mesh, &body, 3.0, &arena, &error) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(error.text, "broken.abc: frame 3: topology");
    CHECK(coif_body_pose(&mesh, &body, 2.5, &arena, &between) == COIF_ERR_FORMAT);
    CHECK_CONTAINS(between.text, "a body keeps its topology");
}

// A grid of 100 x 100 vertices, 240 frames.
enum { SIDE = 100, FRAMES = 240 };

static coif_archive_mesh make_grid(coif_arena *into)
{
    coif_archive_mesh grid = {.vertex_count = SIDE * SIDE,
                              .face_count = (SIDE - 1) * (SIDE - 1),
                              .corner_count = 4 * (SIDE - 1) * (SIDE - 1)};
    grid.positions = coif_arena_new(into, grid.vertex_count, coif_vec3);
    grid.face_sizes = coif_arena_new(into, grid.face_count, int32_t);
    grid.corners = coif_arena_new(into, grid.corner_count, int32_t);
    for (int32_t f = 0; f < grid.face_count; ++f) {
        const int32_t at = f / (SIDE - 1) * SIDE + f % (SIDE - 1);
        const int32_t corners[] = {at, at + 1, at + SIDE + 1, at + SIDE};
        grid.face_sizes[f] = 4;
        memcpy(grid.corners + 4 * f, corners, sizeof corners);
    }
    return grid;
}

static void save_waves(const char *path)
{
    const coif_archive_writer_vtable *format = &COIF_ARCHIVE_WRITE_ALEMBIC;
    const coif_archive_write_desc desc = {.fps = 24.0,
                                          .first_frame = 1.0,
                                          .frame_step = 1.0,
                                          .sample_count = FRAMES,
                                          .meters_per_unit = 1.0,
                                          .up_axis = 'y',
                                          .application = "test"};
    const coif_archive_write_object object = {"/waves", COIF_ARCHIVE_MESH, false, true, NULL};
    coif_archive_mesh grid = make_grid(&arena);
    coif_error error = {.status = COIF_OK};
    coif_archive_writer *writer;
    CHECK_OK(format->create(&writer, path, &desc, &object, 1, &arena, &error), error);
    for (int32_t f = 0; f < FRAMES; ++f) {
        for (int32_t v = 0; v < grid.vertex_count; ++v) {
            grid.positions[v] =
                (coif_vec3){(float)(v % SIDE), sinf((float)(v + f)), (float)(v / SIDE)};
        }
        CHECK_OK(format->write_mesh(writer, 0, f, &grid, &error), error);
    }
    CHECK_OK(format->commit(writer, &error), error);
}

static void add_used(void *sum, const char *name, size_t used, size_t peak)
{
    (void)name, (void)peak;
    *(size_t *)sum += used;
}

static void out_of_memory(size_t requested)
{
    fprintf(stderr, "posing took %zu bytes beyond the limit\n", requested);
    abort();
}

// The limit on all arenas is a small part of the file; passing it would end the program.
TEST(long_animations_take_the_memory_of_a_few_frames)
{
    const char *path = coif_arena_copy_text(&arena, coif_test_path("waves.abc"));
    coif_error error = {.status = COIF_OK};
    coif_file file;
    save_waves(path);
    CHECK_OK(coif_file_open(&file, path, COIF_FILE_READ, &error), error);
    const uint64_t size = file.size;
    coif_file_close(&file);
    CHECK(size > (uint64_t)FRAMES * SIDE * SIDE * sizeof(coif_vec3));
    const coif_body body = load_body("\"mesh\": \"waves.abc\"");
    coif_mesh mesh;
    CHECK_OK(coif_body_pose(&mesh, &body, 1.0, &arena, &error), error);
    size_t used = 0;
    coif_memory_table(add_used, &used);
    coif_memory_setup(out_of_memory, used + size / 3);
    for (int32_t f = 1; f <= FRAMES; ++f) {
        CHECK_OK(coif_body_pose(&mesh, &body, f + 0.5, NULL, &error), error);
    }
    coif_memory_setup(NULL, 0);
    CHECK_NEAR(mesh.positions[7].y, sinf(7.0f + FRAMES - 1), 1e-5);
}
