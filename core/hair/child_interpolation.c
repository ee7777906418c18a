// Interpolation of child strands from the simulated guides.
#include "core/hair/child_interpolation.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"

#include <string.h>

enum { STRANDS_PER_JOB = 256 };

typedef struct interpolation {
    coif_strands *all;
    const coif_strands *simulated;
    const coif_groom *groom;
    const coif_mesh *body;
    const coif_vec4 *rest;    // points of all strands at rest
    coif_vec3 *displacements; // per simulated point: deviation from rigid motion
    int32_t *simulated_index; // per strand, -1 for a child
} interpolation;

// Rigid motion of a root from rest to the posed scalp.
typedef struct root_motion {
    coif_vec3 from, to;
    coif_mat3 rest, posed; // rows: tangent, bitangent, normal
} root_motion;

static root_motion motion_of_root(const interpolation *work, int32_t strand)
{
    const coif_groom *groom = work->groom;
    const int32_t triangle = groom->root_triangle[strand];
    const float b1 = groom->root_barycentric[2 * (size_t)strand];
    const float b2 = groom->root_barycentric[2 * (size_t)strand + 1];
    root_motion motion = {
        .from = coif_vec4_xyz(work->rest[groom->rest.first[strand]]),
        .to = coif_mesh_at(work->body, triangle, b1, b2).position,
        .posed = coif_mesh_frame(work->body, triangle, b1, b2),
    };
    memcpy(&motion.rest, groom->root_frame + 9 * (size_t)strand, sizeof motion.rest);
    return motion;
}

static coif_vec3 rotate(const root_motion *motion, coif_vec3 direction)
{
    const coif_vec3 local = coif_mat3_apply(&motion->rest, direction);
    return coif_mat3_apply_transposed(&motion->posed, local);
}

static coif_vec3 transform(const root_motion *motion, coif_vec4 point)
{
    const coif_vec3 offset = coif_sub(coif_vec4_xyz(point), motion->from);
    return coif_add(motion->to, rotate(motion, offset));
}

static void measure_displacements(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const interpolation *work = context;
    const coif_strands *rest = &work->groom->rest;
    for (int32_t i = (int32_t)begin; i < end; ++i) {
        const int32_t strand = work->groom->simulated[i];
        const root_motion motion = motion_of_root(work, strand);
        const coif_vec4 *rest_points = work->rest + rest->first[strand];
        const int32_t first = work->simulated->first[i];
        for (int32_t k = 0; k < coif_strands_length(work->simulated, i); ++k) {
            const coif_vec3 now = coif_vec4_xyz(work->simulated->points[first + k]);
            work->displacements[first + k] = coif_sub(now, transform(&motion, rest_points[k]));
        }
    }
}

static float segment(const coif_vec4 *points, int32_t k)
{
    return coif_length(coif_sub(coif_vec4_xyz(points[k + 1]), coif_vec4_xyz(points[k])));
}

static float total_length(const coif_vec4 *points, int32_t count)
{
    float length = 0.0f;
    for (int32_t k = 0; k + 1 < count; ++k) {
        length += segment(points, k);
    }
    return length;
}

// Position on a guide that advances with the arc length fraction of the child.
typedef struct guide_cursor {
    const coif_vec4 *rest; // of the guide
    int32_t count, first;  // number of points; first simulated point
    float weight;
    float length;       // of the guide
    float tie, own_tie; // fractions at which a tie holds the guide and the child; 0: none
    int32_t k;          // current segment
    float arc_length;   // before that segment
    bool same_indices;  // same number of points as the child: point k follows point k
} guide_cursor;

static int32_t open_cursors(guide_cursor *cursors, const interpolation *work, int32_t strand)
{
    const coif_groom *groom = work->groom;
    int32_t count = 0;
    for (int i = 0; i < COIF_GUIDES_PER_CHILD; ++i) {
        const int32_t guide = groom->guides[COIF_GUIDES_PER_CHILD * (size_t)strand + (size_t)i];
        if (guide < 0) {
            continue;
        }
        const int32_t rest_strand = groom->simulated[guide];
        const int32_t points = coif_strands_length(&groom->rest, rest_strand);
        const coif_vec4 *rest = work->rest + groom->rest.first[rest_strand];
        const float *tie = groom->tie_fraction;
        const bool tied = tie != NULL && tie[strand] > 0.0f && tie[rest_strand] > 0.0f;
        const bool same_indices = points == coif_strands_length(&groom->rest, strand) &&
                                  groom->clump_scale == NULL && !tied;
        cursors[count++] = (guide_cursor){
            .rest = rest,
            .count = points,
            .first = work->simulated->first[guide],
            .weight = groom->guide_weights[COIF_GUIDES_PER_CHILD * (size_t)strand + (size_t)i],
            .length = same_indices ? 0.0f : total_length(rest, points),
            .tie = tied ? tie[rest_strand] : 0.0f,
            .own_tie = tied ? tie[strand] : 0.0f,
            .same_indices = same_indices,
        };
    }
    return count;
}

