// Cameras of Alembic archives.
#include "core/archive/alembic/abc_reader.h"
#include "core/base/arena.h"
#include "core/base/error.h"

#include <string.h>

// Indices of the values of ".core": millimetres for the focal length, centimetres for the film.
enum {
    FOCAL_LENGTH,
    FILM_WIDTH,
    FILM_OFFSET_X,
    FILM_HEIGHT,
    FILM_OFFSET_Y,
    SQUEEZE,
    OVERSCAN_LEFT,
    OVERSCAN_RIGHT,
    OVERSCAN_TOP,
    OVERSCAN_BOTTOM,
    F_STOP,
    FOCUS_DISTANCE,
    SHUTTER_OPEN,
    SHUTTER_CLOSE,
    CORE_VALUES = 16
};

enum { MAX_FILM_OPERATIONS = 64, MAX_FILM_CHANNELS = 9 * MAX_FILM_OPERATIONS };

static const double MM_PER_CM = 10.0;

// Left, right, bottom and top of the image in the plane of the film, in half film widths.
typedef struct screen_window {
    double x[2], y[2];
} screen_window;

// One operation of the film back: 's' scale, 't' translation, 'm' matrix of row vectors.
static void apply_film_operation(screen_window *window, char type, const double *v)
{
    for (int i = 0; i < 2; ++i) {
        const double x = window->x[i], y = window->y[i];
        if (type == 'm') {
            const double w = v[2] * x + v[5] * y + v[8];
            window->x[i] = w != 0.0 ? (v[0] * x + v[3] * y + v[6]) / w : x;
            window->y[i] = w != 0.0 ? (v[1] * x + v[4] * y + v[7]) / w : y;
        } else if (type == 's') {
            window->x[i] = v[0] * x;
            window->y[i] = v[1] * y;
        } else {
            window->x[i] = x + v[0];
            window->y[i] = y + v[1];
        }
    }
}

// The stack of film back operations, the last applied first.
static coif_status apply_film_back(screen_window *window, const coif_abc_query *query,
                                   coif_error *error)
{
    const coif_abc_property *codes = coif_abc_find(query->node->properties, ".filmBackOps");
    const coif_abc_property *values_of =
        coif_abc_find(query->node->properties, ".filmBackChannels");
    double values[MAX_FILM_CHANNELS] = {0};
    uint32_t count = MAX_FILM_CHANNELS, used = 0;
    char types[MAX_FILM_OPERATIONS];
    uint32_t first[MAX_FILM_OPERATIONS];
    int operations = 0;
    coif_bytes text;
    if (codes == NULL || values_of == NULL || codes->type != COIF_ABC_STRING) {
        return COIF_OK;
    }
    COIF_TRY(coif_abc_read_bytes(&text, query, codes, error));
    COIF_TRY(coif_abc_read_doubles(values, &count, query, values_of, error));
    const char *name = text.data;
    for (const char *end = name + text.size; name < end && operations < MAX_FILM_OPERATIONS;
         name += strlen(name) + 1) {
        types[operations] = *name;
        first[operations] = used;
        used += *name == 'm' ? 9 : 2;
        if (used > count) {
            return coif_abc_fail(query, error, "film back operation %d needs more than %u values",
                                 operations, count);
        }
        ++operations;
    }
    while (operations-- > 0) {
        apply_film_operation(window, types[operations], values + first[operations]);
    }
    return COIF_OK;
}

static coif_status set_film(coif_archive_camera *camera, const double *core,
                            const coif_abc_query *query, coif_error *error)
{
    const double squeeze = core[SQUEEZE], half_width = 0.5 * core[FILM_WIDTH] * MM_PER_CM;
    if (!(core[FILM_WIDTH] > 0.0 && core[FILM_HEIGHT] > 0.0 && core[FOCAL_LENGTH] > 0.0)) {
        return coif_abc_fail(query, error, "camera with film of %g x %g cm, focal length %g mm",
                             core[FILM_WIDTH], core[FILM_HEIGHT], core[FOCAL_LENGTH]);
    }
    const double height = squeeze * core[FILM_HEIGHT] / core[FILM_WIDTH];
    screen_window window = {
        {-(1.0 + core[OVERSCAN_LEFT]) * squeeze, (1.0 + core[OVERSCAN_RIGHT]) * squeeze},
        {-(1.0 + core[OVERSCAN_BOTTOM]) * height, (1.0 + core[OVERSCAN_TOP]) * height}};
    COIF_TRY(apply_film_back(&window, query, error));
    camera->focal_length = (float)core[FOCAL_LENGTH];
    camera->film_width = (float)((window.x[1] - window.x[0]) * half_width);
    camera->film_height = (float)((window.y[1] - window.y[0]) * half_width);
    camera->film_offset[0] = (float)(0.5 * (window.x[0] + window.x[1]) * half_width +
                                     core[FILM_OFFSET_X] * squeeze * MM_PER_CM);
    camera->film_offset[1] =
        (float)(0.5 * (window.y[0] + window.y[1]) * half_width + core[FILM_OFFSET_Y] * MM_PER_CM);
    return COIF_OK;
}

// Unit axes: the scale of a hierarchy does not change what a camera sees.
static void set_to_world(coif_archive_camera *camera, const coif_transform *to_world)
{
    for (int c = 0; c < 4; ++c) {
        const coif_vec3d axis = coif_transform_axis(to_world, c);
        const coif_vec3d v = c < 3 ? coif_vec3d_normalize(axis) : axis;
        camera->to_world[c] = (float)v.x;
        camera->to_world[4 + c] = (float)v.y;
        camera->to_world[8 + c] = (float)v.z;
    }
}

coif_status coif_abc_read_camera(void *result, const coif_abc_query *query, coif_error *error)
{
    coif_archive_camera *camera = result;
    const coif_abc_property *core_of = coif_abc_find(query->node->properties, ".core");
    double core[CORE_VALUES];
    uint32_t count = CORE_VALUES;
    *camera = (coif_archive_camera){.focal_length = 0.0f};
    if (core_of != NULL) {
        COIF_TRY(coif_abc_read_doubles(core, &count, query, core_of, error));
    }
    if (core_of == NULL || count < CORE_VALUES) {
        return coif_abc_fail(query, error, "camera without its %d values", CORE_VALUES);
    }
    COIF_TRY(set_film(camera, core, query, error));
    set_to_world(camera, &query->to_world);
    camera->f_stop = (float)core[F_STOP];
    camera->focus_distance = (float)(core[FOCUS_DISTANCE] * coif_transform_scale(&query->to_world));
    camera->shutter_open = (float)core[SHUTTER_OPEN];
    camera->shutter_close = (float)core[SHUTTER_CLOSE];
    return COIF_OK;
}
