#include "plugins/host/plugin_validate.h"

#include "core/scene/params.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Bounds that no honest plugin meets; beyond them a number is garbage.
enum {
    MOST_PLUGINS = 1024,
    MOST_PARAMS = 256,
    MOST_CHOICES = 256,
    LONGEST_NAME = 64,
    LONGEST_HELP = 2000,
    LARGEST_STRUCT = 1 << 16,
    LARGEST_PARAMS = 1 << 20,
    LARGEST_STATE = 1 << 30
};

COIF_PRINTF(2, 3) static bool refuse(coif_reject_reason *why, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(why->text, sizeof why->text, format, list);
    va_end(list);
    return false;
}

uint32_t coif_param_bytes(int32_t type)
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

// Letters that need no quoting anywhere: a-z, then a-z, 0-9 and _. Returns the length, 0 if wrong.
static size_t word_length(const char *text)
{
    size_t length = 0;
    while (
        length <= LONGEST_NAME &&
        ((text[length] >= 'a' && text[length] <= 'z') ||
         (length > 0 && ((text[length] >= '0' && text[length] <= '9') || text[length] == '_')))) {
        ++length;
    }
    return length <= LONGEST_NAME ? length : 0;
}

static bool is_name(const char *text)
{
    const size_t length = word_length(text);
    return length > 0 && text[length] == '\0';
}

static bool is_id(const char *text)
{
    const size_t family = word_length(text);
    return family > 0 && text[family] == '.' && is_name(text + family + 1);
}

static bool is_text(const char *text, size_t longest)
{
    return text != NULL && strnlen(text, longest + 1) <= longest;
}

static bool check_choices(const coif_param *row, coif_reject_reason *why)
{
    if (row->choices == NULL || row->choices[0] == NULL) {
        return refuse(why, "parameter \"%s\" is a choice without choices", row->name);
    }
    int count = 0;
    while (count <= MOST_CHOICES && row->choices[count] != NULL) {
        if (!is_text(row->choices[count], LONGEST_NAME) || row->choices[count][0] == '\0') {
            return refuse(why, "parameter \"%s\": choice %d has no usable name", row->name, count);
        }
        for (int k = 0; k < count; ++k) {
            if (strcmp(row->choices[k], row->choices[count]) == 0) {
                return refuse(why, "parameter \"%s\" names choice \"%s\" twice", row->name,
                              row->choices[k]);
            }
        }
        ++count;
    }
    if (count > MOST_CHOICES) {
        return refuse(why, "parameter \"%s\" has more than %d choices", row->name, MOST_CHOICES);
    }
    if (!(row->fallback[0] >= 0 && row->fallback[0] < count &&
          row->fallback[0] == floor(row->fallback[0]))) {
        return refuse(why, "parameter \"%s\": default %g is not one of %d choices", row->name,
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
        return refuse(why, "parameter \"%s\": %g to %g is no range", row->name, low, high);
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
            return refuse(why, "parameter \"%s\": default %g is outside its range %g to %g",
                          row->name, value, low, high);
        }
    }
    return true;
}

static bool check_row(const coif_param *row, const coif_plugin *plugin, coif_reject_reason *why)
{
    if (row->help == NULL || row->unit == NULL || !is_text(row->help, LONGEST_HELP) ||
        !is_text(row->unit, LONGEST_NAME)) {
        return refuse(why, "parameter \"%s\" has no help or unit", row->name);
    }
    const uint32_t bytes = coif_param_bytes(row->type);
    if (bytes == 0) {
        return refuse(why, "parameter \"%s\" has unknown type %d", row->name, (int)row->type);
    }
    if (row->offset > plugin->params_size || plugin->params_size - row->offset < bytes) {
        return refuse(why, "parameter \"%s\" at offset %u does not fit into params_size %u",
                      row->name, row->offset, plugin->params_size);
    }
    if (row->offset % (bytes == 12 ? 4 : bytes) != 0) {
        return refuse(why, "parameter \"%s\" at offset %u is not aligned", row->name, row->offset);
    }
    const uint32_t varying = COIF_PARAM_MAPPABLE | COIF_PARAM_RAMP;
    if ((row->flags & varying) != 0 &&
        (row->type != COIF_PARAM_FLOAT || plugin->kind != COIF_KIND_GROOM)) {
        return refuse(why, "parameter \"%s\" may not vary: only floats of groom modifiers do",
                      row->name);
    }
    if (row->type == COIF_PARAM_PATH || row->type == COIF_PARAM_STRING) {
        return true;
    }
    return row->type == COIF_PARAM_CHOICE ? check_choices(row, why) : check_default(row, why);
}

