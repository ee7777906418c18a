// Routes of the document: state, schema, edits, history, save.
#include "core/json/json_writer.h"
#include "render/film/aov.h"
#include "tools/studio/server/document/mesh_import.h"
#include "tools/studio/server/http/routes.h"

#include <string.h>

// UDIM numbers in canvas order; empty for a single file.
static void write_udims(coif_json_writer *out, const coif_paint_map *map)
{
    coif_write_number(out, "atlas_columns", map->udims_per_row);
    coif_write_open(out, "udims", "[");
    for (int32_t i = 0; i < map->udim_count && map->udims[i].number > 0; ++i) {
        coif_write_number(out, NULL, map->udims[i].number);
    }
    coif_write_close(out, "]");
}

static void write_layers(coif_json_writer *out, const coif_studio *studio)
{
    coif_write_open(out, "layers", "[");
    for (int32_t i = 0; i < studio->maps.count; ++i) {
        const coif_paint_map *map = &studio->maps.items[i];
        coif_write_open(out, NULL, "{");
        coif_write_number(out, "id", i);
        coif_write_text(out, "path", map->path);
        coif_write_number(out, "width", map->width);
        coif_write_number(out, "height", map->height);
        coif_write_number(out, "low", map->low);
        coif_write_number(out, "high", map->high);
        write_udims(out, map);
        if (map->read_only_reason != NULL) {
            coif_write_text(out, "read_only_reason", map->read_only_reason);
        }
        coif_write_number(out, "revision", (double)map->revision);
        coif_write_raw(out, "dirty", coif_paint_map_dirty(map) ? "true" : "false");
        coif_write_close(out, "}");
    }
    coif_write_close(out, "]");
}

// Files of the maps that {"texture": ...} values stand for. They follow the maps of the scene.
static void write_textures(coif_json_writer *out, const coif_node *maps)
{
    coif_write_open(out, "textures", "[");
    for (int32_t m = 0; m < maps->child_count; ++m) {
        if (maps->children[m].anonymous) {
            const coif_node *map = &maps->children[m];
            coif_write_text(out, NULL, coif_values_find(&map->plugin_values, "path")->source->text);
        }
    }
    coif_write_close(out, "]");
}

// Layers of each map from the bottom: ids of image and mask, -1 without one.
static void write_stacks(coif_json_writer *out, const coif_studio *studio, const coif_node *maps)
{
    coif_write_open(out, "stacks", "[");
    for (int32_t m = 0; m < maps->child_count; ++m) {
        const coif_map_stack *stack = NULL;
        for (int32_t i = 0; i < studio->stacks.count; ++i) {
            stack = studio->stacks.items[i].node == &maps->children[m] ? &studio->stacks.items[i]
                                                                       : stack;
        }
        coif_write_open(out, NULL, "[");
        for (int32_t i = 0; stack != NULL && i < stack->count; ++i) {
            const coif_map_layer *layer = &stack->layers[i];
            coif_write_open(out, NULL, "[");
            coif_write_number(out, NULL, (double)(layer->image - studio->maps.items));
            coif_write_number(
                out, NULL, layer->mask != NULL ? (double)(layer->mask - studio->maps.items) : -1.0);
            coif_write_close(out, "]");
        }
        coif_write_close(out, "]");
    }
    coif_write_close(out, "]");
}

// The maps of each groom as layer ids, -1 for maps that are not painted.
static void write_grooms(coif_json_writer *out, coif_studio *studio)
{
    const coif_node *grooms = coif_node_at(studio->scene.root, "grooms");
    coif_write_open(out, "grooms", "[");
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        const coif_node *node = &grooms->children[g];
        coif_groom_params params;
        coif_node_read(node, 0.0, &params);
        coif_write_open(out, NULL, "{");
        coif_write_text(out, "name", params.name);
        coif_write_text(out, "body", params.body);
        coif_write_text(out, "group", params.group);
        coif_growth_surface surface;
        const bool has_surface =
            coif_studio_growth_surface(&surface, studio, node, NULL) == COIF_OK;
        coif_error problem = {0};
        if (has_surface && coif_growth_surface_check(&surface, &problem) != COIF_OK) {
            coif_write_text(out, "problem", problem.text);
        }
        coif_write_number(out, "roots", has_surface ? coif_growth_surface_max_roots(&surface) : 0);
        coif_write_open(out, "maps", "[");
        const coif_node *maps = coif_node_at(node, "maps");
        for (int32_t m = 0; m < maps->child_count; ++m) {
            const coif_paint_map *map = coif_paint_maps_of_node(&studio->maps, &maps->children[m]);
            coif_write_number(out, NULL, map != NULL ? (double)(map - studio->maps.items) : -1);
        }
        coif_write_close(out, "]");
        write_textures(out, maps);
        write_stacks(out, studio, maps);
        coif_write_close(out, "}");
    }
    coif_write_close(out, "]");
}

