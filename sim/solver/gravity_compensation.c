#include "sim/solver/gravity_compensation.h"

#include "core/base/arena.h"

#include <math.h>
#include <string.h>

// Dead loads grow to this many times the weight of a point and no further, about: a long strand
// that turns down after standing off would need more, and gets less tension instead.
static const float MOST_LOAD = 3.0f;

// Tension acts from the begin of a substep, so (omega h)^2 of what it makes swing has to stay well
// below 4. Smoothing leaves at most 0.065 of the 4 q w that a chain has; few points are not
// smoothed as much.
static const float MOST_SWING = 1.0f;
static const float SWING = 0.065f;
static const float SWING_OF_FEW = 4.0f;
enum { FEW = 9 };

void coif_gravity_compensation_init(coif_strand_block *block, coif_arena *arena)
{
    const int64_t floats = (int64_t)block->length * block->lanes;
    float *memory = coif_arena_new(arena, 2 * floats, float);
    block->centreline_tension = memory;
    block->centreline_length = memory + floats;
}

static coif_vec3 row_at(float *const rows[3], int64_t at)
{
    return coif_vec3_of(rows[0][at], rows[1][at], rows[2][at]);
}

// Gravity at a point, with its ramp.
static coif_vec3 weight_at(const coif_strand_block *block, int64_t at, coif_vec3 g)
{
    return block->gravity_ramp != NULL ? coif_scale(g, block->gravity_ramp[at]) : g;
}

static float substep_seconds(const coif_sim_params *params)
{
    const float scale = params->time_scale > 0.0f ? params->time_scale : 1.0f;
    return scale / (params->fps * (float)params->substeps);
}

// Directions of the course, and its lengths in the rows of the block.
static void measure_course(const coif_strand_block *block, const coif_solver_scratch *scratch,
                           int32_t lane)
{
    float *const course[3] = {scratch->centreline.x, scratch->centreline.y, scratch->centreline.z};
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        if (block->inv_mass[at + block->lanes] == 0.0f) {
            continue; // nothing hangs there
        }
        const coif_vec3 d = coif_sub(row_at(course, at + block->lanes), row_at(course, at));
        const coif_vec3 along = coif_normalize(d);
        block->centreline_length[at] = coif_length(d);
        scratch->tangent.x[at] = along.x;
        scratch->tangent.y[at] = along.y;
        scratch->tangent.z[at] = along.z;
    }
}

// The most that each segment may pull, from root to tip: as steps allow, and so that neither a turn
// of the course nor the end of a limit needs a larger load. In the rows of lambda.
static void limit_pulls(const coif_strand_block *block, const coif_solver_scratch *scratch,
                        int32_t lane, float h, float weight)
{
    float *const along[3] = {scratch->tangent.x, scratch->tangent.y, scratch->tangent.z};
    const float swing = block->length >= FEW ? SWING : SWING_OF_FEW;
    const float more = (MOST_LOAD - 1.0f) * weight;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const float light = fmaxf(block->inv_mass[at], block->inv_mass[at + block->lanes]);
        float most =
            MOST_SWING * block->centreline_length[at] / (swing * h * h * fmaxf(light, 1e-6f));
        if (k > 0 && block->inv_mass[at] > 0.0f) {
            const coif_vec3 before = row_at(along, at - block->lanes);
            const coif_vec3 here = row_at(along, at);
            const float cosine = coif_dot(before, here);
            const float sine = cosine > 0.0f ? coif_length(coif_mad(here, -cosine, before)) : 1.0f;
            most = fminf(most, more / (block->inv_mass[at] * fmaxf(sine, 1e-6f)));
            most = fminf(most, scratch->lambda[at - block->lanes] + more / block->inv_mass[at]);
        }
        scratch->lambda[at] = most;
    }
}

// From the tip to the root: the load of a point is its weight and the pull of the segment below;
// the segment above takes the part along itself.
//
//   load_k = m_k g + T_k d_k      T_k-1 = max(0, load_k . d_k-1)
static void fill_pulls(const coif_strand_block *block, const coif_solver_scratch *scratch,
                       int32_t lane, coif_vec3 g)
{
    float *const along[3] = {scratch->tangent.x, scratch->tangent.y, scratch->tangent.z};
    coif_vec3 pull = {0.0f, 0.0f, 0.0f};
    for (int32_t k = block->length - 1; k >= 1; --k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const int64_t above = at - block->lanes;
        if (block->inv_mass[at] == 0.0f) {
            break;
        }
        const coif_vec3 load = coif_mad(pull, 1.0f / block->inv_mass[at], weight_at(block, at, g));
        const float wanted = fmaxf(coif_dot(load, row_at(along, above)), 0.0f);
        const float tension = fminf(wanted, scratch->lambda[above]);
        pull = coif_scale(row_at(along, above), tension);
        block->centreline_tension[above] = tension / fmaxf(block->centreline_length[above], 1e-9f);
    }
}

// What is left after tension, as the kernel itself has it.
static void fill_loads(const coif_solver_desc *desc, const coif_strand_block *block,
                       const coif_solver_scratch *scratch, int32_t lane, coif_vec3 g)
{
    float *const pushes[3] = {scratch->accel.x, scratch->accel.y, scratch->accel.z};
    coif_mat3 frame;
    memcpy(&frame,
           desc->groom->root_frame + 9 * (int64_t)desc->groom->simulated[block->strands[lane]],
           sizeof frame);
    for (int32_t k = 1; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const coif_vec3 left = coif_add(weight_at(block, at, g), row_at(pushes, at));
        const coif_vec3 load = coif_mat3_apply(&frame, coif_scale(left, -1.0f));
        const bool held = block->inv_mass[at] == 0.0f;
        block->support_accel.x[at] = held ? 0.0f : load.x;
        block->support_accel.y[at] = held ? 0.0f : load.y;
        block->support_accel.z[at] = held ? 0.0f : load.z;
    }
}

void coif_gravity_compensation_fill(const coif_solver_desc *desc, const coif_kernels *kernels,
                                    const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const coif_sim_params *params = desc->params;
    const size_t bytes = sizeof(float) * (size_t)block->length * (size_t)block->lanes;
    memset(block->centreline_tension, 0, bytes);
    // Without a clamp, or held at both ends, there is nothing that the rest shape could carry.
    if (!coif_solver_supports(desc)) {
        return;
    }
    const float *const places[3] = {scratch->target.x, scratch->target.y, scratch->target.z};
    coif_vec3 borne[COIF_LANES_MOST];
    kernels->smooth_centreline(block, scratch, places);
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const float share =
            params->gravity_compensation *
            coif_param_fields_strand(desc->vary, COIF_FIELD_SUPPORT, block->strands[lane]);
        borne[lane] = coif_scale(coif_param_fields_vector(desc->vary, COIF_FIELD_GRAVITY,
                                                          params->gravity, block->strands[lane]),
                                 share);
        measure_course(block, scratch, lane);
        limit_pulls(block, scratch, lane, substep_seconds(params), coif_length(borne[lane]));
        fill_pulls(block, scratch, lane, borne[lane]);
    }
    memset(scratch->accel.x, 0, bytes);
    memset(scratch->accel.y, 0, bytes);
    memset(scratch->accel.z, 0, bytes);
    kernels->apply_gravity_compensation(block, scratch, places);
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        fill_loads(desc, block, scratch, lane, borne[lane]);
    }
}
