// course: the shape of waves and curls. A constraint over the whole strand; compiled once per
// width.
//
// A strand is its smoothed course and an offset from it at each point, known in frames that are
// carried along the course without twist. Where the course goes is a matter of forces; the offsets
// are what was groomed, and this puts them back, wherever the strand is and however it is turned.
// It is the idea of smoothed reference frames (Iben et al. 2013), as a projection. The pull of one
// point is balanced by its neighbours', so the strand as a whole is neither moved nor carried.
#include "sim/solver/constraints_common.h"

static const float TINY = 1e-12f;

typedef struct wide3 {
    coif_simd x, y, z;
} wide3;

static inline wide3 sub(wide3 a, wide3 b)
{
    return (wide3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline wide3 mad(wide3 a, coif_simd s, wide3 b)
{
    return (wide3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static inline coif_simd dot(wide3 a, wide3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline wide3 cross(wide3 a, wide3 b)
{
    return (wide3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline wide3 unit(wide3 a)
{
    const coif_simd scale = 1.0f / (coif_simd_sqrt(dot(a, a)) + TINY);
    return (wide3){a.x * scale, a.y * scale, a.z * scale};
}

static inline wide3 at(const float *x, const float *y, const float *z, int32_t k)
{
    return (wide3){((const coif_simd *)x)[k], ((const coif_simd *)y)[k], ((const coif_simd *)z)[k]};
}

// Beyond an end the line goes on as its mirror image, so ends stay and straight lines do too.
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

// Each point averaged with those a stride away on both sides, 1 : 2 : 1.
static inline void average(float *to, const float *from, int32_t length, int32_t stride)
{
    const coif_simd *line = (const coif_simd *)from;
    coif_simd *out = (coif_simd *)to;
    for (int32_t k = 0; k < length; ++k) {
        out[k] = 0.5f * line[k] + 0.25f * (sample(line, k - stride, length - 1) +
                                           sample(line, k + stride, length - 1));
    }
}

// Strides 1, 2 and 4 take away waves of 2, 4 and 8 points entirely and most of what lies between;
// what turns more slowly than that stays in the course. Begin: the point that it begins with.
static inline void smooth(const coif_strand_block *block, coif_solver_scratch *scratch,
                          const float *const from[3], int32_t begin)
{
    float *const between[3] = {scratch->tangent.x, scratch->tangent.y, scratch->tangent.z};
    float *const to[3] = {scratch->centreline.x, scratch->centreline.y, scratch->centreline.z};
    const int32_t length = block->length - begin;
    const int64_t skip = (int64_t)begin * COIF_LANES;
    for (int axis = 0; axis < 3; ++axis) {
        float *const ends[2] = {to[axis] + skip, between[axis] + skip};
        const float *line = from[axis] + skip;
        for (int32_t stride = 1; stride <= 4 && stride < length; stride *= 2) {
            float *out = line == ends[0] ? ends[1] : ends[0];
            average(out, line, length, stride);
            line = out;
        }
        // An even number of strides ends in the array between.
        coif_simd *course = (coif_simd *)ends[0];
        for (int32_t k = 0; line != ends[0] && k < length; ++k) {
            course[k] = ((const coif_simd *)line)[k];
        }
    }
}

// Adds to place k of a line, or to what stands for it beyond an end: the transpose of sample.
static inline void spread(coif_simd *line, int32_t k, int32_t last, coif_simd value)
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

// The transpose of average: what a push on the averaged points is as a push on the points.
static inline void average_back(float *to, const float *from, int32_t length, int32_t stride)
{
    const coif_simd *line = (const coif_simd *)from;
    coif_simd *out = (coif_simd *)to;
    for (int32_t k = 0; k < length; ++k) {
        out[k] = 0.5f * line[k];
    }
    for (int32_t k = 0; k < length; ++k) {
        spread(out, k - stride, length - 1, 0.25f * line[k]);
        spread(out, k + stride, length - 1, 0.25f * line[k]);
    }
}

// A push on the course, as a push on the points: S^T of a line. It is left in the row of cx or tx.
static inline const coif_simd *push_back(const coif_strand_block *block,
                                         coif_solver_scratch *scratch, const float *line,
                                         int32_t begin)
{
    const int32_t length = block->length - begin;
    const int64_t skip = (int64_t)begin * COIF_LANES;
    float *const ends[2] = {scratch->centreline.x + skip, scratch->tangent.x + skip};
    line += skip;
    for (int32_t stride = 4; stride >= 1; stride /= 2) {
        if (stride < length) {
            float *out = line == ends[0] ? ends[1] : ends[0];
            average_back(out, line, length, stride);
            line = out;
        }
    }
    return (const coif_simd *)(line - skip);
}

// A frame on the course: d along it, u across. Carried on by the smallest turn (Bishop 1975).
typedef struct course_frame {
    wide3 d, u;
} course_frame;

static inline course_frame first_frame(const coif_solver_scratch *scratch)
{
    const wide3 p0 = at(scratch->predicted.x, scratch->predicted.y, scratch->predicted.z, 0);
    const wide3 d =
        unit(sub(at(scratch->predicted.x, scratch->predicted.y, scratch->predicted.z, 1), p0));
    const coif_simd *across = (const coif_simd *)scratch->reference_axis_world;
    const wide3 u = {across[0], across[1], across[2]};
    return (course_frame){d, unit(mad(u, -dot(u, d), d))};
}

// The way of the course about point k.
static inline wide3 way_at(const coif_strand_block *block, const coif_solver_scratch *scratch,
                           int32_t k)
{
    const int32_t last = block->length - 1;
    return sub(at(scratch->centreline.x, scratch->centreline.y, scratch->centreline.z,
                  k < last ? k + 1 : last),
               at(scratch->centreline.x, scratch->centreline.y, scratch->centreline.z, k - 1));
}

// Onto point k. The added thousandth keeps a strand that turns right back on itself finite.
static inline void carry(course_frame *frame, const coif_strand_block *block,
                         const coif_solver_scratch *scratch, int32_t k)
{
    const wide3 d = unit(way_at(block, scratch, k));
    const coif_simd turn = dot(frame->u, d) / (1.001f + dot(frame->d, d));
    const wide3 both = {frame->d.x + d.x, frame->d.y + d.y, frame->d.z + d.z};
    const wide3 u = mad(frame->u, -turn, both);
    frame->d = d;
    frame->u = unit(mad(u, -dot(u, d), d));
}

// What a round may take at most of the way back to the offsets. Those turn with the course: where
// they are long against the piece of it that gives their direction, they overshoot, and a shape at
// rest would shake itself to pieces. Measured on curls of 8 to 24 points in a turn at 5 to 40
// degrees, which bear a quarter to a half more than this.
static const float MOST_SHAPE = 0.5f;

// Takes the predicted points for the rest shape and keeps their offsets.
void COIF_SIMD(coif_learn_shape)(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const float *const places[3] = {scratch->predicted.x, scratch->predicted.y,
                                    scratch->predicted.z};
    smooth(block, scratch, places, 0);
    course_frame frame = first_frame(scratch);
    coif_simd steepest = coif_simd_all(0.0f);
    for (int32_t k = 1; k < block->length; ++k) {
        carry(&frame, block, scratch, k);
        const wide3 offset =
            sub(at(scratch->predicted.x, scratch->predicted.y, scratch->predicted.z, k),
                at(scratch->centreline.x, scratch->centreline.y, scratch->centreline.z, k));
        const wide3 way = way_at(block, scratch, k);
        steepest = coif_simd_max(steepest, dot(offset, offset) / (dot(way, way) + TINY));
        ((coif_simd *)block->shape_offset.x)[k] = dot(offset, frame.d);
        ((coif_simd *)block->shape_offset.y)[k] = dot(offset, frame.u);
        ((coif_simd *)block->shape_offset.z)[k] = dot(offset, cross(frame.d, frame.u));
    }
    *(coif_simd *)block->max_shape_stiffness = MOST_SHAPE / (1.0f + coif_simd_sqrt(steepest));
}

// How far each point is from where its offset wants it, into the rows of lambda, side and diagonal.
//
//   r_k = course_k + ox d_k + oy u_k + oz (d_k x u_k) - p_k
static inline void measure_shape(const coif_strand_block *block, coif_solver_scratch *scratch)
{
    const float *const places[3] = {scratch->predicted.x, scratch->predicted.y,
                                    scratch->predicted.z};
    smooth(block, scratch, places, 0);
    course_frame frame = first_frame(scratch);
    coif_simd *rx = (coif_simd *)scratch->lambda;
    coif_simd *ry = (coif_simd *)scratch->off_diagonal;
    coif_simd *rz = (coif_simd *)scratch->diagonal;
    rx[0] = ry[0] = rz[0] = coif_simd_all(0.0f);
    for (int32_t k = 1; k < block->length; ++k) {
        carry(&frame, block, scratch, k);
        wide3 goal = at(scratch->centreline.x, scratch->centreline.y, scratch->centreline.z, k);
        goal = mad(goal, ((const coif_simd *)block->shape_offset.x)[k], frame.d);
        goal = mad(goal, ((const coif_simd *)block->shape_offset.y)[k], frame.u);
        goal = mad(goal, ((const coif_simd *)block->shape_offset.z)[k], cross(frame.d, frame.u));
        const wide3 away =
            sub(goal, at(scratch->predicted.x, scratch->predicted.y, scratch->predicted.z, k));
        rx[k] = away.x;
        ry[k] = away.y;
        rz[k] = away.z;
    }
}

// What a point of a free strand takes of a push, times its inverse mass. W (1 - S)^T (1 - S) has
// eigenvalues up to 4.5, with W of 2 at the ends, and above 2 pushes would overshoot.
static const float FREE_SHARE = 0.4f;

// The course moves with the points it is made from: a push on the course, S^T r, is taken back, and
// p += k' (r - S^T r). S keeps constant and linear lines as they are, so what is left adds up to no
// push and no turn of the strand as a whole. On a free strand, whose ends are lighter, that holds
// of momentum only if pushes are forces: p += k' c w (r - S^T r). A root that is held takes up what
// is left over, and all points alike keep waves better.
void COIF_SIMD(coif_project_shape)(const coif_strand_block *block, coif_solver_scratch *scratch,
                                   const coif_substep *step)
{
    measure_shape(block, scratch);
    float *const ways[3] = {scratch->lambda, scratch->off_diagonal, scratch->diagonal};
    float *const points[3] = {scratch->predicted.x, scratch->predicted.y, scratch->predicted.z};
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *shares = (const coif_simd *)block->iteration_stiffness[COIF_ITERATION_SHAPE];
    const coif_simd wanted = block->shape_stiffness != NULL
                                 ? *(const coif_simd *)block->shape_stiffness
                                 : coif_simd_all(step->shape_stiffness);
    const coif_simd stiff = coif_simd_min(wanted, *(const coif_simd *)block->max_shape_stiffness);
    for (int axis = 0; axis < 3; ++axis) {
        coif_simd *r = (coif_simd *)ways[axis];
        // Before the course is pushed back, so that nothing is added to the strand as a whole.
        for (int32_t k = 0; shares != NULL && k < block->length; ++k) {
            r[k] *= shares[k];
        }
        const coif_simd *back = push_back(block, scratch, ways[axis], 0);
        coif_simd *p = (coif_simd *)points[axis];
        for (int32_t k = 0; k < block->length; ++k) {
            const coif_simd share =
                coif_simd_select(w[0] > 0.0f, FREE_SHARE * w[k], coif_simd_all(1.0f));
            p[k] = coif_simd_select(w[k] == 0.0f, p[k], p[k] + stiff * share * (r[k] - back[k]));
        }
    }
}

// The course that a strand hangs by begins at the last point that the root holds: what is held
// would keep it from turning there. So many are held in all lanes or in none.
static inline int32_t hanging_from(const coif_strand_block *block)
{
    return block->length > 2 && block->inv_mass[COIF_LANES] == 0.0f ? 1 : 0;
}

void COIF_SIMD(coif_smooth)(const coif_strand_block *block, coif_solver_scratch *scratch,
                            const float *const places[3])
{
    smooth(block, scratch, places, hanging_from(block));
}

// A strand hangs by tension along its course, at most what it has at rest, see support.h. The
// course is where the points are now, so the pull turns with the strand; and it acts on the points
// that make the course, so it has an energy, which is convex.
//
//   N_k = q_k min(1, l_k / |d|) d      d = course_k+1 - course_k      a += w S^T (N_k - N_k-1)
void COIF_SIMD(coif_hang)(const coif_strand_block *block, coif_solver_scratch *scratch,
                          const float *const places[3])
{
    const int32_t begin = hanging_from(block);
    smooth(block, scratch, places, begin);
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const coif_simd *pull = (const coif_simd *)block->centreline_tension;
    const coif_simd *most = (const coif_simd *)block->centreline_length;
    float *const pulls[3] = {scratch->lambda, scratch->off_diagonal, scratch->diagonal};
    float *const pushes[3] = {scratch->accel.x, scratch->accel.y, scratch->accel.z};
    const coif_simd zero = coif_simd_all(0.0f);
    wide3 before = {zero, zero, zero};
    for (int32_t k = begin; k < block->length; ++k) {
        wide3 here = {zero, zero, zero};
        if (k + 1 < block->length) {
            const wide3 d =
                sub(at(scratch->centreline.x, scratch->centreline.y, scratch->centreline.z, k + 1),
                    at(scratch->centreline.x, scratch->centreline.y, scratch->centreline.z, k));
            const coif_simd share =
                coif_simd_min(most[k] / (coif_simd_sqrt(dot(d, d)) + TINY), coif_simd_all(1.0f));
            here = mad(here, pull[k] * share, d);
        }
        ((coif_simd *)pulls[0])[k] = here.x - before.x;
        ((coif_simd *)pulls[1])[k] = here.y - before.y;
        ((coif_simd *)pulls[2])[k] = here.z - before.z;
        before = here;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const coif_simd *back = push_back(block, scratch, pulls[axis], begin);
        coif_simd *a = (coif_simd *)pushes[axis];
        for (int32_t k = begin; k < block->length; ++k) {
            a[k] += w[k] * back[k];
        }
    }
}
