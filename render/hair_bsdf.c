#include "render/hair_bsdf.h"

#include "render/fur_bsdf.h"
#include "render/hair_lobe.h"

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

// N_p: a logistic around the direction of a smooth fibre, cut off at +-pi; the rest is even.
static coif_lanes azimuthal(const coif_hair_bsdf *bsdf, float dphi)
{
    coif_lanes x = dphi - bsdf->centre;
    const coif_lanes turns = (x * (1.0f / COIF_TWO_PI) + COIF_ROUNDING_MAGIC) - COIF_ROUNDING_MAGIC;
    x = coif_lanes_abs(x - turns * COIF_TWO_PI);
    const coif_lanes e = coif_lanes_exp(-x * bsdf->lobes->inverse_scale);
    coif_lanes n = e * bsdf->lobes->n_norm / ((1.0f + e) * (1.0f + e));
    n[3] = 1.0f / COIF_TWO_PI;
    return n;
}

coif_hair_lobes coif_hair_lobes_of(const coif_hair *hair)
{
    // Roughness to variance: the fits of Chiang et al. 2016, section 4.
    const float m = hair->beta_m, n = hair->beta_n;
    const float v = coif_max(square(0.726f * m + 0.812f * m * m + 3.7f * power(m, 20)), 1e-6f);
    const float s =
        coif_max(0.626657069f * (0.265f * n + 1.194f * n * n + 5.372f * power(n, 22)), 1e-4f);
    const float variances[4] = {v, 0.25f * v, 4.0f * v, 4.0f * v};
    const float tilts[4] = {-2.0f, 1.0f, 4.0f, 0.0f};

    coif_hair_lobes lobes = {
        .eta = hair->eta, .inverse_scale = 1.0f / s, .medulla = coif_medulla_of(hair, s)};
    for (int p = 0; p < 4; ++p) {
        const float inverse = 1.0f / variances[p];
        lobes.inverse_variance[p] = inverse;
        lobes.m_norm[p] = inverse / (1.0f - coif_fast_exp(-2.0f * inverse));
        float sine, cosine;
        coif_fast_turn(tilts[p] * hair->alpha / COIF_TWO_PI, &sine, &cosine);
        lobes.tilt_sin[p] = sine;
        lobes.tilt_cos[p] = cosine;
    }
    lobes.logistic_low = 1.0f / (1.0f + coif_fast_exp(COIF_PI / s));
    lobes.n_norm = 1.0f / (s * (1.0f - 2.0f * lobes.logistic_low));
    return lobes;
}

// Unpolarised reflectance of a smooth dielectric from outside.
static float fresnel(float cos_i, float eta)
{
    // The floors keep 0 / 0 away where an index of 1 meets a grazing ray.
    cos_i = coif_max(cos_i, 1e-6f);
    const float cos_t = sqrtf(coif_max(1.0f - (1.0f - cos_i * cos_i) / (eta * eta), 1e-12f));
    const float parallel = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
    const float crossed = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
    return 0.5f * (parallel * parallel + crossed * crossed);
}

// A_p of one colour channel: R, TT, TRT, and the geometric series of all further inner reflections.
static coif_lanes attenuation(float reflected, float transmitted)
{
    const float through = square(1.0f - reflected) * transmitted;
    const float once = through * transmitted * reflected;
    const float inner = transmitted * reflected;
    const float rest = inner < 1.0f ? once * inner / (1.0f - inner) : 0.0f;
    return (coif_lanes){reflected, through, once, rest};
}

coif_hair_bsdf coif_hair_bsdf_at(const coif_hair_lobes *lobes, coif_vec3 absorption, float h,
                                 coif_vec3 wo)
{
    coif_hair_bsdf bsdf; // its scattered part is only for fur
    bsdf.lobes = lobes;
    h = coif_clamp(h, -1.0f, 1.0f);
    const float sin_o = coif_clamp(wo.x, -1.0f, 1.0f);
    const float cos_o = sqrtf(wo.y * wo.y + wo.z * wo.z);
    // Exactly along the fibre any direction across it will do.
    bsdf.across_y = cos_o > 0.0f ? wo.y / cos_o : 1.0f;
    bsdf.across_z = cos_o > 0.0f ? wo.z / cos_o : 0.0f;

    bsdf.sin_o = sin_o * lobes->tilt_cos + cos_o * lobes->tilt_sin;
    bsdf.cos_o = coif_lanes_abs(cos_o * lobes->tilt_cos - sin_o * lobes->tilt_sin);

    // Across the fibre the refraction is that of a flat circle with the modified index eta'.
    const float eta = lobes->eta;
    const float cos_gamma_o = sqrtf(coif_max(1.0f - h * h, 0.0f));
    const float h_t = h * cos_o / sqrtf(coif_max(eta * eta - sin_o * sin_o, 1e-6f));
    const float cos_gamma_t = sqrtf(coif_max(1.0f - h_t * h_t, 0.0f));
    const float cos_theta_t = sqrtf(coif_max(1.0f - square(sin_o / eta), 1e-6f));
    const float gamma_o = coif_fast_atan2(h, cos_gamma_o);
    const float gamma_t = coif_fast_atan2(h_t, cos_gamma_t);
    for (int p = 0; p < 3; ++p) {
        bsdf.centre[p] = 2.0f * (float)p * gamma_t - 2.0f * gamma_o + (float)p * COIF_PI;
    }
    bsdf.centre[3] = 0.0f;

    const float reflected = fresnel(cos_o * cos_gamma_o, eta);
    if (lobes->medulla.radius > 0.0f) {
        const coif_fur_pass pass = {h_t, cos_gamma_t, cos_theta_t, reflected};
        coif_fur_fill(&bsdf, &pass, absorption);
        return bsdf;
    }
    const float path = -2.0f * cos_gamma_t / cos_theta_t;
    const coif_lanes transmitted = coif_lanes_exp(
        (coif_lanes){path * absorption.x, path * absorption.y, path * absorption.z, 0.0f});
    bsdf.red = attenuation(reflected, transmitted[0]);
    bsdf.green = attenuation(reflected, transmitted[1]);
    bsdf.blue = attenuation(reflected, transmitted[2]);
    const coif_lanes all = bsdf.red + bsdf.green + bsdf.blue;
    const float sum = coif_lanes_sum(all);
    bsdf.weight = sum > 0.0f ? all / sum : (coif_lanes){1.0f, 0.0f, 0.0f, 0.0f};
    return bsdf;
}

