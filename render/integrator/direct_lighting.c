// Next event estimation (NEE) with resampled importance sampling (RIS, Talbot et al. 2005) and MIS.
#include "render/integrator/path_internal.h"
#include "render/lights/light_sampling_x4.h"
#include "render/lights/mesh_light.h"

#include <float.h>

coif_vec3 coif_path_add_radiance(coif_path_state *path, coif_vec3 light, int32_t depth)
{
    const float limit = path->scene->clamp, largest = coif_max_component(light);
    if (limit > 0.0f && depth > 0 && largest > limit) {
        light = coif_scale(light, limit / largest);
    }
    if (!isfinite(largest)) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    path->radiance = coif_add(path->radiance, light);
    return light;
}

void coif_path_record_aov(coif_path_state *path, coif_aov_kind part, coif_vec3 light)
{
    path->aovs->parts[part] = coif_add(path->aovs->parts[part], light);
}

void coif_path_record_aov_group(coif_path_state *path, int32_t group, coif_vec3 light)
{
    path->aovs->groups[group] = coif_add(path->aovs->groups[group], light);
}

// Direct light on hair that the camera sees is split by lobe; the residual lobe counts as multiple
// scattering.
void coif_path_record_aov_scattered(coif_path_state *path, int32_t depth,
                                    const coif_interaction *isect,
                                    const coif_scattered_light *light)
{
    static const coif_aov_kind parts[COIF_HAIR_LOBES] = {COIF_AOV_R, COIF_AOV_TT, COIF_AOV_TRT,
                                                         COIF_AOV_MULTIPLE};
    const coif_vec3 added = light->added;
    coif_path_record_aov_group(path, path->scene->lights.lights[light->light].group, added);
    coif_path_record_aov(path, depth == 0 ? COIF_AOV_DIRECT : COIF_AOV_INDIRECT, added);
    if (!path->primary_is_hair) {
        coif_path_record_aov(path, COIF_AOV_SURFACE, added);
    } else if (depth > 0) {
        coif_path_record_aov(path, COIF_AOV_MULTIPLE, added);
    } else {
        coif_vec3 fractions[COIF_HAIR_LOBES];
        coif_interaction_lobe_fractions(isect, light->wi, light->h, light->h_count, fractions);
        for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
            coif_path_record_aov(path, parts[p], coif_mul(fractions[p], added));
        }
    }
}

bool coif_is_shadow_catcher(const coif_render_scene *scene, const coif_ray_hit *hit)
{
    const coif_geometry *shape = &scene->geometries[hit->geometry];
    return shape->mesh != NULL &&
           coif_material_of_triangle(shape->materials, shape->mesh, hit->primitive)
               ->is_shadow_catcher;
}

// Whether a shadow ray hits a catcher anywhere along its length: a background photograph already
// contains that shadow.
static bool ray_hits_shadow_catcher(const coif_render_scene *scene, coif_ray ray)
{
    enum { MOST_LAYERS = 64 };
    coif_ray_hit hit;
    for (int i = 0; i < MOST_LAYERS && coif_accel_intersect(scene->accel, &ray, &hit); ++i) {
        if (coif_is_shadow_catcher(scene, &hit)) {
            return true;
        }
        ray.near = hit.distance * (1.0f + 1e-5f) + 1e-7f;
    }
    return false;
}

// A RIS candidate.
typedef struct candidate {
    coif_vec3 light, direction; // light: unoccluded contribution over the sum of all sampling pdfs
    float weight, distance;     // weight: luminance of light, the target function
    int32_t source;             // index of the light
    float h[COIF_MAX_H];        // offsets at which a fibre was evaluated
    int h_count;
} candidate;

enum { MAX_CANDIDATES = COIF_LIGHT_CANDIDATES + 1 };

typedef struct candidates {
    candidate items[MAX_CANDIDATES];
    int count;
    float sum; // of weights
} candidates;

static void add_candidate(candidates *list, const candidate *chosen)
{
    if (chosen->weight > 0.0f && chosen->weight < FLT_MAX) {
        list->items[list->count++] = *chosen;
        list->sum += chosen->weight;
    }
}

