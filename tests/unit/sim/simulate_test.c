// Simulation runs: existing frames are kept, missing ones are computed, and the bytes are those of
// an uninterrupted run.
#include "sim/run/simulate.h"

#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "plugins/host/host.h"
#include "tests/support/sim_run.h"
#include "tests/support/test.h"

#include <unistd.h>

static coif_arena arena = {.name = "test"};

static const char SCENE[] =
    "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\",\n"
    "   \"rotate\": {\"keys\": [[1, [0, 0, 0]], [12, [0, 40, 10]]]}}],\n"
    " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\", \"count\": 90,\n"
    "   \"points\": 10, \"length\": 0.12}],\n"
    " \"sim\": {\"last_frame\": 12, \"substeps\": 4, \"checkpoint_interval\": 4, \"warmup_time\": "
    "0.1,\n"
    "   \"quantise\": false}}\n";

typedef struct outcome {
    coif_status status;
    coif_error error;
} outcome;

static outcome simulate(const coif_scene *scene, const char *folder, coif_frame_range frames,
                        const char *kernel, int threads)
{
    outcome result = {.status = COIF_OK};
    const coif_simulate_desc desc = {
        .scene = scene, .folder = folder, .frames = frames, .kernel = kernel};
    result.status = simulate_with_threads(&desc, threads, &arena, &result.error);
    return result;
}

static const char *file_of(int frame, const char *extension)
{
    return coif_test_path(coif_arena_print(&arena, "hair.%04d.%s", frame, extension));
}

// Every test begins with an empty cache.
static coif_scene fresh_scene(void)
{
    unlink(coif_test_path("hair.groom"));
    for (int f = 0; f <= 12; ++f) {
        unlink(file_of(f, "strands"));
        unlink(file_of(f, "state"));
    }
    return ball_scene(SCENE, NULL, &arena);
}

static uint64_t file_digest(const char *path)
{
    char *data;
    size_t size;
    coif_error error = {0};
    if (coif_file_load(&data, &size, path, &arena, &error) != COIF_OK) {
        return 0;
    }
    return coif_hash64(data, size);
}

static const coif_frame_range ALL = {0, 0, 0};

// Digests of frames 1 to 12 of an unbroken run, made once.
static const uint64_t *unbroken(void)
{
    static uint64_t digests[13];
    if (digests[1] == 0) {
        const coif_scene scene = fresh_scene();
        const outcome result = simulate(&scene, coif_test_folder(), ALL, "auto", 2);
        CHECK_OK(result.status, result.error);
        for (int f = 1; f <= 12; ++f) {
            digests[f] = file_digest(file_of(f, "strands"));
            CHECK(digests[f] != 0);
        }
    }
    return digests;
}

TEST(frames_and_states_are_written)
{
    const coif_scene scene = fresh_scene();
    const outcome result = simulate(&scene, coif_test_folder(), ALL, "auto", 2);
    CHECK_OK(result.status, result.error);
    CHECK(coif_path_exists(coif_test_path("hair.groom")));
    CHECK(coif_path_exists(file_of(4, "state")));
    CHECK(coif_path_exists(file_of(8, "state")));
    CHECK(!coif_path_exists(file_of(5, "state")));
    coif_groom groom;
    coif_strands strands;
    coif_frame_cache_desc desc;
    coif_error error = {0};
    CHECK_OK(coif_groom_load(&groom, coif_test_path("hair.groom"), &arena, &error), error);
    CHECK(groom.rest.strand_count == 90 && groom.rest.point_count == 900);
    CHECK_CONTAINS(groom.metadata, "seed=1");
    CHECK_OK(coif_frame_cache_load(&strands, &desc, &groom, file_of(12, "strands"), &arena, &error),
             error);
    CHECK(desc.frame == 12 && desc.reset_count == 0);
    CHECK_NEAR(desc.time, 11.0 / 24.0, 1e-9);
    CHECK_CONTAINS(desc.metadata, "settings=");
    CHECK(strands.velocities != NULL);
    // Roots are on the ball, and the head has turned: by 40 degrees about y, 10 about z.
    double moved = 0.0;
    for (int32_t s = 0; s < 90; ++s) {
        const coif_vec3 root = coif_vec4_xyz(strands.points[strands.first[s]]);
        const coif_vec3 rest = coif_vec4_xyz(groom.rest.points[strands.first[s]]);
        CHECK_NEAR(coif_length(root), coif_length(rest), 1e-5);
        moved = fmax(moved, (double)coif_length(coif_sub(root, rest)));
    }
    CHECK(moved > 0.02);
}

