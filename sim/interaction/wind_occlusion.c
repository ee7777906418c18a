#include "sim/interaction/wind_occlusion.h"

#include "core/base/deterministic_math.h"
#include "core/base/jobs.h"

#include <string.h>

// So many cells upstream are looked at, and no further than to where hardly anything is left.
enum { MOST_CELLS = 24, GRAIN = 4 };
static const float MOST_DEPTH = 7.0f;

// Slower than this, m/s, wind has no direction.
static const float SLOWEST = 1e-4f;

typedef struct sheltering {
    coif_hair_grid *field;
    const coif_wind_occlusion *shelter;
} sheltering;

static float density_at(const coif_hair_grid *field, simd_float4 place)
{
    coif_tile_sample spot;
    if (!coif_tile_sample_at(&spot, place)) {
        return 0.0f;
    }
    const int32_t tile = coif_sparse_grid_find(&field->tiles, spot.tile);
    if (tile < 0) {
        return 0.0f;
    }
    const simd_float4 *felt = field->felt + (int64_t)tile * COIF_TILE_NODES + spot.node;
    float sum = 0.0f;
    for (int i = 0; i < 8; ++i) {
        sum += spot.weights[i] * felt[COIF_TILE_CORNERS[i]][3];
    }
    return sum;
}

// exp(-k S) by the trapezoidal rule, a cell at a time against the wind.
static float share_left(const sheltering *all, simd_float4 place, simd_float4 wind, float density)
{
    const float speed = sqrtf(wind[0] * wind[0] + wind[1] * wind[1] + wind[2] * wind[2]);
    if (!(speed > SLOWEST)) {
        return 1.0f;
    }
    const simd_float4 step = wind * (-1.0f / speed);
    const float per_density = all->shelter->area * all->field->cell;
    float depth = 0.5f * per_density * density;
    for (int i = 0; i < MOST_CELLS && depth < MOST_DEPTH; ++i) {
        place += step;
        depth += per_density * density_at(all->field, place);
    }
    return coif_det_exp(-depth);
}

typedef struct nodes {
    float x[COIF_TILE_OWN], y[COIF_TILE_OWN], z[COIF_TILE_OWN];
    float vx[COIF_TILE_OWN], vy[COIF_TILE_OWN], vz[COIF_TILE_OWN];
    float ux[COIF_TILE_OWN], uy[COIF_TILE_OWN], uz[COIF_TILE_OWN];
    float ax[COIF_TILE_OWN], ay[COIF_TILE_OWN], az[COIF_TILE_OWN];
} nodes;

static simd_float4 place_of(const coif_tile_coord *tile, int32_t node)
{
    return (simd_float4){(float)(4 * tile->x + (node & 3)), (float)(4 * tile->y + (node >> 2 & 3)),
                         (float)(4 * tile->z + (node >> 4)), 0.0f};
}

// The wind at the nodes of a tile.
static void ask(nodes *at, const sheltering *all, const coif_tile_coord *tile)
{
    const coif_grid_transform *map = all->shelter->map;
    const coif_rigid_velocity drift = coif_wind_occlusion_rigid_velocity(map);
    memset(at, 0, sizeof *at);
    for (int32_t n = 0; n < COIF_TILE_OWN; ++n) {
        const simd_float4 place = place_of(tile, n) * all->field->cell;
        const coif_vec3 away =
            coif_mat3_apply_transposed(&map->to_grid, coif_vec3_of(place[0], place[1], place[2]));
        const coif_vec3 x = coif_add(map->origin, away);
        const coif_vec3 v = coif_rigid_velocity_at(&drift, x);
        at->x[n] = x.x;
        at->y[n] = x.y;
        at->z[n] = x.z;
        at->vx[n] = v.x;
        at->vy[n] = v.y;
        at->vz[n] = v.z;
    }
    const coif_force_batch batch = {.struct_size = sizeof batch,
                                    .count = COIF_TILE_OWN,
                                    .time = all->shelter->time,
                                    .x = at->x,
                                    .y = at->y,
                                    .z = at->z,
                                    .vx = at->vx,
                                    .vy = at->vy,
                                    .vz = at->vz,
                                    .wind_x = at->ux,
                                    .wind_y = at->uy,
                                    .wind_z = at->uz,
                                    .ax = at->ax,
                                    .ay = at->ay,
                                    .az = at->az};
    // Those that give numbers that are not finite are named where points ask them.
    for (int32_t f = 0; f < all->shelter->force_count; ++f) {
        (void)coif_plugin_eval_force(all->shelter->forces[f], &batch);
    }
}

