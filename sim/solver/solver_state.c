// solver_state: positions, velocities and method state in and out of the blocks.
#include "sim/solver/method.h"
#include "sim/solver/solver_internal.h"

#include <string.h>

void coif_solver_load_roots(const coif_strand_block *block, const coif_root_pose *roots,
                            float *rows)
{
    _Static_assert(sizeof(coif_root_pose) == sizeof(float) * COIF_ROOT_ROWS, "rows of a root");
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        float values[COIF_ROOT_ROWS];
        memcpy(values, &roots[block->strands[lane]], sizeof values);
        for (int r = 0; r < COIF_ROOT_ROWS; ++r) {
            rows[r * block->lanes + lane] = values[r];
        }
    }
}

void coif_solver_reset_to_rest(coif_solver *solver, const coif_root_pose *roots)
{
    solver->caches_valid = false;
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_strand_block *block = &solver->blocks[b];
        coif_solver_load_roots(block, roots, block->root_begin);
        for (int64_t at = 0; at < (int64_t)block->length * block->lanes; ++at) {
            coif_soa3_set(&block->pos, at, coif_strand_block_target(block, block->root_begin, at));
            coif_soa3_set(&block->vel, at, coif_vec3_of(0.0f, 0.0f, 0.0f));
        }
        if (solver->method->reset_to_rest != NULL) {
            solver->method->reset_to_rest(solver->kernels, block);
        }
    }
}

void coif_solver_get_points(const coif_solver *solver, coif_vec3 *positions, coif_vec3 *velocities)
{
    for (int32_t b = 0; b < solver->block_count; ++b) {
        const coif_strand_block *block = &solver->blocks[b];
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            const int32_t first = solver->first_point[block->strands[lane]];
            for (int32_t k = 0; k < block->length; ++k) {
                const int64_t at = (int64_t)k * block->lanes + lane;
                positions[first + k] = coif_soa3_get(&block->pos, at);
                velocities[first + k] = coif_soa3_get(&block->vel, at);
            }
        }
    }
}

void coif_solver_set_points(coif_solver *solver, const coif_vec3 *positions,
                            const coif_vec3 *velocities)
{
    solver->caches_valid = false;
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_strand_block *block = &solver->blocks[b];
        for (int64_t at = 0; at < (int64_t)block->length * block->lanes; ++at) {
            const int32_t point = solver->first_point[block->strands[at % block->lanes]] +
                                  (int32_t)(at / block->lanes);
            coif_soa3_set(&block->pos, at, positions[point]);
            coif_soa3_set(&block->vel, at, velocities[point]);
        }
    }
}

int32_t coif_solver_state_rows(const coif_solver *solver)
{
    return solver->block_count > 0 ? solver->blocks[0].state_rows : 0;
}

void coif_solver_get_state(const coif_solver *solver, float *rows)
{
    for (int32_t b = 0; b < solver->block_count; ++b) {
        const coif_strand_block *block = &solver->blocks[b];
        const int32_t count = block->length * block->state_rows;
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            const int64_t first =
                (int64_t)solver->first_point[block->strands[lane]] * block->state_rows;
            for (int32_t i = 0; i < count; ++i) {
                rows[first + i] = block->state[(int64_t)i * block->lanes + lane];
            }
        }
    }
}

void coif_solver_set_state(coif_solver *solver, const float *rows)
{
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_strand_block *block = &solver->blocks[b];
        const int32_t count = block->length * block->state_rows;
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            const int64_t first =
                (int64_t)solver->first_point[block->strands[lane]] * block->state_rows;
            for (int32_t i = 0; i < count; ++i) {
                block->state[(int64_t)i * block->lanes + lane] = rows[first + i];
            }
        }
    }
}
