#include "render/output/tonemap.h"

#include "render/math/fast_math.h"

// Linear up to one half, then an exponential shoulder with the same slope that approaches 1:
// highlights desaturate instead of clipping in one channel.
static float filmic(float value)
{
    return value > 0.5f ? 1.0f - 0.5f * coif_fast_exp(-(value - 0.5f) / 0.5f) : value;
}

// Fit of the ACES RRT and ODT by Stephen Hill ("BakingLab", Pettineo and Hill 2016): matrix,
// rational curve, matrix.
static float aces_curve(float v)
{
    v = coif_max(v, 0.0f);
    return (v * (v + 0.0245786f) - 0.000090537f) / (v * (0.983729f * v + 0.4329510f) + 0.238081f);
}

static coif_vec3 aces(coif_vec3 c)
{
    const float r = aces_curve(0.59719f * c.x + 0.35458f * c.y + 0.04823f * c.z);
    const float g = aces_curve(0.07600f * c.x + 0.90834f * c.y + 0.01566f * c.z);
    const float b = aces_curve(0.02840f * c.x + 0.13383f * c.y + 0.83777f * c.z);
    return (coif_vec3){coif_clamp(1.60475f * r - 0.53108f * g - 0.07367f * b, 0.0f, 1.0f),
                       coif_clamp(-0.10208f * r + 1.10813f * g - 0.00605f * b, 0.0f, 1.0f),
                       coif_clamp(-0.00327f * r - 0.07276f * g + 1.07602f * b, 0.0f, 1.0f)};
}

coif_vec3 coif_view_transform_apply(coif_view_transform view, coif_vec3 light)
{
    switch (view) {
    case COIF_VIEW_FILMIC:
        return (coif_vec3){filmic(light.x), filmic(light.y), filmic(light.z)};
    case COIF_VIEW_ACES:
        return aces(light);
    default:
        return light;
    }
}
