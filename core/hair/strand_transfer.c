#include "core/hair/strand_transfer.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/deterministic_math.h"
#include "core/base/error.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64, AZIMUTHS = 360 };
static const float PI = 3.14159265f;
// A scalp that reaches this far around the head has no hairline.
static const float MAX_HAIRLINE = 3.05f;

// A triangle of a scalp in units of half its box, with the cone of its directions.
typedef struct direction_triangle {
    coif_vec3 corner[3];
    coif_vec3 axis;
    float min_cosine; // of directions inside the cone
    int32_t triangle;
} direction_triangle;

// Hairline: angle from the pole to the outer border of the scalp, per azimuth.
typedef struct direction_map {
    const coif_mesh *mesh;
    coif_vec3 centre, half;
    coif_vec3 middle; // sum of the directions of the triangles
    direction_triangle *triangles;
    int32_t count;
    float hairline[AZIMUTHS];
} direction_map;

// Polar coordinates of directions about a pole inside of both scalps.
typedef struct polar_frame {
    coif_vec3 pole, front, side;
} polar_frame;

static coif_vec3 to_unit(const direction_map *map, coif_vec3 p)
{
    const coif_vec3 d = coif_sub(p, map->centre);
    return coif_vec3_of(d.x / map->half.x, d.y / map->half.y, d.z / map->half.z);
}

static coif_status init_map(direction_map *map, const coif_scalp *scalp, coif_arena *arena,
                            coif_error *error)
{
    const coif_mesh *mesh = scalp->mesh;
    const bool all = scalp->group == NULL || scalp->group[0] == '\0';
    const int32_t group = all ? -1 : coif_mesh_find_group(mesh, scalp->group);
    coif_bounds bounds = coif_bounds_empty();
    *map = (direction_map){
        .mesh = mesh, .triangles = coif_arena_new(arena, mesh->triangle_count, direction_triangle)};
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        if (!all && mesh->groups[t] != group) {
            continue;
        }
        map->triangles[map->count++].triangle = t;
        for (int c = 0; c < 3; ++c) {
            coif_bounds_add(&bounds, mesh->positions[mesh->indices[3 * t + c]]);
        }
    }
    map->centre = coif_scale(coif_add(bounds.low, bounds.high), 0.5f);
    map->half = coif_scale(coif_sub(bounds.high, bounds.low), 0.5f);
    if (map->count == 0 || !(map->half.x > 0.0f) || !(map->half.y > 0.0f) ||
        !(map->half.z > 0.0f)) {
        return coif_fail(error, COIF_ERR_SCENE, "group \"%s\" is empty or flat; expected a scalp",
                         all ? "" : scalp->group);
    }
    for (int32_t i = 0; i < map->count; ++i) {
        direction_triangle *each = &map->triangles[i];
        coif_vec3 sum = {0.0f, 0.0f, 0.0f};
        for (int c = 0; c < 3; ++c) {
            each->corner[c] = to_unit(map, mesh->positions[mesh->indices[3 * each->triangle + c]]);
            sum = coif_add(sum, coif_normalize(each->corner[c]));
        }
        each->axis = coif_normalize(sum);
        map->middle = coif_add(map->middle, coif_cross(coif_sub(each->corner[1], each->corner[0]),
                                                       coif_sub(each->corner[2], each->corner[0])));
        each->min_cosine = 1.0f;
        for (int c = 0; c < 3; ++c) {
            each->min_cosine =
                fminf(each->min_cosine, coif_dot(each->axis, coif_normalize(each->corner[c])));
        }
        each->min_cosine -= 1e-5f;
    }
    return COIF_OK;
}

// Point of a scalp in a direction.
typedef struct scalp_hit {
    int32_t triangle;
    float b1, b2;
    float distance; // from the centre, in units of the direction's length
    float cosine;   // between the direction wanted and found; 1: hit
} scalp_hit;

// Intersection of a ray from the centre with a triangle (Moeller and Trumbore 1997).
static bool intersect(scalp_hit *hit, const direction_triangle *each, coif_vec3 direction)
{
    const coif_vec3 e1 = coif_sub(each->corner[1], each->corner[0]);
    const coif_vec3 e2 = coif_sub(each->corner[2], each->corner[0]);
    const coif_vec3 p = coif_cross(direction, e2);
    const float det = coif_dot(e1, p);
    if (fabsf(det) < 1e-12f) {
        return false;
    }
    const coif_vec3 s = coif_scale(each->corner[0], -1.0f);
    const coif_vec3 q = coif_cross(s, e1);
    const float b1 = coif_dot(s, p) / det, b2 = coif_dot(direction, q) / det;
    const float t = coif_dot(e2, q) / det;
    if (!(b1 >= -1e-5f) || !(b2 >= -1e-5f) || !(b1 + b2 <= 1.00001f) || !(t > 0.0f)) {
        return false;
    }
    *hit = (scalp_hit){each->triangle, coif_clamp(b1, 0.0f, 1.0f), coif_clamp(b2, 0.0f, 1.0f), t,
                       1.0f};
    return true;
}

