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

#include "core/mesh/body.h"
#include "core/hair/groom.h"
#include "sim/run/sim_params.h"

// Those that a substep looks at have rows in a block, see coif_block.vary.
enum {
    COIF_VARY_STIFFNESS = COIF_VARY_BLOCK_ROWS,
    COIF_VARY_STIFFNESS_VARIATION,
    COIF_VARY_MASS,
    COIF_VARY_MASS_VARIATION,
    COIF_VARY_HOLD,
    COIF_VARY_HOLD_ROOT,
    COIF_VARY_HOLD_TIP,
    COIF_VARY_SUPPORT,
    COIF_VARY_HAIR_RADIUS,
    COIF_VARY_HAIR_DENSITY,
    COIF_VARY_YOUNG,
    COIF_VARY_POISSON,
    COIF_VARY_ELLIPTICITY,
    COIF_VARY_MARGIN,
    COIF_VARY_SPRING_STRETCH,
    COIF_VARY_SPRING_CORE,
    COIF_VARY_SPRING_DAMPING,
    COIF_VARY_SPRING_SMOOTH,
    COIF_VARY_SPRING_CORE_SMOOTH,
    COIF_VARY_TIP_FORCE, // three rows
    COIF_VARY_TIP_FORCE_LAST = COIF_VARY_TIP_FORCE + 2,
    COIF_VARY_COUNT
};

extern const char *const COIF_VARY_NAMES[COIF_VARY_COUNT]; // what the rows of "sim" are called

typedef struct coif_vary_row {
    const float *strands;    // per simulated strand; NULL: 1
    const coif_value *along; // whose ramp holds; NULL: 1
} coif_vary_row;

typedef struct coif_vary {
    coif_vary_row rows[COIF_VARY_COUNT];
    uint64_t digest; // of what the maps gave; 0 without maps
} coif_vary;

typedef struct coif_vary_desc {
    const coif_scene *scene;
    const coif_node *sim;
    const coif_node *groom_node; // whose maps are meant
    const coif_groom *groom;
    const coif_mesh *rest;
    double frame;
    coif_jobs *jobs;
} coif_vary_desc;

// A map that the groom does not have, or one that gives no numbers, is an error that names the row.
coif_status coif_vary_open(coif_vary *vary, const coif_vary_desc *desc, coif_arena *arena,
                           coif_error *error);

// Settings at a frame, fields of mapped rows 1.
void coif_vary_read(const coif_node *sim, double frame, coif_sim_params *params);

// Factors; vary may be NULL. Place runs from 0 at the root to 1 at the tip. Never below zero.
float coif_vary_strand(const coif_vary *vary, int row, int32_t strand);
float coif_vary_along(const coif_vary *vary, int row, float place);
bool coif_vary_has(const coif_vary *vary, int row);

// What a vector of three rows is for a strand, without its ramp.
coif_vec3 coif_vary_vector(const coif_vary *vary, int row, const float plain[3], int32_t strand);

// Gravity of a frame, in the middle of what its map gives: for figures, where one number will do.
void coif_vary_gravity(const coif_node *sim, double frame, float gravity[3]);

// How heavy a point is against its strand: the ramps of mass, density and radius.
float coif_vary_weight(const coif_vary *vary, float place);

// How stiff a joint is against its strand: the ramps of stiffness, modulus and radius.
float coif_vary_stiffness(const coif_vary *vary, float place);

// Rows of a block for those settings that differ, and their values for one lane.
void coif_vary_add_rows(coif_block *block, const coif_vary *vary, coif_arena *arena);
void coif_vary_fill(coif_block *block, int32_t lane, const coif_vary *vary);

// What settings come to in a substep of h seconds, for this frame: see coif_block.
void coif_vary_begin(coif_block *block, const coif_sim_params *params, float h);

#endif
