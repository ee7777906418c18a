#include "render/bsdf/fur_bsdf.h"

#include "render/bsdf/hair_bsdf_internal.h"

// Narrower is no different to look at, and wider is as good as even; both keep division safe.
static const float MOST_FOCUS = 0.98f;
static const float LEAST_CONCENTRATION = 0.01f;

coif_medulla coif_medulla_of(const coif_hair_bsdf_params *hair, float scale)
{
    const float x = COIF_PI * coif_min(scale, 20.0f);
    const float g = coif_clamp(hair->anisotropy, 0.0f, 0.98f);
    return (coif_medulla){
        .radius = coif_clamp(hair->medulla, 0.0f, 0.99f),
        .scattering = hair->scattering,
        .anisotropy = g,
        .pigment = hair->pigment,
        .layers = hair->layers > 0.0f ? hair->layers : 1.0f,
        .log_anisotropy = coif_fast_log(coif_max(g, 1e-6f)),
        .blur = 2.0f * x / coif_max(coif_fast_exp(x) - coif_fast_exp(-x), 1e-6f),
    };
}

// What is scattered and what is not on one way through the core.
typedef struct core_pass {
    float cortex, core; // lengths
    float through;      // share that is not scattered
    float kept;         // mean cosine along the fibre of what is
    float focus;        // mean cosine across it
} core_pass;

static core_pass pass_core(const coif_medulla *medulla, const coif_fur_pass *pass)
{
    const float kappa = medulla->radius;
    const float inside = kappa * kappa - pass->h * pass->h;
    const float core = inside > 0.0f ? 2.0f * sqrtf(inside) / pass->cos_theta : 0.0f;
    const float whole = 2.0f * pass->cos_gamma / pass->cos_theta;
    const float tau = medulla->scattering * core;
    const float through = coif_fast_exp(-tau);
    const float times = tau > 1e-3f ? tau / (1.0f - through) : 1.0f;
    const float kept = coif_fast_exp(times * medulla->log_anisotropy);
    const float t = (1.0f - medulla->anisotropy) * tau;
    const float off = inside > 0.0f ? pass->h / kappa : 1.0f;
    const float back = 0.8f * t * t / (t * t + 4.0f * t + 20.0f) * (1.0f - 0.5f * off * off);
    return (core_pass){
        .cortex = coif_max(whole - core, 0.0f),
        .core = core,
        .through = through,
        .kept = kept,
        .focus = coif_clamp((kept - back) * medulla->blur, -MOST_FOCUS, MOST_FOCUS),
    };
}

// R, TT, TRT, rest, and through scattered TTs and TRTs, of one colour channel.
static coif_lanes attenuation(float *scattered, float reflected, float absorbed, float through)
{
    const float inward = 1.0f - reflected;
    const float pass = through * absorbed;
    const float inner = pass * reflected;
    const float again = 1.0f / coif_max(1.0f - inner, 1e-6f);
    const float twice = inward * inward * pass;
    scattered[0] = inward * (1.0f - through) * absorbed;
    scattered[1] = scattered[0] * inner * again;
    return (coif_lanes){reflected, twice, twice * inner, twice * inner * inner * again};
}

// The concentration of a von Mises-Fisher lobe with a mean cosine (Banerjee et al. 2005).
static float concentration(float mean)
{
    const float square = coif_min(mean * mean, 0.9999f);
    return coif_max(mean * (3.0f - square) / (1.0f - square), LEAST_CONCENTRATION);
}

