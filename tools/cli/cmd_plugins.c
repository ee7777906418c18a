// coif plugins: lists plugins and their parameters.
#include "tools/cli/command.h"
#include "tools/cli/sample_wind.h"

#include <string.h>

typedef struct plugins_options {
    const char *name;
    int32_t json;
    const char *sample;
    int32_t plane, resolution;
    float extent, time;
} plugins_options;

static const char *const PLANES[] = {"xz", "xy", "zy", NULL};

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT, plugins_options, name, COIF_PARAM_STRING, "", "print one plugin and its parameters"),
    COIF_ARG(plugins_options, json, COIF_PARAM_BOOL, "", "print JSON"),
    COIF_ARG(plugins_options, sample, COIF_PARAM_PATH, "FILE", "write the air velocity of a force plugin on a grid as JSON; --set NAME=VALUE sets its parameters"),
    COIF_ARG_CHOICE(plugins_options, plane, PLANES, "--sample: plane through the origin"),
    COIF_ARG_NUMBER(plugins_options, resolution, COIF_PARAM_INT, "N", "--sample: samples per axis", 128, 2, 4096),
    COIF_ARG_NUMBER(plugins_options, extent, COIF_PARAM_FLOAT, "M", "--sample: half the side of the square, in metres", 1, 0.001, 10000),
    COIF_ARG_NUMBER(plugins_options, time, COIF_PARAM_FLOAT, "S", "--sample: time, in seconds", 0.6, 0, 100000),
};
// clang-format on

static const char *kind_name(int32_t kind)
{
    static const char *const names[] = {"?", "force", "map", "groom"};
    return kind > 0 && kind < (int32_t)COIF_COUNT_OF(names) ? names[kind] : names[0];
}

static const char *type_name(int32_t type)
{
    static const char *const names[] = {"?",      "number", "whole number", "true or false",
                                        "vector", "colour", "choice",       "path",
                                        "text"};
    return type > 0 && type < (int32_t)COIF_COUNT_OF(names) ? names[type] : names[0];
}

static void print_fallback(const coif_param *row)
{
    switch (row->type) {
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        printf("[%g, %g, %g]", row->fallback[0], row->fallback[1], row->fallback[2]);
        break;
    case COIF_PARAM_BOOL:
        printf("%s", row->fallback[0] != 0.0 ? "true" : "false");
        break;
    case COIF_PARAM_CHOICE:
        printf("\"%s\"", row->choices[(int32_t)row->fallback[0]]);
        break;
    case COIF_PARAM_PATH:
    case COIF_PARAM_STRING:
        printf("\"\"");
        break;
    default:
        printf("%g", row->fallback[0]);
        break;
    }
}

static void print_row(const coif_param *row)
{
    printf("  %-16s %s", row->name, row->help);
    if (row->unit != NULL && row->unit[0] != '\0') {
        printf(", in %s", row->unit);
    }
    printf("\n  %-16s %s, default ", "", type_name(row->type));
    print_fallback(row);
    if (row->low < row->high) {
        printf(", %g to %g", row->low, row->high);
    }
    if (row->type == COIF_PARAM_CHOICE) {
        printf(", one of");
        for (size_t i = 0; row->choices[i] != NULL; ++i) {
            printf(" %s", row->choices[i]);
        }
    }
    printf("%s%s\n", (row->flags & COIF_PARAM_MAPPABLE) != 0 ? ", mappable" : "",
           (row->flags & COIF_PARAM_RAMP) != 0 ? ", ramp" : "");
}

static void print_plugin(const coif_plugin *plugin, const char *origin)
{
    printf("%s %s (%s, %s)\n%s\n", plugin->id, plugin->version, kind_name(plugin->kind), origin,
           plugin->help);
    for (uint32_t i = 0; i < plugin->param_count; ++i) {
        print_row(&plugin->params[i]);
    }
}

