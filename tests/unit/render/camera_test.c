// Camera: field of view, film offset, focus, aperture, projection matrices, shutter.
#include "render/camera/camera.h"

#include "core/base/rng.h"
#include "render/math/fast_math.h"
#include "render/session/tile_scheduler.h"
#include "tests/support/archive_shapes.h"
#include "tests/support/render_ball.h"
#include "tests/support/render_scene.h"

static coif_arena arena;

static coif_node camera_node(void)
{
    coif_node node = {0};
    coif_values_init(&node.values, COIF_CAMERA_SECTION.params, COIF_CAMERA_SECTION.param_count,
                     &arena);
    return node;
}

// All corners of the bounds are inside the image, and their centre is in its centre.
TEST(the_default_camera_shows_all_bodies)
{
    const coif_node node = camera_node();
    const coif_bounds bounds = {{-0.2f, -0.3f, -0.1f}, {0.2f, 0.2f, 0.15f}};
    const coif_camera camera = coif_camera_at(&node, 1.0, 300, 200, &bounds);
    const coif_ray ray = coif_camera_ray(&camera, 0.5f, 0.5f, (coif_vec2){0.5f, 0.5f});
    CHECK_NEAR(coif_length(coif_sub(ray.direction, camera.forward)), 0.0, 1e-6);
    for (int corner = 0; corner < 8; ++corner) {
        const coif_vec3 p = {corner & 1 ? bounds.low.x : bounds.high.x,
                             corner & 2 ? bounds.low.y : bounds.high.y,
                             corner & 4 ? bounds.low.z : bounds.high.z};
        const coif_vec3 offset = coif_sub(p, camera.origin);
        const float depth = coif_dot(offset, camera.forward);
        CHECK(depth > 0.0f);
        CHECK(fabsf(coif_dot(offset, camera.right)) < depth * camera.half_width);
        CHECK(fabsf(coif_dot(offset, camera.up)) < depth * camera.half_height);
    }
    CHECK(camera.origin.z > 0.0f); // from the front
    CHECK_NEAR(camera.half_width / camera.half_height, 1.5, 1e-6);
}

TEST(image_axes_point_right_and_down)
{
    const coif_node node = camera_node();
    const coif_bounds bounds = {{-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f}};
    const coif_camera camera = coif_camera_at(&node, 1.0, 200, 200, &bounds);
    const coif_vec2 lens = {0.0f, 0.0f};
    const coif_ray top = coif_camera_ray(&camera, 0.5f, 0.0f, lens);
    const coif_ray bottom = coif_camera_ray(&camera, 0.5f, 1.0f, lens);
    const coif_ray right = coif_camera_ray(&camera, 1.0f, 0.5f, lens);
    CHECK(top.direction.y > bottom.direction.y);
    CHECK(coif_dot(right.direction, camera.right) > 0.0f);
    const float angle = acosf(coif_dot(top.direction, bottom.direction)) * 57.2957795f;
    CHECK_NEAR(angle, 28.0, 1e-3);
}

TEST(rays_of_an_image_point_intersect_in_the_focal_plane)
{
    const coif_node node = camera_node();
    const coif_bounds bounds = {{-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f}};
    coif_camera camera = coif_camera_at(&node, 1.0, 200, 200, &bounds);
    camera.lens_radius = 0.05f;
    camera.focus_distance = 1.3f;
    coif_vec3 meeting = {0};
    for (uint64_t i = 0; i < 50; ++i) {
        const coif_vec2 lens = {coif_random_unit(14, i, 0), coif_random_unit(14, i, 1)};
        const coif_ray ray = coif_camera_ray(&camera, 0.3f, 0.8f, lens);
        const float along = 1.3f / coif_dot(ray.direction, camera.forward);
        const float back =
            coif_dot(coif_sub(ray.origin, camera.origin), camera.forward); // 0: lens is flat
        const coif_vec3 p = coif_mad(ray.origin, along, ray.direction);
        CHECK_NEAR(back, 0.0, 1e-6);
        CHECK(i == 0 || coif_length(coif_sub(p, meeting)) < 1e-5f);
        meeting = p;
    }
}

static const coif_bounds BOUNDS = {{-0.2f, -0.2f, -0.2f}, {0.2f, 0.2f, 0.2f}};

