// Allocation, digests and statistics of strands.
#include "core/hair/strands.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/error.h"
#include "core/base/hash64.h"

coif_status coif_strands_init(coif_strands *strands, const int32_t *lengths, int32_t strand_count,
                              coif_arena *arena, coif_error *error)
{
    if (strand_count < 0) {
        return coif_fail(error, COIF_ERR_ARGUMENT, "strand count %d is negative", strand_count);
    }
    int64_t point_count = 0;
    for (int32_t s = 0; s < strand_count; ++s) {
        point_count += lengths[s];
        if (lengths[s] < 2) {
            return coif_fail(error, COIF_ERR_ARGUMENT,
                             "strand %d has %d points, expected 2 or more", s, lengths[s]);
        }
        if (point_count > COIF_MAX_POINTS) {
            return coif_fail(error, COIF_ERR_ARGUMENT, "more than %d points", COIF_MAX_POINTS);
        }
    }
    *strands = (coif_strands){
        .strand_count = strand_count,
        .point_count = (int32_t)point_count,
        .first = coif_arena_new(arena, strand_count + 1, int32_t),
        .points = coif_arena_new(arena, point_count, coif_vec4),
        .root_uv = coif_arena_new(arena, 2 * (int64_t)strand_count, float),
    };
    for (int32_t s = 0; s < strand_count; ++s) {
        strands->first[s + 1] = strands->first[s] + lengths[s];
    }
    return COIF_OK;
}

uint64_t coif_strands_topology_digest(const coif_strands *strands)
{
    const size_t offsets = (size_t)strands->strand_count + 1;
    return coif_hash64(strands->first, offsets * sizeof *strands->first);
}

uint64_t coif_strands_digest(const coif_strands *strands)
{
    const size_t count = (size_t)strands->point_count;
    uint64_t digest = coif_strands_topology_digest(strands);
    digest = coif_hash64_extend(digest, strands->points, count * sizeof *strands->points);
    // An absent array counts as an empty one.
    digest = coif_hash64_extend(digest, strands->velocities,
                                strands->velocities ? count * sizeof *strands->velocities : 0);
    return coif_hash64_extend(digest, strands->colors,
                              strands->colors ? count * sizeof *strands->colors : 0);
}

int32_t coif_strands_find_invalid(const coif_strands *strands)
{
    for (int32_t i = 0; i < strands->point_count; ++i) {
        const coif_vec4 p = strands->points[i];
        if (!(isfinite(p.x) && isfinite(p.y) && isfinite(p.z) && isfinite(p.w) && p.w >= 0.0f)) {
            return i;
        }
        const coif_vec3 v = strands->velocities ? strands->velocities[i] : (coif_vec3){0};
        const coif_vec3 c = strands->colors ? strands->colors[i] : (coif_vec3){0};
        // 0 * x is 0 unless x is infinite or NaN.
        if (0.0f * v.x + 0.0f * v.y + 0.0f * v.z + 0.0f * c.x + 0.0f * c.y + 0.0f * c.z != 0.0f) {
            return i;
        }
    }
    return -1;
}

coif_strands_stats coif_strands_measure(const coif_strands *strands)
{
    coif_strands_stats stats = {
        .low = {INFINITY, INFINITY, INFINITY},
        .high = {-INFINITY, -INFINITY, -INFINITY},
        .shortest = INFINITY,
        .thinnest = INFINITY,
    };
    double sum = 0.0;
    for (int32_t s = 0; s < strands->strand_count; ++s) {
        double length = 0.0;
        for (int32_t i = strands->first[s]; i < strands->first[s + 1]; ++i) {
            const coif_vec4 p = strands->points[i];
            stats.low = coif_min3(stats.low, coif_vec4_xyz(p));
            stats.high = coif_max3(stats.high, coif_vec4_xyz(p));
            stats.thinnest = fminf(stats.thinnest, p.w);
            stats.thickest = fmaxf(stats.thickest, p.w);
            if (i > strands->first[s]) {
                const coif_vec3 before = coif_vec4_xyz(strands->points[i - 1]);
                length += (double)coif_length(coif_sub(coif_vec4_xyz(p), before));
            }
        }
        sum += length;
        stats.shortest = fminf(stats.shortest, (float)length);
        stats.longest = fmaxf(stats.longest, (float)length);
    }
    if (strands->strand_count == 0) {
        return (coif_strands_stats){0};
    }
    stats.mean_length = (float)(sum / strands->strand_count);
    return stats;
}
