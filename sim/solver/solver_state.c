// solver, places: where strands are: put into their rest shape, read, written, and put back where
// they went wrong.
#include "sim/solver/solver.h"

#include <string.h>

// A point this fast, or this many strand lengths away from its root, has left physics behind.
static const float FASTEST = 300.0f;
static const float FARTHEST = 3.0f;

void coif_solver_roots(const coif_solver *solver, const coif_strand_block *block,
                       const coif_mesh *mesh, float *rows)
{
    const coif_groom *groom = solver->groom;
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        const int32_t rest = groom->simulated[block->strands[lane]];
        const int32_t triangle = groom->root_triangle[rest];
        const float *b = groom->root_barycentric + 2 * (int64_t)rest;
        const coif_vec3 place = coif_mesh_at(mesh, triangle, b[0], b[1]).position;
        const coif_mat3 frame = coif_mesh_frame(mesh, triangle, b[0], b[1]);
        const coif_vec3 all[4] = {place, frame.row[0], frame.row[1], frame.row[2]};
        float values[COIF_ROOT_ROWS];
        memcpy(values, all, sizeof values);
        for (int r = 0; r < COIF_ROOT_ROWS; ++r) {
            rows[r * block->lanes + lane] = values[r];
        }
    }
}

static coif_vec3 to_world(const float *rows, int32_t lanes, int32_t lane, coif_vec3 local)
{
    float out[3];
    for (int a = 0; a < 3; ++a) {
        out[a] = rows[a * lanes + lane] + local.x * rows[(3 + a) * lanes + lane] +
                 local.y * rows[(6 + a) * lanes + lane] + local.z * rows[(9 + a) * lanes + lane];
    }
    return coif_vec3_of(out[0], out[1], out[2]);
}

static coif_vec3 goal_of(const coif_strand_block *block, const float *rows, int64_t at,
                         int32_t lane)
{
    const coif_vec3 local = {block->rest_local.x[at], block->rest_local.y[at],
                             block->rest_local.z[at]};
    return to_world(rows, block->lanes, lane, local);
}

static void put(float *x, float *y, float *z, int64_t at, coif_vec3 value)
{
    x[at] = value.x;
    y[at] = value.y;
    z[at] = value.z;
}

void coif_solver_reset_to_rest(coif_solver *solver, const coif_mesh *posed)
{
    solver->bodies = NULL;
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_strand_block *block = &solver->blocks[b];
        coif_solver_roots(solver, block, posed, block->root_begin);
        for (int64_t at = 0; at < (int64_t)block->length * block->lanes; ++at) {
            const int32_t lane = (int32_t)(at % block->lanes);
            put(block->pos.x, block->pos.y, block->pos.z, at,
                goal_of(block, block->root_begin, at, lane));
            put(block->vel.x, block->vel.y, block->vel.z, at, coif_vec3_of(0.0f, 0.0f, 0.0f));
        }
        if (solver->method->reset_to_rest != NULL) {
            solver->method->reset_to_rest(solver->kernels, block);
        }
    }
}

void coif_solver_get_points(const coif_solver *solver, coif_vec3 *places, coif_vec3 *velocities)
{
    for (int32_t b = 0; b < solver->block_count; ++b) {
        const coif_strand_block *block = &solver->blocks[b];
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            const int32_t first = solver->first_point[block->strands[lane]];
            for (int32_t k = 0; k < block->length; ++k) {
                const int64_t at = (int64_t)k * block->lanes + lane;
                places[first + k] =
                    coif_vec3_of(block->pos.x[at], block->pos.y[at], block->pos.z[at]);
                velocities[first + k] =
                    coif_vec3_of(block->vel.x[at], block->vel.y[at], block->vel.z[at]);
            }
        }
    }
}

void coif_solver_set_points(coif_solver *solver, const coif_vec3 *places,
                            const coif_vec3 *velocities)
{
    solver->bodies = NULL;
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_strand_block *block = &solver->blocks[b];
        for (int64_t at = 0; at < (int64_t)block->length * block->lanes; ++at) {
            const int32_t point = solver->first_point[block->strands[at % block->lanes]] +
                                  (int32_t)(at / block->lanes);
            put(block->pos.x, block->pos.y, block->pos.z, at, places[point]);
            put(block->vel.x, block->vel.y, block->vel.z, at, velocities[point]);
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

static bool strand_is_sane(const coif_strand_block *block, int32_t lane)
{
    float length = 0.0f;
    for (int32_t k = 0; k + 1 < block->length; ++k) {
        length += block->rest_length[(int64_t)k * block->lanes + lane];
    }
    const float far2 = FARTHEST * FARTHEST * length * length;
    for (int32_t k = 0; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const coif_vec3 away = {block->pos.x[at] - block->pos.x[lane],
                                block->pos.y[at] - block->pos.y[lane],
                                block->pos.z[at] - block->pos.z[lane]};
        const coif_vec3 v = {block->vel.x[at], block->vel.y[at], block->vel.z[at]};
        // Written so that what is not a number fails.
        if (!(coif_dot(away, away) <= far2) || !(coif_dot(v, v) <= FASTEST * FASTEST)) {
            return false;
        }
    }
    return true;
}

// Back to where the strand was when the frame began, carried along with its root.
static void heal_strand(coif_strand_block *block, int32_t lane, double seconds)
{
    const float rate = (float)(1.0 / seconds);
    for (int32_t k = 0; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const coif_vec3 carried = coif_sub(goal_of(block, block->root_end, at, lane),
                                           goal_of(block, block->root_begin, at, lane));
        const coif_vec3 good = {block->pos_backup.x[at], block->pos_backup.y[at],
                                block->pos_backup.z[at]};
        put(block->pos.x, block->pos.y, block->pos.z, at, coif_add(good, carried));
        put(block->vel.x, block->vel.y, block->vel.z, at, coif_scale(carried, rate));
    }
    for (int64_t at = lane; at < (int64_t)block->state_rows * block->length * block->lanes;
         at += block->lanes) {
        block->state[at] = block->state_backup[at];
    }
}

void coif_solver_reset_diverged_strands(coif_strand_block *block, double seconds,
                                        coif_step_stats *stats)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        if (!strand_is_sane(block, lane)) {
            const bool counts = lane < block->strand_count;
            stats->not_finite += counts && !coif_step_stats_is_finite(block, lane);
            stats->reset_strands += counts;
            heal_strand(block, lane, seconds);
        }
    }
}