// The camera of the ball scene with values changed.
static coif_camera camera_with(const char *const *sets, int32_t count, double frame)
{
    const coif_scene *scene = ball_scene(sets, count, &arena);
    return coif_camera_at(coif_node_at(scene->root, "camera"), frame, 300, 200, &BOUNDS);
}

// 36 mm of film and 50 mm of focal length cover 36 / 50 of the distance horizontally for any aspect
// ratio; 24 mm of height likewise vertically.
TEST(film_size_and_focal_length_give_the_field_of_view)
{
    static const char *const wide[] = {"camera/focal_length=50", "camera/film_width=36"};
    const coif_camera camera = camera_with(wide, 2, 1.0);
    CHECK_NEAR(camera.half_width, 0.36, 1e-6);
    CHECK_NEAR(camera.half_height, 0.24, 1e-6);
    static const char *const high[] = {"camera/focal_length=50", "camera/film_height=20"};
    CHECK_NEAR(camera_with(high, 2, 1.0).half_height, 0.2, 1e-6);
    static const char *const open[] = {"camera/focal_length=50", "camera/film_width=36",
                                       "camera/f_stop=2"};
    CHECK_NEAR(camera_with(open, 3, 1.0).lens_radius, 0.0125, 1e-7);
}

// A film of 36 x 24 mm at 50 mm with an offset of 9 mm is shifted by 9 / 50 of the distance to the
// right and covers the corner of a larger film. The focal plane stays.
TEST(a_film_offset_is_a_crop_of_a_larger_film)
{
    static const char *const shifted[] = {"camera/focal_length=50", "camera/film_width=36",
                                          "camera/f_stop=2", "camera/film_offset_x=9",
                                          "camera/film_offset_y=6"};
    static const char *const large[] = {"camera/focal_length=50", "camera/film_width=54",
                                        "camera/f_stop=2"};
    const coif_camera a = camera_with(shifted, 5, 1.0), b = camera_with(large, 3, 1.0);
    CHECK_NEAR(a.shift_x, 0.18, 1e-6);
    CHECK_NEAR(a.lens_radius, b.lens_radius, 1e-7);
    // 36 x 24 of 54 x 36 in its upper right corner: a third of the width is missing at the left.
    for (uint64_t i = 0; i < 20; ++i) {
        const float x = coif_random_unit(15, i, 0), y = coif_random_unit(15, i, 1);
        const coif_vec2 lens = {coif_random_unit(15, i, 2), coif_random_unit(15, i, 3)};
        const coif_ray part = coif_camera_ray(&a, x, y, lens);
        const coif_ray whole = coif_camera_ray(&b, (1.0f + 2.0f * x) / 3.0f, 2.0f * y / 3.0f, lens);
        CHECK_NEAR(coif_length(coif_sub(part.direction, whole.direction)), 0.0, 1e-6);
        coif_vec2 seen;
        CHECK(coif_camera_project(
            &a,
            coif_mad(a.origin, 2.0f, coif_camera_ray(&a, x, y, (coif_vec2){0.0f, 0.0f}).direction),
            &seen));
        CHECK_NEAR(seen.x, x, 1e-5);
        CHECK_NEAR(seen.y, y, 1e-5);
    }
}

TEST(orthographic_rays_are_parallel_at_pixel_distance)
{
    static const char *const sets[] = {"camera/projection=orthographic", "camera/ortho_height=0.4",
                                       "camera/f_stop=1"};
    const coif_camera camera = camera_with(sets, 3, 1.0);
    const coif_vec2 lens = {0.9f, 0.3f};
    const coif_ray a = coif_camera_ray(&camera, 0.25f, 0.0f, lens);
    const coif_ray b = coif_camera_ray(&camera, 0.75f, 1.0f, lens);
    CHECK_NEAR(coif_dot(a.direction, b.direction), 1.0, 1e-6);
    CHECK_NEAR(coif_dot(coif_sub(b.origin, a.origin), camera.right), 0.3, 1e-6);
    CHECK_NEAR(coif_dot(coif_sub(a.origin, b.origin), camera.up), 0.4, 1e-6);
    CHECK_NEAR(camera.pixel_angle, 0.002, 1e-7);
    // Without a height it shows all bodies.
    const coif_camera all = camera_with(sets, 1, 1.0);
    CHECK(all.half_height > 0.3464f && all.half_height < 0.4f);
}

// A row vector times a matrix.
static void transform_row(const double matrix[16], coif_vec3 p, double to[4])
{
    for (int i = 0; i < 4; ++i) {
        to[i] = p.x * matrix[i] + p.y * matrix[4 + i] + p.z * matrix[8 + i] + matrix[12 + i];
    }
}

