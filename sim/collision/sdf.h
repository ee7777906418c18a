// shell: signed distances around a body at rest, for bodies that move as one piece or flex.
//
// A search through the triangles of a body is dear, and hair on a head asks for millions per frame.
// So the distance is sampled once, in the rest pose: blocks of 4 x 4 x 4 cells near the surface
// hold it at their corners, all other blocks only how far away the surface is at least. A cell
// whose values, interpolated, do not say the same as the triangles do, is not sure: there the
// triangles are asked (ears, lips, sharp edges).
//
// A body that turns, or flexes on its neck, is asked in its own coordinates: where places of the
// world were when it rested, see stance.h. Whether it is one piece is seen from its vertices in
// each frame; how it flexes it says itself.
#ifndef COIF_SIM_COLLISION_SDF_H
#define COIF_SIM_COLLISION_SDF_H

#include "sim/collision/body_transform.h"
#include "sim/collision/collider.h"

enum { COIF_SDF_BRICK_CELLS = 4, COIF_SDF_BRICK_SAMPLES = 125 };

typedef struct coif_sdf_brick {
    float distance[COIF_SDF_BRICK_SAMPLES]; // x runs fastest; below zero inside
    int32_t hint;                           // a triangle near the middle
    uint64_t sure;                          // a bit per cell
} coif_sdf_brick;

typedef struct coif_sdf {
    coif_vec3 low; // corner of the first block
    float cell;
    int32_t size[3]; // blocks
    float beyond;    // nothing outside all blocks is nearer than this
    int32_t *index;  // per block: where its values are, or -1
    coif_sdf_brick *blocks;
    int32_t block_count;

    float *middle; // per block: distance of its middle

    const coif_mesh *mesh;
    int32_t corner[3]; // vertices that tell where a body of one piece is
    coif_vec3 rest[3];
    coif_vec3 centre;           // of all vertices
    coif_body_motion *passage;  // through this frame
    bool holds;                 // which it goes through as one piece, or flexing
    const coif_collider *still; // the body, whose tree stands at rest while the shell holds
} coif_sdf;

// Still must outlive the shell. False: there is nothing to sample, or nothing that can be followed.
bool coif_sdf_build(coif_sdf *shell, const coif_mesh *mesh, const coif_collider *still,
                    coif_arena *arena, coif_jobs *jobs);

// Where the body is in this frame; sets holds.
void coif_sdf_update_transform(coif_sdf *shell, const coif_mesh *begin, const coif_mesh *end);

// Signed distance at a place of the rest pose and its gradient, not unit. Where that is not sure
// the triangles have to be asked: then a triangle where the search may begin, -1 for none, and a
// distance within which there is nothing outside.
typedef struct coif_sdf_sample {
    float distance;
    coif_vec3 slope;
    int32_t hint;
} coif_sdf_sample;
bool coif_sdf_eval(coif_sdf_sample *answer, const coif_sdf *shell, coif_vec3 place);

// The block of a place, -1 outside.
static inline int32_t coif_sdf_brick_at(const coif_sdf *shell, coif_vec3 place)
{
    const float scale = 1.0f / (COIF_SDF_BRICK_CELLS * shell->cell);
    const float x = (place.x - shell->low.x) * scale;
    const float y = (place.y - shell->low.y) * scale;
    const float z = (place.z - shell->low.z) * scale;
    if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f && x < (float)shell->size[0] &&
          y < (float)shell->size[1] && z < (float)shell->size[2])) {
        return -1;
    }
    return ((int32_t)z * shell->size[1] + (int32_t)y) * shell->size[0] + (int32_t)x;
}

// Whether distances around a place were sampled.
static inline bool coif_sdf_brick_samples(const coif_sdf *shell, coif_vec3 place)
{
    const int32_t block = coif_sdf_brick_at(shell, place);
    return block >= 0 && shell->index[block] >= 0;
}

#endif
