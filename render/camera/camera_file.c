#include "render/camera/camera_file.h"

#include "core/archive/archive.h"
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/body/body.h"

#include <string.h>

typedef enum camera_track {
    POSITION,
    LOOK_AT,
    UP,
    FOCAL_LENGTH,
    FILM_WIDTH,
    FILM_OFFSET_X,
    FILM_OFFSET_Y,
    FOCUS_DISTANCE,
    TRACK_COUNT
} camera_track;

static const char *const TRACK_NAMES[TRACK_COUNT] = {
    "position",      "look_at",       "up", "focal_length", "film_width", "film_offset_x",
    "film_offset_y", "focus_distance"};

// Keyframes of all parameters: three numbers per key.
typedef struct camera_tracks {
    int32_t count;
    double *frames;
    double *numbers[TRACK_COUNT];
} camera_tracks;

static void set_sample(camera_tracks *tracks, int32_t i, const coif_archive_camera *camera,
                       double scale)
{
    const float *m = camera->to_world;
    // Distance of look_at: any, where the file does not focus.
    const double distance =
        camera->focus_distance > 0.0f ? scale * (double)camera->focus_distance : 1.0;
    for (int k = 0; k < 3; ++k) {
        const double position = scale * (double)m[4 * k + 3], backward = (double)m[4 * k + 2];
        tracks->numbers[POSITION][3 * i + k] = position;
        tracks->numbers[LOOK_AT][3 * i + k] = position - distance * backward;
        tracks->numbers[UP][3 * i + k] = (double)m[4 * k + 1];
    }
    tracks->numbers[FOCAL_LENGTH][3 * i] = (double)camera->focal_length;
    tracks->numbers[FILM_WIDTH][3 * i] = (double)camera->film_width;
    tracks->numbers[FILM_OFFSET_X][3 * i] = (double)camera->film_offset[0];
    tracks->numbers[FILM_OFFSET_Y][3 * i] = (double)camera->film_offset[1];
    tracks->numbers[FOCUS_DISTANCE][3 * i] = scale * (double)camera->focus_distance;
}

static coif_status read_tracks(camera_tracks *tracks, const coif_node *node, double fps,
                               coif_arena *arena, coif_arena *scratch, coif_error *error)
{
    coif_archive *archive;
    int32_t object;
    const coif_values *values = &node->values;
    const double scale = coif_values_find(values, "file_scale")->numbers[0];
    const int32_t axis = (int32_t)coif_values_find(values, "file_up_axis")->numbers[0];
    const coif_archive_import import = {.up_axis = coif_up_axis(axis)};
    COIF_TRY(coif_archive_open(&archive, coif_values_find(values, "file")->text, &import, scratch,
                               error));
    COIF_TRY(coif_archive_select(&object, archive, COIF_ARCHIVE_CAMERA,
                                 coif_values_find(values, "object")->text, error));
    tracks->count = archive->objects[object].sample_count;
    tracks->frames = coif_arena_new(arena, tracks->count, double);
    for (int t = 0; t < TRACK_COUNT; ++t) {
        tracks->numbers[t] = coif_arena_new(arena, 3 * (size_t)tracks->count, double);
    }
    for (int32_t i = 0; i < tracks->count; ++i) {
        const coif_arena_mark mark = coif_arena_mark_here(scratch);
        coif_archive_camera camera;
        COIF_TRY(coif_archive_read_camera(archive, object, i, &camera, scratch, error));
        tracks->frames[i] = archive->objects[object].times[i] * fps;
        set_sample(tracks, i, &camera, scale);
        coif_arena_rewind(scratch, mark);
    }
    return COIF_OK;
}

static bool is_given(const coif_node *node, const char *name)
{
    return coif_values_find(&node->values, name)->given;
}

static void set_values(coif_node *node, const camera_tracks *tracks)
{
    const bool focuses = tracks->numbers[FOCUS_DISTANCE][0] > 0.0;
    const bool has_fov = is_given(node, "fov"), has_film = is_given(node, "film_height");
    for (int t = 0; t < TRACK_COUNT; ++t) {
        if (is_given(node, TRACK_NAMES[t]) || (t == FOCAL_LENGTH && has_fov) ||
            (t == FILM_WIDTH && has_film) || (t == FOCUS_DISTANCE && !focuses)) {
            continue;
        }
        for (uint32_t r = 0; r < node->values.row_count; ++r) {
            coif_value *value = &node->values.values[r];
            if (strcmp(node->values.rows[r].name, TRACK_NAMES[t]) == 0) {
                value->given = true;
                value->key_count = tracks->count;
                value->frames = tracks->frames;
                value->numbers = tracks->numbers[t];
            }
        }
    }
}

coif_status coif_camera_read_file(coif_node *node, const coif_scene *scene, coif_arena *arena,
                                  coif_error *error)
{
    const char *path = coif_values_find(&node->values, "file")->text;
    if (path == NULL || *path == '\0') {
        return COIF_OK;
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "camera file");
    coif_error cause = {.status = COIF_OK};
    camera_tracks tracks;
    const coif_status status =
        read_tracks(&tracks, node, coif_scene_fps(scene), arena, &scratch, &cause);
    coif_arena_free(&scratch);
    if (status != COIF_OK) {
        return coif_fail(error, status, "%s: %s/%s%s", scene->path, node->path,
                         status == COIF_ERR_SCENE ? "" : "file: ", cause.text);
    }
    set_values(node, &tracks);
    return COIF_OK;
}
