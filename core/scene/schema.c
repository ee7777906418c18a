// JSON Schema (draft 2020-12) of the section tree, for completion and validation in editors.
//
// It contains structure, names, choices and the limits of plain values. Limits inside keyframes,
// map names and missing files are checked by the loader only.
#include "core/base/arena.h"
#include "core/json/json_writer.h"
#include "core/scene/applies_to.h"
#include "core/scene/texture_value.h"

#include <math.h>
#include <string.h>

// Type name used in the definitions.
static const char *form_name(const coif_param *row)
{
    switch (row->type) {
    case COIF_PARAM_FLOAT:
        return "number";
    case COIF_PARAM_INT:
        return "integer";
    case COIF_PARAM_BOOL:
        return "boolean";
    case COIF_PARAM_VEC3:
        return "vector";
    case COIF_PARAM_COLOR:
        return (row->flags & COIF_PARAM_MAPPABLE) != 0 ? "color" : "vector";
    default:
        return "string";
    }
}

static void put_limits(coif_json_writer *out, const coif_param *row)
{
    if (row->low != row->high && isfinite(row->low)) {
        coif_write_number(out, "minimum", row->low);
    }
    if (row->low != row->high && isfinite(row->high)) {
        coif_write_number(out, "maximum", row->high);
    }
}

// Schema of a plain value.
static void put_plain(coif_json_writer *out, const coif_param *row)
{
    switch (row->type) {
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        coif_write_text(out, "type", "array");
        coif_write_open(out, "items", "{");
        coif_write_text(out, "type", "number");
        put_limits(out, row);
        coif_write_close(out, "}");
        coif_write_raw(out, "minItems", "3");
        coif_write_raw(out, "maxItems", "3");
        break;
    case COIF_PARAM_CHOICE:
        coif_write_open(out, "enum", "[");
        for (size_t i = 0; i < coif_param_choice_count(row); ++i) {
            double number;
            coif_write_text(out, NULL, row->choices[i]);
            if (coif_param_choice_number(row->choices[i], &number)) {
                coif_write_number(out, NULL, number);
            }
        }
        coif_write_close(out, "]");
        break;
    case COIF_PARAM_FLOAT:
    case COIF_PARAM_INT:
        coif_write_text(out, "type", form_name(row));
        put_limits(out, row);
        break;
    default:
        if ((row->flags & COIF_PARAM_WORDS) != 0) {
            coif_write_raw(out, "type", "[\"string\", \"array\"]");
            coif_write_raw(out, "items", "{\"type\": \"string\"}");
        } else {
            coif_write_text(out, "type", form_name(row));
        }
    }
}

static void put_default(coif_json_writer *out, const coif_param *row)
{
    const size_t choices = coif_param_choice_count(row);
    coif_strbuf three;
    switch (row->type) {
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        coif_strbuf_init(&three, out->text.arena);
        for (int i = 0; i < 3; ++i) {
            coif_strbuf_add(&three, i == 0 ? "[" : ", ");
            coif_strbuf_add_number(&three, row->fallback[i]);
        }
        coif_strbuf_add(&three, "]");
        coif_write_raw(out, "default", three.data);
        break;
    case COIF_PARAM_FLOAT:
    case COIF_PARAM_INT:
        coif_write_number(out, "default", row->fallback[0]);
        break;
    case COIF_PARAM_BOOL:
        coif_write_raw(out, "default", row->fallback[0] != 0 ? "true" : "false");
        break;
    case COIF_PARAM_CHOICE:
        if (row->fallback[0] >= 0 && row->fallback[0] < (double)choices) {
            coif_write_text(out, "default", row->choices[(size_t)row->fallback[0]]);
        }
        break;
    default:
        coif_write_text(out, "default", "");
    }
}

