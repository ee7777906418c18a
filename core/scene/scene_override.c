// --set PATH=VALUE: modifies the JSON document before validation, so that a --set is validated like
// the file.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/scene/scene_validate.h"

#include <string.h>

typedef struct scene_override {
    const char *argument; // PATH=VALUE
    const coif_json_path *location;
    coif_diagnostics *diagnostics;
    coif_arena *arena;
} scene_override;

// Marks a value and its descendants with the --set argument they come from.
static void set_origin(coif_json *value, const char *origin)
{
    value->origin = origin;
    for (coif_json *child = value->child; child != NULL; child = child->next) {
        set_origin(child, origin);
    }
}

static coif_json *add_member(coif_json *object, const char *key, const scene_override *set)
{
    coif_json *member = coif_arena_new(set->arena, 1, coif_json);
    *member = (coif_json){.kind = COIF_JSON_OBJECT, .key = key, .origin = set->argument};
    coif_json **end = &object->child;
    while (*end != NULL) {
        end = &(*end)->next;
    }
    *end = member;
    ++object->child_count;
    return member;
}

static void remove_last(coif_json *object)
{
    coif_json **end = &object->child;
    while ((*end)->next != NULL) {
        end = &(*end)->next;
    }
    *end = NULL;
    --object->child_count;
}

// Array index, -1 when the token is not a number.
static int32_t index_of(const char *token)
{
    int32_t index = 0;
    const size_t length = strlen(token);
    for (size_t i = 0; i < length; ++i) {
        if (token[i] < '0' || token[i] > '9' || length > 9) {
            return -1;
        }
        index = index * 10 + (token[i] - '0');
    }
    return length > 0 ? index : -1;
}

static const char *text_of(const coif_json *element, const char *key)
{
    const coif_json *text = coif_json_find(element, key);
    return text != NULL && text->kind == COIF_JSON_STRING ? text->text : NULL;
}

static void add_missing_element(const coif_json *array, const char *token, const char *path,
                                const scene_override *set)
{
    const char **names = coif_arena_new(set->arena, array->child_count + 1, const char *);
    size_t count = 0;
    for (const coif_json *element = array->child; element != NULL; element = element->next) {
        const char *name = text_of(element, "name");
        name = name != NULL ? name : text_of(element, "plugin");
        if (name != NULL) {
            names[count++] = name;
        }
    }
    coif_strbuf known;
    coif_strbuf_init(&known, set->arena);
    coif_strbuf_add_names(&known, names, count, 20);
    coif_diagnostics_add(set->diagnostics, set->location, "%s has no entry %s (it has %d%s%s)",
                         path, token, array->child_count, count > 0 ? ": " : "", known.data);
}

// Finds an element by index, by "name", or by "plugin" where only one element has that plugin.
static coif_json *find_element(coif_json *array, const char *token, const char *path,
                               const scene_override *set)
{
    const int32_t index = index_of(token);
    coif_json *by_plugin = NULL;
    int32_t at = 0, matches = 0;
    for (coif_json *element = array->child; element != NULL; element = element->next, ++at) {
        const char *name = text_of(element, "name"), *plugin = text_of(element, "plugin");
        if (index >= 0 ? at == index : name != NULL && strcmp(name, token) == 0) {
            return element;
        }
        if (index < 0 && plugin != NULL && strcmp(plugin, token) == 0) {
            by_plugin = element;
            ++matches;
        }
    }
    if (matches > 1) {
        coif_diagnostics_add(set->diagnostics, set->location,
                             "%s has %d entries %s; select one by index (from 0) or by \"name\"",
                             path, matches, token);
        return NULL;
    }
    if (by_plugin == NULL) {
        add_missing_element(array, token, path, set);
    }
    return by_plugin;
}

// Child of value for one path token; path is the path so far, for messages.
static coif_json *descend(coif_json *value, const char *token, const char *path,
                          const scene_override *set)
{
    if (value->kind == COIF_JSON_ARRAY) {
        return find_element(value, token, path, set);
    }
    if (value->kind != COIF_JSON_OBJECT) {
        coif_diagnostics_add(set->diagnostics, set->location, "%s is %s and has no members", path,
                             coif_json_kind_name(value));
        return NULL;
    }
    for (coif_json *member = value->child; member != NULL; member = member->next) {
        if (strcmp(member->key, token) == 0) {
            return member;
        }
    }
    if (index_of(token) >= 0) {
        coif_diagnostics_add(set->diagnostics, set->location, "%s has no entry %s", path, token);
        return NULL;
    }
    return add_member(value, token, set);
}

static void assign(coif_json *target, const char *text, const scene_override *set)
{
    coif_json *value = NULL;
    const char *key = target->key;
    coif_json *next = target->next;
    if (coif_json_parse(&value, "", text, strlen(text), set->arena, NULL) == COIF_OK) {
        *target = *value;
    } else {
        *target = (coif_json){.kind = COIF_JSON_STRING, .text = text};
    }
    target->key = key;
    target->next = next;
    set_origin(target, set->argument);
}

coif_status coif_scene_override(coif_json *root, const char *set, coif_diagnostics *diagnostics,
                                coif_error *error)
{
    coif_arena *arena = diagnostics->arena;
    const char *equals = strchr(set, '=');
    char *path = coif_arena_copy_text(arena, set);
    path[equals != NULL ? equals - set : 0] = '\0';
    path += path[0] == '/';
    if (path[0] == '\0') {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--set %s: expected PATH=VALUE", set);
    }
    const coif_json_path location = {.key = coif_arena_print(arena, "--set %s", set)};
    const scene_override override = {set, &location, diagnostics, arena};
    coif_strbuf parsed;
    coif_strbuf_init(&parsed, arena);
    coif_json *target = root, *extended = NULL;
    for (char *token = path; target != NULL && token != NULL;) {
        char *slash = strchr(token, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        coif_json *from = target;
        const int32_t members = from->child_count;
        target = descend(from, token, parsed.size > 0 ? parsed.data : "the scene", &override);
        if (extended == NULL && from->child_count > members) {
            extended = from;
        }
        coif_strbuf_print(&parsed, "%s%s", parsed.size > 0 ? "/" : "", token);
        token = slash != NULL ? slash + 1 : NULL;
    }
    if (target != NULL) {
        assign(target, equals + 1, &override);
    } else if (extended != NULL) {
        remove_last(extended); // a partial path would only cause further errors
    }
    return COIF_OK;
}
