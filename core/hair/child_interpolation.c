#include "core/hair/child_interpolation.h"

#include "core/base/arena.h"
#include "core/base/error.h"
#include "core/base/jobs.h"

#include <string.h>

enum { STRANDS_PER_JOB = 256 };

typedef struct expansion {
    coif_strands *all;
    const coif_strands *simulated;
    const coif_groom *groom;
    const coif_mesh *body;
    const coif_vec4 *rest; // points of all strands at rest
    coif_vec3 *departures; // per simulated point
    int32_t *place;        // per strand: its simulated index, -1 for a child
} expansion;

// Where a root stands now and how its scalp has turned since rest.
typedef struct root_motion {
    coif_vec3 from, to;
    coif_mat3 rest, posed; // rows: tangent, bitangent, normal
} root_motion;

static root_motion motion_of_root(const expansion *work, int32_t strand)
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

static coif_vec3 turn(const root_motion *motion, coif_vec3 direction)
{
    const coif_vec3 local = coif_mat3_apply(&motion->rest, direction);
    return coif_mat3_apply_transposed(&motion->posed, local);
}

static coif_vec3 carry(const root_motion *motion, coif_vec4 point)
{
    const coif_vec3 arm = coif_sub(coif_vec4_xyz(point), motion->from);
    return coif_add(motion->to, turn(motion, arm));
}

