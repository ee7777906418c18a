#include "render/lights/light_sampling_x4.h"

#include <float.h>

// Lanes [first, end) that sample one light from a point.
typedef struct target {
    const coif_light *light;
    coif_vec3 point;
    float time;
    int first, end;
} target;

static coif_lanes dot(coif_lanes x, coif_lanes y, coif_lanes z, coif_vec3 a)
{
    return x * a.x + y * a.y + z * a.z;
}

static void set_radiance(coif_light_samples_x4 *samples, coif_vec3 radiance)
{
    samples->red = coif_lanes_splat(radiance.x);
    samples->green = coif_lanes_splat(radiance.y);
    samples->blue = coif_lanes_splat(radiance.z);
}

static void sample_area(coif_light_samples_x4 *samples, const target *at,
                        const coif_light_random_x4 *random)
{
    const coif_light *light = at->light;
    coif_lanes a, b;
    if (light->type == COIF_LIGHT_RECTANGLE) {
        a = (2.0f * random->u - 1.0f) * light->half_width;
        b = (2.0f * random->v - 1.0f) * light->half_height;
    } else {
        coif_lanes_sincos_turns(random->v, &b, &a);
        const coif_lanes radius = light->radius * coif_lanes_sqrt(random->u);
        a *= radius;
        b *= radius;
    }
    const coif_vec3 offset = coif_sub(light->position, at->point);
    const coif_lanes x = offset.x + a * light->u.x + b * light->v.x;
    const coif_lanes y = offset.y + a * light->u.y + b * light->v.y;
    const coif_lanes z = offset.z + a * light->u.z + b * light->v.z;
    const coif_lanes distance2 = x * x + y * y + z * z;
    const coif_lanes distance = coif_lanes_sqrt(distance2);
    const coif_lanes front = -dot(x, y, z, light->normal);
    const coif_lanes inverse = 1.0f / distance;
    samples->x = x * inverse;
    samples->y = y * inverse;
    samples->z = z * inverse;
    set_radiance(samples, light->radiance);
    samples->distance = distance;
    // Area to solid angle: distance^2 / cos. Not visible from behind.
    samples->pdf =
        coif_lanes_select((front > 0.0f) & (distance > 0.0f),
                          distance2 * distance / (front * light->area), coif_lanes_splat(0.0f));
}

static void sample_uniform_environment(coif_light_samples_x4 *samples, const target *at,
                                       const coif_light_random_x4 *random)
{
    const coif_environment *sky = &at->light->environment;
    const coif_lanes cosine = 1.0f - 2.0f * random->u;
    const coif_lanes sine =
        coif_lanes_sqrt(coif_lanes_max(1.0f - cosine * cosine, coif_lanes_splat(0.0f)));
    coif_lanes turn_sine, turn_cosine;
    coif_lanes_sincos_turns(random->v, &turn_sine, &turn_cosine);
    samples->x = sine * turn_cosine;
    samples->y = cosine;
    samples->z = sine * turn_sine;
    set_radiance(samples, sky->tint);
    samples->distance = coif_lanes_splat(FLT_MAX);
    samples->pdf = coif_lanes_splat(coif_environment_pdf(sky, (coif_vec3){0.0f, 1.0f, 0.0f}));
}

static void sample_each(coif_light_samples_x4 *samples, const target *at,
                        const coif_light_random_x4 *random)
{
    for (int i = at->first; i < at->end; ++i) {
        const coif_light_sample sample =
            coif_light_sample_from(at->light, at->point, at->time, random->choice[i],
                                   (coif_vec2){random->u[i], random->v[i]});
        samples->x[i] = sample.direction.x;
        samples->y[i] = sample.direction.y;
        samples->z[i] = sample.direction.z;
        samples->red[i] = sample.radiance.x;
        samples->green[i] = sample.radiance.y;
        samples->blue[i] = sample.radiance.z;
        samples->distance[i] = sample.distance;
        samples->pdf[i] = sample.pdf;
        samples->nee_only[i] = sample.mis == COIF_MIS_NONE ? -1 : 0;
    }
}

