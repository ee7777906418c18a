#include "render/camera/camera.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/body/body.h"
#include "render/camera/camera_file.h"
#include "render/math/fast_math.h"

#include <float.h>
#include <string.h>

static const char *const PROJECTIONS[] = {"perspective", "orthographic", NULL};

// clang-format off
#define ROW(...) COIF_PARAM_ROW(coif_camera_params, __VA_ARGS__)
#define ROW3(...) COIF_PARAM_ROW3(coif_camera_params, __VA_ARGS__)
#define CHOICE(...) COIF_PLUGIN_CHOICE(coif_camera_params, __VA_ARGS__)
static const coif_param ROWS[] = {
    ROW(file, COIF_PARAM_PATH, "Archive (Alembic, USD) whose camera gives position, orientation, focal length, film width and offset, and focus distance over time; keys given here take precedence.", "", 0, 0, 0),
    ROW(object, COIF_PARAM_STRING, "Camera of file by its path or name; an empty string takes the only one.", "", 0, 0, 0),
    ROW(file_scale, COIF_PARAM_FLOAT, "Metres per unit of the archive; a factor on top of the unit that it states.", "m", 1, 1e-6, 1e6),
    CHOICE(file_up_axis, "Up axis of the archive: auto is what it states, else y.", COIF_UP_AXES, 0),
    ROW3(position, COIF_PARAM_VEC3, "Position of the camera; the default frames the bodies from three-quarter front.", "m", 0, 0, 1, 0, 0),
    ROW3(look_at, COIF_PARAM_VEC3, "Point at the centre of the image; the default is the centre of the bodies.", "m", 0, 0, 0, 0, 0),
    ROW3(up, COIF_PARAM_VEC3, "Up direction of the image.", "", 0, 1, 0, 0, 0),
    ROW(orbit, COIF_PARAM_FLOAT, "Rotation of the camera, with its position and up direction, about the vertical axis through look_at; positive turns counter-clockwise seen from above.", "deg", 0, -1e6, 1e6),
    CHOICE(projection, "Projection: perspective, or orthographic without depth of field.", PROJECTIONS, 0),
    ROW(fov, COIF_PARAM_FLOAT, "Vertical field of view.", "deg", 28, 0.1, 170),
    ROW(focal_length, COIF_PARAM_FLOAT, "Focal length of the lens, instead of fov; 0 uses fov.", "mm", 0, 0, 5000),
    ROW(film_width, COIF_PARAM_FLOAT, "Width of the film back; its height follows from the aspect ratio. 0 uses film_height.", "mm", 0, 0, 400),
    ROW(film_height, COIF_PARAM_FLOAT, "Height of the film back.", "mm", 24, 1, 400),
    ROW(film_offset_x, COIF_PARAM_FLOAT, "Horizontal film offset to the right (lens shift).", "mm", 0, -400, 400),
    ROW(film_offset_y, COIF_PARAM_FLOAT, "Vertical film offset upwards (lens shift).", "mm", 0, -400, 400),
    ROW(ortho_height, COIF_PARAM_FLOAT, "Height of the visible area of an orthographic camera; 0 frames all bodies.", "m", 0, 0, 1e5),
    ROW(f_stop, COIF_PARAM_FLOAT, "Aperture as f-number; 0 disables depth of field.", "", 0, 0, 128),
    ROW(focus_distance, COIF_PARAM_FLOAT, "Focus distance along the view direction; 0 focuses on look_at.", "m", 0, 0, 1e5),
    ROW3(focus_point, COIF_PARAM_VEC3, "Point in focus, instead of focus_distance.", "m", 0, 0, 0, 0, 0),
    ROW(aperture_blades, COIF_PARAM_INT, "Number of aperture blades; below 3 the aperture is round.", "", 0, 0, 64),
    ROW(aperture_rotation, COIF_PARAM_FLOAT, "Rotation of the aperture polygon; at 0 a corner points right.", "deg", 0, -3600, 3600),
    ROW(shutter_open, COIF_PARAM_FLOAT, "Shutter opening time relative to the frame.", "frames", 0, -1, 1),
    ROW(shutter_close, COIF_PARAM_FLOAT, "Shutter closing time relative to the frame; equal to shutter_open disables motion blur. A 180 degree shutter is 0 to 0.5.", "frames", 0, -1, 1),
    ROW(motion_steps, COIF_PARAM_INT, "Motion samples over the shutter interval, interpolated linearly.", "", 2, 2, COIF_MAX_MOTION_STEPS),
};
// clang-format on

