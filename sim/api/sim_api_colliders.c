// sim_api_colliders: the colliders of <coif/sim.h>.
#include "core/base/array_grow.h"
#include "sim/api/sim_api_internal.h"

#include <math.h>

static sim_collider *add_collider(coif_strand_sim *sim, int32_t kind, int32_t *index)
{
    const size_t count = (size_t)sim->collider_count;
    sim->bodies = coif_array_grow(sim->bodies, count, 1, &sim->body_capacity, sizeof *sim->bodies,
                                  &sim->arena);
    sim->colliders = coif_array_grow(sim->colliders, count, 1, &sim->collider_capacity,
                                     sizeof(sim_collider *), &sim->arena);
    sim_collider *collider = coif_arena_new(&sim->arena, 1, sim_collider);
    collider->kind = kind;
    collider->primitive.shape = kind;
    sim->colliders[count] = collider;
    if (index != NULL) {
        *index = sim->collider_count;
    }
    ++sim->collider_count;
    return collider;
}

static coif_status check_mesh(int32_t vertex_count, const float *positions, int32_t triangle_count,
                              const int32_t *triangles)
{
    if (vertex_count < 3 || triangle_count < 1 || positions == NULL || triangles == NULL) {
        return coif_library_invalid("a mesh needs vertices and triangles");
    }
    for (int64_t i = 0; i < 3 * (int64_t)triangle_count; ++i) {
        if (triangles[i] < 0 || triangles[i] >= vertex_count) {
            return coif_library_invalid("a triangle has a vertex that does not exist");
        }
    }
    return coif_library_all_finite(positions, 3 * (int64_t)vertex_count)
               ? COIF_OK
               : coif_library_invalid("vertices of a mesh must be finite");
}

coif_status coif_strand_sim_add_mesh(coif_strand_sim *sim, int32_t vertex_count,
                                     const float *positions, int32_t triangle_count,
                                     const int32_t *triangles, int32_t *index)
{
    if (sim == NULL) {
        return coif_library_invalid("sim is NULL");
    }
    COIF_TRY(check_mesh(vertex_count, positions, triangle_count, triangles));
    const size_t bytes = 3 * (size_t)vertex_count * sizeof(float);
    sim_collider *collider = add_collider(sim, SIM_API_MESH, index);
    coif_mesh *mesh = &collider->mesh;
    mesh->vertex_count = vertex_count;
    mesh->triangle_count = triangle_count;
    mesh->positions = coif_arena_new(&sim->arena, vertex_count, coif_vec3);
    mesh->indices = coif_arena_new(&sim->arena, 3 * (int64_t)triangle_count, int32_t);
    memcpy(mesh->positions, positions, bytes);
    memcpy(mesh->indices, triangles, 3 * (size_t)triangle_count * sizeof(int32_t));
    collider->begin = coif_arena_new(&sim->arena, vertex_count, coif_vec3);
    collider->end = coif_arena_new(&sim->arena, vertex_count, coif_vec3);
    memcpy(collider->begin, positions, bytes);
    memcpy(collider->end, positions, bytes);
    coif_collider *body = &sim->bodies[sim->collider_count - 1];
    coif_collider_build(body, mesh, &sim->arena);
    coif_collider_build_sdf(body, mesh, &sim->arena);
    return COIF_OK;
}

static coif_status add_primitive(coif_strand_sim *sim, int32_t shape,
                                 const coif_primitive_pose *pose, int32_t *index)
{
    sim_collider *collider = add_collider(sim, shape, index);
    collider->rest = collider->pose_begin = collider->pose_end = *pose;
    coif_primitive_move(&sim->bodies[sim->collider_count - 1], &collider->primitive, pose, pose);
    return COIF_OK;
}

