// files: names of files, and whether writing them went well.
#include "tools/assets/shared/files.h"

int head_path(char *path, size_t size, const char *directory, const char *name)
{
    const int needed = snprintf(path, size, "%s/%s", directory, name);

    if (needed < 0 || (size_t)needed >= size) {
        fprintf(stderr, "coif_head: the directory name is longer than %zu bytes\n", size);
        return 0;
    }
    return 1;
}

FILE *head_create(const char *path)
{
    FILE *file = fopen(path, "wb");

    if (file == NULL) {
        fprintf(stderr, "coif_head: %s: could not be opened for writing\n", path);
    }
    return file;
}

int head_finish(FILE *file, const char *path)
{
    const int failed = ferror(file);

    if (fclose(file) != 0 || failed) {
        fprintf(stderr, "coif_head: %s: could not be written\n", path);
        return 0;
    }
    return 1;
}
