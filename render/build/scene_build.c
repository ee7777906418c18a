#include "core/base/arena.h"
#include "core/base/cpu_time.h"
#include "core/base/error.h"
#include "core/base/jobs.h"
#include "core/hair/child_interpolation.h"
#include "render/build/cryptomatte_manifest.h"
#include "render/build/frame_setup.h"
#include "render/build/strand_time.h"
#include "render/geometry/min_pixel_width.h"
#include "render/geometry/ribbon_orientation.h"
#include "render/shading/tangent_space.h"

#include <string.h>

// What the parts of a stage are put together from.
typedef struct staging {
    coif_render_scene *stage;
    const coif_frame_setup *shot;
    const coif_render_assets *production;
    coif_arena *arena;    // for what the stage keeps
    coif_arena *scratch;  // for strands on their way into curves
    coif_manifest *names; // of objects and of clumps, when they are asked for
    int32_t *strands;     // in the shapes so far
} staging;

static bool wants(const staging *work, coif_aov_kind kind)
{
    return work->shot->aovs.place[kind] >= 0;
}

static float object_id(const staging *work, const char *name)
{
    return wants(work, COIF_AOV_CRYPTO_OBJECT) ? coif_manifest_add(&work->names[0], name) : 0.0f;
}

static float opacity_of(const void *context, int32_t triangle, float u, float v)
{
    const coif_geometry *shape = context;
    const coif_surface_coord place = {triangle, u, v, 0.0f};
    return coif_material_opacity(shape->materials, shape->mesh, &place);
}

static coif_status stage_body(const staging *work, int32_t index, coif_error *error)
{
    const int32_t steps = work->shot->steps;
    const coif_body *body = &work->production->bodies[index];
    const coif_mesh *meshes = &work->shot->meshes[index * steps];
    if (!body->params.visible || meshes->triangle_count == 0) {
        return COIF_OK;
    }
    coif_geometry shape = {
        .name = body->params.name,
        .body = index,
        .object_id = object_id(work, body->params.name),
        .mesh = meshes,
        .mesh_steps = coif_body_is_animated(body) ? steps : 1,
        .materials = work->shot->materials[index],
    };
    for (int k = 0; k < COIF_MOTION_FRAMES && work->shot->poses != NULL; ++k) {
        shape.motion_meshes[k] = &work->shot->poses[COIF_MOTION_FRAMES * index + k];
    }
    if (coif_materials_have_normal_map(shape.materials, meshes)) {
        shape.tangents = coif_tangents_init(meshes, shape.mesh_steps, work->arena);
    }
    work->stage->has_motion |= shape.mesh_steps > 1;
    work->stage->has_shadow_catcher |= coif_materials_have_shadow_catcher(shape.materials, meshes);
    if (coif_materials_have_subsurface(shape.materials, meshes)) {
        COIF_TRY(coif_accel_add_sss_mesh(&shape.sss_mesh, work->stage->accel, meshes,
                                         shape.mesh_steps, error));
    }
    work->stage->geometries[work->stage->geometry_count++] = shape;
    coif_accel_set_group(work->stage->accel, index);
    if (!coif_materials_have_opacity(shape.materials, meshes)) {
        return coif_accel_add_mesh(work->stage->accel, meshes, shape.mesh_steps, error);
    }
    coif_geometry *kept = coif_arena_new(work->arena, 1, coif_geometry);
    coif_opacity_callback *sheer = coif_arena_new(work->arena, 1, coif_opacity_callback);
    *kept = shape;
    *sheer = (coif_opacity_callback){opacity_of, kept};
    work->stage->has_transparency = true;
    return coif_accel_add_mesh_with_opacity(work->stage->accel, meshes, shape.mesh_steps, sheer,
                                            error);
}