// Names that the entries of a scene use themselves, whatever plugin of a kind they name.
static bool is_reserved(const char *name, int32_t kind)
{
    static const char *const everywhere[] = {"plugin", "name", "comment", NULL};
    static const char *const of_forces[] = {"enabled", NULL};
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

static bool check_rows(const coif_plugin *plugin, coif_reject_reason *why)
{
    if (plugin->param_count == 0) {
        return true;
    }
    if (plugin->params == NULL || plugin->param_count > MOST_PARAMS) {
        return refuse(why, "%u parameters%s", plugin->param_count,
                      plugin->params == NULL ? " at no place" : ", 256 at most are allowed");
    }
    if (plugin->param_stride < sizeof(coif_param) || plugin->param_stride > LARGEST_STRUCT ||
        plugin->param_stride % _Alignof(coif_param) != 0) {
        return refuse(why, "param_stride %u, wanted at least %zu", plugin->param_stride,
                      sizeof(coif_param));
    }
    const coif_values table = {.rows = plugin->params, .row_stride = plugin->param_stride};
    for (uint32_t i = 0; i < plugin->param_count; ++i) {
        const coif_param *row = coif_values_param(&table, i);
        if (row->name == NULL || !is_name(row->name)) {
            return refuse(why, "parameter %u has no usable name (lower case, digits and _)", i);
        }
        if (is_reserved(row->name, plugin->kind)) {
            return refuse(why, "\"%s\" belongs to the scene and cannot be a parameter", row->name);
        }
        for (uint32_t k = 0; k < i; ++k) {
            if (strcmp(coif_values_param(&table, k)->name, row->name) == 0) {
                return refuse(why, "two parameters are called \"%s\"", row->name);
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
        return refuse(why, "unknown kind %d", (int)plugin->kind);
    }
    return missing == NULL ||
           refuse(why, "it is of kind %s but has no %s function", missing, missing);
}

bool coif_plugin_list_validate(const coif_plugin_list *list, coif_reject_reason *why)
{
    if (list == NULL) {
        return refuse(why, "it offers nothing to plugin ABI %d", COIF_PLUGIN_ABI);
    }
    if (list->abi != COIF_PLUGIN_ABI) {
        return refuse(why, "built for plugin ABI %u, this program speaks %d", list->abi,
                      COIF_PLUGIN_ABI);
    }
    if (list->count == 0 || list->count > MOST_PLUGINS || list->plugins == NULL) {
        return refuse(why, "a list of %u plugins%s", list->count,
                      list->plugins == NULL ? " at no place" : "");
    }
    return true;
}

bool coif_plugin_validate(coif_plugin *plugin, const coif_plugin *offered, coif_reject_reason *why)
{
    if (offered == NULL) {
        return refuse(why, "an entry of its list is empty");
    }
    // Everything up to the functions is needed to know the plugin at all.
    const size_t needed = offsetof(coif_plugin, init);
    if (offered->struct_size < needed || offered->struct_size > LARGEST_STRUCT) {
        return refuse(why, "struct_size %u, wanted %zu to %d", offered->struct_size, needed,
                      LARGEST_STRUCT);
    }
    memset(plugin, 0, sizeof *plugin);
    memcpy(plugin, offered,
           offered->struct_size < sizeof *plugin ? offered->struct_size : sizeof *plugin);
    if (plugin->id == NULL || !is_id(plugin->id)) {
        return refuse(why, "\"%.64s\" is no id; wanted family.name in lower case",
                      plugin->id ? plugin->id : "");
    }
    if (!is_text(plugin->version, LONGEST_NAME) || plugin->version[0] == '\0' ||
        !is_text(plugin->help, LONGEST_HELP)) {
        return refuse(why, "%s has no version or help", plugin->id);
    }
    if (plugin->params_size > LARGEST_PARAMS || plugin->state_size > LARGEST_STATE) {
        return refuse(why, "%s: params of %u and state of %u bytes are too large", plugin->id,
                      plugin->params_size, plugin->state_size);
    }
    const uint32_t known = plugin->kind == COIF_KIND_MAP ? COIF_NEEDS_BORDER : 0;
    if ((plugin->needs & ~known) != 0) {
        return refuse(why, "%s needs what this program cannot give to its kind (needs 0x%x)",
                      plugin->id, (unsigned)plugin->needs);
    }
    coif_reject_reason inner;
    if (!check_worker(plugin, &inner) || !check_rows(plugin, &inner)) {
        return refuse(why, "%s: %.400s", plugin->id, inner.text);
    }
    return true;
}