// {"solver": ["pbd", "ftl"]}: an annotation that validators ignore.
static void put_applies_to(coif_json_writer *out, const coif_applies_to *rule, const char *param)
{
    char word[64];
    coif_write_open(out, "applies_to", "{");
    for (; rule != NULL; rule = coif_section_next_rule(rule, param)) {
        coif_write_open(out, rule->choice, "[");
        for (const char *list = rule->values; coif_next_word(&list, word, sizeof word);) {
            coif_write_text(out, NULL, word);
        }
        coif_write_close(out, "]");
    }
    coif_write_close(out, "}");
}

// {"mueller2007": {"description": ..., "values": {...}}}: an annotation as well.
static void put_presets(coif_json_writer *out, const coif_param_preset *preset)
{
    coif_write_open(out, "presets", "{");
    for (; preset->name != NULL; ++preset) {
        coif_write_open(out, preset->name, "{");
        coif_write_text(out, "description", preset->help);
        coif_write_raw(out, "values", preset->values);
        coif_write_close(out, "}");
    }
    coif_write_close(out, "}");
}

// What a section knows about a parameter besides its row.
typedef struct param_notes {
    const coif_applies_to *rule;      // as of coif_section_applies_to
    const coif_param_preset *presets; // of the choice of that name, or NULL
    const coif_reference *reference;  // or NULL
    bool advanced;                    // not in the list of basic ones
} param_notes;

static void put_param(coif_json_writer *out, const coif_param *row, const param_notes *notes)
{
    const bool unit = row->unit != NULL && row->unit[0] != '\0';
    coif_write_open(out, row->name, "{");
    coif_write_text(out, "description",
                    coif_arena_print(out->text.arena, "%s%s%s%s",
                                     row->help != NULL ? row->help : "", unit ? " (" : "",
                                     unit ? row->unit : "", unit ? ")" : ""));
    put_default(out, row);
    if (notes->rule != NULL) {
        put_applies_to(out, notes->rule, row->name);
    }
    if (notes->presets != NULL) {
        put_presets(out, notes->presets);
    }
    if (notes->advanced) { // these three are annotations as well
        coif_write_raw(out, "advanced", "true");
    }
    if (row->type == COIF_PARAM_PATH) {
        coif_write_raw(out, "file", "true");
    }
    if (notes->reference != NULL) {
        coif_write_text(out, "refers_to",
                        notes->reference->section != NULL ? notes->reference->section : ".");
    }
    if ((row->flags & COIF_PARAM_CONSTANT) != 0) {
        coif_write_raw(out, "not", "{\"type\": \"object\", \"required\": [\"keys\"]}");
    }
    if (row->type == COIF_PARAM_PATH || row->type == COIF_PARAM_STRING) {
        put_plain(out, row);
    } else {
        const bool varies = row->type == COIF_PARAM_FLOAT || row->type == COIF_PARAM_VEC3 ||
                            row->type == COIF_PARAM_COLOR;
        coif_write_open(out, "anyOf", "[");
        coif_write_open(out, NULL, "{");
        put_plain(out, row);
        coif_write_close(out, "}");
        coif_write_open(out, NULL, "{");
        coif_write_text(
            out, "$ref",
            coif_arena_print(out->text.arena, "#/$defs/%s%s%s",
                             varies && (row->flags & COIF_PARAM_MAPPABLE) ? "mapped_" : "",
                             varies && (row->flags & COIF_PARAM_RAMP) ? "ramped_" : "",
                             form_name(row)));
        coif_write_close(out, "}");
        coif_write_close(out, "]");
    }
    coif_write_close(out, "}");
}

static void put_keys(coif_json_writer *out, const char *plain)
{
    coif_write_open(out, "keys", "{");
    coif_write_text(out, "description",
                    "keyframes: frame and value, ascending frames, constant outside");
    coif_write_text(out, "type", "array");
    coif_write_raw(out, "minItems", "1");
    coif_write_raw(
        out, "items",
        coif_arena_print(out->text.arena,
                         "{\"type\": \"array\", \"prefixItems\": [{\"type\": \"number\"}, %s], "
                         "\"minItems\": 2, \"maxItems\": 2}",
                         plain));
    coif_write_close(out, "}");
}