// The hit nearest to the end of the direction vector. Without one: no triangle, and the cosine to
// the nearest triangle.
static scalp_hit find_hit(const direction_map *map, coif_vec3 direction)
{
    const coif_vec3 unit = coif_normalize(direction);
    scalp_hit best = {.triangle = -1}, near = {.triangle = -1, .cosine = -2.0f};
    for (int32_t i = 0; i < map->count; ++i) {
        const direction_triangle *each = &map->triangles[i];
        const float cosine = coif_dot(unit, each->axis);
        if (cosine > near.cosine) {
            near = (scalp_hit){each->triangle, 1.0f / 3.0f, 1.0f / 3.0f, 1.0f, cosine};
        }
        scalp_hit hit;
        if (cosine >= each->min_cosine && intersect(&hit, each, direction) &&
            (best.triangle < 0 || fabsf(hit.distance - 1.0f) < fabsf(best.distance - 1.0f))) {
            best = hit;
        }
    }
    return best.triangle >= 0 ? best : near;
}

static bool is_hit(const scalp_hit *hit)
{
    return hit->cosine >= 1.0f;
}

static polar_frame frame_of(const direction_map *a, const direction_map *b)
{
    polar_frame frame = {.pole = coif_vec3_of(0.0f, 1.0f, 0.0f)};
    const coif_vec3 middle = coif_add(coif_normalize(a->middle), coif_normalize(b->middle));
    if (coif_dot(middle, middle) > 0.01f) {
        frame.pole = coif_normalize(middle);
    }
    const coif_vec3 z = fabsf(frame.pole.z) < 0.9f ? coif_vec3_of(0.0f, 0.0f, 1.0f)
                                                   : coif_vec3_of(0.0f, 1.0f, 0.0f);
    frame.side = coif_normalize(coif_cross(frame.pole, z));
    frame.front = coif_cross(frame.side, frame.pole);
    return frame;
}

// Angle of (x, y), from -pi to pi; the same bits on every machine.
static float angle_of(float y, float x)
{
    const float quadrant = coif_det_atan2_quadrant(fabsf(y), fabsf(x));
    const float half = x < 0.0f ? PI - quadrant : quadrant;
    return y < 0.0f ? -half : half;
}

static coif_vec3 direction_at(const polar_frame *frame, float angle, float azimuth)
{
    const coif_vec3 out = coif_mad(coif_scale(frame->front, coif_det_cos(azimuth)),
                                   coif_det_sin(azimuth), frame->side);
    return coif_mad(coif_scale(frame->pole, coif_det_cos(angle)), coif_det_sin(angle), out);
}

typedef struct hairline_search {
    direction_map *map;
    const polar_frame *frame;
} hairline_search;

// The outermost angle at which a direction hits the scalp, per azimuth.
static void find_hairline(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const hairline_search *search = context;
    const float step = 0.04f;
    for (int64_t i = begin; i < end; ++i) {
        const float azimuth = 2.0f * PI * (float)i / (float)AZIMUTHS;
        float outside = PI, inside = PI;
        scalp_hit hit = find_hit(search->map, direction_at(search->frame, inside, azimuth));
        while (!is_hit(&hit) && inside > step) {
            outside = inside;
            inside -= step;
            hit = find_hit(search->map, direction_at(search->frame, inside, azimuth));
        }
        for (int k = 0; k < 10 && outside > inside; ++k) {
            const float middle = 0.5f * (inside + outside);
            hit = find_hit(search->map, direction_at(search->frame, middle, azimuth));
            *(is_hit(&hit) ? &inside : &outside) = middle;
        }
        search->map->hairline[i] = inside;
    }
}

static float hairline_at(const direction_map *map, float azimuth)
{
    float position = azimuth * (float)AZIMUTHS / (2.0f * PI);
    position = position < 0.0f ? position + (float)AZIMUTHS : position;
    const int32_t i = (int32_t)position % AZIMUTHS;
    const float low = map->hairline[i], high = map->hairline[(i + 1) % AZIMUTHS];
    return low + (position - floorf(position)) * (high - low);
}

static bool has_hairline(const direction_map *map)
{
    for (int i = 0; i < AZIMUTHS; ++i) {
        if (map->hairline[i] > MAX_HAIRLINE || map->hairline[i] < 0.1f) {
            return false;
        }
    }
    return true;
}

typedef struct transfer {
    const direction_map *from, *to;
    const coif_strands *strands;
    coif_vec4 *points;
    polar_frame frame;
    bool same_hairline; // angles stay
    float scale;
    coif_transfer_report *reports; // per block
} transfer;