// Guide point for point k of the child at an arc length fraction: index of the simulated point, and
// the interpolation weight of the next one.
static int32_t advance(guide_cursor *cursor, int32_t k, float fraction, float *weight)
{
    *weight = 0.0f;
    if (cursor->same_indices) {
        return cursor->first + k;
    }
    if (cursor->tie > 0.0f) {
        fraction = fraction < cursor->own_tie
                       ? fraction * cursor->tie / cursor->own_tie
                       : cursor->tie + (fraction - cursor->own_tie) * (1.0f - cursor->tie) /
                                           (1.0f - cursor->own_tie);
    }
    const float target = fraction * cursor->length;
    float length = segment(cursor->rest, cursor->k);
    while (cursor->k + 2 < cursor->count && cursor->arc_length + length < target) {
        cursor->arc_length += length;
        ++cursor->k;
        length = segment(cursor->rest, cursor->k);
    }
    const float rest_of_segment = target - cursor->arc_length;
    *weight = length > 0.0f ? coif_clamp(rest_of_segment / length, 0.0f, 1.0f) : 0.0f;
    return cursor->first + cursor->k;
}

// Weighted sum over the guides for one point of a child.
typedef struct guide_sample {
    coif_vec3 displacement, velocity, color;
} guide_sample;

static coif_vec3 interpolate(const coif_vec3 *values, int32_t at, float weight)
{
    return weight > 0.0f ? coif_lerp(values[at], values[at + 1], weight) : values[at];
}

static guide_sample sample_guides(const interpolation *work, guide_cursor *cursors, int32_t count,
                                  int32_t k, float fraction)
{
    guide_sample sample = {0};
    for (int32_t i = 0; i < count; ++i) {
        float t;
        const float w = cursors[i].weight;
        const int32_t at = advance(&cursors[i], k, fraction, &t);
        sample.displacement =
            coif_mad(sample.displacement, w, interpolate(work->displacements, at, t));
        if (work->simulated->velocities != NULL) {
            sample.velocity =
                coif_mad(sample.velocity, w, interpolate(work->simulated->velocities, at, t));
        }
        if (work->simulated->colors != NULL) {
            sample.color = coif_mad(sample.color, w, interpolate(work->simulated->colors, at, t));
        }
    }
    return sample;
}

static void store_sample(const coif_strands *all, int32_t point, const guide_sample *sample,
                         const coif_vec3 *own_colors)
{
    if (all->velocities != NULL) {
        all->velocities[point] = sample->velocity;
    }
    if (all->colors != NULL) {
        all->colors[point] = own_colors != NULL ? own_colors[point] : sample->color;
    }
}

// Fraction of the length of a child at which its tie holds it with a guide; 0: none.
static float tie_of(const guide_cursor *cursors, int32_t count)
{
    float tie = 0.0f;
    for (int32_t i = 0; i < count; ++i) {
        tie = fmaxf(tie, cursors[i].own_tie);
    }
    return tie;
}

// Position of a strand at a distance from its root, of the rest lengths.
static coif_vec3 point_at(const coif_vec4 *points, const coif_vec4 *rest, int32_t count,
                          float distance)
{
    int32_t k = 0;
    float length = segment(rest, 0);
    while (k + 2 < count && distance > length) {
        distance -= length;
        length = segment(rest, ++k);
    }
    return coif_lerp(coif_vec4_xyz(points[k]), coif_vec4_xyz(points[k + 1]),
                     length > 0.0f ? coif_clamp(distance / length, 0.0f, 1.0f) : 0.0f);
}

// Ring that is nearest to a position at rest.
static const float *nearest_ring(const coif_groom *groom, coif_vec3 rest)
{
    const float *nearest = NULL;
    float least = INFINITY;
    for (int32_t i = 0; i < groom->tie_count; ++i) {
        const float *ring = groom->ties + (int64_t)COIF_TIE_FLOATS * i;
        const float distance = coif_length(coif_sub(rest, coif_vec3_of(ring[0], ring[1], ring[2])));
        if (distance < least) {
            least = distance;
            nearest = ring;
        }
    }
    return nearest;
}

