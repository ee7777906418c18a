// vary: settings of the simulation that differ over the scalp and along the strand.
//
// A row of the "sim" section may be a scalp map (of the groom that moves), a ramp from root to tip,
// or both. The value at a point is then
//
//   value = params->row * of the strand * along the strand
//
// where a mapped row has its whole value in the second factor: its field in the params is 1. Rows
// that are plain numbers have both factors 1. Everything is worked out once, when the solver is
// built; what is keyed over time stays in the params.
#ifndef COIF_SIM_RUN_PARAM_FIELDS_H
#define COIF_SIM_RUN_PARAM_FIELDS_H

#include "core/body/body.h"
#include "core/hair/groom.h"
#include "sim/run/sim_params.h"

// Those that a substep looks at have rows in a block, see coif_strand_block.vary.
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
    const float *strands;    // per simulated strand; NULL: 1
    const coif_value *along; // whose ramp holds; NULL: 1
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

// A map that the groom does not have, or one that gives no numbers, is an error that names the row.
coif_status coif_param_fields_open(coif_param_fields *vary, const coif_param_fields_desc *desc,
                                   coif_arena *arena, coif_error *error);

// Settings at a frame, fields of mapped rows 1.
void coif_param_fields_read(const coif_node *sim, double frame, coif_sim_params *params);

// Factors; vary may be NULL. Place runs from 0 at the root to 1 at the tip. Never below zero.
float coif_param_fields_strand(const coif_param_fields *vary, int row, int32_t strand);
float coif_param_fields_along(const coif_param_fields *vary, int row, float place);
bool coif_param_fields_has(const coif_param_fields *vary, int row);

// What a vector of three rows is for a strand, without its ramp.
coif_vec3 coif_param_fields_vector(const coif_param_fields *vary, int row, const float plain[3],
                                   int32_t strand);

// Gravity of a frame, in the middle of what its map gives: for figures, where one number will do.
void coif_param_fields_gravity(const coif_node *sim, double frame, float gravity[3]);

// How heavy a point is against its strand: the ramps of mass, density and radius.
float coif_param_fields_weight(const coif_param_fields *vary, float place);

// How stiff a joint is against its strand: the ramps of stiffness, modulus and radius.
float coif_param_fields_stiffness(const coif_param_fields *vary, float place);

#endif