// All strands of a groom at a time in frames, when its body is posed like that.
static coif_status find_strands(coif_strands *all, coif_render_groom *groom, const staging *work,
                                double time, const coif_mesh *pose, coif_error *error)
{
    const coif_render_assets *production = work->production;
    if (production->desc->rest) {
        *all = groom->groom.rest;
        return COIF_OK;
    }
    const coif_strand_time_desc moment = {
        .groom = &groom->groom,
        .cache = production->desc->cache,
        .name = groom->name,
        .frame = work->shot->frame,
        .time = time,
        .frame_seconds = production->frame_seconds,
        .body = &production->bodies[groom->body],
        .course = production->course,
        .inputs = groom->motion,
        .told = &groom->told,
    };
    coif_strands simulated;
    COIF_TRY(coif_strands_at_time(&simulated, &moment, work->scratch, error));
    simulated.velocities = NULL; // have done their work
    return coif_interpolate_children(all, &simulated, &groom->groom, pose, work->scratch,
                                     production->jobs, error);
}

// What is kept of strands: their points live on in the curves.
static void keep_strands(coif_strands *kept, const coif_strands *strands, coif_arena *arena)
{
    const size_t count = (size_t)strands->strand_count;
    *kept = (coif_strands){
        .strand_count = strands->strand_count,
        .point_count = strands->point_count,
        .first = coif_arena_new(arena, count + 1, int32_t),
        .root_uv = coif_arena_new(arena, 2 * count, float),
    };
    memcpy(kept->first, strands->first, (count + 1) * sizeof *kept->first);
    if (strands->root_uv != NULL) {
        memcpy(kept->root_uv, strands->root_uv, 2 * count * sizeof *kept->root_uv);
    }
    if (strands->colors != NULL) {
        kept->colors = coif_arena_new(arena, strands->point_count, coif_vec3);
        memcpy(kept->colors, strands->colors, (size_t)strands->point_count * sizeof(coif_vec3));
    }
}

static coif_curve_kind kind_of(const coif_hair_params *hair, const coif_image_params *image)
{
    return (coif_curve_kind)(hair->curves > 0 ? hair->curves - 1 : image->curves);
}

// The kind of the curves is set already.
static coif_status draw_strands(coif_bspline_curves *curves, coif_strands *kept,
                                coif_render_groom *groom, const coif_hair_params *hair,
                                const staging *work, coif_error *error)
{
    const coif_hair_map *turns =
        coif_hair_maps_find(&groom->maps, offsetof(coif_hair_params, blade_turn));
    const coif_hair_map *twists =
        coif_hair_maps_find(&groom->maps, offsetof(coif_hair_params, blade_twist));
    for (int32_t step = 0; step < work->shot->steps; ++step) {
        const coif_arena_mark mark = coif_arena_mark_here(work->scratch);
        coif_strands strands;
        const coif_mesh *pose = &work->shot->meshes[groom->body * work->shot->steps + step];
        COIF_TRY(find_strands(&strands, groom, work, coif_shutter_step(&work->shot->shutter, step),
                              pose, error));
        if (step == 0) {
            keep_strands(kept, &strands, work->arena);
            COIF_TRY(coif_bspline_curves_alloc(curves, &strands, curves->kind, work->shot->steps,
                                               work->arena, error));
        }
        coif_bspline_curves_fill(curves, step, &strands, work->production->jobs);
        if (curves->kind == COIF_CURVE_RIBBON) {
            const coif_ribbon_desc blades = {
                .groom = &groom->groom,
                .body = work->production->desc->rest ? NULL : pose,
                .turn = hair->blade_turn,
                .twist = hair->blade_twist,
                .turns = turns != NULL ? turns->values : NULL,
                .twists = twists != NULL ? twists->values : NULL,
                .jobs = work->production->jobs,
            };
            coif_ribbon_normals_fill(curves, step, &strands, &blades, work->arena);
        }
        coif_arena_rewind(work->scratch, mark);
    }
    return COIF_OK;
}

