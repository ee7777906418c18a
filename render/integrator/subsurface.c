#include "render/integrator/subsurface.h"

#include "render/geometry/triangle.h"
#include "render/shading/tangent_space.h"

// Surfaces that one probe may find.
enum { MOST_FOUND = 4 };

// Density of the distance itself, 2 pi r R(r).
static float density_at(float r, float mean)
{
    const float d = coif_max(0.4f * mean, 1e-9f);
    const float slow = coif_fast_exp(-r / (3.0f * d));
    return (slow * slow * slow + slow) / (4.0f * d);
}

static coif_vec3 densities_at(float r, coif_vec3 means)
{
    return (coif_vec3){density_at(r, means.x), density_at(r, means.y), density_at(r, means.z)};
}

float coif_subsurface_sample_radius(coif_vec3 means, float u, coif_vec3 *weights)
{
    // One colour of three, then one of the two exponentials, by the same number.
    u *= 3.0f;
    const float mean = u < 1.0f ? means.x : u < 2.0f ? means.y : means.z;
    u -= u < 1.0f ? 0.0f : u < 2.0f ? 1.0f : 2.0f;
    const float d = coif_max(0.4f * mean, 1e-9f);
    const bool near = u < 0.25f;
    const float rest = coif_clamp(near ? 4.0f * u : (u - 0.25f) * (4.0f / 3.0f), 0.0f, 0.999999f);
    const float r = -coif_fast_log(1.0f - rest) * (near ? d : 3.0f * d);
    // Any colour might have drawn this distance (balance heuristic).
    const coif_vec3 p = densities_at(r, means);
    const float all = (p.x + p.y + p.z) * (1.0f / 3.0f);
    *weights = all > 0.0f ? coif_scale(p, 1.0f / all) : (coif_vec3){1.0f, 1.0f, 1.0f};
    return r;
}

// A place on the skin as the mesh has it, without copies.
typedef struct place {
    coif_triangle facet;
    int32_t triangle;
    float b1, b2;
    coif_vec3 position, normal;
} place;

static place place_at(const coif_geometry *shape, const coif_ray_hit *hit, float time)
{
    place at = {.facet =
                    coif_triangle_at(shape->mesh, shape->mesh_steps, hit->primitive, time, NULL),
                .triangle = hit->primitive,
                .b1 = hit->u,
                .b2 = hit->v};
    const coif_vec3 *n = at.facet.n;
    at.position = coif_triangle_point(&at.facet, hit->u, hit->v);
    at.normal = coif_normalize(
        coif_mad(coif_mad(coif_scale(n[0], 1.0f - hit->u - hit->v), hit->u, n[1]), hit->v, n[2]));
    if (!(coif_dot(at.normal, at.normal) > 0.5f)) {
        at.normal = coif_normalize(coif_triangle_area_normal(&at.facet));
    }
    return at;
}

// All surfaces along the probe; of several one is chosen by how much light comes from there.
static bool find_surface(place *found, const coif_geometry *shape, coif_ray probe, coif_vec3 from,
                         coif_vec3 means, float choice)
{
    place all[MOST_FOUND];
    float shares[MOST_FOUND], sum = 0.0f;
    int count = 0;
    coif_ray_hit hit;
    while (count < MOST_FOUND && coif_sss_mesh_intersect(shape->sss_mesh, &probe, &hit)) {
        all[count] = place_at(shape, &hit, probe.time);
        const float r = coif_length(coif_sub(all[count].position, from));
        const coif_vec3 p = densities_at(r, means);
        sum += shares[count] = (p.x + p.y + p.z) / coif_max(r, 1e-9f) + 1e-30f;
        ++count;
        probe.near = hit.distance * (1.0f + 1e-5f) + 1e-9f;
    }
    float left = choice * sum;
    for (int i = 0; i < count; ++i) {
        left -= shares[i];
        if (left < 0.0f || i + 1 == count) {
            *found = all[i];
            return true;
        }
    }
    return false;
}

