// Validation of a JSON document against the section tree; builds the node tree. Used by scene.c
// only.
#ifndef COIF_CORE_SCENE_SCENE_VALIDATE_H
#define COIF_CORE_SCENE_SCENE_VALIDATE_H

#include "core/scene/diagnostics.h"
#include "core/scene/scene.h"

typedef struct coif_scene_validate {
    const coif_section *tree;
    const coif_plugin_lookup *plugins;
    const char *folder;
    coif_diagnostics *diagnostics;
    coif_arena *arena;
} coif_scene_validate;

// Builds the nodes of a document; the tree is complete even when there are errors.
coif_node *coif_scene_validate_tree(const coif_scene_validate *check, const coif_json *json);

// Appends an entry that the file does not have to an array without sections of its own; location is
// that of the value it comes from, with the JSON of the entry.
void coif_scene_validate_append(const coif_scene_validate *check, coif_node *list,
                                const coif_json_path *location);

// Validation across nodes: unique names, references, map names.
void coif_scene_validate_references(const coif_scene_validate *check, const coif_node *root);

// Applies one PATH=VALUE to the document. COIF_ERR_ARGUMENT for another syntax; a path that does
// not exist is added to the diagnostics.
coif_status coif_scene_override(coif_json *root, const char *set, coif_diagnostics *diagnostics,
                                coif_error *error);

#endif
