// strand_builder: strands of unknown number from points in file order.
#ifndef COIF_CORE_HAIR_FORMATS_STRAND_BUILDER_H
#define COIF_CORE_HAIR_FORMATS_STRAND_BUILDER_H

#include "core/hair/formats/strand_file.h"

typedef struct coif_strand_builder {
    coif_arena *arena; // for arrays that grow
    coif_vec4 *points;
    int32_t *lengths;
    size_t point_count, point_capacity, strand_count, strand_capacity;
    size_t begin; // first point of the strand under construction
} coif_strand_builder;

// Appends a point to the strand under construction. COIF_ERR_FORMAT, naming the strand, for a point
// that is not finite, a negative radius, or more than COIF_MAX_POINTS points.
coif_status coif_strand_builder_add(coif_strand_builder *builder, coif_vec4 point, const char *name,
                                    coif_error *error);

// Ends the strand; fewer than two points are dropped and counted in file->skipped.
void coif_strand_builder_end(coif_strand_builder *builder, coif_strand_file *file);

// Copies the strands to file.
coif_status coif_strand_builder_finish(coif_strand_builder *builder, coif_strand_file *file,
                                       coif_arena *arena, coif_error *error);

#endif
