#include "sim/solver/strand_block.h"

#include "core/base/arena.h"
#include "core/base/deterministic_math.h"

#include <math.h>

void coif_strand_block_init(coif_strand_block *block, int32_t length, int32_t lanes,
                            coif_arena *arena)
{
    enum { ARRAYS = 33 };
    const int64_t row = (int64_t)length * lanes;
    *block = (coif_strand_block){.length = length, .lanes = lanes};
    float *memory = coif_arena_new(arena, ARRAYS * row + (11 + 2 * COIF_ROOT_ROWS) * lanes, float);
    coif_soa3 *const vectors[] = {&block->pos,           &block->vel,           &block->pos_backup,
                                  &block->rest_local,    &block->support.accel, &block->curl.offset,
                                  &block->bvh_cache.pos, &block->sdf_cache.pos};
    float **const scalars[] = {&block->rest_length,        &block->inv_mass,
                               &block->goal_stiffness,     &block->contact_distance,
                               &block->bvh_cache.distance, &block->sdf_cache.distance};
    int32_t **const numbers[] = {&block->bvh_cache.outside, &block->bvh_cache.hint,
                                 &block->sdf_cache.skipped_substeps};
    for (size_t i = 0; i < COIF_COUNT_OF(vectors); ++i) {
        *vectors[i] = coif_take_rows3(&memory, row);
    }
    for (size_t i = 0; i < COIF_COUNT_OF(scalars); ++i) {
        *scalars[i] = coif_take_row(&memory, row);
    }
    for (size_t i = 0; i < COIF_COUNT_OF(numbers); ++i) {
        *numbers[i] = (int32_t *)(void *)coif_take_row(&memory, row);
    }
    block->curl.max_stiffness = coif_take_row(&memory, lanes);
    block->mass_scale = coif_take_row(&memory, lanes);
    block->inv_point_mass = coif_take_row(&memory, lanes);
    block->area_per_mass = coif_take_row(&memory, lanes);
    block->reference_axis = coif_take_row(&memory, 3 * lanes);
    block->root_begin = coif_take_row(&memory, COIF_ROOT_ROWS * lanes);
    block->root_end = coif_take_row(&memory, COIF_ROOT_ROWS * lanes);
    block->root_rotation = coif_take_row(&memory, 4 * lanes);
}

// Quaternion of the rotation whose column i is the image of axis i, from its largest component
// (Shepperd 1978).
static void find_quaternion(double q[4], double m[3][3])
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int largest = 3;
    double size = trace;
    for (int i = 0; i < 3; ++i) {
        if (m[i][i] > size) {
            largest = i;
            size = m[i][i];
        }
    }
    if (largest == 3) {
        q[3] = 1.0 + trace;
        for (int i = 0; i < 3; ++i) {
            q[i] = m[(i + 1) % 3][(i + 2) % 3] - m[(i + 2) % 3][(i + 1) % 3];
        }
    } else {
        const int b = (largest + 1) % 3;
        const int c = (largest + 2) % 3;
        q[largest] = 1.0 + m[largest][largest] - m[b][b] - m[c][c];
        q[b] = m[largest][b] + m[b][largest];
        q[c] = m[largest][c] + m[c][largest];
        q[3] = m[b][c] - m[c][b];
    }
}

coif_vec3 coif_strand_block_target(const coif_strand_block *block, const float *root_rows,
                                   int64_t at)
{
    const int32_t lanes = block->lanes;
    const float *rows = root_rows + at % lanes;
    const coif_vec3 local = coif_soa3_get(&block->rest_local, at);
    float out[3];
    for (int a = 0; a < 3; ++a) {
        out[a] = rows[a * lanes] + local.x * rows[(3 + a) * lanes] +
                 local.y * rows[(6 + a) * lanes] + local.z * rows[(9 + a) * lanes];
    }
    return coif_vec3_of(out[0], out[1], out[2]);
}

void coif_strand_block_rotate(coif_strand_block *block)
{
    const int32_t lanes = block->lanes;
    for (int32_t lane = 0; lane < lanes; ++lane) {
        double m[3][3] = {{0}};
        for (int axis = 0; axis < 9; ++axis) {
            for (int i = 0; i < 3; ++i) {
                const int row = 3 + axis / 3 * 3;
                m[axis % 3][i] += (double)block->root_begin[(row + axis % 3) * lanes + lane] *
                                  (double)block->root_end[(row + i) * lanes + lane];
            }
        }
        double q[4];
        find_quaternion(q, m);
        const double sign = q[3] < 0.0 ? -1.0 : 1.0;
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        const double scale = length > 0.0 ? sign / length : 0.0;
        for (int i = 0; i < 3; ++i) {
            block->root_rotation[i * lanes + lane] = (float)(scale * q[i]);
        }
        block->root_rotation[3 * lanes + lane] =
            coif_det_atan2_quadrant((float)length, (float)(sign * q[3]));
    }
}

void coif_strand_block_add_method_rows(coif_strand_block *block, int32_t state_rows, int32_t rows,
                                       int32_t lane_rows, coif_arena *arena)
{
    const int64_t count = (int64_t)block->length * block->lanes;
    coif_method_rows *data = coif_arena_new(arena, 1, coif_method_rows);
    block->state_rows = state_rows;
    block->state = coif_arena_new(arena, state_rows * count, float);
    block->state_backup = coif_arena_new(arena, state_rows * count, float);
    block->method_data = data;
    data->rows = coif_arena_new(arena, rows * count, float);
    data->lane_rows = coif_arena_new(arena, (int64_t)lane_rows * block->lanes, float);
}

float coif_strand_block_mean_length(const coif_strand_block *block, int32_t lane)
{
    const int32_t segments = block->length - 1;
    float length = 0.0f;
    for (int32_t k = 0; k < segments; ++k) {
        length += block->rest_length[k * block->lanes + lane];
    }
    const float mean = length / (float)segments;
    return mean > 1e-6f ? mean : 1e-6f;
}
