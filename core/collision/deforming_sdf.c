// deforming_sdf: building, slices of a frame, and queries.
#include "core/collision/deforming_sdf.h"

#include "core/base/bounds.h"
#include "core/collision/deforming_sdf_internal.h"

#include <string.h>

enum {
    MAX_BRICKS = 1 << 18,
    MAX_SUBDIVISIONS = 8,
    MARGIN_BRICKS = 2,
    BRICK_BYTES = 64,
    SAMPLE_BYTES = 64
};

// A triangle moves by at most this fraction of a brick in a slice.
static const float SLICE_MOTION = 0.5f;

// Distance between samples of small triangles, in bricks.
static const float SPACING = 0.25f;

// Maps may be off by this much between the bricks of a neighbourhood, m.
static const float FAR_ERROR = 1e-3f;

static int32_t subdivisions(const coif_vec3 corner[3], float spacing)
{
    float longest = 0.0f;
    for (int c = 0; c < 3; ++c) {
        longest = fmaxf(longest, coif_length(coif_sub(corner[(c + 1) % 3], corner[c])));
    }
    const float count = ceilf(longest / spacing);
    return count < 1.0f ? 1 : count < MAX_SUBDIVISIONS ? (int32_t)count : MAX_SUBDIVISIONS;
}

// Samples of a triangle are the centroids of n^2 equal parts; its area counts several times where
// it stands for others. Writes nothing but the number of samples where the arrays are NULL.
static void sample_triangle(coif_deforming_sdf *deforming, const coif_mesh *mesh, int32_t triangle,
                            float area_scale)
{
    const int32_t *index = mesh->indices + 3 * (int64_t)triangle;
    const coif_vec3 corner[3] = {mesh->positions[index[0]], mesh->positions[index[1]],
                                 mesh->positions[index[2]]};
    const int32_t n = subdivisions(corner, 0.5f * COIF_SDF_BRICK_CELLS * deforming->sdf->cell);
    if (deforming->sample_slot == NULL) {
        deforming->sample_count += n * n;
        return;
    }
    const coif_vec3 normal =
        coif_cross(coif_sub(corner[1], corner[0]), coif_sub(corner[2], corner[0]));
    for (int32_t row = 0; row < n; ++row) {
        for (int32_t i = 0; i < 2 * (n - row) - 1; ++i) {
            const int32_t s = deforming->sample_count++;
            const float third = i % 2 == 0 ? 1.0f / 3.0f : 2.0f / 3.0f;
            float *weights = deforming->sample_weights + 2 * (int64_t)s;
            weights[0] = ((float)(i / 2) + third) / (float)n;
            weights[1] = ((float)row + third) / (float)n;
            deforming->sample_slot[s] = deforming->rest.leaf_slot[triangle];
            deforming->sample_area[s] = area_scale * coif_length(normal) / (float)(n * n);
            deforming->sample_rest[s] = coif_sample_position(corner, weights);
            deforming->sample_normal[s] = coif_normalize(normal);
        }
    }
}

static float leaf_area(const coif_collider *rest, int32_t leaf)
{
    float area = 0.0f;
    for (int32_t slot = 4 * leaf; slot < 4 * leaf + 4; ++slot) {
        const coif_vec3 a = coif_bvh_corner(rest, slot, 0, 0.0f);
        const coif_vec3 b = coif_bvh_corner(rest, slot, 1, 0.0f);
        const coif_vec3 c = coif_bvh_corner(rest, slot, 2, 0.0f);
        area += 0.5f * coif_length(coif_cross(coif_sub(b, a), coif_sub(c, a)));
    }
    return area;
}

// In the order of the leaves, in which they are read. Of the neighbouring triangles of a leaf as
// many are sampled as the spacing asks for. Slots that repeat a triangle have no samples.
static void sample_triangles(coif_deforming_sdf *deforming, const coif_mesh *mesh)
{
    const coif_collider *rest = &deforming->rest;
    const float spacing = SPACING * COIF_SDF_BRICK_CELLS * deforming->sdf->cell;
    for (int32_t leaf = 0; leaf < rest->leaf_count; ++leaf) {
        const float wanted = ceilf(leaf_area(rest, leaf) / (spacing * spacing));
        const int32_t step = wanted > 2.0f ? 1 : wanted > 1.0f ? 2 : 4;
        for (int32_t i = 0; i < COIF_BVH_LEAF_TRIANGLES; i += step) {
            const int32_t triangle = rest->leaves[leaf].index[i];
            if (rest->leaf_slot[triangle] == 4 * leaf + i) {
                sample_triangle(deforming, mesh, triangle, (float)step);
            }
        }
    }
}

