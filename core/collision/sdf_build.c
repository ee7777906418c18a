// sdf_build: the grid of a signed distance field; bricks of the narrow band are sampled at their
// cell corners when a query first comes to them.
#include "core/base/arena.h"
#include "core/base/bounds.h"
#include "core/collision/sdf.h"

#include <pthread.h>

enum { MAX_BRICKS = 1 << 18, MIN_CELLS = 32, BRICK_POINTS = COIF_SDF_BRICK_CELLS + 1 };

// Cell size, metres: interpolation is within some hundredths of a millimetre on skin.
static const float CELL = 0.003f;

// A cell is reliable when at its centre the interpolated distance is within this of the exact
// one, and the gradient within this cosine.
static const float RELIABLE_DISTANCE = 2e-4f;
static const float RELIABLE_COSINE = 0.98f;

// The bricks of a field, in pages that never move. Queries of several threads append.
enum { PAGE_BRICKS = 32 };

struct coif_sdf_bricks {
    coif_arena *arena;
    coif_sdf_brick **pages;
    int32_t count;
    pthread_mutex_t lock;
};

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

float coif_sdf_measure_center(const coif_sdf *sdf, int32_t brick)
{
    const float half = 0.5f * COIF_SDF_BRICK_CELLS * sdf->cell;
    const coif_vec3 center = coif_add(brick_corner(sdf, brick), coif_vec3_of(half, half, half));
    coif_closest_point nearest;
    query_bvh(&nearest, sdf, center, -1);
    atomic_store_explicit(&sdf->brick_center_distance[brick], nearest.distance,
                          memory_order_relaxed);
    return nearest.distance;
}

// Returns the smallest absolute distance.
static float sample_corners(coif_sdf_brick *out, const coif_sdf *sdf, int32_t brick)
{
    const coif_vec3 low = brick_corner(sdf, brick);
    int32_t hint = -1;
    float min_distance = INFINITY;
    for (int32_t i = 0; i < COIF_SDF_BRICK_SAMPLES; ++i) {
        const coif_vec3 at = {(float)(i % BRICK_POINTS), (float)(i / BRICK_POINTS % BRICK_POINTS),
                              (float)(i / 25)};
        coif_closest_point nearest;
        query_bvh(&nearest, sdf, coif_mad(low, sdf->cell, at), hint);
        hint = nearest.triangle;
        out->distance[i] = nearest.distance;
        out->hint = i == COIF_SDF_BRICK_SAMPLES / 2 ? nearest.triangle : out->hint;
        min_distance = fminf(min_distance, fabsf(nearest.distance));
    }
    return min_distance;
}

static void test_cells(coif_sdf_brick *out, const coif_sdf *sdf, int32_t brick)
{
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

// False: the brick is not in the narrow band. Deep inside the BVH is queried.
static bool sample_brick(coif_sdf_brick *out, const coif_sdf *sdf, int32_t brick)
{
    const float cell_radius = 0.8660254f * sdf->cell;
    const float brick_radius = 0.8660254f * COIF_SDF_BRICK_CELLS * sdf->cell;
    const float band = COIF_SDF_BAND_CELLS * sdf->cell;
    const float center = coif_sdf_center_distance(sdf, brick);
    if (!(center > -brick_radius && center - brick_radius < band) ||
        !(sample_corners(out, sdf, brick) - cell_radius < band)) {
        return false;
    }
    test_cells(out, sdf, brick);
    return true;
}

static coif_sdf_brick *stored_brick(const struct coif_sdf_bricks *bricks, int32_t number)
{
    return &bricks->pages[number / PAGE_BRICKS][number % PAGE_BRICKS];
}

static int32_t append_brick(struct coif_sdf_bricks *bricks, const coif_sdf_brick *brick)
{
    coif_sdf_brick **page = &bricks->pages[bricks->count / PAGE_BRICKS];
    if (*page == NULL) {
        *page = coif_arena_new(bricks->arena, PAGE_BRICKS, coif_sdf_brick);
    }
    *stored_brick(bricks, bricks->count) = *brick;
    return bricks->count++;
}

static int32_t sample_and_store(const coif_sdf *sdf, int32_t brick)
{
    coif_sdf_brick sampled = {.hint = -1};
    const bool in_band = sample_brick(&sampled, sdf, brick);
    struct coif_sdf_bricks *bricks = sdf->bricks;
    pthread_mutex_lock(&bricks->lock);
    int32_t index = atomic_load_explicit(&sdf->index[brick], memory_order_relaxed);
    if (index == 0) { // no other thread was faster
        index = in_band ? 1 + append_brick(bricks, &sampled) : -1;
        atomic_store_explicit(&sdf->index[brick], index, memory_order_release);
    }
    pthread_mutex_unlock(&bricks->lock);
    return index;
}

const coif_sdf_brick *coif_sdf_brick_of(const coif_sdf *sdf, int32_t brick)
{
    int32_t index = atomic_load_explicit(&sdf->index[brick], memory_order_acquire);
    if (index == 0) {
        index = sample_and_store(sdf, brick);
    }
    return index > 0 ? stored_brick(sdf->bricks, index - 1) : NULL;
}

int32_t coif_sdf_brick_count(const coif_sdf *sdf)
{
    return sdf->bricks->count;
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

// Grid and bricks without any sample.
static int32_t allocate(coif_sdf *sdf, coif_arena *arena)
{
    const int32_t count = sdf->size[0] * sdf->size[1] * sdf->size[2];
    sdf->motion = coif_arena_new(arena, 1, coif_body_motion);
    sdf->index = coif_arena_new(arena, count, _Atomic int32_t);
    sdf->brick_center_distance = coif_arena_new(arena, count, _Atomic float);
    sdf->bricks = coif_arena_new(arena, 1, struct coif_sdf_bricks);
    sdf->bricks->pages = coif_arena_new(arena, count / PAGE_BRICKS + 1, coif_sdf_brick *);
    sdf->bricks->arena = coif_arena_new_child(arena, "sdf");
    pthread_mutex_init(&sdf->bricks->lock, NULL);
    return count;
}

bool coif_sdf_build(coif_sdf *sdf, const coif_mesh *mesh, const coif_collider *rest_bvh,
                    coif_arena *arena)
{
    *sdf = (coif_sdf){.mesh = mesh, .rest_bvh = rest_bvh};
    if (!find_centre(sdf) || mesh->triangle_count == 0 || !choose_fit_vertices(sdf)) {
        return false;
    }
    choose_grid(sdf, mesh);
    allocate(sdf, arena);
    return true;
}

void coif_sdf_copy(coif_sdf *sdf, const coif_sdf *source, const coif_mesh *mesh,
                   const coif_collider *rest_bvh, coif_arena *arena)
{
    *sdf = *source;
    sdf->mesh = mesh;
    sdf->rest_bvh = rest_bvh;
    const int32_t count = allocate(sdf, arena);
    for (int32_t b = 0; b < count; ++b) {
        sdf->index[b] = source->index[b];
        sdf->brick_center_distance[b] = source->brick_center_distance[b];
    }
    for (int32_t n = 0; n < source->bricks->count; ++n) {
        append_brick(sdf->bricks, stored_brick(source->bricks, n));
    }
}
