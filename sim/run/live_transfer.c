// live, following: hair of other strands goes on where strands that grew beside it are.
#include "core/base/error.h"
#include "sim/run/live_session_internal.h"

#include <string.h>

// All strands of before, and those of live that are simulated.
typedef struct following {
    const coif_live *before;
    coif_strands from;    // as they are
    const coif_vec4 *was; // their points at rest
    int32_t *simulated;   // which of the simulated strands each of them is, -1: none
    float *from_state;    // of their method, NULL: it is another
    coif_live *live;
    coif_vec3 *places, *velocities; // to be written: first as live stands
    float *state;
} following;

static coif_vec3 place_of(const coif_vec4 *point)
{
    return coif_vec3_of(point->x, point->y, point->z);
}

// The strand of before that grows nearest; fewer strands of a groom are mostly the first of many.
static int32_t nearest_strand(const following *all, int32_t strand)
{
    const coif_groom *groom = &all->live->groom;
    const coif_vec3 root = place_of(&groom->rest.points[groom->rest.first[strand]]);
    int32_t best = 0;
    float least = INFINITY;
    for (int32_t k = -1; k < all->from.strand_count; ++k) {
        const int32_t s = k < 0 ? strand : k;
        if (s >= all->from.strand_count) {
            continue;
        }
        const coif_vec3 away = coif_sub(place_of(&all->was[all->from.first[s]]), root);
        const float distance = coif_dot(away, away);
        if (distance < least) {
            least = distance;
            best = s;
        }
        if (least == 0.0f) {
            break;
        }
    }
    return best;
}

static float length_of(const coif_vec4 *points, int32_t count)
{
    float length = 0.0f;
    for (int32_t i = 0; i + 1 < count; ++i) {
        length += coif_length(coif_sub(place_of(&points[i + 1]), place_of(&points[i])));
    }
    return length;
}

// Frames and twists go on where the strand is the same and both are simulated.
static void take_state(const following *all, int32_t simulated, int32_t other)
{
    const coif_solver *to = &all->live->solver.core;
    const coif_solver *from = &all->before->solver.core;
    const int32_t its = all->simulated[other];
    const int32_t count = to->first_point[simulated + 1] - to->first_point[simulated];
    if (all->from_state == NULL || its < 0 ||
        from->first_point[its + 1] - from->first_point[its] != count) {
        return;
    }
    const int64_t rows = coif_solver_state_rows(to);
    memcpy(all->state + rows * to->first_point[simulated],
           all->from_state + rows * from->first_point[its], sizeof(float) * (size_t)(rows * count));
}

// Takes the shape of another strand, from its own root on and as long as it is itself.
static void take_shape(const following *all, int32_t simulated)
{
    const coif_live *live = all->live;
    const coif_groom *groom = &live->groom;
    const int32_t strand = groom->simulated[simulated];
    const int32_t other = nearest_strand(all, strand);
    const int32_t from = all->from.first[other];
    const int32_t other_count = all->from.first[other + 1] - from;
    const int32_t to = live->solver.core.first_point[simulated];
    const int32_t count = live->solver.core.first_point[simulated + 1] - to;
    const float own = length_of(&groom->rest.points[groom->rest.first[strand]], count);
    const float its = length_of(&all->was[from], other_count);
    const float scale = own > 0.0f && its > 0.0f ? own / its : 1.0f;
    const coif_vec3 root = all->places[to];
    const coif_vec3 other_root = place_of(&all->from.points[from]);
    for (int32_t k = 1; k < count; ++k) {
        const float at = (float)k / (float)(count - 1) * (float)(other_count - 1);
        const int32_t i = at < (float)(other_count - 2) ? (int32_t)at : other_count - 2;
        const float share = at - (float)i;
        const coif_vec3 point = coif_lerp(place_of(&all->from.points[from + i]),
                                          place_of(&all->from.points[from + i + 1]), share);
        all->places[to + k] = coif_mad(root, scale, coif_sub(point, other_root));
        all->velocities[to + k] =
            coif_lerp(all->from.velocities[from + i], all->from.velocities[from + i + 1], share);
    }
    const coif_vec3 between = coif_sub(place_of(&all->was[from]),
                                       place_of(&groom->rest.points[groom->rest.first[strand]]));
    if (coif_dot(between, between) == 0.0f) {
        take_state(all, simulated, other);
    }
}

static void read_states(following *all, coif_arena *scratch)
{
    const coif_groom *groom = &all->before->groom;
    const coif_solver *from = &all->before->solver.core;
    const coif_solver *to = &all->live->solver.core;
    all->simulated = coif_arena_new(scratch, all->from.strand_count, int32_t);
    for (int32_t s = 0; s < all->from.strand_count; ++s) {
        all->simulated[s] = -1;
    }
    for (int32_t s = 0; s < groom->simulated_count; ++s) {
        all->simulated[groom->simulated[s]] = s;
    }
    const int64_t rows = coif_solver_state_rows(to);
    all->state = coif_arena_new(
        scratch, rows * to->first_point[all->live->groom.simulated_count] + 1, float);
    coif_solver_get_state(to, all->state);
    if (from->method == to->method && rows > 0) {
        all->from_state =
            coif_arena_new(scratch, rows * from->first_point[groom->simulated_count] + 1, float);
        coif_solver_get_state(from, all->from_state);
    }
}

static void take_shapes(following *all, coif_arena *scratch)
{
    coif_solver *solver = &all->live->solver.core;
    const int32_t points = solver->first_point[all->live->groom.simulated_count];
    all->places = coif_arena_new(scratch, points + 1, coif_vec3);
    all->velocities = coif_arena_new(scratch, points + 1, coif_vec3);
    coif_solver_get_points(solver, all->places, all->velocities);
    read_states(all, scratch);
    for (int32_t s = 0; s < all->live->groom.simulated_count; ++s) {
        take_shape(all, s);
    }
    coif_solver_set_points(solver, all->places, all->velocities);
    coif_solver_set_state(solver, all->state);
}

coif_status coif_live_transfer_from(coif_live *live, const coif_live *before, bool in_hand,
                                    coif_error *error)
{
    const coif_groom *groom = &before->regrow.now;
    coif_arena scratch;
    coif_arena_init(&scratch, "live follow");
    following all = {.before = before, .was = groom->rest.points, .live = live};
    coif_status status = coif_live_get_points(&all.from, before, &scratch, error);
    if (status == COIF_OK && all.from.strand_count > 0) {
        live->frame = before->frame;
        live->time = before->time;
        live->grabbed = in_hand ? before->grabbed : live->grabbed;
        status = coif_live_hold_pose(live, error);
    }
    if (status == COIF_OK && all.from.strand_count > 0) {
        take_shapes(&all, &scratch);
        // The solver was built with hair of the first frame.
        status = live->grows ? coif_groom_animation_to(&live->regrow, live->frame, true,
                                                       live->shot.jobs, error)
                             : COIF_OK;
    }
    coif_arena_free(&scratch);
    return status;
}
