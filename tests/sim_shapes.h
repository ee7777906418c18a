// sim_shapes: small meshes for the tests of sim.
#ifndef COIF_TESTS_SIM_SHAPES_H
#define COIF_TESTS_SIM_SHAPES_H

#include "core/arena.h"
#include "core/mesh.h"

#include <string.h>

// Room for a mesh with smooth normals to be filled in, one group "all".
static inline coif_mesh shape_alloc(int32_t vertices, int32_t triangles, coif_arena *arena)
{
    coif_mesh mesh = {.vertex_count = vertices, .triangle_count = triangles, .group_count = 1};
    mesh.positions = coif_arena_new(arena, vertices, coif_vec3);
    mesh.indices = coif_arena_new(arena, 3 * (int64_t)triangles, int32_t);
    mesh.normals = coif_arena_new(arena, 3 * (int64_t)triangles, coif_vec3);
    mesh.uvs = coif_arena_new(arena, 3 * (int64_t)triangles, coif_vec2);
    mesh.groups = coif_arena_new(arena, triangles, int32_t);
    mesh.materials = coif_arena_new(arena, triangles, int32_t);
    mesh.group_names = coif_arena_new(arena, 2, const char *);
    mesh.group_names[0] = "all";
    mesh.group_names[1] = "right";
    return mesh;
}

static inline void shape_quad(coif_mesh *mesh, int32_t *at, const int32_t corner[4])
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; ++i) {
        mesh->indices[(*at)++] = corner[order[i]];
    }
}

// A square of side metres around the origin in the plane y = 0, facing up, cut into cells x cells
// quads; u and v run along x and -z. Triangles with x > 0 are in group "right".
static inline coif_mesh shape_plane(float side, int32_t cells, coif_arena *arena)
{
    const int32_t row = cells + 1;
    coif_mesh mesh = shape_alloc(row * row, 2 * cells * cells, arena);
    mesh.group_count = 2;
    for (int32_t i = 0; i < row * row; ++i) {
        const float u = (float)(i % row) / (float)cells;
        const float v = (float)(i / row) / (float)cells;
        mesh.positions[i] = coif_vec3_of((u - 0.5f) * side, 0.0f, (0.5f - v) * side);
    }
    int32_t at = 0;
    for (int32_t i = 0; i < cells * cells; ++i) {
        const int32_t a = i / cells * row + i % cells;
        const int32_t corner[4] = {a, a + 1, a + row + 1, a + row};
        shape_quad(&mesh, &at, corner);
        mesh.groups[2 * i] = mesh.groups[2 * i + 1] = 2 * (i % cells) >= cells;
    }
    for (int32_t c = 0; c < at; ++c) {
        const coif_vec3 p = mesh.positions[mesh.indices[c]];
        mesh.normals[c] = coif_vec3_of(0.0f, 1.0f, 0.0f);
        mesh.uvs[c] = (coif_vec2){p.x / side + 0.5f, 0.5f - p.z / side};
    }
    return mesh;
}

// A closed sphere: a cube of cells x cells quads per face, blown up. Built without any function of
// the C library but sqrt.
static inline coif_mesh shape_sphere(coif_vec3 centre, float radius, int32_t cells,
                                     coif_arena *arena)
{
    static const float axes[6][9] = {{1, 0, 0, 0, 0, -1, 0, 1, 0}, {-1, 0, 0, 0, 0, 1, 0, 1, 0},
                                     {0, 1, 0, 1, 0, 0, 0, 0, -1}, {0, -1, 0, 1, 0, 0, 0, 0, 1},
                                     {0, 0, 1, 1, 0, 0, 0, 1, 0},  {0, 0, -1, -1, 0, 0, 0, 1, 0}};
    const int32_t row = cells + 1;
    coif_mesh mesh = shape_alloc(6 * row * row, 12 * cells * cells, arena);
    int32_t at = 0;
    for (int32_t face = 0; face < 6; ++face) {
        const float *axis = axes[face];
        for (int32_t i = 0; i < row * row; ++i) {
            const float s = 2.0f * (float)(i % row) / (float)cells - 1.0f;
            const float t = 2.0f * (float)(i / row) / (float)cells - 1.0f;
            const coif_vec3 p = {axis[0] + s * axis[3] + t * axis[6],
                                 axis[1] + s * axis[4] + t * axis[7],
                                 axis[2] + s * axis[5] + t * axis[8]};
            mesh.positions[face * row * row + i] = coif_mad(centre, radius, coif_normalize(p));
        }
        for (int32_t i = 0; i < cells * cells; ++i) {
            const int32_t a = face * row * row + i / cells * row + i % cells;
            const int32_t corner[4] = {a, a + 1, a + row + 1, a + row};
            shape_quad(&mesh, &at, corner);
        }
    }
    for (int32_t c = 0; c < at; ++c) {
        mesh.normals[c] = coif_normalize(coif_sub(mesh.positions[mesh.indices[c]], centre));
    }
    return mesh;
}

#endif
