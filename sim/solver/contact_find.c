#include "sim/solver/contact_find.h"

#include "core/collision/deforming_sdf.h"
#include "core/collision/sdf.h"
#include "core/simd/simd_float4.h"
#include "sim/solver/contact_kernels.h"

// The bound of a neighbour is reused when it leaves at least this much clearance, m.
static const float MIN_CLEARANCE = 0.003f;

enum { MAX_LANES = 8 };

static float largest(float a, float b)
{
    return a > b ? a : b;
}

static bool is_searched(const coif_collider *body)
{
    return body->primitive == NULL && (body->sdf == NULL || !body->sdf->valid);
}

// Lower bound of the distance to a body.
static float box_distance(const coif_collider *body, coif_vec3 position)
{
    const float x = largest(largest(body->low.x - position.x, position.x - body->high.x), 0.0f);
    const float y = largest(largest(body->low.y - position.y, position.y - body->high.y), 0.0f);
    const float z = largest(largest(body->low.z - position.z, position.z - body->high.z), 0.0f);
    return sqrtf(x * x + y * y + z * z);
}

// Nearest surface of all bodies that are searched through their BVH; the smallest signed distance
// wins. Within free_distance there is no surface.
typedef struct finding {
    coif_closest_point nearest; // triangle -1: none
    float free_distance;
    const coif_contact_surface *surface; // that it is on
    bool outside;                        // in: of the position when nothing is found
    float interest; // in: of a position outside, a bound of the distance beyond this is enough
    int32_t hint;   // in: a triangle probably near, -1: none; out: one that is
} finding;

static void find_nearest(finding *found, const coif_collider *bodies, int32_t body_count,
                         const coif_closest_point_query *search)
{
    found->nearest = (coif_closest_point){.triangle = -1, .distance = search->max_distance};
    found->free_distance = INFINITY;
    const bool before = found->outside;
    found->outside = true;
    int32_t hint = found->hint;
    for (int32_t b = 0; b < body_count; ++b) {
        const coif_collider *body = &bodies[b];
        if (!is_searched(body)) {
            continue;
        }
        const float margin = body->surface.margin;
        const float away = box_distance(body, search->position) - margin;
        if (!(away < search->max_distance)) {
            found->free_distance = away < found->free_distance ? away : found->free_distance;
            continue;
        }
        found->free_distance = search->max_distance < found->free_distance ? search->max_distance
                                                                           : found->free_distance;
        coif_closest_point_query own = *search;
        own.max_distance += margin;
        own.hint = found->hint < body->triangle_count ? found->hint : -1;
        coif_closest_point nearest = {.triangle = -1};
        const coif_deforming_sdf_result known =
            body->deforming != NULL ? coif_deforming_sdf_query(&nearest, body->deforming,
                                                               search->position, search->time)
                                    : COIF_DEFORMING_SDF_UNKNOWN;
        if (known == COIF_DEFORMING_SDF_FAR && before &&
            nearest.distance - margin > found->interest) {
            const float bound = nearest.distance - margin;
            found->free_distance = bound < found->free_distance ? bound : found->free_distance;
            continue;
        }
        own.hint = own.hint >= 0 ? own.hint : nearest.triangle;
        if (known != COIF_DEFORMING_SDF_NEAR &&
            !coif_collider_closest_point_bvh(&nearest, body, &own)) {
            found->outside = found->outside && before;
            continue;
        }
        coif_contact_surface_apply(&body->surface, &nearest);
        found->outside = found->outside && nearest.distance > 0.0f;
        // That of the field is less near than that of an earlier search.
        hint = known == COIF_DEFORMING_SDF_NEAR && own.hint >= 0 ? own.hint : nearest.triangle;
        found->free_distance =
            nearest.distance < found->free_distance ? nearest.distance : found->free_distance;
        if (nearest.distance < found->nearest.distance) {
            found->nearest = nearest;
            found->surface = &body->surface;
        }
    }
    found->hint = hint;
}

static float fastest_of(const coif_collider *bodies, int32_t body_count)
{
    float fastest = 0.0f;
    for (int32_t b = 0; b < body_count; ++b) {
        fastest = is_searched(&bodies[b]) ? largest(fastest, bodies[b].max_displacement) : fastest;
    }
    return fastest;
}

