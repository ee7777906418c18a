#include "render/build/scene_build.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/child_interpolation.h"
#include "render/build/strand_time.h"
#include "render/build/wire.h"
#include "render/geometry/min_pixel_width.h"
#include "render/geometry/ribbon_orientation.h"
#include "render/integrator/indirect_cache_fill.h"
#include "render/scene/render_scene.h"

#include <string.h>

static const coif_node *list_of(const coif_render_assets *assets)
{
    return coif_node_at(assets->source->scene->root, "instances");
}

static const char *text_of(const coif_node *instance, const char *name)
{
    return coif_values_find(&instance->values, name)->text;
}

// The entry of an instance; NULL for the identity instance of a body.
static const coif_node *entry_of(const coif_render_assets *assets, int32_t instance)
{
    return instance < assets->body_count
               ? NULL
               : &list_of(assets)->children[instance - assets->body_count];
}

static int32_t body_of(const coif_render_assets *assets, int32_t instance)
{
    const coif_node *entry = entry_of(assets, instance);
    if (entry == NULL) {
        return instance;
    }
    const coif_body *body =
        coif_bodies_find(assets->bodies, assets->body_count, text_of(entry, "body"));
    COIF_ASSERT(body != NULL); // the scene was validated
    return (int32_t)(body - assets->bodies);
}

static coif_transform transform_at(const coif_node *entry, double frame)
{
    return entry == NULL ? coif_transform_identity() : coif_instance_transform(entry, frame);
}

static coif_status add_instances(coif_render_scene *scene, const coif_frame_setup *setup,
                                 const coif_render_assets *assets, coif_arena *arena,
                                 coif_error *error)
{
    const int32_t entries = list_of(assets)->child_count, steps = setup->shutter.steps;
    const int32_t count = entries > 0 ? assets->body_count + entries : 0;
    const bool motion = coif_aovs_need_motion_frame(&setup->aovs, 0);
    coif_transform *frames =
        motion ? coif_arena_new(arena, COIF_MOTION_FRAMES * count, coif_transform) : NULL;
    coif_transform *path = coif_arena_new(arena, steps, coif_transform);
    for (int32_t i = 0; i < count; ++i) {
        const coif_node *entry = entry_of(assets, i);
        for (int32_t step = 0; step < steps; ++step) {
            path[step] = transform_at(entry, coif_shutter_step(&setup->shutter, step));
        }
        for (int32_t k = 0; k < COIF_MOTION_FRAMES && motion; ++k) {
            frames[COIF_MOTION_FRAMES * i + k] = transform_at(
                entry,
                assets->source->turntable > 0 ? setup->frame : coif_motion_frame(setup->frame, k));
        }
        scene->has_motion |= entry != NULL && steps > 1 && coif_params_are_animated(&entry->values);
        COIF_TRY(coif_render_scene_add_instance(scene, body_of(assets, i), path, steps, error));
    }
    scene->instance_motion = frames;
    return COIF_OK;
}

static void name_instances(coif_render_scene *scene, const coif_render_assets *assets,
                           coif_manifest *names, coif_arena *arena)
{
    const size_t geometries = (size_t)scene->geometry_count;
    float *ids = coif_arena_new(arena, (size_t)scene->instance_count * geometries, float);
    for (int32_t i = 0; i < scene->instance_count; ++i) {
        const coif_node *entry = entry_of(assets, i);
        const char *name = entry != NULL ? text_of(entry, "name") : NULL;
        if (entry != NULL && (name == NULL || name[0] == '\0')) {
            name = coif_arena_print(arena, "copy%04d", (int)(i - assets->body_count) + 1);
        }
        for (int32_t k = 0; k < scene->geometry_count; ++k) {
            const coif_geometry *geometry = &scene->geometries[k];
            if (geometry->body != scene->instance_groups[i]) {
                continue; // not in this instance
            }
            ids[(size_t)i * geometries + (size_t)k] =
                entry == NULL ? geometry->object_id
                              : coif_manifest_add(
                                    names, coif_arena_print(arena, "%s/%s", name, geometry->name));
        }
    }
    scene->instance_object_ids = ids;
}

typedef struct build_ctx {
    coif_render_scene *scene;
    const coif_frame_setup *setup;
    coif_render_assets *assets;
    coif_arena *arena;     // for what the scene keeps
    coif_arena *scratch;   // for strands until they are curves
    coif_manifest *names;  // Cryptomatte: of objects and of clumps
    int32_t *strand_count; // of the geometries so far
} build_ctx;