static void find_shares(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const sheltering *all = context;
    coif_hair_grid *field = all->field;
    for (int64_t t = begin; t < end; ++t) {
        const coif_tile_coord *tile = &field->tiles.places[t];
        nodes at;
        ask(&at, all, tile);
        for (int32_t n = 0; n < COIF_TILE_OWN; ++n) {
            const int64_t node = t * COIF_TILE_OWN + n;
            const float density = field->sums[node][3];
            const float own = field->laws != NULL ? field->laws[node][COIF_GRID_SHELTER] : 1.0f;
            field->source[node] = 1.0f;
            if (density > 0.0f) {
                const simd_float4 wind = coif_grid_transform_velocity(
                    all->shelter->map, place_of(tile, n), at.ux[n], at.uy[n], at.uz[n]);
                field->source[node] = share_left(all, place_of(tile, n), wind, own * density);
            }
        }
    }
}

// The node of a tile, its last planes among them, which belong to its neighbours.
static int64_t node_of(const coif_hair_grid *field, int32_t tile, int32_t n)
{
    return coif_hair_grid_node(field, tile, n % COIF_TILE_SIDE, n / COIF_TILE_SIDE % COIF_TILE_SIDE,
                               n / (COIF_TILE_SIDE * COIF_TILE_SIDE));
}

static void share_out(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const sheltering *all = context;
    coif_hair_grid *field = all->field;
    for (int64_t t = begin; t < end; ++t) {
        for (int32_t n = 0; n < COIF_TILE_NODES; ++n) {
            const int64_t node = node_of(field, (int32_t)t, n);
            field->felt[t * COIF_TILE_NODES + n][3] = node < 0 ? 1.0f : field->source[node];
        }
    }
}

// The density that counts, where not all hair keeps as much wind away.
static void weigh(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const sheltering *all = context;
    coif_hair_grid *field = all->field;
    for (int64_t t = begin; t < end; ++t) {
        for (int32_t n = 0; n < COIF_TILE_NODES; ++n) {
            const int64_t node = node_of(field, (int32_t)t, n);
            if (node >= 0) {
                field->felt[t * COIF_TILE_NODES + n][3] *= field->laws[node][COIF_GRID_SHELTER];
            }
        }
    }
}

void coif_wind_occlusion_compute(coif_hair_grid *field, const coif_wind_occlusion *shelter,
                                 coif_jobs *jobs)
{
    sheltering all = {field, shelter};
    if (field->laws != NULL) {
        coif_parallel_for(jobs, field->tiles.count, GRAIN, weigh, &all);
    }
    coif_parallel_for(jobs, field->tiles.count, GRAIN, find_shares, &all);
    coif_parallel_for(jobs, field->tiles.count, GRAIN, share_out, &all);
}

static coif_vec3 back(const coif_grid_transform *map, simd_float4 along)
{
    return coif_mat3_apply_transposed(&map->to_grid, coif_vec3_of(along[0], along[1], along[2]));
}

coif_rigid_velocity coif_wind_occlusion_rigid_velocity(const coif_grid_transform *map)
{
    coif_rigid_velocity drift = {.origin = map->origin, .speed = back(map, map->speed)};
    for (int a = 0; a < 3; ++a) {
        const simd_float4 axis = map->axes[a] * map->cells_per_metre;
        drift.whirl[a] =
            back(map, map->whirl[0] * axis[0] + map->whirl[1] * axis[1] + map->whirl[2] * axis[2]);
    }
    return drift;
}

void coif_wind_occlusion_apply(const coif_strand_block *block, coif_solver_scratch *scratch,
                               const coif_rigid_velocity *drift)
{
    for (int32_t i = 0; i < block->length * block->lanes; ++i) {
        const coif_vec3 w = coif_rigid_velocity_at(
            drift, coif_vec3_of(block->pos.x[i], block->pos.y[i], block->pos.z[i]));
        const float share = block->wind_fraction[i];
        scratch->wind.x[i] = w.x + share * (scratch->wind.x[i] - w.x);
        scratch->wind.y[i] = w.y + share * (scratch->wind.y[i] - w.y);
        scratch->wind.z[i] = w.z + share * (scratch->wind.z[i] - w.z);
    }
}
