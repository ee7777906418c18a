// bundle_files: all files that a scene reads.
#ifndef COIF_TOOLS_CLI_BUNDLE_BUNDLE_FILES_H
#define COIF_TOOLS_CLI_BUNDLE_BUNDLE_FILES_H

#include "core/base/string_table.h"
#include "core/scene/scene.h"

// An absolute path in the text of the scene, which a bundle replaces by a relative one.
typedef struct coif_scene_path {
    size_t begin, end; // of the JSON string in the scene text
    const char *path;
} coif_scene_path;

typedef struct coif_bundle_files {
    coif_string_table files; // absolute paths, each once
    coif_scene_path *absolute;
    size_t absolute_count, absolute_capacity;
    const char *unmovable; // absolute path inside a mesh or material file; NULL: none
} coif_bundle_files;

// The scene itself, the files its values name, all frames of sequences, all tiles of UDIM sets, all
// files of folders, material libraries of OBJ files and their images. A file that is not there is
// left to the command that needs it.
coif_status coif_bundle_files_find(coif_bundle_files *files, const coif_scene *scene,
                                   coif_arena *arena, coif_error *error);

// Adds the regular files of a folder whose names have one of the extensions, separated by spaces.
coif_status coif_bundle_files_add_folder(coif_bundle_files *files, const char *folder,
                                         const char *extensions, coif_arena *arena,
                                         coif_error *error);

// An absolute path without . and .. components; links are not resolved.
char *coif_path_absolute(const char *path, coif_arena *arena);

// The path of a file relative to a folder; both are absolute.
char *coif_path_relative(const char *path, const char *folder, coif_arena *arena);

#endif
