#include "tools/cli/farm/farm_engine.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/base/strbuf.h"
#include "tools/cli/farm/farm_work.h"
#include "tools/cli/process.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Tasks of an array of Slurm, whose default limit is 1001.
enum { ARRAY_TASKS = 1000, MAX_WORDS = 64 };

// Missing units of one kind.
typedef struct unit_list {
    const coif_farm_unit *units;
    int32_t count;
} unit_list;

static unit_list list_of(const coif_farm_check *check, coif_unit_kind kind)
{
    unit_list list = {check->missing, 0};
    for (int32_t i = 0; i < check->missing_count; ++i) {
        if (check->missing[i].kind == kind) {
            list.units = list.count == 0 ? &check->missing[i] : list.units;
            list.count += 1;
        }
    }
    return list;
}

static coif_unit_kind kind_of(const unit_list *list)
{
    return list->units[0].kind;
}

// ---- local: a pool of threads, each of which waits for the process of a unit

typedef struct local_run {
    const coif_farm_plan *plan;
    const unit_list *list;
    coif_progress *progress;
} local_run;

static void run_units(void *context, int64_t begin, int64_t end, int worker)
{
    const local_run *run = context;
    (void)worker;
    for (int64_t i = begin; i < end && !coif_progress_cancelled(run->progress); ++i) {
        COIF_SCOPED_ARENA(arena, "unit");
        coif_error error = {0};
        // The result of the unit is in its file.
        if (coif_farm_work(run->plan, &run->list->units[i], run->progress, &arena, &error) !=
            COIF_OK) {
            coif_log(COIF_LOG_WARNING, "%s", error.text);
        }
        coif_progress_step(run->progress, 1);
    }
}

static coif_status run_local(const coif_farm_plan *plan, const unit_list *list,
                             coif_progress *progress, coif_arena *arena, coif_error *error)
{
    local_run run = {plan, list, progress};
    coif_jobs *jobs;
    COIF_TRY(coif_jobs_open(&jobs, plan->jobs, arena, error));
    coif_progress_begin(progress, COIF_UNIT_NAMES[kind_of(list)], list->count, "units");
    coif_parallel_for(jobs, list->count, 1, run_units, &run);
    coif_progress_end(progress);
    coif_jobs_close(jobs);
    return COIF_OK;
}

// ---- GNU parallel

// Adds the words of a text to a list of arguments.
static int32_t add_words(const char **list, int32_t count, const char *text, coif_arena *arena)
{
    char *rest = coif_arena_copy_text(arena, text), *word;
    while ((word = strsep(&rest, " ")) != NULL && count < MAX_WORDS - 1) {
        if (word[0] != '\0') {
            list[count++] = word;
        }
    }
    return count;
}

static coif_status wait_for_parallel(pid_t child, const coif_farm_plan *plan,
                                     coif_progress *progress, coif_error *error)
{
    bool terminated = false;
    int state = 0;
    while (waitpid(child, &state, WNOHANG) == 0) {
        if (!terminated && coif_progress_cancelled(progress)) {
            kill(child, SIGTERM);
            terminated = true;
        }
        nanosleep(&(struct timespec){.tv_nsec = 100000000L}, NULL);
    }
    return terminated ? coif_fail(error, COIF_ERR_CANCELLED, "%s: cancelled", plan->folder)
                      : COIF_OK; // failed units are found by the verification
}

