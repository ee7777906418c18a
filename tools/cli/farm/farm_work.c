#include "tools/cli/farm/farm_work.h"

#include "core/base/arena.h"
#include "core/base/claim.h"
#include "core/base/error.h"
#include "core/base/hash64.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/base/string_table.h"
#include "render/driver/denoise_film.h"
#include "tools/cli/process.h"
#include "tools/cli/video.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_ARGUMENTS = 24,
    POLL_MILLISECONDS = 50,
    LOG_TAIL = 2048,
    SIGNAL_EXIT = 128,
    MAX_HOSTS = 1000
};

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

typedef struct word_list {
    const char **items;
    int32_t count;
} word_list;

static void add_option(word_list *list, const char *option, const char *value)
{
    list->items[list->count++] = option;
    list->items[list->count++] = value;
}

static const char *frames_of(const coif_farm_plan *plan, const coif_farm_unit *unit,
                             coif_arena *arena)
{
    return coif_arena_print(arena, plan->step > 1 ? "%d-%dx%d" : "%d-%d", unit->first, unit->last,
                            plan->step);
}

static void add_sim_options(word_list *list, const coif_farm_plan *plan, const coif_farm_unit *unit,
                            coif_arena *arena)
{
    const int32_t partitions = coif_farm_partitions(plan, unit->groom);
    add_option(list, "--groom", plan->grooms.items[unit->groom]);
    if (unit->part > 0) {
        add_option(list, "--partition", coif_arena_print(arena, "%d/%d", unit->part, partitions));
    } else if (partitions > 0) {
        add_option(list, "--join", coif_arena_print(arena, "%d", partitions));
    }
}

static void add_render_options(word_list *list, const coif_farm_plan *plan,
                               const coif_farm_unit *unit, coif_arena *arena)
{
    const int32_t columns = plan->tile_columns, rows = plan->tile_rows;
    add_option(list, "--format", plan->formats);
    add_option(list, "--embree-isa", plan->isa);
    list->items[list->count++] = "--defer-denoise"; // the assembly has all frames
    if (unit->part > 0) {
        add_option(list, "--tile", coif_arena_print(arena, "%d/%dx%d", unit->part, columns, rows));
    } else if (columns > 0) {
        add_option(list, "--join-tiles", coif_arena_print(arena, "%dx%d", columns, rows));
    }
}

static bool is_simulation(const coif_farm_unit *unit)
{
    return unit->kind == COIF_UNIT_SIM || unit->kind == COIF_UNIT_PARTITION;
}

static const char **arguments_of(const coif_farm_plan *plan, const coif_farm_unit *unit,
                                 coif_arena *arena)
{
    word_list list = {
        coif_arena_new(arena, (size_t)(MAX_ARGUMENTS + 2 * plan->set.count), const char *), 0};
    const char *cores = getenv("SLURM_CPUS_PER_TASK");
    add_option(&list, plan->program, is_simulation(unit) ? "sim" : "render");
    list.items[list.count++] = plan->scene;
    add_option(&list, "--out", plan->folder);
    add_option(&list, "--frames", frames_of(plan, unit, arena));
    if (is_simulation(unit)) {
        add_sim_options(&list, plan, unit, arena);
    } else {
        add_render_options(&list, plan, unit, arena);
    }
    if (plan->threads > 0 || cores != NULL) {
        add_option(&list, "--threads",
                   plan->threads > 0 ? coif_arena_print(arena, "%d", plan->threads) : cores);
    }
    if (plan->plugin_path[0] != '\0') {
        add_option(&list, "--plugin-path", plan->plugin_path);
    }
    for (int32_t i = 0; i < plan->set.count; ++i) {
        add_option(&list, "--set", plan->set.items[i]);
    }
    return list.items;
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

static void list_file(coif_unit_result *result, const coif_farm_plan *plan, const char *name,
                      coif_arena *arena)
{
    result->files.items[result->files.count] = name;
    result->digests.items[result->files.count++] =
        digest_text(coif_path_join(plan->folder, name, arena), arena);
    result->digests.count = result->files.count;
}

// Names and digests of the images of a render unit, and of the inputs of a denoised film.
static void list_images(coif_unit_result *result, const coif_farm_plan *plan,
                        const coif_farm_unit *unit, coif_arena *arena)
{
    const int32_t formats = format_count(plan->formats);
    const size_t count = (size_t)((formats + 1) * coif_farm_frames(plan, unit->first, unit->last));
    result->files.items = coif_arena_new(arena, count, const char *);
    result->digests.items = coif_arena_new(arena, count, const char *);
    result->files.count = 0;
    for (int32_t frame = unit->first; frame <= unit->last; frame += plan->step) {
        const char *format = plan->formats;
        for (int32_t i = 0; i < formats; ++i, format += strcspn(format, ",") + 1) {
            const char *name = coif_arena_print(arena, "render%04d.%.*s", frame,
                                                (int)strcspn(format, ","), format);
            list_file(result, plan, name, arena);
        }
        const char *inputs = coif_arena_print(arena, "render%04d.denoise", frame);
        if (coif_path_exists(coif_path_join(plan->folder, inputs, arena))) {
            list_file(result, plan, inputs, arena);
        }
    }
}

static coif_status check_done(const coif_farm_plan *plan, const coif_farm_unit *unit,
                              const coif_farm_unit *before, coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "unit");
    const coif_unit_result result = coif_unit_result_load(plan, before, &arena);
    return coif_unit_is_done(&result)
               ? COIF_OK
               : coif_fail(error, COIF_ERR_IO, "%s: %s is %s", unit->name, before->name,
                           result.state[0] != '\0' ? result.state : "not started");
}

