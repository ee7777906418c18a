#include "render/integrator/camera_ray.h"

static const coif_camera *camera_at(coif_camera *mixed, const coif_render_scene *scene, float time)
{
    if (scene->camera_steps < 2) {
        return &scene->camera;
    }
    float t;
    const int32_t step = coif_motion_step_at(scene->camera_steps, time, &t);
    *mixed = coif_camera_lerp(&scene->camera_path[step], &scene->camera_path[step + 1], t);
    return mixed;
}

coif_ray coif_camera_ray_sample(const coif_render_scene *scene, coif_vec2 position,
                                coif_sampler *sampler, coif_camera *mixed,
                                const coif_camera **camera)
{
    coif_vec2 lens = {0.0f, 0.0f}, extra = {0.0f, 0.0f};
    if (scene->camera.lens_radius > 0.0f || scene->camera_path != NULL) {
        lens = coif_sampler_next_2d(sampler);
    }
    if (scene->has_motion || scene->has_transparency) {
        extra = coif_sampler_next_2d(sampler);
    }
    *camera = camera_at(mixed, scene, extra.x);
    coif_ray ray = coif_camera_ray(*camera, position.x, position.y, lens);
    ray.time = extra.x;
    ray.alpha_seed = (uint32_t)(extra.y * 16777216.0f) << 8;
    return ray;
}
