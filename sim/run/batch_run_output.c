// batch_run_output: writes cached frames, checkpoints and statistics of a run.
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "core/pack/pack.h"
#include "sim/run/batch_run_internal.h"
#include "sim/run/strand_energy.h"
#include "sim/solver/energy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *coif_batch_run_metadata(const coif_batch_run *run, int frame, coif_arena *arena)
{
    const coif_sim_scene_digests digests = {
        coif_sim_scene_settings(run->sim_scene, run->settings_digest, frame), run->input_digest};
    return coif_sim_scene_metadata(run->sim_scene, run->sim.groom, &run->sim.params, &digests,
                                   arena);
}

static bool file_is_current(coif_batch_run *run, int frame, const char *folder, const char *name)
{
    COIF_SCOPED_ARENA(scratch, "frame check");
    const char *path = coif_frame_file_path(folder, name, frame, &scratch);
    bool same = false;
    if (coif_path_exists(path)) {
        coif_strands strands;
        coif_frame_cache_desc desc = {.frame = -1};
        coif_error ignored = {0};
        same = coif_frame_cache_load(&strands, &desc, run->sim.groom, path, &scratch, &ignored) ==
                   COIF_OK &&
               desc.frame == frame &&
               strcmp(desc.metadata, coif_batch_run_metadata(run, frame, &scratch)) == 0;
        if (!same && !run->warned_corrected && desc.metadata != NULL &&
            coif_metadata_value(desc.metadata, "corrected", &scratch) != NULL) {
            run->warned_corrected = true;
            coif_log(COIF_LOG_WARNING,
                     "%s: corrected frames of 'coif cache' are replaced by the simulation", path);
        }
    }
    return same;
}

// A frame that was joined from all partitions counts for each of them.
bool coif_batch_run_frame_is_cached(coif_batch_run *run, int frame)
{
    return file_is_current(run, frame, run->folder, run->name) ||
           (run->partition.index > 0 &&
            file_is_current(run, frame, run->cache_folder, run->cache_name));
}

bool coif_batch_run_frame_requested(const coif_batch_run *run, int frame)
{
    return frame >= run->frames.first && frame <= run->frames.last &&
           run->pending[frame - run->frames.first];
}

// Partitions are exact, so that joined frames are quantised like any other.
coif_status coif_batch_run_write_frame(const coif_batch_run *run, int frame, coif_strands *strands,
                                       const coif_step_stats *stats, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "frame file");
    // Cached velocities are per second of film time.
    for (int32_t i = 0; run->time_scale != 1.0f && i < strands->point_count; ++i) {
        strands->velocities[i] = coif_scale(strands->velocities[i], run->time_scale);
    }
    const coif_frame_cache_desc desc = {.frame = frame,
                                        .time = coif_sim_scene_time(run->sim_scene, frame),
                                        .quantise =
                                            run->sim.params.quantise && run->partition.index == 0,
                                        .reset_count = stats->reset_strands,
                                        .stats = {.stretch = (double)stats->stretch,
                                                  .contacts = (double)stats->contacts,
                                                  .not_finite = (double)stats->not_finite},
                                        .metadata = coif_batch_run_metadata(run, frame, &scratch),
                                        .jobs = run->sim_scene->jobs};
    return coif_frame_cache_save(strands, run->sim.groom, &desc,
                                 coif_frame_file_path(run->folder, run->name, frame, &scratch),
                                 error);
}

coif_status coif_batch_run_write_checkpoint(coif_batch_run *run, int frame, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "state path");
    run->checkpoint.frame = frame;
    run->checkpoint.time = coif_sim_scene_time(run->sim_scene, frame);
    run->checkpoint.settings = coif_sim_scene_settings(run->sim_scene, run->settings_digest, frame);
    return coif_solver_checkpoint_save(
        &run->checkpoint, coif_batch_run_metadata(run, frame, &scratch),
        coif_state_file_path(run->folder, run->name, frame, &scratch), run->sim_scene->jobs, error);
}

static coif_status save_checkpoint(coif_batch_run *run, int frame, coif_error *error)
{
    coif_solver_get_points(run->sim.solver.core, run->checkpoint.positions,
                           run->checkpoint.velocities);
    coif_solver_get_state(run->sim.solver.core, run->checkpoint.method);
    return coif_batch_run_write_checkpoint(run, frame, error);
}

// Adds a line of statistics. Wall-clock seconds appear nowhere else.
static void add_frame_stats(coif_batch_run *run, int frame, const coif_strands *strands,
                            const coif_step_stats *stats)
{
    float gravity[3];
    coif_param_fields_gravity(run->sim.settings, run->sim.params.first_frame, gravity);
    const coif_energy energy = coif_energy_of(strands, gravity);
    coif_strbuf_print(
        &run->stats_lines,
        "{\"frame\": %d, \"seconds\": %.4f, \"max_stretch\": %.4g, \"contacts\": %lld, "
        "\"strands_not_finite\": %d, \"strands_reset\": %d, \"kinetic\": %.6g, "
        "\"potential\": %.6g",
        frame, run->frame_seconds, (double)stats->stretch, (long long)stats->contacts,
        stats->not_finite, stats->reset_strands, energy.kinetic, energy.potential);
    const double elastic = coif_energy_elastic(run->sim.solver.core, true);
    if (isfinite(elastic)) {
        coif_strbuf_print(&run->stats_lines, ", \"elastic\": %.6g", elastic);
    }
    coif_strbuf_print(&run->stats_lines, "}\n");
    coif_log(COIF_LOG_DETAIL, "%s: frame %d: %.3f s, stretch at most %.3g %%, %lld contacts",
             run->name, frame, run->frame_seconds, 100.0 * (double)stats->stretch,
             (long long)stats->contacts);
}

