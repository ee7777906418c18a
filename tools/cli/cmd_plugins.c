// coif plugins: lists plugins and their parameters.
#include "core/json/json_writer.h"
#include "tools/cli/command.h"
#include "tools/cli/json_text.h"
#include "tools/cli/sample_wind.h"

#include <math.h>
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
    COIF_ARG_HEADING("options of --sample"),
    COIF_ARG_CHOICE(plugins_options, plane, PLANES, "plane through the origin"),
    COIF_ARG_NUMBER(plugins_options, resolution, COIF_PARAM_INT, "N", "samples per axis", 128, 2, 4096),
    COIF_ARG_NUMBER(plugins_options, extent, COIF_PARAM_FLOAT, "M", "half the side of the square, in metres", 1, 0.001, 10000),
    COIF_ARG_NUMBER(plugins_options, time, COIF_PARAM_FLOAT, "S", "time, in seconds", 0.6, 0, 100000),
};
// clang-format on

static const char *kind_name(int32_t kind)
{
    static const char *const names[] = {"?", "force", "map", "groom"};
    return kind > 0 && kind < (int32_t)COIF_COUNT_OF(names) ? names[kind] : names[0];
}

static void write_default(coif_json_writer *writer, const coif_param *param)
{
    const double *value = param->fallback;
    switch (param->type) {
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        coif_write_raw(writer, "default",
                       coif_arena_print(writer->text.arena, "[%.9g, %.9g, %.9g]", value[0],
                                        value[1], value[2]));
        break;
    case COIF_PARAM_BOOL:
        coif_write_raw(writer, "default", value[0] != 0.0 ? "true" : "false");
        break;
    case COIF_PARAM_CHOICE:
        coif_write_text(writer, "default", param->choices[(int32_t)value[0]]);
        break;
    case COIF_PARAM_PATH:
    case COIF_PARAM_STRING:
        coif_write_text(writer, "default", "");
        break;
    default:
        coif_write_number(writer, "default", value[0]);
    }
}

static void write_param(coif_json_writer *writer, const coif_param *param)
{
    static const char *const variation[] = {"", "map", "ramp", "map, ramp"};
    const bool bounded = param->low < param->high;
    coif_write_open(writer, NULL, "{");
    coif_write_text(writer, "name", param->name);
    coif_write_text(writer, "type", coif_param_type_name(param->type));
    coif_write_text(writer, "unit", param->unit != NULL ? param->unit : "");
    write_default(writer, param);
    coif_write_number(writer, "min", bounded ? param->low : NAN);
    coif_write_number(writer, "max", bounded ? param->high : NAN);
    coif_write_open(writer, "choices", "[");
    for (size_t i = 0; param->type == COIF_PARAM_CHOICE && param->choices[i] != NULL; ++i) {
        coif_write_text(writer, NULL, param->choices[i]);
    }
    coif_write_close(writer, "]");
    coif_write_text(writer, "varies",
                    variation[param->flags & (COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP)]);
    coif_write_text(writer, "help", param->help);
    coif_write_close(writer, "}");
}

static void write_plugin(coif_json_writer *writer, const coif_plugin *plugin, const char *origin)
{
    coif_write_open(writer, NULL, "{");
    coif_write_text(writer, "id", plugin->id);
    coif_write_text(writer, "kind", kind_name(plugin->kind));
    coif_write_text(writer, "version", plugin->version);
    coif_write_text(writer, "origin", origin);
    coif_write_text(writer, "help", plugin->help);
    coif_write_open(writer, "params", "[");
    for (uint32_t i = 0; i < plugin->param_count; ++i) {
        write_param(writer, &plugin->params[i]);
    }
    coif_write_close(writer, "]");
    coif_write_close(writer, "}");
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
    return coif_fail(error, COIF_ERR_PLUGIN, "no plugin '%s'%s", name,
                     coif_suggest(name, names, count, "; 'coif plugins' lists them").text);
}

static coif_status print_list(coif_app *app, coif_error *error)
{
    for (int32_t i = 0; i < coif_plugins_count(app->plugins); ++i) {
        const coif_plugin *plugin = coif_plugins_at(app->plugins, i);
        printf("%-20s %-6s %-8s %s (%s)\n", plugin->id, kind_name(plugin->kind), plugin->version,
               plugin->help, coif_plugins_origin(app->plugins, i));
    }
    return coif_app_print("", NULL, error);
}

// All plugins, or the one of a name, as JSON; a single one also as text.
static coif_status print_plugins(coif_app *app, const char *name, bool json, coif_error *error)
{
    coif_json_writer writer;
    coif_json_writer_init(&writer, &app->arena);
    if (json) {
        coif_write_open(&writer, NULL, "[");
    }
    for (int32_t i = 0; i < coif_plugins_count(app->plugins); ++i) {
        const coif_plugin *plugin = coif_plugins_at(app->plugins, i);
        if (name == NULL || strcmp(name, plugin->id) == 0) {
            write_plugin(&writer, plugin, coif_plugins_origin(app->plugins, i));
        }
    }
    if (json) {
        coif_write_close(&writer, "]");
        coif_strbuf_add(&writer.text, "\n");
        return coif_app_print(writer.text.data, NULL, error);
    }
    coif_strbuf text;
    coif_strbuf_init(&text, &app->arena);
    coif_json_text(&text, writer.text.data, &app->arena);
    return coif_app_print(text.data, NULL, error);
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
    return plugins->json || plugins->name != NULL
               ? print_plugins(app, plugins->name, plugins->json != 0, error)
               : print_list(app, error);
}

const coif_command COIF_COMMAND_PLUGINS = {
    .name = "plugins",
    .help = "list plugins, or describe one",
    .more = "Modules are loaded from --plugin-path, COIF_PLUGIN_PATH and lib/coif of the "
            "installation.\n",
    .examples = "  coif plugins\n"
                "  coif plugins wind.uniform\n"
                "  coif plugins wind.vortex --sample vortex.json --set speed=5\n",
    COIF_COMMAND_OPTIONS(plugins_options, OPTIONS),
    .run = run,
};
