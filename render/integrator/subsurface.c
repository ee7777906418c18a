#include "render/integrator/subsurface.h"

#include "render/geometry/triangle.h"
#include "render/shading/tangent_space.h"

// Hits of one probe ray.
enum { MAX_PROBE_HITS = 4 };

// Pdf of the distance, 2 pi r R(r).
static float pdf_at(float r, float mean)
{
    const float d = coif_max(0.4f * mean, 1e-9f);
    const float slow = coif_fast_exp(-r / (3.0f * d));
    return (slow * slow * slow + slow) / (4.0f * d);
}

static coif_vec3 pdfs_at(float r, coif_vec3 means)
{
    return (coif_vec3){pdf_at(r, means.x), pdf_at(r, means.y), pdf_at(r, means.z)};
}

float coif_subsurface_sample_radius(coif_vec3 means, float u, coif_vec3 *weights)
{
    // One number selects one colour of three, then one of the two exponentials.
    u *= 3.0f;
    const float mean = u < 1.0f ? means.x : u < 2.0f ? means.y : means.z;
    u -= u < 1.0f ? 0.0f : u < 2.0f ? 1.0f : 2.0f;
    const float d = coif_max(0.4f * mean, 1e-9f);
    const bool near = u < 0.25f;
    const float rest = coif_clamp(near ? 4.0f * u : (u - 0.25f) * (4.0f / 3.0f), 0.0f, 0.999999f);
    const float r = -coif_fast_log(1.0f - rest) * (near ? d : 3.0f * d);
    // MIS over the colours (balance heuristic).
    const coif_vec3 p = pdfs_at(r, means);
    const float hits = (p.x + p.y + p.z) * (1.0f / 3.0f);
    *weights = hits > 0.0f ? coif_scale(p, 1.0f / hits) : (coif_vec3){1.0f, 1.0f, 1.0f};
    return r;
}

// A point on the mesh, in the space of the geometry.
typedef struct surface_point {
    coif_triangle triangle;
    int32_t index; // of the triangle
    float b1, b2;
    coif_vec3 position, normal;
} surface_point;

static surface_point surface_point_at(const coif_geometry *geometry, const coif_ray_hit *hit,
                                      float time)
{
    surface_point at = {.triangle = coif_triangle_at(geometry->mesh, geometry->mesh_steps,
                                                     hit->primitive, time, NULL),
                        .index = hit->primitive,
                        .b1 = hit->u,
                        .b2 = hit->v};
    at.position = coif_triangle_point(&at.triangle, hit->u, hit->v);
    at.normal = coif_triangle_normal(&at.triangle, hit->u, hit->v);
    if (!(coif_dot(at.normal, at.normal) > 0.5f)) {
        at.normal = coif_normalize(coif_triangle_area_normal(&at.triangle));
    }
    return at;
}

// All hits along the probe ray; one is selected in proportion to the diffusion profile.
static bool sample_probe_hit(surface_point *exit_point, const coif_geometry *geometry,
                             coif_ray probe, coif_vec3 from, coif_vec3 means, float choice)
{
    surface_point hits[MAX_PROBE_HITS];
    float hit_weights[MAX_PROBE_HITS], sum = 0.0f;
    int count = 0;
    coif_ray_hit hit;
    while (count < MAX_PROBE_HITS && coif_sss_mesh_intersect(geometry->sss_mesh, &probe, &hit)) {
        hits[count] = surface_point_at(geometry, &hit, probe.time);
        const float r = coif_length(coif_sub(hits[count].position, from));
        const coif_vec3 p = pdfs_at(r, means);
        sum += hit_weights[count] = (p.x + p.y + p.z) / coif_max(r, 1e-9f) + 1e-30f;
        ++count;
        probe.near = hit.distance * (1.0f + 1e-5f) + 1e-9f;
    }
    float left = choice * sum;
    for (int i = 0; i < count; ++i) {
        left -= hit_weights[i];
        if (left < 0.0f || i + 1 == count) {
            *exit_point = hits[i];
            return true;
        }
    }
    return false;
}

