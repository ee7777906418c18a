// Motion blur, and strands between cached frames.
#include "core/base/jobs.h"
#include "core/base/rng.h"
#include "core/body/body.h"
#include "core/hair/frame_cache.h"
#include "core/image/image.h"
#include "render/build/strand_time.h"
#include "tests/support/render_scene.h"

#include <unistd.h>

static coif_arena arena;

enum { COUNT = 300, LENGTH = 6 };

#define TURN   "bodies/ball/rotate={\"keys\": [[1, [0, 0, 0]], [2, [0, 24, 0]]]}"
#define TRAVEL "camera/position={\"keys\": [[1, [0, 0.15, 0.5]], [2, [0.06, 0.15, 0.5]]]}"

static coif_vec3 rotated(coif_vec3 p, float degrees)
{
    const float a = degrees * 0.01745329252f;
    return (coif_vec3){cosf(a) * p.x + sinf(a) * p.z, p.y, cosf(a) * p.z - sinf(a) * p.x};
}

// Straight hair on the ball of the scene, rooted in its triangles.
static void make_groom(coif_groom *groom, const coif_mesh *mesh)
{
    coif_error error = {0};
    int32_t lengths[COUNT];
    for (int32_t s = 0; s < COUNT; ++s) {
        lengths[s] = LENGTH;
    }
    CHECK_OK(coif_groom_init(groom, lengths, COUNT, &arena, &error), error);
    for (int32_t s = 0; s < COUNT; ++s) {
        const int32_t triangle = (int32_t)(((int64_t)s * 7919) % mesh->triangle_count);
        groom->root_triangle[s] = triangle;
        groom->root_barycentric[2 * s] = groom->root_barycentric[2 * s + 1] = 0.33f;
        const coif_surface_point root = coif_mesh_at(mesh, triangle, 0.33f, 0.33f);
        for (int k = 0; k < LENGTH; ++k) {
            const coif_vec3 p = coif_mad(root.position, 0.012f * (float)k, root.normal);
            groom->rest.points[s * LENGTH + k] = (coif_vec4){p.x, p.y, p.z, 0.0012f};
        }
        groom->random[s] = coif_random_word(1, (uint64_t)s, 9);
    }
    groom->mesh_digest = coif_mesh_topology_digest(mesh);
    CHECK_OK(coif_groom_save(groom, coif_test_path("hair.groom"), &error), error);
}

// A frame of hair that rotates with the ball, at 24 frames per second, optionally with velocities.
static void save_frame(const coif_groom *groom, int frame, bool velocities)
{
    coif_error error = {0};
    coif_strands strands = groom->rest;
    strands.points = coif_arena_new(&arena, strands.point_count, coif_vec4);
    if (velocities) {
        strands.velocities = coif_arena_new(&arena, strands.point_count, coif_vec3);
    }
    for (int32_t i = 0; i < strands.point_count; ++i) {
        const coif_vec4 rest = groom->rest.points[i];
        const coif_vec3 p = rotated(coif_vec4_xyz(rest), 24.0f * (float)(frame - 1));
        strands.points[i] = (coif_vec4){p.x, p.y, p.z, rest.w};
        if (velocities) {
            const float speed = 24.0f * 24.0f * 0.01745329252f; // radians per second
            strands.velocities[i] = (coif_vec3){speed * p.z, 0.0f, -speed * p.x};
        }
    }
    const coif_frame_cache_desc desc = {.frame = frame};
    const char *path = coif_test_path(coif_arena_print(&arena, "hair.%04d.strands", frame));
    CHECK_OK(coif_frame_cache_save(&strands, groom, &desc, path, &error), error);
}

static void make_cache(coif_groom *groom, bool second, bool velocities)
{
    coif_error error = {0};
    coif_mesh mesh;
    CHECK_OK(coif_mesh_load(&mesh, coif_test_source("scenes/assets/ball.obj"),
                            &COIF_MESH_ALL_TRIANGLES, &arena, &error),
             error);
    make_groom(groom, &mesh);
    save_frame(groom, 1, velocities);
    unlink(coif_test_path("hair.0002.strands"));
    if (second) {
        save_frame(groom, 2, velocities);
    }
}

// Frame 1 of the scene, with some values changed.
static coif_render_desc describe_frame(const char *const *sets, int32_t count)
{
    return (coif_render_desc){.source.scene = ball_scene(sets, count, &arena),
                              .source.cache = coif_test_folder(),
                              .folder = coif_test_folder(),
                              .source.format = "exr",
                              .frames = {.first = 1, .last = 1, .step = 1},
                              .overwrite = true,
                              .source.isa = "sse4.2"};
}

static coif_image render_frame(const coif_render_desc *desc, int threads)
{
    coif_error error = {0};
    coif_jobs *jobs;
    CHECK_OK(coif_jobs_open(&jobs, threads, &arena, &error), error);
    CHECK_OK(coif_render_frames(desc, jobs, NULL, &error), error);
    coif_jobs_close(jobs);
    coif_image image = {0};
    CHECK_OK(coif_image_load(&image, coif_test_path("render0001.exr"), &arena, &error), error);
    return image;
}

