#include "sim/crowd.h"

#include "core/jobs.h"
#include "core/log.h"
#include "sim/crowd_pose.h"
#include "sim/shelter.h"
#include "sim/solver.h"

#include <string.h>

enum { MOST_GROUPS = 8, STRANDS_PER_GROUP = 1024, GRAIN = 4 };

// The grid is made coarser until hair at rest takes no more tiles than this; in motion it may take
// some times as many, and what goes beyond is left alone.
enum { MOST_TILES_AT_REST = 12288, MOST_TILES = 4 * MOST_TILES_AT_REST };

// Where no cell is asked for: this many metres, or more until tiles hold as many halves of segments
// on the mean.
static const float FINEST = 0.008f;
static const float COARSEST = 0.04f;
static const int64_t HALVES_PER_TILE = 256;
static const float COARSER = 1.26f;

// A segment has one sample in its middle where that leaves no gaps, or else two.
static const float MOST_CELLS_APART = 1.3f;
static const float HALVES[2] = {0.25f, 0.75f};

typedef struct crowding {
    coif_solver *solver;
    coif_crowd_map map;
    coif_splat *splats;
    coif_field *field;
    coif_work *works; // NULL, or strands stand in their rest shape
    bool again;       // densities at rest are known and are to be raised
    bool varied;      // hairs have laws of their own, see field.h
    float rate;
} crowding;

bool coif_crowd_wanted(const coif_sim_params *params)
{
    return params->hair_friction > 0.0f || params->hair_pressure > 0.0f ||
           params->wind_shelter > 0.0f;
}

// A point as the grid sees it.
typedef struct line {
    coif_four place; // and density at rest
    coif_four speed; // and 1
} line;

static coif_four between(coif_four a, coif_four b, float t)
{
    return a + t * (b - a);
}

// Always inline: where there is no work, which is nearly always, nothing is left of that branch.
static inline __attribute__((always_inline)) line line_of(const crowding *all,
                                                          const coif_block *block,
                                                          const coif_work *work, int64_t at)
{
    line end;
    if (work != NULL) {
        end.place = coif_crowd_place(&all->map, work->gx[at], work->gy[at], work->gz[at]);
        end.place[3] = block->packing[at];
        end.speed = (coif_four){0.0f, 0.0f, 0.0f, 1.0f};
        return end;
    }
    end.place = coif_crowd_place(&all->map, block->x[at], block->y[at], block->z[at]);
    end.speed = coif_crowd_speed(&all->map, end.place, block->vx[at], block->vy[at], block->vz[at]);
    end.place[3] = block->packing[at];
    end.speed[3] = 1.0f;
    return end;
}

static coif_four laws_at(const coif_block *block, int64_t at)
{
    static const int rows[3] = {[COIF_LAW_FRICTION] = COIF_VARY_HAIR_FRICTION,
                                [COIF_LAW_PRESSURE] = COIF_VARY_HAIR_PRESSURE,
                                [COIF_LAW_SHELTER] = COIF_VARY_WIND_SHELTER};
    coif_four laws = {1.0f, 1.0f, 1.0f, 0.0f};
    for (int i = 0; i < 3; ++i) {
        laws[i] = block->vary[rows[i]] != NULL ? block->vary[rows[i]][at] : 1.0f;
    }
    return laws;
}

static void splat_strand(const crowding *all, coif_splat *splat, const coif_block *block,
                         const coif_work *work, int32_t lane)
{
    if (!(block->per_kilogram[lane] > 0.0f)) {
        return;
    }
    const bool halves = all->solver->crowd.halves;
    const float mass =
        (halves ? 0.5f : 1.0f) * all->solver->crowd.hairs / block->per_kilogram[lane];
    line a = line_of(all, block, work, lane);
    for (int32_t k = 1; k < block->length; ++k) {
        const line b = line_of(all, block, work, (int64_t)k * block->lanes + lane);
        for (int i = 0; i < (halves ? 2 : 1); ++i) {
            const float t = halves ? HALVES[i] : 0.5f;
            coif_sample sample = {.place = between(a.place, b.place, t),
                                  .sums = between(a.speed, b.speed, t) * mass};
            if (all->varied) {
                const int64_t at = (int64_t)k * block->lanes + lane;
                sample.laws = between(laws_at(block, at - block->lanes), laws_at(block, at), t);
            }
            coif_splat_add(splat, &sample);
        }
        a = b;
    }
}

