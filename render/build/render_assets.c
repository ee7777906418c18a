#include "render/build/render_assets.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/hair/frame_cache.h"
#include "core/pack/pack.h"
#include "core/scene/input_digest.h"

#include <inttypes.h>
#include <string.h>

// The renderer knows grooms by two rows of their section only; the others are the grower's.
static const char *text_of(const coif_node *node, const char *row)
{
    const coif_value *value = coif_values_find(&node->values, row);
    return value != NULL && value->text != NULL ? value->text : "";
}

// Rendering what is there is what was asked for, but nobody should wonder about it.
static bool differs(const char *lines, const char *key, uint64_t now, coif_arena *arena)
{
    const char *then = coif_metadata_value(lines, key, arena);
    return then != NULL && strcmp(then, coif_arena_print(arena, "%016" PRIx64, now)) != 0;
}

static void warn_if_stale(const coif_render_groom *groom, const coif_mesh *rest, const char *path,
                          coif_arena *arena)
{
    const char *lines = groom->groom.metadata;
    if (differs(lines, "settings", coif_groom_settings_digest(groom->node), arena) ||
        differs(lines, "inputs", coif_groom_input_digest(groom->node, rest), arena)) {
        coif_log(COIF_LOG_WARNING,
                 "%s: the scene has changed since this grew; 'coif groom' or 'coif sim' grows it "
                 "again",
                 path);
    }
}

coif_status coif_render_groom_load(coif_render_groom *groom, const coif_render_assets *production,
                                   coif_error *error)
{
    if (groom->loaded) {
        return COIF_OK;
    }
    const char *path = coif_groom_file_path(production->desc->cache, groom->name, &groom->arena);
    COIF_TRY(coif_groom_load(&groom->groom, path, &groom->arena, error));
    groom->loaded = true;
    if (groom->digest != 0 && groom->digest != groom->groom.digest) {
        return coif_fail(error, COIF_ERR_FORMAT, "%s: has changed while pictures were made of it",
                         path);
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

static coif_status meet_groom(coif_render_groom *groom, coif_render_assets *production,
                              const coif_node *node, coif_error *error)
{
    coif_arena_init(&groom->arena, "groom");
    groom->node = node;
    groom->name = text_of(node, "name");
    const char *body = text_of(node, "body");
    const coif_body *found = coif_bodies_find(production->bodies, production->body_count, body);
    if (found == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: %s/body: there is no body \"%s\"",
                         production->desc->scene->path, node->path, body);
    }
    groom->body = (int32_t)(found - production->bodies);
    const char *path =
        coif_groom_file_path(production->desc->cache, groom->name, production->arena);
    if (!coif_path_exists(path)) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: is not there; 'coif groom' or 'coif sim' makes it", path);
    }
    COIF_TRY(coif_render_groom_load(groom, production, error));
    warn_if_stale(groom, &found->rest, path, production->arena);
    const coif_sim_input_digest inputs = {.scene = production->desc->scene,
                                          .bodies = production->bodies,
                                          .body_count = production->body_count,
                                          .node = node,
                                          .groom = groom->groom.digest};
    groom->motion = coif_sim_settings_digest(&inputs);
    if (groom->groom.mesh_digest != coif_mesh_topology_digest(&found->rest)) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: grew on another mesh than body \"%s\" has now; grow it again", path,
                         body);
    }
    const coif_hair_maps_desc maps = {
        .scene = production->desc->scene,
        .groom = &groom->groom,
        .node = node,
        .mesh = &found->rest,
        .frame = production->desc->frames.first,
        .eval_map = production->desc->eval_map,
        .textures = &production->textures,
    };
    return coif_hair_maps_evaluate(&groom->maps, &maps, production->arena, error);
}

static coif_bounds find_bounds(const coif_render_assets *production)
{
    coif_bounds all = {{0.0f, 0.0f, 0.0f}, {0.0f, 0.0f, 0.0f}};
    bool any = false;
    for (int32_t i = 0; i < production->body_count; ++i) {
        const coif_body *body = &production->bodies[i];
        if (!body->params.visible || body->rest.vertex_count == 0) {
            continue;
        }
        coif_vec3 low, high;
        coif_mesh_bounds(&body->rest, &low, &high);
        if (!any) {
            all = (coif_bounds){low, high};
            any = true;
            continue;
        }
        all.low = (coif_vec3){coif_min(all.low.x, low.x), coif_min(all.low.y, low.y),
                              coif_min(all.low.z, low.z)};
        all.high = (coif_vec3){coif_max(all.high.x, high.x), coif_max(all.high.y, high.y),
                               coif_max(all.high.z, high.z)};
    }
    return all;
}

// Rows of the simulation's section; a tree without it has no say in time. Velocities of frames are
// those of the film, however fast time passes for hair.
static double row_of(const coif_node *node, const char *row, double otherwise)
{
    const coif_value *value = coif_values_find(&node->values, row);
    return value != NULL ? value->numbers[0] : otherwise;
}

// Numbers of the simulation's choice of motion: its first, smooth, is the default there.
static void read_time(coif_render_assets *production, const coif_scene *scene)
{
    production->frame_seconds = 1.0 / 24.0;
    for (int32_t i = 0; i < scene->root->child_count; ++i) {
        const coif_node *node = &scene->root->children[i];
        if (strcmp(node->section->name, "sim") == 0) {
            const coif_value *start = coif_values_find(&node->values, "start");
            const bool goes_on = start != NULL && start->text != NULL && start->text[0] != '\0';
            production->frame_seconds = 1.0 / row_of(node, "fps", 24.0);
            production->course.smooth = row_of(node, "motion", 1.0) == 0.0;
            production->course.first = (int)row_of(node, "first_frame", 1.0) - goes_on;
        }
    }
}

coif_status coif_render_assets_load(coif_render_assets *production, const coif_render_desc *desc,
                                    coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    *production = (coif_render_assets){.desc = desc, .arena = arena, .jobs = jobs};
    production->textures.arena = arena;
    production->textures.scene = desc->scene->path;
    production->isa = coif_accel_select_isa(desc->isa != NULL ? desc->isa : "auto");
    if (production->isa == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "instruction set \"%s\" is not known or not on this machine, wanted auto, "
                         "avx2 or sse4.2",
                         desc->isa);
    }
    COIF_TRY(
        coif_bodies_load(&production->bodies, &production->body_count, desc->scene, arena, error));
    production->bounds = find_bounds(production);
    read_time(production, desc->scene);
    if (desc->clay) {
        return COIF_OK;
    }
    const coif_node *grooms = coif_node_at(desc->scene->root, "grooms");
    production->grooms = coif_arena_new(arena, grooms->child_count, coif_render_groom);
    for (int32_t i = 0; i < grooms->child_count; ++i) {
        ++production->groom_count; // to be closed from here on
        COIF_TRY(meet_groom(&production->grooms[i], production, &grooms->children[i], error));
    }
    return COIF_OK;
}

void coif_render_assets_close(coif_render_assets *production)
{
    for (int32_t i = 0; i < production->groom_count; ++i) {
        coif_arena_free(&production->grooms[i].arena);
    }
}
