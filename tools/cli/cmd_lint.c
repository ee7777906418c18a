// coif lint: checks a scene and every file it references, without writing anything.
//
// The scene loader reports all errors of the text. When there are none, every mesh and image is
// loaded, every plugin instantiated, and a sample of the strands of every groom generated. An error
// does not hide the next one.
#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/body/body_parent.h"
#include "core/image/image.h"
#include "core/image/udim.h"
#include "sim/groom/groom_generate.h"
#include "tools/cli/command.h"
#include "tools/cli/lint_hints.h"

#include <stdio.h>
#include <string.h>

// Generated strands per groom: enough for modifiers to fail, and seconds in a debug build.
enum { SAMPLE_STRANDS = 2000 };

typedef struct lint_options {
    coif_text_list scenes;
} lint_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, lint_options, scenes, COIF_ARG_LIST, "", "scene files to check"),
};
// clang-format on

typedef struct lint_context {
    coif_app *app;
    const coif_scene *scene;
    coif_error *found; // every error, one per line; the first sets the exit code
    int32_t error_count;
    coif_body *bodies; // without those that failed to load
    float *hair_reach; // per body, see coif_lint_camera_hints
    int32_t body_count;
    int64_t triangles, strands;
} lint_context;

// Appends the lines of an error.
static void add(lint_context *lint, const coif_error *error)
{
    coif_error *found = lint->found;
    const size_t used = strlen(found->text);
    found->status = found->status != COIF_OK ? found->status : error->status;
    snprintf(found->text + used, sizeof found->text - used, "%s%s", used > 0 ? "\n" : "",
             error->text);
    ++lint->error_count;
}

static void check_image_file(lint_context *lint, const char *path, const char *key)
{
    COIF_SCOPED_ARENA(scratch, "lint image");
    coif_error error = {0}, located = {0};
    coif_image image;
    const coif_status status = coif_image_load(&image, path, &scratch, &error);
    if (status != COIF_OK) {
        coif_fail(&located, status, "%s: %s: %.7000s", lint->scene->path, key, error.text);
        add(lint, &located);
    }
}

// One image, or all existing tiles of a UDIM set, which must not be empty.
static void check_image(lint_context *lint, const char *path, const char *key)
{
    if (!coif_path_is_udim(path)) {
        check_image_file(lint, path, key);
        return;
    }
    int32_t found = 0;
    for (int32_t i = 0; i < COIF_UDIM_TILES; ++i) {
        const char *file = coif_udim_tile_path(path, COIF_UDIM_FIRST + i, &lint->app->arena);
        if (coif_path_exists(file)) {
            check_image_file(lint, file, key);
            ++found;
        }
    }
    if (found == 0) {
        coif_error error = {0};
        coif_fail(&error, COIF_ERR_IO, "%s: %s: %s: no tile from 1001 to 1100 exists",
                  lint->scene->path, key, path);
        add(lint, &error);
    }
}

static void check_values(lint_context *lint, const coif_values *values, const char *path)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_param *row = &values->rows[i];
        const coif_value *value = &values->values[i];
        if (row->type == COIF_PARAM_PATH && value->text != NULL &&
            coif_image_has_extension(value->text)) {
            char key[512];
            snprintf(key, sizeof key, "%s/%s", path, row->name);
            check_image(lint, value->text, key);
        }
    }
}

// A plugin that is disabled in all frames is not instantiated.
static bool is_disabled(const coif_node *node)
{
    const coif_value *enabled = coif_values_find(&node->values, "enabled");
    return enabled != NULL && enabled->given && enabled->key_count <= 1 &&
           enabled->numbers[0] == 0.0;
}

// Instantiates every plugin and loads every image below a node.
static void check_node(lint_context *lint, const coif_node *node)
{
    if (node->plugin != NULL && is_disabled(node)) {
        return;
    }
    if (node->plugin != NULL) {
        coif_error cause = {0}, error = {0};
        coif_plugin_instance *instance;
        if (coif_plugin_instance_open(&instance, node, 1.0, &lint->app->arena, &cause) != COIF_OK) {
            coif_fail_within(&error, lint->scene->path, &cause);
            add(lint, &error);
        }
    } else {
        check_values(lint, &node->values, node->path);
    }
    for (int32_t i = 0; i < node->child_count; ++i) {
        check_node(lint, &node->children[i]);
    }
}

static void check_materials(lint_context *lint, const coif_mesh *mesh, const char *key)
{
    for (int32_t i = 0; i < mesh->material_count; ++i) {
        const coif_mtl *material = &mesh->material_table[i];
        const char *const maps[] = {material->diffuse_map,   material->specular_map,
                                    material->emission_map,  material->opacity_map,
                                    material->bump_map,      material->normal_map,
                                    material->roughness_map, material->metallic_map};
        for (size_t k = 0; k < COIF_COUNT_OF(maps); ++k) {
            if (maps[k] != NULL) {
                check_image_file(lint, maps[k], key);
            }
        }
    }
}

// The simulation loads the files of a sequence frame by frame; here all of them are checked.
static void check_sequence(lint_context *lint, const coif_body *body, const char *key)
{
    for (int frame = body->sequence_first; frame <= body->sequence_last; ++frame) {
        COIF_SCOPED_ARENA(scratch, "sequence check");
        coif_error cause = {0}, error = {0};
        coif_mesh mesh;
        if (coif_body_pose(&mesh, body, frame, &scratch, &cause) != COIF_OK) {
            coif_fail(&error, cause.status, "%s: %s/mesh: %s", lint->scene->path, key, cause.text);
            add(lint, &error);
        }
        if (coif_progress_cancelled(lint->app->progress)) {
            return;
        }
    }
}