static coif_status run_parallel(const coif_farm_plan *plan, const unit_list *list,
                                coif_progress *progress, coif_arena *arena, coif_error *error)
{
    const char *units = coif_farm_path(plan, "parallel.units", arena);
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    for (int32_t i = 0; i < list->count; ++i) {
        coif_strbuf_print(&text, "%s\n", list->units[i].name);
    }
    COIF_TRY(coif_file_save(units, text.data, text.size, error));
    const char *arguments[MAX_WORDS + 16] = {"parallel",
                                             "--jobs",
                                             coif_arena_print(arena, "%d", plan->jobs),
                                             "--joblog",
                                             coif_farm_path(plan, "parallel.joblog", arena),
                                             "--arg-file",
                                             units};
    int32_t count = add_words(arguments, 7, plan->options, arena);
    const char *const command[] = {"--quote", plan->program, "farm", "work", plan->folder, "{}"};
    for (size_t i = 0; i < COIF_COUNT_OF(command); ++i) {
        arguments[count++] = command[i];
    }
    pid_t child;
    coif_log(COIF_LOG_INFO, "%d %s units through GNU parallel, %d at a time", list->count,
             COIF_UNIT_NAMES[kind_of(list)], plan->jobs);
    COIF_TRY(coif_process_spawn_logged(&child, arguments,
                                       coif_farm_path(plan, "logs/parallel.log", arena), error));
    return wait_for_parallel(child, plan, progress, error);
}

// ---- Slurm

// Text in single quotes for the shell.
static const char *shell_quote(const char *text, coif_arena *arena)
{
    coif_strbuf quoted;
    coif_strbuf_init(&quoted, arena);
    coif_strbuf_add(&quoted, "'");
    for (; *text != '\0'; ++text) {
        coif_strbuf_print(&quoted, *text == '\'' ? "'\\''" : "%c", *text);
    }
    coif_strbuf_add(&quoted, "'");
    return quoted.data;
}

// Indices of the units from begin to end, relative to base, as ranges: "0-4,7".
static const char *index_ranges(const unit_list *list, int32_t begin, int32_t end, int32_t base,
                                coif_arena *arena)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    for (int32_t i = begin; i < end;) {
        int32_t last = i;
        while (last + 1 < end && list->units[last + 1].index == list->units[last].index + 1) {
            ++last;
        }
        coif_strbuf_print(&text, "%s%d", text.size > 0 ? "," : "", list->units[i].index - base);
        if (last > i) {
            coif_strbuf_print(&text, "-%d", list->units[last].index - base);
        }
        i = last + 1;
    }
    return text.data;
}

typedef struct slurm_job {
    const char *name, *array, *after; // after: ids separated by colons, "" for none
    const char *exclude;              // nodes, "" for none
    const char *command;              // after "coif farm work OUT "
} slurm_job;

// The arguments of sbatch.
static void sbatch_arguments(const char **arguments, const coif_farm_plan *plan,
                             const slurm_job *job, coif_arena *arena)
{
    int32_t count = 0;
    arguments[count++] = "sbatch";
    arguments[count++] = "--parsable";
    arguments[count++] = "--requeue";
    arguments[count++] = "--open-mode=append";
    arguments[count++] = coif_arena_print(arena, "--job-name=coif-%s", job->name);
    arguments[count++] =
        coif_arena_print(arena, "--output=%s", coif_farm_path(plan, "logs/slurm-%x.log", arena));
    if (job->array != NULL) {
        arguments[count++] = coif_arena_print(arena, "--array=%s", job->array);
    }
    if (job->after[0] != '\0') {
        arguments[count++] = coif_arena_print(arena, "--dependency=afterany:%s", job->after);
    }
    if (job->exclude[0] != '\0') {
        arguments[count++] = coif_arena_print(arena, "--exclude=%s", job->exclude);
    }
    count = add_words(arguments, count, plan->options, arena);
    arguments[count++] =
        coif_arena_print(arena, "--wrap=exec %s farm work %s %s", shell_quote(plan->program, arena),
                         shell_quote(plan->folder, arena), job->command);
    arguments[count] = NULL;
}

// Where the ids of submitted jobs are collected, or where the commands are printed instead.
typedef struct slurm_submission {
    const coif_farm_plan *plan;
    coif_strbuf *printed; // NULL: the jobs are submitted
    coif_strbuf ids;      // separated by colons
    const char *exclude;  // nodes, "" for none
    coif_progress *progress;
    coif_arena *arena;
} slurm_submission;

