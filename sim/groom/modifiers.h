// modifiers: runs the stack of groom plugins over all strands.
#ifndef COIF_SIM_GROOM_MODIFIERS_H
#define COIF_SIM_GROOM_MODIFIERS_H

#include "sim/groom/scalp_maps.h"

// The most parameters a modifier may have.
enum { COIF_MODIFIER_ROWS = 128 };

typedef struct coif_modifier_params {
    const char *name;
    float amount, mask;
    int32_t enabled;
} coif_modifier_params;

// Working copy of the strands in SoA layout, as plugins see them.
typedef struct coif_strand_buffer {
    int32_t strand_count, point_count;
    const int32_t *first;
    float *x, *y, *z, *radius;
    float *origin; // per point: its (fractional) index in the file; NULL without a file
    const float *root_frame;
    const float *root_uv;
    const uint32_t *random;
    int32_t *clump;         // per strand: strand at the centre of its clump, -1 for none
    int32_t *region;        // per strand; NULL: one region
    float *guide_direction; // 3 per strand; NULL without guides
    const coif_surface_point *roots;
    int32_t max_points; // of a strand that is refined
    coif_arena *arena;  // owns the arrays
} coif_strand_buffer;

// Services for the evaluation of parameters and plugins.
typedef struct coif_generate_services {
    const coif_node *node; // the entry of "grooms"
    const coif_maps *maps;
    double frame;
    coif_arena *arena;
    coif_jobs *jobs;
    coif_progress *progress; // polled for cancellation before each modifier
    bool quiet;              // warnings were logged before
} coif_generate_services;

// Runs the entries of the groom's "modifiers" in order.
coif_status coif_modifiers_apply(coif_strand_buffer *buffer, const coif_generate_services *services,
                                 coif_error *error);

// Values of a float parameter per strand, and per point where it has a ramp.
typedef struct coif_param_values {
    const float *per_strand; // NULL when the row is not mapped
    const float *per_point;  // NULL when the row has no ramp
    float constant;          // used where both are NULL
} coif_param_values;

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
