#include "render/integrator/shadow_catcher.h"

bool coif_is_shadow_catcher(const coif_render_scene *scene, const coif_ray_hit *hit)
{
    const coif_geometry *shape = &scene->geometries[hit->geometry];
    return shape->mesh != NULL &&
           coif_material_of_triangle(shape->materials, shape->mesh, hit->primitive)
               ->is_shadow_catcher;
}

bool coif_ray_hits_shadow_catcher(const coif_render_scene *scene, coif_ray ray)
{
    enum { MOST_LAYERS = 64 };
    coif_ray_hit hit;
    for (int i = 0; i < MOST_LAYERS && coif_accel_intersect(scene->accel, &ray, &hit); ++i) {
        if (coif_is_shadow_catcher(scene, &hit)) {
            return true;
        }
        ray.near = hit.distance * (1.0f + 1e-5f) + 1e-7f;
    }
    return false;
}