coif_deforming_sdf *coif_deforming_sdf_new(coif_sdf *sdf, coif_arena *arena)
{
    coif_deforming_sdf *deforming = coif_arena_new(arena, 1, coif_deforming_sdf);
    deforming->sdf = sdf;
    deforming->arena = coif_arena_new_child(arena, "deforming sdf");
    pthread_mutex_init(&deforming->lock, NULL);
    return deforming;
}

// The BVH of the rest pose and the samples.
static void prepare(coif_deforming_sdf *deforming, const coif_collider *collider)
{
    const coif_mesh *mesh = deforming->sdf->mesh;
    coif_arena *arena = deforming->arena;
    coif_collider bvh = *collider;
    bvh.sdf = NULL;
    bvh.deforming = NULL;
    coif_collider_copy(&deforming->rest, &bvh, mesh, arena);
    deforming->sdf->rest_bvh = &deforming->rest;
    sample_triangles(deforming, mesh);
    deforming->sample_weights = coif_arena_new(arena, 2 * (int64_t)deforming->sample_count, float);
    deforming->sample_area = coif_arena_new(arena, deforming->sample_count, float);
    deforming->sample_rest = coif_arena_new(arena, deforming->sample_count, coif_vec3);
    deforming->sample_normal = coif_arena_new(arena, deforming->sample_count, coif_vec3);
    deforming->sample_slot = coif_arena_new(arena, deforming->sample_count, int32_t);
    deforming->sample_count = 0;
    sample_triangles(deforming, mesh);
    for (int s = 0; s < COIF_DEFORMING_SLICES; ++s) {
        deforming->slices[s].arena = coif_arena_new_child(arena, "deforming sdf");
    }
}

void coif_deforming_sdf_update(coif_deforming_sdf *deforming, const coif_collider *collider)
{
    if (deforming->collider == NULL) {
        prepare(deforming, collider);
    }
    const float side = COIF_SDF_BRICK_CELLS * deforming->sdf->cell;
    const float count = ceilf(collider->max_displacement / (SLICE_MOTION * side));
    deforming->collider = collider;
    deforming->slice_count =
        count <= (float)COIF_DEFORMING_SLICES ? (int32_t)fmaxf(count, 1.0f) : 0;
    for (int s = 0; s < COIF_DEFORMING_SLICES; ++s) {
        if (deforming->slices[s].ready) {
            coif_arena_rewind(deforming->slices[s].arena, deforming->slices[s].begin);
            deforming->slices[s].ready = false;
        }
    }
}

static bool choose_grid(coif_deforming_slice *slice, const coif_deforming_sdf *deforming)
{
    const coif_vec3 low = deforming->collider->low;
    const coif_vec3 extent = coif_sub(deforming->collider->high, low);
    const float extents[3] = {extent.x, extent.y, extent.z};
    if (!(fabsf(low.x) + fabsf(low.y) + fabsf(low.z) < 1e6f) ||
        !(extent.x + extent.y + extent.z < 1e6f)) {
        return false;
    }
    for (slice->side = COIF_SDF_BRICK_CELLS * deforming->sdf->cell;; slice->side *= 1.25f) {
        double count = 1.0;
        for (int a = 0; a < 3; ++a) {
            slice->size[a] =
                (int32_t)fminf(extents[a] / slice->side + (2.0f * MARGIN_BRICKS + 1.0f), 1e6f);
            count *= slice->size[a];
        }
        if (count <= MAX_BRICKS) {
            const float margin = MARGIN_BRICKS * slice->side;
            slice->low = coif_sub(low, coif_vec3_of(margin, margin, margin));
            return true;
        }
    }
}

