// plugin_describe: text description of a plugin and its parameter table.
#include "plugins/host/plugin_describe.h"

#include "core/base/arena.h"
#include "core/scene/params.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS = 6 };

static const char *const HEADINGS[COLUMNS] = {"parameter", "type",    "unit",
                                              "range",     "default", "help"};

const char *coif_kind_name(int32_t kind)
{
    static const char *const names[] = {"unknown", "force", "map", "groom"};
    return names[kind >= 1 && kind <= 3 ? kind : 0];
}

static const char *type_name(int32_t type)
{
    static const char *const names[] = {"unknown", "float",  "int",  "bool",  "vec3",
                                        "color",   "choice", "path", "string"};
    return names[type >= 1 && type <= 8 ? type : 0];
}

static const char *range_text(const coif_param *row, coif_arena *arena)
{
    if (row->type == COIF_PARAM_CHOICE) {
        const char *text = row->choices[0];
        for (int i = 1; row->choices[i] != NULL; ++i) {
            text = coif_arena_print(arena, "%s|%s", text, row->choices[i]);
        }
        return text;
    }
    const bool free_text = row->type == COIF_PARAM_PATH || row->type == COIF_PARAM_STRING;
    if (row->low == row->high || row->type == COIF_PARAM_BOOL || free_text) {
        return "";
    }
    return coif_arena_print(arena, "%g to %g", row->low, row->high);
}

static const char *default_text(const coif_param *row, coif_arena *arena)
{
    const double *value = row->fallback;
    switch (row->type) {
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        return coif_arena_print(arena, "[%g, %g, %g]", value[0], value[1], value[2]);
    case COIF_PARAM_BOOL:
        return value[0] != 0 ? "true" : "false";
    case COIF_PARAM_CHOICE:
        return coif_arena_print(arena, "\"%s\"", row->choices[(int)value[0]]);
    case COIF_PARAM_PATH:
    case COIF_PARAM_STRING:
        return "\"\"";
    default:
        return coif_arena_print(arena, "%g", value[0]);
    }
}

static const char *help_text(const coif_param *row, coif_arena *arena)
{
    static const char *const variation[] = {"", " (mappable)", " (ramp)", " (mappable, ramp)"};
    return coif_arena_print(arena, "%s%s", row->help,
                            variation[row->flags & (COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP)]);
}

static void fill_cells(const char *cells[COLUMNS], const coif_param *row, coif_arena *arena)
{
    cells[0] = row->name;
    cells[1] = type_name(row->type);
    cells[2] = row->unit;
    cells[3] = range_text(row, arena);
    cells[4] = default_text(row, arena);
    cells[5] = help_text(row, arena);
}

char *coif_plugins_describe(const coif_plugin *plugin, coif_arena *arena)
{
    char *text = coif_arena_print(arena, "%s %s (%s)\n  %s\n", plugin->id, plugin->version,
                                  coif_kind_name(plugin->kind), plugin->help);
    if (plugin->param_count == 0) {
        return coif_arena_print(arena, "%s  no parameters\n", text);
    }
    const coif_values table = {.rows = plugin->params, .row_stride = plugin->param_stride};
    const char *(*cells)[COLUMNS] = coif_arena_alloc(arena, plugin->param_count + 1, sizeof *cells);
    memcpy(cells[0], HEADINGS, sizeof HEADINGS);
    int widths[COLUMNS] = {0};
    for (uint32_t i = 0; i <= plugin->param_count; ++i) {
        if (i > 0) {
            fill_cells(cells[i], coif_values_param(&table, i - 1), arena);
        }
        for (int k = 0; k < COLUMNS; ++k) {
            const int width = (int)strlen(cells[i][k]);
            widths[k] = width > widths[k] ? width : widths[k];
        }
    }
    for (uint32_t i = 0; i <= plugin->param_count; ++i) {
        text = coif_arena_print(arena, "%s  %-*s  %-*s  %-*s  %-*s  %-*s  %s\n", text, widths[0],
                                cells[i][0], widths[1], cells[i][1], widths[2], cells[i][2],
                                widths[3], cells[i][3], widths[4], cells[i][4], cells[i][5]);
    }
    return text;
}
