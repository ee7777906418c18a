#include "render/bsdf/hair_bsdf_x4.h"

// Lobes per direction; all equal where h is common.
typedef struct lobes_x4 {
    coif_lanes center[3]; // of N_p; that of the residual is uniform
    coif_lanes red[COIF_HAIR_LOBES], green[COIF_HAIR_LOBES], blue[COIF_HAIR_LOBES]; // A_p
    coif_lanes weight[COIF_HAIR_LOBES]; // lobe sampling probability
} lobes_x4;

static coif_lanes square(coif_lanes x)
{
    return x * x;
}

static coif_lanes safe_sqrt(coif_lanes x, float minimum)
{
    return coif_lanes_sqrt(coif_lanes_max(x, coif_lanes_splat(minimum)));
}

// Unpolarised Fresnel reflectance, as in hair_lobes.h.
static coif_lanes fresnel(coif_lanes cos_i, const coif_hair_lobes *lobes)
{
    cos_i = coif_lanes_max(cos_i, coif_lanes_splat(1e-6f));
    const float eta = lobes->eta;
    const coif_lanes sin_t2 = (1.0f - cos_i * cos_i) * (lobes->inverse_eta * lobes->inverse_eta);
    const coif_lanes cos_t = safe_sqrt(1.0f - sin_t2, 1e-12f);
    const coif_lanes parallel = eta * cos_i + cos_t, crossed = cos_i + eta * cos_t;
    const coif_lanes a = (eta * cos_i - cos_t) * crossed, b = (cos_i - eta * cos_t) * parallel;
    return 0.5f * (a * a + b * b) / square(parallel * crossed);
}

// A_p of one colour channel for R, TT, TRT and residual.
static void attenuate(coif_lanes a[COIF_HAIR_LOBES], coif_lanes reflected, coif_lanes transmitted)
{
    const coif_lanes inner = transmitted * reflected;
    a[0] = reflected;
    a[1] = square(1.0f - reflected) * transmitted;
    a[2] = a[1] * inner;
    const coif_lanes rest = a[2] * inner / (1.0f - inner);
    a[3] = coif_lanes_select(inner < 1.0f, rest, coif_lanes_splat(0.0f));
}

static void lobes_at_query_h(lobes_x4 *lobes_at, const coif_hair_bsdf *bsdf,
                             const coif_hair_query_x4 *query)
{
    const coif_lanes h = query->h, h_t = h * bsdf->h_refraction_scale;
    const coif_lanes cos_gamma_o = safe_sqrt(1.0f - h * h, 0.0f);
    const coif_lanes cos_gamma_t = safe_sqrt(1.0f - h_t * h_t, 0.0f);
    const coif_lanes gamma_o = coif_lanes_atan2(h, cos_gamma_o);
    const coif_lanes gamma_t = coif_lanes_atan2(h_t, cos_gamma_t);
    for (int p = 0; p < 3; ++p) {
        const float turn = (float)p;
        lobes_at->center[p] = 2.0f * turn * gamma_t - 2.0f * gamma_o + turn * COIF_PI;
    }
    const coif_lanes reflected = fresnel(bsdf->cosine * cos_gamma_o, bsdf->lobes);
    const coif_lanes path = (-2.0f * bsdf->path_length_scale) * cos_gamma_t;
    attenuate(lobes_at->red, reflected, coif_lanes_exp(path * query->absorption.x));
    attenuate(lobes_at->green, reflected, coif_lanes_exp(path * query->absorption.y));
    attenuate(lobes_at->blue, reflected, coif_lanes_exp(path * query->absorption.z));
    for (int p = 0; p < COIF_HAIR_LOBES && bsdf->lobes->weighted; ++p) {
        const coif_lanes gain = bsdf->lobes->gain[p];
        lobes_at->red[p] *= gain[0];
        lobes_at->green[p] *= gain[1];
        lobes_at->blue[p] *= gain[2];
    }
    coif_lanes sum = coif_lanes_splat(0.0f);
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        lobes_at->weight[p] = lobes_at->red[p] + lobes_at->green[p] + lobes_at->blue[p];
        sum += lobes_at->weight[p];
    }
    const coif_lanes inverse_sum = 1.0f / coif_lanes_max(sum, coif_lanes_splat(1e-30f));
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        lobes_at->weight[p] *= inverse_sum;
    }
}

static void lobes_at_bsdf_h(lobes_x4 *lobes_at, const coif_hair_bsdf *bsdf)
{
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        lobes_at->red[p] = coif_lanes_splat(bsdf->lobe[p][0]);
        lobes_at->green[p] = coif_lanes_splat(bsdf->lobe[p][1]);
        lobes_at->blue[p] = coif_lanes_splat(bsdf->lobe[p][2]);
        lobes_at->weight[p] = coif_lanes_splat(bsdf->lobe[p][3]);
        if (p < 3) {
            lobes_at->center[p] = coif_lanes_splat(bsdf->center[p]);
        }
    }
}

static coif_bsdf_values_x4 sum_lobes(const coif_hair_bsdf *bsdf, const coif_hair_query_x4 *query,
                                     const lobes_x4 *lobes_at)
{
    const coif_hair_lobes *lobes = bsdf->lobes;
    const coif_lanes cos_i = coif_lanes_sqrt(query->y * query->y + query->z * query->z);
    const coif_lanes dphi = coif_lanes_atan2(query->z, query->y);
    coif_bsdf_values_x4 sum = {0};
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        const coif_hair_cone cone = {
            .sin_o = coif_lanes_splat(bsdf->sin_o[p]),
            .cos_o = coif_lanes_splat(bsdf->cos_o[p]),
            .inverse_v = coif_lanes_splat(lobes->inverse_variance[p]),
            .norm = coif_lanes_splat(lobes->m_norm[p]),
        };
        const coif_lanes n = p < 3 ? coif_hair_azimuthal(lobes, dphi - lobes_at->center[p])
                                   : coif_lanes_splat(1.0f / COIF_TWO_PI);
        const coif_lanes mn = coif_hair_longitudinal(&cone, query->x, cos_i) * n;
        sum.red += lobes_at->red[p] * mn;
        sum.green += lobes_at->green[p] * mn;
        sum.blue += lobes_at->blue[p] * mn;
        sum.pdf += lobes_at->weight[p] * mn;
    }
    return sum;
}

coif_bsdf_values_x4 coif_hair_bsdf_eval_x4(const coif_hair_bsdf *bsdf,
                                           const coif_hair_query_x4 *query)
{
    lobes_x4 lobes_at;
    lobes_at_bsdf_h(&lobes_at, bsdf);
    return sum_lobes(bsdf, query, &lobes_at);
}

coif_bsdf_values_x4 coif_hair_bsdf_eval_x4_random_h(const coif_hair_bsdf *bsdf,
                                                    const coif_hair_query_x4 *query)
{
    lobes_x4 lobes_at;
    lobes_at_query_h(&lobes_at, bsdf, query);
    return sum_lobes(bsdf, query, &lobes_at);
}