// -1 outside.
static int32_t brick_at(const coif_deforming_slice *slice, coif_vec3 p)
{
    const float scale = 1.0f / slice->side;
    const float x = (p.x - slice->low.x) * scale;
    const float y = (p.y - slice->low.y) * scale;
    const float z = (p.z - slice->low.z) * scale;
    if (!(x >= 0.0f && y >= 0.0f && z >= 0.0f && x < (float)slice->size[0] &&
          y < (float)slice->size[1] && z < (float)slice->size[2])) {
        return -1;
    }
    return ((int32_t)z * slice->size[1] + (int32_t)y) * slice->size[0] + (int32_t)x;
}

// Coordinates of a brick along an axis; vertices lie well within the grid.
static int32_t brick_coordinate(const coif_deforming_slice *slice, int axis, float value)
{
    const float low = axis == 0 ? slice->low.x : axis == 1 ? slice->low.y : slice->low.z;
    const float at = (value - low) / slice->side;
    const int32_t last = slice->size[axis] - 1;
    return !(at > 0.0f) ? 0 : at < (float)last ? (int32_t)at : last;
}

static void mark_triangle(coif_deforming_slice *slice, const coif_vec3 corner[3])
{
    coif_bounds box = coif_bounds_empty();
    for (int c = 0; c < 3; ++c) {
        coif_bounds_add(&box, corner[c]);
    }
    if (!(box.low.x <= box.high.x && box.low.y <= box.high.y && box.low.z <= box.high.z)) {
        return; // NaN
    }
    const int32_t low[3] = {brick_coordinate(slice, 0, box.low.x),
                            brick_coordinate(slice, 1, box.low.y),
                            brick_coordinate(slice, 2, box.low.z)};
    const int32_t high[3] = {brick_coordinate(slice, 0, box.high.x),
                             brick_coordinate(slice, 1, box.high.y),
                             brick_coordinate(slice, 2, box.high.z)};
    for (int32_t z = low[2]; z <= high[2]; ++z) {
        for (int32_t y = low[1]; y <= high[1]; ++y) {
            uint8_t *row = slice->ring + ((int64_t)z * slice->size[1] + y) * slice->size[0];
            memset(row + low[0], 1, (size_t)(high[0] - low[0] + 1));
        }
    }
}

// Extends a set by its neighbours along one axis.
static void dilate(uint8_t *out, const uint8_t *set, int32_t count, int32_t stride)
{
    memcpy(out, set, (size_t)count);
    for (int32_t i = 0; i < count - stride; ++i) {
        out[i] |= set[i + stride];
    }
    for (int32_t i = stride; i < count; ++i) {
        out[i] |= set[i - stride];
    }
}

// Turns the set of crossed bricks into distances. Neighbours wrap around at the ends of rows, which
// only makes distances smaller.
static void measure_rings(coif_deforming_slice *slice, int32_t count)
{
    COIF_SCOPED_ARENA(scratch, "deforming sdf");
    uint8_t *set = coif_arena_new(&scratch, count, uint8_t);
    uint8_t *other = coif_arena_new(&scratch, count, uint8_t);
    memcpy(set, slice->ring, (size_t)count);
    for (int32_t i = 0; i < count; ++i) {
        slice->ring[i] = set[i] != 0 ? 0 : COIF_DEFORMING_RINGS + 1;
    }
    for (uint8_t ring = 1; ring <= COIF_DEFORMING_RINGS; ++ring) {
        dilate(other, set, count, 1);
        dilate(set, other, count, slice->size[0]);
        dilate(other, set, count, slice->size[0] * slice->size[1]);
        memcpy(set, other, (size_t)count);
        for (int32_t i = 0; i < count; ++i) {
            slice->ring[i] = set[i] != 0 && slice->ring[i] > ring ? ring : slice->ring[i];
        }
    }
}

static void mark_triangles(coif_deforming_slice *slice, const coif_collider *collider, float time)
{
    for (int32_t slot = 0; slot < 4 * collider->leaf_count; ++slot) {
        const coif_vec3 corner[3] = {coif_bvh_corner(collider, slot, 0, time),
                                     coif_bvh_corner(collider, slot, 1, time),
                                     coif_bvh_corner(collider, slot, 2, time)};
        mark_triangle(slice, corner);
    }
}

