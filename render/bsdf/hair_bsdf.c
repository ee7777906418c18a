#include "render/bsdf/hair_bsdf.h"

#include "render/bsdf/ellipse_bsdf.h"
#include "render/bsdf/fur_bsdf.h"

static float square(float x)
{
    return x * x;
}

static float power(float x, int n)
{
    float result = 1.0f;
    for (; n > 0; --n) {
        result *= x;
    }
    return result;
}

// N_p of all lobes; that of the residual is uniform.
static coif_lanes azimuthal(const coif_hair_bsdf *bsdf, float dphi)
{
    coif_lanes n = coif_hair_azimuthal(bsdf->lobes, dphi - bsdf->center);
    n[3] = 1.0f / COIF_TWO_PI;
    return n;
}

coif_hair_lobes coif_hair_lobes_of(const coif_hair_bsdf_params *hair)
{
    // Roughness to variance v and logistic scale s: fits of Chiang et al. 2016, section 4.
    const float m = hair->beta_m, n = hair->beta_n;
    const float v = coif_max(square(0.726f * m + 0.812f * m * m + 3.7f * power(m, 20)), 1e-6f);
    const float s =
        coif_max(0.626657069f * (0.265f * n + 1.194f * n * n + 5.372f * power(n, 22)), 1e-4f);
    const float variances[4] = {v, 0.25f * v, 4.0f * v, 4.0f * v};
    const float tilts[4] = {-2.0f, 1.0f, 4.0f, 0.0f};

    coif_hair_lobes lobes = {.eta = hair->eta,
                             .inverse_eta = 1.0f / hair->eta,
                             .scale = s,
                             .inverse_scale = 1.0f / s,
                             .medulla = coif_medulla_of(hair, s),
                             .weighted = hair->weighted};
    for (int p = 0; p < 4; ++p) {
        const float inverse = 1.0f / variances[p];
        lobes.variance[p] = variances[p];
        lobes.inverse_variance[p] = inverse;
        lobes.exp_m2_over_v[p] = coif_fast_exp(-2.0f * inverse);
        lobes.m_norm[p] = inverse / (1.0f - lobes.exp_m2_over_v[p]);
        float sine, cosine;
        coif_fast_sincos_turns(tilts[p] * hair->alpha / COIF_TWO_PI, &sine, &cosine);
        lobes.tilt_sin[p] = sine;
        lobes.tilt_cos[p] = cosine;
    }
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        lobes.gain[p] = (coif_lanes){hair->gain[p].x, hair->gain[p].y, hair->gain[p].z, 0.0f};
    }
    lobes.logistic_low = 1.0f / (1.0f + coif_fast_exp(COIF_PI / s));
    lobes.n_norm = 1.0f / (s * (1.0f - 2.0f * lobes.logistic_low));
    return lobes;
}

// A_p with colours as lanes: R, TT, TRT, and the geometric series of all further reflections.
static void attenuate(coif_hair_bsdf *bsdf, float reflected, coif_lanes transmitted)
{
    const coif_lanes tt = square(1.0f - reflected) * transmitted;
    const coif_lanes inner = transmitted * reflected;
    const coif_lanes trt = tt * inner;
    const coif_lanes residual = trt * inner / (1.0f - inner);
    bsdf->lobe[0] = coif_lanes_splat(reflected);
    bsdf->lobe[1] = tt;
    bsdf->lobe[2] = trt;
    bsdf->lobe[3] = coif_lanes_select(inner < 1.0f, residual, coif_lanes_splat(0.0f));
}

