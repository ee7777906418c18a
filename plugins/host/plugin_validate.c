// plugin_validate: checks of the tables of a module before its plugins are registered.
#include "plugins/host/plugin_validate.h"

#include "core/base/arena.h"
#include "core/scene/params.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Limits far above those of real plugins; larger numbers mean a damaged table. The smallest row is
// that of the first header of this ABI.
enum {
    PLUGIN_COUNT_MAX = 1024,
    CHOICE_COUNT_MAX = 256,
    NAME_LENGTH_MAX = 64,
    HELP_LENGTH_MAX = 2000,
    PARAM_SIZE_MIN = offsetof(coif_param, choices) + sizeof(const char *const *),
    STRUCT_SIZE_MAX = 1 << 16,
    PARAMS_SIZE_MAX = 1 << 20,
    STATE_SIZE_MAX = 1 << 30
};

COIF_PRINTF(2, 3) static bool reject(coif_reject_reason *why, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(why->text, sizeof why->text, format, list);
    va_end(list);
    return false;
}

static uint32_t param_bytes(int32_t type)
{
    switch (type) {
    case COIF_PARAM_FLOAT:
    case COIF_PARAM_INT:
    case COIF_PARAM_BOOL:
    case COIF_PARAM_CHOICE:
        return 4;
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        return 12;
    case COIF_PARAM_PATH:
    case COIF_PARAM_STRING:
        return sizeof(const char *);
    default:
        return 0;
    }
}

// Length of an identifier, [a-z][a-z0-9_]*, at the start of the text; 0 if there is none.
static size_t identifier_length(const char *text)
{
    size_t length = 0;
    while (
        length <= NAME_LENGTH_MAX &&
        ((text[length] >= 'a' && text[length] <= 'z') ||
         (length > 0 && ((text[length] >= '0' && text[length] <= '9') || text[length] == '_')))) {
        ++length;
    }
    return length <= NAME_LENGTH_MAX ? length : 0;
}

static bool is_name(const char *text)
{
    const size_t length = identifier_length(text);
    return length > 0 && text[length] == '\0';
}

static bool is_id(const char *text)
{
    const size_t family = identifier_length(text);
    return family > 0 && text[family] == '.' && is_name(text + family + 1);
}

static bool is_text(const char *text, size_t longest)
{
    return text != NULL && strnlen(text, longest + 1) <= longest;
}

static bool check_choices(const coif_param *row, coif_reject_reason *why)
{
    if (row->choices == NULL || row->choices[0] == NULL) {
        return reject(why, "parameter \"%s\": a choice without names", row->name);
    }
    int count = 0;
    while (count <= CHOICE_COUNT_MAX && row->choices[count] != NULL) {
        if (!is_text(row->choices[count], NAME_LENGTH_MAX) || row->choices[count][0] == '\0') {
            return reject(why, "parameter \"%s\": choice %d has no valid name", row->name, count);
        }
        for (int k = 0; k < count; ++k) {
            if (strcmp(row->choices[k], row->choices[count]) == 0) {
                return reject(why, "parameter \"%s\": duplicate choice \"%s\"", row->name,
                              row->choices[k]);
            }
        }
        ++count;
    }
    if (count > CHOICE_COUNT_MAX) {
        return reject(why, "parameter \"%s\": more than %d choices", row->name, CHOICE_COUNT_MAX);
    }
    if (!(row->fallback[0] >= 0 && row->fallback[0] < count &&
          row->fallback[0] == floor(row->fallback[0]))) {
        return reject(why, "parameter \"%s\": default %g is not one of %d choices", row->name,
                      row->fallback[0], count);
    }
    return true;
}

static bool check_default(const coif_param *row, coif_reject_reason *why)
{
    const int count = row->type == COIF_PARAM_VEC3 || row->type == COIF_PARAM_COLOR ? 3 : 1;
    const bool whole = row->type == COIF_PARAM_INT || row->type == COIF_PARAM_BOOL;
    double low = row->low, high = row->high;
    if (!isfinite(low) || !isfinite(high) || low > high) {
        return reject(why, "parameter \"%s\": invalid range %g to %g", row->name, low, high);
    }
    if (row->type == COIF_PARAM_BOOL) {
        low = 0, high = 1;
    } else if (low == high) {
        high = row->type == COIF_PARAM_INT ? INT32_MAX : 3e38;
        low = row->type == COIF_PARAM_INT ? INT32_MIN : -3e38;
    }
    for (int i = 0; i < count; ++i) {
        const double value = row->fallback[i];
        if (!(value >= low && value <= high) || (whole && value != floor(value))) {
            return reject(why, "parameter \"%s\": default %g is outside its range %g to %g",
                          row->name, value, low, high);
        }
    }
    return true;
}

