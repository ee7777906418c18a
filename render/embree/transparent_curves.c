// Stochastic transparency of strands that are drawn wider than they are (min_pixel_width.h).
#include "core/base/rng.h"
#include "render/embree/accel.h"
#include "render/embree/embree_internal.h"
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

// Widened strands are thicker than their segments are long: a ray may hit several segments where it
// crosses the strand once, which counts as one layer.
static bool has_layer(const layer_list *list, const layer *candidate, float width)
{
    for (int32_t i = 0; i < list->count; ++i) {
        const layer *known = &list->layers[i];
        if (known->strand == candidate->strand && known->hit.geometry == candidate->hit.geometry &&
            fabsf(known->hit.distance - candidate->hit.distance) < 2.0f * width) {
            return true;
        }
    }
    return false;
}

// Filter function: adds the hit to the list and rejects it, or without a list accepts it with the
// probability of its opacity. The decision is per strand, since one crossing may hit several
// segments.
static void filter_hit(const struct RTCFilterFunctionNArguments *args, layer_list *list)
{
    const coif_bspline_curves *curves = args->geometryUserPtr;
    const struct RTCRay *ray = (const struct RTCRay *)args->ray; // N is 1
    const struct RTCHit *hit = (const struct RTCHit *)args->hit;
    const coif_curve_coord coord = {(int32_t)hit->primID, hit->u, ray->time};
    const float opacity = coif_bspline_curves_opacity(curves, coord);
    if (!args->valid[0] || opacity >= 1.0f) {
        return;
    }
    const int32_t strand = coif_bspline_curves_strand(curves, coord.segment);
    if (list != NULL && list->count < MAX_LAYERS) {
        const layer candidate = {coif_accel_hit_of(hit, ray->tfar), opacity, strand};
        coif_vec4 point, tangent;
        coif_bspline_curves_at(curves, coord, &point, &tangent);
        if (!has_layer(list, &candidate, 2.0f * point.w)) {
            list->layers[list->count++] = candidate;
        }
        args->valid[0] = 0;
        return;
    }
    const uint32_t word = ray->id + coif_hash_word((uint32_t)strand + 0x9e3779b9u * hit->geomID);
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

void coif_accel_set_opacity_filter(RTCGeometry geometry, const coif_bspline_curves *curves)
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
