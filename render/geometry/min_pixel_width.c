#include "render/geometry/min_pixel_width.h"

#include "core/base/arena.h"
#include "render/math/fast_math.h"

// Half the least width of a strand at a place.
static float least_radius(const coif_min_width_desc *desc, int32_t step, coif_vec4 place)
{
    const coif_camera *camera = &desc->cameras[desc->camera_count > 1 ? step : 0];
    const float half = 0.5f * desc->pixels * camera->pixel_angle;
    if (camera->projection == COIF_ORTHOGRAPHIC) {
        return half;
    }
    return half * coif_length(coif_sub(coif_vec4_xyz(place), camera->origin));
}

static bool any_thinner(const coif_bspline_curves *curves, const coif_min_width_desc *desc)
{
    for (int32_t step = 0; step < curves->step_count; ++step) {
        const coif_vec4 *controls = coif_bspline_curves_step(curves, step);
        for (int32_t i = 0; i < curves->control_count; ++i) {
            if (controls[i].w < least_radius(desc, step, controls[i])) {
                return true;
            }
        }
    }
    return false;
}

bool coif_bspline_curves_set_min_width(coif_bspline_curves *curves, const coif_min_width_desc *desc,
                                       coif_arena *arena)
{
    if (!(desc->pixels > 0.0f) || !any_thinner(curves, desc)) {
        return false;
    }
    curves->thin = coif_arena_new(arena, curves->control_count, float);
    for (int32_t step = 0; step < curves->step_count; ++step) {
        coif_vec4 *controls = coif_bspline_curves_step(curves, step);
        for (int32_t i = 0; i < curves->control_count; ++i) {
            if (step == 0) {
                curves->thin[i] = controls[i].w;
            }
            controls[i].w = coif_max(controls[i].w, least_radius(desc, step, controls[i]));
        }
    }
    return true;
}
