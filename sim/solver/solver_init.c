// solver, building: blocks from the strands of a groom, and all that is known of them at rest.
#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/base/rng.h"
#include "sim/solver/gravity_compensation.h"
#include "sim/solver/methods/der/der.h"
#include "sim/solver/rest_shape_animation.h"
#include "sim/solver/solver.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM_MASS = 200, GRAIN = 8 };

typedef struct building {
    coif_solver *solver;
    const coif_solver_desc *desc;
    coif_solver_scratch *works; // one per worker
} building;

typedef struct entry {
    int32_t length, triangle, strand;
} entry;

static int compare_entries(const void *left, const void *right)
{
    const entry *a = left;
    const entry *b = right;
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    if (a->triangle != b->triangle) {
        return a->triangle < b->triangle ? -1 : 1;
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

bool coif_solver_clamps(const coif_solver_desc *desc)
{
    return desc->params->root_boundary == COIF_ROOT_CLAMPED && desc->pinned > 0;
}

void coif_solver_check_round(const coif_solver *solver, const coif_solver_desc *desc)
{
    if (desc->params->ellipticity > 1.0f) {
        coif_log(
            COIF_LOG_WARNING,
            "sim.ellipticity %g has no effect: the solver %s has no frames along a strand that "
            "could tell one side of a hair from another; rod, xpbd and spring have",
            (double)desc->params->ellipticity, solver->method->name);
    }
}

// Whether point k of a strand goes with the body: not clamped, a root is one point or none.
static bool is_held(const coif_solver_desc *desc, int32_t k, int32_t last)
{
    static const int32_t tips[] = {
        [COIF_TIP_FREE] = 0, [COIF_TIP_PINNED] = 1, [COIF_TIP_CLAMPED] = 2};
    const int32_t roots = desc->params->root_boundary == COIF_ROOT_CLAMPED  ? desc->pinned
                          : desc->params->root_boundary == COIF_ROOT_PINNED ? 1
                                                                            : 0;
    return k < roots || k > last - tips[desc->params->tip_boundary];
}

float coif_solver_radius(const coif_solver_desc *desc, int32_t strand)
{
    const coif_strands *rest = &desc->groom->rest;
    const int32_t which = desc->groom->simulated[strand];
    float sum = 0.0f;
    for (int32_t i = rest->first[which]; i < rest->first[which + 1]; ++i) {
        sum += rest->points[i].w;
    }
    const float radius = desc->params->hair_radius *
                         coif_param_fields_strand(desc->vary, COIF_FIELD_HAIR_RADIUS, strand);
    return radius > 0.0f ? radius : sum / (float)coif_strands_length(rest, which);
}

static void set3(float *const to[3], int64_t at, coif_vec3 value)
{
    to[0][at] = value.x;
    to[1][at] = value.y;
    to[2][at] = value.z;
}

// Lengths and the shape in the frame of the root.
static void fill_shape(coif_strand_block *block, const coif_solver_desc *desc, int32_t lane)
{
    const coif_groom *groom = desc->groom;
    const int32_t strand = block->strands[lane];
    const int32_t rest = groom->simulated[strand];
    const coif_vec4 *p = rest_points(groom, strand);
    const coif_mat3 frame = rest_frame(groom, strand);
    const float *b = groom->root_barycentric + 2 * (int64_t)rest;
    const coif_vec3 root =
        coif_mesh_at(desc->rest, groom->root_triangle[rest], b[0], b[1]).position;
    float *const local[3] = {block->rest_local.x, block->rest_local.y, block->rest_local.z};
    const int32_t last = block->length - 1;
    for (int32_t k = 0; k <= last; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const coif_vec3 here = coif_vec4_xyz(p[k]);
        set3(local, at, coif_mat3_apply(&frame, coif_sub(here, root)));
        if (k + 1 <= last) {
            block->rest_length[at] = coif_length(coif_sub(coif_vec4_xyz(p[k + 1]), here));
        }
    }
}

// Mass varies a little from strand to strand, so that neighbours part in the wind.
static void fill_material(coif_strand_block *block, const coif_solver_desc *desc, int32_t lane)
{
    const coif_sim_params *params = desc->params;
    const float chance = coif_random_unit(desc->seed, (uint64_t)block->strands[lane], RANDOM_MASS);
    const coif_param_fields *vary = desc->vary;
    const int32_t strand = block->strands[lane];
    const float spread =
        params->mass_variation * coif_param_fields_strand(vary, COIF_FIELD_MASS_VARIATION, strand);
    const float mass = (1.0f + spread * (2.0f * chance - 1.0f)) *
                       (params->mass > 0.0f ? params->mass : 1.0f) *
                       coif_param_fields_strand(vary, COIF_FIELD_MASS, strand);
    const float root =
        params->goal_frequency_root * coif_param_fields_strand(vary, COIF_FIELD_HOLD_ROOT, strand);
    const float tip =
        params->goal_frequency_tip * coif_param_fields_strand(vary, COIF_FIELD_HOLD_TIP, strand);
    const float hold = params->goal_scale * coif_param_fields_strand(vary, COIF_FIELD_HOLD, strand);
    block->mass_scale[lane] = mass;
    float length = 0.0f;
    const int32_t last = block->length - 1;
    for (int32_t k = 0; k <= last; ++k) {
        const float place = (float)k / (float)last;
        // A free end stands for half a segment only, so it is half as heavy.
        block->inv_mass[(int64_t)k * block->lanes + lane] = is_held(desc, k, last) ? 0.0f
                                                            : k == 0 || k == last  ? 2.0f
                                                                                   : 1.0f;
        const float rest = 1.0f - place;
        const float rate = (tip + (root - tip) * (rest * rest)) *
                           (hold * coif_param_fields_along(vary, COIF_FIELD_HOLD, place));
        const bool loose = params->root_boundary != COIF_ROOT_CLAMPED;
        block->goal_stiffness[(int64_t)k * block->lanes + lane] =
            loose ? 0.0f : rate * rate / (mass * coif_param_fields_weight(vary, place));
        length += k < last ? block->rest_length[(int64_t)k * block->lanes + lane] : 0.0f;
    }
    coif_param_fields_fill(block, lane, vary);
    const float radius = coif_solver_radius(desc, block->strands[lane]);
    const float density =
        params->hair_density * coif_param_fields_strand(vary, COIF_FIELD_HAIR_DENSITY, strand);
    block->area_per_mass[lane] =
        radius > 0.0f && density > 0.0f
            ? 2.0f / (3.14159265f * radius * density * block->mass_scale[lane])
            : 0.0f;
    const float kilograms =
        block->mass_scale[lane] * density * 3.14159265f * radius * radius * length / (float)last;
    block->inv_point_mass[lane] = kilograms > 1e-20f ? 1.0f / kilograms : 0.0f;
}

// Points keep the distance they have in the groom where that is less than the margin: short fur and
// the first segments of combed hair must not be lifted off the skin.
static void fill_reach(coif_strand_block *block, const coif_solver_desc *desc, int32_t lane)
{
    const coif_vec4 *p = rest_points(desc->groom, block->strands[lane]);
    const float margin =
        desc->params->contact_margin *
        coif_param_fields_strand(desc->vary, COIF_FIELD_MARGIN, block->strands[lane]);
    int32_t hint = -1;
    for (int32_t k = 0; k < block->length; ++k) {
        if (is_held(desc, k, block->length - 1)) {
            continue;
        }
        const float place = (float)k / (float)(block->length - 1);
        const float full =
            margin * coif_param_fields_along(desc->vary, COIF_FIELD_MARGIN, place) + p[k].w;
        const coif_closest_point_query search = {
            .position = coif_vec4_xyz(p[k]), .max_distance = 2.0f * full, .hint = hint};
        coif_closest_point nearest = {.distance = full};
        if (desc->body != NULL && coif_collider_closest_point(&nearest, desc->body, &search)) {
            hint = nearest.triangle;
        }
        block->contact_distance[(int64_t)k * block->lanes + lane] =
            coif_clamp(nearest.distance, 0.2f * full, full);
    }
}

// A direction across the first segment: the axis of the root's frame that is least along it.
static void fill_side(coif_strand_block *block, int32_t lane)
{
    const int64_t next = block->lanes + lane;
    const coif_vec3 d =
        coif_normalize(coif_vec3_of(block->rest_local.x[next] - block->rest_local.x[lane],
                                    block->rest_local.y[next] - block->rest_local.y[lane],
                                    block->rest_local.z[next] - block->rest_local.z[lane]));
    const float x = fabsf(d.x);
    const float y = fabsf(d.y);
    const float z = fabsf(d.z);
    coif_vec3 side = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    side = coif_normalize(coif_mad(side, -coif_dot(side, d), d));
    block->reference_axis[lane] = side.x;
    block->reference_axis[block->lanes + lane] = side.y;
    block->reference_axis[2 * block->lanes + lane] = side.z;
}

void coif_solver_set_rest_shape(const coif_solver_desc *desc, coif_strand_block *block)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        fill_shape(block, desc, lane);
        fill_reach(block, desc, lane);
    }
}

