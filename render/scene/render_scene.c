// render_scene: fills a scene and builds its BVH.
#include "render/scene/render_scene.h"

#include "core/base/array_grow.h"
#include "core/base/cpu_time.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "render/geometry/min_pixel_width.h"
#include "render/lights/mesh_light.h"
#include "render/shading/tangent_space.h"

#include <string.h>

coif_status coif_render_scene_create(coif_render_scene **scene, const coif_render_scene_desc *desc,
                                     coif_arena *arena, coif_error *error)
{
    coif_render_scene *made = coif_arena_new(arena, 1, coif_render_scene);
    *scene = made;
    *made = (coif_render_scene){
        .arena = arena,
        .jobs = desc->jobs,
        .background = desc->background,
        .transparent = desc->transparent,
        .max_depth = desc->max_depth,
        .clamp = desc->clamp_indirect,
        .hair_filtering = desc->hair_filtering,
        .camera_steps = 1,
        .instance_steps = 1,
    };
    static const char *no_groups[] = {"other"};
    made->lights.groups = no_groups;
    made->lights.group_count = 1;
    const coif_accel_desc accel = {
        .isa = desc->isa != NULL ? desc->isa : "auto",
        .threads = desc->threads > 0    ? desc->threads
                   : desc->jobs != NULL ? coif_jobs_threads(desc->jobs)
                                        : 1,
        .compact = desc->compact,
        .group_count = desc->group_count,
    };
    return coif_accel_open(&made->accel, &accel, arena, error);
}

void coif_render_scene_destroy(coif_render_scene *scene)
{
    if (scene != NULL) {
        coif_accel_close(scene->accel);
        scene->accel = NULL;
    }
}

static coif_geometry *append(coif_render_scene *scene, const coif_geometry *geometry)
{
    scene->geometries = coif_array_grow(scene->geometries, (size_t)scene->geometry_count, 1,
                                        &scene->geometry_capacity, sizeof *geometry, scene->arena);
    coif_geometry *added = &scene->geometries[scene->geometry_count++];
    *added = *geometry;
    return added;
}

static float opacity_at(const void *context, int32_t triangle, float u, float v)
{
    const coif_geometry *geometry = context;
    const coif_surface_coord coord = {triangle, u, v, 0.0f};
    return coif_material_opacity(geometry->materials, geometry->mesh, &coord);
}

static coif_status add_mesh(coif_render_scene *scene, const coif_geometry *from, coif_error *error)
{
    const coif_mesh *meshes = from->mesh;
    coif_geometry geometry = *from;
    if (coif_materials_have_normal_map(from->materials, meshes)) {
        geometry.tangents = coif_tangents_init(meshes, from->mesh_steps, scene->arena);
    }
    scene->has_motion |= from->mesh_steps > 1;
    scene->has_shadow_catcher |= coif_materials_have_shadow_catcher(from->materials, meshes);
    if (coif_materials_have_subsurface(from->materials, meshes)) {
        COIF_TRY(coif_accel_add_sss_mesh(&geometry.sss_mesh, scene->accel, meshes, from->mesh_steps,
                                         error));
    }
    append(scene, &geometry);
    if (!coif_materials_have_opacity(from->materials, meshes)) {
        return coif_accel_add_mesh(scene->accel, meshes, from->mesh_steps, error);
    }
    // The array of geometries may move, the callback's copy does not.
    coif_geometry *kept = coif_arena_new(scene->arena, 1, coif_geometry);
    coif_opacity_callback *opacity = coif_arena_new(scene->arena, 1, coif_opacity_callback);
    *kept = geometry;
    *opacity = (coif_opacity_callback){opacity_at, kept};
    scene->has_transparency = true;
    return coif_accel_add_mesh_with_opacity(scene->accel, meshes, from->mesh_steps, opacity, error);
}

coif_status coif_render_scene_add_geometry(coif_render_scene *scene, const coif_geometry *geometry,
                                           coif_error *error)
{
    coif_accel_set_group(scene->accel, geometry->body);
    if (geometry->mesh != NULL) {
        return add_mesh(scene, geometry, error);
    }
    scene->has_motion |= geometry->curves->step_count > 1;
    scene->has_transparency |= coif_bspline_curves_are_transparent(geometry->curves);
    append(scene, geometry);
    return coif_accel_add_curves(scene->accel, geometry->curves, error);
}

coif_status coif_render_scene_add_mesh(coif_render_scene *scene, const coif_render_mesh *mesh,
                                       coif_error *error)
{
    const coif_geometry geometry = {
        .mesh = mesh->steps,
        .mesh_steps = mesh->step_count > 1 ? mesh->step_count : 1,
        .materials = mesh->materials,
        .light_group = mesh->light_group,
        .body = mesh->group,
    };
    return coif_render_scene_add_geometry(scene, &geometry, error);
}

