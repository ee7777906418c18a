#include "render/hair_tries.h"

#include "render/hair_lobe.h"

// How each try's ray goes through the fibre; formulas as in hair_bsdf.c.
typedef struct passage {
    coif_lanes gamma_o, gamma_t;
    coif_lanes reflected;
    coif_lanes path; // through the fibre once, per radius, negative
} passage;

static coif_lanes square(coif_lanes x)
{
    return x * x;
}

static coif_lanes root(coif_lanes x, float least)
{
    return coif_lanes_sqrt(coif_lanes_max(x, coif_lanes_all(least)));
}

static coif_lanes fresnel(coif_lanes cos_i, float eta)
{
    cos_i = coif_lanes_max(cos_i, coif_lanes_all(1e-6f));
    const coif_lanes cos_t = root(1.0f - (1.0f - cos_i * cos_i) / (eta * eta), 1e-12f);
    const coif_lanes parallel = (eta * cos_i - cos_t) / (eta * cos_i + cos_t);
    const coif_lanes crossed = (cos_i - eta * cos_t) / (cos_i + eta * cos_t);
    return 0.5f * (parallel * parallel + crossed * crossed);
}

static passage pass_through(const coif_hair_tries *tries, float cos_o, float eta)
{
    const float sin_o = tries->sin_o;
    const coif_lanes h = tries->h;
    const coif_lanes cos_gamma_o = root(1.0f - h * h, 0.0f);
    const coif_lanes h_t = h * (cos_o / sqrtf(coif_max(eta * eta - sin_o * sin_o, 1e-6f)));
    const coif_lanes cos_gamma_t = root(1.0f - h_t * h_t, 0.0f);
    const float sin_theta_t = sin_o / eta;
    const float cos_theta_t = sqrtf(coif_max(1.0f - sin_theta_t * sin_theta_t, 1e-6f));
    return (passage){
        .gamma_o = coif_lanes_atan2(h, cos_gamma_o),
        .gamma_t = coif_lanes_atan2(h_t, cos_gamma_t),
        .reflected = fresnel(cos_o * cos_gamma_o, eta),
        .path = (-2.0f / cos_theta_t) * cos_gamma_t,
    };
}

// A_p of one colour channel for R, TT, TRT and all the rest.
static void attenuate(coif_lanes a[4], coif_lanes reflected, coif_lanes transmitted)
{
    const coif_lanes inner = transmitted * reflected;
    a[0] = reflected;
    a[1] = square(1.0f - reflected) * transmitted;
    a[2] = a[1] * inner;
    const coif_lanes rest = a[2] * inner / (1.0f - inner);
    a[3] = coif_lanes_select(inner < 1.0f, rest, coif_lanes_all(0.0f));
}

// Turned into [0, pi], and through the logistic.
static coif_lanes azimuthal(coif_lanes x, const coif_hair_lobes *lobes)
{
    const coif_lanes turns = (x * (1.0f / COIF_TWO_PI) + COIF_ROUNDING_MAGIC) - COIF_ROUNDING_MAGIC;
    x = coif_lanes_abs(x - turns * COIF_TWO_PI);
    const coif_lanes e = coif_lanes_exp(-x * lobes->inverse_scale);
    return e * lobes->n_norm / ((1.0f + e) * (1.0f + e));
}

coif_hair_values coif_hair_eval_tries(const coif_hair_lobes *lobes, const coif_hair_tries *tries)
{
    const float sin_o = coif_max(-1.0f, coif_min(tries->sin_o, 1.0f));
    const float cos_o = sqrtf(coif_max(1.0f - sin_o * sin_o, 0.0f));
    const passage way = pass_through(tries, cos_o, lobes->eta);
    coif_lanes red[4], green[4], blue[4];
    attenuate(red, way.reflected, coif_lanes_exp(way.path * tries->absorption.x));
    attenuate(green, way.reflected, coif_lanes_exp(way.path * tries->absorption.y));
    attenuate(blue, way.reflected, coif_lanes_exp(way.path * tries->absorption.z));

    const coif_lanes cos_i = coif_lanes_sqrt(tries->y * tries->y + tries->z * tries->z);
    const coif_lanes dphi = coif_lanes_atan2(tries->z, tries->y);
    coif_hair_values sum = {0};
    coif_lanes all = coif_lanes_all(0.0f);
    for (int p = 0; p < 4; ++p) {
        const coif_hair_cone cone = {
            .sin_o = coif_lanes_all(sin_o * lobes->tilt_cos[p] + cos_o * lobes->tilt_sin[p]),
            .cos_o = coif_lanes_all(fabsf(cos_o * lobes->tilt_cos[p] - sin_o * lobes->tilt_sin[p])),
            .inverse_v = coif_lanes_all(lobes->inverse_variance[p]),
            .norm = coif_lanes_all(lobes->m_norm[p]),
        };
        const float turn = (float)p;
        const coif_lanes centre = 2.0f * turn * way.gamma_t - 2.0f * way.gamma_o + turn * COIF_PI;
        const coif_lanes n =
            p < 3 ? azimuthal(dphi - centre, lobes) : coif_lanes_all(1.0f / COIF_TWO_PI);
        const coif_lanes mn = coif_hair_longitudinal(&cone, tries->x, cos_i) * n;
        const coif_lanes weight = red[p] + green[p] + blue[p];
        sum.red += red[p] * mn;
        sum.green += green[p] * mn;
        sum.blue += blue[p] * mn;
        sum.pdf += weight * mn;
        all += weight;
    }
    sum.pdf /= all; // reflection is never 0, so all is not
    return sum;
}
