// Animated rest shapes: hair that grows or is raised while it moves.
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/hair/child_interpolation.h"
#include "core/hair/frame_cache.h"
#include "plugins/host/host.h"
#include "sim/run/simulate.h"
#include "sim/solver/solver.h"
#include "tests/support/sim_run.h"
#include "tests/support/test.h"

#include <unistd.h>

static coif_arena arena = {.name = "test"};

enum { LAST = 25, SOON = 9, STRANDS = 8, POINTS = 8 };
static const double LENGTH = 0.2;

// What is said of the groom's modifiers, of the groom and of the simulation.
typedef struct run_desc {
    const char *modifiers, *groom, *sim;
    const char *kernel;
    int threads;
    int last;      // frame; 0: LAST
    bool collides; // with the ball
} run_desc;

static const char GROWS[] =
    "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": {\"keys\": [[1, 0.2], [25, 1]]}}";

static coif_scene scene_of(const run_desc *run)
{
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": %s,\n"
        "   \"rotate\": {\"keys\": [[1, [0, 0, 0]], [25, [0, 30, 10]]]}}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\",\n"
        "   \"count\": %d, \"points\": %d, \"length\": %g, \"length_variation\": 0, %s\n"
        "   \"modifiers\": [%s]}],\n"
        " \"sim\": {\"last_frame\": %d, \"warmup_time\": 0.1, \"checkpoint_interval\": 4, %s\n"
        "   \"quantise\": false}}\n",
        run->collides ? "true" : "false", STRANDS, POINTS, LENGTH,
        run->groom != NULL ? run->groom : "", run->modifiers, run->last > 0 ? run->last : LAST,
        run->sim != NULL ? run->sim : "");
    return ball_scene(text, NULL, &arena);
}

static const char *file_of(int frame, const char *extension)
{
    return coif_test_path(coif_arena_print(&arena, "hair.%04d.%s", frame, extension));
}

static void forget(int from, int to)
{
    for (int f = from; f <= to; ++f) {
        unlink(file_of(f, "strands"));
        unlink(file_of(f, "state"));
    }
}

static void simulate(const run_desc *run)
{
    const coif_scene scene = scene_of(run);
    coif_error error = {0};
    const coif_simulate_desc desc = {.scene = &scene,
                                     .folder = coif_test_folder(),
                                     .kernel = run->kernel != NULL ? run->kernel : "auto"};
    CHECK_OK(simulate_with_threads(&desc, run->threads > 0 ? run->threads : 2, &arena, &error),
             error);
}

static coif_groom groom_of(void)
{
    coif_groom groom;
    coif_error error = {0};
    CHECK_OK(coif_groom_load(&groom, coif_test_path("hair.groom"), &arena, &error), error);
    return groom;
}

static coif_strands frame_of(const coif_groom *groom, int frame)
{
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(
        coif_frame_cache_load(&strands, NULL, groom, file_of(frame, "strands"), &arena, &error),
        error);
    return strands;
}

static double segment(const coif_strands *strands, int32_t point)
{
    return (double)coif_length(
        coif_sub(coif_vec4_xyz(strands->points[point + 1]), coif_vec4_xyz(strands->points[point])));
}

// The largest error of a segment against a fraction of the whole length, as a fraction of it.
static double worst_stretch(const coif_strands *strands, double fraction)
{
    double worst = 0.0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t segments = coif_strands_length(strands, s) - 1;
        const double wanted = LENGTH * fraction / segments;
        for (int32_t k = 0; k < segments; ++k) {
            const double off = fabs(segment(strands, strands->first[s] + k) / wanted - 1.0);
            worst = fmax(worst, off);
        }
    }
    return worst;
}

static double fraction_at(int frame)
{
    return 0.2 + 0.8 * (frame - 1) / 24.0;
}

static const char *solver_named(const char *name)
{
    return coif_arena_print(&arena, "\"solver\": \"%s\",", name);
}