// Where strands are at the frames of motion vectors. A still at the frame knows the first.
static coif_status place_strands(coif_geometry *shape, coif_render_groom *groom,
                                 const staging *work, coif_error *error)
{
    const coif_frame_setup *shot = work->shot;
    if (shot->poses == NULL) {
        return COIF_OK;
    }
    const bool still = shot->steps == 1 && shot->shutter.open == (double)shot->frame;
    shape->motion_curves[0] = shape->curves;
    for (int i = still ? 1 : 0; i < COIF_MOTION_FRAMES; ++i) {
        if (!coif_aovs_need_motion_frame(&shot->aovs, i)) {
            continue;
        }
        const coif_arena_mark mark = coif_arena_mark_here(work->scratch);
        coif_strands strands;
        coif_bspline_curves *curves = coif_arena_new(work->arena, 1, coif_bspline_curves);
        COIF_TRY(find_strands(&strands, groom, work, coif_motion_frame(shot->frame, i),
                              &shot->poses[COIF_MOTION_FRAMES * groom->body + i], error));
        COIF_TRY(coif_bspline_curves_init(curves, &strands, shape->curves->kind, work->arena,
                                          work->production->jobs, error));
        shape->motion_curves[i] = curves;
        coif_arena_rewind(work->scratch, mark);
    }
    return COIF_OK;
}

static coif_status stage_groom(const staging *work, coif_render_groom *groom, coif_error *error)
{
    coif_strands *strands = coif_arena_new(work->arena, 1, coif_strands);
    coif_bspline_curves *curves = coif_arena_new(work->arena, 1, coif_bspline_curves);
    coif_hair_material *fibre = coif_arena_new(work->arena, 1, coif_hair_material);
    COIF_TRY(coif_render_groom_load(groom, work->production, error));
    coif_hair_params hair;
    coif_node_read(coif_node_at(groom->node, "hair"), work->shot->frame, &hair);
    curves->kind = kind_of(&hair, &work->shot->image);
    COIF_TRY(draw_strands(curves, strands, groom, &hair, work, error));
    if (strands->strand_count == 0) {
        return COIF_OK; // a bald head is a picture too
    }
    coif_geometry shape = {.curves = curves,
                           .strands = strands,
                           .hair_material = fibre,
                           .name = groom->name,
                           .body = groom->body,
                           .object_id = object_id(work, groom->name),
                           .first_strand = *work->strands};
    *work->strands += strands->strand_count;
    COIF_TRY(place_strands(&shape, groom, work, error));
    if (wants(work, COIF_AOV_CRYPTO_CLUMP)) {
        shape.clump_ids =
            coif_clump_ids(&groom->groom, groom->node, groom->name, &work->names[1], work->arena);
    }
    coif_hair_material_init(fibre, &hair);
    const coif_strand_color_desc paint = {
        .groom = &groom->groom,
        .node = groom->node,
        .mesh = &work->shot->meshes[groom->body * work->shot->steps],
        .materials = work->shot->materials[groom->body],
        .texture = groom->texture,
        .maps = &groom->maps,
        .jobs = work->production->jobs,
    };
    shape.color_ramp = coif_strand_color_ramp_of(fibre, &paint, work->arena);
    shape.strand_colors =
        shape.color_ramp == NULL ? coif_strand_colors_compute(fibre, &paint, work->arena) : NULL;
    coif_render_groom_unload(groom);
    work->stage->has_motion |= curves->step_count > 1;
    const coif_min_width_desc widen = {
        .cameras = work->stage->camera_steps > 1 ? work->stage->camera_path : &work->stage->camera,
        .camera_count = curves->step_count > 1 ? work->stage->camera_steps : 1,
        .pixels = work->shot->image.min_width,
    };
    work->stage->has_transparency |= coif_bspline_curves_set_min_width(curves, &widen, work->arena);
    shape.varying_params =
        coif_hair_varying_params_of(coif_node_at(groom->node, "hair"), &groom->maps, work->arena);
    work->stage->geometries[work->stage->geometry_count++] = shape;
    coif_accel_set_group(work->stage->accel, groom->body);
    return coif_accel_add_curves(work->stage->accel, curves, error);
}