static bool has_aov(const build_ctx *ctx, coif_aov_kind kind)
{
    return ctx->setup->aovs.offset[kind] >= 0;
}

static float object_id(const build_ctx *ctx, const char *name)
{
    return has_aov(ctx, COIF_AOV_CRYPTO_OBJECT) ? coif_manifest_add(&ctx->names[0], name) : 0.0f;
}

static coif_status add_body(const build_ctx *ctx, int32_t index, coif_error *error)
{
    const int32_t steps = ctx->setup->steps;
    const coif_body *body = &ctx->assets->bodies[index];
    const coif_mesh *meshes = &ctx->setup->meshes[index * steps];
    if (!body->params.visible || meshes->triangle_count == 0) {
        return COIF_OK;
    }
    coif_geometry geometry = {
        .name = body->params.name,
        .body = index,
        .object_id = object_id(ctx, body->params.name),
        .mesh = meshes,
        .mesh_steps = coif_body_is_animated(body) ? steps : 1,
        .materials = ctx->setup->materials[index],
        .light_group = ctx->setup->light_groups[index],
    };
    for (int k = 0; k < COIF_MOTION_FRAMES && ctx->setup->motion_meshes != NULL; ++k) {
        geometry.motion_meshes[k] = &ctx->setup->motion_meshes[COIF_MOTION_FRAMES * index + k];
    }
    return coif_render_scene_add_geometry(ctx->scene, &geometry, error);
}

// Whether the body has left its bind pose.
static bool is_posed(const coif_mesh *pose, const coif_body *body)
{
    return memcmp(pose->positions, body->rest.positions,
                  sizeof *pose->positions * (size_t)pose->vertex_count) != 0;
}

// All strands of a groom at a fractional frame, on its posed body.
static coif_status strands_at(coif_strands *all, coif_render_groom *groom, const build_ctx *ctx,
                              double time, const coif_mesh *pose, coif_error *error)
{
    const coif_render_assets *assets = ctx->assets;
    if (assets->source->use_rest_pose) {
        if (!is_posed(pose, &assets->bodies[groom->body])) {
            *all = groom->groom.rest;
            return COIF_OK;
        }
        return coif_pose_rest_strands(all, &groom->groom, pose, ctx->scratch, assets->jobs, error);
    }
    const coif_strand_time_desc time_desc = {
        .groom = &groom->groom,
        .cache = assets->source->cache,
        .name = groom->name,
        .frame = ctx->setup->frame,
        .time = time,
        .frame_seconds = assets->frame_seconds,
        .body = &assets->bodies[groom->body],
        .interpolation = assets->interpolation,
        .inputs = groom->sim_digest,
        .reported = &groom->reported,
    };
    coif_strands simulated;
    COIF_TRY(coif_strands_at_time(&simulated, &time_desc, ctx->scratch, error));
    simulated.velocities = NULL; // have done their ctx
    COIF_TRY(coif_interpolate_children(all, &simulated, &groom->groom, pose, ctx->scratch,
                                       assets->jobs, error));
    const coif_collider *body = groom->groom.simulated_count < all->strand_count
                                    ? coif_render_child_collider(ctx->assets, groom->body, pose)
                                    : NULL;
    if (body != NULL) {
        coif_push_children_out(all, &groom->groom, body, 1.0f, assets->jobs);
    }
    return COIF_OK;
}

// Copies the topology and root data of strands; their points are in the curves.
static void keep_topology(coif_strands *kept, const coif_strands *strands, coif_working_space space,
                          coif_arena *arena)
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
        for (int32_t i = 0; i < strands->point_count; ++i) {
            kept->colors[i] = coif_working_from_rec709(space, strands->colors[i]);
        }
    }
}

static coif_curve_kind curve_type(const coif_hair_params *hair, const coif_image_params *image)
{
    return (coif_curve_kind)(hair->curve_type > 0 ? hair->curve_type - 1 : image->curve_type);
}

