// Scene files, validated against the parameter tables of all modules.
//
// A section is a part of the file with its own parameter table: an object, an array of objects, or
// an array of plugin instances. Each module defines its sections; the program combines them into
// one tree, so that no struct contains all settings. Validation, --set, `coif schema` and the
// reference pages use the same tree. An unknown key is an error with its JSON path and, if
// possible, a "did you mean". All errors of a file are reported together.
//
// In addition to the tables, every object may have a "comment" (a string, ignored), and the root
// may have "$schema" (a string, ignored) and "coif", the format version. A given path must exist
// unless it contains # or <UDIM>; output paths are therefore STRING parameters.
#ifndef COIF_CORE_SCENE_SCENE_H
#define COIF_CORE_SCENE_SCENE_H

#include "core/json/json.h"
#include "core/scene/params.h"

typedef enum coif_section_form {
    COIF_SECTION_OBJECT, // "camera": {...}; an absent one has every default
    COIF_SECTION_ARRAY   // "bodies": [{...}, {...}]
} coif_section_form;

// Format version that this build reads; a scene with a higher one is rejected.
#define COIF_SCENE_FORMAT 1

// A parameter whose text must be the "name" of an entry of a root array ("bodies"). Each word of a
// COIF_PARAM_WORDS parameter must be the name or a tag of an entry.
typedef struct coif_reference {
    const char *row;
    const char *section; // NULL: of an earlier entry of its own array
} coif_reference;

// Parameters that have an effect only while a choice of the same section has one of some values, or
// while one of some texts and numbers of the section is set.
typedef struct coif_applies_to {
    const char *params; // names, separated by spaces
    const char *choice; // name of the choice, or several names with values ""
    const char
        *values; // separated by spaces; "": a text that must be set, or a number that must not be 0
} coif_applies_to;

// Values that take the place of the defaults of a section whose "preset" has this name. Keys in the
// scene take precedence.
typedef struct coif_param_preset {
    const char *name, *help;
    const char *values; // JSON object of plain values and strings; keys of no parameter are ignored
} coif_param_preset;

struct coif_node;
struct coif_scene;

typedef struct coif_section {
    const char *name; // JSON key; "" for the root
    const char *help;
    coif_section_form form;
    const coif_param *params;
    uint32_t param_count;
    const struct coif_section *const *children; // NULL-terminated, or NULL
    // COIF_KIND_...: entries name a plugin of this kind in "plugin" and accept its parameters.
    int32_t plugin_kind;
    // Names of required, non-empty parameters, NULL-terminated, or NULL.
    const char *const *required;
    // The parameter that names an entry, or NULL: unique, and valid in a file name.
    const char *unique;
    // Terminated by a NULL row, or NULL. An empty text refers to nothing and is allowed.
    const coif_reference *references;
    // A parameter has an effect where all of its rules hold; terminated by NULL params, or NULL.
    // See applies_to.h.
    const coif_applies_to *applies_to;
    // Names of the parameters that are used most, separated by spaces; interfaces show these first
    // and the others on request. NULL: all.
    const char *basic;
    // Name of a root section with the same table, or NULL. A value that is not given here is the
    // one given there; COIF_PARAM_GLOBAL parameters are an error here.
    const char *inherits;
    // Of the choice "preset", which the section must have; terminated by a NULL name, or NULL.
    const coif_param_preset *presets;
    // Validates the text of a STRING parameter, or NULL.
    coif_status (*check_text)(const char *row, const char *text, coif_error *error);
    // Completes the values of an object of a valid scene from a file that it names, or NULL. What
    // it sets lives as long as the scene.
    coif_status (*read_file)(struct coif_node *node, const struct coif_scene *scene,
                             coif_arena *arena, coif_error *error);
} coif_section;

typedef struct coif_node {
    const coif_section *section;
    const char *path;               // "/grooms/0"
    bool list;                      // an array: its children are the elements, it has no values
    bool anonymous;                 // made from a {"texture": ...} value, not an entry of the file
    const coif_json *source;        // JSON of the scene, NULL when absent
    const struct coif_node *parent; // NULL for the root
    const struct coif_node *base;   // node that values not given here come from, or NULL
    coif_values values;
    const coif_plugin *plugin; // plugin sections: owner of plugin_values
    coif_values plugin_values;
    struct coif_node *children; // OBJECT: one per child section, in order; ARRAY: one per element
    int32_t child_count;
    const struct coif_image_overrides
        *image_overrides; // root only: images used by scalp maps instead of files, or NULL
} coif_node;