TEST(hair_grows_to_five_times_its_length_and_does_not_stretch)
{
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        const run_desc run = {.modifiers = GROWS, .sim = solver_named(COIF_METHOD_NAMES[m])};
        forget(1, LAST);
        simulate(&run);
        const coif_groom groom = groom_of();
        for (int f = 1; f <= LAST; f += 4) {
            const coif_strands strands = frame_of(&groom, f);
            CHECK(strands.strand_count == STRANDS);
            CHECK(worst_stretch(&strands, fraction_at(f)) < 1e-4);
        }
    }
}

// Cosine of the angle between strands, from root to tip, and the normal of the ball.
static double standing(const coif_strands *strands)
{
    double sum = 0.0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const coif_vec3 root = coif_vec4_xyz(strands->points[strands->first[s]]);
        const coif_vec3 tip = coif_vec4_xyz(strands->points[strands->first[s + 1] - 1]);
        sum += (double)coif_dot(coif_normalize(coif_sub(tip, root)), coif_normalize(root));
    }
    return sum / strands->strand_count;
}

TEST(lying_hair_is_raised_by_an_animated_lift)
{
    static const char RISES[] =
        "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": 0.25},"
        "{\"plugin\": \"groom.comb\", \"direction\": [0, 0, -1], \"lift_angle\": 4},"
        "{\"plugin\": \"groom.lift\", \"falloff_length\": 10, \"angle\": {\"keys\": [[1, 0], [17, "
        "180]]}}";
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        const run_desc run = {
            .modifiers = RISES, .collides = true, .sim = solver_named(COIF_METHOD_NAMES[m])};
        forget(1, LAST);
        simulate(&run);
        const coif_groom groom = groom_of();
        const coif_strands before = frame_of(&groom, 1), after = frame_of(&groom, LAST);
        CHECK(standing(&before) < 0.45);
        CHECK(standing(&after) > standing(&before) + 0.45);
        CHECK(standing(&after) > 0.94);
        CHECK(worst_stretch(&after, 0.25) < 1e-4);
    }
}

static uint64_t digest_of(int frame)
{
    char *data;
    size_t size;
    coif_error error = {0};
    CHECK_OK(coif_file_load(&data, &size, file_of(frame, "strands"), &arena, &error), error);
    return coif_hash64(data, size);
}

// Strands that feel each other, one of three of them moved.
static const char CROWD[] = "\"interaction_friction\": 3, \"interaction_stiffness\": 0.5,";

TEST(rest_shape_animation_resumes_and_is_deterministic)
{
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        const char *sim =
            coif_arena_print(&arena, "%s %s", solver_named(COIF_METHOD_NAMES[m]), CROWD);
        run_desc run = {
            .modifiers = GROWS, .groom = "\"simulated_fraction\": 0.35,", .sim = sim, .last = SOON};
        forget(1, SOON);
        simulate(&run);
        const uint64_t last = digest_of(SOON), middle = digest_of(6);
        forget(5, SOON); // the state of frame 4 is there
        simulate(&run);
        CHECK(digest_of(SOON) == last && digest_of(6) == middle);
        forget(1, SOON);
        run.kernel = "wide4";
        run.threads = 3;
        simulate(&run);
        CHECK(digest_of(SOON) == last && digest_of(6) == middle);
    }
}

TEST(interpolated_strands_grow_too)
{
    static const char *const children[] = {"\"child_mode\": \"interpolate\",",
                                           "\"child_mode\": \"clump\","};
    for (int i = 0; i < 2; ++i) {
        const run_desc run = {.modifiers = GROWS,
                              .groom = "\"simulated_fraction\": 0.35,",
                              .sim = children[i],
                              .last = SOON};
        forget(1, LAST);
        simulate(&run);
        const coif_groom groom = groom_of();
        CHECK(groom.simulated_count < STRANDS / 2);
        coif_error error = {0};
        const coif_scene scene = scene_of(&run);
        coif_body *bodies;
        int32_t count;
        CHECK_OK(coif_bodies_load(&bodies, &count, &scene, &arena, &error), error);
        for (int f = 5; f <= SOON; f += 4) {
            const coif_strands simulated = frame_of(&groom, f);
            coif_strands all;
            coif_mesh pose;
            CHECK_OK(coif_body_pose(&pose, &bodies[0], f, &arena, &error), error);
            CHECK_OK(
                coif_interpolate_children(&all, &simulated, &groom, &pose, &arena, NULL, &error),
                error);
            CHECK(all.strand_count == STRANDS);
            CHECK(worst_stretch(&all, fraction_at(f)) < 1e-3);
        }
    }
}

