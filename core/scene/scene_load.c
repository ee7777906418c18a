// Scene loading: parse, apply --set, validate.
#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/fs.h"
#include "core/scene/scene_validate.h"
#include "core/scene/texture_maps.h"

// A syntax error in a scene is COIF_ERR_SCENE, not COIF_ERR_FORMAT.
static coif_status parse(coif_json **root, const coif_scene *scene, coif_arena *arena,
                         coif_error *error)
{
    coif_error syntax = {0};
    if (coif_json_parse(root, scene->path, scene->source, scene->source_size, arena, &syntax) !=
        COIF_OK) {
        return coif_fail(error, COIF_ERR_SCENE, "%s", syntax.text);
    }
    return COIF_OK;
}

// Sections of the root whose values come from a file.
static coif_status read_files(const coif_scene *scene, coif_arena *arena, coif_error *error)
{
    for (int32_t i = 0; i < scene->root->child_count; ++i) {
        coif_node *node = &scene->root->children[i];
        if (!node->list && node->section->read_file != NULL) {
            COIF_TRY(node->section->read_file(node, scene, arena, error));
        }
    }
    return COIF_OK;
}

coif_status coif_scene_load(coif_scene *scene, const coif_scene_desc *desc, coif_arena *arena,
                            coif_error *error)
{
    *scene = (coif_scene){.path = coif_arena_copy_text(arena, desc->path),
                          .folder = coif_path_folder(desc->path, arena),
                          .source = desc->source,
                          .source_size = desc->source_size,
                          .guide_overrides = desc->guide_overrides};
    if (desc->source == NULL) {
        char *source;
        COIF_TRY(coif_file_load(&source, &scene->source_size, desc->path, arena, error));
        scene->source = source;
    }

    coif_json *json;
    COIF_TRY(parse(&json, scene, arena, error));
    coif_diagnostics diagnostics;
    coif_diagnostics_init(&diagnostics, scene->path, arena);
    for (int32_t i = 0; i < desc->set_count; ++i) {
        COIF_TRY(coif_scene_override(json, desc->sets[i], &diagnostics, error));
    }
    const coif_scene_validate check = {desc->tree, desc->plugins, scene->folder, &diagnostics,
                                       arena};
    scene->root = coif_scene_validate_tree(&check, json);
    scene->root->image_overrides = desc->image_overrides;
    coif_scene_add_texture_maps(&check, scene->root);
    coif_scene_validate_references(&check, scene->root);
    COIF_TRY(coif_diagnostics_status(&diagnostics, error));
    COIF_TRY(read_files(scene, arena, error));

    scene->digest = coif_node_digest(scene->root, NULL);
    return COIF_OK;
}
