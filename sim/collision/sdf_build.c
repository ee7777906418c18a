// shell, building: which blocks lie near the surface, and the distances at their corners.
#include "core/base/arena.h"
#include "core/base/jobs.h"
#include "sim/collision/sdf.h"

enum { MOST_BLOCKS = 1 << 18, SMALLEST = 32, GRAIN = 16, SIDE = COIF_SDF_BRICK_CELLS + 1 };

// Cells of this size follow skin to some hundredths of a millimetre.
static const float CELL = 0.003f;

// A cell is sure when its middle is as far from the surface as its corners say, within this, and in
// the same direction.
static const float SURE_DISTANCE = 2e-4f;
static const float SURE_COSINE = 0.98f;

// Blocks keep their values when the surface comes this near, in cells.
static const float BAND = 2.0f;

typedef struct building {
    coif_sdf *shell;
    coif_sdf_brick *sampled; // of the blocks that may be near
    const int32_t *near;
    float *least; // of each of those: the smallest distance of a corner
} building;

static coif_vec3 corner_of(const coif_sdf *shell, int32_t block)
{
    const float side = COIF_SDF_BRICK_CELLS * shell->cell;
    const int32_t x = block % shell->size[0];
    const int32_t y = block / shell->size[0] % shell->size[1];
    const int32_t z = block / shell->size[0] / shell->size[1];
    return coif_add(shell->low, coif_vec3_of((float)x * side, (float)y * side, (float)z * side));
}

static void ask(coif_closest_point *nearest, const coif_sdf *shell, coif_vec3 place, int32_t hint)
{
    const coif_closest_point_query search = {.place = place, .reach = INFINITY, .hint = hint};
    coif_collider_closest_point_bvh(nearest, shell->still, &search);
}

// How far the middle of every block is from the surface.
static void measure_middles(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const building *all = context;
    coif_sdf *shell = all->shell;
    const float half = 0.5f * COIF_SDF_BRICK_CELLS * shell->cell;
    int32_t hint = -1;
    for (int64_t b = begin; b < end; ++b) {
        const coif_vec3 middle =
            coif_add(corner_of(shell, (int32_t)b), coif_vec3_of(half, half, half));
        coif_closest_point nearest;
        ask(&nearest, shell, middle, hint);
        hint = nearest.triangle;
        shell->middle[b] = nearest.distance;
    }
}

static void sample_corners(const building *all, int32_t block, coif_sdf_brick *out, float *least)
{
    const coif_sdf *shell = all->shell;
    const coif_vec3 low = corner_of(shell, block);
    int32_t hint = -1;
    *least = INFINITY;
    for (int32_t i = 0; i < COIF_SDF_BRICK_SAMPLES; ++i) {
        const coif_vec3 at = {(float)(i % SIDE), (float)(i / SIDE % SIDE), (float)(i / 25)};
        coif_closest_point nearest;
        ask(&nearest, shell, coif_mad(low, shell->cell, at), hint);
        hint = nearest.triangle;
        out->distance[i] = nearest.distance;
        out->hint = i == COIF_SDF_BRICK_SAMPLES / 2 ? nearest.triangle : out->hint;
        *least = fminf(*least, fabsf(nearest.distance));
    }
}

static void judge_cells(const building *all, int32_t block, coif_sdf_brick *out)
{
    const coif_sdf *shell = all->shell;
    const coif_vec3 low = corner_of(shell, block);
    uint64_t sure = 0;
    int32_t hint = out->hint;
    for (int32_t i = 0; i < 64; ++i) {
        const coif_vec3 at = {(float)(i % 4) + 0.5f, (float)(i / 4 % 4) + 0.5f,
                              (float)(i / 16) + 0.5f};
        const float *d = &out->distance[i % 4 + SIDE * (i / 4 % 4) + 25 * (i / 16)];
        const float sum = (d[0] + d[1] + d[5] + d[6]) + (d[25] + d[26] + d[30] + d[31]);
        const float right = (d[1] + d[6] + d[26] + d[31]) - (d[0] + d[5] + d[25] + d[30]);
        const float up = (d[5] + d[6] + d[30] + d[31]) - (d[0] + d[1] + d[25] + d[26]);
        const float far = (d[25] + d[26] + d[30] + d[31]) - (d[0] + d[1] + d[5] + d[6]);
        const coif_vec3 slope = coif_normalize(coif_vec3_of(right, up, far));
        coif_closest_point nearest;
        ask(&nearest, shell, coif_mad(low, shell->cell, at), hint);
        hint = nearest.triangle;
        if (fabsf(0.125f * sum - nearest.distance) < SURE_DISTANCE &&
            coif_dot(slope, nearest.normal) > SURE_COSINE) {
            sure |= UINT64_C(1) << i;
        }
    }
    out->sure = sure;
}

