#include "render/build/render_assets.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/body/input_digest.h"
#include "core/hair/frame_cache.h"
#include "core/pack/pack.h"
#include "render/embree/accel.h"

#include <inttypes.h>
#include <string.h>

// Of a groom's section only "name" and "body" are read here; the rest belongs to groom generation.
static const char *text_of(const coif_node *node, const char *name)
{
    const coif_value *value = coif_values_find(&node->values, name);
    return value != NULL && value->text != NULL ? value->text : "";
}

// A stale cache is rendered anyway, with a warning.
static bool digest_differs(const char *lines, const char *key, uint64_t digest, coif_arena *arena)
{
    const char *stored = coif_metadata_value(lines, key, arena);
    return stored != NULL && strcmp(stored, coif_arena_print(arena, "%016" PRIx64, digest)) != 0;
}

static void warn_if_stale(const coif_render_groom *groom, const coif_mesh *rest, const char *path,
                          coif_arena *arena)
{
    const char *lines = groom->groom.metadata;
    if (digest_differs(lines, "settings", coif_groom_settings_digest(groom->node), arena) ||
        digest_differs(lines, "inputs", coif_groom_input_digest(groom->node, rest), arena)) {
        coif_log(COIF_LOG_WARNING,
                 "%s: the scene has changed since this groom was generated; run 'coif groom' or "
                 "'coif sim' to update it",
                 path);
    }
}

coif_status coif_render_groom_load(coif_render_groom *groom, const coif_render_assets *assets,
                                   coif_error *error)
{
    if (groom->loaded) {
        return COIF_OK;
    }
    const char *path = coif_groom_file_path(assets->source->cache, groom->name, &groom->arena);
    COIF_TRY(coif_groom_load(&groom->groom, path, &groom->arena, error));
    groom->loaded = true;
    if (groom->digest != 0 && groom->digest != groom->groom.digest) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: the file has changed during rendering", path);
    }
    groom->digest = groom->groom.digest;
    return COIF_OK;
}

void coif_render_groom_unload(coif_render_groom *groom)
{
    coif_arena_free(&groom->arena);
    coif_arena_init(&groom->arena, "groom");
    groom->loaded = false;
}

static coif_status open_groom(coif_render_groom *groom, coif_render_assets *assets,
                              const coif_node *node, coif_error *error)
{
    coif_arena_init(&groom->arena, "groom");
    coif_arena_init(&groom->maps_arena, "hair maps");
    groom->node = node;
    groom->name = text_of(node, "name");
    const char *body = text_of(node, "body");
    const coif_body *found = coif_bodies_find(assets->bodies, assets->body_count, body);
    if (found == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: %s/body: there is no body \"%s\"",
                         assets->source->scene->path, node->path, body);
    }
    groom->body = (int32_t)(found - assets->bodies);
    const char *path = coif_groom_file_path(assets->source->cache, groom->name, assets->arena);
    if (!coif_path_exists(path)) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: no such file; run 'coif groom' or 'coif sim' first", path);
    }
    COIF_TRY(coif_render_groom_load(groom, assets, error));
    warn_if_stale(groom, &found->rest, path, assets->arena);
    const coif_sim_input_digest inputs = {.scene = assets->source->scene,
                                          .bodies = assets->bodies,
                                          .body_count = assets->body_count,
                                          .node = node,
                                          .groom = groom->groom.digest};
    groom->sim_digest = coif_sim_settings_digest(&inputs);
    if (groom->groom.mesh_digest != coif_mesh_topology_digest(&found->rest)) {
        return coif_fail(
            error, COIF_ERR_FORMAT,
            "%s: was generated on another mesh than body \"%s\" has now; generate it again", path,
            body);
    }
    return coif_groom_check_roots(&groom->groom, found->rest.triangle_count, path, error);
}

const coif_collider *coif_render_child_collider(coif_render_assets *assets, int32_t body,
                                                const coif_mesh *pose)
{
    if (!assets->bodies[body].params.collide) {
        return NULL;
    }
    coif_collider **collider = &assets->child_colliders[body];
    if (*collider == NULL) {
        *collider = coif_arena_new(assets->arena, 1, coif_collider);
        coif_child_collider_build(*collider, &assets->bodies[body].rest, assets->arena);
    }
    coif_collider_refit_posed(*collider, pose, pose);
    return *collider;
}

