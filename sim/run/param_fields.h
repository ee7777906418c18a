// param_fields: simulation parameters that vary over the scalp and along the strand.
//
// A parameter of "sim" may be a scalp map (of the simulated groom), a ramp from root to tip, or
// both. Its value at a point is
//
//   value = params->row * per_strand * ramp
//
// where a mapped parameter has its whole value in the second factor and 1 in the params. Plain
// numbers have both factors 1. Maps and ramps are evaluated once, when the solver is created;
// keyed values stay in the params.
#ifndef COIF_SIM_RUN_PARAM_FIELDS_H
#define COIF_SIM_RUN_PARAM_FIELDS_H

#include "core/body/body.h"
#include "core/hair/groom.h"
#include "sim/run/sim_params.h"
#include "sim/solver/strand_block.h"

// Parameters read per substep have arrays in a block, see coif_strand_block.param_scale.
enum {
    COIF_FIELD_STIFFNESS = COIF_FIELD_BLOCK_ROWS,
    COIF_FIELD_STIFFNESS_VARIATION,
    COIF_FIELD_MASS,
    COIF_FIELD_MASS_VARIATION,
    COIF_FIELD_HOLD,
    COIF_FIELD_HOLD_ROOT,
    COIF_FIELD_HOLD_TIP,
    COIF_FIELD_SUPPORT,
    COIF_FIELD_HAIR_RADIUS,
    COIF_FIELD_HAIR_DENSITY,
    COIF_FIELD_YOUNG,
    COIF_FIELD_POISSON,
    COIF_FIELD_ELLIPTICITY,
    COIF_FIELD_MARGIN,
    COIF_FIELD_SPRING_STRETCH,
    COIF_FIELD_SPRING_CORE,
    COIF_FIELD_SPRING_DAMPING,
    COIF_FIELD_SPRING_SMOOTH,
    COIF_FIELD_SPRING_CORE_SMOOTH,
    COIF_FIELD_TIP_FORCE, // three rows
    COIF_FIELD_TIP_FORCE_LAST = COIF_FIELD_TIP_FORCE + 2,
    COIF_FIELD_COUNT
};

extern const char *const COIF_FIELD_NAMES[COIF_FIELD_COUNT]; // what the rows of "sim" are called

typedef struct coif_param_field_id {
    const float *per_strand; // per simulated strand; NULL: 1
    const coif_value *ramp;  // ramp along the strand; NULL: 1
} coif_param_field_id;

typedef struct coif_param_fields {
    coif_param_field_id rows[COIF_FIELD_COUNT];
    uint64_t digest; // of what the maps gave; 0 without maps
} coif_param_fields;

typedef struct coif_param_fields_desc {
    const coif_scene *scene;
    const coif_node *sim;
    const coif_node *groom_node; // whose maps are meant
    const coif_groom *groom;
    const coif_mesh *rest;
    double frame;
    coif_jobs *jobs;
} coif_param_fields_desc;

// An unknown map, or one that returns values that are not finite, is an error that names the
// parameter.
coif_status coif_param_fields_open(coif_param_fields *fields, const coif_param_fields_desc *desc,
                                   coif_arena *arena, coif_error *error);

// Parameters at a frame; mapped ones are 1.
void coif_param_fields_read(const coif_node *sim, double frame, coif_sim_params *params);

// Factors; fields may be NULL. t is 0 at the root and 1 at the tip. Never negative.
float coif_param_fields_strand(const coif_param_fields *fields, int row, int32_t strand);
float coif_param_fields_along(const coif_param_fields *fields, int row, float t);
bool coif_param_fields_has(const coif_param_fields *fields, int row);

// A vector parameter of a strand, without its ramp.
coif_vec3 coif_param_fields_vector(const coif_param_fields *fields, int row, const float plain[3],
                                   int32_t strand);

// Gravity at a frame, the centre of the range of its map: for statistics.
void coif_param_fields_gravity(const coif_node *sim, double frame, float gravity[3]);

// Mass of a point relative to its strand: ramps of mass, density and radius.
float coif_param_fields_weight(const coif_param_fields *fields, float t);

// Stiffness of a joint relative to its strand: ramps of stiffness, modulus and radius.
float coif_param_fields_stiffness(const coif_param_fields *fields, float t);

#endif
