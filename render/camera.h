// camera: from a place in the picture to a ray.
//
// A thin lens that looks towards look_at: x to the right, y up, the picture's row 0
// at the top. Distances in metres; the film and the focal length in millimetres, as on a lens.
#ifndef COIF_RENDER_CAMERA_H
#define COIF_RENDER_CAMERA_H

#include "core/scene.h"
#include "core/vec.h"
#include "render/accel.h"

typedef struct coif_camera_params {
    float position[3], look_at[3], up[3];
    float fov;            // degrees, over the picture's height
    float focal_length;   // millimetres; 0: fov counts
    float film_height;    // millimetres
    float f_stop;         // 0: everything is sharp
    float focus_distance; // metres; 0: the distance of look_at
} coif_camera_params;

extern const coif_section COIF_CAMERA_SECTION;

typedef struct coif_camera {
    coif_vec3 origin, right, up, forward;
    float half_height; // of the picture at distance 1
    float half_width;
    float lens_radius;
    float focus_distance;
    float pixel_angle; // width of a pixel at distance 1
} coif_camera;

// The box a camera frames when the scene does not say where it stands.
typedef struct coif_bounds {
    coif_vec3 low, high;
} coif_bounds;

// The camera of a scene at a frame. Without a position it stands three-quarter front and far enough
// away to see all of bounds.
coif_camera coif_camera_at(const coif_node *node, double frame, int32_t width, int32_t height,
                           const coif_bounds *bounds);

// X and y are shares of the picture, from the left and from the top; lens two uniform numbers.
coif_ray coif_camera_ray(const coif_camera *camera, float x, float y, coif_vec2 lens);

#endif
