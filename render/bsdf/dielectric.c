#include "render/bsdf/dielectric.h"

#include "render/bsdf/ggx.h"

static const coif_vec3 NOTHING = {0.0f, 0.0f, 0.0f};

// Fresnel's equations for light that meets an interface at a cosine, with the index of the far side
// over that of the near one. Bend is the cosine on the far side, 0 for total reflection.
static float fresnel(float cosine, float eta, float *bend)
{
    const float sine2 = (1.0f - cosine * cosine) / (eta * eta);
    if (!(sine2 < 1.0f)) {
        *bend = 0.0f;
        return 1.0f;
    }
    *bend = sqrtf(1.0f - sine2);
    const float across = (cosine - eta * *bend) / (cosine + eta * *bend);
    const float along = (eta * cosine - *bend) / (eta * cosine + *bend);
    return 0.5f * (across * across + along * along);
}

static coif_vec3 reflect(coif_vec3 wo, coif_vec3 m, float c)
{
    return coif_sub(coif_scale(m, 2.0f * c), wo);
}

static coif_vec3 refract(coif_vec3 wo, coif_vec3 m, float c, float eta, float bend)
{
    return coif_mad(coif_scale(wo, -1.0f / eta), c / eta - bend, m);
}

// How much of the light from one direction is left after facets have shadowed each other.
static float left_of(float cos_o, float alpha, float eta)
{
    enum { SIDE = 24 };
    const coif_vec3 wo = {sqrtf(1.0f - cos_o * cos_o), 0.0f, cos_o};
    const float lambda_o = coif_ggx_lambda(cos_o, alpha);
    double sum = 0.0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const coif_vec2 u = {((float)(i % SIDE) + 0.5f) / SIDE, ((float)(i / SIDE) + 0.5f) / SIDE};
        const coif_vec3 m = coif_ggx_sample(wo, alpha, u);
        const float c = coif_dot(wo, m);
        float bend;
        const float f = fresnel(c, eta, &bend);
        const coif_vec3 r = reflect(wo, m, c), t = refract(wo, m, c, eta, bend);
        if (r.z > 0.0f) {
            sum += f * (1.0f + lambda_o) / (1.0f + lambda_o + coif_ggx_lambda(r.z, alpha));
        }
        if (f < 1.0f && t.z < 0.0f) {
            sum += (1.0f - f) / (1.0f + coif_ggx_lambda(-t.z, alpha));
        }
    }
    return (float)(sum / (SIDE * SIDE));
}

void coif_dielectric_albedo_init(float energy[COIF_DIELECTRIC_ALBEDO_COUNT], float eta)
{
    for (int i = 0; i < COIF_DIELECTRIC_ALBEDO_COUNT; ++i) {
        const int column = i % COIF_DIELECTRIC_COLUMNS;
        const int row = i / COIF_DIELECTRIC_COLUMNS % COIF_DIELECTRIC_ROWS;
        const bool inside = i >= COIF_DIELECTRIC_ALBEDO_COUNT / 2;
        const float place = (float)column / (float)(COIF_DIELECTRIC_COLUMNS - 1);
        const float alpha = coif_ggx_alpha((float)row / (float)(COIF_DIELECTRIC_ROWS - 1));
        energy[i] = left_of(coif_max(place * place, 1e-3f), alpha, inside ? 1.0f / eta : eta);
    }
}

static float energy_at(const coif_surface_bsdf *bsdf)
{
    const float row = bsdf->surface.roughness * (float)(COIF_DIELECTRIC_ROWS - 1);
    const float column = sqrtf(coif_min(bsdf->cos_o, 1.0f)) * (float)(COIF_DIELECTRIC_COLUMNS - 1);
    const int r = (int)coif_clamp(row, 0.0f, (float)(COIF_DIELECTRIC_ROWS - 2));
    const int c = (int)coif_clamp(column, 0.0f, (float)(COIF_DIELECTRIC_COLUMNS - 2));
    const float *at = bsdf->surface.energy + (bsdf->inside ? COIF_DIELECTRIC_ALBEDO_COUNT / 2 : 0) +
                      r * COIF_DIELECTRIC_COLUMNS + c;
    const float fr = coif_clamp(row - (float)r, 0.0f, 1.0f), fc = column - (float)c;
    const float near = at[0] + fc * (at[1] - at[0]);
    const float far = at[COIF_DIELECTRIC_COLUMNS] +
                      fc * (at[COIF_DIELECTRIC_COLUMNS + 1] - at[COIF_DIELECTRIC_COLUMNS]);
    return near + fr * (far - near);
}

