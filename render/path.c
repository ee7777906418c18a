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
    bool hair_first;        // what the camera saw was hair
    coif_path_split *split; // NULL: nobody asks
} path_state;

// Adds light; what of it was added.
static coif_vec3 gather(path_state *path, coif_vec3 light)
{
    const float limit = path->stage->clamp, most = largest(light);
    if (limit > 0.0f && path->depth > 0 && most > limit) {
        light = coif_scale(light, limit / most);
    }
    if (!isfinite(most)) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    path->radiance = coif_add(path->radiance, light);
    return light;
}

static void note(path_state *path, coif_aov_kind part, coif_vec3 light)
{
    path->split->parts[part] = coif_add(path->split->parts[part], light);
}

static void note_group(path_state *path, int32_t group, coif_vec3 light)
{
    path->split->groups[group] = coif_add(path->split->groups[group], light);
}

static float share(float part, float whole)
{
    return whole > 0.0f ? part / whole : 0.0f;
}

// Light that the hair in view scattered itself, lobe by lobe; inner reflections beyond the first
// count as multiple scattering.
static void note_lobes(path_state *path, const coif_vertex *vertex, coif_vec3 wi, coif_vec3 light)
{
    static const coif_aov_kind parts[COIF_HAIR_LOBES] = {COIF_AOV_R, COIF_AOV_TT, COIF_AOV_TRT,
                                                         COIF_AOV_MULTIPLE};
    coif_vec3 lobes[COIF_HAIR_LOBES], all = {0.0f, 0.0f, 0.0f};
    coif_vertex_lobes(vertex, wi, lobes);
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        all = coif_add(all, lobes[p]);
    }
    for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
        const coif_vec3 shares = {share(lobes[p].x, all.x), share(lobes[p].y, all.y),
                                  share(lobes[p].z, all.z)};
        note(path, parts[p], coif_mul(shares, light));
    }
}

static void note_scattered(path_state *path, const coif_vertex *vertex, coif_vec3 wi, int32_t light,
                           coif_vec3 added)
{
    note_group(path, path->stage->lights.lights[light].group, added);
    note(path, path->depth == 0 ? COIF_AOV_DIRECT : COIF_AOV_INDIRECT, added);
    if (!path->hair_first) {
        note(path, COIF_AOV_SURFACE, added);
    } else if (path->depth > 0) {
        note(path, COIF_AOV_MULTIPLE, added);
    } else {
        note_lobes(path, vertex, wi, added);
    }
}

// One candidate after another, of which one is kept with a chance in proportion to its weight.
typedef struct reservoir {
    float sum;
    float u; // uniform; what is left of it after each choice is uniform again
    coif_vec3 light, direction;
    float target, distance;
    int32_t source; // index of the light
} reservoir;

typedef struct candidate {
    coif_vec3 light, direction;
    float density, distance;
    int32_t source;
} candidate;

static void offer(reservoir *kept, const candidate *try)
{
    const float target = brightness(try->light);
    const float weight = target / try->density;
    if (!(weight > 0.0f) || isinf(weight)) {
        return;
    }
    kept->sum += weight;
    const float share = weight / kept->sum;
    if (kept->u < share) {
        kept->u /= share;
        kept->light = try->light;
        kept->direction = try->direction;
        kept->distance = try->distance;
        kept->source = try->source;
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
        const candidate try = {
            .light = coif_mul(path->carried, coif_mul(f, sample.radiance)),
            .direction = sample.direction,
            .density = LIGHT_TRIES * sample.pdf + (sample.sharp ? 0.0f : MATERIAL_TRIES * pdf),
            .distance = sample.distance,
            .source = sample.light,
        };
        offer(kept, &try);
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
        const candidate try = {
            .light = coif_mul(path->carried, coif_mul(f, radiance)),
            .direction = wi,
            .density = LIGHT_TRIES * light_pdf + MATERIAL_TRIES * pdf,
            .distance = distance,
            .source = k,
        };
        offer(kept, &try);
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
        const coif_vec3 added = gather(path, coif_scale(kept.light, kept.sum / kept.target));
        if (path->split != NULL) {
            note_scattered(path, vertex, kept.direction, kept.source, added);
        }
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

// Lights that the camera itself sees, as far as a ray goes; some is how much of them.
static void see_lights(path_state *path, coif_ray ray, float far, float some)
{
    ray.far = far;
    if (!(some > 0.0f)) {
        return;
    }
    const coif_lights *lights = &path->stage->lights;
    for (int32_t i = 0; i < lights->count; ++i) {
        float pdf, distance;
        if (lights->lights[i].visible) {
            const coif_vec3 light = coif_light_met(&lights->lights[i], &ray, 0.0f, &pdf, &distance);
            const coif_vec3 added = gather(path, coif_scale(light, some));
            if (path->split != NULL) {
                note(path, COIF_AOV_BACKGROUND, added);
                note_group(path, lights->lights[i].group, added);
            }
        }
    }
}

static void note_first(coif_path_first *first, const coif_vertex *vertex, const coif_ray_hit *hit)
{
    const coif_vec3 nothing = {0.0f, 0.0f, 0.0f};
    *first = (coif_path_first){
        .alpha = first->alpha,
        .distance = hit->distance,
        .normal = coif_scale(vertex->normal, first->alpha),
        .albedo = coif_scale(vertex->albedo, first->alpha),
        .position = vertex->position,
        .tangent = vertex->hair ? vertex->x : nothing,
        .hair = vertex->hair,
        .shape = hit->shape,
        .primitive = hit->primitive,
        .instance = hit->instance,
        .u = hit->u,
        .v = hit->v,
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
                          coif_path_first *first, coif_path_split *split)
{
    path_state path = {.stage = stage, .chance = ray.chance, .split = split};
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
        coif_vertex_init(&vertex, stage, &ray, &hit, path.depth);
        if (path.depth == 0) {
            note_first(first, &vertex, &hit);
            path.hair_first = vertex.hair;
        }
        const coif_vec2 lobe = coif_sampler_pair(sampler);
        const coif_vec3 wi = coif_vertex_sample(&vertex, lobe.x, coif_sampler_pair(sampler));
        gather_direct(&path, &vertex, sampler, wi);
        if (path.depth + 1 >= most || !go_on(&path, &vertex, wi, lobe.y, &ray)) {
            break;
        }
    }
    if (first->alpha < 1.0f && !stage->transparent) {
        const coif_vec3 behind = coif_scale(stage->background, 1.0f - first->alpha);
        path.radiance = coif_add(path.radiance, behind);
        if (split != NULL) {
            note(&path, COIF_AOV_BACKGROUND, behind);
            note_group(&path, 0, behind);
        }
    }
    return path.radiance;
}
