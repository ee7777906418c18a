// groom_bind: which simulated strands each other strand follows.
//
// Roots of simulated strands are sorted into a uniform grid, cells about twice as wide as the roots
// lie apart; a child looks through shells of cells around its own until no nearer root can follow.
#include "core/arena.h"
#include "core/groom.h"
#include "core/rng.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS_PER_AXIS = 128, RANDOM_BEND = 110, RANDOM_REACH = 111 };

typedef struct root_grid {
    coif_vec3 low;
    float cell;
    int32_t size[3];
    int32_t *begin; // per cell and one more: first entry in roots
    int32_t *roots; // simulated indices, ascending inside a cell
    const coif_groom *groom;
    const int32_t *region; // per strand, or NULL
    bool alike;
} root_grid;

// The nearest so far, nearest first; distances are squared.
typedef struct nearest {
    int32_t count;
    int32_t guide[COIF_GUIDES_PER_CHILD];
    float distance[COIF_GUIDES_PER_CHILD];
} nearest;

static coif_vec3 root_of(const coif_groom *groom, int32_t strand)
{
    return coif_vec4_xyz(groom->rest.points[groom->rest.first[strand]]);
}

static int32_t cell_on_axis(const root_grid *grid, float place, float low, int axis)
{
    const float at = floorf((place - low) / grid->cell);
    const float last = (float)(grid->size[axis] - 1);
    return (int32_t)coif_clamp(at, 0.0f, last);
}

static void cell_of(const root_grid *grid, coif_vec3 place, int32_t cell[3])
{
    cell[0] = cell_on_axis(grid, place.x, grid->low.x, 0);
    cell[1] = cell_on_axis(grid, place.y, grid->low.y, 1);
    cell[2] = cell_on_axis(grid, place.z, grid->low.z, 2);
}

static int64_t cell_index(const root_grid *grid, const int32_t cell[3])
{
    return ((int64_t)cell[2] * grid->size[1] + cell[1]) * grid->size[0] + cell[0];
}

static void size_grid(root_grid *grid)
{
    const coif_groom *groom = grid->groom;
    coif_vec3 low = root_of(groom, 0), high = low;
    for (int32_t s = 1; s < groom->rest.strand_count; ++s) {
        const coif_vec3 p = root_of(groom, s);
        low = (coif_vec3){fminf(low.x, p.x), fminf(low.y, p.y), fminf(low.z, p.z)};
        high = (coif_vec3){fmaxf(high.x, p.x), fmaxf(high.y, p.y), fmaxf(high.z, p.z)};
    }
    const coif_vec3 extent = coif_sub(high, low);
    const float widest = fmaxf(extent.x, fmaxf(extent.y, extent.z));
    // Roots lie on a surface, so n of them are about widest / sqrt(n) apart.
    const float across = sqrtf((float)groom->simulated_count) / 2.0f;
    const float cells = coif_clamp(across, 1.0f, MOST_CELLS_PER_AXIS);
    grid->low = low;
    grid->cell = fmaxf(widest / cells, 1e-12f);
    const float extents[3] = {extent.x, extent.y, extent.z};
    for (int axis = 0; axis < 3; ++axis) {
        const float count = floorf(extents[axis] / grid->cell) + 1.0f;
        grid->size[axis] = (int32_t)coif_clamp(count, 1.0f, MOST_CELLS_PER_AXIS + 1);
    }
}

// A counting sort: how many per cell, where each cell begins, then every root to its place.
static void fill_grid(root_grid *grid, coif_arena *scratch)
{
    const coif_groom *groom = grid->groom;
    const int64_t cells = (int64_t)grid->size[0] * grid->size[1] * grid->size[2];
    grid->begin = coif_arena_new(scratch, cells + 2, int32_t);
    grid->roots = coif_arena_new(scratch, groom->simulated_count, int32_t);
    int32_t cell[3];
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        cell_of(grid, root_of(groom, groom->simulated[i]), cell);
        ++grid->begin[cell_index(grid, cell) + 2];
    }
    for (int64_t c = 2; c < cells + 2; ++c) {
        grid->begin[c] += grid->begin[c - 1];
    }
    for (int32_t i = 0; i < groom->simulated_count; ++i) {
        cell_of(grid, root_of(groom, groom->simulated[i]), cell);
        grid->roots[grid->begin[cell_index(grid, cell) + 1]++] = i;
    }
}

static bool is_nearer(float distance, int32_t guide, const nearest *found, int32_t place)
{
    const float other = found->distance[place];
    return distance < other || (distance == other && guide < found->guide[place]);
}

static void offer(nearest *found, int32_t guide, float distance)
{
    int32_t place = found->count;
    if (place == COIF_GUIDES_PER_CHILD) {
        --place;
        if (!is_nearer(distance, guide, found, place)) {
            return;
        }
    } else {
        ++found->count;
    }
    for (; place > 0 && is_nearer(distance, guide, found, place - 1); --place) {
        found->guide[place] = found->guide[place - 1];
        found->distance[place] = found->distance[place - 1];
    }
    found->guide[place] = guide;
    found->distance[place] = distance;
}

