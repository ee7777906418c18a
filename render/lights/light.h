// Lights: selection, sampling, pdf and evaluation along a ray.
//
// Lights are not in the BVH: they cast no shadow and are intersected analytically, so a ray adds
// every light that it crosses. Mesh lights (mesh_light.h) are the exception: paths hit them as
// geometry, and here they are only sampled. Area lights emit from their front. Pdfs are per solid
// angle at the lit point.
//
//   intensity: radiance of rectangle, disk, sphere and environment in W/(m^2 sr); for a distant
//   light the irradiance on a surface that faces it, in W/m^2; for point and spot W/sr; a factor on
//   a sky (sky.h).
//
// A point or spot may have a radius, which makes its shadows soft; a spot's cone is that of the
// centre. With radius 0 it is a delta light, found by NEE only.
#ifndef COIF_RENDER_LIGHTS_LIGHT_H
#define COIF_RENDER_LIGHTS_LIGHT_H

#include "core/base/bounds.h"
#include "core/scene/scene.h"
#include "render/lights/environment.h"
#include "render/math/ray.h"

typedef enum coif_light_type {
    COIF_LIGHT_RECTANGLE = 0,
    COIF_LIGHT_DISK = 1,
    COIF_LIGHT_SPHERE = 2,
    COIF_LIGHT_DISTANT = 3,
    COIF_LIGHT_ENVIRONMENT = 4,
    COIF_LIGHT_POINT = 5,
    COIF_LIGHT_SPOT = 6,
    COIF_LIGHT_SKY = 7, // in scene files; becomes an environment and a distant light
    COIF_LIGHT_MESH = 8 // mesh_light.h; not in scene files
} coif_light_type;

typedef struct coif_light_params {
    const char *name;
    int32_t type;
    float position[3], look_at[3];
    float width, height, radius;
    float angular_diameter;
    float source_radius, cone_angle, penumbra;
    float elevation, azimuth, turbidity, sun_intensity;
    float ground_albedo[3];
    float color[3];
    float intensity;
    const char *image;
    float rotation;
    int32_t visible;
    const char *light_group;
} coif_light_params;

extern const coif_section COIF_LIGHTS_SECTION;

typedef struct coif_light {
    coif_light_type type;
    bool visible;  // to the camera
    int32_t group; // index into coif_lights.groups
    coif_vec3 position;
    coif_vec3 u, v, normal; // of an area light; normal of a distant light: direction of travel
    float half_width, half_height, radius, area;
    float one_minus_cos;        // DISTANT: 1 - cos of half its angular diameter
    float cos_inner, cos_outer; // SPOT: cosines where the penumbra begins and ends
    coif_vec3 radiance;         // POINT and SPOT of radius 0: W/sr
    float luminance;            // of radiance
    coif_environment environment;
    const struct coif_mesh_light *mesh_light; // MESH
} coif_light;

typedef struct coif_lights {
    coif_light *lights;
    int32_t count;
    const char **groups; // names; the first, "other", is for lights without a group
    int32_t group_count;
    bool has_mesh_lights;
} coif_lights;

// The lights of one description: a sky is an environment and a distant light, all others are one.
// Texture: of an environment, in the colour space, may be NULL. Returns their number.
int32_t coif_lights_of(coif_light lights[2], const coif_light_params *params,
                       const coif_image_texture *texture, coif_working_space space,
                       coif_arena *arena);

// The lights of a scene at a frame. A scene without lights gets default lights placed around
// bounds; with NULL for bounds it stays dark.
coif_status coif_lights_init(coif_lights *lights, const coif_param_source *from,
                             const coif_bounds *bounds, coif_error *error);

// Index of the light group of that name, added when it is new.
coif_status coif_lights_group_index(int32_t *group, coif_lights *lights, const char *name,
                                    coif_error *error);

// How BSDF sampling can find the same light, for MIS.
typedef enum coif_mis_kind {
    COIF_MIS_LIGHT_HIT = 0, // coif_light_eval_ray
    COIF_MIS_GEOMETRY_HIT,  // a BSDF sample hits the mesh light
    COIF_MIS_NONE           // delta light: NEE only
} coif_mis_kind;

// A light sample, for lights that light_sampling_x4.h does not vectorise. Choice and u are uniform
// numbers, time is within the shutter interval. Pdf 0: the light does not reach the point.
typedef struct coif_light_sample {
    coif_vec3 direction, radiance;
    float distance;
    float pdf;
    coif_mis_kind mis;
} coif_light_sample;
coif_light_sample coif_light_sample_from(const coif_light *light, coif_vec3 point, float time,
                                         float choice, coif_vec2 u);

// Importance of a light at a point, for light selection: radiance times an estimate of its solid
// angle, unoccluded. Must not be 0 where the light reaches the point.
float coif_light_importance(const coif_light *light, coif_vec3 point);

// Importances of all lights at a point.
enum { COIF_CACHED_IMPORTANCES = 8 };
typedef struct coif_light_importances {
    float total;
    float cached[COIF_CACHED_IMPORTANCES]; // of the first lights; others are recomputed
} coif_light_importances;
void coif_lights_importance(coif_light_importances *importances, const coif_lights *lights,
                            coif_vec3 point);

// Probability with which coif_lights_sample_x4 selects a light; total is the sum at the point.
float coif_light_select_pdf(const coif_light *light, coif_vec3 point, float total);

// Sum of the importances at a point.
float coif_lights_total_importance(const coif_lights *lights, coif_vec3 point);

// Radiance of a light along a ray up to far, zero when the ray misses it, and the pdf with which
// coif_lights_sample_x4 samples it from the ray's origin, where total is the sum of importances.
// Distance is FLT_MAX for lights at infinity.
coif_vec3 coif_light_eval_ray(const coif_light *light, const coif_ray *ray, float total, float *pdf,
                              float *distance);

#endif