void coif_dielectric_at(coif_surface_bsdf *bsdf)
{
    bsdf->alpha = coif_ggx_alpha(bsdf->surface.roughness);
    bsdf->coat_chance = 1.0f;
    bsdf->compensation =
        bsdf->surface.energy != NULL ? 1.0f / coif_max(energy_at(bsdf), 0.05f) : 1.0f;
}

static float eta_of(const coif_surface_bsdf *bsdf)
{
    return bsdf->inside ? 1.0f / bsdf->surface.eta : bsdf->surface.eta;
}

static float eval_reflection(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const coif_vec3 half = coif_normalize(coif_add(wi, bsdf->local_o));
    *pdf = 0.0f;
    if (!(half.z > 0.0f)) {
        return 0.0f;
    }
    float bend;
    const float f = fresnel(coif_dot(half, bsdf->local_o), eta_of(bsdf), &bend);
    const float lambda_o = coif_ggx_lambda(bsdf->cos_o, bsdf->alpha);
    const float visible = f * coif_ggx_density(half, bsdf->alpha) / (4.0f * bsdf->cos_o);
    *pdf = visible / (1.0f + lambda_o);
    return visible / (1.0f + lambda_o + coif_ggx_lambda(wi.z, bsdf->alpha));
}

static float eval_refraction(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const float eta = eta_of(bsdf);
    coif_vec3 half = coif_normalize(coif_mad(bsdf->local_o, eta, wi));
    half = half.z < 0.0f ? coif_scale(half, -1.0f) : half;
    const float o = coif_dot(half, bsdf->local_o), i = coif_dot(half, wi);
    *pdf = 0.0f;
    // Facets seen from behind refract nothing.
    if (!(o > 0.0f) || !(i < 0.0f)) {
        return 0.0f;
    }
    float bend;
    const float f = fresnel(o, eta, &bend);
    const float width = i + o / eta;
    const float jacobian = -i / coif_max(width * width, 1e-12f);
    const float density = (1.0f - f) * coif_ggx_density(half, bsdf->alpha) * o / bsdf->cos_o;
    *pdf = density * jacobian / (1.0f + coif_ggx_lambda(bsdf->cos_o, bsdf->alpha));
    return *pdf / (1.0f + coif_ggx_lambda(wi.z, bsdf->alpha));
}

// Steep facets reflect below the horizon and refract above it; such light counts as lost between
// facets, but its directions are in the density.
coif_vec3 coif_dielectric_eval(const coif_surface_bsdf *bsdf, coif_vec3 wi, coif_vec3 local,
                               float *pdf)
{
    float back_pdf, through_pdf;
    const float back = bsdf->compensation * eval_reflection(bsdf, local, &back_pdf);
    const float through = bsdf->compensation * eval_refraction(bsdf, local, &through_pdf);
    *pdf = back_pdf + through_pdf;
    // Triangle and interpolated normal must agree on which side it leaves.
    const bool above = local.z > 0.0f;
    if (above != (coif_dot(bsdf->flat, wi) > 0.0f)) {
        return NOTHING;
    }
    // What goes in and comes out again has the colour.
    const coif_vec3 c = bsdf->surface.color;
    return above ? (coif_vec3){back, back, back}
                 : (coif_vec3){through * sqrtf(c.x), through * sqrtf(c.y), through * sqrtf(c.z)};
}

coif_vec3 coif_dielectric_sample(const coif_surface_bsdf *bsdf, float u, coif_vec2 v)
{
    const float eta = eta_of(bsdf);
    const coif_vec3 m = coif_ggx_sample(bsdf->local_o, bsdf->alpha, v);
    const float c = coif_dot(m, bsdf->local_o);
    float bend;
    const float f = fresnel(c, eta, &bend);
    return u < f ? reflect(bsdf->local_o, m, c) : refract(bsdf->local_o, m, c, eta, bend);
}
