// accel_layers: strands that were drawn wider than they are and let light through (widen.h).
#include "core/base/rng.h"
#include "render/embree/embree_internal.h"
#include "render/math/sampler.h"

// What a ray from the camera goes through. Embree hands the context to the filter, so it is first.
enum { MOST_LAYERS = 64 };
typedef struct layer {
    coif_ray_hit hit;
    float opacity;
    int32_t strand;
} layer;

typedef struct layer_list {
    struct RTCIntersectContext context;
    int32_t count;
    layer layers[MOST_LAYERS];
} layer_list;

// Widened strands are thicker than their segments are long: one crossing may be met in several of
// them, and counts once.
static bool is_known(const layer_list *list, const layer *new, float width)
{
    for (int32_t i = 0; i < list->count; ++i) {
        const layer *old = &list->layers[i];
        if (old->strand == new->strand &&
            old->hit.geometry ==
                new->hit.geometry &&fabsf(old->hit.distance - new->hit.distance) < 2.0f * width) {
            return true;
        }
    }
    return false;
}

// Embree asks whether a hit counts. A strand lets a ray pass or not as a whole, since one crossing
// may touch several segments.
static void meet_widened(const struct RTCFilterFunctionNArguments *args, layer_list *list)
{
    const coif_bspline_curves *curves = args->geometryUserPtr;
    const struct RTCRay *ray = (const struct RTCRay *)args->ray; // always one
    const struct RTCHit *met = (const struct RTCHit *)args->hit;
    const coif_curve_coord place = {(int32_t)met->primID, met->u, ray->time};
    const float opacity = coif_bspline_curves_opacity(curves, place);
    if (!args->valid[0] || opacity >= 1.0f) {
        return;
    }
    const int32_t strand = coif_bspline_curves_strand(curves, place.segment);
    if (list != NULL && list->count < MOST_LAYERS) {
        const layer new = {coif_accel_hit_of(met, ray->tfar), opacity, strand};
        coif_vec4 point, along;
        coif_bspline_curves_at(curves, place, &point, &along);
        if (!is_known(list, &new, 2.0f * point.w)) {
            list->layers[list->count++] = new;
        }
        args->valid[0] = 0;
        return;
    }
    const uint32_t word = ray->id + coif_hash_word((uint32_t)strand + 0x9e3779b9u * met->geomID);
    args->valid[0] = coif_unit_from_word(word) < opacity ? args->valid[0] : 0;
}

static void filter_layers(const struct RTCFilterFunctionNArguments *args)
{
    const bool gathers = args->context->flags == RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    meet_widened(args, gathers ? (layer_list *)args->context : NULL);
}

static void filter_shadow(const struct RTCFilterFunctionNArguments *args)
{
    meet_widened(args, NULL);
}

void coif_accel_set_opacity_filter(RTCGeometry geometry, const coif_bspline_curves *curves)
{
    rtcSetGeometryUserData(geometry, (void *)curves);
    rtcSetGeometryIntersectFilterFunction(geometry, filter_layers);
    rtcSetGeometryOccludedFilterFunction(geometry, filter_shadow);
}

// From near to far, without those that lie behind limit.
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
                                      coif_ray_hit *hit, float *covered)
{
    layer_list list;
    list.count = 0;
    rtcInitIntersectContext(&list.context);
    list.context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT; // how the filter knows this list
    const bool opaque = coif_accel_intersect_raw(accel, ray, &list.context, hit);
    sort_layers(&list, opaque ? hit->distance : ray->far);

    float through = 1.0f;
    for (int32_t i = 0; i < list.count; ++i) {
        through *= 1.0f - list.layers[i].opacity;
    }
    *covered = opaque ? 1.0f : 1.0f - through;
    // The first layer at which what was taken so far passes the chance.
    const float wanted = coif_unit_from_word(ray->alpha_seed) * *covered;
    through = 1.0f;
    for (int32_t i = 0; i < list.count; ++i) {
        through *= 1.0f - list.layers[i].opacity;
        if (1.0f - through > wanted || (!opaque && i + 1 == list.count)) {
            *hit = list.layers[i].hit;
            return true;
        }
    }
    return opaque;
}