static const coif_applies_to APPLIES_TO[] = {
    {"fov focal_length film_width film_height f_stop focus_distance focus_point aperture_blades "
     "aperture_rotation",
     "projection", "perspective"},
    {"ortho_height", "projection", "orthographic"},
    {"object file_scale file_up_axis", "file", ""},
    {NULL, NULL, NULL},
};

const coif_section COIF_CAMERA_SECTION = {
    .name = "camera",
    .basic = "position look_at projection fov focal_length f_stop focus_distance",
    .help = "Camera, lens and shutter",
    .form = COIF_SECTION_OBJECT,
    .params = ROWS,
    .param_count = COIF_COUNT_OF(ROWS),
    .applies_to = APPLIES_TO,
    .read_file = coif_camera_read_file,
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

// Height of the film in millimetres.
static float film_of(const coif_camera_params *params, float aspect)
{
    return params->film_width > 0.0f ? params->film_width / aspect : params->film_height;
}

// Half height of the image plane at distance 1.
static float half_height(const coif_camera_params *params, float aspect)
{
    if (params->focal_length > 0.0f) {
        return 0.5f * film_of(params, aspect) / params->focal_length;
    }
    float sine, cosine;
    coif_fast_sincos_turns(params->fov / 720.0f, &sine, &cosine);
    return sine / cosine;
}

static float radius_of(const coif_bounds *bounds)
{
    return coif_max(0.5f * coif_length(coif_sub(bounds->high, bounds->low)), 1e-3f);
}

// A three-quarter front view from slightly above that shows the bounding sphere, with a margin for
// hair.
static coif_vec3 default_position(coif_vec3 target, const coif_bounds *bounds,
                                  const coif_camera *camera)
{
    const float radius = radius_of(bounds);
    const float half = coif_min(camera->half_height, camera->half_width);
    const float sine =
        camera->projection == COIF_ORTHOGRAPHIC ? 0.5f : half / sqrtf(1.0f + half * half);
    const coif_vec3 direction = coif_normalize((coif_vec3){0.55f, 0.12f, 0.83f});
    return coif_mad(target, 1.05f * radius / sine, direction);
}

static void set_image_plane(coif_camera *camera, const coif_camera_params *params, float aspect,
                            const coif_bounds *bounds)
{
    camera->projection = (coif_projection)params->projection;
    camera->half_height = half_height(params, aspect);
    if (camera->projection == COIF_ORTHOGRAPHIC) {
        const float fit = 1.05f * radius_of(bounds) / coif_min(1.0f, aspect);
        camera->half_height = params->ortho_height > 0.0f ? 0.5f * params->ortho_height : fit;
    }
    camera->half_width = camera->half_height * aspect;
    const float scale = 2.0f * camera->half_height / film_of(params, aspect);
    camera->shift_x = scale * params->film_offset_x;
    camera->shift_y = scale * params->film_offset_y;
}

static void set_orientation(coif_camera *camera, coif_vec3 direction, coif_vec3 up)
{
    const float distance = coif_length(direction);
    camera->forward =
        distance > 0.0f ? coif_scale(direction, 1.0f / distance) : (coif_vec3){0, 0, -1};
    coif_vec3 right = coif_cross(camera->forward, coif_normalize(up));
    if (coif_dot(right, right) < 1e-8f) {
        // Looking along up: any right vector is valid.
        coif_vec3 other;
        coif_frame_around(camera->forward, &right, &other);
    }
    camera->right = coif_normalize(right);
    camera->up = coif_cross(camera->right, camera->forward);
}

static void set_lens(coif_camera *camera, const coif_camera_params *params, float aspect)
{
    if (!(params->f_stop > 0.0f) || camera->projection == COIF_ORTHOGRAPHIC) {
        return;
    }
    const float focal = 0.5e-3f * film_of(params, aspect) / camera->half_height;
    camera->lens_radius = 0.5f * focal / params->f_stop;
    camera->blades = params->aperture_blades >= 3 ? params->aperture_blades : 0;
    camera->blade_rotation = params->aperture_rotation / 360.0f;
}

// Rotates a vector about y.
static void turn(float vector[3], float degrees)
{
    float sine, cosine;
    coif_fast_sincos_turns(degrees / 360.0f, &sine, &cosine);
    const float x = vector[0], z = vector[2];
    vector[0] = cosine * x + sine * z;
    vector[2] = cosine * z - sine * x;
}

static void apply_orbit(coif_camera_params *params)
{
    if (params->orbit == 0.0f) {
        return;
    }
    const float *pivot = params->look_at;
    float arm[3] = {params->position[0] - pivot[0], 0.0f, params->position[2] - pivot[2]};
    turn(arm, params->orbit);
    turn(params->up, params->orbit);
    params->position[0] = pivot[0] + arm[0];
    params->position[2] = pivot[2] + arm[2];
}

static coif_vec3 target_of(const coif_node *node, const coif_camera_params *params,
                           const coif_bounds *bounds)
{
    return given(node, "look_at") ? from_array(params->look_at)
                                  : coif_scale(coif_add(bounds->low, bounds->high), 0.5f);
}

coif_status coif_camera_validate(const coif_node *node, double frame, const coif_bounds *bounds,
                                 const char *scene, coif_error *error)
{
    coif_camera_params params;
    coif_node_read(node, frame, &params);
    const coif_vec3 at = from_array(params.position);
    if (given(node, "position") &&
        !(coif_length(coif_sub(target_of(node, &params, bounds), at)) > 0.0f)) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s/position: [%g, %g, %g] at frame %g equals look_at; expected "
                         "another position",
                         scene, node->path, (double)at.x, (double)at.y, (double)at.z, frame);
    }
    const float smallest_f_stop = 0.01f;
    if (params.f_stop > 0.0f && params.f_stop < smallest_f_stop) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "%s: %s/f_stop: %g at frame %g, expected 0 for a pinhole, or %g or more",
                         scene, node->path, (double)params.f_stop, frame, (double)smallest_f_stop);
    }
    if (!(coif_length(from_array(params.up)) > 0.0f)) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: %s/up: [0, 0, 0] is not a direction", scene,
                         node->path);
    }
    return COIF_OK;
}

