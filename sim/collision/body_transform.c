#include "sim/collision/body_transform.h"

// What is asked for one place is asked as in kernels.
#define COIF_LANES 4
#include "sim/collision/body_transform_simd.h"

static const float PRESSED = COIF_BODY_MOTION_COMPRESSED;

static float larger(float a, float b)
{
    return a > b ? a : b;
}

void coif_body_motion_rigid(coif_body_motion *passage, const coif_affine *begin,
                            const coif_affine *end)
{
    passage->flexes = false;
    passage->low = passage->high = -INFINITY;
    passage->ends[0] = passage->feet[0] = *begin;
    passage->ends[1] = passage->feet[1] = *end;
}

static void fill_back(coif_body_motion *passage, int end)
{
    for (int32_t i = 0; i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        const coif_affine back = coif_affine_inverse(&passage->flexed[end].level[i]);
        const float shift[3] = {back.shift.x, back.shift.y, back.shift.z};
        for (int r = 0; r < 3; ++r) {
            const coif_vec3 row = back.turn.row[r];
            passage->back[end][i][r] = (float4){row.x, row.y, row.z, shift[r]};
        }
    }
}

// |a - b|, of matrices: the root of the sum of squares.
static float difference(const coif_mat3 *a, const coif_mat3 *b)
{
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r) {
        const coif_vec3 d = coif_sub(a->row[r], b->row[r]);
        sum += coif_dot(d, d);
    }
    return sqrtf(sum);
}

// What lies between two levels: u = F^-1 dF/dy p = F^-1 dA (p - centre) + F^-1 d(F centre).
static void bound_levels(coif_body_motion *passage, const coif_affine *a, const coif_affine *b,
                         float step)
{
    const coif_affine back = coif_affine_inverse(a);
    const coif_vec3 shift = coif_scale(
        coif_sub(coif_affine_apply(b, passage->centre), coif_affine_apply(a, passage->centre)),
        1.0f / step);
    coif_vec3 up = {0, 0, 0}; // the upward row of F^-1 dA
    for (int r = 0; r < 3; ++r) {
        const float *row = &back.turn.row[1].x;
        up = coif_mad(up, row[r] / step, coif_sub(b->turn.row[r], a->turn.row[r]));
    }
    passage->turns = larger(passage->turns, difference(&a->turn, &b->turn) / step);
    passage->shifts = larger(passage->shifts, coif_length(shift));
    passage->turns_up = larger(passage->turns_up, coif_length(up));
    passage->shifts_up = larger(passage->shifts_up, fabsf(coif_dot(back.turn.row[1], shift)));
}

static void bound_flex(coif_body_motion *passage)
{
    const float step = (passage->high - passage->low) / COIF_HEIGHT_DEFORM_LEVELS;
    passage->turns = passage->shifts = passage->turns_up = passage->shifts_up = 0.0f;
    passage->strays = passage->turning = passage->moving = 0.0f;
    for (int32_t i = 0; i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        const coif_affine *level[2] = {&passage->flexed[0].level[i], &passage->flexed[1].level[i]};
        coif_vec3 centre[2];
        for (int e = 0; e < 2; ++e) {
            centre[e] = coif_affine_apply(level[e], passage->centre);
            passage->strays =
                larger(passage->strays, coif_length(coif_sub(centre[e], passage->centre)));
            if (i < COIF_HEIGHT_DEFORM_LEVELS) {
                bound_levels(passage, level[e], &passage->flexed[e].level[i + 1], step);
            }
        }
        passage->turning = larger(passage->turning, difference(&level[0]->turn, &level[1]->turn));
        passage->moving = larger(passage->moving, coif_length(coif_sub(centre[1], centre[0])));
    }
}

bool coif_body_motion_height_deform(coif_body_motion *passage, const coif_height_deform *begin,
                                    const coif_height_deform *end, coif_vec3 centre)
{
    passage->flexes = true;
    passage->low = begin->low;
    passage->high = begin->high;
    passage->flexed[0] = *begin;
    passage->flexed[1] = *end;
    passage->centre = centre;
    for (int e = 0; e < 2; ++e) {
        passage->feet[e] = passage->flexed[e].level[0];
        passage->ends[e] = passage->flexed[e].level[COIF_HEIGHT_DEFORM_LEVELS];
        fill_back(passage, e);
    }
    bound_flex(passage);
    return begin->low == end->low && begin->high == end->high && isfinite(passage->turns) &&
           isfinite(passage->moving);
}

