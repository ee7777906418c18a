#include "sim/solver/segment_contact.h"

#include <string.h>

// Penetration depth from which a midpoint counts as inside, m.
static const float INSIDE = 1e-6f;

enum { CONTACT_ROWS = 14 };

coif_segment_contacts coif_segment_contacts_of(const coif_strand_block *block,
                                               const coif_solver_scratch *scratch)
{
    const int64_t row = (int64_t)block->length * block->lanes;
    float *memory = scratch->segment_rows;
    return (coif_segment_contacts){
        .contact_distance = memory,
        .normal = {memory + row, memory + 2 * row, memory + 3 * row},
        .offset = memory + 4 * row,
        .surface_disp = {memory + 5 * row, memory + 6 * row, memory + 7 * row},
        .normal_push = memory + 8 * row,
        .held_normal = {memory + 9 * row, memory + 10 * row, memory + 11 * row},
        .held_inv_mass = memory + 12 * row,
        .friction = memory + 13 * row};
}

// The midpoints to query, compacted; their rows follow those of coif_segment_contacts.
typedef struct midpoint_query {
    coif_soa3 pos, predicted;
    float *contact_distance;
    coif_soa3 normal;
    float *offset;
    coif_soa3 surface_disp;
    float *signed_distance;
    float *friction;
    coif_bvh_distance_cache cache;
    int32_t *segment;
    int32_t count;
    bool use_cache;
} midpoint_query;

static midpoint_query midpoint_query_of(const coif_strand_block *block,
                                        const coif_solver_scratch *scratch)
{
    const int64_t row = (int64_t)block->length * block->lanes;
    float *memory = scratch->segment_rows + CONTACT_ROWS * row;
    midpoint_query mid = {.pos = coif_take_rows3(&memory, row)};
    mid.predicted = coif_take_rows3(&memory, row);
    mid.contact_distance = coif_take_row(&memory, row);
    mid.normal = coif_take_rows3(&memory, row);
    mid.offset = coif_take_row(&memory, row);
    mid.surface_disp = coif_take_rows3(&memory, row);
    mid.signed_distance = coif_take_row(&memory, row);
    mid.friction = coif_take_row(&memory, row);
    mid.cache.pos = coif_take_rows3(&memory, row);
    mid.cache.distance = coif_take_row(&memory, row);
    mid.cache.outside = (int32_t *)(void *)coif_take_row(&memory, row);
    mid.cache.hint = (int32_t *)(void *)coif_take_row(&memory, row);
    mid.segment = (int32_t *)(void *)coif_take_row(&memory, row);
    return mid;
}

static float midpoint_of(const float *row, int32_t i, int32_t lanes)
{
    return 0.5f * (row[i] + row[i + lanes]);
}

// Lower bound of the distance from midpoint i to any body, from what the cache has of an end point.
// Negative: possibly inside, at most that deep.
static float distance_bound(const midpoint_query *mid, int32_t i,
                            const coif_bvh_distance_cache *known, int32_t end)
{
    const coif_vec3 away = {mid->predicted.x[i] - known->pos.x[end],
                            mid->predicted.y[i] - known->pos.y[end],
                            mid->predicted.z[i] - known->pos.z[end]};
    return known->distance[end] - coif_length(away);
}

static void fill_cache(const midpoint_query *mid, int32_t i, const coif_bvh_distance_cache *known,
                       const int32_t ends[2])
{
    const float first = distance_bound(mid, i, known, ends[0]);
    const float second = distance_bound(mid, i, known, ends[1]);
    mid->cache.distance[i] = first > second ? first : second;
    mid->cache.outside[i] = known->outside[first > second ? ends[0] : ends[1]];
}

static void add_midpoint(midpoint_query *mid, int32_t segment, float contact_distance,
                         const coif_strand_block *block, const coif_solver_scratch *scratch)
{
    const int32_t i = mid->count++;
    const int32_t lanes = block->lanes;
    const coif_soa3 *from = &block->pos;
    const coif_soa3 *to = &scratch->predicted;
    mid->pos.x[i] = midpoint_of(from->x, segment, lanes);
    mid->pos.y[i] = midpoint_of(from->y, segment, lanes);
    mid->pos.z[i] = midpoint_of(from->z, segment, lanes);
    mid->predicted.x[i] = mid->cache.pos.x[i] = midpoint_of(to->x, segment, lanes);
    mid->predicted.y[i] = mid->cache.pos.y[i] = midpoint_of(to->y, segment, lanes);
    mid->predicted.z[i] = mid->cache.pos.z[i] = midpoint_of(to->z, segment, lanes);
    mid->contact_distance[i] = contact_distance;
    mid->segment[i] = segment;
    if (mid->use_cache) {
        fill_cache(mid, i, &block->bvh_cache, (const int32_t[2]){segment, segment + lanes});
        mid->cache.hint[i] = block->bvh_cache.hint[segment];
    }
}

