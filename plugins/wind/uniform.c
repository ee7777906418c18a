// wind.uniform: constant air velocity everywhere.
#include <coif/plugin.h>

typedef struct uniform_params {
    float velocity[3];
} uniform_params;

static const coif_param PARAMS[] = {
    {.name = "velocity",
     .help = "Wind velocity.",
     .unit = "m/s",
     .type = COIF_PARAM_VEC3,
     .offset = offsetof(uniform_params, velocity),
     .fallback = {2, 0, 0},
     .low = -100,
     .high = 100},
};

static void uniform_force(const coif_host *host, const void *state, const void *params,
                          const coif_force_batch *batch)
{
    (void)host, (void)state;
    const uniform_params *uniform = params;
    for (int32_t i = 0; i < batch->count; ++i) {
        batch->wind_x[i] += uniform->velocity[0];
        batch->wind_y[i] += uniform->velocity[1];
        batch->wind_z[i] += uniform->velocity[2];
    }
}

static const coif_plugin UNIFORM = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_FORCE,
    .id = "wind.uniform",
    .version = "1.0.0",
    .help = "Constant wind.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(uniform_params),
    .force = uniform_force,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&UNIFORM};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