static bool check_row(const coif_param *row, const coif_plugin *plugin, coif_reject_reason *why)
{
    if (row->help == NULL || row->unit == NULL || !is_text(row->help, HELP_LENGTH_MAX) ||
        !is_text(row->unit, NAME_LENGTH_MAX)) {
        return reject(why, "parameter \"%s\": missing help or unit", row->name);
    }
    const uint32_t bytes = param_bytes(row->type);
    if (bytes == 0) {
        return reject(why, "parameter \"%s\": unknown type %d", row->name, (int)row->type);
    }
    if (row->offset > plugin->params_size || plugin->params_size - row->offset < bytes) {
        return reject(why, "parameter \"%s\": offset %u does not fit into params_size %u",
                      row->name, row->offset, plugin->params_size);
    }
    if (row->offset % (bytes == 12 ? 4 : bytes) != 0) {
        return reject(why, "parameter \"%s\": offset %u is not aligned", row->name, row->offset);
    }
    const uint32_t varying = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP;
    if ((row->flags & varying) != 0 &&
        (row->type != COIF_PARAM_FLOAT || plugin->kind != COIF_KIND_GROOM)) {
        return reject(why,
                      "parameter \"%s\": only floats of groom modifiers may be mappable or ramps",
                      row->name);
    }
    if (row->type == COIF_PARAM_PATH || row->type == COIF_PARAM_STRING) {
        return true;
    }
    return row->type == COIF_PARAM_CHOICE ? check_choices(row, why) : check_default(row, why);
}

// Keys that the scene format reserves in entries of a kind.
static bool is_reserved(const char *name, int32_t kind)
{
    static const char *const everywhere[] = {"plugin", "name", "comment", NULL};
    static const char *const of_forces[] = {
        "enabled",       "affects",     "amount",        "mask",           "parent", "region",
        "region_center", "region_size", "region_radius", "region_falloff", NULL};
    static const char *const of_maps[] = {"base", "blend_mode", "amount", NULL};
    static const char *const of_grooms[] = {"amount", "mask", "enabled", NULL};
    const char *const *own = kind == COIF_KIND_FORCE ? of_forces
                             : kind == COIF_KIND_MAP ? of_maps
                                                     : of_grooms;
    const char *const *const lists[] = {everywhere, own};
    for (size_t i = 0; i < COIF_COUNT_OF(lists); ++i) {
        for (const char *const *word = lists[i]; *word != NULL; ++word) {
            if (strcmp(name, *word) == 0) {
                return true;
            }
        }
    }
    return false;
}

// Rows of modules built with an older or newer header are shorter or longer than ours. They are
// copied to rows of our size, in which fields unknown to the module are zero.
static void repack_rows(coif_plugin *plugin, coif_arena *arena)
{
    const size_t stride = plugin->param_stride;
    if (stride == sizeof(coif_param)) {
        return;
    }
    coif_param *rows = coif_arena_new(arena, plugin->param_count, coif_param);
    for (uint32_t i = 0; i < plugin->param_count; ++i) {
        memcpy(&rows[i], (const char *)plugin->params + i * stride,
               stride < sizeof(coif_param) ? stride : sizeof(coif_param));
    }
    plugin->params = rows;
    plugin->param_stride = sizeof(coif_param);
}