// The vertex goes to another place of the same skin, where only its ground is left.
static void move_to(coif_interaction *vertex, const coif_geometry *shape, const place *to,
                    const coif_transform *copy, float width)
{
    coif_surface_bsdf *skin = &vertex->skin;
    const coif_surface_coord where = {to->triangle, to->b1, to->b2, width};
    coif_triangle at = to->facet;
    coif_vec3 tangents[3];
    if (shape->tangents != NULL) {
        coif_tangents_at(tangents, shape->tangents, shape->mesh, shape->mesh_steps, to->triangle,
                         vertex->time, NULL);
    }
    coif_vec3 smooth = coif_material_normal(shape->materials, shape->mesh, &where, at.p,
                                            shape->tangents != NULL ? tangents : NULL, to->normal);
    vertex->position = to->position;
    if (copy != NULL) {
        for (int i = 0; i < 3; ++i) {
            at.p[i] = coif_transform_point(copy, at.p[i]);
        }
        vertex->position = coif_transform_point(copy, vertex->position);
        smooth = coif_normalize(coif_mat3_apply(&copy->linear, smooth));
    }
    const coif_vec3 flat = coif_normalize(coif_triangle_area_normal(&at));
    // Light leaves on the side on which it was seen.
    skin->geometric_normal = skin->inside ? coif_scale(flat, -1.0f) : flat;
    skin->normal =
        coif_dot(smooth, skin->geometric_normal) < 0.0f ? coif_scale(smooth, -1.0f) : smooth;
    coif_frame_around(skin->normal, &skin->s, &skin->t);
}

static void wander(coif_interaction *vertex, const coif_render_scene *stage,
                   const coif_ray_hit *hit, float choice, coif_vec2 u, coif_vec3 *weights)
{
    const coif_geometry *shape = &stage->geometries[hit->geometry];
    coif_transform mixed;
    const coif_transform *copy = coif_scene_hit_transform(&mixed, stage, hit, vertex->time);
    const coif_vec3 means = coif_scale(vertex->skin.surface.subsurface_radius,
                                       copy != NULL ? 1.0f / copy->scale : 1.0f);
    const float r = coif_subsurface_sample_radius(means, u.x, weights);
    const place here = place_at(shape, hit, vertex->time);
    coif_vec3 a, b;
    coif_frame_around(here.normal, &a, &b);
    float sine, cosine;
    coif_fast_sincos_turns(u.y, &sine, &cosine);
    // Long enough to follow a surface that turns away by sixty degrees.
    const float reach = 2.0f * r + 1e-6f;
    const coif_vec3 beside = coif_mad(coif_mad(here.position, r * cosine, a), r * sine, b);
    const coif_ray probe = {.origin = coif_mad(beside, reach, here.normal),
                            .direction = coif_scale(here.normal, -1.0f),
                            .far = 2.0f * reach,
                            .time = vertex->time};
    place found;
    if (find_surface(&found, shape, probe, here.position, means, choice)) {
        move_to(vertex, shape, &found, copy, r);
    }
}

coif_vec3 coif_subsurface_sample(coif_interaction *vertex, const coif_render_scene *stage,
                                 const coif_ray_hit *hit, coif_sampler *sampler)
{
    coif_surface_bsdf *skin = &vertex->skin;
    coif_vec3 weights = {1.0f, 1.0f, 1.0f};
    if (stage->geometries[hit->geometry].sss_mesh == NULL) {
        return weights;
    }
    const coif_vec2 choice = coif_sampler_next_2d(sampler), u = coif_sampler_next_2d(sampler);
    const float gloss = skin->coated || skin->surface.sheen > 0.0f
                            ? coif_clamp(skin->gloss_fraction, 0.2f, 0.8f)
                            : 0.0f;
    if (choice.x < gloss) {
        skin->base_o = (coif_vec3){0.0f, 0.0f, 0.0f};
        return coif_scale(weights, 1.0f / gloss);
    }
    skin->sheen_o = (coif_vec3){0.0f, 0.0f, 0.0f};
    skin->coat_prob = 0.0f;
    if ((choice.x - gloss) < (1.0f - gloss) * skin->surface.subsurface) {
        wander(vertex, stage, hit, choice.y, u, &weights);
    }
    return coif_scale(weights, 1.0f / (1.0f - gloss));
}
