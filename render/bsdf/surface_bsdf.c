#include "render/bsdf/surface_bsdf.h"

#include "render/bsdf/dielectric.h"
#include "render/bsdf/ggx.h"

static const coif_vec3 NOTHING = {0.0f, 0.0f, 0.0f};

static coif_vec3 all(float x)
{
    return (coif_vec3){x, x, x};
}

static float mean(coif_vec3 c)
{
    return (c.x + c.y + c.z) * (1.0f / 3.0f);
}

// Parts that are never left: a division by them must stay finite.
static coif_vec3 over(coif_vec3 a, coif_vec3 b)
{
    return (coif_vec3){a.x / coif_max(b.x, 1e-6f), a.y / coif_max(b.y, 1e-6f),
                       a.z / coif_max(b.z, 1e-6f)};
}

// What a layer sends back and lets through in one direction.
typedef struct layers {
    coif_vec3 coat, fuzz, through;
    float lost; // by facets of a perfect mirror
} layers;

static float fuzz_of(float cosine)
{
    const float m = coif_clamp(1.0f - cosine, 0.0f, 1.0f);
    return m * m * m;
}

static layers layers_at(const coif_surface_bsdf *bsdf, float cosine)
{
    const coif_surface *surface = &bsdf->surface;
    float base = 0.0f, edge = 0.0f;
    if (bsdf->coated) {
        coif_ggx_albedo_at(&bsdf->energy, cosine, &base, &edge);
        if (surface->second_share > 0.0f) {
            float other_base, other_edge;
            coif_ggx_albedo_at(&bsdf->second_energy, cosine, &other_base, &other_edge);
            base += surface->second_share * (other_base - base);
            edge += surface->second_share * (other_edge - edge);
        }
    }
    layers at;
    at.coat = coif_mad(all(edge), base, bsdf->f0);
    at.fuzz = coif_scale(coif_sub(all(1.0f), at.coat), surface->sheen * fuzz_of(cosine));
    at.through = coif_sub(coif_sub(all(1.0f), at.coat), at.fuzz);
    at.lost = coif_max(1.0f - base - edge, 0.0f);
    return at;
}

// 2 times the integral of (1 - cos)^3 cos.
static const float FUZZ_MEAN = 0.1f;

static void couple_layers(coif_surface_bsdf *bsdf)
{
    const coif_surface *surface = &bsdf->surface;
    const float metal = surface->metallic, second = surface->second_share;
    bsdf->f0 = coif_lerp(all(surface->specular), surface->color, metal);
    const bool coated = bsdf->coated = surface->specular > 0.0f || metal > 0.0f;
    coif_ggx_albedo e = {0}, other = {0};
    if (coated) {
        e = bsdf->energy = coif_ggx_albedo_of(surface->roughness);
        bsdf->alpha = coif_ggx_alpha(surface->roughness);
        other = e;
    }
    if (coated && second > 0.0f) {
        other = bsdf->second_energy = coif_ggx_albedo_of(surface->second_roughness);
        bsdf->second_alpha = coif_ggx_alpha(surface->second_roughness);
    }
    const layers o = layers_at(bsdf, bsdf->cos_o);
    const float base = e.base + second * (other.base - e.base);
    const float edge = e.edge + second * (other.edge - e.edge);
    const coif_vec3 coat_mean = coif_mad(all(edge), base, bsdf->f0);
    const coif_vec3 hidden =
        coif_mad(all(e.fuzzy_edge + second * (other.fuzzy_edge - e.fuzzy_edge)),
                 e.fuzzy_base + second * (other.fuzzy_base - e.fuzzy_base), bsdf->f0);
    const coif_vec3 fuzz_mean = coif_scale(coif_sub(all(FUZZ_MEAN), hidden), surface->sheen);
    const coif_vec3 ground = coif_scale(surface->color, 1.0f - metal);
    bsdf->fuzz_o = over(o.fuzz, fuzz_mean);
    bsdf->through_o =
        coif_mul(ground, over(o.through, coif_sub(coif_sub(all(1.0f), coat_mean), fuzz_mean)));
    const float far = surface->translucency;
    bsdf->far_o = coif_scale(coif_mul(bsdf->through_o, surface->far_tint), far);
    bsdf->through_o = coif_scale(bsdf->through_o, 1.0f - far);
    bsdf->far_chance = far > 0.0f ? coif_clamp(far, 0.05f, 0.95f) : 0.0f;

    // A perfect mirror loses 1 - e1 between facets; of what is passed on, each facet met takes its
    // part of the average Fresnel term.
    const float e1 = base + edge;
    bsdf->metal_o = NOTHING;
    if (metal > 0.0f && e1 < 1.0f) {
        const coif_vec3 f = coif_mad(all(1.0f / 21.0f), 20.0f / 21.0f, bsdf->f0);
        const coif_vec3 kept = coif_sub(all(1.0f), coif_scale(f, 1.0f - e1));
        bsdf->metal_o = coif_scale(over(coif_scale(coif_mul(f, f), e1), kept),
                                   metal * o.lost / coif_max(1.0f - e1, 1e-4f));
    }
    const float coat = mean(o.coat);
    const float below = mean(coif_mul(ground, o.through));
    const float rest = below + mean(o.fuzz) + metal * o.lost;
    bsdf->gloss_share = (coat + rest - below) / (coat + rest + 1e-6f);
    bsdf->coat_chance = coated ? coif_clamp(coat / (coat + rest + 1e-6f), 0.1f, 0.95f) : 0.0f;
}