static void measure_departures(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const expansion *work = context;
    const coif_strands *rest = &work->groom->rest;
    for (int32_t i = (int32_t)begin; i < end; ++i) {
        const int32_t strand = work->groom->simulated[i];
        const root_motion motion = motion_of_root(work, strand);
        const coif_vec4 *rest_points = work->rest + rest->first[strand];
        const int32_t first = work->simulated->first[i];
        for (int32_t k = 0; k < coif_strands_length(work->simulated, i); ++k) {
            const coif_vec3 now = coif_vec4_xyz(work->simulated->points[first + k]);
            work->departures[first + k] = coif_sub(now, carry(&motion, rest_points[k]));
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

// Walks along a guide at rest as a child walks along itself, both by share of length.
typedef struct guide_walk {
    const coif_vec4 *rest; // of the guide
    int32_t count, first;  // its points; where they begin among the simulated ones
    float weight;
    float length; // of the guide
    int32_t k;    // the segment it is on
    float walked; // length before that segment
    bool in_step; // as many points as the child: point k follows point k
} guide_walk;

static int32_t meet_guides(guide_walk *walks, const expansion *work, int32_t strand)
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
        const bool in_step =
            points == coif_strands_length(&groom->rest, strand) && groom->clump_scale == NULL;
        walks[count++] = (guide_walk){
            .rest = rest,
            .count = points,
            .first = work->simulated->first[guide],
            .weight = groom->guide_weights[COIF_GUIDES_PER_CHILD * (size_t)strand + (size_t)i],
            .length = in_step ? 0.0f : total_length(rest, points),
            .in_step = in_step,
        };
    }
    return count;
}

// The point of the guide that belongs to point k of the child, at that share of its length: index
// among the simulated points, and how far it is on the way to the next one.
static int32_t step_to(guide_walk *walk, int32_t k, float share, float *on_the_way)
{
    *on_the_way = 0.0f;
    if (walk->in_step) {
        return walk->first + k;
    }
    const float wanted = share * walk->length;
    float length = segment(walk->rest, walk->k);
    while (walk->k + 2 < walk->count && walk->walked + length < wanted) {
        walk->walked += length;
        ++walk->k;
        length = segment(walk->rest, walk->k);
    }
    const float walked = wanted - walk->walked;
    *on_the_way = length > 0.0f ? coif_clamp(walked / length, 0.0f, 1.0f) : 0.0f;
    return walk->first + walk->k;
}

// What is taken from the guides for one point of a child.
typedef struct guidance {
    coif_vec3 departure, velocity, color;
} guidance;

static coif_vec3 between(const coif_vec3 *values, int32_t at, float on_the_way)
{
    return on_the_way > 0.0f ? coif_lerp(values[at], values[at + 1], on_the_way) : values[at];
}

static guidance follow(const expansion *work, guide_walk *walks, int32_t count, int32_t k,
                       float share)
{
    guidance lead = {0};
    for (int32_t i = 0; i < count; ++i) {
        float on_the_way;
        const float w = walks[i].weight;
        const int32_t at = step_to(&walks[i], k, share, &on_the_way);
        lead.departure = coif_mad(lead.departure, w, between(work->departures, at, on_the_way));
        if (work->simulated->velocities != NULL) {
            lead.velocity =
                coif_mad(lead.velocity, w, between(work->simulated->velocities, at, on_the_way));
        }
        if (work->simulated->colors != NULL) {
            lead.color = coif_mad(lead.color, w, between(work->simulated->colors, at, on_the_way));
        }
    }
    return lead;
}

static void store_lead(const coif_strands *all, int32_t point, const guidance *lead,
                       const coif_vec3 *own_colors)
{
    if (all->velocities != NULL) {
        all->velocities[point] = lead->velocity;
    }
    if (all->colors != NULL) {
        all->colors[point] = own_colors != NULL ? own_colors[point] : lead->color;
    }
}

static void expand_child(const expansion *work, int32_t strand)
{
    const coif_strands *rest = &work->groom->rest;
    const int32_t first = rest->first[strand], count = coif_strands_length(rest, strand);
    const coif_vec4 *own = work->rest + first;
    const float length = total_length(own, count);
    const root_motion motion = motion_of_root(work, strand);
    guide_walk walks[COIF_GUIDES_PER_CHILD];
    const int32_t walk_count = meet_guides(walks, work, strand);
    const float *clone =
        work->groom->clump_scale != NULL ? work->groom->clump_scale + 2 * (size_t)strand : NULL;

    coif_vec3 bent_before = {0}, placed = {0};
    float walked = 0.0f;
    for (int32_t k = 0; k < count; ++k) {
        const float rest_length = k > 0 ? segment(own, k - 1) : 0.0f;
        walked += rest_length;
        const float share = length > 0.0f ? walked / length : 0.0f;
        const float reach = clone != NULL ? fminf(share * clone[1], 1.0f) : share;
        guidance lead = follow(work, walks, walk_count, k, reach);
        lead.departure = clone != NULL ? coif_scale(lead.departure, clone[0]) : lead.departure;
        const coif_vec3 bent = coif_add(carry(&motion, own[k]), lead.departure);
        const coif_vec3 way = coif_sub(bent, bent_before);
        const float way_length = coif_length(way);
        if (k == 0) {
            placed = motion.to;
        } else if (way_length > 0.0f) {
            placed = coif_mad(placed, rest_length / way_length, way);
        } else {
            // The guides squeezed it to nothing: its own direction is as good as any.
            const coif_vec3 edge = coif_sub(coif_vec4_xyz(own[k]), coif_vec4_xyz(own[k - 1]));
            placed = coif_add(placed, turn(&motion, edge));
        }
        bent_before = bent;
        work->all->points[first + k] = (coif_vec4){placed.x, placed.y, placed.z, own[k].w};
        store_lead(work->all, first + k, &lead, rest->colors);
    }
}

static void copy_strand(const expansion *work, int32_t strand, int32_t i)
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

static void expand_strands(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const expansion *work = context;
    for (int32_t strand = (int32_t)begin; strand < end; ++strand) {
        if (work->place[strand] >= 0) {
            copy_strand(work, strand, work->place[strand]);
        } else {
            expand_child(work, strand);
        }
    }
}

static coif_status check_shape(const expansion *work, coif_error *error)
{
    const coif_groom *groom = work->groom;
    bool same = work->simulated->strand_count == groom->simulated_count;
    for (int32_t i = 0; same && i < groom->simulated_count; ++i) {
        same = coif_strands_length(work->simulated, i) ==
               coif_strands_length(&groom->rest, groom->simulated[i]);
    }
    if (!same) {
        return coif_fail(error, COIF_ERR_ARGUMENT,
                         "expand: %d strands are not the %d the groom simulates",
                         work->simulated->strand_count, groom->simulated_count);
    }
    return COIF_OK;
}

static coif_status check_body(const expansion *work, coif_error *error)
{
    const coif_groom *groom = work->groom;
    if (work->body == NULL || coif_mesh_topology_digest(work->body) != groom->mesh_digest) {
        return coif_fail(error, COIF_ERR_SCENE,
                         "the body of this scene is not the one the groom grew on: %s",
                         work->body == NULL ? "there is none" : "its triangles differ");
    }
    for (int32_t s = 0; s < groom->rest.strand_count; ++s) {
        if (groom->root_triangle[s] >= work->body->triangle_count) {
            return coif_fail(error, COIF_ERR_FORMAT, "strand %d grows on triangle %d of %d", s,
                             groom->root_triangle[s], work->body->triangle_count);
        }
    }
    return COIF_OK;
}

static void make_room(expansion *work, coif_arena *arena)
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

static coif_status expand(expansion *work, coif_arena *scratch, coif_jobs *jobs, coif_error *error)
{
    const coif_groom *groom = work->groom;
    const int32_t strands = groom->rest.strand_count;
    work->place = coif_arena_new(scratch, strands, int32_t);
    memset(work->place, -1, (size_t)strands * sizeof *work->place);
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        work->place[groom->simulated[i]] = i;
    }
    if (groom->simulated_count < strands) {
        COIF_TRY(check_body(work, error));
        work->departures = coif_arena_new(scratch, work->simulated->point_count, coif_vec3);
        coif_parallel_for(jobs, groom->simulated_count, STRANDS_PER_JOB, measure_departures, work);
    }
    coif_parallel_for(jobs, strands, STRANDS_PER_JOB, expand_strands, work);
    return COIF_OK;
}

coif_status coif_interpolate_children(coif_strands *all, const coif_strands *simulated,
                                      const coif_groom *groom, const coif_mesh *body,
                                      coif_arena *arena, coif_jobs *jobs, coif_error *error)
{
    expansion work = {.all = all,
                      .simulated = simulated,
                      .groom = groom,
                      .body = body,
                      .rest = simulated->rest != NULL ? simulated->rest : groom->rest.points};
    COIF_TRY(check_shape(&work, error));
    make_room(&work, arena);
    const coif_arena_mark mark = coif_arena_mark_here(arena);
    const coif_status status = expand(&work, arena, jobs, error);
    coif_arena_rewind(arena, mark);
    return status;
}
