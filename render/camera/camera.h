// camera: from a place in the picture, on the lens and in time to a ray.
//
// A thin lens, or parallel rays, that looks towards look_at: x to the right, y up, the picture's
// row 0 at the top. Distances in metres; the film and the focal length in millimetres, as on a
// lens.
#ifndef COIF_RENDER_CAMERA_CAMERA_H
#define COIF_RENDER_CAMERA_CAMERA_H

#include "core/base/vec.h"
#include "core/scene/scene.h"
#include "render/math/ray.h"

typedef enum coif_projection { COIF_PERSPECTIVE = 0, COIF_ORTHOGRAPHIC = 1 } coif_projection;

typedef struct coif_camera_params {
    float position[3], look_at[3], up[3];
    int32_t projection;
    float fov;                     // degrees, over the picture's height
    float focal_length;            // millimetres; 0: fov counts
    float film_width, film_height; // millimetres; width 0: from the height and the picture's shape
    float film_offset_x, film_offset_y; // millimetres
    float ortho_height;                 // metres, orthographic only; 0: all bodies
    float f_stop;                       // 0: everything is sharp
    float focus_distance;               // metres; 0: the distance of look_at
    float focus_point[3];               // a place that is sharp, instead of a distance
    int32_t aperture_blades;            // of the lens opening; below 3: it is round
    float aperture_rotation;            // degrees
    float shutter_open, shutter_close;  // frames from the picture's own; equal: a still
    int32_t motion_steps;
} coif_camera_params;

extern const coif_section COIF_CAMERA_SECTION;

typedef struct coif_camera {
    coif_vec3 origin, right, up, forward;
    coif_projection projection;
    float half_height; // of the picture at distance 1; orthographic: in metres
    float half_width;
    float shift_x,
        shift_y;       // of the picture's middle beside the axis, to the right and up, likewise
    float lens_radius; // of a round opening; one with blades has the same area
    float focus_distance;
    float pixel_angle; // width of a pixel at distance 1; orthographic: anywhere
    int32_t blades;    // 0: round
    float blade_turn;  // share of a full turn
} coif_camera;

// The camera of a scene at a frame. Without a position it stands three-quarter front and far enough
// away to see all of bounds.
coif_camera coif_camera_at(const coif_node *node, double frame, int32_t width, int32_t height,
                           const coif_bounds *bounds);

// Whether a camera of a scene file at a frame knows where to look and which way is up.
coif_status coif_camera_validate(const coif_node *node, double frame, const coif_bounds *bounds,
                                 const char *scene, coif_error *error);

// The camera on its way from one to another; t from 0 to 1.
coif_camera coif_camera_lerp(const coif_camera *a, const coif_camera *b, float t);

// X and y are shares of the picture, from the left and from the top; lens two uniform numbers.
coif_ray coif_camera_ray(const coif_camera *camera, float x, float y, coif_vec2 lens);

// Where in the picture a point is seen, in shares from the left and from the top; false when it is
// behind the camera.
bool coif_camera_project(const coif_camera *camera, coif_vec3 point, coif_vec2 *place);

// What EXR says of a camera (ImfStandardAttributes.h), for points as rows: a point times the
// matrix, row after row. In the camera's own space x is right, y up, and it looks along z, which is
// left-handed. In the picture's, after a division by the fourth number, (0, 0) is the upper left
// corner and (1, 1) the lower right; the third is one over the depth, or the depth when rays are
// parallel.
typedef struct coif_camera_matrices {
    double to_camera[16], to_ndc[16];
} coif_camera_matrices;
coif_camera_matrices coif_camera_matrices_of(const coif_camera *camera);

// While the shutter is open: from one (fractional) frame to another, looked at so many times.
typedef struct coif_shutter {
    double open, close;
    int32_t steps; // 1: a still at open
} coif_shutter;

enum { COIF_MAX_MOTION_STEPS = 17 };

coif_shutter coif_shutter_at(const coif_node *camera, int frame);

// The frame of a step, from 0 to steps - 1.
double coif_shutter_step(const coif_shutter *shutter, int32_t step);

#endif