static coif_status submit_job(slurm_submission *submission, const slurm_job *job, coif_error *error)
{
    const char *arguments[MAX_WORDS + 16];
    char *output = coif_arena_copy_text(submission->arena, "ID");
    sbatch_arguments(arguments, submission->plan, job, submission->arena);
    for (int32_t i = 0; submission->printed != NULL && arguments[i] != NULL; ++i) {
        const bool plain = strpbrk(arguments[i], " $'") == NULL;
        coif_strbuf_print(submission->printed, "%s%s", i > 0 ? " " : "",
                          plain ? arguments[i] : shell_quote(arguments[i], submission->arena));
    }
    if (submission->printed != NULL) {
        coif_strbuf_add(submission->printed, "\n");
    } else {
        COIF_TRY(
            coif_process_run(&output, arguments, submission->arena, submission->progress, error));
    }
    output[strspn(output, "0123456789ID")] = '\0';
    coif_strbuf_print(&submission->ids, "%s%s", submission->ids.size > 0 ? ":" : "", output);
    return COIF_OK;
}

static coif_status submit_list(slurm_submission *submission, const unit_list *list,
                               const char *after, coif_error *error)
{
    coif_strbuf_init(&submission->ids, submission->arena);
    for (int32_t begin = 0; begin < list->count;) {
        const int32_t base = list->units[begin].index / ARRAY_TASKS * ARRAY_TASKS;
        int32_t end = begin;
        while (end < list->count && list->units[end].index < base + ARRAY_TASKS) {
            ++end;
        }
        const char *kind = COIF_UNIT_NAMES[kind_of(list)];
        const slurm_job job = {.name = kind,
                               .array = index_ranges(list, begin, end, base, submission->arena),
                               .after = after,
                               .exclude = submission->exclude,
                               .command = coif_arena_print(submission->arena,
                                                           "%s-$((%d + SLURM_ARRAY_TASK_ID))", kind,
                                                           base)};
        COIF_TRY(submit_job(submission, &job, error));
        begin = end;
    }
    return COIF_OK;
}

// Each kind waits for the one before it, the assembly for the last.
static coif_status submit_missing(slurm_submission *submission, const coif_farm_check *check,
                                  int32_t round, coif_strbuf *all, coif_error *error)
{
    const char *after = "";
    for (coif_unit_kind kind = 0; kind < COIF_UNIT_KINDS; ++kind) {
        const unit_list list = list_of(check, kind);
        if (list.count > 0) {
            const coif_status status = submit_list(submission, &list, after, error);
            coif_strbuf_print(all, "%s\n", submission->ids.data);
            COIF_TRY(status);
            after = submission->ids.data;
        }
    }
    const slurm_job assembly = {
        .name = "assemble",
        .after = after,
        .exclude = submission->exclude,
        .command = coif_arena_print(submission->arena, "assemble --round %d", round)};
    coif_strbuf_init(&submission->ids, submission->arena);
    COIF_TRY(submit_job(submission, &assembly, error));
    coif_strbuf_print(all, "%s\n", submission->ids.data);
    return COIF_OK;
}

// Submits the missing units and the assembly, and remembers the ids for cancel.
static coif_status run_slurm(const coif_farm_plan *plan, const coif_farm_check *check,
                             int32_t round, coif_progress *progress, coif_arena *arena,
                             coif_error *error)
{
    slurm_submission submission = {
        .plan = plan, .exclude = check->failing, .progress = progress, .arena = arena};
    if (check->failing[0] != '\0') {
        coif_log(COIF_LOG_WARNING, "units failed on %s: tried again on other nodes",
                 check->failing);
    }
    coif_strbuf all;
    coif_strbuf_init(&all, arena);
    const coif_status status = submit_missing(&submission, check, round, &all, error);
    coif_error ignored = {0};
    coif_file_save(coif_farm_path(plan, "slurm.jobs", arena), all.data, all.size,
                   status == COIF_OK ? error : &ignored);
    COIF_TRY(status);
    coif_log(COIF_LOG_INFO, "%d units submitted; coif farm status %s shows how far they are",
             check->missing_count, plan->folder);
    return COIF_OK;
}

