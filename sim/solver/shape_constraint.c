// shape_constraint: keeps waves and curls as offsets from a smoothed centreline. Compiled once per
// vector width.
//
// The centreline is a smoothed copy of the strand, and the rest shape is an offset from it at each
// point, in frames parallel-transported along it. Forces move the centreline; this constraint
// restores the offsets, wherever the strand is and however it is rotated: the smoothed reference
// frames of Iben et al. 2013, as a projection. The displacement of a point is balanced by those of
// its neighbours, so the strand as a whole is neither moved nor carried.
#include "core/simd/simd_vec3.h"
#include "sim/solver/constraints_common.h"

// Beyond an end the line is continued by point reflection, so ends and straight lines are
// preserved.
static inline coif_simd sample(const coif_simd *line, int32_t k, int32_t last)
{
    if (k < 0) {
        return 2.0f * line[0] - line[-k];
    }
    if (k > last) {
        return 2.0f * line[last] - line[2 * last - k];
    }
    return line[k];
}

// Average of each point with those a stride away on both sides, weights 1 : 2 : 1.
static inline void average(float *to, const float *from, int32_t length, int32_t stride)
{
    const coif_simd *line = (const coif_simd *)from;
    coif_simd *out = (coif_simd *)to;
    for (int32_t k = 0; k < length; ++k) {
        out[k] = 0.5f * line[k] + 0.25f * (sample(line, k - stride, length - 1) +
                                           sample(line, k + stride, length - 1));
    }
}

// Smoothing with strides 1, 2 and 4 removes wavelengths of 2, 4 and 8 points entirely and most of
// those between; longer ones remain. Begin: first point of the centreline.
static inline void smooth(const coif_strand_block *block, coif_solver_scratch *scratch,
                          const coif_soa3 *from, int32_t begin)
{
    float *const between[3] = {scratch->smoothing.x, scratch->smoothing.y, scratch->smoothing.z};
    float *const to[3] = {scratch->centreline.x, scratch->centreline.y, scratch->centreline.z};
    const float *const lines[3] = {from->x, from->y, from->z};
    const int32_t length = block->length - begin;
    const int64_t skip = (int64_t)begin * COIF_LANES;
    for (int axis = 0; axis < 3; ++axis) {
        float *const ends[2] = {to[axis] + skip, between[axis] + skip};
        const float *line = lines[axis] + skip;
        for (int32_t stride = 1; stride <= 4 && stride < length; stride *= 2) {
            float *out = line == ends[0] ? ends[1] : ends[0];
            average(out, line, length, stride);
            line = out;
        }
        // An even number of strides ends in the intermediate array.
        coif_simd *course = (coif_simd *)ends[0];
        for (int32_t k = 0; line != ends[0] && k < length; ++k) {
            course[k] = ((const coif_simd *)line)[k];
        }
    }
}

// The transpose of sample.
static inline void sample_transposed(coif_simd *line, int32_t k, int32_t last, coif_simd value)
{
    if (k < 0) {
        line[0] += 2.0f * value;
        line[-k] -= value;
    } else if (k > last) {
        line[last] += 2.0f * value;
        line[2 * last - k] -= value;
    } else {
        line[k] += value;
    }
}

// The transpose of average.
static inline void average_transposed(float *to, const float *from, int32_t length, int32_t stride)
{
    const coif_simd *line = (const coif_simd *)from;
    coif_simd *out = (coif_simd *)to;
    for (int32_t k = 0; k < length; ++k) {
        out[k] = 0.5f * line[k];
    }
    for (int32_t k = 0; k < length; ++k) {
        sample_transposed(out, k - stride, length - 1, 0.25f * line[k]);
        sample_transposed(out, k + stride, length - 1, 0.25f * line[k]);
    }
}

// S^T applied to a line: forces on the centreline as forces on the points. Returns a row of
// centreline or smoothing.
static inline const coif_simd *smooth_transposed(const coif_strand_block *block,
                                                 coif_solver_scratch *scratch, const float *line,
                                                 int32_t begin)
{
    const int32_t length = block->length - begin;
    const int64_t skip = (int64_t)begin * COIF_LANES;
    float *const ends[2] = {scratch->centreline.x + skip, scratch->smoothing.x + skip};
    line += skip;
    for (int32_t stride = 4; stride >= 1; stride /= 2) {
        if (stride < length) {
            float *out = line == ends[0] ? ends[1] : ends[0];
            average_transposed(out, line, length, stride);
            line = out;
        }
    }
    return (const coif_simd *)(line - skip);
}

