// Error reporting: a function that can fail returns a coif_status and fills the caller's
// coif_error.
//
// The first error is kept: later ones are usually its consequences.
#ifndef COIF_CORE_BASE_ERROR_H
#define COIF_CORE_BASE_ERROR_H

#include "core/base/base.h"

struct coif_error {
    coif_status status;
    char text[8000]; // may hold several diagnostics of a scene, one per line
};

// Records status and message unless error already holds one (or is NULL); returns status.
coif_status coif_fail(coif_error *error, coif_status status, const char *format, ...)
    COIF_PRINTF(3, 4);

// Records a cause prefixed with its file or location: "bob.json: /forces/0: ...".
coif_status coif_fail_within(coif_error *error, const char *location, const coif_error *cause);

// Returns from the calling function with the status of a failed call. Use it only where nothing has
// to be released by hand: a function that owns a resource other than a COIF_SCOPED_ARENA opens it,
// calls one function and closes it.
#define COIF_TRY(call)                                                                             \
    do {                                                                                           \
        const coif_status coif_try_status = (call);                                                \
        if (coif_try_status != COIF_OK) {                                                          \
            return coif_try_status;                                                                \
        }                                                                                          \
    } while (0)

#endif
