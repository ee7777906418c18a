#include "sim/solver/reset_diverged.h"

// A point faster than this (m/s), or farther from its root than so many strand lengths, has
// diverged.
static const float MAX_SPEED = 300.0f;
static const float MAX_DISTANCE = 3.0f;

static bool has_diverged(const coif_strand_block *block, int32_t lane)
{
    float length = 0.0f;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        length += block->rest_length[(int64_t)k * block->lanes + lane];
    }
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

void coif_reset_diverged_strands(coif_strand_block *block, double seconds, coif_step_stats *stats)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        if (has_diverged(block, lane)) {
            const bool counts = lane < block->strand_count;
            stats->not_finite += counts && !coif_step_stats_is_finite(block, lane);
            stats->reset_strands += counts;
            reset_strand(block, lane, seconds);
        }
    }
}
