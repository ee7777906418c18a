// error: how a function says that the world did not play along.
//
// A function that can fail returns a coif_status and fills the caller's coif_error. The first error
// wins: what went wrong first is what a person has to mend first.
#ifndef COIF_CORE_BASE_ERROR_H
#define COIF_CORE_BASE_ERROR_H

#include "core/base/base.h"

struct coif_error {
    coif_status status;
    char text[8000]; // room for all the mistakes of a scene, one per line
};

// Records status and message unless error already holds one (or is NULL); returns status.
coif_status coif_fail(coif_error *error, coif_status status, const char *format, ...)
    COIF_PRINTF(3, 4);

// Records a cause with the file or place it was met in before its text: "bob.json: /forces/0: ...".
coif_status coif_fail_within(coif_error *error, const char *place, const coif_error *cause);

// Leaves the calling function with the status of a call that failed. Only where nothing has to be
// released: a function that owns something opens, calls one worker, closes and returns.
#define COIF_TRY(call)                                                                             \
    do {                                                                                           \
        const coif_status coif_try_status = (call);                                                \
        if (coif_try_status != COIF_OK) {                                                          \
            return coif_try_status;                                                                \
        }                                                                                          \
    } while (0)

#endif
