#include "render/hair_bsdf.h"

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

// exp(-x) I0(x) = i0_scaled, split into a factor and an exponent so that the caller takes one
// exponential for everything. Polynomials of Abramowitz and Stegun 9.8.1 and 9.8.2; their error
// stays below 2e-7, the precision of a float.
static coif_lanes i0_factor(coif_lanes x, coif_lanes *exponent)
{
    const coif_lanes_int near = x < 3.75f;
    const coif_lanes t = square(1.0f / 3.75f) * x * x;
    coif_lanes a = t * 0.0045813f + 0.0360768f;
    a = a * t + 0.2659732f;
    a = a * t + 1.2067492f;
    a = a * t + 3.0899424f;
    a = a * t + 3.5156229f;
    a = a * t + 1.0f;

    const coif_lanes far = coif_lanes_max(x, coif_lanes_all(3.75f));
    const coif_lanes s = 3.75f / far;
    coif_lanes b = s * 0.00392377f - 0.01647633f;
    b = b * s + 0.02635537f;
    b = b * s - 0.02057706f;
    b = b * s + 0.00916281f;
    b = b * s - 0.00157565f;
    b = b * s + 0.00225319f;
    b = b * s + 0.01328592f;
    b = b * s + 0.39894228f;

    *exponent = coif_lanes_select(near, -x, coif_lanes_all(0.0f));
    return coif_lanes_select(near, a, b / coif_lanes_sqrt(far));
}

// M_p of d'Eon et al. 2011, for which the lobe is normalised over the sphere:
//
//   M = exp(-sin_i sin_o / v) I0(cos_i cos_o / v) / (2 v sinh(1 / v))
//
// With I0(a) = exp(a) i0_scaled(a) the exponents join to -(1 - cos_i cos_o + sin_i sin_o) / v, and
// that difference is written as a sum of squares: nothing cancels, however small v is.
static coif_lanes longitudinal(const coif_hair_bsdf *bsdf, float sin_i, float cos_i)
{
    const coif_lanes inverse_v = bsdf->lobes->inverse_variance;
    const coif_lanes c = bsdf->cos_o - cos_i;
    const coif_lanes s = bsdf->sin_o + sin_i;
    const coif_lanes distance = 0.5f * (c * c + s * s);
    coif_lanes exponent;
    const coif_lanes factor = i0_factor(bsdf->cos_o * cos_i * inverse_v, &exponent);
    return coif_lanes_exp(exponent - distance * inverse_v) * factor * bsdf->lobes->m_norm;
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

    coif_hair_lobes lobes = {.eta = hair->eta, .inverse_scale = 1.0f / s};
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
    coif_hair_bsdf bsdf = {.lobes = lobes};
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

    const float reflected = fresnel(cos_o * cos_gamma_o, eta);
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
    return longitudinal(bsdf, sin_i, cos_i) * azimuthal(bsdf, dphi);
}

void coif_hair_bsdf_lobes(const coif_hair_bsdf *bsdf, coif_vec3 wi,
                          coif_vec3 lobes[COIF_HAIR_LOBES])
{
    const coif_lanes mn = shapes_of(bsdf, wi);
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        lobes[p] = (coif_vec3){bsdf->red[p] * mn[p], bsdf->green[p] * mn[p], bsdf->blue[p] * mn[p]};
    }
}

coif_vec3 coif_hair_bsdf_eval(const coif_hair_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const coif_lanes mn = shapes_of(bsdf, wi);
    *pdf = coif_lanes_sum(bsdf->weight * mn);
    return (coif_vec3){coif_lanes_sum(bsdf->red * mn), coif_lanes_sum(bsdf->green * mn),
                       coif_lanes_sum(bsdf->blue * mn)};
}

// Inverts the cumulative logistic between -pi and pi.
static float sample_logistic(const coif_hair_lobes *lobes, float u)
{
    const float low = lobes->logistic_low;
    const float c = low + u * (1.0f - 2.0f * low);
    const float x = coif_fast_log(c / coif_max(1.0f - c, 1e-30f)) / lobes->inverse_scale;
    return coif_clamp(x, -COIF_PI, COIF_PI);
}

coif_vec3 coif_hair_bsdf_sample(const coif_hair_bsdf *bsdf, float u, coif_vec2 v)
{
    int p = 0;
    while (p < 3 && u >= bsdf->weight[p]) {
        u -= bsdf->weight[p];
        ++p;
    }
    // What is left of u is as even as u was.
    u = coif_min(u / coif_max(bsdf->weight[p], 1e-30f), 0.99999994f);

    // A von Mises-Fisher lobe around the mirrored, tilted theta_o (d'Eon et al. 2013).
    const float variance = 1.0f / bsdf->lobes->inverse_variance[p];
    const float tail = coif_fast_exp(-2.0f * bsdf->lobes->inverse_variance[p]);
    const float lift = -variance * coif_fast_log(v.x + (1.0f - v.x) * tail); // 1 - cos(theta)
    const float sine = sqrtf(coif_max(lift * (2.0f - lift), 0.0f));
    float ring_sin, ring_cos;
    coif_fast_turn(v.y, &ring_sin, &ring_cos);
    const float sin_i =
        coif_clamp((lift - 1.0f) * bsdf->sin_o[p] + sine * ring_cos * bsdf->cos_o[p], -1.0f, 1.0f);
    const float cos_i = sqrtf(coif_max(1.0f - sin_i * sin_i, 0.0f));

    const float turn =
        p < 3 ? (bsdf->centre[p] + sample_logistic(bsdf->lobes, u)) * (1.0f / COIF_TWO_PI) : u;
    float sin_phi, cos_phi;
    coif_fast_turn(turn, &sin_phi, &cos_phi);
    return (coif_vec3){sin_i, cos_i * (cos_phi * bsdf->across_y - sin_phi * bsdf->across_z),
                       cos_i * (cos_phi * bsdf->across_z + sin_phi * bsdf->across_y)};
}
