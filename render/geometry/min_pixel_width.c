#include "render/geometry/min_pixel_width.h"

#include "core/base/arena.h"
#include "render/math/fast_math.h"

// Half the minimum width at a point.
static float min_radius(const coif_min_width_desc *desc, int32_t step, coif_vec4 point)
{
    const coif_camera *camera = &desc->cameras[desc->camera_count > 1 ? step : 0];
    const float half_width = 0.5f * desc->pixels * camera->pixel_angle;
    if (camera->projection == COIF_ORTHOGRAPHIC) {
        return half_width;
    }
    return half_width * coif_length(coif_sub(coif_vec4_xyz(point), camera->origin));
}

static bool any_below(const coif_bspline_curves *curves, const coif_min_width_desc *desc)
{
    for (int32_t step = 0; step < curves->step_count; ++step) {
        const coif_vec4 *controls = coif_bspline_curves_step(curves, step);
        for (int32_t i = 0; i < curves->control_count; ++i) {
            if (controls[i].w < min_radius(desc, step, controls[i])) {
                return true;
            }
        }
    }
    return false;
}

bool coif_bspline_curves_set_min_width(coif_bspline_curves *curves, const coif_min_width_desc *desc,
                                       coif_arena *arena)
{
    if (!(desc->pixels > 0.0f) || !any_below(curves, desc)) {
        return false;
    }
    curves->true_radius = coif_arena_new(arena, curves->control_count, float);
    for (int32_t step = 0; step < curves->step_count; ++step) {
        coif_vec4 *controls = coif_bspline_curves_step(curves, step);
        for (int32_t i = 0; i < curves->control_count; ++i) {
            if (step == 0) {
                curves->true_radius[i] = controls[i].w;
            }
            controls[i].w = coif_max(controls[i].w, min_radius(desc, step, controls[i]));
        }
    }
    return true;
}
