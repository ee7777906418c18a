// sdf_build: chooses the bricks of the narrow band and samples the distance at their cell
// corners.
#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/base/jobs.h"
#include "core/collision/sdf.h"

enum { MAX_BRICKS = 1 << 18, MIN_CELLS = 32, GRAIN = 16, BRICK_POINTS = COIF_SDF_BRICK_CELLS + 1 };

// Cell size, metres: interpolation is within some hundredths of a millimetre on skin.
static const float CELL = 0.003f;

// A cell is reliable when at its centre the interpolated distance is within this of the exact
// one, and the gradient within this cosine.
static const float RELIABLE_DISTANCE = 2e-4f;
static const float RELIABLE_COSINE = 0.98f;

// Half width of the narrow band, in cells.
static const float BAND_CELLS = 2.0f;

typedef struct sdf_builder {
    coif_sdf *sdf;
    coif_sdf_brick *sampled; // one per candidate
    const int32_t *candidates;
    float *min_distance; // per candidate: smallest absolute distance of a sample
} sdf_builder;

static coif_vec3 brick_corner(const coif_sdf *sdf, int32_t brick)
{
    const float side = COIF_SDF_BRICK_CELLS * sdf->cell;
    const int32_t x = brick % sdf->size[0];
    const int32_t y = brick / sdf->size[0] % sdf->size[1];
    const int32_t z = brick / sdf->size[0] / sdf->size[1];
    return coif_add(sdf->low, coif_vec3_of((float)x * side, (float)y * side, (float)z * side));
}

static void query_bvh(coif_closest_point *nearest, const coif_sdf *sdf, coif_vec3 position,
                      int32_t hint)
{
    const coif_closest_point_query query = {
        .position = position, .max_distance = INFINITY, .hint = hint};
    coif_collider_closest_point_bvh(nearest, sdf->rest_bvh, &query);
}

// Distance of the centre of every brick of the grid.
static void measure_brick_centers(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const sdf_builder *builder = context;
    coif_sdf *sdf = builder->sdf;
    const float half = 0.5f * COIF_SDF_BRICK_CELLS * sdf->cell;
    int32_t hint = -1;
    for (int64_t b = begin; b < end; ++b) {
        const coif_vec3 center =
            coif_add(brick_corner(sdf, (int32_t)b), coif_vec3_of(half, half, half));
        coif_closest_point nearest;
        query_bvh(&nearest, sdf, center, hint);
        hint = nearest.triangle;
        sdf->brick_center_distance[b] = nearest.distance;
    }
}

static void sample_brick(const sdf_builder *builder, int32_t brick, coif_sdf_brick *out,
                         float *min_distance)
{
    const coif_sdf *sdf = builder->sdf;
    const coif_vec3 low = brick_corner(sdf, brick);
    int32_t hint = -1;
    *min_distance = INFINITY;
    for (int32_t i = 0; i < COIF_SDF_BRICK_SAMPLES; ++i) {
        const coif_vec3 at = {(float)(i % BRICK_POINTS), (float)(i / BRICK_POINTS % BRICK_POINTS),
                              (float)(i / 25)};
        coif_closest_point nearest;
        query_bvh(&nearest, sdf, coif_mad(low, sdf->cell, at), hint);
        hint = nearest.triangle;
        out->distance[i] = nearest.distance;
        out->hint = i == COIF_SDF_BRICK_SAMPLES / 2 ? nearest.triangle : out->hint;
        *min_distance = fminf(*min_distance, fabsf(nearest.distance));
    }
}

static void test_cells(const sdf_builder *builder, int32_t brick, coif_sdf_brick *out)
{
    const coif_sdf *sdf = builder->sdf;
    const coif_vec3 low = brick_corner(sdf, brick);
    uint64_t reliable = 0;
    int32_t hint = out->hint;
    for (int32_t i = 0; i < 64; ++i) {
        const coif_vec3 at = {(float)(i % 4) + 0.5f, (float)(i / 4 % 4) + 0.5f,
                              (float)(i / 16) + 0.5f};
        const float *d = &out->distance[i % 4 + BRICK_POINTS * (i / 4 % 4) + 25 * (i / 16)];
        const float sum = (d[0] + d[1] + d[5] + d[6]) + (d[25] + d[26] + d[30] + d[31]);
        const float right = (d[1] + d[6] + d[26] + d[31]) - (d[0] + d[5] + d[25] + d[30]);
        const float up = (d[5] + d[6] + d[30] + d[31]) - (d[0] + d[1] + d[25] + d[26]);
        const float front = (d[25] + d[26] + d[30] + d[31]) - (d[0] + d[1] + d[5] + d[6]);
        const coif_vec3 gradient = coif_normalize(coif_vec3_of(right, up, front));
        coif_closest_point nearest;
        query_bvh(&nearest, sdf, coif_mad(low, sdf->cell, at), hint);
        hint = nearest.triangle;
        if (fabsf(0.125f * sum - nearest.distance) < RELIABLE_DISTANCE &&
            coif_dot(gradient, nearest.normal) > RELIABLE_COSINE) {
            reliable |= UINT64_C(1) << i;
        }
    }
    out->reliable_cells = reliable;
}

static void sample_bricks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const sdf_builder *builder = context;
    const float band = BAND_CELLS * builder->sdf->cell;
    for (int64_t i = begin; i < end; ++i) {
        sample_brick(builder, builder->candidates[i], &builder->sampled[i],
                     &builder->min_distance[i]);
        if (builder->min_distance[i] - 0.8660254f * builder->sdf->cell < band) {
            test_cells(builder, builder->candidates[i], &builder->sampled[i]);
        }
    }
}

