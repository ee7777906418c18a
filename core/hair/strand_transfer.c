#include "core/hair/strand_transfer.h"

#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/deterministic_math.h"
#include "core/base/error.h"

#include <math.h>

enum { BLOCK = 64, AZIMUTHS = 360 };
static const float PI = 3.14159265f;
// A scalp that reaches this far around the head has no hairline.
static const float MAX_HAIRLINE = 3.05f;

// A triangle of a scalp in units of half its box, with the cone of its directions.
typedef struct direction_triangle {
    coif_vec3 corner[3];
    coif_vec3 axis;
    float min_cosine; // of directions inside the cone
    float max_sine;   // of the angle of the cone's planes to its axis
    int32_t triangle;
} direction_triangle;

typedef struct direction_map {
    const coif_mesh *mesh;
    coif_vec3 centre, half;
    coif_vec3 middle; // sum of the directions of the triangles
    direction_triangle *triangles;
    int32_t count;
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
        each->max_sine = each->min_cosine > 0.0f
                             ? sqrtf(fmaxf(1.0f - each->min_cosine * each->min_cosine, 0.0f))
                             : 1.0f;
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

// Angles from the pole between which directions of one azimuth hit a scalp.
typedef struct angle_range {
    float begin, end;
} angle_range;

typedef struct covered_angles {
    angle_range *ranges; // disjoint, ascending
    int32_t count;
    float sum; // of their lengths
} covered_angles;

// Ranges less far apart than this are one: rounding at edges of triangles.
static const float RANGE_GAP = 2e-5f;

// Range of a triangle: where the half plane of an azimuth, from the axis outwards, cuts it. False
// where it does not.
static bool cut_triangle(angle_range *range, const direction_triangle *each,
                         const polar_frame *frame, coif_vec3 out, coif_vec3 normal)
{
    float s[3];
    for (int c = 0; c < 3; ++c) {
        s[c] = coif_dot(normal, each->corner[c]);
    }
    float across[2], along[2]; // ends of the cut: from the axis, and along it
    int ends = 0;
    for (int c = 0; c < 3; ++c) {
        const int d = c == 2 ? 0 : c + 1;
        if ((s[c] >= 0.0f) != (s[d] >= 0.0f)) {
            const coif_vec3 p = coif_lerp(each->corner[c], each->corner[d], s[c] / (s[c] - s[d]));
            across[ends] = coif_dot(out, p);
            along[ends++] = coif_dot(frame->pole, p);
        }
    }
    if (ends < 2 || (across[0] < 0.0f && across[1] < 0.0f)) {
        return false;
    }
    float angles[2];
    for (int e = 0; e < 2; ++e) {
        angles[e] = angle_of(across[e], along[e]);
        if (across[e] < 0.0f) {
            const float t = across[e] / (across[e] - across[1 - e]);
            angles[e] = along[e] + t * (along[1 - e] - along[e]) > 0.0f ? 0.0f : PI;
        }
    }
    *range = (angle_range){fminf(angles[0], angles[1]), fmaxf(angles[0], angles[1])};
    return true;
}

// By begin, then end: insertion sort of a few dozen.
static void sort_ranges(angle_range *ranges, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        const angle_range range = ranges[i];
        int32_t at = i;
        for (; at > 0 && (ranges[at - 1].begin > range.begin ||
                          (ranges[at - 1].begin == range.begin && ranges[at - 1].end > range.end));
             --at) {
            ranges[at] = ranges[at - 1];
        }
        ranges[at] = range;
    }
}

// Memory is for a range per triangle.
static covered_angles covered_at(const direction_map *map, const polar_frame *frame, float azimuth,
                                 angle_range *memory)
{
    const float cosine = coif_det_cos(azimuth), sine = coif_det_sin(azimuth);
    const coif_vec3 out = coif_mad(coif_scale(frame->front, cosine), sine, frame->side);
    const coif_vec3 normal = coif_mad(coif_scale(frame->side, cosine), -sine, frame->front);
    covered_angles covered = {.ranges = memory};
    int32_t count = 0;
    for (int32_t i = 0; i < map->count; ++i) {
        const direction_triangle *each = &map->triangles[i];
        if (fabsf(coif_dot(normal, each->axis)) <= each->max_sine &&
            cut_triangle(&memory[count], each, frame, out, normal)) {
            ++count;
        }
    }
    sort_ranges(memory, count);
    for (int32_t i = 0; i < count; ++i) {
        angle_range *last = &memory[covered.count - 1];
        if (covered.count > 0 && memory[i].begin <= last->end + RANGE_GAP) {
            last->end = fmaxf(last->end, memory[i].end);
        } else {
            memory[covered.count++] = memory[i];
        }
    }
    for (int32_t i = 0; i < covered.count; ++i) {
        covered.sum += memory[i].end - memory[i].begin;
    }
    return covered;
}

