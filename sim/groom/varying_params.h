// varying_params: per-strand and per-point values of mapped and ramped parameters.
#ifndef COIF_SIM_GROOM_VARYING_PARAMS_H
#define COIF_SIM_GROOM_VARYING_PARAMS_H

#include "sim/groom/scalp_maps.h"
#include "sim/groom/strand_buffer.h"

// Services for the evaluation of parameters and plugins.
typedef struct coif_generate_services {
    const coif_node *node; // the entry of "grooms"
    const coif_maps *maps;
    double frame;
    coif_arena *arena;
    coif_jobs *jobs;
    coif_progress *progress;          // polled for cancellation before each modifier
    bool quiet;                       // warnings were logged before
    const struct coif_collider *body; // in the rest pose, for modifiers; may be NULL
} coif_generate_services;

// Values of a float parameter per strand, and per point where it has a ramp.
typedef struct coif_param_values {
    const float *per_strand; // NULL when the row is not mapped
    const float *per_point;  // NULL when the row has no ramp
    float constant;          // used where both are NULL
} coif_param_values;

static inline float coif_param_value_at(const coif_param_values *varying, int32_t strand,
                                        int32_t point)
{
    return varying->per_point != NULL    ? varying->per_point[point]
           : varying->per_strand != NULL ? varying->per_strand[strand]
                                         : varying->constant;
}

// Arrays live in the arena of the services. The parameter must be a float; varying->constant
// holds its value without a map.
coif_status coif_param_values_eval(coif_param_values *varying, const coif_param_ref *param,
                                   const coif_strand_buffer *buffer,
                                   const coif_generate_services *services, coif_error *error);

// Values of a mapped parameter per strand. The map must have been checked.
coif_status coif_param_values_strands(float **out, const coif_param_ref *param,
                                      const coif_strand_buffer *buffer,
                                      const coif_generate_services *services, coif_error *error);

#endif
