// partition_join: frames and checkpoints of a whole groom from those of its partitions.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "sim/run/batch_run_internal.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

char *coif_partition_folder(const char *folder, coif_arena *arena)
{
    return coif_path_join(folder, "partitions", arena);
}

char *coif_partition_name(const char *name, coif_partition partition, coif_arena *arena)
{
    return coif_arena_print(arena, "%s.%d-of-%d", name, partition.index, partition.count);
}

typedef char *file_path(const char *folder, const char *name, int frame, coif_arena *arena);

static const char *path_of(const coif_batch_run *run, file_path *path, int32_t index, int frame,
                           coif_arena *arena)
{
    const coif_partition partition = {index, run->partition.count};
    return path(coif_partition_folder(run->folder, arena),
                coif_partition_name(run->name, partition, arena), frame, arena);
}

// The points of a partition.
static coif_strand_range points_of(const coif_batch_run *run, int32_t index, const int32_t *first)
{
    const coif_partition partition = {index, run->partition.count};
    const coif_strand_range strands =
        coif_partition_strands(partition, run->sim.groom->simulated_count);
    return (coif_strand_range){first[strands.begin], first[strands.end]};
}

// Copies a range of rows of floats.
static void copy_rows(void *to, const void *from, coif_strand_range range, int32_t floats)
{
    const size_t row = sizeof(float) * (size_t)floats;
    memcpy((char *)to + row * (size_t)range.begin, (const char *)from + row * (size_t)range.begin,
           row * (size_t)(range.end - range.begin));
}

static coif_status load_part(coif_strands *strands, coif_frame_cache_desc *desc,
                             const coif_batch_run *run, int32_t index, int frame, coif_arena *arena,
                             coif_error *error)
{
    const char *path = path_of(run, coif_frame_file_path, index, frame, arena);
    if (!coif_path_exists(path)) {
        return coif_fail(error, COIF_ERR_IO, "%s: missing; expected from --partition %d/%d", path,
                         index, run->partition.count);
    }
    COIF_TRY(coif_frame_cache_load(strands, desc, run->sim.groom, path, arena, error));
    return desc->frame == frame &&
                   strcmp(desc->metadata, coif_batch_run_metadata(run, frame, arena)) == 0
               ? COIF_OK
               : coif_fail(error, COIF_ERR_FORMAT, "%s: made with other settings", path);
}

// Radius, colours and rest points are complete in every partition.
static coif_status join_frame(coif_batch_run *run, int frame, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "joined frame");
    coif_strands joined;
    coif_step_stats stats = {0};
    for (int32_t i = 1; i <= run->partition.count; ++i) {
        COIF_SCOPED_ARENA(scratch, "partition");
        coif_strands part;
        coif_frame_cache_desc desc;
        COIF_TRY(load_part(&part, &desc, run, i, frame, i == 1 ? &arena : &scratch, error));
        if (i == 1) {
            joined = part;
        }
        const coif_strand_range points = points_of(run, i, part.first);
        copy_rows(joined.points, part.points, points, 4);
        copy_rows(joined.velocities, part.velocities, points, 3);
        stats.stretch = fmaxf(stats.stretch, (float)desc.stats.stretch);
        stats.contacts += (int64_t)desc.stats.contacts;
        stats.not_finite += (int32_t)desc.stats.not_finite;
        stats.reset_strands += desc.reset_count;
    }
    COIF_TRY(coif_batch_run_check_resets(run, &run->sim.params, frame, &stats, error));
    return coif_batch_run_write_frame(run, frame, &joined, &stats, error);
}

// Loads the checkpoint of a partition; values outside its points are undefined.
static coif_status load_checkpoint(coif_solver_checkpoint *part, const coif_batch_run *run,
                                   int32_t index, int frame, coif_arena *arena, coif_error *error)
{
    const char *path = path_of(run, coif_state_file_path, index, frame, arena);
    if (!coif_path_exists(path)) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: missing", path);
    }
    coif_strands strands;
    COIF_TRY(coif_groom_simulated(&strands, run->sim.groom, arena, error));
    COIF_TRY(coif_solver_checkpoint_init_from_file(part, &strands, path, arena, error));
    part->settings = coif_sim_scene_settings(run->sim_scene, run->settings_digest, frame);
    return coif_solver_checkpoint_load(part, path, arena, error);
}

