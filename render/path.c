#include "render/path.h"

#include <float.h>

// Far beyond any path that roulette would let live; guards against numbers gone wrong.
enum { SAFETY_DEPTH = 4096 };

static float largest(coif_vec3 c)
{
    return coif_max(c.x, coif_max(c.y, c.z));
}

// Directions tried for one shadow ray: towards lights, and the one in which the path goes on.
enum { LIGHT_TRIES = 4 };

// Of paths that carry all light, this share goes on after the first scattering. Light that was
// scattered once has most of the contrast; measured over dark, blond and white hair, the error of a
// picture falls fastest when fewer paths look for the rest, at the weight that makes up for it.
static const float GOES_ON = 0.7f;

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

// Tries stand apart from each other by these shifts, so that one pair of numbers serves them all
// and spreads them better than four would. Each try by itself is as even as the pair.
static const coif_vec2 SHIFTS[LIGHT_TRIES] = {
    {0.0f, 0.0f}, {0.5f, 0.5f}, {0.25f, 0.75f}, {0.75f, 0.25f}};

static float wrap(float x)
{
    return x >= 1.0f ? x - 1.0f : x;
}

// The numbers by which a vertex chooses directions for its shadow ray.
typedef struct dice {
    coif_vec2 choice; // of the light, of the one that is kept
    coif_vec2 place;  // on the light
    float across;     // the fibre
} dice;

static void try_lights(reservoir *kept, const path_state *path, const coif_vertex *vertex,
                       const dice *numbers, float total)
{
    coif_light_sample samples[LIGHT_TRIES];
    coif_vec3 directions[LIGHT_TRIES], f[LIGHT_TRIES];
    float offsets[LIGHT_TRIES], pdf[LIGHT_TRIES];
    for (int i = 0; i < LIGHT_TRIES; ++i) {
        const coif_vec2 place = {wrap(numbers->place.x + SHIFTS[i].x),
                                 wrap(numbers->place.y + SHIFTS[i].y)};
        samples[i] = coif_lights_sample_of(&path->stage->lights, vertex->position, total,
                                           ((float)i + numbers->choice.x) / LIGHT_TRIES, place);
        directions[i] = samples[i].direction;
        offsets[i] = 2.0f * wrap(numbers->across + SHIFTS[i].y) - 1.0f;
    }
    // Where in its width a fibre is met is pure chance once a path has scattered, and what it
    // scatters towards a lamp depends sharply on that. So each try takes an offset of its own, and
    // their average comes without further rays.
    coif_vertex_eval_tries(vertex, directions, path->depth > 0 ? offsets : NULL, f, pdf);
    for (int i = 0; i < LIGHT_TRIES; ++i) {
        const coif_light_sample *sample = &samples[i];
        const candidate try = {
            .light = coif_mul(path->carried, coif_mul(f[i], sample->radiance)),
            .direction = sample->direction,
            .density = LIGHT_TRIES * sample->pdf + (sample->sharp ? 0.0f : pdf[i]),
            .distance = sample->distance,
            .source = sample->light,
        };
        if (sample->pdf > 0.0f) {
            offer(kept, &try);
        }
    }
}

// A direction the material chose, its value and density.
typedef struct way {
    coif_vec3 direction, f;
    float pdf;
} way;

static way choose_way(const coif_vertex *vertex, float lobe, coif_vec2 u)
{
    way chosen = {.direction = coif_vertex_sample(vertex, lobe, u)};
    chosen.f = coif_vertex_eval(vertex, chosen.direction, &chosen.pdf);
    return chosen;
}

// It may look at several lights.
static void try_material(reservoir *kept, const path_state *path, const coif_vertex *vertex,
                         const way *chosen, float total)
{
    const coif_lights *lights = &path->stage->lights;
    const coif_ray ray = {vertex->position, chosen->direction, 0.0f, FLT_MAX, vertex->time, 0};
    for (int32_t k = 0; k < lights->count; ++k) {
        float light_pdf, distance;
        const coif_vec3 radiance =
            coif_light_met(&lights->lights[k], &ray, total, &light_pdf, &distance);
        if (!(largest(radiance) > 0.0f)) {
            continue;
        }
        const candidate try = {
            .light = coif_mul(path->carried, coif_mul(chosen->f, radiance)),
            .direction = chosen->direction,
            .density = LIGHT_TRIES * light_pdf + chosen->pdf,
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
                          const way *on)
{
    const float total = coif_lights_total(&path->stage->lights, vertex->position);
    dice numbers; // in this order: that of an initialiser is the compiler's
    numbers.choice = coif_sampler_pair(sampler);
    numbers.place = coif_sampler_pair(sampler);
    numbers.across = path->depth > 0 ? coif_sampler_pair(sampler).x : 0.0f;
    reservoir kept = {.u = numbers.choice.y};
    try_lights(&kept, path, vertex, &numbers, total);
    try_material(&kept, path, vertex, on, total);
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
static bool go_on(path_state *path, const coif_vertex *vertex, const way *on, float roulette,
                  coif_ray *ray)
{
    if (!(on->pdf > 0.0f)) {
        return false;
    }
    path->carried = coif_mul(path->carried, coif_scale(on->f, 1.0f / on->pdf));
    ++path->depth;
    const float survival = coif_min(1.0f, GOES_ON * largest(path->carried));
    if (!(roulette < survival)) {
        return false;
    }
    path->carried = coif_scale(path->carried, 1.0f / survival);
    *ray = leave(path, vertex, on->direction);
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
        .albedo = coif_scale(coif_vertex_albedo(vertex), first->alpha),
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
        const way on = choose_way(&vertex, lobe.x, coif_sampler_pair(sampler));
        gather_direct(&path, &vertex, sampler, &on);
        if (path.depth + 1 >= most || !go_on(&path, &vertex, &on, lobe.y, &ray)) {
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
