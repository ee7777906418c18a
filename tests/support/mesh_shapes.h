// Small meshes for tests.
#ifndef COIF_TESTS_SUPPORT_MESH_SHAPES_H
#define COIF_TESTS_SUPPORT_MESH_SHAPES_H

#include "core/base/arena.h"
#include "core/mesh/mesh.h"
#include "sim/validation/test_shapes.h"

#include <string.h>

// Allocates a mesh with smooth normals to be filled in, one group "all".
static inline coif_mesh shape_alloc(int32_t vertices, int32_t triangles, coif_arena *arena)
{
    coif_mesh mesh = {.vertex_count = vertices, .triangle_count = triangles, .group_count = 1};
    mesh.positions = coif_arena_new(arena, vertices, coif_vec3);
    mesh.indices = coif_arena_new(arena, 3 * (int64_t)triangles, int32_t);
    mesh.normals = coif_arena_new(arena, 3 * (int64_t)triangles, coif_vec3);
    mesh.uvs = coif_arena_new(arena, 3 * (int64_t)triangles, coif_vec2);
    mesh.groups = coif_arena_new(arena, triangles, int32_t);
    mesh.materials = coif_arena_new(arena, triangles, int32_t);
    mesh.group_names = coif_arena_new(arena, 1, const char *);
    mesh.group_names[0] = "all";
    return mesh;
}

static inline void shape_quad(coif_mesh *mesh, int32_t *at, const int32_t corner[4])
{
    static const int order[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; ++i) {
        mesh->indices[(*at)++] = corner[order[i]];
    }
}

// A square of side metres around the origin, see coif_shape_plane; triangles with x > 0 are in
// group "right".
static inline coif_mesh shape_plane(float side, int32_t cells, coif_arena *arena)
{
    coif_mesh mesh = coif_shape_plane(side, cells, arena);
    mesh.group_count = 2;
    mesh.group_names = coif_arena_new(arena, 2, const char *);
    mesh.group_names[0] = "all";
    mesh.group_names[1] = "right";
    for (int32_t i = 0; i < cells * cells; ++i) {
        mesh.groups[2 * i] = mesh.groups[2 * i + 1] = 2 * (i % cells) >= cells;
    }
    return mesh;
}

static inline coif_mesh shape_sphere(coif_vec3 centre, float radius, int32_t cells,
                                     coif_arena *arena)
{
    return coif_shape_ellipsoid(centre, coif_vec3_of(radius, radius, radius), cells, arena);
}

#endif
