// Error reporting and assertion failure.
#include "core/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

coif_status coif_fail(coif_error *error, coif_status status, const char *format, ...)
{
    if (error != NULL && error->status == COIF_OK) {
        error->status = status;
        va_list list;
        va_start(list, format);
        vsnprintf(error->text, sizeof error->text, format, list);
        va_end(list);
    }
    return status;
}

coif_status coif_fail_within(coif_error *error, const char *location, const coif_error *cause)
{
    return coif_fail(error, cause->status, "%s: %s", location, cause->text);
}

void coif_assert_failed(const char *condition, const char *file, int line)
{
    fprintf(stderr, "coif: %s:%d: assertion failed: %s\n", file, line, condition);
    abort();
}
