// strand_block: an AoSoA block of strands with equal point counts, the unit of work of all kernels.
//
// Lane i of row k is point k of strand i: pos.x[k * lanes + i]. Strands do not interact inside a
// block, so every lane runs the same arithmetic on its own strand. Unused lanes of a block repeat
// its last strand and are never read back.
//
// A block holds what persists between frames and what is precomputed from the rest shape; buffers
// that live within a substep are in a coif_solver_scratch, one per worker thread.
#ifndef COIF_SIM_SOLVER_STRAND_BLOCK_H
#define COIF_SIM_SOLVER_STRAND_BLOCK_H

#include "core/base/base.h"
#include "sim/solver/contact_query.h"

enum { COIF_MAX_LANES = 8, COIF_ROOT_ROWS = 12 };

// Substep parameters that may vary from point to point, with the component of a vector; each has a
// row of multipliers in a block. The stiffnesses are in the order of COIF_ITERATION_...
#define COIF_BLOCK_FIELDS(FIELD)                                                                   \
    FIELD(DRAG, drag, 0)                                                                           \
    FIELD(DAMPING, damping, 0)                                                                     \
    FIELD(FRICTION, friction, 0)                                                                   \
    FIELD(RESTITUTION, restitution, 0)                                                             \
    FIELD(BENDING_DAMPING_TIME, bending_damping_time, 0)                                           \
    FIELD(DAMPING_FACTOR, damping_factor, 0)                                                       \
    FIELD(TANGENTIAL_DRAG_REDUCTION, tangential_drag_reduction, 0)                                 \
    FIELD(DRAG_COEFFICIENT, drag_coefficient, 0)                                                   \
    FIELD(INTERACTION_FRICTION, interaction_friction, 0)                                           \
    FIELD(INTERACTION_STIFFNESS, interaction_stiffness, 0)                                         \
    FIELD(WIND_ATTENUATION, wind_attenuation, 0)                                                   \
    FIELD(STRETCH_STIFFNESS, stretch_stiffness, 0)                                                 \
    FIELD(BEND_STIFFNESS, bend_stiffness, 0)                                                       \
    FIELD(LONG_RANGE_ATTACHMENT, long_range_attachment, 0)                                         \
    FIELD(SHAPE_STIFFNESS, shape_stiffness, 0)                                                     \
    FIELD(FTL_VELOCITY_CORRECTION, ftl_velocity_correction, 0)                                     \
    FIELD(MAX_DEPENETRATION_SPEED, max_depenetration_speed, 0)                                     \
    FIELD(RIGID_DAMPING, rigid_damping, 0)                                                         \
    FIELD(RIGID_DAMPING_RATE, rigid_damping_rate, 0)                                               \
    FIELD(GRAVITY, gravity, 0)                                                                     \
    FIELD(GRAVITY_Y, gravity, 1)                                                                   \
    FIELD(GRAVITY_Z, gravity, 2)
#define COIF_FIELD_ENUM(id_, name_, axis_) COIF_FIELD_##id_,
enum { COIF_BLOCK_FIELDS(COIF_FIELD_ENUM) COIF_FIELD_BLOCK_ROWS };

// Stiffnesses that are scaled per iteration of the projection.
enum {
    COIF_ITERATION_STRETCH,
    COIF_ITERATION_BEND,
    COIF_ITERATION_ATTACH,
    COIF_ITERATION_SHAPE,
    COIF_ITERATION_ROWS
};

// Forces that compensate gravity at rest, see gravity_compensation.h.
typedef struct coif_weight_support {
    coif_soa3 accel;         // dead load as an acceleration, in the root frame
    float *tension, *length; // of the segments of the smoothed centreline; NULL: unused
} coif_weight_support;

// Rest data of the shape constraint, see shape_constraint.c.
typedef struct coif_curl_shape {
    coif_soa3 offset;     // of curls from the smoothed centreline, in its frames
    float *max_stiffness; // per lane: upper limit of the shape stiffness per iteration
} coif_curl_shape;

