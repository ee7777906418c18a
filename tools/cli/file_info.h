// file_info: type and contents of a file, for `coif info`.
#ifndef COIF_TOOLS_CLI_FILE_INFO_H
#define COIF_TOOLS_CLI_FILE_INFO_H

#include "core/json/json_writer.h"

// Writes members of the open object, the first being "kind": pack files (verified to the last byte)
// with every block, .hair and .tfx files, .obj meshes and polylines, USD and Alembic archives,
// images. Anything else is COIF_ERR_FORMAT. The members written before an error are complete.
coif_status coif_file_info(coif_json_writer *writer, const char *path, coif_arena *arena,
                           coif_error *error);

#endif
