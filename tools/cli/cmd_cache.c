// coif cache: corrected copies of strand caches.
#include "sim/cache/cache_edit.h"
#include "tools/cli/command.h"

#include <string.h>

typedef struct cache_options {
    int32_t operation;
    const char *scene, *cache, *second;
    const char *out;
    coif_frame_range frames;
    const char *groom, *map;
    const char *weight, *amount;
    int32_t radius, shift;
    const char *translate;
    const char *speed, *time_map;
    int32_t with_body;
    int32_t overlap, repeat;
    float distance;
} cache_options;

static const char *const OPERATIONS[] = {"blend",  "smooth", "damp",     "offset",
                                         "retime", "loop",   "push-out", NULL};

enum { NOT_GIVEN = -1000000 }; // below the range of every number

// clang-format off
static const coif_param OPTIONS[] = {
    {.name = "operation", .help = "blend, smooth, damp, offset, retime, loop or push-out", .unit = "", .type = COIF_PARAM_CHOICE,
     .flags = COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, .offset = offsetof(cache_options, operation), .choices = OPERATIONS},
    COIF_ARGUMENT(cache_options, scene, "scene file"),
    COIF_ARGUMENT(cache_options, cache, "folder of the strand cache"),
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, cache_options, second, COIF_PARAM_PATH, "", "folder of the second cache of blend, with the same groom"),
    COIF_ARG_WITH(COIF_ARG_REQUIRED, cache_options, out, COIF_PARAM_PATH, "DIR", "output folder, another one than the input"),
    COIF_ARG(cache_options, frames, COIF_ARG_FRAMES, "A-B", "frames to write (default: all that the operation makes); of loop: input frames of the cycle"),
    COIF_ARG(cache_options, groom, COIF_PARAM_STRING, "NAME", "correct this groom only; the others are copied"),
    COIF_ARG(cache_options, map, COIF_PARAM_STRING, "NAME", "scalp map that scales blend, smooth, damp or the translation of offset per strand"),
    COIF_ARG_HEADING("blend"),
    COIF_ARG(cache_options, weight, COIF_PARAM_STRING, "W", "weight of the second cache, 0 to 1, as 0.5 or over frames as 10:0,20:1 (default: 0.5)"),
    COIF_ARG_HEADING("smooth"),
    COIF_ARG_NUMBER(cache_options, radius, COIF_PARAM_INT, "N", "radius of the filter in frames (default: 2)", NOT_GIVEN, 1, COIF_CACHE_MAX_RADIUS),
    COIF_ARG_HEADING("damp"),
    COIF_ARG(cache_options, amount, COIF_PARAM_STRING, "A", "0 keeps the motion, 1 is the rest shape on the body; may change over frames (default: 0.5)"),
    COIF_ARG_HEADING("offset"),
    COIF_ARG_NUMBER(cache_options, shift, COIF_PARAM_INT, "N", "frames to move the motion by; hair stays on the body", NOT_GIVEN, -999999, 999999),
    COIF_ARG(cache_options, translate, COIF_PARAM_STRING, "X,Y,Z", "translation of strands in metres"),
    COIF_ARG_HEADING("retime"),
    COIF_ARG(cache_options, speed, COIF_PARAM_STRING, "S", "frames of the input per frame of the output; 0.5 is half speed"),
    COIF_ARG(cache_options, time_map, COIF_PARAM_STRING, "MAP", "frame of the output to frame of the input, as 1:1,24:12.5,48:48"),
    COIF_ARG(cache_options, with_body, COIF_PARAM_BOOL, "", "hair stays on the body at the sampled time, for bodies that are retimed as well"),
    COIF_ARG_HEADING("loop"),
    COIF_ARG_NUMBER(cache_options, overlap, COIF_PARAM_INT, "N", "last frames that are blended into the first ones; the cycle is shorter by them (default: 4)", NOT_GIVEN, 0, 9999),
    COIF_ARG_NUMBER(cache_options, repeat, COIF_PARAM_INT, "N", "number of cycles to write (default: 1)", NOT_GIVEN, 1, 9999),
    COIF_ARG_HEADING("push-out"),
    COIF_ARG_NUMBER(cache_options, distance, COIF_PARAM_FLOAT, "M", "distance of fibres from the surface in metres (default: 0)", NOT_GIVEN, 0, 1),
};
// clang-format on

// Options of single operations, by name.
typedef struct operation_option {
    const char *name;
    const char *operations; // separated by spaces
} operation_option;

