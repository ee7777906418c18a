// explain: what a file is and what it holds, in words. For `coif info`.
#ifndef COIF_TOOLS_CLI_FILE_INFO_H
#define COIF_TOOLS_CLI_FILE_INFO_H

#include "core/json/json_writer.h"

// Several lines about path, ending with a newline: our own files (packs) with every block, .hair
// and .tfx files, .obj meshes and curves. Packs are verified to the last byte on the way. Anything
// else is COIF_ERR_FORMAT with the bytes it starts with.
coif_status coif_file_info(char **text, const char *path, coif_arena *arena, coif_error *error);

// The same facts as members of an object that is open. Whole members only, also when it fails.
coif_status coif_file_info_json(coif_json_writer *writer, const char *path, coif_arena *arena,
                                coif_error *error);

// Whether path is an OBJ file without faces but with polylines.
bool coif_file_has_polylines(const char *path, coif_arena *arena);

#endif