// Fills curves, whose kind is set, step by step.
static coif_status make_curves(coif_bspline_curves *curves, coif_strands *kept,
                               coif_render_groom *groom, const coif_hair_params *hair,
                               const build_ctx *ctx, coif_error *error)
{
    const coif_hair_map *turns =
        coif_hair_maps_find(&groom->maps, offsetof(coif_hair_params, ribbon_tilt));
    const coif_hair_map *twists =
        coif_hair_maps_find(&groom->maps, offsetof(coif_hair_params, ribbon_twist));
    const bool moves = !ctx->assets->source->use_rest_pose ||
                       coif_body_is_animated(&ctx->assets->bodies[groom->body]);
    const int32_t steps = moves ? ctx->setup->steps : 1;
    for (int32_t step = 0; step < steps; ++step) {
        const coif_arena_mark mark = coif_arena_mark_here(ctx->scratch);
        coif_strands strands;
        const coif_mesh *pose = &ctx->setup->meshes[groom->body * ctx->setup->steps + step];
        COIF_TRY(strands_at(&strands, groom, ctx, coif_shutter_step(&ctx->setup->shutter, step),
                            pose, error));
        if (step == 0) {
            keep_topology(kept, &strands, ctx->setup->output.working_space, ctx->arena);
            COIF_TRY(coif_bspline_curves_alloc(curves, &strands, curves->kind, steps, ctx->arena,
                                               error));
        }
        coif_bspline_curves_fill(curves, step, &strands, ctx->assets->jobs);
        const bool is_ribbon = curves->kind == COIF_CURVE_RIBBON;
        if (!is_ribbon && step == 0) {
            curves->section_ratio =
                coif_hair_section_ratios(&groom->maps, hair, strands.strand_count, ctx->arena);
        }
        if (curves->section_ratio != NULL) {
            coif_bspline_curves_widen_sections(curves, step, &strands);
        }
        if (is_ribbon || curves->section_ratio != NULL) {
            const coif_ribbon_desc blades = {
                .groom = &groom->groom,
                .body = ctx->assets->source->use_rest_pose &&
                                !is_posed(pose, &ctx->assets->bodies[groom->body])
                            ? NULL
                            : pose,
                .along_tangent = !is_ribbon,
                .tilt = is_ribbon ? hair->ribbon_tilt : 0.0f,
                .twist = is_ribbon ? hair->ribbon_twist : 0.0f,
                .tilts = is_ribbon && turns != NULL ? turns->values : NULL,
                .twists = is_ribbon && twists != NULL ? twists->values : NULL,
                .jobs = ctx->assets->jobs,
            };
            coif_ribbon_normals_fill(curves, step, &strands, &blades, ctx->arena);
        }
        coif_arena_rewind(ctx->scratch, mark);
    }
    return COIF_OK;
}

// Curves at the frames of motion vectors. Without motion blur, those of the current frame exist.
static coif_status make_motion_curves(coif_geometry *geometry, coif_render_groom *groom,
                                      const build_ctx *ctx, coif_error *error)
{
    const coif_frame_setup *setup = ctx->setup;
    if (setup->motion_meshes == NULL) {
        return COIF_OK;
    }
    const bool is_static = setup->steps == 1 && setup->shutter.open == setup->frame;
    geometry->motion_curves[0] = geometry->curves;
    for (int i = is_static ? 1 : 0; i < COIF_MOTION_FRAMES; ++i) {
        if (!coif_aovs_need_motion_frame(&setup->aovs, i)) {
            continue;
        }
        const coif_arena_mark mark = coif_arena_mark_here(ctx->scratch);
        coif_strands strands;
        coif_bspline_curves *curves = coif_arena_new(ctx->arena, 1, coif_bspline_curves);
        COIF_TRY(strands_at(&strands, groom, ctx, coif_motion_frame(setup->frame, i),
                            &setup->motion_meshes[COIF_MOTION_FRAMES * groom->body + i], error));
        COIF_TRY(coif_bspline_curves_init(curves, &strands, geometry->curves->kind, ctx->arena,
                                          ctx->assets->jobs, error));
        geometry->motion_curves[i] = curves;
        coif_arena_rewind(ctx->scratch, mark);
    }
    return COIF_OK;
}

// The strands at the frame as polylines with dots.
static coif_status add_wire(const build_ctx *ctx, coif_render_groom *groom, coif_error *error)
{
    COIF_TRY(coif_render_groom_load(groom, ctx->assets, error));
    coif_strands strands;
    COIF_TRY(strands_at(&strands, groom, ctx, ctx->setup->frame, &ctx->setup->meshes[groom->body],
                        error));
    const coif_wire_desc desc = {&strands, &groom->groom, &ctx->scene->camera,
                                 ctx->assets->source->wire_strands};
    coif_mesh *mesh = coif_arena_new(ctx->arena, 1, coif_mesh);
    COIF_TRY(coif_wire_make(mesh, &desc, ctx->arena, error));
    coif_render_groom_unload(groom);
    const coif_geometry geometry = {.name = groom->name,
                                    .body = groom->body,
                                    .object_id = object_id(ctx, groom->name),
                                    .mesh = mesh,
                                    .mesh_steps = 1,
                                    .materials = coif_wire_materials(ctx->arena)};
    return mesh->triangle_count > 0 ? coif_render_scene_add_geometry(ctx->scene, &geometry, error)
                                    : COIF_OK;
}