// A frame on the centreline: direction d and normal u, by parallel transport (Bishop 1975).
typedef struct centreline_frame {
    simd_vec3 d, u;
} centreline_frame;

static inline centreline_frame first_frame(const coif_solver_scratch *scratch)
{
    const simd_vec3 p0 = load3(&scratch->predicted, 0);
    const simd_vec3 d = unit3(sub3(load3(&scratch->predicted, 1), p0));
    const coif_simd *across = (const coif_simd *)scratch->reference_axis_world;
    const simd_vec3 u = {across[0], across[1], across[2]};
    return (centreline_frame){d, unit3(mad3(u, -dot3(u, d), d))};
}

// Central difference of the centreline at point k.
static inline simd_vec3 centreline_tangent(const coif_strand_block *block,
                                           const coif_solver_scratch *scratch, int32_t k)
{
    const int32_t last = block->length - 1;
    return sub3(load3(&scratch->centreline, k < last ? k + 1 : last),
                load3(&scratch->centreline, k - 1));
}

// Transports the frame to point k. The added thousandth keeps a strand that folds back on itself
// finite.
static inline void transport(centreline_frame *frame, const coif_strand_block *block,
                             const coif_solver_scratch *scratch, int32_t k)
{
    const simd_vec3 d = unit3(centreline_tangent(block, scratch, k));
    const coif_simd turn = dot3(frame->u, d) / (1.001f + dot3(frame->d, d));
    const simd_vec3 both = {frame->d.x + d.x, frame->d.y + d.y, frame->d.z + d.z};
    const simd_vec3 u = mad3(frame->u, -turn, both);
    frame->d = d;
    frame->u = unit3(mad3(u, -dot3(u, d), d));
}

// Upper limit of the shape stiffness. Offsets rotate with the centreline: where they are long
// compared with the piece of it that gives their direction, corrections overshoot, and a shape at
// rest would become unstable. Measured on curls of 8 to 24 points per turn at 5 to 40 degrees,
// which tolerate a quarter to a half more than this.
static const float MAX_SHAPE_STIFFNESS = 0.5f;

// Takes the predicted positions as the rest shape and stores their offsets.
void COIF_SIMD(coif_precompute_shape)(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    smooth(block, scratch, &scratch->predicted, 0);
    centreline_frame frame = first_frame(scratch);
    coif_simd steepest = coif_simd_all(0.0f);
    for (int32_t k = 1; k < block->length; ++k) {
        transport(&frame, block, scratch, k);
        const simd_vec3 offset =
            sub3(load3(&scratch->predicted, k), load3(&scratch->centreline, k));
        const simd_vec3 disp = centreline_tangent(block, scratch, k);
        steepest = coif_simd_max(steepest, dot3(offset, offset) / (dot3(disp, disp) + SIMD_TINY));
        ((coif_simd *)block->curl.offset.x)[k] = dot3(offset, frame.d);
        ((coif_simd *)block->curl.offset.y)[k] = dot3(offset, frame.u);
        ((coif_simd *)block->curl.offset.z)[k] = dot3(offset, cross3(frame.d, frame.u));
    }
    *(coif_simd *)block->curl.max_stiffness =
        MAX_SHAPE_STIFFNESS / (1.0f + coif_simd_sqrt(steepest));
}

// Distance of each point from its offset position, into residual:
//
//   r_k = centreline_k + ox d_k + oy u_k + oz (d_k x u_k) - p_k
static inline void measure_shape(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    smooth(block, scratch, &scratch->predicted, 0);
    centreline_frame frame = first_frame(scratch);
    coif_simd *rx = (coif_simd *)scratch->residual.x;
    coif_simd *ry = (coif_simd *)scratch->residual.y;
    coif_simd *rz = (coif_simd *)scratch->residual.z;
    rx[0] = ry[0] = rz[0] = coif_simd_all(0.0f);
    for (int32_t k = 1; k < block->length; ++k) {
        transport(&frame, block, scratch, k);
        simd_vec3 goal = load3(&scratch->centreline, k);
        goal = mad3(goal, ((const coif_simd *)block->curl.offset.x)[k], frame.d);
        goal = mad3(goal, ((const coif_simd *)block->curl.offset.y)[k], frame.u);
        goal = mad3(goal, ((const coif_simd *)block->curl.offset.z)[k], cross3(frame.d, frame.u));
        const simd_vec3 away = sub3(goal, load3(&scratch->predicted, k));
        rx[k] = away.x;
        ry[k] = away.y;
        rz[k] = away.z;
    }
}

