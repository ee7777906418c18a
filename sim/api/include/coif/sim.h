// coif/sim.h: simulation of strands in memory. See <coif/library.h> for errors, threads and units.
//
//   coif_strand_sim_desc desc;
//   coif_strand_sim_desc_init(&desc, sizeof desc);
//   desc.strand_count = ...; desc.first_point = ...; desc.points = ...;
//   coif_strand_sim *sim;
//   coif_strand_sim_create(&sim, &desc);
//   coif_strand_sim_add_capsule(sim, center, center, radius, NULL);
//   while (...) {
//       coif_strand_sim_move_roots(sim, transform);   // where roots are at the end of the step
//       coif_strand_sim_step(sim, 1.0 / 24.0, NULL);
//       coif_strand_sim_get_points(sim, points, NULL);
//   }
//   coif_strand_sim_destroy(sim);
//
// The rest shape is kept in the frame of the root. A strand is clamped at its root: its first point
// (with pbd and ftl its first two) follows the root frame exactly. Colliders and roots move from
// their pose at the end of the last step to the one set since; without one they stand still.
#ifndef COIF_SIM_H
#define COIF_SIM_H

#include <coif/library.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct coif_strand_sim coif_strand_sim;

// Parameters mean what the keys of "sim" in a scene file mean and have the same defaults.
typedef struct coif_strand_sim_desc {
    uint32_t struct_size;
    int32_t strand_count;
    const int32_t *first_point; // strand_count + 1 offsets; strand s owns the points
                                // [first_point[s], first_point[s + 1]), at least two, root first
    const float *points;        // rest shape: 3 per point, m
    // Frame of each root at rest: unit tangent, bitangent and normal, 9 per strand. NULL: the
    // normal is along the first segment, the others follow from it (Duff et al. 2017).
    const float *root_frames;
    const uint8_t *pinned; // per point: 1 follows the root frame as the root does; NULL: roots only
    const float *radii;    // per strand, m; NULL: radius
    const char *method;    // "der", "pbd", "xpbd", "ftl" or "spring"
    int32_t threads;       // 0: one per processor
    int32_t substeps;      // per step
    int32_t iterations;    // per substep, of pbd and xpbd

    // Material: der, xpbd and spring.
    float radius;  // of the fibre, m
    float density; // kg/m3
    float youngs_modulus, poisson_ratio;
    float ellipticity;          // major over minor axis of the section
    float bending_damping_time; // s, der and xpbd
    float stiffness;            // factor on the bending stiffness
    // pbd, from 0 to 1.
    float stretch_stiffness, bend_stiffness, shape_stiffness;
    float ftl_velocity_correction; // ftl, from 0 to 1
    // spring.
    float spring_stretch_force, curl_core_force;       // N
    float spring_damping_time;                         // s
    float spring_frame_smoothing, curl_core_smoothing; // m
    int32_t max_inner_steps;

    // Forces.
    float gravity[3];           // m/s2
    float gravity_compensation; // fraction of the weight that is balanced in the rest shape
    float wind[3];              // velocity of the air everywhere, m/s
    float damping;              // 1/s
    float drag;                 // 1/s
    float tangential_drag_reduction, drag_coefficient;
    float goal_frequency_root, goal_frequency_tip; // pull towards the rest shape, 1/s

    // Contacts.
    float contact_margin; // distance kept from colliders, m
    float friction, restitution;
    float max_depenetration_speed; // m/s; 0: unlimited

    // Hair-hair interaction on a grid; all 0: none.
    float interaction_friction;   // towards the motion of the surrounding hair, 1/s
    float interaction_stiffness;  // expansion of hair that is denser than at rest, m/s
    float wind_attenuation;       // of wind by hair, m2/kg
    float interaction_cell_size;  // m; 0: automatic
    int32_t interaction_interval; // substeps between updates; 0: once per step
    float hairs_per_strand;       // hairs that a strand stands for
} coif_strand_sim_desc;

COIF_LIBRARY_API void coif_strand_sim_desc_init(coif_strand_sim_desc *desc, size_t size);

// Strands are in their rest shape, with zero velocity, at time 0.
COIF_LIBRARY_API coif_status coif_strand_sim_create(coif_strand_sim **sim,
                                                    const coif_strand_sim_desc *desc);

// Frees the simulation and its colliders; NULL is allowed.
COIF_LIBRARY_API void coif_strand_sim_destroy(coif_strand_sim *sim);

// Colliders. Each is numbered from 0 in the order of addition; index may be NULL. Points that are
// nearer at rest than contact_margin to a collider that was added before the first step or reset
// keep that distance.

// A triangle mesh: 3 floats per vertex, 3 vertices per triangle, counterclockwise from outside.
// Meshes should be closed; an open one has an inside only behind its faces.
COIF_LIBRARY_API coif_status coif_strand_sim_add_mesh(coif_strand_sim *sim, int32_t vertex_count,
                                                      const float *positions,
                                                      int32_t triangle_count,
                                                      const int32_t *triangles, int32_t *index);

// A sphere where both ends are equal.
COIF_LIBRARY_API coif_status coif_strand_sim_add_capsule(coif_strand_sim *sim, const float begin[3],
                                                         const float end[3], float radius,
                                                         int32_t *index);

// Hair stays on the side that the normal points to.
COIF_LIBRARY_API coif_status coif_strand_sim_add_plane(coif_strand_sim *sim, const float point[3],
                                                       const float normal[3], int32_t *index);