typedef struct searching {
    const coif_contact_query *query;
    const coif_collider *bodies;
    int32_t body_count;
    float max_body_disp; // largest displacement of a searched body in this substep
    float search;        // depth up to which points inside are found
} searching;

typedef struct searched_path {
    const searching *ctx;
    finding found;
} searched_path;

static bool nearest_on_path(void *context, coif_vec3 at, float fraction, float *distance)
{
    searched_path *path = context;
    const searching *ctx = path->ctx;
    const float substep = ctx->query->end - ctx->query->begin;
    const coif_closest_point_query search = {.position = at,
                                             .time = ctx->query->begin + fraction * substep,
                                             .max_distance = ctx->search};
    find_nearest(&path->found, ctx->bodies, ctx->body_count, &search);
    *distance = path->found.nearest.distance;
    return path->found.nearest.triangle >= 0;
}

static bool advance(contact_plane *plane, const searching *ctx, int32_t i, int32_t hint)
{
    const coif_contact_query *query = ctx->query;
    const coif_vec3 ends[2] = {contact_position(query, i), contact_target(query, i)};
    const float substep = query->end - query->begin;
    const float length = coif_length(coif_sub(ends[1], ends[0])) + ctx->max_body_disp;
    searched_path path = {.ctx = ctx, .found = {.hint = hint, .interest = INFINITY}};
    float fraction;
    if (!contact_advance(&fraction, ends, length, query->contact_distance[i], nearest_on_path,
                         &path)) {
        return false;
    }
    const coif_closest_point *n = &path.found.nearest;
    *plane = (contact_plane){.point = coif_mad(n->point, (1.0f - fraction) * substep, n->motion),
                             .normal = n->normal,
                             .surface_disp = coif_scale(n->motion, substep),
                             .surface = path.found.surface};
    return true;
}

static coif_vec3 cached_position(const coif_bvh_distance_cache *known, int32_t i)
{
    return coif_vec3_of(known->pos.x[i], known->pos.y[i], known->pos.z[i]);
}

static void store_bound(const coif_bvh_distance_cache *known, int32_t i, coif_vec3 position,
                        float distance, int32_t outside)
{
    known->pos.x[i] = position.x;
    known->pos.y[i] = position.y;
    known->pos.z[i] = position.z;
    known->distance[i] = distance;
    known->outside[i] = outside;
}

// The distance bound of the point before, less the distance to it, holds for this point.
static bool reuse_neighbour_bound(const coif_contact_query *query, int32_t i, float interest)
{
    const coif_bvh_distance_cache *known = &query->bvh_cache;
    const int32_t before = i - query->lanes;
    if (before < 0 || known->distance[before] < 0.0f) {
        return false;
    }
    const coif_vec3 target = contact_target(query, i);
    const float distance =
        known->distance[before] - coif_length(coif_sub(target, cached_position(known, before)));
    if (!(distance > interest + MIN_CLEARANCE)) {
        return false;
    }
    store_bound(known, i, target, distance, known->outside[before]);
    return true;
}

// Writes nothing where no searched body comes near.
static void find_searched(const searching *ctx, int32_t i, int32_t *hint)
{
    const coif_contact_query *query = ctx->query;
    const coif_bvh_distance_cache *known = &query->bvh_cache;
    const coif_vec3 x = contact_position(query, i);
    const coif_vec3 target = contact_target(query, i);
    const float disp = coif_length(coif_sub(target, x));
    const float reach = query->contact_distance[i];
    const float interest = reach + query->margin + disp + ctx->max_body_disp;
    const float least =
        known->distance[i] - coif_length(coif_sub(target, cached_position(known, i)));
    const bool outside = known->outside[i] != 0;
    if (least > interest || !(disp < CONTACT_MAX_DISPLACEMENT) ||
        reuse_neighbour_bound(query, i, interest)) {
        return;
    }
    // A point that was outside is inside by at most that much; any other may be anywhere.
    const coif_closest_point_query search = {
        .position = target,
        .time = query->end,
        .max_distance = outside ? largest(interest + query->search_margin, -least)
                                : largest(interest, ctx->search)};
    finding found = {.hint = known->hint[i] > 0 ? known->hint[i] - 1 : *hint,
                     .outside = outside,
                     .interest = interest};
    find_nearest(&found, ctx->bodies, ctx->body_count, &search);
    store_bound(known, i, target, found.free_distance, found.outside);
    known->hint[i] = found.hint + 1;
    *hint = found.hint;
    const coif_closest_point *nearest = &found.nearest;
    if (nearest->triangle < 0 || nearest->distance > interest) {
        return;
    }
    contact_plane plane = {.point = nearest->point,
                           .normal = nearest->normal,
                           .surface_disp = coif_scale(nearest->motion, query->end - query->begin),
                           .surface = found.surface};
    // A point that comes from behind its nearest surface has passed through something.
    const coif_vec3 moved = coif_add(x, plane.surface_disp);
    if (coif_dot(plane.normal, coif_sub(moved, plane.point)) < 0.0f) {
        contact_plane touched;
        plane = advance(&touched, ctx, i, *hint) ? touched : plane;
    }
    plane.signed_distance = coif_dot(plane.normal, coif_sub(target, plane.point));
    if (plane.signed_distance < reach + query->margin) {
        contact_write(query, i, &plane);
    }
}

