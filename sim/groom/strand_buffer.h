// strand_buffer: working copy of the strands of a groom in SoA layout, as plugins see them.
#ifndef COIF_SIM_GROOM_STRAND_BUFFER_H
#define COIF_SIM_GROOM_STRAND_BUFFER_H

#include "core/hair/groom.h"

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

typedef struct coif_strand_buffer_desc {
    const coif_groom *groom; // with its roots
    const coif_mesh *mesh;   // that they are on
    int32_t points;          // per strand of a new groom; 0: the points are in the groom
    const int32_t *counts;   // instead of points, per strand; may be NULL
    int32_t max_points;
} coif_strand_buffer_desc;

// Fails when the total number of points exceeds COIF_MAX_POINTS.
coif_status coif_strand_buffer_check_count(int32_t strands, int32_t points, coif_error *error);

// The same for point counts per strand.
coif_status coif_strand_buffer_check_total(const int32_t *counts, int32_t strands,
                                           coif_error *error);

// Everything lives in scratch.
coif_status coif_strand_buffer_open(coif_strand_buffer *buffer, const coif_strand_buffer_desc *desc,
                                    coif_arena *scratch, coif_error *error);

// Copies the points back to the groom; arrays whose size has changed are allocated in arena.
coif_status coif_strand_buffer_store(coif_groom *groom, const coif_strand_buffer *buffer,
                                     coif_arena *arena, coif_error *error);

#endif