// The rest shape, on the body at rest, into the goals of the work.
static void pose_at_rest(const crowding *all, const coif_block *block, coif_work *work)
{
    const coif_substep rest = {.end = 0.0f};
    all->solver->kernels->pose(block, work, &rest);
}

// Groups are ranges of strands in the order of the blocks, which does not depend on how many lanes
// a block has.
static void splat_groups(void *context, int64_t begin, int64_t end, int worker)
{
    const crowding *all = context;
    const coif_crowd *crowd = &all->solver->crowd;
    coif_work *work = all->works != NULL ? &all->works[worker] : NULL;
    const int32_t blocks = all->solver->block_count;
    const int64_t strands = crowd->before[blocks];
    for (int64_t g = begin; g < end; ++g) {
        const int32_t first = (int32_t)(strands * g / crowd->groups);
        const int32_t last = (int32_t)(strands * (g + 1) / crowd->groups);
        for (int32_t b = 0; b < blocks; ++b) {
            if (crowd->before[b + 1] <= first || crowd->before[b] >= last) {
                continue;
            }
            coif_block *block = &all->solver->blocks[b];
            if (work != NULL) {
                pose_at_rest(all, block, work);
            }
            for (int32_t lane = 0; lane < block->strand_count; ++lane) {
                const int32_t strand = crowd->before[b] + lane;
                if (strand >= first && strand < last) {
                    splat_strand(all, &all->splats[g], block, work, lane);
                }
            }
        }
    }
}

// Strews all strands, group by group.
static void splat_all(crowding *all, coif_arena *arena, coif_jobs *jobs)
{
    const int32_t groups = all->solver->crowd.groups;
    all->splats = coif_arena_new(arena, groups, coif_splat);
    for (int32_t g = 0; g < groups; ++g) {
        coif_splat_open(&all->splats[g], MOST_TILES / groups);
        all->splats[g].varied = all->varied;
    }
    coif_parallel_for(jobs, groups, 1, splat_groups, all);
}

static void close_splats(crowding *all)
{
    for (int32_t g = 0; g < all->solver->crowd.groups; ++g) {
        coif_splat_close(&all->splats[g]);
    }
}

// Calls what is wanted of the tile, node and weights of a sample.
typedef struct found {
    coif_tile_place place;
    const coif_four *felt; // NULL where nothing is known
    const float *rates;
} found;

static const coif_four *felt_at(const coif_field *field, found *last, const coif_tile_spot *spot)
{
    if (last->felt == NULL || !coif_tile_place_same(last->place, spot->tile)) {
        const int32_t tile = coif_tiles_find(&field->tiles, spot->tile);
        if (tile < 0) {
            return NULL;
        }
        last->place = spot->tile;
        last->felt = field->felt + (int64_t)tile * COIF_TILE_NODES;
        last->rates = field->rates != NULL ? field->rates + (int64_t)tile * COIF_TILE_NODES : NULL;
    }
    return last->felt + spot->node;
}

// Acceleration, and the share of wind that is left.
static coif_four gather(const crowding *all, found *last, const line *a, const line *b, float t)
{
    coif_tile_spot spot;
    const coif_four *felt = NULL;
    if (coif_tile_spot_of(&spot, between(a->place, b->place, t))) {
        felt = felt_at(all->field, last, &spot);
    }
    if (felt == NULL) {
        return (coif_four){0.0f, 0.0f, 0.0f, 1.0f};
    }
    coif_four sum = {0};
    for (int i = 0; i < 8; ++i) {
        sum += spot.weights[i] * felt[COIF_TILE_CORNERS[i]];
    }
    float rate = all->rate;
    if (last->rates != NULL) {
        rate = 0.0f;
        for (int i = 0; i < 8; ++i) {
            rate += spot.weights[i] * last->rates[spot.node + COIF_TILE_CORNERS[i]];
        }
    }
    coif_four speed = between(a->speed, b->speed, t);
    speed[3] = 0.0f;
    return sum - rate * speed;
}

