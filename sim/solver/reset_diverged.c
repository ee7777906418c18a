#include "sim/solver/reset_diverged.h"

#include <math.h>

// A point faster than this (m/s), or farther from its root than so many strand lengths, has
// diverged.
static const float MAX_SPEED = 300.0f;
static const float MAX_DISTANCE = 3.0f;

static float length_of(const coif_strand_block *block, int32_t lane)
{
    float length = 0.0f;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        length += block->rest_length[(int64_t)k * block->lanes + lane];
    }
    return length;
}

static bool has_diverged(const coif_strand_block *block, int32_t lane)
{
    const float length = length_of(block, lane);
    const float max2 = MAX_DISTANCE * MAX_DISTANCE * length * length;
    const coif_vec3 root = coif_soa3_get(&block->pos, lane);
    for (int32_t k = 0; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const coif_vec3 away = coif_sub(coif_soa3_get(&block->pos, at), root);
        const coif_vec3 v = coif_soa3_get(&block->vel, at);
        // Written so that NaN fails.
        if (!(coif_dot(away, away) <= max2) || !(coif_dot(v, v) <= MAX_SPEED * MAX_SPEED)) {
            return true;
        }
    }
    return false;
}

static void reset_strand(coif_strand_block *block, int32_t lane, double seconds)
{
    const float rate = (float)(1.0 / seconds);
    for (int32_t k = 0; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const coif_vec3 moved = coif_sub(coif_strand_block_target(block, block->root_end, at),
                                         coif_strand_block_target(block, block->root_begin, at));
        const coif_vec3 backup = coif_soa3_get(&block->pos_backup, at);
        coif_soa3_set(&block->pos, at, coif_add(backup, moved));
        coif_soa3_set(&block->vel, at, coif_scale(moved, rate));
    }
    for (int64_t at = lane; at < (int64_t)block->state_rows * block->length * block->lanes;
         at += block->lanes) {
        block->state[at] = block->state_backup[at];
    }
}

static float largest(float a, coif_vec3 b)
{
    const float size = coif_length(b);
    return size > a ? size : a; // NaN is not larger
}

static coif_vec3 root_at(const coif_strand_block *block, const float *rows, int32_t lane)
{
    return coif_vec3_of(rows[lane], rows[block->lanes + lane], rows[2 * block->lanes + lane]);
}

// What moves a point by more than a strand length in a substep, or roots by more than half of one.
// Without a final length pass a strand in contact has rather stretched than been squeezed.
static int likely_cause(const coif_strand_block *block, int32_t lane,
                        const coif_solver_scratch *scratch, const coif_solver_params *params,
                        double seconds, coif_step_stats *stats)
{
    const float length = length_of(block, lane);
    const float h = (float)(seconds / params->substeps);
    const coif_vec3 moved =
        coif_sub(root_at(block, block->root_end, lane), root_at(block, block->root_begin, lane));
    const float speed = coif_length(moved) / (float)seconds;
    float wind = 0.0f, force = 0.0f, interaction = 0.0f;
    bool touches = false;
    for (int32_t k = 0; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        wind = largest(wind, coif_soa3_get(&scratch->wind, at));
        force = largest(force, coif_add(coif_soa3_get(&scratch->accel, at), params->gravity));
        if (block->interaction_accel.x != NULL) {
            interaction = largest(interaction, coif_soa3_get(&block->interaction_accel, at));
        }
        touches |= scratch->has_contacts && scratch->normal_push[at] > 0.0f;
    }
    stats->body_speed = fmaxf(stats->body_speed, speed);
    stats->wind_speed = fmaxf(stats->wind_speed, wind);
    stats->force_accel = fmaxf(stats->force_accel, force);
    return speed > MAX_SPEED || speed * h > 0.5f * length             ? COIF_DIVERGED_BODY
           : wind > MAX_SPEED                                         ? COIF_DIVERGED_WIND
           : interaction * h * h > length                             ? COIF_DIVERGED_INTERACTION
           : force * h * h > length                                   ? COIF_DIVERGED_FORCE
           : touches && params->length_constraint != COIF_LENGTH_NONE ? COIF_DIVERGED_CONTACT
                                                                      : COIF_DIVERGED_SOLVER;
}

void coif_reset_diverged_strands(coif_strand_block *block, const coif_solver_scratch *scratch,
                                 const coif_solver_params *params, double seconds,
                                 coif_step_stats *stats)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        if (has_diverged(block, lane)) {
            const bool counts = lane < block->strand_count;
            stats->not_finite += counts && !coif_step_stats_is_finite(block, lane);
            stats->reset_strands += counts;
            if (counts) {
                ++stats->causes[likely_cause(block, lane, scratch, params, seconds, stats)];
            }
            reset_strand(block, lane, seconds);
        }
    }
}
