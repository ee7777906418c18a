// deforming_sdf_internal: slices of a frame and the maps of their bricks.
#ifndef COIF_CORE_COLLISION_DEFORMING_SDF_INTERNAL_H
#define COIF_CORE_COLLISION_DEFORMING_SDF_INTERNAL_H

#include "core/base/arena.h"
#include "core/collision/collider.h"
#include "core/collision/sdf.h"

#include <pthread.h>

// Distance from a brick up to which its map is exact, in bricks.
#define COIF_DEFORMING_NEAR 0.43f

enum { COIF_DEFORMING_SLICES = 16, COIF_DEFORMING_RINGS = 4 };

// Sums over the samples of a brick, for least squares: weight, rest position r, r r^T, and at both
// ends of the slice position x and x r^T. Double precision: sums of neighbouring bricks are added
// before the mean is subtracted.
typedef struct coif_brick_moments {
    double weight, r[3], rr[6];
    double x[2][3], xr[2][3][3];
} coif_brick_moments;

// Rows of four samples each.
typedef struct coif_brick_samples {
    coif_brick_moments moments;
    int32_t row_count;
    struct coif_sample_row *rows;
} coif_brick_samples;

typedef struct coif_brick_map {
    bool near;              // holds for surfaces within COIF_DEFORMING_NEAR of the brick
    bool far;               // and for bounds of the distance to those in the bricks around it
    coif_affine to_rest[2]; // at the begin and the end of the slice
    coif_affine motion;     // displacement of a rest position over the whole frame
    float stretch;          // upper bound of rest distance over world distance
} coif_brick_map;

// A part of the frame. Bricks form a grid in world space.
typedef struct coif_deforming_slice {
    coif_arena *arena;
    coif_arena_mark begin; // of its first chunk, which is kept
    atomic_bool ready;
    coif_vec3 low; // corner of the first brick
    float side;
    int32_t size[3];
    // Chebyshev distance, in bricks, to a brick that the surface may cross in the middle of the
    // slice; COIF_DEFORMING_RINGS + 1 is any larger one.
    uint8_t *ring;
    int32_t *first, *order; // samples of brick b: order[first[b]] to order[first[b + 1] - 1]
    coif_brick_samples *_Atomic *samples; // NULL: not computed yet
    coif_brick_map *_Atomic *maps;        // NULL: not fitted yet
} coif_deforming_slice;

typedef struct coif_deforming_sdf {
    coif_sdf *sdf;
    coif_arena *arena;
    coif_collider rest;            // in the rest pose
    const coif_collider *collider; // in that of the frame
    pthread_mutex_t lock;
    int32_t slice_count; // 0: the body moves too fast, or not finitely
    coif_deforming_slice slices[COIF_DEFORMING_SLICES];
    // Points on triangles, no farther apart than half a brick in the rest pose.
    int32_t sample_count;
    int32_t *sample_slot; // of the triangle: 4 * leaf + slot
    float *sample_weights, *sample_area;
    coif_vec3 *sample_rest, *sample_normal;
} coif_deforming_sdf;

// A corner of a triangle at a time of the frame.
static inline coif_vec3 coif_bvh_corner(const coif_collider *collider, int32_t slot, int corner,
                                        float time)
{
    const coif_bvh_leaf *leaf = &collider->leaves[slot / 4];
    const int i = slot % 4;
    return coif_vec3_of(leaf->corner[corner][0][i] + time * leaf->motion[corner][0][i],
                        leaf->corner[corner][1][i] + time * leaf->motion[corner][1][i],
                        leaf->corner[corner][2][i] + time * leaf->motion[corner][2][i]);
}

static inline coif_vec3 coif_sample_position(const coif_vec3 corner[3], const float weights[2])
{
    return coif_mad(coif_mad(corner[0], weights[0], coif_sub(corner[1], corner[0])), weights[1],
                    coif_sub(corner[2], corner[0]));
}

// Prepares the grid of a slice.
void coif_deforming_slice_sort(coif_deforming_slice *slice, const coif_deforming_sdf *sdf,
                               int32_t index);

// The map of a brick, fitted by the first query of it.
const coif_brick_map *coif_brick_map_of(coif_deforming_sdf *sdf, int32_t slice, int32_t brick);

#endif
