#include "tools/cli/farm/farm_plan.h"

#include "core/base/arena.h"
#include "core/base/claim.h"
#include "core/base/error.h"
#include "core/json/json.h"
#include "core/json/json_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PLAN_VERSION = 1 };

const char *const COIF_FARM_ENGINES[] = {"local", "parallel", "slurm", NULL};

const char *const COIF_UNIT_NAMES[] = {"partition", "sim", "tile", "render"};

int32_t coif_farm_frames(const coif_farm_plan *plan, int32_t first, int32_t last)
{
    return (last - first) / plan->step + 1;
}

int32_t coif_farm_partitions(const coif_farm_plan *plan, int32_t groom)
{
    const int32_t count = atoi(plan->partitions.items[groom]);
    return count > 1 ? count : 0;
}

static int32_t tile_count(const coif_farm_plan *plan)
{
    return plan->tile_columns * plan->tile_rows;
}

static int32_t chunk_count(const coif_farm_plan *plan)
{
    return (coif_farm_frames(plan, plan->first, plan->last) - 1) / plan->chunk + 1;
}

int32_t coif_farm_unit_count(const coif_farm_plan *plan, coif_unit_kind kind)
{
    int32_t partitions = 0;
    switch (kind) {
    case COIF_UNIT_PARTITION:
        for (int32_t g = 0; g < plan->grooms.count; ++g) {
            partitions += coif_farm_partitions(plan, g);
        }
        return partitions;
    case COIF_UNIT_SIM:
        return plan->grooms.count;
    case COIF_UNIT_TILE:
        return chunk_count(plan) * tile_count(plan);
    default:
        return chunk_count(plan);
    }
}

coif_farm_unit coif_farm_unit_at(const coif_farm_plan *plan, coif_unit_kind kind, int32_t index,
                                 coif_arena *arena)
{
    coif_farm_unit unit = {.kind = kind,
                           .index = index,
                           .first = plan->first,
                           .last = plan->last,
                           .name = coif_arena_print(arena, "%s-%d", COIF_UNIT_NAMES[kind], index)};
    if (kind == COIF_UNIT_PARTITION) {
        int32_t part = index;
        while (part >= coif_farm_partitions(plan, unit.groom)) {
            part -= coif_farm_partitions(plan, unit.groom++);
        }
        unit.part = part + 1;
        return unit;
    }
    if (kind == COIF_UNIT_SIM) {
        unit.groom = index;
        return unit;
    }
    unit.chunk = kind == COIF_UNIT_TILE ? index / tile_count(plan) : index;
    unit.part = kind == COIF_UNIT_TILE ? index % tile_count(plan) + 1 : 0;
    unit.first = plan->first + unit.chunk * plan->chunk * plan->step;
    const int32_t last = unit.first + (plan->chunk - 1) * plan->step;
    unit.last = last < plan->last ? last : plan->last;
    return unit;
}