// Counting sort.
static void sort_samples(coif_deforming_slice *slice, const coif_deforming_sdf *deforming,
                         float time, int32_t count)
{
    COIF_SCOPED_ARENA(scratch, "deforming sdf");
    int32_t *bricks = coif_arena_new(&scratch, deforming->sample_count, int32_t);
    slice->first = coif_arena_new(slice->arena, count + 1, int32_t);
    slice->order = coif_arena_new(slice->arena, deforming->sample_count, int32_t);
    for (int32_t s = 0; s < deforming->sample_count; ++s) {
        const int32_t slot = deforming->sample_slot[s];
        const coif_vec3 corner[3] = {coif_bvh_corner(deforming->collider, slot, 0, time),
                                     coif_bvh_corner(deforming->collider, slot, 1, time),
                                     coif_bvh_corner(deforming->collider, slot, 2, time)};
        const coif_vec3 at =
            coif_sample_position(corner, deforming->sample_weights + 2 * (int64_t)s);
        bricks[s] =
            (brick_coordinate(slice, 2, at.z) * slice->size[1] + brick_coordinate(slice, 1, at.y)) *
                slice->size[0] +
            brick_coordinate(slice, 0, at.x);
        ++slice->first[bricks[s] + 1];
    }
    for (int32_t b = 0; b < count; ++b) {
        slice->first[b + 1] += slice->first[b];
    }
    for (int32_t s = deforming->sample_count - 1; s >= 0; --s) {
        slice->order[--slice->first[bricks[s] + 1]] = s;
    }
    // Now first[b + 1] is the begin of brick b.
    memmove(slice->first, slice->first + 1, sizeof(int32_t) * (size_t)count);
    slice->first[count] = deforming->sample_count;
}

// The memory of the first slice is reused in all frames.
static void reserve(coif_deforming_slice *slice, size_t bytes)
{
    coif_arena_new(slice->arena, bytes, char);
    slice->begin = coif_arena_mark_here(slice->arena);
    slice->begin.chunk_used = 0;
    slice->begin.used = 0;
    coif_arena_rewind(slice->arena, slice->begin);
}

void coif_deforming_slice_sort(coif_deforming_slice *slice, const coif_deforming_sdf *deforming,
                               int32_t index)
{
    slice->side = 0.0f;
    if (!choose_grid(slice, deforming)) {
        return;
    }
    const int32_t count = slice->size[0] * slice->size[1] * slice->size[2];
    if (slice->begin.chunk == NULL) {
        reserve(slice,
                (size_t)count * BRICK_BYTES + (size_t)deforming->sample_count * SAMPLE_BYTES);
    }
    slice->ring = coif_arena_new(slice->arena, count, uint8_t);
    slice->samples = coif_arena_new(slice->arena, count, coif_brick_samples * _Atomic);
    slice->maps = coif_arena_new(slice->arena, count, coif_brick_map * _Atomic);
    const float middle = ((float)index + 0.5f) / (float)deforming->slice_count;
    mark_triangles(slice, deforming->collider, middle);
    sort_samples(slice, deforming, middle, count);
    measure_rings(slice, count);
}

static const coif_deforming_slice *slice_of(coif_deforming_sdf *deforming, int32_t index)
{
    coif_deforming_slice *slice = &deforming->slices[index];
    if (!atomic_load_explicit(&slice->ready, memory_order_acquire)) {
        pthread_mutex_lock(&deforming->lock);
        if (!atomic_load_explicit(&slice->ready, memory_order_relaxed)) {
            coif_deforming_slice_sort(slice, deforming, index);
            atomic_store_explicit(&slice->ready, true, memory_order_release);
        }
        pthread_mutex_unlock(&deforming->lock);
    }
    return slice;
}

// Lower bound of the distance outside the body: it is 1-Lipschitz, so it is at least that of the
// centre of a brick minus the distance to it. 0 where a centre is inside.
static float centre_bound(const coif_sdf *sdf, coif_vec3 p)
{
    const float side = COIF_SDF_BRICK_CELLS * sdf->cell;
    const float grid[3] = {(p.x - sdf->low.x) / side - 0.5f, (p.y - sdf->low.y) / side - 0.5f,
                           (p.z - sdf->low.z) / side - 0.5f};
    for (int a = 0; a < 3; ++a) {
        if (!(grid[a] >= 0.0f && grid[a] < (float)(sdf->size[a] - 1))) {
            return 0.0f;
        }
    }
    const int32_t cell[3] = {(int32_t)grid[0], (int32_t)grid[1], (int32_t)grid[2]};
    float best = 0.0f;
    for (int i = 0; i < 8; ++i) {
        const int32_t at[3] = {cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2)};
        const float distance =
            coif_sdf_center_distance(sdf, (at[2] * sdf->size[1] + at[1]) * sdf->size[0] + at[0]);
        const coif_vec3 away = {grid[0] - (float)at[0], grid[1] - (float)at[1],
                                grid[2] - (float)at[2]};
        const float bound = distance - side * coif_length(away);
        if (!(distance > 0.0f)) {
            return 0.0f;
        }
        best = bound > best ? bound : best;
    }
    return 0.9999f * best;
}

