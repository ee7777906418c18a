#include "sim/solver/gravity_compensation.h"

#include "core/base/arena.h"
#include "sim/solver/solver_internal.h"

#include <math.h>
#include <string.h>

// Approximate limit of dead loads, in weights of a point: a long strand that turns down after
// standing off would need more, and gets less tension instead.
static const float MAX_LOAD = 3.0f;

// Tension is explicit, so (omega h)^2 of the oscillation it drives has to stay well below 4.
// Smoothing leaves at most 0.065 of the 4 q w of a chain; strands of few points are smoothed less.
static const float MAX_OSCILLATION = 1.0f;
static const float SMOOTHED_GAIN = 0.065f;
static const float UNSMOOTHED_GAIN = 4.0f;
enum { MIN_SMOOTHED_POINTS = 9 };

void coif_gravity_compensation_init(coif_strand_block *block, coif_arena *arena)
{
    const int64_t floats = (int64_t)block->length * block->lanes;
    float *memory = coif_arena_new(arena, 2 * floats, float);
    block->support.tension = memory;
    block->support.length = memory + floats;
}

// Gravity at a point, with its ramp.
static coif_vec3 gravity_at(const coif_strand_block *block, int64_t at, coif_vec3 g)
{
    return block->gravity_ramp != NULL ? coif_scale(g, block->gravity_ramp[at]) : g;
}

// Directions and lengths of the centreline segments.
static void measure_centreline(coif_strand_block *block, coif_solver_scratch *scratch, int32_t lane)
{
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        if (block->inv_mass[at + block->lanes] == 0.0f) {
            continue; // pinned
        }
        const coif_vec3 d = coif_sub(coif_soa3_get(&scratch->centreline, at + block->lanes),
                                     coif_soa3_get(&scratch->centreline, at));
        block->support.length[at] = coif_length(d);
        coif_soa3_set(&scratch->tangent, at, coif_normalize(d));
    }
}

// Upper limits of the tensions, from root to tip: for stability, and so that neither a bend of the
// centreline nor the end of a limit needs a larger load.
static void limit_tensions(const coif_strand_block *block, coif_solver_scratch *scratch,
                           int32_t lane, float h, float weight)
{
    float *limit = scratch->tension_limit;
    const float gain = block->length >= MIN_SMOOTHED_POINTS ? SMOOTHED_GAIN : UNSMOOTHED_GAIN;
    const float load = (MAX_LOAD - 1.0f) * weight;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const float w = fmaxf(block->inv_mass[at], block->inv_mass[at + block->lanes]);
        float most = MAX_OSCILLATION * block->support.length[at] / (gain * h * h * fmaxf(w, 1e-6f));
        if (k > 0 && block->inv_mass[at] > 0.0f) {
            const coif_vec3 before = coif_soa3_get(&scratch->tangent, at - block->lanes);
            const coif_vec3 here = coif_soa3_get(&scratch->tangent, at);
            const float cosine = coif_dot(before, here);
            const float sine = cosine > 0.0f ? coif_length(coif_mad(here, -cosine, before)) : 1.0f;
            most = fminf(most, load / (block->inv_mass[at] * fmaxf(sine, 1e-6f)));
            most = fminf(most, limit[at - block->lanes] + load / block->inv_mass[at]);
        }
        limit[at] = most;
    }
}

// From tip to root: the load of a point is its weight and the tension of the segment below; the
// segment above takes the component along itself.
//
//   load_k = m_k g + T_k d_k      T_k-1 = max(0, load_k . d_k-1)
static void fill_tensions(coif_strand_block *block, const coif_solver_scratch *scratch,
                          int32_t lane, coif_vec3 g)
{
    coif_vec3 below = {0.0f, 0.0f, 0.0f};
    for (int32_t k = block->length - 1; k >= 1; --k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const int64_t above = at - block->lanes;
        if (block->inv_mass[at] == 0.0f) {
            break;
        }
        const coif_vec3 along = coif_soa3_get(&scratch->tangent, above);
        const coif_vec3 load =
            coif_mad(below, 1.0f / block->inv_mass[at], gravity_at(block, at, g));
        const float wanted = fmaxf(coif_dot(load, along), 0.0f);
        const float tension = fminf(wanted, scratch->tension_limit[above]);
        below = coif_scale(along, tension);
        block->support.tension[above] = tension / fmaxf(block->support.length[above], 1e-9f);
    }
}

// Dead loads: what tension, as applied by the kernel, leaves of the weight.
static void fill_dead_loads(const coif_solver *solver, coif_strand_block *block,
                            const coif_solver_scratch *scratch, int32_t lane, coif_vec3 g)
{
    const coif_root_pose *root = &solver->rest_frames[block->strands[lane]];
    const coif_mat3 frame = {{root->tangent, root->bitangent, root->normal}};
    for (int32_t k = 1; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const coif_vec3 left =
            coif_add(gravity_at(block, at, g), coif_soa3_get(&scratch->accel, at));
        const coif_vec3 load = coif_mat3_apply(&frame, coif_scale(left, -1.0f));
        const bool pinned = block->inv_mass[at] == 0.0f;
        coif_soa3_set(&block->support.accel, at, pinned ? coif_vec3_of(0.0f, 0.0f, 0.0f) : load);
    }
}

void coif_gravity_compensation_fill(const coif_solver *solver, coif_strand_block *block,
                                    coif_solver_scratch *scratch)
{
    const coif_kernels *kernels = solver->kernels;
    const size_t bytes = sizeof(float) * (size_t)block->length * (size_t)block->lanes;
    memset(block->support.tension, 0, bytes);
    if (!solver->compensates_gravity) {
        return;
    }
    coif_vec3 supported[COIF_MAX_LANES];
    kernels->smooth_centreline(block, scratch, &scratch->target);
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const coif_strand_material *material = &solver->materials[block->strands[lane]];
        supported[lane] = coif_scale(material->gravity, material->gravity_compensation);
        measure_centreline(block, scratch, lane);
        limit_tensions(block, scratch, lane, solver->substep_seconds, coif_length(supported[lane]));
        fill_tensions(block, scratch, lane, supported[lane]);
    }
    memset(scratch->accel.x, 0, bytes);
    memset(scratch->accel.y, 0, bytes);
    memset(scratch->accel.z, 0, bytes);
    kernels->apply_gravity_compensation(block, scratch, &scratch->target);
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        fill_dead_loads(solver, block, scratch, lane, supported[lane]);
    }
}
