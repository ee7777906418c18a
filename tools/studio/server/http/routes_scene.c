// The scene's text and what it says, as the page asks for it.
#include "core/json/json.h"
#include "core/json/json_writer.h"
#include "render/film/aov.h"
#include "sim/groom/groom_generate.h"
#include "tools/studio/server/document/growth_surface.h"
#include "tools/studio/server/document/paint_maps.h"
#include "tools/studio/server/http/routes.h"

#include <string.h>

// Numbers of the squares in the order of the sheet; none for a layer that is one file.
static void put_squares(coif_json_writer *out, const coif_paint_map *layer)
{
    coif_write_number(out, "atlas_columns", layer->across);
    coif_write_open(out, "udims", "[");
    for (int32_t i = 0; i < layer->square_count && layer->squares[i].number > 0; ++i) {
        coif_write_number(out, NULL, layer->squares[i].number);
    }
    coif_write_close(out, "]");
}

static void put_layers(coif_json_writer *out, const coif_studio *studio)
{
    coif_write_open(out, "layers", "[");
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        const coif_paint_map *layer = &studio->layers[i];
        coif_write_open(out, NULL, "{");
        coif_write_number(out, "id", i);
        coif_write_text(out, "path", layer->path);
        coif_write_number(out, "width", layer->width);
        coif_write_number(out, "height", layer->height);
        coif_write_number(out, "low", layer->low);
        coif_write_number(out, "high", layer->high);
        put_squares(out, layer);
        if (layer->refusal != NULL) {
            coif_write_text(out, "read_only_reason", layer->refusal);
        }
        coif_write_number(out, "revision", (double)layer->revision);
        coif_write_raw(out, "dirty", coif_paint_map_dirty(layer) ? "true" : "false");
        coif_write_raw(out, "listed", layer->listed ? "true" : "false");
        coif_write_close(out, "}");
    }
    coif_write_close(out, "]");
}

// Which layer each map of each groom is, -1 for those that are not painted.
static void put_grooms(coif_json_writer *out, const coif_studio *studio)
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
        coif_growth_surface ground;
        const bool stands = coif_growth_surface_of(&ground, studio, node, NULL) == COIF_OK;
        coif_write_number(out, "roots", stands ? coif_growth_surface_roots(&ground) : 0);
        coif_write_open(out, "maps", "[");
        const coif_node *maps = coif_node_at(node, "maps");
        for (int32_t m = 0; m < maps->child_count; ++m) {
            const coif_paint_map *layer = coif_paint_maps_of_map(studio, &maps->children[m]);
            coif_write_number(out, NULL, layer != NULL ? (double)(layer - studio->layers) : -1);
        }
        coif_write_close(out, "]");
        coif_write_close(out, "}");
    }
    coif_write_close(out, "]");
}

coif_status coif_route_state(coif_studio *studio, const coif_request *request, coif_reply *reply,
                             coif_error *error)
{
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
    coif_write_raw(&out, "journal_quarantined", studio->journal.aside ? "true" : "false");
    coif_write_raw(&out, "cache", studio->cache != NULL ? "true" : "false");
    put_grooms(&out, studio);
    put_layers(&out, studio);
    coif_write_text(&out, "text", studio->text);
    coif_write_close(&out, "}");
    coif_reply_json(reply, out.text.data);
    return COIF_OK;
}

// [{"name": "lobes", "layers": ["R", "TT", ...]}, ...]: the words of "image/aovs" and the AOVs of
// each that can be displayed.
coif_status coif_route_aovs(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    (void)studio, (void)request, (void)error;
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

coif_status coif_route_schema(coif_studio *studio, const coif_request *request, coif_reply *reply,
                              coif_error *error)
{
    (void)request, (void)error;
    coif_reply_json(reply, coif_scene_schema(studio->tree, &studio->plugins, reply->arena));
    return COIF_OK;
}

// {"edits": [{"path": "/sim/substeps", "value": 4}, {"path": "/forces/0"}], "stroke": "s1"}
coif_status coif_route_edit(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    coif_json *root;
    COIF_TRY(
        coif_json_parse(&root, "edit", request->body, request->body_size, reply->arena, error));
    const coif_json *list = coif_json_find(root, "edits");
    const coif_json *stroke = coif_json_find(root, "stroke");
    if (list == NULL || list->kind != COIF_JSON_ARRAY) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "edit: no list of edits");
    }
    coif_edit *edits = coif_arena_new(reply->arena, list->child_count + 1, coif_edit);
    int32_t count = 0;
    for (const coif_json *edit = list->child; edit != NULL; edit = edit->next) {
        const coif_json *place = coif_json_find(edit, "path");
        const coif_json *value = coif_json_find(edit, "value");
        if (place == NULL || place->kind != COIF_JSON_STRING) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "edit: path is missing");
        }
        edits[count].place = place->text;
        if (value != NULL) {
            edits[count].value =
                coif_arena_print(reply->arena, "%.*s", (int)(value->end - value->begin),
                                 request->body + value->begin);
        }
        ++count;
    }
    const bool named = stroke != NULL && stroke->kind == COIF_JSON_STRING;
    COIF_TRY(coif_studio_edit(studio, edits, count, named ? stroke->text : "", error));
    return coif_route_state(studio, request, reply, error);
}

coif_status coif_route_text(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    if (strlen(request->body) != request->body_size) {
        return coif_fail(error, COIF_ERR_FORMAT, "the text has a zero byte in it");
    }
    COIF_TRY(coif_studio_set_text(studio, request->body, "", error));
    return coif_route_state(studio, request, reply, error);
}

coif_status coif_route_undo(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    bool done;
    (void)request;
    COIF_TRY(coif_studio_undo(studio, &done, error));
    coif_reply_json(reply, done ? "{\"done\": true}" : "{\"done\": false}");
    return COIF_OK;
}

coif_status coif_route_redo(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    bool done;
    (void)request;
    COIF_TRY(coif_studio_redo(studio, &done, error));
    coif_reply_json(reply, done ? "{\"done\": true}" : "{\"done\": false}");
    return COIF_OK;
}

coif_status coif_route_save(coif_studio *studio, const coif_request *request, coif_reply *reply,
                            coif_error *error)
{
    bool foreign;
    const bool force = coif_request_number(request, "force", 0, 0, 1) == 1;
    const coif_status status = coif_studio_save(studio, force, &foreign, error);
    if (foreign) {
        coif_reply_error(reply, error, 409);
        return COIF_OK;
    }
    COIF_TRY(status);
    coif_reply_json(reply, "{\"saved\": true}");
    return COIF_OK;
}
