#include "render/integrator/path.h"

#include "render/integrator/camera_ray.h"
#include "render/integrator/indirect_cache.h"
#include "render/integrator/path_internal.h"
#include "render/integrator/subsurface.h"
#include "render/lights/mesh_light.h"

#include <float.h>

// Paths that fill the cache survive longer: many pixels share them.
static const float CACHE_SURVIVAL = 3.0f;

// Safety limit far beyond any path that survives Russian roulette.
enum { MAX_DEPTH = 4096 };

coif_ray coif_spawn_ray(coif_path_state *path, const coif_interaction *isect, coif_vec3 wi)
{
    coif_ray ray = coif_interaction_spawn_ray(isect, wi);
    if (path->scene->has_transparency) {
        ray.alpha_seed = path->rng_word = coif_hash_word(path->rng_word + 0x9e3779b9u);
    }
    return ray;
}

static coif_bsdf_sample sample_bsdf(const coif_path_state *path, const coif_interaction *isect,
                                    const coif_path_guide *guide, coif_vec2 lobe, coif_vec2 u)
{
    coif_bsdf_sample sample = {
        .isect = isect, .throughput = path->throughput, .total_importance = guide->lights.total};
    sample.direction = coif_interaction_sample(isect, lobe.x, u, &sample.f, &sample.pdf);
    sample.rr_pdf =
        coif_rr_pdf(path, coif_path_guide_weight(guide, sample.direction),
                    coif_max_component(coif_mul(sample.throughput, sample.f)), sample.pdf);
    sample.survives_rr = lobe.y * sample.pdf < sample.rr_pdf;
    return sample;
}

// MIS, BSDF sampling side: lights along the ray up to the next hit. The pdf is that of the BSDF
// sample without Russian roulette: paths that roulette ended add the same lights in NEE, by a
// shadow ray in the sampled direction.
static void add_lights_along_ray(coif_path_state *path, const coif_bsdf_sample *sample, float far)
{
    const coif_lights *lights = &path->scene->lights;
    const coif_interaction *isect = sample->isect;
    if (path->catcher_hit != NULL && path->depth == 0) {
        return; // a shadow catcher gets its light by NEE alone
    }
    const coif_ray ray = {isect->position, sample->direction, 0.0f, far, isect->time, 0};
    for (int32_t k = 0; k < lights->count; ++k) {
        float pdf, distance;
        const coif_vec3 radiance = coif_light_eval_ray(&lights->lights[k], &ray,
                                                       sample->total_importance, &pdf, &distance);
        if (!(coif_max_component(radiance) > 0.0f)) {
            continue;
        }
        const float density = COIF_LIGHT_CANDIDATES * pdf + sample->pdf;
        const coif_vec3 light = coif_mul(sample->throughput, coif_mul(sample->f, radiance));
        const coif_vec3 added =
            coif_path_add_radiance(path, coif_scale(light, 1.0f / density), path->depth);
        if (path->aovs != NULL) {
            coif_path_record_aov_scattered(
                path, path->depth, isect,
                &(coif_scattered_light){sample->direction, k, &isect->h, 1, added});
        }
    }
}

