// Names that tie nodes together: unique ones, references to entries elsewhere, maps.
#include "core/arena.h"
#include "core/scene_check.h"

#include <string.h>

static const char *text_of(const coif_node *node, const char *row)
{
    const coif_value *value = coif_values_find(&node->values, row);
    return value != NULL && value->given && value->text[0] != '\0' ? value->text : NULL;
}

// Texts of a row over all elements of a list.
static size_t list_names(const char ***names, const coif_node *list, coif_arena *arena)
{
    size_t count = 0;
    *names = coif_arena_new(arena, list->child_count + 1, const char *);
    for (int32_t i = 0; i < list->child_count; ++i) {
        const char *name = text_of(&list->children[i], "name");
        if (name != NULL) {
            (*names)[count++] = name;
        }
    }
    return count;
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

// Of a list that is no array in the file nobody can say which names are missing.
static bool is_readable(const coif_node *list)
{
    return list->source == NULL || list->source->kind == COIF_JSON_ARRAY;
}

static void check_unique(const coif_scene_check *check, const coif_node *list)
{
    const char *row = list->section->unique;
    for (int32_t i = 1; row != NULL && i < list->child_count; ++i) {
        const coif_node *node = &list->children[i];
        const char *text = text_of(node, row);
        for (int32_t k = 0; text != NULL && k < i; ++k) {
            const char *earlier = text_of(&list->children[k], row);
            if (earlier != NULL && strcmp(earlier, text) == 0) {
                const coif_where up = {.key = node->path};
                const coif_where at = {
                    .up = &up, .key = row, .json = coif_values_find(&node->values, row)->source};
                coif_mistake(check->mistakes, &at, "%s is already the %s of %s",
                             coif_json_describe(at.json, check->arena), row,
                             list->children[k].path);
                break;
            }
        }
    }
}

static bool contains(const char **names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; ++i) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return false;
}

static void check_references(const coif_scene_check *check, const coif_node *node,
                             const coif_node *root)
{
    const coif_reference *reference = node->section->references;
    for (; reference != NULL && reference->row != NULL; ++reference) {
        const char *text = text_of(node, reference->row);
        const coif_node *list = child_list(root, reference->section);
        if (text == NULL || list == NULL || !is_readable(list)) {
            continue;
        }
        const char **names;
        const size_t count = list_names(&names, list, check->arena);
        if (!contains(names, count, text)) {
            const coif_where up = {.key = node->path};
            const coif_where at = {.up = &up,
                                   .key = reference->row,
                                   .json = coif_values_find(&node->values, reference->row)->source};
            coif_mistake_name(
                check->mistakes, &at,
                coif_arena_print(check->arena, "the name of one of the %s", reference->section),
                names, count);
        }
    }
}

// A map is looked for in the nearest "maps" on the way up.
static void check_maps(const coif_scene_check *check, const coif_node *node,
                       const coif_values *values)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_value *value = &values->values[i];
        if (value->map == NULL) {
            continue;
        }
        const coif_node *list = NULL;
        for (const coif_node *up = node; up != NULL && list == NULL; up = up->parent) {
            list = child_list(up, "maps");
        }
        const char **names = NULL;
        const size_t count = list != NULL ? list_names(&names, list, check->arena) : 0;
        if (!contains(names, count, value->map) && (list == NULL || is_readable(list))) {
            const coif_where top = {.key = node->path};
            const coif_where up = {.up = &top, .key = coif_values_row(values, i)->name};
            const coif_where at = {
                .up = &up, .key = "map", .json = coif_json_find(value->source, "map")};
            coif_mistake_name(check->mistakes, &at, "the name of a map", names, count);
        }
    }
}

static void check_node(const coif_scene_check *check, const coif_node *node, const coif_node *root)
{
    if (node->list) {
        check_unique(check, node);
    } else {
        check_references(check, node, root);
        check_maps(check, node, &node->values);
        check_maps(check, node, &node->plugin_values);
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        check_node(check, &node->children[i], root);
    }
}

void coif_scene_check_names(const coif_scene_check *check, const coif_node *root)
{
    check_node(check, root, root);
}
