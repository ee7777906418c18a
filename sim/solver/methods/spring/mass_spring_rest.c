// mass_spring_rest: rest directions of segments in the frames before them, and their preload
// against gravity. Compiled once per vector width.
#include "sim/solver/methods/spring/mass_spring_twist.h"

// Limit of the total preload angle of all segments, radians.
static const float MAX_PRELOAD_ANGLE = 1.0f;

static inline simd_vec3 rest_edge(const coif_strand_block *block, int32_t k)
{
    return sub3(load3(&block->rest_local, k + 1), load3(&block->rest_local, k));
}

static inline strand_frame first_frame(simd_vec3 edge)
{
    strand_frame frame = initial_rest_frame();
    transport_frame(&frame, edge);
    return frame;
}

static inline simd_vec3 into_frame(const strand_frame *frame, simd_vec3 a)
{
    return (simd_vec3){dot3(a, frame->u), dot3(a, cross3(frame->t, frame->u)), dot3(a, frame->t)};
}

// Targets: the rest directions plus the preload in stretch_force of the scratch.
static void set_targets(coif_strand_block *block, coif_solver_scratch *scratch)
{
    const spring_lane *lane = spring_lane_of(block);
    const coif_simd flat = lane->ellipticity;
    strand_frame frame = first_frame(rest_edge(block, 0));
    smoother line = {rest_edge(block, 0), rest_edge(block, 0)};
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 edge = rest_edge(block, k);
        const simd_vec3 draw = into_frame(&frame, points_in(scratch)[k].stretch_force);
        const simd_vec3 flattened = {draw.x / flat, draw.y * flat, draw.z};
        springs_of(block)[k].target = add3(into_frame(&frame, edge), flattened);
        points_in(scratch)[k].centreline = smooth_on(&line, edge, lane->smoothing);
        transport_frame(&frame, points_in(scratch)[k].centreline);
    }
}

void COIF_SIMD(coif_spring_rest)(coif_strand_block *block, coif_solver_scratch *scratch)
{
    spring_lane *lane = spring_lane_of(block);
    const simd_vec3 first = rest_edge(block, 0);
    const strand_frame frame = first_frame(first);
    const coif_simd zero = coif_simd_all(0.0f);
    lane->clamp_t = frame.t;
    lane->clamp_u = frame.u;
    smoother core = {first, first};
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        const simd_vec3 b = smooth_on(&core, rest_edge(block, k), lane->core_smoothing);
        springs_of(block)[k].core_length = coif_simd_sqrt(dot3(b, b));
        springs_of(block)[k].moment = zero;
        points_in(scratch)[k].stretch_force = (simd_vec3){0};
    }
    set_targets(block, scratch);
}

void COIF_SIMD(coif_spring_reset_to_rest)(coif_strand_block *block)
{
    for (int32_t k = 0; k < block->length; ++k) {
        *twist_at(block, k) = coif_simd_all(0.0f);
    }
    if (block->state_rows != COIF_SPRING_FREE_STATE_ROWS) {
        return;
    }
    *(simd_vec3 *)block->state = from_axes3(root_axes_begin(block), spring_lane_of(block)->clamp_u);
}

// From tip to root: the axial spring takes the axial component of the suspended weight W, the
// bending force f and the reaction g of the segments behind balance the transverse one: f = -W - g.
void COIF_SIMD(coif_spring_preload_gravity)(coif_strand_block *block, coif_solver_scratch *scratch,
                                            const float *gravity)
{
    const simd_vec3 g = *(const simd_vec3 *)gravity;
    const coif_simd *w = (const coif_simd *)block->inv_mass;
    const spring_lane *lane = spring_lane_of(block);
    const float most = MAX_PRELOAD_ANGLE / (float)(block->length - 1);
    simd_vec3 weight = scale3(g, coif_simd_all(0.0f));
    coif_simd moment = coif_simd_all(0.0f);
    backward back = backward_from_tip();
    for (int32_t k = block->length - 2; k >= 0; --k) {
        spring_rest *spring = &springs_of(block)[k];
        const spring_point *point = &points_in(scratch)[k];
        const simd_vec3 edge = rest_edge(block, k);
        const simd_vec3 t = unit3(edge);
        coif_simd heavy =
            coif_simd_select(w[k + 1] > 0.0f, 1.0f / (w[k + 1] + SIMD_TINY), coif_simd_all(0.0f));
        if (block->gravity_ramp != NULL) {
            heavy *= ((const coif_simd *)block->gravity_ramp)[k + 1];
        }
        weight = add3(weight, scale3(g, heavy));
        const simd_vec3 before = k > 0 ? point[-1].centreline : lane->clamp_t;
        const simd_vec3 need = add3(weight, reaction_on(&back, point->centreline, unit3(before),
                                                        lane->smoothing, lane->min_length));
        const coif_simd tension = dot3(need, t);
        const simd_vec3 force = sub3(scale3(t, tension), need);
        const coif_simd reach =
            most * coif_simd_max(((const coif_simd *)block->rest_length)[k], lane->min_length);
        const coif_simd size = coif_simd_sqrt(dot3(force, force));
        const coif_simd weak = spring->bend;
        spring->bend = coif_simd_max(weak, size * lane->ellipticity / reach);
        spring->length -= tension / (spring->stretch + SIMD_TINY);
        points_in(scratch)[k].stretch_force = scale3(force, 1.0f / (spring->bend + SIMD_TINY));
        react(&back, edge, force);
        if (k > 0) {
            moment += dot3(unit3(before), cross3(edge, force));
            const coif_simd stiff = spring[-1].twist * (spring->bend / (weak + SIMD_TINY));
            spring[-1].twist = coif_simd_max(stiff, coif_simd_max(moment, -moment) / most);
            spring[-1].moment = moment;
        }
    }
    set_targets(block, scratch);
}
