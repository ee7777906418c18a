// hair_grid_pressure: friction and pressure on the nodes, and the response of hair to them.
//
// Pressure acts only where hair is denser than at rest, and is never negative:
//
//   p = c^2 (r' - r0), at least 0        r' = r - t div(r u) + t^2 laplace p
//
// with r' the density at the end of the interval t: implicit, so that stiff pressure does not
// oscillate. Jacobi iterations start from zero pressure and increase it, so too few of them only
// make it softer. Momentum is exchanged between neighbours through their common face, so it is
// conserved.
#include "core/base/deterministic_math.h"
#include "core/base/jobs.h"
#include "sim/interaction/hair_grid.h"

#include <string.h>

enum { ITERATIONS = 24, HALO = 6, HALO_NODES = HALO * HALO * HALO, GRAIN = 16 };

// Density above rest density without pressure: rounding of a rotating grid.
static const float REST_TOLERANCE = 1.001f;

// Largest change of velocity by the pressure of a face, m/s.
static const float MAX_PUSH_SPEED = 1.0f;

typedef struct response_ctx {
    coif_hair_grid *grid;
    const coif_grid_coefficients *coefficients;
    float rate;
    float beta;       // c^2 t^2 / cell^2
    bool *compressed; // per tile: some node is denser than at rest
    bool *active;     // per tile: some node has pressure
    bool *active_next;
} response_ctx;

float coif_hair_grid_rate(const coif_grid_coefficients *coefficients)
{
    const float exponent = coefficients->rate * coefficients->seconds;
    return exponent < 1e-4f ? coefficients->rate
                            : (1.0f - coif_det_exp(-exponent)) / coefficients->seconds;
}

// Indices of the six face neighbours: before and after along x, y, z.
static const int FACES[6] = {12, 14, 10, 16, 4, 22};

// Nodes of a tile with a halo of one node; node (x, y, z) of the tile is at ((z + 1) 6 + y + 1)
// 6 + x + 1. Only face neighbours are filled in.
static void load_halo(float halo[HALO_NODES], const coif_hair_grid *grid, int32_t tile,
                      const float *from)
{
    const float *own = from + (int64_t)tile * COIF_TILE_OWNED_NODES;
    for (int z = 0; z < 4; ++z) {
        for (int y = 0; y < 4; ++y) {
            memcpy(halo + ((z + 1) * HALO + y + 1) * HALO + 1, own + (z * 4 + y) * 4,
                   4 * sizeof(float));
        }
    }
    static const float none[COIF_TILE_OWNED_NODES] = {0};
    for (int side = 0; side < 2; ++side) {
        const int out = side == 0 ? 0 : HALO - 1; // in the wide tile
        const int in = side == 0 ? 3 : 0;         // in the next one
        const float *next[3];
        for (int axis = 0; axis < 3; ++axis) {
            const int32_t other = grid->neighbours[tile][FACES[2 * axis + side]];
            next[axis] = other < 0 ? none : from + (int64_t)other * COIF_TILE_OWNED_NODES;
        }
        for (int j = 0; j < 4; ++j) {
            for (int i = 0; i < 4; ++i) {
                halo[((j + 1) * HALO + i + 1) * HALO + out] = next[0][(j * 4 + i) * 4 + in];
                halo[((j + 1) * HALO + out) * HALO + i + 1] = next[1][(j * 4 + in) * 4 + i];
                halo[(out * HALO + j + 1) * HALO + i + 1] = next[2][(in * 4 + j) * 4 + i];
            }
        }
    }
}

static float sum_at(const coif_hair_grid *grid, int64_t node, int channel)
{
    return node < 0 ? 0.0f : grid->sums[node][channel];
}