// Cranley-Patterson rotations: one pair of random numbers serves all candidates and stratifies
// them.
static const coif_lanes SHIFT_U = {0.0f, 0.5f, 0.25f, 0.75f};
static const coif_lanes SHIFT_V = {0.0f, 0.5f, 0.75f, 0.25f};

static coif_lanes wrap(coif_lanes x)
{
    return coif_lanes_select(x >= 1.0f, x - 1.0f, x);
}

// Random numbers of one NEE.
typedef struct random_numbers {
    coif_vec2 choice;   // of the light, of the candidate
    coif_vec2 position; // on the light
    float h;            // across the fibre
} random_numbers;

// A shadow catcher gets light by NEE alone, which knows its shadow.
static bool is_on_shadow_catcher(const coif_path_state *path)
{
    return path->catcher_hit != NULL && path->depth == 0;
}

// Lanes whose light BSDF sampling cannot find.
static coif_lanes_int nee_only(const coif_path_state *path, const coif_light_samples_x4 *samples)
{
    return is_on_shadow_catcher(path) ? (coif_lanes_int){-1, -1, -1, -1} : samples->nee_only;
}

static coif_lanes largest(coif_lanes a, coif_lanes b, coif_lanes c)
{
    return coif_lanes_max(a, coif_lanes_max(b, c));
}

// MIS: the pdf with which BSDF sampling finds the light samples. It ignores Russian roulette, but
// for mesh lights, which only surviving paths hit.
static coif_lanes bsdf_sampling_pdf(const coif_path_state *path, const coif_path_guide *guide,
                                    const coif_light_samples_x4 *samples, coif_lanes onward,
                                    coif_lanes pdf)
{
    const coif_lights *lights = &path->scene->lights;
    coif_lanes density = pdf;
    if (lights->has_mesh_lights) {
        const coif_lanes weight =
            coif_path_guide_weight_x4(guide, samples->x, samples->y, samples->z);
        const coif_lanes continuing = coif_lanes_min(pdf, coif_rr_survival(path) * weight * onward);
        for (int i = 0; i < COIF_LIGHT_CANDIDATES; ++i) {
            if (samples->light[i] >= 0 &&
                lights->lights[samples->light[i]].type == COIF_LIGHT_MESH) {
                density[i] = continuing[i];
            }
        }
    }
    return coif_lanes_select(nee_only(path, samples), coif_lanes_splat(0.0f), density);
}

static void add_light_candidates(candidates *list, const coif_path_state *path,
                                 const coif_interaction *isect, const coif_path_guide *guide,
                                 const random_numbers *numbers)
{
    const coif_light_random_x4 aims = {
        .choice = 0.25f * (numbers->choice.x + (coif_lanes){0.0f, 1.0f, 2.0f, 3.0f}),
        .u = wrap(numbers->position.x + SHIFT_U),
        .v = wrap(numbers->position.y + SHIFT_V),
    };
    coif_light_samples_x4 samples;
    coif_lights_sample_x4(&samples, &path->scene->lights, isect->position, isect->time,
                          &guide->lights, &aims);
    // The BSDF of a fibre depends strongly on h, which is uniform after the first scattering event
    // and within a pixel wider than the fibre. Each candidate takes offsets of its own, which
    // averages over h without further rays.
    const coif_lanes zero = coif_lanes_splat(0.0f);
    const bool averaged = isect->h_window > 0.0f;
    const int count = averaged && coif_interaction_is_round_hair(isect) ? COIF_MAX_H : 1;
    coif_lanes light[3] = {zero, zero, zero};
    coif_interaction_query_x4 query[COIF_MAX_H];
    for (int k = 0; k < count; ++k) {
        const coif_lanes u = wrap(numbers->h + SHIFT_V + 0.125f * (float)k);
        query[k] = (coif_interaction_query_x4){samples.x, samples.y, samples.z,
                                               averaged ? coif_interaction_window_h(isect, u)
                                                        : coif_lanes_splat(isect->h)};
        const coif_bsdf_values_x4 f = coif_interaction_eval_x4(isect, &query[k]);
        const coif_lanes red = f.red * path->throughput.x, green = f.green * path->throughput.y;
        const coif_lanes blue = f.blue * path->throughput.z;
        const coif_lanes sample =
            bsdf_sampling_pdf(path, guide, &samples, largest(red, green, blue), f.pdf);
        const coif_lanes weight =
            1.0f / ((float)count * (COIF_LIGHT_CANDIDATES * samples.pdf + sample));
        light[0] += red * samples.red * weight;
        light[1] += green * samples.green * weight;
        light[2] += blue * samples.blue * weight;
    }
    const coif_lanes weights = coif_lanes_select(
        samples.pdf > 0.0f, 0.2126f * light[0] + 0.7152f * light[1] + 0.0722f * light[2], zero);
    for (int i = 0; i < COIF_LIGHT_CANDIDATES; ++i) {
        add_candidate(list, &(candidate){.light = {light[0][i], light[1][i], light[2][i]},
                                         .direction = {samples.x[i], samples.y[i], samples.z[i]},
                                         .weight = weights[i],
                                         .distance = samples.distance[i],
                                         .source = samples.light[i],
                                         .h = {query[0].h[i], query[count - 1].h[i]},
                                         .h_count = count});
    }
}

