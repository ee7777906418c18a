// temp_dir: a private directory in TMPDIR for the lifetime of a studio. Directories of crashed
// studios are removed by the next one.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_TEMP_DIR_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_TEMP_DIR_H

#include "core/base/error.h"

typedef struct coif_temp_dir {
    char folder[4000];
    int lock; // descriptor of a locked file: the directory is in use
} coif_temp_dir;

// Removes abandoned directories of this user and creates a new one, readable by this user only.
coif_status coif_temp_dir_open(coif_temp_dir *temp, coif_error *error);

// Removes the directory with its contents.
void coif_temp_dir_close(coif_temp_dir *temp);

// Removes any directory with its files and those one level below; nothing when there is none.
void coif_temp_dir_remove(const char *folder);

#endif
