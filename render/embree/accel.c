#include "render/embree/accel.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/log.h"
#include "core/base/rng.h"
#include "render/embree/embree_internal.h"
#include "render/math/sampler.h"

#include <stdio.h>
#include <string.h>

const char *coif_accel_select_isa(const char *requested)
{
    const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (strcmp(requested, "auto") == 0) {
        return wide ? "avx2" : "sse4.2";
    }
    if (strcmp(requested, "avx2") == 0 && wide) {
        return "avx2";
    }
    return strcmp(requested, "sse4.2") == 0 ? "sse4.2" : NULL;
}

static void on_error(void *context, enum RTCError code, const char *text)
{
    coif_accel *accel = context;
    if (accel->first_error == RTC_ERROR_NONE) {
        accel->first_error = code;
        snprintf(accel->message, sizeof accel->message, "%s", text ? text : "no reason given");
    }
}

static bool on_memory(void *context, ssize_t bytes, bool after)
{
    coif_accel *accel = context;
    (void)after; // Embree calls either before or after, never both for the same bytes
    if (coif_memory_account("embree", bytes)) {
        return true;
    }
    atomic_store(&accel->over_limit, true);
    return false;
}

static bool on_build_progress(void *context, double fraction)
{
    const coif_accel *accel = context;
    (void)fraction;
    return !coif_progress_cancelled(accel->progress);
}

static coif_status check_error(const coif_accel *accel, const char *doing, coif_error *error)
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

static RTCScene new_scene(coif_accel *accel, const coif_accel_desc *desc)
{
    RTCScene scene = rtcNewScene(accel->device);
    rtcSetSceneFlags(scene, desc->compact ? RTC_SCENE_FLAG_COMPACT : RTC_SCENE_FLAG_NONE);
    rtcSetSceneBuildQuality(scene, RTC_BUILD_QUALITY_MEDIUM);
    rtcSetSceneProgressMonitorFunction(scene, on_build_progress, accel);
    return scene;
}

coif_status coif_accel_open(coif_accel **accel, const coif_accel_desc *desc, coif_arena *arena,
                            coif_error *error)
{
    coif_accel *made = coif_arena_new(arena, 1, coif_accel);
    made->isa = coif_accel_select_isa(desc->isa);
    if (made->isa == NULL) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "instruction set \"%s\" is not known or not on this machine, wanted auto, "
                         "avx2 or sse4.2",
                         desc->isa);
    }
    char config[64];
    snprintf(config, sizeof config, "threads=%d,isa=%s", desc->threads > 0 ? desc->threads : 1,
             made->isa);
    made->arena = arena;
    made->device = rtcNewDevice(config);
    if (made->device == NULL) {
        const enum RTCError cause = rtcGetDeviceError(NULL);
        return coif_fail(error,
                         cause == RTC_ERROR_OUT_OF_MEMORY ? COIF_ERR_MEMORY : COIF_ERR_ARGUMENT,
                         "Embree gives no device for \"%s\" (error %d)", config, (int)cause);
    }
    rtcSetDeviceErrorFunction(made->device, on_error, made);
    rtcSetDeviceMemoryMonitorFunction(made->device, on_memory, made);
    made->scene = new_scene(made, desc);
    made->group_count = desc->group_count;
    made->groups = coif_arena_new(arena, desc->group_count, RTCScene);
    for (int32_t i = 0; i < desc->group_count; ++i) {
        made->groups[i] = new_scene(made, desc);
    }
    *accel = made;
    return COIF_OK;
}

void coif_accel_close(coif_accel *accel)
{
    if (accel == NULL) {
        return;
    }
    accel->progress = NULL;
    for (int32_t i = 0; i < accel->group_count; ++i) {
        rtcReleaseScene(accel->groups[i]);
    }
    for (const coif_sss_mesh *sss_mesh = accel->sss_meshes; sss_mesh != NULL;
         sss_mesh = sss_mesh->next) {
        rtcReleaseScene(sss_mesh->scene);
    }
    rtcReleaseScene(accel->scene);
    rtcReleaseDevice(accel->device);
}

static coif_status attach(coif_accel *accel, RTCGeometry geometry, coif_error *error)
{
    RTCScene scene = accel->group_count > 0 ? accel->groups[accel->group] : accel->scene;
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(scene, geometry, accel->geometry_count++);
    rtcReleaseGeometry(geometry);
    return check_error(accel, "adding a geometry", error);
}