// The kernels learn the shape they are to keep.
static void learn_shape(const coif_solver *solver, coif_strand_block *block,
                        coif_solver_scratch *scratch)
{
    const coif_kernels *kernels = solver->kernels;
    const coif_substep rest = {.end = 0.0f};
    kernels->update_targets(block, scratch, &rest);
    float *const goals[3] = {scratch->target.x, scratch->target.y, scratch->target.z};
    float *const points[3] = {scratch->predicted.x, scratch->predicted.y, scratch->predicted.z};
    for (int a = 0; a < 3; ++a) {
        memcpy(points[a], goals[a], sizeof(float) * (size_t)block->length * (size_t)block->lanes);
    }
    kernels->precompute_shape(block, scratch);
}

void coif_solver_precompute_rest(const coif_solver *solver, const coif_solver_desc *desc,
                                 coif_strand_block *block, coif_solver_scratch *scratch)
{
    for (int32_t lane = 0; lane < block->lanes; ++lane) {
        fill_side(block, lane);
        fill_material(block, desc, lane);
    }
    learn_shape(solver, block, scratch);
    if (!solver->method->builtin_gravity_compensation) {
        coif_gravity_compensation_fill(desc, solver->kernels, block, scratch);
    }
    if (solver->method->precompute_rest != NULL) {
        solver->method->precompute_rest(desc, block, scratch);
    }
}

