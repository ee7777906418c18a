// density.slope: density by the angle between the surface normal and a direction (default: up),
// with a soft edge.
#include <coif/deterministic_math.h>
#include <coif/plugin.h>

typedef struct slope_params {
    float direction[3];
    float angle;
    float softness;
} slope_params;

#define ROW(field, kind, text, units, a, b, c, lowest, highest)                                    \
    {                                                                                              \
        .name = #field, .help = text, .unit = units, .type = kind,                                 \
        .offset = offsetof(slope_params, field), .fallback = {a, b, c}, .low = lowest,             \
        .high = highest                                                                            \
    }

// clang-format off
static const coif_param PARAMS[] = {
    ROW(direction, COIF_PARAM_VEC3,  "Reference direction.",              "",    0, 1, 0, -1,   1),
    ROW(angle,     COIF_PARAM_FLOAT, "Maximum angle between normal and direction at which the value is 1.",       "deg", 80, 0, 0, 0, 180),
    ROW(softness,  COIF_PARAM_FLOAT, "Angle beyond it over which the value falls to 0.",      "deg", 10, 0, 0, 0, 180),
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
    .struct_size = sizeof(coif_plugin),
    .kind = COIF_KIND_MAP,
    .id = "density.slope",
    .version = "1.0.0",
    .help = "Density by the angle between the surface normal and a direction.",
    .params = PARAMS,
    .param_count = sizeof PARAMS / sizeof PARAMS[0],
    .param_stride = sizeof PARAMS[0],
    .params_size = sizeof(slope_params),
    .map = slope_map,
};

const coif_plugin_list *coif_plugin_entry(uint32_t host_abi)
{
    static const coif_plugin *const plugins[] = {&SLOPE};
    static const coif_plugin_list list = {COIF_PLUGIN_ABI, 1, plugins};
    return host_abi == COIF_PLUGIN_ABI ? &list : NULL;
}
