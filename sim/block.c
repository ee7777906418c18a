#include "sim/block.h"

#include "core/arena.h"
#include "sim/again.h"

// Hands out consecutive arrays of rows * lanes floats; every array begins on a vector's border.
static float *take(float **memory, int32_t rows, int32_t lanes)
{
    float *array = *memory;
    *memory += (int64_t)rows * lanes;
    return array;
}

void coif_block_init(coif_block *block, int32_t length, int32_t lanes, coif_arena *arena)
{
    enum { ARRAYS = 28 };
    float *outside;
    float *hint;
    *block = (coif_block){.length = length, .lanes = lanes};
    const int64_t rows = (int64_t)ARRAYS * length + 6 + 2 * COIF_ROOT_ROWS;
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
                                    &hint};
    for (int i = 0; i < ARRAYS; ++i) {
        *arrays[i] = take(&memory, length, lanes);
    }
    block->clearances.outside = (int32_t *)outside;
    block->clearances.hint = (int32_t *)hint;
    block->mass = take(&memory, 1, lanes);
    block->per_kilogram = take(&memory, 1, lanes);
    block->sail = take(&memory, 1, lanes);
    block->side = take(&memory, 3, lanes);
    block->root = take(&memory, COIF_ROOT_ROWS, lanes);
    block->root_end = take(&memory, COIF_ROOT_ROWS, lanes);
}

void coif_block_add_state(coif_block *block, int32_t rows, coif_arena *arena)
{
    const int64_t floats = (int64_t)rows * block->length * block->lanes;
    block->state_rows = rows;
    block->state = coif_arena_new(arena, floats, float);
    block->good_state = coif_arena_new(arena, floats, float);
}

void coif_work_init(coif_work *work, int32_t length, int32_t lanes, coif_arena *arena)
{
    enum { ARRAYS = 38 };
    *work = (coif_work){.touching = false};
    const int64_t rows = (int64_t)(ARRAYS + COIF_AGAIN_ROWS) * length + 3;
    float *memory = coif_arena_new(arena, rows * lanes, float);
    float **const arrays[ARRAYS] = {
        &work->px,     &work->py,         &work->pz,       &work->gx,     &work->gy,
        &work->gz,     &work->ux,         &work->uy,       &work->uz,     &work->ax,
        &work->ay,     &work->az,         &work->nx,       &work->ny,     &work->nz,
        &work->offset, &work->sx,         &work->sy,       &work->sz,     &work->qx,
        &work->qy,     &work->qz,         &work->push,     &work->tx,     &work->ty,
        &work->tz,     &work->diagonal,   &work->side,     &work->lambda, &work->cx,
        &work->cy,     &work->cz,         &work->lost_x,   &work->lost_y, &work->lost_z,
        &work->depth,  &work->air_across, &work->air_along};
    for (int i = 0; i < ARRAYS; ++i) {
        *arrays[i] = take(&memory, length, lanes);
    }
    work->across = take(&memory, 3, lanes);
    work->again = take(&memory, COIF_AGAIN_ROWS * length, lanes);
}
