// scene_reference: the reference page of scene files in Markdown, from the parameter tables.
#include "core/base/strbuf.h"
#include "core/scene/applies_to.h"
#include "core/scene/params.h"
#include "tools/cli/command.h"

#include <string.h>

static void add_number(coif_strbuf *text, double number)
{
    coif_strbuf_print(text, "%.9g", number);
}

const char *coif_param_type_name(int32_t type)
{
    static const char *const names[] = {"?",     "number", "integer", "boolean", "vector",
                                        "color", "choice", "path",    "string"};
    return type > 0 && type < (int32_t)COIF_COUNT_OF(names) ? names[type] : names[0];
}

static void add_choices(coif_strbuf *text, const coif_param *param)
{
    for (size_t i = 0; param->choices[i] != NULL; ++i) {
        coif_strbuf_print(text, "%s`%s`", i > 0 ? " " : "", param->choices[i]);
    }
}

static void add_default(coif_strbuf *text, const coif_param *param)
{
    const double *value = param->fallback;
    switch (param->type) {
    case COIF_PARAM_BOOL:
        coif_strbuf_add(text, value[0] != 0.0 ? "true" : "false");
        break;
    case COIF_PARAM_VEC3:
    case COIF_PARAM_COLOR:
        coif_strbuf_print(text, "[%.9g, %.9g, %.9g]", value[0], value[1], value[2]);
        break;
    case COIF_PARAM_CHOICE:
        coif_strbuf_print(text, "`%s`", param->choices[(int32_t)value[0]]);
        break;
    case COIF_PARAM_PATH:
    case COIF_PARAM_STRING:
        coif_strbuf_add(text, "empty");
        break;
    default:
        add_number(text, value[0]);
    }
}

static void add_range(coif_strbuf *text, const coif_param *param)
{
    if (param->type == COIF_PARAM_CHOICE) {
        add_choices(text, param);
    } else if (param->low < param->high && param->type != COIF_PARAM_BOOL &&
               param->type != COIF_PARAM_PATH && param->type != COIF_PARAM_STRING) {
        add_number(text, param->low);
        coif_strbuf_add(text, " to ");
        add_number(text, param->high);
    }
}

// Markdown takes < for the beginning of HTML.
static void add_escaped(coif_strbuf *text, const char *plain)
{
    for (const char *c = plain; *c != '\0'; ++c) {
        if (*c == '<') {
            coif_strbuf_add(text, "&lt;");
        } else {
            coif_strbuf_add_bytes(text, c, 1);
        }
    }
}

// Section: with a column that says to what the parameter applies; NULL: without.
static void add_param(coif_strbuf *text, const coif_param *param, const coif_section *section)
{
    coif_strbuf_print(text, "| `%s` | %s%s%s%s | %s | ", param->name,
                      coif_param_type_name(param->type),
                      (param->flags & COIF_PARAM_MAPPABLE) != 0 ? ", map" : "",
                      (param->flags & COIF_PARAM_RAMP) != 0 ? ", ramp" : "",
                      (param->flags & COIF_PARAM_CONSTANT) != 0 ? ", constant" : "", param->unit);
    add_default(text, param);
    coif_strbuf_add(text, " | ");
    add_range(text, param);
    coif_strbuf_add(text, " | ");
    if (section != NULL) {
        const coif_applies_to *rule = coif_section_applies_to(section, param->name);
        for (const char *between = ""; rule != NULL; between = "; ") {
            coif_strbuf_print(text, "%s%s", between, coif_applies_to_text(rule, text->arena));
            rule = coif_section_next_rule(rule, param->name);
        }
        coif_strbuf_add(text, " | ");
    }
    add_escaped(text, param->help);
    coif_strbuf_add(text, " |\n");
}

static void add_table(coif_strbuf *text, const coif_param *params, uint32_t count,
                      const coif_section *section)
{
    if (count == 0) {
        return;
    }
    const bool rules = section != NULL && section->applies_to != NULL;
    coif_strbuf_print(text,
                      "| key | type | unit | default | range or choices |%s meaning |\n"
                      "| --- | --- | --- | --- | --- |%s --- |\n",
                      rules ? " applies to |" : "", rules ? " --- |" : "");
    for (uint32_t i = 0; i < count; ++i) {
        add_param(text, &params[i], rules ? section : NULL);
    }
    coif_strbuf_add(text, "\n");
}

