// scene: a scene file, checked against the tables of every room.
//
// A section is a place in the file with a table of its own: an object, an array of objects, or an
// array of plugin instances. Each room states its sections; the program puts them together into one
// tree, so that no struct knows all settings. The same tree gives checking, --set, `coif schema`
// and the reference pages. A key that no table claims is an error with its JSON path and, when one
// is close, a "did you mean". All mistakes of a file are reported in one go.
//
// Beside what the tables say, every object may have a "comment" (a string, ignored), and the root
// may have "$schema" (a string, ignored) and "coif", the number of the format. A path that is given
// must exist, unless it has a # or <UDIM> in it; so what a scene names for writing is a STRING row.
#ifndef COIF_CORE_SCENE_SCENE_H
#define COIF_CORE_SCENE_SCENE_H

#include "core/json/json.h"
#include "core/scene/params.h"

typedef enum coif_section_form {
    COIF_SECTION_OBJECT, // "camera": {...}; an absent one has every default
    COIF_SECTION_ARRAY   // "bodies": [{...}, {...}]
} coif_section_form;

// The format this build reads; a scene that says it needs a higher one is refused.
#define COIF_SCENE_FORMAT 1

// A row whose text must be the "name" of an entry of an array of the root ("bodies").
typedef struct coif_reference {
    const char *row;
    const char *section; // NULL: of the entries before it in its own array
} coif_reference;

typedef struct coif_section {
    const char *name; // JSON key; "" for the root
    const char *help;
    coif_section_form form;
    const coif_param *params;
    uint32_t param_count;
    const struct coif_section *const *children; // NULL-terminated, or NULL
    // COIF_KIND_...: entries name a plugin of this kind in "plugin", and its rows apply as well.
    int32_t plugin_kind;
    // Rows that must be given and not be empty, NULL-terminated names, or NULL.
    const char *const *required;
    // The row that names an entry, or NULL: no two may be equal, and they must be fit for the name
    // of a file.
    const char *unique;
    // Ends with a row of NULL, or NULL. An empty text refers to nothing and is allowed.
    const coif_reference *references;
    // What the room itself has to say about the text of a STRING row, or NULL.
    coif_status (*check_text)(const char *row, const char *text, coif_error *error);
} coif_section;

typedef struct coif_node {
    const coif_section *section;
    const char *path;        // "/grooms/0"
    bool list;               // an array as a whole: its children are the elements, it has no values
    const coif_json *source; // what the scene says, NULL when it does not mention it
    const struct coif_node *parent; // NULL for the root
    coif_values values;
    const coif_plugin *plugin; // plugin sections: whose rows plugin_values holds
    coif_values plugin_values;
    struct coif_node *children; // OBJECT: one per child section, in order; ARRAY: one per element
    int32_t child_count;
    const struct coif_image_overrides
        *image_overrides; // of the root only: those that scalp maps see, or NULL
} coif_node;

// Where plugin ids are looked up; the plugin host fills it. At returns NULL past the end.
typedef struct coif_plugin_lookup {
    void *data;
    const coif_plugin *(*at)(void *data, int32_t index);
} coif_plugin_lookup;

// Somebody holds a body, on top of what the scene says of it: metres, and degrees about x, y and z
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
    uint64_t digest; // of the values after --set: equal scenes are equal whatever their white space
    coif_node *root;
    const coif_body_drag *drag; // no part of the file; NULL: nobody holds anything
} coif_scene;

typedef struct coif_scene_desc {
    const char *path;
    const char *const *sets; // "grooms/0/count=500", "sim/substeps=4": JSON or bare text after =
    int32_t set_count;
    const coif_section *tree;
    const coif_plugin_lookup *plugins;
    // Text to take instead of the file's (an editor's, not saved yet), or NULL; must live as long
    // as the scene.
    const char *source;
    size_t source_size;
    // Pictures that stand for files of scalp maps, or NULL; must live as long as the scene.
    const struct coif_image_overrides *image_overrides;
} coif_scene_desc;

// Status COIF_ERR_SCENE with one line per mistake: "bob.json: /groom/0/count: -1 is below 0". A
// --set names array elements by number or by their "name" and may create members that are missing.
coif_status coif_scene_load(coif_scene *scene, const coif_scene_desc *desc, coif_arena *arena,
                            coif_error *error);

// The child object or array of that name; must exist in the tree.
const coif_node *coif_node_at(const coif_node *node, const char *name);

// Fills params (of the node's own table) as they are at a frame.
void coif_node_read(const coif_node *node, double frame, void *params);

// Digest of everything a node and what lies below it says, except sections of those names at any
// depth (NULL-terminated, or NULL): "has what this product was made from changed?" Paths count as
// they are written, plugins with their version; defaults count like values that are given.
uint64_t coif_node_digest(const coif_node *node, const char *const *except);

// Digest of what an entry of "grooms" says, its look apart: a groom file was grown from this.
uint64_t coif_groom_settings_digest(const coif_node *groom);

// Whether anything of that has keys: then hair at rest is another one at other frames.
bool coif_groom_is_animated(const coif_node *groom);

// JSON Schema (draft 2020-12) of the tree, as text in arena; every plugin's rows are in it.
char *coif_scene_schema(const coif_section *tree, const coif_plugin_lookup *plugins,
                        coif_arena *arena);

#endif
