// A scene of hair on a ball for tests of the renderer.
#ifndef COIF_TESTS_SUPPORT_RENDER_SCENE_H
#define COIF_TESTS_SUPPORT_RENDER_SCENE_H

#include "core/base/arena.h"
#include "core/body/body.h"
#include "render/driver/render_frames.h"
#include "tests/support/test.h"

#include <string.h>

static const char BALL_SCENE[] =
    "{\"bodies\": [{\"name\": \"ball\", \"mesh\": \"%s\","
    "  \"material\": {\"color\": [0.5, 0.35, 0.3]}}],"
    " \"grooms\": [{\"name\": \"hair\", \"body\": \"ball\","
    "   \"hair\": {\"eumelanin\": 0.5, \"pheomelanin\": 0.3, \"tip_lightening\": 0.4}}],"
    " \"camera\": {\"position\": [0.0, 0.15, 0.5], \"look_at\": [0, 0.02, 0], \"fov\": 30},"
    " \"lights\": [{\"type\": \"rectangle\", \"position\": [0.4, 0.6, 0.5], \"width\": 0.3,"
    "   \"height\": 0.3, \"intensity\": 12},"
    "  {\"type\": \"sphere\", \"position\": [-0.4, 0.3, -0.3], \"radius\": 0.05, \"intensity\": "
    "60},"
    "  {\"type\": \"environment\", \"intensity\": 0.3}],"
    " \"image\": {\"width\": 64, \"height\": 64, \"samples\": 16}}";

// The sections of the renderer, with the two parameters of a groom that it reads.
typedef struct ball_groom_rows {
    const char *name, *body;
} ball_groom_rows;

static inline const coif_section *ball_tree(void)
{
    static const coif_param rows[] = {
        COIF_PARAM_ROW(ball_groom_rows, name, COIF_PARAM_STRING, "name", "", 0, 0, 0),
        COIF_PARAM_ROW(ball_groom_rows, body, COIF_PARAM_STRING, "body", "", 0, 0, 0),
    };
    static const coif_section *const body_children[] = {&COIF_MATERIAL_SECTION, NULL};
    static const coif_section *const groom_children[] = {&COIF_HAIR_SECTION, NULL};
    static coif_section bodies = {.name = "bodies",
                                  .form = COIF_SECTION_ARRAY,
                                  .params = COIF_BODY_PARAMS,
                                  .children = body_children};
    static const coif_section grooms = {.name = "grooms",
                                        .form = COIF_SECTION_ARRAY,
                                        .params = rows,
                                        .param_count = COIF_COUNT_OF(rows),
                                        .children = groom_children};
    static const coif_section *const children[] = {&bodies,
                                                   &grooms,
                                                   &COIF_INSTANCES_SECTION,
                                                   &COIF_CAMERA_SECTION,
                                                   &COIF_LIGHTS_SECTION,
                                                   &COIF_IMAGE_SECTION,
                                                   NULL};
    static const coif_section root = {.name = "", .children = children};
    bodies.param_count = COIF_BODY_PARAM_COUNT;
    return &root;
}

// The scene, with some values changed.
static inline coif_scene *ball_scene(const char *const *sets, int32_t set_count, coif_arena *arena)
{
    coif_scene *scene = coif_arena_new(arena, 1, coif_scene);
    const char *text =
        coif_arena_print(arena, BALL_SCENE, coif_test_source("scenes/assets/ball.obj"));
    const coif_scene_desc desc = {.path = coif_test_path("ball.json"),
                                  .tree = ball_tree(),
                                  .sets = sets,
                                  .set_count = set_count,
                                  .source = text,
                                  .source_size = strlen(text)};
    coif_error error = {0};
    CHECK_OK(coif_scene_load(scene, &desc, arena, &error), error);
    return scene;
}

#endif