// r - t div(r u) - r0, in kg/m3; -inf without hair.
static void compute_sources(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const response_ctx *ctx = context;
    const coif_hair_grid *grid = ctx->grid;
    const float volume = grid->cell * grid->cell * grid->cell;
    const float half = ctx->coefficients->seconds / (2.0f * grid->cell);
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        for (int n = 0; n < COIF_TILE_OWNED_NODES; ++n) {
            const int x = n & 3;
            const int y = n >> 2 & 3;
            const int z = n >> 4;
            const int64_t at = (int64_t)tile * COIF_TILE_OWNED_NODES + n;
            float divergence = 0.0f;
            float open_faces = 0.0f;
            for (int axis = 0; axis < 3; ++axis) {
                for (int side = -1; side <= 1; side += 2) {
                    const int64_t neighbour =
                        coif_hair_grid_node(grid, tile, x + (axis == 0 ? side : 0),
                                            y + (axis == 1 ? side : 0), z + (axis == 2 ? side : 0));
                    divergence += (float)side * sum_at(grid, neighbour, axis);
                    open_faces += sum_at(grid, neighbour, 3) > 0.0f ? 1.0f : 0.0f;
                }
            }
            const float mass = grid->sums[at][3];
            const float excess =
                (mass - half * divergence) / volume - REST_TOLERANCE * grid->rest_density[at];
            grid->source[at] = mass > 0.0f ? excess : -INFINITY;
            grid->open_faces[at] = open_faces;
            ctx->compressed[tile] = ctx->compressed[tile] || (mass > 0.0f && excess > 0.0f);
        }
    }
}

// Coefficient at a node.
static float coefficient_at(const coif_hair_grid *grid, int64_t node, int coefficient)
{
    return grid->coefficients != NULL ? grid->coefficients[node][coefficient] : 1.0f;
}

// Elsewhere pressure stays zero.
static bool is_affected(const response_ctx *ctx, int32_t tile)
{
    bool any = ctx->compressed[tile] || ctx->active[tile];
    for (int i = 0; i < 6 && !any; ++i) {
        const int32_t other = ctx->grid->neighbours[tile][FACES[i]];
        any = other >= 0 && ctx->active[other];
    }
    return any;
}

// p (1 + n beta) = c^2 s + beta sum of p, over the n neighbours with hair: no flux into empty
// cells, so hair resting on a floor is supported.
static void jacobi_iteration(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const response_ctx *ctx = context;
    coif_hair_grid *grid = ctx->grid;
    const float stiffness = ctx->coefficients->speed * ctx->coefficients->speed;
    float p[HALO_NODES] = {0};
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        if (!is_affected(ctx, tile)) {
            // The buffer holds the values of two iterations ago.
            if (ctx->active_next[tile]) {
                memset(grid->pressure_next + (int64_t)tile * COIF_TILE_OWNED_NODES, 0,
                       sizeof(float) * COIF_TILE_OWNED_NODES);
                ctx->active_next[tile] = false;
            }
            continue;
        }
        bool any = false;
        load_halo(p, grid, tile, grid->pressure);
        for (int n = 0; n < COIF_TILE_OWNED_NODES; ++n) {
            const int64_t at = (int64_t)tile * COIF_TILE_OWNED_NODES + n;
            const float *q = p + (((n >> 4) + 1) * HALO + (n >> 2 & 3) + 1) * HALO + (n & 3) + 1;
            const float neighbours =
                q[-1] + q[1] + q[-HALO] + q[HALO] + q[-HALO * HALO] + q[HALO * HALO];
            const float coefficient = coefficient_at(grid, at, COIF_GRID_PRESSURE);
            const float coefficient2 = coefficient * coefficient;
            const float beta = coefficient2 * ctx->beta;
            // No hair, no pressure, whatever the coefficient.
            const float source =
                coefficient2 > 0.0f ? coefficient2 * stiffness * grid->source[at] : -INFINITY;
            const float next = (source + beta * neighbours) / (1.0f + beta * grid->open_faces[at]);
            grid->pressure_next[at] = next > 0.0f ? next : 0.0f;
            any = any || next > 0.0f;
        }
        ctx->active_next[tile] = any;
    }
}

// Pressure on the face between two nodes: the mean, but none into empty cells and limited by the
// lighter of the two.
static float face_pressure(const response_ctx *ctx, float density_a, float density_b, float a,
                           float b)
{
    const float lighter = density_a < density_b ? density_a : density_b;
    const float limit = MAX_PUSH_SPEED / ctx->coefficients->seconds * lighter * ctx->grid->cell;
    const float mean = 0.5f * (a + b);
    return mean < limit ? mean : limit;
}

static float friction_rate_at(const response_ctx *ctx, int64_t node)
{
    if (ctx->grid->coefficients == NULL) {
        return ctx->rate;
    }
    coif_grid_coefficients own = *ctx->coefficients;
    own.rate *= ctx->grid->coefficients[node][COIF_GRID_FRICTION];
    return coif_hair_grid_rate(&own);
}

