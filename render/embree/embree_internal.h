// Declarations shared by the files of the Embree wrapper; private to render/embree.
#ifndef COIF_RENDER_EMBREE_EMBREE_INTERNAL_H
#define COIF_RENDER_EMBREE_EMBREE_INTERNAL_H

#include "render/geometry/bspline_curves.h"
#include "render/math/ray.h"

#if COIF_EMBREE_VERSION >= 4
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif
#include <stdatomic.h>

typedef struct coif_sss_mesh {
    RTCScene scene;
    struct coif_sss_mesh *next;
} coif_sss_mesh;

typedef struct coif_accel {
    coif_arena *arena;
    coif_sss_mesh *sss_meshes;
    RTCDevice device;
    RTCScene scene;
    RTCScene *groups;
    int32_t group_count, group; // group: the one that new geometries join
    unsigned int geometry_count;
    const char *isa;
    struct coif_accel_stats *stats;
    coif_progress *progress;   // during a build
    atomic_bool over_limit;    // the memory limit was reached
    char message[256];         // first error message of Embree
    enum RTCError first_error; // its code
} coif_accel;

// The intersection context of every query. Embree hands it to filter functions, which read the
// second field; so the first must be Embree's own.
typedef struct coif_accel_context {
#if COIF_EMBREE_VERSION >= 4
    struct RTCRayQueryContext rtc;
#else
    struct RTCIntersectContext rtc;
#endif
    struct layer_list *layers; // collects transparent hits (transparent_curves.c); NULL: none
} coif_accel_context;

static inline coif_accel_context coif_accel_context_init(void)
{
    coif_accel_context context = {.layers = NULL};
#if COIF_EMBREE_VERSION >= 4
    rtcInitRayQueryContext(&context.rtc);
#else
    rtcInitIntersectContext(&context.rtc);
#endif
    return context;
}

// The two queries. Embree 4 takes the context in an argument struct.
static inline void coif_rtc_intersect(RTCScene scene, coif_accel_context *context,
                                      struct RTCRayHit *query)
{
#if COIF_EMBREE_VERSION >= 4
    struct RTCIntersectArguments arguments;
    rtcInitIntersectArguments(&arguments);
    arguments.context = &context->rtc;
    rtcIntersect1(scene, query, &arguments);
#else
    rtcIntersect1(scene, &context->rtc, query);
#endif
}

static inline void coif_rtc_occluded(RTCScene scene, coif_accel_context *context,
                                     struct RTCRay *query)
{
#if COIF_EMBREE_VERSION >= 4
    struct RTCOccludedArguments arguments;
    rtcInitOccludedArguments(&arguments);
    arguments.context = &context->rtc;
    rtcOccluded1(scene, query, &arguments);
#else
    rtcOccluded1(scene, &context->rtc, query);
#endif
}

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

// The nearest hit, with the caller's context.
bool coif_accel_intersect_raw(const coif_accel *accel, const coif_ray *ray,
                              coif_accel_context *context, coif_ray_hit *hit);

// Installs filter functions that reject hits beside elliptical sections, and accept others
// stochastically by opacity, or collect them as layers.
void coif_accel_set_curve_filter(RTCGeometry geometry, const coif_bspline_curves *curves);

#endif
