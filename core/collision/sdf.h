// sdf: sparse signed distance field around a collision body in its rest pose.
//
// A closest point query on the BVH is expensive, and hair on a head needs millions per frame. The
// distance is therefore sampled in the rest pose: bricks of 4 x 4 x 4 cells near the surface (a
// narrow band) store it at their cell corners; all other bricks store only the distance of their
// centre. A cell whose trilinear interpolation disagrees with the triangles is not reliable: there
// the BVH is queried (ears, lips, sharp edges).
//
// A brick is sampled by the first query that comes to it, so a body costs what hair can reach. Its
// values depend on the mesh alone, not on which thread asks, or when.
//
// A body that moves rigidly, or deforms by height (a head bending on its neck), is queried in rest
// space; see body_transform.h. Whether the motion is rigid is tested on the vertices each frame;
// a deformation by height is described by the mesh itself.
#ifndef COIF_CORE_COLLISION_SDF_H
#define COIF_CORE_COLLISION_SDF_H

#include "core/collision/body_transform.h"
#include "core/collision/bvh.h"

#include <stdatomic.h>

enum { COIF_SDF_BRICK_CELLS = 4, COIF_SDF_BRICK_SAMPLES = 125 };

// Half width of the narrow band, in cells: no point of a brick without samples is nearer.
#define COIF_SDF_BAND_CELLS 2.0f

typedef struct coif_sdf_brick {
    float distance[COIF_SDF_BRICK_SAMPLES]; // x varies fastest; negative inside
    int32_t hint;                           // a triangle near the centre
    uint64_t reliable_cells;                // one bit per cell
} coif_sdf_brick;

typedef struct coif_sdf {
    coif_vec3 low; // corner of the first brick
    float cell;    // edge length of a cell, metres
    int32_t size[3];
    float outside_bound; // lower bound of the distance outside the grid of bricks
    // Per brick of the grid: 0 where it was not sampled yet, -1 outside of the narrow band, else 1
    // + its number.
    _Atomic int32_t *index;
    _Atomic float *brick_center_distance; // per brick of the grid; 0: not measured yet
    struct coif_sdf_bricks *bricks;       // of the narrow band

    const coif_mesh *mesh;
    int32_t fit_vertex[3]; // vertices that the rigid transform is fitted to
    coif_vec3 fit_rest[3]; // and their rest positions
    coif_vec3 centre;      // mean of all vertices
    coif_body_motion *motion;
    bool valid;                    // motion describes the body in this frame: rigid or by height
    const coif_collider *rest_bvh; // in the rest pose while the field is queried
} coif_sdf;

// Nothing is sampled yet. rest_bvh must outlive the field and be in the rest pose during queries.
// False: the mesh is empty, degenerate or not finite.
bool coif_sdf_build(coif_sdf *sdf, const coif_mesh *mesh, const coif_collider *rest_bvh,
                    coif_arena *arena);

// A copy with all bricks sampled so far, for an equal mesh.
void coif_sdf_copy(coif_sdf *sdf, const coif_sdf *source, const coif_mesh *mesh,
                   const coif_collider *rest_bvh, coif_arena *arena);

// Fits motion to the two poses of a frame; sets valid.
void coif_sdf_update_transform(coif_sdf *sdf, const coif_mesh *begin, const coif_mesh *end);

// Signed distance at a position of the rest pose and its gradient, not unit. In an unreliable cell
// or outside the narrow band the result is false and the BVH has to be queried: then hint is a
// triangle to start from, -1 for none, and distance a lower bound that is valid outside.
typedef struct coif_sdf_sample {
    float distance;
    coif_vec3 gradient;
    int32_t hint;
} coif_sdf_sample;
bool coif_sdf_eval(coif_sdf_sample *sample, const coif_sdf *sdf, coif_vec3 position);

// Lower bound of the distance of a position of the rest pose; 0 when it may be inside or near.
float coif_sdf_outside_bound(const coif_sdf *sdf, coif_vec3 position);

// The brick of the grid that contains a position, -1 outside.
static inline int32_t coif_sdf_brick_at(const coif_sdf *sdf, coif_vec3 position)
{
    const float scale = 1.0f / (COIF_SDF_BRICK_CELLS * sdf->cell);
    const float x = (position.x - sdf->low.x) * scale;
    const float y = (position.y - sdf->low.y) * scale;
    const float z = (position.z - sdf->low.z) * scale;
    if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f && x < (float)sdf->size[0] &&
          y < (float)sdf->size[1] && z < (float)sdf->size[2])) {
        return -1;
    }
    return ((int32_t)z * sdf->size[1] + (int32_t)y) * sdf->size[0] + (int32_t)x;
}

// A brick of the grid, sampled if this is the first query of it; NULL outside of the narrow band.
const coif_sdf_brick *coif_sdf_brick_of(const coif_sdf *sdf, int32_t brick);

// Signed distance at the centre of a brick.
float coif_sdf_measure_center(const coif_sdf *sdf, int32_t brick);
static inline float coif_sdf_center_distance(const coif_sdf *sdf, int32_t brick)
{
    const float distance =
        atomic_load_explicit(&sdf->brick_center_distance[brick], memory_order_relaxed);
    return distance != 0.0f ? distance : coif_sdf_measure_center(sdf, brick);
}

// Whether a position lies in the narrow band.
static inline bool coif_sdf_brick_samples(const coif_sdf *sdf, coif_vec3 position)
{
    const int32_t brick = coif_sdf_brick_at(sdf, position);
    return brick >= 0 && coif_sdf_brick_of(sdf, brick) != NULL;
}

// Number of bricks sampled so far.
int32_t coif_sdf_brick_count(const coif_sdf *sdf);

#endif
