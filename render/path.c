#include "render/path.h"

#include <float.h>

// Far beyond any path that roulette would let live; guards against numbers gone wrong.
enum { SAFETY_DEPTH = 4096 };

static float largest(coif_vec3 c)
{
    return coif_max(c.x, coif_max(c.y, c.z));
}

// Directions tried for one shadow ray: towards lights, and where the material would send light.
enum { LIGHT_TRIES = 4, MATERIAL_TRIES = 2 };

static float brightness(coif_vec3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

typedef struct path_state {
    const coif_stage *stage;
    coif_vec3 radiance;
    coif_vec3 carried; // what light from here on is multiplied by
    uint32_t chance;   // for widened strands; another word for every ray
    int32_t depth;
} path_state;

static void gather(path_state *path, coif_vec3 light)
{
    const float limit = path->stage->clamp, most = largest(light);
    if (limit > 0.0f && path->depth > 0 && most > limit) {
        light = coif_scale(light, limit / most);
    }
    if (isfinite(most)) {
        path->radiance = coif_add(path->radiance, light);
    }
}

// One candidate after another, of which one is kept with a chance in proportion to its weight.
typedef struct reservoir {
    float sum;
    float u; // uniform; what is left of it after each choice is uniform again
    coif_vec3 light, direction;
    float target, distance;
} reservoir;

static void offer(reservoir *kept, coif_vec3 light, float density, coif_vec3 direction,
                  float distance)
{
    const float target = brightness(light);
    const float weight = target / density;
    if (!(weight > 0.0f) || isinf(weight)) {
        return;
    }
    kept->sum += weight;
    const float share = weight / kept->sum;
    if (kept->u < share) {
        kept->u /= share;
        kept->light = light;
        kept->direction = direction;
        kept->distance = distance;
        kept->target = target;
    } else {
        kept->u = (kept->u - share) / (1.0f - share);
    }
}

// Where in its width a fibre is met is pure chance once a path has scattered, and what it scatters
// towards a lamp depends sharply on that. So each try takes an offset of its own, and their average
// comes without further rays.
static coif_vec3 eval_try(const path_state *path, const coif_vertex *vertex, coif_vec3 wi,
                          coif_sampler *sampler, float *pdf)
{
    if (path->depth == 0 || !vertex->hair) {
        return coif_vertex_eval(vertex, wi, pdf);
    }
    const float h = 2.0f * coif_sampler_pair(sampler).x - 1.0f;
    return coif_vertex_eval_across(vertex, h, wi, pdf);
}

static void try_lights(reservoir *kept, const path_state *path, const coif_vertex *vertex,
                       coif_sampler *sampler)
{
    const float choice = coif_sampler_pair(sampler).x;
    for (int i = 0; i < LIGHT_TRIES; ++i) {
        const coif_light_sample sample =
            coif_lights_sample(&path->stage->lights, vertex->position,
                               ((float)i + choice) / LIGHT_TRIES, coif_sampler_pair(sampler));
        if (!(sample.pdf > 0.0f)) {
            continue;
        }
        float pdf;
        const coif_vec3 f = eval_try(path, vertex, sample.direction, sampler, &pdf);
        offer(kept, coif_mul(path->carried, coif_mul(f, sample.radiance)),
              LIGHT_TRIES * sample.pdf + MATERIAL_TRIES * pdf, sample.direction, sample.distance);
    }
}

// A direction the material chose may look at several lights.
static void try_material(reservoir *kept, const path_state *path, const coif_vertex *vertex,
                         coif_vec3 wi, float total)
{
    const coif_lights *lights = &path->stage->lights;
    const coif_ray ray = {vertex->position, wi, 0.0f, FLT_MAX, vertex->time, 0};
    float pdf = 0.0f;
    coif_vec3 f = {0.0f, 0.0f, 0.0f};
    for (int32_t k = 0; k < lights->count; ++k) {
        float light_pdf, distance;
        const coif_vec3 radiance =
            coif_light_met(&lights->lights[k], &ray, total, &light_pdf, &distance);
        if (!(largest(radiance) > 0.0f)) {
            continue;
        }
        if (pdf == 0.0f) {
            f = coif_vertex_eval(vertex, wi, &pdf);
        }
        offer(kept, coif_mul(path->carried, coif_mul(f, radiance)),
              LIGHT_TRIES * light_pdf + MATERIAL_TRIES * pdf, wi, distance);
    }
}

static coif_ray leave(path_state *path, const coif_vertex *vertex, coif_vec3 wi)
{
    coif_ray ray = coif_vertex_leave(vertex, wi);
    if (path->stage->widened) {
        ray.chance = path->chance = coif_hash_word(path->chance + 0x9e3779b9u);
    }
    return ray;
}

// Light that arrives straight from lights. Several directions are drawn from both sides, weighed
// against each other by the balance heuristic, and one of them gets the shadow ray.
static void gather_direct(path_state *path, const coif_vertex *vertex, coif_sampler *sampler,
                          coif_vec3 way_on)
{
    const float total = coif_lights_total(&path->stage->lights, vertex->position);
    const coif_vec2 choice = coif_sampler_pair(sampler);
    reservoir kept = {.u = choice.x};
    try_lights(&kept, path, vertex, sampler);
    try_material(&kept, path, vertex, way_on, total);
    for (int i = 1; i < MATERIAL_TRIES; ++i) {
        const float lobe = coif_sampler_pair(sampler).x;
        try_material(&kept, path, vertex,
                     coif_vertex_sample(vertex, lobe, coif_sampler_pair(sampler)), total);
    }
    if (!(kept.target > 0.0f)) {
        return;
    }
    coif_ray shadow = leave(path, vertex, kept.direction);
    shadow.far = kept.distance;
    if (!coif_accel_blocked(path->stage->accel, &shadow)) {
        gather(path, coif_scale(kept.light, kept.sum / kept.target));
    }
}

// Goes on in a direction; false when the path ends here.
static bool go_on(path_state *path, const coif_vertex *vertex, coif_vec3 wi, float roulette,
                  coif_ray *ray)
{
    float pdf;
    const coif_vec3 f = coif_vertex_eval(vertex, wi, &pdf);
    if (!(pdf > 0.0f)) {
        return false;
    }
    path->carried = coif_mul(path->carried, coif_scale(f, 1.0f / pdf));
    ++path->depth;
    const float survival = coif_min(1.0f, largest(path->carried));
    if (!(roulette < survival)) {
        return false;
    }
    path->carried = coif_scale(path->carried, 1.0f / survival);
    *ray = leave(path, vertex, wi);
    return true;
}

// Lights that the camera itself sees, as far as a ray goes; share is how much of them.
static void see_lights(path_state *path, coif_ray ray, float far, float share)
{
    ray.far = far;
    if (!(share > 0.0f)) {
        return;
    }
    const coif_lights *lights = &path->stage->lights;
    for (int32_t i = 0; i < lights->count; ++i) {
        float pdf, distance;
        if (lights->lights[i].visible) {
            const coif_vec3 light = coif_light_met(&lights->lights[i], &ray, 0.0f, &pdf, &distance);
            gather(path, coif_scale(light, share));
        }
    }
}

static void note_first(coif_path_first *first, const coif_vertex *vertex, float distance)
{
    *first = (coif_path_first){
        .alpha = first->alpha,
        .distance = distance,
        .normal = coif_scale(vertex->normal, first->alpha),
        .albedo = coif_scale(vertex->albedo, first->alpha),
    };
}

// What the camera's own ray meets, and how much of the view that takes.
static bool look_first(path_state *path, const coif_ray *ray, coif_ray_hit *hit, float *covered)
{
    const coif_stage *stage = path->stage;
    const bool met = stage->widened ? coif_accel_trace_layers(stage->accel, ray, hit, covered)
                                    : coif_accel_trace(stage->accel, ray, hit);
    *covered = !met ? 0.0f : stage->widened ? *covered : 1.0f;
    if (!stage->transparent) {
        see_lights(path, *ray, met ? hit->distance : FLT_MAX, met ? *covered : 1.0f);
        see_lights(path, *ray, FLT_MAX, met ? 1.0f - *covered : 0.0f);
    }
    path->carried = (coif_vec3){*covered, *covered, *covered};
    return met;
}

coif_vec3 coif_path_trace(const coif_stage *stage, coif_ray ray, coif_sampler *sampler,
                          coif_path_first *first)
{
    path_state path = {.stage = stage, .chance = ray.chance};
    const int32_t most = stage->max_depth > 0 ? stage->max_depth : SAFETY_DEPTH;
    *first = (coif_path_first){0};

    for (;;) {
        coif_ray_hit hit;
        const bool met = path.depth == 0 ? look_first(&path, &ray, &hit, &first->alpha)
                                         : coif_accel_trace(stage->accel, &ray, &hit);
        if (!met) {
            break;
        }
        coif_vertex vertex;
        coif_vertex_init(&vertex, stage, &ray, &hit);
        if (path.depth == 0) {
            note_first(first, &vertex, hit.distance);
        }
        const coif_vec2 lobe = coif_sampler_pair(sampler);
        const coif_vec3 wi = coif_vertex_sample(&vertex, lobe.x, coif_sampler_pair(sampler));
        gather_direct(&path, &vertex, sampler, wi);
        if (path.depth + 1 >= most || !go_on(&path, &vertex, wi, lobe.y, &ray)) {
            break;
        }
    }
    if (first->alpha < 1.0f && !stage->transparent) {
        path.radiance = coif_mad(path.radiance, 1.0f - first->alpha, stage->background);
    }
    return path.radiance;
}