// ---- all engines

static coif_status run_list(const coif_farm_plan *plan, const unit_list *list,
                            coif_progress *progress, coif_arena *arena, coif_error *error)
{
    if (list->count == 0) {
        return COIF_OK;
    }
    return plan->engine == COIF_FARM_PARALLEL ? run_parallel(plan, list, progress, arena, error)
                                              : run_local(plan, list, progress, arena, error);
}

static coif_status check_failures(const coif_farm_plan *plan, const coif_farm_check *check,
                                  int32_t round, coif_error *error)
{
    if (check->permanent != NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s", check->permanent);
    }
    return round < plan->tries
               ? COIF_OK
               : coif_fail(
                     error, COIF_ERR_IO,
                     "%s: %d units are incomplete after %d rounds; coif farm status %s says why",
                     plan->folder, check->missing_count, round, plan->folder);
}

static coif_status save_assembly(const coif_farm_plan *plan, const char *state,
                                 const coif_error *why, coif_arena *arena, coif_error *error)
{
    const coif_farm_unit assembly = coif_farm_assembly();
    const coif_unit_result result = {.state = state,
                                     .host = coif_farm_host(arena),
                                     .message = why != NULL ? why->text : "",
                                     .tries = 1,
                                     .exit_code = why != NULL ? (int32_t)why->status : 0};
    return coif_unit_result_save(&result, plan, &assembly, arena, error);
}

static coif_status assemble(const char **state, const coif_farm_plan *plan, int32_t round,
                            coif_progress *progress, coif_arena *arena, coif_error *error)
{
    coif_farm_check check;
    COIF_TRY(coif_farm_verify(&check, plan, progress, arena, error));
    if (check.missing_count == 0) {
        *state = "done";
        return coif_farm_encode(plan, progress, arena, error);
    }
    *state = "repeated";
    COIF_TRY(check_failures(plan, &check, round, error));
    return run_slurm(plan, &check, round + 1, progress, arena, error);
}

static coif_status run_here(const coif_farm_plan *plan, coif_progress *progress, coif_arena *arena,
                            coif_error *error)
{
    for (int32_t round = 0;; ++round) {
        coif_farm_check check;
        COIF_TRY(coif_farm_verify(&check, plan, progress, arena, error));
        if (check.missing_count == 0) {
            return coif_farm_encode(plan, progress, arena, error);
        }
        if (round > 0) {
            COIF_TRY(check_failures(plan, &check, round, error));
        }
        for (coif_unit_kind kind = 0; kind < COIF_UNIT_KINDS; ++kind) {
            const unit_list list = list_of(&check, kind);
            COIF_TRY(run_list(plan, &list, progress, arena, error));
        }
    }
}

// A failure is in the result of the assembly for coif farm status.
static coif_status with_result(coif_status status, const char *state, const coif_farm_plan *plan,
                               coif_arena *arena, coif_error *error)
{
    coif_error ignored = {0};
    if (status == COIF_OK) {
        return save_assembly(plan, state, NULL, arena, error);
    }
    save_assembly(plan, status == COIF_ERR_CANCELLED ? "cancelled" : "failed", error, arena,
                  &ignored);
    return status;
}

coif_status coif_farm_assemble(const coif_farm_plan *plan, int32_t round, coif_progress *progress,
                               coif_arena *arena, coif_error *error)
{
    const char *state = "";
    const coif_status status = assemble(&state, plan, round, progress, arena, error);
    return with_result(status, state, plan, arena, error);
}