static void fill_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const building *all = context;
    for (int64_t b = begin; b < end; ++b) {
        coif_strand_block *block = &all->solver->blocks[b];
        coif_solver_set_rest_shape(all->desc, block);
        coif_solver_roots(all->solver, block, all->desc->rest, block->root_begin);
        coif_solver_precompute_rest(all->solver, all->desc, block, &all->works[worker]);
    }
}

// Strands of equal length go together, neighbours before others: they meet the same part of a body.
// Lanes left over repeat the last strand.
static void cut_blocks(coif_solver *solver, const coif_solver_desc *desc, const entry *entries,
                       coif_arena *arena)
{
    const int32_t lanes = solver->kernels->lanes;
    const int32_t count = desc->groom->simulated_count;
    int32_t blocks = 0;
    for (int32_t pass = 0; pass < 2; ++pass) {
        if (pass == 1) {
            solver->blocks = coif_arena_new(arena, blocks, coif_strand_block);
        }
        for (int32_t i = 0; i < count; blocks += pass == 0) {
            int32_t some = 1;
            while (some < lanes && i + some < count &&
                   entries[i + some].length == entries[i].length) {
                ++some;
            }
            if (pass == 1) {
                coif_strand_block *block = &solver->blocks[solver->block_count++];
                coif_strand_block_init(block, entries[i].length, lanes, arena);
                coif_param_fields_add_rows(block, desc->vary, arena);
                if (!solver->method->builtin_gravity_compensation) {
                    coif_gravity_compensation_init(block, arena);
                }
                if (desc->grows) {
                    coif_rest_animation_init(block, arena);
                }
                if (solver->method->init != NULL) {
                    solver->method->init(desc, block, arena);
                }
                block->strand_count = some;
                for (int32_t lane = 0; lane < lanes; ++lane) {
                    block->strands[lane] = entries[i + (lane < some ? lane : some - 1)].strand;
                }
            }
            i += some;
        }
    }
}

coif_solver_scratch *coif_solver_create_scratch(const coif_solver *solver, coif_arena *arena,
                                                coif_jobs *jobs)
{
    const int32_t count = jobs != NULL ? coif_jobs_threads(jobs) : 1;
    coif_solver_scratch *works = coif_arena_new(arena, count, coif_solver_scratch);
    for (int32_t i = 0; i < count; ++i) {
        const int64_t row = (int64_t)solver->max_length * solver->kernels->lanes;
        coif_solver_scratch_init(&works[i], solver->max_length, solver->kernels->lanes, arena);
        works[i].method_rows = coif_arena_new(arena, row * solver->method->scratch_rows, float);
    }
    return works;
}

void coif_solver_init(coif_solver *solver, const coif_solver_desc *desc, coif_arena *arena,
                      coif_jobs *jobs)
{
    const coif_groom *groom = desc->groom;
    const int32_t count = groom->simulated_count;
    *solver = (coif_solver){.groom = groom,
                            .kernels = desc->kernels,
                            .method = coif_solver_vtable_at(desc->params->solver),
                            .rest = desc->rest,
                            .arena = arena};
    solver->first_point = coif_arena_new(arena, count + (int64_t)1, int32_t);
    entry *entries = coif_arena_new(arena, count, entry);
    for (int32_t s = 0; s < count; ++s) {
        const int32_t length = coif_strands_length(&groom->rest, groom->simulated[s]);
        solver->first_point[s + 1] = solver->first_point[s] + length;
        solver->max_length = length > solver->max_length ? length : solver->max_length;
        entries[s] = (entry){length, groom->root_triangle[groom->simulated[s]], s};
    }
    qsort(entries, (size_t)count, sizeof *entries, compare_entries);
    cut_blocks(solver, desc, entries, arena);
    building all = {solver, desc, coif_solver_create_scratch(solver, arena, jobs)};
    coif_parallel_for(jobs, solver->block_count, GRAIN, fill_blocks, &all);
    if (solver->method->validate != NULL) {
        solver->method->validate(solver, desc);
    }
    if (desc->grows) {
        coif_solver_desc *kept = coif_arena_new(arena, 1, coif_solver_desc);
        *kept = *desc;
        solver->desc = kept;
        coif_rest_animation_begin(solver);
    }
    coif_solver_reset_to_rest(solver, desc->rest);
}
