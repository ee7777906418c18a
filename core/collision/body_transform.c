#include "core/collision/body_transform.h"

static const float MIN_COMPRESSION = COIF_BODY_MOTION_MIN_COMPRESSION;

static float max_of(float a, float b)
{
    return a > b ? a : b;
}

void coif_body_motion_rigid(coif_body_motion *motion, const coif_affine *begin,
                            const coif_affine *end)
{
    motion->deforms = false;
    motion->low = motion->high = -INFINITY;
    motion->upper[0] = motion->lower[0] = *begin;
    motion->upper[1] = motion->lower[1] = *end;
}

static void fill_inverse(coif_body_motion *motion, int end)
{
    for (int32_t i = 0; i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        const coif_affine inverse = coif_affine_inverse(&motion->deform[end].level[i]);
        const float shift[3] = {inverse.translation.x, inverse.translation.y,
                                inverse.translation.z};
        for (int r = 0; r < 3; ++r) {
            const coif_vec3 row = inverse.linear.row[r];
            motion->inverse[end][i][r] = (simd_float4){row.x, row.y, row.z, shift[r]};
        }
    }
}

// |a - b|, Frobenius norm.
static float frobenius_distance(const coif_mat3 *a, const coif_mat3 *b)
{
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r) {
        const coif_vec3 d = coif_sub(a->row[r], b->row[r]);
        sum += coif_dot(d, d);
    }
    return sqrtf(sum);
}

// Between two levels: u = F^-1 dF/dy p = F^-1 dA (p - centre) + F^-1 d(F centre).
static void bound_level_pair(coif_body_motion *motion, const coif_affine *a, const coif_affine *b,
                             float step)
{
    const coif_affine inverse = coif_affine_inverse(a);
    const coif_vec3 shift = coif_scale(
        coif_sub(coif_affine_apply(b, motion->centre), coif_affine_apply(a, motion->centre)),
        1.0f / step);
    coif_vec3 up = {0, 0, 0}; // the upward row of F^-1 dA
    for (int r = 0; r < 3; ++r) {
        const float *row = &inverse.linear.row[1].x;
        up = coif_mad(up, row[r] / step, coif_sub(b->linear.row[r], a->linear.row[r]));
    }
    motion->rotation_gradient =
        max_of(motion->rotation_gradient, frobenius_distance(&a->linear, &b->linear) / step);
    motion->shift_gradient = max_of(motion->shift_gradient, coif_length(shift));
    motion->rotation_gradient_up = max_of(motion->rotation_gradient_up, coif_length(up));
    motion->shift_gradient_up =
        max_of(motion->shift_gradient_up, fabsf(coif_dot(inverse.linear.row[1], shift)));
}

static void bound_deformation(coif_body_motion *motion)
{
    const float step = (motion->high - motion->low) / COIF_HEIGHT_DEFORM_LEVELS;
    motion->rotation_gradient = motion->shift_gradient = motion->rotation_gradient_up =
        motion->shift_gradient_up = 0.0f;
    motion->centre_offset = motion->rotation_change = motion->centre_motion = 0.0f;
    for (int32_t i = 0; i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        const coif_affine *level[2] = {&motion->deform[0].level[i], &motion->deform[1].level[i]};
        coif_vec3 centre[2];
        for (int e = 0; e < 2; ++e) {
            centre[e] = coif_affine_apply(level[e], motion->centre);
            motion->centre_offset =
                max_of(motion->centre_offset, coif_length(coif_sub(centre[e], motion->centre)));
            if (i < COIF_HEIGHT_DEFORM_LEVELS) {
                bound_level_pair(motion, level[e], &motion->deform[e].level[i + 1], step);
            }
        }
        motion->rotation_change = max_of(motion->rotation_change,
                                         frobenius_distance(&level[0]->linear, &level[1]->linear));
        motion->centre_motion =
            max_of(motion->centre_motion, coif_length(coif_sub(centre[1], centre[0])));
    }
}

bool coif_body_motion_height_deform(coif_body_motion *motion, const coif_height_deform *begin,
                                    const coif_height_deform *end, coif_vec3 centre)
{
    motion->deforms = true;
    motion->low = begin->low;
    motion->high = begin->high;
    motion->deform[0] = *begin;
    motion->deform[1] = *end;
    motion->centre = centre;
    for (int e = 0; e < 2; ++e) {
        motion->lower[e] = motion->deform[e].level[0];
        motion->upper[e] = motion->deform[e].level[COIF_HEIGHT_DEFORM_LEVELS];
        fill_inverse(motion, e);
    }
    bound_deformation(motion);
    return begin->low == end->low && begin->high == end->high &&
           isfinite(motion->rotation_gradient) && isfinite(motion->centre_motion);
}