static const operation_option OPERATION_OPTIONS[] = {
    {"second", "blend"},      {"map", "blend smooth damp offset"},
    {"weight", "blend"},      {"radius", "smooth"},
    {"amount", "damp"},       {"shift", "offset"},
    {"translate", "offset"},  {"speed", "retime"},
    {"time_map", "retime"},   {"with_body", "retime"},
    {"overlap", "loop"},      {"repeat", "loop"},
    {"distance", "push-out"},
};

// The value of an option as text, NULL when it is not given.
static const char *value_of(const coif_param *row, const cache_options *options, coif_arena *arena)
{
    const void *field = (const char *)options + row->offset;
    int32_t integer;
    float number;
    switch (row->type) {
    case COIF_PARAM_BOOL:
        memcpy(&integer, field, sizeof integer);
        return integer != 0 ? "true" : NULL;
    case COIF_PARAM_INT:
        memcpy(&integer, field, sizeof integer);
        return integer != NOT_GIVEN ? coif_arena_print(arena, "%d", integer) : NULL;
    case COIF_PARAM_FLOAT:
        memcpy(&number, field, sizeof number);
        return number > (float)NOT_GIVEN ? coif_arena_print(arena, "%g", (double)number) : NULL;
    default:
        return *(const char *const *)field;
    }
}

static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = strstr(words, word); at != NULL; at = strstr(at + 1, word)) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) {
            return true;
        }
    }
    return false;
}

// "smooth radius=2" for the metadata. An option of another operation is an error.
static coif_status describe(const char **description, const cache_options *options,
                            coif_arena *arena, coif_error *error)
{
    const char *operation = OPERATIONS[options->operation];
    *description = operation;
    for (size_t i = 0; i < COIF_COUNT_OF(OPERATION_OPTIONS); ++i) {
        const operation_option *option = &OPERATION_OPTIONS[i];
        for (size_t r = 0; r < COIF_COUNT_OF(OPTIONS); ++r) {
            const char *value =
                OPTIONS[r].name != NULL && strcmp(OPTIONS[r].name, option->name) == 0
                    ? value_of(&OPTIONS[r], options, arena)
                    : NULL;
            if (value == NULL) {
                continue;
            }
            if (!has_word(option->operations, operation)) {
                char name[64];
                coif_arg_name(name, &OPTIONS[r]);
                return coif_fail(error, COIF_ERR_ARGUMENT, "%s applies to %s, not to %s", name,
                                 option->operations, operation);
            }
            if ((OPTIONS[r].flags & COIF_ARG_ARGUMENT) == 0) {
                *description =
                    coif_arena_print(arena, "%s %s=%s", *description, option->name, value);
            }
        }
    }
    return COIF_OK;
}

static coif_status read_keys(coif_frame_keys *keys, const char *name, const char *text, double low,
                             double high, coif_arena *arena, coif_error *error)
{
    coif_error cause = {.status = COIF_OK};
    if (text == NULL) {
        return COIF_OK;
    }
    if (coif_frame_keys_parse(keys, text, arena, &cause) != COIF_OK) {
        return coif_fail_within(error, name, &cause);
    }
    for (int32_t k = 0; k < keys->count; ++k) {
        if (!(keys->values[k] >= low && keys->values[k] <= high)) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "%s: %g is outside %g to %g", name,
                             keys->values[k], low, high);
        }
    }
    return COIF_OK;
}

static coif_status read_speed(coif_cache_params *params, const cache_options *options,
                              coif_arena *arena, coif_error *error)
{
    coif_frame_keys speed = {0};
    COIF_TRY(read_keys(&speed, "--speed", options->speed, 1e-3, 1e3, arena, error));
    COIF_TRY(read_keys(&params->time_map, "--time-map", options->time_map, 0.0, 1e7, arena, error));
    if (speed.count > 1) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--speed: expected one number; use --time-map for a speed that changes");
    }
    if ((speed.count > 0) == (params->time_map.count > 0)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "retime needs either --speed or --time-map");
    }
    if (params->time_map.count == 1) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--time-map \"%s\": expected at least two frames, as 1:1,48:24.5",
                         options->time_map);
    }
    params->speed = speed.count > 0 ? speed.values[0] : 0.0;
    return COIF_OK;
}

