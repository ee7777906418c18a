// A block and its work arrays with random numbers in every lane, for tests of kernels.
#ifndef COIF_TESTS_SUPPORT_HAIR_VOLUME_FIXTURE_H
#define COIF_TESTS_SUPPORT_HAIR_VOLUME_FIXTURE_H

#include "core/base/rng.h"
#include "sim/solver/simd_dispatch.h"
#include "tests/support/test.h"

enum { LENGTH = 12, FLOATS = LENGTH * COIF_MAX_LANES };

typedef struct pack {
    coif_strand_block block;
    coif_solver_scratch work;
    const coif_kernels *kernels;
} pack;

static const coif_substep STEP = {.h = 0.005f,
                                  .end = 1.0f,
                                  .gravity = {0.0f, -9.81f, 0.0f},
                                  .velocity_retention = 0.99f,
                                  .drag = 2.0f,
                                  .stretch_stiffness = 1.0f,
                                  .bend_stiffness = 0.5f,
                                  .shape_stiffness = 0.4f,
                                  .friction = 0.3f,
                                  .restitution = 0.5f,
                                  .iterations = 2,
                                  .length_constraint = COIF_LENGTH_DIRECT};

static inline const coif_kernels *kernels_of(const char *name)
{
    const coif_kernels *kernels;
    coif_error error = {0};
    CHECK_OK(coif_kernels_find(&kernels, name, &error), error);
    return kernels;
}

// Every array of the same number of rows; lane i of a narrow pack is lane i of a wide one.
static inline void fill(float *array, int32_t lanes, uint32_t which, float low, float high)
{
    for (int32_t k = 0; k < LENGTH; ++k) {
        for (int32_t lane = 0; lane < lanes; ++lane) {
            array[k * lanes + lane] =
                low + (high - low) * coif_random_unit(which, (uint64_t)k, (uint32_t)lane);
        }
    }
}

static inline pack random_pack(const char *name, coif_arena *arena)
{
    pack p = {.kernels = kernels_of(name)};
    const int32_t lanes = p.kernels->lanes;
    coif_strand_block_init(&p.block, LENGTH, lanes, arena);
    coif_solver_scratch_init(&p.work, LENGTH, lanes, arena);
    float *const block[] = {
        p.block.pos.x,           p.block.pos.y,           p.block.pos.z,
        p.block.vel.x,           p.block.vel.y,           p.block.vel.z,
        p.block.rest_local.x,    p.block.rest_local.y,    p.block.rest_local.z,
        p.block.support.accel.x, p.block.support.accel.y, p.block.support.accel.z};
    for (uint32_t i = 0; i < 12; ++i) {
        fill(block[i], lanes, i, -0.1f, 0.1f);
    }
    fill(p.block.rest_length, lanes, 20, 0.01f, 0.02f);
    fill(p.block.inv_mass, lanes, 22, 0.5f, 2.0f);
    fill(p.block.goal_stiffness, lanes, 23, 0.0f, 100.0f);
    fill(p.block.contact_distance, lanes, 24, 0.001f, 0.002f);
    float *const work[] = {p.work.predicted.x,      p.work.predicted.y,      p.work.predicted.z,
                           p.work.wind.x,           p.work.wind.y,           p.work.wind.z,
                           p.work.contact_normal.x, p.work.contact_normal.y, p.work.contact_offset,
                           p.work.surface_disp.x,   p.work.surface_disp.y,   p.work.surface_disp.z};
    for (uint32_t i = 0; i < 12; ++i) {
        fill(work[i], lanes, 30 + i, -0.1f, 0.1f);
    }
    for (int32_t lane = 0; lane < lanes; ++lane) {
        p.block.mass_scale[lane] = 1.0f + 0.05f * (float)lane;
        p.block.inv_mass[lane] = 0.0f;
        for (int r = 0; r < COIF_ROOT_ROWS; ++r) {
            p.block.root_begin[r * lanes + lane] =
                r == 3 || r == 7 || r == 11 ? 1.0f : 0.01f * (float)r;
            p.block.root_end[r * lanes + lane] = p.block.root_begin[r * lanes + lane] + 0.001f;
        }
    }
    coif_strand_block_rotate(&p.block);
    p.work.has_contacts = true;
    p.work.contact_begin = 0;
    p.work.contact_end = LENGTH;
    return p;
}

static inline bool has_wide8(void)
{
    const coif_kernels *kernels;
    return coif_kernels_find(&kernels, "wide8", NULL) == COIF_OK;
}

#endif
