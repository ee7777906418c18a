#include "sim/solver/simd_dispatch.h"

#include "core/base/error.h"

#include <string.h>

static bool has_wide8(void)
{
    return __builtin_cpu_supports("avx2");
}

coif_status coif_kernels_find(const coif_kernels **kernels, const char *name, coif_error *error)
{
    const bool any = name == NULL || name[0] == '\0' || strcmp(name, "auto") == 0;
    if ((any && !has_wide8()) || (!any && strcmp(name, "wide4") == 0)) {
        *kernels = &coif_kernels_wide4;
        return COIF_OK;
    }
    if (!any && strcmp(name, "wide8") != 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "no kernels are called \"%s\"; there are auto, wide4 and wide8", name);
    }
    if (!has_wide8()) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "this processor cannot run the wide8 kernels");
    }
    *kernels = &coif_kernels_wide8;
    return COIF_OK;
}
