// A few strands of a given shape in the solver, without scene or files.
#ifndef COIF_TESTS_SUPPORT_HAIR_FIXTURE_H
#define COIF_TESTS_SUPPORT_HAIR_FIXTURE_H

#include "core/base/hash64.h"
#include "sim/run/solver_setup.h"
#include "tests/support/mesh_shapes.h"
#include "tests/support/test.h"

typedef struct hair_fixture {
    coif_mesh scalp;
    coif_groom groom;
    coif_sim_params params;
    coif_groom_solver solver;
    const coif_collider *bodies;
    int32_t body_count;
    coif_plugin_instance *const *forces;
    int32_t force_count;
    coif_constraints *constraints; // NULL: none
    int32_t frame;
    coif_jobs *jobs;
    coif_vec3 *positions, *velocities;
    coif_solver_report report;
} hair_fixture;

// Nothing but gravity and lengths: no damping, no air, no friction, no pull to the rest shape.
static inline coif_sim_params bare_params(void)
{
    return (coif_sim_params){.fps = 24.0f,
                             .first_frame = 0,
                             .last_frame = 1000,
                             .substeps = 8,
                             .iterations = 3,
                             .gravity = {0.0f, -9.81f, 0.0f},
                             .damping_factor = 1.0f,
                             .stretch_stiffness = 1.0f,
                             .length_constraint = COIF_LENGTH_DIRECT,
                             .goal_scale = 1.0f,
                             .contact_margin = 0.001f,
                             .spring_stretch_force = 20.0f,
                             .spring_damping_time = 3e-5f,
                             .spring_frame_smoothing = 0.002f,
                             .curl_core_smoothing = 0.01f,
                             .max_inner_steps = 500};
}

typedef struct hair_fixture_desc {
    const coif_vec3 *shape;         // points of one strand
    const coif_vec3 *const *shapes; // NULL, or those of each
    int32_t length;
    int32_t strand_count; // copies of it, side by side along z
    float spread;
    coif_sim_params params;
    const char *kernel;
    int32_t pinned;
    const int32_t *lengths;        // NULL, or how many of the points each strand has
    const coif_param_fields *vary; // NULL, or settings that differ
    const coif_vec3 *offsets;      // NULL, or the offset of each strand, instead of the spread
    int32_t *clump;                // NULL, or the clump of each strand
    bool imported;                 // the strands are of a file
    int32_t simulated;             // 0: all; or so many of the first, and the others follow
    coif_partition partition;      // of the strands
} hair_fixture_desc;

static inline void fixture_open(hair_fixture *hair, const hair_fixture_desc *desc,
                                coif_arena *arena, coif_jobs *jobs)
{
    coif_error error = {0};
    *hair = (hair_fixture){.params = desc->params, .jobs = jobs};
    hair->scalp = shape_plane(1.0f, 1, arena);
    int32_t *lengths = coif_arena_new(arena, desc->strand_count, int32_t);
    for (int32_t s = 0; s < desc->strand_count; ++s) {
        lengths[s] = desc->lengths != NULL ? desc->lengths[s] : desc->length;
    }
    coif_groom *groom = &hair->groom;
    CHECK_OK(coif_groom_init(groom, lengths, desc->strand_count, arena, &error), error);
    const coif_mat3 frame = coif_mesh_frame(&hair->scalp, 0, 0.3f, 0.3f);
    for (int32_t s = 0; s < desc->strand_count; ++s) {
        groom->root_triangle[s] = 0;
        groom->root_barycentric[2 * s] = groom->root_barycentric[2 * s + 1] = 0.3f;
        memcpy(groom->root_frame + 9 * s, &frame, sizeof frame);
        for (int32_t k = 0; k < lengths[s]; ++k) {
            const coif_vec3 p = desc->shapes != NULL ? desc->shapes[s][k] : desc->shape[k];
            const coif_vec3 away = desc->offsets != NULL
                                       ? desc->offsets[s]
                                       : coif_vec3_of(0.0f, 0.0f, desc->spread * (float)s);
            groom->rest.points[groom->rest.first[s] + k] =
                (coif_vec4){p.x + away.x, p.y + away.y, p.z + away.z, 4e-5f};
        }
    }
    groom->clump = desc->clump;
    if (desc->simulated > 0) {
        groom->simulated_count = desc->simulated;
    }
    const coif_kernels *kernels;
    CHECK_OK(coif_kernels_find(&kernels, desc->kernel, &error), error);
    const coif_groom_solver_desc solver = {.groom = groom,
                                           .rest = &hair->scalp,
                                           .params = &hair->params,
                                           .fields = desc->vary,
                                           .kernels = kernels,
                                           .pinned = desc->pinned,
                                           .imported = desc->imported,
                                           .seed = 1,
                                           .partition = desc->partition};
    coif_groom_solver_init(&hair->solver, &solver, arena, jobs);
    hair->positions = coif_arena_new(arena, groom->rest.point_count, coif_vec3);
    hair->velocities = coif_arena_new(arena, groom->rest.point_count, coif_vec3);
    coif_solver_get_points(hair->solver.core, hair->positions, hair->velocities);
}

// Straight down from the origin, in equal segments.
static inline const coif_vec3 *fixture_hanging(int32_t points, float length, coif_arena *arena)
{
    coif_vec3 *shape = coif_arena_new(arena, points, coif_vec3);
    for (int32_t k = 0; k < points; ++k) {
        shape[k] = coif_vec3_of(0.0f, -length * (float)k / (float)(points - 1), 0.0f);
    }
    return shape;
}