// Whether the units that it depends on are done: partitions of the groom, all simulations, tiles
// of the frames.
static coif_status check_dependencies(const coif_farm_plan *plan, const coif_farm_unit *unit,
                                      coif_arena *arena, coif_error *error)
{
    for (coif_unit_kind kind = 0; kind < unit->kind; ++kind) {
        for (int32_t i = 0; i < coif_farm_unit_count(plan, kind); ++i) {
            const coif_farm_unit before = coif_farm_unit_at(plan, kind, i, arena);
            const bool needed = kind == COIF_UNIT_PARTITION
                                    ? unit->kind == COIF_UNIT_SIM && before.groom == unit->groom
                                : kind == COIF_UNIT_SIM ? true
                                                        : before.chunk == unit->chunk;
            if (needed) {
                COIF_TRY(check_done(plan, unit, &before, error));
            }
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
    COIF_TRY(check_dependencies(plan, unit, arena, error));
    result.host = coif_farm_host(arena);
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

// The denoised image of a file of denoiser inputs, NULL for any other file.
static const char *denoised_image(const coif_farm_plan *plan, const char *file, coif_arena *arena)
{
    if (!coif_path_has_extension(file, "denoise")) {
        return NULL;
    }
    const char *name =
        coif_arena_print(arena, "%sd.%.*s", file, (int)strcspn(plan->formats, ","), plan->formats);
    return coif_path_join(plan->folder, name, arena);
}

// Whether all files of a unit are those that it made. A damaged one is deleted. Inputs of the
// denoiser may be deleted after their image was made; a damaged one takes its image with it, so
// that the frame is rendered again.
static bool files_are_whole(const coif_farm_plan *plan, const coif_farm_unit *unit,
                            const coif_unit_result *result, coif_arena *arena)
{
    bool whole = true;
    for (int32_t i = 0; i < result->files.count; ++i) {
        const char *path = coif_path_join(plan->folder, result->files.items[i], arena);
        const char *denoised = denoised_image(plan, result->files.items[i], arena);
        const bool exists = coif_path_exists(path);
        if (strcmp(digest_text(path, arena), result->digests.items[i]) == 0 ||
            (!exists && denoised != NULL && coif_path_exists(denoised))) {
            continue;
        }
        coif_log(COIF_LOG_WARNING, "%s: %s; it is rendered again", path,
                 exists ? "damaged" : "missing");
        unlink(path);
        if (denoised != NULL) {
            unlink(denoised);
        }
        whole = false;
    }
    const int32_t images =
        format_count(plan->formats) * coif_farm_frames(plan, unit->first, unit->last);
    return whole && (unit->kind != COIF_UNIT_RENDER || result->files.count >= images);
}

static coif_status verify_unit(bool *done, coif_farm_check *check, const coif_farm_plan *plan,
                               const coif_farm_unit *unit, coif_arena *arena, coif_error *error)
{
    COIF_SCOPED_ARENA(scratch, "unit");
    coif_unit_result result = coif_unit_result_load(plan, unit, &scratch);
    *done = coif_unit_is_done(&result) && files_are_whole(plan, unit, &result, &scratch);
    if (*done) {
        const bool frames = unit->kind == COIF_UNIT_RENDER;
        check->frames += frames ? coif_farm_frames(plan, unit->first, unit->last) : 0;
    } else if (coif_unit_is_done(&result)) {
        result.state = "damaged";
        return coif_unit_result_save(&result, plan, unit, &scratch, error);
    } else if (strcmp(result.state, "failed") == 0 && !coif_farm_retries(result.exit_code) &&
               check->permanent == NULL) {
        check->permanent = coif_arena_print(arena, "%s: exit code %d: %s", unit->name,
                                            result.exit_code, result.message);
    }
    return COIF_OK;
}

static coif_status mark_damaged(const coif_farm_plan *plan, const coif_farm_unit *unit,
                                coif_error *error)
{
    COIF_SCOPED_ARENA(arena, "unit");
    coif_unit_result result = coif_unit_result_load(plan, unit, &arena);
    if (!coif_unit_is_done(&result)) {
        return COIF_OK;
    }
    result.state = "damaged";
    return coif_unit_result_save(&result, plan, unit, &arena, error);
}

// The parts of a unit that failed or lost its files are made again. They may have been deleted when
// the unit was joined; those that are whole cost little.
static coif_status forget_parts(const coif_farm_plan *plan, const coif_farm_unit *unit,
                                coif_error *error)
{
    const coif_unit_kind kind = unit->kind == COIF_UNIT_SIM ? COIF_UNIT_PARTITION : COIF_UNIT_TILE;
    COIF_SCOPED_ARENA(arena, "unit");
    const coif_unit_result result = coif_unit_result_load(plan, unit, &arena);
    const bool failed = strcmp(result.state, "damaged") == 0 || strcmp(result.state, "failed") == 0;
    for (int32_t i = 0; failed && i < coif_farm_unit_count(plan, kind); ++i) {
        const coif_farm_unit part = coif_farm_unit_at(plan, kind, i, &arena);
        if (kind == COIF_UNIT_PARTITION ? part.groom == unit->groom : part.chunk == unit->chunk) {
            COIF_TRY(mark_damaged(plan, &part, error));
        }
    }
    return COIF_OK;
}

// Parts of a complete unit are not read.
static bool needs_unit(const coif_farm_unit *unit, const bool *const done[COIF_UNIT_KINDS])
{
    return unit->kind == COIF_UNIT_PARTITION ? !done[COIF_UNIT_SIM][unit->groom]
           : unit->kind == COIF_UNIT_TILE    ? !done[COIF_UNIT_RENDER][unit->chunk]
                                             : true;
}

typedef struct verification {
    const coif_farm_plan *plan;
    coif_farm_check *check;
    bool *done[COIF_UNIT_KINDS];
    coif_string_table hosts;
    bool failed[MAX_HOSTS], worked[MAX_HOSTS]; // some unit failed there, some unit was done
    coif_progress *progress;
    coif_arena *arena;
} verification;

static void count_host(verification *v, const coif_farm_unit *unit)
{
    COIF_SCOPED_ARENA(scratch, "unit");
    const coif_unit_result result = coif_unit_result_load(v->plan, unit, &scratch);
    const bool failed = strcmp(result.state, "failed") == 0;
    if (result.host[0] == '\0' || (!failed && !coif_unit_is_done(&result)) ||
        v->hosts.count >= MAX_HOSTS) {
        return;
    }
    const int32_t host =
        coif_string_table_intern(&v->hosts, result.host, strlen(result.host), v->arena);
    v->failed[host] |= failed;
    v->worked[host] |= !failed;
}

static coif_status verify_kind(verification *v, coif_unit_kind kind, coif_error *error)
{
    const int32_t count = coif_farm_unit_count(v->plan, kind);
    const bool joins = kind == COIF_UNIT_SIM || kind == COIF_UNIT_RENDER;
    for (int32_t i = 0; i < count; ++i) {
        COIF_SCOPED_ARENA(scratch, "unit");
        const coif_farm_unit unit = coif_farm_unit_at(v->plan, kind, i, &scratch);
        bool *done = &v->done[kind][i];
        *done = !needs_unit(&unit, (const bool *const *)v->done);
        count_host(v, &unit);
        if (!*done) {
            COIF_TRY(verify_unit(done, v->check, v->plan, &unit, v->arena, error));
        }
        if (!*done && joins) {
            COIF_TRY(forget_parts(v->plan, &unit, error));
        }
        if (is_cancelled(v->plan, v->progress)) {
            return coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled", v->plan->folder);
        }
    }
    return COIF_OK;
}

// A machine with a full disk fails one unit after another.
static const char *failing_hosts(const verification *v)
{
    const char *list = "";
    bool others = false;
    for (int32_t h = 0; h < v->hosts.count; ++h) {
        others |= v->worked[h] && !v->failed[h];
        if (v->failed[h]) {
            list = coif_arena_print(v->arena, "%s%s%s", list, list[0] != '\0' ? "," : "",
                                    v->hosts.names[h]);
        }
    }
    return others ? list : "";
}

// A frame that could not be read or written may be that of a simulation: its cache is checked
// again.
static coif_status suspect_simulations(const coif_farm_plan *plan, coif_error *error)
{
    for (coif_unit_kind kind = COIF_UNIT_TILE; kind <= COIF_UNIT_RENDER; ++kind) {
        for (int32_t i = 0; i < coif_farm_unit_count(plan, kind); ++i) {
            COIF_SCOPED_ARENA(arena, "unit");
            const coif_farm_unit unit = coif_farm_unit_at(plan, kind, i, &arena);
            const coif_unit_result result = coif_unit_result_load(plan, &unit, &arena);
            if (strcmp(result.state, "failed") == 0 &&
                (result.exit_code == COIF_ERR_IO || result.exit_code == COIF_ERR_FORMAT)) {
                for (int32_t g = 0; g < plan->grooms.count; ++g) {
                    const coif_farm_unit sim = coif_farm_unit_at(plan, COIF_UNIT_SIM, g, &arena);
                    COIF_TRY(mark_damaged(plan, &sim, error));
                }
                return COIF_OK;
            }
        }
    }
    return COIF_OK;
}

coif_status coif_farm_verify(coif_farm_check *check, const coif_farm_plan *plan,
                             coif_progress *progress, coif_arena *arena, coif_error *error)
{
    // Joined units come before their parts.
    static const coif_unit_kind order[] = {COIF_UNIT_SIM, COIF_UNIT_RENDER, COIF_UNIT_PARTITION,
                                           COIF_UNIT_TILE};
    verification v = {plan, check, .progress = progress, .arena = arena};
    int32_t total = 0;
    *check = (coif_farm_check){.frames = 0};
    COIF_TRY(suspect_simulations(plan, error));
    for (size_t k = 0; k < COIF_COUNT_OF(order); ++k) {
        const int32_t count = coif_farm_unit_count(plan, order[k]);
        total += count;
        v.done[order[k]] = coif_arena_new(arena, count, bool);
        COIF_TRY(verify_kind(&v, order[k], error));
    }
    check->failing = failing_hosts(&v);
    check->missing = coif_arena_new(arena, total, coif_farm_unit);
    for (coif_unit_kind kind = 0; kind < COIF_UNIT_KINDS; ++kind) {
        for (int32_t i = 0; i < coif_farm_unit_count(plan, kind); ++i) {
            if (!v.done[kind][i]) {
                check->missing[check->missing_count++] = coif_farm_unit_at(plan, kind, i, arena);
            }
        }
    }
    return COIF_OK;
}

// Of a film with image/denoise_frames.
static coif_status denoise_film(const coif_farm_plan *plan, coif_progress *progress,
                                coif_arena *arena, coif_error *error)
{
    const coif_denoise_film_desc desc = {.folder = plan->folder, .optional = true};
    coif_jobs *jobs;
    COIF_TRY(coif_jobs_open(&jobs, plan->threads, arena, error));
    const coif_status status = coif_denoise_film(&desc, jobs, progress, error);
    coif_jobs_close(jobs);
    return status;
}

coif_status coif_farm_encode(const coif_farm_plan *plan, coif_progress *progress, coif_arena *arena,
                             coif_error *error)
{
    COIF_TRY(denoise_film(plan, progress, arena, error));
    if (!plan->video) {
        return COIF_OK;
    }
    const coif_video_desc desc = {
        .folder = plan->folder,
        .format = "png",
        .path = coif_path_join(plan->folder, "output.mp4", arena),
        .frames = {plan->first, plan->last, plan->step},
        .fps = plan->fps,
        .quality = 18,
    };
    return coif_video_make(&desc, arena, progress, error);
}