// Angle from the pole as a fraction of that of the hairline stays.
static coif_vec3 map_direction(const transfer *ctx, coif_vec3 direction)
{
    if (ctx->same_hairline) {
        return direction;
    }
    const polar_frame *frame = &ctx->frame;
    const float x = coif_dot(direction, frame->front), y = coif_dot(direction, frame->side);
    const float azimuth = angle_of(y, x);
    const float ratio = hairline_at(ctx->to, azimuth) / hairline_at(ctx->from, azimuth);
    const float angle = angle_of(sqrtf(x * x + y * y), coif_dot(direction, frame->pole));
    return coif_scale(direction_at(frame, fminf(ratio * angle, PI), azimuth),
                      coif_length(direction));
}

// A direction beyond the border moves towards the pole until it hits the scalp.
static scalp_hit find_hit_inside(const direction_map *map, const polar_frame *frame,
                                 coif_vec3 direction)
{
    const scalp_hit wanted = find_hit(map, direction);
    scalp_hit hit = wanted;
    const float length = coif_length(direction);
    for (float t = 0.01f; !is_hit(&hit) && t < 0.5f; t += 0.01f) {
        hit = find_hit(map, coif_mad(coif_scale(direction, 1.0f - t), t * length, frame->pole));
    }
    if (!is_hit(&hit)) {
        return wanted;
    }
    if (!is_hit(&wanted)) {
        const coif_surface_point found = coif_mesh_at(map->mesh, hit.triangle, hit.b1, hit.b2);
        hit.cosine =
            fminf(coif_dot(coif_normalize(direction), coif_normalize(to_unit(map, found.position))),
                  0.9999999f);
    }
    return hit;
}

static void transfer_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const transfer *ctx = context;
    const coif_strands *strands = ctx->strands;
    coif_transfer_report *report = &ctx->reports[begin / BLOCK];
    for (int64_t s = begin; s < end; ++s) {
        const coif_vec4 *p = strands->points + strands->first[s];
        const coif_vec3 direction = to_unit(ctx->from, coif_vec4_xyz(p[0]));
        const scalp_hit hits[] = {
            find_hit_inside(ctx->from, &ctx->frame, direction),
            find_hit_inside(ctx->to, &ctx->frame, map_direction(ctx, direction))};
        const coif_surface_point a =
            coif_mesh_at(ctx->from->mesh, hits[0].triangle, hits[0].b1, hits[0].b2);
        const coif_surface_point b =
            coif_mesh_at(ctx->to->mesh, hits[1].triangle, hits[1].b1, hits[1].b2);
        const float cosine = fminf(hits[0].cosine, hits[1].cosine);
        if (cosine < 1.0f) {
            ++report->beyond;
            const float angle = 57.29578f * acosf(coif_clamp(cosine, -1.0f, 1.0f));
            report->largest_angle = fmaxf(report->largest_angle, angle);
        }
        for (int32_t i = strands->first[s]; i < strands->first[s + 1]; ++i) {
            const coif_vec3 offset = coif_sub(coif_vec4_xyz(strands->points[i]), a.position);
            const coif_vec3 moved = coif_rotate_between(offset, a.normal, b.normal);
            const coif_vec3 q = coif_mad(b.position, ctx->scale, moved);
            ctx->points[i] = (coif_vec4){q.x, q.y, q.z, strands->points[i].w};
        }
    }
}

coif_status coif_strands_transfer(coif_strands *moved, const coif_strands *strands,
                                  const coif_scalp *from, const coif_scalp *to,
                                  coif_transfer_report *report, coif_arena *arena, coif_jobs *jobs,
                                  coif_error *error)
{
    direction_map maps[2];
    COIF_TRY(init_map(&maps[0], from, arena, error));
    COIF_TRY(init_map(&maps[1], to, arena, error));
    const int64_t blocks = strands->strand_count / BLOCK + 1;
    const float volume = maps[1].half.x * maps[1].half.y * maps[1].half.z /
                         (maps[0].half.x * maps[0].half.y * maps[0].half.z);
    transfer ctx = {.from = &maps[0],
                    .to = &maps[1],
                    .strands = strands,
                    .points = coif_arena_new(arena, strands->point_count, coif_vec4),
                    .scale = (float)coif_det_cbrt((double)volume),
                    .reports = coif_arena_new(arena, blocks, coif_transfer_report)};
    ctx.frame = frame_of(&maps[0], &maps[1]);
    for (int i = 0; i < 2; ++i) {
        hairline_search search = {&maps[i], &ctx.frame};
        coif_parallel_for(jobs, AZIMUTHS, 4, find_hairline, &search);
    }
    ctx.same_hairline = !has_hairline(&maps[0]) || !has_hairline(&maps[1]) ||
                        memcmp(maps[0].hairline, maps[1].hairline, sizeof maps[0].hairline) == 0;
    coif_parallel_for(jobs, strands->strand_count, BLOCK, transfer_strands, &ctx);
    *moved = *strands;
    moved->points = ctx.points;
    *report = (coif_transfer_report){0};
    for (int64_t b = 0; b < blocks; ++b) {
        report->beyond += ctx.reports[b].beyond;
        report->largest_angle = fmaxf(report->largest_angle, ctx.reports[b].largest_angle);
    }
    return COIF_OK;
}
