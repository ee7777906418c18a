// field, response: friction and pressure on the nodes, and from there to what hair feels.
//
// Pressure acts only where hair is denser than at rest, and never pulls:
//
//   p = c^2 (r' - r0), at least 0        r' = r - t div(r u) + t^2 laplace p
//
// with r' the density at the end of the time t for which the field acts: implicit, so that the
// stiffest hair does not shake. Rounds of Jacobi's method go from no pressure upwards, so too few
// of them are only too soft. What p does to momentum is exchanged between neighbours through the
// face between them, so none is lost or made.
#include "core/base/deterministic_math.h"
#include "core/base/jobs.h"
#include "sim/interaction/hair_grid.h"

#include <string.h>

enum { ROUNDS = 24, WIDE = 6, WIDE_NODES = WIDE * WIDE * WIDE, GRAIN = 16 };

// Density may be this much above that at rest without pressing: rounding of a grid that turns.
static const float SLACK = 1.001f;

// No face changes the velocity of what is behind it by more than this, m/s.
static const float FASTEST_PUSH = 1.0f;

typedef struct responding {
    coif_hair_grid *field;
    const coif_grid_coefficients *law;
    float rate;
    float beta;    // c^2 t^2 / cell^2
    bool *pressed; // per tile: some node is too dense
    bool *live;    // and: some node has pressure, in this round
    bool *live_next;
} responding;

float coif_hair_grid_rate(const coif_grid_coefficients *law)
{
    const float done = law->rate * law->seconds;
    return done < 1e-4f ? law->rate : (1.0f - coif_det_exp(-done)) / law->seconds;
}

// Where the tiles across the faces are among those around: before and after along x, y, z.
static const int FACES[6] = {12, 14, 10, 16, 4, 22};

// Nodes of a tile with one more on each side, where node (x, y, z) of the tile is at
// ((z + 1) 6 + y + 1) 6 + x + 1. Only what lies across a face is filled in beyond the tile.
static void widen(float wide[WIDE_NODES], const coif_hair_grid *field, int32_t tile,
                  const float *from)
{
    const float *own = from + (int64_t)tile * COIF_TILE_OWN;
    for (int z = 0; z < 4; ++z) {
        for (int y = 0; y < 4; ++y) {
            memcpy(wide + ((z + 1) * WIDE + y + 1) * WIDE + 1, own + (z * 4 + y) * 4,
                   4 * sizeof(float));
        }
    }
    static const float none[COIF_TILE_OWN] = {0};
    for (int side = 0; side < 2; ++side) {
        const int out = side == 0 ? 0 : WIDE - 1; // in the wide tile
        const int in = side == 0 ? 3 : 0;         // in the next one
        const float *next[3];
        for (int axis = 0; axis < 3; ++axis) {
            const int32_t other = field->near[tile][FACES[2 * axis + side]];
            next[axis] = other < 0 ? none : from + (int64_t)other * COIF_TILE_OWN;
        }
        for (int j = 0; j < 4; ++j) {
            for (int i = 0; i < 4; ++i) {
                wide[((j + 1) * WIDE + i + 1) * WIDE + out] = next[0][(j * 4 + i) * 4 + in];
                wide[((j + 1) * WIDE + out) * WIDE + i + 1] = next[1][(j * 4 + in) * 4 + i];
                wide[(out * WIDE + j + 1) * WIDE + i + 1] = next[2][(in * 4 + j) * 4 + i];
            }
        }
    }
}

static float sum_at(const coif_hair_grid *field, int64_t node, int channel)
{
    return node < 0 ? 0.0f : field->sums[node][channel];
}