// Acceleration of hair by friction and pressure: rate u + a.
static void compute_response(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const response_ctx *ctx = context;
    coif_hair_grid *grid = ctx->grid;
    const float volume = grid->cell * grid->cell * grid->cell;
    float p[HALO_NODES] = {0};
    float r[HALO_NODES] = {0};
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        load_halo(p, grid, tile, grid->pressure);
        load_halo(r, grid, tile, grid->density);
        for (int n = 0; n < COIF_TILE_OWNED_NODES; ++n) {
            const int64_t at = (int64_t)tile * COIF_TILE_OWNED_NODES + n;
            const float mass = grid->sums[at][3];
            if (!(mass > 0.0f)) {
                continue;
            }
            const int m = (((n >> 4) + 1) * HALO + (n >> 2 & 3) + 1) * HALO + (n & 3) + 1;
            const float rate = friction_rate_at(ctx, at);
            simd_float4 response = {0};
            for (int axis = 0; axis < 3; ++axis) {
                const int step = axis == 0 ? 1 : axis == 1 ? HALO : HALO * HALO;
                const float pressure_difference =
                    face_pressure(ctx, r[m - step], r[m], p[m - step], p[m]) -
                    face_pressure(ctx, r[m], r[m + step], p[m], p[m + step]);
                response[axis] = rate * grid->sums[at][axis] / mass +
                                 pressure_difference * volume / (mass * grid->cell);
            }
            response[3] = grid->density[at];
            grid->node_response[at] = response;
        }
    }
}

static void compute_densities(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const response_ctx *ctx = context;
    coif_hair_grid *grid = ctx->grid;
    const float volume = grid->cell * grid->cell * grid->cell;
    for (int64_t at = begin * COIF_TILE_OWNED_NODES; at < end * COIF_TILE_OWNED_NODES; ++at) {
        grid->density[at] = grid->sums[at][3] / volume;
    }
}

// Copies nodes to all tiles that share them.
static void copy_to_tiles(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const response_ctx *ctx = context;
    coif_hair_grid *grid = ctx->grid;
    for (int32_t tile = (int32_t)begin; tile < (int32_t)end; ++tile) {
        simd_float4 *response = grid->response + (int64_t)tile * COIF_TILE_NODES;
        for (int n = 0; n < COIF_TILE_NODES; ++n) {
            const int64_t at = coif_hair_grid_tile_node(grid, tile, n);
            response[n] = at < 0 ? (simd_float4){0} : grid->node_response[at];
            if (grid->friction_rates != NULL) {
                grid->friction_rates[(int64_t)tile * COIF_TILE_NODES + n] =
                    at < 0 ? 0.0f : friction_rate_at(ctx, at);
            }
        }
    }
}

static void solve_pressure(response_ctx *ctx, coif_jobs *jobs)
{
    coif_hair_grid *grid = ctx->grid;
    const int64_t tiles = grid->tiles.count;
    bool any = false;
    coif_parallel_for(jobs, tiles, GRAIN, compute_sources, ctx);
    for (int64_t i = 0; i < tiles; ++i) {
        any = any || ctx->compressed[i];
    }
    for (int iteration = 0; any && iteration < ITERATIONS; ++iteration) {
        coif_parallel_for(jobs, tiles, GRAIN, jacobi_iteration, ctx);
        float *other = grid->pressure;
        grid->pressure = grid->pressure_next;
        grid->pressure_next = other;
        bool *swapped = ctx->active;
        ctx->active = ctx->active_next;
        ctx->active_next = swapped;
    }
}

void coif_hair_grid_respond(coif_hair_grid *grid, const coif_grid_coefficients *coefficients,
                            coif_jobs *jobs)
{
    const int64_t tiles = grid->tiles.count;
    const float courant = coefficients->speed * coefficients->seconds / grid->cell;
    response_ctx ctx = {.grid = grid,
                        .coefficients = coefficients,
                        .rate = coif_hair_grid_rate(coefficients),
                        .beta = courant * courant,
                        .compressed = coif_arena_new(grid->tiles.arena, tiles, bool),
                        .active = coif_arena_new(grid->tiles.arena, tiles, bool),
                        .active_next = coif_arena_new(grid->tiles.arena, tiles, bool)};
    if (coefficients->speed > 0.0f && coefficients->seconds > 0.0f) {
        solve_pressure(&ctx, jobs);
    }
    coif_parallel_for(jobs, tiles, GRAIN, compute_densities, &ctx);
    coif_parallel_for(jobs, tiles, GRAIN, compute_response, &ctx);
    coif_parallel_for(jobs, tiles, GRAIN, copy_to_tiles, &ctx);
}
