// density.slope: density by the angle between the surface normal and a direction (default: up),
// with a soft edge.
#include <coif/deterministic_math.h>
#include <coif/plugin.h>

typedef struct slope_params {
    float direction[3];
    float angle;
    float softness;
} slope_params;

#define ROW(...) COIF_PLUGIN_ROW(slope_params, __VA_ARGS__)

// clang-format off
static const coif_param PARAMS[] = {
    ROW(direction, COIF_PARAM_VEC3, 0, "Reference direction.", "", 0, 1, 0, -1, 1),
    ROW(angle, COIF_PARAM_FLOAT, 0, "Maximum angle between normal and direction at which the value is 1.", "deg", 80, 0, 0, 0, 180),
    ROW(softness, COIF_PARAM_FLOAT, 0, "Angle beyond it over which the value falls to 0.", "deg", 10, 0, 0, 0, 180),
};
// clang-format on

static void slope_map(const coif_host *host, const void *state, const void *params,
                      const coif_map_batch *batch)
{
    (void)host, (void)state;
    const slope_params *slope = params;
    const float *d = slope->direction;
    const float length = sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    const float scale = length > 0.0f ? 1.0f / length : 0.0f;
    const float degree = COIF_KIT_PI / 180.0f;
    // Avoids a division by zero for a hard edge.
    const float width = slope->softness > 1e-3f ? slope->softness : 1e-3f;

    for (int32_t i = 0; i < batch->count; ++i) {
        const float cosine =
            (batch->nx[i] * d[0] + batch->ny[i] * d[1] + batch->nz[i] * d[2]) * scale;
        const float angle = coif_kit_acos(cosine) / degree;
        batch->value[i] = 1.0f - coif_kit_smoothstep((angle - slope->angle) / width);
    }
}

static const coif_plugin SLOPE = {
    COIF_PLUGIN_HEAD(COIF_KIND_MAP, "density.slope", "1.0.0",
                     "Density by the angle between the surface normal and a direction.", PARAMS,
                     slope_params),
    .map = slope_map,
};

COIF_PLUGIN_ENTRY(SLOPE)
