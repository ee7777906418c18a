// sim_scene: scenes as far as sim is concerned, and a body for them.
#ifndef COIF_TESTS_SIM_SCENE_H
#define COIF_TESTS_SIM_SCENE_H

#include "core/body.h"
#include "sim/grow.h"
#include "sim/round.h"
#include "sim/simulate.h"
#include "tests/sim_shapes.h"
#include "tests/test.h"

// The scene tree as far as sim is concerned.
static inline const coif_section *scene_tree(void)
{
    static const coif_section *const groom_children[] = {&COIF_MAPS_SECTION,
                                                         &COIF_MODIFIERS_SECTION, NULL};
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

#endif