void coif_body_transform_at(coif_body_transform *transform, const coif_body_motion *motion,
                            float time)
{
    transform->motion = motion;
    transform->time = time;
    transform->above = coif_affine_lerp(&motion->upper[0], &motion->upper[1], time);
    transform->below = coif_affine_lerp(&motion->lower[0], &motion->lower[1], time);
    transform->above_inverse = coif_affine_inverse(&transform->above);
    transform->below_inverse = coif_affine_inverse(&transform->below);
    for (int32_t i = 0; motion->deforms && i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        for (int r = 0; r < 3; ++r) {
            const simd_float4 from = motion->inverse[0][i][r];
            transform->inverse[i][r] = from + time * (motion->inverse[1][i][r] - from);
        }
    }
}

static inline simd_float4 lerp_row(const coif_body_transform *transform, int32_t level,
                                   float fraction, int row)
{
    return (1.0f - fraction) * transform->inverse[level][row] +
           fraction * transform->inverse[level + 1][row];
}

static inline float horizontal_sum(simd_float4 a)
{
    const simd_float4 halves = a + (simd_float4){a[2], a[3], a[0], a[1]};
    return halves[0] + halves[1];
}

coif_vec3 coif_gradient_to_world(const coif_body_transform *transform, coif_vec3 position,
                                 coif_vec3 p, coif_vec3 normal)
{
    const coif_body_motion *motion = transform->motion;
    if (!motion->deforms || p.y >= motion->high) {
        return coif_mat3_apply_transposed(&transform->above_inverse.linear, normal);
    }
    if (p.y <= motion->low) {
        return coif_mat3_apply_transposed(&transform->below_inverse.linear, normal);
    }
    const simd_float4 x = {position.x, position.y, position.z, 1.0f};
    const float step = (motion->high - motion->low) / COIF_HEIGHT_DEFORM_LEVELS;
    float fraction;
    const int32_t level = coif_height_deform_find(&motion->deform[0], p.y, &fraction);
    simd_float4 rows[3];
    float v[3];
    for (int r = 0; r < 3; ++r) {
        rows[r] = lerp_row(transform, level, fraction, r);
        v[r] =
            horizontal_sum((transform->inverse[level + 1][r] - transform->inverse[level][r]) * x) /
            step;
    }
    // G^T n = B^T (n + e_y (v . n) / (1 - v.y))
    const float compression = 1.0f - v[1] > MIN_COMPRESSION ? 1.0f - v[1] : MIN_COMPRESSION;
    const float up = coif_dot(coif_vec3_of(v[0], v[1], v[2]), normal) / compression;
    const simd_float4 g = normal.x * rows[0] + (normal.y + up) * rows[1] + normal.z * rows[2];
    return coif_vec3_of(g[0], g[1], g[2]);
}

float coif_body_motion_vertical_compression(const coif_body_motion *motion, int end, coif_vec3 p)
{
    const coif_height_deform *flex = &motion->deform[end];
    float fraction;
    const int32_t level = coif_height_deform_find(flex, p.y, &fraction);
    const coif_vec3 displacement = coif_sub(coif_affine_apply(&flex->level[level + 1], p),
                                            coif_affine_apply(&flex->level[level], p));
    const simd_float4 up = motion->inverse[end][level][1];
    const float step = (flex->high - flex->low) / COIF_HEIGHT_DEFORM_LEVELS;
    return 1.0f + (up[0] * displacement.x + up[1] * displacement.y + up[2] * displacement.z) / step;
}

coif_vec3 coif_to_world(const coif_body_transform *transform, coif_vec3 p)
{
    const coif_body_motion *motion = transform->motion;
    if (!motion->deforms || p.y >= motion->high) {
        return coif_affine_apply(&transform->above, p);
    }
    if (p.y <= motion->low) {
        return coif_affine_apply(&transform->below, p);
    }
    const coif_affine begin = coif_height_deform_at(&motion->deform[0], p.y);
    const coif_affine end = coif_height_deform_at(&motion->deform[1], p.y);
    const coif_affine now = coif_affine_lerp(&begin, &end, transform->time);
    return coif_affine_apply(&now, p);
}