coif_camera coif_camera_of(const coif_camera_params *params, int32_t width, int32_t height,
                           const coif_bounds *bounds)
{
    const float aspect = (float)width / (float)height;
    coif_camera camera = {.origin = from_array(params->position)};
    set_image_plane(&camera, params, aspect, bounds);
    camera.pixel_angle = 2.0f * camera.half_height / (float)height;
    const coif_vec3 direction = coif_sub(from_array(params->look_at), camera.origin);
    set_orientation(&camera, direction, from_array(params->up));
    camera.focus_distance =
        params->focus_distance > 0.0f ? params->focus_distance : coif_length(direction);
    set_lens(&camera, params, aspect);
    return camera;
}

coif_camera coif_camera_at(const coif_node *node, double frame, int32_t width, int32_t height,
                           const coif_bounds *bounds)
{
    coif_camera_params params;
    coif_node_read(node, frame, &params);
    const coif_vec3 target = target_of(node, &params, bounds);
    memcpy(params.look_at, &target, sizeof target);
    if (!given(node, "position")) {
        coif_camera plane = {0};
        set_image_plane(&plane, &params, (float)width / (float)height, bounds);
        const coif_vec3 position = default_position(target, bounds, &plane);
        memcpy(params.position, &position, sizeof position);
    }
    apply_orbit(&params);
    coif_camera camera = coif_camera_of(&params, width, height, bounds);
    if (given(node, "focus_point")) {
        // A point behind the camera is clamped.
        const coif_vec3 direction = coif_sub(from_array(params.focus_point), camera.origin);
        camera.focus_distance = coif_max(coif_dot(direction, camera.forward), 1e-3f);
    }
    return camera;
}

