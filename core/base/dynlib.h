// library: the one door to dlopen. Plugins and the image library come in through it.
#ifndef COIF_CORE_BASE_DYNLIB_H
#define COIF_CORE_BASE_DYNLIB_H

#include "core/base/base.h"

typedef struct coif_library {
    void *handle;
} coif_library;

coif_status coif_library_open(coif_library *library, const char *path, coif_error *error);
void coif_library_close(coif_library *library);

// The address of a symbol, NULL when it is not there.
void *coif_library_find(const coif_library *library, const char *symbol);

// The folder of the running program, for finding what is installed beside it.
char *coif_library_program_folder(coif_arena *arena);

#endif
