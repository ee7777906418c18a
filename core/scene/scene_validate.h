// scene_check: a document against the tree of sections; what comes out is the tree of nodes.
//
// Used by the scene loader only.
#ifndef COIF_CORE_SCENE_SCENE_VALIDATE_H
#define COIF_CORE_SCENE_SCENE_VALIDATE_H

#include "core/scene/diagnostics.h"
#include "core/scene/scene.h"

typedef struct coif_scene_validate {
    const coif_section *tree;
    const coif_plugin_lookup *plugins;
    const char *folder;
    coif_diagnostics *mistakes;
    coif_arena *arena;
} coif_scene_validate;

// The nodes of a document. They are whole even when there are mistakes.
coif_node *coif_scene_validate_tree(const coif_scene_validate *check, const coif_json *json);

// What concerns more than one node: names that must be unique, references, names of maps.
void coif_scene_validate_references(const coif_scene_validate *check, const coif_node *root);

// Puts one "path=value" into the document. COIF_ERR_ARGUMENT when it is not of that form; what the
// document has no place for goes to the mistakes.
coif_status coif_scene_override(coif_json *root, const char *set, coif_diagnostics *mistakes,
                                coif_error *error);

#endif