const coif_node *coif_camera_turntable(const coif_node *node, double frame, int32_t image,
                                       int32_t count, coif_arena *arena)
{
    coif_node *turned = coif_arena_new(arena, 1, coif_node);
    *turned = *node;
    turned->values = coif_values_freeze(&node->values, frame, arena);
    double *frames = coif_arena_new(arena, 2, double);
    double *orbits = coif_arena_new(arena, 6, double);
    for (uint32_t i = 0; i < turned->values.row_count; ++i) {
        coif_value *value = &turned->values.values[i];
        if (strcmp(turned->values.rows[i].name, "orbit") == 0) {
            for (int k = 0; k < 2; ++k) { // a shutter is open for at most a frame to either side
                frames[k] = frame + (2 * k - 1);
                orbits[3 * k] = value->numbers[0] + 360.0 * (image + 2 * k - 1) / count;
            }
            value->key_count = 2;
            value->frames = frames;
            value->numbers = orbits;
        }
    }
    return turned;
}

static float mix(float a, float b, float t)
{
    return a + t * (b - a);
}

coif_camera coif_camera_lerp(const coif_camera *a, const coif_camera *b, float t)
{
    coif_camera camera = *a;
    camera.origin = coif_lerp(a->origin, b->origin, t);
    camera.forward = coif_normalize(coif_lerp(a->forward, b->forward, t));
    const coif_vec3 right = coif_lerp(a->right, b->right, t);
    camera.right =
        coif_normalize(coif_mad(right, -coif_dot(right, camera.forward), camera.forward));
    camera.up = coif_cross(camera.right, camera.forward);
    camera.half_height = mix(a->half_height, b->half_height, t);
    camera.half_width = mix(a->half_width, b->half_width, t);
    camera.shift_x = mix(a->shift_x, b->shift_x, t);
    camera.shift_y = mix(a->shift_y, b->shift_y, t);
    camera.lens_radius = mix(a->lens_radius, b->lens_radius, t);
    camera.focus_distance = mix(a->focus_distance, b->focus_distance, t);
    camera.pixel_angle = mix(a->pixel_angle, b->pixel_angle, t);
    camera.blade_rotation = mix(a->blade_rotation, b->blade_rotation, t);
    return camera;
}

// Uniform sample of the unit disk.
static coif_vec2 sample_disk(coif_vec2 lens)
{
    float sine, cosine;
    coif_fast_sincos_turns(lens.y, &sine, &cosine);
    const float radius = sqrtf(lens.x);
    return (coif_vec2){radius * cosine, radius * sine};
}

// Uniform sample of a regular polygon with the area of the unit disk: one triangle per blade.
static coif_vec2 sample_polygon(const coif_camera *camera, coif_vec2 lens)
{
    const float n = (float)camera->blades;
    const float t = lens.y * n;
    const float side = coif_min(floorf(t), n - 1.0f);
    const float along = t - side;
    float sine[2], cosine[2], wide, unused;
    coif_fast_sincos_turns(side / n + camera->blade_rotation, &sine[0], &cosine[0]);
    coif_fast_sincos_turns((side + 1.0f) / n + camera->blade_rotation, &sine[1], &cosine[1]);
    coif_fast_sincos_turns(1.0f / n, &wide, &unused);
    const float corner = sqrtf(COIF_TWO_PI / (n * wide)); // circumradius
    const float out = corner * sqrtf(lens.x);
    return (coif_vec2){out * mix(cosine[0], cosine[1], along), out * mix(sine[0], sine[1], along)};
}