// Names of the groups and materials of each body, for references to them.
static void write_bodies(coif_json_writer *out, const coif_studio *studio)
{
    coif_write_open(out, "bodies", "[");
    for (int32_t b = 0; b < studio->body_count; ++b) {
        const coif_mesh *mesh = &studio->bodies[b].rest;
        coif_write_open(out, NULL, "{");
        coif_write_open(out, "groups", "[");
        for (int32_t i = 0; i < mesh->group_count; ++i) {
            coif_write_text(out, NULL, mesh->group_names[i]);
        }
        coif_write_close(out, "]");
        coif_write_open(out, "materials", "[");
        for (int32_t i = 0; i < mesh->material_count; ++i) {
            coif_write_text(out, NULL, mesh->material_table[i].name);
        }
        coif_write_close(out, "]");
        coif_write_close(out, "}");
    }
    coif_write_close(out, "]");
}

coif_status coif_route_state(const coif_services *services, const coif_request *request,
                             coif_reply *reply, coif_error *error)
{
    coif_studio *studio = services->studio;
    (void)request, (void)error;
    coif_json_writer out;
    coif_json_writer_init(&out, reply->arena);
    coif_write_open(&out, NULL, "{");
    coif_write_text(&out, "path", coif_path_name(studio->path));
    coif_write_number(&out, "revision", (double)studio->revision);
    coif_write_number(&out, "scene", (double)studio->text_revision);
    coif_write_number(&out, "undo", (double)(studio->history.done - studio->history.first));
    coif_write_number(&out, "redo", (double)(studio->history.end - studio->history.done));
    coif_write_raw(&out, "dirty", coif_studio_dirty(studio) ? "true" : "false");
    coif_write_number(&out, "restored_steps", studio->replayed);
    coif_write_raw(&out, "journal_quarantined", studio->journal.quarantined ? "true" : "false");
    coif_write_raw(&out, "cache", studio->cache != NULL ? "true" : "false");
    write_bodies(&out, studio);
    write_grooms(&out, studio);
    write_layers(&out, studio);
    coif_write_text(&out, "text", studio->text);
    coif_write_close(&out, "}");
    coif_reply_json(reply, out.text.data);
    return COIF_OK;
}

// [{"name": "lobes", "layers": ["R", "TT", ...]}, ...]: values of "image/aovs" and the AOVs of each
// that can be displayed.
coif_status coif_route_aovs(const coif_services *services, const coif_request *request,
                            coif_reply *reply, coif_error *error)
{
    (void)services, (void)request, (void)error;
    coif_json_writer out;
    coif_json_writer_init(&out, reply->arena);
    coif_write_open(&out, NULL, "[");
    coif_aov_option option;
    for (int32_t i = 0; coif_aov_option_at(&option, i); ++i) {
        coif_write_open(&out, NULL, "{");
        coif_write_text(&out, "name", option.name);
        coif_write_open(&out, "layers", "[");
        for (int32_t k = 0; k < option.layer_count; ++k) {
            coif_write_text(&out, NULL, option.layers[k]);
        }
        coif_write_close(&out, "]");
        coif_write_close(&out, "}");
    }
    coif_write_close(&out, "]");
    coif_reply_json(reply, out.text.data);
    return COIF_OK;
}

coif_status coif_route_schema(const coif_services *services, const coif_request *request,
                              coif_reply *reply, coif_error *error)
{
    const coif_studio *studio = services->studio;
    (void)request, (void)error;
    coif_reply_json(reply, coif_scene_schema(studio->tree, &studio->plugins, reply->arena));
    return COIF_OK;
}

