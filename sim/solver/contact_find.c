#include "sim/solver/contact_find.h"

#include "sim/collision/sdf.h"
#include "sim/solver/contact_kernels.h"
#include "sim/solver/simd/simd_float4.h"

// What a neighbour knows is used when it will be of use for this far.
static const float WORTH_KNOWING = 0.003f;

enum { MOST_LANES = 8 };

static float largest(float a, float b)
{
    return a > b ? a : b;
}

static bool is_searched(const coif_collider *body)
{
    return body->primitive == NULL && (body->sdf == NULL || !body->sdf->valid);
}

// How far a place is from a body, at least.
static float box_distance(const coif_collider *body, coif_vec3 place)
{
    const float x = largest(largest(body->low.x - place.x, place.x - body->high.x), 0.0f);
    const float y = largest(largest(body->low.y - place.y, place.y - body->high.y), 0.0f);
    const float z = largest(largest(body->low.z - place.z, place.z - body->high.z), 0.0f);
    return sqrtf(x * x + y * y + z * z);
}

// The nearest surface of all bodies that are searched; the smallest signed distance wins. Safe is
// a distance within which there is none of them.
typedef struct finding {
    coif_closest_point nearest; // triangle -1: none
    float safe;
    bool outside; // before: of the place, if nothing is within reach
    int32_t hint; // a triangle that is probably near, -1: none; then one that is
} finding;