// Moves a child into the ring that holds it, which moves with its root: the points before the ring
// by the fraction of the length up to it.
static void move_into_ring(const interpolation *work, const root_motion *motion, int32_t strand,
                           float distance)
{
    const int32_t first = work->groom->rest.first[strand];
    const int32_t count = coif_strands_length(&work->groom->rest, strand);
    const coif_vec4 *own = work->rest + first;
    coif_vec4 *points = work->all->points + first;
    const float *ring = nearest_ring(work->groom, point_at(own, own, count, distance));
    if (ring == NULL) {
        return;
    }
    const coif_vec3 centre = transform(motion, (coif_vec4){ring[0], ring[1], ring[2], 0.0f});
    const coif_vec3 axis = rotate(motion, coif_vec3_of(ring[3], ring[4], ring[5]));
    const coif_vec3 d = coif_sub(point_at(points, own, count, distance), centre);
    const coif_vec3 away = coif_mad(d, -coif_dot(d, axis), axis);
    const float radius = coif_length(away);
    if (radius <= ring[6]) {
        return;
    }
    float arc_length = 0.0f;
    for (int32_t k = 1; k < count; ++k) {
        arc_length += segment(own, k - 1);
        const float part = fminf(arc_length / distance, 1.0f) * (ring[6] / radius - 1.0f);
        const coif_vec3 moved = coif_mad(coif_vec4_xyz(points[k]), part, away);
        points[k] = (coif_vec4){moved.x, moved.y, moved.z, points[k].w};
    }
}

static void interpolate_child(const interpolation *work, int32_t strand)
{
    const coif_strands *rest = &work->groom->rest;
    const int32_t first = rest->first[strand], count = coif_strands_length(rest, strand);
    const coif_vec4 *own = work->rest + first;
    const float length = total_length(own, count);
    const root_motion motion = motion_of_root(work, strand);
    guide_cursor cursors[COIF_GUIDES_PER_CHILD];
    const int32_t cursor_count = open_cursors(cursors, work, strand);
    const float *scale =
        work->groom->clump_scale != NULL ? work->groom->clump_scale + 2 * (size_t)strand : NULL;

    const float tied_at = tie_of(cursors, cursor_count) * length;
    coif_vec3 bent_previous = {0}, placed = {0};
    float arc_length = 0.0f;
    for (int32_t k = 0; k < count; ++k) {
        const float rest_length = k > 0 ? segment(own, k - 1) : 0.0f;
        arc_length += rest_length;
        const float fraction = length > 0.0f ? arc_length / length : 0.0f;
        const float guide_fraction = scale != NULL ? fminf(fraction * scale[1], 1.0f) : fraction;
        guide_sample sample = sample_guides(work, cursors, cursor_count, k, guide_fraction);
        sample.displacement =
            scale != NULL ? coif_scale(sample.displacement, scale[0]) : sample.displacement;
        const coif_vec3 bent = coif_add(transform(&motion, own[k]), sample.displacement);
        const coif_vec3 edge = coif_sub(bent, bent_previous);
        const float edge_length = coif_length(edge);
        if (k == 0) {
            placed = motion.to;
        } else if (edge_length > 0.0f) {
            placed = coif_mad(placed, rest_length / edge_length, edge);
        } else {
            // Collapsed segment: keeps its rest direction.
            const coif_vec3 rest_edge = coif_sub(coif_vec4_xyz(own[k]), coif_vec4_xyz(own[k - 1]));
            placed = coif_add(placed, rotate(&motion, rest_edge));
        }
        bent_previous = bent;
        work->all->points[first + k] = (coif_vec4){placed.x, placed.y, placed.z, own[k].w};
        store_sample(work->all, first + k, &sample, rest->colors);
    }
    if (tied_at > 0.0f) {
        move_into_ring(work, &motion, strand, tied_at);
    }
}

static void copy_strand(const interpolation *work, int32_t strand, int32_t i)
{
    const coif_strands *all = work->all, *simulated = work->simulated;
    const size_t to = (size_t)all->first[strand], from = (size_t)simulated->first[i];
    const size_t count = (size_t)coif_strands_length(simulated, i);
    memcpy(all->points + to, simulated->points + from, count * sizeof *all->points);
    if (all->velocities != NULL) {
        memcpy(all->velocities + to, simulated->velocities + from, count * sizeof(coif_vec3));
    }
    if (all->colors != NULL) {
        const coif_vec3 *colors =
            simulated->colors != NULL ? simulated->colors + from : work->groom->rest.colors + to;
        memcpy(all->colors + to, colors, count * sizeof(coif_vec3));
    }
}

static void interpolate_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const interpolation *work = context;
    for (int32_t strand = (int32_t)begin; strand < end; ++strand) {
        if (work->simulated_index[strand] >= 0) {
            copy_strand(work, strand, work->simulated_index[strand]);
        } else {
            interpolate_child(work, strand);
        }
    }
}

