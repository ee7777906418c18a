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
    COIF_PLUGIN_ROW(breeze_params, velocity, COIF_PARAM_VEC3, 0,
                    "velocity of the air far from the ground", "m/s", 2, 0, 0, -100, 100),
    COIF_PLUGIN_ROW(breeze_params, depth, COIF_PARAM_FLOAT, 0,
                    "height over y = 0 at which half of it is left", "m", 0.1, 0, 0, 0.001, 100),
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
    COIF_PLUGIN_HEAD(COIF_KIND_FORCE, "wind.breeze", "1.0.0", "air that is calm near the ground",
                     PARAMS, breeze_params),
    .force = breeze_force,
};

// The one function coif looks for. A module with several plugins defines it itself.
COIF_PLUGIN_ENTRY(BREEZE)
