// Ray queries on a built BVH.
#include "render/embree/accel.h"
#include "render/embree/embree_internal.h"

void coif_accel_set_stats(coif_accel *accel, coif_accel_stats *stats)
{
    accel->stats = stats;
}

uint64_t coif_accel_cycles(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    return 0;
#endif
}

static struct RTCRay query_of(const coif_ray *ray)
{
    return (struct RTCRay){
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
        .id = ray->alpha_seed,
    };
}

static struct RTCRayHit query_hit_of(const coif_ray *ray)
{
    struct RTCRayHit query;
    query.ray = query_of(ray);
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    return query;
}

static bool read_hit(const struct RTCRayHit *query, coif_ray_hit *hit)
{
    if (query->hit.geomID == RTC_INVALID_GEOMETRY_ID) {
        return false;
    }
    *hit = coif_accel_hit_of(&query->hit, query->ray.tfar);
    return true;
}

bool coif_accel_intersect_raw(const coif_accel *accel, const coif_ray *ray,
                              coif_accel_context *context, coif_ray_hit *hit)
{
    struct RTCRayHit query = query_hit_of(ray);
    if (accel->stats == NULL) {
        coif_rtc_intersect(accel->scene, context, &query);
    } else {
        const uint64_t start = coif_accel_cycles();
        coif_rtc_intersect(accel->scene, context, &query);
        accel->stats->cycles += coif_accel_cycles() - start;
        ++accel->stats->intersect_rays;
    }
    return read_hit(&query, hit);
}

bool coif_accel_intersect(const coif_accel *accel, const coif_ray *ray, coif_ray_hit *hit)
{
    coif_accel_context context = coif_accel_context_init();
    return coif_accel_intersect_raw(accel, ray, &context, hit);
}

bool coif_accel_occluded(const coif_accel *accel, const coif_ray *ray)
{
    coif_accel_context context = coif_accel_context_init();
    struct RTCRay query = query_of(ray);
    if (accel->stats == NULL) {
        coif_rtc_occluded(accel->scene, &context, &query);
    } else {
        const uint64_t start = coif_accel_cycles();
        coif_rtc_occluded(accel->scene, &context, &query);
        accel->stats->cycles += coif_accel_cycles() - start;
        ++accel->stats->occluded_rays;
    }
    return query.tfar < 0.0f;
}

bool coif_sss_mesh_intersect(const coif_sss_mesh *sss_mesh, const coif_ray *ray, coif_ray_hit *hit)
{
    coif_accel_context context = coif_accel_context_init();
    struct RTCRayHit query = query_hit_of(ray);
    coif_rtc_intersect(sss_mesh->scene, &context, &query);
    return read_hit(&query, hit);
}
