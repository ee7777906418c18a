#include "render/integrator/indirect_cache.h"

#include "render/math/color.h"

#include <string.h>

enum {
    SH_COUNT = 9,      // spherical harmonics of order 0 to 2
    LEAF_SAMPLES = 256 // of a leaf, at least: indirect light is noisy
};

typedef struct cache_node {
    float split;    // along axis
    int32_t axis;   // 3: a leaf
    int32_t second; // INNER: node of the upper half; the lower half follows its parent
    int32_t leaf;
} cache_node;

typedef struct cache_leaf {
    coif_vec3 radius; // half the extent of its samples
    coif_vec3 sh[SH_COUNT];
} cache_leaf;

struct coif_indirect_cache {
    cache_node *nodes;
    cache_leaf *leaves;
    int32_t node_count, leaf_count;
};

// Real spherical harmonics.
static void sh_basis(float y[SH_COUNT], coif_vec3 d)
{
    y[0] = 0.28209479f;
    y[1] = 0.48860251f * d.x;
    y[2] = 0.48860251f * d.y;
    y[3] = 0.48860251f * d.z;
    y[4] = 1.09254843f * d.x * d.y;
    y[5] = 1.09254843f * d.y * d.z;
    y[6] = 1.09254843f * d.x * d.z;
    y[7] = 0.54627422f * (d.x * d.x - d.y * d.y);
    y[8] = 0.31539157f * (3.0f * d.z * d.z - 1.0f);
}

// What a sample adds to the mean luminance of its node, times their number.
static float share_of(const coif_cache_sample *sample)
{
    return sample->weight * coif_luminance(sample->radiance);
}

// Fits the part of each radiance whose share is above a limit, by least squares with a small weight
// for coefficients of 0 (ridge regression), and adds the result to sh. A constant radiance is found
// exactly, whatever the directions.
static void add_fit(coif_vec3 sh[SH_COUNT], const coif_cache_sample *samples, int64_t count,
                    float limit)
{
    static const double RIDGE = 0.1;
    double a[SH_COUNT][SH_COUNT] = {{0.0}}, b[3][SH_COUNT] = {{0.0}};
    for (int64_t i = 0; i < count; ++i) {
        float y[SH_COUNT];
        sh_basis(y, samples[i].direction);
        const float share = share_of(&samples[i]);
        const coif_vec3 light =
            coif_scale(samples[i].radiance, share > limit ? 1.0f - limit / share : 0.0f);
        for (int j = 0; j < SH_COUNT; ++j) {
            const double weight = (double)samples[i].weight * (double)y[j];
            for (int k = 0; k <= j; ++k) {
                a[j][k] += weight * (double)y[k];
            }
            b[0][j] += weight * (double)light.x;
            b[1][j] += weight * (double)light.y;
            b[2][j] += weight * (double)light.z;
        }
    }
    for (int j = 0; j < SH_COUNT; ++j) {
        a[j][j] += j > 0 ? RIDGE * (double)count / 12.566 : 1e-9;
        for (int k = 0; k <= j; ++k) {
            double sum = a[j][k];
            for (int i = 0; i < k; ++i) {
                sum -= a[j][i] * a[k][i];
            }
            a[j][k] = j == k ? sqrt(sum > 1e-12 ? sum : 1e-12) : sum / a[k][k];
        }
    }
    for (int c = 0; c < 3; ++c) {
        for (int j = 0; j < SH_COUNT; ++j) {
            for (int k = 0; k < j; ++k) {
                b[c][j] -= a[j][k] * b[c][k];
            }
            b[c][j] /= a[j][j];
        }
        for (int j = SH_COUNT - 1; j >= 0; --j) {
            for (int k = j + 1; k < SH_COUNT; ++k) {
                b[c][j] -= a[k][j] * b[c][k];
            }
            b[c][j] /= a[j][j];
        }
    }
    for (int j = 0; j < SH_COUNT; ++j) {
        sh[j] = coif_add(sh[j], (coif_vec3){(float)b[0][j], (float)b[1][j], (float)b[2][j]});
    }
}