// Also writes lanes from end on, which later lights overwrite.
static void sample_light(coif_light_samples_x4 *samples, const target *at,
                         const coif_light_random_x4 *random)
{
    const coif_light *light = at->light;
    const bool area = light->type == COIF_LIGHT_RECTANGLE || light->type == COIF_LIGHT_DISK;
    const bool uniform =
        light->type == COIF_LIGHT_ENVIRONMENT && light->environment.texture == NULL;
    if (!area && !uniform) {
        sample_each(samples, at, random);
        return;
    }
    coif_light_samples_x4 sampled;
    if (area) {
        sample_area(&sampled, at, random);
    } else {
        sample_uniform_environment(&sampled, at, random);
    }
    const coif_lanes_int lanes = (coif_lanes_int){0, 1, 2, 3} >= at->first;
    samples->x = coif_lanes_select(lanes, sampled.x, samples->x);
    samples->y = coif_lanes_select(lanes, sampled.y, samples->y);
    samples->z = coif_lanes_select(lanes, sampled.z, samples->z);
    samples->red = coif_lanes_select(lanes, sampled.red, samples->red);
    samples->green = coif_lanes_select(lanes, sampled.green, samples->green);
    samples->blue = coif_lanes_select(lanes, sampled.blue, samples->blue);
    samples->distance = coif_lanes_select(lanes, sampled.distance, samples->distance);
    samples->pdf = coif_lanes_select(lanes, sampled.pdf, samples->pdf);
    samples->nee_only &= ~lanes;
}

// Light per lane, its importance, and the remainder of the random number.
typedef struct selection {
    coif_lanes_int light;
    coif_lanes importance, remainder;
} selection;

static selection select_lights(const coif_lights *lights, coif_vec3 point,
                               const coif_light_importances *importances, coif_lanes choice)
{
    selection selected = {.light = {-1, -1, -1, -1}};
    coif_lanes remaining = choice * importances->total;
    coif_lanes_int open = {-1, -1, -1, -1};
    for (int32_t i = 0; i < lights->count && open[3] != 0; ++i) {
        const float importance = i < COIF_CACHED_IMPORTANCES
                                     ? importances->cached[i]
                                     : coif_light_importance(&lights->lights[i], point);
        if (importance > 0.0f) {
            selected.light = (open & i) | (~open & selected.light);
            selected.importance =
                coif_lanes_select(open, coif_lanes_splat(importance), selected.importance);
            selected.remainder = coif_lanes_select(open, remaining, selected.remainder);
            open &= remaining >= importance;
            remaining -= importance;
        }
    }
    return selected;
}

void coif_lights_sample_x4(coif_light_samples_x4 *samples, const coif_lights *lights,
                           coif_vec3 point, float time, const coif_light_importances *importances,
                           const coif_light_random_x4 *random)
{
    *samples = (coif_light_samples_x4){.light = {-1, -1, -1, -1}};
    if (!(importances->total > 0.0f)) {
        return;
    }
    const selection selected = select_lights(lights, point, importances, random->choice);
    const coif_light_random_x4 numbers = {
        .choice = coif_lanes_max(
            coif_lanes_min(selected.remainder / selected.importance, coif_lanes_splat(0.999999f)),
            coif_lanes_splat(0.0f)),
        .u = random->u,
        .v = random->v,
    };
    for (int first = 0, end; first < 4; first = end) {
        const int32_t light = selected.light[first];
        for (end = first + 1; end < 4 && selected.light[end] == light;) {
            ++end;
        }
        const target at = {&lights->lights[light], point, time, first, end};
        sample_light(samples, &at, &numbers);
    }
    samples->pdf *= selected.importance / importances->total;
    samples->light = selected.light;
}
