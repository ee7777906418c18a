#include "tools/cli/farm/farm_work.h"

#include "core/base/arena.h"
#include "core/base/claim.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/log.h"
#include "tools/cli/process.h"
#include "tools/cli/video.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_ARGUMENTS = 24, POLL_MILLISECONDS = 50, LOG_TAIL = 2048, SIGNAL_EXIT = 128 };

bool coif_farm_retries(int exit_code)
{
    return exit_code == COIF_ERR_IO || exit_code == COIF_ERR_FORMAT ||
           exit_code == COIF_ERR_MEMORY || exit_code == COIF_ERR_CANCELLED ||
           exit_code > SIGNAL_EXIT;
}

static bool is_cancelled(const coif_farm_plan *plan, const coif_progress *progress)
{
    return coif_progress_cancelled(progress) || coif_farm_is_cancelled(plan);
}

static void pause_for(double seconds)
{
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&time, NULL);
}

// ---- the process of a unit

static const char **arguments_of(const coif_farm_plan *plan, const coif_farm_unit *unit,
                                 coif_arena *arena)
{
    const char **list =
        coif_arena_new(arena, (size_t)(MAX_ARGUMENTS + 2 * plan->set.count), const char *);
    const char *cores = getenv("SLURM_CPUS_PER_TASK");
    int32_t count = 0;
    list[count++] = plan->program;
    list[count++] = unit->kind == COIF_UNIT_SIM ? "sim" : "render";
    list[count++] = plan->scene;
    list[count++] = "--out";
    list[count++] = plan->folder;
    list[count++] = "--frames";
    if (unit->kind == COIF_UNIT_SIM) {
        list[count++] = coif_arena_print(arena, "%d-%d", plan->first, plan->last);
        list[count++] = "--groom";
        list[count++] = plan->grooms.items[unit->index];
    } else {
        list[count++] = coif_arena_print(arena, "%d-%d", unit->first, unit->last);
        list[count++] = "--format";
        list[count++] = plan->formats;
        list[count++] = "--embree-isa";
        list[count++] = plan->isa;
    }
    if (plan->threads > 0 || cores != NULL) {
        list[count++] = "--threads";
        list[count++] = plan->threads > 0 ? coif_arena_print(arena, "%d", plan->threads) : cores;
    }
    if (plan->plugin_path[0] != '\0') {
        list[count++] = "--plugin-path";
        list[count++] = plan->plugin_path;
    }
    for (int32_t i = 0; i < plan->set.count; ++i) {
        list[count++] = "--set";
        list[count++] = plan->set.items[i];
    }
    return list;
}

// Waits for a process, which is terminated when the work is cancelled. The exit code, 128 and the
// number of the signal after a kill.
static int wait_for(pid_t child, const coif_farm_plan *plan, const coif_progress *progress)
{
    int state = 0;
    for (bool terminated = false; waitpid(child, &state, WNOHANG) == 0;) {
        if (!terminated && is_cancelled(plan, progress)) {
            kill(child, SIGTERM);
            terminated = true;
        }
        pause_for(1e-3 * POLL_MILLISECONDS);
    }
    return WIFSIGNALED(state) ? SIGNAL_EXIT + WTERMSIG(state) : WEXITSTATUS(state);
}

// The last line of a log, without the name of the program.
static const char *last_line(const char *path, coif_arena *arena)
{
    coif_bytes bytes;
    coif_error ignored = {0};
    if (coif_file_map(&bytes, path, &ignored) != COIF_OK) {
        return "";
    }
    const size_t size = bytes.size < LOG_TAIL ? bytes.size : LOG_TAIL;
    char *text = coif_arena_print(arena, "%.*s", (int)size,
                                  size > 0 ? (const char *)bytes.data + bytes.size - size : "");
    coif_file_unmap(&bytes);
    for (size_t end = strlen(text); end > 0 && text[end - 1] == '\n';) {
        text[--end] = '\0';
    }
    const char *line = strrchr(text, '\n');
    line = line != NULL ? line + 1 : text;
    return strncmp(line, "coif: ", 6) == 0 ? line + 6 : line;
}

// ---- results

static const char *digest_text(const char *path, coif_arena *arena)
{
    coif_bytes bytes;
    coif_error ignored = {0};
    if (!coif_path_exists(path) || coif_file_map(&bytes, path, &ignored) != COIF_OK) {
        return "";
    }
    const uint64_t digest = coif_hash64(bytes.data, bytes.size);
    coif_file_unmap(&bytes);
    return coif_arena_print(arena, "%016llx", (unsigned long long)digest);
}

