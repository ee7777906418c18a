#include "tools/cli/farm/farm_report.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/strbuf.h"
#include "core/base/string_table.h"
#include "tools/cli/farm/farm_engine.h"

#include <string.h>

enum { MAX_FAILURES = 10 };

typedef struct farm_totals {
    int32_t done_frames, timed_frames, done, running, failed, waiting;
    double seconds; // of the frames that are done
    coif_string_table hosts;
    int32_t *host_frames;
    double *host_seconds;
} farm_totals;

static const char *state_of(const coif_farm_plan *plan, const coif_farm_unit *unit,
                            const coif_unit_result *result, coif_arena *arena)
{
    if (coif_unit_is_running(plan, unit, arena)) {
        return "running";
    }
    // A unit that says so and holds no claim was killed with its machine.
    return strcmp(result->state, "running") == 0 ? "lost"
           : result->state[0] == '\0'            ? "waiting"
                                                 : result->state;
}

// Frames of a unit whose file exists: images, or frames of the cache.
static int32_t frames_present(const coif_farm_plan *plan, const coif_farm_unit *unit)
{
    COIF_SCOPED_ARENA(arena, "frames");
    const char *name = "render", *folder = plan->folder, *ending = plan->formats;
    if (unit->kind == COIF_UNIT_SIM) {
        name = coif_arena_print(&arena, "%s.", plan->grooms.items[unit->groom]);
        ending = "strands";
    } else if (unit->kind == COIF_UNIT_PARTITION) {
        folder = coif_path_join(folder, "partitions", &arena);
        name = coif_arena_print(&arena, "%s.%d-of-%d.", plan->grooms.items[unit->groom], unit->part,
                                coif_farm_partitions(plan, unit->groom));
        ending = "strands";
    }
    int32_t count = 0;
    for (int32_t frame = unit->first; frame <= unit->last; frame += plan->step) {
        COIF_SCOPED_ARENA(scratch, "frame");
        count += coif_path_exists(coif_arena_print(&scratch, "%s/%s%04d.%.*s", folder, name, frame,
                                                   (int)strcspn(ending, ","), ending));
    }
    return count;
}

static void count_unit(farm_totals *totals, const coif_farm_plan *plan, const coif_farm_unit *unit,
                       const coif_unit_result *result, const char *state, coif_arena *arena)
{
    const int32_t frames = coif_farm_frames(plan, unit->first, unit->last);
    totals->running += strcmp(state, "running") == 0;
    totals->waiting += strcmp(state, "waiting") == 0;
    totals->failed += strcmp(state, "failed") == 0 || strcmp(state, "lost") == 0;
    if (strcmp(state, "running") == 0) {
        totals->done_frames += frames_present(plan, unit);
    }
    if (strcmp(state, "done") != 0) {
        return;
    }
    const int32_t host =
        coif_string_table_intern(&totals->hosts, result->host, strlen(result->host), arena);
    totals->done += 1;
    totals->done_frames += frames;
    totals->timed_frames += frames;
    totals->seconds += result->seconds;
    totals->host_frames[host] += frames;
    totals->host_seconds[host] += result->seconds;
}

static void print_time(coif_strbuf *text, double seconds)
{
    const int64_t whole = (int64_t)(seconds + 0.5);
    coif_strbuf_print(text, "%lld:%02lld:%02lld", (long long)(whole / 3600),
                      (long long)(whole / 60 % 60), (long long)(whole % 60));
}

static void print_film(coif_strbuf *text, const coif_farm_plan *plan, const farm_totals *totals)
{
    const int32_t frames = coif_farm_frames(plan, plan->first, plan->last);
    coif_strbuf_print(text, "film      %d of %d frames, %d units running, %d waiting, %d failed",
                      totals->done_frames, frames, totals->running, totals->waiting,
                      totals->failed);
    if (totals->timed_frames > 0 && totals->running > 0) {
        const double each = totals->seconds / totals->timed_frames;
        coif_strbuf_add(text, ", ETA ");
        print_time(text, each * (frames - totals->done_frames) / totals->running);
    }
    coif_strbuf_print(text, "%s\n", coif_farm_is_cancelled(plan) ? ", cancelled" : "");
}

static void print_failure(coif_strbuf *text, const coif_farm_unit *unit,
                          const coif_unit_result *result, const char *state)
{
    coif_strbuf_print(text, "%-9s %s", state, unit->name);
    if (unit->kind == COIF_UNIT_RENDER || unit->kind == COIF_UNIT_TILE) {
        coif_strbuf_print(text, " (frames %d-%d)", unit->first, unit->last);
    }
    coif_strbuf_print(text, " on %s, try %d", result->host, result->tries);
    if (result->exit_code != 0) {
        coif_strbuf_print(text, ", exit code %d: %s", result->exit_code, result->message);
    }
    coif_strbuf_add(text, "\n");
}

// A simulation with its frames while it runs, its seconds after that.
static void print_simulation(coif_strbuf *text, const coif_farm_plan *plan,
                             const coif_farm_unit *unit, const coif_unit_result *result,
                             const char *state)
{
    coif_strbuf_print(text, "%-9s %s", COIF_UNIT_NAMES[unit->kind],
                      plan->grooms.items[unit->groom]);
    if (unit->part > 0) {
        coif_strbuf_print(text, " %d of %d", unit->part, coif_farm_partitions(plan, unit->groom));
    }
    coif_strbuf_print(text, ": %s", state);
    if (strcmp(state, "running") == 0) {
        coif_strbuf_print(text, ", %d of %d frames", frames_present(plan, unit),
                          coif_farm_frames(plan, unit->first, unit->last));
    } else if (result->seconds > 0.0) {
        coif_strbuf_print(text, ", %.1f s", result->seconds);
    }
    coif_strbuf_add(text, "\n");
}