coif_status coif_farm_unit_find(coif_farm_unit *unit, const coif_farm_plan *plan, const char *name,
                                coif_arena *arena, coif_error *error)
{
    const char *known = "";
    for (coif_unit_kind kind = 0; kind < COIF_UNIT_KINDS; ++kind) {
        const int32_t count = coif_farm_unit_count(plan, kind);
        const size_t length = strlen(COIF_UNIT_NAMES[kind]);
        int32_t index = -1;
        int end = 0;
        if (strncmp(name, COIF_UNIT_NAMES[kind], length) == 0 &&
            sscanf(name + length, "-%9d%n", &index, &end) == 1 &&
            name[length + (size_t)end] == '\0' && index >= 0 && index < count) {
            *unit = coif_farm_unit_at(plan, kind, index, arena);
            return COIF_OK;
        }
        if (count > 0) {
            known =
                coif_arena_print(arena, "%s%s%s-0 to %s-%d", known, known[0] != '\0' ? ", " : "",
                                 COIF_UNIT_NAMES[kind], COIF_UNIT_NAMES[kind], count - 1);
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "%s: no unit \"%s\"; expected %s", plan->folder,
                     name, known);
}

char *coif_farm_path(const coif_farm_plan *plan, const char *name, coif_arena *arena)
{
    return coif_arena_print(arena, "%s/farm/%s", plan->folder, name);
}

bool coif_farm_is_cancelled(const coif_farm_plan *plan)
{
    COIF_SCOPED_ARENA(arena, "farm");
    return coif_path_exists(coif_farm_path(plan, "cancel", &arena));
}

// ---- JSON

static void write_list(coif_json_writer *json, const char *key, const coif_text_list *list)
{
    coif_write_open(json, key, "[");
    for (int32_t i = 0; i < list->count; ++i) {
        coif_write_text(json, NULL, list->items[i]);
    }
    coif_write_close(json, "]");
}

static const char *read_text(const coif_json *object, const char *key)
{
    const coif_json *value = coif_json_find(object, key);
    return value != NULL && value->kind == COIF_JSON_STRING ? value->text : "";
}

static double read_number(const coif_json *object, const char *key)
{
    const coif_json *value = coif_json_find(object, key);
    return value != NULL && value->kind == COIF_JSON_NUMBER ? value->number : 0.0;
}

static coif_text_list read_list(const coif_json *object, const char *key, coif_arena *arena)
{
    const coif_json *list = coif_json_find(object, key);
    coif_text_list out = {.count = 0};
    if (list == NULL || list->kind != COIF_JSON_ARRAY) {
        return out;
    }
    out.items = coif_arena_new(arena, list->child_count, const char *);
    for (const coif_json *item = list->child; item != NULL; item = item->next) {
        if (item->kind == COIF_JSON_STRING) {
            out.items[out.count++] = item->text;
        }
    }
    return out;
}

// The numbers of a plan by their keys.
typedef struct plan_number {
    const char *key;
    size_t offset;
    int32_t low;
} plan_number;
static const plan_number NUMBERS[] = {
    {"engine", offsetof(coif_farm_plan, engine), 0},
    {"first", offsetof(coif_farm_plan, first), 0},
    {"last", offsetof(coif_farm_plan, last), 0},
    {"step", offsetof(coif_farm_plan, step), 1},
    {"tile_columns", offsetof(coif_farm_plan, tile_columns), 0},
    {"tile_rows", offsetof(coif_farm_plan, tile_rows), 0},
    {"chunk", offsetof(coif_farm_plan, chunk), 1},
    {"tries", offsetof(coif_farm_plan, tries), 1},
    {"jobs", offsetof(coif_farm_plan, jobs), 1},
    {"threads", offsetof(coif_farm_plan, threads), 0},
};
typedef struct plan_text {
    const char *key;
    size_t offset;
} plan_text;
static const plan_text TEXTS[] = {
    {"scene", offsetof(coif_farm_plan, scene)},
    {"program", offsetof(coif_farm_plan, program)},
    {"isa", offsetof(coif_farm_plan, isa)},
    {"formats", offsetof(coif_farm_plan, formats)},
    {"options", offsetof(coif_farm_plan, options)},
    {"plugin_path", offsetof(coif_farm_plan, plugin_path)},
};

coif_status coif_farm_plan_save(const coif_farm_plan *plan, coif_arena *arena, coif_error *error)
{
    coif_json_writer json;
    coif_json_writer_init(&json, arena);
    coif_write_open(&json, NULL, "{");
    coif_write_number(&json, "coif_farm", PLAN_VERSION);
    for (size_t i = 0; i < COIF_COUNT_OF(TEXTS); ++i) {
        const char *text =
            *(const char *const *)(const void *)((const char *)plan + TEXTS[i].offset);
        coif_write_text(&json, TEXTS[i].key, text != NULL ? text : "");
    }
    for (size_t i = 0; i < COIF_COUNT_OF(NUMBERS); ++i) {
        const void *number = (const char *)plan + NUMBERS[i].offset;
        coif_write_number(&json, NUMBERS[i].key, *(const int32_t *)number);
    }
    coif_write_number(&json, "fps", plan->fps);
    coif_write_number(&json, "video", plan->video);
    write_list(&json, "set", &plan->set);
    write_list(&json, "grooms", &plan->grooms);
    write_list(&json, "partitions", &plan->partitions);
    coif_write_close(&json, "}");
    coif_strbuf_add(&json.text, "\n");
    return coif_file_save(coif_farm_path(plan, "plan.json", arena), json.text.data, json.text.size,
                          error);
}

static bool plan_is_valid(const coif_farm_plan *plan, const coif_json *json)
{
    bool valid = read_number(json, "coif_farm") == PLAN_VERSION && plan->last >= plan->first &&
                 plan->engine <= COIF_FARM_SLURM && plan->scene[0] != '\0' &&
                 plan->partitions.count == plan->grooms.count;
    for (size_t i = 0; i < COIF_COUNT_OF(NUMBERS); ++i) {
        const void *number = (const char *)plan + NUMBERS[i].offset;
        valid = valid && *(const int32_t *)number >= NUMBERS[i].low;
    }
    return valid;
}

coif_status coif_farm_plan_load(coif_farm_plan *plan, const char *folder, coif_arena *arena,
                                coif_error *error)
{
    *plan = (coif_farm_plan){.folder = coif_path_real(folder, arena)};
    const char *path = coif_farm_path(plan, "plan.json", arena);
    char *text;
    size_t size;
    coif_json *json;
    if (!coif_path_exists(path)) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: no film was submitted to this folder; expected farm/plan.json",
                         folder);
    }
    COIF_TRY(coif_file_load(&text, &size, path, arena, error));
    COIF_TRY(coif_json_parse(&json, path, text, size, arena, error));
    for (size_t i = 0; i < COIF_COUNT_OF(TEXTS); ++i) {
        void *field = (char *)plan + TEXTS[i].offset;
        *(const char **)field = read_text(json, TEXTS[i].key);
    }
    for (size_t i = 0; i < COIF_COUNT_OF(NUMBERS); ++i) {
        void *field = (char *)plan + NUMBERS[i].offset;
        const double number = read_number(json, NUMBERS[i].key);
        *(int32_t *)field = number >= -1.0 && number <= 1e9 ? (int32_t)number : -1;
    }
    plan->fps = read_number(json, "fps");
    plan->video = read_number(json, "video") != 0.0;
    plan->set = read_list(json, "set", arena);
    plan->grooms = read_list(json, "grooms", arena);
    plan->partitions = read_list(json, "partitions", arena);
    return plan_is_valid(plan, json)
               ? COIF_OK
               : coif_fail(error, COIF_ERR_FORMAT,
                           "%s: expected a plan written by coif farm submit", path);
}

