// strand_edit: subsets and resampling of the strands of a file.
#ifndef COIF_CORE_HAIR_STRAND_EDIT_H
#define COIF_CORE_HAIR_STRAND_EDIT_H

#include "core/hair/formats/strand_file.h"

// Keeps the given strands in the given order, with all their data.
coif_status coif_strand_file_select(coif_strand_file *file, const int32_t *strands, int32_t count,
                                    coif_arena *arena, coif_error *error);

// The same for data per strand other than root_uv: groups, ids, guides.
void coif_strand_file_select_data(coif_strand_file *file, const int32_t *strands, int32_t count,
                                  coif_arena *arena);

// Resamples every strand to that many points, at equal distances along its polyline; first and last
// points stay. Radius, colour, velocity and transparency are interpolated.
coif_status coif_strand_file_resample(coif_strand_file *file, int32_t points, coif_arena *arena,
                                      coif_error *error);

// How far the segments of a strand differ in length: the largest deviation from their mean, as a
// fraction of it; 0 for a strand without length.
float coif_strand_unevenness(const coif_strands *strands, int32_t strand);

// Resamples strand s to lengths[s] points on its polyline, so that its unevenness is at most the
// tolerance where that is possible; 0: the strand keeps its points. First and last points stay.
coif_status coif_strand_file_resample_to(coif_strand_file *file, const int32_t *lengths,
                                         float tolerance, coif_arena *arena, coif_error *error);

// Replaces the points of a strand and their data by those of a strand of the same length.
void coif_strand_file_replace(coif_strand_file *file, int32_t strand, const coif_strand_file *from,
                              int32_t from_strand);

// Appends copies of strands that are marked as guides and have the ids of their strands.
coif_status coif_strand_file_add_guides(coif_strand_file *file, const int32_t *strands,
                                        int32_t count, coif_arena *arena, coif_error *error);

bool coif_strand_file_has_guides(const coif_strand_file *file);

// Strands whose roots are far apart: each is the one farthest from those before it, beginning with
// strand 0 (Gonzalez 1985). At most count; indices are in the order of selection.
int32_t coif_strands_spread(int32_t *indices, int32_t count, const coif_strands *strands,
                            coif_arena *scratch);

#endif