// Copies the bricks that turned out to touch the narrow band.
static void store_narrow_band(sdf_builder *builder, int32_t count, coif_arena *arena)
{
    coif_sdf *sdf = builder->sdf;
    const float cell_radius = 0.8660254f * sdf->cell;
    const float band = BAND_CELLS * sdf->cell;
    for (int32_t i = 0; i < count; ++i) {
        sdf->brick_count += builder->min_distance[i] - cell_radius < band;
    }
    sdf->bricks = coif_arena_new(arena, sdf->brick_count, coif_sdf_brick);
    int32_t stored = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (builder->min_distance[i] - cell_radius < band) {
            sdf->index[builder->candidates[i]] = stored;
            sdf->bricks[stored++] = builder->sampled[i];
        }
    }
}

static void choose_grid(coif_sdf *sdf, const coif_mesh *mesh)
{
    coif_bounds bounds = coif_bounds_empty();
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        coif_bounds_add(&bounds, mesh->positions[v]);
    }
    const coif_vec3 extent = coif_sub(bounds.high, bounds.low);
    const float largest = coif_bounds_extent(&bounds);
    sdf->cell = fminf(CELL, largest / MIN_CELLS);
    for (;;) {
        const float side = COIF_SDF_BRICK_CELLS * sdf->cell;
        const float extents[3] = {extent.x, extent.y, extent.z};
        double count = 1.0;
        for (int a = 0; a < 3; ++a) {
            // One and a half bricks of margin on each side.
            sdf->size[a] = (int32_t)fminf(extents[a] / side + 4.0f, 1e6f);
            count *= sdf->size[a];
        }
        sdf->outside_bound = side;
        sdf->low = coif_sub(bounds.low, coif_vec3_of(1.5f * side, 1.5f * side, 1.5f * side));
        if (count <= MAX_BRICKS) {
            return;
        }
        sdf->cell *= 1.25f;
    }
}

// Three vertices far apart from each other, which determine the rigid transform.
static bool choose_fit_vertices(coif_sdf *sdf)
{
    const coif_mesh *mesh = sdf->mesh;
    for (int32_t found = 0; found < 3; ++found) {
        float best = 0.0f;
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            const coif_vec3 away = coif_sub(mesh->positions[v], sdf->fit_rest[0]);
            const coif_vec3 side = coif_sub(sdf->fit_rest[1], sdf->fit_rest[0]);
            const float front = found == 0   ? 1.0f
                                : found == 1 ? coif_length(away)
                                             : coif_length(coif_cross(away, side));
            if (front > best) {
                best = front;
                sdf->fit_vertex[found] = v;
            }
        }
        sdf->fit_rest[found] = mesh->positions[sdf->fit_vertex[found]];
        if (!(best > 1e-9f)) {
            return false;
        }
    }
    return true;
}

// Mean of all vertices; false when a coordinate is not finite or too large.
static bool find_centre(coif_sdf *sdf)
{
    const coif_mesh *mesh = sdf->mesh;
    double sum[3] = {0};
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        const coif_vec3 p = mesh->positions[v];
        if (!(fabsf(p.x) + fabsf(p.y) + fabsf(p.z) < 1e6f)) {
            return false;
        }
        sum[0] += (double)p.x;
        sum[1] += (double)p.y;
        sum[2] += (double)p.z;
    }
    const double count = mesh->vertex_count > 0 ? mesh->vertex_count : 1;
    sdf->centre =
        coif_vec3_of((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
    return true;
}

bool coif_sdf_build(coif_sdf *sdf, const coif_mesh *mesh, const coif_collider *rest_bvh,
                    coif_arena *arena, coif_jobs *jobs)
{
    *sdf = (coif_sdf){.mesh = mesh, .rest_bvh = rest_bvh};
    if (!find_centre(sdf) || mesh->triangle_count == 0 || !choose_fit_vertices(sdf)) {
        return false;
    }
    sdf->motion = coif_arena_new(arena, 1, coif_body_motion);
    choose_grid(sdf, mesh);
    const int32_t count = sdf->size[0] * sdf->size[1] * sdf->size[2];
    sdf->index = coif_arena_new(arena, count, int32_t);
    sdf->brick_center_distance = coif_arena_new(arena, count, float);
    COIF_SCOPED_ARENA(scratch, "sdf build");
    int32_t *candidates = coif_arena_new(&scratch, count, int32_t);
    sdf_builder builder = {.sdf = sdf, .candidates = candidates};
    coif_parallel_for(jobs, count, GRAIN, measure_brick_centers, &builder);
    const float brick_radius = 0.8660254f * COIF_SDF_BRICK_CELLS * sdf->cell;
    int32_t candidate_count = 0;
    for (int32_t b = 0; b < count; ++b) {
        sdf->index[b] = -1;
        candidates[candidate_count] = b;
        // Deep inside the BVH is queried.
        candidate_count += sdf->brick_center_distance[b] > -brick_radius &&
                           sdf->brick_center_distance[b] - brick_radius < BAND_CELLS * sdf->cell;
    }
    builder.sampled = coif_arena_new(&scratch, candidate_count, coif_sdf_brick);
    builder.min_distance = coif_arena_new(&scratch, candidate_count, float);
    coif_parallel_for(jobs, candidate_count, GRAIN, sample_bricks, &builder);
    store_narrow_band(&builder, candidate_count, arena);
    return true;
}
