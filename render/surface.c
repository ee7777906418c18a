#include "render/surface.h"

#include "render/fast.h"

static float square(float x)
{
    return x * x;
}

static float fifth(float cosine)
{
    const float m = coif_clamp(1.0f - cosine, 0.0f, 1.0f);
    return m * m * m * m * m;
}

// Schlick's term for one facet.
static float fresnel(const coif_surface *surface, float cosine)
{
    return surface->specular + (1.0f - surface->specular) * fifth(cosine);
}

// What the whole coat keeps from the ground: rough coats shine less at grazing angles than a mirror
// of the same index, since few of their facets are seen edge on (an approximation).
static float rise(const coif_surface *surface)
{
    return coif_max(1.0f - square(surface->roughness), surface->specular) - surface->specular;
}

static float kept_by_coat(const coif_surface *surface, float cosine)
{
    if (!(surface->specular > 0.0f)) {
        return 0.0f;
    }
    return surface->specular + rise(surface) * fifth(cosine);
}

coif_surface_bsdf coif_surface_bsdf_at(const coif_surface *surface, coif_vec3 flat,
                                       coif_vec3 smooth, coif_vec3 wo)
{
    coif_surface_bsdf bsdf = {.surface = *surface, .wo = wo};
    bsdf.flat = coif_dot(flat, wo) < 0.0f ? coif_scale(flat, -1.0f) : flat;
    bsdf.normal = coif_dot(smooth, bsdf.flat) < 0.0f ? coif_scale(smooth, -1.0f) : smooth;
    // A smooth normal may face away where the triangle does not; it is bent just into view, or the
    // silhouette would be lined with black.
    const float facing = coif_dot(bsdf.normal, wo);
    if (!(facing > 1e-3f)) {
        bsdf.normal = coif_normalize(coif_mad(bsdf.normal, 1e-3f - facing, wo));
    }
    coif_frame_around(bsdf.normal, &bsdf.s, &bsdf.t);
    bsdf.cos_o = coif_max(coif_dot(bsdf.normal, wo), 1e-4f);
    bsdf.alpha = coif_max(square(surface->roughness), 1e-3f);

    const float coat = kept_by_coat(surface, bsdf.cos_o);
    const float average =
        surface->specular > 0.0f ? surface->specular + rise(surface) / 21.0f : 0.0f;
    bsdf.through_o = (1.0f - coat) / (1.0f - average);
    const coif_vec3 c = surface->color;
    const float ground = (1.0f - coat) * (c.x + c.y + c.z) * (1.0f / 3.0f);
    bsdf.coat_chance =
        surface->specular > 0.0f ? coif_clamp(coat / (coat + ground + 1e-6f), 0.1f, 0.9f) : 0.0f;
    return bsdf;
}

// GGX and its masking in one direction.
static float ggx(float cos_h, float alpha)
{
    const float a2 = alpha * alpha;
    return a2 * COIF_INV_PI / square(1.0f + cos_h * cos_h * (a2 - 1.0f));
}

static float lambda(float cosine, float alpha)
{
    const float c2 = cosine * cosine;
    return 0.5f * (sqrtf(1.0f + alpha * alpha * (1.0f - c2) / c2) - 1.0f);
}

// Where interpolated normals and flat triangles disagree about the horizon, light is taken back
// smoothly instead of being cut off at the triangle (Chiang, Li and Burley 2019).
static float soften_terminator(const coif_surface_bsdf *bsdf, coif_vec3 wi, float cos_i)
{
    const float bend = coif_dot(bsdf->flat, bsdf->normal);
    const float g = coif_min(1.0f, coif_dot(bsdf->flat, wi) / coif_max(cos_i * bend, 1e-6f));
    return g * (1.0f + g * (1.0f - g));
}