static coif_vec3 tip_of(const coif_groom *groom, int32_t strand)
{
    const int32_t last = groom->rest.first[strand + 1] - 1;
    return coif_sub(coif_vec4_xyz(groom->rest.points[last]), root_of(groom, strand));
}

static coif_vec3 normal_of(const coif_groom *groom, int32_t strand)
{
    const float *n = groom->root_frame + 9 * (int64_t)strand + 6;
    return (coif_vec3){n[0], n[1], n[2]};
}

// Squared distance of two strands, never less than that of their roots:
//
//   |a - b|^2 (1 + 3 (1 - n_a . n_b)) + min(|t_a - t_b|^2 / 4, 4 cell^2) + 16 cell^2 f
//
// with normals n and ways t from root to tip. Skin that turns away is further along the scalp than
// through the air, and hair combed apart does not move alike. Beyond 60 degrees f grows from 0 to 1
// at a right angle: the other side of an ear or of a fold may be a hair's breadth away, and is
// taken only where there is nothing else near.
static float distance_of(const root_grid *grid, int32_t strand, int32_t guide)
{
    const coif_groom *groom = grid->groom;
    const coif_vec3 to = coif_sub(root_of(groom, guide), root_of(groom, strand));
    const float near = coif_dot(to, to);
    if (!grid->alike) {
        return near;
    }
    const float turn = 1.0f - coif_dot(normal_of(groom, strand), normal_of(groom, guide));
    const coif_vec3 apart = coif_sub(tip_of(groom, guide), tip_of(groom, strand));
    return near * (1.0f + 3.0f * coif_clamp(turn, 0.0f, 2.0f)) +
           fminf(0.25f * coif_dot(apart, apart), 4.0f * grid->cell * grid->cell) +
           16.0f * grid->cell * grid->cell * coif_clamp(2.0f * turn - 1.0f, 0.0f, 1.0f);
}

static void look_in_cell(nearest *found, const root_grid *grid, const int32_t cell[3],
                         int32_t strand)
{
    const int64_t index = cell_index(grid, cell);
    for (int32_t k = grid->begin[index]; k < grid->begin[index + 1]; ++k) {
        const int32_t guide = grid->roots[k];
        const int32_t other = grid->groom->simulated[guide];
        if (grid->region == NULL || grid->region[other] == grid->region[strand]) {
            offer(found, guide, distance_of(grid, strand, other));
        }
    }
}

// Cells whose greatest distance from the middle along an axis is exactly shell.
static void look_in_shell(nearest *found, const root_grid *grid, const int32_t middle[3],
                          int32_t shell, int32_t strand)
{
    int32_t from[3], to[3], cell[3];
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = middle[axis] > shell ? middle[axis] - shell : 0;
        const int32_t last = grid->size[axis] - 1;
        to[axis] = middle[axis] + shell < last ? middle[axis] + shell : last;
    }
    for (cell[2] = from[2]; cell[2] <= to[2]; ++cell[2]) {
        for (cell[1] = from[1]; cell[1] <= to[1]; ++cell[1]) {
            const bool edge =
                abs(cell[2] - middle[2]) == shell || abs(cell[1] - middle[1]) == shell;
            for (cell[0] = from[0]; cell[0] <= to[0]; ++cell[0]) {
                if (edge || abs(cell[0] - middle[0]) == shell) {
                    look_in_cell(found, grid, cell, strand);
                }
            }
        }
    }
}

// Looks until so many are found, or all there are.
static nearest find_nearest(const root_grid *grid, int32_t strand, int32_t most)
{
    nearest found = {0};
    int32_t middle[3];
    cell_of(grid, root_of(grid->groom, strand), middle);
    const int32_t shells = grid->size[0] + grid->size[1] + grid->size[2];
    for (int32_t shell = 0; shell < shells; ++shell) {
        look_in_shell(&found, grid, middle, shell, strand);
        // Whatever lies in the shells beyond is at least this far away; a little less for rounding.
        const float reach = 0.999f * (float)shell * grid->cell;
        if (found.count == most && found.distance[most - 1] < reach * reach) {
            break;
        }
    }
    return found;
}

static void bind_child(coif_groom *groom, int32_t strand, const nearest *found)
{
    int32_t *guides = groom->guides + COIF_GUIDES_PER_CHILD * (size_t)strand;
    float *weights = groom->guide_weights + COIF_GUIDES_PER_CHILD * (size_t)strand;
    float sum = 0.0f;
    for (int i = 0; i < COIF_GUIDES_PER_CHILD; ++i) {
        const bool used = i < found->count;
        // A tenth of a micrometre keeps the weight of a guide at the same place finite.
        guides[i] = used ? found->guide[i] : -1;
        weights[i] = used ? 1.0f / (sqrtf(found->distance[i]) + 1e-7f) : 0.0f;
        sum += weights[i];
    }
    for (int i = 0; i < COIF_GUIDES_PER_CHILD && sum > 0.0f; ++i) {
        weights[i] /= sum;
    }
}

// What regions there are, and how many guides each of them has.
typedef struct region_count {
    int32_t region, guides;
} region_count;

