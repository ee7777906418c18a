// contact_sdf_simd: contacts with signed distance fields, evaluated in the rest space of the body,
// where only points move. Compiled once per vector width.
#include "core/collision/body_transform_query.h"
#include "core/collision/body_transform_simd.h"
#include "core/collision/sdf_simd.h"
#include "sim/solver/contact_simd.h"

// A body during a substep.
typedef struct moving_sdf {
    const coif_sdf *sdf;
    const coif_body_transform *begin, *end;
    const coif_contact_surface *surface;
} moving_sdf;

// The surface near a position in rest space, without its margin.
typedef struct surface {
    float distance;
    coif_vec3 normal;
} surface;

// Interpolation error of the SDF, see sdf_build.c, m.
static const float SDF_ERROR = 3e-4f;

// Smallest step along a path, m: thinner than a hair.
static const float MIN_STEP = 5e-5f;

// Lower bound of the distance to the side on which hair is.
static float lower_bound_at(const moving_sdf *s, coif_vec3 position)
{
    const float bound = sdf_lower_bound_at(s->sdf, position);
    return s->surface->inner ? -bound : bound;
}

// False: no surface within max distance; distance is then a lower bound.
static bool eval_surface(surface *out, const moving_sdf *s, coif_vec3 position, float reach)
{
    const float side = s->surface->inner ? -1.0f : 1.0f;
    coif_sdf_sample answer;
    if (coif_sdf_eval(&answer, s->sdf, position)) {
        *out = (surface){side * answer.distance, coif_scale(coif_normalize(answer.gradient), side)};
        return out->distance < reach;
    }
    out->distance = s->surface->inner ? 0.0f : answer.distance;
    if (out->distance >= reach) {
        return false;
    }
    const float depth = contact_search_depth(s->surface);
    const coif_closest_point_query search = {
        .position = position, .max_distance = reach > depth ? reach : depth, .hint = answer.hint};
    coif_closest_point nearest;
    if (!coif_collider_closest_point_bvh(&nearest, s->sdf->rest_bvh, &search)) {
        return false;
    }
    *out = (surface){side * nearest.distance, coif_scale(nearest.normal, side)};
    return out->distance < reach;
}

typedef struct sdf_path {
    const moving_sdf *s;
    float touch;
    coif_vec3 at;
    surface touched;
} sdf_path;

static bool surface_on_path(void *context, coif_vec3 at, float fraction, float *distance)
{
    (void)fraction;
    sdf_path *path = context;
    path->at = at;
    *distance = lower_bound_at(path->s, at);
    if (*distance > path->touch) {
        return false;
    }
    const float search = CONTACT_SEARCH + path->s->surface->margin;
    const bool found = eval_surface(&path->touched, path->s, at, search);
    *distance = found ? path->touched.distance : search;
    return found;
}

// Whether a path that ends outside, at a distance of at least free from the surface, may lead
// through the body. Traced backwards in conservative steps.
static bool passes_through(const moving_sdf *s, coif_vec3 from, coif_vec3 to, float free)
{
    const coif_vec3 disp = coif_sub(to, from);
    const float length = coif_length(disp);
    float left = length;
    for (int step = 0; step < CONTACT_STEPS; ++step) {
        left -= free > MIN_STEP ? free : MIN_STEP;
        if (left <= 0.0f) {
            return false;
        }
        const coif_vec3 at = coif_mad(from, left / length, disp);
        free = lower_bound_at(s, at);
        surface near;
        if (!(free > MIN_STEP) && eval_surface(&near, s, at, CONTACT_SEARCH)) {
            free = near.distance;
        }
        if (!(free > 0.0f)) {
            return true;
        }
    }
    return true;
}

// Returns a lower bound of the distance from the predicted position; free is the bound known so
// far. Path: position and predicted position in rest space, where distances may be larger than in
// world space by max_stretch.
static float find_contact(const coif_contact_query *query, int32_t i, const moving_sdf *s,
                          const coif_vec3 path[2], float free, float max_stretch)
{
    const coif_vec3 from = path[0];
    const coif_vec3 to = path[1];
    const float margin = s->surface->margin;
    const float reach = query->contact_distance[i];
    const float kept = reach + query->margin + margin;
    const float interest = kept * max_stretch + coif_length(coif_sub(to, from));
    // Outside of the narrow band only surfaces on the path matter.
    if (free > kept * max_stretch && !coif_sdf_brick_samples(s->sdf, to) &&
        !passes_through(s, from, to, free)) {
        return free;
    }
    surface near;
    const bool found = eval_surface(&near, s, to, interest);
    const float least = near.distance - SDF_ERROR;
    if (!found) {
        return least;
    }
    coif_vec3 point = coif_mad(to, -near.distance, near.normal);
    // A point that comes from behind its nearest surface has passed through something.
    if (coif_dot(near.normal, coif_sub(from, point)) < 0.0f) {
        sdf_path sphere_tracing = {.s = s, .touch = reach + margin};
        const surface *touched = &sphere_tracing.touched;
        float fraction;
        if (contact_advance(&fraction, path, coif_length(coif_sub(to, from)), reach + margin,
                            surface_on_path, &sphere_tracing)) {
            point = coif_mad(sphere_tracing.at, -touched->distance, touched->normal);
            near = (surface){coif_dot(touched->normal, coif_sub(to, point)), touched->normal};
        }
    }
    if (!(near.distance < interest)) {
        return least;
    }
    const coif_vec3 target = contact_target(query, i);
    const coif_vec3 n = coif_gradient_to_world(s->end, target, to, near.normal);
    const float scale = 1.0f / coif_length(n);
    contact_plane plane = {.normal = coif_scale(n, scale),
                           .signed_distance = near.distance * scale,
                           .surface = s->surface};
    if (!(plane.signed_distance < kept)) {
        return least;
    }
    plane.signed_distance -= margin;
    plane.point = coif_to_world(s->end, point);
    plane.surface_disp = coif_sub(plane.point, coif_to_world(s->begin, point));
    plane.point = margin > 0.0f ? coif_mad(plane.point, margin, plane.normal) : plane.point;
    contact_write(query, i, &plane);
    return least;
}