static bool has_animated_maps(const coif_scene *scene, const coif_node *groom)
{
    const coif_node *sim;
    uint32_t row;
    const coif_value *ellipticity = coif_sim_ellipticity(&sim, &row, scene, groom);
    if (ellipticity != NULL && ellipticity->key_count > 1) {
        return true;
    }
    for (int32_t i = 0; i < groom->child_count; ++i) {
        const coif_node *list = &groom->children[i];
        for (int32_t k = 0; strcmp(list->section->name, "maps") == 0 && k < list->child_count;
             ++k) {
            if (coif_params_are_animated(&list->children[k].values) ||
                coif_params_are_animated(&list->children[k].plugin_values)) {
                return true;
            }
        }
    }
    return false;
}

coif_status coif_render_groom_evaluate_maps(coif_render_groom *groom, coif_render_assets *assets,
                                            double frame, coif_error *error)
{
    if (groom->maps_evaluated &&
        (groom->maps_frame == frame || !has_animated_maps(assets->source->scene, groom->node))) {
        return COIF_OK;
    }
    COIF_TRY(coif_render_groom_load(groom, assets, error));
    const coif_hair_maps_desc maps = {
        .scene = assets->source->scene,
        .groom = &groom->groom,
        .node = groom->node,
        .mesh = &assets->bodies[groom->body].rest,
        .frame = frame,
        .eval_map = assets->source->eval_map,
        .textures = &assets->textures,
    };
    groom->maps_evaluated = true;
    groom->maps_frame = frame;
    coif_arena_free(&groom->maps_arena);
    coif_arena_init(&groom->maps_arena, "hair maps");
    return coif_hair_maps_evaluate(&groom->maps, &maps, &groom->maps_arena, error);
}

static coif_bounds find_bounds(const coif_render_assets *assets)
{
    coif_bounds all = coif_bounds_empty();
    for (int32_t i = 0; i < assets->body_count; ++i) {
        const coif_body *body = &assets->bodies[i];
        if (!body->params.visible || body->rest.vertex_count == 0) {
            continue;
        }
        coif_vec3 low, high;
        coif_mesh_bounds(&body->rest, &low, &high);
        all.low = coif_min3(all.low, low);
        all.high = coif_max3(all.high, high);
    }
    return all.low.x <= all.high.x ? all : (coif_bounds){{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
}

coif_status coif_render_assets_load(coif_render_assets *assets, const coif_render_source *source,
                                    coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    *assets = (coif_render_assets){.source = source, .arena = arena, .jobs = jobs};
    assets->textures.arena = arena;
    assets->textures.scene = source->scene->path;
    assets->isa = coif_accel_select_isa(source->isa != NULL ? source->isa : "auto");
    if (assets->isa == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "instruction set \"%s\" is unknown or not available on this machine; "
                         "expected auto, avx2 or sse4.2",
                         source->isa);
    }
    COIF_TRY(coif_bodies_load(&assets->bodies, &assets->body_count, source->scene, arena, error));
    assets->child_colliders = coif_arena_new(arena, assets->body_count, coif_collider *);
    assets->bounds = find_bounds(assets);
    assets->frame_seconds = 1.0 / coif_scene_fps(source->scene);
    assets->interpolation = coif_body_interpolation_of(source->scene);
    if (source->bodies_only) {
        return COIF_OK;
    }
    const coif_node *grooms = coif_node_at(source->scene->root, "grooms");
    assets->grooms = coif_arena_new(arena, grooms->child_count, coif_render_groom);
    for (int32_t i = 0; i < grooms->child_count; ++i) {
        ++assets->groom_count; // to be closed from here on
        COIF_TRY(open_groom(&assets->grooms[i], assets, &grooms->children[i], error));
    }
    return COIF_OK;
}

void coif_render_assets_close(coif_render_assets *assets)
{
    for (int32_t i = 0; i < assets->groom_count; ++i) {
        coif_arena_free(&assets->grooms[i].arena);
        coif_arena_free(&assets->grooms[i].maps_arena);
    }
}
