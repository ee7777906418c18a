// Validation of a JSON document against the section tree.
#include "core/scene/scene_validate.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/scene/former_names.h"
#include "core/scene/param_value.h"

#include <string.h>

static void build_node(const coif_scene_validate *check, coif_node *node,
                       const coif_json_path *location);

static size_t count_children(const coif_section *section)
{
    size_t count = 0;
    while (section->children != NULL && section->children[count] != NULL) {
        ++count;
    }
    return count;
}

static const char *kind_name(int32_t kind)
{
    switch (kind) {
    case COIF_KIND_FORCE:
        return "a force plugin";
    case COIF_KIND_MAP:
        return "a map plugin";
    case COIF_KIND_GROOM:
        return "a groom plugin";
    default:
        return "a plugin";
    }
}

static const coif_plugin *plugin_at(const coif_scene_validate *check, int32_t index)
{
    return check->plugins != NULL ? check->plugins->at(check->plugins->data, index) : NULL;
}

// Ids of all plugins of a kind, for messages.
static size_t plugin_names(const char ***names, const coif_scene_validate *check, int32_t kind)
{
    size_t total = 0;
    while (plugin_at(check, (int32_t)total) != NULL) {
        ++total;
    }
    *names = coif_arena_new(check->arena, total + 1, const char *);
    size_t count = 0;
    for (size_t i = 0; i < total; ++i) {
        const coif_plugin *plugin = plugin_at(check, (int32_t)i);
        if (plugin->kind == kind) {
            (*names)[count++] = plugin->id;
        }
    }
    return count;
}

static void find_plugin(const coif_scene_validate *check, coif_node *node,
                        const coif_json_path *location)
{
    const char **names;
    const int32_t kind = node->section->plugin_kind;
    const size_t count = plugin_names(&names, check, kind);
    const coif_json_path at = {
        .up = location, .key = "plugin", .json = coif_json_find(location->json, "plugin")};
    if (at.json == NULL) {
        coif_strbuf known;
        coif_strbuf_init(&known, check->arena);
        coif_strbuf_add_names(&known, names, count, 20);
        coif_diagnostics_add(check->diagnostics, location, "\"plugin\" is missing (known: %s)",
                             count > 0 ? known.data : "none");
        return;
    }
    if (at.json->kind != COIF_JSON_STRING) {
        coif_diagnostics_add_expected(check->diagnostics, &at, "the id of a plugin");
        return;
    }
    for (int32_t i = 0; plugin_at(check, i) != NULL; ++i) {
        const coif_plugin *plugin = plugin_at(check, i);
        if (plugin->kind == kind && strcmp(plugin->id, at.json->text) == 0) {
            node->plugin = plugin;
            coif_values_init(&node->plugin_values, plugin->params, plugin->param_count,
                             check->arena);
            return;
        }
    }
    const char *what = kind_name(kind);
    if (coif_nearest_name(at.json->text, names, count) == NULL) {
        what = coif_arena_print(check->arena, "%s of the loaded modules, see --plugin-path", what);
    }
    coif_diagnostics_add_unknown_name(check->diagnostics, &at, what, names, count);
}

static bool read_param(const coif_scene_validate *check, const coif_values *values,
                       const coif_json_path *location)
{
    const coif_param_reader reader = {check->diagnostics, check->folder, check->arena};
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_param *row = &values->rows[i];
        if (strcmp(row->name, location->key) == 0) {
            coif_value_read(&values->values[i], row, location, &reader);
            return true;
        }
    }
    return false;
}

// Keys that are allowed in every object.
static bool read_common(const coif_scene_validate *check, const coif_node *node,
                        const coif_json_path *location)
{
    const bool root = node->parent == NULL;
    if (root && strcmp(location->key, "coif") == 0) {
        return true; // validated by check_format
    }
    if (node->section->plugin_kind != 0 && strcmp(location->key, "plugin") == 0) {
        return true;
    }
    if (strcmp(location->key, "comment") != 0 && !(root && strcmp(location->key, "$schema") == 0)) {
        return false;
    }
    if (location->json->kind != COIF_JSON_STRING) {
        coif_diagnostics_add_expected(check->diagnostics, location, "a string");
    }
    return true;
}

static size_t add_param_names(const char **names, size_t count, const coif_values *values)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        names[count++] = values->rows[i].name;
    }
    return count;
}

