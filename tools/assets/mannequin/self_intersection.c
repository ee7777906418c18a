// self_intersection: counts intersecting triangles.
//
// Broad phase: triangles are binned into the cells of a uniform grid. Narrow phase: two triangles
// intersect when an edge of one pierces the other.
#include "tools/assets/mannequin/mannequin.h"

enum { CELLS = 96, CORNERS = 3 };

typedef struct triangles {
    const poly_mesh *mesh;
    int count;
    int (*corner)[CORNERS];
} triangles;

// The triangles of cell c are entry[first[c]] to entry[first[c + 1]].
typedef struct cells {
    coif_vec3d low;
    double size;
    int *first;
    int *entry;
} cells;

static triangles triangulate(const poly_mesh *mesh)
{
    triangles all = {.mesh = mesh};
    all.corner = coif_arena_alloc(mesh->arena, 2 * (size_t)mesh->face_count, sizeof *all.corner);
    for (int f = 0; f < mesh->face_count; ++f) {
        const int *c = mesh->face[f].corner;
        for (int k = 1; k + 1 < poly_face_size(&mesh->face[f]); ++k) {
            int *t = all.corner[all.count++];
            t[0] = c[0];
            t[1] = c[k];
            t[2] = c[k + 1];
        }
    }
    return all;
}

static coif_vec3d corner_of(const triangles *all, int t, int k)
{
    return all->mesh->point[all->corner[t][k]];
}

// The range of cells that the bounding box of a triangle overlaps.
static void cell_range(const cells *grid, const triangles *all, int t, int low[3], int high[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        low[axis] = CELLS;
        high[axis] = -1;
        for (int k = 0; k < CORNERS; ++k) {
            const coif_vec3d d = coif_vec3d_sub(corner_of(all, t, k), grid->low);
            const double along = axis == 0 ? d.x : axis == 1 ? d.y : d.z;
            const int cell = (int)(along / grid->size);
            low[axis] = cell < low[axis] ? cell : low[axis];
            high[axis] = cell > high[axis] ? cell : high[axis];
        }
    }
}

// Counting sort: first counts the triangles per cell; then, with the ends of all cells in first,
// stores them.
static void bin_triangles(cells *grid, const triangles *all, bool store)
{
    for (int t = 0; t < all->count; ++t) {
        int low[3], high[3];
        cell_range(grid, all, t, low, high);
        for (int z = low[2]; z <= high[2]; ++z) {
            for (int y = low[1]; y <= high[1]; ++y) {
                for (int x = low[0]; x <= high[0]; ++x) {
                    int *slot = &grid->first[(z * CELLS + y) * CELLS + x];
                    if (store) {
                        grid->entry[--*slot] = t;
                    } else {
                        ++*slot;
                    }
                }
            }
        }
    }
}

static cells build_cells(const triangles *all)
{
    const int cell_count = CELLS * CELLS * CELLS;
    coif_vec3d low = corner_of(all, 0, 0), high = low;
    for (int i = 0; i < all->mesh->point_count; ++i) {
        const coif_vec3d p = all->mesh->point[i];
        low = xyz(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = xyz(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    cells grid = {.low = low,
                  .size =
                      1.001 * fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z)) / CELLS,
                  .first = coif_arena_new(all->mesh->arena, cell_count + 1, int)};
    bin_triangles(&grid, all, false);
    for (int c = 0; c < cell_count; ++c) {
        grid.first[c + 1] += grid.first[c];
    }
    grid.entry = coif_arena_new(all->mesh->arena, grid.first[cell_count], int);
    bin_triangles(&grid, all, true);
    return grid;
}

// Six times the signed volume of a tetrahedron.
static double volume(coif_vec3d a, coif_vec3d b, coif_vec3d c, coif_vec3d d)
{
    return coif_vec3d_dot(coif_vec3d_cross(coif_vec3d_sub(b, a), coif_vec3d_sub(c, a)),
                          coif_vec3d_sub(d, a));
}

// Sign with a tolerance: coplanar triangles may touch.
static int sign(double v)
{
    return v > 1e-9 ? 1 : v < -1e-9 ? -1 : 0;
}

// Whether an edge of triangle s pierces triangle t.
static bool pierces(const triangles *all, int s, int t)
{
    const coif_vec3d a = corner_of(all, t, 0), b = corner_of(all, t, 1), c = corner_of(all, t, 2);
    for (int k = 0; k < CORNERS; ++k) {
        const coif_vec3d p = corner_of(all, s, k), q = corner_of(all, s, (k + 1) % CORNERS);
        if (sign(volume(a, b, c, p)) * sign(volume(a, b, c, q)) >= 0) {
            continue;
        }
        const int side = sign(volume(p, q, a, b));
        if (side != 0 && side == sign(volume(p, q, b, c)) && side == sign(volume(p, q, c, a))) {
            return true;
        }
    }
    return false;
}

static bool share_corner(const int *a, const int *b)
{
    for (int i = 0; i < CORNERS; ++i) {
        for (int j = 0; j < CORNERS; ++j) {
            if (a[i] == b[j]) {
                return true;
            }
        }
    }
    return false;
}

int count_self_intersections(const poly_mesh *mesh)
{
    const triangles all = triangulate(mesh);
    const cells grid = build_cells(&all);
    int count = 0;
    for (int c = 0; c < CELLS * CELLS * CELLS; ++c) {
        for (int i = grid.first[c]; i < grid.first[c + 1]; ++i) {
            for (int j = i + 1; j < grid.first[c + 1]; ++j) {
                const int s = grid.entry[i], t = grid.entry[j];
                if (!share_corner(all.corner[s], all.corner[t])) {
                    count += pierces(&all, s, t) || pierces(&all, t, s);
                }
            }
        }
    }
    return count;
}
