// sim_api: <coif/sim.h> as an adapter of sim/solver and sim/collision.
#include "core/api/library_internal.h"
#include "core/base/arena.h"
#include "core/base/array_grow.h"
#include "core/mesh/affine.h"
#include "sim/collision/primitive_colliders.h"
#include "sim/interaction/hair_interaction.h"
#include "sim/interaction/wind_occlusion.h"
#include "sim/solver/method.h"

#include <coif/sim.h>

#include <math.h>
#include <string.h>

enum { MESH = -1 };

// A collider, with the shape it was added with and its pose at both ends of the next step.
typedef struct sim_collider {
    int32_t kind; // MESH or COIF_PRIMITIVE_...
    coif_mesh mesh;
    coif_vec3 *begin, *end; // vertices
    bool is_set, has_moved; // since the last step, in the last step
    coif_primitive primitive;
    coif_primitive_pose rest, pose_begin, pose_end;
    coif_distance_callback callback;
    void *context;
} sim_collider;

struct coif_strand_sim {
    coif_strand_sim_desc desc; // arrays are copies
    coif_arena arena;
    coif_jobs *jobs;
    const coif_kernels *kernels;
    int32_t method;
    coif_root_pose *rest_roots, *root_begin, *root_end;
    coif_vec3 *positions, *velocities; // after the last step
    bool has_state;                    // positions are not those of the rest shape
    coif_solver *solver;               // NULL: before the first step
    double solver_seconds;             // the longest step it is made for
    float *contact_distance;           // per point, of the first solver
    coif_hair_interaction interaction; // of the solver
    double step_seconds;               // of the present step
    double time;
    coif_collider *bodies;
    sim_collider **colliders;
    int32_t collider_count;
    size_t body_capacity, collider_capacity;
    coif_force_callback force;
    void *force_context;
};

// Numbers of a description: defaults, which are those of "sim" in a scene, and ranges.
typedef struct number_row {
    const char *name;
    size_t offset;
    bool integer;
    double fallback, low, high;
} number_row;

// clang-format off
#define NUMBER(name, ...) {#name, offsetof(coif_strand_sim_desc, name), false, __VA_ARGS__}
#define INTEGER(name, ...) {#name, offsetof(coif_strand_sim_desc, name), true, __VA_ARGS__}
static const number_row NUMBERS[] = {
    INTEGER(threads, 0, 0, 1024),
    INTEGER(substeps, 8, 1, 1000),
    INTEGER(iterations, 3, 1, 1000),
    NUMBER(radius, 4e-5, 1e-7, 0.01),
    NUMBER(density, 1320, 1, 100000),
    NUMBER(youngs_modulus, 3.9e9, 0, 1e12),
    NUMBER(poisson_ratio, 0.4, 0, 0.5),
    NUMBER(ellipticity, 1, 1, 10),
    NUMBER(bending_damping_time, 0.005, 0, 10),
    NUMBER(stiffness, 1, 0, 1000),
    NUMBER(stretch_stiffness, 1, 0, 1),
    NUMBER(bend_stiffness, 0.6, 0, 1),
    NUMBER(shape_stiffness, 0.8, 0, 1),
    NUMBER(ftl_velocity_correction, 0.9, 0, 1),
    NUMBER(spring_stretch_force, 20, 0, 1000),
    NUMBER(curl_core_force, 1e-5, 0, 1000),
    NUMBER(spring_damping_time, 3e-5, 0, 1),
    NUMBER(spring_frame_smoothing, 0.0005, 0, 1),
    NUMBER(curl_core_smoothing, 0.01, 0, 1),
    INTEGER(max_inner_steps, 1500, 1, 100000),
    NUMBER(gravity_compensation, 1, 0, 1),
    NUMBER(damping, 1, 0, 1000),
    NUMBER(drag, 3, 0, 1000),
    NUMBER(tangential_drag_reduction, 0.5, 0, 1),
    NUMBER(drag_coefficient, 0, 0, 100),
    NUMBER(goal_frequency_root, 30, 0, 1000),
    NUMBER(goal_frequency_tip, 3, 0, 1000),
    NUMBER(contact_margin, 0.001, 0, 0.1),
    NUMBER(friction, 0.3, 0, 10),
    NUMBER(restitution, 0, 0, 1),
    NUMBER(max_depenetration_speed, 1, 0, 1000),
    NUMBER(interaction_friction, 0, 0, 1000),
    NUMBER(interaction_stiffness, 0, 0, 10),
    NUMBER(wind_attenuation, 0, 0, 1000),
    NUMBER(interaction_cell_size, 0, 0, 1),
    INTEGER(interaction_interval, 5, 0, 1000),
    NUMBER(hairs_per_strand, 1, 1e-3, 1e6),
};
// clang-format on