// Emission of a mesh light that the camera or a BSDF sample hits; the latter is weighted by MIS
// against NEE (balance heuristic).
static void add_emission(coif_path_state *path, const coif_interaction *isect,
                         const coif_ray_hit *hit, const coif_bsdf_sample *sample)
{
    const coif_light *light = &path->scene->lights.lights[isect->light_index];
    const coif_mesh_light *mesh_light = light->mesh_light;
    coif_vec3 emitted =
        coif_mul(path->throughput, coif_material_emission(mesh_light->materials, mesh_light->meshes,
                                                          hit->primitive, hit->u, hit->v));
    if (path->depth == 0) {
        emitted = coif_path_add_radiance(path, emitted, 0);
        if (path->aovs != NULL) {
            coif_path_record_aov_group(path, light->group, emitted);
            coif_path_record_aov(path, COIF_AOV_DIRECT, emitted);
            coif_path_record_aov(path, COIF_AOV_SURFACE, emitted);
        }
        return;
    }
    const coif_vec3 from = sample->isect->position;
    const float light_pdf =
        COIF_LIGHT_CANDIDATES * coif_light_select_pdf(light, from, sample->total_importance) *
        coif_mesh_light_pdf(mesh_light, hit->primitive, isect->position, from, isect->time);
    emitted = coif_path_add_radiance(
        path, coif_scale(emitted, sample->rr_pdf / (sample->rr_pdf + light_pdf)), path->depth - 1);
    if (path->aovs != NULL) {
        coif_path_record_aov_scattered(path, path->depth - 1, sample->isect,
                                       &(coif_scattered_light){sample->direction,
                                                               isect->light_index,
                                                               &sample->isect->h, 1, emitted});
    }
}

static coif_ray continue_path(coif_path_state *path, const coif_bsdf_sample *sample)
{
    path->throughput = coif_mul(path->throughput, coif_scale(sample->f, 1.0f / sample->rr_pdf));
    return coif_spawn_ray(path, sample->isect, sample->direction);
}

// Lights that the camera ray crosses up to far, times a weight.
static void add_visible_lights(coif_path_state *path, coif_ray ray, float far, float weight)
{
    ray.far = far;
    if (!(weight > 0.0f)) {
        return;
    }
    const coif_lights *lights = &path->scene->lights;
    for (int32_t i = 0; i < lights->count; ++i) {
        float pdf, distance;
        if (lights->lights[i].visible) {
            const coif_vec3 light =
                coif_light_eval_ray(&lights->lights[i], &ray, 0.0f, &pdf, &distance);
            const coif_vec3 added = coif_path_add_radiance(path, coif_scale(light, weight), 0);
            if (path->aovs != NULL) {
                coif_path_record_aov(path, COIF_AOV_BACKGROUND, added);
                coif_path_record_aov_group(path, lights->lights[i].group, added);
            }
        }
    }
}

static void record_primary_hit(coif_primary_hit *first, const coif_interaction *isect,
                               const coif_ray_hit *hit)
{
    const coif_vec3 zero = {0.0f, 0.0f, 0.0f};
    *first = (coif_primary_hit){
        .alpha = first->alpha,
        .distance = hit->distance,
        .normal = coif_scale(isect->normal, first->alpha),
        .albedo = coif_scale(coif_interaction_albedo(isect), first->alpha),
        .position = isect->position,
        .tangent = isect->kind != COIF_INTERACTION_SURFACE ? isect->x : zero,
        .hair = isect->kind != COIF_INTERACTION_SURFACE,
        .geometry = hit->geometry,
        .primitive = hit->primitive,
        .instance = hit->instance,
        .u = hit->u,
        .v = hit->v,
    };
}

// The camera ray's hit and its coverage.
static bool intersect_primary(coif_path_state *path, const coif_ray *ray, coif_ray_hit *hit,
                              float *coverage)
{
    const coif_render_scene *scene = path->scene;
    const bool found = scene->has_transparency
                           ? coif_accel_intersect_transparent(scene->accel, ray, hit, coverage)
                           : coif_accel_intersect(scene->accel, ray, hit);
    *coverage = !found ? 0.0f : scene->has_transparency ? *coverage : 1.0f;
    if (!scene->transparent) {
        add_visible_lights(path, *ray, found ? hit->distance : FLT_MAX, found ? *coverage : 1.0f);
        add_visible_lights(path, *ray, FLT_MAX, found ? 1.0f - *coverage : 0.0f);
    }
    path->throughput = (coif_vec3){*coverage, *coverage, *coverage};
    return found;
}

