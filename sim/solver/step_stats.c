#include "sim/solver/step_stats.h"

#include <math.h>

// Segments shorter than this are not measured, m.
static const float MIN_LENGTH = 1e-6f;

void coif_step_stats_add(coif_step_stats *all, const coif_step_stats *more)
{
    all->reset_strands += more->reset_strands;
    all->not_finite += more->not_finite;
    for (int i = 0; i < COIF_DIVERGED_CAUSES; ++i) {
        all->causes[i] += more->causes[i];
    }
    all->body_speed = fmaxf(all->body_speed, more->body_speed);
    all->wind_speed = fmaxf(all->wind_speed, more->wind_speed);
    all->force_accel = fmaxf(all->force_accel, more->force_accel);
    all->contacts += more->contacts;
    all->stretch = fmaxf(all->stretch, more->stretch);
}

static float stretch_of(const coif_strand_block *block, int64_t at)
{
    const int64_t next = at + block->lanes;
    const coif_vec3 d = {block->pos.x[next] - block->pos.x[at],
                         block->pos.y[next] - block->pos.y[at],
                         block->pos.z[next] - block->pos.z[at]};
    const float rest = block->rest_length[at];
    return rest > MIN_LENGTH ? fabsf(coif_length(d) - rest) / rest : 0.0f;
}

void coif_step_stats_measure(coif_step_stats *stats, const coif_strand_block *block,
                             const coif_solver_scratch *scratch)
{
    for (int32_t k = 0; k < block->length; ++k) {
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            const int64_t at = (int64_t)k * block->lanes + lane;
            stats->contacts += scratch->has_contacts && scratch->normal_push[at] > 0.0f;
            if (k + 1 < block->length) {
                stats->stretch = fmaxf(stats->stretch, stretch_of(block, at));
            }
        }
    }
}

bool coif_step_stats_is_finite(const coif_strand_block *block, int32_t lane)
{
    for (int32_t k = 0; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const float sum = block->pos.x[at] + block->pos.y[at] + block->pos.z[at] +
                          block->vel.x[at] + block->vel.y[at] + block->vel.z[at];
        if (!isfinite(sum)) {
            return false;
        }
    }
    return true;
}
