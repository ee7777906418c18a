// density.noise: patches of fractal noise, as in a worn coat or a patchy beard.
//
// Noise is evaluated in the rest space of the body, not in uv: patches have uniform size and no
// seams.
#include <coif/deterministic_math.h>
#include <coif/plugin.h>

typedef struct noise_params {
    float scale;
    float coverage;
    float softness;
    int32_t octaves;
    int32_t seed;
} noise_params;

#define ROW(...) COIF_PLUGIN_ROW(noise_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(scale, COIF_PARAM_FLOAT, 0, "Feature size of the noise.", "m", 0.03, 0, 0, 1e-4, 10),
    ROW(coverage, COIF_PARAM_FLOAT, 0, "Approximate fraction of the surface with value 1.", "", 0.5, 0, 0, 0, 1),
    ROW(softness, COIF_PARAM_FLOAT, 0, "Softness of the patch edges; 0 is hard, 1 has no plateau.", "", 0.5, 0, 0, 0, 1),
    ROW(octaves, COIF_PARAM_INT, 0, "Number of noise octaves.", "", 3, 0, 0, 1, 8),
    ROW(seed, COIF_PARAM_INT, 0, "Seed of the noise.", "", 1, 0, 0, 0, 1000000),
};
// clang-format on

static float fractal(const noise_params *noise, float x, float y, float z)
{
    float sum = 0.0f, weight = 1.0f, total = 0.0f, scale = 1.0f / noise->scale;
    for (int32_t octave = 0; octave < noise->octaves; ++octave) {
        const uint32_t seed = (uint32_t)noise->seed * 8u + (uint32_t)octave;
        sum += weight * coif_kit_noise3(x * scale, y * scale, z * scale, seed);
        total += weight;
        weight *= 0.5f;
        scale *= 2.0f;
    }
    return sum / total;
}

static void noise_map(const coif_host *host, const void *state, const void *params,
                      const coif_map_batch *batch)
{
    (void)host, (void)state;
    const noise_params *noise = params;
    // Noise is mostly within +-0.6; the threshold covers more than that range.
    const float width = 0.02f + 0.6f * noise->softness;
    const float threshold = (1.0f - 2.0f * noise->coverage) * (0.6f + 0.5f * width);
    for (int32_t i = 0; i < batch->count; ++i) {
        const float height = fractal(noise, batch->x[i], batch->y[i], batch->z[i]);
        batch->value[i] = coif_kit_smoothstep((height - threshold) / width + 0.5f);
        if (noise->coverage <= 0.0f || noise->coverage >= 1.0f) {
            batch->value[i] = noise->coverage; // exactly 0 or 1
        }
    }
}

static const coif_plugin NOISE = {
    COIF_PLUGIN_HEAD(COIF_KIND_MAP, "density.noise", "1.0.0",
                     "Noise patches with a given feature size and coverage.", PARAMS, noise_params),
    .map = noise_map,
};

COIF_PLUGIN_ENTRY(NOISE)
