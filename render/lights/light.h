// light: what shines, how to aim at it, and how likely it was to be aimed at.
//
// Lights are not shapes of the ray tracer: they cast no shadow and are met by arithmetic, so a ray
// collects from every light it crosses. Bodies that shine (emitter.h) are the exception: paths meet
// them as bodies, and here they are aimed at alone. Area lights shine from their front alone.
// Densities are per solid angle at the lit point.
//
//   intensity: radiance of rectangle, disk, sphere and environment in W/(m^2 sr); for a distant
//   light the irradiance on a surface that faces it, in W/m^2; for point and spot W/sr; a sky is
//   multiplied by it (sky.h).
//
// A point or spot may have a bulb, a ball of some size that makes its shadows soft. A spot's cone
// is that of the ball's middle. Without a bulb no other way than aiming finds it.
#ifndef COIF_RENDER_LIGHTS_LIGHT_H
#define COIF_RENDER_LIGHTS_LIGHT_H

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
    COIF_LIGHT_SKY = 7, // in scenes; becomes an environment and a distant light
    COIF_LIGHT_MESH = 8 // a body that shines; not in scenes
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
    int32_t group; // index into the names of groups
    coif_vec3 position;
    coif_vec3 u, v, normal; // of the area, or normal the way the light of a distant one travels
    float half_width, half_height, radius, area;
    float lift;         // DISTANT: 1 - cos of half its angle
    float inner, outer; // SPOT: cosines where its light begins to fade and where it ends
    coif_vec3 radiance; // POINT and SPOT without a bulb: W/sr
    float brightness;   // of radiance
    coif_environment environment;
    const struct coif_mesh_light *mesh_light; // MESH
} coif_light;

typedef struct coif_lights {
    coif_light *lights;
    int32_t count;
    const char **groups; // names; the first, "other", is that of lights without a group
    int32_t group_count;
    bool has_mesh_lights; // some are bodies that shine
} coif_lights;

// The lights of a scene at a frame. None at all gives a large soft key light from the front, placed
// for bounds, and a dim sky; with NULL for bounds it stays dark.
coif_status coif_lights_init(coif_lights *lights, const coif_param_source *from,
                             const coif_bounds *bounds, coif_error *error);

// The group of that name, made when it is new.
coif_status coif_lights_group_index(int32_t *group, coif_lights *lights, const char *name,
                                    coif_error *error);

// How else a direction towards a light could have been found.
typedef enum coif_mis_kind {
    COIF_MIS_LIGHT_HIT = 0, // coif_light_eval_ray
    COIF_MIS_GEOMETRY_HIT,  // by a path that runs into the body which shines
    COIF_MIS_NONE           // no way has an area: radiance and pdf are those of the one way
} coif_mis_kind;

// A direction towards a light, for what is not aimed at by four (light_tries.h). Choice and u are
// uniform numbers, time is that of bodies. Density 0 means that it cannot be seen from there.
typedef struct coif_light_sample {
    coif_vec3 direction, radiance;
    float distance;
    float pdf;
    coif_mis_kind finding;
} coif_light_sample;
coif_light_sample coif_light_sample_from(const coif_light *light, coif_vec3 point, float time,
                                         float choice, coif_vec2 u);

// What share of a point's light may come from a light: radiance by an estimate of its solid angle,
// without shadows. Only steers choices, so it may be rough but is not zero where light is.
float coif_light_importance(const coif_light *light, coif_vec3 point);

// The same of all lights, worked out once for many choices at one point.
enum { COIF_CACHED_IMPORTANCES = 8 };
typedef struct coif_light_importances {
    float total;
    float known[COIF_CACHED_IMPORTANCES]; // of the first lights; those beyond are worked out again
} coif_light_importances;
void coif_lights_importance(coif_light_importances *shares, const coif_lights *lights,
                            coif_vec3 point);

// The chance with which coif_lights_sample_x4 chooses a light, total being that of the point.
float coif_light_select_pdf(const coif_light *light, coif_vec3 point, float total);

// The sum over lights by which each one's chance is divided.
float coif_lights_total_importance(const coif_lights *lights, coif_vec3 point);

// The light of one source along a ray, up to far: radiance, zero when the ray misses it, and the
// density with which coif_lights_sample_x4 would have found it from the ray's origin, whose total
// that is; distance is how far away it is, FLT_MAX for lights that are not in the scene.
coif_vec3 coif_light_eval_ray(const coif_light *light, const coif_ray *ray, float total, float *pdf,
                              float *distance);

#endif