TEST(exr_matrices_project_as_the_camera)
{
    static const char *const sets[] = {"camera/position=[0.3, 0.2, 0.9]", "camera/up=[0.2, 1, 0]",
                                       "camera/film_offset_x=3", "camera/film_offset_y=-2",
                                       "camera/projection=orthographic"};
    for (int32_t count = 4; count <= 5; ++count) {
        const coif_camera camera = camera_with(sets, count, 1.0);
        const coif_camera_matrices matrices = coif_camera_matrices_of(&camera);
        const coif_vec3 p = {0.11f, -0.07f, 0.05f};
        const double depth = (double)coif_dot(coif_sub(p, camera.origin), camera.forward);
        double own[4], seen[4];
        transform_row(matrices.to_camera, p, own);
        transform_row(matrices.to_ndc, p, seen);
        coif_vec2 pixel;
        CHECK(coif_camera_project(&camera, p, &pixel));
        CHECK_NEAR(own[0], coif_dot(coif_sub(p, camera.origin), camera.right), 1e-6);
        CHECK_NEAR(own[1], coif_dot(coif_sub(p, camera.origin), camera.up), 1e-6);
        CHECK_NEAR(own[2], depth, 1e-6);
        CHECK_NEAR(seen[0] / seen[3], pixel.x, 1e-5);
        CHECK_NEAR(seen[1] / seen[3], pixel.y, 1e-5);
        CHECK_NEAR(seen[2] / seen[3], count == 4 ? 1.0 / depth : depth, 1e-5);
    }
}

TEST(the_focus_point_is_in_focus)
{
    static const char *const sets[] = {"camera/position=[0,0,2]", "camera/look_at=[0,0,0]",
                                       "camera/focus_point=[0.3,0.2,0.5]"};
    CHECK_NEAR(camera_with(sets, 3, 1.0).focus_distance, 1.5, 1e-6);
    CHECK_NEAR(camera_with(sets, 2, 1.0).focus_distance, 2.0, 1e-6);
    static const char *const keyed[] = {"camera/focus_distance={\"keys\": [[1, 1.0], [3, 2.0]]}"};
    CHECK_NEAR(camera_with(keyed, 1, 2.0).focus_distance, 1.5, 1e-6);
}

// The distance to look_at, the image of look_at and the height stay; the camera is at the side
// after a quarter turn, with a tilted up direction that turns along.
TEST(an_orbit_turns_the_camera_about_the_vertical_axis_through_look_at)
{
    static const char *const sets[] = {"camera/position=[0.1,0.4,1.2]",
                                       "camera/look_at=[0.1,0.2,0.2]", "camera/up=[0.3,1,0]",
                                       "camera/orbit=90"};
    const coif_camera front = camera_with(sets, 3, 1.0), side = camera_with(sets, 4, 1.0);
    const coif_vec3 from = {1.1f, 0.4f, 0.2f};
    CHECK_NEAR(coif_length(coif_sub(side.origin, from)), 0.0, 1e-6);
    CHECK_NEAR(side.focus_distance, front.focus_distance, 1e-6);
    const coif_vec3 up = {front.up.z, front.up.y, -front.up.x};
    CHECK_NEAR(coif_length(coif_sub(side.up, up)), 0.0, 1e-6);
    coif_vec2 seen;
    CHECK(coif_camera_project(&side, (coif_vec3){0.1f, 0.2f, 0.2f}, &seen));
    CHECK_NEAR(seen.x, 0.5, 1e-6);
    CHECK_NEAR(seen.y, 0.5, 1e-6);
    static const char *const keyed[] = {"camera/orbit={\"keys\": [[1, 0], [5, 360]]}"};
    const coif_camera first = camera_with(keyed, 1, 1.0), last = camera_with(keyed, 1, 5.0);
    const coif_camera half = camera_with(keyed, 1, 3.0);
    CHECK_NEAR(coif_length(coif_sub(first.origin, last.origin)), 0.0, 1e-5);
    CHECK(coif_dot(first.forward, half.forward) < -0.5f);
}

