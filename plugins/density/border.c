// density.border: density that falls off towards the border of the mesh group hair grows on.
//
// The hairline is the border of the scalp group, without a plane or line to place. Distances are
// geodesic, so an ear or a fold is not close to the skin behind it.
#include <coif/deterministic_math.h>
#include <coif/noise.h>
#include <coif/plugin.h>

typedef struct border_params {
    float width;
    float bare_width;
    float edge_noise;
    float edge_noise_scale;
    int32_t seed;
} border_params;

#define ROW(...) COIF_PLUGIN_ROW(border_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(width, COIF_PARAM_FLOAT, 0, "Distance over which the density rises from 0 to 1.", "m", 0.012, 0, 0, 0, 10),
    ROW(bare_width, COIF_PARAM_FLOAT, 0, "Distance from the border within which no hair grows.", "m", 0, 0, 0, 0, 10),
    ROW(edge_noise, COIF_PARAM_FLOAT, 0, "Amplitude of the noise that displaces the edge.", "m", 0.003, 0, 0, 0, 1),
    ROW(edge_noise_scale, COIF_PARAM_FLOAT, 0, "Feature size of the edge noise.", "m", 0.01, 0, 0, 1e-4, 10),
    ROW(seed, COIF_PARAM_INT, 0, "Seed of the edge noise.", "", 1, 0, 0, 0, 1000000),
};
// clang-format on

static void border_map(const coif_host *host, const void *state, const void *params,
                       const coif_map_batch *batch)
{
    (void)host, (void)state;
    const border_params *border = params;
    const float width = border->width > 1e-6f ? border->width : 1e-6f;
    const float frequency = 1.0f / border->edge_noise_scale;
    for (int32_t i = 0; i < batch->count; ++i) {
        const float displacement =
            border->edge_noise * coif_kit_noise3(batch->x[i] * frequency, batch->y[i] * frequency,
                                                 batch->z[i] * frequency, (uint32_t)border->seed);
        batch->value[i] = coif_kit_smoothstep(
            (batch->border_distance[i] - border->bare_width + displacement) / width);
    }
}

static const coif_plugin BORDER = {
    COIF_PLUGIN_HEAD(COIF_KIND_MAP, "density.border", "1.0.0",
                     "Density that falls off towards the border of the growth group.", PARAMS,
                     border_params),
    .map = border_map,
    .needs = COIF_NEEDS_BORDER,
};

COIF_PLUGIN_ENTRY(BORDER)