void coif_fur_bsdf_init(coif_hair_bsdf *bsdf, const coif_fur_pass *pass, coif_vec3 absorption)
{
    const coif_medulla *medulla = &bsdf->lobes->medulla;
    coif_hair_scattered *scattered = &bsdf->scattered;
    const core_pass core = pass_core(medulla, pass);
    // So many layers of one reflectance, with all that goes to and fro between them.
    const float layers = medulla->layers;
    const float reflected =
        coif_min(layers * pass->reflected / (1.0f + (layers - 1.0f) * pass->reflected), 1.0f);
    const float way = -(core.cortex + medulla->pigment * core.core);
    const coif_lanes absorbed = coif_lanes_exp(
        (coif_lanes){way * absorption.x, way * absorption.y, way * absorption.z, 0.0f});
    float red[2], green[2], blue[2];
    const coif_lanes a = attenuation(red, reflected, absorbed[0], core.through);
    const coif_lanes b = attenuation(green, reflected, absorbed[1], core.through);
    const coif_lanes c = attenuation(blue, reflected, absorbed[2], core.through);

    const coif_lanes all = a + b + c;
    float sum = coif_lanes_sum(all);
    for (int i = 0; i < 2; ++i) {
        scattered->color[i] = (coif_vec3){red[i], green[i], blue[i]};
        scattered->weight[i] = red[i] + green[i] + blue[i];
        sum += scattered->weight[i];
        scattered->focus[i] = core.focus;
        coif_fast_sincos_turns(bsdf->centre[i + 1] * (1.0f / COIF_TWO_PI),
                               &scattered->centre_sin[i], &scattered->centre_cos[i]);
    }
    const float share = sum > 0.0f ? 1.0f / sum : 0.0f;
    const coif_lanes chance = sum > 0.0f ? all * share : (coif_lanes){1.0f, 0.0f, 0.0f, 0.0f};
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        bsdf->lobe[p] = (coif_lanes){a[p], b[p], c[p], chance[p]};
    }
    scattered->weight[0] *= share;
    scattered->weight[1] *= share;

    // No narrower than light that was not scattered.
    const float inverse = coif_min(concentration(core.kept), bsdf->lobes->inverse_variance[1]);
    scattered->inverse_variance = inverse;
    scattered->norm = inverse / (1.0f - coif_fast_exp(-2.0f * inverse));
}

coif_vec3 coif_fur_bsdf_add(const coif_hair_bsdf *bsdf, coif_vec3 f, coif_vec3 wi, float *pdf)
{
    const coif_hair_scattered *scattered = &bsdf->scattered;
    const float cos_i = sqrtf(wi.y * wi.y + wi.z * wi.z);
    const coif_hair_cone cone = {coif_lanes_splat(bsdf->sin_o[3]), coif_lanes_splat(bsdf->cos_o[3]),
                                 coif_lanes_splat(scattered->inverse_variance),
                                 coif_lanes_splat(scattered->norm)};
    const float m =
        coif_hair_longitudinal(&cone, coif_lanes_splat(wi.x), coif_lanes_splat(cos_i))[0];
    const float inverse = cos_i > 0.0f ? 1.0f / cos_i : 0.0f;
    const float cos_phi = (wi.y * bsdf->across_y + wi.z * bsdf->across_z) * inverse;
    const float sin_phi = (wi.z * bsdf->across_y - wi.y * bsdf->across_z) * inverse;
    for (int i = 0; i < 2; ++i) {
        const float r = scattered->focus[i];
        const float away =
            1.0f - cos_phi * scattered->centre_cos[i] - sin_phi * scattered->centre_sin[i];
        const float n =
            (1.0f - r * r) / (COIF_TWO_PI * ((1.0f - r) * (1.0f - r) + 2.0f * r * away));
        *pdf += scattered->weight[i] * m * n;
        f = coif_mad(f, m * n, scattered->color[i]);
    }
    return f;
}

float coif_fur_bsdf_sample_phi(const coif_hair_bsdf *bsdf, int lobe, float u)
{
    const float r = bsdf->scattered.focus[lobe];
    float sine, cosine;
    coif_fast_sincos_turns(0.5f * (u - 0.5f), &sine, &cosine);
    const float angle = 2.0f * coif_fast_atan2((1.0f - r) * sine, (1.0f + r) * cosine);
    return (bsdf->centre[lobe + 1] + angle) * (1.0f / COIF_TWO_PI);
}
