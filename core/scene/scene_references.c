// Validation across nodes: unique names, references to other entries, map names.
#include "core/base/arena.h"
#include "core/base/string_table.h"
#include "core/scene/applies_to.h"
#include "core/scene/scene_validate.h"

#include <string.h>

enum { WORD_SIZE = 256 };

static const char *text_of(const coif_node *node, const char *row)
{
    const coif_value *value = coif_values_find(&node->values, row);
    return value != NULL && value->given && value->text[0] != '\0' ? value->text : NULL;
}

static const coif_node *child_list(const coif_node *node, const char *name)
{
    for (int32_t i = 0; i < node->child_count && !node->list; ++i) {
        const coif_node *child = &node->children[i];
        if (child->list && strcmp(child->section->name, name) == 0) {
            return child;
        }
    }
    return NULL;
}

// References into a list that is not an array in the file are not reported.
static bool is_readable(const coif_node *list)
{
    return list->source == NULL || list->source->kind == COIF_JSON_ARRAY;
}

// Names are used in file names and in --set paths.
static void check_characters(const coif_scene_validate *check, const char *text,
                             const coif_json_path *location)
{
    bool valid = text[0] != '.';
    for (const char *at = text; *at != '\0'; ++at) {
        valid = valid && (unsigned char)*at >= 0x20 && strchr("/\\:\x7f", *at) == NULL;
    }
    if (!valid) {
        coif_diagnostics_add(
            check->diagnostics, location,
            "%s is not a valid name: it must not begin with a dot or contain / \\ : or control "
            "characters",
            coif_json_describe(location->json, check->arena));
    }
}

static void check_unique(const coif_scene_validate *check, const coif_node *list)
{
    const char *row = list->section->unique;
    coif_string_table names = {0};
    int32_t *owner = coif_arena_new(check->arena, list->child_count, int32_t); // by name index
    for (int32_t i = 0; row != NULL && i < list->child_count; ++i) {
        const coif_node *node = &list->children[i];
        const char *text = text_of(node, row);
        if (text == NULL || node->anonymous) {
            continue;
        }
        const coif_json_path up = {.key = node->path};
        const coif_json_path at = {
            .up = &up, .key = row, .json = coif_values_find(&node->values, row)->source};
        check_characters(check, text, &at);
        const int32_t count = names.count;
        const int32_t number = coif_string_table_intern(&names, text, strlen(text), check->arena);
        if (number == count) {
            owner[number] = i;
        } else {
            const bool full = coif_diagnostics_full(check->diagnostics);
            coif_diagnostics_add(check->diagnostics, &at, "%s is already the %s of %s",
                                 full ? "" : coif_json_describe(at.json, check->arena), row,
                                 list->children[owner[number]].path);
        }
    }
}

static bool has_name(const coif_node *list, const char *expected)
{
    for (int32_t i = 0; list != NULL && i < list->child_count; ++i) {
        const char *name = text_of(&list->children[i], "name");
        if (name != NULL && strcmp(name, expected) == 0) {
            return true;
        }
    }
    return false;
}

// The string must be the "name" of an element of list; NULL is an empty list.
static void check_name(const coif_scene_validate *check, const coif_json_path *location,
                       const char *what, const coif_node *list)
{
    const int32_t total = list != NULL ? list->child_count : 0;
    if (has_name(list, location->json->text) || (list != NULL && !is_readable(list))) {
        return;
    }
    size_t count = 0;
    const bool full = coif_diagnostics_full(check->diagnostics);
    const char **names = coif_arena_new(check->arena, full ? 0 : total, const char *);
    for (int32_t i = 0; i < total && !full; ++i) {
        names[count] = text_of(&list->children[i], "name");
        count += names[count] != NULL;
    }
    coif_diagnostics_add_unknown_name(check->diagnostics, location, what, names, count);
}

bool coif_node_is_addressed(const coif_node *groom, const char *words)
{
    const char *name = text_of(groom, "name");
    const char *tags = text_of(groom, "tags");
    char word[WORD_SIZE];
    bool any = false;
    while (words != NULL && coif_next_word(&words, word, sizeof word)) {
        if ((name != NULL && strcmp(name, word) == 0) ||
            (tags != NULL && coif_has_word(tags, word))) {
            return true;
        }
        any = true;
    }
    return !any;
}

