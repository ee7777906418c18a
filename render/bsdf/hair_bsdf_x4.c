#include "render/bsdf/hair_bsdf_x4.h"

#include "render/bsdf/hair_bsdf_internal.h"

// What each try's lobes are like; all the same where rays met the fibre in one place.
typedef struct across {
    coif_lanes centre[3]; // of N_p; the rest is even
    coif_lanes red[COIF_HAIR_LOBES], green[COIF_HAIR_LOBES], blue[COIF_HAIR_LOBES]; // A_p
    coif_lanes weight[COIF_HAIR_LOBES]; // chance of choosing the lobe
} across;

static coif_lanes square(coif_lanes x)
{
    return x * x;
}

static coif_lanes root(coif_lanes x, float least)
{
    return coif_lanes_sqrt(coif_lanes_max(x, coif_lanes_splat(least)));
}

// As in hair_bsdf.c.
static coif_lanes fresnel(coif_lanes cos_i, const coif_hair_lobes *lobes)
{
    cos_i = coif_lanes_max(cos_i, coif_lanes_splat(1e-6f));
    const float eta = lobes->eta;
    const coif_lanes sin_t2 = (1.0f - cos_i * cos_i) * (lobes->inverse_eta * lobes->inverse_eta);
    const coif_lanes cos_t = root(1.0f - sin_t2, 1e-12f);
    const coif_lanes parallel = eta * cos_i + cos_t, crossed = cos_i + eta * cos_t;
    const coif_lanes a = (eta * cos_i - cos_t) * crossed, b = (cos_i - eta * cos_t) * parallel;
    return 0.5f * (a * a + b * b) / square(parallel * crossed);
}

// A_p of one colour channel for R, TT, TRT and all the rest.
static void attenuate(coif_lanes a[COIF_HAIR_LOBES], coif_lanes reflected, coif_lanes transmitted)
{
    const coif_lanes inner = transmitted * reflected;
    a[0] = reflected;
    a[1] = square(1.0f - reflected) * transmitted;
    a[2] = a[1] * inner;
    const coif_lanes rest = a[2] * inner / (1.0f - inner);
    a[3] = coif_lanes_select(inner < 1.0f, rest, coif_lanes_splat(0.0f));
}

static void pass_apart(across *way, const coif_hair_bsdf *bsdf, const coif_hair_query_x4 *tries)
{
    const coif_lanes h = tries->h, h_t = h * bsdf->bend;
    const coif_lanes cos_gamma_o = root(1.0f - h * h, 0.0f);
    const coif_lanes cos_gamma_t = root(1.0f - h_t * h_t, 0.0f);
    const coif_lanes gamma_o = coif_lanes_atan2(h, cos_gamma_o);
    const coif_lanes gamma_t = coif_lanes_atan2(h_t, cos_gamma_t);
    for (int p = 0; p < 3; ++p) {
        const float turn = (float)p;
        way->centre[p] = 2.0f * turn * gamma_t - 2.0f * gamma_o + turn * COIF_PI;
    }
    const coif_lanes reflected = fresnel(bsdf->cosine * cos_gamma_o, bsdf->lobes);
    const coif_lanes path = (-2.0f * bsdf->stretch) * cos_gamma_t;
    attenuate(way->red, reflected, coif_lanes_exp(path * tries->absorption.x));
    attenuate(way->green, reflected, coif_lanes_exp(path * tries->absorption.y));
    attenuate(way->blue, reflected, coif_lanes_exp(path * tries->absorption.z));
    coif_lanes all = coif_lanes_splat(0.0f);
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        way->weight[p] = way->red[p] + way->green[p] + way->blue[p];
        all += way->weight[p];
    }
    const coif_lanes share = 1.0f / all; // reflection is never 0, so all is not
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        way->weight[p] *= share;
    }
}

static void pass_together(across *way, const coif_hair_bsdf *bsdf)
{
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        way->red[p] = coif_lanes_splat(bsdf->lobe[p][0]);
        way->green[p] = coif_lanes_splat(bsdf->lobe[p][1]);
        way->blue[p] = coif_lanes_splat(bsdf->lobe[p][2]);
        way->weight[p] = coif_lanes_splat(bsdf->lobe[p][3]);
        if (p < 3) {
            way->centre[p] = coif_lanes_splat(bsdf->centre[p]);
        }
    }
}

// Turned into [0, pi], and through the logistic.
static coif_lanes azimuthal(coif_lanes x, const coif_hair_lobes *lobes)
{
    const coif_lanes turns = (x * (1.0f / COIF_TWO_PI) + COIF_ROUNDING_MAGIC) - COIF_ROUNDING_MAGIC;
    x = coif_lanes_abs(x - turns * COIF_TWO_PI);
    const coif_lanes e = coif_lanes_exp(-x * lobes->inverse_scale);
    return e * lobes->n_norm / ((1.0f + e) * (1.0f + e));
}

static coif_bsdf_values_x4 gather(const coif_hair_bsdf *bsdf, const coif_hair_query_x4 *tries,
                                  const across *way)
{
    const coif_hair_lobes *lobes = bsdf->lobes;
    const coif_lanes cos_i = coif_lanes_sqrt(tries->y * tries->y + tries->z * tries->z);
    const coif_lanes dphi = coif_lanes_atan2(tries->z, tries->y);
    coif_bsdf_values_x4 sum = {0};
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        const coif_hair_cone cone = {
            .sin_o = coif_lanes_splat(bsdf->sin_o[p]),
            .cos_o = coif_lanes_splat(bsdf->cos_o[p]),
            .inverse_v = coif_lanes_splat(lobes->inverse_variance[p]),
            .norm = coif_lanes_splat(lobes->m_norm[p]),
        };
        const coif_lanes n =
            p < 3 ? azimuthal(dphi - way->centre[p], lobes) : coif_lanes_splat(1.0f / COIF_TWO_PI);
        const coif_lanes mn = coif_hair_longitudinal(&cone, tries->x, cos_i) * n;
        sum.red += way->red[p] * mn;
        sum.green += way->green[p] * mn;
        sum.blue += way->blue[p] * mn;
        sum.pdf += way->weight[p] * mn;
    }
    return sum;
}

coif_bsdf_values_x4 coif_hair_bsdf_eval_x4(const coif_hair_bsdf *bsdf,
                                           const coif_hair_query_x4 *tries)
{
    across way;
    pass_together(&way, bsdf);
    return gather(bsdf, tries, &way);
}

coif_bsdf_values_x4 coif_hair_bsdf_eval_x4_random_h(const coif_hair_bsdf *bsdf,
                                                    const coif_hair_query_x4 *tries)
{
    across way;
    pass_apart(&way, bsdf, tries);
    return gather(bsdf, tries, &way);
}
