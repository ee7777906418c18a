#include "render/production.h"

#include "core/arena.h"
#include "core/cache.h"
#include "core/error.h"
#include "core/log.h"
#include "core/pack.h"

#include <inttypes.h>
#include <string.h>

// The renderer knows grooms by two rows of their section only; the others are the grower's.
static const char *text_of(const coif_node *node, const char *row)
{
    const coif_value *value = coif_values_find(&node->values, row);
    return value != NULL && value->text != NULL ? value->text : "";
}

// Rendering what is there is what was asked for, but nobody should wonder about it.
static void warn_if_stale(const coif_production_groom *groom, const char *path, coif_arena *arena)
{
    const char *grown = coif_text_value(groom->groom.metadata, "settings", arena);
    const char *now = coif_arena_print(arena, "%016" PRIx64, coif_node_growth(groom->node));
    if (grown != NULL && strcmp(grown, now) != 0) {
        coif_log(COIF_LOG_WARNING,
                 "%s: the scene has changed since this grew; 'coif groom' or 'coif sim' grows it "
                 "again",
                 path);
    }
}

static coif_status load_groom(coif_production_groom *groom, const coif_production *production,
                              const coif_node *node, coif_error *error)
{
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
        coif_cache_groom_path(production->desc->cache, groom->name, production->arena);
    if (!coif_path_exists(path)) {
        return coif_fail(error, COIF_ERR_IO,
                         "%s: is not there; 'coif groom' or 'coif sim' makes it", path);
    }
    COIF_TRY(coif_groom_load(&groom->groom, path, production->arena, error));
    warn_if_stale(groom, path, production->arena);
    if (groom->groom.mesh_digest != coif_mesh_topology(&found->rest)) {
        return coif_fail(error, COIF_ERR_FORMAT,
                         "%s: grew on another mesh than body \"%s\" has now; grow it again", path,
                         body);
    }
    return COIF_OK;
}

static coif_bounds find_bounds(const coif_production *production)
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

coif_status coif_production_init(coif_production *production, const coif_render_desc *desc,
                                 coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    *production = (coif_production){.desc = desc, .arena = arena, .jobs = jobs};
    production->textures.arena = arena;
    production->isa = coif_accel_choose_isa(desc->isa != NULL ? desc->isa : "auto");
    if (production->isa == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "instruction set \"%s\" is not known or not on this machine, wanted auto, "
                         "avx2 or sse4.2",
                         desc->isa);
    }
    COIF_TRY(
        coif_bodies_load(&production->bodies, &production->body_count, desc->scene, arena, error));
    production->bounds = find_bounds(production);
    if (desc->clay) {
        return COIF_OK;
    }
    const coif_node *grooms = coif_node_at(desc->scene->root, "grooms");
    production->groom_count = grooms->child_count;
    production->grooms = coif_arena_new(arena, grooms->child_count, coif_production_groom);
    for (int32_t i = 0; i < grooms->child_count; ++i) {
        COIF_TRY(load_groom(&production->grooms[i], production, &grooms->children[i], error));
    }
    return COIF_OK;
}
