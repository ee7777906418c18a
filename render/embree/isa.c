// accel_isa: which instruction set the ray tracer may use on this machine.
#include "render/embree/accel.h"

#include <string.h>

const char *coif_accel_select_isa(const char *wanted)
{
    const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(wanted, "auto") == 0) {
        return wide ? "avx2" : "sse4.2";
    }
    if (strcmp(wanted, "avx2") == 0 && wide) {
        return "avx2";
    }
    return strcmp(wanted, "sse4.2") == 0 ? "sse4.2" : NULL;
}
