#include "core/base/dynlib.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

coif_status coif_dynlib_open(coif_dynlib *library, const char *path, coif_error *error)
{
    // A bare name would be looked for among the libraries of the system, and not be this file.
    char here[4096];
    if (strchr(path, '/') == NULL) {
        snprintf(here, sizeof here, "./%s", path);
        path = here;
    }
    // Local, so that two modules with a symbol of the same name do not meet.
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL) {
        const char *reason = dlerror();
        return coif_fail(error, COIF_ERR_IO, "%s: cannot be loaded: %s", path,
                         reason != NULL ? reason : "unknown reason");
    }
    return COIF_OK;
}

void coif_dynlib_close(coif_dynlib *library)
{
    if (library->handle != NULL) {
        dlclose(library->handle);
        library->handle = NULL;
    }
}

void *coif_dynlib_find(const coif_dynlib *library, const char *symbol)
{
    return dlsym(library->handle, symbol);
}

char *coif_dynlib_program_folder(coif_arena *arena)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        return coif_arena_copy_text(arena, ".");
    }
    path[length] = '\0';
    return coif_path_folder(path, arena);
}
