// strands: the noun every stage of coif speaks.
//
// Hairs are stored one after another in one array of points. Strand s owns the points
// [first[s], first[s + 1]), root first, so a strand is a slice and needs no object.
//
// Units: metres, right-handed, y up. A point is (x, y, z, radius), the vertex layout of the ray
// tracer; the renderer turns them into its own control points.
#ifndef COIF_CORE_HAIR_STRANDS_H
#define COIF_CORE_HAIR_STRANDS_H

#include "core/base/base.h"
#include "core/base/vec.h"

// Keeps offsets, and the few phantom points the renderer adds per strand, inside an int32_t.
#define COIF_MAX_POINTS 1000000000

typedef struct coif_strands {
    int32_t strand_count;
    int32_t point_count;
    int32_t *first;        // strand_count + 1 offsets; first[strand_count] == point_count
    coif_vec4 *points;     // point_count points
    coif_vec3 *velocities; // point_count, metres per second; NULL when not known
    coif_vec3 *colors;     // point_count, linear RGB reflectance; NULL when not painted per point
    float *root_uv;        // 2 * strand_count, where on the scalp each strand grows; may be NULL
    coif_vec4 *rest;       // of a frame of hair that grows: every point of its groom as it is at
                           // rest then; NULL: as the groom has it
} coif_strands;

// Allocates room in arena for strands of the given lengths; points are zero, offsets are set,
// root_uv is zero, velocities and colors are NULL. Nothing to free: the strands live exactly as
// long as the arena. No strand at all is fine. Lengths below 2 are an error, because a strand with
// one point has no direction; so are more than COIF_MAX_POINTS points.
coif_status coif_strands_init(coif_strands *strands, const int32_t *lengths, int32_t strand_count,
                              coif_arena *arena, coif_error *error);

// The number of points of one strand.
static inline int32_t coif_strands_length(const coif_strands *strands, int32_t strand)
{
    return strands->first[strand + 1] - strands->first[strand];
}

// A 64-bit digest of the offsets alone: frames of the same groom share it.
uint64_t coif_strands_topology_digest(const coif_strands *strands);

// A 64-bit digest of topology, points, velocities and colours, equal on every machine and thread
// count when the strands are bit-for-bit equal.
uint64_t coif_strands_digest(const coif_strands *strands);

// The first point with a number that is not finite or a negative radius, -1 when all are good.
int32_t coif_strands_find_invalid(const coif_strands *strands);

// For `coif info` and the log; all zero without strands.
typedef struct coif_strands_stats {
    coif_vec3 low, high;                  // bounds of the points
    float shortest, longest, mean_length; // along the strand
    float thinnest, thickest;             // radius
} coif_strands_stats;
coif_strands_stats coif_strands_measure(const coif_strands *strands);

#endif
