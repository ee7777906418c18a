// strand_combine: weighted sums of strands in the frames of their roots.
//
// The sum of strands p_j with weights w_j, sum 1, at a root with origin o and axes A is
//
//   q[k] = sum of w_j (o + A A_j^-1 (p_j[k] - o_j))
//
// with o_j and A_j of the pose that p_j was simulated on: motion with the root cancels, and rigid
// motion is reproduced whatever the weights are. Then segment lengths are restored from root to tip
// to the sum of w_j |p_j[k + 1] - p_j[k]|, keeping directions.
#ifndef COIF_CORE_HAIR_STRAND_COMBINE_H
#define COIF_CORE_HAIR_STRAND_COMBINE_H

#include "core/hair/groom.h"
#include "core/mesh/mesh.h"

// Frame of a root: rows of axes are tangent, bitangent, normal.
typedef struct coif_root_frame {
    coif_vec3 origin;
    coif_mat3 axes;
} coif_root_frame;

// One per simulated strand: on the posed body, which must have the triangles of the roots, and at
// rest, where rest are the rest points of all strands.
void coif_root_frames_posed(coif_root_frame *frames, const coif_groom *groom,
                            const coif_mesh *body);
void coif_root_frames_rest(coif_root_frame *frames, const coif_groom *groom, const coif_vec4 *rest);

typedef struct coif_combine_term {
    const coif_strands *strands;  // all terms have the same topology
    const coif_root_frame *roots; // of their pose; NULL: the pose of the result
    float weight;
} coif_combine_term;

typedef struct coif_combine_desc {
    const coif_combine_term *terms;
    int32_t term_count;
    // Per strand, from 0, which gives the first term alone, to 1; NULL: 1.
    const float *mask;
    const coif_root_frame *roots; // of the result; may be NULL where all terms are in its pose
    coif_jobs *jobs;
} coif_combine_desc;

// Overwrites the points of result, which has the topology of the terms. A strand that consists of
// one term in the pose of the result has its bits. The root of a term in that pose is kept exactly.
// Same bits for any number of threads.
void coif_strands_combine(coif_strands *result, const coif_combine_desc *desc);

// Moves the points after the root so that segments have these lengths, root to tip, one per point
// (the first of a strand is not used). Segments without direction take that of fallback.
void coif_restore_lengths(coif_vec4 *points, const float *lengths, const coif_vec4 *fallback,
                          int32_t count);

// Whether the points of each strand differ in any bit.
void coif_strands_compare(bool *changed, const coif_strands *strands, const coif_strands *other);

// Velocities of the changed strands: the difference of two positions divided by the seconds between
// them.
void coif_strands_difference(coif_strands *strands, const bool *changed, const coif_strands *before,
                             const coif_strands *after, double seconds);

#endif