// Gains, and sampling probabilities proportional to the attenuation summed over colours.
static void weight_lobes(coif_hair_bsdf *bsdf)
{
    for (int p = 0; p < COIF_HAIR_LOBES && bsdf->lobes->weighted; ++p) {
        bsdf->lobe[p] *= bsdf->lobes->gain[p];
    }
    coif_lanes sums;
    for (int p = 0; p < 4; ++p) {
        sums[p] = (bsdf->lobe[p][0] + bsdf->lobe[p][1]) + bsdf->lobe[p][2];
    }
    const float sum = coif_lanes_sum(sums);
    sums = sum > 0.0f ? sums * (1.0f / sum) : (coif_lanes){1.0f, 0.0f, 0.0f, 0.0f};
    for (int p = 0; p < 4; ++p) {
        bsdf->lobe[p][3] = sums[p];
    }
}

// Everything but the azimuth of wo. Section: NULL for a round fibre.
static inline void fill(coif_hair_bsdf *bsdf, const coif_hair_lobes *lobes, coif_vec3 absorption,
                        float h, float sin_o, float cos_o, const coif_ellipse *section)
{
    bsdf->lobes = lobes;
    bsdf->sin_o = sin_o * lobes->tilt_cos + cos_o * lobes->tilt_sin;
    bsdf->cos_o = coif_lanes_abs(cos_o * lobes->tilt_cos - sin_o * lobes->tilt_sin);

    // In the cross section, refraction follows the modified index of refraction eta'.
    const float sin_theta_t = sin_o * lobes->inverse_eta;
    const float cos_theta_t = sqrtf(coif_max(1.0f - square(sin_theta_t), 1e-6f));
    const float inverse_cos = 1.0f / cos_theta_t;
    const float cos_gamma_o = sqrtf(coif_max(1.0f - h * h, 0.0f));
    bsdf->cosine = cos_o;
    bsdf->path_length_scale = inverse_cos;
    bsdf->h_refraction_scale = cos_o * lobes->inverse_eta * inverse_cos;
    if (section != NULL) {
        coif_ellipse_bsdf_init(bsdf, section, absorption, h);
        weight_lobes(bsdf);
        return;
    }
    const float h_t = h * bsdf->h_refraction_scale;
    const float cos_gamma_t = sqrtf(coif_max(1.0f - h_t * h_t, 0.0f));
    const coif_lanes gamma = coif_lanes_atan2((coif_lanes){h, h_t, 0.0f, 0.0f},
                                              (coif_lanes){cos_gamma_o, cos_gamma_t, 1.0f, 1.0f});
    bsdf->center = gamma[1] * (coif_lanes){0.0f, 2.0f, 4.0f, 0.0f} -
                   gamma[0] * (coif_lanes){2.0f, 2.0f, 2.0f, 0.0f} +
                   (coif_lanes){0.0f, COIF_PI, COIF_TWO_PI, 0.0f};

    const float reflected = coif_hair_fresnel(cos_o * cos_gamma_o, lobes);
    if (lobes->medulla.radius > 0.0f) {
        const coif_fur_refraction pass = {h_t, cos_gamma_t, cos_theta_t, reflected};
        coif_fur_bsdf_init(bsdf, &pass, absorption);
        return;
    }
    const float path = -2.0f * cos_gamma_t * inverse_cos;
    attenuate(bsdf, reflected,
              coif_lanes_exp(path * (coif_lanes){absorption.x, absorption.y, absorption.z, 0.0f}));
    weight_lobes(bsdf);
}

coif_hair_bsdf coif_hair_bsdf_at(const coif_hair_lobes *lobes, coif_vec3 absorption, float h,
                                 coif_vec3 wo)
{
    coif_hair_bsdf bsdf; // scattered is set for fur only
    const float cos_o = sqrtf(wo.y * wo.y + wo.z * wo.z);
    fill(&bsdf, lobes, absorption, coif_clamp(h, -1.0f, 1.0f), coif_clamp(wo.x, -1.0f, 1.0f), cos_o,
         NULL);
    // Exactly along the fibre the azimuth is arbitrary.
    bsdf.phi_y = cos_o > 0.0f ? wo.y / cos_o : 1.0f;
    bsdf.phi_z = cos_o > 0.0f ? wo.z / cos_o : 0.0f;
    return bsdf;
}

