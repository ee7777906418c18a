// constraint_select: points of a groom that a constraint acts on.
#ifndef COIF_SIM_RUN_CONSTRAINT_SELECT_H
#define COIF_SIM_RUN_CONSTRAINT_SELECT_H

#include "core/hair/groom.h"
#include "sim/run/constraint_params.h"
#include "sim/run/param_fields.h"

typedef struct coif_constraint_select_desc {
    coif_param_fields_desc groom; // scene, groom and the body it grows on
    const coif_node *node;        // the entry of "constraints"
    const coif_constraint_params *params;
    const int32_t *first_point; // of the solver, per simulated strand
    int32_t root_points;        // at the root of a strand that are held there: never chosen
} coif_constraint_select_desc;

typedef struct coif_constraint_points {
    int32_t count;
    int32_t *points;  // indices of the solver, ascending
    int32_t *strands; // simulated strand of each
} coif_constraint_points;

// All criteria of the selection must hold. A file that cannot be read, a line that is not a list of
// indices, an index outside of the groom and a map that cannot be evaluated are errors.
coif_status coif_constraint_select(coif_constraint_points *out,
                                   const coif_constraint_select_desc *desc, coif_arena *arena,
                                   coif_error *error);

#endif
