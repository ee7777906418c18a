#include "core/api/library_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static _Thread_local coif_error last_error;

coif_error *coif_library_error(void)
{
    last_error.status = COIF_OK;
    last_error.text[0] = '\0';
    return &last_error;
}

const char *coif_last_error(void)
{
    return last_error.text;
}

const char *coif_library_version(void)
{
    return COIF_VERSION;
}

coif_status coif_library_invalid(const char *what)
{
    return coif_fail(coif_library_error(), COIF_ERR_ARGUMENT, "%s", what);
}

bool coif_library_all_finite(const float *values, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

bool coif_library_check_size(uint32_t struct_size, const char *name)
{
    if (struct_size >= sizeof struct_size && struct_size <= 65536) {
        return true;
    }
    coif_fail(coif_library_error(), COIF_ERR_ARGUMENT, "the struct_size of %s is %u", name,
              struct_size);
    return false;
}

bool coif_library_read_desc(void *to, size_t size, const void *desc, const char *name)
{
    coif_error *error = coif_library_error();
    if (desc == NULL) {
        coif_fail(error, COIF_ERR_ARGUMENT, "%s is NULL", name);
        return false;
    }
    uint32_t known;
    memcpy(&known, desc, sizeof known);
    if (!coif_library_check_size(known, name)) {
        return false;
    }
    memcpy(to, desc, known < size ? known : size);
    return true;
}

void coif_library_write_desc(void *desc, size_t desc_size, const void *defaults, size_t size)
{
    const uint32_t known = (uint32_t)desc_size;
    memset(desc, 0, desc_size);
    memcpy(desc, defaults, desc_size < size ? desc_size : size);
    memcpy(desc, &known, sizeof known);
}

int32_t coif_library_find_name(const char *const *names, const char *name, const char *what)
{
    char list[256] = "";
    for (int32_t i = 0; names[i] != NULL; ++i) {
        if (name != NULL && strcmp(names[i], name) == 0) {
            return i;
        }
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", names[i]);
    }
    coif_fail(coif_library_error(), COIF_ERR_ARGUMENT, "%s \"%s\" is not one of %s", what,
              name != NULL ? name : "", list);
    return -1;
}