static void put(coif_block *block, int64_t at, coif_four a)
{
    const float free = block->w[at] == 0.0f ? 0.0f : 1.0f;
    block->jostle_x[at] = free * a[0];
    block->jostle_y[at] = free * a[1];
    block->jostle_z[at] = free * a[2];
    block->shelter[at] = a[3];
}

// A sample pushes the ends of its segment by their shares, of two the nearer one with three
// quarters: what was strewn is gathered with the same weights, so momentum is kept.
static void gather_strand(const crowding *all, coif_block *block, int32_t lane)
{
    const bool halves = all->solver->crowd.halves;
    found last = {.felt = NULL};
    line a = line_of(all, block, NULL, lane);
    coif_four before = {0}; // of the last segment
    for (int32_t k = 1; k < block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        const line b = line_of(all, block, NULL, at);
        coif_four near;
        coif_four far;
        if (halves) {
            const coif_four one = gather(all, &last, &a, &b, HALVES[0]);
            const coif_four two = gather(all, &last, &a, &b, HALVES[1]);
            near = HALVES[1] * one + HALVES[0] * two;
            far = HALVES[0] * one + HALVES[1] * two;
        } else {
            near = far = gather(all, &last, &a, &b, 0.5f);
        }
        put(block, at - block->lanes, k == 1 ? near : 0.5f * before + 0.5f * near);
        before = far;
        a = b;
    }
    put(block, (int64_t)(block->length - 1) * block->lanes + lane, before);
}

// From the axes of the grid back to those of the world.
static void turn_back(const crowding *all, coif_block *block)
{
    for (int64_t at = 0; at < (int64_t)block->length * block->lanes; ++at) {
        const coif_vec3 local = {block->jostle_x[at], block->jostle_y[at], block->jostle_z[at]};
        const coif_vec3 push = coif_mat3_apply_transposed(&all->map.to_grid, local);
        block->jostle_x[at] = push.x;
        block->jostle_y[at] = push.y;
        block->jostle_z[at] = push.z;
    }
}

static void gather_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const crowding *all = context;
    for (int64_t b = begin; b < end; ++b) {
        coif_block *block = &all->solver->blocks[b];
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            gather_strand(all, block, lane);
        }
        turn_back(all, block);
    }
}

// The density at a sample; or, the second time, by how much it is above the one kept, at the worst
// of the nodes around.
static float packing_at(const crowding *all, found *last, coif_four place)
{
    coif_tile_spot spot;
    const coif_four *felt = NULL;
    if (coif_tile_spot_of(&spot, place)) {
        felt = felt_at(all->field, last, &spot);
    }
    float mean = 0.0f;
    float most = 1.0f;
    for (int i = 0; felt != NULL && i < 8; ++i) {
        const float value = felt[COIF_TILE_CORNERS[i]][3];
        mean += spot.weights[i] * value;
        most = value > most ? value : most;
    }
    return all->again ? most : mean;
}

static void measure_strand(const crowding *all, coif_block *block, const coif_work *work,
                           int32_t lane)
{
    found last = {.felt = NULL};
    line a = line_of(all, block, work, lane);
    float before = 0.0f;
    for (int32_t k = 1; k <= block->length; ++k) {
        const int64_t at = (int64_t)k * block->lanes + lane;
        float after = 0.0f; // of the segment from k - 1 to k
        if (k < block->length) {
            const line b = line_of(all, block, work, at);
            if (all->solver->crowd.halves) {
                const float one = packing_at(all, &last, between(a.place, b.place, HALVES[0]));
                const float two = packing_at(all, &last, between(a.place, b.place, HALVES[1]));
                after = one > two ? one : two;
            } else {
                after = packing_at(all, &last, between(a.place, b.place, 0.5f));
            }
            a = b;
        }
        float *packing = &block->packing[at - block->lanes];
        const float most = before > after ? before : after;
        *packing = all->again ? *packing * most : most;
        before = after;
    }
}

