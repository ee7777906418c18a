#include "render/bsdf/fur_albedo_inversion.h"

#include "core/base/rng.h"

enum { SAMPLES = 1024, BISECTIONS = 20 };

// (1 - a) / (1 - g a), averaged over fibre directions.
static float similarity(const coif_hair_lobes *lobes, float absorption)
{
    const coif_vec3 grey = {absorption, absorption, absorption};
    float incident = 0.0f, scattered = 0.0f, forward = 0.0f;
    for (uint64_t i = 0; i < SAMPLES; ++i) {
        const float h = 2.0f * ((float)i + 0.5f) / SAMPLES - 1.0f;
        const float sine = 2.0f * coif_random_unit(1, i, 0) - 1.0f;
        const coif_vec3 wo = {sine, sqrtf(1.0f - sine * sine), 0.0f};
        const coif_hair_bsdf bsdf = coif_hair_bsdf_at(lobes, grey, h, wo);
        const coif_vec2 v = {coif_random_unit(1, i, 1), coif_random_unit(1, i, 2)};
        const coif_vec3 wi = coif_hair_bsdf_sample(&bsdf, coif_random_unit(1, i, 3), v);
        float pdf;
        const float f = coif_hair_bsdf_eval(&bsdf, wi, &pdf).y;
        // The cross section of a fibre is proportional to the cosine of theta_o.
        const float weight = pdf > 0.0f ? wo.y * f / pdf : 0.0f;
        incident += wo.y;
        scattered += weight;
        forward -= weight * coif_dot(wi, wo);
    }
    return (incident - scattered) / coif_max(incident - forward, 1e-6f);
}

float coif_fur_absorption_scale(const coif_hair_bsdf_params *fur, float middle)
{
    const coif_hair_bsdf_params hair = {
        .eta = fur->eta, .beta_m = fur->beta_m, .beta_n = fur->beta_n, .alpha = fur->alpha};
    const coif_hair_lobes plain = coif_hair_lobes_of(&hair);
    const coif_hair_lobes core = coif_hair_lobes_of(fur);
    const float target = similarity(&plain, middle);
    float low = 0.01f, high = 100.0f;
    for (int i = 0; i < BISECTIONS; ++i) {
        const float factor = sqrtf(low * high);
        if (similarity(&core, factor * middle) < target) {
            low = factor;
        } else {
            high = factor;
        }
    }
    return sqrtf(low * high);
}
