// solver, building: blocks from the strands of a groom, and all that is known of them at rest.
#include "core/arena.h"
#include "core/jobs.h"
#include "core/rng.h"
#include "sim/solver.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM_MASS = 200, GRAIN = 8 };

typedef struct building {
    coif_solver *solver;
    const coif_solver_desc *desc;
    float *scratch; // two strands' worth per worker
} building;

typedef struct entry {
    int32_t length, strand;
} entry;

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    return (a->strand > b->strand) - (a->strand < b->strand);
}

static const coif_vec4 *rest_points(const coif_groom *groom, int32_t simulated)
{
    return groom->rest.points + groom->rest.first[groom->simulated[simulated]];
}

static coif_mat3 rest_frame(const coif_groom *groom, int32_t simulated)
{
    coif_mat3 frame;
    memcpy(&frame, groom->root_frame + 9 * (int64_t)groom->simulated[simulated], sizeof frame);
    return frame;
}

static void set3(float *const to[3], int64_t at, coif_vec3 value)
{
    to[0][at] = value.x;
    to[1][at] = value.y;
    to[2][at] = value.z;
}

// Lengths, masses and the shape in the frame of the root.
static void fill_shape(coif_block *block, const building *all, int32_t lane)
{
    const coif_groom *groom = all->desc->groom;
    const int32_t strand = block->strands[lane];
    const int32_t rest = groom->simulated[strand];
    const coif_vec4 *p = rest_points(groom, strand);
    const coif_mat3 frame = rest_frame(groom, strand);
    const float *b = groom->root_barycentric + 2 * (int64_t)rest;
    const coif_vec3 root =
        coif_mesh_at(all->desc->rest, groom->root_triangle[rest], b[0], b[1]).position;
    float *const local[3] = {block->lx, block->ly, block->lz};
    const int32_t last = block->length - 1;
    for (int32_t k = 0; k <= last; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const coif_vec3 here = coif_vec4_xyz(p[k]);
        set3(local, at, coif_mat3_apply(&frame, coif_sub(here, root)));
        if (k + 1 <= last) {
            block->rest[at] = coif_length(coif_sub(coif_vec4_xyz(p[k + 1]), here));
        }
        if (k + 2 <= last) {
            block->bend[at] = coif_length(coif_sub(coif_vec4_xyz(p[k + 2]), here));
        }
        // A free end stands for half a segment only, so it is half as heavy.
        block->w[at] = k < all->desc->pinned ? 0.0f : k == 0 || k == last ? 2.0f : 1.0f;
    }
}

// Mass varies a little from strand to strand, so that neighbours part in the wind.
static void fill_material(coif_block *block, const building *all, int32_t lane)
{
    const coif_sim_params *params = all->desc->params;
    const float chance =
        coif_random_unit(all->desc->seed, (uint64_t)block->strands[lane], RANDOM_MASS);
    const float mass = 1.0f + params->mass_variation * (2.0f * chance - 1.0f);
    block->mass[lane] = mass;
    for (int32_t k = 0; k < block->length; ++k) {
        const float rest = 1.0f - (float)k / (float)(block->length - 1);
        const float rate =
            params->hold_tip + (params->hold_root - params->hold_tip) * (rest * rest);
        block->hold[(int64_t)k * block->lanes + lane] = rate * rate / mass;
    }
}

static coif_vec3 segment_of(const coif_vec4 *p, int32_t k)
{
    return coif_normalize(coif_sub(coif_vec4_xyz(p[k + 1]), coif_vec4_xyz(p[k])));
}

// Tensions T of the segments that leave as little as possible of the weight to be carried across
// them: the least squares solution of  m_k g + T_k t_k - T_k-1 t_k-1 = 0  over the free points.
//
//   2 T_k - (t_k-1 . t_k) T_k-1 - (t_k . t_k+1) T_k+1 = (m_k+1 - m_k) g . t_k
//
// with no equation for pinned points. Straight hair that hangs is all tension; in a curl tension
// would only pull it straight, and the shape itself has to carry.
static void fill_tensions(float *tension, float *diagonal, const coif_block *block,
                          const coif_vec4 *p, coif_vec3 g)
{
    const int32_t lanes = block->lanes;
    const int32_t last = block->length - 2;
    for (int32_t k = 0; k <= last; ++k) {
        const float upper = block->w[(int64_t)k * lanes];
        const float lower = block->w[(int64_t)(k + 1) * lanes];
        const coif_vec3 t = segment_of(p, k);
        const float mass =
            (lower > 0.0f ? 1.0f / lower : 0.0f) - (upper > 0.0f ? 1.0f / upper : 0.0f);
        diagonal[k] = (float)(lower > 0.0f) + (float)(upper > 0.0f) + 1e-6f;
        tension[k] = mass * coif_dot(g, t);
        if (k > 0 && upper > 0.0f) {
            const float side = -coif_dot(segment_of(p, k - 1), t);
            const float m = side / diagonal[k - 1];
            diagonal[k] -= m * side;
            tension[k] -= m * tension[k - 1];
        }
    }
    for (int32_t k = last; k >= 0; --k) {
        const bool joined = k < last && block->w[(int64_t)(k + 1) * lanes] > 0.0f;
        const float side = joined ? -coif_dot(segment_of(p, k), segment_of(p, k + 1)) : 0.0f;
        tension[k] = (tension[k] - (joined ? side * tension[k + 1] : 0.0f)) / diagonal[k];
    }
}