// A keyed camera stands still; its orbit advances by 10 degrees from image to image and by 5 over
// half a frame of open shutter.
TEST(a_turntable_freezes_the_camera_and_turns_it_by_equal_angles)
{
    static const char *const sets[] = {"camera/position={\"keys\": [[1, [0,0,1]], [11, [0,0,2]]]}",
                                       "camera/look_at=[0,0,0]", "camera/orbit=20",
                                       "camera/shutter_close=0.5"};
    const coif_node *node = coif_node_at(ball_scene(sets, 4, &arena)->root, "camera");
    for (int32_t image = 0; image < 36; image += 7) {
        const coif_node *turned = coif_camera_turntable(node, 6.0, image, 36, &arena);
        const coif_shutter shutter = coif_shutter_at(turned, 6.0);
        for (int32_t step = 0; step < 2; ++step) {
            const double angle = (20.0 + 10.0 * image + 5.0 * step) * 0.01745329252;
            const coif_camera camera =
                coif_camera_at(turned, coif_shutter_step(&shutter, step), 30, 20, &BOUNDS);
            CHECK_NEAR(camera.origin.x, 1.5 * sin(angle), 2e-5);
            CHECK_NEAR(camera.origin.z, 1.5 * cos(angle), 2e-5);
        }
    }
}

// Samples are uniform over a regular polygon: inside, up to the corners, mean 0, and mean r^2 of
// R^2 (2 + cos(2 pi / n)) / 6.
TEST(aperture_blades_sample_a_regular_polygon)
{
    for (int blades = 3; blades <= 9; blades += 3) {
        coif_camera camera = camera_with(NULL, 0, 1.0);
        camera.lens_radius = 0.01f;
        camera.blades = blades;
        camera.blade_rotation = 0.1f;
        enum { SIDE = 200 };
        const double n = blades, step = 6.283185307 / n;
        const double corner = 0.01 * sqrt(6.283185307 / (n * sin(step)));
        double x = 0.0, y = 0.0, square = 0.0, furthest = 0.0, beyond = 0.0;
        for (int i = 0; i < SIDE * SIDE; ++i) {
            const coif_vec2 lens = {((float)(i % SIDE) + 0.5f) / SIDE,
                                    ((float)(i / SIDE) + 0.5f) / SIDE};
            const coif_ray ray = coif_camera_ray(&camera, 0.5f, 0.5f, lens);
            const coif_vec3 shift = coif_sub(ray.origin, camera.origin);
            const double a = coif_dot(shift, camera.right), b = coif_dot(shift, camera.up);
            x += a / (SIDE * SIDE);
            y += b / (SIDE * SIDE);
            square += (a * a + b * b) / (SIDE * SIDE);
            furthest = fmax(furthest, sqrt(a * a + b * b));
            for (int side = 0; side < blades; ++side) {
                const double angle = 6.283185307 * 0.1 + (side + 0.5) * step;
                const double out = a * cos(angle) + b * sin(angle);
                beyond = fmax(beyond, out - corner * cos(0.5 * step));
            }
        }
        CHECK_NEAR(x, 0.0, 2e-5);
        CHECK_NEAR(y, 0.0, 2e-5);
        CHECK_NEAR(square / (corner * corner * (2.0 + cos(step)) / 6.0), 1.0, 1e-2);
        CHECK_NEAR(furthest / corner, 1.0, 0.01);
        CHECK(beyond < 1e-6);
    }
}

TEST(there_is_no_motion_blur_by_default)
{
    const coif_node *camera = coif_node_at(ball_scene(NULL, 0, &arena)->root, "camera");
    const coif_shutter still = coif_shutter_at(camera, 7);
    CHECK(still.steps == 1 && still.open == 7.0 && still.close == 7.0);
    static const char *const sets[] = {"camera/shutter_open=-0.25", "camera/shutter_close=0.25",
                                       "camera/motion_steps=3"};
    camera = coif_node_at(ball_scene(sets, 3, &arena)->root, "camera");
    const coif_shutter shutter = coif_shutter_at(camera, 7);
    CHECK(shutter.steps == 3);
    CHECK_NEAR(coif_shutter_step(&shutter, 0), 6.75, 1e-9);
    CHECK_NEAR(coif_shutter_step(&shutter, 1), 7.0, 1e-9);
    CHECK_NEAR(coif_shutter_step(&shutter, 2), 7.25, 1e-9);
}