static coif_image render_image(const char *const *sets, int32_t count)
{
    const coif_render_desc desc = describe_frame(sets, count);
    return render_frame(&desc, 2);
}

enum { SIZE = 32, STILLS = 16, MAX_SETS = 12 };

// Overrides of a scene where everything moves.
static int32_t list_sets(const char *sets[MAX_SETS], int samples)
{
    static const char *const common[] = {"lights/0/intensity=0",
                                         "lights/1/intensity=0",
                                         "image/width=32",
                                         "image/height=32",
                                         "image/write_aovs=false",
                                         "image/filter=box",
                                         TURN,
                                         TRAVEL};
    memcpy(sets, common, sizeof common);
    sets[8] = coif_arena_print(&arena, "image/samples=%d", samples);
    return 9;
}

static double difference(const float *a, const float *b)
{
    double sum = 0.0;
    for (int i = 0; i < SIZE * SIZE; ++i) {
        for (int c = 0; c < 3; ++c) {
            const double gap = a[4 * i + c] - b[4 * i + c];
            sum += gap * gap / (b[4 * i + c] * b[4 * i + c] + 0.01) / (3 * SIZE * SIZE);
        }
    }
    return sum;
}

// Hair, body and camera move. The tolerance on the mean of (a - b)^2 / (b^2 + 0.01) is the
// remaining noise; an image without blur differs far more.
TEST(motion_blur_is_the_average_of_stills)
{
    coif_groom groom;
    make_cache(&groom, true, false);
    const char *sets[MAX_SETS];
    float *average = coif_arena_new(&arena, 4 * SIZE * SIZE, float);
    coif_image first = {0};
    for (int i = 0; i < STILLS; ++i) {
        const int32_t count = list_sets(sets, 16);
        const double time = 0.8 * (i + 0.5) / STILLS;
        sets[count] = coif_arena_print(&arena, "camera/shutter_open=%.9f", time);
        sets[count + 1] = coif_arena_print(&arena, "image/seed=%d", i + 1);
        const coif_image still = render_image(sets, count + 2);
        for (int k = 0; k < 4 * SIZE * SIZE; ++k) {
            average[k] += still.pixels[k] / STILLS;
        }
        first = i == 0 ? still : first;
    }
    const int32_t count = list_sets(sets, 256);
    sets[count] = "camera/shutter_close=0.8";
    sets[count + 1] = "camera/motion_steps=5";
    const coif_image blurred = render_image(sets, count + 2);
    const double gap = difference(blurred.pixels, average);
    CHECK_NEAR(gap, 0.0, 1.5e-3);
    CHECK(difference(first.pixels, average) > 5.0 * gap);
}

static double differing_pixels(const coif_image *a, const coif_image *b)
{
    double worst = 0.0;
    for (int i = 0; i < 4 * SIZE * SIZE; ++i) {
        worst = fmax(worst, fabs((double)a->pixels[i] - (double)b->pixels[i]));
    }
    return worst;
}

// Three motion steps, a polygonal aperture, minimum pixel width of 2.
TEST(blurred_images_do_not_depend_on_threads_and_little_on_compactness)
{
    coif_groom groom;
    make_cache(&groom, true, false);
    const char *sets[MAX_SETS + 4];
    int32_t count = list_sets(sets, 4);
    sets[count++] = "camera/shutter_close=0.5";
    sets[count++] = "camera/motion_steps=3";
    sets[count++] = "camera/f_stop=1";
    sets[count++] = "camera/aperture_blades=5";
    sets[count++] = "image/min_pixel_width=2";
    coif_render_desc desc = describe_frame(sets, count);
    const coif_image one = render_frame(&desc, 1), three = render_frame(&desc, 3);
    CHECK(differing_pixels(&one, &three) == 0.0);
    desc.source.compact = true;
    const coif_image compact = render_frame(&desc, 2);
    CHECK_NEAR(difference(compact.pixels, one.pixels), 0.0, 0.01);
    double light = 0.0;
    for (int i = 0; i < SIZE * SIZE; ++i) {
        light += one.pixels[4 * i + 1] / (SIZE * SIZE);
    }
    const coif_image plain = render_image(sets, count - 1);
    double wanted = 0.0;
    for (int i = 0; i < SIZE * SIZE; ++i) {
        wanted += plain.pixels[4 * i + 1] / (SIZE * SIZE);
    }
    CHECK_NEAR(light / wanted, 1.0, 0.06);
}