// Gone are frames 6 to 12 and the state of 8; the run goes on after the state of frame 4.
TEST(an_interrupted_run_ends_with_the_same_bytes)
{
    const uint64_t *whole = unbroken();
    const coif_scene scene = fresh_scene();
    outcome result = simulate(&scene, coif_test_folder(), ALL, "auto", 2);
    CHECK_OK(result.status, result.error);
    for (int f = 6; f <= 12; ++f) {
        unlink(file_of(f, "strands"));
    }
    unlink(file_of(8, "state"));
    unlink(file_of(12, "state"));
    result = simulate(&scene, coif_test_folder(), ALL, "auto", 1);
    CHECK_OK(result.status, result.error);
    for (int f = 1; f <= 12; ++f) {
        CHECK(file_digest(file_of(f, "strands")) == whole[f]);
    }
    CHECK(coif_path_exists(file_of(8, "state")));
}

// A torn frame and a torn state are noticed and made anew.
TEST(damaged_files_are_made_again)
{
    const uint64_t *whole = unbroken();
    const coif_scene scene = fresh_scene();
    outcome result = simulate(&scene, coif_test_folder(), ALL, "auto", 2);
    CHECK_OK(result.status, result.error);
    CHECK(truncate(file_of(7, "strands"), 300) == 0);
    CHECK(truncate(file_of(4, "state"), 300) == 0);
    result = simulate(&scene, coif_test_folder(), ALL, "auto", 2);
    CHECK_OK(result.status, result.error);
    CHECK(file_digest(file_of(7, "strands")) == whole[7]);
}

TEST(some_frames_run_up_from_the_start_or_a_state)
{
    const uint64_t *whole = unbroken();
    const coif_scene scene = fresh_scene();
    outcome result = simulate(&scene, coif_test_folder(), (coif_frame_range){5, 6, 1}, "auto", 2);
    CHECK_OK(result.status, result.error);
    CHECK(!coif_path_exists(file_of(4, "strands")));
    CHECK(file_digest(file_of(5, "strands")) == whole[5]);
    CHECK(file_digest(file_of(6, "strands")) == whole[6]);
    CHECK(!coif_path_exists(file_of(7, "strands")));
    unlink(file_of(5, "strands"));
    result = simulate(&scene, coif_test_folder(), (coif_frame_range){5, 9, 2}, "auto", 2);
    CHECK_OK(result.status, result.error);
    CHECK(file_digest(file_of(5, "strands")) == whole[5]);
    CHECK(!coif_path_exists(file_of(8, "strands")));
    CHECK(file_digest(file_of(9, "strands")) == whole[9]);
}

TEST(kernels_and_threads_do_not_show)
{
    const uint64_t *whole = unbroken();
    const coif_scene scene = fresh_scene();
    const outcome result = simulate(&scene, coif_test_folder(), ALL, "wide4", 3);
    CHECK_OK(result.status, result.error);
    CHECK(file_digest(file_of(12, "strands")) == whole[12]);
    CHECK(file_digest(file_of(1, "strands")) == whole[1]);
}

// More frames are added; another drag makes everything anew.
TEST(only_settings_that_matter_count)
{
    const uint64_t *whole = unbroken();
    coif_scene scene = fresh_scene();
    outcome result = simulate(&scene, coif_test_folder(), (coif_frame_range){1, 8, 1}, "auto", 2);
    CHECK_OK(result.status, result.error);
    // A mark that no run would leave: frames that are kept keep it.
    CHECK(unlink(file_of(8, "state")) == 0 && unlink(file_of(4, "state")) == 0);
    scene = ball_scene(SCENE, "sim/last_frame=10", &arena);
    result = simulate(&scene, coif_test_folder(), (coif_frame_range){1, 8, 1}, "auto", 2);
    CHECK_OK(result.status, result.error);
    CHECK(!coif_path_exists(file_of(8, "state"))); // nothing was simulated
    CHECK(file_digest(file_of(8, "strands")) == whole[8]);

    scene = ball_scene(SCENE, "sim/drag=9", &arena);
    result = simulate(&scene, coif_test_folder(), (coif_frame_range){1, 8, 1}, "auto", 2);
    CHECK_OK(result.status, result.error);
    CHECK(coif_path_exists(file_of(8, "state")));
    CHECK(file_digest(file_of(8, "strands")) != whole[8]);
}