static coif_status read_edits(coif_edit **edits, int32_t *count, const coif_json *body,
                              const coif_request *request, coif_arena *arena, coif_error *error)
{
    const coif_json *list = coif_json_find(body, "edits");
    if (list == NULL || list->kind != COIF_JSON_ARRAY) {
        return coif_fail(error, COIF_ERR_FORMAT, "\"edits\": expected an array");
    }
    *edits = coif_arena_new(arena, list->child_count + 1, coif_edit);
    *count = 0;
    for (const coif_json *item = list->child; item != NULL; item = item->next) {
        const coif_json *pointer = coif_json_find(item, "path");
        const coif_json *value = coif_json_find(item, "value");
        if (pointer == NULL || pointer->kind != COIF_JSON_STRING) {
            return coif_fail(error, COIF_ERR_FORMAT, "\"edits\": element %d has no \"path\"",
                             *count);
        }
        (*edits)[(*count)++] = (coif_edit){
            .pointer = pointer->text,
            .value = value != NULL
                         ? coif_arena_print(arena, "%.*s", (int)(value->end - value->begin),
                                            request->body + value->begin)
                         : NULL,
        };
    }
    return COIF_OK;
}

// {"edits": [{"path": "/sim/substeps", "value": 4}, {"path": "/forces/0"}], "stroke": "s1"}
coif_status coif_route_edit(const coif_services *services, const coif_request *request,
                            coif_reply *reply, coif_error *error)
{
    coif_json *body;
    coif_edit *edits = NULL;
    int32_t count = 0;
    const char *stroke = "";
    COIF_TRY(coif_request_object(&body, request, "edit", reply->arena, error));
    COIF_TRY(read_edits(&edits, &count, body, request, reply->arena, error));
    COIF_TRY(coif_json_read_text(&stroke, body, "stroke", error));
    COIF_TRY(coif_studio_edit(services->studio, edits, count, stroke, error));
    return coif_route_state(services, request, reply, error);
}

static coif_status reply_done(coif_reply *reply, coif_status status, bool done)
{
    coif_reply_json(reply, done ? "{\"done\": true}" : "{\"done\": false}");
    return status;
}

coif_status coif_route_undo(const coif_services *services, const coif_request *request,
                            coif_reply *reply, coif_error *error)
{
    bool done;
    (void)request;
    const coif_status status = coif_studio_undo(services->studio, &done, error);
    return reply_done(reply, status, done);
}

coif_status coif_route_redo(const coif_services *services, const coif_request *request,
                            coif_reply *reply, coif_error *error)
{
    bool done;
    (void)request;
    const coif_status status = coif_studio_redo(services->studio, &done, error);
    return reply_done(reply, status, done);
}

coif_status coif_route_save(const coif_services *services, const coif_request *request,
                            coif_reply *reply, coif_error *error)
{
    bool modified;
    const bool force = coif_request_number(request, "force", 0, 0, 1) == 1;
    const coif_status status = coif_studio_save(services->studio, force, &modified, error);
    if (modified) {
        coif_reply_error(reply, error, 409);
        return COIF_OK;
    }
    COIF_TRY(status);
    coif_reply_json(reply, "{\"saved\": true}");
    return COIF_OK;
}

// ?name=bob&body=head&group=scalp: {"grooms": [...]} of a hairstyle on a body of the scene.
coif_status coif_route_preset(const coif_services *services, const coif_request *request,
                              coif_reply *reply, coif_error *error)
{
    const coif_studio *studio = services->studio;
    const char *name = coif_request_query(request, "name");
    const char *body_name = coif_request_query(request, "body");
    const char *group = coif_request_query(request, "group");
    const coif_body *body =
        coif_bodies_find(studio->bodies, studio->body_count, body_name != NULL ? body_name : "");
    if (body == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "body=%s: the scene has no such body",
                         body_name != NULL ? body_name : "");
    }
    coif_preset preset;
    COIF_TRY(coif_project_find_preset(&preset, services->project, name != NULL ? name : "",
                                      reply->arena, error));
    const coif_preset_head head = {.body = body->params.name,
                                   .group = group != NULL ? group : "",
                                   .growth = coif_group_bounds(&body->rest, group)};
    if (!(head.growth.low.x < head.growth.high.x)) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "group=%s: body \"%s\" has no such triangles",
                         head.group, head.body);
    }
    char *grooms;
    COIF_TRY(coif_preset_grooms(&grooms, &preset, &head, &studio->plugins, reply->arena, error));
    coif_reply_json(reply, coif_arena_print(reply->arena, "{\"grooms\": [%s]}", grooms));
    return COIF_OK;
}