// The BSDF sample of a path that Russian roulette ended is a candidate too. Of several lights in
// its direction one is kept by weighted reservoir sampling; u is uniform again afterwards.
static void add_bsdf_candidate(candidates *list, const coif_path_state *path,
                               const coif_bsdf_sample *sample, float *u)
{
    const coif_lights *lights = &path->scene->lights;
    const coif_interaction *isect = sample->isect;
    const coif_ray ray = {isect->position, sample->direction, 0.0f, FLT_MAX, isect->time, 0};
    const coif_vec3 throughput = coif_mul(sample->throughput, sample->f);
    candidate taken = {0};
    float total = 0.0f; // of the weights
    for (int32_t k = 0; k < lights->count; ++k) {
        float pdf, distance;
        const coif_vec3 radiance = coif_light_eval_ray(&lights->lights[k], &ray,
                                                       sample->total_importance, &pdf, &distance);
        const coif_vec3 light = coif_scale(coif_mul(throughput, radiance),
                                           1.0f / (COIF_LIGHT_CANDIDATES * pdf + sample->pdf));
        const float weight = coif_luminance(light);
        if (!(weight > 0.0f) || !(weight < FLT_MAX)) {
            continue;
        }
        const float sum = total + weight, probability = weight / sum;
        if (*u < probability) {
            *u /= probability;
            taken = (candidate){light, sample->direction, weight, distance, k, {isect->h}, 1};
        } else {
            *u = coif_min((*u - probability) / (1.0f - probability), 0.9999999f);
        }
        total = sum;
    }
    if (total > 0.0f) { // the light stands for all of them
        taken.light = coif_scale(taken.light, total / taken.weight);
        taken.weight = total;
        add_candidate(list, &taken);
    }
}

// Visibility of a candidate. A mesh light occludes itself, so there the nearest hit must be the
// mesh light at about the sampled distance.
static bool is_visible(coif_path_state *path, const coif_interaction *isect,
                       const candidate *chosen)
{
    coif_ray shadow = coif_spawn_ray(path, isect, chosen->direction);
    const coif_light *light = &path->scene->lights.lights[chosen->source];
    if (light->type != COIF_LIGHT_MESH) {
        shadow.far = chosen->distance;
        return !coif_accel_occluded(path->scene->accel, &shadow);
    }
    coif_ray_hit hit;
    const float slack =
        1e-3f * chosen->distance +
        (coif_interaction_is_fibre(isect) ? 4.0f * isect->radius : coif_length(isect->lift));
    return coif_accel_intersect(path->scene->accel, &shadow, &hit) &&
           hit.geometry == light->mesh_light->geometry &&
           hit.instance == light->mesh_light->instance && hit.distance > chosen->distance - slack;
}

