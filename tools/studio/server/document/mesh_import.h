// mesh_import: a new scene from a mesh file: what the file contains, the scalp, texture
// coordinates, and a hairstyle.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_MESH_IMPORT_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_MESH_IMPORT_H

#include "core/base/strbuf.h"
#include "core/mesh/obj.h"
#include "tools/preset/head_detect.h"
#include "tools/preset/preset.h"
#include "tools/studio/server/document/project.h"

typedef struct coif_mesh_source {
    const char *path, *object; // object of an archive, "" for its only mesh
    coif_obj obj;
    bool animated; // an archive with several samples
} coif_mesh_source;

// Polygons of an OBJ file, or of a mesh of an archive at its first sample.
coif_status coif_mesh_source_read(coif_mesh_source *source, const char *path, const char *object,
                                  coif_arena *arena, coif_error *error);

// u32 size of a JSON header, padded to 4 bytes: vertices, triangles, uvs, animated, groups,
// materials; then positions (3 floats per vertex), indices (3 per triangle), normals (3 floats per
// corner), texture coordinates (2 per corner, if uvs), group and material per triangle.
coif_status coif_mesh_source_pack(coif_strbuf *out, const coif_mesh_source *source,
                                  coif_arena *arena, coif_error *error);

typedef struct coif_name_list {
    const char **names;
    int32_t count;
} coif_name_list;

enum { COIF_MAX_IMPORT_PLANES = 8 };

typedef struct coif_mesh_import {
    const char *path, *object;
    const char *body; // its name in the scene
    const char
        *upload_folder; // a mesh in it is copied beside the scene with its materials, or NULL
    float scale;        // metres per unit
    bool z_up;          // becomes y up
    bool unwrap;        // new texture coordinates
    coif_name_list left_out[2]; // groups, materials that are no part of the body
    coif_name_list scalp[2];    // groups, materials on which hair grows
    // Hair grows where (x, y, z) . n > d for all planes (n, d), in units of the file after z_up.
    float planes[COIF_MAX_IMPORT_PLANES][4];
    int32_t plane_count;
    const char *preset; // name of a shipped preset; "": even, short hair
    bool overwrite;
} coif_mesh_import;

// What a command line does not give: faces of helpers are left out, hair grows on the group or
// material that is called scalp (or on the one given), otherwise on the largest group above a
// hairline from forehead to nape.
typedef struct coif_mesh_guess {
    coif_unit_guess unit;
    coif_bounds body;  // of the faces that stay, in units of the file
    bool has_hairline; // no group is called scalp
    int32_t helpers;   // groups that are left out
} coif_mesh_guess;

// Fills import->left_out, scalp and planes, and scale where it is 0. group: where hair grows, or
// NULL.
void coif_mesh_import_guess(coif_mesh_import *import, coif_mesh_guess *guess,
                            const coif_mesh_source *source, const char *group, coif_arena *arena);

// Writes the files of the new scene at path except the scene itself, whose text is returned.
// A copy of the mesh is written beside the scene where the file cannot be used as it is: *exists is
// set when that or another file exists already and overwrite is not set.
coif_status coif_mesh_import_scene(char **text, bool *exists, const coif_project *project,
                                   const coif_mesh_import *import, const char *path,
                                   coif_arena *arena, coif_error *error);

// A shipped preset by its name; "": even, short hair.
coif_status coif_project_find_preset(coif_preset *preset, const coif_project *project,
                                     const char *name, coif_arena *arena, coif_error *error);

// The same with a preset that was loaded already; import->preset is not read.
coif_status coif_mesh_import_styled(char **text, bool *exists, const coif_preset *preset,
                                    const coif_plugin_lookup *plugins,
                                    const coif_mesh_import *import, const char *path,
                                    coif_arena *arena, coif_error *error);

#endif
