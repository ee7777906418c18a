// param_fields: simulation parameters that vary over the scalp and along the strand.
//
// A parameter of "sim" may be a scalp map (of the simulated groom), a ramp from root to tip, or
// both. Its value at a point is
//
//   value = params->row * per_strand * ramp
//
// where a mapped parameter has its whole value in the second factor and 1 in the params. Plain
// numbers have both factors 1. Maps are evaluated when the solver is created, and those with keys
// again at every frame; keyed values stay in the params, which are read every frame.
#ifndef COIF_SIM_RUN_PARAM_FIELDS_H
#define COIF_SIM_RUN_PARAM_FIELDS_H

#include "core/body/body.h"
#include "core/hair/groom.h"
#include "sim/run/sim_params.h"
#include "sim/solver/strand_block.h"

// Parameters that become masses, materials and contact distances of the solver, which are set anew
// when they change; those of a substep are COIF_BLOCK_FIELDS.
#define COIF_SETUP_FIELDS(FIELD)                                                                   \
    FIELD(STIFFNESS, stiffness, 0)                                                                 \
    FIELD(STIFFNESS_VARIATION, stiffness_variation, 0)                                             \
    FIELD(MASS, mass, 0)                                                                           \
    FIELD(MASS_VARIATION, mass_variation, 0)                                                       \
    FIELD(GOAL_SCALE, goal_scale, 0)                                                               \
    FIELD(GOAL_FREQUENCY_ROOT, goal_frequency_root, 0)                                             \
    FIELD(GOAL_FREQUENCY_TIP, goal_frequency_tip, 0)                                               \
    FIELD(GRAVITY_COMPENSATION, gravity_compensation, 0)                                           \
    FIELD(HAIR_RADIUS, hair_radius, 0)                                                             \
    FIELD(HAIR_DENSITY, hair_density, 0)                                                           \
    FIELD(YOUNGS_MODULUS, youngs_modulus, 0)                                                       \
    FIELD(POISSON_RATIO, poisson_ratio, 0)                                                         \
    FIELD(ELLIPTICITY, ellipticity, 0)                                                             \
    FIELD(CONTACT_MARGIN, contact_margin, 0)                                                       \
    FIELD(SPRING_STRETCH_FORCE, spring_stretch_force, 0)                                           \
    FIELD(CURL_CORE_FORCE, curl_core_force, 0)                                                     \
    FIELD(SPRING_DAMPING_TIME, spring_damping_time, 0)                                             \
    FIELD(SPRING_FRAME_SMOOTHING, spring_frame_smoothing, 0)                                       \
    FIELD(CURL_CORE_SMOOTHING, curl_core_smoothing, 0)                                             \
    FIELD(TIP_FORCE, tip_force, 0)                                                                 \
    FIELD(TIP_FORCE_Y, tip_force, 1)                                                               \
    FIELD(TIP_FORCE_Z, tip_force, 2)                                                               \
    FIELD(GOAL_STRENGTH, goal_strength, 0)
enum {
    COIF_FIELD_BEFORE_SETUP = COIF_FIELD_BLOCK_ROWS - 1,
    COIF_SETUP_FIELDS(COIF_FIELD_ENUM) COIF_FIELD_COUNT
};

extern const char *const COIF_FIELD_NAMES[COIF_FIELD_COUNT]; // in the "sim" section

typedef struct coif_param_field {
    const float *per_strand; // per simulated strand; NULL: 1
    const coif_value *ramp;  // ramp along the strand; NULL: 1
} coif_param_field;

typedef struct coif_param_fields {
    coif_param_field rows[COIF_FIELD_COUNT];
    // Maps of gravity at the first frame, with which rest shapes stay in equilibrium; NULL: 1.
    const float *first_gravity[3];
    float *map_values[COIF_FIELD_COUNT]; // per_strand of maps
    bool animated;                       // some of the maps have keys
    uint64_t digest;                     // of what the maps gave; 0 without maps
} coif_param_fields;

typedef struct coif_param_fields_desc {
    const coif_scene *scene;
    const coif_node *sim;        // of the groom
    const coif_node *groom_node; // whose maps are meant
    const coif_groom *groom;
    const coif_mesh *rest;
    const coif_body *body; // with this rest mesh; NULL: it stays at rest
    double frame;
    coif_jobs *jobs;
} coif_param_fields_desc;

// Roots of the simulated strands on the body at rest.
coif_surface_point *coif_simulated_roots(const coif_groom *groom, const coif_mesh *rest,
                                         coif_arena *arena);

// An unknown map, or one that returns values that are not finite, is an error that names the
// parameter.
coif_status coif_param_fields_open(coif_param_fields *fields, const coif_param_fields_desc *desc,
                                   coif_arena *arena, coif_error *error);

// Evaluates maps with keys at the frame of the desc; changed: whether any value did.
coif_status coif_param_fields_update(coif_param_fields *fields, const coif_param_fields_desc *desc,
                                     bool *changed, coif_error *error);

// Values of a mapped float parameter of any section of the groom per simulated strand, in arena.
coif_status coif_param_fields_eval_map(float **values, const coif_param_fields_desc *desc,
                                       const coif_node *node, const char *name, coif_arena *arena,
                                       coif_error *error);

// Parameters at a frame; mapped ones are 1.
void coif_param_fields_read(const coif_node *sim, double frame, coif_sim_params *params);

// Whether masses, materials or contact distances differ between these parameters.
bool coif_param_fields_changed(const coif_sim_params *a, const coif_sim_params *b);

// Factors; fields may be NULL. t is 0 at the root and 1 at the tip. Never negative.
float coif_param_fields_strand(const coif_param_fields *fields, int row, int32_t strand);
float coif_param_fields_along(const coif_param_fields *fields, int row, float t);
bool coif_param_fields_has(const coif_param_fields *fields, int row);

// Value of a parameter of a strand, without its ramp.
float coif_param_fields_value(const coif_param_fields *fields, int row,
                              const coif_sim_params *params, int32_t strand);

// Gravity at a frame, the centre of the range of its map: for statistics.
void coif_param_fields_gravity(const coif_node *sim, double frame, float gravity[3]);

// Mass of a point relative to its strand: ramps of mass, density and radius.
float coif_param_fields_weight(const coif_param_fields *fields, float t);

// Stiffness of a joint relative to its strand: ramps of stiffness, modulus and radius.
float coif_param_fields_stiffness(const coif_param_fields *fields, float t);

#endif
