#include "render/bsdf/dielectric.h"

#include "render/bsdf/ggx.h"

// Fresnel reflectance at a cosine, with eta the index of the far side over that of the near side.
// cos_t is the cosine of refraction, 0 for total internal reflection.
static float fresnel(float cosine, float eta, float *cos_t)
{
    const float sin2_t = (1.0f - cosine * cosine) / (eta * eta);
    if (!(sin2_t < 1.0f)) {
        *cos_t = 0.0f;
        return 1.0f;
    }
    *cos_t = sqrtf(1.0f - sin2_t);
    const float perpendicular = (cosine - eta * *cos_t) / (cosine + eta * *cos_t);
    const float parallel = (eta * cosine - *cos_t) / (eta * cosine + *cos_t);
    return 0.5f * (perpendicular * perpendicular + parallel * parallel);
}

static coif_vec3 reflect(coif_vec3 wo, coif_vec3 m, float c)
{
    return coif_sub(coif_scale(m, 2.0f * c), wo);
}

static coif_vec3 refract(coif_vec3 wo, coif_vec3 m, float c, float eta, float cos_t)
{
    return coif_mad(coif_scale(wo, -1.0f / eta), c / eta - cos_t, m);
}

// Directional albedo of single scattering: what is left after masking and shadowing.
static float directional_albedo(float cos_o, float alpha, float eta)
{
    enum { SIDE = 24 };
    const coif_vec3 wo = {sqrtf(1.0f - cos_o * cos_o), 0.0f, cos_o};
    const float lambda_o = coif_ggx_lambda(cos_o, alpha);
    double sum = 0.0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        const coif_vec2 u = {((float)(i % SIDE) + 0.5f) / SIDE, ((float)(i / SIDE) + 0.5f) / SIDE};
        const coif_vec3 m = coif_ggx_sample(wo, alpha, u);
        const float c = coif_dot(wo, m);
        float cos_t;
        const float f = fresnel(c, eta, &cos_t);
        const coif_vec3 r = reflect(wo, m, c), t = refract(wo, m, c, eta, cos_t);
        if (r.z > 0.0f) {
            sum += f * (1.0f + lambda_o) / (1.0f + lambda_o + coif_ggx_lambda(r.z, alpha));
        }
        if (f < 1.0f && t.z < 0.0f) {
            sum += (1.0f - f) / (1.0f + coif_ggx_lambda(-t.z, alpha));
        }
    }
    return (float)(sum / (SIDE * SIDE));
}

void coif_dielectric_albedo_init(float albedo[COIF_DIELECTRIC_ALBEDO_COUNT], float eta)
{
    for (int i = 0; i < COIF_DIELECTRIC_ALBEDO_COUNT; ++i) {
        const int column = i % COIF_DIELECTRIC_COLUMNS;
        const int row = i / COIF_DIELECTRIC_COLUMNS % COIF_DIELECTRIC_ROWS;
        const bool inside = i >= COIF_DIELECTRIC_ALBEDO_COUNT / 2;
        const float x = (float)column / (float)(COIF_DIELECTRIC_COLUMNS - 1);
        const float alpha = coif_ggx_alpha((float)row / (float)(COIF_DIELECTRIC_ROWS - 1));
        albedo[i] = directional_albedo(coif_max(x * x, 1e-3f), alpha, inside ? 1.0f / eta : eta);
    }
}

// Bilinear lookup.
static float albedo_at(const coif_dielectric_desc *desc)
{
    const float row = desc->roughness * (float)(COIF_DIELECTRIC_ROWS - 1);
    const float column = sqrtf(coif_min(desc->wo.z, 1.0f)) * (float)(COIF_DIELECTRIC_COLUMNS - 1);
    const int r = (int)coif_clamp(row, 0.0f, (float)(COIF_DIELECTRIC_ROWS - 2));
    const int c = (int)coif_clamp(column, 0.0f, (float)(COIF_DIELECTRIC_COLUMNS - 2));
    const float *at = desc->albedo + (desc->inside ? COIF_DIELECTRIC_ALBEDO_COUNT / 2 : 0) +
                      r * COIF_DIELECTRIC_COLUMNS + c;
    const float fr = coif_clamp(row - (float)r, 0.0f, 1.0f), fc = column - (float)c;
    const float near = at[0] + fc * (at[1] - at[0]);
    const float far = at[COIF_DIELECTRIC_COLUMNS] +
                      fc * (at[COIF_DIELECTRIC_COLUMNS + 1] - at[COIF_DIELECTRIC_COLUMNS]);
    return near + fr * (far - near);
}