// Any shape, by its signed distance. The function is called from several threads at once, writes
// nothing but the output arrays of its batch, and gives equal bits for equal input, whatever else
// is in the batch. A distance may be too small, never too large. Values that are not finite are no
// surface.
typedef struct coif_distance_batch {
    uint32_t struct_size;
    int32_t count;
    double time;            // s
    const float *x, *y, *z; // positions, m
    float *distance;        // out: m, negative inside
    float *nx, *ny, *nz;    // out: direction of the shortest path out of the body
    float *vx, *vy, *vz;    // out: velocity of the surface, m/s; zero beforehand
} coif_distance_batch;
typedef void (*coif_distance_callback)(void *context, const coif_distance_batch *batch);
COIF_LIBRARY_API coif_status coif_strand_sim_add_distance(coif_strand_sim *sim,
                                                          coif_distance_callback callback,
                                                          void *context, int32_t *index);

// How hair touches a collider, from the next step on; zero beside struct_size is the state after
// adding it.
typedef struct coif_collider_surface {
    uint32_t struct_size;
    int32_t has_friction; // not 0: friction takes the place of that of the description
    float friction;
    float margin;   // the surface that hair touches lies this far in front of the shape, m
    float softness; // depth to which hair sinks in under its own weight, m; 0: rigid
    int32_t inner;  // not 0: a boundary, hair is kept inside
} coif_collider_surface;
COIF_LIBRARY_API coif_status coif_strand_sim_set_surface(coif_strand_sim *sim, int32_t index,
                                                         const coif_collider_surface *surface);

// Pose of a mesh, capsule or plane at the end of the next step: a rigid transform of the shape as
// it was added.
COIF_LIBRARY_API coif_status coif_strand_sim_move_collider(coif_strand_sim *sim, int32_t index,
                                                           const float transform[12]);

// Vertex positions of a mesh at the end of the next step; the vertex count is that of the mesh.
COIF_LIBRARY_API coif_status coif_strand_sim_deform_mesh(coif_strand_sim *sim, int32_t index,
                                                         const float *positions);

// Force field: adds to the air velocity and the acceleration of each point, see coif_force_batch.
// The rules of coif_distance_callback hold; points with a value that is not finite keep the values
// they had before. NULL: none.
typedef void (*coif_force_callback)(void *context, const coif_force_batch *batch);
COIF_LIBRARY_API coif_status coif_strand_sim_set_force(coif_strand_sim *sim,
                                                       coif_force_callback callback, void *context);

// Roots at the end of the next step: all rest roots under one rigid transform, or 12 floats per
// strand: position, unit tangent, bitangent and normal.
COIF_LIBRARY_API coif_status coif_strand_sim_move_roots(coif_strand_sim *sim,
                                                        const float transform[12]);
COIF_LIBRARY_API coif_status coif_strand_sim_set_roots(coif_strand_sim *sim, const float *roots);

// Targets of points: critically damped springs of the strength s per frame, the fraction of the
// distance that a point loses in one step of that duration. 1 is exactly the target, without
// contacts; lengths of free segments win over targets that are out of reach.
typedef struct coif_strand_targets {
    uint32_t struct_size;
    const float *positions; // at the end of the next step, 3 per point, m; NULL: the rest shape on
                            // the moving roots
    const float *strength;  // per point, 0 to 1; 0: none
    const float *slack;     // per point: radius without force, m; NULL: 0
    const float *axes;      // 3 per point: unit direction along which the point is free, zeros:
                            // none; NULL: none. Of pins only
    float frame_seconds;    // duration of a frame; 0: 1/24
} coif_strand_targets;

// Two sets that act together: goals of a shape and pins. Targets act until they are set again, and
// move to their new positions during the next step. NULL: none.
COIF_LIBRARY_API coif_status coif_strand_sim_set_goals(coif_strand_sim *sim,
                                                       const coif_strand_targets *targets);
COIF_LIBRARY_API coif_status coif_strand_sim_set_pins(coif_strand_sim *sim,
                                                      const coif_strand_targets *targets);

typedef struct coif_strand_sim_stats {
    uint32_t struct_size;
    int32_t reset_strands;   // strands that diverged and were reset to the begin of the step
    int64_t contacts;        // points in contact in the last substep
    float max_stretch;       // largest relative length error at the end of the step
    int32_t rejected_forces; // groups of strands in which the force field was not finite
} coif_strand_sim_stats;

// Moves strands over a time span, which is divided into substeps. stats: NULL, or with struct_size
// set by the caller. A step longer than all before recomputes what depends on the rest shape.
COIF_LIBRARY_API coif_status coif_strand_sim_step(coif_strand_sim *sim, double seconds,
                                                  coif_strand_sim_stats *stats);

// Seconds simulated so far.
COIF_LIBRARY_API double coif_strand_sim_time(const coif_strand_sim *sim);

// Positions and velocities, 3 floats per point in the order of the description; each may be NULL.
COIF_LIBRARY_API coif_status coif_strand_sim_get_points(const coif_strand_sim *sim,
                                                        float *positions, float *velocities);
COIF_LIBRARY_API coif_status coif_strand_sim_set_points(coif_strand_sim *sim,
                                                        const float *positions,
                                                        const float *velocities);

// Puts strands into their rest shape on the current roots, at rest.
COIF_LIBRARY_API coif_status coif_strand_sim_reset(coif_strand_sim *sim);

#ifdef __cplusplus
}
#endif

#endif