static void add_unknown_key(const coif_scene_validate *check, const coif_node *node,
                            const coif_json_path *location)
{
    if (coif_diagnostics_full(check->diagnostics)) {
        coif_diagnostics_add_unknown_key(check->diagnostics, location, NULL, 0);
        return;
    }
    const coif_section *section = node->section;
    const char *present = coif_former_key(section->name, location->key);
    if (present == NULL && node->plugin != NULL) {
        present = coif_former_key(node->plugin->id, location->key);
    }
    if (present != NULL) {
        coif_diagnostics_add(check->diagnostics, location, "renamed to \"%s\"", present);
        return;
    }
    const size_t children = count_children(section);
    const char **names = coif_arena_new(
        check->arena, node->values.row_count + node->plugin_values.row_count + children + 2,
        const char *);
    size_t count = add_param_names(names, 0, &node->values);
    count = add_param_names(names, count, &node->plugin_values);
    for (size_t i = 0; i < children; ++i) {
        names[count++] = section->children[i]->name;
    }
    names[count++] = "comment";
    if (section->plugin_kind != 0) {
        names[count++] = "plugin";
    }
    coif_diagnostics_add_unknown_key(check->diagnostics, location, names, count);
}

// Texts validated by the module that owns the section.
static void check_text(const coif_scene_validate *check, const coif_node *node,
                       const coif_json_path *location)
{
    const coif_value *value = coif_values_find(&node->values, location->key);
    coif_error error = {0};
    if (node->section->check_text != NULL && value->text != NULL &&
        node->section->check_text(location->key, value->text, &error) != COIF_OK) {
        coif_diagnostics_add(check->diagnostics, location, "%s", error.text);
    }
}

// Whether the key is a parameter of the whole scene in a section that overrides another.
static bool is_global(const coif_node *node, const char *key)
{
    for (uint32_t i = 0; node->section->inherits != NULL && i < node->values.row_count; ++i) {
        const coif_param *row = &node->values.rows[i];
        if (strcmp(row->name, key) == 0) {
            return (row->flags & COIF_PARAM_GLOBAL) != 0;
        }
    }
    return false;
}

static void read_member(const coif_scene_validate *check, coif_node *node,
                        const coif_json_path *location)
{
    if (read_common(check, node, location)) {
        return;
    }
    if (is_global(node, location->key)) {
        coif_diagnostics_add(check->diagnostics, location,
                             "is one value for the whole scene; set /%s/%s instead",
                             node->section->inherits, location->key);
        return;
    }
    if (read_param(check, &node->values, location)) {
        check_text(check, node, location);
        return;
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        if (strcmp(node->children[i].section->name, location->key) == 0) {
            node->children[i].source = location->json;
            build_node(check, &node->children[i], location);
            return;
        }
    }
    // The parameters of an unknown plugin are not known.
    if (node->section->plugin_kind != 0 && node->plugin == NULL) {
        return;
    }
    if (!read_param(check, &node->plugin_values, location)) {
        add_unknown_key(check, node, location);
    }
}

static void check_required(const coif_scene_validate *check, const coif_node *node,
                           const coif_json_path *location)
{
    const char *const *name = node->section->required;
    for (; name != NULL && *name != NULL; ++name) {
        const coif_value *value = coif_values_find(&node->values, *name);
        COIF_REQUIRE(value != NULL);
        if (!value->given) {
            coif_diagnostics_add(check->diagnostics, location, "\"%s\" is missing", *name);
        } else if (value->source->kind == COIF_JSON_STRING && value->source->text[0] == '\0') {
            const coif_json_path at = {.up = location, .key = *name, .json = value->source};
            coif_diagnostics_add(check->diagnostics, &at, "must not be empty");
        }
    }
}

// Values of the preset that the object names; an unknown name is reported with the choice itself.
static void read_preset(const coif_scene_validate *check, const coif_node *node,
                        const coif_json_path *location)
{
    const coif_json *name = coif_json_find(location->json, "preset");
    const coif_param_preset *preset = name != NULL && name->kind == COIF_JSON_STRING
                                          ? coif_section_preset(node->section, name->text)
                                          : NULL;
    if (preset == NULL) {
        return;
    }
    coif_json *values;
    COIF_REQUIRE(coif_json_parse(&values, preset->name, preset->values, strlen(preset->values),
                                 check->arena, NULL) == COIF_OK);
    for (const coif_json *member = values->child; member != NULL; member = member->next) {
        const coif_json_path at = {.up = location, .key = member->key, .json = member};
        for (uint32_t i = 0; i < node->values.row_count; ++i) {
            coif_value *value = &node->values.values[i];
            if (strcmp(node->values.rows[i].name, member->key) == 0 &&
                !is_global(node, member->key) && read_param(check, &node->values, &at)) {
                value->given = false;
                value->source = NULL;
                value->preset = preset->name;
            }
        }
    }
}