// Plugin lookup, filled by the plugin host. At returns NULL past the end.
typedef struct coif_plugin_lookup {
    void *data;
    const coif_plugin *(*at)(void *data, int32_t index);
} coif_plugin_lookup;

// Interactive displacement of a body on top of its animation: metres, and degrees about x, y and z
// around its pivot.
typedef struct coif_body_drag {
    const char *body; // its name
    float translate[3], rotate[3];
} coif_body_drag;

typedef struct coif_scene {
    const char *path;   // as given
    const char *folder; // relative paths are resolved against it
    const char *source; // the file's text, before --set
    size_t source_size;
    uint64_t digest; // of the values after --set, independent of formatting
    coif_node *root;
    const coif_body_drag *drag;                         // not part of the file; NULL: none
    const struct coif_guide_overrides *guide_overrides; // edited guides used instead of files; NULL
} coif_scene;

typedef struct coif_scene_desc {
    const char *path;
    const char *const *sets; // "grooms/0/count=500", "sim/substeps=4": JSON or bare text after =
    int32_t set_count;
    const coif_section *tree;
    const coif_plugin_lookup *plugins;
    // Unsaved text of an editor, used instead of the file, or NULL; must outlive the scene.
    const char *source;
    size_t source_size;
    // Images used by scalp maps instead of files, or NULL; must outlive the scene.
    const struct coif_image_overrides *image_overrides;
    const struct coif_guide_overrides *guide_overrides; // as above, of edited guides
} coif_scene_desc;

// COIF_ERR_SCENE with one line per error: "bob.json: /grooms/0/count: -1 is below 0". A --set names
// array elements by index or by "name" and may create missing members.
coif_status coif_scene_load(coif_scene *scene, const coif_scene_desc *desc, coif_arena *arena,
                            coif_error *error);

// Child object or array of that name, which must exist in the section tree.
const coif_node *coif_node_at(const coif_node *node, const char *name);

// The same, NULL when the section tree has none.
const coif_node *coif_node_find(const coif_node *node, const char *name);

// The node that gives the value of a parameter: the node itself, or the one it inherits from.
const coif_node *coif_node_giving(const coif_node *node, uint32_t row);

// The preset of that name, NULL when the section has none.
const coif_param_preset *coif_section_preset(const coif_section *section, const char *name);

// Whether one of the words, separated by spaces, is the name or one of the tags of a groom. Without
// any word every groom is addressed; words may be NULL.
bool coif_node_is_addressed(const coif_node *groom, const char *words);

// Frames per second of the section "sim", 24 where the tree has none.
double coif_scene_fps(const coif_scene *scene);

// Evaluates the parameters of the node at a frame.
void coif_node_read(const coif_node *node, double frame, void *params);

// Digest of a value, the same for a default and for an equal value that is given. Paths count as
// written.
uint64_t coif_value_digest(uint64_t digest, const coif_param *row, const coif_value *value);

// Digest of the values of a node and its descendants, except sections of those names at any depth
// (NULL-terminated, or NULL); tells whether an output is out of date. Paths count as written,
// plugins with their version; defaults count like given values.
uint64_t coif_node_digest(const coif_node *node, const char *const *except);

// Digest of an entry of "grooms" without its "hair" material, simulation parameters and
// constraints: the inputs of groom generation.
uint64_t coif_groom_settings_digest(const coif_node *groom);

// Whether any of these values is keyed, so that the rest hair depends on the frame.
bool coif_groom_is_animated(const coif_node *groom);

// Whether any value of a node or of those below it changes over time.
bool coif_node_is_animated(const coif_node *node);

// JSON Schema (draft 2020-12) of the tree with all plugin parameters, as text in arena.
char *coif_scene_schema(const coif_section *tree, const coif_plugin_lookup *plugins,
                        coif_arena *arena);

#endif