static void find_nearest(finding *found, const coif_collider *bodies, int32_t body_count,
                         const coif_closest_point_query *search)
{
    found->nearest = (coif_closest_point){.triangle = -1, .distance = search->max_distance};
    found->safe = INFINITY;
    const bool before = found->outside;
    found->outside = true;
    int32_t hint = found->hint;
    for (int32_t b = 0; b < body_count; ++b) {
        const coif_collider *body = &bodies[b];
        if (!is_searched(body)) {
            continue;
        }
        const float away = box_distance(body, search->position);
        if (!(away < search->max_distance)) {
            found->safe = away < found->safe ? away : found->safe;
            continue;
        }
        found->safe = search->max_distance < found->safe ? search->max_distance : found->safe;
        coif_closest_point_query own = *search;
        own.hint = found->hint < body->triangle_count ? found->hint : -1;
        coif_closest_point nearest;
        if (!coif_collider_closest_point_bvh(&nearest, body, &own)) {
            found->outside = found->outside && before;
            continue;
        }
        found->outside = found->outside && nearest.distance > 0.0f;
        hint = nearest.triangle;
        found->safe = nearest.distance < found->safe ? nearest.distance : found->safe;
        if (nearest.distance < found->nearest.distance) {
            found->nearest = nearest;
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
    const coif_contact_query *contacts;
    const coif_collider *bodies;
    int32_t body_count;
    float carry; // the longest way of anything searched, in this substep
} searching;

// Walks along the way of the point in steps that cannot pass a surface unseen and stops where it
// would touch. False when the way is free or begins inside.
static bool march(contact_plane *plane, const searching *ctx, int32_t i, int32_t hint)
{
    const coif_contact_query *query = ctx->contacts;
    const coif_vec3 x = contact_position(query, i);
    const coif_vec3 disp = coif_sub(contact_target(query, i), x);
    const float substep = query->end - query->begin;
    const float length = coif_length(disp) + ctx->carry; // as seen from the surface, at the most
    const float touch = query->contact_distance[i];
    float gone = 0.0f;
    finding found = {.hint = hint};
    for (int step = 0; step < CONTACT_STEPS && gone < length; ++step) {
        const float share = gone / length;
        const coif_closest_point_query search = {.position = coif_mad(x, share, disp),
                                                 .time = query->begin + share * substep,
                                                 .max_distance = CONTACT_SEARCH};
        find_nearest(&found, ctx->bodies, ctx->body_count, &search);
        const coif_closest_point *n = &found.nearest;
        if (n->triangle >= 0 && n->distance <= touch) {
            *plane =
                (contact_plane){.point = coif_mad(n->point, (1.0f - share) * substep, n->motion),
                                .normal = n->normal,
                                .surface_disp = coif_scale(n->motion, substep)};
            return step > 0 || n->distance > 0.0f;
        }
        gone += largest(n->distance - 0.9f * touch, 0.25f * touch);
    }
    return false;
}

static coif_vec3 known_place(const coif_bvh_distance_cache *known, int32_t i)
{
    return coif_vec3_of(known->pos.x[i], known->pos.y[i], known->pos.z[i]);
}

static void know(const coif_bvh_distance_cache *known, int32_t i, coif_vec3 place, float distance,
                 int32_t outside)
{
    known->pos.x[i] = place.x;
    known->pos.y[i] = place.y;
    known->pos.z[i] = place.z;
    known->distance[i] = distance;
    known->outside[i] = outside;
}

// Nothing is nearer to a point than to the one before it, less the way between them.
static bool learn_from_neighbour(const coif_contact_query *query, int32_t i, float interest)
{
    const coif_bvh_distance_cache *known = &query->bvh_cache;
    const int32_t before = i - query->lanes;
    if (before < 0 || known->distance[before] < 0.0f) {
        return false;
    }
    const coif_vec3 target = contact_target(query, i);
    const float distance =
        known->distance[before] - coif_length(coif_sub(target, known_place(known, before)));
    if (!(distance > interest + WORTH_KNOWING)) {
        return false;
    }
    know(known, i, target, distance, known->outside[before]);
    return true;
}

// Where nothing that is searched comes near, nothing is written.
static void meet_searched(const searching *ctx, int32_t i, int32_t *hint)
{
    const coif_contact_query *query = ctx->contacts;
    const coif_bvh_distance_cache *known = &query->bvh_cache;
    const coif_vec3 x = contact_position(query, i);
    const coif_vec3 target = contact_target(query, i);
    const float disp = coif_length(coif_sub(target, x));
    const float reach = query->contact_distance[i];
    const float interest = reach + query->margin + disp + ctx->carry;
    const float least = known->distance[i] - coif_length(coif_sub(target, known_place(known, i)));
    const bool outside = known->outside[i] != 0;
    if (least > interest || !(disp < CONTACT_MAX_DISPLACEMENT) ||
        learn_from_neighbour(query, i, interest)) {
        return;
    }
    // A point that was outside is at most so deep inside now; any other may be anywhere.
    const coif_closest_point_query search = {
        .position = target,
        .time = query->end,
        .max_distance = outside ? largest(interest + query->search_margin, -least)
                                : largest(interest, CONTACT_SEARCH)};
    finding found = {.hint = known->hint[i] > 0 ? known->hint[i] - 1 : *hint, .outside = outside};
    find_nearest(&found, ctx->bodies, ctx->body_count, &search);
    know(known, i, target, found.safe, found.outside);
    known->hint[i] = found.hint + 1;
    *hint = found.hint;
    const coif_closest_point *nearest = &found.nearest;
    if (nearest->triangle < 0 || nearest->distance > interest) {
        return;
    }
    contact_plane plane = {.point = nearest->point,
                           .normal = nearest->normal,
                           .surface_disp = coif_scale(nearest->motion, query->end - query->begin)};
    // One that comes from behind the surface it is now next to has passed through something.
    const coif_vec3 carried = coif_add(x, plane.surface_disp);
    if (coif_dot(plane.normal, coif_sub(carried, plane.point)) < 0.0f) {
        contact_plane touched;
        plane = march(&touched, ctx, i, *hint) ? touched : plane;
    }
    plane.signed_distance = coif_dot(plane.normal, coif_sub(target, plane.point));
    if (plane.signed_distance < reach + query->margin) {
        contact_write(query, i, &plane);
    }
}

static bool boxes_meet(const contact_bounds *all, coif_vec3 low, coif_vec3 high, float reach)
{
    return all->low.x < high.x + reach && all->high.x > low.x - reach &&
           all->low.y < high.y + reach && all->high.y > low.y - reach &&
           all->low.z < high.z + reach && all->high.z > low.z - reach;
}

// How far boxes are apart, at least.
static float gap_between(const contact_bounds *all, coif_vec3 low, coif_vec3 high)
{
    const float x = largest(low.x - all->high.x, all->low.x - high.x);
    const float y = largest(low.y - all->high.y, all->low.y - high.y);
    const float z = largest(low.z - all->high.z, all->low.z - high.z);
    return largest(x, largest(y, z));
}

// Which of four points have to be searched for: not those with nothing to meet where they want to
// go and nothing to touch where they are. Then there is nothing on the way either: all of it is
// within the ball in which there is known to be nothing, by as much as they keep.
static inline simd_int4 unknown4(const searching *ctx, int32_t i)
{
    const coif_contact_query *query = ctx->contacts;
    const coif_bvh_distance_cache *known = &query->bvh_cache;
    const simd_float4x3 place = load4(known->pos.x + i, known->pos.y + i, known->pos.z + i);
    const simd_float4x3 to =
        sub4(load4(query->predicted.x + i, query->predicted.y + i, query->predicted.z + i), place);
    const simd_float4x3 from =
        sub4(load4(query->pos.x + i, query->pos.y + i, query->pos.z + i), place);
    const simd_float4 reach = *(const simd_float4 *)(query->contact_distance + i);
    simd_float4 *distance = (simd_float4 *)(known->distance + i);
    *distance -= ctx->carry; // what is searched moves too
    const simd_float4 spare = 0.9999f * (*distance - reach);
    const simd_float4 spare_to = spare - query->margin;
    const simd_int4 free = (spare_to > 0.0f) & (spare_to * spare_to > dot4(to, to)) &
                           (spare * spare > dot4(from, from));
    const simd_int4 outside = *(const simd_int4 *)(known->outside + i) == 1;
    // Others may be inside: they are searched for sooner, a + b <= sqrt(2 (a^2 + b^2)).
    const simd_float4x3 disp = sub4(to, from);
    const simd_float4 spare_way = *distance - reach - (query->margin + ctx->carry);
    const simd_int4 far =
        (spare_way > 0.0f) & (spare_way * spare_way > 2.0001f * (dot4(disp, disp) + dot4(to, to)));
    return (reach > 0.0f) & ~((outside & free) | far);
}

// Where four points want to go, nothing is nearer than to the place it is known of, less the way.
static inline void free4(const coif_contact_query *query, int32_t i)
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
    const searching ctx = {query, bodies, body_count,
                           fastest_of(bodies, body_count) * (query->end - query->begin)};
    int32_t hints[MOST_LANES];
    for (int32_t lane = 0; lane < MOST_LANES; ++lane) {
        hints[lane] = -1;
    }
    for (int32_t i = 0; i < query->count; i += 4) {
        const simd_int4 unknown = unknown4(&ctx, i);
        for (int k = 0; any4(unknown) && k < 4; ++k) {
            if (unknown[k] != 0) {
                meet_searched(&ctx, i + k, &hints[(i + k) % query->lanes % MOST_LANES]);
            }
        }
        if (query->min_body_distance != NULL) {
            free4(query, i);
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
        near = near || boxes_meet(&all, bodies[b].low, bodies[b].high,
                                  all.max_contact_distance + query->margin);
        gap = fminf(gap, gap_between(&all, bodies[b].low, bodies[b].high));
    }
    for (int32_t i = 0; query->min_body_distance != NULL && i < query->count; ++i) {
        query->min_body_distance[i] = near ? INFINITY : gap;
    }
    if (!near) {
        // What was known was not kept up to date with the motion of the bodies.
        coif_bvh_distance_cache_invalidate(&query->bvh_cache, search ? query->count : 0);
        coif_sdf_distance_cache_invalidate(&query->sdf_cache, query->count);
        return false;
    }
    query->kernels->clear(query);
    query->kernels->find_sdf(query, &all, bodies, body_count);
    for (int32_t b = 0; b < body_count; ++b) {
        if (bodies[b].primitive != NULL) {
            coif_contact_query_primitive(query, bodies[b].primitive);
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