static coif_status add_groom(const build_ctx *ctx, coif_render_groom *groom, coif_error *error)
{
    coif_strands *strands = coif_arena_new(ctx->arena, 1, coif_strands);
    coif_bspline_curves *curves = coif_arena_new(ctx->arena, 1, coif_bspline_curves);
    coif_hair_material *material = coif_arena_new(ctx->arena, 1, coif_hair_material);
    COIF_TRY(coif_render_groom_load(groom, ctx->assets, error));
    coif_hair_params hair;
    const coif_node *node = coif_node_at(groom->node, "hair");
    coif_node_read(node, ctx->setup->frame, &hair);
    curves->kind = curve_type(&hair, &ctx->setup->image);
    COIF_TRY(make_curves(curves, strands, groom, &hair, ctx, error));
    coif_hair_report_color_source(node, groom->name, ctx->setup->frame, strands->colors != NULL);
    if (!coif_hair_uses_stored_colors(node, ctx->setup->frame)) {
        strands->colors = NULL;
    }
    if (strands->strand_count == 0) {
        return COIF_OK; // a groom may be empty
    }
    coif_geometry geometry = {.curves = curves,
                              .strands = strands,
                              .hair_material = material,
                              .name = groom->name,
                              .body = groom->body,
                              .object_id = object_id(ctx, groom->name),
                              .first_strand = *ctx->strand_count};
    *ctx->strand_count += strands->strand_count;
    COIF_TRY(make_motion_curves(&geometry, groom, ctx, error));
    if (has_aov(ctx, COIF_AOV_CRYPTO_CLUMP)) {
        geometry.clump_ids =
            coif_clump_ids(&groom->groom, groom->node, groom->name, &ctx->names[1], ctx->arena);
    }
    coif_hair_material_init(material, &hair, ctx->setup->output.working_space);
    const coif_strand_color_desc colors = {
        .groom = &groom->groom,
        .node = groom->node,
        .mesh = &ctx->setup->meshes[groom->body * ctx->setup->steps],
        .materials = ctx->setup->materials[groom->body],
        .texture = groom->texture,
        .maps = &groom->maps,
        .jobs = ctx->assets->jobs,
    };
    geometry.color_ramp = coif_strand_color_ramp_of(material, &colors, ctx->arena);
    geometry.strand_colors = geometry.color_ramp == NULL
                                 ? coif_strand_colors_compute(material, &colors, ctx->arena)
                                 : NULL;
    coif_render_groom_unload(groom);
    const coif_min_width_desc width = {
        .cameras = ctx->scene->camera_path != NULL ? ctx->scene->camera_path : &ctx->scene->camera,
        .camera_count = curves->step_count > 1 ? ctx->scene->camera_steps : 1,
        .pixels = ctx->setup->image.min_pixel_width,
    };
    coif_bspline_curves_set_min_width(curves, &width, ctx->arena);
    coif_hair_opacity_fill(curves, strands, node, &groom->maps, &hair, ctx->arena);
    geometry.varying_params = coif_hair_varying_params_of(node, &groom->maps, ctx->arena);
    return coif_render_scene_add_geometry(ctx->scene, &geometry, error);
}

static void add_camera(const build_ctx *ctx)
{
    const coif_image_params *image = &ctx->setup->image;
    const coif_shutter *shutter = &ctx->setup->camera_shutter;
    const coif_node *node = ctx->setup->camera;
    coif_camera *path = coif_arena_new(ctx->arena, shutter->steps, coif_camera);
    for (int32_t step = 0; step < shutter->steps; ++step) {
        path[step] = coif_camera_at(node, coif_shutter_step(shutter, step), image->width,
                                    image->height, &ctx->assets->bounds);
    }
    coif_render_scene_set_camera(ctx->scene, path, shutter->steps);
    for (int i = 0; i < COIF_MOTION_FRAMES && coif_aovs_need_motion_frame(&ctx->setup->aovs, 0);
         ++i) {
        ctx->scene->motion_cameras[i] =
            coif_camera_at(node, coif_motion_frame(ctx->setup->frame, i), image->width,
                           image->height, &ctx->assets->bounds);
    }
}

