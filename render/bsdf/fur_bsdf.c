#include "render/bsdf/fur_bsdf.h"

// Bounds that keep the divisions finite; beyond them the lobes do not visibly change.
static const float MAX_MEAN_COSINE = 0.98f;
static const float MIN_CONCENTRATION = 0.01f;

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

// One straight pass through the medulla.
typedef struct medulla_pass {
    float cortex, core;      // path lengths in cortex and medulla
    float unscattered;       // fraction
    float longitudinal_mean; // mean cosine of scattered light along the fibre
    float azimuthal_mean;    // mean cosine across it
} medulla_pass;

static medulla_pass pass_medulla(const coif_medulla *medulla, const coif_fur_refraction *pass)
{
    const float kappa = medulla->radius;
    const float inside = kappa * kappa - pass->h * pass->h;
    const float core = inside > 0.0f ? 2.0f * sqrtf(inside) / pass->cos_theta : 0.0f;
    const float whole = 2.0f * pass->cos_gamma / pass->cos_theta;
    const float tau = medulla->scattering * core;
    const float unscattered = coif_fast_exp(-tau);
    const float scatterings = tau > 1e-3f ? tau / (1.0f - unscattered) : 1.0f;
    const float longitudinal_mean = coif_fast_exp(scatterings * medulla->log_anisotropy);
    const float t = (1.0f - medulla->anisotropy) * tau;
    const float offset = inside > 0.0f ? pass->h / kappa : 1.0f;
    const float backscattering =
        0.8f * t * t / (t * t + 4.0f * t + 20.0f) * (1.0f - 0.5f * offset * offset);
    return (medulla_pass){
        .cortex = coif_max(whole - core, 0.0f),
        .core = core,
        .unscattered = unscattered,
        .longitudinal_mean = longitudinal_mean,
        .azimuthal_mean = coif_clamp((longitudinal_mean - backscattering) * medulla->blur,
                                     -MAX_MEAN_COSINE, MAX_MEAN_COSINE),
    };
}

// A_p of one colour channel: R, TT, TRT and residual, and in scattered TTs and TRTs.
static coif_lanes attenuation(float *scattered, float reflected, float absorbed, float unscattered)
{
    const float entered = 1.0f - reflected;
    const float pass = unscattered * absorbed;
    const float reflected_inside = pass * reflected;
    const float series = 1.0f / coif_max(1.0f - reflected_inside, 1e-6f);
    const float tt = entered * entered * pass;
    scattered[0] = entered * (1.0f - unscattered) * absorbed;
    scattered[1] = scattered[0] * reflected_inside * series;
    return (coif_lanes){reflected, tt, tt * reflected_inside,
                        tt * reflected_inside * reflected_inside * series};
}

// The concentration of a von Mises-Fisher lobe with that mean cosine (Banerjee et al. 2005).
static float concentration(float mean)
{
    const float square = coif_min(mean * mean, 0.9999f);
    return coif_max(mean * (3.0f - square) / (1.0f - square), MIN_CONCENTRATION);
}

void coif_fur_bsdf_init(coif_hair_bsdf *bsdf, const coif_fur_refraction *pass, coif_vec3 absorption)
{
    const coif_medulla *medulla = &bsdf->lobes->medulla;
    coif_hair_scattered *scattered = &bsdf->scattered;
    const medulla_pass core = pass_medulla(medulla, pass);
    // Reflectance of a stack of layers, interreflections included.
    const float layers = medulla->layers;
    const float reflected =
        coif_min(layers * pass->reflected / (1.0f + (layers - 1.0f) * pass->reflected), 1.0f);
    const float minus_path_length = -(core.cortex + medulla->pigment * core.core);
    const coif_lanes absorbed = coif_lanes_exp(
        (coif_lanes){minus_path_length * absorption.x, minus_path_length * absorption.y,
                     minus_path_length * absorption.z, 0.0f});
    float red[2], green[2], blue[2];
    coif_lanes a = attenuation(red, reflected, absorbed[0], core.unscattered);
    coif_lanes b = attenuation(green, reflected, absorbed[1], core.unscattered);
    coif_lanes c = attenuation(blue, reflected, absorbed[2], core.unscattered);

    coif_vec3 medulla_gain = {1.0f, 1.0f, 1.0f};
    if (bsdf->lobes->weighted) {
        const coif_lanes *gain = bsdf->lobes->gain;
        a *= (coif_lanes){gain[0][0], gain[1][0], gain[2][0], gain[3][0]};
        b *= (coif_lanes){gain[0][1], gain[1][1], gain[2][1], gain[3][1]};
        c *= (coif_lanes){gain[0][2], gain[1][2], gain[2][2], gain[3][2]};
        medulla_gain = (coif_vec3){gain[3][0], gain[3][1], gain[3][2]};
    }
    const coif_lanes sums = a + b + c;
    float sum = coif_lanes_sum(sums);
    for (int i = 0; i < 2; ++i) {
        scattered->color[i] = coif_mul((coif_vec3){red[i], green[i], blue[i]}, medulla_gain);
        scattered->weight[i] =
            scattered->color[i].x + scattered->color[i].y + scattered->color[i].z;
        sum += scattered->weight[i];
        scattered->mean_cosine[i] = core.azimuthal_mean;
        coif_fast_sincos_turns(bsdf->center[i + 1] * (1.0f / COIF_TWO_PI),
                               &scattered->center_sin[i], &scattered->center_cos[i]);
    }
    const float inverse_sum = sum > 0.0f ? 1.0f / sum : 0.0f;
    const coif_lanes probability =
        sum > 0.0f ? sums * inverse_sum : (coif_lanes){1.0f, 0.0f, 0.0f, 0.0f};
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        bsdf->lobe[p] = (coif_lanes){a[p], b[p], c[p], probability[p]};
    }
    scattered->weight[0] *= inverse_sum;
    scattered->weight[1] *= inverse_sum;

    // No narrower than the unscattered TT lobe.
    const float inverse =
        coif_min(concentration(core.longitudinal_mean), bsdf->lobes->inverse_variance[1]);
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
    const float cos_phi = (wi.y * bsdf->phi_y + wi.z * bsdf->phi_z) * inverse;
    const float sin_phi = (wi.z * bsdf->phi_y - wi.y * bsdf->phi_z) * inverse;
    for (int i = 0; i < 2; ++i) {
        const float r = scattered->mean_cosine[i];
        const float one_minus_cos =
            1.0f - cos_phi * scattered->center_cos[i] - sin_phi * scattered->center_sin[i];
        const float n =
            (1.0f - r * r) / (COIF_TWO_PI * ((1.0f - r) * (1.0f - r) + 2.0f * r * one_minus_cos));
        *pdf += scattered->weight[i] * m * n;
        f = coif_mad(f, m * n, scattered->color[i]);
    }
    return f;
}

float coif_fur_bsdf_sample_phi(const coif_hair_bsdf *bsdf, int lobe, float u)
{
    const float r = bsdf->scattered.mean_cosine[lobe];
    float sine, cosine;
    coif_fast_sincos_turns(0.5f * (u - 0.5f), &sine, &cosine);
    const float angle = 2.0f * coif_fast_atan2((1.0f - r) * sine, (1.0f + r) * cosine);
    return (bsdf->center[lobe + 1] + angle) * (1.0f / COIF_TWO_PI);
}
