// render_scene: a scene as the integrator sees it. Internal; render.h is the public interface.
//
// Geometries are numbered as in the BVH. Nothing changes while rays are traced.
#ifndef COIF_RENDER_SCENE_RENDER_SCENE_H
#define COIF_RENDER_SCENE_RENDER_SCENE_H

#include "render/embree/accel.h"
#include "render/film/aov.h"
#include "render/render.h"
#include "render/shading/hair_varying_params.h"

// Curves with a hair material, or a mesh with surface materials.
typedef struct coif_geometry {
    const coif_bspline_curves *curves;
    const coif_strands *strands; // topology, painted colours and root UV; points may be missing
    const coif_hair_material *hair_material;
    const coif_strand_color *strand_colors;         // per strand; NULL: those of the material
    const coif_strand_color_ramp *color_ramp;       // NULL: colours do not vary along strands
    const coif_hair_varying_params *varying_params; // NULL: uniform BSDF parameters

    const coif_mesh *mesh;
    int32_t mesh_steps; // above 1: mesh is an array over the shutter interval
    const coif_surface_material *materials;
    const coif_vec3 *tangents;     // of all corners and steps; NULL: no normal map
    const coif_sss_mesh *sss_mesh; // for subsurface scattering; NULL: none
    int32_t light_index;           // of its mesh light, counted from 1; 0: not emissive
    int32_t light_group;

    // Only read by the AOVs that need them.
    const char *name;       // of the body or groom
    int32_t body;           // index of the body it is or grows on; its instancing group
    float object_id;        // Cryptomatte
    const float *clump_ids; // Cryptomatte, per strand
    int32_t first_strand;   // number of strands in the geometries before
    // At the frames of motion vectors (aov.h); NULL: not needed.
    const coif_bspline_curves *motion_curves[COIF_MOTION_FRAMES];
    const coif_mesh *motion_meshes[COIF_MOTION_FRAMES];
} coif_geometry;

struct coif_render_scene {
    coif_arena *arena;
    coif_jobs *jobs;
    coif_accel *accel;
    coif_geometry *geometries;
    int32_t geometry_count;
    size_t geometry_capacity, light_capacity, transform_capacity, group_capacity;
    coif_transform *instance_transforms; // instance_steps per instance
    int32_t *instance_groups;
    int32_t instance_count, instance_steps;
    const coif_transform *instance_motion; // COIF_MOTION_FRAMES per instance
    coif_lights lights;
    const int32_t *instance_lights; // light_index per instance; NULL: that of the geometry
    coif_camera camera;             // the first of camera_path
    const coif_camera *camera_path; // camera_steps over the shutter interval; NULL: no motion
    int32_t camera_steps;
    coif_camera motion_cameras[COIF_MOTION_FRAMES];
    bool has_transparency; // transparent strands, or materials with opacity
    bool has_motion;       // within the shutter interval: every path has its own time
    bool has_shadow_catcher;
    coif_vec3 background;
    bool transparent;                 // the background is not part of the image
    const float *instance_object_ids; // geometry_count per instance; NULL: object_id
    const char *manifests[2];         // Cryptomatte names of objects and clumps; NULL: none
    int32_t max_depth;                // scattering events per path; 0: unlimited
    bool hair_filtering;              // see render.h
    float clamp;                      // of indirect contributions; 0: none
    // Indirect light in hair (integrator/indirect_cache.h); NULL: path tracing alone.
    const struct coif_indirect_cache *indirect_cache;
    int32_t indirect_cache_depth; // scattering events that are path traced
    double bvh_build_seconds;     // CPU time
};

// Adds a geometry of which everything is prepared; materials decide about opacity, shadow catchers
// and subsurface scattering. Its group is geometry->body.
coif_status coif_render_scene_add_geometry(coif_render_scene *scene, const coif_geometry *geometry,
                                           coif_error *error);

// Prefetches the control points of a hit curve while other work is done.
static inline void coif_scene_prefetch(const coif_render_scene *scene, const coif_ray_hit *hit)
{
    const coif_bspline_curves *curves = scene->geometries[hit->geometry].curves;
    if (curves != NULL) {
        const coif_vec4 *controls =
            curves->controls + coif_bspline_curves_first(curves, hit->primitive);
        __builtin_prefetch(controls);
        __builtin_prefetch(controls + 3);
    }
}

// The mesh light that was hit; -1: none.
static inline int32_t coif_scene_hit_light(const coif_render_scene *scene, const coif_ray_hit *hit)
{
    if (scene->instance_lights == NULL) {
        return scene->geometries[hit->geometry].light_index - 1;
    }
    return scene->instance_lights[hit->instance] - 1;
}

#endif