static bool boxes_overlap(const contact_bounds *all, coif_vec3 low, coif_vec3 high, float reach)
{
    return all->low.x < high.x + reach && all->high.x > low.x - reach &&
           all->low.y < high.y + reach && all->high.y > low.y - reach &&
           all->low.z < high.z + reach && all->high.z > low.z - reach;
}

// Lower bound of the distance between boxes.
static float box_gap(const contact_bounds *all, coif_vec3 low, coif_vec3 high)
{
    const float x = largest(low.x - all->high.x, all->low.x - high.x);
    const float y = largest(low.y - all->high.y, all->low.y - high.y);
    const float z = largest(low.z - all->high.z, all->low.z - high.z);
    return largest(x, largest(y, z));
}

// Which of four points need a search: not those whose position and predicted position both lie
// within the ball known to be free, less the contact distance; then the path between them does too.
static inline simd_int4 needs_search4(const searching *ctx, int32_t i)
{
    const coif_contact_query *query = ctx->query;
    const coif_bvh_distance_cache *known = &query->bvh_cache;
    const simd_float4x3 position = load4(known->pos.x + i, known->pos.y + i, known->pos.z + i);
    const simd_float4x3 to = sub4(
        load4(query->predicted.x + i, query->predicted.y + i, query->predicted.z + i), position);
    const simd_float4x3 from =
        sub4(load4(query->pos.x + i, query->pos.y + i, query->pos.z + i), position);
    const simd_float4 reach = *(const simd_float4 *)(query->contact_distance + i);
    simd_float4 *distance = (simd_float4 *)(known->distance + i);
    *distance -= ctx->max_body_disp; // searched bodies move too
    const simd_float4 spare = 0.9999f * (*distance - reach);
    const simd_float4 spare_to = spare - query->margin;
    const simd_int4 free = (spare_to > 0.0f) & (spare_to * spare_to > dot4(to, to)) &
                           (spare * spare > dot4(from, from));
    const simd_int4 outside = *(const simd_int4 *)(known->outside + i) == 1;
    // Points that may be inside need a search earlier, a + b <= sqrt(2 (a^2 + b^2)).
    const simd_float4x3 disp = sub4(to, from);
    const simd_float4 spare_way = *distance - reach - (query->margin + ctx->max_body_disp);
    const simd_int4 far =
        (spare_way > 0.0f) & (spare_way * spare_way > 2.0001f * (dot4(disp, disp) + dot4(to, to)));
    return (reach > 0.0f) & ~((outside & free) | far);
}

// Lower bounds of distances at the predicted positions of four points.
static inline void update_bounds4(const coif_contact_query *query, int32_t i)
{
    const coif_bvh_distance_cache *known = &query->bvh_cache;
    const simd_float4x3 since =
        sub4(load4(query->predicted.x + i, query->predicted.y + i, query->predicted.z + i),
             load4(known->pos.x + i, known->pos.y + i, known->pos.z + i));
    simd_float4 *free = (simd_float4 *)(query->min_body_distance + i);
    *free = min4(*(const simd_float4 *)(known->distance + i) - 1.0001f * sqrt4(dot4(since, since)),
                 *free);
}

