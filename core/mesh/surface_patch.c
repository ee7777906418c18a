#include "core/mesh/surface_patch.h"

#include "core/base/arena.h"
#include "core/base/deterministic_math.h"

enum { MAX_ITERATIONS = 30 };

static coif_vec3 corner_of(const coif_mesh *mesh, int32_t triangle, int corner)
{
    return mesh->positions[mesh->indices[3 * (size_t)triangle + (size_t)corner]];
}

static float area_of(const coif_mesh *mesh, int32_t triangle)
{
    const coif_vec3 a = corner_of(mesh, triangle, 0);
    return coif_length(coif_cross(coif_sub(corner_of(mesh, triangle, 1), a),
                                  coif_sub(corner_of(mesh, triangle, 2), a)));
}

static float nearest_corner(const coif_mesh *mesh, int32_t triangle, coif_vec3 point)
{
    float nearest = INFINITY;
    for (int c = 0; c < 3; ++c) {
        nearest = fminf(nearest, coif_length(coif_sub(corner_of(mesh, triangle, c), point)));
    }
    return nearest;
}

// Area of the patch around each vertex of the mesh, and the largest triangle.
static void gather_areas(float *area, coif_surface_patch *patch, const coif_mesh *rest,
                         coif_vec3 point, float radius)
{
    float nearest = INFINITY;
    for (int32_t t = 0; t < rest->triangle_count; ++t) {
        nearest = fminf(nearest, nearest_corner(rest, t, point));
    }
    float largest = -1.0f;
    for (int32_t t = 0; t < rest->triangle_count; ++t) {
        if (!(nearest_corner(rest, t, point) <= nearest + radius)) {
            continue;
        }
        const float own = area_of(rest, t) + 1e-20f;
        for (int c = 0; c < 3; ++c) {
            const int32_t vertex = rest->indices[3 * (size_t)t + (size_t)c];
            area[vertex] += own;
            patch->corner[c] = own > largest ? vertex : patch->corner[c];
        }
        largest = fmaxf(largest, own);
    }
}

static coif_vec3 weighted_mean(const coif_surface_patch *patch, const coif_vec3 *positions)
{
    coif_vec3 mean = {0, 0, 0};
    for (int32_t i = 0; i < patch->vertex_count; ++i) {
        mean = coif_mad(mean, patch->weights[i], positions[patch->vertices[i]]);
    }
    return mean;
}

void coif_surface_patch_init(coif_surface_patch *patch, const coif_mesh *rest, coif_vec3 point,
                             float radius, coif_arena *arena)
{
    COIF_ASSERT(rest->triangle_count > 0);
    *patch = (coif_surface_patch){.vertex_count = 0};
    float *area = coif_arena_new(arena, rest->vertex_count, float);
    gather_areas(area, patch, rest, point, radius);
    double sum = 0.0;
    for (int32_t v = 0; v < rest->vertex_count; ++v) {
        sum += (double)area[v];
        patch->vertex_count += area[v] > 0.0f;
    }
    patch->vertices = coif_arena_new(arena, patch->vertex_count, int32_t);
    patch->weights = coif_arena_new(arena, patch->vertex_count, float);
    patch->offset = coif_arena_new(arena, patch->vertex_count, coif_vec3);
    int32_t count = 0;
    for (int32_t v = 0; v < rest->vertex_count; ++v) {
        if (area[v] > 0.0f) {
            patch->weights[count] = (float)((double)area[v] / sum);
            patch->vertices[count++] = v;
        }
    }
    patch->centre = weighted_mean(patch, rest->positions);
    for (int c = 0; c < 3; ++c) {
        patch->corner_rest[c] = rest->positions[patch->corner[c]];
    }
    for (int32_t i = 0; i < count; ++i) {
        patch->offset[i] = coif_sub(rest->positions[patch->vertices[i]], patch->centre);
    }
}

static coif_mat3 transpose(const coif_mat3 *m)
{
    const coif_vec3 *r = m->row;
    return (coif_mat3){
        {{r[0].x, r[1].x, r[2].x}, {r[0].y, r[1].y, r[2].y}, {r[0].z, r[1].z, r[2].z}}};
}

// Rotation by a vector: axis times angle (Rodrigues), applied to the columns r of a matrix.
static void rotate_columns(coif_mat3 *columns, coif_vec3 rotation)
{
    const float angle = coif_length(rotation);
    const coif_vec3 axis = coif_normalize(rotation);
    const float sine = coif_det_sin(angle);
    const float cosine = coif_det_cos(angle);
    for (int c = 0; c < 3; ++c) {
        const coif_vec3 v = columns->row[c];
        const coif_vec3 across = coif_mad(coif_scale(v, cosine), sine, coif_cross(axis, v));
        columns->row[c] = coif_mad(across, (1.0f - cosine) * coif_dot(axis, v), axis);
    }
    coif_orthonormalize(columns);
}

// Rotation closest to A = sum w q p^T, by the iteration of Mueller, Bender, Chentanez and Macklin,
// A robust method to extract the rotational part of deformations (2016):
//
//   R <- exp(sum r_i x a_i / |sum r_i . a_i|) R     r_i, a_i: columns of R and A
static void extract_rotation(coif_mat3 *columns, const coif_mat3 *a)
{
    for (int i = 0; i < MAX_ITERATIONS; ++i) {
        coif_vec3 turn = {0, 0, 0};
        float along = 0.0f;
        for (int c = 0; c < 3; ++c) {
            turn = coif_add(turn, coif_cross(columns->row[c], a->row[c]));
            along += coif_dot(columns->row[c], a->row[c]);
        }
        const coif_vec3 rotation = coif_scale(turn, 1.0f / (fabsf(along) + 1e-30f));
        if (!(coif_dot(rotation, rotation) > 1e-14f)) {
            return;
        }
        rotate_columns(columns, rotation);
    }
}

coif_affine coif_surface_patch_fit(const coif_surface_patch *patch, const coif_vec3 *posed)
{
    const coif_vec3 centre = weighted_mean(patch, posed);
    coif_mat3 covariance = {{{0}}}; // columns of A
    for (int32_t i = 0; i < patch->vertex_count; ++i) {
        const coif_vec3 p = coif_scale(patch->offset[i], patch->weights[i]);
        const coif_vec3 q = coif_sub(posed[patch->vertices[i]], centre);
        covariance.row[0] = coif_mad(covariance.row[0], p.x, q);
        covariance.row[1] = coif_mad(covariance.row[1], p.y, q);
        covariance.row[2] = coif_mad(covariance.row[2], p.z, q);
    }
    const int32_t *corner = patch->corner;
    const coif_affine first = coif_affine_fit(
        patch->corner_rest, (coif_vec3[]){posed[corner[0]], posed[corner[1]], posed[corner[2]]});
    coif_mat3 columns = transpose(&first.linear);
    extract_rotation(&columns, &covariance);
    coif_affine fit = {.linear = transpose(&columns)};
    fit.translation = coif_sub(centre, coif_mat3_apply(&fit.linear, patch->centre));
    return fit;
}
