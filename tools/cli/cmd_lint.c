// coif lint: everything a scene needs, tried without making anything.
//
// The scene loader reports all mistakes of the text; when there are none, every mesh is read, every
// plugin is started, every picture that is named is opened, every root is set and a sample of
// the strands of every groom is grown. Each of them may fail without hiding the next.
#include "core/base/arena.h"
#include "core/base/fs.h"
#include "core/body/body.h"
#include "core/image/image.h"
#include "sim/groom/groom_generate.h"
#include "tools/cli/command.h"

#include <stdio.h>
#include <string.h>

// Strands of a groom that are grown. Modifiers that make a mistake make it with these, and a head
// of hair would take minutes of a debug build.
enum { SAMPLE = 2000 };

typedef struct lint_options {
    coif_text_list scenes;
} lint_options;

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARG_WITH(COIF_ARG_ARGUMENT | COIF_ARG_REQUIRED, lint_options, scenes, COIF_ARG_LIST, "", "scene files to check"),
};
// clang-format on

typedef struct inspection {
    coif_app *app;
    const coif_scene *scene;
    coif_error *found; // every mistake, one per line; the first decides the exit code
    int32_t mistakes;
    coif_body *bodies; // those that could be loaded have triangles
    int32_t body_count;
    int64_t triangles, strands;
} inspection;

// Adds the lines of an error to what was found.
static void add(inspection *lint, const coif_error *error)
{
    coif_error *found = lint->found;
    const size_t used = strlen(found->text);
    found->status = found->status != COIF_OK ? found->status : error->status;
    snprintf(found->text + used, sizeof found->text - used, "%s%s", used > 0 ? "\n" : "",
             error->text);
    ++lint->mistakes;
}

static bool is_picture(const char *path)
{
    static const char *const extensions[] = {"exr", "png",  "jpg", "jpeg",
                                             "tif", "tiff", "bmp", "hdr"};
    for (size_t i = 0; i < COIF_COUNT_OF(extensions); ++i) {
        if (coif_path_has_extension(path, extensions[i])) {
            return true;
        }
    }
    return false;
}

static void check_picture(inspection *lint, const char *path, const char *place)
{
    coif_arena scratch;
    coif_error error = {0}, placed = {0};
    coif_image image;
    coif_arena_init(&scratch, "lint picture");
    const coif_status status = coif_image_load(&image, path, &scratch, &error);
    coif_arena_free(&scratch);
    if (status != COIF_OK) {
        coif_fail(&placed, status, "%s: %s: %.7000s", lint->scene->path, place, error.text);
        add(lint, &placed);
    }
}

// All tiles of a UDIM picture that are there; one must be.
static void check_pictures(inspection *lint, const char *path, const char *place)
{
    const char *mark = strstr(path, "<UDIM>");
    if (mark == NULL) {
        check_picture(lint, path, place);
        return;
    }
    int32_t found = 0;
    for (int32_t tile = 1001; tile <= 1100; ++tile) {
        const char *file = coif_arena_print(&lint->app->arena, "%.*s%d%s", (int)(mark - path), path,
                                            tile, mark + strlen("<UDIM>"));
        if (coif_path_exists(file)) {
            check_picture(lint, file, place);
            ++found;
        }
    }
    if (found == 0) {
        coif_error error = {0};
        coif_fail(&error, COIF_ERR_IO, "%s: %s: %s: there is no file with 1001 to 1100 in it",
                  lint->scene->path, place, path);
        add(lint, &error);
    }
}

static void check_values(inspection *lint, const coif_values *values, const char *place)
{
    for (uint32_t i = 0; i < values->row_count; ++i) {
        const coif_param *row = coif_values_param(values, i);
        const coif_value *value = &values->values[i];
        if (row->type == COIF_PARAM_PATH && value->text != NULL && is_picture(value->text)) {
            char where[512];
            snprintf(where, sizeof where, "%s/%s", place, row->name);
            check_pictures(lint, value->text, where);
        }
    }
}

// What is off at all times is never started, and may be unfinished.
static bool is_off(const coif_node *node)
{
    const coif_value *enabled = coif_values_find(&node->values, "enabled");
    return enabled != NULL && enabled->given && enabled->key_count <= 1 &&
           enabled->numbers[0] == 0.0;
}