// Builds an object or an array element; location->json is NULL when absent from the scene.
static void build_object(const coif_scene_validate *check, coif_node *node,
                         const coif_json_path *location)
{
    const coif_section *section = node->section;
    coif_values_init(&node->values, section->params, section->param_count, check->arena);
    node->child_count = (int32_t)count_children(section);
    node->children = coif_arena_new(check->arena, node->child_count, coif_node);
    for (int32_t i = 0; i < node->child_count; ++i) {
        node->children[i] = (coif_node){.section = section->children[i], .parent = node};
    }
    if (location->json != NULL && location->json->kind != COIF_JSON_OBJECT) {
        coif_diagnostics_add_expected(check->diagnostics, location, "an object");
    } else if (location->json != NULL) {
        if (section->plugin_kind != 0) {
            find_plugin(check, node, location);
        }
        read_preset(check, node, location);
        for (const coif_json *member = location->json->child; member != NULL;
             member = member->next) {
            const coif_json_path at = {.up = location, .key = member->key, .json = member};
            read_member(check, node, &at);
        }
        check_required(check, node, location);
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        if (node->children[i].source == NULL) {
            const coif_json_path at = {.up = location, .key = section->children[i]->name};
            build_node(check, &node->children[i], &at);
        }
    }
}

static void build_list(const coif_scene_validate *check, coif_node *node,
                       const coif_json_path *location)
{
    node->list = true;
    if (location->json == NULL) {
        return;
    }
    if (location->json->kind != COIF_JSON_ARRAY) {
        coif_diagnostics_add_expected(check->diagnostics, location, "an array of objects");
        return;
    }
    // An entry of two bytes takes kilobytes for its values.
    enum { MAX_ENTRIES = 100000 };
    if (location->json->child_count > MAX_ENTRIES) {
        coif_diagnostics_add(check->diagnostics, location, "%d entries, expected at most %d",
                             location->json->child_count, (int)MAX_ENTRIES);
        return;
    }
    node->child_count = location->json->child_count;
    node->children = coif_arena_new(check->arena, node->child_count, coif_node);
    coif_json_path at = {.up = location, .json = location->json->child};
    for (; at.json != NULL; ++at.index, at.json = at.json->next) {
        coif_node *element = &node->children[at.index];
        *element = (coif_node){.section = node->section, .source = at.json, .parent = node};
        element->path = coif_json_path_text(&at, check->arena);
        build_object(check, element, &at);
    }
}

void coif_scene_validate_append(const coif_scene_validate *check, coif_node *list,
                                const coif_json_path *location)
{
    COIF_REQUIRE(list->list);
    coif_node *entries = coif_arena_new(check->arena, list->child_count + 1, coif_node);
    for (int32_t i = 0; i < list->child_count; ++i) {
        entries[i] = list->children[i];
        for (int32_t k = 0; k < entries[i].child_count; ++k) {
            entries[i].children[k].parent = &entries[i];
        }
    }
    coif_node *entry = &entries[list->child_count++];
    list->children = entries;
    *entry = (coif_node){
        .section = list->section, .source = location->json, .parent = list, .anonymous = true};
    entry->path = coif_json_path_text(location, check->arena);
    build_object(check, entry, location);
}

// Builds a node whose section, parent and source are set.
static void build_node(const coif_scene_validate *check, coif_node *node,
                       const coif_json_path *location)
{
    node->path = coif_json_path_text(location, check->arena);
    if (node->section->form == COIF_SECTION_ARRAY) {
        build_list(check, node, location);
    } else {
        build_object(check, node, location);
    }
}

// Completes sections that override another with the values given there.
static void inherit_values(coif_node *node, const coif_node *root)
{
    if (!node->list && node->section->inherits != NULL) {
        node->base = coif_node_at(root, node->section->inherits);
        COIF_REQUIRE(node->base->values.rows == node->values.rows);
        for (uint32_t i = 0; i < node->values.row_count; ++i) {
            coif_value *value = &node->values.values[i];
            if (!value->given && value->preset == NULL) {
                *value = node->base->values.values[i];
                value->given = false;
            }
        }
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        inherit_values(&node->children[i], root);
    }
}

// Checks the format version of the document.
static bool check_format(const coif_scene_validate *check, const coif_json_path *location)
{
    const coif_json_path at = {
        .up = location, .key = "coif", .json = coif_json_find(location->json, "coif")};
    if (at.json == NULL) {
        return true;
    }
    if (at.json->kind == COIF_JSON_NUMBER && at.json->number > COIF_SCENE_FORMAT) {
        coif_diagnostics_add(check->diagnostics, &at,
                             "scene format %s is not supported, expected %d",
                             coif_json_describe(at.json, check->arena), COIF_SCENE_FORMAT);
        return false;
    }
    if (at.json->kind != COIF_JSON_NUMBER || at.json->number != COIF_SCENE_FORMAT) {
        coif_diagnostics_add_expected(check->diagnostics, &at, "1, the format version");
    }
    return true;
}

coif_node *coif_scene_validate_tree(const coif_scene_validate *check, const coif_json *json)
{
    const coif_json_path location = {.key = "", .json = json};
    coif_node *root = coif_arena_new(check->arena, 1, coif_node);
    root->section = check->tree;
    root->source = json;
    if (check_format(check, &location)) {
        build_node(check, root, &location);
        inherit_values(root, root);
    }
    return root;
}
