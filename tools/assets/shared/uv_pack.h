// uv_pack: placement of UV islands in the unit square.
#ifndef COIF_ASSETS_UV_PACK_H
#define COIF_ASSETS_UV_PACK_H

#include "core/base/arena.h"

// Bounds of an island before packing.
typedef struct uv_bounds {
    double low[2], high[2];
} uv_bounds;

// Maps p to offset + scale (p - low).
typedef struct uv_placement {
    double low[2], offset[2], scale;
} uv_placement;

uv_bounds uv_bounds_empty(void);
void uv_bounds_add(uv_bounds *bounds, const double p[2]);

static inline double uv_place(const uv_placement *placement, int axis, double p)
{
    return placement->offset[axis] + placement->scale * (p - placement->low[axis]);
}

// As large as fits a box, at its lower left corner.
uv_placement uv_pack_box(const uv_bounds *bounds, const uv_bounds *box);

// All islands at one scale on shelves of decreasing height in the unit square, as large as fit;
// gap is the least distance between two of them.
void uv_pack_shelves(uv_placement *placements, const uv_bounds *bounds, int count, double gap,
                     coif_arena *arena);

#endif