// Step size for free strands, times the inverse mass. W (1 - S)^T (1 - S) has eigenvalues up to
// 4.5, with W of 2 at the ends, and above 2 the projection would overshoot.
static const float FREE_STEP = 0.4f;

// The centreline moves with the points it is made from: the force on it, S^T r, is subtracted, p +=
// k' (r - S^T r). S preserves constant and linear lines, so the remainder has no net force and no
// net moment. On a free strand, whose ends are lighter, that is true of momentum only for forces: p
// += k' c w (r - S^T r). A pinned root absorbs the difference, and equal weights preserve waves
// better.
void COIF_SIMD(coif_project_shape)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                   const coif_substep *step)
{
    measure_shape(block, scratch);
    float *const residual[3] = {scratch->residual.x, scratch->residual.y, scratch->residual.z};
    float *const points[3] = {scratch->predicted.x, scratch->predicted.y, scratch->predicted.z};
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *relative = (const coif_simd *)block->iteration_stiffness[COIF_ITERATION_SHAPE];
    const coif_simd wanted = block->shape_stiffness != NULL
                                 ? *(const coif_simd *)block->shape_stiffness
                                 : coif_simd_all(step->shape_stiffness);
    const coif_simd stiff = coif_simd_min(wanted, *(const coif_simd *)block->curl.max_stiffness);
    for (int axis = 0; axis < 3; ++axis) {
        coif_simd *r = (coif_simd *)residual[axis];
        // Scaled before S^T is applied, so that no net force is added.
        for (int32_t k = 0; relative != NULL && k < block->length; ++k) {
            r[k] *= relative[k];
        }
        const coif_simd *back = smooth_transposed(block, scratch, residual[axis], 0);
        coif_simd *p = (coif_simd *)points[axis];
        for (int32_t k = 0; k < block->length; ++k) {
            const coif_simd weight =
                coif_simd_select(w[0] > 0.0f, FREE_STEP * w[k], coif_simd_all(1.0f));
            p[k] = coif_simd_select(w[k] == 0.0f, p[k], p[k] + stiff * weight * (r[k] - back[k]));
        }
    }
}

// The centreline of gravity compensation starts at the last pinned point, which would otherwise
// keep it from rotating there. The number of pinned points is the same in all lanes.
static inline int32_t centreline_begin(const coif_strand_block *block)
{
    return block->length > 2 && block->inv_mass[COIF_LANES] == 0.0f ? 1 : 0;
}

void COIF_SIMD(coif_smooth_centreline)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                       const coif_soa3 *positions)
{
    smooth(block, scratch, positions, centreline_begin(block));
}

// Tension along the centreline, at most that of the rest shape, see gravity_compensation.h. The
// centreline is that of the current positions, so tension rotates with the strand; and it acts on
// the points that make the centreline, so it derives from an energy, which is convex.
//
//   N_k = q_k min(1, l_k / |d|) d      d = centreline_k+1 - centreline_k      a += w S^T (N_k -
//   N_k-1)
void COIF_SIMD(coif_apply_gravity_compensation)(const coif_strand_block *block,
                                                coif_solver_scratch *scratch,
                                                const coif_soa3 *positions)
{
    const int32_t begin = centreline_begin(block);
    smooth(block, scratch, positions, begin);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *tension = (const coif_simd *)block->support.tension;
    const coif_simd *rest_length = (const coif_simd *)block->support.length;
    float *const force[3] = {scratch->residual.x, scratch->residual.y, scratch->residual.z};
    float *const accel[3] = {scratch->accel.x, scratch->accel.y, scratch->accel.z};
    simd_vec3 before = {0};
    for (int32_t k = begin; k < block->length; ++k) {
        simd_vec3 here = {0};
        if (k + 1 < block->length) {
            const simd_vec3 d =
                sub3(load3(&scratch->centreline, k + 1), load3(&scratch->centreline, k));
            const coif_simd fraction = coif_simd_min(
                rest_length[k] / (coif_simd_sqrt(dot3(d, d)) + SIMD_TINY), coif_simd_all(1.0f));
            here = mad3(here, tension[k] * fraction, d);
        }
        ((coif_simd *)force[0])[k] = here.x - before.x;
        ((coif_simd *)force[1])[k] = here.y - before.y;
        ((coif_simd *)force[2])[k] = here.z - before.z;
        before = here;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const coif_simd *back = smooth_transposed(block, scratch, force[axis], begin);
        coif_simd *a = (coif_simd *)accel[axis];
        for (int32_t k = begin; k < block->length; ++k) {
            a[k] += w[k] * back[k];
        }
    }
}