coif_ray coif_camera_ray(const coif_camera *camera, float x, float y, coif_vec2 lens)
{
    const float a = (2.0f * x - 1.0f) * camera->half_width + camera->shift_x;
    const float b = (1.0f - 2.0f * y) * camera->half_height + camera->shift_y;
    if (camera->projection == COIF_ORTHOGRAPHIC) {
        const coif_vec3 from = coif_mad(coif_mad(camera->origin, a, camera->right), b, camera->up);
        return (coif_ray){from, camera->forward, 0.0f, FLT_MAX, 0.0f, 0};
    }
    coif_vec3 direction = coif_mad(coif_mad(camera->forward, a, camera->right), b, camera->up);
    coif_vec3 origin = camera->origin;
    if (camera->lens_radius > 0.0f) {
        const coif_vec2 point =
            camera->blades > 0 ? sample_polygon(camera, lens) : sample_disk(lens);
        const coif_vec3 shift = coif_add(coif_scale(camera->right, camera->lens_radius * point.x),
                                         coif_scale(camera->up, camera->lens_radius * point.y));
        // All rays of an image position meet in the focal plane.
        direction = coif_sub(coif_scale(direction, camera->focus_distance), shift);
        origin = coif_add(origin, shift);
    }
    return (coif_ray){origin, coif_normalize(direction), 0.0f, FLT_MAX, 0.0f, 0};
}

bool coif_camera_project(const coif_camera *camera, coif_vec3 point, coif_vec2 *position)
{
    const coif_vec3 direction = coif_sub(point, camera->origin);
    const float depth = coif_dot(direction, camera->forward);
    const float divisor = camera->projection == COIF_ORTHOGRAPHIC ? 1.0f : depth;
    if (!(divisor > 0.0f)) {
        return false;
    }
    const float a = coif_dot(direction, camera->right) / divisor - camera->shift_x;
    const float b = coif_dot(direction, camera->up) / divisor - camera->shift_y;
    position->x = 0.5f + 0.5f * a / camera->half_width;
    position->y = 0.5f - 0.5f * b / camera->half_height;
    return true;
}

static void multiply(double product[16], const double a[16], const double b[16])
{
    for (int i = 0; i < 16; ++i) {
        product[i] = 0.0;
        for (int k = 0; k < 4; ++k) {
            product[i] += a[i / 4 * 4 + k] * b[4 * k + i % 4];
        }
    }
}

coif_camera_matrices coif_camera_matrices_of(const coif_camera *camera)
{
    const coif_vec3 axes[3] = {camera->right, camera->up, camera->forward};
    coif_camera_matrices all = {.to_camera = {[15] = 1.0}};
    for (int c = 0; c < 3; ++c) {
        all.to_camera[c] = axes[c].x;
        all.to_camera[4 + c] = axes[c].y;
        all.to_camera[8 + c] = axes[c].z;
        all.to_camera[12 + c] = -coif_dot(camera->origin, axes[c]);
    }
    const double x = 0.5 / (double)camera->half_width, y = 0.5 / (double)camera->half_height;
    const double left = 0.5 - x * (double)camera->shift_x, top = 0.5 + y * (double)camera->shift_y;
    const double perspective[16] = {x, 0, 0, 0, 0, -y, 0, 0, left, top, 0, 1, 0, 0, 1, 0};
    const double parallel[16] = {x, 0, 0, 0, 0, -y, 0, 0, 0, 0, 1, 0, left, top, 0, 1};
    multiply(all.to_ndc, all.to_camera,
             camera->projection == COIF_ORTHOGRAPHIC ? parallel : perspective);
    return all;
}

coif_shutter coif_shutter_at(const coif_node *camera, double frame)
{
    coif_camera_params params;
    coif_node_read(camera, frame, &params);
    const bool blurs = params.shutter_close > params.shutter_open;
    return (coif_shutter){
        .open = frame + (double)params.shutter_open,
        .close = frame + (double)(blurs ? params.shutter_close : params.shutter_open),
        .steps = blurs ? params.motion_steps : 1,
    };
}

double coif_shutter_step(const coif_shutter *shutter, int32_t step)
{
    return shutter->steps < 2
               ? shutter->open
               : shutter->open + (shutter->close - shutter->open) * step / (shutter->steps - 1);
}
