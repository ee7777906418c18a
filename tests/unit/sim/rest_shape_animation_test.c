// sprout: hair that grows or rises while it moves.
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/hair/child_interpolation.h"
#include "core/hair/frame_cache.h"
#include "plugins/host/host.h"
#include "sim/run/simulate.h"
#include "sim/solver/solver.h"
#include "tests/support/sim_scene.h"
#include "tests/support/test.h"

#include <unistd.h>

static coif_arena arena = {.name = "test"};

enum { LAST = 25, SOON = 9, STRANDS = 8, POINTS = 8 };
static const double LENGTH = 0.2;

// What is said of the groom's modifiers, of the groom and of the simulation.
typedef struct shot {
    const char *modifiers, *groom, *sim;
    const char *kernel;
    int threads;
    int last;      // frame; 0: LAST
    bool collides; // with the ball
} shot;

static const char GROWS[] =
    "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": {\"keys\": [[1, 0.2], [25, 1]]}}";

static coif_scene scene_of(const shot *wish)
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
        wish->collides ? "true" : "false", STRANDS, POINTS, LENGTH,
        wish->groom != NULL ? wish->groom : "", wish->modifiers, wish->last > 0 ? wish->last : LAST,
        wish->sim != NULL ? wish->sim : "");
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

static void simulate(const shot *wish)
{
    const coif_scene scene = scene_of(wish);
    coif_jobs *jobs;
    coif_error error = {0};
    CHECK_OK(coif_jobs_open(&jobs, wish->threads > 0 ? wish->threads : 2, &arena, &error), error);
    const coif_simulate_desc desc = {.scene = &scene,
                                     .folder = coif_test_folder(),
                                     .kernel = wish->kernel != NULL ? wish->kernel : "auto"};
    CHECK_OK(coif_simulate(&desc, jobs, NULL, &error), error);
    coif_jobs_close(jobs);
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

// The largest error of a segment against a share of the whole length, as a share of it.
static double worst_stretch(const coif_strands *strands, double share)
{
    double worst = 0.0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        const int32_t segments = coif_strands_length(strands, s) - 1;
        const double wanted = LENGTH * share / segments;
        for (int32_t k = 0; k < segments; ++k) {
            const double off = fabs(segment(strands, strands->first[s] + k) / wanted - 1.0);
            worst = fmax(worst, off);
        }
    }
    return worst;
}

static double share_at(int frame)
{
    return 0.2 + 0.8 * (frame - 1) / 24.0;
}

static const char *solver_named(const char *name)
{
    return coif_arena_print(&arena, "\"solver\": \"%s\",", name);
}

