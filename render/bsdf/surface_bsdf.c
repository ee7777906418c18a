#include "render/bsdf/surface_bsdf.h"

#include "render/bsdf/ggx.h"

static const coif_vec3 BLACK = {0.0f, 0.0f, 0.0f};

static coif_vec3 splat(float x)
{
    return (coif_vec3){x, x, x};
}

static float mean(coif_vec3 c)
{
    return (c.x + c.y + c.z) * (1.0f / 3.0f);
}

// The divisor is bounded from below, so that the result stays finite.
static coif_vec3 divide(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3){a.x / coif_max(b.x, 1e-6f), a.y / coif_max(b.y, 1e-6f),
                       a.z / coif_max(b.z, 1e-6f)};
}

// Directional albedos of the layers, and the transmittance to the diffuse base.
typedef struct layer_albedos {
    coif_vec3 coat, sheen, transmitted;
    float lost; // single-scattering energy that facets of a perfect mirror lose
} layer_albedos;

static float sheen_weight(float cosine)
{
    const float m = coif_clamp(1.0f - cosine, 0.0f, 1.0f);
    return m * m * m;
}

static layer_albedos layers_at(const coif_surface_bsdf *bsdf, float cosine)
{
    const coif_surface *surface = &bsdf->surface;
    float scale = 0.0f, bias = 0.0f;
    if (bsdf->coated) {
        coif_ggx_albedo_at(&bsdf->albedo, cosine, &scale, &bias);
        if (surface->coat2_weight > 0.0f) {
            float scale2, bias2;
            coif_ggx_albedo_at(&bsdf->coat2_albedo, cosine, &scale2, &bias2);
            scale += surface->coat2_weight * (scale2 - scale);
            bias += surface->coat2_weight * (bias2 - bias);
        }
    }
    layer_albedos at;
    at.coat = coif_mad(splat(bias), scale, bsdf->f0);
    at.sheen = coif_scale(coif_sub(splat(1.0f), at.coat), surface->sheen * sheen_weight(cosine));
    at.transmitted = coif_sub(coif_sub(splat(1.0f), at.coat), at.sheen);
    at.lost = coif_max(1.0f - scale - bias, 0.0f);
    return at;
}

// Hemispherical average of the sheen, 2 times the integral of (1 - cos)^3 cos.
static const float MEAN_SHEEN = 0.1f;

static void couple_layers(coif_surface_bsdf *bsdf)
{
    const coif_surface *surface = &bsdf->surface;
    const float metal = surface->metallic, weight2 = surface->coat2_weight;
    bsdf->f0 = coif_lerp(splat(surface->specular), surface->color, metal);
    const bool coated = bsdf->coated = surface->specular > 0.0f || metal > 0.0f;
    coif_ggx_albedo e = {0}, e2 = {0};
    if (coated) {
        e = bsdf->albedo = coif_ggx_albedo_of(surface->roughness);
        bsdf->alpha = coif_ggx_alpha(surface->roughness);
        e2 = e;
    }
    if (coated && weight2 > 0.0f) {
        e2 = bsdf->coat2_albedo = coif_ggx_albedo_of(surface->coat2_roughness);
        bsdf->coat2_alpha = coif_ggx_alpha(surface->coat2_roughness);
    }
    const layer_albedos o = layers_at(bsdf, bsdf->cos_o);
    const float scale = e.scale + weight2 * (e2.scale - e.scale);
    const float bias = e.bias + weight2 * (e2.bias - e.bias);
    const coif_vec3 coat_mean = coif_mad(splat(bias), scale, bsdf->f0);
    const coif_vec3 sheen_under_coat =
        coif_mad(splat(e.sheen_bias + weight2 * (e2.sheen_bias - e.sheen_bias)),
                 e.sheen_scale + weight2 * (e2.sheen_scale - e.sheen_scale), bsdf->f0);
    const coif_vec3 mean_sheen =
        coif_scale(coif_sub(splat(MEAN_SHEEN), sheen_under_coat), surface->sheen);
    const coif_vec3 base_color = coif_scale(surface->color, 1.0f - metal);
    bsdf->sheen_o = divide(o.sheen, mean_sheen);
    bsdf->base_o = coif_mul(
        base_color, divide(o.transmitted, coif_sub(coif_sub(splat(1.0f), coat_mean), mean_sheen)));
    const float transmission = surface->translucency;
    bsdf->transmission_o =
        coif_scale(coif_mul(bsdf->base_o, surface->transmission_tint), transmission);
    bsdf->base_o = coif_scale(bsdf->base_o, 1.0f - transmission);
    bsdf->transmission_prob = transmission > 0.0f ? coif_clamp(transmission, 0.05f, 0.95f) : 0.0f;

    // Kulla and Conty 2017: a perfect mirror loses 1 - mirror_mean between facets; each further
    // scattering event is multiplied by the average Fresnel term.
    const float mirror_mean = scale + bias;
    bsdf->metal_o = BLACK;
    if (metal > 0.0f && mirror_mean < 1.0f) {
        const coif_vec3 f = coif_mad(splat(1.0f / 21.0f), 20.0f / 21.0f, bsdf->f0);
        const coif_vec3 kept = coif_sub(splat(1.0f), coif_scale(f, 1.0f - mirror_mean));
        bsdf->metal_o = coif_scale(divide(coif_scale(coif_mul(f, f), mirror_mean), kept),
                                   metal * o.lost / coif_max(1.0f - mirror_mean, 1e-4f));
    }
    const float coat = mean(o.coat);
    const float base = mean(coif_mul(base_color, o.transmitted));
    const float rest = base + mean(o.sheen) + metal * o.lost;
    bsdf->gloss_fraction = (coat + rest - base) / (coat + rest + 1e-6f);
    bsdf->coat_prob = coated ? coif_clamp(coat / (coat + rest + 1e-6f), 0.1f, 0.95f) : 0.0f;
}

