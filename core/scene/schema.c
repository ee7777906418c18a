// JSON Schema (draft 2020-12) of the section tree, for completion and validation in editors.
//
// It contains structure, names, choices and the limits of plain values. Limits inside keyframes,
// map names and missing files are checked by the loader only.
#include "core/base/arena.h"
#include "core/scene/scene.h"
#include "core/scene/schema_param.h"

#include <string.h>

typedef struct writer {
    coif_json_writer json;
    const coif_plugin **plugins; // by id
    size_t plugin_count;
    coif_arena *arena;
} writer;

static void put_if_then(writer *out, const coif_plugin *plugin)
{
    coif_write_open(&out->json, NULL, "{");
    coif_write_raw(&out->json, "if",
                   coif_arena_print(out->arena,
                                    "{\"properties\": {\"plugin\": {\"const\": \"%s\"}}, "
                                    "\"required\": [\"plugin\"]}",
                                    plugin->id));
    coif_write_raw(&out->json, "then",
                   coif_arena_print(out->arena, "{\"$ref\": \"#/$defs/%s\"}", plugin->id));
    coif_write_close(&out->json, "}");
}

// Selects the parameters by plugin id.
static void put_plugins(writer *out, int32_t kind)
{
    size_t count = 0;
    for (size_t i = 0; i < out->plugin_count; ++i) {
        if (out->plugins[i]->kind == kind) {
            if (count++ == 0) {
                coif_write_open(&out->json, "allOf", "[");
            }
            put_if_then(out, out->plugins[i]);
        }
    }
    if (count > 0) {
        coif_write_close(&out->json, "]");
    }
}

static void put_plugin_ids(writer *out, int32_t kind)
{
    size_t count = 0;
    coif_write_open(&out->json, "plugin", "{");
    coif_write_text(&out->json, "description", "id of the plugin");
    coif_write_text(&out->json, "type", "string");
    for (size_t i = 0; i < out->plugin_count; ++i) {
        if (out->plugins[i]->kind == kind) {
            if (count++ == 0) {
                coif_write_open(&out->json, "enum", "[");
            }
            coif_write_text(&out->json, NULL, out->plugins[i]->id);
        }
    }
    if (count > 0) {
        coif_write_close(&out->json, "]");
    }
    coif_write_close(&out->json, "}");
}

static void put_required(writer *out, const coif_section *section)
{
    const char *const *name = section->required;
    if (section->plugin_kind == 0 && (name == NULL || *name == NULL)) {
        return;
    }
    coif_write_open(&out->json, "required", "[");
    if (section->plugin_kind != 0) {
        coif_write_text(&out->json, NULL, "plugin");
    }
    for (; name != NULL && *name != NULL; ++name) {
        coif_write_text(&out->json, NULL, *name);
    }
    coif_write_close(&out->json, "]");
}

static void put_section(writer *out, const coif_section *section);

// Schema of an object of a section.
static void put_object(writer *out, const coif_section *section, bool root)
{
    coif_write_text(&out->json, "type", "object");
    coif_write_open(&out->json, "properties", "{");
    if (root) {
        coif_write_raw(&out->json, "$schema",
                       "{\"type\": \"string\", \"description\": \"location of this schema\"}");
        coif_write_raw(&out->json, "coif",
                       coif_arena_print(out->arena,
                                        "{\"const\": %d, \"description\": \"format of the scene\"}",
                                        COIF_SCENE_FORMAT));
    }
    coif_write_raw(&out->json, "comment", "{\"$ref\": \"#/$defs/comment\"}");
    if (section->plugin_kind != 0) {
        put_plugin_ids(out, section->plugin_kind);
    }
    for (uint32_t i = 0; i < section->param_count; ++i) {
        coif_schema_param(&out->json, &section->params[i]);
    }
    for (size_t i = 0; section->children != NULL && section->children[i] != NULL; ++i) {
        put_section(out, section->children[i]);
    }
    coif_write_close(&out->json, "}");
    put_required(out, section);
    if (section->plugin_kind != 0) {
        put_plugins(out, section->plugin_kind);
        coif_write_raw(&out->json, "unevaluatedProperties", "false");
    } else {
        coif_write_raw(&out->json, "additionalProperties", "false");
    }
}

static void put_section(writer *out, const coif_section *section)
{
    coif_write_open(&out->json, section->name, "{");
    coif_write_text(&out->json, "description", section->help != NULL ? section->help : "");
    if (section->form == COIF_SECTION_ARRAY) {
        coif_write_text(&out->json, "type", "array");
        coif_write_open(&out->json, "items", "{");
        put_object(out, section, false);
        coif_write_close(&out->json, "}");
    } else {
        put_object(out, section, false);
    }
    coif_write_close(&out->json, "}");
}

static void put_plugin(writer *out, const coif_plugin *plugin)
{
    coif_write_open(&out->json, plugin->id, "{");
    coif_write_text(&out->json, "title", plugin->id);
    coif_write_text(&out->json, "description", plugin->help != NULL ? plugin->help : "");
    coif_write_open(&out->json, "properties", "{");
    for (uint32_t i = 0; i < plugin->param_count; ++i) {
        coif_schema_param(&out->json, &plugin->params[i]);
    }
    coif_write_close(&out->json, "}");
    coif_write_close(&out->json, "}");
}

static void put_definitions(writer *out)
{
    coif_write_open(&out->json, "$defs", "{");
    coif_schema_forms(&out->json);
    for (size_t i = 0; i < out->plugin_count; ++i) {
        put_plugin(out, out->plugins[i]);
    }
    coif_write_close(&out->json, "}");
}

// Sorted by id without duplicates, so that the text does not depend on discovery order.
static void sort_plugins(writer *out, const coif_plugin_lookup *plugins)
{
    int32_t total = 0;
    while (plugins != NULL && plugins->at(plugins->data, total) != NULL) {
        ++total;
    }
    out->plugins = coif_arena_new(out->arena, total + 1, const coif_plugin *);
    for (int32_t i = 0; i < total; ++i) {
        const coif_plugin *plugin = plugins->at(plugins->data, i);
        size_t at = out->plugin_count;
        while (at > 0 && strcmp(out->plugins[at - 1]->id, plugin->id) > 0) {
            --at;
        }
        if (at > 0 && strcmp(out->plugins[at - 1]->id, plugin->id) == 0) {
            continue;
        }
        memmove(out->plugins + at + 1, out->plugins + at,
                (out->plugin_count - at) * sizeof *out->plugins);
        out->plugins[at] = plugin;
        ++out->plugin_count;
    }
}

char *coif_scene_schema(const coif_section *tree, const coif_plugin_lookup *plugins,
                        coif_arena *arena)
{
    writer out = {.arena = arena};
    coif_json_writer_init(&out.json, arena);
    sort_plugins(&out, plugins);
    coif_write_open(&out.json, NULL, "{");
    coif_write_text(&out.json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    coif_write_text(&out.json, "title", "coif scene");
    coif_write_text(&out.json, "description", tree->help != NULL ? tree->help : "");
    put_object(&out, tree, true);
    put_definitions(&out);
    coif_write_close(&out.json, "}");
    coif_strbuf_add(&out.json.text, "\n");
    return out.json.text.data;
}
