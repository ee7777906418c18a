#include "render/lights/light_sampling_x4.h"

#include <float.h>

// Lanes that aim at one light from a point: those from first to before end.
typedef struct aim {
    const coif_light *light;
    coif_vec3 point;
    float time;
    int first, end;
} aim;

static coif_lanes dot(coif_lanes x, coif_lanes y, coif_lanes z, coif_vec3 a)
{
    return x * a.x + y * a.y + z * a.z;
}

static void shine(coif_light_samples_x4 *tries, coif_vec3 radiance)
{
    tries->red = coif_lanes_splat(radiance.x);
    tries->green = coif_lanes_splat(radiance.y);
    tries->blue = coif_lanes_splat(radiance.z);
}

static void aim_at_area(coif_light_samples_x4 *tries, const aim *at,
                        const coif_light_random_x4 *dice)
{
    const coif_light *light = at->light;
    coif_lanes a, b;
    if (light->type == COIF_LIGHT_RECTANGLE) {
        a = (2.0f * dice->u - 1.0f) * light->half_width;
        b = (2.0f * dice->v - 1.0f) * light->half_height;
    } else {
        coif_lanes_sincos_turns(dice->v, &b, &a);
        const coif_lanes radius = light->radius * coif_lanes_sqrt(dice->u);
        a *= radius;
        b *= radius;
    }
    const coif_vec3 way = coif_sub(light->position, at->point);
    const coif_lanes x = way.x + a * light->u.x + b * light->v.x;
    const coif_lanes y = way.y + a * light->u.y + b * light->v.y;
    const coif_lanes z = way.z + a * light->u.z + b * light->v.z;
    const coif_lanes distance2 = x * x + y * y + z * z;
    const coif_lanes distance = coif_lanes_sqrt(distance2);
    const coif_lanes front = -dot(x, y, z, light->normal);
    const coif_lanes inverse = 1.0f / distance;
    tries->x = x * inverse;
    tries->y = y * inverse;
    tries->z = z * inverse;
    shine(tries, light->radiance);
    tries->distance = distance;
    // Area to solid angle: cos / distance^2. From behind and from within nothing is seen.
    tries->pdf =
        coif_lanes_select((front > 0.0f) & (distance > 0.0f),
                          distance2 * distance / (front * light->area), coif_lanes_splat(0.0f));
}

static void aim_at_even_sky(coif_light_samples_x4 *tries, const aim *at,
                            const coif_light_random_x4 *dice)
{
    const coif_environment *sky = &at->light->environment;
    const coif_lanes cosine = 1.0f - 2.0f * dice->u;
    const coif_lanes sine =
        coif_lanes_sqrt(coif_lanes_max(1.0f - cosine * cosine, coif_lanes_splat(0.0f)));
    coif_lanes turn_sine, turn_cosine;
    coif_lanes_sincos_turns(dice->v, &turn_sine, &turn_cosine);
    tries->x = sine * turn_cosine;
    tries->y = cosine;
    tries->z = sine * turn_sine;
    shine(tries, sky->tint);
    tries->distance = coif_lanes_splat(FLT_MAX);
    tries->pdf = coif_lanes_splat(coif_environment_pdf(sky, (coif_vec3){0.0f, 1.0f, 0.0f}));
}

static void aim_one_by_one(coif_light_samples_x4 *tries, const aim *at,
                           const coif_light_random_x4 *dice)
{
    for (int i = at->first; i < at->end; ++i) {
        const coif_light_sample sample = coif_light_sample_from(
            at->light, at->point, at->time, dice->choice[i], (coif_vec2){dice->u[i], dice->v[i]});
        tries->x[i] = sample.direction.x;
        tries->y[i] = sample.direction.y;
        tries->z[i] = sample.direction.z;
        tries->red[i] = sample.radiance.x;
        tries->green[i] = sample.radiance.y;
        tries->blue[i] = sample.radiance.z;
        tries->distance[i] = sample.distance;
        tries->pdf[i] = sample.pdf;
        tries->nee_only[i] = sample.finding == COIF_MIS_NONE ? -1 : 0;
    }
}

// Lanes from end on are for the next lights to overwrite.
static void aim_at(coif_light_samples_x4 *tries, const aim *at, const coif_light_random_x4 *dice)
{
    const coif_light *light = at->light;
    const bool area = light->type == COIF_LIGHT_RECTANGLE || light->type == COIF_LIGHT_DISK;
    const bool even = light->type == COIF_LIGHT_ENVIRONMENT && light->environment.texture == NULL;
    if (!area && !even) {
        aim_one_by_one(tries, at, dice);
        return;
    }
    coif_light_samples_x4 here;
    if (area) {
        aim_at_area(&here, at, dice);
    } else {
        aim_at_even_sky(&here, at, dice);
    }
    const coif_lanes_int mine = (coif_lanes_int){0, 1, 2, 3} >= at->first;
    tries->x = coif_lanes_select(mine, here.x, tries->x);
    tries->y = coif_lanes_select(mine, here.y, tries->y);
    tries->z = coif_lanes_select(mine, here.z, tries->z);
    tries->red = coif_lanes_select(mine, here.red, tries->red);
    tries->green = coif_lanes_select(mine, here.green, tries->green);
    tries->blue = coif_lanes_select(mine, here.blue, tries->blue);
    tries->distance = coif_lanes_select(mine, here.distance, tries->distance);
    tries->pdf = coif_lanes_select(mine, here.pdf, tries->pdf);
    tries->nee_only &= ~mine;
}

// Which light each lane's number means, its share, and what is left of the number.
typedef struct chosen {
    coif_lanes_int light;
    coif_lanes share, rest;
} chosen;

static chosen choose(const coif_lights *lights, coif_vec3 point,
                     const coif_light_importances *shares, coif_lanes choice)
{
    chosen found = {.light = {-1, -1, -1, -1}};
    coif_lanes left = choice * shares->total;
    coif_lanes_int open = {-1, -1, -1, -1};
    for (int32_t i = 0; i < lights->count && open[3] != 0; ++i) {
        const float share = i < COIF_CACHED_IMPORTANCES
                                ? shares->known[i]
                                : coif_light_importance(&lights->lights[i], point);
        if (share > 0.0f) {
            found.light = (open & i) | (~open & found.light);
            found.share = coif_lanes_select(open, coif_lanes_splat(share), found.share);
            found.rest = coif_lanes_select(open, left, found.rest);
            open &= left >= share;
            left -= share;
        }
    }
    return found;
}

void coif_lights_sample_x4(coif_light_samples_x4 *tries, const coif_lights *lights, coif_vec3 point,
                           float time, const coif_light_importances *shares,
                           const coif_light_random_x4 *dice)
{
    *tries = (coif_light_samples_x4){.light = {-1, -1, -1, -1}};
    if (!(shares->total > 0.0f)) {
        return;
    }
    const chosen found = choose(lights, point, shares, dice->choice);
    const coif_light_random_x4 numbers = {
        .choice =
            coif_lanes_max(coif_lanes_min(found.rest / found.share, coif_lanes_splat(0.999999f)),
                           coif_lanes_splat(0.0f)),
        .u = dice->u,
        .v = dice->v,
    };
    for (int first = 0, end; first < 4; first = end) {
        const int32_t light = found.light[first];
        for (end = first + 1; end < 4 && found.light[end] == light;) {
            ++end;
        }
        const aim at = {&lights->lights[light], point, time, first, end};
        aim_at(tries, &at, &numbers);
    }
    tries->pdf *= found.share / shares->total;
    tries->light = found.light;
}
