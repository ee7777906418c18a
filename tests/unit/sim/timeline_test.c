// Timeline: body motion, time scale and resumed runs.
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/body/body_interpolate.h"
#include "core/hair/frame_cache.h"
#include "plugins/host/host.h"
#include "sim/run/body_playback.h"
#include "sim/run/simulate.h"
#include "tests/support/sim_run.h"
#include "tests/support/test.h"

#include <unistd.h>

static coif_arena arena = {.name = "test"};

static coif_scene load_scene_with(const char *body, const char *groom, const char *sim,
                                  const char *set)
{
    const char *text = coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"%s}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\",\n"
        "   %s, \"length\": 0.1}],\n"
        " \"sim\": {\"quantise\": false, \"solver\": \"der\"%s}}\n",
        body, groom[0] != 0 ? groom : "\"count\": 40, \"points\": 8", sim);
    return ball_scene(text, set, &arena);
}

static coif_scene load_scene(const char *body, const char *groom, const char *sim)
{
    return load_scene_with(body, groom, sim, NULL);
}

static coif_status simulate(const coif_scene *scene, const char *folder, const char *from,
                            coif_error *error)
{
    const coif_simulate_desc desc = {
        .scene = scene, .folder = coif_test_path(folder), .from = from};
    return simulate_with_threads(&desc, 2, &arena, error);
}

static coif_strands hair_of(const char *folder, int frame)
{
    coif_groom groom;
    return load_strands(&groom, coif_arena_copy_text(&arena, coif_test_path(folder)), "hair", frame,
                        &arena);
}

static coif_strands run(const char *folder, const char *body, const char *sim, int frame)
{
    coif_error error = {0};
    const coif_scene scene = load_scene(body, "", sim);
    CHECK_OK(simulate(&scene, folder, NULL, &error), error);
    return hair_of(folder, frame);
}

static double mean_distance(const coif_strands *a, const coif_strands *b)
{
    double sum = 0.0;
    CHECK(a->point_count == b->point_count && a->point_count > 0);
    for (int32_t i = 0; i < a->point_count; ++i) {
        sum +=
            (double)coif_length(coif_sub(coif_vec4_xyz(a->points[i]), coif_vec4_xyz(b->points[i])));
    }
    return sum / a->point_count;
}

TEST(smooth_motion_interpolates_its_frames)
{
    const coif_vec3 a = {0, 0, 0}, b = {1, 0, 0}, c = {2, 1, 0}, d = {2, 3, 0};
    const coif_vec3 begin = coif_smooth_interpolate(a, b, c, d, 0.0f);
    const coif_vec3 end = coif_smooth_interpolate(a, b, c, d, 1.0f);
    CHECK(memcmp(&begin, &b, sizeof b) == 0 && memcmp(&end, &c, sizeof c) == 0);
    // Steady motion stays steady, and one that has not begun does not draw back.
    for (float t = 0.1f; t < 1.0f; t += 0.2f) {
        const coif_vec3 steady =
            coif_smooth_interpolate((coif_vec3){-1, 0, 0}, a, b, (coif_vec3){2, 0, 0}, t);
        CHECK_NEAR(steady.x, t, 1e-6);
        const coif_vec3 still = coif_smooth_interpolate(a, a, a, b, t);
        CHECK(still.x == 0.0f && still.y == 0.0f);
        const coif_vec3 starts = coif_smooth_interpolate(a, a, b, b, t);
        CHECK(starts.x > 0.0f && starts.x < 1.0f);
    }
    // Halfway between points of a circle a quarter of a radian apart.
    coif_vec3 p[4];
    for (int i = 0; i < 4; ++i) {
        p[i] = (coif_vec3){(float)cos(0.25 * i), (float)sin(0.25 * i), 0};
    }
    const coif_vec3 middle = coif_smooth_interpolate(p[0], p[1], p[2], p[3], 0.5f);
    CHECK_NEAR(coif_length(middle), 1.0, 2e-4);
}