static bool check_rows(coif_plugin *plugin, coif_arena *arena, coif_reject_reason *why)
{
    if (plugin->param_count == 0) {
        return true;
    }
    if (plugin->params == NULL || plugin->param_count > COIF_PLUGIN_MAX_PARAMS) {
        return plugin->params == NULL
                   ? reject(why, "%u parameters in a NULL table", plugin->param_count)
                   : reject(why, "%u parameters, the limit is %d", plugin->param_count,
                            COIF_PLUGIN_MAX_PARAMS);
    }
    if (plugin->param_stride < PARAM_SIZE_MIN || plugin->param_stride > STRUCT_SIZE_MAX ||
        plugin->param_stride % _Alignof(coif_param) != 0) {
        return reject(why, "param_stride %u, expected at least %d", plugin->param_stride,
                      (int)PARAM_SIZE_MIN);
    }
    repack_rows(plugin, arena);
    for (uint32_t i = 0; i < plugin->param_count; ++i) {
        const coif_param *row = &plugin->params[i];
        if (row->name == NULL || !is_name(row->name)) {
            return reject(why, "parameter %u has no valid name (lower case, digits and _)", i);
        }
        if (is_reserved(row->name, plugin->kind)) {
            return reject(why, "\"%s\" is reserved by the scene format", row->name);
        }
        for (uint32_t k = 0; k < i; ++k) {
            if (strcmp(plugin->params[k].name, row->name) == 0) {
                return reject(why, "duplicate parameter \"%s\"", row->name);
            }
        }
        if (!check_row(row, plugin, why)) {
            return false;
        }
    }
    return true;
}

static bool check_worker(const coif_plugin *plugin, coif_reject_reason *why)
{
    const char *missing = NULL;
    switch (plugin->kind) {
    case COIF_KIND_FORCE:
        missing = plugin->force == NULL ? "force" : NULL;
        break;
    case COIF_KIND_MAP:
        missing = plugin->map == NULL ? "map" : NULL;
        break;
    case COIF_KIND_GROOM:
        missing = plugin->groom == NULL ? "groom" : NULL;
        break;
    default:
        return reject(why, "unknown kind %d", (int)plugin->kind);
    }
    return missing == NULL || reject(why, "kind %s without a %s function", missing, missing);
}

bool coif_plugin_list_validate(const coif_plugin_list *list, coif_reject_reason *why)
{
    if (list == NULL) {
        return reject(why, "no plugins for ABI %d", COIF_PLUGIN_ABI);
    }
    if (list->abi != COIF_PLUGIN_ABI) {
        return reject(why, "built for plugin ABI %u, this program has %d", list->abi,
                      COIF_PLUGIN_ABI);
    }
    if (list->count == 0 || list->count > PLUGIN_COUNT_MAX || list->plugins == NULL) {
        return reject(why, "invalid list of %u plugins%s", list->count,
                      list->plugins == NULL ? " at NULL" : "");
    }
    return true;
}

bool coif_plugin_validate(coif_plugin *plugin, const coif_plugin *offered, coif_arena *arena,
                          coif_reject_reason *why)
{
    if (offered == NULL) {
        return reject(why, "NULL entry in the plugin list");
    }
    // Fields up to the functions are mandatory.
    const size_t needed = offsetof(coif_plugin, init);
    if (offered->struct_size < needed || offered->struct_size > STRUCT_SIZE_MAX) {
        return reject(why, "struct_size %u, expected %zu to %d", offered->struct_size, needed,
                      STRUCT_SIZE_MAX);
    }
    memset(plugin, 0, sizeof *plugin);
    memcpy(plugin, offered,
           offered->struct_size < sizeof *plugin ? offered->struct_size : sizeof *plugin);
    if (plugin->id == NULL || !is_id(plugin->id)) {
        return reject(why, "\"%.64s\" is not an id; expected family.name in lower case",
                      plugin->id ? plugin->id : "");
    }
    if (!is_text(plugin->version, NAME_LENGTH_MAX) || plugin->version[0] == '\0' ||
        !is_text(plugin->help, HELP_LENGTH_MAX)) {
        return reject(why, "%s: missing version or help", plugin->id);
    }
    if (plugin->params_size > PARAMS_SIZE_MAX || plugin->state_size > STATE_SIZE_MAX) {
        return reject(why, "%s: params of %u or state of %u bytes is too large", plugin->id,
                      plugin->params_size, plugin->state_size);
    }
    const uint32_t known =
        plugin->kind == COIF_KIND_MAP ? COIF_NEEDS_BORDER | COIF_NEEDS_CURVATURE : 0;
    if ((plugin->needs & ~known) != 0) {
        return reject(why,
                      "%s requires inputs this program does not provide for its kind (needs 0x%x)",
                      plugin->id, (unsigned)plugin->needs);
    }
    coif_reject_reason inner;
    if (!check_worker(plugin, &inner) || !check_rows(plugin, arena, &inner)) {
        return reject(why, "%s: %.400s", plugin->id, inner.text);
    }
    return true;
}
