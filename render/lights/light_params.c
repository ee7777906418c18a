// Parameters of lights, and the default lights of a scene without any.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "render/film/aov.h"
#include "render/lights/light.h"
#include "render/lights/sky.h"
#include "render/math/color.h"

#include <string.h>

static const char *const TYPES[] = {"rectangle", "disk", "sphere", "distant", "environment",
                                    "point",     "spot", "sky",    NULL};

// clang-format off
#define ROW(...) COIF_PARAM_ROW(coif_light_params, __VA_ARGS__)
#define ROW3(...) COIF_PARAM_ROW3(coif_light_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(coif_light_params, __VA_ARGS__)
static const coif_param ROWS[] = {
    ROW(name, COIF_PARAM_STRING, "Name of the light.", "", 0, 0, 0),
    CHOICE(type, "Type of the light.", TYPES, 0),
    ROW3(position, COIF_PARAM_VEC3, "Position of the light; a distant light shines from here towards look_at.", "m", 1, 2, 2, 0, 0),
    ROW3(look_at, COIF_PARAM_VEC3, "Point at which the front of an area light or the axis of a spot is aimed.", "m", 0, 0, 0, 0, 0),
    ROW(width, COIF_PARAM_FLOAT, "Width of a rectangle light.", "m", 1, 1e-4, 1e4),
    ROW(height, COIF_PARAM_FLOAT, "Height of a rectangle light.", "m", 1, 1e-4, 1e4),
    ROW(radius, COIF_PARAM_FLOAT, "Radius of a disk or sphere light.", "m", 0.2, 1e-5, 1e4),
    ROW(angular_diameter, COIF_PARAM_FLOAT, "Angular diameter of a distant light or of the sun of a sky.", "deg", 0.53, 0.05, 170),
    ROW(source_radius, COIF_PARAM_FLOAT, "Radius of the spherical source of a point or spot light; 0 gives hard shadows.", "m", 0, 0, 1e4),
    ROW(cone_angle, COIF_PARAM_FLOAT, "Full cone angle of a spot light.", "deg", 50, 0.5, 179),
    ROW(penumbra, COIF_PARAM_FLOAT, "Fraction of the cone over which a spot light fades out; 0 is a hard edge.", "", 0.2, 0, 1),
    ROW(elevation, COIF_PARAM_FLOAT, "Elevation of the sun of a sky above the horizon.", "deg", 40, 0, 90),
    ROW(azimuth, COIF_PARAM_FLOAT, "Azimuth of the sun of a sky, from +z towards +x.", "deg", 45, -3600, 3600),
    ROW(turbidity, COIF_PARAM_FLOAT, "Atmospheric turbidity of a sky: 2 very clear, 3 clear, 10 hazy.", "", 3, 2, 10),
    ROW(sun_intensity, COIF_PARAM_FLOAT, "Factor on the sun of a sky; 0 removes the sun disk.", "", 1, 0, 100),
    ROW3(ground_albedo, COIF_PARAM_COLOR, "Albedo of the ground below a sky.", "", 0.2, 0.2, 0.2, 0, 1),
    ROW3(color, COIF_PARAM_COLOR, "Colour of the light, linear; multiplies intensity.", "", 1, 1, 1, 0, 1e6),
    ROW(intensity, COIF_PARAM_FLOAT, "Radiance in W/(m^2 sr) of area lights and environments; irradiance in W/m^2 of a distant light; radiant intensity in W/sr of point and spot lights; factor on a sky.", "", 1, 0, 1e9),
    ROW(image, COIF_PARAM_PATH, "Latitude-longitude HDR image of an environment light; without one the environment is uniform.", "", 0, 0, 0),
    ROW(rotation, COIF_PARAM_FLOAT, "Rotation of an environment about the y axis.", "deg", 0, -3600, 3600),
    ROW(visible, COIF_PARAM_BOOL, "The camera sees the light.", "", 0, 0, 1),
    ROW(light_group, COIF_PARAM_STRING, "Light group of the light; its AOV is light_NAME.", "", 0, 0, 0),
};
// clang-format on