// r - t div(r u) - r0, in kg/m3; where no hair is, nothing presses.
static void find_sources(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const responding *all = context;
    const coif_hair_grid *field = all->field;
    const float volume = field->cell * field->cell * field->cell;
    const float half = all->law->seconds / (2.0f * field->cell);
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        for (int n = 0; n < COIF_TILE_OWN; ++n) {
            const int x = n & 3;
            const int y = n >> 2 & 3;
            const int z = n >> 4;
            const int64_t at = (int64_t)tile * COIF_TILE_OWN + n;
            float flow = 0.0f;
            float open = 0.0f;
            for (int axis = 0; axis < 3; ++axis) {
                for (int way = -1; way <= 1; way += 2) {
                    const int64_t near =
                        coif_hair_grid_node(field, tile, x + (axis == 0 ? way : 0),
                                            y + (axis == 1 ? way : 0), z + (axis == 2 ? way : 0));
                    flow += (float)way * sum_at(field, near, axis);
                    open += sum_at(field, near, 3) > 0.0f ? 1.0f : 0.0f;
                }
            }
            const float mass = field->sums[at][3];
            const float excess = (mass - half * flow) / volume - SLACK * field->rest[at];
            field->source[at] = mass > 0.0f ? excess : -INFINITY;
            field->open[at] = open;
            all->pressed[tile] = all->pressed[tile] || (mass > 0.0f && excess > 0.0f);
        }
    }
}

// By what a law is multiplied at a node.
static float law_at(const coif_hair_grid *field, int64_t node, int law)
{
    return field->laws != NULL ? field->laws[node][law] : 1.0f;
}

// Elsewhere pressure is and stays nothing.
static bool is_concerned(const responding *all, int32_t tile)
{
    bool any = all->pressed[tile] || all->live[tile];
    for (int i = 0; i < 6 && !any; ++i) {
        const int32_t other = all->field->near[tile][FACES[i]];
        any = other >= 0 && all->live[other];
    }
    return any;
}

// p (1 + n beta) = c^2 s + beta sum of p around, over the n neighbours that have hair: none goes
// where none is, so a floor that hair lies on holds it
static void relax(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const responding *all = context;
    coif_hair_grid *field = all->field;
    const float stiffness = all->law->speed * all->law->speed;
    float p[WIDE_NODES] = {0};
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        if (!is_concerned(all, tile)) {
            // What is there is of the round before the last.
            if (all->live_next[tile]) {
                memset(field->pressure_next + (int64_t)tile * COIF_TILE_OWN, 0,
                       sizeof(float) * COIF_TILE_OWN);
                all->live_next[tile] = false;
            }
            continue;
        }
        bool any = false;
        widen(p, field, tile, field->pressure);
        for (int n = 0; n < COIF_TILE_OWN; ++n) {
            const int64_t at = (int64_t)tile * COIF_TILE_OWN + n;
            const float *q = p + (((n >> 4) + 1) * WIDE + (n >> 2 & 3) + 1) * WIDE + (n & 3) + 1;
            const float around =
                q[-1] + q[1] + q[-WIDE] + q[WIDE] + q[-WIDE * WIDE] + q[WIDE * WIDE];
            const float law = law_at(field, at, COIF_GRID_PRESSURE), law2 = law * law;
            const float beta = law2 * all->beta;
            // Where no hair is there is no pressure, whatever the law.
            const float source = law2 > 0.0f ? law2 * stiffness * field->source[at] : -INFINITY;
            const float next = (source + beta * around) / (1.0f + beta * field->open[at]);
            field->pressure_next[at] = next > 0.0f ? next : 0.0f;
            any = any || next > 0.0f;
        }
        all->live_next[tile] = any;
    }
}

// What goes through the face between two nodes, from densities and pressures: their mean pressure,
// but nothing into empty space and no more than the lighter of the two can bear.
static float through(const responding *all, float density_a, float density_b, float a, float b)
{
    const float least = density_a < density_b ? density_a : density_b;
    const float most = FASTEST_PUSH / all->law->seconds * least * all->field->cell;
    const float mean = 0.5f * (a + b);
    return mean < most ? mean : most;
}

static float rate_at(const responding *all, int64_t node)
{
    if (all->field->laws == NULL) {
        return all->rate;
    }
    coif_grid_coefficients own = *all->law;
    own.rate *= all->field->laws[node][COIF_GRID_FRICTION];
    return coif_hair_grid_rate(&own);
}

