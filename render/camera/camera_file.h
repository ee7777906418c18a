// Cameras of archives (Alembic, USD): position, orientation and lens over time.
#ifndef COIF_RENDER_CAMERA_CAMERA_FILE_H
#define COIF_RENDER_CAMERA_CAMERA_FILE_H

#include "core/scene/scene.h"

// The reader of the camera's section. The samples of camera/object of camera/file become keyframes
// of position, look_at, up, focal_length, film_width, film_offset_x and film_offset_y, and
// focus_distance where the file has one. Values that the scene gives are kept; fov takes the place
// of focal_length.
coif_status coif_camera_read_file(coif_node *node, const coif_scene *scene, coif_arena *arena,
                                  coif_error *error);

#endif