static void fill_nearest(coif_closest_point *nearest, const coif_brick_map *map, float fraction,
                         coif_vec3 position, coif_vec3 rest, const coif_sdf_sample *sample)
{
    const coif_vec3 rest_normal = coif_normalize(sample->gradient);
    const coif_vec3 gradient =
        coif_lerp(coif_mat3_apply_transposed(&map->to_rest[0].linear, rest_normal),
                  coif_mat3_apply_transposed(&map->to_rest[1].linear, rest_normal), fraction);
    const float scale = 1.0f / coif_length(gradient);
    nearest->distance = sample->distance * scale;
    nearest->normal = coif_scale(gradient, scale);
    nearest->point = coif_mad(position, -nearest->distance, nearest->normal);
    nearest->motion =
        coif_affine_apply(&map->motion, coif_mad(rest, -sample->distance, rest_normal));
}

coif_deforming_sdf_result coif_deforming_sdf_query(coif_closest_point *nearest,
                                                   coif_deforming_sdf *deforming,
                                                   coif_vec3 position, float time)
{
    nearest->triangle = -1;
    if (deforming->slice_count == 0) {
        return COIF_DEFORMING_SDF_UNKNOWN;
    }
    const float scaled = time * (float)deforming->slice_count;
    const int32_t last = deforming->slice_count - 1;
    const int32_t index = !(scaled > 0.0f) ? 0 : scaled < (float)last ? (int32_t)scaled : last;
    const coif_deforming_slice *slice = slice_of(deforming, index);
    if (!(slice->side > 0.0f)) {
        return COIF_DEFORMING_SDF_UNKNOWN;
    }
    // Of triangles, from the middle of the slice.
    const float motion =
        0.5f * deforming->collider->max_displacement / (float)deforming->slice_count;
    const int32_t brick = brick_at(slice, position);
    const int32_t ring = brick >= 0 ? slice->ring[brick] : 1 + MARGIN_BRICKS;
    const float beyond = 0.999f * slice->side - motion;
    if (ring > 1) {
        nearest->distance = beyond + (float)(ring - 2) * 0.999f * slice->side;
        return COIF_DEFORMING_SDF_FAR;
    }
    const coif_brick_map *map = coif_brick_map_of(deforming, index, brick);
    if (!map->near) {
        return COIF_DEFORMING_SDF_UNKNOWN;
    }
    const float fraction = scaled - (float)index;
    const coif_vec3 rest = coif_lerp(coif_affine_apply(&map->to_rest[0], position),
                                     coif_affine_apply(&map->to_rest[1], position), fraction);
    coif_sdf_sample sample;
    if (coif_sdf_eval(&sample, deforming->sdf, rest)) {
        nearest->triangle = sample.hint;
        fill_nearest(nearest, map, fraction, position, rest, &sample);
        // Other surfaces, which the map does not describe, are farther than that.
        const float most = map->far ? beyond : COIF_DEFORMING_NEAR * slice->side - motion;
        return fabsf(nearest->distance) < most ? COIF_DEFORMING_SDF_NEAR
                                               : COIF_DEFORMING_SDF_UNKNOWN;
    }
    nearest->triangle = sample.hint;
    const float centres = centre_bound(deforming->sdf, rest);
    const float least = sample.distance > centres ? sample.distance : centres;
    const float bound = least / map->stretch - FAR_ERROR;
    nearest->distance = bound < beyond ? bound : beyond;
    return map->far && nearest->distance > 0.0f ? COIF_DEFORMING_SDF_FAR
                                                : COIF_DEFORMING_SDF_UNKNOWN;
}