static bool same_camera(const coif_camera *a, const coif_camera *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// A camera that stands still is one camera; what does not move costs nothing.
static void place_camera(const staging *work)
{
    coif_render_scene *stage = work->stage;
    const coif_image_params *image = &work->shot->image;
    const coif_shutter *shutter = &work->shot->shutter;
    const coif_node *node = coif_node_at(work->production->desc->scene->root, "camera");
    coif_camera *path = coif_arena_new(work->arena, shutter->steps, coif_camera);
    bool moves = false;
    for (int32_t step = 0; step < shutter->steps; ++step) {
        path[step] = coif_camera_at(node, coif_shutter_step(shutter, step), image->width,
                                    image->height, &work->production->bounds);
        moves |= !same_camera(&path[0], &path[step]);
    }
    stage->camera = path[0];
    stage->camera_path = moves ? path : NULL;
    stage->camera_steps = moves ? shutter->steps : 1;
    stage->has_motion |= moves;
    for (int i = 0; i < COIF_MOTION_FRAMES && coif_aovs_need_motion_frame(&work->shot->aovs, 0);
         ++i) {
        stage->motion_cameras[i] =
            coif_camera_at(node, coif_motion_frame(work->shot->frame, i), image->width,
                           image->height, &work->production->bounds);
    }
}

static coif_status stage_shapes(const staging *work, coif_render_assets *production,
                                coif_error *error)
{
    for (int i = 0; i < 2; ++i) {
        coif_manifest_begin(&work->names[i], work->arena);
    }
    for (int32_t i = 0; i < production->body_count; ++i) {
        COIF_TRY(stage_body(work, i, error));
    }
    for (int32_t i = 0; i < production->groom_count; ++i) {
        COIF_TRY(stage_groom(work, &production->grooms[i], error));
    }
    coif_instance_map map;
    COIF_TRY(
        coif_scene_add_instances(work->stage, &map, work->shot, production, work->arena, error));
    if (map.count > 0 && wants(work, COIF_AOV_CRYPTO_OBJECT)) {
        coif_scene_name_instances(work->stage, &map, production, &work->names[0], work->arena);
    }
    for (int i = 0; i < 2; ++i) {
        work->stage->manifests[i] = coif_manifest_end(&work->names[i]);
    }
    if (coif_frame_has_mesh_lights(work->shot, production)) {
        coif_scene_add_mesh_lights(work->stage, work->shot, &map, work->arena);
    }
    return COIF_OK;
}

// A sky that the camera sees is all there is behind things.
static bool sky_is_seen(const coif_lights *lights)
{
    for (int32_t i = 0; i < lights->count; ++i) {
        if (lights->lights[i].type == COIF_LIGHT_ENVIRONMENT && lights->lights[i].visible) {
            return true;
        }
    }
    return false;
}

coif_status coif_scene_build(coif_render_scene *stage, const coif_frame_setup *shot,
                             coif_render_assets *production, coif_arena *arena, coif_error *error)
{
    const coif_image_params *image = &shot->image;
    *stage = (coif_render_scene){
        .lights = shot->lights,
        .transparent = image->transparent != 0,
        .max_depth = image->max_depth,
        .clamp = image->clamp,
    };
    if (!sky_is_seen(&shot->lights)) {
        stage->background =
            (coif_vec3){image->background[0], image->background[1], image->background[2]};
    }
    stage->geometries =
        coif_arena_new(arena, production->body_count + production->groom_count, coif_geometry);
    const int32_t copies = coif_node_at(production->desc->scene->root, "instances")->child_count;
    const coif_accel_desc accel = {
        .isa = production->isa,
        .threads = coif_jobs_threads(production->jobs),
        .compact = production->desc->compact,
        .group_count = copies > 0 ? production->body_count : 0,
    };
    COIF_TRY(coif_accel_open(&stage->accel, &accel, arena, error));
    coif_arena scratch;
    coif_arena_init(&scratch, "strands");
    coif_manifest names[2];
    int32_t strands = 0;
    const staging work = {stage, shot, production, arena, &scratch, names, &strands};
    place_camera(&work);
    const coif_status status = stage_shapes(&work, production, error);
    coif_arena_free(&scratch);
    COIF_TRY(status);
    const double start = coif_cpu_seconds();
    COIF_TRY(coif_accel_build(stage->accel, production->progress, error));
    stage->bvh_build_seconds = coif_cpu_seconds() - start;
    return COIF_OK;
}