static coif_status add_geometry(const build_ctx *ctx, coif_render_assets *assets, coif_error *error)
{
    for (int i = 0; i < 2; ++i) {
        coif_manifest_begin(&ctx->names[i], ctx->arena);
    }
    for (int32_t i = 0; i < assets->body_count; ++i) {
        COIF_TRY(add_body(ctx, i, error));
    }
    for (int32_t i = 0; i < assets->groom_count; ++i) {
        COIF_TRY(assets->source->wire ? add_wire(ctx, &assets->grooms[i], error)
                                      : add_groom(ctx, &assets->grooms[i], error));
    }
    COIF_TRY(add_instances(ctx->scene, ctx->setup, assets, ctx->arena, error));
    if (ctx->scene->instance_count > 0 && has_aov(ctx, COIF_AOV_CRYPTO_OBJECT)) {
        name_instances(ctx->scene, assets, &ctx->names[0], ctx->arena);
    }
    for (int i = 0; i < 2; ++i) {
        ctx->scene->manifests[i] = coif_manifest_end(&ctx->names[i]);
    }
    return COIF_OK;
}

// A visible environment replaces the background.
static bool has_visible_environment(const coif_lights *lights)
{
    for (int32_t i = 0; i < lights->count; ++i) {
        if (lights->lights[i].type == COIF_LIGHT_ENVIRONMENT && lights->lights[i].visible) {
            return true;
        }
    }
    return false;
}

static coif_status create_scene(coif_render_scene **scene, const coif_frame_setup *setup,
                                const coif_render_assets *assets, coif_arena *arena,
                                coif_error *error)
{
    const coif_image_params *image = &setup->image;
    const coif_vec3 background = {image->background[0], image->background[1], image->background[2]};
    const bool instanced = coif_node_at(assets->source->scene->root, "instances")->child_count > 0;
    const coif_render_scene_desc desc = {
        .isa = assets->isa,
        .jobs = assets->jobs,
        .compact = assets->source->compact,
        .group_count = instanced ? assets->body_count : 0,
        .background = has_visible_environment(&setup->lights)
                          ? (coif_vec3){0.0f, 0.0f, 0.0f}
                          : coif_working_from_rec709(setup->output.working_space, background),
        .transparent = image->film_transparent != 0,
        .max_depth = image->max_depth,
        .clamp_indirect = image->clamp_indirect,
        .hair_filtering = image->hair_filtering != 0,
    };
    COIF_TRY(coif_render_scene_create(scene, &desc, arena, error));
    (*scene)->lights = setup->lights;
    return COIF_OK;
}

static coif_status fill_indirect_cache(coif_render_scene *scene, const coif_frame_setup *setup,
                                       const coif_render_assets *assets, coif_progress *progress,
                                       coif_error *error)
{
    const coif_image_params *image = &setup->image;
    const coif_indirect_cache_desc desc = {
        .depth = image->indirect_cache,
        .paths = coif_indirect_cache_paths(image->width, image->height),
        .jobs = assets->jobs,
        .progress = progress,
    };
    if (desc.depth == 0) {
        return COIF_OK;
    }
    for (int32_t i = 0; i < setup->aovs.count; ++i) {
        if (setup->aovs.list[i].kind == COIF_AOV_LIGHT) {
            coif_log(COIF_LOG_WARNING,
                     "image/indirect_cache: no effect with AOVs of light groups, because the cache "
                     "holds the sum of all lights");
            return COIF_OK;
        }
    }
    if (assets->groom_count == 0) {
        coif_log(COIF_LOG_WARNING, "image/indirect_cache: no effect without hair");
        return COIF_OK;
    }
    return coif_indirect_cache_fill(scene, &desc, error);
}

coif_status coif_scene_build(coif_render_scene **scene, const coif_frame_setup *setup,
                             coif_render_assets *assets, coif_progress *progress, coif_arena *arena,
                             coif_error *error)
{
    COIF_TRY(create_scene(scene, setup, assets, arena, error));
    coif_arena scratch;
    coif_arena_init(&scratch, "strands");
    coif_manifest names[2];
    int32_t strand_count = 0;
    const build_ctx ctx = {*scene, setup, assets, arena, &scratch, names, &strand_count};
    add_camera(&ctx);
    const coif_status status = add_geometry(&ctx, assets, error);
    coif_arena_free(&scratch);
    COIF_TRY(status);
    COIF_TRY(coif_render_scene_commit(*scene, progress, error));
    return fill_indirect_cache(*scene, setup, assets, progress, error);
}