static void collect_midpoints(midpoint_query *mid, const coif_strand_block *block,
                              const coif_solver_scratch *scratch)
{
    const coif_segment_contacts contacts = coif_segment_contacts_of(block, scratch);
    for (int32_t i = 0; i < (block->length - 1) * block->lanes; ++i) {
        if (contacts.contact_distance[i] > 0.0f) {
            add_midpoint(mid, i, contacts.contact_distance[i], block, scratch);
        }
    }
    // Queries run on whole vectors.
    while (mid->count % block->lanes != 0) {
        add_midpoint(mid, mid->segment[mid->count - 1], 0.0f, block, scratch);
    }
}

static void clear_contacts(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_segment_contacts m = coif_segment_contacts_of(block, scratch);
    const int32_t count = block->length * block->lanes;
    float *const rows[7] = {m.normal.x,       m.normal.y,       m.normal.z,   m.surface_disp.x,
                            m.surface_disp.y, m.surface_disp.z, m.normal_push};
    for (int r = 0; r < 7; ++r) {
        memset(rows[r], 0, sizeof(float) * (size_t)count);
    }
    for (int32_t i = 0; i < count; ++i) {
        m.offset[i] = -1.0f;
    }
}

static void copy_plane(const coif_segment_contacts *m, const midpoint_query *mid, int32_t i)
{
    const int32_t at = mid->segment[i];
    float *const to[8] = {m->normal.x,       m->normal.y,       m->normal.z,       m->offset,
                          m->surface_disp.x, m->surface_disp.y, m->surface_disp.z, m->friction};
    const float *const from[8] = {mid->normal.x,       mid->normal.y,       mid->normal.z,
                                  mid->offset,         mid->surface_disp.x, mid->surface_disp.y,
                                  mid->surface_disp.z, mid->friction};
    for (int r = 0; r < 8; ++r) {
        to[r][at] = from[r][i];
    }
}

// A strand with points that began the substep deep inside a body is depenetrated point by point
// first; contacts of its segments would only tear it. Its planes may lie below the surface because
// of the depenetration limit.
static bool begins_inside(const coif_strand_block *block, const coif_solver_scratch *scratch,
                          int32_t lane)
{
    const coif_soa3 *n = &scratch->contact_normal;
    const coif_soa3 *s = &scratch->surface_disp;
    for (int32_t k = 0; scratch->has_contacts && k < block->length; ++k) {
        const int32_t i = k * block->lanes + lane;
        const float above = n->x[i] * (block->pos.x[i] + s->x[i]) +
                            n->y[i] * (block->pos.y[i] + s->y[i]) +
                            n->z[i] * (block->pos.z[i] + s->z[i]) - scratch->contact_offset[i];
        if (above < -2.0f * block->contact_distance[i] - INSIDE) {
            return true;
        }
    }
    return false;
}

bool coif_segment_contacts_find(bool *penetrating, const coif_contact_query *like,
                                const coif_collider *bodies, int32_t body_count,
                                const coif_strand_block *block, coif_solver_scratch *scratch)
{
    midpoint_query mid = midpoint_query_of(block, scratch);
    mid.use_cache = coif_contact_query_search(bodies, body_count);
    collect_midpoints(&mid, block, scratch);
    const coif_contact_query query = {.kernels = like->kernels,
                                      .count = mid.count,
                                      .lanes = mid.count,
                                      .pos = mid.pos,
                                      .predicted = mid.predicted,
                                      .contact_distance = mid.contact_distance,
                                      .begin = like->begin,
                                      .end = like->end,
                                      .seconds = like->seconds,
                                      .transforms = like->transforms,
                                      .max_depenetration = like->max_depenetration,
                                      .max_depenetration_per_point =
                                          like->max_depenetration_per_point,
                                      .source_segment = mid.segment,
                                      .margin = COIF_CONTACT_EPSILON,
                                      .bvh_cache = mid.cache,
                                      .normal = mid.normal,
                                      .offset = mid.offset,
                                      .surface_disp = mid.surface_disp,
                                      .signed_distance = mid.signed_distance,
                                      .friction = mid.friction};
    if (mid.count == 0 || !coif_contact_query_find(&query, bodies, body_count)) {
        return false;
    }
    const coif_segment_contacts contacts = coif_segment_contacts_of(block, scratch);
    bool any = false;
    for (int32_t i = 0; i < mid.count; ++i) {
        const float c = mid.normal.x[i] * mid.predicted.x[i] +
                        mid.normal.y[i] * mid.predicted.y[i] +
                        mid.normal.z[i] * mid.predicted.z[i] - mid.offset[i];
        const int32_t lane = mid.segment[i] % block->lanes;
        if (mid.contact_distance[i] > 0.0f && c < -INSIDE && !begins_inside(block, scratch, lane)) {
            if (!scratch->has_segment_contacts) {
                clear_contacts(block, scratch);
                scratch->has_segment_contacts = true;
            }
            copy_plane(&contacts, &mid, i);
            penetrating[lane] = true;
            any = true;
        }
    }
    return any;
}