static float component(coif_vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// Quickselect: afterwards samples before middle are at most samples[middle], later ones at least.
static void select_median(coif_cache_sample *samples, int64_t count, int64_t middle, int axis)
{
    int64_t low = 0, high = count - 1;
    while (low < high) {
        const float pivot = component(samples[low + (high - low) / 2].position, axis);
        int64_t i = low, j = high;
        while (i <= j) {
            while (component(samples[i].position, axis) < pivot) {
                ++i;
            }
            while (component(samples[j].position, axis) > pivot) {
                --j;
            }
            if (i <= j) {
                const coif_cache_sample swapped = samples[i];
                samples[i++] = samples[j];
                samples[j--] = swapped;
            }
        }
        if (middle <= j) {
            high = j;
        } else if (middle >= i) {
            low = i;
        } else {
            return;
        }
    }
}

// Bright samples are rare and would make bright leaves beside dark ones. What exceeds a fraction of
// the sum over half of a node is spread over the whole node: added to sh, which all its leaves
// inherit, and removed from the samples. The energy stays the same.
static void spread_outliers(coif_vec3 sh[SH_COUNT], coif_cache_sample *samples, int64_t count)
{
    static const float MAX_FRACTION = 0.01f;
    double sum = 0.0;
    float most = 0.0f;
    for (int64_t i = 0; i < count; ++i) {
        const float share = share_of(&samples[i]);
        sum += (double)share;
        most = coif_max(most, share);
    }
    const float limit = MAX_FRACTION * 0.5f * (float)sum;
    if (most <= limit) {
        return;
    }
    add_fit(sh, samples, count, limit);
    for (int64_t i = 0; i < count; ++i) {
        const float share = share_of(&samples[i]);
        if (share > limit) {
            samples[i].radiance = coif_scale(samples[i].radiance, limit / share);
        }
    }
}

static void build_node(coif_indirect_cache *cache, coif_cache_sample *samples, int64_t count,
                       const coif_vec3 inherited[SH_COUNT])
{
    coif_vec3 low = samples[0].position, high = low;
    for (int64_t i = 1; i < count; ++i) {
        const coif_vec3 p = samples[i].position;
        low = coif_vec3_of(coif_min(low.x, p.x), coif_min(low.y, p.y), coif_min(low.z, p.z));
        high = coif_vec3_of(coif_max(high.x, p.x), coif_max(high.y, p.y), coif_max(high.z, p.z));
    }
    const coif_vec3 size = coif_sub(high, low);
    cache_node *node = &cache->nodes[cache->node_count++];
    const int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
    coif_vec3 sh[SH_COUNT];
    memcpy(sh, inherited, sizeof sh);
    if (count < 2 * LEAF_SAMPLES || !(component(size, axis) > 0.0f)) {
        cache_leaf *leaf = &cache->leaves[cache->leaf_count];
        *node = (cache_node){.axis = 3, .leaf = cache->leaf_count++};
        leaf->radius = coif_scale(size, 0.5f);
        add_fit(sh, samples, count, 0.0f);
        memcpy(leaf->sh, sh, sizeof sh);
        return;
    }
    spread_outliers(sh, samples, count);
    const int64_t middle = count / 2;
    select_median(samples, count, middle, axis);
    node->axis = axis;
    node->split = component(samples[middle].position, axis);
    build_node(cache, samples, middle, sh);
    node->second = cache->node_count;
    build_node(cache, samples + middle, count - middle, sh);
}

const coif_indirect_cache *coif_indirect_cache_build(coif_cache_sample *samples, int64_t count,
                                                     coif_arena *arena)
{
    coif_indirect_cache *cache = coif_arena_new(arena, 1, coif_indirect_cache);
    const int64_t leaves = count / LEAF_SAMPLES + 1;
    cache->leaves = coif_arena_new(arena, leaves, cache_leaf);
    cache->nodes = coif_arena_new(arena, 2 * leaves, cache_node);
    build_node(cache, samples, count, (coif_vec3[SH_COUNT]){{0}});
    return cache;
}

static const cache_leaf *find_leaf(const coif_indirect_cache *cache, coif_vec3 position)
{
    const cache_node *node = cache->nodes;
    while (node->axis < 3) {
        node =
            component(position, node->axis) < node->split ? node + 1 : cache->nodes + node->second;
    }
    return &cache->leaves[node->leaf];
}

coif_vec3 coif_indirect_cache_eval(const coif_indirect_cache *cache, coif_vec3 position,
                                   coif_vec3 direction, coif_sampler *sampler)
{
    const coif_vec2 u = coif_sampler_next_2d(sampler);
    const float w = coif_sampler_next_2d(sampler).x;
    const cache_leaf *leaf = find_leaf(cache, position);
    position.x += (2.0f * u.x - 1.0f) * leaf->radius.x;
    position.y += (2.0f * u.y - 1.0f) * leaf->radius.y;
    position.z += (2.0f * w - 1.0f) * leaf->radius.z;
    leaf = find_leaf(cache, position);
    float y[SH_COUNT];
    sh_basis(y, direction);
    coif_vec3 sum = {0.0f, 0.0f, 0.0f};
    for (int i = 0; i < SH_COUNT; ++i) {
        sum = coif_mad(sum, y[i], leaf->sh[i]);
    }
    return sum;
}