coif_status coif_strand_sim_add_capsule(coif_strand_sim *sim, const float begin[3],
                                        const float end[3], float radius, int32_t *index)
{
    if (sim == NULL || begin == NULL || end == NULL || !coif_library_all_finite(begin, 3) ||
        !coif_library_all_finite(end, 3) || !(radius > 0.0f && isfinite(radius))) {
        return coif_library_invalid("a capsule needs two finite ends and a positive radius");
    }
    const coif_primitive_pose pose = {{sim_api_vec3(begin, 0), sim_api_vec3(end, 0)}, radius};
    return add_primitive(sim, COIF_PRIMITIVE_CAPSULE, &pose, index);
}

coif_status coif_strand_sim_add_plane(coif_strand_sim *sim, const float point[3],
                                      const float normal[3], int32_t *index)
{
    if (sim == NULL || point == NULL || normal == NULL || !coif_library_all_finite(point, 3) ||
        !coif_library_all_finite(normal, 3) || !(coif_length(sim_api_vec3(normal, 0)) > 0.0f)) {
        return coif_library_invalid("a plane needs a finite point and a normal that is not zero");
    }
    const coif_primitive_pose pose = {
        .ends = {sim_api_vec3(point, 0), coif_normalize(sim_api_vec3(normal, 0))}};
    return add_primitive(sim, COIF_PRIMITIVE_PLANE, &pose, index);
}

// Calls the function of the caller with batches of coordinates.
static void eval_distance(void *context, coif_closest_point *nearest, const coif_vec3 *positions,
                          int32_t count, double seconds)
{
    const sim_collider *collider = context;
    float rows[10][SIM_API_BATCH];
    for (int32_t begin = 0; begin < count; begin += SIM_API_BATCH) {
        const int32_t size = count - begin < SIM_API_BATCH ? count - begin : SIM_API_BATCH;
        for (int32_t i = 0; i < size; ++i) {
            rows[0][i] = positions[begin + i].x;
            rows[1][i] = positions[begin + i].y;
            rows[2][i] = positions[begin + i].z;
            rows[3][i] = INFINITY;
            rows[4][i] = rows[5][i] = rows[6][i] = 0.0f;
            rows[7][i] = rows[8][i] = rows[9][i] = 0.0f;
        }
        const coif_distance_batch batch = {.struct_size = sizeof batch,
                                           .count = size,
                                           .time = seconds,
                                           .x = rows[0],
                                           .y = rows[1],
                                           .z = rows[2],
                                           .distance = rows[3],
                                           .nx = rows[4],
                                           .ny = rows[5],
                                           .nz = rows[6],
                                           .vx = rows[7],
                                           .vy = rows[8],
                                           .vz = rows[9]};
        collider->callback(collider->context, &batch);
        for (int32_t i = 0; i < size; ++i) {
            nearest[begin + i].distance = rows[3][i];
            nearest[begin + i].normal = coif_vec3_of(rows[4][i], rows[5][i], rows[6][i]);
            nearest[begin + i].motion = coif_vec3_of(rows[7][i], rows[8][i], rows[9][i]);
        }
    }
}

coif_status coif_strand_sim_add_distance(coif_strand_sim *sim, coif_distance_callback callback,
                                         void *context, int32_t *index)
{
    if (sim == NULL || callback == NULL) {
        return coif_library_invalid("a distance function is NULL");
    }
    sim_collider *collider = add_collider(sim, COIF_PRIMITIVE_FUNCTION, index);
    collider->callback = callback;
    collider->context = context;
    collider->primitive.function = eval_distance;
    collider->primitive.context = collider;
    coif_primitive_set_time(&sim->bodies[sim->collider_count - 1], &collider->primitive, sim->time,
                            0.0);
    return COIF_OK;
}

static sim_collider *collider_at(const coif_strand_sim *sim, int32_t index)
{
    if (sim == NULL || index < 0 || index >= sim->collider_count) {
        coif_library_invalid("no collider has that index");
        return NULL;
    }
    return sim->colliders[index];
}