static int by_region(const void *left, const void *right)
{
    const int32_t a = ((const region_count *)left)->region;
    const int32_t b = ((const region_count *)right)->region;
    return (a > b) - (a < b);
}

typedef struct region_counts {
    region_count *all; // ascending
    int32_t count;
} region_counts;

static region_count *count_of(const region_counts *counts, int32_t region)
{
    const region_count key = {.region = region};
    return bsearch(&key, counts->all, (size_t)counts->count, sizeof key, by_region);
}

static region_counts list_regions(const int32_t *region, int32_t strands, coif_arena *scratch)
{
    region_counts counts = {coif_arena_new(scratch, strands, region_count), 0};
    for (int32_t s = 0; s < strands; ++s) {
        counts.all[s].region = region != NULL ? region[s] : 0;
    }
    qsort(counts.all, (size_t)strands, sizeof *counts.all, by_region);
    for (int32_t s = 0; s < strands; ++s) {
        if (counts.count == 0 || counts.all[counts.count - 1].region != counts.all[s].region) {
            counts.all[counts.count++] = counts.all[s];
        }
    }
    return counts;
}

// Counts the guides of every region; its first strand becomes one where there is none.
static void provide_guides(bool *guides, const region_counts *counts, const int32_t *region,
                           int32_t strands)
{
    for (int32_t s = 0; s < strands; ++s) {
        count_of(counts, region != NULL ? region[s] : 0)->guides += guides[s];
    }
    for (int32_t s = 0; s < strands && region != NULL; ++s) {
        region_count *own = count_of(counts, region[s]);
        if (own->guides == 0) {
            own->guides = 1;
            guides[s] = true;
        }
    }
}

// Guides are stored in the order of strands, whatever order chose them.
static void choose_guides(coif_groom *groom, const coif_binding *binding, bool *guides,
                          const region_counts *counts)
{
    const int32_t count = groom->rest.strand_count;
    // A share like 0.1 is a little more than a tenth, as a float all the more; that must not cost a
    // strand.
    const double wanted = ceil(binding->share * count - 2e-7 * count);
    const int32_t first = wanted < 0.0 ? 0 : wanted > count ? count : (int32_t)wanted;
    for (int32_t i = 0; i < first; ++i) {
        guides[binding->order != NULL ? binding->order[i] : i] = true;
    }
    if (first > 0) {
        provide_guides(guides, counts, binding->region, count);
    }
    int32_t found = 0;
    for (int32_t s = 0; s < count; ++s) {
        if (guides[s]) {
            groom->simulated[found++] = s;
        }
    }
    groom->simulated_count = found;
}

// A clone bends more or less than its guide, as softer or stiffer hair would, and goes along with
// it as longer or shorter hair would.
static void vary_clone(coif_groom *groom, int32_t strand, bool guide, float variation)
{
    const float bend = coif_random_unit(groom->random[strand], 0, RANDOM_BEND);
    const float reach = coif_random_unit(groom->random[strand], 0, RANDOM_REACH);
    float *clone = groom->clones + 2 * (int64_t)strand;
    clone[0] = guide ? 1.0f : 1.0f + variation * (bend - 0.5f);
    clone[1] = guide ? 1.0f : 1.0f + variation * (reach - 0.5f);
}

void coif_groom_bind_as(coif_groom *groom, const coif_binding *binding, coif_arena *arena,
                        coif_arena *scratch)
{
    const int32_t count = groom->rest.strand_count;
    groom->clones = binding->wisps ? coif_arena_new(arena, 2 * (int64_t)count, float) : NULL;
    const coif_arena_mark mark = coif_arena_mark_here(scratch);
    bool *guides = coif_arena_new(scratch, count, bool);
    const region_counts counts = list_regions(binding->region, count, scratch);
    choose_guides(groom, binding, guides, &counts);
    root_grid grid = {.groom = groom, .region = binding->region, .alike = binding->alike};
    if (groom->simulated_count > 0 && groom->simulated_count < count) {
        size_grid(&grid);
        fill_grid(&grid, scratch);
    }
    for (int32_t s = 0, own = 0; s < count; ++s) {
        nearest found = {0};
        if (guides[s]) {
            found = (nearest){.count = 1, .guide = {own++}};
        } else if (groom->simulated_count > 0) {
            const int32_t region = binding->region != NULL ? binding->region[s] : 0;
            const int32_t there = count_of(&counts, region)->guides;
            const int32_t most = there < COIF_GUIDES_PER_CHILD ? there : COIF_GUIDES_PER_CHILD;
            found = find_nearest(&grid, s, most);
            found.count = binding->wisps && found.count > 1 ? 1 : found.count;
        }
        bind_child(groom, s, &found);
        if (binding->wisps) {
            vary_clone(groom, s, guides[s], binding->variation);
        }
    }
    coif_arena_rewind(scratch, mark);
}

void coif_groom_bind(coif_groom *groom, double share, coif_arena *scratch)
{
    const coif_binding binding = {.share = share};
    coif_groom_bind_as(groom, &binding, scratch, scratch);
}