coif_status coif_batch_run_save_frame(coif_batch_run *run, int frame, const coif_step_stats *stats,
                                      coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "frame");
    coif_strands strands;
    COIF_TRY(coif_groom_sim_strands(&strands, &run->sim, &scratch, error));
    add_frame_stats(run, frame, &strands, stats);
    // The checkpoint first: a run that is killed between both simulates the frame again, so that
    // resuming leaves the same files as a run that was not interrupted.
    if (frame % run->sim.params.checkpoint_interval == 0) {
        COIF_TRY(save_checkpoint(run, frame, error));
    }
    return coif_batch_run_frame_requested(run, frame)
               ? coif_batch_run_write_frame(run, frame, &strands, stats, error)
               : COIF_OK;
}

static const char *statistics_path(const coif_batch_run *run, const char *extension,
                                   coif_arena *arena)
{
    return coif_path_join(run->folder,
                          coif_arena_print(arena, "%s.sim.stats.%s", run->name, extension), arena);
}

void coif_batch_run_clean(const coif_batch_run *run)
{
    COIF_SCOPED_ARENA(scratch, "clean");
    coif_file_clean(statistics_path(run, "json", &scratch));
    coif_file_clean(statistics_path(run, "jsonl", &scratch));
    if (run->partition.count > 0 && run->partition.index == 0) {
        coif_batch_run_delete_parts(run);
    }
}

// Wall-clock times go to the log and to a file that nothing reads.
coif_status coif_batch_run_write_summary(const coif_batch_run *run, coif_error *error)
{
    const double points = run->checkpoint.point_count;
    const double substeps = (double)run->frames_stepped * run->sim.params.substeps;
    const double per_frame = run->frames_stepped > 0 ? run->seconds / run->frames_stepped : 0.0;
    const double rate = run->seconds > 0.0 ? points * substeps / run->seconds * 1e-6 : 0.0;
    if (run->sim.params.enabled) {
        coif_log(COIF_LOG_INFO,
                 "%s: %d strands, %.0f points, %d frames stepped (warm-up included), %.3f s per "
                 "frame, %.2f million point substeps per second, %s",
                 run->name, run->sim.groom->simulated_count, points, run->frames_stepped, per_frame,
                 rate, run->sim_scene->kernels->name);
    } else {
        coif_log(COIF_LOG_INFO, "%s: %d strands, %.0f points, %d frames, not simulated", run->name,
                 run->sim.groom->simulated_count, points, run->frames_stepped);
    }
    COIF_SCOPED_ARENA(scratch, "stats");
    const char *text = coif_arena_print(
        &scratch,
        "{\"strands\": %d, \"points\": %.0f, \"frames_stepped\": %d, \"substeps\": %d, "
        "\"seconds\": %.3f, \"seconds_per_frame\": %.4f, \"million_point_substeps_per_second\": "
        "%.3f, \"strands_reset\": %lld, \"kernels\": \"%s\"}\n",
        run->sim.groom->simulated_count, points, run->frames_stepped, run->sim.params.substeps,
        run->seconds, per_frame, rate, (long long)run->checkpoint.reset_count,
        run->sim_scene->kernels->name);
    return coif_file_save(statistics_path(run, "json", &scratch), text, strlen(text), error);
}

static bool frame_of_line(const char *line, int *frame)
{
    return sscanf(line, "{\"frame\": %d", frame) == 1;
}

// Copies the lines of frames before a given one from an interrupted run.
static void copy_earlier_lines(coif_strbuf *lines, const char *path, int before, coif_arena *arena)
{
    char *text;
    size_t size;
    coif_error ignored = {0};
    if (!coif_path_exists(path) || coif_file_load(&text, &size, path, arena, &ignored) != COIF_OK) {
        return;
    }
    for (char *end = strchr(text, '\n'); end != NULL; end = strchr(text, '\n')) {
        int frame;
        if (frame_of_line(text, &frame) && frame < before) {
            coif_strbuf_add_bytes(lines, text, (size_t)(end + 1 - text));
        }
        text = end + 1;
    }
}

// One line per frame, also after a failure.
coif_status coif_batch_run_write_frame_stats(const coif_batch_run *run, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "stats");
    const char *path = statistics_path(run, "jsonl", &scratch);
    coif_strbuf lines;
    coif_strbuf_init(&lines, &scratch);
    int first = INT32_MAX;
    if (run->stats_lines.size > 0) {
        frame_of_line(run->stats_lines.data, &first);
    }
    copy_earlier_lines(&lines, path, first, &scratch);
    coif_strbuf_add_bytes(&lines, run->stats_lines.data, run->stats_lines.size);
    return coif_file_save(path, lines.data, lines.size, error);
}