void coif_body_transform_at(coif_body_transform *stance, const coif_body_motion *passage,
                            float moment)
{
    stance->passage = passage;
    stance->moment = moment;
    stance->above = coif_affine_lerp(&passage->ends[0], &passage->ends[1], moment);
    stance->below = coif_affine_lerp(&passage->feet[0], &passage->feet[1], moment);
    stance->above_back = coif_affine_inverse(&stance->above);
    stance->below_back = coif_affine_inverse(&stance->below);
    for (int32_t i = 0; passage->flexes && i <= COIF_HEIGHT_DEFORM_LEVELS; ++i) {
        for (int r = 0; r < 3; ++r) {
            const float4 from = passage->back[0][i][r];
            stance->back[i][r] = from + moment * (passage->back[1][i][r] - from);
        }
    }
}

static inline float4 mix_row(const coif_body_transform *stance, int32_t level, float share, int row)
{
    return (1.0f - share) * stance->back[level][row] + share * stance->back[level + 1][row];
}

static inline float sum_of(float4 a)
{
    const float4 halves = a + (float4){a[2], a[3], a[0], a[1]};
    return halves[0] + halves[1];
}

static wide3 all_at(coif_vec3 p)
{
    return (wide3){coif_simd_all(p.x), coif_simd_all(p.y), coif_simd_all(p.z)};
}

coif_vec3 coif_to_rest(const coif_body_transform *stance, coif_vec3 place)
{
    const wide3 rest = stance_rest(stance, all_at(place), (coif_simd_mask){-1});
    return coif_vec3_of(rest.x[0], rest.y[0], rest.z[0]);
}

coif_vec3 coif_gradient_to_world(const coif_body_transform *stance, coif_vec3 place, coif_vec3 p,
                                 coif_vec3 normal)
{
    const coif_body_motion *passage = stance->passage;
    if (!passage->flexes || p.y >= passage->high) {
        return coif_mat3_apply_transposed(&stance->above_back.turn, normal);
    }
    if (p.y <= passage->low) {
        return coif_mat3_apply_transposed(&stance->below_back.turn, normal);
    }
    const float4 x = {place.x, place.y, place.z, 1.0f};
    const float step = (passage->high - passage->low) / COIF_HEIGHT_DEFORM_LEVELS;
    float share;
    const int32_t level = coif_height_deform_find(&passage->flexed[0], p.y, &share);
    float4 rows[3];
    float v[3];
    for (int r = 0; r < 3; ++r) {
        rows[r] = mix_row(stance, level, share, r);
        v[r] = sum_of((stance->back[level + 1][r] - stance->back[level][r]) * x) / step;
    }
    // G^T n = B^T (n + e_y (v . n) / (1 - v.y))
    const float pressed = 1.0f - v[1] > PRESSED ? 1.0f - v[1] : PRESSED;
    const float up = coif_dot(coif_vec3_of(v[0], v[1], v[2]), normal) / pressed;
    const float4 g = normal.x * rows[0] + (normal.y + up) * rows[1] + normal.z * rows[2];
    return coif_vec3_of(g[0], g[1], g[2]);
}

float coif_body_motion_vertical_compression(const coif_body_motion *passage, int end, coif_vec3 p)
{
    const coif_height_deform *flex = &passage->flexed[end];
    float share;
    const int32_t level = coif_height_deform_find(flex, p.y, &share);
    const coif_vec3 way = coif_sub(coif_affine_apply(&flex->level[level + 1], p),
                                   coif_affine_apply(&flex->level[level], p));
    const float4 up = passage->back[end][level][1];
    const float step = (flex->high - flex->low) / COIF_HEIGHT_DEFORM_LEVELS;
    return 1.0f + (up[0] * way.x + up[1] * way.y + up[2] * way.z) / step;
}

coif_vec3 coif_to_world(const coif_body_transform *stance, coif_vec3 p)
{
    const coif_body_motion *passage = stance->passage;
    if (!passage->flexes || p.y >= passage->high) {
        return coif_affine_apply(&stance->above, p);
    }
    if (p.y <= passage->low) {
        return coif_affine_apply(&stance->below, p);
    }
    const coif_affine begin = coif_height_deform_at(&passage->flexed[0], p.y);
    const coif_affine end = coif_height_deform_at(&passage->flexed[1], p.y);
    const coif_affine now = coif_affine_lerp(&begin, &end, stance->moment);
    return coif_affine_apply(&now, p);
}

float coif_body_motion_max_stretch(const coif_body_motion *passage, coif_vec3 p)
{
    const passage_place place = passage_place_of(passage, all_at(p));
    return passage_widest(passage, &place)[0];
}

float coif_body_motion_max_displacement(const coif_body_motion *passage, coif_vec3 low,
                                        coif_vec3 high, float way, float part)
{
    const coif_vec3 middle = coif_scale(coif_add(low, high), 0.5f);
    const float radius = coif_length(coif_sub(middle, passage->centre)) +
                         coif_length(coif_sub(high, middle)) + passage->strays;
    return longest_within(passage, coif_simd_all(radius), coif_simd_all(way), part)[0];
}
