// grow_strands: the strands of a groom as plugins see them, and back.
#ifndef COIF_SIM_GROOM_STRAND_BUFFER_H
#define COIF_SIM_GROOM_STRAND_BUFFER_H

#include "core/hair/groom.h"
#include "sim/groom/modifiers.h"

typedef struct coif_strand_buffer_desc {
    const coif_groom *groom; // with its roots
    const coif_mesh *mesh;   // that they are on
    int32_t points;          // of strands that are still to grow; 0: they are in the groom
    const int32_t *counts;   // instead, per strand; may be NULL
    int32_t points_most;
} coif_strand_buffer_desc;

// Fails where so many strands of so many points are more than a groom may have.
coif_status coif_strand_buffer_check_count(int32_t strands, int32_t points, coif_error *error);

// Everything lives in scratch.
coif_status coif_strand_buffer_open(coif_strand_buffer *growth, const coif_strand_buffer_desc *desc,
                                    coif_arena *scratch, coif_error *error);

// The groom gets the points as they are now; those whose number has changed live in arena.
coif_status coif_strand_buffer_store(coif_groom *groom, const coif_strand_buffer *growth,
                                     coif_arena *arena, coif_error *error);

#endif
