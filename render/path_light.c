#include "render/catcher.h"
#include "render/emitter.h"
#include "render/light_tries.h"
#include "render/path_state.h"

#include <float.h>

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
static const coif_lanes SHIFT_U = {0.0f, 0.5f, 0.25f, 0.75f};
static const coif_lanes SHIFT_V = {0.0f, 0.5f, 0.75f, 0.25f};

static coif_lanes wrap(coif_lanes x)
{
    return coif_lanes_select(x >= 1.0f, x - 1.0f, x);
}

// The numbers by which a vertex chooses directions for its shadow ray.
typedef struct dice {
    coif_vec2 choice; // of the light, of the one that is kept
    coif_vec2 place;  // on the light
    float across;     // the fibre
} dice;

// Which of the weights a uniform number means; what is left of it is uniform again.
static int choose(coif_lanes weights, float sum, float *u)
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

// Whether aiming alone finds a light, or the way on may as well. What a shadow catcher gets is
// found by aiming alone, or its shadow would not be known.
static coif_lanes_int alone(const coif_path_state *path, const coif_light_tries *tries)
{
    const bool catches = path->caught != NULL && path->depth == 0;
    return catches ? (coif_lanes_int){-1, -1, -1, -1} : tries->alone;
}

static coif_lanes largest(coif_lanes a, coif_lanes b, coif_lanes c)
{
    return coif_lanes_max(a, coif_lanes_max(b, c));
}

// The density with which the way on finds what was aimed at.
static coif_lanes density_onward(const coif_path_state *path, const coif_bearings *bearings,
                                 const coif_light_tries *tries, coif_lanes onward, coif_lanes pdf)
{
    if (path->ends) {
        return coif_lanes_all(0.0f);
    }
    const coif_lanes favour = coif_bearings_favours(bearings, tries->x, tries->y, tries->z);
    const coif_lanes density = coif_lanes_min(pdf, COIF_GOES_ON * favour * onward);
    return coif_lanes_select(alone(path, tries), coif_lanes_all(0.0f), density);
}

static void try_lights(choice *kept, const coif_path_state *path, const coif_vertex *vertex,
                       const coif_bearings *bearings, const dice *numbers)
{
    const coif_light_dice aims = {
        .choice = 0.25f * (numbers->choice.x + (coif_lanes){0.0f, 1.0f, 2.0f, 3.0f}),
        .u = wrap(numbers->place.x + SHIFT_U),
        .v = wrap(numbers->place.y + SHIFT_V),
    };
    coif_light_tries tries;
    coif_lights_try(&tries, &path->stage->lights, vertex->position, vertex->time, &bearings->lights,
                    &aims);
    // Where in its width a fibre is met is pure chance once a path has scattered, and what it
    // scatters towards a lamp depends sharply on that. So each try takes an offset of its own, and
    // their average comes without further rays.
    coif_vertex_tries asked = {.x = tries.x, .y = tries.y, .z = tries.z, .apart = path->depth > 0};
    asked.offset = 2.0f * wrap(numbers->across + SHIFT_V) - 1.0f;
    const coif_hair_values f = coif_vertex_eval_tries(vertex, &asked);

    const coif_lanes red = f.red * path->carried.x, green = f.green * path->carried.y;
    const coif_lanes blue = f.blue * path->carried.z;
    const coif_lanes on = density_onward(path, bearings, &tries, largest(red, green, blue), f.pdf);
    const coif_lanes light[3] = {red * tries.red, green * tries.green, blue * tries.blue};
    const coif_lanes none = coif_lanes_all(0.0f);
    const coif_lanes target =
        coif_lanes_select(tries.pdf > 0.0f, // brightness
                          0.2126f * light[0] + 0.7152f * light[1] + 0.0722f * light[2], none);
    coif_lanes weights = target / (COIF_LIGHT_TRIES * tries.pdf + on);
    weights = coif_lanes_select((weights > 0.0f) & (weights < FLT_MAX), weights, none);
    kept->sum = coif_lanes_sum(weights);
    if (kept->sum > 0.0f) {
        const int i = choose(weights, kept->sum, &kept->u);
        kept->light = (coif_vec3){light[0][i], light[1][i], light[2][i]};
        kept->target = target[i];
        kept->direction = (coif_vec3){tries.x[i], tries.y[i], tries.z[i]};
        kept->distance = tries.distance[i];
        kept->source = tries.light[i];
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
