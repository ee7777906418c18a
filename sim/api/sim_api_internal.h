// sim_api_internal: the simulation of <coif/sim.h> as its own files see it.
#ifndef COIF_SIM_API_SIM_API_INTERNAL_H
#define COIF_SIM_API_SIM_API_INTERNAL_H

#include "core/api/library_internal.h"
#include "core/base/arena.h"
#include "core/collision/primitive_colliders.h"
#include "core/mesh/affine.h"
#include "sim/interaction/hair_interaction.h"
#include "sim/solver/solver.h"

#include <coif/sim.h>

enum { SIM_API_MESH = -1, SIM_API_BATCH = 64 };

// A collider, with the shape it was added with and its pose at both ends of the next step.
typedef struct sim_collider {
    int32_t kind; // SIM_API_MESH or COIF_PRIMITIVE_...
    coif_mesh mesh;
    coif_vec3 *begin, *end; // vertices
    bool is_set, has_moved; // since the last step, in the last step
    coif_contact_surface surface;
    coif_primitive primitive;
    coif_primitive_pose rest, pose_begin, pose_end;
    coif_distance_callback callback;
    void *context;
} sim_collider;

// Targets of a set: copies of what the caller has given, and positions at the begin of a step.
typedef struct sim_targets {
    bool active, follows_rest, has_axis;
    coif_vec3 *begin, *end, *axis;
    float *strength, *slack;
    float frame_seconds;
} sim_targets;

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
    sim_targets targets[COIF_TARGET_SETS];
    coif_force_callback force;
    void *force_context;
};

static inline int32_t sim_api_point_count(const coif_strand_sim *sim)
{
    return sim->desc.first_point[sim->desc.strand_count];
}

static inline coif_vec3 sim_api_vec3(const float *values, int64_t index)
{
    return coif_vec3_of(values[3 * index], values[3 * index + 1], values[3 * index + 2]);
}

// A rigid transform of the caller; anything else is an error.
coif_status coif_sim_api_read_rigid(coif_affine *rigid, const float *transform);

coif_status coif_sim_api_check_range(const char *name, double value, double low, double high);

// Moves colliders over the step that begins now; and makes their pose at its end the one at the
// begin of the next.
void coif_sim_api_begin_bodies(coif_strand_sim *sim, double seconds);
void coif_sim_api_end_bodies(coif_strand_sim *sim);

// Targets of the step that begins now, and after it.
void coif_sim_api_begin_targets(coif_strand_sim *sim);
void coif_sim_api_end_targets(coif_strand_sim *sim);

// Creates the solver when there is none for steps of this duration; a new one takes over the state.
void coif_sim_api_ensure_solver(coif_strand_sim *sim, double seconds);

#endif