void coif_surface_bsdf_init(coif_surface_bsdf *bsdf, const coif_surface *surface,
                            coif_vec3 geometric_normal, coif_vec3 shading_normal, coif_vec3 wo)
{
    bsdf->surface = *surface;
    bsdf->wo = wo;
    bsdf->inside = coif_dot(geometric_normal, wo) < 0.0f;
    bsdf->geometric_normal = bsdf->inside ? coif_scale(geometric_normal, -1.0f) : geometric_normal;
    bsdf->horizon = bsdf->geometric_normal;
    bsdf->normal = coif_dot(shading_normal, bsdf->geometric_normal) < 0.0f
                       ? coif_scale(shading_normal, -1.0f)
                       : shading_normal;
    // A shading normal may face away from wo where the triangle does not; it is tilted just into
    // view, which avoids black silhouettes.
    const float facing = coif_dot(bsdf->normal, wo);
    if (!(facing > 1e-3f)) {
        bsdf->normal = coif_normalize(coif_mad(bsdf->normal, 1e-3f - facing, wo));
    }
    coif_frame_around(bsdf->normal, &bsdf->s, &bsdf->t);
    bsdf->cos_o = coif_max(coif_dot(bsdf->normal, wo), 1e-4f);
    bsdf->local_o = (coif_vec3){coif_dot(wo, bsdf->s), coif_dot(wo, bsdf->t), bsdf->cos_o};
    if (surface->kind == COIF_SURFACE_DIELECTRIC) {
        bsdf->coated = false;
        coif_dielectric_init(&bsdf->dielectric,
                             &(coif_dielectric_desc){.roughness = surface->roughness,
                                                     .eta = surface->eta,
                                                     .albedo = surface->dielectric_albedo,
                                                     .color = surface->color,
                                                     .inside = bsdf->inside,
                                                     .wo = bsdf->local_o});
    } else {
        couple_layers(bsdf);
    }
}

// Shadow terminator: where the shading normal disagrees about the horizon, light fades smoothly
// instead of ending there (Chiang, Li and Burley 2019).
static float soften_terminator(const coif_surface_bsdf *bsdf, coif_vec3 wi, float cos_i)
{
    const float bend = coif_dot(bsdf->horizon, bsdf->normal);
    const float g = coif_min(1.0f, coif_dot(bsdf->horizon, wi) / coif_max(cos_i * bend, 1e-6f));
    return g * (1.0f + g * (1.0f - g));
}

// One lobe of the coat without its Fresnel term, and its pdf.
static float coat_lobe(const coif_surface_bsdf *bsdf, coif_vec3 half, float cos_i, float alpha,
                       float *pdf)
{
    const float lambda_o = coif_ggx_lambda(bsdf->cos_o, alpha);
    const float visible = coif_ggx_density(half, alpha) / (4.0f * bsdf->cos_o);
    *pdf = visible / (1.0f + lambda_o);
    return cos_i > 0.0f ? visible / (1.0f + lambda_o + coif_ggx_lambda(cos_i, alpha)) : 0.0f;
}

