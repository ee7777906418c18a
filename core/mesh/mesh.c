// Mesh queries and surface evaluation.
#include "core/mesh/mesh.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"
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
    coif_bounds bounds = coif_bounds_empty();
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        coif_bounds_add(&bounds, mesh->positions[mesh->indices[i]]);
    }
    *low = bounds.low;
    *high = bounds.high;
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

// A triangle in its plane: corners (0, 0), (a, 0), (b, c) along the first edge.
typedef struct flat_triangle {
    coif_vec3 along, across;
    float a, b, c;
} flat_triangle;

static flat_triangle flatten(coif_vec3 e1, coif_vec3 e2)
{
    flat_triangle flat = {.along = coif_normalize(e1)};
    flat.across = coif_cross(coif_normalize(coif_cross(e1, e2)), flat.along);
    flat.a = coif_dot(e1, flat.along);
    flat.b = coif_dot(e2, flat.along);
    flat.c = coif_dot(e2, flat.across);
    return flat;
}

// Largest component of strain up to which a triangle counts as rigid, and from which on its frame
// turns with its deformation; rounded positions of small triangles have some strain.
static const float STRAIN_LOW = 0.002f;
static const float STRAIN_HIGH = 0.01f;

// Turns the tangent of a frame with the deformation of a triangle. With the gradient in the plane
//
//   F = R S        tan(angle of R) = (F10 - F01) / (F00 + F11)
//
// the tangent is R times that at rest. direction: of the tangent at rest.
static void turn_with_deformation(coif_mat3 *frame, const flat_triangle *rest,
                                  const flat_triangle *posed, coif_vec3 direction)
{
    const float f00 = posed->a / rest->a;
    const float f11 = posed->c / rest->c;
    const float f01 = (posed->b - rest->b * f00) / rest->c; // F10 is 0 along the first edge
    const float strain = fmaxf(fmaxf(fabsf(f00 * f00 - 1.0f), fabsf(f00 * f01)),
                               fabsf(f01 * f01 + f11 * f11 - 1.0f));
    const float length = sqrtf((f00 + f11) * (f00 + f11) + f01 * f01);
    // Also false for triangles without area.
    if (!(strain > STRAIN_LOW) || !(length > 0.0f) || !(strain < INFINITY)) {
        return;
    }
    const float cosine = (f00 + f11) / length;
    const float sine = -f01 / length;
    const float x = coif_dot(direction, rest->along);
    const float y = coif_dot(direction, rest->across);
    const coif_vec3 turned = coif_mad(coif_scale(posed->along, cosine * x - sine * y),
                                      sine * x + cosine * y, posed->across);
    coif_vec3 tangent;
    if (!project_tangent(&tangent, turned, frame->row[2])) {
        return;
    }
    const float t = coif_clamp((strain - STRAIN_LOW) / (STRAIN_HIGH - STRAIN_LOW), 0.0f, 1.0f);
    const coif_vec3 mix = coif_lerp(frame->row[0], tangent, t * t * (3.0f - 2.0f * t));
    if (coif_dot(mix, mix) > 0.01f) {
        frame->row[0] = coif_normalize(mix);
        frame->row[1] = coif_cross(frame->row[2], frame->row[0]);
    }
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
    if (mesh->rest_positions != NULL) {
        const coif_vec3 rest = mesh->rest_positions[mesh->indices[corner]];
        const coif_vec3 r1 = coif_sub(mesh->rest_positions[mesh->indices[corner + 1]], rest);
        const coif_vec3 r2 = coif_sub(mesh->rest_positions[mesh->indices[corner + 2]], rest);
        const coif_vec3 u = u_direction(mesh, corner, r1, r2);
        const flat_triangle flat[2] = {flatten(r1, r2), flatten(e1, e2)};
        turn_with_deformation(&frame, &flat[0], &flat[1],
                              coif_normalize(coif_dot(u, u) > 0.0f ? u : r1));
    }
    return frame;
}
