// density.constant: one value everywhere.
//
// For what grooms share and one of them wants otherwise (a stiff beard under soft hair), and as the
// white that others are taken away from: a map that is subtracted over it is turned round.
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
