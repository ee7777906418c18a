// push_out: moves simulated points out of posed colliders, keeping segment lengths.
#ifndef COIF_SIM_CACHE_PUSH_OUT_H
#define COIF_SIM_CACHE_PUSH_OUT_H

#include "core/collision/collider.h"
#include "core/hair/strands.h"

typedef struct coif_push_out_stats {
    int64_t points;          // in all
    int64_t moved;           // of them
    double largest, average; // distance that the moved ones travelled, metres
} coif_push_out_stats;

typedef struct coif_push_out_desc {
    const coif_collider *colliders; // in the pose of the frame
    int32_t collider_count;
    float distance; // from the surface to the fibre's own, metres; less near the root
    coif_jobs *jobs;
} coif_push_out_desc;

// From root to tip a segment that ends too close to a collider is rotated out of it. Points behind
// it are drawn after their predecessor towards their own position (follow the leader), so that the
// correction decays along the strand. Strands without penetration keep their bits. Same bits for
// any number of threads.
coif_push_out_stats coif_push_out(coif_strands *strands, const coif_push_out_desc *desc);

#endif