// Covered angle up to an angle, and the reverse.
static float covered_before(const covered_angles *covered, float angle)
{
    float sum = 0.0f;
    for (int32_t i = 0; i < covered->count; ++i) {
        const angle_range *range = &covered->ranges[i];
        sum += coif_clamp(angle, range->begin, range->end) - range->begin;
    }
    return sum;
}

static float angle_after(const covered_angles *covered, float sum)
{
    float end = 0.0f;
    for (int32_t i = 0; i < covered->count; ++i) {
        const angle_range *range = &covered->ranges[i];
        end = range->end;
        if (sum <= range->end - range->begin) {
            return range->begin + sum;
        }
        sum -= range->end - range->begin;
    }
    return end;
}

// Whether the pole and its surroundings are on the scalp, and the opposite side is not.
static bool has_hairline(const direction_map *map, const polar_frame *frame, angle_range *memory)
{
    for (int i = 0; i < AZIMUTHS; ++i) {
        const covered_angles covered =
            covered_at(map, frame, 2.0f * PI * (float)i / (float)AZIMUTHS, memory);
        if (covered.count == 0 || memory[0].begin > 0.0f || memory[0].end < 0.1f ||
            memory[covered.count - 1].end > MAX_HAIRLINE) {
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

// The covered angle between pole and direction, as a fraction of that of its azimuth, stays.
// Ranges: memory per triangle of either scalp.
static coif_vec3 map_direction(const transfer *ctx, coif_vec3 direction, angle_range *ranges[2])
{
    if (ctx->same_hairline) {
        return direction;
    }
    const polar_frame *frame = &ctx->frame;
    const float x = coif_dot(direction, frame->front), y = coif_dot(direction, frame->side);
    const float azimuth = angle_of(y, x);
    const float angle = angle_of(sqrtf(x * x + y * y), coif_dot(direction, frame->pole));
    const covered_angles from = covered_at(ctx->from, frame, azimuth, ranges[0]);
    const covered_angles to = covered_at(ctx->to, frame, azimuth, ranges[1]);
    if (!(from.sum > 0.0f) || !(to.sum > 0.0f)) {
        return direction;
    }
    const float sum = to.sum / from.sum * covered_before(&from, angle);
    return coif_scale(direction_at(frame, angle_after(&to, sum), azimuth), coif_length(direction));
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
    COIF_SCOPED_ARENA(scratch, "covered angles");
    angle_range *ranges[] = {coif_arena_new(&scratch, ctx->from->count, angle_range),
                             coif_arena_new(&scratch, ctx->to->count, angle_range)};
    for (int64_t s = begin; s < end; ++s) {
        const coif_vec4 *p = strands->points + strands->first[s];
        const coif_vec3 direction = to_unit(ctx->from, coif_vec4_xyz(p[0]));
        const scalp_hit hits[] = {
            find_hit_inside(ctx->from, &ctx->frame, direction),
            find_hit_inside(ctx->to, &ctx->frame, map_direction(ctx, direction, ranges))};
        const coif_surface_point a =
            coif_mesh_at(ctx->from->mesh, hits[0].triangle, hits[0].b1, hits[0].b2);
        const coif_surface_point b =
            coif_mesh_at(ctx->to->mesh, hits[1].triangle, hits[1].b1, hits[1].b2);
        const float cosine = fminf(hits[0].cosine, hits[1].cosine);
        if (cosine < 1.0f) {
            ++report->beyond;
            const float c = coif_clamp(cosine, -1.0f, 1.0f);
            const float angle = 57.29578f * angle_of(sqrtf(1.0f - c * c), c);
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
        COIF_SCOPED_ARENA(scratch, "covered angles");
        angle_range *ranges = coif_arena_new(&scratch, maps[i].count, angle_range);
        ctx.same_hairline |= !has_hairline(&maps[i], &ctx.frame, ranges);
    }
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