// How many pieces a frame has, and how far its points stray from the ball meanwhile.
static int32_t pieces_of(const char *body, int substeps, double *off)
{
    coif_error error = {0};
    const coif_scene scene = load_scene(body, "", "");
    coif_sim_scene shot = {.scene = &scene, .kernel = "auto", .arena = &arena};
    CHECK_OK(coif_sim_scene_open(&shot, &error), error);
    CHECK_OK(coif_sim_scene_prepare(&shot, &error), error);
    coif_body_playback poses;
    coif_body_playback_open(&poses);
    CHECK_OK(coif_body_playback_hold_pose(&poses, &shot, 4, &error), error);
    CHECK_OK(coif_body_playback_begin_frame(&poses, &shot, 5, substeps, &error), error);
    const int32_t count = poses.interval_count;
    int32_t done = 0, pieces = 0;
    *off = 0.0;
    while (coif_body_playback_next_interval(&poses, &shot)) {
        CHECK(poses.substep == done);
        done += poses.substeps;
        ++pieces;
        for (int32_t i = 0; i < poses.end[0].vertex_count; ++i) {
            const coif_vec3 middle =
                coif_lerp(poses.begin[0].positions[i], poses.end[0].positions[i], 0.5f);
            *off = fmax(*off, (double)coif_length(shot.bodies[0].rest.positions[i]) -
                                  (double)coif_length(middle));
        }
    }
    CHECK(done == substeps && pieces == count);
    coif_body_playback_close(&poses);
    return count;
}

TEST(the_substep_count_follows_the_displacement)
{
    double off;
    CHECK(pieces_of("", 8, &off) == 1);
    CHECK(pieces_of(", \"translate\": {\"keys\": [[1, [0, 0, 0]], [9, [0, 0, 8]]]}", 8, &off) == 1);
    static const char turn[] = ", \"rotate\": {\"keys\": [[1, [0, 0, 0]], [9, [0, %d, 0]]]}";
    const int32_t slow = pieces_of(coif_arena_print(&arena, turn, 80), 8, &off);
    CHECK(slow > 1 && slow < 8);
    CHECK(off < 1.2e-4);
    CHECK(pieces_of(coif_arena_print(&arena, turn, 400), 8, &off) == 8);
    CHECK(off < 2e-3); // 50 degrees a frame: straight it would be nine millimetres
    CHECK(pieces_of(coif_arena_print(&arena, turn, 400), 1, &off) == 1);
}

// A head that turns 40 degrees a frame. The reference has four times the frames, which at 24 per
// second only smooth motion comes near to.
TEST(smooth_motion_is_closer_to_the_reference)
{
    static const char turn[] = ", \"rotate\": {\"keys\": [[1, [0, 0, 0]], [%d, [0, 240, 0]]]}";
    static const char sim[] = ", \"fps\": %d, \"substeps\": %d, \"last_frame\": %d, "
                              "\"warmup_time\": 0, \"body_interpolation\": \"%s\"";
    const char *body = coif_arena_print(&arena, turn, 7);
    const coif_strands reference = run("reference", coif_arena_print(&arena, turn, 25),
                                       coif_arena_print(&arena, sim, 96, 2, 17, "smooth"), 17);
    const coif_strands smooth =
        run("smooth", body, coif_arena_print(&arena, sim, 24, 8, 5, "smooth"), 5);
    const coif_strands straight =
        run("linear", body, coif_arena_print(&arena, sim, 24, 8, 5, "linear"), 5);
    CHECK(mean_distance(&smooth, &reference) < 0.5 * mean_distance(&straight, &reference));
    // Roots are on the body at whole frames with either interpolation.
    for (int32_t s = 0; s < reference.strand_count; ++s) {
        const coif_vec3 a = coif_vec4_xyz(reference.points[reference.first[s]]);
        const coif_vec3 b = coif_vec4_xyz(smooth.points[smooth.first[s]]);
        CHECK(coif_length(coif_sub(a, b)) < 1e-6f);
    }
}

