// camera: generates rays from image position, lens sample and time.
//
// A thin lens or orthographic camera that looks at look_at: x right, y up, image row 0 at the top.
// Distances in metres; film size and focal length in millimetres.
#ifndef COIF_RENDER_CAMERA_CAMERA_H
#define COIF_RENDER_CAMERA_CAMERA_H

#include "core/base/bounds.h"
#include "core/base/vec.h"
#include "core/scene/scene.h"
#include "render/math/ray.h"

typedef enum coif_projection { COIF_PERSPECTIVE = 0, COIF_ORTHOGRAPHIC = 1 } coif_projection;

typedef struct coif_camera_params {
    const char *file, *object; // archive with a camera and its name, see camera_file.h
    float file_scale;          // metres per unit of the archive
    int32_t file_up_axis;      // of the archive, COIF_UP_...
    float position[3], look_at[3], up[3];
    float orbit; // degrees; turns position and up about the vertical axis through look_at
    int32_t projection;
    float fov;                          // degrees, vertical
    float focal_length;                 // millimetres; 0: fov is used
    float film_width, film_height;      // millimetres; width 0: height times the aspect ratio
    float film_offset_x, film_offset_y; // millimetres
    float ortho_height;                 // metres; 0: fits the bounds of all bodies
    float f_stop;                       // 0: pinhole
    float focus_distance;               // metres; 0: the distance of look_at
    float focus_point[3];               // instead of a distance
    int32_t aperture_blades;            // below 3: circular
    float aperture_rotation;            // degrees
    float shutter_open,
        shutter_close; // in frames, relative to the image's frame; equal: no motion blur
    int32_t motion_steps;
} coif_camera_params;

extern const coif_section COIF_CAMERA_SECTION;

typedef struct coif_camera {
    coif_vec3 origin, right, up, forward;
    coif_projection projection;
    float half_height; // of the image plane at distance 1; orthographic: metres
    float half_width;
    float shift_x, shift_y; // of the image centre off the axis, right and up, likewise
    float lens_radius;      // a polygonal aperture has the same area
    float focus_distance;
    float pixel_angle;    // pixel width at distance 1; orthographic: at any distance
    int32_t blades;       // 0: circular
    float blade_rotation; // turns
} coif_camera;

// The camera of parameters that give position and look_at; focus_point is not used. Bounds: of what
// an orthographic camera without a height shows.
coif_camera coif_camera_of(const coif_camera_params *params, int32_t width, int32_t height,
                           const coif_bounds *bounds);

// The camera of a scene at a frame. Without a position it is placed at a three-quarter front view
// that shows all of bounds.
coif_camera coif_camera_at(const coif_node *node, double frame, int32_t width, int32_t height,
                           const coif_bounds *bounds);

// The camera section of an image of a turntable: its values at a frame, and an orbit that advances
// by 360 / count degrees from image to image, also over the shutter interval around the frame.
const coif_node *coif_camera_turntable(const coif_node *node, double frame, int32_t image,
                                       int32_t count, coif_arena *arena);

// Checks that the view direction and up vector of a camera are defined.
coif_status coif_camera_validate(const coif_node *node, double frame, const coif_bounds *bounds,
                                 const char *scene, coif_error *error);

// Linear interpolation; t from 0 to 1.
coif_camera coif_camera_lerp(const coif_camera *a, const coif_camera *b, float t);

// X and y in [0, 1] from the left and from the top; lens: two uniform random numbers.
coif_ray coif_camera_ray(const coif_camera *camera, float x, float y, coif_vec2 lens);

// Image position of a point, in [0, 1] from the left and from the top; false: behind the camera.
bool coif_camera_project(const coif_camera *camera, coif_vec3 point, coif_vec2 *position);

// worldToCamera and worldToNDC of EXR (ImfStandardAttributes.h), row-major, for row vectors. Camera
// space is left-handed: x right, y up, z forward. In NDC, after the perspective division, (0, 0) is
// the upper left corner and (1, 1) the lower right; z is one over the depth, or the depth of an
// orthographic camera.
typedef struct coif_camera_matrices {
    double to_camera[16], to_ndc[16];
} coif_camera_matrices;
coif_camera_matrices coif_camera_matrices_of(const coif_camera *camera);

// The shutter interval in fractional frames, and its number of motion steps.
typedef struct coif_shutter {
    double open, close;
    int32_t steps; // 1: no motion blur, at open
} coif_shutter;

enum { COIF_MAX_MOTION_STEPS = 17 };

coif_shutter coif_shutter_at(const coif_node *camera, double frame);

// The frame of a step, from 0 to steps - 1.
double coif_shutter_step(const coif_shutter *shutter, int32_t step);

#endif
