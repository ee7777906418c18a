// cross: looks for places where the surface passes through itself.
//
// Triangles are dropped into the cells of a grid; only those that share a cell can meet. Two
// triangles cross when an edge of one pierces the other.
#include "tools/assets/mannequin/mannequin.h"

#include <stdlib.h>

enum { CELLS = 96, CORNERS = 3 };

typedef struct triangles {
    const head_mesh *mesh;
    int count;
    int (*corner)[CORNERS];
} triangles;

// The triangles of cell c are entry[first[c]] to entry[first[c + 1]].
typedef struct cells {
    head_vec low;
    double size;
    int *first;
    int *entry;
} cells;

static void collect(triangles *all, const head_mesh *mesh)
{
    all->mesh = mesh;
    all->count = 0;
    all->corner = head_allocate((size_t)mesh->face_count * 2, sizeof *all->corner);
    for (int f = 0; f < mesh->face_count; ++f) {
        const int *c = mesh->face[f].corner;
        for (int k = 1; k + 1 < head_face_size(&mesh->face[f]); ++k) {
            int *t = all->corner[all->count++];
            t[0] = c[0];
            t[1] = c[k];
            t[2] = c[k + 1];
        }
    }
}

static head_vec at(const triangles *all, int t, int k)
{
    return all->mesh->point[all->corner[t][k]];
}

// The block of cells a triangle reaches into.
static void reach(const cells *grid, const triangles *all, int t, int low[3], int high[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = CELLS;
        high[axis] = -1;
        for (int k = 0; k < CORNERS; ++k) {
            const head_vec d = vec_sub(at(all, t, k), grid->low);
            const double along = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
            const int cell = (int)(along / grid->size);
            low[axis] = cell < low[axis] ? cell : low[axis];
            high[axis] = cell > high[axis] ? cell : high[axis];
        }
    }
}

// Counts the triangles of each cell, or, once first holds the ends of all cells, files them.
static void drop(cells *grid, const triangles *all, int file)
{
    for (int t = 0; t < all->count; ++t) {
        int low[3], high[3];
        reach(grid, all, t, low, high);
        for (int z = low[2]; z <= high[2]; ++z) {
            for (int y = low[1]; y <= high[1]; ++y) {
                for (int x = low[0]; x <= high[0]; ++x) {
                    int *slot = &grid->first[(z * CELLS + y) * CELLS + x];
                    if (file) {
                        grid->entry[--*slot] = t;
                    } else {
                        ++*slot;
                    }
                }
            }
        }
    }
}

static void cells_init(cells *grid, const triangles *all)
{
    const int cell_count = CELLS * CELLS * CELLS;
    head_vec low = at(all, 0, 0), high = low;

    for (int i = 0; i < all->mesh->point_count; ++i) {
        const head_vec p = all->mesh->point[i];
        low = vec(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    grid->low = low;
    grid->size = 1.001 * fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z)) / CELLS;
    grid->first = head_allocate((size_t)cell_count + 1, sizeof *grid->first);
    drop(grid, all, 0);
    for (int c = 0; c < cell_count; ++c) {
        grid->first[c + 1] += grid->first[c];
    }
    grid->entry = head_allocate((size_t)grid->first[cell_count], sizeof *grid->entry);
    drop(grid, all, 1);
}

static double volume(head_vec a, head_vec b, head_vec c, head_vec d)
{
    return vec_dot(vec_cross(vec_sub(b, a), vec_sub(c, a)), vec_sub(d, a));
}

// 1, -1, or 0 for as good as nothing: triangles in one plane may touch without crossing.
static int sign(double v)
{
    return v > 1e-9 ? 1 : v < -1e-9 ? -1 : 0;
}

// Whether an edge of triangle s pierces triangle t.
static int pierces(const triangles *all, int s, int t)
{
    const head_vec a = at(all, t, 0), b = at(all, t, 1), c = at(all, t, 2);

    for (int k = 0; k < CORNERS; ++k) {
        const head_vec p = at(all, s, k), q = at(all, s, (k + 1) % CORNERS);
        if (sign(volume(a, b, c, p)) * sign(volume(a, b, c, q)) >= 0) {
            continue;
        }
        const int side = sign(volume(p, q, a, b));
        if (side != 0 && side == sign(volume(p, q, b, c)) && side == sign(volume(p, q, c, a))) {
            return 1;
        }
    }
    return 0;
}

static int share_corner(const int *a, const int *b)
{
    for (int i = 0; i < CORNERS; ++i) {
        for (int j = 0; j < CORNERS; ++j) {
            if (a[i] == b[j]) {
                return 1;
            }
        }
    }
    return 0;
}

int head_mesh_crossings(const head_mesh *mesh)
{
    triangles all;
    cells grid;
    int crossings = 0;

    collect(&all, mesh);
    cells_init(&grid, &all);
    for (int c = 0; c < CELLS * CELLS * CELLS; ++c) {
        for (int i = grid.first[c]; i < grid.first[c + 1]; ++i) {
            for (int j = i + 1; j < grid.first[c + 1]; ++j) {
                const int s = grid.entry[i], t = grid.entry[j];
                if (!share_corner(all.corner[s], all.corner[t])) {
                    crossings += pierces(&all, s, t) || pierces(&all, t, s);
                }
            }
        }
    }
    free(all.corner);
    free(grid.first);
    free(grid.entry);
    return crossings;
}
