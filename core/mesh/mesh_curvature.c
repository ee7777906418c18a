#include "core/mesh/mesh_curvature.h"

#include "core/base/arena.h"

static void add_vertex_normals(coif_vec3 *normals, const coif_mesh *mesh)
{
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const int32_t *corner = mesh->indices + 3 * (int64_t)t;
        const coif_vec3 a = mesh->positions[corner[0]];
        const coif_vec3 area = coif_cross(coif_sub(mesh->positions[corner[1]], a),
                                          coif_sub(mesh->positions[corner[2]], a));
        for (int c = 0; c < 3; ++c) {
            normals[corner[c]] = coif_add(normals[corner[c]], area);
        }
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        normals[v] = coif_normalize(normals[v]);
    }
}

void coif_mesh_curvature(float *curvature, const coif_mesh *mesh, coif_arena *scratch)
{
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    coif_vec3 *normals = coif_arena_new(scratch, mesh->vertex_count, coif_vec3);
    float *count = coif_arena_new(scratch, mesh->vertex_count, float);
    add_vertex_normals(normals, mesh);
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        curvature[v] = 0.0f;
    }
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        const int32_t i = mesh->indices[c], j = mesh->indices[c % 3 == 2 ? c - 2 : c + 1];
        const coif_vec3 edge = coif_sub(mesh->positions[j], mesh->positions[i]);
        const float length2 = coif_dot(edge, edge);
        if (length2 > 0.0f) {
            const float k = coif_dot(coif_sub(normals[j], normals[i]), edge) / length2;
            curvature[i] += k;
            curvature[j] += k;
            count[i] += 1.0f;
            count[j] += 1.0f;
        }
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        curvature[v] = count[v] > 0.0f ? curvature[v] / count[v] : 0.0f;
    }
    coif_arena_rewind(scratch, mark);
}
