// preset: a hairstyle in a small JSON file that applies to any head.
//
//   {"coif_preset": 1, "help": "...", "reference": {"min": [x, y, z], "max": [x, y, z]},
//    "grooms": [...], "sim": {...}}
//
// Grooms are entries of a scene's "grooms" without body and group. Their positions belong to the
// head the preset was saved from, whose growth group has the bounding box reference. On another
// head positions are mapped from box to box, axis by axis, and lengths are scaled by the geometric
// mean of the three ratios. Type and unit of a parameter tell them apart: a vector or a polyline in
// metres is a position (an extent if its name ends with _size), a number in metres a length, or a
// coordinate if its name ends with _x, _y or _z.
#ifndef COIF_TOOLS_PRESET_PRESET_H
#define COIF_TOOLS_PRESET_PRESET_H

#include "core/base/bounds.h"
#include "core/json/json.h"
#include "core/mesh/mesh.h"
#include "core/scene/scene.h"

// Names of the presets in a folder, without extension, ascending.
coif_status coif_preset_names(const char ***names, size_t *count, const char *folder,
                              coif_arena *arena, coif_error *error);

// Bounding box of the triangles of a group; NULL or "": of the whole mesh.
coif_bounds coif_group_bounds(const coif_mesh *mesh, const char *group);

typedef struct coif_preset {
    const char *path, *source; // source: text of the file
    const coif_json *root;
    const char *help;
    coif_bounds reference;
} coif_preset;

coif_status coif_preset_load(coif_preset *preset, const char *path, coif_arena *arena,
                             coif_error *error);

// The same from text, which must outlive the preset; path is for messages.
coif_status coif_preset_parse(coif_preset *preset, const char *path, const char *source,
                              size_t size, coif_arena *arena, coif_error *error);

// The head a preset is applied to.
typedef struct coif_preset_head {
    const char *body, *group; // names in the scene
    const char *mesh;         // path in the scene
    float scale;              // metres per unit of the mesh
    coif_bounds growth;       // bounding box of the group, m
    const char *body_members; // more members of the body, as ", \"key\": value", or NULL
} coif_preset_head;

// The grooms of the hairstyle on the head, as JSON objects separated by commas, in arena. Mesh and
// scale of the head are not read.
coif_status coif_preset_grooms(char **text, const coif_preset *preset, const coif_preset_head *head,
                               const coif_plugin_lookup *plugins, coif_arena *arena,
                               coif_error *error);

// A scene of the head with the hairstyle, a camera and lights, as JSON text in arena.
coif_status coif_preset_scene(char **text, const coif_preset *preset, const coif_preset_head *head,
                              const coif_plugin_lookup *plugins, coif_arena *arena,
                              coif_error *error);

// A preset of the grooms of a scene that grow on a body's group, as JSON text in arena. Images over
// texture coordinates and strand files belong to one mesh and are errors.
coif_status coif_preset_of_scene(char **text, const coif_scene *scene, const char *body,
                                 const char *group, const coif_mesh *mesh, coif_arena *arena,
                                 coif_error *error);

#endif
