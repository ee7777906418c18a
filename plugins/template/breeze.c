// wind.breeze: template plugin: constant wind with a boundary layer near the ground.
//
// Change the id, the parameters and the function; the rest can stay.
#include <coif/plugin.h>

// Parameters. The host fills the struct from the scene through the table below, animated ones at
// every substep.
typedef struct breeze_params {
    float velocity[3];
    float depth;
} breeze_params;

static const coif_param PARAMS[] = {
    {.name = "velocity",
     .help = "velocity of the air far from the ground",
     .unit = "m/s",
     .type = COIF_PARAM_VEC3,
     .offset = offsetof(breeze_params, velocity),
     .fallback = {2, 0, 0},
     .low = -100,
     .high = 100},
    {.name = "depth",
     .help = "height over y = 0 at which half of it is left",
     .unit = "m",
     .type = COIF_PARAM_FLOAT,
     .offset = offsetof(breeze_params, depth),
     .fallback = {0.1},
     .low = 0.001,
     .high = 100},
};

// [worker] Called by several threads at once: reads the batch, adds to its arrays, has no state.
static void breeze_force(const coif_host *host, const void *state, const void *params,
                         const coif_force_batch *batch)
{
    (void)host, (void)state;
    const breeze_params *breeze = params;
    for (int32_t i = 0; i < batch->count; ++i) {
        const float height = batch->y[i] > 0.0f ? batch->y[i] : 0.0f;
        const float factor = height / (height + breeze->depth);
        batch->wind_x[i] += factor * breeze->velocity[0];
        batch->wind_y[i] += factor * breeze->velocity[1];
        batch->wind_z[i] += factor * breeze->velocity[2];
    }
}

static const coif_plugin BREEZE = {
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_FORCE,
    .id = "wind.breeze",
    .version = "1.0.0",
    .help = "air that is calm near the ground",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(breeze_params),
    .force = breeze_force,
};

// The one function coif looks for. A module may hold several plugins.
const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&BREEZE};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