typedef struct farm_report {
    const coif_farm_plan *plan;
    farm_totals totals;
    int32_t tiles_done, failure_count;
    coif_strbuf sims, failures;
    coif_arena *arena;
} farm_report;

static void report_unit(farm_report *report, const coif_farm_unit *unit)
{
    COIF_SCOPED_ARENA(scratch, "unit");
    const coif_unit_result result = coif_unit_result_load(report->plan, unit, &scratch);
    const char *state = state_of(report->plan, unit, &result, &scratch);
    if (unit->kind == COIF_UNIT_RENDER) {
        count_unit(&report->totals, report->plan, unit, &result, state, report->arena);
    } else if (unit->kind == COIF_UNIT_TILE) {
        report->tiles_done += strcmp(state, "done") == 0;
        report->totals.running += strcmp(state, "running") == 0;
    } else {
        print_simulation(&report->sims, report->plan, unit, &result, state);
    }
    if ((strcmp(state, "failed") == 0 || strcmp(state, "lost") == 0) &&
        report->failure_count++ < MAX_FAILURES) {
        print_failure(&report->failures, unit, &result, state);
    }
}

static void print_assembly(coif_strbuf *text, const coif_farm_plan *plan, coif_arena *arena)
{
    const coif_farm_unit assembly = coif_farm_assembly();
    const coif_unit_result result = coif_unit_result_load(plan, &assembly, arena);
    const char *queue = coif_farm_queue_state(plan, arena);
    const bool done = coif_unit_is_done(&result), queued = queue != NULL && queue[0] != '\0';
    if (result.state[0] != '\0' && !queued) {
        coif_strbuf_print(text, "assembly  %s on %s", result.state, result.host);
        coif_strbuf_print(text, result.message[0] != '\0' ? ": %s\n" : "\n", result.message);
    }
    if (queued) {
        coif_strbuf_print(text, "assembly  %s\n", queue);
    } else if (queue != NULL && !done) {
        coif_strbuf_print(text, "queue     no job is left; coif farm resume %s continues\n",
                          plan->folder);
    }
}

char *coif_farm_report(const coif_farm_plan *plan, coif_arena *arena)
{
    const int32_t renders = coif_farm_unit_count(plan, COIF_UNIT_RENDER);
    const int32_t tiles = coif_farm_unit_count(plan, COIF_UNIT_TILE);
    farm_report report = {.plan = plan, .arena = arena};
    farm_totals *totals = &report.totals;
    totals->host_frames = coif_arena_new(arena, renders, int32_t);
    totals->host_seconds = coif_arena_new(arena, renders, double);
    coif_strbuf text;
    coif_strbuf_init(&report.sims, arena);
    coif_strbuf_init(&report.failures, arena);
    coif_strbuf_init(&text, arena);
    for (coif_unit_kind kind = 0; kind < COIF_UNIT_KINDS; ++kind) {
        for (int32_t i = 0; i < coif_farm_unit_count(plan, kind); ++i) {
            COIF_SCOPED_ARENA(scratch, "unit");
            const coif_farm_unit unit = coif_farm_unit_at(plan, kind, i, &scratch);
            report_unit(&report, &unit);
        }
    }
    print_film(&text, plan, totals);
    coif_strbuf_add(&text, report.sims.data);
    if (tiles > 0) {
        coif_strbuf_print(&text, "tiles     %d of %d units\n", report.tiles_done, tiles);
    }
    for (int32_t host = 0; host < totals->hosts.count; ++host) {
        coif_strbuf_print(&text, "machine   %s: %d frames, %.1f s per frame\n",
                          totals->hosts.names[host], totals->host_frames[host],
                          totals->host_seconds[host] / totals->host_frames[host]);
    }
    print_assembly(&text, plan, arena);
    coif_strbuf_add(&text, report.failures.data);
    if (report.failure_count > MAX_FAILURES) {
        coif_strbuf_print(&text, "... and %d more\n", report.failure_count - MAX_FAILURES);
    }
    return text.data;
}

coif_status coif_farm_logs(char **text, const coif_farm_plan *plan, const char *name,
                           coif_arena *arena, coif_error *error)
{
    coif_strbuf all;
    coif_strbuf_init(&all, arena);
    coif_farm_unit chosen = {.name = ""};
    if (name != NULL && strcmp(name, "assemble") == 0) {
        const char *path = coif_farm_path(plan, "logs/slurm-coif-assemble.log", arena);
        size_t size;
        return coif_path_exists(path)
                   ? coif_file_load(text, &size, path, arena, error)
                   : coif_fail(error, COIF_ERR_ARGUMENT,
                               "%s: the assembly has no log: it has not run in Slurm",
                               plan->folder);
    }
    if (name != NULL) {
        COIF_TRY(coif_farm_unit_find(&chosen, plan, name, arena, error));
    }
    for (coif_unit_kind kind = 0; kind < COIF_UNIT_KINDS; ++kind) {
        for (int32_t i = 0; i < coif_farm_unit_count(plan, kind); ++i) {
            const coif_farm_unit unit = coif_farm_unit_at(plan, kind, i, arena);
            const coif_unit_result result = coif_unit_result_load(plan, &unit, arena);
            const char *path =
                coif_farm_path(plan, coif_arena_print(arena, "logs/%s.log", unit.name), arena);
            const bool wanted = name != NULL ? strcmp(unit.name, chosen.name) == 0
                                             : strcmp(result.state, "failed") == 0;
            char *log;
            size_t size;
            if (wanted && coif_path_exists(path)) {
                COIF_TRY(coif_file_load(&log, &size, path, arena, error));
                coif_strbuf_print(&all, "== %s\n%s", unit.name, log);
            }
        }
    }
    *text = all.data;
    return COIF_OK;
}