typedef struct writer {
    coif_json_writer json;
    const coif_plugin **plugins; // by id
    size_t plugin_count;
    coif_arena *arena;
} writer;

// Plugin of the maps of textures, NULL when absent.
static const coif_plugin *texture_plugin(const writer *out)
{
    for (size_t i = 0; i < out->plugin_count; ++i) {
        if (strcmp(out->plugins[i]->id, COIF_TEXTURE_MAP_PLUGIN) == 0) {
            return out->plugins[i];
        }
    }
    return NULL;
}

static void put_texture(writer *out, const coif_plugin *plugin)
{
    coif_write_raw(&out->json, "texture",
                   "{\"type\": \"string\", \"description\": \"texture over the uv of the "
                   "body; <UDIM> in its name stands for tiles\"}");
    for (uint32_t i = 0; plugin != NULL && i < plugin->param_count; ++i) {
        if (coif_texture_map_has_param(plugin, plugin->params[i].name)) {
            put_param(&out->json, &plugin->params[i], &(param_notes){0});
        }
    }
}

// Members that need another one: "range" a map or texture, parameters of the map a texture.
static void put_dependencies(writer *out, const coif_plugin *plugin)
{
    coif_write_open(&out->json, "dependentSchemas", "{");
    coif_write_raw(&out->json, "range",
                   plugin == NULL ? "{\"required\": [\"map\"]}"
                                  : "{\"anyOf\": [{\"required\": [\"map\"]}, {\"required\": "
                                    "[\"texture\"]}]}");
    for (uint32_t i = 0; plugin != NULL && i < plugin->param_count; ++i) {
        if (coif_texture_map_has_param(plugin, plugin->params[i].name)) {
            coif_write_raw(&out->json, plugin->params[i].name, "{\"required\": [\"texture\"]}");
        }
    }
    coif_write_close(&out->json, "}");
}

// Schema of a value object; type is that of the plain value.
static void put_form(writer *to, const char *type, bool mapped, bool ramped)
{
    coif_json_writer *out = &to->json;
    const bool color = strcmp(type, "color") == 0;
    const bool vector = color || strcmp(type, "vector") == 0;
    const coif_plugin *plugin = mapped && !color ? texture_plugin(to) : NULL;
    const char *plain =
        vector ? "{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 3, "
                 "\"maxItems\": 3}"
               : coif_arena_print(to->arena, "{\"type\": \"%s\"}", type);
    coif_write_open(out,
                    coif_arena_print(to->arena, "%s%s%s", mapped ? "mapped_" : "",
                                     ramped ? "ramped_" : "", type),
                    "{");
    coif_write_text(out, "type", "object");
    coif_write_open(out, "properties", "{");
    coif_write_raw(out, "value", plain);
    put_keys(out, plain);
    if (mapped) {
        coif_write_raw(out, "map",
                       "{\"type\": \"string\", \"description\": \"name of a scalp map\"}");
        coif_write_raw(out, "range",
                       vector ? "{\"$ref\": \"#/$defs/range_of_three\"}"
                              : "{\"$ref\": \"#/$defs/range\"}");
    }
    if (color || plugin != NULL) {
        put_texture(to, plugin);
    }
    if (ramped) {
        coif_write_raw(out, "ramp", "{\"$ref\": \"#/$defs/ramp\"}");
    }
    coif_write_raw(out, "comment", "{\"$ref\": \"#/$defs/comment\"}");
    coif_write_close(out, "}");
    coif_write_open(out, "oneOf", "[");
    coif_write_raw(out, NULL, "{\"required\": [\"value\"]}");
    coif_write_raw(out, NULL, "{\"required\": [\"keys\"]}");
    if (mapped) {
        coif_write_raw(out, NULL,
                       vector ? "{\"required\": [\"map\", \"range\"]}"
                              : "{\"required\": [\"map\"]}");
    }
    if (color || plugin != NULL) {
        coif_write_raw(out, NULL,
                       vector && !color ? "{\"required\": [\"texture\", \"range\"]}"
                                        : "{\"required\": [\"texture\"]}");
    }
    coif_write_close(out, "]");
    if (mapped) {
        put_dependencies(to, plugin);
    }
    coif_write_raw(out, "additionalProperties", "false");
    coif_write_close(out, "}");
}

