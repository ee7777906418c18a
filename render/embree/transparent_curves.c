// Filter functions of strands: the outline of elliptical sections, and stochastic transparency:
// hair/opacity, and strands that are drawn wider than they are (min_pixel_width.h).
#include "core/base/rng.h"
#include "render/embree/accel.h"
#include "render/embree/embree_internal.h"
#include "render/math/ellipse.h"
#include "render/math/sampler.h"

// Transparent hits of a camera ray.
enum { MAX_LAYERS = 64 };
typedef struct layer {
    coif_ray_hit hit;
    float opacity;
    int32_t strand;
} layer;

typedef struct layer_list {
    int32_t count;
    layer layers[MAX_LAYERS];
} layer_list;

// A ray enters and leaves a strand, and a widened strand is thicker than its segments are long:
// hits on one strand within a reach along the ray are one crossing, which counts as one layer.
static bool has_layer(const layer_list *list, const layer *candidate, float reach)
{
    for (int32_t i = 0; i < list->count; ++i) {
        const layer *known = &list->layers[i];
        if (known->strand == candidate->strand && known->hit.geometry == candidate->hit.geometry &&
            fabsf(known->hit.distance - candidate->hit.distance) < reach) {
            return true;
        }
    }
    return false;
}

// Length of a ray over which its distance from the strand's axis changes by two widths.
static float crossing_reach(const struct RTCRay *ray, coif_vec4 point, coif_vec4 tangent)
{
    const coif_vec3 along = coif_normalize(coif_vec4_xyz(tangent));
    const coif_vec3 direction = {ray->dir_x, ray->dir_y, ray->dir_z}; // not unit in instances
    const float across = coif_length(coif_cross(direction, along));
    return 4.0f * point.w / coif_max(across, 0.02f * coif_length(direction));
}

// Whether a hit on the circle around an elliptical section misses the ellipse.
static bool misses_section(const coif_bspline_curves *curves, const struct RTCRay *ray,
                           const struct RTCHit *hit)
{
    const coif_curve_coord coord = {(int32_t)hit->primID, hit->u, ray->time};
    const float ratio = curves->section_ratio[coif_bspline_curves_strand(curves, coord.segment)];
    if (!(ratio > 1.0f)) {
        return false;
    }
    coif_vec4 point, tangent;
    coif_bspline_curves_at(curves, coord, &point, &tangent);
    const coif_vec3 x = coif_normalize(coif_vec4_xyz(tangent));
    const coif_vec3 wo = {-ray->dir_x, -ray->dir_y, -ray->dir_z};
    const coif_vec3 y = coif_normalize(coif_mad(wo, -coif_dot(wo, x), x));
    const coif_vec3 z = coif_cross(x, y), normal = {hit->Ng_x, hit->Ng_y, hit->Ng_z};
    const coif_ellipse section =
        coif_ellipse_of(ratio, coif_bspline_curves_normal(curves, coord), y, z);
    return fabsf(coif_curve_offset(curves->kind, hit->v, normal, y, z)) >
           coif_ellipse_half_width(&section);
}

// Filter function: rejects hits beside an elliptical section, then adds the hit to the list and
// rejects it, or without a list accepts it with the probability of its opacity. The decision is per
// strand, since one crossing may hit several segments.
static void filter_hit(const struct RTCFilterFunctionNArguments *args, layer_list *list)
{
    const coif_bspline_curves *curves = args->geometryUserPtr;
    const struct RTCRay *ray = (const struct RTCRay *)args->ray; // N is 1
    const struct RTCHit *hit = (const struct RTCHit *)args->hit;
    const coif_curve_coord coord = {(int32_t)hit->primID, hit->u, ray->time};
    if (!args->valid[0]) {
        return;
    }
    const float opacity = coif_bspline_curves_opacity(curves, coord);
    if (!(opacity > 0.0f) || (curves->section_ratio != NULL && misses_section(curves, ray, hit))) {
        args->valid[0] = 0;
        return;
    }
    if (opacity >= 1.0f) {
        return;
    }
    const int32_t strand = coif_bspline_curves_strand(curves, coord.segment);
    if (list != NULL && list->count < MAX_LAYERS) {
        const layer candidate = {coif_accel_hit_of(hit, ray->tfar), opacity, strand};
        coif_vec4 point, tangent;
        coif_bspline_curves_at(curves, coord, &point, &tangent);
        if (!has_layer(list, &candidate, crossing_reach(ray, point, tangent))) {
            list->layers[list->count++] = candidate;
        }
        args->valid[0] = 0;
        return;
    }
    const uint32_t word =
        coif_hash_word(ray->id + coif_hash_word((uint32_t)strand + 0x9e3779b9u * hit->geomID));
    args->valid[0] = coif_unit_from_word(word) < opacity ? args->valid[0] : 0;
}

static void filter_intersect(const struct RTCFilterFunctionNArguments *args)
{
    filter_hit(args, ((const coif_accel_context *)args->context)->layers);
}

static void filter_occluded(const struct RTCFilterFunctionNArguments *args)
{
    filter_hit(args, NULL);
}

void coif_accel_set_curve_filter(RTCGeometry geometry, const coif_bspline_curves *curves)
{
    rtcSetGeometryUserData(geometry, (void *)curves);
    rtcSetGeometryIntersectFilterFunction(geometry, filter_intersect);
    rtcSetGeometryOccludedFilterFunction(geometry, filter_occluded);
}

// Sorts by distance and drops layers beyond limit.
static void sort_layers(layer_list *list, float limit)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < list->count; ++i) {
        const layer moved = list->layers[i];
        if (!(moved.hit.distance < limit)) {
            continue;
        }
        int32_t to = kept++;
        for (; to > 0 && list->layers[to - 1].hit.distance > moved.hit.distance; --to) {
            list->layers[to] = list->layers[to - 1];
        }
        list->layers[to] = moved;
    }
    list->count = kept;
}

bool coif_accel_intersect_transparent(const coif_accel *accel, const coif_ray *ray,
                                      coif_ray_hit *hit, float *coverage)
{
    layer_list list;
    list.count = 0;
    coif_accel_context context = coif_accel_context_init();
    context.layers = &list;
    const bool opaque = coif_accel_intersect_raw(accel, ray, &context, hit);
    sort_layers(&list, opaque ? hit->distance : ray->far);

    float transmittance = 1.0f;
    for (int32_t i = 0; i < list.count; ++i) {
        transmittance *= 1.0f - list.layers[i].opacity;
    }
    *coverage = opaque ? 1.0f : 1.0f - transmittance;
    // The first layer at which the accumulated opacity exceeds a random threshold.
    const float threshold = coif_unit_from_word(ray->alpha_seed) * *coverage;
    transmittance = 1.0f;
    for (int32_t i = 0; i < list.count; ++i) {
        transmittance *= 1.0f - list.layers[i].opacity;
        if (1.0f - transmittance > threshold || (!opaque && i + 1 == list.count)) {
            *hit = list.layers[i].hit;
            return true;
        }
    }
    return opaque;
}