static const coif_applies_to APPLIES_TO[] = {
    {"position", "type", "rectangle disk sphere distant point spot"},
    {"look_at", "type", "rectangle disk distant spot"},
    {"width height", "type", "rectangle"},
    {"radius", "type", "disk sphere"},
    {"angular_diameter", "type", "distant sky"},
    {"source_radius", "type", "point spot"},
    {"cone_angle penumbra", "type", "spot"},
    {"elevation azimuth turbidity sun_intensity ground_albedo", "type", "sky"},
    {"image rotation", "type", "environment"},
    {NULL, NULL, NULL},
};

const coif_section COIF_LIGHTS_SECTION = {
    .name = "lights",
    .basic = "name type position look_at width height radius elevation azimuth color intensity "
             "image rotation visible",
    .help = "Light sources; without any there is a soft key light and a dim environment",
    .form = COIF_SECTION_ARRAY,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .applies_to = APPLIES_TO,
    .check_text = coif_aov_check_light_group,
};

static coif_vec3 from_array(const float *a)
{
    return (coif_vec3){a[0], a[1], a[2]};
}

// Frame of an area light: v as upright as possible, u to its right.
static void orient(coif_light *light, coif_vec3 from, coif_vec3 to)
{
    light->position = from;
    light->normal = coif_normalize(coif_sub(to, from));
    if (coif_dot(light->normal, light->normal) < 0.5f) {
        light->normal = (coif_vec3){0.0f, -1.0f, 0.0f};
    }
    const coif_vec3 right = coif_cross((coif_vec3){0.0f, 1.0f, 0.0f}, light->normal);
    if (coif_dot(right, right) > 1e-8f) {
        light->u = coif_normalize(right);
        light->v = coif_cross(light->normal, light->u);
    } else {
        coif_frame_around(light->normal, &light->u, &light->v);
    }
}

// Cosines of the cone; half angle in turns, penumbra as a fraction of it.
static void set_cone(coif_light *light, float half, float edge)
{
    float sine;
    coif_fast_sincos_turns(half, &sine, &light->cos_outer);
    coif_fast_sincos_turns(half * (1.0f - edge), &sine, &light->cos_inner);
    light->cos_inner = coif_max(light->cos_inner, light->cos_outer + 1e-6f);
}

// Point and spot: radiance of a sphere, or intensity at radius 0.
static void set_point_size(coif_light *light, const coif_light_params *params)
{
    light->radius = params->source_radius;
    light->area = params->source_radius > 0.0f
                      ? COIF_PI * params->source_radius * params->source_radius
                      : 1.0f;
    light->radiance = coif_scale(light->radiance, 1.0f / light->area);
    set_cone(light, params->cone_angle / 720.0f, params->penumbra);
}

static void set_size(coif_light *light, const coif_light_params *params)
{
    light->half_width = 0.5f * params->width;
    light->half_height = 0.5f * params->height;
    light->radius = params->radius;
    if (light->type == COIF_LIGHT_RECTANGLE) {
        light->area = params->width * params->height;
    } else {
        light->area = COIF_PI * params->radius * params->radius;
    }
    if (light->type == COIF_LIGHT_DISTANT) {
        float sine, cosine;
        coif_fast_sincos_turns(params->angular_diameter / 1440.0f, &sine, &cosine);
        light->one_minus_cos = 2.0f * sine * sine;
        // Irradiance of a cone on a surface that faces it: pi sin^2 L.
        const float sine2 = light->one_minus_cos * (2.0f - light->one_minus_cos);
        light->radiance = coif_scale(light->radiance, 1.0f / (COIF_PI * sine2));
    }
    if (light->type == COIF_LIGHT_POINT || light->type == COIF_LIGHT_SPOT) {
        set_point_size(light, params);
    }
    light->luminance = coif_luminance(light->radiance);
}