// The ball scaled by a fraction, as one file of a sequence.
static void write_ball_of(int number, double size)
{
    char *data;
    size_t bytes;
    coif_error error = {0};
    CHECK_OK(coif_file_load(&data, &bytes, coif_test_path("ball.obj"), &arena, &error), error);
    FILE *file = fopen(coif_test_path(coif_arena_print(&arena, "seq.%04d.obj", number)), "w");
    for (char *line = strtok(data, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        double x, y, z;
        if (sscanf(line, "v %lf %lf %lf", &x, &y, &z) == 3) {
            fprintf(file, "v %.9g %.9g %.9g\n", size * x, size * y, size * z);
        } else {
            fprintf(file, "%s\n", line);
        }
    }
    fclose(file);
}

// Frames have felt the files until then: those before a changed file stay, the others are made
// anew, and the bytes are those of a run that never knew the old file.
TEST(a_changed_file_of_a_sequence_makes_later_frames_anew)
{
    fresh_scene();
    for (int f = 1; f <= 6; ++f) {
        write_ball_of(f, 1.0 + 0.02 * f);
    }
    const coif_scene scene =
        ball_scene(SCENE, "bodies/0={\"name\": \"head\", \"mesh\": \"seq.####.obj\"}", &arena);
    const coif_frame_range range = {1, 8, 1};
    outcome result = simulate(&scene, coif_test_folder(), range, "auto", 2);
    CHECK_OK(result.status, result.error);
    uint64_t before[9];
    for (int f = 1; f <= 8; ++f) {
        before[f] = file_digest(file_of(f, "strands"));
    }
    write_ball_of(5, 1.3);
    result = simulate(&scene, coif_test_folder(), range, "auto", 2);
    CHECK_OK(result.status, result.error);
    uint64_t after[9];
    for (int f = 1; f <= 8; ++f) {
        after[f] = file_digest(file_of(f, "strands"));
        CHECK((after[f] == before[f]) == (f < 4)); // motion up to frame 4 depends on frame 5
    }
    fresh_scene();
    const coif_scene again =
        ball_scene(SCENE, "bodies/0={\"name\": \"head\", \"mesh\": \"seq.####.obj\"}", &arena);
    result = simulate(&again, coif_test_folder(), range, "auto", 2);
    CHECK_OK(result.status, result.error);
    CHECK(file_digest(file_of(4, "strands")) == after[4]);
    CHECK(file_digest(file_of(8, "strands")) == after[8]);
}

TEST(a_cancelled_run_leaves_whole_files)
{
    const uint64_t *whole = unbroken();
    const coif_scene scene = fresh_scene();
    coif_progress *progress = coif_progress_open(&arena);
    coif_progress_cancel(progress);
    const coif_simulate_desc desc = {.scene = &scene, .folder = coif_test_folder()};
    coif_error error = {0};
    CHECK(coif_simulate(&desc, NULL, progress, &error) == COIF_ERR_CANCELLED);
    const outcome result = simulate(&scene, coif_test_folder(), ALL, "auto", 2);
    CHECK_OK(result.status, result.error);
    CHECK(file_digest(file_of(12, "strands")) == whole[12]);
}

// The strands of a frame of the groom "hair", whatever its metadata say.
static uint64_t strands_digest(int frame)
{
    coif_groom groom;
    coif_strands strands;
    coif_error error = {0};
    CHECK_OK(coif_groom_load(&groom, coif_test_path("hair.groom"), &arena, &error), error);
    CHECK_OK(
        coif_frame_cache_load(&strands, NULL, &groom, file_of(frame, "strands"), &arena, &error),
        error);
    return error.status == COIF_OK ? coif_strands_digest(&strands) : 0;
}

// A force with keys synchronises threads after every substep; where the keys say the same all the
// time, so do the strands. And it does blow.
TEST(keyed_forces_go_through_substep_by_substep)
{
    static const char *const forces[] = {
        "forces=[]", "forces=[{\"plugin\": \"wind.uniform\", \"velocity\": [2, 0, 0]}]",
        "forces=[{\"plugin\": \"wind.uniform\", \"velocity\": {\"keys\": [[1, [2, 0, 0]], [9, [2, "
        "0, 0]]]}}]",
        "forces=[{\"plugin\": \"wind.uniform\", \"velocity\": {\"keys\": [[1, [2, 0, 0]], [9, [0, "
        "0, 2]]]}}]"};
    uint64_t digests[4];
    for (int i = 0; i < 4; ++i) {
        fresh_scene();
        const coif_scene scene = ball_scene(SCENE, forces[i], &arena);
        const outcome result =
            simulate(&scene, coif_test_folder(), (coif_frame_range){1, 4, 1}, "auto", 2);
        CHECK_OK(result.status, result.error);
        digests[i] = strands_digest(4);
    }
    CHECK(digests[0] != digests[1]);
    CHECK(digests[1] == digests[2]);
    CHECK(digests[2] != digests[3]);
}

// No strands at all, or none that is simulated, still give a groom and frames.
TEST(grooms_without_moving_strands_run)
{
    static const char *const sets[] = {"grooms/0/density=0", "grooms/0/simulated_fraction=0"};
    for (int i = 0; i < 2; ++i) {
        fresh_scene();
        const coif_scene scene = ball_scene(SCENE, sets[i], &arena);
        const outcome result = simulate(&scene, coif_test_folder(), ALL, "auto", 2);
        CHECK_OK(result.status, result.error);
        CHECK(strands_digest(12) == strands_digest(1));
    }
}

// A body that does not collide lets hair through; gravity alone pulls it in.
TEST(bodies_collide_by_default)
{
    static const char LOOSE[] =
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\", \"collide\": %s}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\",\n"
        "   \"count\": 60, \"points\": 12, \"length\": 0.12}],\n"
        " \"sim\": {\"last_frame\": 12, \"goal_frequency_root\": 0, \"goal_frequency_tip\": 0, "
        "\"gravity_compensation\": 0,\n"
        "   \"shape_stiffness\": 0, \"bend_stiffness\": 0, \"stiffness\": 0, \"warmup_time\": "
        "0.5}}\n";
    int32_t inside[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
        fresh_scene();
        const coif_scene scene =
            ball_scene(coif_arena_print(&arena, LOOSE, i == 0 ? "false" : "true"), NULL, &arena);
        const outcome result = simulate(&scene, coif_test_folder(), ALL, "auto", 2);
        CHECK_OK(result.status, result.error);
        coif_groom groom;
        coif_strands strands;
        coif_error error = {0};
        CHECK_OK(coif_groom_load(&groom, coif_test_path("hair.groom"), &arena, &error), error);
        CHECK_OK(
            coif_frame_cache_load(&strands, NULL, &groom, file_of(12, "strands"), &arena, &error),
            error);
        for (int32_t p = 0; p < strands.point_count; ++p) {
            inside[i] += p % 12 > 1 && coif_length(coif_vec4_xyz(strands.points[p])) < 0.0985f;
        }
    }
    CHECK(inside[0] > 100);
    CHECK(inside[1] == 0);
}

static void expect_error(const char *text, coif_frame_range frames, coif_status status,
                         const char *part)
{
    const coif_scene scene = ball_scene(text, NULL, &arena);
    const outcome result = simulate(&scene, coif_test_folder(), frames, "auto", 1);
    CHECK(result.status == status);
    CHECK_CONTAINS(result.error.text, part);
}

TEST(invalid_input_is_an_error_with_its_location)
{
    expect_error("{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
                 " \"grooms\": [{\"name\": \"h\", \"body\": \"hat\"}]}",
                 ALL, COIF_ERR_SCENE, "no body \"hat\"; the bodies: head");
    expect_error("{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
                 " \"grooms\": [{\"name\": \"h\", \"body\": \"head\", \"group\": \"chin\"}]}",
                 ALL, COIF_ERR_SCENE, "no group \"chin\", did you mean \"skin\"? (known: ");
    expect_error("{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
                 " \"grooms\": [{\"name\": \"h\", \"body\": \"head\", \"count\": 3}],\n"
                 " \"sim\": {\"first_frame\": 5}}",
                 (coif_frame_range){2, 6, 1}, COIF_ERR_ARGUMENT, "begins at frame 5");
    expect_error("{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
                 " \"grooms\": [{\"name\": \"h\", \"body\": \"head\", \"count\": 3}],\n"
                 " \"sim\": {\"first_frame\": 5, \"last_frame\": 4}}",
                 ALL, COIF_ERR_SCENE, "/sim/last_frame");
}

// Numbers that go wrong everywhere fail the frame and say what may help.
TEST(a_frame_gone_wrong_fails)
{
    expect_error("{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\",\n"
                 "  \"translate\": {\"keys\": [[1, [0, 0, 0]], [2, [90, 0, 0]]]}}],\n"
                 " \"grooms\": [{\"name\": \"wild\", \"body\": \"head\", \"count\": 50}],\n"
                 " \"sim\": {\"last_frame\": 3, \"warmup_time\": 0}}",
                 ALL, COIF_ERR_SCENE, "strands diverged; roots move at up to 3");
    expect_error("{\"bodies\": [{\"name\": \"head\", \"mesh\": \"ball.obj\"}],\n"
                 " \"grooms\": [{\"name\": \"wild\", \"body\": \"head\", \"count\": 50}],\n"
                 " \"sim\": {\"last_frame\": 3, \"warmup_time\": 0, \"solver\": \"ftl\", "
                 "\"tip_force\": [10, 0, 0]}}",
                 ALL, COIF_ERR_SCENE, "strands diverged; forces accelerate hair by up to ");
}
