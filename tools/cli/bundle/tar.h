// tar: archives of regular files in the ustar format, which tar programs read.
//
// The reader accepts regular files with relative names that stay inside the folder they are
// unpacked to, and nothing else.
#ifndef COIF_TOOLS_CLI_BUNDLE_TAR_H
#define COIF_TOOLS_CLI_BUNDLE_TAR_H

#include "core/base/fs.h"

// Writes header, content and padding of a file. The same content gives the same bytes: owner and
// time are zero. A name that is too long for the format is COIF_ERR_ARGUMENT.
coif_status coif_tar_add(coif_file *archive, const char *name, const coif_bytes *content,
                         coif_error *error);

// Ends the archive; it is not committed.
coif_status coif_tar_finish(coif_file *archive, coif_error *error);

typedef struct coif_tar_entry {
    char name[257];
    coif_bytes content; // inside the archive
} coif_tar_entry;

// The entry at *offset, 0 for the first, which moves to the next; *found is false at the end of the
// archive. Errors are COIF_ERR_FORMAT with the offset.
coif_status coif_tar_next(coif_tar_entry *entry, const coif_bytes *archive, size_t *offset,
                          bool *found, coif_error *error);

// Whether a name is relative and has neither empty nor dot components.
bool coif_tar_name_is_safe(const char *name);

#endif