// Half the time per frame is twice the frames per second, and velocities are those of the film.
TEST(slow_motion_is_the_motion_at_another_time_scale)
{
    const coif_strands fast =
        run("fast", "",
            ", \"fps\": 48, \"last_frame\": 7, \"warmup_time\": 0, \"gravity_compensation\": 0", 7);
    const coif_strands slow = run(
        "slow", "",
        ", \"time_scale\": 0.5, \"last_frame\": 7, \"warmup_time\": 0, \"gravity_compensation\": 0",
        7);
    CHECK(memcmp(fast.points, slow.points, sizeof(coif_vec4) * (size_t)fast.point_count) == 0);
    float speed = 0.0f;
    for (int32_t i = 0; i < fast.point_count; ++i) {
        speed = fmaxf(speed, coif_length(fast.velocities[i]));
        CHECK(slow.velocities[i].y == 0.5f * fast.velocities[i].y);
    }
    CHECK(speed > 0.05f);
    // Time that passes at a keyed rate adds up: 1 + 3/4 + 1/2 frames of 1/24 s.
    coif_error error = {0};
    const coif_scene keyed =
        load_scene("", "", ", \"time_scale\": {\"keys\": [[2, 1], [4, 0.5]]}, \"last_frame\": 4");
    CHECK_OK(simulate(&keyed, "keyed", NULL, &error), error);
    coif_groom groom;
    coif_strands strands;
    coif_frame_cache_desc said;
    CHECK_OK(coif_groom_load(&groom, coif_test_path("keyed/hair.groom"), &arena, &error), error);
    CHECK_OK(coif_frame_cache_load(&strands, &said, &groom,
                                   coif_test_path("keyed/hair.0004.strands"), &arena, &error),
             error);
    CHECK_NEAR(said.time, 2.25 / 24.0, 1e-7);
}

static const char SWING[] = ", \"rotate\": {\"keys\": [[1, [0, 0, 0]], [12, [0, 90, 10]]]}";

TEST(a_run_resumes_from_the_state_of_another)
{
    coif_error error = {0};
    const coif_strands whole =
        run("whole", SWING,
            ", \"last_frame\": 12, \"checkpoint_interval\": 4, \"warmup_time\": 0.1", 12);
    const char *state = coif_arena_copy_text(&arena, coif_test_path("whole/hair.0008.state"));
    const coif_scene rest = load_scene(
        SWING, "",
        ", \"first_frame\": 8, \"last_frame\": 12, \"initial_state\": \"whole/#.0008.state\"");
    CHECK_OK(simulate(&rest, "rest", NULL, &error), error);
    const coif_strands after = hair_of("rest", 12);
    CHECK(coif_strands_digest(&after) == coif_strands_digest(&whole));
    // The same by an argument; and from the end of a motion it differs from a start at rest.
    const coif_scene again = load_scene(SWING, "", ", \"first_frame\": 8, \"last_frame\": 9");
    CHECK_OK(simulate(&again, "by_hand", state, &error), error);
    const coif_strands by_hand = hair_of("by_hand", 9), nine = hair_of("rest", 9);
    CHECK(coif_strands_digest(&by_hand) == coif_strands_digest(&nine));
    CHECK_OK(simulate(&again, "by_hand", NULL, &error), error);
    const coif_strands anew = hair_of("by_hand", 9);
    CHECK(coif_strands_digest(&anew) != coif_strands_digest(&nine));
}

static void expect_error(const char *groom, const char *sim, const char *from, coif_status status,
                         const char *part)
{
    coif_error error = {0};
    const coif_scene scene = load_scene("", groom, sim);
    CHECK(simulate(&scene, "wrong", from, &error) == status);
    CHECK_CONTAINS(error.text, part);
}

