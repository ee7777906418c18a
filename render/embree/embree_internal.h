// accel_embree: what the files of the door to Embree share; nobody else may include it.
#ifndef COIF_RENDER_EMBREE_EMBREE_INTERNAL_H
#define COIF_RENDER_EMBREE_EMBREE_INTERNAL_H

#include "render/embree/accel.h"

#include <embree3/rtcore.h>
#include <stdatomic.h>

struct coif_sss_mesh {
    RTCScene scene;
    struct coif_sss_mesh *next;
};

struct coif_accel {
    coif_arena *arena;
    coif_sss_mesh *probes;
    RTCDevice device;
    RTCScene scene;
    RTCScene *groups;
    int32_t group_count, group; // group: where shapes go
    unsigned int shape_count;
    const char *isa;
    coif_accel_stats *stats;
    coif_progress *progress;   // during a build
    atomic_bool over_limit;    // the memory limit said no
    char message[256];         // what Embree said first
    enum RTCError first_error; // its number
};

static inline coif_ray_hit coif_accel_hit_of(const struct RTCHit *hit, float distance)
{
    return (coif_ray_hit){
        .distance = distance,
        .u = hit->u,
        .v = hit->v,
        .normal = {hit->Ng_x, hit->Ng_y, hit->Ng_z},
        .geometry = (int32_t)hit->geomID,
        .primitive = (int32_t)hit->primID,
        .instance = (int32_t)hit->instID[0],
    };
}

// The nearest hit, with a context of the caller's own.
bool coif_accel_intersect_raw(const coif_accel *accel, const coif_ray *ray,
                              struct RTCIntersectContext *context, coif_ray_hit *hit);

// Has rays meet the curves with the chance of their opacity, and those of trace_layers all of them.
void coif_accel_set_opacity_filter(RTCGeometry geometry, const coif_bspline_curves *curves);

#endif