// Upper bound of the path lengths in rest space: displacement of a point under the transform of the
// body, and displacement of the body at the points.
static float max_path_length(const contact_bounds *bounds, const moving_sdf *s)
{
    const coif_body_motion *motion = s->sdf->motion;
    if (motion->deforms) {
        return coif_body_motion_max_displacement(motion, bounds->low, bounds->high,
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

// Most points are far and rejected here: their brick is farther from the surface than their path is
// long.
static void find_sdf_contacts(const coif_contact_query *query, const contact_bounds *bounds,
                              moving_sdf s)
{
    const coif_sdf *sdf = s.sdf;
    const coif_body_motion *motion = sdf->motion;
    const float part = s.end->time - s.begin->time;
    const float max_path = max_path_length(bounds, &s);
    const float margin = s.surface->margin;
    const float deepest = contact_search_depth(s.surface);
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
        const deform_bounds position = deform_bounds_at(motion, to);
        const coif_simd outer = sdf_lower_bound(sdf, to);
        const coif_simd bound = s.surface->inner ? -outer : outer;
        const coif_simd least = min_world_distance_simd(motion, &position, bound);
        const coif_simd spare = least - reach - query->margin - margin;
        coif_simd_mask close = asks & ~(spare > max_path);
        const simd_vec3 x = load3(&query->pos, k);
        if (motion->deforms && any_of(close)) {
            const simd_vec3 travelled = sub3(target, x);
            const coif_simd disp = coif_simd_sqrt(dot3(travelled, travelled));
            close &= ~(spare > max_displacement_simd(motion, &position, disp, part));
        }
        coif_simd free = least;
        if (any_of(close)) {
            const simd_vec3 from = to_rest_simd(s.begin, x, close);
            const simd_vec3 disp = sub3(to, from);
            const coif_simd disp2 = dot3(disp, disp);
            // NaN has no contact.
            const coif_simd_mask near = close & (reach > 0.0f) & (least > -deepest) &
                                        ((spare < 0.0f) | (spare * spare < disp2)) &
                                        (disp2 < longest);
            const coif_simd max_stretch = max_stretch_simd(motion, &position);
            coif_simd found = coif_simd_all(-INFINITY);
            for (int lane = 0; any_of(near) && lane < COIF_LANES; ++lane) {
                if (near[lane] != 0) {
                    const coif_vec3 path[2] = {{from.x[lane], from.y[lane], from.z[lane]},
                                               {to.x[lane], to.y[lane], to.z[lane]}};
                    found[lane] = find_contact(query, k * COIF_LANES + lane, &s, path, bound[lane],
                                               max_stretch[lane]);
                }
            }
            free = coif_simd_max(min_world_distance_simd(motion, &position, found), free);
        }
        if (nearest != NULL) {
            *nearest = coif_simd_select(asks, coif_simd_min(free - margin, *nearest), *nearest);
        }
    }
}

static bool is_sampled(const coif_collider *body)
{
    return body->sdf != NULL && body->sdf->valid;
}

// Distance bounds may be too small by this much, m.
static const float MAX_SLACK = 0.002f;

// A point is skipped while its cached bound still excludes contact on its path, and its exact
// distance is not needed.
static void skip_far_points(const coif_contact_query *query, float carry)
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
        const coif_simd_mask skipped = ((free > query->exact_within) | (stale < MAX_SLACK)) &
                                       (spare > 0.0f) & (spare * spare > dot3(disp, disp));
        *times = skipped & (*times + 1);
        *nearest = coif_simd_select(skipped, free, *nearest);
    }
}

static void update_cache(const coif_contact_query *query)
{
    coif_sdf_distance_cache known = query->sdf_cache;
    for (int32_t k = 0; k < query->count / COIF_LANES; ++k) {
        const coif_simd_mask skipped = ((const coif_simd_mask *)known.skipped_substeps)[k] != 0;
        const simd_vec3 p = load3(&query->predicted, k);
        const simd_vec3 position = load3(&known.pos, k);
        coif_simd *distance = (coif_simd *)known.distance + k;
        store3(&known.pos, k, select3(skipped, position, p));
        *distance =
            coif_simd_select(skipped, *distance, ((const coif_simd *)query->min_body_distance)[k]);
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
        skip_far_points(query, fastest * (query->end - query->begin));
    }
    for (int32_t b = 0; b < body_count; ++b) {
        if (is_sampled(&bodies[b])) {
            const coif_body_transform *begin = query->transforms + b;
            find_sdf_contacts(
                query, bounds,
                (moving_sdf){bodies[b].sdf, begin, begin + body_count, &bodies[b].surface});
        }
    }
    if (knows) {
        update_cache(query);
    }
}
