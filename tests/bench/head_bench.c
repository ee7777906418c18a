// head_bench: seconds per frame of a full head of hair that turns, contacts on.
//
// Combed hair of 32 points on the mannequin, who turns the head by 3 degrees per frame; 24 frames
// per second, 10 substeps. Some frames to get going, then the mean of some more. The share of
// contacts is what is saved when the same frames are simulated without bodies. Memory is what the
// arenas hand out at the most, which is all there is (see core/arena.h).
//
//   head_bench [strands] [frames] [solver] [kernel]
#include "core/jobs.h"
#include "core/log.h"
#include "plugins/host.h"
#include "sim/poses.h"
#include "tests/sim_scene.h"

#include <stdlib.h>
#include <time.h>

typedef struct head {
    coif_shot shot;
    coif_simulate_desc desc;
    coif_groom groom;
    const coif_body *body;
    coif_solver solver;
    coif_poses poses;
    coif_work *works;
    int frame;
} head;

typedef struct cost {
    double seconds, cpu; // per frame
} cost;

static coif_arena arena;
static coif_error error;

static void check(coif_status status)
{
    if (status != COIF_OK) {
        fprintf(stderr, "head_bench: %s\n", error.text);
        exit(1);
    }
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static const char *scene_text(int32_t strands, const char *solver)
{
    return coif_arena_print(
        &arena,
        "{\"bodies\": [{\"name\": \"head\", \"mesh\": \"%s\", \"pivot\": [0, -0.1, -0.02],\n"
        "  \"rotate\": {\"keys\": [[1, [0, 0, 0]], [1001, [0, 3000, 0]]]},\n"
        "  \"falloff_low\": -0.2, \"falloff_high\": -0.1}],\n"
        " \"grooms\": [{\"name\": \"hair\", \"body\": \"head\", \"group\": \"scalp\",\n"
        "  \"count\": %d, \"points\": 32, \"length\": 0.25, \"modifiers\": [\n"
        "   {\"plugin\": \"groom.comb\", \"direction\": [0, -0.6, -0.8], \"hang\": 0.9,\n"
        "    \"part\": 0.7, \"over\": 0.09, \"lift\": 8, \"bend\": 0.02}]}],\n"
        " \"sim\": {\"solver\": \"%s\", \"substeps\": 10}}\n",
        coif_test_source("scenes/assets/mannequin.obj"), strands, solver);
}

static void load(coif_scene *scene, int32_t strands, const char *solver)
{
    coif_plugins *plugins;
    check(coif_plugins_open(&plugins, NULL, &arena, &error));
    const char *text = scene_text(strands, solver);
    const char *path = coif_arena_copy_text(&arena, coif_test_path("head_bench.json"));
    check(coif_file_save(path, text, strlen(text), &error));
    const coif_plugin_lookup lookup = coif_plugins_lookup(plugins);
    const coif_scene_desc desc = {.path = path, .tree = scene_tree(), .plugins = &lookup};
    check(coif_scene_load(scene, &desc, &arena, &error));
}

static void open_head(head *all, const coif_scene *scene, const char *kernel, coif_jobs *jobs)
{
    *all = (head){.desc = {.scene = scene, .folder = ".", .kernel = kernel}};
    coif_shot *shot = &all->shot;
    *shot = (coif_shot){.desc = &all->desc, .arena = &arena, .jobs = jobs};
    check(coif_shot_open(shot, &error));
    const double begin = cpu_seconds();
    check(coif_shot_prepare(shot, &error));
    printf("colliders made in %.2f CPU seconds\n", cpu_seconds() - begin);
    const coif_node *node = &coif_node_at(scene->root, "grooms")->children[0];
    check(coif_shot_body(&all->body, shot, node, &error));
    const coif_grow_desc grow = {.scene = scene, .node = node, .body = all->body, .frame = 1};
    check(coif_groom_grow(&all->groom, &grow, &arena, jobs, &error));
    const coif_solver_desc desc = {.groom = &all->groom,
                                   .rest = &all->body->rest,
                                   .body = &shot->colliders[0],
                                   .params = &shot->params,
                                   .kernels = shot->kernels,
                                   .pinned = coif_method_at(shot->params.solver)->pinned};
    coif_solver_init(&all->solver, &desc, &arena, jobs);
    all->works = coif_solver_works(&all->solver, &arena, jobs);
    all->frame = 1;
    coif_poses_open(&all->poses);
    check(coif_poses_stand(&all->poses, shot, 1, &error));
}

static void step(head *all, int32_t body_count, coif_jobs *jobs)
{
    coif_poses *poses = &all->poses;
    all->frame += 1;
    check(coif_poses_advance(poses, &all->shot, all->frame, all->shot.params.substeps, &error));
    while (coif_poses_next(poses, &all->shot)) {
        coif_sim_params params = all->shot.params;
        params.substeps = poses->substeps;
        const coif_solver_frame frame = {.params = &params,
                                         .begin = &poses->begin[0],
                                         .end = &poses->end[0],
                                         .bodies = all->shot.colliders,
                                         .body_count = body_count,
                                         .seconds = poses->substeps / 240.0,
                                         .substeps_before = poses->substep,
                                         .substeps_in_all = poses->all_substeps,
                                         .works = all->works};
        coif_solver_report report;
        check(coif_solver_step(&all->solver, &frame, &report, jobs, NULL));
    }
}

static cost run(head *all, int32_t frames, int32_t body_count, coif_jobs *jobs)
{
    const double clock = coif_clock_seconds();
    const double cpu = cpu_seconds();
    for (int32_t f = 0; f < frames; ++f) {
        step(all, body_count, jobs);
    }
    return (cost){(coif_clock_seconds() - clock) / frames, (cpu_seconds() - cpu) / frames};
}

static void add_peak(void *context, const char *name, size_t used, size_t peak)
{
    (void)name;
    (void)used;
    *(double *)context += (double)peak;
}

static void measure(const coif_scene *scene, const char *kernel, int threads, int32_t frames)
{
    coif_jobs *jobs;
    const coif_arena_mark mark = coif_arena_mark_here(&arena);
    check(coif_jobs_open(&jobs, threads, &arena, &error));
    head all;
    open_head(&all, scene, kernel, jobs);
    run(&all, 3, 1, jobs);
    const cost with = run(&all, frames, 1, jobs);
    const cost without = run(&all, frames, 0, jobs);
    const double points = all.groom.rest.point_count;
    double bytes = 0.0;
    coif_memory_table(add_peak, &bytes);
    printf("%d thread%s: %.3f s per frame, %.3f CPU s, %.2f M point-substeps/s (%.2f by CPU time "
           "and thread), %.0f %% for contacts, %.0f bytes per point\n",
           threads, threads == 1 ? "" : "s", with.seconds, with.cpu, 10e-6 * points / with.seconds,
           10e-6 * points / with.cpu, 100.0 * (1.0 - without.cpu / with.cpu), bytes / points);
    coif_poses_close(&all.poses);
    coif_jobs_close(jobs);
    coif_arena_rewind(&arena, mark);
}

int main(int argc, char **argv)
{
    const int32_t strands = argc > 1 ? atoi(argv[1]) : 20000;
    const int32_t frames = argc > 2 ? atoi(argv[2]) : 5;
    const char *solver = argc > 3 ? argv[3] : "rod";
    const char *kernel = argc > 4 ? argv[4] : "auto";
    coif_arena_init(&arena, "head bench");
    coif_scene scene;
    load(&scene, strands, solver);
    for (int threads = 1; threads <= 2; ++threads) {
        measure(&scene, kernel, threads, frames);
    }
    coif_arena_free(&arena);
    return 0;
}
