#include "render/accel.h"

#include "core/arena.h"
#include "core/error.h"
#include "core/log.h"

#include <embree3/rtcore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct coif_accel {
    RTCDevice device;
    RTCScene scene;
    const char *isa;
    coif_progress *progress;   // during a build
    atomic_bool over_limit;    // the memory limit said no
    char message[256];         // what Embree said first
    enum RTCError first_error; // its number
};

const char *coif_accel_choose_isa(const char *wanted)
{
    const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(wanted, "auto") == 0) {
        return wide ? "avx2" : "sse4.2";
    }
    if (strcmp(wanted, "avx2") == 0 && wide) {
        return "avx2";
    }
    return strcmp(wanted, "sse4.2") == 0 ? "sse4.2" : NULL;
}

static void remember_error(void *context, enum RTCError code, const char *text)
{
    coif_accel *accel = context;
    if (accel->first_error == RTC_ERROR_NONE) {
        accel->first_error = code;
        snprintf(accel->message, sizeof accel->message, "%s", text ? text : "no reason given");
    }
}

static bool count_memory(void *context, ssize_t bytes, bool after)
{
    coif_accel *accel = context;
    (void)after; // Embree calls either before or after, never both for the same bytes
    if (coif_memory_account("embree", bytes)) {
        return true;
    }
    atomic_store(&accel->over_limit, true);
    return false;
}

static bool still_wanted(void *context, double share)
{
    const coif_accel *accel = context;
    (void)share;
    return !coif_progress_cancelled(accel->progress);
}

static coif_status explain(const coif_accel *accel, const char *doing, coif_error *error)
{
    if (accel->first_error == RTC_ERROR_NONE) {
        return COIF_OK;
    }
    if (coif_progress_cancelled(accel->progress)) {
        return coif_fail(error, COIF_ERR_CANCELLED, "cancelled while %s", doing);
    }
    if (accel->first_error == RTC_ERROR_OUT_OF_MEMORY || atomic_load(&accel->over_limit)) {
        return coif_fail(error, COIF_ERR_MEMORY, "out of memory while %s", doing);
    }
    return coif_fail(error, COIF_ERR_ARGUMENT, "Embree refused while %s: %s (error %d)", doing,
                     accel->message, (int)accel->first_error);
}

coif_status coif_accel_open(coif_accel **accel, const coif_accel_desc *desc, coif_arena *arena,
                            coif_error *error)
{
    coif_accel *made = coif_arena_new(arena, 1, coif_accel);
    made->isa = coif_accel_choose_isa(desc->isa);
    if (made->isa == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "instruction set \"%s\" is not known or not on this machine, wanted auto, "
                         "avx2 or sse4.2",
                         desc->isa);
    }
    char config[64];
    snprintf(config, sizeof config, "threads=%d,isa=%s", desc->threads > 0 ? desc->threads : 1,
             made->isa);
    made->device = rtcNewDevice(config);
    if (made->device == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "Embree gives no device for \"%s\" (error %d)",
                         config, (int)rtcGetDeviceError(NULL));
    }
    rtcSetDeviceErrorFunction(made->device, remember_error, made);
    rtcSetDeviceMemoryMonitorFunction(made->device, count_memory, made);
    made->scene = rtcNewScene(made->device);
    rtcSetSceneFlags(made->scene, desc->compact ? RTC_SCENE_FLAG_COMPACT : RTC_SCENE_FLAG_NONE);
    rtcSetSceneBuildQuality(made->scene, RTC_BUILD_QUALITY_MEDIUM);
    rtcSetSceneProgressMonitorFunction(made->scene, still_wanted, made);
    *accel = made;
    return COIF_OK;
}

void coif_accel_close(coif_accel *accel)
{
    if (accel == NULL) {
        return;
    }
    accel->progress = NULL;
    rtcReleaseScene(accel->scene);
    rtcReleaseDevice(accel->device);
}

const char *coif_accel_isa(const coif_accel *accel)
{
    return accel->isa;
}

