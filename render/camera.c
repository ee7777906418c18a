#include "render/camera.h"

#include "render/fast.h"

#include <float.h>

// clang-format off
#define ROW(field, kind, help, unit, fallback, low, high)                                          \
    COIF_ROW(coif_camera_params, field, kind, help, unit, fallback, low, high)
static const coif_param ROWS[] = {
    COIF_ROW3(coif_camera_params, position, COIF_PARAM_VEC3,
              "where the camera stands; without it three-quarter front of the bodies", "m", 0, 0, 1, 0, 0),
    COIF_ROW3(coif_camera_params, look_at, COIF_PARAM_VEC3,
              "what is in the middle of the picture; without it the middle of the bodies", "m", 0, 0, 0, 0, 0),
    COIF_ROW3(coif_camera_params, up, COIF_PARAM_VEC3, "which way is up in the picture", "", 0, 1, 0, 0, 0),
    ROW(fov, COIF_PARAM_FLOAT, "angle seen over the height of the picture", "deg", 28, 0.1, 170),
    ROW(focal_length, COIF_PARAM_FLOAT, "of the lens, instead of fov; 0 for fov", "mm", 0, 0, 5000),
    ROW(film_height, COIF_PARAM_FLOAT, "height of the film behind the lens", "mm", 24, 1, 200),
    ROW(f_stop, COIF_PARAM_FLOAT, "focal length over the width of the opening; 0 for all sharp", "", 0, 0, 128),
    ROW(focus_distance, COIF_PARAM_FLOAT, "where it is sharp; 0 for the distance of look_at", "m", 0, 0, 1e5),
};
// clang-format on

const coif_section COIF_CAMERA_SECTION = {
    .name = "camera",
    .help = "where the picture is taken from",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
};

static bool given(const coif_node *node, const char *name)
{
    const coif_value *value = coif_values_find(&node->values, name);
    return value != NULL && value->given;
}

static coif_vec3 from_array(const float *a)
{
    return (coif_vec3){a[0], a[1], a[2]};
}

// Three-quarter front and a little above, at a distance from which a ball around bounds just fits,
// with a margin for the hair.
static coif_vec3 stand_back(coif_vec3 target, const coif_bounds *bounds, float half_height,
                            float half_width)
{
    const coif_vec3 diagonal = coif_sub(bounds->high, bounds->low);
    const float radius = coif_max(0.5f * coif_length(diagonal), 1e-3f);
    const float half = coif_min(half_height, half_width);
    const float sine = half / sqrtf(1.0f + half * half);
    const coif_vec3 way = coif_normalize((coif_vec3){0.55f, 0.12f, 0.83f});
    return coif_mad(target, 1.05f * radius / sine, way);
}

coif_camera coif_camera_at(const coif_node *node, double frame, int32_t width, int32_t height,
                           const coif_bounds *bounds)
{
    coif_camera_params params;
    coif_node_read(node, frame, &params);

    coif_camera camera = {0};
    float sine, cosine;
    coif_fast_turn(params.fov / 720.0f, &sine, &cosine);
    camera.half_height = params.focal_length > 0.0f
                             ? 0.5f * params.film_height / params.focal_length
                             : sine / cosine;
    camera.half_width = camera.half_height * (float)width / (float)height;
    camera.pixel_angle = 2.0f * camera.half_height / (float)height;

    const coif_vec3 target = given(node, "look_at")
                                 ? from_array(params.look_at)
                                 : coif_scale(coif_add(bounds->low, bounds->high), 0.5f);
    camera.origin = given(node, "position")
                        ? from_array(params.position)
                        : stand_back(target, bounds, camera.half_height, camera.half_width);

    const coif_vec3 way = coif_sub(target, camera.origin);
    const float distance = coif_length(way);
    camera.forward = distance > 0.0f ? coif_scale(way, 1.0f / distance) : (coif_vec3){0, 0, -1};
    coif_vec3 right = coif_cross(camera.forward, coif_normalize(from_array(params.up)));
    if (coif_dot(right, right) < 1e-8f) {
        // Looking straight along up: any right will do.
        coif_vec3 other;
        coif_frame_around(camera.forward, &right, &other);
    }
    camera.right = coif_normalize(right);
    camera.up = coif_cross(camera.right, camera.forward);

    camera.focus_distance = params.focus_distance > 0.0f ? params.focus_distance : distance;
    if (params.f_stop > 0.0f) {
        const float focal = 0.5e-3f * params.film_height / camera.half_height;
        camera.lens_radius = 0.5f * focal / params.f_stop;
    }
    return camera;
}

coif_ray coif_camera_ray(const coif_camera *camera, float x, float y, coif_vec2 lens)
{
    const float a = (2.0f * x - 1.0f) * camera->half_width;
    const float b = (1.0f - 2.0f * y) * camera->half_height;
    coif_vec3 way = coif_mad(coif_mad(camera->forward, a, camera->right), b, camera->up);
    coif_vec3 origin = camera->origin;
    if (camera->lens_radius > 0.0f) {
        float sine, cosine;
        coif_fast_turn(lens.y, &sine, &cosine);
        const float radius = camera->lens_radius * sqrtf(lens.x);
        const coif_vec3 shift = coif_add(coif_scale(camera->right, radius * cosine),
                                         coif_scale(camera->up, radius * sine));
        // All rays of a picture point meet in the plane of focus.
        way = coif_sub(coif_scale(way, camera->focus_distance), shift);
        origin = coif_add(origin, shift);
    }
    return (coif_ray){origin, coif_normalize(way), 0.0f, FLT_MAX};
}