// ---- results

coif_farm_unit coif_farm_assembly(void)
{
    return (coif_farm_unit){.kind = COIF_UNIT_KINDS, .name = "assemble"};
}

const char *coif_farm_host(coif_arena *arena)
{
    char host[64] = "";
    const char *node = getenv("SLURMD_NODENAME");
    gethostname(host, sizeof host - 1);
    return coif_arena_copy_text(arena, node != NULL ? node : host);
}

static char *result_path(const coif_farm_plan *plan, const coif_farm_unit *unit, coif_arena *arena)
{
    return coif_farm_path(plan, coif_arena_print(arena, "units/%s.json", unit->name), arena);
}

coif_status coif_unit_result_save(const coif_unit_result *result, const coif_farm_plan *plan,
                                  const coif_farm_unit *unit, coif_arena *arena, coif_error *error)
{
    coif_json_writer json;
    coif_json_writer_init(&json, arena);
    coif_write_open(&json, NULL, "{");
    coif_write_text(&json, "state", result->state);
    coif_write_text(&json, "host", result->host);
    coif_write_text(&json, "message", result->message);
    coif_write_number(&json, "tries", result->tries);
    coif_write_number(&json, "exit_code", result->exit_code);
    coif_write_number(&json, "seconds", result->seconds);
    write_list(&json, "files", &result->files);
    write_list(&json, "xxh3", &result->digests);
    coif_write_close(&json, "}");
    coif_strbuf_add(&json.text, "\n");
    return coif_file_save(result_path(plan, unit, arena), json.text.data, json.text.size, error);
}

coif_unit_result coif_unit_result_load(const coif_farm_plan *plan, const coif_farm_unit *unit,
                                       coif_arena *arena)
{
    const char *path = result_path(plan, unit, arena);
    coif_unit_result result = {.state = "", .host = "", .message = ""};
    coif_error ignored = {0};
    char *text;
    size_t size;
    coif_json *json;
    if (!coif_path_exists(path) || coif_file_load(&text, &size, path, arena, &ignored) != COIF_OK ||
        coif_json_parse(&json, path, text, size, arena, &ignored) != COIF_OK) {
        return result;
    }
    result = (coif_unit_result){.state = read_text(json, "state"),
                                .host = read_text(json, "host"),
                                .message = read_text(json, "message"),
                                .tries = (int32_t)read_number(json, "tries"),
                                .exit_code = (int32_t)read_number(json, "exit_code"),
                                .seconds = read_number(json, "seconds"),
                                .files = read_list(json, "files", arena),
                                .digests = read_list(json, "xxh3", arena)};
    if (result.files.count != result.digests.count) {
        result.state = "";
    }
    return result;
}

bool coif_unit_is_done(const coif_unit_result *result)
{
    return strcmp(result->state, "done") == 0;
}

bool coif_unit_is_running(const coif_farm_plan *plan, const coif_farm_unit *unit, coif_arena *arena)
{
    const char *path = result_path(plan, unit, arena);
    coif_claim claim;
    if (!coif_path_exists(coif_arena_print(arena, "%s.claim", path))) {
        return false;
    }
    if (!coif_claim_try(&claim, path)) {
        return true;
    }
    coif_claim_release(&claim);
    return false;
}
