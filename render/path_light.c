#include "render/catcher.h"
#include "render/emitter.h"
#include "render/path_state.h"

#include <float.h>

static float brightness(coif_vec3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

// What is kept of the tries: one, with a chance in proportion to its weight.
typedef struct choice {
    float sum; // of all weights
    float u;   // uniform: what the choice left of its number
    coif_vec3 light, direction;
    float target, distance;
    int32_t source; // index of the light
} choice;

// Tries stand apart from each other by these shifts, so that one pair of numbers serves them all
// and spreads them better than four would. Each try by itself is as even as the pair.
static const coif_vec2 SHIFTS[COIF_LIGHT_TRIES] = {
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
static bool is_found_otherwise(const coif_path_state *path, const coif_light_sample *sample)
{
    return sample->finding != COIF_FOUND_BY_NONE && (path->caught == NULL || path->depth > 0);
}

// Which of the weights a uniform number means; what is left of it is uniform again.
static int choose(const float *weights, float sum, float *u)
{
    float left = *u * sum;
    int chosen = 0;
    for (int i = 0; i < COIF_LIGHT_TRIES; ++i) {
        if (weights[i] > 0.0f) {
            chosen = i;
            if (left < weights[i]) {
                break;
            }
        }
        left -= weights[i];
    }
    *u = coif_clamp(left / weights[chosen], 0.0f, 0.9999999f);
    return chosen;
}

static void try_lights(choice *kept, const coif_path_state *path, const coif_vertex *vertex,
                       const coif_bearings *bearings, const dice *numbers)
{
    coif_light_sample samples[COIF_LIGHT_TRIES];
    coif_vec3 directions[COIF_LIGHT_TRIES], f[COIF_LIGHT_TRIES];
    float offsets[COIF_LIGHT_TRIES], pdf[COIF_LIGHT_TRIES];
    for (int i = 0; i < COIF_LIGHT_TRIES; ++i) {
        const coif_vec2 place = {wrap(numbers->place.x + SHIFTS[i].x),
                                 wrap(numbers->place.y + SHIFTS[i].y)};
        samples[i] = coif_lights_sample_of(
            &path->stage->lights, vertex->position, vertex->time, &bearings->lights,
            ((float)i + numbers->choice.x) / COIF_LIGHT_TRIES, place);
        directions[i] = samples[i].direction;
        offsets[i] = 2.0f * wrap(numbers->across + SHIFTS[i].y) - 1.0f;
    }
    // Where in its width a fibre is met is pure chance once a path has scattered, and what it
    // scatters towards a lamp depends sharply on that. So each try takes an offset of its own, and
    // their average comes without further rays.
    coif_vertex_eval_tries(vertex, directions, path->depth > 0 ? offsets : NULL, f, pdf);
    coif_vec3 light[COIF_LIGHT_TRIES];
    float target[COIF_LIGHT_TRIES], weights[COIF_LIGHT_TRIES];
    for (int i = 0; i < COIF_LIGHT_TRIES; ++i) {
        const coif_light_sample *sample = &samples[i];
        const coif_vec3 onward = coif_mul(path->carried, f[i]);
        const float on = is_found_otherwise(path, sample)
                             ? coif_path_density(path, bearings, directions[i], onward, pdf[i])
                             : 0.0f;
        light[i] = coif_mul(onward, sample->radiance);
        target[i] = sample->pdf > 0.0f ? brightness(light[i]) : 0.0f;
        const float weight = target[i] / (COIF_LIGHT_TRIES * sample->pdf + on);
        weights[i] = weight > 0.0f && weight < FLT_MAX ? weight : 0.0f;
        kept->sum += weights[i];
    }
    if (kept->sum > 0.0f) {
        const int chosen = choose(weights, kept->sum, &kept->u);
        kept->light = light[chosen];
        kept->target = target[chosen];
        kept->direction = samples[chosen].direction;
        kept->distance = samples[chosen].distance;
        kept->source = samples[chosen].light;
    }
}

// Whether light arrives the way that was kept. A body that shines is in the way of its own light,
// so there the nearest hit is asked for, and must be that body about where it was aimed at.
static bool arrives(coif_path_state *path, const coif_vertex *vertex, const choice *kept)
{
    coif_ray shadow = coif_path_leave(path, vertex, kept->direction);
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
static void catch_light(coif_path_state *path, const coif_vertex *vertex, const choice *kept)
{
    coif_path_first *first = path->caught;
    const coif_vec3 light = coif_scale(kept->light, kept->sum / kept->target);
    const bool here = arrives(path, vertex, kept);
    coif_ray shadow = coif_path_leave(path, vertex, kept->direction);
    shadow.far = kept->distance;
    if (!isfinite(coif_path_largest(light)) || (!here && coif_meets_catcher(path->stage, shadow))) {
        return;
    }
    first->unshadowed = coif_add(first->unshadowed, light);
    if (here) {
        first->arrived = coif_add(first->arrived, light);
    }
}

// Light that would add little is asked for its shadow by chance only, at the weight that makes up
// for it. Little is measured by what an even scatterer would send on, all lights being free.
static bool is_worth_a_ray(choice *kept, float total)
{
    static const float LITTLE = 0.025f;
    const float chance = kept->sum / (LITTLE * total * COIF_INV_PI * 0.25f);
    if (!(chance < 1.0f)) {
        return true;
    }
    kept->sum /= chance;
    return kept->u < chance;
}

// Several directions are drawn, and one of them gets the shadow ray. The way on may meet the same
// light: each is weighed against all the ways it could have been found (balance heuristic), where
// the way on counts with the chance that it is gone.
void coif_path_gather_direct(coif_path_state *path, const coif_vertex *vertex,
                             const coif_bearings *bearings, coif_sampler *sampler)
{
    dice numbers; // in this order: that of an initialiser is the compiler's
    numbers.choice = coif_sampler_pair(sampler);
    numbers.place = coif_sampler_pair(sampler);
    numbers.across = path->depth > 0 ? coif_sampler_pair(sampler).x : 0.0f;
    choice kept = {.u = numbers.choice.y};
    try_lights(&kept, path, vertex, bearings, &numbers);
    if (!(kept.target > 0.0f)) {
        return;
    }
    if (path->caught != NULL && path->depth == 0) {
        catch_light(path, vertex, &kept);
        return;
    }
    if (!is_worth_a_ray(&kept, bearings->lights.total) || !arrives(path, vertex, &kept)) {
        return;
    }
    const coif_vec3 added =
        coif_path_gather(path, coif_scale(kept.light, kept.sum / kept.target), path->depth);
    if (path->split != NULL) {
        coif_path_note_scattered(path, path->depth, vertex, kept.direction, kept.source, added);
    }
}