// The density at rest that a point keeps is that around its segments, raised by what nodes there
// have more than the mean of all that touches them. So the mean over whatever touches a node is
// never less than what is at the node, and at rest nothing presses.
static void measure_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const crowding *all = context;
    coif_work *work = &all->works[worker];
    for (int64_t b = begin; b < end; ++b) {
        coif_block *block = &all->solver->blocks[b];
        pose_at_rest(all, block, work);
        for (int32_t lane = 0; lane < block->lanes; ++lane) {
            measure_strand(all, block, work, lane);
        }
    }
}

static void measure(crowding *all, coif_arena *arena, coif_jobs *jobs)
{
    coif_field *field = all->field;
    coif_field_build(field, all->splats, all->solver->crowd.groups, all->solver->crowd.cell, arena,
                     jobs);
    for (int64_t n = 0; all->again && n < (int64_t)field->tiles.count * COIF_TILE_OWN; ++n) {
        field->sums[n][3] = field->rest[n] > 0.0f ? field->sums[n][3] / field->rest[n] : 0.0f;
    }
    coif_field_respond(field, &(coif_field_law){.seconds = 1.0f}, jobs);
    coif_parallel_for(jobs, all->solver->block_count, GRAIN, measure_blocks, all);
}

static int32_t count_tiles(const crowding *all, coif_arena *arena)
{
    coif_tiles tiles;
    coif_tiles_init(&tiles, arena);
    for (int32_t g = 0; g < all->solver->crowd.groups; ++g) {
        for (int32_t i = 0; i < all->splats[g].tiles.count; ++i) {
            coif_tiles_add(&tiles, all->splats[g].tiles.places[i]);
        }
    }
    return tiles.count;
}

static void make_room(coif_solver *solver)
{
    coif_crowd *crowd = &solver->crowd;
    const bool again = crowd->before != NULL; // hair that grows
    if (!again) {
        crowd->before = coif_arena_new(solver->arena, solver->block_count + 1, int32_t);
    }
    for (int32_t b = 0; b < solver->block_count; ++b) {
        coif_block *block = &solver->blocks[b];
        crowd->before[b + 1] = crowd->before[b] + block->strand_count;
        coif_solver_roots(solver, block, solver->rest, block->root);
        const int64_t count = (int64_t)block->length * block->lanes;
        float *rows = again ? block->packing : coif_arena_new(solver->arena, 5 * count, float);
        memset(rows, 0, 5 * sizeof(float) * (size_t)count);
        block->packing = rows;
        block->jostle_x = rows + count;
        block->jostle_y = rows + 2 * count;
        block->jostle_z = rows + 3 * count;
        block->shelter = rows + 4 * count;
    }
    const int32_t groups = crowd->before[solver->block_count] / STRANDS_PER_GROUP;
    crowd->hairs = (float)solver->groom->rest.strand_count / (float)solver->groom->simulated_count;
    crowd->groups = groups < 1 ? 1 : groups > MOST_GROUPS ? MOST_GROUPS : groups;
}

static float mean_segment(const coif_solver *solver)
{
    double sum = 0.0;
    int64_t count = 0;
    for (int32_t b = 0; b < solver->block_count; ++b) {
        const coif_block *block = &solver->blocks[b];
        // Strand by strand, so that the sum does not depend on how many lanes there are.
        for (int32_t lane = 0; lane < block->strand_count; ++lane) {
            for (int32_t k = 0; k + 1 < block->length; ++k, ++count) {
                sum += (double)block->rest[(int64_t)k * block->lanes + lane];
            }
        }
    }
    return count > 0 ? (float)(sum / (double)count) : 0.0f;
}

