// contact_query: contact planes between points and bodies for one substep.
//
// For the path of each point from its position to its predicted position the nearest surface gives
// a plane (n, offset) with  n . p >= offset. Paths are relative to the surface, so that a moving
// body counts as much as a moving point. A point that would tunnel through a thin part gets the
// plane of the surface it passed (conservative advancement).
//
// Bodies with a signed distance field are evaluated in their rest pose, see sdf.h, deforming ones
// by deforming_sdf.h. Others are searched through their BVH; a distance cache spares most searches,
// since a point known to be far from every surface cannot touch one before it has moved by that
// distance.
#ifndef COIF_SIM_SOLVER_CONTACT_QUERY_H
#define COIF_SIM_SOLVER_CONTACT_QUERY_H

#include "core/simd/soa3.h"

#include <stdbool.h>

// Margin, in metres, of queries that only need points behind a plane: more than rounding.
#define COIF_CONTACT_EPSILON 1e-4f

// Lower bounds of distances to bodies without an SDF. Negative: unknown; zeroed memory is unknown
// too.
typedef struct coif_bvh_distance_cache {
    coif_soa3 pos; // where the bound was measured
    float *distance;
    int32_t *outside; // 1: pos is outside of all bodies; 0: unknown
    int32_t *hint;    // 1 + index of a nearby triangle of any body
} coif_bvh_distance_cache;

// Lower bounds of distances to bodies with an SDF.
typedef struct coif_sdf_distance_cache {
    coif_soa3 pos; // pos.x == NULL: no cache
    float *distance;
    int32_t *skipped_substeps; // since the last evaluation
} coif_sdf_distance_cache;

typedef struct coif_contact_query {
    const struct coif_contact_kernels *kernels;
    int32_t count;                 // points; a multiple of the SIMD lanes
    int32_t lanes;                 // point i - lanes precedes point i on its strand
    coif_soa3 pos, predicted;      // read only
    const float *contact_distance; // distance to keep; 0: the point has no contacts
    float begin, end;              // of the substep, times within the frame
    float seconds;                 // of the substep
    // Of all bodies with an SDF, at the begin of the substep, then at its end.
    const struct coif_body_transform *transforms;
    float max_depenetration;                  // per substep, m
    const float *max_depenetration_per_point; // NULL: the same for all points; else indexed by
    const int32_t *source_segment;            // this, if not NULL
    float margin;        // planes are created this far beyond the contact distance
    float search_margin; // extra search radius that fills the cache
    coif_bvh_distance_cache bvh_cache;
    coif_sdf_distance_cache sdf_cache;
    float exact_within; // distances beyond this need no exact value
    // Results. A point without contact gets a zero normal, which no projection moves.
    coif_soa3 normal;
    float *offset;
    coif_soa3 surface_disp;   // displacement of the surface during the substep
    float *signed_distance;   // from predicted to the surface; INFINITY without contact
    float *friction;          // of the surface, -1: that of hair; NULL: not needed
    float *soft;              // 1: the surface is soft, 0: rigid; NULL: not needed
    float *min_body_distance; // NULL, or: lower bound of the distance from predicted to any body
    int32_t *row_range;       // NULL, or two: rows with planes, begin and end
} coif_contact_query;

#endif