coif_status coif_accel_add_curves(coif_accel *accel, const coif_bspline_curves *curves,
                                  coif_error *error)
{
    static const enum RTCGeometryType types[] = {
        [COIF_CURVE_ROUND] = RTC_GEOMETRY_TYPE_ROUND_BSPLINE_CURVE,
        [COIF_CURVE_FLAT] = RTC_GEOMETRY_TYPE_FLAT_BSPLINE_CURVE,
        [COIF_CURVE_LINEAR] = RTC_GEOMETRY_TYPE_ROUND_LINEAR_CURVE,
        [COIF_CURVE_RIBBON] = RTC_GEOMETRY_TYPE_NORMAL_ORIENTED_BSPLINE_CURVE,
    };
    RTCGeometry geometry = rtcNewGeometry(accel->device, types[curves->kind]);
    rtcSetGeometryTimeStepCount(geometry, (unsigned int)curves->step_count);
    for (int32_t step = 0; step < curves->step_count; ++step) {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, (unsigned int)step,
                                   RTC_FORMAT_FLOAT4, coif_bspline_curves_step(curves, step), 0,
                                   sizeof(coif_vec4), (size_t)curves->control_count);
        if (curves->kind == COIF_CURVE_RIBBON) {
            rtcSetSharedGeometryBuffer(
                geometry, RTC_BUFFER_TYPE_NORMAL, (unsigned int)step, RTC_FORMAT_FLOAT3,
                curves->normals + (size_t)step * (size_t)curves->control_count, 0,
                sizeof(coif_vec3), (size_t)curves->control_count);
        }
    }
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT, curves->indices,
                               0, sizeof(uint32_t), (size_t)curves->segment_count);
    if (curves->flags != NULL) {
        rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_FLAGS, 0, RTC_FORMAT_UCHAR,
                                   curves->flags, 0, 1, (size_t)curves->segment_count);
    }
    if (coif_bspline_curves_are_transparent(curves) || curves->section_ratio != NULL) {
        coif_accel_set_curve_filter(geometry, curves);
    }
    return attach(accel, geometry, error);
}

static RTCGeometry new_mesh(coif_accel *accel, const coif_mesh *meshes, int32_t steps)
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
    return geometry;
}

coif_status coif_accel_add_mesh(coif_accel *accel, const coif_mesh *meshes, int32_t steps,
                                coif_error *error)
{
    return attach(accel, new_mesh(accel, meshes, steps), error);
}

static void filter_opacity(const struct RTCFilterFunctionNArguments *args)
{
    const coif_opacity_callback *callback = args->geometryUserPtr;
    const struct RTCRay *ray = (const struct RTCRay *)args->ray; // N is 1
    const struct RTCHit *hit = (const struct RTCHit *)args->hit;
    const float opacity =
        callback->opacity(callback->context, (int32_t)hit->primID, hit->u, hit->v);
    const uint32_t word = coif_hash_word(ray->id + coif_hash_word(hit->primID) + hit->geomID);
    args->valid[0] = coif_unit_from_word(word) < opacity ? args->valid[0] : 0;
}

coif_status coif_accel_add_mesh_with_opacity(coif_accel *accel, const coif_mesh *meshes,
                                             int32_t steps, const coif_opacity_callback *callback,
                                             coif_error *error)
{
    RTCGeometry geometry = new_mesh(accel, meshes, steps);
    rtcSetGeometryUserData(geometry, (void *)callback);
    rtcSetGeometryIntersectFilterFunction(geometry, filter_opacity);
    rtcSetGeometryOccludedFilterFunction(geometry, filter_opacity);
    return attach(accel, geometry, error);
}

coif_status coif_accel_add_sss_mesh(const coif_sss_mesh **sss_mesh, coif_accel *accel,
                                    const coif_mesh *meshes, int32_t steps, coif_error *error)
{
    coif_sss_mesh *made = coif_arena_new(accel->arena, 1, coif_sss_mesh);
    RTCGeometry geometry = new_mesh(accel, meshes, steps);
    made->scene = rtcNewScene(accel->device);
    made->next = accel->sss_meshes;
    accel->sss_meshes = made;
    rtcSetSceneFlags(made->scene, RTC_SCENE_FLAG_ROBUST);
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(made->scene, geometry);
    rtcReleaseGeometry(geometry);
    rtcCommitScene(made->scene);
    *sss_mesh = made;
    return check_error(accel, "building a subsurface mesh", error);
}

void coif_accel_set_group(coif_accel *accel, int32_t group)
{
    accel->group = group;
}

coif_status coif_accel_add_instance(coif_accel *accel, int32_t group,
                                    const coif_transform *transforms, int32_t steps,
                                    coif_error *error)
{
    RTCGeometry geometry = rtcNewGeometry(accel->device, RTC_GEOMETRY_TYPE_INSTANCE);
    rtcSetGeometryInstancedScene(geometry, accel->groups[group]);
    rtcSetGeometryTimeStepCount(geometry, (unsigned int)steps);
    for (int32_t step = 0; step < steps; ++step) {
        const coif_vec3 *row = transforms[step].linear.row, t = transforms[step].translation;
        const float matrix[12] = {row[0].x, row[0].y, row[0].z, t.x,      row[1].x, row[1].y,
                                  row[1].z, t.y,      row[2].x, row[2].y, row[2].z, t.z};
        rtcSetGeometryTransform(geometry, (unsigned int)step, RTC_FORMAT_FLOAT3X4_ROW_MAJOR,
                                matrix);
    }
    rtcCommitGeometry(geometry);
    rtcAttachGeometry(accel->scene, geometry);
    rtcReleaseGeometry(geometry);
    return check_error(accel, "adding an instance", error);
}

coif_status coif_accel_build(coif_accel *accel, coif_progress *progress, coif_error *error)
{
    accel->progress = progress;
    for (int32_t i = 0; i < accel->group_count; ++i) {
        rtcCommitScene(accel->groups[i]);
    }
    rtcCommitScene(accel->scene);
    const coif_status status = check_error(accel, "building the BVH", error);
    accel->progress = NULL;
    return status;
}