// Direct light on a shadow catcher, with and without shadows.
static void add_to_shadow_catcher(coif_path_state *path, const coif_interaction *isect,
                                  const candidate *chosen, coif_vec3 light)
{
    coif_primary_hit *first = path->catcher_hit;
    const bool visible = is_visible(path, isect, chosen);
    coif_ray shadow = coif_spawn_ray(path, isect, chosen->direction);
    shadow.far = chosen->distance;
    if (!isfinite(coif_max_component(light)) ||
        (!visible && ray_hits_shadow_catcher(path->scene, shadow))) {
        return;
    }
    first->unshadowed = coif_add(first->unshadowed, light);
    if (visible) {
        first->shadowed = coif_add(first->shadowed, light);
    }
}

// Number of shadow rays. Contributions below 12 % of an unoccluded isotropic response are traced
// stochastically and reweighted by scale; u is uniform again afterwards.
static int shadow_ray_count(float sum, float total, float *u, float *scale)
{
    static const float MIN_WORTH = 0.12f;
    const float worth = sum / (MIN_WORTH * total * COIF_INV_PI * 0.25f);
    if (worth < 1.0f) {
        const bool traced = *u < worth;
        *u /= worth;
        *scale = 1.0f / worth;
        return traced;
    }
    return (int)coif_min(worth, COIF_LIGHT_CANDIDATES);
}

static void trace_shadow_ray(coif_path_state *path, const coif_interaction *isect,
                             const candidate *chosen, float weight)
{
    const coif_vec3 light = coif_scale(chosen->light, weight);
    if (is_on_shadow_catcher(path)) {
        add_to_shadow_catcher(path, isect, chosen, light);
    } else if (is_visible(path, isect, chosen)) {
        const coif_vec3 added = coif_path_add_radiance(path, light, path->depth);
        if (path->aovs != NULL) {
            coif_path_record_aov_scattered(path, path->depth, isect,
                                           &(coif_scattered_light){chosen->direction,
                                                                   chosen->source, chosen->h,
                                                                   chosen->h_count, added});
        }
    }
}

// Systematic resampling: rays are evenly spaced along the cumulative weights. A candidate is traced
// once, however many rays it gets.
static void trace_shadow_rays(coif_path_state *path, const coif_interaction *isect,
                              const candidates *list, int rays, float u, float scale)
{
    const float step = list->sum / (float)rays;
    float mark = u * step, passed = 0.0f;
    int remaining = rays;
    for (int i = 0; i < list->count && remaining > 0; ++i) {
        const candidate *chosen = &list->items[i];
        passed += chosen->weight;
        int rays_here = 0;
        for (; remaining > 0 && (mark < passed || i + 1 == list->count); --remaining) {
            mark += step;
            ++rays_here;
        }
        if (rays_here > 0) {
            trace_shadow_ray(path, isect, chosen, (float)rays_here * scale * step / chosen->weight);
        }
    }
}

// RIS over four light samples and, where Russian roulette ends the path, the BSDF sample; surviving
// paths add the latter along their next ray. MIS weights use the balance heuristic.
void coif_estimate_direct(coif_path_state *path, const coif_bsdf_sample *sample,
                          const coif_path_guide *guide, coif_sampler *sampler)
{
    random_numbers numbers; // drawn in this order; the order of an initialiser is unspecified
    numbers.choice = coif_sampler_next_2d(sampler);
    numbers.position = coif_sampler_next_2d(sampler);
    numbers.h = sample->isect->h_window > 0.0f ? coif_sampler_next_2d(sampler).x : 0.0f;
    candidates list;
    list.count = 0;
    list.sum = 0.0f;
    float u = numbers.choice.y, scale = 1.0f;
    add_light_candidates(&list, path, sample->isect, guide, &numbers);
    if (!sample->survives_rr && !is_on_shadow_catcher(path)) {
        add_bsdf_candidate(&list, path, sample, &u);
    }
    if (!(list.sum > 0.0f)) {
        return;
    }
    const int rays = is_on_shadow_catcher(path)
                         ? 1
                         : shadow_ray_count(list.sum, guide->lights.total, &u, &scale);
    trace_shadow_rays(path, sample->isect, &list, rays, u, scale);
}