static coif_strand_sim_desc default_desc(void)
{
    coif_strand_sim_desc desc = {.method = "der", .gravity = {0.0f, -9.81f, 0.0f}};
    for (size_t i = 0; i < COIF_COUNT_OF(NUMBERS); ++i) {
        const number_row *row = &NUMBERS[i];
        const int32_t integer = (int32_t)row->fallback;
        const float number = (float)row->fallback;
        memcpy((char *)&desc + row->offset, row->integer ? (const void *)&integer : &number, 4);
    }
    return desc;
}

void coif_strand_sim_desc_init(coif_strand_sim_desc *desc, size_t size)
{
    const coif_strand_sim_desc defaults = default_desc();
    coif_library_write_desc(desc, size, &defaults, sizeof defaults);
}

static coif_vec3 vec3_at(const float *values, int64_t index)
{
    return coif_vec3_of(values[3 * index], values[3 * index + 1], values[3 * index + 2]);
}

static bool is_rotation(const coif_vec3 row[3])
{
    const float tolerance = 1e-3f;
    for (int r = 0; r < 3; ++r) {
        if (!(fabsf(coif_length(row[r]) - 1.0f) < tolerance &&
              fabsf(coif_dot(row[r], row[(r + 1) % 3])) < tolerance)) {
            return false;
        }
    }
    return coif_dot(coif_cross(row[0], row[1]), row[2]) > 0.0f;
}

static coif_root_pose rest_root(const coif_strand_sim_desc *desc, int32_t strand)
{
    const int32_t first = desc->first_point[strand];
    coif_root_pose root = {.position = vec3_at(desc->points, first)};
    if (desc->root_frames != NULL) {
        root.tangent = vec3_at(desc->root_frames, 3 * (int64_t)strand);
        root.bitangent = vec3_at(desc->root_frames, 3 * (int64_t)strand + 1);
        root.normal = vec3_at(desc->root_frames, 3 * (int64_t)strand + 2);
    } else {
        root.normal = coif_normalize(coif_sub(vec3_at(desc->points, first + 1), root.position));
        coif_frame_around(root.normal, &root.tangent, &root.bitangent);
    }
    return root;
}

static coif_status check_strand(const coif_strand_sim_desc *desc, int32_t strand)
{
    const int32_t first = desc->first_point[strand];
    const int32_t end = desc->first_point[strand + 1];
    coif_error *error = coif_library_error();
    if (first < 0 || end < first + 2) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "strand %d has fewer than 2 points", strand);
    }
    for (int32_t i = first; i < end; ++i) {
        if (!coif_library_all_finite(desc->points + 3 * (int64_t)i, 3)) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "point %d is not finite", i);
        }
        if (i > first && !(coif_length(coif_sub(vec3_at(desc->points, i),
                                                vec3_at(desc->points, i - 1))) > 1e-7f)) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "point %d equals the point before it", i);
        }
    }
    const coif_root_pose root = rest_root(desc, strand);
    if (!is_rotation((const coif_vec3[3]){root.tangent, root.bitangent, root.normal})) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "the root frame of strand %d is no rotation",
                         strand);
    }
    if (desc->radii != NULL && !(desc->radii[strand] > 0.0f && isfinite(desc->radii[strand]))) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "the radius of strand %d is not positive",
                         strand);
    }
    return COIF_OK;
}

static coif_status check_range(const char *name, double value, double low, double high)
{
    return value >= low && value <= high
               ? COIF_OK
               : coif_fail(coif_library_error(), COIF_ERR_ARGUMENT, "%s is %g; expected %g to %g",
                           name, value, low, high);
}

static coif_status check_numbers(const coif_strand_sim_desc *desc)
{
    for (size_t i = 0; i < COIF_COUNT_OF(NUMBERS); ++i) {
        const number_row *row = &NUMBERS[i];
        int32_t integer;
        float number;
        memcpy(&integer, (const char *)desc + row->offset, sizeof integer);
        memcpy(&number, (const char *)desc + row->offset, sizeof number);
        COIF_TRY(check_range(row->name, row->integer ? integer : (double)number, (float)row->low,
                             (float)row->high));
    }
    return coif_library_all_finite(desc->gravity, 3) && coif_library_all_finite(desc->wind, 3)
               ? COIF_OK
               : coif_library_invalid("gravity and wind must be finite");
}