static coif_status join_checkpoint(coif_batch_run *run, int frame, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "joined checkpoint");
    coif_strands shape;
    COIF_TRY(coif_groom_simulated(&shape, run->sim.groom, &arena, error));
    int64_t reset_count = 0;
    for (int32_t i = 1; i <= run->partition.count; ++i) {
        COIF_SCOPED_ARENA(scratch, "partition");
        coif_solver_checkpoint part;
        COIF_TRY(load_checkpoint(&part, run, i, frame, i == 1 ? &arena : &scratch, error));
        if (i == 1) {
            run->checkpoint = part;
        }
        const coif_strand_range points = points_of(run, i, shape.first);
        copy_rows(run->checkpoint.positions, part.positions, points, 3);
        copy_rows(run->checkpoint.velocities, part.velocities, points, 3);
        copy_rows(run->checkpoint.method, part.method, points, part.method_rows);
        reset_count += part.reset_count;
    }
    run->checkpoint.reset_count = reset_count;
    return coif_batch_run_write_checkpoint(run, frame, error);
}

static void delete_parts(const coif_batch_run *run, int frame)
{
    COIF_SCOPED_ARENA(arena, "partitions");
    for (int32_t i = 1; i <= run->partition.count; ++i) {
        unlink(path_of(run, coif_frame_file_path, i, frame, &arena));
        unlink(path_of(run, coif_state_file_path, i, frame, &arena));
    }
}

static void delete_statistics(const coif_batch_run *run)
{
    static const char *const endings[] = {"sim.stats.json", "sim.stats.jsonl"};
    COIF_SCOPED_ARENA(arena, "partitions");
    const char *folder = coif_partition_folder(run->folder, &arena);
    for (int32_t i = 1; i <= run->partition.count; ++i) {
        const coif_partition partition = {i, run->partition.count};
        const char *name = coif_partition_name(run->name, partition, &arena);
        for (size_t e = 0; e < COIF_COUNT_OF(endings); ++e) {
            unlink(coif_path_join(folder, coif_arena_print(&arena, "%s.%s", name, endings[e]),
                                  &arena));
        }
    }
    rmdir(folder); // if it is empty
}

// A partition without a valid checkpoint costs time after a failure, nothing else. One that cannot
// be read or written now is an error, so that joining again gives all files.
static coif_status try_checkpoint(coif_batch_run *run, int frame, coif_error *error)
{
    coif_error why = {0};
    const coif_status status = join_checkpoint(run, frame, &why);
    if (status == COIF_ERR_FORMAT) {
        coif_log(COIF_LOG_WARNING, "no checkpoint: %s", why.text);
        return COIF_OK;
    }
    return status == COIF_OK ? COIF_OK : coif_fail(error, status, "%s", why.text);
}

// Checkpoints first, as in a simulation.
static coif_status join_frames(coif_batch_run *run, coif_error *error)
{
    const int interval = run->sim.params.checkpoint_interval;
    for (int f = run->sim_scene->params.first_frame; f <= run->frames.last; ++f) {
        if (f % interval == 0) {
            COIF_TRY(try_checkpoint(run, f, error));
        }
        if (coif_batch_run_frame_requested(run, f)) {
            COIF_TRY(join_frame(run, f, error));
            if (!coif_progress_step(run->sim_scene->progress, 1) && f < run->frames.last) {
                return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled after frame %d",
                                 run->name, f);
            }
        }
    }
    return COIF_OK;
}

void coif_batch_run_delete_parts(const coif_batch_run *run)
{
    for (int f = run->sim_scene->params.first_frame; f <= run->frames.last; ++f) {
        delete_parts(run, f);
    }
    delete_statistics(run);
}

coif_status coif_batch_run_join(coif_batch_run *run, coif_error *error)
{
    coif_progress_begin(run->sim_scene->progress, run->name,
                        run->frames.last - run->frames.first + 1, "frames");
    const coif_status status = join_frames(run, error);
    coif_progress_end(run->sim_scene->progress);
    COIF_TRY(status);
    coif_batch_run_delete_parts(run);
    coif_log(COIF_LOG_INFO, "%s: frames %d-%d joined from %d partitions", run->name,
             run->frames.first, run->frames.last, run->partition.count);
    return COIF_OK;
}