// The table is that of the section it inherits from.
static void add_inherited(coif_strbuf *text, const coif_section *section)
{
    coif_strbuf_print(text,
                      "Keys are those of [`%s`](#%s), whose values hold where a key is not "
                      "given here. One value for the whole scene have",
                      section->inherits, section->inherits);
    int32_t count = 0;
    for (uint32_t i = 0; i < section->param_count; ++i) {
        if ((section->params[i].flags & COIF_PARAM_GLOBAL) != 0) {
            coif_strbuf_print(text, "%s `%s`", count++ > 0 ? "," : "", section->params[i].name);
        }
    }
    coif_strbuf_add(text, ", which are an error here.\n\n");
}

static void add_presets(coif_strbuf *text, const coif_param_preset *preset)
{
    if (preset == NULL) {
        return;
    }
    coif_strbuf_add(text, "A preset takes the place of defaults; keys in the scene take "
                          "precedence.\n\n| preset | meaning | values |\n| --- | --- | --- |\n");
    for (; preset->name != NULL; ++preset) {
        coif_strbuf_print(text, "| `%s` | %s | `%s` |\n", preset->name, preset->help,
                          preset->values);
    }
    coif_strbuf_add(text, "\n");
}

static void add_section(coif_strbuf *text, const coif_section *section, const char *path)
{
    coif_strbuf_print(text, "## `%s`%s\n\n%s.\n\n", path,
                      section->form == COIF_SECTION_ARRAY ? " (array)" : "", section->help);
    if (section->plugin_kind != 0) {
        coif_strbuf_add(text, "Each entry names a `plugin`, whose parameters stand beside these "
                              "keys: see [Plugins](#plugins).\n\n");
    }
    if (section->inherits != NULL) {
        add_inherited(text, section);
    } else {
        add_table(text, section->params, section->param_count, section);
        add_presets(text, section->presets);
    }
    for (size_t i = 0; section->children != NULL && section->children[i] != NULL; ++i) {
        char inner[256];
        snprintf(inner, sizeof inner, "%s%s/%s", path,
                 section->form == COIF_SECTION_ARRAY ? "[]" : "", section->children[i]->name);
        add_section(text, section->children[i], inner);
    }
}

const char *coif_scene_reference(const coif_section *root, const coif_plugins *plugins,
                                 coif_arena *arena)
{
    coif_strbuf text;
    coif_strbuf_init(&text, arena);
    coif_strbuf_add(
        &text,
        "# Scene file reference\n\n"
        "<!-- Generated by `coif schema --markdown`; do not edit. -->\n\n"
        "A scene is one JSON object. Keys that are left out take their default; `comment` is "
        "allowed in every object.\nPaths are relative to the scene file. Types marked *map* accept "
        "`{\"map\": NAME, \"range\": [A, B]}` with a scalp map\nof the groom; types marked *ramp* "
        "accept `{\"value\": V, \"ramp\": [[0, 1], [1, 0.5]]}` from root (0) to tip (1).\n"
        "Every number, vector and color accepts keyframes, `{\"keys\": [[FRAME, VALUE], ...]}`, "
        "except "
        "those marked *constant*.\n"
        "*Applies to* names the solver, model or type under which a key has an effect; elsewhere "
        "it is a warning.\n\n");
    for (size_t i = 0; root->children[i] != NULL; ++i) {
        add_section(&text, root->children[i], root->children[i]->name);
    }
    coif_strbuf_add(&text, "## Plugins\n\n");
    for (int32_t i = 0; i < coif_plugins_count(plugins); ++i) {
        const coif_plugin *plugin = coif_plugins_at(plugins, i);
        coif_strbuf_print(&text, "### `%s`\n\n%s\n\n", plugin->id, plugin->help);
        add_table(&text, plugin->params, plugin->param_count, NULL);
    }
    return text.data;
}