static coif_status check_desc(const coif_strand_sim_desc *desc)
{
    if (desc->strand_count < 1 || desc->first_point == NULL || desc->points == NULL) {
        return coif_library_invalid("strand_count, first_point and points must be given");
    }
    if (desc->first_point[0] != 0) {
        return coif_library_invalid("first_point must begin with 0");
    }
    COIF_TRY(check_numbers(desc));
    for (int32_t s = 0; s < desc->strand_count; ++s) {
        COIF_TRY(check_strand(desc, s));
    }
    return COIF_OK;
}

static const void *copy_bytes(coif_arena *arena, const void *from, size_t size)
{
    if (from == NULL) {
        return NULL;
    }
    void *to = coif_arena_alloc(arena, size, 1);
    memcpy(to, from, size);
    return to;
}

static int32_t point_count(const coif_strand_sim *sim)
{
    return sim->desc.first_point[sim->desc.strand_count];
}

static void copy_arrays(coif_strand_sim *sim)
{
    coif_strand_sim_desc *desc = &sim->desc;
    const size_t strands = (size_t)desc->strand_count;
    const size_t points = (size_t)desc->first_point[strands];
    desc->first_point = copy_bytes(&sim->arena, desc->first_point, (strands + 1) * sizeof(int32_t));
    desc->points = copy_bytes(&sim->arena, desc->points, 3 * points * sizeof(float));
    desc->pinned = copy_bytes(&sim->arena, desc->pinned, points);
    desc->radii = copy_bytes(&sim->arena, desc->radii, strands * sizeof(float));
    sim->rest_roots = coif_arena_new(&sim->arena, strands, coif_root_pose);
    sim->root_begin = coif_arena_new(&sim->arena, strands, coif_root_pose);
    sim->root_end = coif_arena_new(&sim->arena, strands, coif_root_pose);
    for (size_t s = 0; s < strands; ++s) {
        sim->rest_roots[s] = sim->root_begin[s] = sim->root_end[s] = rest_root(desc, (int32_t)s);
    }
    desc->root_frames = NULL; // the caller's
    sim->positions = coif_arena_new(&sim->arena, points, coif_vec3);
    sim->velocities = coif_arena_new(&sim->arena, points, coif_vec3);
    sim->contact_distance = coif_arena_new(&sim->arena, points, float);
    memcpy(sim->positions, desc->points, 3 * points * sizeof(float));
}

coif_status coif_strand_sim_create(coif_strand_sim **sim, const coif_strand_sim_desc *desc)
{
    coif_strand_sim_desc known = default_desc();
    if (!coif_library_read_desc(&known, sizeof known, desc, "coif_strand_sim_desc")) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(check_desc(&known));
    const int32_t method = coif_library_find_name(COIF_METHOD_NAMES, known.method, "method");
    if (method < 0) {
        return COIF_ERR_ARGUMENT;
    }
    coif_arena arena;
    coif_arena_init(&arena, "strand simulation");
    coif_strand_sim *made = coif_arena_new(&arena, 1, coif_strand_sim);
    coif_arena_move(&made->arena, &arena);
    made->desc = known;
    made->method = method;
    copy_arrays(made);
    coif_error *error = coif_library_error();
    coif_status status = coif_kernels_find(&made->kernels, NULL, error);
    if (status == COIF_OK) {
        status = coif_jobs_open(&made->jobs, known.threads, &made->arena, error);
    }
    if (status != COIF_OK) {
        coif_strand_sim_destroy(made);
        return status;
    }
    *sim = made;
    return COIF_OK;
}

void coif_strand_sim_destroy(coif_strand_sim *sim)
{
    if (sim == NULL) {
        return;
    }
    coif_solver_destroy(sim->solver);
    if (sim->jobs != NULL) {
        coif_jobs_close(sim->jobs);
    }
    coif_arena arena;
    coif_arena_move(&arena, &sim->arena);
    coif_arena_free(&arena);
}

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
    sim_collider *collider = add_collider(sim, MESH, index);
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
    coif_collider_build_sdf(body, mesh, &sim->arena, sim->jobs);
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
    const coif_primitive_pose pose = {{vec3_at(begin, 0), vec3_at(end, 0)}, radius};
    return add_primitive(sim, COIF_PRIMITIVE_CAPSULE, &pose, index);
}

