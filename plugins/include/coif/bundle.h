// coif/bundle.h: divides gathered hair into locks of equal strand counts.
//
// Locks are slabs of the cross-section of the tie along its side axis. Positions within a lock are
// ranks along both axes, mapped to the unit disc, so that the hair of a lock fills its
// cross-section evenly wherever it grows, and neighbours stay neighbours.
//
// Built once in coif_plugin.prepare [main], queried by workers. All functions are static inline.
#ifndef COIF_PLUGIN_BUNDLE_H
#define COIF_PLUGIN_BUNDLE_H

#include <coif/gather.h>

enum { COIF_KIT_BUNDLE_SAMPLES = 2048, COIF_KIT_BUNDLE_LOCKS = 32, COIF_KIT_BUNDLE_BINS = 4 };

// Positions in the tie of the first strands, and the central strand of each lock.
typedef struct coif_kit_bundle {
    int32_t count, locks;
    float a[COIF_KIT_BUNDLE_SAMPLES]; // ascending
    float b[COIF_KIT_BUNDLE_SAMPLES]; // ascending within each of BINS slabs per lock
    int32_t centre[COIF_KIT_BUNDLE_LOCKS];
} coif_kit_bundle;

// Position of a strand in its bundle.
typedef struct coif_kit_bundled {
    int32_t lock; // in the order of the side axis
    float p, q;   // within the lock, unit disc
} coif_kit_bundled;

// Sorts keys in ascending order, and values (may be NULL) with them (Shell 1959).
static inline void coif_kit_sort_pairs(float *key, float *value, int32_t count)
{
    for (int32_t gap = count / 2; gap > 0; gap /= 2) {
        for (int32_t i = gap; i < count; ++i) {
            const float k = key[i], v = value != NULL ? value[i] : 0.0f;
            int32_t j = i;
            for (; j >= gap && key[j - gap] > k; j -= gap) {
                key[j] = key[j - gap];
                if (value != NULL) {
                    value[j] = value[j - gap];
                }
            }
            key[j] = k;
            if (value != NULL) {
                value[j] = v;
            }
        }
    }
}

// Fraction of the sorted samples below x, interpolated linearly; 0 to 1.
static inline float coif_kit_rank(const float *sorted, int32_t count, float x)
{
    int32_t low = 0, high = count; // samples [0, low) are below x, [high, count) are not
    while (low < high) {
        const int32_t middle = (low + high) / 2;
        if (sorted[middle] < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == 0 || low == count) {
        return low == 0 ? 0.0f : 1.0f;
    }
    const float gap = sorted[low] - sorted[low - 1];
    const float t = gap > 0.0f ? (x - sorted[low - 1]) / gap : 0.5f;
    return ((float)low - 0.5f + t) / (float)count;
}

// Lock of a position in the tie, and the position within the lock. [worker]
static inline coif_kit_bundled coif_kit_bundle_at(const coif_kit_bundle *bundle, float a, float b)
{
    const int32_t bins = bundle->locks * COIF_KIT_BUNDLE_BINS;
    const float rank = coif_kit_clamp(coif_kit_rank(bundle->a, bundle->count, a), 0.0f, 0.99999f);
    const int32_t bin = (int32_t)(rank * (float)bins);
    const int32_t begin = (int32_t)((int64_t)bundle->count * bin / bins);
    const int32_t end = (int32_t)((int64_t)bundle->count * (bin + 1) / bins);
    const float slab = rank * (float)bundle->locks;
    coif_kit_bundled out;
    out.lock = (int32_t)slab;
    const float x = 2.0f * (slab - (float)out.lock) - 1.0f;
    const float y = 2.0f * coif_kit_rank(bundle->b + begin, end - begin, b) - 1.0f;
    // Square to disc, concentric and area preserving (Shirley and Chiu 1997).
    const int wide = fabsf(x) > fabsf(y);
    const float radius = wide ? x : y, other = wide ? y : x;
    const float angle = radius != 0.0f ? 0.25f * COIF_KIT_PI * other / radius : 0.0f;
    out.p = radius * (wide ? coif_kit_cos(angle) : coif_kit_sin(angle));
    out.q = radius * (wide ? coif_kit_sin(angle) : coif_kit_cos(angle));
    return out;
}

// Divides the gathered strands into locks; the gather must have its tail. [main]
static inline void coif_kit_bundle_build(coif_kit_bundle *bundle, const coif_kit_gather *gather,
                                         const coif_groom_batch *whole, int32_t locks)
{
    float a[COIF_KIT_BUNDLE_SAMPLES], b[COIF_KIT_BUNDLE_SAMPLES];
    int32_t strand[COIF_KIT_BUNDLE_SAMPLES];
    bundle->locks = locks;
    bundle->count = 0;
    for (int32_t s = 0; s < whole->strand_count && bundle->count < COIF_KIT_BUNDLE_SAMPLES; ++s) {
        if (coif_kit_gather_takes(gather, whole->region, s)) {
            const coif_kit_gathered sample = coif_kit_gather_strand(gather, whole, s, 0.0f);
            a[bundle->count] = sample.a;
            b[bundle->count] = sample.b;
            strand[bundle->count++] = s;
        }
    }
    memcpy(bundle->a, a, sizeof a);
    memcpy(bundle->b, b, sizeof b);
    coif_kit_sort_pairs(bundle->a, bundle->b, bundle->count);
    const int32_t bins = locks * COIF_KIT_BUNDLE_BINS;
    for (int32_t bin = 0; bin < bins; ++bin) {
        const int32_t begin = (int32_t)((int64_t)bundle->count * bin / bins);
        const int32_t end = (int32_t)((int64_t)bundle->count * (bin + 1) / bins);
        coif_kit_sort_pairs(bundle->b + begin, NULL, end - begin);
    }
    float nearest[COIF_KIT_BUNDLE_LOCKS];
    for (int32_t lock = 0; lock < locks; ++lock) {
        nearest[lock] = 3.0f;
        bundle->centre[lock] = -1;
    }
    for (int32_t i = 0; i < bundle->count; ++i) {
        const coif_kit_bundled at = coif_kit_bundle_at(bundle, a[i], b[i]);
        const float distance = at.p * at.p + at.q * at.q;
        if (distance < nearest[at.lock]) {
            nearest[at.lock] = distance;
            bundle->centre[at.lock] = strand[i];
        }
    }
}

#endif
