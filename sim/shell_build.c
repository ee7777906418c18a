// shell, building: which blocks lie near the surface, and the distances at their corners.
#include "core/arena.h"
#include "core/jobs.h"
#include "sim/shell.h"

enum { MOST_BLOCKS = 1 << 18, SMALLEST = 32, GRAIN = 16, SIDE = COIF_SHELL_CELLS + 1 };

// Cells of this size follow skin to some hundredths of a millimetre.
static const float CELL = 0.003f;

// A cell is sure when its middle is as far from the surface as its corners say, within this, and in
// the same direction.
static const float SURE_DISTANCE = 2e-4f;
static const float SURE_COSINE = 0.98f;

// Blocks keep their values when the surface comes this near, in cells.
static const float BAND = 2.0f;

typedef struct building {
    coif_shell *shell;
    coif_shell_block *sampled; // of the blocks that may be near
    const int32_t *near;
    float *least; // of each of those: the smallest distance of a corner
    float *bound; // of every block
} building;

static coif_vec3 corner_of(const coif_shell *shell, int32_t block)
{
    const float side = COIF_SHELL_CELLS * shell->cell;
    const int32_t x = block % shell->size[0];
    const int32_t y = block / shell->size[0] % shell->size[1];
    const int32_t z = block / shell->size[0] / shell->size[1];
    return coif_add(shell->low, coif_vec3_of((float)x * side, (float)y * side, (float)z * side));
}

static void ask(coif_nearest *nearest, const coif_shell *shell, coif_vec3 place, int32_t hint)
{
    const coif_search search = {.place = place, .reach = INFINITY, .hint = hint};
    coif_collider_find_in_tree(nearest, shell->still, &search);
}

// How far every block is from the surface at least, from its middle.
static void bound_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    (void)worker;
    const building *all = context;
    coif_shell *shell = all->shell;
    const float half = 0.5f * COIF_SHELL_CELLS * shell->cell;
    const float around = 0.8660254f * COIF_SHELL_CELLS * shell->cell;
    int32_t hint = -1;
    for (int64_t b = begin; b < end; ++b) {
        const coif_vec3 middle =
            coif_add(corner_of(shell, (int32_t)b), coif_vec3_of(half, half, half));
        coif_nearest nearest;
        ask(&nearest, shell, middle, hint);
        hint = nearest.triangle;
        const float bound = fabsf(nearest.distance) - around;
        all->bound[b] = bound <= 0.0f ? 0.0f : copysignf(bound, nearest.distance);
    }
}

static void sample_corners(const building *all, int32_t block, coif_shell_block *out, float *least)
{
    const coif_shell *shell = all->shell;
    const coif_vec3 low = corner_of(shell, block);
    int32_t hint = -1;
    *least = INFINITY;
    for (int32_t i = 0; i < COIF_SHELL_SAMPLES; ++i) {
        const coif_vec3 at = {(float)(i % SIDE), (float)(i / SIDE % SIDE), (float)(i / 25)};
        coif_nearest nearest;
        ask(&nearest, shell, coif_mad(low, shell->cell, at), hint);
        hint = nearest.triangle;
        out->distance[i] = nearest.distance;
        const int32_t part = coif_shell_part_of(shell, nearest.triangle);
        out->mixed = out->mixed || (i > 0 && part != out->part);
        out->part = part;
        out->hint = i == COIF_SHELL_SAMPLES / 2 ? nearest.triangle : out->hint;
        *least = fminf(*least, fabsf(nearest.distance));
    }
}