static coif_status check_shape(const interpolation *work, coif_error *error)
{
    const coif_groom *groom = work->groom;
    bool same = work->simulated->strand_count == groom->simulated_count;
    for (int32_t i = 0; same && i < groom->simulated_count; ++i) {
        same = coif_strands_length(work->simulated, i) ==
               coif_strands_length(&groom->rest, groom->simulated[i]);
    }
    if (!same) {
        return coif_fail(
            error, COIF_ERR_ARGUMENT,
            "child interpolation: %d strands, expected the %d simulated ones of the groom",
            work->simulated->strand_count, groom->simulated_count);
    }
    return COIF_OK;
}

static coif_status check_body(const interpolation *work, coif_error *error)
{
    const coif_groom *groom = work->groom;
    if (work->body == NULL || coif_mesh_topology_digest(work->body) != groom->mesh_digest) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "the body of the scene is not the scalp of the groom: %s",
                         work->body == NULL ? "no body" : "triangles differ");
    }
    return coif_groom_check_roots(groom, work->body->triangle_count, "groom", error);
}

static void allocate(interpolation *work, coif_arena *arena)
{
    const coif_groom *groom = work->groom;
    coif_strands *all = work->all;
    const int32_t strands = groom->rest.strand_count, points = groom->rest.point_count;
    *all = (coif_strands){
        .strand_count = strands,
        .point_count = points,
        .first = coif_arena_new(arena, strands + 1, int32_t),
        .points = coif_arena_new(arena, points, coif_vec4),
        .root_uv = coif_arena_new(arena, 2 * (int64_t)strands, float),
    };
    memcpy(all->first, groom->rest.first, ((size_t)strands + 1) * sizeof *all->first);
    memcpy(all->root_uv, groom->rest.root_uv, 2 * (size_t)strands * sizeof *all->root_uv);
    if (work->simulated->velocities != NULL) {
        all->velocities = coif_arena_new(arena, points, coif_vec3);
    }
    if (work->simulated->colors != NULL || groom->rest.colors != NULL) {
        all->colors = coif_arena_new(arena, points, coif_vec3);
    }
}

static coif_status run(interpolation *work, coif_arena *scratch, coif_jobs *jobs, coif_error *error)
{
    const coif_groom *groom = work->groom;
    const int32_t strands = groom->rest.strand_count;
    work->simulated_index = coif_arena_new(scratch, strands, int32_t);
    memset(work->simulated_index, -1, (size_t)strands * sizeof *work->simulated_index);
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        work->simulated_index[groom->simulated[i]] = i;
    }
    if (groom->simulated_count < strands) {
        COIF_TRY(check_body(work, error));
        work->displacements = coif_arena_new(scratch, work->simulated->point_count, coif_vec3);
        coif_parallel_for(jobs, groom->simulated_count, STRANDS_PER_JOB, measure_displacements,
                          work);
    }
    coif_parallel_for(jobs, strands, STRANDS_PER_JOB, interpolate_strands, work);
    return COIF_OK;
}

coif_status coif_interpolate_children(coif_strands *all, const coif_strands *simulated,
                                      const coif_groom *groom, const coif_mesh *body,
                                      coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    interpolation work = {.all = all,
                          .simulated = simulated,
                          .groom = groom,
                          .body = body,
                          .rest = simulated->rest != NULL ? simulated->rest : groom->rest.points};
    COIF_TRY(check_shape(&work, error));
    allocate(&work, arena);
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    const coif_status status = run(&work, arena, jobs, error);
    coif_arena_rewind(arena, mark);
    return status;
}

static void pose_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const interpolation *work = context;
    const coif_strands *rest = &work->groom->rest;
    for (int32_t strand = (int32_t)begin; strand < end; ++strand) {
        const root_motion motion = motion_of_root(work, strand);
        for (int32_t k = rest->first[strand]; k < rest->first[strand + 1]; ++k) {
            const coif_vec3 position = transform(&motion, work->rest[k]);
            work->all->points[k] = (coif_vec4){position.x, position.y, position.z, work->rest[k].w};
        }
    }
}

coif_status coif_pose_rest_strands(coif_strands *all, const coif_groom *groom,
                                   const coif_mesh *body, coif_arena *arena, coif_jobs *jobs,
                                   coif_error *error)
{
    const coif_strands none = {0};
    interpolation work = {
        .all = all, .simulated = &none, .groom = groom, .body = body, .rest = groom->rest.points};
    COIF_TRY(check_body(&work, error));
    allocate(&work, arena);
    if (all->colors != NULL) {
        memcpy(all->colors, groom->rest.colors, sizeof *all->colors * (size_t)all->point_count);
    }
    coif_parallel_for(jobs, groom->rest.strand_count, STRANDS_PER_JOB, pose_strands, &work);
    return COIF_OK;
}
