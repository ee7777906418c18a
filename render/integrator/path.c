#include "render/integrator/path_internal.h"
#include "render/integrator/shadow_catcher.h"
#include "render/integrator/subsurface.h"
#include "render/lights/mesh_light.h"

#include <float.h>

// Far beyond any path that roulette would let live; guards against numbers gone wrong.
enum { SAFETY_DEPTH = 4096 };

coif_ray coif_spawn_ray(coif_path_state *path, const coif_interaction *vertex, coif_vec3 wi)
{
    coif_ray ray = coif_interaction_spawn_ray(vertex, wi);
    if (path->stage->has_transparency) {
        ray.alpha_seed = path->rng_word = coif_hash_word(path->rng_word + 0x9e3779b9u);
    }
    return ray;
}

static coif_bsdf_sample choose_departure(const coif_path_state *path,
                                         const coif_interaction *vertex,
                                         const coif_path_guide *bearings, coif_vec2 lobe,
                                         coif_vec2 u)
{
    coif_bsdf_sample on = {
        .vertex = vertex, .carried = path->carried, .total = bearings->lights.total};
    on.direction = coif_interaction_sample(vertex, lobe.x, u, &on.f, &on.pdf);
    on.density = coif_rr_pdf(path, coif_path_guide_weight(bearings, on.direction),
                             coif_max_component(coif_mul(on.carried, on.f)), on.pdf);
    on.goes = lobe.y * on.pdf < on.density;
    return on;
}

// Lights that lie on the way to what was met next. They count as if every path went on: those that
// do not have asked for them by a shadow ray.
static void gather_on_the_way(coif_path_state *path, const coif_bsdf_sample *on, float far)
{
    const coif_lights *lights = &path->stage->lights;
    const coif_interaction *vertex = on->vertex;
    if (path->catcher_hit != NULL && path->depth == 0) {
        return; // what a shadow catcher gets was aimed at
    }
    const coif_ray ray = {vertex->position, on->direction, 0.0f, far, vertex->time, 0};
    for (int32_t k = 0; k < lights->count; ++k) {
        float pdf, distance;
        const coif_vec3 radiance =
            coif_light_eval_ray(&lights->lights[k], &ray, on->total, &pdf, &distance);
        if (!(coif_max_component(radiance) > 0.0f)) {
            continue;
        }
        const float density = COIF_LIGHT_CANDIDATES * pdf + on->pdf;
        const coif_vec3 light = coif_mul(on->carried, coif_mul(on->f, radiance));
        const coif_vec3 added =
            coif_path_add_radiance(path, coif_scale(light, 1.0f / density), path->depth);
        if (path->split != NULL) {
            coif_path_record_aov_scattered(path, path->depth, vertex, on->direction, k, added);
        }
    }
}

// What a body that shines gives off itself, seen by the camera or met by the way on from where it
// could also have been aimed at (balance heuristic).
static void gather_emission(coif_path_state *path, const coif_interaction *vertex,
                            const coif_ray_hit *hit, const coif_bsdf_sample *on)
{
    const coif_light *light = &path->stage->lights.lights[vertex->light_index];
    const coif_mesh_light *emitter = light->mesh_light;
    coif_vec3 shine =
        coif_mul(path->carried, coif_material_emission(emitter->materials, emitter->meshes,
                                                       hit->primitive, hit->u, hit->v));
    if (path->depth == 0) {
        shine = coif_path_add_radiance(path, shine, 0);
        if (path->split != NULL) {
            coif_path_record_aov_group(path, light->group, shine);
            coif_path_record_aov(path, COIF_AOV_DIRECT, shine);
            coif_path_record_aov(path, COIF_AOV_SURFACE, shine);
        }
        return;
    }
    const coif_vec3 from = on->vertex->position;
    const float aimed =
        COIF_LIGHT_CANDIDATES * coif_light_select_pdf(light, from, on->total) *
        coif_mesh_light_pdf(emitter, hit->primitive, vertex->position, from, vertex->time);
    shine = coif_path_add_radiance(path, coif_scale(shine, on->density / (on->density + aimed)),
                                   path->depth - 1);
    if (path->split != NULL) {
        coif_path_record_aov_scattered(path, path->depth - 1, on->vertex, on->direction,
                                       vertex->light_index, shine);
    }
}

static coif_ray go_on(coif_path_state *path, const coif_bsdf_sample *on)
{
    path->carried = coif_mul(path->carried, coif_scale(on->f, 1.0f / on->density));
    return coif_spawn_ray(path, on->vertex, on->direction);
}

// Lights that the camera itself sees, as far as a ray goes; some is how much of them.
static void see_lights(coif_path_state *path, coif_ray ray, float far, float some)
{
    ray.far = far;
    if (!(some > 0.0f)) {
        return;
    }
    const coif_lights *lights = &path->stage->lights;
    for (int32_t i = 0; i < lights->count; ++i) {
        float pdf, distance;
        if (lights->lights[i].visible) {
            const coif_vec3 light =
                coif_light_eval_ray(&lights->lights[i], &ray, 0.0f, &pdf, &distance);
            const coif_vec3 added = coif_path_add_radiance(path, coif_scale(light, some), 0);
            if (path->split != NULL) {
                coif_path_record_aov(path, COIF_AOV_BACKGROUND, added);
                coif_path_record_aov_group(path, lights->lights[i].group, added);
            }
        }
    }
}

