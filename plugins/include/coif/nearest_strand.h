// coif/nearest_strand.h: the nearest of the first n strands of a groom, quickly.
//
// For groom modifiers that gather hair: built once in `gather`, asked by workers. Roots are sorted
// into a uniform grid; a search looks through shells of cells until nothing nearer can follow.
// Static, like coif/strand.h.
#ifndef COIF_PLUGIN_NEAREST_STRAND_H
#define COIF_PLUGIN_NEAREST_STRAND_H

#include <coif/strand_cursor.h>

enum { COIF_KIT_CELLS = 64 };

typedef struct coif_kit_strand_grid {
    const coif_strand_view *all;
    int32_t count; // the first strands, among which is searched
    float low[3], cell;
    int32_t size[3];
    int32_t *begin;   // per cell, and one more
    int32_t *strands; // ascending within a cell
} coif_kit_strand_grid;

// Squared distance of two strands: roots, and a share of their middles. Hair on the two sides of a
// parting has close roots and yet does not belong together.
static inline float coif_kit_strand_grid_distance(const coif_strand_view *all, int32_t a, int32_t b)
{
    const int32_t *first = all->first;
    const coif_kit_vec root =
        coif_kit_sub(coif_kit_view_point(all, first[a]), coif_kit_view_point(all, first[b]));
    const coif_kit_vec middle =
        coif_kit_sub(coif_kit_view_point(all, first[a] + (first[a + 1] - first[a]) / 2),
                     coif_kit_view_point(all, first[b] + (first[b + 1] - first[b]) / 2));
    return coif_kit_dot(root, root) + 0.25f * coif_kit_dot(middle, middle);
}

static inline void coif_kit_strand_grid_cell(const coif_kit_strand_grid *near, int32_t strand,
                                             int32_t cell[3])
{
    const int32_t root = near->all->first[strand];
    const float place[3] = {near->all->x[root], near->all->y[root], near->all->z[root]};
    for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = (int32_t)coif_kit_clamp(floorf((place[axis] - near->low[axis]) / near->cell),
                                             0.0f, (float)(near->size[axis] - 1));
    }
}

static inline int32_t coif_kit_strand_grid_index(const coif_kit_strand_grid *near,
                                                 const int32_t cell[3])
{
    return (cell[2] * near->size[1] + cell[1]) * near->size[0] + cell[0];
}

static inline void coif_kit_strand_grid_size(coif_kit_strand_grid *near)
{
    const coif_strand_view *all = near->all;
    float high[3] = {-3e38f, -3e38f, -3e38f};
    near->low[0] = near->low[1] = near->low[2] = 3e38f;
    for (int32_t s = 0; s < all->strand_count; ++s) {
        const int32_t root = all->first[s];
        const float place[3] = {all->x[root], all->y[root], all->z[root]};
        for (int axis = 0; axis < 3; ++axis) {
            near->low[axis] = place[axis] < near->low[axis] ? place[axis] : near->low[axis];
            high[axis] = place[axis] > high[axis] ? place[axis] : high[axis];
        }
    }
    float widest = 1e-9f;
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = high[axis] - near->low[axis];
        widest = extent > widest ? extent : widest;
    }
    // Roots lie on a surface: n of them are about widest / sqrt(n) apart.
    const float cells = coif_kit_clamp(sqrtf((float)near->count), 1.0f, (float)COIF_KIT_CELLS);
    near->cell = widest / cells;
    for (int axis = 0; axis < 3; ++axis) {
        const float extent = high[axis] - near->low[axis];
        near->size[axis] =
            1 + (int32_t)coif_kit_clamp(floorf(extent / near->cell), 0.0f, (float)COIF_KIT_CELLS);
    }
}

// Memory is the host's. [main]
static inline void coif_kit_strand_grid_build(coif_kit_strand_grid *near, const coif_host *host,
                                              const coif_strand_view *all, int32_t count)
{
    memset(near, 0, sizeof *near);
    near->all = all;
    near->count = count < all->strand_count ? count : all->strand_count;
    coif_kit_strand_grid_size(near);
    const int32_t cells = near->size[0] * near->size[1] * near->size[2];
    near->begin = (int32_t *)host->alloc(host, sizeof(int32_t) * ((size_t)cells + 2));
    near->strands = (int32_t *)host->alloc(host, sizeof(int32_t) * ((size_t)near->count + 1));
    int32_t cell[3];
    for (int32_t s = 0; s < near->count; ++s) {
        coif_kit_strand_grid_cell(near, s, cell);
        ++near->begin[coif_kit_strand_grid_index(near, cell) + 2];
    }
    for (int32_t c = 2; c < cells + 2; ++c) {
        near->begin[c] += near->begin[c - 1];
    }
    for (int32_t s = 0; s < near->count; ++s) {
        coif_kit_strand_grid_cell(near, s, cell);
        near->strands[near->begin[coif_kit_strand_grid_index(near, cell) + 1]++] = s;
    }
}

typedef struct coif_kit_nearest_strand {
    int32_t strand; // -1: none
    float distance; // squared
} coif_kit_nearest_strand;

static inline void coif_kit_strand_grid_search_cell(const coif_kit_strand_grid *near,
                                                    const int32_t cell[3], int32_t strand,
                                                    coif_kit_nearest_strand *found)
{
    const int32_t *region = near->all->region;
    const int32_t index = coif_kit_strand_grid_index(near, cell);
    for (int32_t k = near->begin[index]; k < near->begin[index + 1]; ++k) {
        const int32_t other = near->strands[k];
        if (region != NULL && region[other] != region[strand]) {
            continue;
        }
        const float distance = coif_kit_strand_grid_distance(near->all, strand, other);
        if (found->strand < 0 || distance < found->distance ||
            (distance == found->distance && other < found->strand)) {
            found->strand = other;
            found->distance = distance;
        }
    }
}

// The nearest of the first strands to a strand of the groom, of its own region; the first of
// equals; -1 when its region has none. [worker]
static inline int32_t coif_kit_strand_grid_nearest(const coif_kit_strand_grid *near, int32_t strand)
{
    coif_kit_nearest_strand found = {-1, 0.0f};
    int32_t middle[3], cell[3];
    coif_kit_strand_grid_cell(near, strand, middle);
    const int32_t shells = near->size[0] > near->size[1] ? near->size[0] : near->size[1];
    const int32_t last = shells > near->size[2] ? shells : near->size[2];
    for (int32_t shell = 0; shell <= last; ++shell) {
        const float reach = 0.999f * (float)(shell - 1) * near->cell;
        if (found.strand >= 0 && shell > 0 && found.distance < reach * reach) {
            break;
        }
        for (cell[2] = middle[2] - shell; cell[2] <= middle[2] + shell; ++cell[2]) {
            for (cell[1] = middle[1] - shell; cell[1] <= middle[1] + shell; ++cell[1]) {
                const int edge = cell[2] == middle[2] - shell || cell[2] == middle[2] + shell ||
                                 cell[1] == middle[1] - shell || cell[1] == middle[1] + shell;
                const int32_t step = edge || shell == 0 ? 1 : 2 * shell;
                for (cell[0] = middle[0] - shell; cell[0] <= middle[0] + shell; cell[0] += step) {
                    if (cell[0] >= 0 && cell[1] >= 0 && cell[2] >= 0 && cell[0] < near->size[0] &&
                        cell[1] < near->size[1] && cell[2] < near->size[2]) {
                        coif_kit_strand_grid_search_cell(near, cell, strand, &found);
                    }
                }
            }
        }
    }
    return found.strand;
}

#endif