static int32_t format_count(const char *formats)
{
    int32_t count = 1;
    for (const char *at = formats; (at = strchr(at, ',')) != NULL; ++at) {
        ++count;
    }
    return count;
}

// Names and digests of the images of a render unit.
static void list_images(coif_unit_result *result, const coif_farm_plan *plan,
                        const coif_farm_unit *unit, coif_arena *arena)
{
    const int32_t formats = format_count(plan->formats);
    const size_t count = (size_t)(formats * (unit->last - unit->first + 1));
    result->files.items = coif_arena_new(arena, count, const char *);
    result->digests.items = coif_arena_new(arena, count, const char *);
    result->files.count = 0;
    for (int32_t frame = unit->first; frame <= unit->last; ++frame) {
        const char *format = plan->formats;
        for (int32_t i = 0; i < formats; ++i, format += strcspn(format, ",") + 1) {
            const char *name = coif_arena_print(arena, "render%04d.%.*s", frame,
                                                (int)strcspn(format, ","), format);
            const char *path = coif_path_join(plan->folder, name, arena);
            result->files.items[result->files.count] = name;
            result->digests.items[result->files.count++] = digest_text(path, arena);
        }
    }
    result->digests.count = result->files.count;
}

static const char *host_name(coif_arena *arena)
{
    char host[64] = "";
    const char *node = getenv("SLURMD_NODENAME");
    gethostname(host, sizeof host - 1);
    return coif_arena_copy_text(arena, node != NULL ? node : host);
}

static coif_status check_simulation(const coif_farm_plan *plan, const coif_farm_unit *unit,
                                    coif_arena *arena, coif_error *error)
{
    for (int32_t i = 0; unit->kind == COIF_UNIT_RENDER && i < plan->grooms.count; ++i) {
        const coif_farm_unit sim = coif_farm_unit_at(plan, COIF_UNIT_SIM, i, arena);
        const coif_unit_result result = coif_unit_result_load(plan, &sim, arena);
        if (!coif_unit_is_done(&result)) {
            return coif_fail(error, COIF_ERR_IO, "%s: groom %s is not simulated: %s is %s",
                             unit->name, plan->grooms.items[i], sim.name,
                             result.state[0] != '\0' ? result.state : "not started");
        }
    }
    return COIF_OK;
}

// One try; its output is appended to the log of the unit.
static coif_status run_try(coif_unit_result *result, const coif_farm_plan *plan,
                           const coif_farm_unit *unit, const coif_progress *progress,
                           coif_arena *arena, coif_error *error)
{
    const char *log =
        coif_farm_path(plan, coif_arena_print(arena, "logs/%s.log", unit->name), arena);
    const double start = coif_clock_seconds();
    pid_t child;
    COIF_TRY(coif_process_spawn_logged(&child, arguments_of(plan, unit, arena), log, error));
    result->exit_code = wait_for(child, plan, progress);
    result->seconds = coif_clock_seconds() - start;
    result->message = result->exit_code == 0 ? "" : last_line(log, arena);
    return COIF_OK;
}

static coif_status run_tries(coif_unit_result *result, const coif_farm_plan *plan,
                             const coif_farm_unit *unit, const coif_progress *progress,
                             coif_arena *arena, coif_error *error)
{
    for (int32_t tries = 1; tries <= plan->tries; ++tries) {
        result->state = "running";
        result->tries += 1;
        COIF_TRY(coif_unit_result_save(result, plan, unit, arena, error));
        COIF_TRY(run_try(result, plan, unit, progress, arena, error));
        if (result->exit_code == 0 || is_cancelled(plan, progress) ||
            !coif_farm_retries(result->exit_code)) {
            break;
        }
        coif_log(COIF_LOG_WARNING, "%s: try %d ended with exit code %d: %s", unit->name, tries,
                 result->exit_code, result->message);
        pause_for(tries < plan->tries ? 0.5 * tries : 0.0);
    }
    return COIF_OK;
}