coif_status coif_strand_sim_set_surface(coif_strand_sim *sim, int32_t index,
                                        const coif_collider_surface *surface)
{
    sim_collider *collider = collider_at(sim, index);
    coif_collider_surface given = {0};
    if (collider == NULL ||
        !coif_library_read_desc(&given, sizeof given, surface, "coif_collider_surface")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(coif_sim_api_check_range("friction", (double)given.friction, 0.0, 10.0));
    COIF_TRY(coif_sim_api_check_range("margin", (double)given.margin, 0.0, 1.0));
    COIF_TRY(coif_sim_api_check_range("softness", (double)given.softness, 0.0, 0.1));
    collider->surface = (coif_contact_surface){.has_friction = given.has_friction != 0,
                                               .friction = given.friction,
                                               .margin = given.margin,
                                               .softness = given.softness,
                                               .inner = given.inner != 0};
    if (sim->solver != NULL && sim->has_state) {
        // Drops the distances to the surface before.
        coif_solver_set_points(sim->solver, sim->positions, sim->velocities);
    }
    return COIF_OK;
}

coif_status coif_strand_sim_move_collider(coif_strand_sim *sim, int32_t index,
                                          const float transform[12])
{
    sim_collider *collider = collider_at(sim, index);
    coif_affine rigid;
    if (collider == NULL) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(coif_sim_api_read_rigid(&rigid, transform));
    if (collider->kind == COIF_PRIMITIVE_FUNCTION) {
        return coif_library_invalid("a distance function moves on its own");
    }
    collider->is_set = true;
    for (int32_t v = 0; v < collider->mesh.vertex_count; ++v) {
        collider->end[v] = coif_affine_apply(&rigid, collider->mesh.positions[v]);
    }
    const coif_primitive_pose *rest = &collider->rest;
    collider->pose_end.ends[0] = coif_affine_apply(&rigid, rest->ends[0]);
    collider->pose_end.ends[1] = collider->kind == COIF_PRIMITIVE_PLANE
                                     ? coif_mat3_apply(&rigid.linear, rest->ends[1])
                                     : coif_affine_apply(&rigid, rest->ends[1]);
    return COIF_OK;
}

coif_status coif_strand_sim_deform_mesh(coif_strand_sim *sim, int32_t index, const float *positions)
{
    sim_collider *collider = collider_at(sim, index);
    if (collider == NULL) {
        return COIF_ERR_ARGUMENT;
    }
    if (collider->kind != SIM_API_MESH || positions == NULL ||
        !coif_library_all_finite(positions, 3 * (int64_t)collider->mesh.vertex_count)) {
        return coif_library_invalid("deform_mesh needs a mesh and as many finite vertices");
    }
    collider->is_set = true;
    memcpy(collider->end, positions, 3 * sizeof(float) * (size_t)collider->mesh.vertex_count);
    return COIF_OK;
}

void coif_sim_api_begin_bodies(coif_strand_sim *sim, double seconds)
{
    for (int32_t b = 0; b < sim->collider_count; ++b) {
        sim_collider *c = sim->colliders[b];
        if (c->kind == COIF_PRIMITIVE_FUNCTION) {
            coif_primitive_set_time(&sim->bodies[b], &c->primitive, sim->time, seconds);
        } else if (c->kind != SIM_API_MESH) {
            coif_primitive_move(&sim->bodies[b], &c->primitive, &c->pose_begin, &c->pose_end);
        } else if (c->is_set || c->has_moved) {
            coif_collider_refit(&sim->bodies[b], c->begin, c->end);
        }
        sim->bodies[b].surface = c->surface;
    }
}

void coif_sim_api_end_bodies(coif_strand_sim *sim)
{
    for (int32_t b = 0; b < sim->collider_count; ++b) {
        sim_collider *c = sim->colliders[b];
        c->pose_begin = c->pose_end;
        if (c->is_set && c->kind == SIM_API_MESH) {
            memcpy(c->begin, c->end, sizeof(coif_vec3) * (size_t)c->mesh.vertex_count);
        }
        c->has_moved = c->is_set;
        c->is_set = false;
    }
}