// Moves the interaction to another point of the surface, coord only its diffuse base scatters.
static void move_interaction(coif_interaction *isect, const coif_geometry *geometry,
                             const surface_point *to, const coif_transform *transform, float width)
{
    coif_surface_bsdf *bsdf = &isect->surface_bsdf;
    const coif_surface_coord coord = {to->index, to->b1, to->b2, width};
    coif_triangle at = to->triangle;
    coif_vec3 tangents[3];
    if (geometry->tangents != NULL) {
        coif_tangents_at(tangents, geometry->tangents, geometry->mesh, geometry->mesh_steps,
                         to->index, isect->time, NULL);
    }
    coif_vec3 shading =
        coif_material_normal(geometry->materials, geometry->mesh, &coord, at.p,
                             geometry->tangents != NULL ? tangents : NULL, to->normal);
    isect->position = to->position;
    if (transform != NULL) {
        for (int i = 0; i < 3; ++i) {
            at.p[i] = coif_transform_point(transform, at.p[i]);
            at.n[i] = coif_mat3_apply(&transform->linear, at.n[i]);
        }
        isect->position = coif_transform_point(transform, isect->position);
        shading = coif_normalize(coif_mat3_apply(&transform->linear, shading));
    }
    const coif_vec3 geometric = coif_normalize(coif_triangle_area_normal(&at));
    // Light leaves on the side of wo.
    bsdf->geometric_normal = bsdf->inside ? coif_scale(geometric, -1.0f) : geometric;
    bsdf->normal =
        coif_dot(shading, bsdf->geometric_normal) < 0.0f ? coif_scale(shading, -1.0f) : shading;
    coif_frame_around(bsdf->normal, &bsdf->s, &bsdf->t);
    const coif_vec3 smooth = coif_triangle_normal(&at, to->b1, to->b2);
    coif_interaction_lift(isect, &at, to->b1, to->b2,
                          coif_dot(smooth, smooth) > 0.5f ? smooth : geometric);
}

static void scatter_below(coif_interaction *isect, const coif_render_scene *scene,
                          const coif_ray_hit *hit, float choice, coif_vec2 u, coif_vec3 *weights)
{
    const coif_geometry *geometry = &scene->geometries[hit->geometry];
    coif_transform mixed;
    const coif_transform *transform = coif_scene_hit_transform(&mixed, scene, hit, isect->time);
    const coif_vec3 means = coif_scale(isect->surface_bsdf.surface.subsurface_radius,
                                       transform != NULL ? 1.0f / transform->scale : 1.0f);
    const float r = coif_subsurface_sample_radius(means, u.x, weights);
    const surface_point here = surface_point_at(geometry, hit, isect->time);
    coif_vec3 a, b;
    coif_frame_around(here.normal, &a, &b);
    float sine, cosine;
    coif_fast_sincos_turns(u.y, &sine, &cosine);
    // Long enough for a surface that turns away by 60 degrees.
    const float probe_length = 2.0f * r + 1e-6f;
    const coif_vec3 probed = coif_mad(coif_mad(here.position, r * cosine, a), r * sine, b);
    const coif_ray probe = {.origin = coif_mad(probed, probe_length, here.normal),
                            .direction = coif_scale(here.normal, -1.0f),
                            .far = 2.0f * probe_length,
                            .time = isect->time};
    surface_point exit_point;
    if (sample_probe_hit(&exit_point, geometry, probe, here.position, means, choice)) {
        move_interaction(isect, geometry, &exit_point, transform, r);
    }
}

coif_vec3 coif_subsurface_sample(coif_interaction *isect, const coif_render_scene *scene,
                                 const coif_ray_hit *hit, coif_sampler *sampler)
{
    coif_surface_bsdf *bsdf = &isect->surface_bsdf;
    coif_vec3 weights = {1.0f, 1.0f, 1.0f};
    if (scene->geometries[hit->geometry].sss_mesh == NULL) {
        return weights;
    }
    const coif_vec2 choice = coif_sampler_next_2d(sampler), u = coif_sampler_next_2d(sampler);
    const float gloss_prob = bsdf->coated || bsdf->surface.sheen > 0.0f
                                 ? coif_clamp(bsdf->gloss_fraction, 0.2f, 0.8f)
                                 : 0.0f;
    if (choice.x < gloss_prob) {
        bsdf->base_o = (coif_vec3){0.0f, 0.0f, 0.0f};
        return coif_scale(weights, 1.0f / gloss_prob);
    }
    bsdf->sheen_o = (coif_vec3){0.0f, 0.0f, 0.0f};
    bsdf->coat_prob = 0.0f;
    if ((choice.x - gloss_prob) < (1.0f - gloss_prob) * bsdf->surface.subsurface) {
        scatter_below(isect, scene, hit, choice.y, u, &weights);
    }
    return coif_scale(weights, 1.0f / (1.0f - gloss_prob));
}
