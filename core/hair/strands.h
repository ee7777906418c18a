// Strands: polylines with a radius per point, the geometry passed between all pipeline stages.
//
// All points are stored in one array. Strand s owns the points [first[s], first[s + 1]), root
// first.
//
// Units: metres, right-handed, y up. A point is (x, y, z, radius), the vertex layout of the ray
// tracer; the renderer turns them into its own control points.
#ifndef COIF_CORE_HAIR_STRANDS_H
#define COIF_CORE_HAIR_STRANDS_H

#include "core/base/base.h"
#include "core/base/vec.h"

// Limit that keeps offsets, with the phantom points added by the renderer, within an int32_t.
#define COIF_MAX_POINTS 1000000000

typedef struct coif_strands {
    int32_t strand_count;
    int32_t point_count;
    int32_t *first;        // strand_count + 1 offsets; first[strand_count] == point_count
    coif_vec4 *points;     // point_count points
    coif_vec3 *velocities; // point_count, metres per second; NULL when unknown
    coif_vec3 *colors;     // point_count, linear RGB reflectance; NULL when absent
    float *root_uv;        // 2 * strand_count, scalp uv of the roots; may be NULL
    coif_vec4 *rest; // frames of animated grooms: rest points of all strands of the groom at this
                     // frame; NULL: those of the groom
} coif_strands;

// Allocates strands of the given lengths in arena; points and root_uv are zero, velocities and
// colors NULL. Zero strands are allowed. Lengths below 2 are an error, because a single point has
// no direction; so are more than COIF_MAX_POINTS points.
coif_status coif_strands_init(coif_strands *strands, const int32_t *lengths, int32_t strand_count,
                              coif_arena *arena, coif_error *error);

// The number of points of one strand.
static inline int32_t coif_strands_length(const coif_strands *strands, int32_t strand)
{
    return strands->first[strand + 1] - strands->first[strand];
}

// Digest of the offsets alone, equal for all frames of a groom.
uint64_t coif_strands_topology_digest(const coif_strands *strands);

// Digest of topology, points, velocities and colours.
uint64_t coif_strands_digest(const coif_strands *strands);

// First point with a non-finite number or a negative radius, -1 when there is none.
int32_t coif_strands_find_invalid(const coif_strands *strands);

// Statistics for `coif info` and the log; all zero without strands.
typedef struct coif_strands_stats {
    coif_vec3 low, high;                  // bounds of the points
    float shortest, longest, mean_length; // along the strand
    float thinnest, thickest;             // radius
} coif_strands_stats;
coif_strands_stats coif_strands_measure(const coif_strands *strands);

#endif
