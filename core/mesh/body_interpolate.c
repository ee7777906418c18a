#include "core/mesh/body_interpolate.h"

#include "core/base/arena.h"
#include "core/base/error.h"

#include <string.h>

// The slope between two steps: their mean, but none where one goes back on the other.
static coif_vec3 slope_of(coif_vec3 before, coif_vec3 after)
{
    if (!(coif_dot(before, after) > 0.0f)) {
        return (coif_vec3){0.0f, 0.0f, 0.0f};
    }
    const coif_vec3 mean = coif_scale(coif_add(before, after), 0.5f);
    const float most = 3.0f * fminf(coif_length(before), coif_length(after));
    const float length = coif_length(mean);
    return length > most ? coif_scale(mean, most / length) : mean;
}

coif_vec3 coif_smooth_interpolate(coif_vec3 a, coif_vec3 b, coif_vec3 c, coif_vec3 d, float t)
{
    const coif_vec3 step = coif_sub(c, b);
    const coif_vec3 leave = slope_of(coif_sub(b, a), step);
    const coif_vec3 arrive = slope_of(step, coif_sub(d, c));
    const float s = 1.0f - t;
    // h01 = t^2 (3 - 2 t), h10 = t s^2, h11 = -t^2 s
    coif_vec3 p = coif_mad(b, t * t * (3.0f - 2.0f * t), step);
    p = coif_mad(p, t * s * s, leave);
    return coif_mad(p, -t * t * s, arrive);
}

static coif_vec3 vector_of(const float v[3])
{
    return (coif_vec3){v[0], v[1], v[2]};
}

static void set_vector(float to[3], coif_vec3 v)
{
    to[0] = v.x;
    to[1] = v.y;
    to[2] = v.z;
}

static void smooth_vector(float to[3], const float *const from[4], float t)
{
    set_vector(to, coif_smooth_interpolate(vector_of(from[0]), vector_of(from[1]),
                                           vector_of(from[2]), vector_of(from[3]), t));
}

// Keyed motion between the frames. What else may be keyed (pivot, falloff) goes as its keys say.
static coif_body_params params_between(const coif_body *body, const coif_body_window *way, float t)
{
    coif_body_params at[4], params;
    const float *shifts[4], *turns[4];
    for (int i = 0; i < 4; ++i) {
        const int frame = way->begin - 1 + i;
        coif_node_read(body->node, frame < way->first ? way->first : frame, &at[i]);
        shifts[i] = at[i].translate;
        turns[i] = at[i].rotate;
    }
    coif_node_read(body->node, (double)way->begin + (double)t, &params);
    smooth_vector(params.translate, shifts, t);
    smooth_vector(params.rotate, turns, t);
    return params;
}

static void blend_normals(coif_mesh *mesh, const coif_mesh *from, const coif_mesh *to, float t)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        const coif_vec3 normal = coif_lerp(from->normals[i], to->normals[i], t);
        // One that turns over keeps its side half-way.
        mesh->normals[i] =
            coif_dot(normal, normal) > 1e-6f ? coif_normalize(normal) : from->normals[i];
    }
}

void coif_body_interpolate(coif_mesh *mesh, const coif_body *body, const coif_body_window *way,
                           float t, coif_arena *arena)
{
    coif_body_rest(mesh, body, arena);
    if (!body->sequence) {
        const coif_body_params params = params_between(body, way, t);
        coif_body_transform_points(mesh, &params, body);
        coif_body_apply_drag(mesh, body);
        return;
    }
    const coif_mesh *const *p = way->poses;
    for (int32_t i = 0; i < mesh->vertex_count; ++i) {
        mesh->positions[i] = coif_smooth_interpolate(p[0]->positions[i], p[1]->positions[i],
                                                     p[2]->positions[i], p[3]->positions[i], t);
    }
    blend_normals(mesh, p[1], p[2], t);
}

static coif_status pose_neighbours(coif_mesh meshes[4], coif_body_window *way,
                                   const coif_body *body, coif_arena *arena, coif_error *error)
{
    for (int i = 0; i < 4; ++i) {
        const int frame = way->begin - 1 + i;
        COIF_TRY(coif_body_pose(&meshes[i], body, frame < way->first ? way->first : frame, arena,
                                error));
        way->poses[i] = &meshes[i];
    }
    return COIF_OK;
}

coif_status coif_body_pose_interpolated(coif_mesh *mesh, const coif_body *body,
                                        const coif_body_interpolation *course, double frame,
                                        coif_arena *arena, coif_error *error)
{
    coif_body_window way = {.begin = (int)floor(frame), .first = course->first};
    const float t = (float)(frame - way.begin);
    if (!course->smooth || !(t > 0.0f) || !(t < 1.0f) || way.begin < course->first ||
        !coif_body_is_animated(body)) {
        return coif_body_pose(mesh, body, frame, arena, error);
    }
    coif_arena scratch;
    coif_arena_init(&scratch, "poses");
    coif_mesh meshes[4];
    const coif_status status =
        body->sequence ? pose_neighbours(meshes, &way, body, &scratch, error) : COIF_OK;
    if (status == COIF_OK) {
        coif_body_interpolate(mesh, body, &way, t, arena);
    }
    coif_arena_free(&scratch);
    return status;
}

coif_status coif_body_ramp(coif_mesh *mesh, const coif_body *body, double frame, float share,
                           coif_arena *arena, coif_error *error)
{
    if (body->sequence) {
        coif_mesh end;
        COIF_TRY(coif_body_pose(&end, body, frame, arena, error));
        coif_body_rest(mesh, body, arena);
        for (int32_t i = 0; i < mesh->vertex_count; ++i) {
            mesh->positions[i] = coif_lerp(body->rest.positions[i], end.positions[i], share);
        }
        blend_normals(mesh, &body->rest, &end, share);
        return COIF_OK;
    }
    coif_body_params params;
    coif_node_read(body->node, frame, &params);
    set_vector(params.translate, coif_scale(vector_of(params.translate), share));
    set_vector(params.rotate, coif_scale(vector_of(params.rotate), share));
    coif_body_rest(mesh, body, arena);
    coif_body_transform_points(mesh, &params, body);
    return COIF_OK;
}