void coif_hair_bsdf_init_local(coif_hair_bsdf *bsdf, const coif_hair_lobes *lobes,
                               coif_vec3 absorption, float h, float sin_o)
{
    sin_o = coif_clamp(sin_o, -1.0f, 1.0f);
    fill(bsdf, lobes, absorption, h, sin_o, sqrtf(coif_max(1.0f - sin_o * sin_o, 0.0f)), NULL);
    bsdf->phi_y = 1.0f;
    bsdf->phi_z = 0.0f;
}

void coif_hair_bsdf_init_ellipse(coif_hair_bsdf *bsdf, const coif_hair_lobes *lobes,
                                 coif_vec3 absorption, float h, float sin_o,
                                 const coif_ellipse *section)
{
    sin_o = coif_clamp(sin_o, -1.0f, 1.0f);
    fill(bsdf, lobes, absorption, h, sin_o, sqrtf(coif_max(1.0f - sin_o * sin_o, 0.0f)), section);
    bsdf->phi_y = 1.0f;
    bsdf->phi_z = 0.0f;
}

// A direction by its angles: theta, and phi relative to that of wo.
typedef struct angles {
    float sin_i, cos_i, dphi;
} angles;

static angles angles_of(const coif_hair_bsdf *bsdf, coif_vec3 wi)
{
    return (angles){wi.x, sqrtf(wi.y * wi.y + wi.z * wi.z),
                    coif_fast_atan2(wi.z * bsdf->phi_y - wi.y * bsdf->phi_z,
                                    wi.y * bsdf->phi_y + wi.z * bsdf->phi_z)};
}

// M_p N_p of every lobe.
static coif_lanes lobe_shapes(const coif_hair_bsdf *bsdf, angles to)
{
    const coif_hair_cone cone = {bsdf->sin_o, bsdf->cos_o, bsdf->lobes->inverse_variance,
                                 bsdf->lobes->m_norm};
    return coif_hair_longitudinal(&cone, coif_lanes_splat(to.sin_i), coif_lanes_splat(to.cos_i)) *
           azimuthal(bsdf, to.dphi);
}

void coif_hair_bsdf_lobes(const coif_hair_bsdf *bsdf, coif_vec3 wi,
                          coif_vec3 lobes[COIF_HAIR_LOBES])
{
    const coif_lanes mn = lobe_shapes(bsdf, angles_of(bsdf, wi));
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        const coif_lanes value = bsdf->lobe[p] * mn[p];
        lobes[p] = (coif_vec3){value[0], value[1], value[2]};
    }
    if (bsdf->lobes->medulla.radius > 0.0f) {
        float pdf = 0.0f;
        lobes[3] = coif_fur_bsdf_add(bsdf, lobes[3], wi, &pdf);
    }
}

// Sum of the lobes: three colours, and the pdf.
static coif_lanes eval_lobes(const coif_hair_bsdf *bsdf, angles to)
{
    const coif_lanes mn = lobe_shapes(bsdf, to);
    return (bsdf->lobe[0] * mn[0] + bsdf->lobe[1] * mn[1]) +
           (bsdf->lobe[2] * mn[2] + bsdf->lobe[3] * mn[3]);
}

coif_vec3 coif_hair_bsdf_eval(const coif_hair_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const coif_lanes value = eval_lobes(bsdf, angles_of(bsdf, wi));
    const coif_vec3 f = {value[0], value[1], value[2]};
    *pdf = value[3];
    return bsdf->lobes->medulla.radius > 0.0f ? coif_fur_bsdf_add(bsdf, f, wi, pdf) : f;
}