static void hair_grows_to_five_times_its_length_and_does_not_stretch(void)
{
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        const shot wish = {.modifiers = GROWS, .sim = solver_named(COIF_METHOD_NAMES[m])};
        forget(1, LAST);
        simulate(&wish);
        const coif_groom groom = groom_of();
        for (int f = 1; f <= LAST; f += 4) {
            const coif_strands strands = frame_of(&groom, f);
            CHECK(strands.strand_count == STRANDS);
            CHECK(worst_stretch(&strands, share_at(f)) < 1e-4);
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

static void hair_that_lies_rises_on_command(void)
{
    static const char RISES[] =
        "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": 0.25},"
        "{\"plugin\": \"groom.comb\", \"direction\": [0, 0, -1], \"lift_angle\": 4},"
        "{\"plugin\": \"groom.lift\", \"falloff_length\": 10, \"angle\": {\"keys\": [[1, 0], [17, "
        "180]]}}";
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        const shot wish = {
            .modifiers = RISES, .collides = true, .sim = solver_named(COIF_METHOD_NAMES[m])};
        forget(1, LAST);
        simulate(&wish);
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

static void growing_goes_on_from_a_state_and_is_the_same_everywhere(void)
{
    for (int m = 0; COIF_METHOD_NAMES[m] != NULL; ++m) {
        const char *sim =
            coif_arena_print(&arena, "%s %s", solver_named(COIF_METHOD_NAMES[m]), CROWD);
        shot wish = {
            .modifiers = GROWS, .groom = "\"simulated_fraction\": 0.35,", .sim = sim, .last = SOON};
        forget(1, SOON);
        simulate(&wish);
        const uint64_t last = digest_of(SOON), middle = digest_of(6);
        forget(5, SOON); // the state of frame 4 is there
        simulate(&wish);
        CHECK(digest_of(SOON) == last && digest_of(6) == middle);
        forget(1, SOON);
        wish.kernel = "wide4";
        wish.threads = 3;
        simulate(&wish);
        CHECK(digest_of(SOON) == last && digest_of(6) == middle);
    }
}

static void hair_that_follows_grows_too(void)
{
    static const char *const children[] = {"\"child_mode\": \"interpolate\",",
                                           "\"child_mode\": \"clump\","};
    for (int i = 0; i < 2; ++i) {
        const shot wish = {.modifiers = GROWS,
                           .groom = "\"simulated_fraction\": 0.35,",
                           .sim = children[i],
                           .last = SOON};
        forget(1, LAST);
        simulate(&wish);
        const coif_groom groom = groom_of();
        CHECK(groom.simulated_count < STRANDS / 2);
        coif_error error = {0};
        const coif_scene scene = scene_of(&wish);
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
            CHECK(worst_stretch(&all, share_at(f)) < 1e-3);
        }
    }
}

// Curls want more points the longer they are; they have those of the last key from the first on.
static void strands_have_the_points_of_their_longest_day(void)
{
    const shot wish = {
        .modifiers = coif_arena_print(
            &arena, "%s, {\"plugin\": \"groom.curl\", \"radius\": 0.003, \"wavelength\": 0.03}",
            GROWS),
        .last = SOON};
    forget(1, LAST);
    simulate(&wish);
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

static void keys_that_change_nothing_move_nothing(void)
{
    static const char SAME[] = "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": "
                               "{\"keys\": [[1, 0.5], [25, 0.5]]}}";
    static const char PLAIN[] = "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": 0.5}";
    const shot plain = {.modifiers = PLAIN, .last = SOON}, same = {.modifiers = SAME, .last = SOON};
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

static void another_key_makes_frames_anew(void)
{
    static const char LESS[] = "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": "
                               "{\"keys\": [[1, 0.2], [25, 0.68]]}}";
    const shot wish = {.modifiers = GROWS, .last = SOON}, less = {.modifiers = LESS, .last = SOON};
    forget(1, LAST);
    simulate(&wish);
    simulate(&less);
    const coif_groom groom = groom_of();
    const coif_strands strands = frame_of(&groom, SOON);
    CHECK(worst_stretch(&strands, 0.36) < 1e-4);
}

// Heavier tips stay as heavy as they are while hair grows, here by a hair's breadth.
static void weights_along_the_strand_do_not_add_up(void)
{
    static const char little[] =
        "{\"plugin\": \"groom.length\", \"variation\": 0, \"scale\": {\"keys\": [[1, 0.999], "
        "[25, 1]]}}";
    static const char sim[] =
        "\"mass\": {\"value\": 1, \"ramp\": [[0, 1], [1, 6]]}, \"gravity_compensation\": 0,";
    coif_strands ends[2];
    for (int i = 0; i < 2; ++i) {
        const shot wish = {.modifiers = i == 0 ? "" : little, .sim = sim, .last = SOON};
        forget(1, LAST);
        simulate(&wish);
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

TEST_LIST(TEST(hair_grows_to_five_times_its_length_and_does_not_stretch),
          TEST(hair_that_lies_rises_on_command),
          TEST(growing_goes_on_from_a_state_and_is_the_same_everywhere),
          TEST(hair_that_follows_grows_too), TEST(strands_have_the_points_of_their_longest_day),
          TEST(keys_that_change_nothing_move_nothing), TEST(another_key_makes_frames_anew),
          TEST(weights_along_the_strand_do_not_add_up))
