// grow_modifiers: the stack of groom plugins, run over all strands.
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

// Strands as plugins see them: one array per coordinate.
typedef struct coif_strand_buffer {
    int32_t strand_count, point_count;
    const int32_t *first;
    float *x, *y, *z, *radius;
    float *origin; // which point of its file each point was, in between too; NULL without a file
    const float *root_frame;
    const float *root_uv;
    const uint32_t *random;
    int32_t *lock;   // per strand: the middle of the lock it is gathered in, -1 for none
    int32_t *region; // per strand; NULL: one region
    float *flow;     // 3 per strand: where guides go; NULL without them
    const coif_surface_point *roots;
    int32_t points_most; // of a strand that gets more points
    coif_arena *arena;   // where its arrays live
} coif_strand_buffer;

// What growing works with.
typedef struct coif_generate_services {
    const coif_node *node; // the entry of "grooms"
    const coif_maps *maps;
    double frame;
    coif_arena *arena;
    coif_jobs *jobs;
    coif_progress *progress; // asked before each modifier whether to stop
    bool quiet;              // what is to be said has been said
} coif_generate_services;

// Runs the entries of the groom's "modifiers" in order.
coif_status coif_modifiers_apply(coif_strand_buffer *growth, const coif_generate_services *tools,
                                 coif_error *error);

// The value of a float row for one strand and for each of its points, ramp included.
typedef struct coif_param_values {
    const float *per_strand; // NULL when the row is not mapped
    const float *per_point;  // NULL when the row has no ramp
    float constant;          // used where both are NULL
} coif_param_values;

// Arrays live in the tools' arena. The row must be a float row; constant, in varying already, is
// its value where it is not mapped.
coif_status coif_param_values_eval(coif_param_values *varying, const coif_param_ref *place,
                                   const coif_strand_buffer *growth,
                                   const coif_generate_services *tools, coif_error *error);

// The mapped value of a row for each strand, from its map, which must have been checked.
coif_status coif_param_values_strands(float **out, const coif_param_ref *place,
                                      const coif_strand_buffer *growth,
                                      const coif_generate_services *tools, coif_error *error);

#endif