// An image rendered without the next frame is rendered again when that exists.
TEST(a_new_neighbour_frame_makes_the_image_outdated)
{
    coif_groom groom;
    make_cache(&groom, false, true);
    const char *sets[MAX_SETS];
    int32_t count = list_sets(sets, 4);
    sets[count++] = "camera/shutter_close=0.9";
    coif_render_desc desc = describe_frame(sets, count);
    desc.overwrite = false;
    const coif_image before = render_frame(&desc, 2);
    make_cache(&groom, true, true);
    const coif_image after = render_frame(&desc, 2);
    CHECK(differing_pixels(&before, &after) > 0.0);
}

static coif_body ball_body(const coif_scene *scene)
{
    coif_error error = {0};
    coif_body *bodies;
    int32_t count;
    CHECK_OK(coif_bodies_load(&bodies, &count, scene, &arena, &error), error);
    return bodies[0];
}

// Largest distance to the strands of a rotated ball.
static double max_distance(const coif_strands *strands, const coif_groom *groom, float degrees,
                           bool roots)
{
    double worst = 0.0;
    for (int32_t i = 0; i < strands->point_count; i += roots ? LENGTH : 1) {
        const coif_vec3 wanted = rotated(coif_vec4_xyz(groom->rest.points[i]), degrees);
        worst = fmax(worst, coif_length(coif_sub(coif_vec4_xyz(strands->points[i]), wanted)));
    }
    return worst;
}

static coif_strand_time_desc describe(const coif_groom *groom, const coif_body *body, double time)
{
    return (coif_strand_time_desc){.groom = groom,
                                   .cache = coif_test_folder(),
                                   .name = "hair",
                                   .frame = 1,
                                   .time = time,
                                   .frame_seconds = 1.0 / 24.0,
                                   .body = body};
}

// Linear interpolation alone would move roots 2 mm into a ball that rotates by 24 degrees.
TEST(roots_stay_on_a_rotating_body)
{
    static const char *const sets[] = {TURN};
    coif_groom groom;
    make_cache(&groom, true, false);
    const coif_body body = ball_body(ball_scene(sets, 1, &arena));
    coif_error error = {0};
    for (int i = 0; i <= 4; ++i) {
        coif_strands strands;
        const coif_strand_time_desc desc = describe(&groom, &body, 1.0 + 0.25 * i);
        CHECK_OK(coif_strands_at_time(&strands, &desc, &arena, &error), error);
        CHECK_NEAR(max_distance(&strands, &groom, 6.0f * (float)i, true), 0.0, 1e-6);
        CHECK_NEAR(max_distance(&strands, &groom, 6.0f * (float)i, false), 0.0, 1.4e-3);
    }
}

// A single frame is extrapolated by velocities, or without them by its roots.
TEST(a_single_frame_is_extrapolated_by_velocities)
{
    static const char *const sets[] = {TURN};
    coif_groom groom;
    make_cache(&groom, false, true);
    const coif_body turning = ball_body(ball_scene(sets, 1, &arena));
    const coif_body still = ball_body(ball_scene(NULL, 0, &arena));
    coif_error error = {0};
    coif_strands strands;
    for (int i = -1; i <= 1; i += 2) {
        // A tenth of a frame: 2.4 degrees, off the circle by 0.16 m * 0.042^2 / 2.
        const coif_strand_time_desc free = describe(&groom, &still, 1.0 + 0.1 * i);
        CHECK_OK(coif_strands_at_time(&strands, &free, &arena, &error), error);
        CHECK_NEAR(max_distance(&strands, &groom, 2.4f * (float)i, false), 0.0, 1.6e-4);
    }
    const coif_strand_time_desc later = describe(&groom, &turning, 1.25);
    CHECK_OK(coif_strands_at_time(&strands, &later, &arena, &error), error);
    CHECK_NEAR(max_distance(&strands, &groom, 6.0f, true), 0.0, 1e-6);

    make_cache(&groom, false, false);
    CHECK_OK(coif_strands_at_time(&strands, &later, &arena, &error), error);
    CHECK_NEAR(max_distance(&strands, &groom, 6.0f, true), 0.0, 1e-6);
    CHECK_NEAR(max_distance(&strands, &groom, 6.0f, false), 0.0, 8e-3);
}

// A whole frame equals the file bit for bit.
TEST(whole_frames_are_those_of_the_cache)
{
    static const char *const sets[] = {TURN};
    coif_groom groom;
    make_cache(&groom, true, true);
    const coif_body body = ball_body(ball_scene(sets, 1, &arena));
    coif_error error = {0};
    for (int frame = 1; frame <= 2; ++frame) {
        coif_strands made, wanted;
        const coif_strand_time_desc desc = describe(&groom, &body, frame);
        CHECK_OK(coif_strands_at_time(&made, &desc, &arena, &error), error);
        const char *path = coif_test_path(coif_arena_print(&arena, "hair.%04d.strands", frame));
        CHECK_OK(coif_frame_cache_load(&wanted, NULL, &groom, path, &arena, &error), error);
        CHECK(coif_strands_digest(&made) == coif_strands_digest(&wanted));
    }
}