void coif_crowd_prepare(coif_solver *solver, const coif_sim_params *params, coif_work *works,
                        coif_jobs *jobs)
{
    make_room(solver);
    coif_crowd *crowd = &solver->crowd;
    const coif_crowd_moment rest = {.begin = solver->rest, .end = solver->rest};
    coif_crowd_pose pose;
    coif_crowd_pose_find(&pose, solver, &rest, 0.0f);
    const int32_t strands = crowd->before[solver->block_count];
    const int64_t halves = 2 * ((int64_t)solver->first[strands] - strands);
    const float segment = mean_segment(solver);
    const bool chosen = params->hair_cell > 0.0f;
    crowd->cell = chosen ? params->hair_cell : FINEST;
    for (;; crowd->cell *= COARSER) {
        crowd->halves = segment > MOST_CELLS_APART * crowd->cell;
        coif_arena scratch;
        coif_arena_init(&scratch, "hair at rest");
        crowding all = {.solver = solver, .works = works};
        coif_crowd_map_make(&all.map, &pose, &pose, 0.0, crowd->cell);
        splat_all(&all, &scratch, jobs);
        const int32_t tiles = count_tiles(&all, &scratch);
        const bool enough = chosen || crowd->cell >= COARSEST || halves >= HALVES_PER_TILE * tiles;
        if (enough && tiles <= MOST_TILES_AT_REST) {
            coif_field field;
            all.field = &field;
            measure(&all, &scratch, jobs);
            close_splats(&all);
            all.again = true;
            splat_all(&all, &scratch, jobs);
            measure(&all, &scratch, jobs);
            crowd->ready = true;
        }
        close_splats(&all);
        coif_arena_free(&scratch);
        if (crowd->ready) {
            break;
        }
    }
    if (chosen && crowd->cell != params->hair_cell) {
        coif_log(COIF_LOG_WARNING, "hair_cell %g m is too fine for this much hair; %g m is used",
                 (double)params->hair_cell, (double)crowd->cell);
    }
}

static bool is_varied(const coif_solver *solver)
{
    const coif_block *block = solver->blocks;
    return solver->block_count > 0 && (block->vary[COIF_VARY_HAIR_FRICTION] != NULL ||
                                       block->vary[COIF_VARY_HAIR_PRESSURE] != NULL ||
                                       block->vary[COIF_VARY_WIND_SHELTER] != NULL);
}

void coif_crowd_update(coif_solver *solver, const coif_sim_params *params,
                       const coif_crowd_moment *moment, coif_jobs *jobs)
{
    coif_crowd *crowd = &solver->crowd;
    coif_arena scratch;
    coif_arena_init(&scratch, "hair grid");
    const coif_field_law law = {.seconds = (float)moment->seconds,
                                .rate = params->hair_friction,
                                .speed = params->hair_pressure};
    coif_field field;
    crowding all = {.solver = solver,
                    .field = &field,
                    .varied = is_varied(solver),
                    .rate = coif_field_rate(&law)};
    coif_crowd_pose from;
    coif_crowd_pose to;
    coif_crowd_pose_find(&from, solver, moment, moment->from);
    coif_crowd_pose_find(&to, solver, moment, moment->to);
    coif_crowd_map_make(&all.map, &from, &to, moment->seconds, crowd->cell);
    splat_all(&all, &scratch, jobs);
    coif_field_build(&field, all.splats, crowd->groups, crowd->cell, &scratch, jobs);
    close_splats(&all);
    coif_field_respond(&field, &law, jobs);
    if (params->wind_shelter > 0.0f) {
        const coif_shelter shelter = {.map = &all.map,
                                      .area = params->wind_shelter,
                                      .time = moment->time,
                                      .forces = moment->forces,
                                      .force_count = moment->force_count};
        coif_shelter_find(&field, &shelter, jobs);
        crowd->drift = coif_shelter_drift(&all.map);
    }
    coif_parallel_for(jobs, solver->block_count, GRAIN, gather_blocks, &all);
    coif_arena_free(&scratch);
}