static void note_first(coif_primary_hit *first, const coif_interaction *vertex,
                       const coif_ray_hit *hit)
{
    const coif_vec3 nothing = {0.0f, 0.0f, 0.0f};
    *first = (coif_primary_hit){
        .alpha = first->alpha,
        .distance = hit->distance,
        .normal = coif_scale(vertex->normal, first->alpha),
        .albedo = coif_scale(coif_interaction_albedo(vertex), first->alpha),
        .position = vertex->position,
        .tangent = vertex->strand ? vertex->x : nothing,
        .hair = vertex->strand,
        .geometry = hit->geometry,
        .primitive = hit->primitive,
        .instance = hit->instance,
        .u = hit->u,
        .v = hit->v,
    };
}

// What the camera's own ray meets, and how much of the view that takes.
static bool look_first(coif_path_state *path, const coif_ray *ray, coif_ray_hit *hit,
                       float *covered)
{
    const coif_render_scene *stage = path->stage;
    const bool met = stage->has_transparency
                         ? coif_accel_intersect_transparent(stage->accel, ray, hit, covered)
                         : coif_accel_intersect(stage->accel, ray, hit);
    *covered = !met ? 0.0f : stage->has_transparency ? *covered : 1.0f;
    if (!stage->transparent) {
        see_lights(path, *ray, met ? hit->distance : FLT_MAX, met ? *covered : 1.0f);
        see_lights(path, *ray, FLT_MAX, met ? 1.0f - *covered : 0.0f);
    }
    path->carried = (coif_vec3){*covered, *covered, *covered};
    return met;
}

// What the camera sees of a shadow catcher is in first alone.
static void begin_catching(coif_path_state *path, const coif_ray *ray, const coif_ray_hit *hit,
                           coif_primary_hit *first)
{
    path->catcher_hit = first;
    *first = (coif_primary_hit){.is_shadow_catcher = true};
    if (path->stage->transparent) {
        return;
    }
    coif_path_state beyond = {.stage = path->stage};
    coif_ray rest = *ray;
    rest.near = hit->distance;
    see_lights(&beyond, rest, FLT_MAX, 1.0f);
    first->background = coif_add(beyond.radiance, path->stage->background);
}

coif_vec3 coif_path_trace(const coif_render_scene *stage, coif_ray ray, coif_sampler *sampler,
                          coif_primary_hit *first, coif_light_aovs *split)
{
    coif_path_state path = {.stage = stage, .rng_word = ray.alpha_seed, .split = split};
    const int32_t most = stage->max_depth > 0 ? stage->max_depth : SAFETY_DEPTH;
    *first = (coif_primary_hit){0};

    coif_interaction vertices[2]; // where the path is, and where it was
    coif_bsdf_sample on = {0};
    for (bool gone = false;; gone = true) {
        coif_ray_hit hit;
        const bool met = gone ? coif_accel_intersect(stage->accel, &ray, &hit)
                              : look_first(&path, &ray, &hit, &first->alpha);
        if (met) {
            coif_scene_prefetch(stage, &hit);
        }
        if (gone) {
            gather_on_the_way(&path, &on, met ? hit.distance : FLT_MAX);
            ++path.depth;
        }
        if (!met) {
            break;
        }
        coif_interaction *vertex = &vertices[path.depth & 1];
        coif_interaction_init(vertex, stage, &ray, &hit, path.depth);
        if (!gone) {
            note_first(first, vertex, &hit);
            path.hair_first = vertex->hair;
            if (stage->has_shadow_catcher && coif_is_shadow_catcher(stage, &hit)) {
                begin_catching(&path, &ray, &hit, first);
            }
        } else if (path.depth == 1 && path.catcher_hit != NULL &&
                   coif_is_shadow_catcher(stage, &hit)) {
            break; // light from catcher to catcher is in the photograph
        }
        // What shines on a catcher was aimed at, so that its shadow is known.
        const bool known = path.catcher_hit != NULL && path.depth == 1;
        if (!vertex->hair && vertex->light_index >= 0 && !known) {
            gather_emission(&path, vertex, &hit, &on);
        }
        if (!vertex->hair && vertex->skin.surface.subsurface > 0.0f) {
            path.carried =
                coif_mul(path.carried, coif_subsurface_sample(vertex, stage, &hit, sampler));
        }
        path.ends = path.depth + 1 >= most;
        const coif_vec2 lobe = coif_sampler_next_2d(sampler);
        coif_path_guide bearings;
        coif_path_guide_at(&bearings, &stage->lights, vertex->position);
        on = choose_departure(&path, vertex, &bearings, lobe, coif_sampler_next_2d(sampler));
        coif_estimate_direct(&path, &on, &bearings, sampler);
        if (!on.goes) {
            break;
        }
        ray = go_on(&path, &on);
    }
    if (first->alpha < 1.0f && !first->is_shadow_catcher && !stage->transparent) {
        const coif_vec3 behind = coif_scale(stage->background, 1.0f - first->alpha);
        path.radiance = coif_add(path.radiance, behind);
        if (split != NULL) {
            coif_path_record_aov(&path, COIF_AOV_BACKGROUND, behind);
            coif_path_record_aov_group(&path, 0, behind);
        }
    }
    return path.radiance;
}
