// sim_api: <coif/sim.h> as an adapter of sim/solver: creation, roots and points.
#include "sim/api/sim_api_internal.h"

#include <math.h>
#include <string.h>

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
        const int32_t integer = row->integer ? (int32_t)row->fallback : 0;
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

coif_status coif_sim_api_read_rigid(coif_affine *rigid, const float *transform)
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

static coif_root_pose rest_root(const coif_strand_sim_desc *desc, int32_t strand)
{
    const int32_t first = desc->first_point[strand];
    coif_root_pose root = {.position = sim_api_vec3(desc->points, first)};
    if (desc->root_frames != NULL) {
        root.tangent = sim_api_vec3(desc->root_frames, 3 * (int64_t)strand);
        root.bitangent = sim_api_vec3(desc->root_frames, 3 * (int64_t)strand + 1);
        root.normal = sim_api_vec3(desc->root_frames, 3 * (int64_t)strand + 2);
    } else {
        root.normal =
            coif_normalize(coif_sub(sim_api_vec3(desc->points, first + 1), root.position));
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
        if (i > first && !(coif_length(coif_sub(sim_api_vec3(desc->points, i),
                                                sim_api_vec3(desc->points, i - 1))) > 1e-7f)) {
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

coif_status coif_sim_api_check_range(const char *name, double value, double low, double high)
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
        COIF_TRY(coif_sim_api_check_range(row->name, row->integer ? integer : (double)number,
                                          (float)row->low, (float)row->high));
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
    COIF_TRY(coif_sim_api_read_rigid(&rigid, transform));
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
        const coif_vec3 frame[3] = {sim_api_vec3(roots, 4 * (int64_t)s + 1),
                                    sim_api_vec3(roots, 4 * (int64_t)s + 2),
                                    sim_api_vec3(roots, 4 * (int64_t)s + 3)};
        if (!is_rotation(frame)) {
            return coif_library_invalid("the frame of a root is no rotation");
        }
    }
    memcpy(sim->root_end, roots, sizeof(coif_root_pose) * (size_t)sim->desc.strand_count);
    return COIF_OK;
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
    const size_t bytes = sizeof(coif_vec3) * (size_t)sim_api_point_count(sim);
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
    const int64_t count = sim != NULL ? 3 * (int64_t)sim_api_point_count(sim) : 0;
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
    coif_sim_api_ensure_solver(sim, 1.0 / 24.0);
    memcpy(sim->root_begin, sim->root_end, sizeof(coif_root_pose) * (size_t)sim->desc.strand_count);
    coif_solver_reset_to_rest(sim->solver, sim->root_end);
    coif_solver_get_points(sim->solver, sim->positions, sim->velocities);
    sim->has_state = true;
    return COIF_OK;
}
