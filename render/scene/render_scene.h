// stage: everything one picture is made from, ready for rays.
//
// Shapes are numbered as the accel numbers them. Nothing here changes while rays are traced.
#ifndef COIF_RENDER_SCENE_RENDER_SCENE_H
#define COIF_RENDER_SCENE_RENDER_SCENE_H

#include "render/camera/camera.h"
#include "render/embree/accel.h"
#include "render/film/aov.h"
#include "render/lights/light.h"
#include "render/shading/material_params.h"
#include "render/shading/strand_color_ramp.h"

// Curves with their fibre, or a mesh with its looks.
typedef struct coif_geometry {
    const coif_bspline_curves *curves;
    const coif_strands *strands; // offsets, painted colours and root uv; its points may be gone
    const coif_hair_material *hair_material;
    const coif_strand_color *strand_colors;         // per strand; NULL: all are plain
    const coif_strand_color_ramp *color_ramp;       // NULL: strands have those colours all along
    const coif_hair_varying_params *varying_params; // NULL: all scatter as the fibre does

    const coif_mesh *mesh;
    int32_t mesh_steps; // above 1: mesh is so many of one topology over time, as in accel.h
    const coif_surface_material *materials;
    const coif_vec3 *tangents; // of all corners and steps (tangents.h); NULL: no normal map
    const coif_sss_mesh
        *sss_mesh;       // of skin under which light wanders (subsurface.h); NULL: none does
    int32_t light_index; // of the mesh light it is, counted from 1; 0: not emissive

    // For layers of the picture, filled when they are asked for.
    const char *name;       // of the body or groom
    int32_t body;           // it is or grows on
    float object_id;        // Cryptomatte's number of its name
    const float *clump_ids; // per strand
    int32_t first_strand;   // strands of the shapes before it
    // Of its strands, or of a mesh, at the frames of motion vectors (aov.h); NULL: not asked for.
    const coif_bspline_curves *motion_curves[COIF_MOTION_FRAMES];
    const coif_mesh *motion_meshes[COIF_MOTION_FRAMES];
} coif_geometry;

typedef struct coif_render_scene {
    coif_accel *accel;
    coif_geometry *geometries;
    int32_t geometry_count;
    const coif_transform *instance_transforms; // instance_steps per instance of the accel
    int32_t instance_steps;
    const coif_transform *instance_motion; // COIF_MOTION_FRAMES per instance
    coif_lights lights;
    const int32_t *instance_lights; // light_index per instance
    coif_camera camera;             // the first of cameras
    const coif_camera
        *camera_path; // camera_steps over the time the shutter is open; NULL: it stands
    int32_t camera_steps;
    coif_camera motion_cameras[COIF_MOTION_FRAMES]; // the camera there
    bool has_transparency; // strands below the minimum pixel width, or materials with opacity
    bool has_motion;       // within the shutter interval: every path has its own time
    bool has_shadow_catcher;
    coif_vec3 background;             // seen where nothing else is
    bool transparent;                 // background is left out of the picture
    const float *instance_object_ids; // like object_id, shape_count per instance; NULL: no copies
    const char *manifests[2]; // Cryptomatte's names of objects and of clumps; NULL: not asked for
    int32_t max_depth;        // scatterings per path; 0 for as many as it takes
    float clamp;              // most that one indirect contribution may add; 0 for no limit
    double bvh_build_seconds; // of processors, that Embree took to build it
} coif_render_scene;

// What was hit is about to be looked at: the memory it lies in is asked for, and comes while there
// is other work.
static inline void coif_scene_prefetch(const coif_render_scene *stage, const coif_ray_hit *hit)
{
    const coif_bspline_curves *curves = stage->geometries[hit->geometry].curves;
    if (curves != NULL) {
        const coif_vec4 *controls =
            curves->controls + coif_bspline_curves_first(curves, hit->primitive);
        __builtin_prefetch(controls);
        __builtin_prefetch(controls + 3);
    }
}

// The light that a hit body is itself; -1: it does not shine.
static inline int32_t coif_scene_hit_light(const coif_render_scene *stage, const coif_ray_hit *hit)
{
    if (stage->instance_lights == NULL) {
        return stage->geometries[hit->geometry].light_index - 1;
    }
    return stage->instance_lights[hit->instance] - 1;
}

#endif