static void sample_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const building *all = context;
    const float band = BAND * all->shell->cell;
    for (int64_t i = begin; i < end; ++i) {
        sample_corners(all, all->near[i], &all->sampled[i], &all->least[i]);
        if (all->least[i] - 0.8660254f * all->shell->cell < band) {
            judge_cells(all, all->near[i], &all->sampled[i]);
        }
    }
}

// Blocks that turned out to be near keep their values.
static void keep_near(building *all, int32_t count, coif_arena *arena)
{
    coif_sdf *shell = all->shell;
    const float slack = 0.8660254f * shell->cell;
    const float band = BAND * shell->cell;
    for (int32_t i = 0; i < count; ++i) {
        shell->block_count += all->least[i] - slack < band;
    }
    shell->blocks = coif_arena_new(arena, shell->block_count, coif_sdf_brick);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        if (all->least[i] - slack < band) {
            shell->index[all->near[i]] = kept;
            shell->blocks[kept++] = all->sampled[i];
        }
    }
}

static void lay_out(coif_sdf *shell, const coif_mesh *mesh)
{
    coif_vec3 low = {INFINITY, INFINITY, INFINITY};
    coif_vec3 high = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        const coif_vec3 p = mesh->positions[v];
        low = coif_vec3_of(fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z));
        high = coif_vec3_of(fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z));
    }
    const coif_vec3 extent = coif_sub(high, low);
    const float largest = fmaxf(extent.x, fmaxf(extent.y, extent.z));
    shell->cell = fminf(CELL, largest / SMALLEST);
    for (;;) {
        const float side = COIF_SDF_BRICK_CELLS * shell->cell;
        const float sides[3] = {extent.x, extent.y, extent.z};
        double count = 1.0;
        for (int a = 0; a < 3; ++a) {
            // A block and a half all around.
            shell->size[a] = (int32_t)fminf(sides[a] / side + 4.0f, 1e6f);
            count *= shell->size[a];
        }
        shell->beyond = side;
        shell->low = coif_sub(low, coif_vec3_of(1.5f * side, 1.5f * side, 1.5f * side));
        if (count <= MOST_BLOCKS) {
            return;
        }
        shell->cell *= 1.25f;
    }
}

// Three vertices that are far apart from each other.
static bool choose_corners(coif_sdf *shell)
{
    const coif_mesh *mesh = shell->mesh;
    for (int32_t found = 0; found < 3; ++found) {
        float best = 0.0f;
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            const coif_vec3 away = coif_sub(mesh->positions[v], shell->rest[0]);
            const coif_vec3 side = coif_sub(shell->rest[1], shell->rest[0]);
            const float far = found == 0   ? 1.0f
                              : found == 1 ? coif_length(away)
                                           : coif_length(coif_cross(away, side));
            if (far > best) {
                best = far;
                shell->corner[found] = v;
            }
        }
        shell->rest[found] = mesh->positions[shell->corner[found]];
        if (!(best > 1e-9f)) {
            return false;
        }
    }
    return true;
}

// The middle of all vertices; false where a place is not a number that can be reckoned with.
static bool find_centre(coif_sdf *shell)
{
    const coif_mesh *mesh = shell->mesh;
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
    shell->centre =
        coif_vec3_of((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
    return true;
}

bool coif_sdf_build(coif_sdf *shell, const coif_mesh *mesh, const coif_collider *still,
                    coif_arena *arena, coif_jobs *jobs)
{
    *shell = (coif_sdf){.mesh = mesh, .still = still};
    if (!find_centre(shell) || mesh->triangle_count == 0 || !choose_corners(shell)) {
        return false;
    }
    shell->passage = coif_arena_new(arena, 1, coif_body_motion);
    lay_out(shell, mesh);
    const int32_t count = shell->size[0] * shell->size[1] * shell->size[2];
    shell->index = coif_arena_new(arena, count, int32_t);
    shell->middle = coif_arena_new(arena, count, float);
    coif_arena scratch;
    coif_arena_init(&scratch, "shell");
    int32_t *near = coif_arena_new(&scratch, count, int32_t);
    building all = {.shell = shell, .near = near};
    coif_parallel_for(jobs, count, GRAIN, measure_middles, &all);
    const float around = 0.8660254f * COIF_SDF_BRICK_CELLS * shell->cell;
    int32_t near_count = 0;
    for (int32_t b = 0; b < count; ++b) {
        shell->index[b] = -1;
        near[near_count] = b;
        // What is inside and does not touch a block is left to the triangles.
        near_count += shell->middle[b] > -around && shell->middle[b] - around < BAND * shell->cell;
    }
    all.sampled = coif_arena_new(&scratch, near_count, coif_sdf_brick);
    all.least = coif_arena_new(&scratch, near_count, float);
    coif_parallel_for(jobs, near_count, GRAIN, sample_blocks, &all);
    keep_near(&all, near_count, arena);
    coif_arena_free(&scratch);
    return true;
}