// Inverts two CDFs with one vectorised logarithm: x of the trimmed logistic, and 1 - cos(theta) of
// the von Mises-Fisher lobe around the mirrored theta_o (d'Eon et al. 2013).
static void invert_cdfs(const coif_hair_lobes *lobes, float u, float *x, float v, int cone,
                        float *one_minus_cos)
{
    const float low = lobes->logistic_low;
    const float c = low + u * (1.0f - 2.0f * low);
    const coif_lanes logs = coif_lanes_log((coif_lanes){
        c / coif_max(1.0f - c, 1e-30f), v + (1.0f - v) * lobes->exp_m2_over_v[cone], 1.0f, 1.0f});
    *x = coif_clamp(logs[0] * lobes->scale, -COIF_PI, COIF_PI);
    *one_minus_cos = -logs[1] * lobes->variance[cone];
}

// 1 - cos(theta) of a medulla lobe, which has its own variance.
static float invert_scattered_cdf(float inverse_variance, float v)
{
    const float tail = coif_fast_exp(-2.0f * inverse_variance);
    return -coif_fast_log(v + (1.0f - v) * tail) / inverse_variance;
}

static angles sample_angles(const coif_hair_bsdf *bsdf, float u, coif_vec2 v, coif_vec3 *wi)
{
    const coif_hair_lobes *lobes = bsdf->lobes;
    const int scattered = lobes->medulla.radius > 0.0f ? 2 : 0;
    const int last = 3 + scattered;
    int p = 0;
    float weight = bsdf->lobe[0][3];
    while (p < last && u >= weight) {
        u -= weight;
        ++p;
        weight = p < 4 ? bsdf->lobe[p][3] : bsdf->scattered.weight[p - 4];
    }
    // The remainder of u is uniform again.
    u = coif_min(u / coif_max(weight, 1e-30f), 0.99999994f);

    const int cone = p < 4 ? p : 3; // medulla lobes have no tilt, as the residual lobe
    float x, one_minus_cos;
    invert_cdfs(lobes, u, &x, v.x, cone, &one_minus_cos);
    float turn = p == 3 ? u : (bsdf->center[cone] + x) * (1.0f / COIF_TWO_PI);
    if (p > 3) {
        one_minus_cos = invert_scattered_cdf(bsdf->scattered.inverse_variance, v.x);
        turn = coif_fur_bsdf_sample_phi(bsdf, p - 4, u);
    }
    coif_lanes sines, cosines; // around the lobe's axis, azimuth
    coif_lanes_sincos_turns((coif_lanes){v.y, turn, 0.0f, 0.0f}, &sines, &cosines);
    const float sine = sqrtf(coif_max(one_minus_cos * (2.0f - one_minus_cos), 0.0f));
    const float sin_i = coif_clamp((one_minus_cos - 1.0f) * bsdf->sin_o[cone] +
                                       sine * cosines[0] * bsdf->cos_o[cone],
                                   -1.0f, 1.0f);
    const float cos_i = sqrtf(coif_max(1.0f - sin_i * sin_i, 0.0f));
    *wi = (coif_vec3){sin_i, cos_i * (cosines[1] * bsdf->phi_y - sines[1] * bsdf->phi_z),
                      cos_i * (cosines[1] * bsdf->phi_z + sines[1] * bsdf->phi_y)};
    return (angles){sin_i, cos_i, turn * COIF_TWO_PI};
}

coif_vec3 coif_hair_bsdf_sample(const coif_hair_bsdf *bsdf, float u, coif_vec2 v)
{
    coif_vec3 wi;
    sample_angles(bsdf, u, v, &wi);
    return wi;
}

coif_vec3 coif_hair_bsdf_sample_eval(const coif_hair_bsdf *bsdf, float u, coif_vec2 v, coif_vec3 *f,
                                     float *pdf)
{
    coif_vec3 wi;
    const coif_lanes value = eval_lobes(bsdf, sample_angles(bsdf, u, v, &wi));
    *f = (coif_vec3){value[0], value[1], value[2]};
    *pdf = value[3];
    if (bsdf->lobes->medulla.radius > 0.0f) {
        *f = coif_fur_bsdf_add(bsdf, *f, wi, pdf);
    }
    return wi;
}
