// coif schema: JSON Schema and reference page of scene files.
#include "tools/cli/command.h"

typedef struct schema_options {
    const char *out;
    int32_t markdown;
} schema_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG(schema_options, out, COIF_PARAM_PATH, "FILE", "output file instead of stdout"),
    COIF_ARG(schema_options, markdown, COIF_PARAM_BOOL, "", "print the scene reference in Markdown instead of JSON Schema"),
};
// clang-format on

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const schema_options *schema = options;
    COIF_TRY(coif_app_open_plugins(app, error));
    const coif_plugin_lookup lookup = coif_plugins_lookup(app->plugins);
    const coif_section *tree = coif_scene_tree(&app->arena);
    const char *text = schema->markdown != 0 ? coif_scene_reference(tree, app->plugins, &app->arena)
                                             : coif_scene_schema(tree, &lookup, &app->arena);
    return coif_app_print(text, schema->out, error);
}

const coif_command COIF_COMMAND_SCHEMA = {
    .name = "schema",
    .help = "print the JSON Schema of scene files",
    .more = "With \"$schema\" in a scene an editor completes and validates it. Loaded plugin "
            "modules are\n"
            "included.\n",
    .examples = "  coif schema --out scene.schema.json\n"
                "  coif schema --markdown --out scene.md\n",
    COIF_COMMAND_OPTIONS(schema_options, OPTIONS),
    .run = run,
};
