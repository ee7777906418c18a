// project: what the start page offers: folders, templates, and new scenes made from them.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PROJECT_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_PROJECT_H

#include "core/scene/scene.h"
#include "tools/studio/server/document/recent_scenes.h"

typedef struct coif_project {
    const char *folder; // for new scenes unless another one is chosen
    const char *scenes; // folder of the shipped scenes and presets, or NULL
    const char *recent; // see recent_scenes.h; NULL: not kept
    const char *mesh;   // to begin a new scene with, or NULL
    const char *name;   // of the new scene, or NULL
    const coif_section *tree;
    coif_plugin_lookup plugins;
} coif_project;

typedef enum coif_template_kind { COIF_TEMPLATE_SCENE, COIF_TEMPLATE_PRESET } coif_template_kind;

typedef struct coif_template {
    coif_template_kind kind;
    const char *name, *help;
    const char *picture; // path of a JPEG file, or NULL
} coif_template;

// The shipped scenes and then the presets, by name. Files that cannot be read are left out.
void coif_project_templates(coif_template **templates, int32_t *count, const coif_project *project,
                            coif_arena *arena);

// The template of a kind and name.
coif_status coif_project_find_template(coif_template *found, const coif_project *project,
                                       coif_template_kind kind, const char *name, coif_arena *arena,
                                       coif_error *error);

// Whether a name has no folders and no leading dot.
bool coif_project_is_file_name(const char *name);

// Path of a file of a project: its name without folders, in an existing folder, relative to the
// default one. An existing file is an error and sets *exists unless overwrite is set.
typedef struct coif_project_target {
    const char *folder; // NULL or "": the default one
    const char *name;
    const char *extension; // appended where the name has another one
    bool overwrite;
} coif_project_target;
coif_status coif_project_path(const char **path, bool *exists, const coif_project *project,
                              const coif_project_target *target, coif_arena *arena,
                              coif_error *error);

// Scene text of a template for a scene file. Meshes and other files stay where they are and get
// absolute paths; images of scalp maps, which are painted, are copied beside the scene.
coif_status coif_project_instantiate(char **text, const coif_project *project,
                                     const coif_template *from, const char *path, coif_arena *arena,
                                     coif_error *error);

#endif