static coif_status run_claimed(const coif_farm_plan *plan, const coif_farm_unit *unit,
                               coif_progress *progress, coif_arena *arena, coif_error *error)
{
    coif_unit_result result = coif_unit_result_load(plan, unit, arena);
    if (coif_unit_is_done(&result)) {
        coif_log(COIF_LOG_INFO, "%s is done", unit->name);
        return COIF_OK;
    }
    if (is_cancelled(plan, progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled", unit->name);
    }
    COIF_TRY(check_simulation(plan, unit, arena, error));
    result.host = host_name(arena);
    const coif_status status = run_tries(&result, plan, unit, progress, arena, error);
    if (status != COIF_OK) {
        return status;
    }
    const bool cancelled = result.exit_code != 0 && is_cancelled(plan, progress);
    result.state = result.exit_code == 0 ? "done" : cancelled ? "cancelled" : "failed";
    if (result.exit_code == 0 && unit->kind == COIF_UNIT_RENDER) {
        list_images(&result, plan, unit, arena);
    }
    COIF_TRY(coif_unit_result_save(&result, plan, unit, arena, error));
    if (result.exit_code == 0) {
        return COIF_OK;
    }
    const bool own_code = result.exit_code < SIGNAL_EXIT;
    return coif_fail(error,
                     cancelled  ? COIF_ERR_CANCELLED
                     : own_code ? (coif_status)result.exit_code
                                : COIF_ERR_IO,
                     "%s: exit code %d after %d tries: %s", unit->name, result.exit_code,
                     result.tries, result.message);
}

coif_status coif_farm_work(const coif_farm_plan *plan, const coif_farm_unit *unit,
                           coif_progress *progress, coif_arena *arena, coif_error *error)
{
    coif_claim claim;
    const char *path =
        coif_farm_path(plan, coif_arena_print(arena, "units/%s.json", unit->name), arena);
    COIF_TRY(coif_claim_wait(&claim, path, progress, error));
    const coif_status status = run_claimed(plan, unit, progress, arena, error);
    coif_claim_release(&claim);
    return status;
}

// ---- verification

// Whether all files of a unit are those that it made. A damaged one is deleted.
static bool files_are_whole(const coif_farm_plan *plan, const coif_farm_unit *unit,
                            const coif_unit_result *result, coif_arena *arena)
{
    bool whole = true;
    for (int32_t i = 0; i < result->files.count; ++i) {
        const char *path = coif_path_join(plan->folder, result->files.items[i], arena);
        if (strcmp(digest_text(path, arena), result->digests.items[i]) != 0) {
            coif_log(COIF_LOG_WARNING, "%s: %s; it is rendered again", path,
                     coif_path_exists(path) ? "damaged" : "missing");
            unlink(path);
            whole = false;
        }
    }
    const int32_t images = format_count(plan->formats) * (unit->last - unit->first + 1);
    return whole && (unit->kind == COIF_UNIT_SIM || result->files.count == images);
}

static coif_status verify_unit(coif_farm_check *check, const coif_farm_plan *plan,
                               const coif_farm_unit *unit, coif_arena *arena, coif_error *error)
{
    coif_unit_result result = coif_unit_result_load(plan, unit, arena);
    if (coif_unit_is_done(&result)) {
        if (files_are_whole(plan, unit, &result, arena)) {
            check->frames += unit->kind == COIF_UNIT_RENDER ? unit->last - unit->first + 1 : 0;
            return COIF_OK;
        }
        result.state = "damaged";
        COIF_TRY(coif_unit_result_save(&result, plan, unit, arena, error));
    } else if (strcmp(result.state, "failed") == 0 && !coif_farm_retries(result.exit_code) &&
               check->permanent == NULL) {
        check->permanent = coif_arena_print(arena, "%s: exit code %d: %s", unit->name,
                                            result.exit_code, result.message);
    }
    check->missing[check->missing_count++] = *unit;
    return COIF_OK;
}

coif_status coif_farm_verify(coif_farm_check *check, const coif_farm_plan *plan,
                             coif_progress *progress, coif_arena *arena, coif_error *error)
{
    const int32_t total =
        coif_farm_unit_count(plan, COIF_UNIT_SIM) + coif_farm_unit_count(plan, COIF_UNIT_RENDER);
    *check = (coif_farm_check){.missing = coif_arena_new(arena, total, coif_farm_unit)};
    for (int kind = COIF_UNIT_SIM; kind <= COIF_UNIT_RENDER; ++kind) {
        for (int32_t i = 0; i < coif_farm_unit_count(plan, (coif_unit_kind)kind); ++i) {
            const coif_farm_unit unit = coif_farm_unit_at(plan, (coif_unit_kind)kind, i, arena);
            COIF_TRY(verify_unit(check, plan, &unit, arena, error));
            if (is_cancelled(plan, progress)) {
                return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled", plan->folder);
            }
        }
    }
    return COIF_OK;
}

coif_status coif_farm_encode(const coif_farm_plan *plan, coif_progress *progress, coif_arena *arena,
                             coif_error *error)
{
    if (!plan->video) {
        return COIF_OK;
    }
    const coif_video_desc desc = {
        .folder = plan->folder,
        .format = "png",
        .path = coif_path_join(plan->folder, "output.mp4", arena),
        .frames = {plan->first, plan->last, 1},
        .fps = plan->fps,
        .quality = 18,
    };
    return coif_video_make(&desc, arena, progress, error);
}
