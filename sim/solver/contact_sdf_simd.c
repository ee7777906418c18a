// contact, sampled: points where they would be if the body rested, so that it stands still and only
// points move. Compiled once per vector width.
#include "sim/collision/body_transform_simd.h"
#include "sim/collision/sdf_simd.h"
#include "sim/solver/contact_simd.h"

// A body during a substep.
typedef struct passing {
    const coif_sdf *sdf;
    const coif_body_transform *begin, *end;
} passing;

// What is known of the surface near a place of the rest pose.
typedef struct surface {
    float distance;
    coif_vec3 normal;
} surface;

// What sampled distances may be wrong by, see shell_build.c.
static const float UNSURE = 3e-4f;

// No step along a way is shorter, metres: thinner than a hair.
static const float SHORTEST_STEP = 5e-5f;

// False: nothing within reach; then distance is how far away it is, at least.
static bool look(surface *out, const coif_sdf *sdf, coif_vec3 place, float reach)
{
    coif_sdf_sample answer;
    if (coif_sdf_eval(&answer, sdf, place)) {
        *out = (surface){answer.distance, coif_normalize(answer.gradient)};
        return out->distance < reach;
    }
    out->distance = answer.distance;
    if (answer.distance >= reach) {
        return false;
    }
    const coif_closest_point_query search = {.position = place,
                                             .max_distance =
                                                 reach > CONTACT_SEARCH ? reach : CONTACT_SEARCH,
                                             .hint = answer.hint};
    coif_closest_point nearest;
    if (!coif_collider_closest_point_bvh(&nearest, sdf->rest_bvh, &search)) {
        return false;
    }
    *out = (surface){nearest.distance, nearest.normal};
    return nearest.distance < reach;
}

// Walks from a place outside towards another in steps that cannot pass a surface unseen, and stops
// where the point would touch. False when the way is free or begins inside.
static bool march(surface *touched, coif_vec3 *at, const coif_sdf *sdf, const coif_vec3 ways[2],
                  float touch)
{
    const coif_vec3 disp = coif_sub(ways[1], ways[0]);
    const float length = coif_length(disp);
    float gone = 0.0f;
    for (int step = 0; step < CONTACT_STEPS && gone < length; ++step) {
        *at = coif_mad(ways[0], gone / length, disp);
        float free = sdf_lower_bound_at(sdf, *at);
        if (!(free > touch)) {
            const bool found = look(touched, sdf, *at, CONTACT_SEARCH);
            if (found && touched->distance <= touch) {
                return step > 0 || touched->distance > 0.0f;
            }
            free = found ? touched->distance : CONTACT_SEARCH;
        }
        const float least = 0.25f * touch;
        gone += free - 0.9f * touch > least ? free - 0.9f * touch : least;
    }
    return false;
}

// Whether a way that ends outside, where the surface is so far away at least, may lead through the
// body. It is followed backwards, in steps that cannot pass a surface unseen.
static bool leads_through(const coif_sdf *sdf, coif_vec3 from, coif_vec3 to, float free)
{
    const coif_vec3 disp = coif_sub(to, from);
    const float length = coif_length(disp);
    float left = length;
    for (int step = 0; step < CONTACT_STEPS; ++step) {
        left -= free > SHORTEST_STEP ? free : SHORTEST_STEP;
        if (left <= 0.0f) {
            return false;
        }
        const coif_vec3 at = coif_mad(from, left / length, disp);
        free = sdf_lower_bound_at(sdf, at);
        surface near;
        if (!(free > SHORTEST_STEP) && look(&near, sdf, at, CONTACT_SEARCH)) {
            free = near.distance;
        }
        if (!(free > 0.0f)) {
            return true;
        }
    }
    return true;
}