// One ball behind the focal plane; the caller closes the accel.
static void make_scene(coif_render_scene *render_scene, coif_mesh *ball,
                       const coif_surface_material *material)
{
    coif_error error = {0};
    ball_mesh(ball, 0.1f, &arena);
    *render_scene = (coif_render_scene){.geometry_count = 1, .transparent = true};
    render_scene->geometries = coif_arena_new(&arena, 1, coif_geometry);
    render_scene->geometries[0] = (coif_geometry){.mesh = ball, .materials = material};
    const coif_accel_desc desc = {.isa = "auto", .threads = 1};
    CHECK_OK(coif_accel_open(&render_scene->accel, &desc, &arena, &error), error);
    CHECK_OK(coif_accel_add_mesh(render_scene->accel, ball, 1, &error), error);
    CHECK_OK(coif_accel_build(render_scene->accel, NULL, &error), error);
}

// Fraction of lens points, on a grid, from which a pixel sees the ball.
static double visible_lens_fraction(const coif_render_scene *render_scene, int x, int y)
{
    enum { SIDE = 16 };
    int seen = 0;
    for (int i = 0; i < SIDE * SIDE * 4; ++i) {
        const coif_vec2 lens = {((float)(i / 4 % SIDE) + 0.5f) / SIDE,
                                ((float)(i / 4 / SIDE) + 0.5f) / SIDE};
        const float px = (float)x + 0.25f + 0.5f * (float)(i & 1);
        const float py = (float)y + 0.25f + 0.25f * (float)(i & 2);
        const coif_ray ray = coif_camera_ray(&render_scene->camera, px / 24.0f, py / 24.0f, lens);
        seen += coif_accel_occluded(render_scene->accel, &ray);
    }
    return seen / (double)(SIDE * SIDE * 4);
}

TEST(depth_of_field_is_the_average_over_lens_points)
{
    static const char *const sets[] = {"camera/position=[0,0,1]",   "camera/look_at=[0,0,0]",
                                       "camera/focus_distance=0.5", "camera/f_stop=0.35",
                                       "camera/aperture_blades=5",  "camera/fov=30"};
    const coif_scene *scene = ball_scene(sets, 6, &arena);
    coif_render_scene render_scene;
    coif_mesh ball;
    coif_error error = {0};
    const coif_surface_material material = {
        .surface = {.color = {0.5f, 0.5f, 0.5f}, .roughness = 1.0f}};
    make_scene(&render_scene, &ball, &material);
    render_scene.camera = coif_camera_at(coif_node_at(scene->root, "camera"), 1.0, 24, 24, &BOUNDS);
    const coif_sampling_params sampling = {.samples = 256, .filter = COIF_FILTER_BOX};
    coif_film film;
    coif_film_init(&film, &(coif_film_desc){.width = 24, .height = 24}, &arena);
    const coif_tile_pass desc = {.scene = &render_scene, .sampling = &sampling, .transparent = 1};
    CHECK_OK(coif_tiles_render_pass(&film, &desc, NULL, NULL, &error), error);
    double square = 0.0;
    int soft = 0;
    for (int i = 0; i < 24 * 24; ++i) {
        const double wanted = visible_lens_fraction(&render_scene, i % 24, i / 24);
        const double found = film.sums[i * film.aovs.stride + 3] / film.counts[i];
        square += (found - wanted) * (found - wanted) / (24 * 24);
        soft += wanted > 0.05 && wanted < 0.95;
    }
    CHECK(soft > 100); // the edge is blurred
    CHECK_NEAR(sqrt(square), 0.0, 0.012);
    coif_accel_close(render_scene.accel);
}

static const coif_section *const CAMERA_CHILDREN[] = {&COIF_CAMERA_SECTION, NULL};
static const coif_section CAMERA_ROOT = {
    .name = "", .help = "a scene", .children = CAMERA_CHILDREN};

static coif_status load_camera(coif_scene *scene, const char *members, coif_error *error)
{
    const char *path = coif_arena_copy_text(&arena, coif_test_path("camera.json"));
    const char *text = coif_arena_print(&arena, "{\"camera\": {%s}}", members);
    const coif_scene_desc desc = {
        .path = path, .tree = &CAMERA_ROOT, .source = text, .source_size = strlen(text)};
    return coif_scene_load(scene, &desc, &arena, error);
}