// Starts every plugin and opens every picture below a node.
static void check_node(inspection *lint, const coif_node *node)
{
    if (node->plugin != NULL && is_off(node)) {
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

static void check_materials(inspection *lint, const coif_mesh *mesh, const char *place)
{
    for (int32_t i = 0; i < mesh->material_count; ++i) {
        const coif_mtl *material = &mesh->material_table[i];
        const char *const maps[] = {material->diffuse_map,   material->specular_map,
                                    material->emission_map,  material->opacity_map,
                                    material->bump_map,      material->normal_map,
                                    material->roughness_map, material->metallic_map};
        for (size_t k = 0; k < COIF_COUNT_OF(maps); ++k) {
            if (maps[k] != NULL) {
                check_picture(lint, maps[k], place);
            }
        }
    }
}

// Later files of a sequence are read when their frame comes; whether they fit is seen here.
static void check_sequence(inspection *lint, const coif_body *body, const char *place)
{
    for (int frame = body->sequence_first + 1; frame <= body->sequence_last; ++frame) {
        coif_arena scratch;
        coif_arena_init(&scratch, "sequence check");
        coif_error cause = {0}, error = {0};
        coif_mesh mesh;
        if (coif_body_pose(&mesh, body, frame, &scratch, &cause) != COIF_OK) {
            coif_fail(&error, cause.status, "%s: %s/mesh: %s", lint->scene->path, place,
                      cause.text);
            add(lint, &error);
        }
        coif_arena_free(&scratch);
        if (coif_progress_cancelled(lint->app->progress)) {
            return;
        }
    }
}

static void check_bodies(inspection *lint)
{
    const coif_node *nodes = coif_node_at(lint->scene->root, "bodies");
    lint->bodies = coif_arena_new(&lint->app->arena, nodes->child_count + 1, coif_body);
    for (int32_t i = 0; i < nodes->child_count; ++i) {
        coif_error error = {0};
        coif_body *body = &lint->bodies[lint->body_count];
        if (coif_body_load(body, &nodes->children[i], lint->scene, &lint->app->arena, &error) !=
            COIF_OK) {
            add(lint, &error);
            continue;
        }
        ++lint->body_count;
        lint->triangles += body->rest.triangle_count;
        check_materials(lint, &body->rest, nodes->children[i].path);
        if (body->sequence) {
            check_sequence(lint, body, nodes->children[i].path);
        }
    }
}

static void check_groom(inspection *lint, const coif_node *node)
{
    coif_error error = {0};
    coif_groom_params params;
    coif_node_read(node, 1.0, &params);
    const coif_body *body = coif_bodies_find(lint->bodies, lint->body_count, params.body);
    if (body == NULL) {
        coif_fail(&error, COIF_ERR_SCENE, "%s: %s/body: '%s' is no body that could be loaded",
                  lint->scene->path, node->path, params.body);
        add(lint, &error);
        return;
    }
    coif_groom groom;
    coif_arena scratch;
    coif_arena_init(&scratch, "lint groom");
    int32_t whole = 0;
    const coif_groom_generate_desc desc = {.scene = lint->scene,
                                           .node = node,
                                           .body = body,
                                           .frame = 1.0,
                                           .max_strands = SAMPLE,
                                           .total_count = &whole};
    if (coif_groom_generate(&groom, &desc, &scratch, lint->app->jobs, &error) != COIF_OK) {
        add(lint, &error);
    } else {
        lint->strands += whole;
    }
    coif_arena_free(&scratch);
}

// Growing starts maps and modifiers once more, so it waits until those are sound.
static void check_grooms(inspection *lint)
{
    const coif_node *nodes = coif_node_at(lint->scene->root, "grooms");
    for (int32_t i = 0; i < nodes->child_count; ++i) {
        const int32_t before = lint->mistakes;
        check_node(lint, &nodes->children[i]);
        if (lint->mistakes == before) {
            check_groom(lint, &nodes->children[i]);
        }
    }
}

static coif_status check_scene(coif_app *app, const char *path, coif_error *found)
{
    coif_scene *scene;
    coif_error error = {0};
    inspection lint = {.app = app, .found = found};
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
    if (lint.mistakes > 0) {
        return found->status;
    }
    if (coif_progress_cancelled(app->progress)) {
        return coif_fail(found, COIF_ERR_CANCELLED, "%s: stopped before everything was read", path);
    }
    const int32_t grooms = coif_node_at(scene->root, "grooms")->child_count;
    return coif_app_print(
        coif_arena_print(&app->arena,
                         "%s: no mistakes; %d %s with %lld triangles, %d %s with %lld strands\n",
                         path, lint.body_count, lint.body_count == 1 ? "body" : "bodies",
                         (long long)lint.triangles, grooms, grooms == 1 ? "groom" : "grooms",
                         (long long)lint.strands),
        NULL, found);
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const lint_options *asked = options;
    for (int32_t i = 0; i < asked->scenes.count; ++i) {
        check_scene(app, asked->scenes.items[i], error);
    }
    return error->status;
}

const coif_command COIF_COMMAND_LINT = {
    .name = "lint",
    .help = "check scenes and everything they name",
    .more = "Reports all mistakes of a scene, not only the first. Nothing is written.\n",
    .examples = "  coif lint scenes/tiny.json scenes/demo.json\n"
                "  coif lint scenes/tiny.json --set grooms/0/count=100\n",
    .options = OPTIONS,
    .option_count = COIF_COUNT_OF(OPTIONS),
    .options_size = sizeof(lint_options),
    .run = run,
};
