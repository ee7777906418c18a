// USD cameras. Film and focal length are in tenths of the scene's unit: millimetres where it is the
// centimetre.
#include "core/archive/usd/usd_archive.h"
#include "core/base/error.h"
#include "core/base/log.h"

#include <string.h>

// No film is wider, mm; files of programs that write millimetres in any unit exceed it.
static const double MAX_FILM = 500.0;

static coif_status read_camera(const coif_usd_sample_query *at, coif_archive_camera *camera)
{
    static const struct {
        const char *name;
        double fallback;
    } attributes[] = {{"focalLength", 50.0},
                      {"horizontalAperture", 20.955},
                      {"verticalAperture", 15.2908},
                      {"horizontalApertureOffset", 0.0},
                      {"verticalApertureOffset", 0.0},
                      {"focusDistance", 0.0},
                      {"fStop", 0.0},
                      {"shutter:open", 0.0},
                      {"shutter:close", 0.0}};
    double v[COIF_COUNT_OF(attributes)];
    const coif_archive *archive = &at->archive->base;
    for (size_t i = 0; i < COIF_COUNT_OF(attributes); ++i) {
        COIF_TRY(
            coif_usd_get_number(&at->query, attributes[i].name, attributes[i].fallback, &v[i]));
    }
    const char *path = at->layer.prims[at->query.prim].path, *projection;
    COIF_TRY(coif_usd_get_text(&at->query, "projection", "perspective", &projection));
    if (strcmp(projection, "perspective") != 0) {
        coif_log(COIF_LOG_WARNING, "%s: %s: projection %.60s is read as perspective", archive->path,
                 path, projection);
    }
    double unit = 100.0 * archive->meters_per_unit; // mm per tenth of the unit
    if (v[1] * unit > MAX_FILM) {
        coif_log(COIF_LOG_WARNING,
                 "%s: %s: a film of %.4g mm in tenths of the unit; its lengths are read as "
                 "millimetres",
                 archive->path, path, v[1] * unit);
        unit = 1.0;
    }
    camera->focal_length = (float)(v[0] * unit);
    camera->film_width = (float)(v[1] * unit);
    camera->film_height = (float)(v[2] * unit);
    camera->film_offset[0] = (float)(v[3] * unit);
    camera->film_offset[1] = (float)(v[4] * unit);
    camera->focus_distance = (float)(v[5] * archive->meters_per_unit);
    camera->f_stop = (float)v[6];
    camera->shutter_open = (float)(v[7] / at->archive->time_codes_per_second);
    camera->shutter_close = (float)(v[8] / at->archive->time_codes_per_second);
    for (int c = 0; c < 4; ++c) {
        const double length = coif_vec3d_length(coif_transform_axis(&at->to_world, c));
        const double scale = c < 3 && length > 0.0 ? 1.0 / length : 1.0;
        for (int r = 0; r < 3; ++r) {
            camera->to_world[4 * r + c] = (float)(at->to_world.m[r][c] * scale);
        }
    }
    return COIF_OK;
}

coif_status coif_usd_read_camera(const coif_archive *archive, int32_t object, int32_t sample,
                                 coif_archive_camera *camera, coif_arena *arena, coif_error *error)
{
    coif_usd_sample_query at;
    memset(camera, 0, sizeof *camera);
    coif_status status = coif_usd_sample_begin(&at, archive, object, sample, arena, error);
    if (status == COIF_OK) {
        status = read_camera(&at, camera);
    }
    coif_usd_sample_end(&at);
    return status;
}