static void check_bodies(lint_context *lint)
{
    const coif_node *nodes = coif_node_at(lint->scene->root, "bodies");
    lint->bodies = coif_arena_new(&lint->app->arena, nodes->child_count + 1, coif_body);
    lint->hair_reach = coif_arena_new(&lint->app->arena, nodes->child_count + 1, float);
    for (int32_t i = 0; i < nodes->child_count; ++i) {
        coif_error error = {0};
        coif_body *body = &lint->bodies[lint->body_count];
        if (coif_body_load(body, &nodes->children[i], lint->scene, &lint->app->arena, &error) !=
            COIF_OK) {
            add(lint, &error);
            continue;
        }
        lint->hair_reach[lint->body_count++] = -1.0f;
        lint->triangles += body->rest.triangle_count;
        check_materials(lint, &body->rest, nodes->children[i].path);
        if (body->sequence) {
            check_sequence(lint, body, nodes->children[i].path);
        }
    }
    coif_error error = {0};
    if (lint->body_count == nodes->child_count &&
        coif_bodies_link(lint->bodies, lint->body_count, lint->scene, &lint->app->arena, &error) !=
            COIF_OK) {
        add(lint, &error);
    }
}

static void check_groom(lint_context *lint, const coif_node *node)
{
    coif_error error = {0};
    coif_groom_params params;
    coif_node_read(node, 1.0, &params);
    const coif_body *body = coif_bodies_find(lint->bodies, lint->body_count, params.body);
    if (body == NULL) {
        coif_fail(&error, COIF_ERR_SCENE, "%s: %s/body: body '%s' could not be loaded",
                  lint->scene->path, node->path, params.body);
        add(lint, &error);
        return;
    }
    coif_groom groom;
    COIF_SCOPED_ARENA(scratch, "lint groom");
    int32_t total = 0;
    const coif_groom_generate_desc desc = {.scene = lint->scene,
                                           .node = node,
                                           .body = body,
                                           .frame = 1.0,
                                           .max_strands = SAMPLE_STRANDS,
                                           .total_count = &total};
    if (coif_groom_generate(&groom, &desc, &scratch, lint->app->jobs, &error) != COIF_OK) {
        add(lint, &error);
    } else {
        lint->strands += total;
        coif_lint_groom_hints(lint->scene, node, body, &groom.rest, total);
        float *reach = &lint->hair_reach[body - lint->bodies];
        if (total > 0) {
            *reach = fmaxf(*reach, coif_lint_hair_reach(body, &groom.rest));
        }
    }
}

// Generation instantiates maps and modifiers again, so it is skipped when one of them failed.
static void check_grooms(lint_context *lint)
{
    const coif_node *nodes = coif_node_at(lint->scene->root, "grooms");
    for (int32_t i = 0; i < nodes->child_count; ++i) {
        const int32_t before = lint->error_count;
        check_node(lint, &nodes->children[i]);
        if (lint->error_count == before) {
            check_groom(lint, &nodes->children[i]);
        }
    }
}

static coif_status check_scene(coif_app *app, const char *path, coif_error *found)
{
    coif_scene *scene;
    coif_error error = {0};
    lint_context lint = {.app = app, .found = found};
    if (coif_app_load_scene(&scene, app, path, &error) != COIF_OK) {
        add(&lint, &error);
        return found->status;
    }
    lint.scene = scene;
    check_bodies(&lint);
    for (int32_t i = 0; i < scene->root->child_count; ++i) {
        const coif_node *child = &scene->root->children[i];
        if (child != coif_node_at(scene->root, "grooms")) {
            check_node(&lint, child);
        }
    }
    check_grooms(&lint);
    coif_lint_camera_hints(scene, lint.bodies, lint.body_count, lint.hair_reach);
    if (lint.error_count > 0) {
        return found->status;
    }
    if (coif_progress_cancelled(app->progress)) {
        return coif_fail(found, COIF_ERR_CANCELLED, "%s: cancelled before everything was checked",
                         path);
    }
    const int32_t grooms = coif_node_at(scene->root, "grooms")->child_count;
    return coif_app_print(
        coif_arena_print(&app->arena,
                         "%s: no errors; %d %s with %lld triangles, %d %s with %lld strands\n",
                         path, lint.body_count, lint.body_count == 1 ? "body" : "bodies",
                         (long long)lint.triangles, grooms, grooms == 1 ? "groom" : "grooms",
                         (long long)lint.strands),
        NULL, found);
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const lint_options *lint = options;
    for (int32_t i = 0; i < lint->scenes.count; ++i) {
        check_scene(app, lint->scenes.items[i], error);
    }
    return error->status;
}

const coif_command COIF_COMMAND_LINT = {
    .name = "lint",
    .help = "check scenes and every file they reference",
    .more =
        "Reports all errors, not only the first, and warns of keys without effect and of likely "
        "slips:\nunused maps, grooms without strands, bodies of unlikely size, cameras that "
        "see nothing. Loads meshes, images and plugins, generates "
        "2,000 strands\nof each groom, and writes nothing.\n",
    .examples = "  coif lint scenes/tiny.json scenes/demo.json\n"
                "  coif lint scenes/tiny.json --set grooms/0/count=100\n",
    COIF_COMMAND_OPTIONS(lint_options, OPTIONS),
    .run = run,
};
