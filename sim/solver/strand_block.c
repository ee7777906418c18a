#include "sim/solver/strand_block.h"

#include "core/base/arena.h"
#include "core/base/deterministic_math.h"
#include "sim/solver/post_solve_contact.h"
#include "sim/solver/segment_contact.h"

#include <math.h>

// Hands out consecutive arrays of rows * lanes floats; every array begins on a vector's border.
static float *take(float **memory, int32_t rows, int32_t lanes)
{
    float *array = *memory;
    *memory += (int64_t)rows * lanes;
    return array;
}

void coif_strand_block_init(coif_strand_block *block, int32_t length, int32_t lanes,
                            coif_arena *arena)
{
    enum { ARRAYS = 33 };
    float *outside;
    float *hint;
    float *spared;
    *block = (coif_strand_block){.length = length, .lanes = lanes};
    const int64_t rows = (int64_t)ARRAYS * length + 11 + 2 * COIF_ROOT_ROWS;
    float *memory = coif_arena_new(arena, rows * lanes, float);
    float **const arrays[ARRAYS] = {&block->x,
                                    &block->y,
                                    &block->z,
                                    &block->vx,
                                    &block->vy,
                                    &block->vz,
                                    &block->good_x,
                                    &block->good_y,
                                    &block->good_z,
                                    &block->rest,
                                    &block->w,
                                    &block->hold,
                                    &block->reach,
                                    &block->lx,
                                    &block->ly,
                                    &block->lz,
                                    &block->fx,
                                    &block->fy,
                                    &block->fz,
                                    &block->ox,
                                    &block->oy,
                                    &block->oz,
                                    &block->clearances.x,
                                    &block->clearances.y,
                                    &block->clearances.z,
                                    &block->clearances.distance,
                                    &outside,
                                    &hint,
                                    &block->vicinity.x,
                                    &block->vicinity.y,
                                    &block->vicinity.z,
                                    &block->vicinity.distance,
                                    &spared};
    for (int i = 0; i < ARRAYS; ++i) {
        *arrays[i] = take(&memory, length, lanes);
    }
    block->clearances.outside = (int32_t *)outside;
    block->clearances.hint = (int32_t *)hint;
    block->vicinity.spared = (int32_t *)spared;
    block->most_shape = take(&memory, 1, lanes);
    block->mass = take(&memory, 1, lanes);
    block->per_kilogram = take(&memory, 1, lanes);
    block->sail = take(&memory, 1, lanes);
    block->side = take(&memory, 3, lanes);
    block->root = take(&memory, COIF_ROOT_ROWS, lanes);
    block->root_end = take(&memory, COIF_ROOT_ROWS, lanes);
    block->turn = take(&memory, 4, lanes);
}

// The quaternion of a rotation, column i where axis i goes, from the largest of its components
// (Shepperd 1978).
static void find_quaternion(double q[4], double m[3][3])
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    int most = 3;
    double size = trace;
    for (int i = 0; i < 3; ++i) {
        if (m[i][i] > size) {
            most = i;
            size = m[i][i];
        }
    }
    if (most == 3) {
        q[3] = 1.0 + trace;
        for (int i = 0; i < 3; ++i) {
            q[i] = m[(i + 1) % 3][(i + 2) % 3] - m[(i + 2) % 3][(i + 1) % 3];
        }
    } else {
        const int b = (most + 1) % 3;
        const int c = (most + 2) % 3;
        q[most] = 1.0 + m[most][most] - m[b][b] - m[c][c];
        q[b] = m[most][b] + m[b][most];
        q[c] = m[most][c] + m[c][most];
        q[3] = m[b][c] - m[c][b];
    }
}

void coif_strand_block_rotate(coif_strand_block *block)
{
    const int32_t lanes = block->lanes;
    for (int32_t lane = 0; lane < lanes; ++lane) {
        double m[3][3] = {{0}};
        for (int axis = 0; axis < 9; ++axis) {
            for (int i = 0; i < 3; ++i) {
                const int row = 3 + axis / 3 * 3;
                m[axis % 3][i] += (double)block->root[(row + axis % 3) * lanes + lane] *
                                  (double)block->root_end[(row + i) * lanes + lane];
            }
        }
        double q[4];
        find_quaternion(q, m);
        const double side = q[3] < 0.0 ? -1.0 : 1.0;
        const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        const double scale = length > 0.0 ? side / length : 0.0;
        for (int i = 0; i < 3; ++i) {
            block->turn[i * lanes + lane] = (float)(scale * q[i]);
        }
        block->turn[3 * lanes + lane] =
            coif_det_atan2_quadrant((float)length, (float)(side * q[3]));
    }
}

void coif_strand_block_add_state(coif_strand_block *block, int32_t rows, coif_arena *arena)
{
    const int64_t floats = (int64_t)rows * block->length * block->lanes;
    block->state_rows = rows;
    block->state = coif_arena_new(arena, floats, float);
    block->good_state = coif_arena_new(arena, floats, float);
}

void coif_solver_scratch_init(coif_solver_scratch *work, int32_t length, int32_t lanes,
                              coif_arena *arena)
{
    enum { ARRAYS = 39 };
    *work = (coif_solver_scratch){.touching = false};
    const int64_t rows =
        (int64_t)(ARRAYS + COIF_RECHECK_ROWS + COIF_SEGMENT_CONTACT_ROWS) * length + 3;
    float *memory = coif_arena_new(arena, rows * lanes, float);
    float **const arrays[ARRAYS] = {
        &work->px,     &work->py,         &work->pz,        &work->gx,     &work->gy,
        &work->gz,     &work->ux,         &work->uy,        &work->uz,     &work->ax,
        &work->ay,     &work->az,         &work->nx,        &work->ny,     &work->nz,
        &work->offset, &work->sx,         &work->sy,        &work->sz,     &work->qx,
        &work->qy,     &work->qz,         &work->push,      &work->tx,     &work->ty,
        &work->tz,     &work->diagonal,   &work->side,      &work->lambda, &work->cx,
        &work->cy,     &work->cz,         &work->lost_x,    &work->lost_y, &work->lost_z,
        &work->depth,  &work->air_across, &work->air_along, &work->free};
    for (int i = 0; i < ARRAYS; ++i) {
        *arrays[i] = take(&memory, length, lanes);
    }
    work->across = take(&memory, 3, lanes);
    work->again = take(&memory, COIF_RECHECK_ROWS * length, lanes);
    work->middle = take(&memory, COIF_SEGMENT_CONTACT_ROWS * length, lanes);
}
