// Mesh queries and surface evaluation.
#include "core/mesh/mesh.h"

#include "core/base/arena.h"
#include "core/base/hash64.h"

#include <string.h>

int32_t coif_mesh_find_group(const coif_mesh *mesh, const char *name)
{
    for (int32_t i = 0; i < mesh->group_count; ++i) {
        if (strcmp(mesh->group_names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

uint64_t coif_mesh_topology_digest(const coif_mesh *mesh)
{
    const uint64_t digest = coif_hash64_extend(0, &mesh->vertex_count, sizeof mesh->vertex_count);
    return coif_hash64_extend(digest, mesh->indices,
                              3 * sizeof *mesh->indices * (size_t)mesh->triangle_count);
}

void coif_mesh_bounds(const coif_mesh *mesh, coif_vec3 *low, coif_vec3 *high)
{
    *low = (coif_vec3){INFINITY, INFINITY, INFINITY};
    *high = (coif_vec3){-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        const coif_vec3 p = mesh->positions[mesh->indices[i]];
        *low = (coif_vec3){fminf(low->x, p.x), fminf(low->y, p.y), fminf(low->z, p.z)};
        *high = (coif_vec3){fmaxf(high->x, p.x), fmaxf(high->y, p.y), fmaxf(high->z, p.z)};
    }
}

static coif_vec3 interpolate(const coif_vec3 corners[3], float b1, float b2)
{
    const float b0 = 1.0f - b1 - b2;
    return coif_mad(coif_mad(coif_scale(corners[0], b0), b1, corners[1]), b2, corners[2]);
}

coif_surface_point coif_mesh_at(const coif_mesh *mesh, int32_t triangle, float b1, float b2)
{
    COIF_ASSERT(triangle >= 0 && triangle < mesh->triangle_count);
    const size_t corner = 3 * (size_t)triangle;
    const coif_vec3 p[3] = {mesh->positions[mesh->indices[corner]],
                            mesh->positions[mesh->indices[corner + 1]],
                            mesh->positions[mesh->indices[corner + 2]]};
    coif_surface_point point = {
        .position = interpolate(p, b1, b2), .triangle = triangle, .b1 = b1, .b2 = b2};
    point.normal = coif_normalize(interpolate(mesh->normals + corner, b1, b2));
    if (coif_dot(point.normal, point.normal) < 0.5f) { // opposite corner normals cancel out
        point.normal = mesh->normals[corner];
    }
    if (mesh->uvs != NULL) {
        const coif_vec2 *uv = mesh->uvs + corner;
        const float b0 = 1.0f - b1 - b2;
        point.uv = (coif_vec2){b0 * uv[0].x + b1 * uv[1].x + b2 * uv[2].x,
                               b0 * uv[0].y + b1 * uv[1].y + b2 * uv[2].y};
    }
    return point;
}

// Gradient direction of u over a triangle: solves e1 = du1 T + dv1 B, e2 = du2 T + dv2 B for T, up
// to a positive factor. Zero without texture coordinates.
static coif_vec3 u_direction(const coif_mesh *mesh, size_t corner, coif_vec3 e1, coif_vec3 e2)
{
    if (mesh->uvs == NULL) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    const coif_vec2 *uv = mesh->uvs + corner;
    const float du1 = uv[1].x - uv[0].x, dv1 = uv[1].y - uv[0].y;
    const float du2 = uv[2].x - uv[0].x, dv2 = uv[2].y - uv[0].y;
    const float determinant = du1 * dv2 - du2 * dv1;
    const float sign = determinant > 0.0f ? 1.0f : determinant < 0.0f ? -1.0f : 0.0f;
    return coif_scale(coif_sub(coif_scale(e1, dv2), coif_scale(e2, dv1)), sign);
}

// Unit projection of a vector to the tangent plane; false when it is nearly parallel to the normal.
static bool project_tangent(coif_vec3 *tangent, coif_vec3 vector, coif_vec3 normal)
{
    const coif_vec3 direction = coif_normalize(vector);
    const coif_vec3 projected = coif_mad(direction, -coif_dot(direction, normal), normal);
    *tangent = coif_normalize(projected);
    return coif_dot(projected, projected) > 1e-6f;
}

coif_mat3 coif_mesh_frame(const coif_mesh *mesh, int32_t triangle, float b1, float b2)
{
    const size_t corner = 3 * (size_t)triangle;
    const coif_vec3 a = mesh->positions[mesh->indices[corner]];
    const coif_vec3 e1 = coif_sub(mesh->positions[mesh->indices[corner + 1]], a);
    const coif_vec3 e2 = coif_sub(mesh->positions[mesh->indices[corner + 2]], a);
    const coif_vec3 normal = coif_mesh_at(mesh, triangle, b1, b2).normal;

    coif_mat3 frame = {.row = {{0}, {0}, normal}};
    if (!project_tangent(&frame.row[0], u_direction(mesh, corner, e1, e2), normal) &&
        !project_tangent(&frame.row[0], e1, normal) &&
        !project_tangent(&frame.row[0], e2, normal)) {
        coif_frame_around(normal, &frame.row[0], &frame.row[1]);
    }
    frame.row[1] = coif_cross(normal, frame.row[0]);
    return frame;
}
