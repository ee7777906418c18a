#include "tools/assets/shared/surface_nets.h"

enum { BLOCK = 4 };

typedef struct grid {
    const surface_nets_desc *desc;
    float *value; // at nodes
    int *point;   // per cell: the vertex of its first sheet
} grid;

// Corner c of a cell is (c & 1, c >> 1 & 1, c >> 2). Edges 0-3 are parallel to x, 4-7 to y, 8-11 to
// z.
static const int EDGE[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

// The six cell faces: corners in cyclic order, and the edges between them.
static const int FACE_CORNER[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                      {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
static const int FACE_EDGE[6][4] = {{0, 5, 1, 4},   {2, 7, 3, 6},  {0, 9, 2, 8},
                                    {1, 11, 3, 10}, {4, 10, 6, 8}, {5, 11, 7, 9}};

static size_t node_index(const grid *g, int i, int j, int k)
{
    return ((size_t)k * (size_t)g->desc->y.count + (size_t)j) * (size_t)g->desc->x.count +
           (size_t)i;
}

static coif_vec3d node_position(const grid *g, int i, int j, int k)
{
    return xyz(g->desc->x.at[i], g->desc->y.at[j], g->desc->z.at[k]);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// A block of nodes far from the surface gets the value at its centre. The margin allows for fields
// that grow faster than distance.
static void sample_block(grid *g, int i0, int j0, int k0)
{
    const surface_nets_desc *desc = g->desc;
    const int i1 = smaller(i0 + BLOCK, desc->x.count), j1 = smaller(j0 + BLOCK, desc->y.count),
              k1 = smaller(k0 + BLOCK, desc->z.count);
    const coif_vec3d low = node_position(g, i0, j0, k0);
    const coif_vec3d high = node_position(g, i1 - 1, j1 - 1, k1 - 1);
    const sdf_field field = desc->field;
    const double centre = field.distance(field.object, coif_vec3d_lerp(low, high, 0.5));
    const bool far = fabs(centre) > 12.0 + coif_vec3d_length(coif_vec3d_sub(high, low));
    for (int k = k0; k < k1; ++k) {
        for (int j = j0; j < j1; ++j) {
            for (int i = i0; i < i1; ++i) {
                const coif_vec3d p = node_position(g, i, j, k);
                g->value[node_index(g, i, j, k)] =
                    (float)(far ? centre : field.distance(field.object, p));
            }
        }
    }
}

static void sample(grid *g)
{
    for (int k = 0; k < g->desc->z.count; k += BLOCK) {
        for (int j = 0; j < g->desc->y.count; j += BLOCK) {
            for (int i = 0; i < g->desc->x.count; i += BLOCK) {
                sample_block(g, i, j, k);
            }
        }
    }
}

static size_t corner_node(const grid *g, size_t cell, int corner)
{
    const size_t row = (size_t)g->desc->x.count, layer = row * (size_t)g->desc->y.count;
    return cell + (size_t)(corner & 1) + (size_t)(corner >> 1 & 1) * row +
           (size_t)(corner >> 2) * layer;
}

static void merge(int sheet[12], int a, int b)
{
    const int from = sheet[b], to = sheet[a];
    for (int e = 0; e < 12; ++e) {
        if (sheet[e] == from) {
            sheet[e] = to;
        }
    }
}

// Connects the crossed edges of one cell face. Two crossings belong to one sheet; of four, those
// next to a corner inside do, so that the two cells sharing the face agree.
static void connect_face(int sheet[12], const bool inside[8], int face)
{
    const int *edge = FACE_EDGE[face];
    int crossed[4], count = 0;
    for (int k = 0; k < 4; ++k) {
        if (sheet[edge[k]] >= 0) {
            crossed[count++] = edge[k];
        }
    }
    if (count == 2) {
        merge(sheet, crossed[0], crossed[1]);
    }
    for (int k = 0; count == 4 && k < 4; ++k) {
        if (inside[FACE_CORNER[face][k]]) {
            merge(sheet, edge[k], edge[(k + 3) % 4]);
        }
    }
}

// Joins the sheets around corners that are connected inside the surface: a thin tunnel through a
// cell closes.
static void connect_inside(int sheet[12], const bool inside[8])
{
    for (int e = 0; e < 12; ++e) {
        int first = -1;
        for (int f = 0; inside[EDGE[e][0]] && inside[EDGE[e][1]] && f < 12; ++f) {
            const bool incident = EDGE[f][0] == EDGE[e][0] || EDGE[f][0] == EDGE[e][1] ||
                                  EDGE[f][1] == EDGE[e][0] || EDGE[f][1] == EDGE[e][1];
            if (incident && sheet[f] >= 0) {
                first = first < 0 ? f : first;
                merge(sheet, first, f);
            }
        }
    }
}

// sheet[e] becomes the number of the sheet crossing edge e, -1 for none. Returns the number of
// sheets in the cell.
static int find_sheets(const grid *g, size_t cell, int sheet[12])
{
    int crossed = 0, sheets = 0, number[12];
    bool inside[8];
    for (int c = 0; c < 8; ++c) {
        inside[c] = g->value[corner_node(g, cell, c)] < 0.0f;
    }
    for (int e = 0; e < 12; ++e) {
        sheet[e] = inside[EDGE[e][0]] != inside[EDGE[e][1]] ? e : -1;
        crossed += sheet[e] >= 0;
        number[e] = -1;
    }
    for (int face = 0; crossed > 0 && face < 6; ++face) {
        connect_face(sheet, inside, face);
    }
    if (crossed > 0 && g->desc->join_sheets) {
        connect_inside(sheet, inside);
    }
    for (int e = 0; e < 12; ++e) {
        if (sheet[e] >= 0) {
            number[sheet[e]] = number[sheet[e]] < 0 ? sheets++ : number[sheet[e]];
            sheet[e] = number[sheet[e]];
        }
    }
    return sheets;
}

// Mean of the intersections of one sheet with the edges of a cell.
static coif_vec3d sheet_vertex(const grid *g, int i, int j, int k, const int sheet[12], int which)
{
    const size_t cell = node_index(g, i, j, k);
    coif_vec3d sum = {0};
    int count = 0;
    for (int e = 0; e < 12; ++e) {
        coif_vec3d end[2];
        double value[2];
        for (int n = 0; n < 2; ++n) {
            const int c = EDGE[e][n];
            end[n] = node_position(g, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2));
            value[n] = g->value[corner_node(g, cell, c)];
        }
        if (sheet[e] == which) {
            const double t = value[0] / (value[0] - value[1]);
            sum = coif_vec3d_add(sum, coif_vec3d_lerp(end[0], end[1], t));
            ++count;
        }
    }
    sum = coif_vec3d_scale(sum, 1.0 / count);
    return g->desc->half && i == 0 ? xyz(0, sum.y, sum.z) : sum;
}

static void add_vertices(poly_mesh *mesh, grid *g)
{
    for (int k = 0; k + 1 < g->desc->z.count; ++k) {
        for (int j = 0; j + 1 < g->desc->y.count; ++j) {
            for (int i = 0; i + 1 < g->desc->x.count; ++i) {
                int sheet[12];
                const int sheets = find_sheets(g, node_index(g, i, j, k), sheet);
                g->point[node_index(g, i, j, k)] = mesh->point_count;
                for (int s = 0; s < sheets; ++s) {
                    poly_mesh_add_point(mesh, sheet_vertex(g, i, j, k, sheet, s));
                }
            }
        }
    }
}

// The four cells around a grid edge in cyclic order, and the index of the edge in each of them.
typedef struct edge_cells {
    size_t cell[4];
    int edge[4];
} edge_cells;

static void add_quad(poly_mesh *mesh, const grid *g, const edge_cells *around, bool forwards,
                     bool flip)
{
    poly_face face = {{0}, 0};
    for (int c = 0; c < 4; ++c) {
        const int first = !flip ? 0 : forwards ? 1 : 3;
        const int n = forwards ? (c + first) % 4 : 3 - (c + first) % 4;
        int sheet[12];
        find_sheets(g, around->cell[n], sheet);
        face.corner[c] = g->point[around->cell[n]] + sheet[around->edge[n]];
    }
    poly_mesh_add_face(mesh, face);
}

// The quads across the three grid edges that begin at a node.
static void add_quads_at(poly_mesh *mesh, const grid *g, int i, int j, int k)
{
    const bool inside = g->value[node_index(g, i, j, k)] < 0.0f;
    const size_t c000 = node_index(g, i, j, k), c100 = node_index(g, i - 1, j, k),
                 c010 = node_index(g, i, j - 1, k), c001 = node_index(g, i, j, k - 1),
                 c110 = node_index(g, i - 1, j - 1, k), c011 = node_index(g, i, j - 1, k - 1),
                 c101 = node_index(g, i - 1, j, k - 1);
    const edge_cells x = {{c011, c010, c000, c001}, {3, 1, 0, 2}},
                     y = {{c101, c100, c000, c001}, {7, 5, 4, 6}},
                     z = {{c110, c100, c000, c010}, {11, 9, 8, 10}};
    const bool flip = g->desc->flip_diagonals;
    if (inside != (g->value[node_index(g, i + 1, j, k)] < 0.0f)) {
        add_quad(mesh, g, &x, !inside, flip);
    }
    if (inside != (g->value[node_index(g, i, j + 1, k)] < 0.0f)) {
        add_quad(mesh, g, &y, inside, false);
    }
    if (inside != (g->value[node_index(g, i, j, k + 1)] < 0.0f)) {
        add_quad(mesh, g, &z, !inside, flip);
    }
}

void surface_nets_build(poly_mesh *mesh, const surface_nets_desc *desc, coif_arena *arena)
{
    const size_t nodes = (size_t)desc->x.count * (size_t)desc->y.count * (size_t)desc->z.count;
    grid g = {.desc = desc,
              .value = coif_arena_new(arena, nodes, float),
              .point = coif_arena_new(arena, nodes, int)};
    poly_mesh_init(mesh, arena);
    sample(&g);
    add_vertices(mesh, &g);
    for (int k = 1; k + 1 < desc->z.count; ++k) {
        for (int j = 1; j + 1 < desc->y.count; ++j) {
            for (int i = 1; i + 1 < desc->x.count; ++i) {
                add_quads_at(mesh, &g, i, j, k);
            }
        }
    }
}