// Gives how far away the body is from where the point wants to go, at least; free is what is known
// of that. Ways: where the point is and wants to go, if the body rested. There distances may be so
// many times as wide as in the world.
static float meet(const coif_contact_query *query, int32_t i, const passing *s,
                  const coif_vec3 ways[2], float free, float widest)
{
    const coif_vec3 from = ways[0];
    const coif_vec3 to = ways[1];
    const float reach = query->contact_distance[i];
    const float kept = reach + query->margin;
    const float interest = kept * widest + coif_length(coif_sub(to, from));
    // Farther away than distances are sampled, only what lies between may be met.
    if (free > kept * widest && !coif_sdf_brick_samples(s->sdf, to) &&
        !leads_through(s->sdf, from, to, free)) {
        return free;
    }
    surface near;
    const bool found = look(&near, s->sdf, to, interest);
    const float least = near.distance - UNSURE;
    if (!found) {
        return least;
    }
    coif_vec3 point = coif_mad(to, -near.distance, near.normal);
    // One that comes from behind the surface it is now next to has passed through something.
    if (coif_dot(near.normal, coif_sub(from, point)) < 0.0f) {
        surface touched;
        coif_vec3 at;
        if (march(&touched, &at, s->sdf, ways, reach)) {
            point = coif_mad(at, -touched.distance, touched.normal);
            near = (surface){coif_dot(touched.normal, coif_sub(to, point)), touched.normal};
        }
    }
    if (!(near.distance < interest)) {
        return least;
    }
    const coif_vec3 target = contact_target(query, i);
    const coif_vec3 n = coif_gradient_to_world(s->end, target, to, near.normal);
    const float scale = 1.0f / coif_length(n);
    contact_plane plane = {.normal = coif_scale(n, scale),
                           .signed_distance = near.distance * scale};
    if (!(plane.signed_distance < kept)) {
        return least;
    }
    plane.point = coif_to_world(s->end, point);
    plane.surface_disp = coif_sub(plane.point, coif_to_world(s->begin, point));
    contact_write(query, i, &plane);
    return least;
}

// No way of a point is longer than this, seen from the body: its own, turned and perhaps drawn out
// as the body is between two poses, and that of the body itself where the points are.
static float longest_way(const contact_bounds *bounds, const passing *s)
{
    const coif_body_motion *passage = s->sdf->motion;
    if (passage->deforms) {
        return coif_body_motion_max_displacement(passage, bounds->low, bounds->high,
                                                 bounds->max_displacement,
                                                 s->end->time - s->begin->time);
    }
    const coif_affine *ends[2] = {&s->begin->above_inverse, &s->end->above_inverse};
    const coif_vec3 middle = coif_scale(coif_add(bounds->low, bounds->high), 0.5f);
    const coif_vec3 away = coif_sub(bounds->high, middle);
    const coif_vec3 carried =
        coif_sub(coif_affine_apply(ends[1], middle), coif_affine_apply(ends[0], middle));
    float turned = 0.0f;
    float drawn = 0.0f;
    for (int r = 0; r < 3; ++r) {
        const coif_vec3 end = ends[1]->linear.row[r];
        const coif_vec3 change = coif_sub(end, ends[0]->linear.row[r]);
        turned += coif_dot(change, change);
        drawn += coif_dot(end, end);
    }
    const float disp = sqrtf(drawn) * bounds->max_displacement + coif_length(carried) +
                       sqrtf(turned) * coif_length(away);
    return 1.001f * disp + 1e-5f;
}

// Far points, which are most, are done with here: nothing is nearer to the block of the target than
// what the point has to do with.
static void meet_shell(const coif_contact_query *query, const contact_bounds *bounds, passing s)
{
    const coif_sdf *sdf = s.sdf;
    const coif_body_motion *passage = sdf->motion;
    const float part = s.end->time - s.begin->time;
    const float most = longest_way(bounds, &s);
    const float longest = CONTACT_MAX_DISPLACEMENT * CONTACT_MAX_DISPLACEMENT;
    for (int32_t k = 0; k < query->count / COIF_LANES; ++k) {
        const coif_simd reach = ((const coif_simd *)query->contact_distance)[k];
        coif_simd *nearest =
            query->min_body_distance != NULL ? (coif_simd *)query->min_body_distance + k : NULL;
        coif_simd_mask asks = reach > 0.0f;
        if (query->sdf_cache.pos.x != NULL) {
            asks = ((const coif_simd_mask *)query->sdf_cache.skipped_substeps)[k] == 0;
        } else if (nearest != NULL) {
            asks = reach == reach;
        }
        if (!any_of(asks)) {
            continue;
        }
        const simd_vec3 target = load3(&query->predicted, k);
        const simd_vec3 to = to_rest_simd(s.end, target, asks);
        const deform_bounds place = deform_bounds_at(passage, to);
        const coif_simd bound = sdf_lower_bound(sdf, to);
        const coif_simd least = min_world_distance_simd(passage, &place, bound);
        const coif_simd spare = least - reach - query->margin;
        coif_simd_mask close = asks & ~(spare > most);
        const simd_vec3 x = load3(&query->pos, k);
        if (passage->deforms && any_of(close)) {
            const simd_vec3 gone = sub3(target, x);
            const coif_simd disp = coif_simd_sqrt(dot3(gone, gone));
            close &= ~(spare > max_displacement_simd(passage, &place, disp, part));
        }
        coif_simd free = least;
        if (any_of(close)) {
            const simd_vec3 from = to_rest_simd(s.begin, x, close);
            const simd_vec3 disp = sub3(to, from);
            const coif_simd way2 = dot3(disp, disp);
            // What is not a number touches nothing.
            const coif_simd_mask near = close & (reach > 0.0f) & (least > -CONTACT_SEARCH) &
                                        ((spare < 0.0f) | (spare * spare < way2)) &
                                        (way2 < longest);
            const coif_simd widest = max_stretch_simd(passage, &place);
            coif_simd found = coif_simd_all(-INFINITY);
            for (int lane = 0; any_of(near) && lane < COIF_LANES; ++lane) {
                if (near[lane] != 0) {
                    const coif_vec3 ways[2] = {{from.x[lane], from.y[lane], from.z[lane]},
                                               {to.x[lane], to.y[lane], to.z[lane]}};
                    found[lane] =
                        meet(query, k * COIF_LANES + lane, &s, ways, bound[lane], widest[lane]);
                }
            }
            free = coif_simd_max(min_world_distance_simd(passage, &place, found), free);
        }
        if (nearest != NULL) {
            *nearest = coif_simd_select(asks, coif_simd_min(free, *nearest), *nearest);
        }
    }
}