coif_status coif_strand_sim_add_plane(coif_strand_sim *sim, const float point[3],
                                      const float normal[3], int32_t *index)
{
    if (sim == NULL || point == NULL || normal == NULL || !coif_library_all_finite(point, 3) ||
        !coif_library_all_finite(normal, 3) || !(coif_length(vec3_at(normal, 0)) > 0.0f)) {
        return coif_library_invalid("a plane needs a finite point and a normal that is not zero");
    }
    const coif_primitive_pose pose = {
        .ends = {vec3_at(point, 0), coif_normalize(vec3_at(normal, 0))}};
    return add_primitive(sim, COIF_PRIMITIVE_PLANE, &pose, index);
}

enum { BATCH = 64 };

// Calls the function of the caller with batches of coordinates.
static void eval_distance(void *context, coif_closest_point *nearest, const coif_vec3 *positions,
                          int32_t count, double seconds)
{
    const sim_collider *collider = context;
    float rows[10][BATCH];
    for (int32_t begin = 0; begin < count; begin += BATCH) {
        const int32_t size = count - begin < BATCH ? count - begin : BATCH;
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

// Rows of the linear part of a transform, which must be a rotation.
static coif_status read_rigid(coif_affine *rigid, const float *transform)
{
    if (transform == NULL || !coif_library_all_finite(transform, 12)) {
        return coif_library_invalid("a transform must be 12 finite numbers");
    }
    float *shift = &rigid->translation.x;
    for (int r = 0; r < 3; ++r) {
        rigid->linear.row[r] =
            coif_vec3_of(transform[4 * r], transform[4 * r + 1], transform[4 * r + 2]);
        shift[r] = transform[4 * r + 3];
    }
    return is_rotation(rigid->linear.row) ? COIF_OK
                                          : coif_library_invalid("a transform is not rigid");
}

static sim_collider *collider_at(const coif_strand_sim *sim, int32_t index)
{
    if (sim == NULL || index < 0 || index >= sim->collider_count) {
        coif_library_invalid("no collider has that index");
        return NULL;
    }
    return sim->colliders[index];
}

coif_status coif_strand_sim_move_collider(coif_strand_sim *sim, int32_t index,
                                          const float transform[12])
{
    sim_collider *collider = collider_at(sim, index);
    coif_affine rigid;
    if (collider == NULL) {
        return COIF_ERR_ARGUMENT;
    }
    COIF_TRY(read_rigid(&rigid, transform));
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
    if (collider->kind != MESH || positions == NULL ||
        !coif_library_all_finite(positions, 3 * (int64_t)collider->mesh.vertex_count)) {
        return coif_library_invalid("deform_mesh needs a mesh and as many finite vertices");
    }
    collider->is_set = true;
    memcpy(collider->end, positions, 3 * sizeof(float) * (size_t)collider->mesh.vertex_count);
    return COIF_OK;
}

coif_status coif_strand_sim_set_force(coif_strand_sim *sim, coif_force_callback callback,
                                      void *context)
{
    if (sim == NULL) {
        return coif_library_invalid("sim is NULL");
    }
    sim->force = callback;
    sim->force_context = context;
    return COIF_OK;
}

coif_status coif_strand_sim_move_roots(coif_strand_sim *sim, const float transform[12])
{
    coif_affine rigid;
    if (sim == NULL) {
        return coif_library_invalid("sim is NULL");
    }
    COIF_TRY(read_rigid(&rigid, transform));
    for (int32_t s = 0; s < sim->desc.strand_count; ++s) {
        const coif_root_pose *rest = &sim->rest_roots[s];
        sim->root_end[s] = (coif_root_pose){coif_affine_apply(&rigid, rest->position),
                                            coif_mat3_apply(&rigid.linear, rest->tangent),
                                            coif_mat3_apply(&rigid.linear, rest->bitangent),
                                            coif_mat3_apply(&rigid.linear, rest->normal)};
    }
    return COIF_OK;
}

coif_status coif_strand_sim_set_roots(coif_strand_sim *sim, const float *roots)
{
    if (sim == NULL || roots == NULL ||
        !coif_library_all_finite(roots, 12 * (int64_t)sim->desc.strand_count)) {
        return coif_library_invalid("roots must be 12 finite numbers per strand");
    }
    for (int32_t s = 0; s < sim->desc.strand_count; ++s) {
        const coif_vec3 frame[3] = {vec3_at(roots, 4 * (int64_t)s + 1),
                                    vec3_at(roots, 4 * (int64_t)s + 2),
                                    vec3_at(roots, 4 * (int64_t)s + 3)};
        if (!is_rotation(frame)) {
            return coif_library_invalid("the frame of a root is no rotation");
        }
    }
    memcpy(sim->root_end, roots, sizeof(coif_root_pose) * (size_t)sim->desc.strand_count);
    return COIF_OK;
}

static float radius_of(const coif_strand_sim_desc *desc, int32_t strand)
{
    return desc->radii != NULL ? desc->radii[strand] : desc->radius;
}

// Points keep the distance they have at rest where that is less than the margin.
static float contact_distance(const coif_strand_sim *sim, int32_t strand, int32_t point)
{
    const float full = sim->desc.contact_margin + radius_of(&sim->desc, strand);
    float least = full;
    for (int32_t b = 0; b < sim->collider_count; ++b) {
        const coif_closest_point_query query = {
            .position = vec3_at(sim->desc.points, point), .max_distance = 2.0f * full, .hint = -1};
        coif_closest_point nearest;
        if (coif_collider_closest_point(&nearest, &sim->bodies[b], &query)) {
            least = fminf(least, nearest.distance);
        }
    }
    return coif_clamp(least, 0.2f * full, full);
}

// Ends stand for half a segment and have half the mass. The goal frequency falls quadratically
// from root to tip.
static void fill_points(const coif_strand_sim *sim, int32_t strand, float *inv_mass,
                        float *goal_stiffness)
{
    const coif_strand_sim_desc *desc = &sim->desc;
    const int32_t first = desc->first_point[strand];
    const int32_t last = desc->first_point[strand + 1] - first - 1;
    const int32_t clamped = coif_solver_vtable_at(sim->method)->pinned_points;
    for (int32_t k = 0; k <= last; ++k) {
        const int32_t i = first + k;
        const bool pinned = k < clamped || (desc->pinned != NULL && desc->pinned[i] != 0);
        const float rest = 1.0f - (float)k / (float)last;
        const float rate = desc->goal_frequency_tip +
                           (desc->goal_frequency_root - desc->goal_frequency_tip) * (rest * rest);
        inv_mass[i] = pinned ? 0.0f : k == 0 || k == last ? 2.0f : 1.0f;
        goal_stiffness[i] = rate * rate;
        if (sim->solver == NULL) {
            sim->contact_distance[i] = pinned ? 0.0f : contact_distance(sim, strand, i);
        }
    }
}

static bool tips_are_free(const coif_strand_sim_desc *desc)
{
    for (int32_t s = 0; desc->pinned != NULL && s < desc->strand_count; ++s) {
        if (desc->pinned[desc->first_point[s + 1] - 1] != 0) {
            return false;
        }
    }
    return true;
}

static coif_strand_material material_of(const coif_strand_sim_desc *desc, int32_t strand)
{
    return (coif_strand_material){.youngs_modulus = desc->youngs_modulus,
                                  .poisson_ratio = desc->poisson_ratio,
                                  .ellipticity = desc->ellipticity,
                                  .density = desc->density,
                                  .radius = radius_of(desc, strand),
                                  .stiffness = desc->stiffness,
                                  .mass_scale = 1.0f,
                                  .gravity = vec3_at(desc->gravity, 0),
                                  .gravity_compensation = desc->gravity_compensation,
                                  .clamped = true};
}

static coif_spring_material spring_of(const coif_strand_sim_desc *desc)
{
    return (coif_spring_material){.stretch = desc->spring_stretch_force,
                                  .core = desc->curl_core_force,
                                  .damping_time = desc->spring_damping_time,
                                  .smoothing_length = desc->spring_frame_smoothing,
                                  .core_smoothing_length = desc->curl_core_smoothing};
}

static coif_solver *create_solver(const coif_strand_sim *sim, double seconds)
{
    const coif_strand_sim_desc *desc = &sim->desc;
    const int32_t strands = desc->strand_count;
    const int32_t points = point_count(sim);
    coif_arena arena;
    coif_arena_init(&arena, "solver definition");
    float *inv_mass = coif_arena_new(&arena, points, float);
    float *goal_stiffness = coif_arena_new(&arena, points, float);
    int32_t *locality = coif_arena_new(&arena, strands, int32_t);
    coif_strand_material *material = coif_arena_new(&arena, strands, coif_strand_material);
    coif_spring_material *spring = coif_arena_new(&arena, strands, coif_spring_material);
    for (int32_t s = 0; s < strands; ++s) {
        fill_points(sim, s, inv_mass, goal_stiffness);
        locality[s] = s;
        material[s] = material_of(desc, s);
        spring[s] = spring_of(desc);
    }
    const coif_solver_def def = {.kernels = sim->kernels,
                                 .method = sim->method,
                                 .strand_count = strands,
                                 .first_point = desc->first_point,
                                 .locality = locality,
                                 .rest_points = (const coif_vec3 *)(const void *)desc->points,
                                 .contact_distance = sim->contact_distance,
                                 .inv_mass = inv_mass,
                                 .goal_stiffness = goal_stiffness,
                                 .rest_frame = sim->rest_roots,
                                 .rest_root = sim->rest_roots,
                                 .material = material,
                                 .spring = spring,
                                 .root_clamped = true,
                                 .compensates_gravity =
                                     desc->gravity_compensation > 0.0f && tips_are_free(desc),
                                 .substep_seconds = (float)(seconds / desc->substeps),
                                 .max_spring_steps = desc->max_inner_steps,
                                 .bend_constraint = COIF_BEND_DISTANCE,
                                 .bend_spans = {.count = 1, .segments = {2}, .scales = {1.0f}}};
    coif_solver *solver = coif_solver_create(&def, NULL, sim->jobs);
    coif_arena_free(&arena);
    return solver;
}

// A solver for steps of so many seconds, with the present state.
static void ensure_solver(coif_strand_sim *sim, double seconds)
{
    if (sim->solver != NULL && seconds <= sim->solver_seconds * 1.0001) {
        return;
    }
    coif_solver *old = sim->solver;
    sim->solver = create_solver(sim, seconds);
    sim->solver_seconds = seconds;
    sim->interaction = (coif_hair_interaction){0};
    coif_solver_reset_to_rest(sim->solver, sim->root_begin);
    if (sim->has_state) {
        coif_solver_set_points(sim->solver, sim->positions, sim->velocities);
    }
    if (old != NULL) {
        coif_arena arena;
        coif_arena_init(&arena, "solver state");
        const int64_t rows = coif_solver_state_rows(old);
        float *state = coif_arena_new(&arena, rows * point_count(sim) + 1, float);
        coif_solver_get_state(old, state);
        coif_solver_set_state(sim->solver, state);
        coif_arena_free(&arena);
        coif_solver_destroy(old);
    }
}

// The force field on some points; those with values that are not finite keep what they had.
static bool eval_force_batch(const coif_strand_sim *sim, const coif_force_points *points,
                             int32_t begin, int32_t count)
{
    float *const outputs[6] = {points->wind.x + begin,  points->wind.y + begin,
                               points->wind.z + begin,  points->accel.x + begin,
                               points->accel.y + begin, points->accel.z + begin};
    float before[6][BATCH];
    for (int r = 0; r < 6; ++r) {
        memcpy(before[r], outputs[r], sizeof(float) * (size_t)count);
    }
    const coif_force_batch batch = {.struct_size = sizeof batch,
                                    .count = count,
                                    .time = points->time,
                                    .x = points->pos.x + begin,
                                    .y = points->pos.y + begin,
                                    .z = points->pos.z + begin,
                                    .vx = points->vel.x + begin,
                                    .vy = points->vel.y + begin,
                                    .vz = points->vel.z + begin,
                                    .wind_x = outputs[0],
                                    .wind_y = outputs[1],
                                    .wind_z = outputs[2],
                                    .ax = outputs[3],
                                    .ay = outputs[4],
                                    .az = outputs[5]};
    sim->force(sim->force_context, &batch);
    bool valid = true;
    for (int32_t i = 0; i < count; ++i) {
        const float sum = outputs[0][i] + outputs[1][i] + outputs[2][i] + outputs[3][i] +
                          outputs[4][i] + outputs[5][i];
        for (int r = 0; r < 6 && !isfinite(sum); ++r) {
            outputs[r][i] = before[r][i];
        }
        valid = valid && isfinite(sum);
    }
    return valid;
}

static int32_t eval_forces(void *context, const coif_force_points *points)
{
    const coif_strand_sim *sim = context;
    const float *wind = sim->desc.wind;
    for (int32_t i = 0; i < points->count; ++i) {
        points->wind.x[i] += wind[0];
        points->wind.y[i] += wind[1];
        points->wind.z[i] += wind[2];
    }
    bool valid = true;
    for (int32_t begin = 0; sim->force != NULL && begin < points->count; begin += BATCH) {
        const int32_t left = points->count - begin;
        valid = eval_force_batch(sim, points, begin, left < BATCH ? left : BATCH) && valid;
    }
    return valid ? 0 : 1;
}

static coif_interaction_params interaction_params_of(const coif_strand_sim_desc *desc)
{
    return (coif_interaction_params){.friction = desc->interaction_friction,
                                     .stiffness = desc->interaction_stiffness,
                                     .wind_attenuation = desc->wind_attenuation,
                                     .cell_size = desc->interaction_cell_size};
}

static void update_interaction(void *context, int32_t substep, int32_t next)
{
    coif_strand_sim *sim = context;
    const double h = sim->step_seconds / sim->desc.substeps;
    const float substeps = (float)sim->desc.substeps;
    const coif_interaction_params params = interaction_params_of(&sim->desc);
    const coif_solver_view view = coif_solver_view_of(sim->solver, sim->jobs);
    coif_interaction_strands strands = {.kernels = view.kernels,
                                        .blocks = view.blocks,
                                        .block_count = view.block_count,
                                        .scratch = view.scratch,
                                        .strand_count = sim->desc.strand_count,
                                        .point_count = point_count(sim),
                                        .rest_roots = view.rest_roots,
                                        .hairs_per_strand = sim->desc.hairs_per_strand,
                                        .arena = view.arena};
    const coif_solver_forces forces = {.context = sim, .eval = eval_forces};
    const coif_interaction_interval interval = {.root_begin = sim->root_begin,
                                                .root_end = sim->root_end,
                                                .from = (float)substep / substeps,
                                                .to = (float)next / substeps,
                                                .seconds = h * (next - substep),
                                                .time = sim->time + h * (substep + 1),
                                                .forces = &forces};
    if (!sim->interaction.rest_measured) {
        coif_hair_interaction_measure_rest(&sim->interaction, &strands, &params, sim->jobs);
    }
    coif_hair_interaction_update(&sim->interaction, &strands, &params, &interval, sim->jobs);
}

static void attenuate_wind(const void *context, const coif_strand_block *block,
                           coif_solver_scratch *scratch)
{
    const coif_strand_sim *sim = context;
    coif_wind_occlusion_apply(block, scratch, &sim->interaction.grid_velocity);
}

static coif_solver_interaction interaction_of(coif_strand_sim *sim)
{
    const coif_strand_sim_desc *desc = &sim->desc;
    const coif_interaction_params params = interaction_params_of(desc);
    if (!coif_hair_interaction_enabled(&params)) {
        return (coif_solver_interaction){0};
    }
    return (coif_solver_interaction){
        .context = sim,
        .interval = desc->interaction_interval > 0 ? desc->interaction_interval : desc->substeps,
        .update = update_interaction,
        .attenuate_wind = desc->wind_attenuation > 0.0f ? attenuate_wind : NULL};
}

static coif_solver_params solver_params_of(const coif_strand_sim_desc *desc)
{
    return (coif_solver_params){.substeps = desc->substeps,
                                .iterations = desc->iterations,
                                .gravity = vec3_at(desc->gravity, 0),
                                .damping = desc->damping,
                                .damping_factor = 1.0f,
                                .drag = desc->drag,
                                .tangential_drag_reduction = desc->tangential_drag_reduction,
                                .drag_coefficient = desc->drag_coefficient,
                                .stretch_stiffness = desc->stretch_stiffness,
                                .bend_stiffness = desc->bend_stiffness,
                                .shape_stiffness = desc->shape_stiffness,
                                .friction = desc->friction,
                                .restitution = desc->restitution,
                                .max_depenetration_speed = desc->max_depenetration_speed,
                                .bending_damping_time = desc->bending_damping_time,
                                .ftl_velocity_correction = desc->ftl_velocity_correction,
                                .length_constraint = COIF_LENGTH_DIRECT};
}

static void move_bodies(coif_strand_sim *sim, double seconds)
{
    for (int32_t b = 0; b < sim->collider_count; ++b) {
        sim_collider *c = sim->colliders[b];
        if (c->kind == COIF_PRIMITIVE_FUNCTION) {
            coif_primitive_set_time(&sim->bodies[b], &c->primitive, sim->time, seconds);
        } else if (c->kind != MESH) {
            coif_primitive_move(&sim->bodies[b], &c->primitive, &c->pose_begin, &c->pose_end);
        } else if (c->is_set || c->has_moved) {
            coif_collider_refit(&sim->bodies[b], c->begin, c->end);
        }
    }
}

// The pose at the end is that at the begin of the next step.
static void end_step(coif_strand_sim *sim, double seconds)
{
    sim->time += seconds;
    sim->has_state = true;
    memcpy(sim->root_begin, sim->root_end, sizeof(coif_root_pose) * (size_t)sim->desc.strand_count);
    for (int32_t b = 0; b < sim->collider_count; ++b) {
        sim_collider *c = sim->colliders[b];
        c->pose_begin = c->pose_end;
        if (c->is_set) {
            memcpy(c->begin, c->end, sizeof(coif_vec3) * (size_t)c->mesh.vertex_count);
        }
        c->has_moved = c->is_set;
        c->is_set = false;
    }
    coif_solver_get_points(sim->solver, sim->positions, sim->velocities);
}

coif_status coif_strand_sim_step(coif_strand_sim *sim, double seconds, coif_strand_sim_stats *stats)
{
    if (sim == NULL) {
        return coif_library_invalid("sim is NULL");
    }
    COIF_TRY(check_range("seconds", seconds, 1e-9, 1000.0));
    sim->step_seconds = seconds;
    ensure_solver(sim, seconds);
    move_bodies(sim, seconds);
    const coif_solver_params params = solver_params_of(&sim->desc);
    const coif_solver_step_args args = {.params = &params,
                                        .time = sim->time,
                                        .seconds = seconds,
                                        .root_begin = sim->root_begin,
                                        .root_end = sim->root_end,
                                        .bodies = sim->bodies,
                                        .body_count = sim->collider_count,
                                        .forces = {.context = sim, .eval = eval_forces},
                                        .interaction = interaction_of(sim)};
    coif_solver_report report;
    const coif_status status = coif_solver_step(sim->solver, &args, &report, sim->jobs, NULL);
    end_step(sim, seconds);
    if (stats != NULL) {
        const coif_strand_sim_stats all = {.reset_strands = report.stats.reset_strands,
                                           .contacts = report.stats.contacts,
                                           .max_stretch = report.stats.stretch,
                                           .rejected_forces = report.bad_force_count};
        coif_library_write_desc(stats, stats->struct_size, &all, sizeof all);
    }
    return status;
}

double coif_strand_sim_time(const coif_strand_sim *sim)
{
    return sim != NULL ? sim->time : 0.0;
}

coif_status coif_strand_sim_get_points(const coif_strand_sim *sim, float *positions,
                                       float *velocities)
{
    if (sim == NULL) {
        return coif_library_invalid("sim is NULL");
    }
    const size_t bytes = sizeof(coif_vec3) * (size_t)point_count(sim);
    if (positions != NULL) {
        memcpy(positions, sim->positions, bytes);
    }
    if (velocities != NULL) {
        memcpy(velocities, sim->velocities, bytes);
    }
    return COIF_OK;
}

coif_status coif_strand_sim_set_points(coif_strand_sim *sim, const float *positions,
                                       const float *velocities)
{
    const int64_t count = sim != NULL ? 3 * (int64_t)point_count(sim) : 0;
    if (sim == NULL || positions == NULL || velocities == NULL ||
        !coif_library_all_finite(positions, count) || !coif_library_all_finite(velocities, count)) {
        return coif_library_invalid("set_points needs finite positions and velocities");
    }
    memcpy(sim->positions, positions, sizeof(float) * (size_t)count);
    memcpy(sim->velocities, velocities, sizeof(float) * (size_t)count);
    sim->has_state = true;
    if (sim->solver != NULL) {
        coif_solver_set_points(sim->solver, sim->positions, sim->velocities);
    }
    return COIF_OK;
}

coif_status coif_strand_sim_reset(coif_strand_sim *sim)
{
    if (sim == NULL) {
        return coif_library_invalid("sim is NULL");
    }
    ensure_solver(sim, 1.0 / 24.0);
    memcpy(sim->root_begin, sim->root_end, sizeof(coif_root_pose) * (size_t)sim->desc.strand_count);
    coif_solver_reset_to_rest(sim->solver, sim->root_end);
    coif_solver_get_points(sim->solver, sim->positions, sim->velocities);
    sim->has_state = true;
    return COIF_OK;
}