void coif_surface_bsdf_at(coif_surface_bsdf *bsdf, const coif_surface *surface, coif_vec3 flat,
                          coif_vec3 smooth, coif_vec3 wo)
{
    bsdf->surface = *surface;
    bsdf->wo = wo;
    bsdf->inside = coif_dot(flat, wo) < 0.0f;
    bsdf->flat = bsdf->inside ? coif_scale(flat, -1.0f) : flat;
    bsdf->normal = coif_dot(smooth, bsdf->flat) < 0.0f ? coif_scale(smooth, -1.0f) : smooth;
    // A smooth normal may face away where the triangle does not; it is bent just into view, or the
    // silhouette would be lined with black.
    const float facing = coif_dot(bsdf->normal, wo);
    if (!(facing > 1e-3f)) {
        bsdf->normal = coif_normalize(coif_mad(bsdf->normal, 1e-3f - facing, wo));
    }
    coif_frame_around(bsdf->normal, &bsdf->s, &bsdf->t);
    bsdf->cos_o = coif_max(coif_dot(bsdf->normal, wo), 1e-4f);
    bsdf->local_o = (coif_vec3){coif_dot(wo, bsdf->s), coif_dot(wo, bsdf->t), bsdf->cos_o};
    if (surface->kind == COIF_SURFACE_DIELECTRIC) {
        coif_dielectric_at(bsdf);
    } else {
        couple_layers(bsdf);
    }
}

// Where interpolated normals and flat triangles disagree about the horizon, light is taken back
// smoothly instead of being cut off at the triangle (Chiang, Li and Burley 2019).
static float soften_terminator(const coif_surface_bsdf *bsdf, coif_vec3 wi, float cos_i)
{
    const float bend = coif_dot(bsdf->flat, bsdf->normal);
    const float g = coif_min(1.0f, coif_dot(bsdf->flat, wi) / coif_max(cos_i * bend, 1e-6f));
    return g * (1.0f + g * (1.0f - g));
}

// One lobe of the coat without its Fresnel term, and its density.
static float lobe_at(const coif_surface_bsdf *bsdf, coif_vec3 half, float cos_i, float alpha,
                     float *pdf)
{
    const float lambda_o = coif_ggx_lambda(bsdf->cos_o, alpha);
    const float visible = coif_ggx_density(half, alpha) / (4.0f * bsdf->cos_o);
    *pdf = visible / (1.0f + lambda_o);
    return cos_i > 0.0f ? visible / (1.0f + lambda_o + coif_ggx_lambda(cos_i, alpha)) : 0.0f;
}

