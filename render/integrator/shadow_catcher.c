#include "render/integrator/shadow_catcher.h"

bool coif_is_catcher(const coif_stage *stage, const coif_ray_hit *hit)
{
    const coif_shape *shape = &stage->shapes[hit->shape];
    return shape->mesh != NULL && coif_look_of(shape->looks, shape->mesh, hit->primitive)->catcher;
}

bool coif_meets_catcher(const coif_stage *stage, coif_ray ray)
{
    enum { MOST_LAYERS = 64 };
    coif_ray_hit hit;
    for (int i = 0; i < MOST_LAYERS && coif_accel_trace(stage->accel, &ray, &hit); ++i) {
        if (coif_is_catcher(stage, &hit)) {
            return true;
        }
        ray.near = hit.distance * (1.0f + 1e-5f) + 1e-7f;
    }
    return false;
}