// Ten frames that pan along x and zoom, see archive_camera.
static void save_cameras(void)
{
    const coif_archive_writer_vtable *format = &COIF_ARCHIVE_WRITE_ALEMBIC;
    const coif_archive_write_desc desc = {.fps = 24.0,
                                          .first_frame = 1.0,
                                          .frame_step = 1.0,
                                          .sample_count = 10,
                                          .meters_per_unit = 0.01,
                                          .up_axis = 'z',
                                          .application = "test"};
    const coif_archive_write_object object = {"/shot/cam", COIF_ARCHIVE_CAMERA, false, true, NULL};
    const char *path = coif_test_path("cam.abc");
    coif_error error = {0};
    coif_archive_writer *writer;
    CHECK_OK(format->create(&writer, path, &desc, &object, 1, &arena, &error), error);
    for (int32_t f = 0; f < 10; ++f) {
        const coif_archive_camera camera = archive_camera((float)f);
        CHECK_OK(format->write_camera(writer, 0, f, &camera, &error), error);
    }
    CHECK_OK(format->commit(writer, &error), error);
}

TEST(a_camera_of_an_archive_moves_and_zooms)
{
    const coif_bounds bounds = {{-1, -1, -1}, {1, 1, 1}};
    coif_scene scene;
    coif_error error = {0};
    save_cameras();
    CHECK_OK(
        load_camera(&scene, "\"file\": \"cam.abc\", \"object\": \"cam\", \"f_stop\": 4", &error),
        error);
    for (int f = 0; f < 10; ++f) {
        const coif_camera camera =
            coif_camera_at(coif_node_at(scene.root, "camera"), 1.0 + f, 1600, 900, &bounds);
        CHECK_NEAR(coif_length(coif_sub(camera.origin, (coif_vec3){(float)f, 1.5f, 3})), 0, 1e-5);
        CHECK_NEAR(coif_length(coif_sub(camera.forward, (coif_vec3){-1, 0, 0})), 0, 1e-5);
        CHECK_NEAR(coif_length(coif_sub(camera.up, (coif_vec3){0, 1, 0})), 0, 1e-5);
        CHECK_NEAR(camera.half_width, 18.0 / (50.0 + f), 1e-5);
        CHECK_NEAR(camera.shift_x, 1.5 / (50.0 + f), 1e-5);
        CHECK_NEAR(camera.focus_distance, 2.5, 1e-5);
        CHECK(camera.lens_radius > 0.0f);
    }
    const coif_camera between =
        coif_camera_at(coif_node_at(scene.root, "camera"), 4.5, 1600, 900, &bounds);
    CHECK_NEAR(between.origin.x, 3.5, 1e-5);
}

TEST(keys_of_the_scene_take_precedence_over_the_camera_file)
{
    const coif_bounds bounds = {{-1, -1, -1}, {1, 1, 1}};
    coif_scene scene;
    coif_error error = {0};
    save_cameras();
    CHECK_OK(
        load_camera(&scene, "\"file\": \"cam.abc\", \"position\": [0, 0, 9], \"fov\": 90", &error),
        error);
    const coif_camera camera =
        coif_camera_at(coif_node_at(scene.root, "camera"), 5.0, 1000, 1000, &bounds);
    CHECK(camera.origin.z == 9.0f);
    CHECK_NEAR(camera.half_height, 1.0, 1e-5);
    CHECK(load_camera(&scene, "\"file\": \"cam.abc\", \"object\": \"dog\"", &error) ==
          COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "/camera/object: ");
    CHECK_CONTAINS(error.text, "has no camera dog (\"/shot/cam/cam\")");
}

TEST(unit_and_up_axis_of_a_camera_file_are_choices)
{
    const coif_bounds bounds = {{-1, -1, -1}, {1, 1, 1}};
    coif_scene scene;
    coif_error error = {0};
    save_cameras();
    CHECK_OK(load_camera(&scene,
                         "\"file\": \"cam.abc\", \"file_up_axis\": \"y\", \"file_scale\": 2",
                         &error),
             error);
    const coif_camera camera =
        coif_camera_at(coif_node_at(scene.root, "camera"), 5.0, 1600, 900, &bounds);
    CHECK_NEAR(coif_length(coif_sub(camera.origin, (coif_vec3){8, -6, 3})), 0, 1e-5);
    CHECK_NEAR(coif_length(coif_sub(camera.forward, (coif_vec3){-1, 0, 0})), 0, 1e-5);
    CHECK_NEAR(coif_length(coif_sub(camera.up, (coif_vec3){0, 0, 1})), 0, 1e-5);
    CHECK_NEAR(camera.focus_distance, 5.0, 1e-5);
}
