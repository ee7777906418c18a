// Wrapper of dlopen, its only user; loads plugins and the image module.
#ifndef COIF_CORE_BASE_DYNLIB_H
#define COIF_CORE_BASE_DYNLIB_H

#include "core/base/base.h"

typedef struct coif_dynlib {
    void *handle;
} coif_dynlib;

coif_status coif_dynlib_open(coif_dynlib *library, const char *path, coif_error *error);
void coif_dynlib_close(coif_dynlib *library);

// The address of a symbol, NULL when it is not there.
void *coif_dynlib_find(const coif_dynlib *library, const char *symbol);

// The same in the program and the libraries it is linked with.
void *coif_dynlib_find_linked(const char *symbol);

// Directory of the running program, used to locate installed files.
char *coif_dynlib_program_folder(coif_arena *arena);

#endif
