// scraps: the folder for what a studio needs only while it runs, in TMPDIR, and those that killed
// studios have left there.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_TEMP_DIR_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_TEMP_DIR_H

#include "core/base/error.h"

typedef struct coif_temp_dir {
    char folder[4000];
    int lock; // held for as long as the folder belongs to somebody
} coif_temp_dir;

// Removes folders of our own user whose studios have ended without doing so, and makes a new one.
coif_status coif_temp_dir_open(coif_temp_dir *scraps, coif_error *error);

// With everything in it.
void coif_temp_dir_close(coif_temp_dir *scraps);

#endif