static coif_status attach(coif_accel *accel, RTCGeometry geometry, coif_error *error)
{
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(accel->scene, geometry);
    rtcReleaseGeometry(geometry);
    return explain(accel, "taking in a shape", error);
}

coif_status coif_accel_add_curves(coif_accel *accel, const coif_curves *curves, coif_error *error)
{
    static const enum RTCGeometryType types[] = {
        [COIF_CURVE_ROUND] = RTC_GEOMETRY_TYPE_ROUND_BSPLINE_CURVE,
        [COIF_CURVE_FLAT] = RTC_GEOMETRY_TYPE_FLAT_BSPLINE_CURVE,
        [COIF_CURVE_LINEAR] = RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE,
    };
    RTCGeometry geometry = rtcNewGeometry(accel->device, types[curves->kind]);
    rtcSetGeometryTimeStepCount(geometry, (unsigned int)curves->step_count);
    for (int32_t step = 0; step < curves->step_count; ++step) {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, (unsigned int)step,
                                   RTC_FORMAT_FLOAT4, coif_curves_step(curves, step), 0,
                                   sizeof(coif_vec4), (size_t)curves->control_count);
    }
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, curves->indices,
                               0, sizeof(uint32_t), (size_t)curves->segment_count);
    if (curves->flags != NULL) {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_FLAGS, 0, RTC_FORMAT_UCHAR,
                                   curves->flags, 0, 1, (size_t)curves->segment_count);
    }
    return attach(accel, geometry, error);
}

coif_status coif_accel_add_mesh(coif_accel *accel, const coif_mesh *meshes, int32_t steps,
                                coif_error *error)
{
    RTCGeometry geometry = rtcNewGeometry(accel->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryTimeStepCount(geometry, (unsigned int)steps);
    for (int32_t step = 0; step < steps; ++step) {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, (unsigned int)step,
                                   RTC_FORMAT_FLOAT3, meshes[step].positions, 0, sizeof(coif_vec3),
                                   (size_t)meshes[step].vertex_count);
    }
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3,
                               meshes->indices, 0, 3 * sizeof(int32_t),
                               (size_t)meshes->triangle_count);
    return attach(accel, geometry, error);
}

coif_status coif_accel_build(coif_accel *accel, coif_progress *progress, coif_error *error)
{
    accel->progress = progress;
    rtcCommitScene(accel->scene);
    const coif_status status = explain(accel, "building the ray tracing hierarchy", error);
    accel->progress = NULL;
    return status;
}

// Embree 4 takes no context here and renamed the argument struct; nothing else of this file
// differs.
bool coif_accel_trace(const coif_accel *accel, const coif_ray *ray, coif_ray_hit *hit)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit query;
    query.ray = (struct RTCRay){
        .org_x = ray->origin.x,
        .org_y = ray->origin.y,
        .org_z = ray->origin.z,
        .tnear = ray->near,
        .dir_x = ray->direction.x,
        .dir_y = ray->direction.y,
        .dir_z = ray->direction.z,
        .time = ray->time,
        .tfar = ray->far,
        .mask = 0xffffffffu,
    };
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    rtcIntersect1(accel->scene, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) {
        return false;
    }
    *hit = (coif_ray_hit){
        .distance = query.ray.tfar,
        .u = query.hit.u,
        .v = query.hit.v,
        .normal = {query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z},
        .shape = (int32_t)query.hit.geomID,
        .primitive = (int32_t)query.hit.primID,
    };
    return true;
}

bool coif_accel_blocked(const coif_accel *accel, const coif_ray *ray)
{
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRay query = {
        .org_x = ray->origin.x,
        .org_y = ray->origin.y,
        .org_z = ray->origin.z,
        .tnear = ray->near,
        .dir_x = ray->direction.x,
        .dir_y = ray->direction.y,
        .dir_z = ray->direction.z,
        .time = ray->time,
        .tfar = ray->far,
        .mask = 0xffffffffu,
    };
    rtcOccluded1(accel->scene, &context, &query);
    return query.tfar < 0.0f;
}
