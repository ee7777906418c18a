// Anonymous scalp maps of values that come from a texture.
#include "core/scene/texture_maps.h"

#include "core/base/arena.h"
#include "core/scene/texture_value.h"

#include <string.h>

static const coif_plugin *find_plugin(const coif_plugin_lookup *plugins)
{
    const coif_plugin *plugin = NULL;
    for (int32_t i = 0; plugins != NULL && (plugin = plugins->at(plugins->data, i)) != NULL; ++i) {
        if (plugin->kind == COIF_KIND_MAP && strcmp(plugin->id, COIF_TEXTURE_MAP_PLUGIN) == 0) {
            break;
        }
    }
    return plugin;
}

static void add_unknown_member(const coif_scene_validate *check, const coif_plugin *plugin,
                               const coif_json_path *location)
{
    enum { MAX_MEMBERS = 8 };
    const char **names =
        coif_arena_new(check->arena, MAX_MEMBERS + plugin->param_count, const char *);
    size_t count = 0;
    for (; count < MAX_MEMBERS && COIF_TEXTURE_VALUE_MEMBERS[count] != NULL; ++count) {
        names[count] = COIF_TEXTURE_VALUE_MEMBERS[count];
    }
    for (uint32_t i = 0; i < plugin->param_count; ++i) {
        if (coif_texture_map_has_param(plugin, plugin->params[i].name)) {
            names[count++] = plugin->params[i].name;
        }
    }
    coif_diagnostics_add_unknown_key(check->diagnostics, location, names, count);
}

static coif_json *add_member(coif_json *object, const coif_json *member, const char *key,
                             coif_arena *arena)
{
    coif_json *copy = coif_arena_new(arena, 1, coif_json);
    *copy = *member;
    copy->key = key;
    copy->next = object->child;
    object->child = copy;
    ++object->child_count;
    return copy;
}

// The entry of "maps" that a value stands for; NULL after an error.
static const coif_json *entry_of(const coif_scene_validate *check, const char *name,
                                 const coif_json_path *location)
{
    const int32_t errors_before = check->diagnostics->count;
    const coif_plugin *plugin = find_plugin(check->plugins);
    if (plugin == NULL) {
        coif_diagnostics_add(check->diagnostics, location,
                             "this value cannot come from a texture: there is no plugin "
                             "\"" COIF_TEXTURE_MAP_PLUGIN "\"");
        return NULL;
    }
    coif_json *entry = coif_arena_new(check->arena, 1, coif_json);
    *entry = *location->json;
    entry->child = NULL;
    entry->child_count = 0;
    const coif_json *texture = coif_json_find(location->json, "texture");
    for (const coif_json *at = location->json->child; at != NULL; at = at->next) {
        const coif_json_path member = {.up = location, .key = at->key, .json = at};
        if (coif_texture_map_has_param(plugin, at->key)) {
            add_member(entry, at, at->key, check->arena);
        } else if (!coif_texture_value_has_member(at->key)) {
            add_unknown_member(check, plugin, &member);
        }
    }
    add_member(entry, texture, "path", check->arena);
    add_member(entry, texture, "plugin", check->arena)->text = COIF_TEXTURE_MAP_PLUGIN;
    add_member(entry, texture, "name", check->arena)->text = name;
    return check->diagnostics->count == errors_before ? entry : NULL;
}

static coif_node *maps_of(const coif_node *node)
{
    for (int32_t i = 0; i < node->child_count && !node->list; ++i) {
        if (node->children[i].list && strcmp(node->children[i].section->name, "maps") == 0) {
            return &node->children[i];
        }
    }
    return NULL;
}

static bool has_map(const coif_node *maps, const char *name)
{
    for (int32_t i = 0; i < maps->child_count; ++i) {
        const coif_value *given = coif_values_find(&maps->children[i].values, "name");
        if (given != NULL && given->text != NULL && strcmp(given->text, name) == 0) {
            return true;
        }
    }
    return false;
}

// Adds the map to the nearest enclosing "maps", else to those of all grooms.
static void add_map(const coif_scene_validate *check, const coif_node *node, const coif_node *root,
                    const char *name, const coif_json_path *location)
{
    const int32_t errors_before = check->diagnostics->count;
    for (const coif_node *up = node; up != NULL; up = up->parent) {
        coif_node *maps = maps_of(up);
        if (maps != NULL) {
            if (!has_map(maps, name)) {
                coif_scene_validate_append(check, maps, location);
            }
            return;
        }
    }
    for (int32_t i = 0; i < root->child_count; ++i) {
        const coif_node *list = &root->children[i];
        for (int32_t k = 0; list->list && k < list->child_count; ++k) {
            coif_node *maps = maps_of(&list->children[k]);
            // An error is reported for the first groom.
            if (maps != NULL && check->diagnostics->count == errors_before &&
                !has_map(maps, name)) {
                coif_scene_validate_append(check, maps, location);
            }
        }
    }
}

static void add_maps_of_values(const coif_scene_validate *check, const coif_node *node,
                               const coif_values *values, const coif_node *root)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_value *value = &values->values[i];
        if (value->map == NULL || !value->given || // inherited values have the map of their base
            coif_json_find(value->source, "texture") == NULL) {
            continue;
        }
        const coif_json_path up = {.key = node->path};
        coif_json_path at = {.up = &up, .key = values->rows[i].name, .json = value->source};
        at.json = entry_of(check, value->map, &at);
        if (at.json != NULL) {
            add_map(check, node, root, value->map, &at);
        }
    }
}

static void add_maps_of_node(const coif_scene_validate *check, const coif_node *node,
                             const coif_node *root)
{
    if (!node->list) {
        add_maps_of_values(check, node, &node->values, root);
        add_maps_of_values(check, node, &node->plugin_values, root);
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        // Parameters of maps are not mappable, and the arrays grow meanwhile.
        if (strcmp(node->children[i].section->name, "maps") != 0) {
            add_maps_of_node(check, &node->children[i], root);
        }
    }
}

void coif_scene_add_texture_maps(const coif_scene_validate *check, coif_node *root)
{
    add_maps_of_node(check, root, root);
}
