#include "render/shading/tangent_space.h"

#include "core/base/arena.h"
#include "render/geometry/bspline_curves.h"
#include "render/math/fast_math.h"

#include <string.h>

bool coif_triangle_uv_derivatives(const coif_mesh *mesh, int32_t triangle, const coif_vec3 p[3],
                                  coif_vec3 *u, coif_vec3 *v)
{
    const coif_vec2 *uv = mesh->uvs + 3 * (size_t)triangle;
    const float u1 = uv[1].x - uv[0].x, v1 = uv[1].y - uv[0].y;
    const float u2 = uv[2].x - uv[0].x, v2 = uv[2].y - uv[0].y;
    const float whole = u1 * v2 - u2 * v1;
    if (!(fabsf(whole) > 1e-20f)) {
        return false;
    }
    const coif_vec3 a = coif_sub(p[1], p[0]), b = coif_sub(p[2], p[0]);
    *u = coif_scale(coif_mad(coif_scale(a, v2), -v1, b), 1.0f / whole);
    *v = coif_scale(coif_mad(coif_scale(b, u1), -u2, a), 1.0f / whole);
    return true;
}

// In the plane across a normal, of unit length.
static coif_vec3 flatten(coif_vec3 way, coif_vec3 normal)
{
    return coif_normalize(coif_mad(way, -coif_dot(way, normal), normal));
}

// What a corner adds: the direction of u, as long as the corner's angle.
static coif_vec3 share_of(const coif_mesh *mesh, int32_t corner)
{
    const int32_t triangle = corner / 3, first = 3 * triangle, k = corner - first;
    coif_vec3 p[3], u, v;
    for (int i = 0; i < 3; ++i) {
        p[i] = mesh->positions[mesh->indices[first + i]];
    }
    if (!coif_triangle_uv_derivatives(mesh, triangle, p, &u, &v)) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    const coif_vec3 normal = mesh->normals[corner];
    const coif_vec3 next = flatten(coif_sub(p[(k + 1) % 3], p[k]), normal);
    const coif_vec3 last = flatten(coif_sub(p[(k + 2) % 3], p[k]), normal);
    const float angle = coif_fast_atan2(coif_length(coif_cross(next, last)), coif_dot(next, last));
    return coif_scale(flatten(u, normal), angle);
}

// Whether uv of a triangle run round to the left as its corners do.
static bool is_right_handed(const coif_mesh *mesh, int32_t triangle)
{
    const coif_vec2 *uv = mesh->uvs + 3 * (size_t)triangle;
    return (uv[1].x - uv[0].x) * (uv[2].y - uv[0].y) > (uv[2].x - uv[0].x) * (uv[1].y - uv[0].y);
}

static bool belong_together(const coif_mesh *mesh, int32_t a, int32_t b)
{
    return memcmp(&mesh->normals[a], &mesh->normals[b], sizeof(coif_vec3)) == 0 &&
           memcmp(&mesh->uvs[a], &mesh->uvs[b], sizeof(coif_vec2)) == 0 &&
           is_right_handed(mesh, a / 3) == is_right_handed(mesh, b / 3);
}

// Corners by the vertex they lie at: those of vertex v are list[first[v]] up to list[first[v + 1]].
static int32_t *corners_by_vertex(const coif_mesh *mesh, int32_t *first, coif_arena *arena)
{
    const int32_t count = 3 * mesh->triangle_count;
    int32_t *list = coif_arena_new(arena, count, int32_t);
    for (int32_t i = 0; i < count; ++i) {
        ++first[mesh->indices[i] + 1];
    }
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        first[v + 1] += first[v];
    }
    for (int32_t i = count; i-- > 0;) {
        list[--first[mesh->indices[i] + 1]] = i;
    }
    // Every end has moved to its start.
    memmove(first, first + 1, sizeof *first * (size_t)mesh->vertex_count);
    first[mesh->vertex_count] = count;
    return list;
}

// Adds up corners that belong together; each group is written once, when its first corner comes.
static void share_out(coif_vec3 *tangents, const coif_mesh *mesh, const int32_t *corners,
                      int32_t count, bool *done)
{
    for (int32_t i = 0; i < count; ++i) {
        if (done[corners[i]]) {
            continue;
        }
        coif_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int32_t pass = 0; pass < 2; ++pass) {
            for (int32_t j = i; j < count; ++j) {
                if (done[corners[j]] || !belong_together(mesh, corners[i], corners[j])) {
                    continue;
                }
                if (pass == 0) {
                    sum = coif_add(sum, share_of(mesh, corners[j]));
                } else if (corners[j] != corners[i]) {
                    tangents[corners[j]] = sum;
                    done[corners[j]] = true;
                }
            }
            sum = pass == 0 ? coif_normalize(sum) : sum;
        }
        tangents[corners[i]] = sum;
        done[corners[i]] = true;
    }
}

coif_vec3 *coif_tangents_init(const coif_mesh *meshes, int32_t steps, coif_arena *arena)
{
    const size_t count = 3 * (size_t)meshes->triangle_count;
    coif_vec3 *all = coif_arena_new(arena, count * (size_t)steps, coif_vec3);
    coif_arena scratch;
    coif_arena_init(&scratch, "tangents");
    int32_t *first = coif_arena_new(&scratch, meshes->vertex_count + 1, int32_t);
    const int32_t *corners = corners_by_vertex(meshes, first, &scratch);
    bool *done = coif_arena_new(&scratch, count, bool);
    for (int32_t step = 0; step < steps; ++step) {
        memset(done, 0, count * sizeof *done);
        for (int32_t v = 0; v < meshes->vertex_count; ++v) {
            share_out(all + count * (size_t)step, &meshes[step], corners + first[v],
                      first[v + 1] - first[v], done);
        }
    }
    coif_arena_free(&scratch);
    return all;
}

void coif_tangents_at(coif_vec3 t[3], const coif_vec3 *tangents, const coif_mesh *meshes,
                      int32_t steps, int32_t triangle, float time, const coif_transform *copy)
{
    const size_t count = 3 * (size_t)meshes->triangle_count;
    float between = 0.0f;
    const int32_t step = steps > 1 ? coif_motion_step_at(steps, time, &between) : 0;
    const coif_vec3 *here = tangents + count * (size_t)step + 3 * (size_t)triangle;
    for (int i = 0; i < 3; ++i) {
        t[i] = steps > 1 ? coif_lerp(here[i], here[count + (size_t)i], between) : here[i];
        if (copy != NULL) {
            t[i] = coif_scale(coif_mat3_apply(&copy->linear, t[i]), 1.0f / copy->scale);
        }
    }
}