typedef struct coif_strand_block {
    int32_t length; // points per strand
    int32_t lanes;
    int32_t strand_count; // lanes in use
    int32_t strands[COIF_MAX_LANES];

    coif_soa3 pos, vel;
    coif_soa3 pos_backup; // positions at the begin of the frame, to reset diverged strands

    float *rest_length;      // of the segment from point k to k + 1
    float *inv_mass;         // in units of the mean point mass of the strand; 0: pinned to the root
    float *goal_stiffness;   // pull towards the rest shape, omega^2, 1/s2
    float *contact_distance; // distance to keep from bodies, m
    coif_soa3 rest_local;    // rest shape in the root frame
    coif_weight_support support;
    coif_curl_shape curl;
    float *mass_scale;     // per lane: mass of the strand relative to the mean
    float *inv_point_mass; // per lane: 1 / mean point mass, 1/kg
    float *area_per_mass;  // per lane: projected area per mass, m2/kg
    float *reference_axis; // three rows: a direction normal to the first segment, root frame
    float *root_begin;     // COIF_ROOT_ROWS rows: position, tangent, bitangent, normal at the
    float *root_end;       // begin and at the end of the frame
    float *root_rotation;  // four rows: axis and half angle of the rotation between both
    coif_bvh_distance_cache bvh_cache;
    coif_sdf_distance_cache sdf_cache;
    float max_half_segment; // half the longest segment at the begin of the frame

    // Per-point multipliers of substep parameters; NULL: 1 everywhere.
    float *param_scale[COIF_FIELD_BLOCK_ROWS];
    // Values derived from them for the substeps of this frame; NULL: the value of coif_substep.
    float *velocity_retention;
    float *iteration_stiffness[COIF_ITERATION_ROWS]; // of shape: relative to shape_stiffness
    float *shape_stiffness;                          // per lane: the largest of the strand
    float *max_depenetration;
    float *rigid_damping; // per lane
    float *gravity_magnitude;
    float *gravity_ramp;    // the ramp of gravity along the strand; NULL: none
    float *tip_force_scale; // three rows: multipliers of the tip force; NULL: 1

    coif_soa3 interaction_accel; // by other strands, m/s2; NULL: none

    // State of the method beside positions and velocities: row r of point k in a lane is
    // state[(k * state_rows + r) * lanes + lane].
    int32_t state_rows;
    float *state, *state_backup;
    void *method_data; // rest data of the method: coif_method_rows, of PBD coif_pbd
    struct coif_rest_animation *rest_animation; // animated rest shape; NULL: static
    struct coif_block_targets *target_rows;     // see point_targets.h; NULL: none so far
    struct coif_block_targets *targets;         // those that act in this substep; NULL: none
} coif_strand_block;

// Parameters of one substep, equal for all points.
typedef struct coif_substep {
    float h;          // s
    float begin, end; // times within the frame, 0 to 1
    double time;      // at the end of the substep, s
    coif_vec3 gravity;
    coif_vec3 tip_force;             // N
    float velocity_retention;        // fraction of the velocity left by damping
    float rigid_damping;             // fraction of the velocity that is not rigid motion it removes
    float drag;                      // linear drag rate, 1/s
    float tangential_drag_reduction; // see drag.h
    float quadratic_drag;            // half the density of air times C_d, kg/m3
    // Stiffnesses per iteration: k' = 1 - (1 - k)^(1/n)
    float stretch_stiffness, bend_stiffness, shape_stiffness, attachment_stiffness;
    float friction, restitution;
    float max_depenetration;    // how far contacts push out a point that is inside a body, m
    float bending_damping_time; // Rayleigh beta, s
    float ftl_velocity_correction;
    int32_t iterations, length_constraint;
} coif_substep;

// Distance beyond the contact distance at which contact planes are created: projections move a
// point by at least its free fall in a substep, 2.4 times that is enough. Uses standard gravity, so
// that maps of gravity do not change contacts.
static inline float coif_contact_margin(const coif_substep *step)
{
    const float fallen = 9.81f * step->h * step->h;
    return 2.4f * fallen > 0.002f ? 2.4f * fallen : 0.002f;
}

enum { COIF_LENGTH_NONE = 0, COIF_LENGTH_FTL = 1, COIF_LENGTH_DIRECT = 2 };

void coif_strand_block_init(coif_strand_block *block, int32_t length, int32_t lanes,
                            coif_arena *arena);

// Rest data of a method that keeps rows of floats: row r of point k in a lane is
// rows[(k * row count + r) * lanes + lane], and that of a whole lane lane_rows[r * lanes + lane].
typedef struct coif_method_rows {
    float *rows, *lane_rows;
    bool has_elliptic_sections; // some strand is not round
} coif_method_rows;

static inline coif_method_rows *coif_method_rows_of(const coif_strand_block *block)
{
    return block->method_data;
}

// Allocates state and rest data of a method, that many rows each.
void coif_strand_block_add_method_rows(coif_strand_block *block, int32_t state_rows, int32_t rows,
                                       int32_t lane_rows, coif_arena *arena);

// Mean rest length of the segments of a lane, at least a micrometre.
float coif_strand_block_mean_length(const coif_strand_block *block, int32_t lane);

// Position of element at of the rest shape on the roots in these rows.
coif_vec3 coif_strand_block_target(const coif_strand_block *block, const float *root_rows,
                                   int64_t at);

// Computes root_rotation: the shortest rotation from the root frames at the begin to the end.
void coif_strand_block_rotate(coif_strand_block *block);

#endif