coif_status coif_render_scene_add_strands(coif_render_scene *scene,
                                          const coif_render_strands *strands, coif_error *error)
{
    const int32_t steps = strands->step_count > 1 ? strands->step_count : 1;
    coif_bspline_curves *curves = coif_arena_new(scene->arena, 1, coif_bspline_curves);
    COIF_TRY(coif_bspline_curves_alloc(curves, strands->steps, strands->curve_type, steps,
                                       scene->arena, error));
    for (int32_t step = 0; step < steps; ++step) {
        coif_bspline_curves_fill(curves, step, &strands->steps[step], scene->jobs);
    }
    const coif_min_width_desc width = {
        .cameras = scene->camera_path != NULL ? scene->camera_path : &scene->camera,
        .camera_count = steps > 1 ? scene->camera_steps : 1,
        .pixels = strands->min_pixel_width,
    };
    coif_bspline_curves_set_min_width(curves, &width, scene->arena);
    coif_hair_opacity_fill(curves, strands->steps, NULL, NULL, &strands->material->params,
                           scene->arena);
    int32_t first_strand = 0;
    for (int32_t i = 0; i < scene->geometry_count; ++i) {
        const coif_bspline_curves *before = scene->geometries[i].curves;
        first_strand += before != NULL ? before->strand_count : 0;
    }
    const coif_geometry geometry = {
        .curves = curves,
        .strands = strands->steps,
        .hair_material = strands->material,
        .strand_colors = strands->colors,
        .body = strands->group,
        .first_strand = first_strand,
    };
    return coif_render_scene_add_geometry(scene, &geometry, error);
}

void coif_render_scene_add_light(coif_render_scene *scene, const coif_light *light)
{
    coif_lights *lights = &scene->lights;
    lights->lights = coif_array_grow(lights->lights, (size_t)lights->count, 1,
                                     &scene->light_capacity, sizeof *light, scene->arena);
    lights->lights[lights->count++] = *light;
}

coif_status coif_render_scene_add_instance(coif_render_scene *scene, int32_t group,
                                           const coif_transform *steps, int32_t step_count,
                                           coif_error *error)
{
    const int32_t count = scene->instance_count;
    COIF_ASSERT(count == 0 || step_count == scene->instance_steps);
    coif_transform *transforms = coif_array_grow(
        scene->instance_transforms, (size_t)count * (size_t)step_count, (size_t)step_count,
        &scene->transform_capacity, sizeof *transforms, scene->arena);
    int32_t *groups = coif_array_grow(scene->instance_groups, (size_t)count, 1,
                                      &scene->group_capacity, sizeof *groups, scene->arena);
    memcpy(transforms + (size_t)count * (size_t)step_count, steps,
           (size_t)step_count * sizeof *transforms);
    groups[count] = group;
    scene->instance_transforms = transforms;
    scene->instance_groups = groups;
    scene->instance_steps = step_count;
    scene->instance_count = count + 1;
    for (int32_t i = 1; i < step_count; ++i) {
        scene->has_motion |=
            memcmp(&steps[i].linear, &steps[0].linear, sizeof steps->linear) != 0 ||
            memcmp(&steps[i].translation, &steps[0].translation, sizeof steps->translation) != 0;
    }
    return coif_accel_add_instance(scene->accel, group, steps, step_count, error);
}

void coif_render_scene_set_camera(coif_render_scene *scene, const coif_camera *steps,
                                  int32_t step_count)
{
    bool moves = false;
    for (int32_t i = 1; i < step_count; ++i) {
        moves |= memcmp(&steps[0], &steps[i], sizeof *steps) != 0;
    }
    scene->camera = steps[0];
    scene->camera_path = moves ? steps : NULL;
    scene->camera_steps = moves ? step_count : 1;
    scene->has_motion |= moves;
}

// Adds the mesh light of a geometry, or of an instance of it (-1: none); its light_index.
static int32_t add_mesh_light(coif_render_scene *scene, int32_t index, int32_t instance)
{
    coif_mesh_light *light = coif_arena_new(scene->arena, 1, coif_mesh_light);
    const coif_geometry *geometry = &scene->geometries[index];
    *light = (coif_mesh_light){
        .meshes = geometry->mesh,
        .steps = geometry->mesh_steps,
        .materials = geometry->materials,
        .geometry = index,
        .instance = instance,
    };
    const int32_t steps = scene->instance_steps;
    if (instance >= 0 && scene->instance_transforms[instance * steps].is_transformed) {
        light->transforms = &scene->instance_transforms[instance * steps];
        light->transform_steps = steps;
    }
    coif_mesh_light_prepare(light, scene->arena);
    if (!(light->power > 0.0f)) {
        return 0;
    }
    coif_render_scene_add_light(scene, &(coif_light){.type = COIF_LIGHT_MESH,
                                                     .group = geometry->light_group,
                                                     .mesh_light = light});
    scene->lights.has_mesh_lights = true;
    return scene->lights.count;
}

static void add_mesh_lights(coif_render_scene *scene)
{
    int32_t *lights = scene->instance_count > 0
                          ? coif_arena_new(scene->arena, scene->instance_count, int32_t)
                          : NULL;
    for (int32_t i = 0; i < scene->geometry_count; ++i) {
        coif_geometry *geometry = &scene->geometries[i];
        if (geometry->mesh == NULL ||
            !coif_materials_are_emissive(geometry->materials, geometry->mesh)) {
            continue;
        }
        if (scene->instance_count == 0) {
            geometry->light_index = add_mesh_light(scene, i, -1);
        }
        for (int32_t k = 0; k < scene->instance_count; ++k) {
            if (scene->instance_groups[k] == geometry->body) {
                lights[k] = add_mesh_light(scene, i, k);
            }
        }
    }
    scene->instance_lights = lights;
}

coif_status coif_render_scene_commit(coif_render_scene *scene, coif_progress *progress,
                                     coif_error *error)
{
    add_mesh_lights(scene);
    const double start = coif_cpu_seconds();
    COIF_TRY(coif_accel_build(scene->accel, progress, error));
    scene->bvh_build_seconds = coif_cpu_seconds() - start;
    return COIF_OK;
}