static void print_row_json(const coif_param *row, coif_arena *arena)
{
    printf("{\"name\": %s, \"help\": %s, \"unit\": %s, \"type\": \"%s\", \"default\": ",
           coif_json_quote(row->name, arena), coif_json_quote(row->help, arena),
           coif_json_quote(row->unit != NULL ? row->unit : "", arena), type_name(row->type));
    print_fallback(row);
    if (row->low < row->high) {
        printf(", \"min\": %g, \"max\": %g", row->low, row->high);
    }
    printf("}");
}

static void print_plugin_json(const coif_plugin *plugin, const char *origin, coif_arena *arena)
{
    printf("{\"id\": %s, \"kind\": \"%s\", \"version\": %s, \"help\": %s, \"origin\": %s, "
           "\"params\": [",
           coif_json_quote(plugin->id, arena), kind_name(plugin->kind),
           coif_json_quote(plugin->version, arena), coif_json_quote(plugin->help, arena),
           coif_json_quote(origin, arena));
    for (uint32_t i = 0; i < plugin->param_count; ++i) {
        printf("%s", i > 0 ? ", " : "");
        print_row_json(&plugin->params[i], arena);
    }
    printf("]}");
}

static coif_status check_name(const coif_plugins *plugins, const char *name, coif_error *error)
{
    const char *names[256];
    size_t count = 0;
    for (; count < (size_t)coif_plugins_count(plugins) && count < COIF_COUNT_OF(names); ++count) {
        names[count] = coif_plugins_at(plugins, (int32_t)count)->id;
        if (strcmp(names[count], name) == 0) {
            return COIF_OK;
        }
    }
    const char *nearest = coif_nearest_name(name, names, count);
    return coif_fail(error, COIF_ERR_PLUGIN, "no plugin '%s'%s%s%s", name,
                     nearest ? "; did you mean '" : "; 'coif plugins' lists them",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const plugins_options *plugins = options;
    COIF_TRY(coif_app_open_plugins(app, error));
    if (plugins->name != NULL) {
        COIF_TRY(check_name(app->plugins, plugins->name, error));
    }
    if (plugins->sample != NULL) {
        const coif_sample_wind_desc desc = {.plugin = plugins->name,
                                            .path = plugins->sample,
                                            .plane = plugins->plane,
                                            .resolution = plugins->resolution,
                                            .extent = (double)plugins->extent,
                                            .time = (double)plugins->time};
        return plugins->name != NULL
                   ? coif_sample_wind(app, &desc, error)
                   : coif_fail(error, COIF_ERR_ARGUMENT, "--sample: NAME is missing");
    }
    const char *between = plugins->json ? "[" : "";
    for (int32_t i = 0; i < coif_plugins_count(app->plugins); ++i) {
        const coif_plugin *plugin = coif_plugins_at(app->plugins, i);
        const char *origin = coif_plugins_origin(app->plugins, i);
        if (plugins->name != NULL && strcmp(plugins->name, plugin->id) != 0) {
            continue;
        }
        if (plugins->json) {
            printf("%s", between);
            print_plugin_json(plugin, origin, &app->arena);
            between = ",\n ";
        } else if (plugins->name != NULL) {
            print_plugin(plugin, origin);
        } else {
            printf("%-20s %-6s %-8s %s (%s)\n", plugin->id, kind_name(plugin->kind),
                   plugin->version, plugin->help, origin);
        }
    }
    return coif_app_print(plugins->json ? "]\n" : "", NULL, error);
}

const coif_command COIF_COMMAND_PLUGINS = {
    .name = "plugins",
    .help = "list plugins, or describe one",
    .more = "Modules are loaded from --plugin-path, COIF_PLUGIN_PATH and lib/coif of the "
            "installation.\n",
    .examples = "  coif plugins\n"
                "  coif plugins wind.uniform\n"
                "  coif plugins wind.vortex --sample vortex.json --set speed=5\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(plugins_options),
    .run = run,
};
