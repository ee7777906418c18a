// density.constant: one value everywhere.
//
// Gives one groom its own value of a shared parameter (a stiff beard under soft hair), and is the
// base to subtract from: a map subtracted from 1 is inverted.
#include <coif/plugin.h>

typedef struct constant_params {
    float value;
} constant_params;

#define ROW(...) COIF_PLUGIN_ROW(constant_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(value, COIF_PARAM_FLOAT, 0, "Value of the map.", "", 1, 0, 0, 0, 1),
};
// clang-format on

static void constant_map(const coif_host *host, const void *state, const void *params,
                         const coif_map_batch *batch)
{
    (void)host, (void)state;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->value[i] = ((const constant_params *)params)->value;
    }
}

static const coif_plugin CONSTANT = {
    COIF_PLUGIN_HEAD(COIF_KIND_MAP, "density.constant", "1.0.0", "One value on the whole scalp.",
                     PARAMS, constant_params),
    .map = constant_map,
};

COIF_PLUGIN_ENTRY(CONSTANT)