// Velocities become what friction and pressure do to a hair: rate u + a.
static void push_nodes(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const responding *all = context;
    coif_hair_grid *field = all->field;
    const float volume = field->cell * field->cell * field->cell;
    float p[WIDE_NODES] = {0};
    float r[WIDE_NODES] = {0};
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        widen(p, field, tile, field->pressure);
        widen(r, field, tile, field->pressure_next); // densities
        for (int n = 0; n < COIF_TILE_OWN; ++n) {
            const int64_t at = (int64_t)tile * COIF_TILE_OWN + n;
            const float mass = field->sums[at][3];
            if (!(mass > 0.0f)) {
                continue;
            }
            const int m = (((n >> 4) + 1) * WIDE + (n >> 2 & 3) + 1) * WIDE + (n & 3) + 1;
            const float rate = rate_at(all, at);
            simd_float4 felt = {0};
            for (int axis = 0; axis < 3; ++axis) {
                const int step = axis == 0 ? 1 : axis == 1 ? WIDE : WIDE * WIDE;
                const float push = through(all, r[m - step], r[m], p[m - step], p[m]) -
                                   through(all, r[m], r[m + step], p[m], p[m + step]);
                felt[axis] =
                    rate * field->sums[at][axis] / mass + push * volume / (mass * field->cell);
            }
            // Kept aside: neighbours still need the momentum.
            field->felt[(int64_t)tile * COIF_TILE_NODES + n] = felt;
        }
    }
}

static void find_densities(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const responding *all = context;
    coif_hair_grid *field = all->field;
    const float volume = field->cell * field->cell * field->cell;
    for (int64_t at = begin * COIF_TILE_OWN; at < end * COIF_TILE_OWN; ++at) {
        field->pressure_next[at] = field->sums[at][3] / volume;
    }
}

static void keep_pushes(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const responding *all = context;
    coif_hair_grid *field = all->field;
    for (int64_t tile = begin; tile < end; ++tile) {
        for (int n = 0; n < COIF_TILE_OWN; ++n) {
            const int64_t at = tile * COIF_TILE_OWN + n;
            field->sums[at] = field->felt[tile * COIF_TILE_NODES + n];
            field->sums[at][3] = field->pressure_next[at];
        }
    }
}

// Every tile gets the nodes it shares with others too.
static void share_out(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const responding *all = context;
    coif_hair_grid *field = all->field;
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        simd_float4 *felt = field->felt + (int64_t)tile * COIF_TILE_NODES;
        for (int n = 0; n < COIF_TILE_NODES; ++n) {
            const int64_t at = coif_hair_grid_node(field, tile, n % COIF_TILE_SIDE,
                                                   n / COIF_TILE_SIDE % COIF_TILE_SIDE,
                                                   n / (COIF_TILE_SIDE * COIF_TILE_SIDE));
            felt[n] = at < 0 ? (simd_float4){0} : field->sums[at];
            if (field->rates != NULL) {
                field->rates[(int64_t)tile * COIF_TILE_NODES + n] =
                    at < 0 ? 0.0f : rate_at(all, at);
            }
        }
    }
}

static void find_pressure(responding *all, coif_jobs *jobs)
{
    coif_hair_grid *field = all->field;
    const int64_t tiles = field->tiles.count;
    bool any = false;
    coif_parallel_for(jobs, tiles, GRAIN, find_sources, all);
    for (int64_t i = 0; i < tiles; ++i) {
        any = any || all->pressed[i];
    }
    for (int round = 0; any && round < ROUNDS; ++round) {
        coif_parallel_for(jobs, tiles, GRAIN, relax, all);
        float *other = field->pressure;
        field->pressure = field->pressure_next;
        field->pressure_next = other;
        bool *was_live = all->live;
        all->live = all->live_next;
        all->live_next = was_live;
    }
}

void coif_hair_grid_respond(coif_hair_grid *field, const coif_grid_coefficients *law,
                            coif_jobs *jobs)
{
    const int64_t tiles = field->tiles.count;
    const float way = law->speed * law->seconds / field->cell;
    responding all = {.field = field,
                      .law = law,
                      .rate = coif_hair_grid_rate(law),
                      .beta = way * way,
                      .pressed = coif_arena_new(field->tiles.arena, tiles, bool),
                      .live = coif_arena_new(field->tiles.arena, tiles, bool),
                      .live_next = coif_arena_new(field->tiles.arena, tiles, bool)};
    if (law->speed > 0.0f && law->seconds > 0.0f) {
        find_pressure(&all, jobs);
    }
    coif_parallel_for(jobs, tiles, GRAIN, find_densities, &all);
    coif_parallel_for(jobs, tiles, GRAIN, push_nodes, &all);
    coif_parallel_for(jobs, tiles, GRAIN, keep_pushes, &all);
    coif_parallel_for(jobs, tiles, GRAIN, share_out, &all);
}
