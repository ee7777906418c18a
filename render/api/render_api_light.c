// render_api_light: lights of <coif/render.h>.
#include "render/api/render_api_internal.h"

#include <math.h>
#include <string.h>

// clang-format off
#define FIELD(name) {#name, offsetof(coif_renderer_light, name)}
static const param_field LIGHT_FIELDS[] = {
    FIELD(type), FIELD(position), FIELD(look_at), FIELD(width), FIELD(height), FIELD(radius),
    FIELD(angular_diameter), FIELD(source_radius), FIELD(cone_angle), FIELD(penumbra),
    FIELD(elevation), FIELD(azimuth), FIELD(turbidity), FIELD(sun_intensity),
    FIELD(ground_albedo), FIELD(color), FIELD(intensity), FIELD(rotation), FIELD(visible),
};
#undef FIELD
// clang-format on
static const param_desc LIGHT = {&COIF_LIGHTS_SECTION, LIGHT_FIELDS, COIF_COUNT_OF(LIGHT_FIELDS)};

static coif_renderer_light default_light(void)
{
    coif_light_params params;
    coif_renderer_light light = {0};
    coif_render_api_write_defaults(&light, &LIGHT, &params);
    return light;
}

void coif_renderer_light_init(coif_renderer_light *light, size_t size)
{
    const coif_renderer_light defaults = default_light();
    coif_library_write_desc(light, size, &defaults, sizeof defaults);
}

static coif_status read_light(coif_light_params *params, const coif_renderer_light *light)
{
    COIF_TRY(coif_render_api_read_params(params, &LIGHT, light));
    const bool directed = params->type == COIF_LIGHT_RECTANGLE || params->type == COIF_LIGHT_DISK ||
                          params->type == COIF_LIGHT_DISTANT || params->type == COIF_LIGHT_SPOT;
    return directed && memcmp(light->position, light->look_at, sizeof light->position) == 0
               ? coif_library_invalid("look_at of a light equals its position")
               : COIF_OK;
}

static coif_status copy_image(const coif_image_texture **texture, const coif_renderer_light *light,
                              coif_arena *arena)
{
    *texture = NULL;
    if (light->image == NULL) {
        return COIF_OK;
    }
    if (light->image_width < 1 || light->image_height < 1 || light->image_width > 65536 ||
        light->image_height > 65536) {
        return coif_library_invalid("image_width and image_height must be 1 to 65536");
    }
    const int64_t count = 3 * (int64_t)light->image_width * light->image_height;
    for (int64_t i = 0; i < count; ++i) {
        if (!(light->image[i] >= 0.0f && isfinite(light->image[i]))) {
            return coif_library_invalid("pixels of an environment must be finite and not negative");
        }
    }
    coif_image_texture *made = coif_arena_new(arena, 1, coif_image_texture);
    made->image = (coif_image){.width = light->image_width,
                               .height = light->image_height,
                               .channel_count = 3,
                               .pixels = coif_arena_new(arena, count, float),
                               .full_width = light->image_width,
                               .full_height = light->image_height};
    memcpy(made->image.pixels, light->image, sizeof(float) * (size_t)count);
    *texture = made;
    return COIF_OK;
}

coif_status coif_renderer_add_light(coif_renderer *renderer, const coif_renderer_light *light)
{
    coif_renderer_light known = default_light();
    coif_light_params params;
    const coif_image_texture *texture;
    if (!coif_render_api_begin_add(renderer, &known, sizeof known, light, "coif_renderer_light")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(read_light(&params, &known));
    COIF_TRY(copy_image(&texture, &known, &renderer->arena));
    coif_light lights[2] = {0};
    const int32_t count =
        coif_lights_of(lights, &params, texture, COIF_WORKING_REC709, &renderer->arena);
    for (int32_t i = 0; i < count; ++i) {
        coif_render_scene_add_light(renderer->scene, &lights[i]);
    }
    return COIF_OK;
}