static void put_forms(writer *to)
{
    coif_json_writer *out = &to->json;
    coif_write_raw(out, "comment", "{\"type\": \"string\", \"description\": \"comment, ignored\"}");
    coif_write_raw(out, "range",
                   "{\"type\": \"array\", \"items\": {\"type\": \"number\"}, \"minItems\": 2, "
                   "\"maxItems\": 2, \"description\": \"values for 0 and 1 of the map\"}");
    coif_write_raw(out, "range_of_three",
                   "{\"type\": \"array\", \"items\": {\"type\": \"array\", \"items\": {\"type\": "
                   "\"number\"}, \"minItems\": 3, \"maxItems\": 3}, \"minItems\": 2, "
                   "\"maxItems\": 2, \"description\": \"values for 0 and 1 of the map\"}");
    coif_write_raw(out, "ramp",
                   "{\"type\": \"array\", \"minItems\": 1, \"items\": {\"type\": \"array\", "
                   "\"prefixItems\": [{\"type\": \"number\", \"minimum\": 0, \"maximum\": 1}, "
                   "{\"type\": \"number\"}], \"minItems\": 2, \"maxItems\": 2}, \"description\": "
                   "\"position from root (0) to tip (1), ascending, and factor\"}");
    put_form(to, "number", false, false);
    put_form(to, "number", true, false);
    put_form(to, "number", false, true);
    put_form(to, "number", true, true);
    put_form(to, "integer", false, false);
    put_form(to, "boolean", false, false);
    put_form(to, "vector", false, false);
    put_form(to, "vector", true, false);
    put_form(to, "vector", true, true);
    put_form(to, "color", true, false);
    put_form(to, "color", true, true);
    put_form(to, "string", false, false);
}

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

// A parameter of a section that inherits is described where its table belongs.
static void put_inherited(writer *out, const coif_section *section, const coif_param *row)
{
    coif_write_raw(&out->json, row->name,
                   coif_arena_print(out->arena, "{\"$ref\": \"#/properties/%s/properties/%s\"}",
                                    section->inherits, row->name));
}

static void put_section(writer *out, const coif_section *section);

static const coif_reference *find_reference(const coif_section *section, const char *row)
{
    const coif_reference *found = section->references;
    while (found != NULL && found->row != NULL && strcmp(found->row, row) != 0) {
        ++found;
    }
    return found != NULL && found->row != NULL ? found : NULL;
}

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
        const coif_param *row = &section->params[i];
        if (section->inherits == NULL) {
            put_param(
                &out->json, row,
                &(param_notes){
                    .rule = coif_section_applies_to(section, row->name),
                    .presets = strcmp(row->name, "preset") == 0 ? section->presets : NULL,
                    .reference = find_reference(section, row->name),
                    .advanced = section->basic != NULL && !coif_has_word(section->basic, row->name),
                });
        } else if ((row->flags & COIF_PARAM_GLOBAL) == 0) {
            put_inherited(out, section, row);
        }
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
    if (section->inherits != NULL) { // an annotation that validators ignore
        coif_write_text(&out->json, "inherits", section->inherits);
    }
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
        put_param(&out->json, &plugin->params[i], &(param_notes){0});
    }
    coif_write_close(&out->json, "}");
    coif_write_close(&out->json, "}");
}

static void put_definitions(writer *out)
{
    coif_write_open(&out->json, "$defs", "{");
    put_forms(out);
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
