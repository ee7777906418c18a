// wind.uniform: constant air velocity everywhere.
#include <coif/plugin.h>

typedef struct uniform_params {
    float velocity[3];
} uniform_params;

#define ROW(...) COIF_PLUGIN_ROW(uniform_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(velocity, COIF_PARAM_VEC3, 0, "Wind velocity.", "m/s", 2, 0, 0, -100, 100),
};
// clang-format on

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
    COIF_PLUGIN_HEAD(COIF_KIND_FORCE, "wind.uniform", "1.0.0", "Constant wind.", PARAMS,
                     uniform_params),
    .force = uniform_force,
};

COIF_PLUGIN_ENTRY(UNIFORM)
