// coif export: writes the rest pose or a frame for other programs.
#include "core/body/body.h"
#include "core/hair/child_interpolation.h"
#include "core/hair/formats/hair_file.h"
#include "core/hair/formats/strand_text.h"
#include "core/hair/frame_cache.h"
#include "sim/groom/groom_generate.h"
#include "tools/cli/command.h"

#include <string.h>

typedef struct export_options {
    const char *scene;
    const char *file;
    const char *cache;
    const char *groom;
    int32_t frame;
    int32_t expand;
} export_options;

enum { REST_POSE = -1 }; // below the range of --frame

// clang-format off
static const coif_param OPTIONS[] = {
    COIF_ARGUMENT(export_options, scene, "scene file"),
    COIF_ARGUMENT(export_options, file, "output file: .hair, .usda (USD curves) or .obj (polylines)"),
    COIF_ARG_WITH(COIF_ARG_REQUIRED, export_options, cache, COIF_PARAM_PATH, "DIR", "folder of the strand cache"),
    COIF_ARG(export_options, groom, COIF_PARAM_STRING, "NAME", "groom (default: the only one)"),
    COIF_ARG_NUMBER(export_options, frame, COIF_PARAM_INT, "N", "frame number (default: the rest pose)", REST_POSE, 0, 9999999),
    COIF_ARG(export_options, expand, COIF_PARAM_BOOL, "", "interpolate all strands from the simulated ones"),
};
// clang-format on

static coif_status find_groom(const coif_node **node, const coif_scene *scene, const char *name,
                              coif_error *error)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    if (name == NULL && grooms->child_count == 1) {
        *node = &grooms->children[0];
        return COIF_OK;
    }
    if (name == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "%s has %d grooms; select one with --groom",
                         scene->path, grooms->child_count);
    }
    for (int32_t i = 0; i < grooms->child_count; ++i) {
        coif_groom_params params;
        coif_node_read(&grooms->children[i], 0.0, &params);
        if (strcmp(params.name, name) == 0) {
            *node = &grooms->children[i];
            return COIF_OK;
        }
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "%s has no groom '%s'", scene->path, name);
}

// Interpolated strands follow the scalp in the pose of the frame.
static coif_status expand_frame(coif_strands *strands, const coif_groom *groom,
                                const coif_groom_params *params, const coif_scene *scene,
                                coif_app *app, int frame, coif_error *error)
{
    coif_body *bodies;
    int32_t count;
    COIF_TRY(coif_bodies_load(&bodies, &count, scene, &app->arena, error));
    const coif_body *body = coif_bodies_find(bodies, count, params->body);
    if (body == NULL) {
        return coif_fail(error, COIF_ERR_SCENE, "%s: groom '%s': no body named '%s'", scene->path,
                         params->name, params->body);
    }
    coif_mesh pose;
    COIF_TRY(coif_body_pose(&pose, body, frame, &app->arena, error));
    const coif_strands simulated = *strands;
    return coif_interpolate_children(strands, &simulated, groom, &pose, &app->arena, app->jobs,
                                     error);
}

static coif_status load_strands(coif_strands *strands, const export_options *export,
                                const coif_scene *scene, const coif_node *node, coif_app *app,
                                coif_error *error)
{
    coif_groom_params params;
    coif_node_read(node, 0.0, &params);
    coif_groom groom;
    const char *path = coif_groom_file_path(export->cache, params.name, &app->arena);
    COIF_TRY(coif_groom_load(&groom, path, &app->arena, error));
    if (export->frame == REST_POSE) {
        *strands = groom.rest;
        return COIF_OK;
    }
    coif_frame_cache_desc frame;
    path = coif_frame_file_path(export->cache, params.name, export->frame, &app->arena);
    COIF_TRY(coif_frame_cache_load(strands, &frame, &groom, path, &app->arena, error));
    if (!export->expand) {
        return COIF_OK;
    }
    return expand_frame(strands, &groom, &params, scene, app, export->frame, error);
}

static coif_status save_hair(const coif_strands *strands, const char *name, const char *path,
                             coif_error *error)
{
    (void)name;
    const coif_hair_file hair = {
        .strands = *strands, .default_thickness = 8e-5f, .default_color = {0.5f, 0.4f, 0.3f}};
    return coif_hair_file_save(&hair, path, error);
}

typedef coif_status save_strands(const coif_strands *strands, const char *name, const char *path,
                                 coif_error *error);

static save_strands *format_of(const char *path)
{
    return coif_path_has_extension(path, "hair")   ? save_hair
           : coif_path_has_extension(path, "usda") ? coif_strands_save_usd
           : coif_path_has_extension(path, "obj")  ? coif_strands_save_obj
                                                   : NULL;
}

static coif_status run(coif_app *app, const void *options, coif_error *error)
{
    const export_options *export = options;
    save_strands *save = format_of(export->file);
    if (save == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "%s: unknown format; expected .hair, .usda or .obj", export->file);
    }
    coif_scene *scene;
    COIF_TRY(coif_app_load_scene(&scene, app, export->scene, error));
    const coif_node *node = NULL;
    COIF_TRY(find_groom(&node, scene, export->groom, error));
    coif_strands strands;
    COIF_TRY(load_strands(&strands, export, scene, node, app, error));
    coif_groom_params params;
    coif_node_read(node, 0.0, &params);
    COIF_TRY(save(&strands, params.name, export->file, error));
    coif_log(COIF_LOG_INFO, "%s: %d strands, %d points", export->file, strands.strand_count,
             strands.point_count);
    return COIF_OK;
}

const coif_command COIF_COMMAND_EXPORT = {
    .name = "export",
    .help = "write strands for other programs",
    .more =
        "Lengths are in metres, y is up, thickness is a diameter. The rest pose has all strands.\n",
    .examples = "  coif export scenes/tiny.json out/rest.hair --cache out/tiny\n"
                "  coif export scenes/tiny.json out/f4.hair --cache out/tiny --frame 4 --expand\n"
                "  coif export scenes/tiny.json out/rest.usda --cache out/tiny\n",
    COIF_COMMAND_OPTIONS(export_options, OPTIONS),
    .run = run,
};
