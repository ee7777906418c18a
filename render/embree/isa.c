// Selects Embree's instruction set.
#include "render/embree/accel.h"

#include <string.h>

const char *coif_accel_select_isa(const char *requested)
{
    const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(requested, "auto") == 0) {
        return wide ? "avx2" : "sse4.2";
    }
    if (strcmp(requested, "avx2") == 0 && wide) {
        return "avx2";
    }
    return strcmp(requested, "sse4.2") == 0 ? "sse4.2" : NULL;
}
