// library_internal: errors and descriptions of the interface of libcoif.
#ifndef COIF_CORE_API_LIBRARY_INTERNAL_H
#define COIF_CORE_API_LIBRARY_INTERNAL_H

#include "core/base/error.h"

#include <coif/library.h>

// The error of the calling thread, emptied.
coif_error *coif_library_error(void);

// Records an invalid argument.
coif_status coif_library_invalid(const char *what);

bool coif_library_all_finite(const float *values, int64_t count);

// False, with an error, where a struct_size cannot be one.
bool coif_library_check_size(uint32_t struct_size, const char *name);

// Copies as many bytes of a description as both sides know over the defaults in to. False, with an
// error, where the description is NULL or its size cannot be one.
bool coif_library_read_desc(void *to, size_t size, const void *desc, const char *name);

// Sets a description of the caller's size to defaults, and its struct_size.
void coif_library_write_desc(void *desc, size_t desc_size, const void *defaults, size_t size);

// Index of a name in a NULL-terminated list, -1, with an error that lists all: unknown.
int32_t coif_library_find_name(const char *const *names, const char *name, const char *what);

#endif
