// --set path=value: puts a value into a document before it is checked, so that a --set is checked
// like what a file says.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/scene/scene_validate.h"

#include <string.h>

typedef struct setting {
    const char *argument; // all of it
    const coif_json_path *where;
    coif_diagnostics *mistakes;
    coif_arena *arena;
} setting;

// Everything that comes from a --set says so.
static void stamp(coif_json *value, const char *origin)
{
    value->origin = origin;
    for (coif_json *child = value->child; child != NULL; child = child->next) {
        stamp(child, origin);
    }
}

static coif_json *add_member(coif_json *object, const char *key, const setting *set)
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

// -1 when the word is not a plain number.
static int32_t index_of(const char *word)
{
    int32_t index = 0;
    const size_t length = strlen(word);
    for (size_t i = 0; i < length; ++i) {
        if (word[i] < '0' || word[i] > '9' || length > 9) {
            return -1;
        }
        index = index * 10 + (word[i] - '0');
    }
    return length > 0 ? index : -1;
}

static const char *text_of(const coif_json *element, const char *key)
{
    const coif_json *text = coif_json_find(element, key);
    return text != NULL && text->kind == COIF_JSON_STRING ? text->text : NULL;
}

static void mistake_element(const coif_json *array, const char *word, const char *path,
                            const setting *set)
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
    coif_diagnostics_add(set->mistakes, set->where, "%s has no entry %s (it has %d%s%s)", path,
                         word, array->child_count, count > 0 ? ": " : "", known.data);
}

// A word of digits is a place in the array, any other the "name" of an element, or its "plugin"
// where only one has that.
static coif_json *find_element(coif_json *array, const char *word, const char *path,
                               const setting *set)
{
    const int32_t index = index_of(word);
    coif_json *by_plugin = NULL;
    int32_t at = 0, alike = 0;
    for (coif_json *element = array->child; element != NULL; element = element->next, ++at) {
        const char *name = text_of(element, "name"), *plugin = text_of(element, "plugin");
        if (index >= 0 ? at == index : name != NULL && strcmp(name, word) == 0) {
            return element;
        }
        if (index < 0 && plugin != NULL && strcmp(plugin, word) == 0) {
            by_plugin = element;
            ++alike;
        }
    }
    if (alike > 1) {
        coif_diagnostics_add(
            set->mistakes, set->where,
            "%s has %d entries %s; say which by its number, from 0, or by a \"name\"", path, alike,
            word);
        return NULL;
    }
    if (by_plugin == NULL) {
        mistake_element(array, word, path, set);
    }
    return by_plugin;
}

// One step down from value along word; path is the way so far, for messages.
static coif_json *step_down(coif_json *value, const char *word, const char *path,
                            const setting *set)
{
    if (value->kind == COIF_JSON_ARRAY) {
        return find_element(value, word, path, set);
    }
    if (value->kind != COIF_JSON_OBJECT) {
        coif_diagnostics_add(set->mistakes, set->where, "%s is %s and has nothing inside", path,
                             coif_json_kind_name(value));
        return NULL;
    }
    for (coif_json *member = value->child; member != NULL; member = member->next) {
        if (strcmp(member->key, word) == 0) {
            return member;
        }
    }
    if (index_of(word) >= 0) {
        coif_diagnostics_add(set->mistakes, set->where, "%s has no entry %s", path, word);
        return NULL;
    }
    return add_member(value, word, set);
}

static void put(coif_json *place, const char *text, const setting *set)
{
    coif_json *value = NULL;
    const char *key = place->key;
    coif_json *next = place->next;
    if (coif_json_parse(&value, "", text, strlen(text), set->arena, NULL) == COIF_OK) {
        *place = *value;
    } else {
        *place = (coif_json){.kind = COIF_JSON_STRING, .text = text};
    }
    place->key = key;
    place->next = next;
    stamp(place, set->argument);
}

coif_status coif_scene_override(coif_json *root, const char *set, coif_diagnostics *mistakes,
                                coif_error *error)
{
    coif_arena *arena = mistakes->arena;
    const char *equals = strchr(set, '=');
    char *path = coif_arena_copy_text(arena, set);
    path[equals != NULL ? equals - set : 0] = '\0';
    path += path[0] == '/';
    if (path[0] == '\0') {
        return coif_fail(error, COIF_ERR_ARGUMENT, "--set %s: wanted PATH=VALUE", set);
    }
    const coif_json_path where = {.key = coif_arena_print(arena, "--set %s", set)};
    const setting how = {set, &where, mistakes, arena};
    coif_strbuf done;
    coif_strbuf_init(&done, arena);
    coif_json *place = root, *grown = NULL;
    for (char *word = path; place != NULL && word != NULL;) {
        char *slash = strchr(word, '/');
        if (slash != NULL) {
            *slash = '\0';
        }
        coif_json *from = place;
        const int32_t members = from->child_count;
        place = step_down(from, word, done.size > 0 ? done.data : "the scene", &how);
        if (grown == NULL && from->child_count > members) {
            grown = from;
        }
        coif_strbuf_print(&done, "%s%s", done.size > 0 ? "/" : "", word);
        word = slash != NULL ? slash + 1 : NULL;
    }
    if (place != NULL) {
        put(place, equals + 1, &how);
    } else if (grown != NULL) {
        remove_last(grown); // half a way to nowhere would only cause more mistakes
    }
    return COIF_OK;
}