static bool is_sampled(const coif_collider *body)
{
    return body->sdf != NULL && body->sdf->valid;
}

// Nobody minds if a point is this much farther away than it is known to be, metres.
static const float STALE = 0.002f;

// A point is spared if what is known of its vicinity still tells enough: nothing is on its way, and
// nobody wants to know how far away it is.
static void spare_points(const coif_contact_query *query, float carry)
{
    const coif_sdf_distance_cache *known = &query->sdf_cache;
    for (int32_t k = 0; k < query->count / COIF_LANES; ++k) {
        const simd_vec3 p = load3(&query->predicted, k);
        const simd_vec3 since = sub3(p, load3(&known->pos, k));
        const simd_vec3 disp = sub3(p, load3(&query->pos, k));
        coif_simd *distance = (coif_simd *)known->distance + k;
        coif_simd_mask *times = (coif_simd_mask *)known->skipped_substeps + k;
        coif_simd *nearest = (coif_simd *)query->min_body_distance + k;
        *distance -= carry; // bodies move too
        const coif_simd moved = 1.0001f * coif_simd_sqrt(dot3(since, since));
        const coif_simd free = *distance - moved;
        const coif_simd stale = moved + __builtin_convertvector(*times + 1, coif_simd) * carry;
        const coif_simd kept =
            ((const coif_simd *)query->contact_distance)[k] + (query->margin + carry);
        const coif_simd spare = 0.9999f * (free - kept);
        const coif_simd_mask spared = ((free > query->exact_within) | (stale < STALE)) &
                                      (spare > 0.0f) & (spare * spare > dot3(disp, disp));
        *times = spared & (*times + 1);
        *nearest = coif_simd_select(spared, free, *nearest);
    }
}

static void note_vicinity(const coif_contact_query *query)
{
    coif_sdf_distance_cache known = query->sdf_cache;
    for (int32_t k = 0; k < query->count / COIF_LANES; ++k) {
        const coif_simd_mask spared = ((const coif_simd_mask *)known.skipped_substeps)[k] != 0;
        const simd_vec3 p = load3(&query->predicted, k);
        const simd_vec3 place = load3(&known.pos, k);
        coif_simd *distance = (coif_simd *)known.distance + k;
        store3(&known.pos, k, select3(spared, place, p));
        *distance =
            coif_simd_select(spared, *distance, ((const coif_simd *)query->min_body_distance)[k]);
    }
}

void COIF_SIMD(coif_contact_query_sdf)(const coif_contact_query *query,
                                       const contact_bounds *bounds, const coif_collider *bodies,
                                       int32_t body_count)
{
    bool any = false;
    float fastest = 0.0f;
    for (int32_t b = 0; b < body_count; ++b) {
        any = any || is_sampled(&bodies[b]);
        fastest = is_sampled(&bodies[b]) ? fmaxf(fastest, bodies[b].max_displacement) : fastest;
    }
    const bool knows = any && query->sdf_cache.pos.x != NULL;
    if (knows) {
        spare_points(query, fastest * (query->end - query->begin));
    }
    for (int32_t b = 0; b < body_count; ++b) {
        if (is_sampled(&bodies[b])) {
            const coif_body_transform *begin = query->transforms + b;
            meet_shell(query, bounds, (passing){bodies[b].sdf, begin, begin + body_count});
        }
    }
    if (knows) {
        note_vicinity(query);
    }
}