coif_status coif_farm_run(const coif_farm_plan *plan, coif_progress *progress, coif_arena *arena,
                          coif_error *error)
{
    if (plan->engine == COIF_FARM_SLURM) {
        const char *state = coif_farm_queue_state(plan, arena);
        if (state != NULL && state[0] != '\0') {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "%s: the film is in the queue, its assembly is %s; it continues by "
                             "itself, 'coif farm cancel %s' takes it out",
                             plan->folder, state, plan->folder);
        }
        return coif_farm_assemble(plan, 0, progress, arena, error);
    }
    return with_result(run_here(plan, progress, arena, error), "done", plan, arena, error);
}

// The last line of the ids is that of the assembly.
const char *coif_farm_queue_state(const coif_farm_plan *plan, coif_arena *arena)
{
    const char *path = coif_farm_path(plan, "slurm.jobs", arena);
    coif_error ignored = {0};
    char *text, *output;
    size_t size;
    if (plan->engine != COIF_FARM_SLURM || !coif_path_exists(path) ||
        coif_file_load(&text, &size, path, arena, &ignored) != COIF_OK || size < 2) {
        return plan->engine == COIF_FARM_SLURM ? "" : NULL;
    }
    text[size - 1] = '\0';
    const char *line = strrchr(text, '\n');
    const char *const words[] = {
        "squeue", "--noheader", "--format=%T", "--jobs", line != NULL ? line + 1 : text, NULL};
    if (coif_process_run(&output, words, arena, NULL, &ignored) != COIF_OK) {
        return strstr(ignored.text, "Invalid job id") != NULL ? "" : NULL;
    }
    output[strcspn(output, "\n")] = '\0';
    return output;
}

char *coif_farm_commands(const coif_farm_plan *plan, coif_arena *arena)
{
    coif_strbuf text, ids;
    coif_strbuf_init(&text, arena);
    coif_strbuf_init(&ids, arena);
    int32_t total = 0;
    for (coif_unit_kind kind = 0; kind < COIF_UNIT_KINDS; ++kind) {
        total += coif_farm_unit_count(plan, kind);
    }
    coif_farm_check check = {.missing = coif_arena_new(arena, total, coif_farm_unit)};
    for (coif_unit_kind kind = 0; kind < COIF_UNIT_KINDS; ++kind) {
        for (int32_t i = 0; i < coif_farm_unit_count(plan, kind); ++i) {
            check.missing[check.missing_count++] = coif_farm_unit_at(plan, kind, i, arena);
        }
    }
    if (plan->engine == COIF_FARM_SLURM) {
        slurm_submission submission = {
            .plan = plan, .printed = &text, .exclude = "", .arena = arena};
        coif_error ignored = {0};
        submit_missing(&submission, &check, 1, &ids, &ignored);
        return text.data;
    }
    for (int32_t i = 0; i < check.missing_count; ++i) {
        coif_strbuf_print(&text, "%s farm work %s %s\n", shell_quote(plan->program, arena),
                          shell_quote(plan->folder, arena), check.missing[i].name);
    }
    return text.data;
}

coif_status coif_farm_cancel(const coif_farm_plan *plan, coif_progress *progress, coif_arena *arena,
                             coif_error *error)
{
    const char *jobs = coif_farm_path(plan, "slurm.jobs", arena);
    COIF_TRY(coif_file_save(coif_farm_path(plan, "cancel", arena), "", 0, error));
    if (plan->engine != COIF_FARM_SLURM || !coif_path_exists(jobs)) {
        return COIF_OK;
    }
    char *text, *output;
    size_t size;
    COIF_TRY(coif_file_load(&text, &size, jobs, arena, error));
    const char **arguments = coif_arena_new(arena, (int64_t)size + 3, const char *);
    int32_t count = 0;
    arguments[count++] = "scancel";
    arguments[count++] = "--quiet";
    for (char *id, *rest = text; (id = strsep(&rest, ":\n")) != NULL;) {
        if (id[0] != '\0') {
            arguments[count++] = id;
        }
    }
    return count == 2 ? COIF_OK : coif_process_run(&output, arguments, arena, progress, error);
}
