#include "sim/solver/step_stats.h"

#include <math.h>

// Shorter segments have no length of their own to be wrong about, metres.
static const float SHORTEST = 1e-6f;

void coif_step_stats_add(coif_step_stats *all, const coif_step_stats *more)
{
    all->healed += more->healed;
    all->not_finite += more->not_finite;
    all->contacts += more->contacts;
    all->stretch = fmaxf(all->stretch, more->stretch);
}

static float stretch_of(const coif_strand_block *block, int64_t at)
{
    const int64_t next = at + block->lanes;
    const coif_vec3 d = {block->x[next] - block->x[at], block->y[next] - block->y[at],
                         block->z[next] - block->z[at]};
    const float rest = block->rest[at];
    return rest > SHORTEST ? fabsf(coif_length(d) - rest) / rest : 0.0f;
}

void coif_step_stats_measure(coif_step_stats *tally, const coif_strand_block *block,
                             const coif_solver_scratch *work)
{
    for (int32_t k = 0; k < block->length; ++k) {
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            const int64_t at = (int64_t)k * block->lanes + lane;
            tally->contacts += work->touching && work->push[at] > 0.0f;
            if (k + 1 < block->length) {
                tally->stretch = fmaxf(tally->stretch, stretch_of(block, at));
            }
        }
    }
}

bool coif_step_stats_is_finite(const coif_strand_block *block, int32_t lane)
{
    for (int32_t k = 0; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const float sum = block->x[at] + block->y[at] + block->z[at] + block->vx[at] +
                          block->vy[at] + block->vz[at];
        if (!isfinite(sum)) {
            return false;
        }
    }
    return true;
}