// Curls want more points the longer they are; they have those of the last key from the first on.
TEST(strands_have_the_points_of_their_longest_day)
{
    const run_desc run = {
        .modifiers = coif_arena_print(
            &arena, "%s, {\"plugin\": \"groom.curl\", \"radius\": 0.003, \"wavelength\": 0.03}",
            GROWS),
        .last = SOON};
    forget(1, LAST);
    simulate(&run);
    const coif_groom groom = groom_of();
    const int32_t points = coif_strands_length(&groom.rest, 0);
    CHECK(points > 80);
    const coif_strands first = frame_of(&groom, 1), last = frame_of(&groom, SOON);
    double lengths[2] = {0.0, 0.0};
    for (int32_t k = 0; k + 1 < points; ++k) {
        lengths[0] += segment(&first, k);
        lengths[1] += segment(&last, k);
    }
    CHECK(lengths[1] / lengths[0] > 2.2 && lengths[1] / lengths[0] < 3.5);
}

TEST(constant_keys_equal_a_constant_value)
{
    static const char SAME[] = "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": "
                               "{\"keys\": [[1, 0.5], [25, 0.5]]}}";
    static const char PLAIN[] = "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": 0.5}";
    const run_desc plain = {.modifiers = PLAIN, .last = SOON},
                   same = {.modifiers = SAME, .last = SOON};
    forget(1, LAST);
    simulate(&plain);
    const coif_groom still = groom_of();
    const coif_strands wanted = frame_of(&still, SOON);
    forget(1, LAST);
    simulate(&same);
    const coif_groom keyed = groom_of();
    const coif_strands got = frame_of(&keyed, SOON);
    for (int32_t i = 0; i < wanted.point_count; ++i) {
        CHECK_NEAR(got.points[i].x, wanted.points[i].x, 1e-4);
        CHECK_NEAR(got.points[i].y, wanted.points[i].y, 1e-4);
        CHECK_NEAR(got.points[i].z, wanted.points[i].z, 1e-4);
    }
}

TEST(another_key_makes_frames_anew)
{
    static const char LESS[] = "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": "
                               "{\"keys\": [[1, 0.2], [25, 0.68]]}}";
    const run_desc run = {.modifiers = GROWS, .last = SOON},
                   less = {.modifiers = LESS, .last = SOON};
    forget(1, LAST);
    simulate(&run);
    simulate(&less);
    const coif_groom groom = groom_of();
    const coif_strands strands = frame_of(&groom, SOON);
    CHECK(worst_stretch(&strands, 0.36) < 1e-4);
}

// Heavier tips stay as heavy as they are while hair grows, here by a hair's breadth.
TEST(weights_along_the_strand_do_not_add_up)
{
    static const char little[] =
        "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": {\"keys\": [[1, 0.999], "
        "[25, 1]]}}";
    static const char sim[] =
        "\"mass\": {\"value\": 1, \"ramp\": [[0, 1], [1, 6]]}, \"gravity_compensation\": 0,";
    coif_strands ends[2];
    for (int i = 0; i < 2; ++i) {
        const run_desc run = {.modifiers = i == 0 ? "" : little, .sim = sim, .last = SOON};
        forget(1, LAST);
        simulate(&run);
        const coif_groom groom = groom_of();
        ends[i] = frame_of(&groom, SOON);
    }
    for (int32_t s = 0; s < ends[0].strand_count; ++s) {
        const int32_t tip = ends[0].first[s + 1] - 1;
        const coif_vec3 a = coif_vec4_xyz(ends[0].points[tip]);
        const coif_vec3 b = coif_vec4_xyz(ends[1].points[tip]);
        CHECK_NEAR(coif_length(coif_sub(a, b)), 0.0, 0.01 * LENGTH);
    }
}
