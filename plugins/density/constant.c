// density.constant: one value everywhere.
//
// Gives one groom its own value of a shared parameter (a stiff beard under soft hair), and is the
// base to subtract from: a map subtracted from 1 is inverted.
#include <coif/plugin.h>

typedef struct constant_params {
    float value;
} constant_params;

static const coif_param PARAMS[] = {
    {.name = "value",
     .help = "Value of the map.",
     .unit = "",
     .type = COIF_PARAM_FLOAT,
     .offset = offsetof(constant_params, value),
     .fallback = {1},
     .low = 0,
     .high = 1},
};

static void constant_map(const coif_host *host, const void *state, const void *params,
                         const coif_map_batch *batch)
{
    (void)host, (void)state;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->value[i] = ((const constant_params *)params)->value;
    }
}

static const coif_plugin CONSTANT = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "density.constant",
    .version = "1.0.0",
    .help = "One value on the whole scalp.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(constant_params),
    .map = constant_map,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&CONSTANT};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