// One frame while the scalp moves from one pose to another; reads back positions and velocities.
static inline void fixture_step_on(hair_fixture *hair, const coif_mesh *begin, const coif_mesh *end)
{
    const double seconds = 1.0 / (double)hair->params.fps;
    const coif_groom_solver_frame frame = {
        .params = &hair->params,
        .begin = begin,
        .end = end,
        .bodies = hair->bodies,
        .body_count = hair->body_count,
        .forces = hair->forces,
        .force_count = hair->force_count,
        .constraints = hair->constraints,
        .gravity = {hair->params.gravity[0], hair->params.gravity[1], hair->params.gravity[2]},
        .poses_begin = begin,
        .poses_end = end,
        .frame_begin = hair->frame,
        .frame_end = hair->frame + 1,
        .time = hair->frame * seconds,
        .seconds = seconds};
    CHECK(coif_groom_solver_step(&hair->solver, &frame, &hair->report, hair->jobs, NULL) ==
          COIF_OK);
    hair->frame += 1;
    coif_solver_get_points(hair->solver.core, hair->positions, hair->velocities);
}

// Measures rest density, as the first step does.
static inline void fixture_measure_rest(hair_fixture *hair, const coif_sim_params *params)
{
    const coif_interaction_params between = coif_interaction_params_of(params);
    coif_interaction_strands strands = coif_groom_solver_strands(&hair->solver, hair->jobs);
    coif_hair_interaction_measure_rest(&hair->solver.interaction, &strands, &between, hair->jobs);
}

// Interaction from the begin of a frame up to a time of it, while the scalp moves.
static inline void fixture_interact(hair_fixture *hair, const coif_sim_params *params,
                                    const coif_mesh *begin, const coif_mesh *end, float to,
                                    double seconds)
{
    const coif_interaction_params between = coif_interaction_params_of(params);
    coif_interaction_strands strands = coif_groom_solver_strands(&hair->solver, hair->jobs);
    const coif_solver_forces no_forces = {.eval = NULL};
    const coif_interaction_interval interval = {.root_begin = hair->solver.root_begin,
                                                .root_end = hair->solver.root_end,
                                                .to = to,
                                                .seconds = seconds,
                                                .forces = &no_forces};
    coif_eval_roots(hair->solver.root_begin, &hair->groom, begin, NULL);
    coif_eval_roots(hair->solver.root_end, &hair->groom, end, NULL);
    coif_hair_interaction_update(&hair->solver.interaction, &strands, &between, &interval,
                                 hair->jobs);
}

static inline void fixture_step(hair_fixture *hair)
{
    fixture_step_on(hair, &hair->scalp, &hair->scalp);
}

static inline void fixture_run(hair_fixture *hair, int32_t frames)
{
    for (int32_t i = 0; i < frames; ++i) {
        fixture_step(hair);
    }
}

static inline uint64_t fixture_digest(const hair_fixture *hair)
{
    const size_t bytes = sizeof(coif_vec3) * (size_t)hair->groom.rest.point_count;
    return coif_hash64_extend(coif_hash64(hair->positions, bytes), hair->velocities, bytes);
}

// The largest error of a segment's length, as a fraction of it.
static inline double fixture_stretch(const hair_fixture *hair)
{
    const coif_strands *rest = &hair->groom.rest;
    double worst = 0.0;
    for (int32_t s = 0; s < rest->strand_count; ++s) {
        for (int32_t i = rest->first[s]; i + 1 < rest->first[s + 1]; ++i) {
            const double wanted = coif_length(
                coif_sub(coif_vec4_xyz(rest->points[i + 1]), coif_vec4_xyz(rest->points[i])));
            const double length = coif_length(coif_sub(hair->positions[i + 1], hair->positions[i]));
            worst = fmax(worst, fabs(length / wanted - 1.0));
        }
    }
    return worst;
}

// The time of a full swing, from two falls through the vertical.
static inline double fixture_period(hair_fixture *hair, int32_t point, int32_t most_frames)
{
    double first = -1.0;
    double before = hair->positions[point].x;
    for (int32_t f = 1; f <= most_frames; ++f) {
        fixture_step(hair);
        const double now = hair->positions[point].x;
        if (before > 0.0 && now <= 0.0) {
            const double at = (f - 1 + before / (before - now)) / (double)hair->params.fps;
            if (first >= 0.0) {
                return at - first;
            }
            first = at;
        }
        before = now;
    }
    return -1.0;
}

// Reads rows of numbers from tests/data/reference; lines that begin with # or a letter are skipped.
static inline int read_oracle(const char *name, double (*rows)[10], int most)
{
    char path[256];
    snprintf(path, sizeof path, "tests/data/reference/%s", name);
    FILE *file = fopen(coif_test_source(path), "r");
    CHECK(file != NULL);
    char line[1024];
    int count = 0;
    while (file != NULL && count < most && fgets(line, sizeof line, file) != NULL) {
        const char *at = line;
        int used;
        int column = 0;
        if ((line[0] < '0' || line[0] > '9') && line[0] != '-') {
            continue;
        }
        while (column < 10 && sscanf(at, "%lf%n", &rows[count][column], &used) == 1) {
            ++column;
            at += used + (at[used] == ',');
        }
        ++count;
    }
    if (file != NULL) {
        fclose(file);
    }
    return count;
}

#endif