static coif_vec3 light_color(const coif_light_params *params, coif_working_space space)
{
    return coif_scale(coif_working_from_rec709(space, from_array(params->color)),
                      params->intensity);
}

// A sky becomes an environment and, after it, a distant light.
static void read_sky(coif_light *lights, const coif_light_params *params, coif_working_space space,
                     coif_arena *arena)
{
    const coif_sky_desc desc = {
        .elevation = params->elevation / 360.0f,
        .azimuth = params->azimuth / 360.0f,
        .turbidity = params->turbidity,
        .ground = from_array(params->ground_albedo),
    };
    const coif_sky sky = coif_sky_init(&desc);
    const coif_vec3 tint = light_color(params, space);
    coif_image_texture *dome = coif_sky_bake(&sky, arena);
    coif_working_convert_pixels(space, dome->image.pixels,
                                (size_t)dome->image.width * (size_t)dome->image.height,
                                (size_t)dome->image.channel_count);
    coif_light_params sun = *params;
    sun.type = COIF_LIGHT_DISTANT;
    const int32_t group = lights[0].group;
    lights[0] = (coif_light){
        .type = COIF_LIGHT_ENVIRONMENT, .group = group, .visible = params->visible != 0};
    coif_environment_init(&lights[0].environment, tint, dome, 0.0f, arena);
    lights[1] =
        (coif_light){.type = COIF_LIGHT_DISTANT, .group = group, .visible = params->visible != 0};
    lights[1].radiance =
        coif_scale(coif_mul(tint, coif_working_from_rec709(space, sky.sun)), params->sun_intensity);
    orient(&lights[1], sky.sun_direction, (coif_vec3){0.0f, 0.0f, 0.0f});
    set_size(&lights[1], &sun);
}

// Lights with a direction need distinct position and look_at.
static coif_status check_direction(const coif_light_params *params, const coif_param_source *from,
                                   coif_error *error)
{
    const coif_vec3 at = from_array(params->position);
    const bool faces = params->type == COIF_LIGHT_RECTANGLE || params->type == COIF_LIGHT_DISK ||
                       params->type == COIF_LIGHT_DISTANT || params->type == COIF_LIGHT_SPOT;
    if (!faces || coif_length(coif_sub(from_array(params->look_at), at)) > 0.0f) {
        return COIF_OK;
    }
    coif_error cause = {0};
    coif_fail(&cause, COIF_ERR_SCENE,
              "[%g, %g, %g] at frame %g is the position of the light; expected another point",
              (double)at.x, (double)at.y, (double)at.z, from->frame);
    return coif_param_error(from, "look_at", &cause, error);
}

int32_t coif_lights_of(coif_light lights[2], const coif_light_params *params,
                       const coif_image_texture *texture, coif_working_space space,
                       coif_arena *arena)
{
    coif_light *light = &lights[0];
    if (params->type == COIF_LIGHT_SKY) {
        read_sky(lights, params, space, arena);
        return 2;
    }
    light->type = (coif_light_type)params->type;
    light->visible = params->visible != 0;
    light->radiance = light_color(params, space);
    orient(light, from_array(params->position), from_array(params->look_at));
    set_size(light, params);
    if (light->type == COIF_LIGHT_ENVIRONMENT) {
        coif_environment_init(&light->environment, light->radiance, texture,
                              params->rotation / 360.0f, arena);
    }
    return 1;
}

// Adds the lights of one description; the first has its group.
static coif_status read_light(coif_lights *lights, const coif_light_params *params,
                              const coif_param_source *from, coif_error *error)
{
    COIF_TRY(check_direction(params, from, error));
    const coif_image_texture *texture = NULL;
    coif_error cause = {0};
    if (params->type == COIF_LIGHT_ENVIRONMENT && params->image != NULL &&
        params->image[0] != '\0' &&
        coif_texture_cache_load(&texture, from->textures, params->image, &cause) != COIF_OK) {
        return coif_param_error(from, "image", &cause, error);
    }
    lights->count += coif_lights_of(&lights->lights[lights->count], params, texture,
                                    from->textures->space, from->arena);
    return COIF_OK;
}