TEST(states_that_do_not_fit_are_named)
{
    run("whole", SWING, ", \"last_frame\": 12, \"checkpoint_interval\": 4, \"warmup_time\": 0.1",
        12);
    const char *state = coif_arena_copy_text(&arena, coif_test_path("whole/hair.0008.state"));
    expect_error("\"count\": 40, \"points\": 9", "", state, COIF_ERR_SCENE,
                 "holds 320 points, but this groom simulates 360");
    // As many points, but in half as many strands.
    expect_error("\"count\": 20, \"points\": 16", "", state, COIF_ERR_SCENE,
                 "the point counts of its strands differ");
    expect_error("", ", \"iterations\": 3", coif_test_path("nowhere.state"), COIF_ERR_IO,
                 "/sim/initial_state: no such file");
    expect_error("", "", coif_test_path("whole/hair.groom"), COIF_ERR_FORMAT, "hair.groom");
    coif_error error = {0};
    const coif_scene scene = load_scene_with("", "", "", "sim/solver=pbd");
    CHECK(simulate(&scene, "wrong", state, &error) == COIF_ERR_SCENE);
    CHECK_CONTAINS(error.text, "made by solver \"der\", but this scene has \"pbd\"");
}

// Hair that grew on an upright head is brought along to a first frame far from it.
TEST(preroll_brings_hair_to_the_first_pose)
{
    static const char lying[] = ", \"rotate\": [0, 0, 100], \"translate\": [0.3, 0, 0]";
    static const char sim[] =
        ", \"last_frame\": 2, \"warmup_time\": 0, \"gravity_compensation\": 0, \"preroll\": %s";
    const coif_strands rolled = run("rolled", lying, coif_arena_print(&arena, sim, "0.5"), 1);
    const coif_strands placed = run("placed", lying, coif_arena_print(&arena, sim, "0"), 1);
    float fastest = 0.0f;
    for (int32_t s = 0; s < rolled.strand_count; ++s) {
        const int32_t first = rolled.first[s];
        const coif_vec3 a = coif_vec4_xyz(rolled.points[first]);
        const coif_vec3 b = coif_vec4_xyz(placed.points[first]);
        CHECK(coif_length(coif_sub(a, b)) < 1e-5f);
        fastest = fmaxf(fastest, coif_length(placed.velocities[first]));
    }
    CHECK(fastest == 0.0f);
    CHECK(mean_distance(&rolled, &placed) > 2e-3); // it has fallen meanwhile
}

// Warm-up follows the pre-roll: hair comes to the rest that it has on a body placed there.
TEST(warmup_settles_hair_after_the_preroll)
{
    static const char lying[] = ", \"rotate\": [0, 0, 60], \"translate\": [0.3, 0, 0]";
    static const char sim[] = ", \"last_frame\": 1, \"warmup_time\": %s, \"preroll\": %s";
    const coif_strands moving = run("moving", lying, coif_arena_print(&arena, sim, "0", "0.2"), 1);
    const coif_strands rolled = run("settled", lying, coif_arena_print(&arena, sim, "3", "0.2"), 1);
    const coif_strands placed = run("resting", lying, coif_arena_print(&arena, sim, "3", "0"), 1);
    float fastest[2] = {0.0f, 0.0f};
    for (int32_t i = 0; i < rolled.point_count; ++i) {
        fastest[0] = fmaxf(fastest[0], coif_length(moving.velocities[i]));
        fastest[1] = fmaxf(fastest[1], coif_length(rolled.velocities[i]));
    }
    CHECK(fastest[0] > 0.1f && fastest[1] < 0.01f);
    CHECK(mean_distance(&rolled, &placed) < 0.1 * mean_distance(&moving, &placed));
}

// Renderer and corrections pose bodies between frames as the simulation does.
TEST(interpolation_is_read_from_the_simulation)
{
    coif_scene scene = load_scene("", "", ", \"first_frame\": 5, \"last_frame\": 9");
    coif_body_interpolation found = coif_body_interpolation_of(&scene);
    CHECK(found.smooth && found.first == 5);
    scene = load_scene("", "",
                       ", \"first_frame\": 5, \"last_frame\": 9, \"body_interpolation\": "
                       "\"linear\", \"initial_state\": \"#.0004.state\"");
    found = coif_body_interpolation_of(&scene);
    CHECK(!found.smooth && found.first == 4);
}
