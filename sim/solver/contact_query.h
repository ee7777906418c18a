// contact: the planes that keep points out of bodies during one substep.
//
// For the way of each point from where it is to where it wants to go, the nearest surface gives a
// plane (n, offset) with  n . p >= offset. Ways are seen from the surface: a body that comes
// counts as much as a point that goes. A point that would leave a thin part on the other side gets
// the plane it passed through.
//
// Bodies whose distances are sampled (see shell.h) are asked where they rest. Others are searched;
// most points not anew: one that was found far away can touch nothing before it has come as much
// nearer.
#ifndef COIF_SIM_SOLVER_CONTACT_QUERY_H
#define COIF_SIM_SOLVER_CONTACT_QUERY_H

#include "sim/collision/collider.h"

// Early enough, in metres, where only planes count that a point is behind of: roundings are less.
#define COIF_CONTACT_SURE 1e-4f

// What is known of a point since the last search for it: nothing that is searched for is nearer to
// the place than this. Below zero: nothing is known. Zeroed memory knows nothing either.
typedef struct coif_bvh_distance_cache {
    float *x, *y, *z; // the place
    float *distance;
    int32_t *outside; // 1: the place is not inside of anything; 0: perhaps
    int32_t *hint;    // one more than a triangle that was near, of any body
} coif_bvh_distance_cache;

// What is known of sampled bodies: none of them is nearer to the place than this. Memory and jumps
// as above.
typedef struct coif_sdf_distance_cache {
    float *x, *y, *z; // NULL: nothing is to be kept
    float *distance;
    int32_t *spared; // for how many substeps points need not have asked
} coif_sdf_distance_cache;

typedef struct coif_contact_query {
    const struct coif_kernels *kernels;
    int32_t count;             // a multiple of the lanes that kernels have
    int32_t lanes;             // point i - lanes comes before point i on its strand
    const float *x, *y, *z;    // where the points are
    const float *px, *py, *pz; // where they want to go
    const float *reach;        // the distance to keep; 0 for points that touch nothing
    float begin, end;          // of the substep, as moments of the frame
    const struct coif_body_transform
        *stances;         // of all bodies at its begin, then at its end, if sampled
    float most_out;       // how far a point that is too deep may be pushed out, metres
    const float *outs;    // NULL, or the same for each point, of the point that
    const int32_t *owner; // owner says, if not NULL
    float early;          // planes are made when the distance to keep is still this far away
    float ahead;          // how much farther searches look, for the sake of clearances
    coif_bvh_distance_cache clearances;
    coif_sdf_distance_cache vicinity;
    float far; // how far from bodies a point must be for nobody to care how far exactly
    // Write. A point without contact gets a zero normal, which no projection moves.
    float *nx, *ny, *nz, *offset;
    float *sx, *sy, *sz; // how far the surface moves during the substep
    float *depth;        // signed distance to the surface of the plane, or of none: a large one
    float *free;         // NULL, or: no body is nearer to where a point wants to go than this
    int32_t *rows;       // NULL, or two: all planes are in rows from the first to before the second
} coif_contact_query;

// True when at least one point has a plane; else nothing but clearances and free was written.
bool coif_contact_query_find(const coif_contact_query *contacts, const coif_collider *bodies,
                             int32_t body_count);

// Whether clearances are of use: some body is searched.
bool coif_contact_query_search(const coif_collider *bodies, int32_t body_count);

// What is known holds as long as bodies go on from where they were and points do not jump.
void coif_bvh_distance_cache_invalidate(const coif_bvh_distance_cache *clearances, int32_t count);
void coif_sdf_distance_cache_invalidate(const coif_sdf_distance_cache *vicinity, int32_t count);

#endif