void coif_dielectric_init(coif_dielectric *bsdf, const coif_dielectric_desc *desc)
{
    bsdf->eta = desc->inside ? 1.0f / desc->eta : desc->eta;
    bsdf->alpha = coif_ggx_alpha(desc->roughness);
    bsdf->compensation = desc->albedo != NULL ? 1.0f / coif_max(albedo_at(desc), 0.05f) : 1.0f;
    bsdf->color = desc->color;
    bsdf->wo = desc->wo;
}

static float eval_reflection(const coif_dielectric *bsdf, coif_vec3 wi, float *pdf)
{
    const coif_vec3 half = coif_normalize(coif_add(wi, bsdf->wo));
    *pdf = 0.0f;
    if (!(half.z > 0.0f)) {
        return 0.0f;
    }
    float cos_t;
    const float f = fresnel(coif_dot(half, bsdf->wo), bsdf->eta, &cos_t);
    const float lambda_o = coif_ggx_lambda(bsdf->wo.z, bsdf->alpha);
    const float visible = f * coif_ggx_density(half, bsdf->alpha) / (4.0f * bsdf->wo.z);
    *pdf = visible / (1.0f + lambda_o);
    return visible / (1.0f + lambda_o + coif_ggx_lambda(wi.z, bsdf->alpha));
}

static float eval_refraction(const coif_dielectric *bsdf, coif_vec3 wi, float *pdf)
{
    const float eta = bsdf->eta;
    coif_vec3 half = coif_normalize(coif_mad(bsdf->wo, eta, wi));
    half = half.z < 0.0f ? coif_scale(half, -1.0f) : half;
    const float o = coif_dot(half, bsdf->wo), i = coif_dot(half, wi);
    *pdf = 0.0f;
    // Back-facing facets do not refract.
    if (!(o > 0.0f) || !(i < 0.0f)) {
        return 0.0f;
    }
    float cos_t;
    const float f = fresnel(o, eta, &cos_t);
    const float width = i + o / eta;
    const float jacobian = -i / coif_max(width * width, 1e-12f);
    const float density = (1.0f - f) * coif_ggx_density(half, bsdf->alpha) * o / bsdf->wo.z;
    *pdf = density * jacobian / (1.0f + coif_ggx_lambda(bsdf->wo.z, bsdf->alpha));
    return *pdf / (1.0f + coif_ggx_lambda(wi.z, bsdf->alpha));
}

coif_vec3 coif_dielectric_eval(const coif_dielectric *bsdf, coif_vec3 wi, float *pdf)
{
    float reflect_pdf, refract_pdf;
    const float reflected = bsdf->compensation * eval_reflection(bsdf, wi, &reflect_pdf);
    const float refracted = bsdf->compensation * eval_refraction(bsdf, wi, &refract_pdf);
    *pdf = reflect_pdf + refract_pdf;
    if (wi.z > 0.0f) {
        return (coif_vec3){reflected, reflected, reflected};
    }
    // The square root: light is coloured once on entering and once on leaving.
    const coif_vec3 c = bsdf->color;
    return (coif_vec3){refracted * sqrtf(c.x), refracted * sqrtf(c.y), refracted * sqrtf(c.z)};
}

coif_vec3 coif_dielectric_sample(const coif_dielectric *bsdf, float u, coif_vec2 v)
{
    const coif_vec3 m = coif_ggx_sample(bsdf->wo, bsdf->alpha, v);
    const float c = coif_dot(m, bsdf->wo);
    float cos_t;
    const float f = fresnel(c, bsdf->eta, &cos_t);
    return u < f ? reflect(bsdf->wo, m, c) : refract(bsdf->wo, m, c, bsdf->eta, cos_t);
}