// What tension does not carry, the rest shape does; so hair stays as it was groomed.
//
//   f_k = (T_k-1 t_k-1 - T_k t_k) / m_k - g
static void fill_support(coif_block *block, const building *all, int32_t lane, float *scratch)
{
    const coif_sim_params *params = all->desc->params;
    const coif_vec4 *p = rest_points(all->desc->groom, block->strands[lane]);
    const coif_mat3 frame = rest_frame(all->desc->groom, block->strands[lane]);
    const coif_vec3 g = {params->gravity[0], params->gravity[1], params->gravity[2]};
    float *const local[3] = {block->fx, block->fy, block->fz};
    float *tension = scratch;
    fill_tensions(tension, scratch + block->length, block, p, g);
    for (int32_t k = 0; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        coif_vec3 carry = {0.0f, 0.0f, 0.0f};
        if (k > 0) { // hair pulls but does not push: what stands up is carried by its shape
            carry = coif_scale(segment_of(p, k - 1), fmaxf(tension[k - 1], 0.0f));
        }
        if (k + 1 < block->length) {
            carry = coif_mad(carry, -fmaxf(tension[k], 0.0f), segment_of(p, k));
        }
        carry = coif_sub(coif_scale(carry, block->w[at]), g);
        carry = coif_scale(carry, block->w[at] > 0.0f ? params->support : 0.0f);
        set3(local, at, coif_mat3_apply(&frame, carry));
    }
}

// Points keep the distance they have in the groom where that is less than the margin: short fur and
// the first segments of combed hair must not be lifted off the skin.
static void fill_reach(coif_block *block, const building *all, int32_t lane)
{
    const coif_vec4 *p = rest_points(all->desc->groom, block->strands[lane]);
    int32_t hint = -1;
    for (int32_t k = all->desc->pinned; k < block->length; ++k) {
        const float full = all->desc->params->margin + p[k].w;
        const coif_search search = {
            .place = coif_vec4_xyz(p[k]), .reach = 2.0f * full, .hint = hint};
        coif_nearest nearest = {.distance = full};
        if (all->desc->body != NULL && coif_collider_find(&nearest, all->desc->body, &search)) {
            hint = nearest.triangle;
        }
        block->reach[(int64_t)k * block->lanes + lane] =
            coif_clamp(nearest.distance, 0.2f * full, full);
    }
}

static void fill_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const building *all = context;
    float *scratch = all->scratch + (int64_t)worker * 2 * all->solver->longest;
    for (int64_t b = begin; b < end; ++b) {
        coif_block *block = &all->solver->blocks[b];
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            fill_shape(block, all, lane);
            fill_material(block, all, lane);
            fill_support(block, all, lane, scratch);
            fill_reach(block, all, lane);
        }
    }
}

// Strands of equal length go together; lanes left over repeat the last strand.
static void cut_blocks(coif_solver *solver, const entry *entries, int32_t count, coif_arena *arena)
{
    const int32_t lanes = solver->kernels->lanes;
    int32_t blocks = 0;
    for (int32_t pass = 0; pass < 2; ++pass) {
        if (pass == 1) {
            solver->blocks = coif_arena_new(arena, blocks, coif_block);
        }
        for (int32_t i = 0; i < count; blocks += pass == 0) {
            int32_t some = 1;
            while (some < lanes && i + some < count &&
                   entries[i + some].length == entries[i].length) {
                ++some;
            }
            if (pass == 1) {
                coif_block *block = &solver->blocks[solver->block_count++];
                coif_block_init(block, entries[i].length, lanes, arena);
                block->strand_count = some;
                for (int32_t lane = 0; lane < lanes; ++lane) {
                    block->strands[lane] = entries[i + (lane < some ? lane : some - 1)].strand;
                }
            }
            i += some;
        }
    }
}

void coif_solver_init(coif_solver *solver, const coif_solver_desc *desc, coif_arena *arena,
                      coif_jobs *jobs)
{
    const coif_groom *groom = desc->groom;
    const int32_t count = groom->simulated_count;
    *solver = (coif_solver){.groom = groom, .kernels = desc->kernels, .rest = desc->rest};
    solver->first = coif_arena_new(arena, count + (int64_t)1, int32_t);
    entry *entries = coif_arena_new(arena, count, entry);
    for (int32_t s = 0; s < count; ++s) {
        const int32_t length = coif_strands_length(&groom->rest, groom->simulated[s]);
        solver->first[s + 1] = solver->first[s] + length;
        solver->longest = length > solver->longest ? length : solver->longest;
        entries[s] = (entry){length, s};
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    cut_blocks(solver, entries, count, arena);
    const int64_t workers = jobs != NULL ? coif_jobs_threads(jobs) : 1;
    building all = {solver, desc, coif_arena_new(arena, 2 * workers * solver->longest, float)};
    coif_parallel_for(jobs, solver->block_count, GRAIN, fill_blocks, &all);
    coif_solver_place(solver, desc->rest);
}

coif_work *coif_solver_works(const coif_solver *solver, coif_arena *arena, coif_jobs *jobs)
{
    const int32_t count = jobs != NULL ? coif_jobs_threads(jobs) : 1;
    coif_work *works = coif_arena_new(arena, count, coif_work);
    for (int32_t i = 0; i < count; ++i) {
        coif_work_init(&works[i], solver->longest, solver->kernels->lanes, arena);
    }
    return works;
}
