// Simulation scenes and a body for them.
#ifndef COIF_TESTS_SUPPORT_SIM_SCENE_H
#define COIF_TESTS_SUPPORT_SIM_SCENE_H

#include "core/base/fs.h"
#include "core/body/body.h"
#include "plugins/host/host.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/collider_params.h"
#include "sim/run/constraint_params.h"
#include "sim/run/force_params.h"
#include "sim/run/sim_params.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

// The scene tree as far as sim is concerned.
static inline const coif_section *scene_tree(void)
{
    static const coif_section *const groom_children[] = {
        &COIF_MAPS_SECTION, &COIF_MODIFIERS_SECTION, &COIF_GROOM_SIM_SECTION,
        &COIF_CONSTRAINTS_SECTION, NULL};
    static coif_section bodies = {.name = "bodies", .form = COIF_SECTION_ARRAY};
    static coif_section grooms = {
        .name = "grooms", .form = COIF_SECTION_ARRAY, .children = groom_children};
    bodies.params = COIF_BODY_PARAMS;
    bodies.param_count = COIF_BODY_PARAM_COUNT;
    grooms.params = COIF_GROOM_PARAMS;
    grooms.param_count = COIF_GROOM_PARAM_COUNT;
    static const coif_section *const children[] = {
        &bodies, &grooms, &COIF_COLLIDERS_SECTION, &COIF_SIM_SECTION, &COIF_FORCES_SECTION, NULL};
    static const coif_section root = {
        .name = "", .form = COIF_SECTION_OBJECT, .children = children};
    return &root;
}

// A head-sized sphere as an OBJ file with texture coordinates and two groups.
static inline void write_ball(const char *name, bool with_uvs, coif_arena *arena)
{
    const coif_mesh mesh = shape_sphere(coif_vec3_of(0, 0, 0), 0.1f, 10, arena);
    FILE *file = fopen(coif_test_path(name), "w");
    for (int32_t v = 0; v < mesh.vertex_count; ++v) {
        const coif_vec3 p = mesh.positions[v];
        fprintf(file, "v %.9g %.9g %.9g\n", p.x, p.y, p.z);
        if (with_uvs) {
            fprintf(file, "vt %.9g %.9g\n", p.x * 5.0 + 0.5, p.z * 5.0 + 0.5);
        }
    }
    const int faces = mesh.triangle_count;
    for (int32_t t = 0; t < faces; ++t) {
        if (t == 0 || t == faces / 3 || t == faces / 2) { // the face towards +y is the scalp
            fprintf(file, "g %s\n", t == faces / 3 ? "scalp" : "skin");
        }
        const int32_t *c = mesh.indices + 3 * t;
        for (int i = 0; i < 3; ++i) {
            const int n = c[i] + 1;
            if (with_uvs) {
                fprintf(file, "%s%d/%d", i == 0 ? "f " : " ", n, n);
            } else {
                fprintf(file, "%s%d", i == 0 ? "f " : " ", n);
            }
        }
        fprintf(file, "\n");
    }
    fclose(file);
}

// A scene from its text and one setting or NULL, with the built-in plugins and a ball.obj beside
// it. Plugins stay open: what is grown or simulated still needs them.
static inline coif_status load_ball_scene(coif_scene *scene, const char *text, const char *set,
                                          coif_arena *arena, coif_error *error)
{
    static coif_plugins *plugins;
    if (plugins == NULL) {
        CHECK_OK(coif_plugins_open(&plugins, NULL, arena, error), *error);
        write_ball("ball.obj", true, arena);
    }
    CHECK_OK(coif_file_save(coif_test_path("s.json"), text, strlen(text), error), *error);
    const coif_plugin_lookup lookup = coif_plugins_lookup(plugins);
    const coif_scene_desc desc = {.path = coif_arena_copy_text(arena, coif_test_path("s.json")),
                                  .sets = &set,
                                  .set_count = set != NULL,
                                  .tree = scene_tree(),
                                  .plugins = &lookup};
    return coif_scene_load(scene, &desc, arena, error);
}

static inline coif_scene ball_scene(const char *text, const char *set, coif_arena *arena)
{
    coif_scene scene = {0};
    coif_error error = {0};
    CHECK_OK(load_ball_scene(&scene, text, set, arena, &error), error);
    return scene;
}

// What came of growing the first groom of a scene, from its text.
typedef struct grown_scene {
    coif_groom groom;
    coif_status status; // of growing alone: everything before is checked
    coif_error error;
} grown_scene;

static inline grown_scene grow_scene(const char *text, coif_arena *arena)
{
    grown_scene result = {.status = COIF_OK};
    coif_error error = {0};
    coif_plugins *plugins;
    CHECK_OK(coif_plugins_open(&plugins, NULL, arena, &error), error);
    CHECK_OK(coif_file_save(coif_test_path("g.json"), text, strlen(text), &error), error);
    const coif_plugin_lookup lookup = coif_plugins_lookup(plugins);
    const coif_scene_desc desc = {.path = coif_arena_copy_text(arena, coif_test_path("g.json")),
                                  .tree = scene_tree(),
                                  .plugins = &lookup};
    coif_scene *scene = coif_arena_new(arena, 1, coif_scene);
    CHECK_OK(coif_scene_load(scene, &desc, arena, &error), error);
    coif_body *bodies;
    int32_t count;
    CHECK_OK(coif_bodies_load(&bodies, &count, scene, arena, &error), error);
    if (error.status == COIF_OK) {
        const coif_groom_generate_desc wanted = {
            .scene = scene,
            .node = &coif_node_at(scene->root, "grooms")->children[0],
            .body = bodies,
            .frame = 1.0};
        result.status = coif_groom_generate(&result.groom, &wanted, arena, NULL, &result.error);
    }
    coif_plugins_close(plugins);
    return result;
}

#endif