static void judge_cells(const building *all, int32_t block, coif_shell_block *out)
{
    const coif_shell *shell = all->shell;
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
        coif_nearest nearest;
        ask(&nearest, shell, coif_mad(low, shell->cell, at), hint);
        hint = nearest.triangle;
        if (fabsf(0.125f * sum - nearest.distance) < SURE_DISTANCE &&
            coif_dot(slope, nearest.normal) > SURE_COSINE &&
            coif_shell_part_of(shell, nearest.triangle) == out->part) {
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

// Blocks that turned out to be near keep their values; of the others it is now known better how far
// away they are.
static void keep_near(building *all, int32_t count, coif_arena *arena)
{
    coif_shell *shell = all->shell;
    const float slack = 0.8660254f * shell->cell;
    const float band = BAND * shell->cell;
    for (int32_t i = 0; i < count; ++i) {
        shell->block_count += all->least[i] - slack < band;
    }
    shell->blocks = coif_arena_new(arena, shell->block_count, coif_shell_block);
    int32_t kept = 0;
    for (int32_t i = 0; i < count; ++i) {
        const float least = all->least[i] - slack;
        if (least < band) {
            shell->index[all->near[i]] = kept;
            shell->blocks[kept++] = all->sampled[i];
            // Inside is never far enough.
            const bool outside = least > 0.0f && all->sampled[i].distance[0] > 0.0f;
            all->bound[all->near[i]] = outside ? least : 0.0f;
        } else {
            all->bound[all->near[i]] = copysignf(least, all->sampled[i].distance[0]);
        }
    }
}

// A block that belongs to another part alone is of no interest.
static void bound_part(const building *all, int32_t part, coif_arena *arena)
{
    coif_shell *shell = all->shell;
    const int32_t count = shell->size[0] * shell->size[1] * shell->size[2];
    float *bound = coif_arena_new(arena, count, float);
    for (int32_t b = 0; b < count; ++b) {
        const coif_shell_block *block =
            shell->index[b] < 0 ? NULL : &shell->blocks[shell->index[b]];
        const bool others = block != NULL && !block->mixed && block->part != part;
        bound[b] = others ? INFINITY : all->bound[b];
    }
    shell->parts[part].bound = bound;
}

static void lay_out(coif_shell *shell, const coif_mesh *mesh)
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
        const float side = COIF_SHELL_CELLS * shell->cell;
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

// Three vertices of each part that are far apart from each other.
static bool choose_corners(coif_shell *shell, int32_t part)
{
    const coif_mesh *mesh = shell->mesh;
    coif_shell_part *out = &shell->parts[part];
    int32_t found = 0;
    for (; found < 3; ++found) {
        float best = 0.0f;
        for (int32_t v = 0; v < mesh->vertex_count; ++v) {
            if (shell->part_of[v] != part + 1) {
                continue;
            }
            const coif_vec3 away = coif_sub(mesh->positions[v], out->rest[0]);
            const coif_vec3 side = coif_sub(out->rest[1], out->rest[0]);
            const float far = found == 0   ? 1.0f
                              : found == 1 ? coif_length(away)
                                           : coif_length(coif_cross(away, side));
            if (far > best) {
                best = far;
                out->corner[found] = v;
            }
        }
        out->rest[found] = mesh->positions[out->corner[found]];
        if (!(best > 1e-9f)) {
            return false;
        }
    }
    return true;
}

bool coif_shell_build(coif_shell *shell, const coif_mesh *mesh, const uint8_t *part_of,
                      const coif_collider *still, coif_arena *arena, coif_jobs *jobs)
{
    *shell = (coif_shell){.mesh = mesh, .part_of = part_of, .still = still};
    for (int32_t v = 0; v < mesh->vertex_count; ++v) {
        shell->part_count = part_of[v] > shell->part_count ? part_of[v] : shell->part_count;
        if (!(fabsf(mesh->positions[v].x) + fabsf(mesh->positions[v].y) +
                  fabsf(mesh->positions[v].z) <
              1e6f)) {
            return false;
        }
    }
    for (int32_t p = 0; p < shell->part_count; ++p) {
        if (!choose_corners(shell, p)) {
            return false;
        }
    }
    if (shell->part_count == 0 || mesh->triangle_count == 0) {
        return false;
    }
    coif_shell_follow(shell, mesh->positions, mesh->positions);
    lay_out(shell, mesh);
    const int32_t count = shell->size[0] * shell->size[1] * shell->size[2];
    shell->index = coif_arena_new(arena, count, int32_t);
    coif_arena scratch;
    coif_arena_init(&scratch, "shell");
    int32_t *near = coif_arena_new(&scratch, count, int32_t);
    building all = {.shell = shell, .near = near, .bound = coif_arena_new(&scratch, count, float)};
    coif_parallel_for(jobs, count, GRAIN, bound_blocks, &all);
    int32_t near_count = 0;
    for (int32_t b = 0; b < count; ++b) {
        shell->index[b] = -1;
        near[near_count] = b;
        near_count += all.bound[b] >= 0.0f && all.bound[b] < BAND * shell->cell;
    }
    all.sampled = coif_arena_new(&scratch, near_count, coif_shell_block);
    all.least = coif_arena_new(&scratch, near_count, float);
    coif_parallel_for(jobs, near_count, GRAIN, sample_blocks, &all);
    keep_near(&all, near_count, arena);
    for (int32_t p = 0; p < shell->part_count; ++p) {
        bound_part(&all, p, arena);
    }
    coif_arena_free(&scratch);
    return true;
}