// The light of a shadow catcher is recorded in the primary hit and not added to the radiance.
static void begin_shadow_catcher(coif_path_state *path, const coif_ray *ray,
                                 const coif_ray_hit *hit, coif_primary_hit *first)
{
    path->catcher_hit = first;
    *first = (coif_primary_hit){.is_shadow_catcher = true};
    if (path->scene->transparent) {
        return;
    }
    coif_path_state background_path = {.scene = path->scene};
    coif_ray remainder = *ray;
    remainder.near = hit->distance;
    add_visible_lights(&background_path, remainder, FLT_MAX, 1.0f);
    first->background = coif_add(background_path.radiance, path->scene->background);
}

// Whether the path ends at this vertex, where indirect light is taken from the cache. The cache
// does not know light groups.
static bool ends_in_cache(const coif_path_state *path, const coif_interaction *isect)
{
    const coif_render_scene *scene = path->scene;
    return scene->indirect_cache != NULL && path->depth >= scene->indirect_cache_depth &&
           coif_interaction_is_fibre(isect);
}

static void add_cached_light(coif_path_state *path, const coif_bsdf_sample *sample,
                             coif_sampler *sampler)
{
    const coif_vec3 incident = coif_indirect_cache_eval(
        path->scene->indirect_cache, sample->isect->position, sample->direction, sampler);
    const coif_vec3 f = coif_scale(sample->f, 1.0f / sample->pdf);
    const coif_vec3 added = coif_path_add_radiance(
        path, coif_mul(coif_mul(sample->throughput, f), incident), path->depth + 1);
    if (path->aovs != NULL) {
        coif_path_record_aov_group(path, 0, added);
        coif_path_record_aov(path, COIF_AOV_INDIRECT, added);
        coif_path_record_aov(path, path->primary_is_hair ? COIF_AOV_MULTIPLE : COIF_AOV_SURFACE,
                             added);
    }
}

// Follows a path. First: of camera rays; NULL for rays that start on a fibre.
static void trace(coif_path_state *path, coif_ray ray, int32_t max_depth, coif_sampler *sampler,
                  coif_primary_hit *first)
{
    const coif_render_scene *scene = path->scene;
    coif_interaction interactions[2]; // the current and the previous path vertex
    coif_bsdf_sample sample = {0};
    for (bool scattered = false;; scattered = true) {
        coif_ray_hit hit;
        const bool found = scattered || first == NULL
                               ? coif_accel_intersect(scene->accel, &ray, &hit)
                               : intersect_primary(path, &ray, &hit, &first->alpha);
        if (found) {
            coif_scene_prefetch(scene, &hit);
        }
        if (scattered) {
            add_lights_along_ray(path, &sample, found ? hit.distance : FLT_MAX);
            ++path->depth;
        }
        if (!found) {
            break;
        }
        coif_interaction *isect = &interactions[path->depth & 1];
        coif_interaction_init(isect, scene, &ray, &hit, path->depth);
        if (!scattered && first != NULL) {
            record_primary_hit(first, isect, &hit);
            path->primary_is_hair = coif_interaction_is_fibre(isect);
            if (scene->has_shadow_catcher && coif_is_shadow_catcher(scene, &hit)) {
                begin_shadow_catcher(path, &ray, &hit, first);
            }
        } else if (path->depth == 1 && path->catcher_hit != NULL &&
                   coif_is_shadow_catcher(scene, &hit)) {
            break; // light between catchers is in the background photograph
        }
        // Direct light on a catcher or a point of the cache comes from NEE alone.
        const bool known =
            (path->catcher_hit != NULL && path->depth == 1) || (!scattered && first == NULL);
        if (!coif_interaction_is_fibre(isect) && isect->light_index >= 0 && !known) {
            add_emission(path, isect, &hit, &sample);
        }
        if (!coif_interaction_is_fibre(isect) && isect->surface_bsdf.surface.subsurface > 0.0f) {
            path->throughput =
                coif_mul(path->throughput, coif_subsurface_sample(isect, scene, &hit, sampler));
        }
        const bool is_cached = ends_in_cache(path, isect);
        path->is_last = path->depth + 1 >= max_depth || is_cached;
        const coif_vec2 lobe = coif_sampler_next_2d(sampler);
        coif_path_guide guide;
        coif_path_guide_at(&guide, &scene->lights, isect->position);
        sample = sample_bsdf(path, isect, &guide, lobe, coif_sampler_next_2d(sampler));
        coif_estimate_direct(path, &sample, &guide, sampler);
        if (is_cached) {
            add_cached_light(path, &sample, sampler);
        }
        if (!sample.survives_rr) {
            break;
        }
        ray = continue_path(path, &sample);
    }
}