static coif_vec3 coat_at(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const float share = bsdf->surface.second_share;
    const coif_vec3 sum = coif_add(wi, bsdf->local_o);
    const coif_vec3 half = coif_normalize(sum);
    *pdf = 0.0f;
    if (!(half.z > 0.0f)) {
        return NOTHING;
    }
    float value = lobe_at(bsdf, half, wi.z, bsdf->alpha, pdf);
    if (share > 0.0f) {
        float other_pdf;
        const float other = lobe_at(bsdf, half, wi.z, bsdf->second_alpha, &other_pdf);
        value += share * (other - value);
        *pdf += share * (other_pdf - *pdf);
    }
    const float m = coif_clamp(1.0f - coif_dot(half, wi), 0.0f, 1.0f);
    const float grazing = m * m * m * m * m;
    return coif_scale(coif_lerp(bsdf->f0, all(1.0f), grazing), value);
}

coif_vec3 coif_surface_bsdf_eval(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const coif_vec3 local = {coif_dot(wi, bsdf->s), coif_dot(wi, bsdf->t),
                             coif_dot(wi, bsdf->normal)};
    if (bsdf->surface.kind == COIF_SURFACE_DIELECTRIC) {
        return coif_dielectric_eval(bsdf, wi, local, pdf);
    }
    const float cos_i = local.z;
    const float even = coif_max(cos_i, 0.0f) * COIF_INV_PI;
    const float beyond = coif_max(-cos_i, 0.0f) * COIF_INV_PI;
    const float below_pdf = (1.0f - bsdf->far_chance) * even + bsdf->far_chance * beyond;
    coif_vec3 coat = NOTHING;
    *pdf = below_pdf;
    if (bsdf->coat_chance > 0.0f) {
        coat = coat_at(bsdf, local, pdf);
        *pdf = bsdf->coat_chance * *pdf + (1.0f - bsdf->coat_chance) * below_pdf;
    }
    if (beyond > 0.0f && bsdf->far_chance > 0.0f && coif_dot(bsdf->flat, wi) < 0.0f) {
        const layers i = layers_at(bsdf, -cos_i);
        return coif_scale(coif_mul(bsdf->far_o, i.through), beyond);
    }
    if (!(cos_i > 0.0f) || !(coif_dot(bsdf->flat, wi) > 0.0f)) {
        return NOTHING;
    }
    const layers i = layers_at(bsdf, cos_i);
    const coif_vec3 below =
        coif_add(coif_mul(bsdf->through_o, i.through),
                 coif_add(coif_mul(bsdf->fuzz_o, i.fuzz), coif_scale(bsdf->metal_o, i.lost)));
    return coif_mad(coat, even * soften_terminator(bsdf, wi, cos_i), below);
}

coif_vec3 coif_surface_bsdf_sample(const coif_surface_bsdf *bsdf, float u, coif_vec2 v)
{
    coif_vec3 w;
    if (bsdf->surface.kind == COIF_SURFACE_DIELECTRIC) {
        w = coif_dielectric_sample(bsdf, u, v);
    } else if (u < bsdf->coat_chance) {
        const bool second = u < bsdf->coat_chance * bsdf->surface.second_share;
        const coif_vec3 m =
            coif_ggx_sample(bsdf->local_o, second ? bsdf->second_alpha : bsdf->alpha, v);
        w = coif_sub(coif_scale(m, 2.0f * coif_dot(m, bsdf->local_o)), bsdf->local_o);
    } else {
        float sine, cosine;
        coif_fast_sincos_turns(v.y, &sine, &cosine);
        const float r = sqrtf(v.x);
        const float up = sqrtf(coif_max(1.0f - v.x, 0.0f));
        const bool far = u - bsdf->coat_chance < bsdf->far_chance * (1.0f - bsdf->coat_chance);
        w = (coif_vec3){r * cosine, r * sine, far ? -up : up};
    }
    return coif_normalize(
        coif_mad(coif_mad(coif_scale(bsdf->s, w.x), w.y, bsdf->t), w.z, bsdf->normal));
}
