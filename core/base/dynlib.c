// Wrapper of dlopen.
#include "core/base/dynlib.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

coif_status coif_dynlib_open(coif_dynlib *library, const char *path, coif_error *error)
{
    // dlopen searches the system libraries for a name without a slash.
    char relative[4096];
    if (strchr(path, '/') == NULL) {
        snprintf(relative, sizeof relative, "./%s", path);
        path = relative;
    }
    // RTLD_LOCAL: equal symbol names of two modules do not clash.
    library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library->handle == NULL) {
        const char *reason = dlerror();
        return coif_fail(error, COIF_ERR_IO, "%s: cannot load library: %s", path,
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

void *coif_dynlib_find_linked(const char *symbol)
{
    return dlsym(RTLD_DEFAULT, symbol);
}

char *coif_dynlib_program_folder(coif_arena *arena)
{
    char path[4096];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0) {
        // Without /proc, as in a bare root directory: the path that the program was started by.
        const char *started = (const char *)getauxval(AT_EXECFN);
        return coif_path_folder(coif_path_real(started != NULL ? started : ".", arena), arena);
    }
    path[length] = '\0';
    return coif_path_folder(path, arena);
}
