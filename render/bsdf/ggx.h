// GGX microfacet distribution (Walter et al. 2007), in the frame of the normal.
//
// Alpha is the width of the normal distribution. Directions are unit vectors; z is the normal.
// Sampling draws visible normals (VNDF, Heitz 2018), so that the weight of a sample is at most its
// Fresnel term: f cos / pdf = F G2 / G1.
#ifndef COIF_RENDER_BSDF_GGX_H
#define COIF_RENDER_BSDF_GGX_H

#include "core/base/vec.h"
#include "render/math/fast_math.h"

// Sharper than a pixel resolves, while the density still fits a float.
#define COIF_GGX_MIN_ALPHA 1e-3f

static inline float coif_ggx_alpha(float roughness)
{
    return coif_max(roughness * roughness, COIF_GGX_MIN_ALPHA);
}

// Normal distribution D(m). The sine is taken from the components: 1 - cos^2 cancels near the
// normal, where narrow lobes are.
static inline float coif_ggx_density(coif_vec3 m, float alpha)
{
    const float a2 = alpha * alpha;
    const float width = a2 * m.z * m.z + (m.x * m.x + m.y * m.y);
    return a2 * COIF_INV_PI / (width * width);
}

// Smith's Lambda at a cosine; masking is G1 = 1 / (1 + Lambda).
static inline float coif_ggx_lambda(float cosine, float alpha)
{
    const float c2 = coif_max(cosine * cosine, 1e-12f);
    return 0.5f * (sqrtf(1.0f + alpha * alpha * coif_max(1.0f - c2, 0.0f) / c2) - 1.0f);
}

// A visible normal for wo, with wo.z above zero.
static inline coif_vec3 coif_ggx_sample(coif_vec3 wo, float alpha, coif_vec2 u)
{
    const coif_vec3 view = coif_normalize((coif_vec3){alpha * wo.x, alpha * wo.y, wo.z});
    const float across = view.x * view.x + view.y * view.y;
    coif_vec3 a = {1.0f, 0.0f, 0.0f}, b = {0.0f, 1.0f, 0.0f};
    if (across > 1e-12f) {
        const float scale = 1.0f / sqrtf(across);
        a = (coif_vec3){-view.y * scale, view.x * scale, 0.0f};
        b = coif_cross(view, a);
    }
    const float r = sqrtf(u.x);
    float sine, cosine;
    coif_fast_sincos_turns(u.y, &sine, &cosine);
    const float x = r * cosine;
    const float h = 0.5f * (1.0f + view.z);
    const float y = (1.0f - h) * sqrtf(coif_max(1.0f - x * x, 0.0f)) + h * r * sine;
    const float z = sqrtf(coif_max(1.0f - x * x - y * y, 0.0f));
    const coif_vec3 n = coif_mad(coif_mad(coif_scale(a, x), y, b), z, view);
    return coif_normalize((coif_vec3){alpha * n.x, alpha * n.y, coif_max(n.z, 1e-6f)});
}

#endif