// M_p N_p of every lobe.
static coif_lanes shapes_of(const coif_hair_bsdf *bsdf, coif_vec3 wi)
{
    const float sin_i = wi.x;
    const float cos_i = sqrtf(wi.y * wi.y + wi.z * wi.z);
    const float dphi = coif_fast_atan2(wi.z * bsdf->across_y - wi.y * bsdf->across_z,
                                       wi.y * bsdf->across_y + wi.z * bsdf->across_z);
    const coif_hair_cone cone = {bsdf->sin_o, bsdf->cos_o, bsdf->lobes->inverse_variance,
                                 bsdf->lobes->m_norm};
    return coif_hair_longitudinal(&cone, coif_lanes_all(sin_i), coif_lanes_all(cos_i)) *
           azimuthal(bsdf, dphi);
}

void coif_hair_bsdf_lobes(const coif_hair_bsdf *bsdf, coif_vec3 wi,
                          coif_vec3 lobes[COIF_HAIR_LOBES])
{
    const coif_lanes mn = shapes_of(bsdf, wi);
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        lobes[p] = (coif_vec3){bsdf->red[p] * mn[p], bsdf->green[p] * mn[p], bsdf->blue[p] * mn[p]};
    }
    if (bsdf->lobes->medulla.radius > 0.0f) {
        float pdf = 0.0f;
        lobes[3] = coif_fur_add(bsdf, lobes[3], wi, &pdf);
    }
}

coif_vec3 coif_hair_bsdf_eval(const coif_hair_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const coif_lanes mn = shapes_of(bsdf, wi);
    *pdf = coif_lanes_sum(bsdf->weight * mn);
    const coif_vec3 f = {coif_lanes_sum(bsdf->red * mn), coif_lanes_sum(bsdf->green * mn),
                         coif_lanes_sum(bsdf->blue * mn)};
    return bsdf->lobes->medulla.radius > 0.0f ? coif_fur_add(bsdf, f, wi, pdf) : f;
}

// Inverts the cumulative logistic between -pi and pi.
static float sample_logistic(const coif_hair_lobes *lobes, float u)
{
    const float low = lobes->logistic_low;
    const float c = low + u * (1.0f - 2.0f * low);
    const float x = coif_fast_log(c / coif_max(1.0f - c, 1e-30f)) / lobes->inverse_scale;
    return coif_clamp(x, -COIF_PI, COIF_PI);
}

// A von Mises-Fisher lobe around the mirrored theta_o (d'Eon et al. 2013): the sine of theta_i.
static float sample_cone(float inverse_variance, float sin_o, float cos_o, coif_vec2 v)
{
    const float tail = coif_fast_exp(-2.0f * inverse_variance);
    const float lift = -coif_fast_log(v.x + (1.0f - v.x) * tail) / inverse_variance;
    const float sine = sqrtf(coif_max(lift * (2.0f - lift), 0.0f)); // lift is 1 - cos(theta)
    float ring_sin, ring_cos;
    coif_fast_turn(v.y, &ring_sin, &ring_cos);
    return coif_clamp((lift - 1.0f) * sin_o + sine * ring_cos * cos_o, -1.0f, 1.0f);
}

coif_vec3 coif_hair_bsdf_sample(const coif_hair_bsdf *bsdf, float u, coif_vec2 v)
{
    const coif_hair_lobes *lobes = bsdf->lobes;
    const int scattered = lobes->medulla.radius > 0.0f ? 2 : 0;
    const int last = 3 + scattered;
    int p = 0;
    float weight = bsdf->weight[0];
    while (p < last && u >= weight) {
        u -= weight;
        ++p;
        weight = p < 4 ? bsdf->weight[p] : bsdf->scattered.weight[p - 4];
    }
    // What is left of u is as even as u was.
    u = coif_min(u / coif_max(weight, 1e-30f), 0.99999994f);

    const int cone = p < 4 ? p : 3; // scattered light knows no tilt, as the rest
    const float inverse_variance =
        p < 4 ? lobes->inverse_variance[p] : bsdf->scattered.inverse_variance;
    const float sin_i = sample_cone(inverse_variance, bsdf->sin_o[cone], bsdf->cos_o[cone], v);
    const float cos_i = sqrtf(coif_max(1.0f - sin_i * sin_i, 0.0f));

    const float turn = p < 3 ? (bsdf->centre[p] + sample_logistic(lobes, u)) * (1.0f / COIF_TWO_PI)
                       : p == 3 ? u
                                : coif_fur_turn(bsdf, p - 4, u);
    float sin_phi, cos_phi;
    coif_fast_turn(turn, &sin_phi, &cos_phi);
    return (coif_vec3){sin_i, cos_i * (cos_phi * bsdf->across_y - sin_phi * bsdf->across_z),
                       cos_i * (cos_phi * bsdf->across_z + sin_phi * bsdf->across_y)};
}