static coif_vec3 eval_coat(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const float weight2 = bsdf->surface.coat2_weight;
    const coif_vec3 half = coif_normalize(coif_add(wi, bsdf->local_o));
    *pdf = 0.0f;
    if (!(half.z > 0.0f)) {
        return BLACK;
    }
    float value = coat_lobe(bsdf, half, wi.z, bsdf->alpha, pdf);
    if (weight2 > 0.0f) {
        float pdf2;
        const float value2 = coat_lobe(bsdf, half, wi.z, bsdf->coat2_alpha, &pdf2);
        value += weight2 * (value2 - value);
        *pdf += weight2 * (pdf2 - *pdf);
    }
    const float m = coif_clamp(1.0f - coif_dot(half, wi), 0.0f, 1.0f);
    const float grazing = m * m * m * m * m;
    return coif_scale(coif_lerp(bsdf->f0, splat(1.0f), grazing), value);
}

coif_vec3 coif_surface_bsdf_eval(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const coif_vec3 local = {coif_dot(wi, bsdf->s), coif_dot(wi, bsdf->t),
                             coif_dot(wi, bsdf->normal)};
    if (bsdf->surface.kind == COIF_SURFACE_DIELECTRIC) {
        const coif_vec3 value = coif_dielectric_eval(&bsdf->dielectric, local, pdf);
        // Shading and geometric normal must agree on the side on which light leaves.
        return (local.z > 0.0f) == (coif_dot(bsdf->geometric_normal, wi) > 0.0f) ? value : BLACK;
    }
    const float cos_i = local.z;
    const float diffuse = coif_max(cos_i, 0.0f) * COIF_INV_PI;
    const float transmitted = coif_max(-cos_i, 0.0f) * COIF_INV_PI;
    const float base_pdf =
        (1.0f - bsdf->transmission_prob) * diffuse + bsdf->transmission_prob * transmitted;
    coif_vec3 coat = BLACK;
    *pdf = base_pdf;
    if (bsdf->coat_prob > 0.0f) {
        coat = eval_coat(bsdf, local, pdf);
        *pdf = bsdf->coat_prob * *pdf + (1.0f - bsdf->coat_prob) * base_pdf;
    }
    if (transmitted > 0.0f && bsdf->transmission_prob > 0.0f &&
        coif_dot(bsdf->geometric_normal, wi) < 0.0f) {
        const layer_albedos i = layers_at(bsdf, -cos_i);
        return coif_scale(coif_mul(bsdf->transmission_o, i.transmitted), transmitted);
    }
    if (!(cos_i > 0.0f) || !(coif_dot(bsdf->horizon, wi) > 0.0f)) {
        return BLACK;
    }
    const layer_albedos i = layers_at(bsdf, cos_i);
    const coif_vec3 base =
        coif_add(coif_mul(bsdf->base_o, i.transmitted),
                 coif_add(coif_mul(bsdf->sheen_o, i.sheen), coif_scale(bsdf->metal_o, i.lost)));
    return coif_mad(coat, diffuse * soften_terminator(bsdf, wi, cos_i), base);
}

coif_vec3 coif_surface_bsdf_sample(const coif_surface_bsdf *bsdf, float u, coif_vec2 v)
{
    coif_vec3 w;
    if (bsdf->surface.kind == COIF_SURFACE_DIELECTRIC) {
        w = coif_dielectric_sample(&bsdf->dielectric, u, v);
    } else if (u < bsdf->coat_prob) {
        const bool lobe2 = u < bsdf->coat_prob * bsdf->surface.coat2_weight;
        const coif_vec3 m =
            coif_ggx_sample(bsdf->local_o, lobe2 ? bsdf->coat2_alpha : bsdf->alpha, v);
        w = coif_sub(coif_scale(m, 2.0f * coif_dot(m, bsdf->local_o)), bsdf->local_o);
    } else {
        float sine, cosine;
        coif_fast_sincos_turns(v.y, &sine, &cosine);
        const float r = sqrtf(v.x);
        const float up = sqrtf(coif_max(1.0f - v.x, 0.0f));
        const bool transmission =
            u - bsdf->coat_prob < bsdf->transmission_prob * (1.0f - bsdf->coat_prob);
        w = (coif_vec3){r * cosine, r * sine, transmission ? -up : up};
    }
    return coif_normalize(
        coif_mad(coif_mad(coif_scale(bsdf->s, w.x), w.y, bsdf->t), w.z, bsdf->normal));
}
