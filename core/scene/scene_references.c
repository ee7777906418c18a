// Names that tie nodes together: unique ones, references to entries elsewhere, maps.
#include "core/base/arena.h"
#include "core/base/string_table.h"
#include "core/scene/scene_validate.h"

#include <string.h>

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

// Of a list that is no array in the file nobody can say which names are missing.
static bool is_readable(const coif_node *list)
{
    return list->source == NULL || list->source->kind == COIF_JSON_ARRAY;
}

// Names end up in the names of files and in the paths of --set.
static void check_letters(const coif_scene_validate *check, const char *text,
                          const coif_json_path *where)
{
    bool good = text[0] != '.';
    for (const char *at = text; *at != '\0'; ++at) {
        good = good && (unsigned char)*at >= 0x20 && strchr("/\\:\x7f", *at) == NULL;
    }
    if (!good) {
        coif_diagnostics_add(
            check->mistakes, where,
            "%s is no name: it may not begin with a dot nor contain / \\ : or control "
            "characters",
            coif_json_describe(where->json, check->arena));
    }
}

static void check_unique(const coif_scene_validate *check, const coif_node *list)
{
    const char *row = list->section->unique;
    coif_string_table names = {0};
    int32_t *owner = coif_arena_new(check->arena, list->child_count, int32_t); // by number of name
    for (int32_t i = 0; row != NULL && i < list->child_count; ++i) {
        const coif_node *node = &list->children[i];
        const char *text = text_of(node, row);
        if (text == NULL) {
            continue;
        }
        const coif_json_path up = {.key = node->path};
        const coif_json_path at = {
            .up = &up, .key = row, .json = coif_values_find(&node->values, row)->source};
        check_letters(check, text, &at);
        const int32_t count = names.count;
        const int32_t number = coif_string_table_intern(&names, text, strlen(text), check->arena);
        if (number == count) {
            owner[number] = i;
        } else {
            const bool full = coif_diagnostics_full(check->mistakes);
            coif_diagnostics_add(check->mistakes, &at, "%s is already the %s of %s",
                                 full ? "" : coif_json_describe(at.json, check->arena), row,
                                 list->children[owner[number]].path);
        }
    }
}

static bool has_name(const coif_node *list, const char *wanted)
{
    for (int32_t i = 0; list != NULL && i < list->child_count; ++i) {
        const char *name = text_of(&list->children[i], "name");
        if (name != NULL && strcmp(name, wanted) == 0) {
            return true;
        }
    }
    return false;
}

// The string at a place must be the "name" of an element of list; NULL is a list of none.
static void check_name(const coif_scene_validate *check, const coif_json_path *where,
                       const char *what, const coif_node *list)
{
    const int32_t total = list != NULL ? list->child_count : 0;
    if (has_name(list, where->json->text) || (list != NULL && !is_readable(list))) {
        return;
    }
    size_t count = 0;
    const bool full = coif_diagnostics_full(check->mistakes);
    const char **names = coif_arena_new(check->arena, full ? 0 : total, const char *);
    for (int32_t i = 0; i < total && !full; ++i) {
        names[count] = text_of(&list->children[i], "name");
        count += names[count] != NULL;
    }
    coif_diagnostics_add_unknown_name(check->mistakes, where, what, names, count);
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
            if (reference->section != NULL) {
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

// What holds for all grooms names a map that one of them has; the others are as if it were white.
// False when there is no groom.
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

// A map is looked for in the nearest "maps" on the way up; where there is none, in those of grooms.
static void check_maps(const coif_scene_validate *check, const coif_node *node,
                       const coif_values *values, const coif_node *root)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        if (values->values[i].map == NULL) {
            continue;
        }
        const coif_node *list = NULL;
        for (const coif_node *up = node; up != NULL && list == NULL; up = up->parent) {
            list = child_list(up, "maps");
        }
        const coif_json_path top = {.key = node->path};
        const coif_json_path up = {.up = &top, .key = coif_values_param(values, i)->name};
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
