#include "tools/assets/shared/uv_pack.h"

#include <math.h>
#include <stdlib.h>

typedef struct island {
    double size[2], at[2];
    int index;
} island;

uv_bounds uv_bounds_empty(void)
{
    return (uv_bounds){{1e9, 1e9}, {-1e9, -1e9}};
}

void uv_bounds_add(uv_bounds *bounds, const double p[2])
{
    for (int a = 0; a < 2; ++a) {
        bounds->low[a] = fmin(bounds->low[a], p[a]);
        bounds->high[a] = fmax(bounds->high[a], p[a]);
    }
}

uv_placement uv_pack_box(const uv_bounds *bounds, const uv_bounds *box)
{
    const double u = (box->high[0] - box->low[0]) / (bounds->high[0] - bounds->low[0]);
    const double v = (box->high[1] - box->low[1]) / (bounds->high[1] - bounds->low[1]);
    return (uv_placement){.low = {bounds->low[0], bounds->low[1]},
                          .offset = {box->low[0], box->low[1]},
                          .scale = fmin(u, v)};
}

static int compare_heights(const void *a, const void *b)
{
    const island *p = a, *q = b;
    return p->size[1] > q->size[1] ? -1 : p->size[1] < q->size[1] ? 1 : p->index - q->index;
}

// Fills shelves of the given width from left to right; returns their total height.
static double fill_shelves(island *islands, int count, double width, double gap)
{
    double x = gap, y = gap, shelf = 0.0;
    for (int i = 0; i < count; ++i) {
        const double *size = islands[i].size;
        if (x + size[0] + gap > width) {
            x = gap;
            y += shelf + gap;
            shelf = 0.0;
        }
        islands[i].at[0] = x;
        islands[i].at[1] = y;
        x += size[0] + gap;
        shelf = fmax(shelf, size[1]);
    }
    return y + shelf + gap;
}

// The least width of a square that holds the shelves, by bisection.
void uv_pack_shelves(uv_placement *placements, const uv_bounds *bounds, int count, double gap,
                     coif_arena *arena)
{
    island *islands = coif_arena_new(arena, count, island);
    for (int i = 0; i < count; ++i) {
        islands[i] = (island){
            .size = {bounds[i].high[0] - bounds[i].low[0], bounds[i].high[1] - bounds[i].low[1]},
            .index = i};
    }
    qsort(islands, (size_t)count, sizeof *islands, compare_heights);
    double low = 100.0, high = 20000.0;
    while (high - low > 1.0) {
        const double width = 0.5 * (low + high);
        *(fill_shelves(islands, count, width, gap * width) > width ? &low : &high) = width;
    }
    fill_shelves(islands, count, high, gap * high);
    for (int i = 0; i < count; ++i) {
        const uv_bounds *own = &bounds[islands[i].index];
        placements[islands[i].index] =
            (uv_placement){.low = {own->low[0], own->low[1]},
                           .offset = {islands[i].at[0] / high, islands[i].at[1] / high},
                           .scale = 1.0 / high};
    }
}