static int32_t max_depth_of(const coif_render_scene *scene)
{
    return scene->max_depth > 0 ? scene->max_depth : MAX_DEPTH;
}

coif_vec3 coif_path_trace(const coif_render_scene *scene, coif_ray ray, coif_sampler *sampler,
                          coif_primary_hit *first, coif_light_aovs *aovs)
{
    coif_path_state path = {
        .scene = scene, .survival = 1.0f, .rng_word = ray.alpha_seed, .aovs = aovs};
    *first = (coif_primary_hit){0};
    trace(&path, ray, max_depth_of(scene), sampler, first);
    if (first->alpha < 1.0f && !first->is_shadow_catcher && !scene->transparent) {
        const coif_vec3 behind = coif_scale(scene->background, 1.0f - first->alpha);
        path.radiance = coif_add(path.radiance, behind);
        if (aovs != NULL) {
            coif_path_record_aov(&path, COIF_AOV_BACKGROUND, behind);
            coif_path_record_aov_group(&path, 0, behind);
        }
    }
    return path.radiance;
}

coif_vec3 coif_path_trace_indirect(const coif_render_scene *scene, const coif_interaction *isect,
                                   coif_vec3 direction, int32_t depth, coif_sampler *sampler)
{
    coif_path_state path = {.scene = scene,
                            .throughput = {1.0f, 1.0f, 1.0f},
                            .survival = CACHE_SURVIVAL,
                            .rng_word =
                                coif_hash_word((uint32_t)sampler->pixel_key + sampler->reversed),
                            .depth = 1};
    const coif_ray ray = coif_spawn_ray(&path, isect, direction);
    if (max_depth_of(scene) - depth < 2) {
        return path.radiance;
    }
    trace(&path, ray, max_depth_of(scene) - depth, sampler, NULL);
    return path.radiance;
}

bool coif_path_find_fibre(const coif_render_scene *scene, int32_t depth, coif_sampler *sampler,
                          coif_interaction *isect)
{
    coif_camera mixed;
    const coif_camera *camera;
    const coif_vec2 position = coif_sampler_next_2d(sampler);
    coif_ray ray = coif_camera_ray_sample(scene, position, sampler, &mixed, &camera);
    coif_path_state path = {.scene = scene, .survival = 1.0f, .rng_word = ray.alpha_seed};
    coif_primary_hit first = {0};
    coif_ray_hit hit;
    bool found = intersect_primary(&path, &ray, &hit, &first.alpha);
    for (; found; ++path.depth) {
        coif_interaction_init(isect, scene, &ray, &hit, path.depth);
        if (path.depth >= depth && coif_interaction_is_fibre(isect)) {
            return true;
        }
        if (path.depth + 2 >= max_depth_of(scene)) {
            return false;
        }
        if (!coif_interaction_is_fibre(isect) && isect->surface_bsdf.surface.subsurface > 0.0f) {
            path.throughput =
                coif_mul(path.throughput, coif_subsurface_sample(isect, scene, &hit, sampler));
        }
        coif_path_guide guide;
        coif_path_guide_at(&guide, &scene->lights, isect->position);
        const coif_vec2 lobe = coif_sampler_next_2d(sampler);
        const coif_bsdf_sample sample =
            sample_bsdf(&path, isect, &guide, lobe, coif_sampler_next_2d(sampler));
        if (!sample.survives_rr) {
            return false;
        }
        ray = continue_path(&path, &sample);
        found = coif_accel_intersect(scene->accel, &ray, &hit);
    }
    return false;
}
