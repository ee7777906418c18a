#include "render/path.h"

#include "render/catcher.h"
#include "render/emitter.h"
#include "render/subsurface.h"

#include <float.h>

// Far beyond any path that roulette would let live; guards against numbers gone wrong.
enum { SAFETY_DEPTH = 4096 };

static float largest(coif_vec3 c)
{
    return coif_max(c.x, coif_max(c.y, c.z));
}

// Directions tried for one shadow ray towards lights.
enum { LIGHT_TRIES = 4 };

// Of paths that carry all light, this share goes on after the first scattering. Light that was
// scattered once has most of the contrast; measured over dark, blond and white hair, the error of a
// picture falls fastest when fewer paths look for the rest, at the weight that makes up for it.
static const float GOES_ON = 0.8f;

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
    bool ends;               // this scattering is the last one allowed
    bool hair_first;         // what the camera saw was hair
    coif_path_first *caught; // the camera saw a shadow catcher; else NULL
    coif_path_split *split;  // NULL: nobody asks
} path_state;

// Adds light that was found at a depth; what of it was added.
static coif_vec3 gather(path_state *path, coif_vec3 light, int32_t depth)
{
    const float limit = path->stage->clamp, most = largest(light);
    if (limit > 0.0f && depth > 0 && most > limit) {
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

// How much of the light from a direction each lobe of the hair in view scatters.
static void find_shares(coif_vec3 shares[COIF_HAIR_LOBES], int32_t depth, const coif_vertex *vertex,
                        coif_vec3 wi)
{
    if (depth == 0 && vertex->hair) {
        coif_vertex_shares(vertex, wi, shares);
    }
}

// Light that was found at a depth. What the hair in view scattered itself is told apart by shares,
// lobe by lobe; inner reflections beyond the first count as multiple scattering.
static void note_scattered(path_state *path, int32_t depth, const coif_vec3 *shares, int32_t light,
                           coif_vec3 added)
{
    static const coif_aov_kind parts[COIF_HAIR_LOBES] = {COIF_AOV_R, COIF_AOV_TT, COIF_AOV_TRT,
                                                         COIF_AOV_MULTIPLE};
    note_group(path, path->stage->lights.lights[light].group, added);
    note(path, depth == 0 ? COIF_AOV_DIRECT : COIF_AOV_INDIRECT, added);
    if (!path->hair_first) {
        note(path, COIF_AOV_SURFACE, added);
    } else if (depth > 0) {
        note(path, COIF_AOV_MULTIPLE, added);
    } else {
        for (int p = 0; p < COIF_HAIR_LOBES; ++p) {
            note(path, parts[p], coif_mul(shares[p], added));
        }
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

// The chance that a path goes on in a direction of that value and density.
static float survival(const path_state *path, coif_vec3 f, float pdf)
{
    if (path->ends || !(pdf > 0.0f)) {
        return 0.0f;
    }
    return coif_min(1.0f, GOES_ON * largest(coif_mul(path->carried, f)) / pdf);
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

// Whether the way on may find a light as well. What a shadow catcher gets is found by aiming alone,
// or its shadow would not be known.
static bool is_found_otherwise(const path_state *path, const coif_light_sample *sample)
{
    return sample->finding != COIF_FOUND_BY_NONE && (path->caught == NULL || path->depth > 0);
}

static void try_lights(reservoir *kept, const path_state *path, const coif_vertex *vertex,
                       const dice *numbers, float total)
{
    coif_light_sample samples[LIGHT_TRIES];
    coif_vec3 directions[LIGHT_TRIES], f[LIGHT_TRIES];
    float offsets[LIGHT_TRIES], pdf[LIGHT_TRIES];
    for (int i = 0; i < LIGHT_TRIES; ++i) {
        const coif_vec2 place = {wrap(numbers->place.x + SHIFTS[i].x),
                                 wrap(numbers->place.y + SHIFTS[i].y)};
        samples[i] =
            coif_lights_sample_of(&path->stage->lights, vertex->position, vertex->time, total,
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
        const float on =
            is_found_otherwise(path, sample) ? survival(path, f[i], pdf[i]) * pdf[i] : 0.0f;
        const candidate try = {
            .light = coif_mul(path->carried, coif_mul(f[i], sample->radiance)),
            .direction = sample->direction,
            .density = LIGHT_TRIES * sample->pdf + on,
            .distance = sample->distance,
            .source = sample->light,
        };
        if (sample->pdf > 0.0f) {
            offer(kept, &try);
        }
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

// Whether light arrives the way that was kept. A body that shines is in the way of its own light,
// so there the nearest hit is asked for, and must be that body about where it was aimed at.
static bool arrives(path_state *path, const coif_vertex *vertex, const reservoir *kept)
{
    coif_ray shadow = leave(path, vertex, kept->direction);
    const coif_light *light = &path->stage->lights.lights[kept->source];
    if (light->type != COIF_LIGHT_MESH) {
        shadow.far = kept->distance;
        return !coif_accel_blocked(path->stage->accel, &shadow);
    }
    coif_ray_hit hit;
    const float slack = 1e-3f * kept->distance + (vertex->hair ? 4.0f * vertex->radius : 0.0f);
    return coif_accel_trace(path->stage->accel, &shadow, &hit) &&
           hit.shape == light->emitter->shape && hit.instance == light->emitter->instance &&
           hit.distance > kept->distance - slack;
}

// Direct light on a shadow catcher: what arrives, and what would without the shadow.
static void catch_light(path_state *path, const coif_vertex *vertex, const reservoir *kept)
{
    coif_path_first *first = path->caught;
    const coif_vec3 light = coif_scale(kept->light, kept->sum / kept->target);
    const bool here = arrives(path, vertex, kept);
    coif_ray shadow = leave(path, vertex, kept->direction);
    shadow.far = kept->distance;
    if (!isfinite(largest(light)) || (!here && coif_meets_catcher(path->stage, shadow))) {
        return;
    }
    first->unshadowed = coif_add(first->unshadowed, light);
    if (here) {
        first->arrived = coif_add(first->arrived, light);
    }
}

// Light that arrives straight from lights, as far as it is looked for. Several directions are
// drawn, and one of them gets the shadow ray. The way on may meet the same light: each is weighed
// against all the ways it could have been found (balance heuristic), where the way on counts with
// the chance that it is gone.
static void gather_direct(path_state *path, const coif_vertex *vertex, coif_sampler *sampler,
                          float total)
{
    dice numbers; // in this order: that of an initialiser is the compiler's
    numbers.choice = coif_sampler_pair(sampler);
    numbers.place = coif_sampler_pair(sampler);
    numbers.across = path->depth > 0 ? coif_sampler_pair(sampler).x : 0.0f;
    reservoir kept = {.u = numbers.choice.y};
    try_lights(&kept, path, vertex, &numbers, total);
    if (!(kept.target > 0.0f)) {
        return;
    }
    if (path->caught != NULL && path->depth == 0) {
        catch_light(path, vertex, &kept);
        return;
    }
    if (!arrives(path, vertex, &kept)) {
        return;
    }
    const coif_vec3 added =
        gather(path, coif_scale(kept.light, kept.sum / kept.target), path->depth);
    if (path->split != NULL) {
        coif_vec3 shares[COIF_HAIR_LOBES];
        find_shares(shares, path->depth, vertex, kept.direction);
        note_scattered(path, path->depth, shares, kept.source, added);
    }
}

// How a path leaves a vertex.
typedef struct departure {
    const coif_vertex *vertex;
    coif_vec3 direction, f;
    float pdf, chance; // chance: that it goes on
    coif_vec3 carried; // to the vertex
    float total;       // of lights there
} departure;

static departure choose_departure(const path_state *path, const coif_vertex *vertex, float lobe,
                                  coif_vec2 u)
{
    departure on = {.vertex = vertex,
                    .direction = coif_vertex_sample(vertex, lobe, u),
                    .carried = path->carried,
                    .total = coif_lights_total(&path->stage->lights, vertex->position)};
    on.f = coif_vertex_eval(vertex, on.direction, &on.pdf);
    on.chance = survival(path, on.f, on.pdf);
    return on;
}

// Lights that lie on the way to what was met next.
static void gather_on_the_way(path_state *path, const departure *on, float far)
{
    const coif_lights *lights = &path->stage->lights;
    const coif_vertex *vertex = on->vertex;
    if (path->caught != NULL && path->depth == 0) {
        return; // what a shadow catcher gets was aimed at
    }
    const coif_ray ray = {vertex->position, on->direction, 0.0f, far, vertex->time, 0};
    for (int32_t k = 0; k < lights->count; ++k) {
        float pdf, distance;
        const coif_vec3 radiance =
            coif_light_met(&lights->lights[k], &ray, on->total, &pdf, &distance);
        if (!(largest(radiance) > 0.0f)) {
            continue;
        }
        const float density = LIGHT_TRIES * pdf + on->chance * on->pdf;
        const coif_vec3 light = coif_mul(on->carried, coif_mul(on->f, radiance));
        const coif_vec3 added = gather(path, coif_scale(light, 1.0f / density), path->depth);
        if (path->split != NULL) {
            coif_vec3 shares[COIF_HAIR_LOBES];
            find_shares(shares, path->depth, vertex, on->direction);
            note_scattered(path, path->depth, shares, k, added);
        }
    }
}

// What a body that shines gives off itself, seen by the camera or met by the way on from where it
// could also have been aimed at (balance heuristic).
static void gather_emission(path_state *path, const coif_vertex *vertex, const coif_ray_hit *hit,
                            const departure *on)
{
    const coif_light *light = &path->stage->lights.lights[vertex->lamp];
    const coif_emitter *emitter = light->emitter;
    coif_vec3 shine = coif_mul(path->carried, coif_looks_emission(emitter->looks, emitter->meshes,
                                                                  hit->primitive, hit->u, hit->v));
    if (path->depth == 0) {
        shine = gather(path, shine, 0);
        if (path->split != NULL) {
            note_group(path, light->group, shine);
            note(path, COIF_AOV_DIRECT, shine);
            note(path, COIF_AOV_SURFACE, shine);
        }
        return;
    }
    const coif_vec3 from = on->vertex->position;
    const float aimed =
        LIGHT_TRIES * coif_light_chance(light, from, on->total) *
        coif_emitter_pdf(emitter, hit->primitive, vertex->position, from, vertex->time);
    const float gone = on->pdf * on->chance;
    shine = gather(path, coif_scale(shine, gone / (gone + aimed)), path->depth - 1);
    if (path->split != NULL) {
        coif_vec3 shares[COIF_HAIR_LOBES];
        find_shares(shares, path->depth - 1, on->vertex, on->direction);
        note_scattered(path, path->depth - 1, shares, vertex->lamp, shine);
    }
}

// Goes on; false when the path ends here.
static bool go_on(path_state *path, const departure *on, float roulette, coif_ray *ray)
{
    if (!(roulette < on->chance)) {
        return false;
    }
    const float weight = 1.0f / (on->pdf * on->chance);
    path->carried = coif_mul(path->carried, coif_scale(on->f, weight));
    *ray = leave(path, on->vertex, on->direction);
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
            const coif_vec3 added = gather(path, coif_scale(light, some), 0);
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

// What the camera sees of a shadow catcher is in first alone.
static void begin_catching(path_state *path, const coif_ray *ray, const coif_ray_hit *hit,
                           coif_path_first *first)
{
    path->caught = first;
    *first = (coif_path_first){.caught = true};
    if (path->stage->transparent) {
        return;
    }
    path_state beyond = {.stage = path->stage};
    coif_ray rest = *ray;
    rest.near = hit->distance;
    see_lights(&beyond, rest, FLT_MAX, 1.0f);
    first->behind = coif_add(beyond.radiance, path->stage->background);
}

coif_vec3 coif_path_trace(const coif_stage *stage, coif_ray ray, coif_sampler *sampler,
                          coif_path_first *first, coif_path_split *split)
{
    path_state path = {.stage = stage, .chance = ray.chance, .split = split};
    const int32_t most = stage->max_depth > 0 ? stage->max_depth : SAFETY_DEPTH;
    *first = (coif_path_first){0};

    coif_vertex vertices[2]; // where the path is, and where it was
    departure on = {0};
    for (bool gone = false;; gone = true) {
        coif_ray_hit hit;
        const bool met = gone ? coif_accel_trace(stage->accel, &ray, &hit)
                              : look_first(&path, &ray, &hit, &first->alpha);
        if (gone) {
            gather_on_the_way(&path, &on, met ? hit.distance : FLT_MAX);
            ++path.depth;
        }
        if (!met) {
            break;
        }
        coif_vertex *vertex = &vertices[path.depth & 1];
        coif_vertex_init(vertex, stage, &ray, &hit, path.depth);
        if (!gone) {
            note_first(first, vertex, &hit);
            path.hair_first = vertex->hair;
            if (stage->catches && coif_is_catcher(stage, &hit)) {
                begin_catching(&path, &ray, &hit, first);
            }
        } else if (path.depth == 1 && path.caught != NULL && coif_is_catcher(stage, &hit)) {
            break; // light from catcher to catcher is in the photograph
        }
        // What shines on a catcher was aimed at, so that its shadow is known.
        const bool known = path.caught != NULL && path.depth == 1;
        if (!vertex->hair && vertex->lamp >= 0 && !known) {
            gather_emission(&path, vertex, &hit, &on);
        }
        if (!vertex->hair && vertex->skin.surface.subsurface > 0.0f) {
            path.carried =
                coif_mul(path.carried, coif_subsurface_enter(vertex, stage, &hit, sampler));
        }
        path.ends = path.depth + 1 >= most;
        const coif_vec2 lobe = coif_sampler_pair(sampler);
        on = choose_departure(&path, vertex, lobe.x, coif_sampler_pair(sampler));
        gather_direct(&path, vertex, sampler, on.total);
        if (!go_on(&path, &on, lobe.y, &ray)) {
            break;
        }
    }
    if (first->alpha < 1.0f && !first->caught && !stage->transparent) {
        const coif_vec3 behind = coif_scale(stage->background, 1.0f - first->alpha);
        path.radiance = coif_add(path.radiance, behind);
        if (split != NULL) {
            note(&path, COIF_AOV_BACKGROUND, behind);
            note_group(&path, 0, behind);
        }
    }
    return path.radiance;
}
