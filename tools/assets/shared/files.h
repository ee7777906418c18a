// files: names of files, and whether writing them went well.
#ifndef COIF_ASSETS_FILES_H
#define COIF_ASSETS_FILES_H

#include <stdio.h>

// Returns 0, after saying why, when the name is too long.
int head_path(char *path, size_t size, const char *directory, const char *name);

// NULL, after saying why, when it cannot be opened.
FILE *head_create(const char *path);

// Returns 0, after saying why, when something was not written.
int head_finish(FILE *file, const char *path);

#endif