// Each word must be the name or a tag of an element of list.
static void check_words(const coif_scene_validate *check, const coif_json_path *location,
                        const char *words, const char *what, const coif_node *list)
{
    const int32_t total = list != NULL ? list->child_count : 0;
    const char **names = coif_arena_new(check->arena, total, const char *);
    size_t count = 0;
    for (int32_t i = 0; i < total; ++i) {
        names[count] = text_of(&list->children[i], "name");
        count += names[count] != NULL;
    }
    char word[WORD_SIZE];
    while (coif_next_word(&words, word, sizeof word)) {
        bool found = list != NULL && !is_readable(list);
        for (int32_t i = 0; i < total; ++i) {
            found = found || coif_node_is_addressed(&list->children[i], word);
        }
        if (!found) {
            const coif_json text = {.kind = COIF_JSON_STRING,
                                    .text = coif_arena_copy_text(check->arena, word),
                                    .origin = location->json->origin};
            const coif_json_path at = {.up = location->up, .key = location->key, .json = &text};
            coif_diagnostics_add_unknown_name(check->diagnostics, &at, what, names, count);
        }
    }
}

static bool is_list_of_words(const coif_values *values, const char *row)
{
    const coif_value *value = coif_values_find(values, row);
    return (values->rows[value - values->values].flags & COIF_PARAM_WORDS) != 0;
}

static void check_references(const coif_scene_validate *check, const coif_node *node,
                             const coif_node *root)
{
    const coif_reference *reference = node->section->references;
    for (; reference != NULL && reference->row != NULL; ++reference) {
        if (text_of(node, reference->row) != NULL) {
            const coif_json_path up = {.key = node->path};
            const coif_json_path at = {.up = &up,
                                       .key = reference->row,
                                       .json =
                                           coif_values_find(&node->values, reference->row)->source};
            if (is_list_of_words(&node->values, reference->row)) {
                check_words(check, &at, text_of(node, reference->row),
                            coif_arena_print(check->arena, "the name or a tag of one of the %s",
                                             reference->section),
                            child_list(root, reference->section));
            } else if (reference->section != NULL) {
                const char *what =
                    coif_arena_print(check->arena, "the name of one of the %s", reference->section);
                check_name(check, &at, what, child_list(root, reference->section));
            } else {
                coif_node before = *node->parent;
                before.child_count = (int32_t)(node - before.children);
                check_name(check, &at, "the name of an entry before this one", &before);
            }
        }
    }
}

// A parameter of all grooms may name a map that at least one groom has; for the others it is 1.
// Returns false when there is no groom.
static bool check_in_grooms(const coif_scene_validate *check, const coif_json_path *at,
                            const coif_node *root)
{
    const coif_node *grooms = child_list(root, "grooms");
    const int32_t count = grooms != NULL ? grooms->child_count : 0;
    for (int32_t i = 0; i < count; ++i) {
        if (has_name(child_list(&grooms->children[i], "maps"), at->json->text)) {
            return true;
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        const coif_node *groom = &grooms->children[i];
        check_name(check, at,
                   coif_arena_print(check->arena, "the name of a map of %s", groom->path),
                   child_list(groom, "maps"));
    }
    return count > 0;
}

// A map is searched in the nearest enclosing "maps", else in the maps of the grooms. Inherited
// values are checked where they are given; the map of a texture has been added.
static void check_maps(const coif_scene_validate *check, const coif_node *node,
                       const coif_values *values, const coif_node *root)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        if (values->values[i].map == NULL || !values->values[i].given ||
            coif_json_find(values->values[i].source, "map") == NULL) {
            continue;
        }
        const coif_node *list = NULL;
        for (const coif_node *up = node; up != NULL && list == NULL; up = up->parent) {
            list = child_list(up, "maps");
        }
        const coif_json_path top = {.key = node->path};
        const coif_json_path up = {.up = &top, .key = values->rows[i].name};
        const coif_json_path at = {
            .up = &up, .key = "map", .json = coif_json_find(values->values[i].source, "map")};
        if (list != NULL || !check_in_grooms(check, &at, root)) {
            check_name(check, &at, "the name of a map", list);
        }
    }
}

static void check_node(const coif_scene_validate *check, const coif_node *node,
                       const coif_node *root)
{
    if (node->list) {
        check_unique(check, node);
    } else {
        check_references(check, node, root);
        check_maps(check, node, &node->values, root);
        check_maps(check, node, &node->plugin_values, root);
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        check_node(check, &node->children[i], root);
    }
}

void coif_scene_validate_references(const coif_scene_validate *check, const coif_node *root)
{
    check_node(check, root, root);
}
