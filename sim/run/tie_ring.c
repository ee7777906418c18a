#include "sim/run/tie_ring.h"

#include "core/base/arena.h"
#include "core/base/vec3d.h"

// Rates of the springs times the substep. A spring adds rate (2 + rate) to the mass of its point,
// which a body carries; a ring without a body is as much heavier.
static const double BODY_RATE = 3.0, FREE_RATE = 1.0;

// Largest multiplier, m: of points out of reach.
static const float MAX_MULTIPLIER = 0.05f;

// Steps of the gradient descent to the centre, a convex problem.
enum { CENTRE_STEPS = 24 };

coif_tie_point *coif_tie_find_points(const coif_constraint_points *points, coif_solver *solver,
                                     coif_arena *arena, coif_jobs *jobs)
{
    const coif_solver_view view = coif_solver_view_of(solver, jobs);
    const int32_t *first = coif_solver_first_point(solver);
    coif_tie_point *found = coif_arena_new(arena, points->count, coif_tie_point);
    coif_tie_point *roots = coif_arena_new(arena, coif_solver_strand_count(solver), coif_tie_point);
    for (int32_t b = 0; b < view.block_count; ++b) {
        for (int32_t lane = 0; lane < view.blocks[b].strand_count; ++lane) {
            roots[view.blocks[b].strands[lane]] = (coif_tie_point){.block = b, .element = lane};
        }
    }
    for (int32_t i = 0; i < points->count; ++i) {
        const int32_t strand = points->strands[i];
        const int32_t point = points->points[i];
        const int32_t lanes = view.blocks[roots[strand].block].lanes;
        const int32_t at = roots[strand].element + (point - first[strand]) * lanes;
        found[i] = (coif_tie_point){.block = roots[strand].block,
                                    .element = at,
                                    .before = point > first[strand] ? at - lanes : at,
                                    .after = point + 1 < first[strand + 1] ? at + lanes : at};
    }
    return found;
}

float coif_tie_strength(float strength, bool has_body, double substep_seconds, double frame_seconds)
{
    const double rate = (has_body ? BODY_RATE : FREE_RATE) * frame_seconds / substep_seconds;
    return fminf(strength, (float)(rate / (1.0 + rate)));
}

static void add(coif_vec3d *sum, coif_vec3 a)
{
    *sum = coif_vec3d_add(*sum, (coif_vec3d){a.x, a.y, a.z});
}

static coif_vec3 mean_of(coif_vec3d sum, int32_t count)
{
    return coif_vec3_of((float)(sum.x / count), (float)(sum.y / count), (float)(sum.z / count));
}

static coif_vec3 position_of(const coif_tie *tie, const coif_strand_block *blocks, int32_t i)
{
    return coif_soa3_get(&blocks[tie->points[i].block].pos, tie->points[i].element);
}

// Displaced position of a point beyond the radius of the ring.
static coif_vec3 excess(const coif_tie *tie, const coif_tie_ring *ring, coif_vec3 position,
                        int32_t i)
{
    coif_vec3 y = coif_add(coif_sub(position, ring->centre), tie->multipliers[i]);
    const float along = tie->slide ? coif_dot(y, ring->axis) : tie->local[i].x;
    y = coif_mad(y, -along, ring->axis);
    const float length = coif_length(y);
    return length > tie->radius
               ? coif_scale(y, fminf(length - tie->radius, MAX_MULTIPLIER) / length)
               : coif_vec3_of(0.0f, 0.0f, 0.0f);
}

void coif_tie_update(const coif_tie *tie, const coif_strand_block *blocks,
                     const coif_tie_ring *ring, int32_t point)
{
    tie->multipliers[point] = excess(tie, ring, position_of(tie, blocks, point), point);
}

// Moves the centre to where the excesses have no sum: there the sum of their squares, of which it
// is the gradient, is least.
static void balance(const coif_tie *tie, const coif_strand_block *blocks, coif_tie_ring *ring)
{
    for (int step = 0; step < CENTRE_STEPS; ++step) {
        coif_vec3d sum = {0};
        for (int32_t i = 0; i < tie->count; ++i) {
            add(&sum, excess(tie, ring, position_of(tie, blocks, i), i));
        }
        ring->centre = coif_add(ring->centre, mean_of(sum, tie->count));
    }
}

coif_tie_ring coif_tie_update_free(const coif_tie *tie, const coif_strand_block *blocks,
                                   coif_vec3 gravity, double seconds)
{
    coif_vec3d centre = {0}, velocity = {0}, axis = {0};
    for (int32_t i = 0; i < tie->count; ++i) {
        const coif_tie_point *p = &tie->points[i];
        const coif_strand_block *block = &blocks[p->block];
        add(&centre, position_of(tie, blocks, i));
        add(&velocity, coif_soa3_get(&block->vel, p->element));
        add(&axis,
            coif_sub(coif_soa3_get(&block->pos, p->after), coif_soa3_get(&block->pos, p->before)));
    }
    const float h = (float)seconds;
    coif_tie_ring ring = {.centre = mean_of(centre, tie->count),
                          .axis = coif_normalize(mean_of(axis, tie->count))};
    ring.displacement = coif_scale(coif_mad(mean_of(velocity, tie->count), h, gravity), h);
    balance(tie, blocks, &ring);
    for (int32_t i = 0; i < tie->count; ++i) {
        coif_tie_update(tie, blocks, &ring, i);
    }
    return ring;
}