coif_vec3 coif_surface_bsdf_eval(const coif_surface_bsdf *bsdf, coif_vec3 wi, float *pdf)
{
    const float cos_i = coif_dot(bsdf->normal, wi);
    if (!(cos_i > 0.0f) || !(coif_dot(bsdf->flat, wi) > 0.0f)) {
        *pdf = 0.0f;
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    const float through = (1.0f - kept_by_coat(&bsdf->surface, cos_i)) * bsdf->through_o;
    const float ground = cos_i * COIF_INV_PI;
    *pdf = (1.0f - bsdf->coat_chance) * ground;
    float coat = 0.0f;
    if (bsdf->coat_chance > 0.0f) {
        const coif_vec3 half = coif_normalize(coif_add(wi, bsdf->wo));
        const float d = ggx(coif_dot(half, bsdf->normal), bsdf->alpha);
        const float lambda_o = lambda(bsdf->cos_o, bsdf->alpha);
        const float lambda_i = lambda(cos_i, bsdf->alpha);
        const float visible = d / (4.0f * bsdf->cos_o);
        coat = fresnel(&bsdf->surface, coif_dot(half, wi)) * visible / (1.0f + lambda_o + lambda_i);
        *pdf += bsdf->coat_chance * visible / (1.0f + lambda_o);
    }
    const float soft = soften_terminator(bsdf, wi, cos_i);
    const coif_vec3 even = coif_scale(bsdf->surface.color, ground * through * soft);
    return (coif_vec3){even.x + coat, even.y + coat, even.z + coat};
}

// A microfacet normal among those visible from wo (Heitz 2018), in the frame of the normal.
static coif_vec3 sample_facet(const coif_surface_bsdf *bsdf, coif_vec2 u)
{
    const float alpha = bsdf->alpha;
    const coif_vec3 view = coif_normalize((coif_vec3){
        alpha * coif_dot(bsdf->wo, bsdf->s), alpha * coif_dot(bsdf->wo, bsdf->t), bsdf->cos_o});
    coif_vec3 a, b;
    coif_frame_around(view, &a, &b);
    // The disk's second axis must lie across the horizon for the warp below.
    const float across = view.x * view.x + view.y * view.y;
    if (across > 1e-12f) {
        const float scale = 1.0f / sqrtf(across);
        a = (coif_vec3){-view.y * scale, view.x * scale, 0.0f};
        b = coif_cross(view, a);
    }
    const float r = sqrtf(u.x);
    float sine, cosine;
    coif_fast_turn(u.y, &sine, &cosine);
    const float x = r * cosine;
    const float h = 0.5f * (1.0f + view.z);
    const float y = (1.0f - h) * sqrtf(coif_max(1.0f - x * x, 0.0f)) + h * r * sine;
    const float z = sqrtf(coif_max(1.0f - x * x - y * y, 0.0f));
    const coif_vec3 n = coif_mad(coif_mad(coif_scale(a, x), y, b), z, view);
    return coif_normalize((coif_vec3){alpha * n.x, alpha * n.y, coif_max(n.z, 1e-6f)});
}

coif_vec3 coif_surface_bsdf_sample(const coif_surface_bsdf *bsdf, float u, coif_vec2 v)
{
    if (u < bsdf->coat_chance) {
        const coif_vec3 m = sample_facet(bsdf, v);
        const coif_vec3 half =
            coif_mad(coif_mad(coif_scale(bsdf->s, m.x), m.y, bsdf->t), m.z, bsdf->normal);
        return coif_normalize(
            coif_sub(coif_scale(half, 2.0f * coif_dot(half, bsdf->wo)), bsdf->wo));
    }
    float sine, cosine;
    coif_fast_turn(v.y, &sine, &cosine);
    const float r = sqrtf(v.x);
    const float z = sqrtf(coif_max(1.0f - v.x, 0.0f));
    return coif_normalize(
        coif_mad(coif_mad(coif_scale(bsdf->s, r * cosine), r * sine, bsdf->t), z, bsdf->normal));
}