static coif_status read_offset(coif_cache_params *params, const cache_options *options,
                               coif_error *error)
{
    float *t = params->translate;
    int end = 0;
    params->shift = options->shift != NOT_GIVEN ? options->shift : 0;
    if (options->translate != NULL &&
        (sscanf(options->translate, "%f,%f,%f%n", &t[0], &t[1], &t[2], &end) != 3 ||
         options->translate[end] != '\0')) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--translate \"%s\": expected X,Y,Z in metres, as 0,0.01,0",
                         options->translate);
    }
    if (options->shift == NOT_GIVEN && options->translate == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "offset needs --shift, --translate or both");
    }
    if (options->map != NULL && params->shift != 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "--map scales the translation of offset; it cannot scale --shift");
    }
    return COIF_OK;
}

static coif_status read_params(coif_cache_params *params, const cache_options *options,
                               coif_arena *arena, coif_error *error)
{
    *params = (coif_cache_params){
        .operation = (coif_cache_operation)options->operation,
        .radius = options->radius,
        .with_body = options->with_body != 0,
        .overlap = options->overlap,
        .repeat = options->repeat,
        .distance = options->distance,
    };
    switch (params->operation) {
    case COIF_CACHE_BLEND:
        if (options->second == NULL) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "SECOND is missing: blend needs two caches");
        }
        return read_keys(&params->weight, "--weight", options->weight, 0.0, 1.0, arena, error);
    case COIF_CACHE_DAMP:
        return read_keys(&params->amount, "--amount", options->amount, 0.0, 1.0, arena, error);
    case COIF_CACHE_OFFSET:
        return read_offset(params, options, error);
    case COIF_CACHE_RETIME:
        return read_speed(params, options, arena, error);
    case COIF_CACHE_LOOP:
        params->cycle = options->frames;
        return COIF_OK;
    default:
        return COIF_OK;
    }
}

// Defaults of the operation, so that the metadata names them as well.
static void set_defaults(cache_options *options)
{
    switch (options->operation) {
    case COIF_CACHE_BLEND:
        options->weight = options->weight != NULL ? options->weight : "0.5";
        break;
    case COIF_CACHE_SMOOTH:
        options->radius = options->radius != NOT_GIVEN ? options->radius : 2;
        break;
    case COIF_CACHE_DAMP:
        options->amount = options->amount != NULL ? options->amount : "0.5";
        break;
    case COIF_CACHE_LOOP:
        options->overlap = options->overlap != NOT_GIVEN ? options->overlap : 4;
        options->repeat = options->repeat != NOT_GIVEN ? options->repeat : 1;
        break;
    case COIF_CACHE_PUSH_OUT:
        options->distance = options->distance > (float)NOT_GIVEN ? options->distance : 0.0f;
        break;
    default:
        break;
    }
}

static coif_status run(coif_app *app, const void *given, coif_error *error)
{
    cache_options completed = *(const cache_options *)given;
    const cache_options *options = &completed;
    set_defaults(&completed);
    const bool loop = options->operation == COIF_CACHE_LOOP;
    coif_cache_edit_desc desc = {
        .sources = {options->cache, options->second},
        .folder = options->out,
        .frames = loop ? (coif_frame_range){0} : options->frames,
        .groom = options->groom,
        .map = options->map,
    };
    COIF_TRY(describe(&desc.description, options, &app->arena, error));
    COIF_TRY(read_params(&desc.params, options, &app->arena, error));
    coif_scene *scene;
    COIF_TRY(coif_app_load_scene(&scene, app, options->scene, error));
    desc.scene = scene;
    return coif_cache_edit(&desc, app->jobs, app->progress, error);
}

const coif_command COIF_COMMAND_CACHE = {
    .name = "cache",
    .help = "correct a strand cache after simulation",
    .more = "Reads the frames of CACHE and writes a corrected copy that 'coif render --cache' "
            "accepts.\n"
            "Segment lengths are kept, motion is taken relative to the roots on the posed body.\n\n"
            "  blend     mixes CACHE and SECOND\n"
            "  smooth    filters motion over time\n"
            "  damp      reduces motion relative to the rest shape on the body\n"
            "  offset    moves strands in time or space\n"
            "  retime    changes the speed\n"
            "  loop      makes a seamless cycle\n"
            "  push-out  moves points out of the bodies and colliders of the scene\n",
    .examples = "  coif cache smooth scenes/tiny.json out/tiny --out out/smooth --radius 2\n"
                "  coif cache blend scenes/tiny.json out/tiny out/smooth --out out/mix --weight "
                "1:0,6:1\n"
                "  coif cache retime scenes/tiny.json out/tiny --out out/slow --speed 0.5\n"
                "  coif render scenes/tiny.json --cache out/smooth --out out/smooth\n",
    COIF_COMMAND_OPTIONS(cache_options, OPTIONS),
    .run = run,
};