static void search_points(const coif_contact_query *query, const coif_collider *bodies,
                          int32_t body_count)
{
    float search = CONTACT_SEARCH;
    for (int32_t b = 0; b < body_count; ++b) {
        search = is_searched(&bodies[b]) ? largest(search, contact_search_depth(&bodies[b].surface))
                                         : search;
    }
    const searching ctx = {query, bodies, body_count,
                           fastest_of(bodies, body_count) * (query->end - query->begin), search};
    int32_t hints[MAX_LANES];
    for (int32_t lane = 0; lane < MAX_LANES; ++lane) {
        hints[lane] = -1;
    }
    for (int32_t i = 0; i < query->count; i += 4) {
        const simd_int4 unknown = needs_search4(&ctx, i);
        for (int k = 0; any4(unknown) && k < 4; ++k) {
            if (unknown[k] != 0) {
                find_searched(&ctx, i + k, &hints[(i + k) % query->lanes % MAX_LANES]);
            }
        }
        if (query->min_body_distance != NULL) {
            update_bounds4(query, i);
        }
    }
}

bool coif_contact_query_search(const coif_collider *bodies, int32_t body_count)
{
    bool search = false;
    for (int32_t b = 0; b < body_count; ++b) {
        search = search || is_searched(&bodies[b]);
    }
    return search;
}

bool coif_contact_query_find(const coif_contact_query *query, const coif_collider *bodies,
                             int32_t body_count)
{
    if (body_count == 0) {
        return false;
    }
    const contact_bounds all = query->kernels->point_bounds(query);
    bool near = false;
    const bool search = coif_contact_query_search(bodies, body_count);
    float gap = INFINITY;
    for (int32_t b = 0; b < body_count; ++b) {
        // A boundary keeps hair in its box; hair sinks into a soft sheet, out of its box.
        const coif_contact_surface *surface = &bodies[b].surface;
        const float beyond = surface->margin + CONTACT_MAX_SINK * surface->softness;
        near = near || surface->inner ||
               boxes_overlap(&all, bodies[b].low, bodies[b].high,
                             all.max_contact_distance + query->margin + beyond);
        gap = fminf(gap, box_gap(&all, bodies[b].low, bodies[b].high) - beyond);
    }
    for (int32_t i = 0; query->min_body_distance != NULL && i < query->count; ++i) {
        query->min_body_distance[i] = near ? INFINITY : gap;
    }
    if (!near) {
        // Caches were not updated with the motion of the bodies.
        coif_bvh_distance_cache_invalidate(&query->bvh_cache, search ? query->count : 0);
        coif_sdf_distance_cache_invalidate(&query->sdf_cache, query->count);
        return false;
    }
    query->kernels->clear(query);
    query->kernels->find_sdf(query, &all, bodies, body_count);
    for (int32_t b = 0; b < body_count; ++b) {
        if (bodies[b].primitive != NULL) {
            coif_contact_query_primitive(query, &bodies[b]);
        }
    }
    if (search) {
        search_points(query, bodies, body_count);
    }
    int32_t begin = 0;
    int32_t end = query->count;
    while (begin < end &&
           !any4(*(const simd_float4 *)(query->signed_distance + begin) < INFINITY)) {
        begin += 4;
    }
    while (begin < end &&
           !any4(*(const simd_float4 *)(query->signed_distance + end - 4) < INFINITY)) {
        end -= 4;
    }
    if (query->row_range != NULL) {
        query->row_range[0] = begin / query->lanes;
        query->row_range[1] = (end + query->lanes - 1) / query->lanes;
    }
    return begin < end;
}

void coif_bvh_distance_cache_invalidate(const coif_bvh_distance_cache *clearances, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        clearances->distance[i] = -1.0f;
        clearances->outside[i] = 0;
    }
}

void coif_sdf_distance_cache_invalidate(const coif_sdf_distance_cache *vicinity, int32_t count)
{
    for (int32_t i = 0; vicinity->pos.x != NULL && i < count; ++i) {
        vicinity->distance[i] = -1.0f;
    }
}

void coif_contact_query_clear(const coif_contact_query *query)
{
    query->kernels->clear(query);
}
