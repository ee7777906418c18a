#include "render/integrator/path_internal.h"
#include "render/integrator/shadow_catcher.h"
#include "render/lights/light_sampling_x4.h"
#include "render/lights/mesh_light.h"

#include <float.h>

// A direction in which light may come.
typedef struct candidate {
    coif_vec3 light, direction; // light: what it would add, not divided by any density
    float weight;               // brightness over the density of all ways to find it
    float target, distance;     // target: brightness
    int32_t source;             // index of the light
} candidate;

enum { MOST_CANDIDATES = COIF_LIGHT_CANDIDATES + 1 };

typedef struct candidates {
    candidate list[MOST_CANDIDATES];
    int count;
    float sum; // of weights
} candidates;

static float brightness(coif_vec3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

static void add_candidate(candidates *found, const candidate *one)
{
    if (one->weight > 0.0f && one->weight < FLT_MAX) {
        found->list[found->count++] = *one;
        found->sum += one->weight;
    }
}

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

// What a shadow catcher gets is found by aiming alone, or its shadow would not be known.
static bool is_caught(const coif_path_state *path)
{
    return path->catcher_hit != NULL && path->depth == 0;
}

// Whether aiming alone finds a light, or the way on may as well.
static coif_lanes_int alone(const coif_path_state *path, const coif_light_samples_x4 *tries)
{
    return is_caught(path) ? (coif_lanes_int){-1, -1, -1, -1} : tries->alone;
}

static coif_lanes largest(coif_lanes a, coif_lanes b, coif_lanes c)
{
    return coif_lanes_max(a, coif_lanes_max(b, c));
}

// The density with which the way on finds what was aimed at: that of choosing it, whether roulette
// lets the path go or not, but for bodies that shine, which only those meet that go.
static coif_lanes density_onward(const coif_path_state *path, const coif_path_guide *bearings,
                                 const coif_light_samples_x4 *tries, coif_lanes onward,
                                 coif_lanes pdf)
{
    const coif_lights *lights = &path->stage->lights;
    coif_lanes density = pdf;
    if (lights->has_mesh_lights) {
        const coif_lanes favour = coif_path_guide_weight_x4(bearings, tries->x, tries->y, tries->z);
        const coif_lanes going = coif_lanes_min(pdf, coif_rr_survival(path) * favour * onward);
        for (int i = 0; i < COIF_LIGHT_CANDIDATES; ++i) {
            if (tries->light[i] >= 0 && lights->lights[tries->light[i]].type == COIF_LIGHT_MESH) {
                density[i] = going[i];
            }
        }
    }
    return coif_lanes_select(alone(path, tries), coif_lanes_splat(0.0f), density);
}

static void try_lights(candidates *found, const coif_path_state *path,
                       const coif_interaction *vertex, const coif_path_guide *bearings,
                       const dice *numbers)
{
    const coif_light_random_x4 aims = {
        .choice = 0.25f * (numbers->choice.x + (coif_lanes){0.0f, 1.0f, 2.0f, 3.0f}),
        .u = wrap(numbers->place.x + SHIFT_U),
        .v = wrap(numbers->place.y + SHIFT_V),
    };
    coif_light_samples_x4 tries;
    coif_lights_sample_x4(&tries, &path->stage->lights, vertex->position, vertex->time,
                          &bearings->lights, &aims);
    // Where in its width a fibre is met is pure chance once a path has scattered, and what it
    // scatters towards a lamp depends sharply on that. So each try takes an offset of its own, and
    // their average comes without further rays.
    coif_interaction_query_x4 asked = {
        .x = tries.x, .y = tries.y, .z = tries.z, .apart = path->depth > 0};
    asked.offset = 2.0f * wrap(numbers->across + SHIFT_V) - 1.0f;
    const coif_bsdf_values_x4 f = coif_interaction_eval_x4(vertex, &asked);

    const coif_lanes red = f.red * path->carried.x, green = f.green * path->carried.y;
    const coif_lanes blue = f.blue * path->carried.z;
    const coif_lanes on = density_onward(path, bearings, &tries, largest(red, green, blue), f.pdf);
    const coif_lanes light[3] = {red * tries.red, green * tries.green, blue * tries.blue};
    const coif_lanes none = coif_lanes_splat(0.0f);
    const coif_lanes target =
        coif_lanes_select(tries.pdf > 0.0f, // brightness
                          0.2126f * light[0] + 0.7152f * light[1] + 0.0722f * light[2], none);
    const coif_lanes weights = target / (COIF_LIGHT_CANDIDATES * tries.pdf + on);
    for (int i = 0; i < COIF_LIGHT_CANDIDATES; ++i) {
        add_candidate(found, &(candidate){.light = {light[0][i], light[1][i], light[2][i]},
                                          .direction = {tries.x[i], tries.y[i], tries.z[i]},
                                          .weight = weights[i],
                                          .target = target[i],
                                          .distance = tries.distance[i],
                                          .source = tries.light[i]});
    }
}

// What lies where the path would have gone on competes with what was aimed at. Of several lights
// there one is taken, by a number that is uniform again afterwards.
static void try_onward(candidates *found, const coif_path_state *path, const coif_bsdf_sample *on,
                       float *u)
{
    const coif_lights *lights = &path->stage->lights;
    const coif_interaction *vertex = on->vertex;
    const coif_ray ray = {vertex->position, on->direction, 0.0f, FLT_MAX, vertex->time, 0};
    const coif_vec3 carried = coif_mul(on->carried, on->f);
    candidate taken = {0};
    for (int32_t k = 0; k < lights->count; ++k) {
        float pdf, distance;
        const coif_vec3 radiance =
            coif_light_eval_ray(&lights->lights[k], &ray, on->total, &pdf, &distance);
        const coif_vec3 light = coif_mul(carried, radiance);
        const float target = brightness(light);
        const float weight = target / (COIF_LIGHT_CANDIDATES * pdf + on->pdf);
        if (!(weight > 0.0f) || !(weight < FLT_MAX)) {
            continue;
        }
        const float sum = taken.weight + weight, chance = weight / sum;
        if (*u < chance) {
            *u /= chance;
            taken = (candidate){light, on->direction, sum, target, distance, k};
        } else {
            *u = coif_min((*u - chance) / (1.0f - chance), 0.9999999f);
            taken.weight = sum;
        }
    }
    add_candidate(found, &taken);
}

// Whether light arrives the way that was kept. A body that shines is in the way of its own light,
// so there the nearest hit is asked for, and must be that body about where it was aimed at.
static bool arrives(coif_path_state *path, const coif_interaction *vertex, const candidate *kept)
{
    coif_ray shadow = coif_spawn_ray(path, vertex, kept->direction);
    const coif_light *light = &path->stage->lights.lights[kept->source];
    if (light->type != COIF_LIGHT_MESH) {
        shadow.far = kept->distance;
        return !coif_accel_occluded(path->stage->accel, &shadow);
    }
    coif_ray_hit hit;
    const float slack = 1e-3f * kept->distance + (vertex->hair ? 4.0f * vertex->radius : 0.0f);
    return coif_accel_intersect(path->stage->accel, &shadow, &hit) &&
           hit.geometry == light->mesh_light->geometry &&
           hit.instance == light->mesh_light->instance && hit.distance > kept->distance - slack;
}

// Direct light on a shadow catcher: what arrives, and what would without the shadow.
static void catch_light(coif_path_state *path, const coif_interaction *vertex,
                        const candidate *kept, coif_vec3 light)
{
    coif_primary_hit *first = path->catcher_hit;
    const bool here = arrives(path, vertex, kept);
    coif_ray shadow = coif_spawn_ray(path, vertex, kept->direction);
    shadow.far = kept->distance;
    if (!isfinite(coif_max_component(light)) ||
        (!here && coif_ray_hits_shadow_catcher(path->stage, shadow))) {
        return;
    }
    first->unshadowed = coif_add(first->unshadowed, light);
    if (here) {
        first->shadowed = coif_add(first->shadowed, light);
    }
}

// How many shadow rays light is worth. What would add little gets one by chance only, and counts
// more where it does: that is scale, and what chance left of the number is uniform again. Little is
// measured by what an even scatterer would send on, all lights being free.
static int count_rays(float sum, float total, float *u, float *scale)
{
    static const float LITTLE = 0.12f;
    const float worth = sum / (LITTLE * total * COIF_INV_PI * 0.25f);
    if (worth < 1.0f) {
        const bool traced = *u < worth;
        *u /= worth;
        *scale = 1.0f / worth;
        return traced;
    }
    return (int)coif_min(worth, COIF_LIGHT_CANDIDATES);
}

static void send_ray(coif_path_state *path, const coif_interaction *vertex, const candidate *one,
                     float weight)
{
    const coif_vec3 light = coif_scale(one->light, weight);
    if (is_caught(path)) {
        catch_light(path, vertex, one, light);
    } else if (arrives(path, vertex, one)) {
        const coif_vec3 added = coif_path_add_radiance(path, light, path->depth);
        if (path->split != NULL) {
            coif_path_record_aov_scattered(path, path->depth, vertex, one->direction, one->source,
                                           added);
        }
    }
}

// Rays are evenly spaced along the sum of weights, so that each candidate gets its share of them. A
// direction is asked for once, however many it gets.
static void send_rays(coif_path_state *path, const coif_interaction *vertex,
                      const candidates *found, int rays, float u, float scale)
{
    const float step = found->sum / (float)rays;
    float mark = u * step, passed = 0.0f;
    int left = rays;
    for (int i = 0; i < found->count && left > 0; ++i) {
        const candidate *one = &found->list[i];
        passed += one->weight;
        int meant = 0;
        for (; left > 0 && (mark < passed || i + 1 == found->count); --left) {
            mark += step;
            ++meant;
        }
        if (meant > 0) {
            send_ray(path, vertex, one, (float)meant * scale * step / one->target);
        }
    }
}

// Several directions are drawn, and some get shadow rays: four towards lights and, where roulette
// ends the path, that in which it would have gone. Where the path goes on it finds the same light
// itself. Each is weighed against all the ways it could have been found (balance heuristic).
void coif_estimate_direct(coif_path_state *path, const coif_bsdf_sample *on,
                          const coif_path_guide *bearings, coif_sampler *sampler)
{
    dice numbers; // in this order: that of an initialiser is the compiler's
    numbers.choice = coif_sampler_next_2d(sampler);
    numbers.place = coif_sampler_next_2d(sampler);
    numbers.across = path->depth > 0 ? coif_sampler_next_2d(sampler).x : 0.0f;
    candidates found;
    found.count = 0;
    found.sum = 0.0f;
    float u = numbers.choice.y, scale = 1.0f;
    try_lights(&found, path, on->vertex, bearings, &numbers);
    if (!on->goes && !is_caught(path)) {
        try_onward(&found, path, on, &u);
    }
    if (!(found.sum > 0.0f)) {
        return;
    }
    const int rays =
        is_caught(path) ? 1 : count_rays(found.sum, bearings->lights.total, &u, &scale);
    send_rays(path, on->vertex, &found, rays, u, scale);
}