// A key light above the camera, a rim light behind, and a dim environment.
static coif_status default_lights(coif_lights *lights, const coif_param_source *from,
                                  const coif_bounds *bounds, coif_error *error)
{
    const coif_vec3 middle = coif_scale(coif_add(bounds->low, bounds->high), 0.5f);
    const float size = coif_max(coif_length(coif_sub(bounds->high, bounds->low)), 1e-3f);
    const coif_vec3 key = coif_mad(middle, 2.2f * size, (coif_vec3){0.0f, 0.74f, 0.67f});
    const coif_vec3 rim = coif_mad(middle, 2.2f * size, (coif_vec3){0.72f, 0.42f, -0.56f});
    const coif_light_params rows[] = {
        {.type = COIF_LIGHT_RECTANGLE,
         .position = {key.x, key.y, key.z},
         .look_at = {middle.x, middle.y, middle.z},
         .width = 0.65f * size,
         .height = 0.65f * size,
         .color = {1.0f, 0.96f, 0.9f},
         .intensity = 28.0f},
        {.type = COIF_LIGHT_RECTANGLE,
         .position = {rim.x, rim.y, rim.z},
         .look_at = {middle.x, middle.y, middle.z},
         .width = 0.6f * size,
         .height = 1.2f * size,
         .color = {0.9f, 0.95f, 1.0f},
         .intensity = 14.0f},
        {.type = COIF_LIGHT_ENVIRONMENT, .color = {0.8f, 0.9f, 1.0f}, .intensity = 0.35f},
    };
    lights->lights = coif_arena_new(from->arena, COIF_COUNT_OF(rows), coif_light);
    for (size_t i = 0; i < COIF_COUNT_OF(rows); ++i) {
        COIF_TRY(read_light(lights, &rows[i], from, error));
    }
    return COIF_OK;
}

coif_status coif_lights_group_index(int32_t *group, coif_lights *lights, const char *name,
                                    coif_error *error)
{
    *group = 0;
    if (name == NULL || name[0] == '\0') {
        return COIF_OK;
    }
    for (*group = 0; *group < lights->group_count; ++*group) {
        if (strcmp(lights->groups[*group], name) == 0) {
            return COIF_OK;
        }
    }
    if (lights->group_count == COIF_MAX_LIGHT_GROUPS) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "light group \"%s\": more than %d groups with that of the others", name,
                         COIF_MAX_LIGHT_GROUPS);
    }
    lights->groups[lights->group_count++] = name;
    return COIF_OK;
}

coif_status coif_lights_init(coif_lights *lights, const coif_param_source *from,
                             const coif_bounds *bounds, coif_error *error)
{
    *lights = (coif_lights){0};
    lights->groups = coif_arena_new(from->arena, COIF_MAX_LIGHT_GROUPS, const char *);
    lights->groups[0] = "other";
    lights->group_count = 1;
    if (from->node->child_count == 0 && bounds != NULL) {
        return default_lights(lights, from, bounds, error);
    }
    // A sky is two lights.
    lights->lights = coif_arena_new(from->arena, 2 * from->node->child_count, coif_light);
    for (int32_t i = 0; i < from->node->child_count; ++i) {
        coif_light_params params;
        coif_light *light = &lights->lights[lights->count];
        coif_node_read(&from->node->children[i], from->frame, &params);
        COIF_TRY(coif_lights_group_index(&light->group, lights, params.light_group, error));
        coif_param_source own = *from;
        own.node = &from->node->children[i];
        COIF_TRY(read_light(lights, &params, &own, error));
    }
    return COIF_OK;
}
