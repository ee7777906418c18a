// net: surface nets on a grid that is finer where the face is.
//
// Every cell the surface passes through gets one point for each sheet of it, every grid edge it
// crosses one quad. Two sheets in a cell, as between ear and head, stay apart. The first column of
// cells straddles the plane x = 0, so its points are the seam.
#include "tools/assets/shared/surface_nets.h"

#include <stdlib.h>

enum { AXIS_ROOM = 256, BLOCK = 4 };

typedef struct axis {
    int count;
    double at[AXIS_ROOM];
} axis;

typedef struct grid {
    axis x, y, z;
    float *value; // at nodes
    int *point;   // in cells: the point of the first sheet
} grid;

// Corner c of a cell is (c & 1, c >> 1 & 1, c >> 2). Edges 0-3 run along x, 4-7 along y, 8-11 along
// z.
static const int EDGE[12][2] = {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {0, 2}, {1, 3},
                                {4, 6}, {5, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};

// The sides of a cell: four corners in turning order, and the edges between them.
static const int SIDE_CORNER[6][4] = {{0, 1, 3, 2}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                      {2, 3, 7, 6}, {0, 2, 6, 4}, {1, 3, 7, 5}};
static const int SIDE_EDGE[6][4] = {{0, 5, 1, 4},   {2, 7, 3, 6},  {0, 9, 2, 8},
                                    {1, 11, 3, 10}, {4, 10, 6, 8}, {5, 11, 7, 9}};

// Walks from the first place to the last with steps read from a curve of spacing over place.
static void axis_init(axis *line, double start, const double *place, const double *spacing,
                      int count)
{
    double at = start;

    line->count = 0;
    while (line->count < AXIS_ROOM) {
        line->at[line->count++] = at;
        if (at > place[count - 1]) {
            break;
        }
        at += clay_curve(place, spacing, count, at);
    }
}

static size_t node(const grid *net, int i, int j, int k)
{
    return ((size_t)k * (size_t)net->y.count + (size_t)j) * (size_t)net->x.count + (size_t)i;
}

static void grid_init(grid *net)
{
    static const double x[] = {0, 20, 46, 60, 68, 94, 104, 130, 182};
    static const double x_step[] = {4.8, 4.8, 4.8, 5.0, 2.9, 2.9, 6.5, 9.5, 9.5};
    static const double y[] = {-312, -240, -200, -120, -90, -36, 40, 60, 132};
    static const double y_step[] = {9.5, 9.0, 8.5, 7.0, 4.4, 3.2, 3.2, 5.2, 5.4};
    static const double z[] = {-126, -60, -40, -32, 12, 30, 60, 128};
    static const double z_step[] = {6.8, 6.0, 3.8, 3.0, 3.0, 4.8, 4.6, 4.6};

    axis_init(&net->x, -0.5 * x_step[0], x, x_step, 9);
    axis_init(&net->y, y[0], y, y_step, 9);
    axis_init(&net->z, z[0], z, z_step, 8);

    const size_t nodes = (size_t)net->x.count * (size_t)net->y.count * (size_t)net->z.count;
    net->value = head_allocate(nodes, sizeof *net->value);
    net->point = head_allocate(nodes, sizeof *net->point);
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

// A block far from the surface gets one value. The field may grow somewhat faster than distance
// where clay was pressed on, hence the generous margin.
static void sample_block(grid *net, const head_sculpture *sculpture, int i0, int j0, int k0)
{
    const int i1 = least(i0 + BLOCK, net->x.count), j1 = least(j0 + BLOCK, net->y.count),
              k1 = least(k0 + BLOCK, net->z.count);
    const head_vec low = vec(net->x.at[i0], net->y.at[j0], net->z.at[k0]);
    const head_vec high = vec(net->x.at[i1 - 1], net->y.at[j1 - 1], net->z.at[k1 - 1]);
    const double centre = head_sculpture_eval(sculpture, vec_mix(low, high, 0.5));
    const int far = fabs(centre) > 12.0 + vec_length(vec_sub(high, low));

    for (int k = k0; k < k1; ++k) {
        for (int j = j0; j < j1; ++j) {
            for (int i = i0; i < i1; ++i) {
                const head_vec p = vec(net->x.at[i], net->y.at[j], net->z.at[k]);
                net->value[node(net, i, j, k)] =
                    (float)(far ? centre : head_sculpture_eval(sculpture, p));
            }
        }
    }
}

static void sample(grid *net, const head_sculpture *sculpture)
{
    for (int k = 0; k < net->z.count; k += BLOCK) {
        for (int j = 0; j < net->y.count; j += BLOCK) {
            for (int i = 0; i < net->x.count; i += BLOCK) {
                sample_block(net, sculpture, i, j, k);
            }
        }
    }
}

static size_t corner_node(const grid *net, size_t cell, int corner)
{
    const size_t row = (size_t)net->x.count, layer = row * (size_t)net->y.count;
    return cell + (corner & 1) + (corner >> 1 & 1) * row + (size_t)(corner >> 2) * layer;
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

// Gives every crossed edge of a cell the number of the sheet that crosses it, -1 to the others, and
// returns the number of sheets. On a side of the cell two crossings belong to one sheet; of four,
// those around a corner inside the body do, so that both cells at that side decide alike.
static int find_sheets(const grid *net, size_t cell, int sheet[12])
{
    int inside[8], crossed = 0, sheets = 0, number[12];

    for (int c = 0; c < 8; ++c) {
        inside[c] = net->value[corner_node(net, cell, c)] < 0.0f;
    }
    for (int e = 0; e < 12; ++e) {
        sheet[e] = inside[EDGE[e][0]] != inside[EDGE[e][1]] ? e : -1;
        crossed += sheet[e] >= 0;
        number[e] = -1;
    }
    for (int s = 0; crossed > 0 && s < 6; ++s) {
        const int *edge = SIDE_EDGE[s];
        int on_side[4], count = 0;
        for (int k = 0; k < 4; ++k) {
            if (sheet[edge[k]] >= 0) {
                on_side[count++] = edge[k];
            }
        }
        if (count == 2) {
            merge(sheet, on_side[0], on_side[1]);
        }
        for (int k = 0; count == 4 && k < 4; ++k) {
            if (inside[SIDE_CORNER[s][k]]) {
                merge(sheet, edge[k], edge[(k + 3) % 4]);
            }
        }
    }
    for (int e = 0; e < 12; ++e) {
        if (sheet[e] >= 0) {
            number[sheet[e]] = number[sheet[e]] < 0 ? sheets++ : number[sheet[e]];
            sheet[e] = number[sheet[e]];
        }
    }
    return sheets;
}

// The mean of the places where one sheet crosses the edges of a cell.
static head_vec sheet_point(const grid *net, int i, int j, int k, const int sheet[12], int which)
{
    const size_t cell = node(net, i, j, k);
    head_vec sum = {0};
    int count = 0;

    for (int e = 0; e < 12; ++e) {
        head_vec end[2];
        double value[2];
        for (int n = 0; n < 2; ++n) {
            const int c = EDGE[e][n];
            end[n] =
                vec(net->x.at[i + (c & 1)], net->y.at[j + (c >> 1 & 1)], net->z.at[k + (c >> 2)]);
            value[n] = net->value[corner_node(net, cell, c)];
        }
        if (sheet[e] == which) {
            sum = vec_add(sum, vec_mix(end[0], end[1], value[0] / (value[0] - value[1])));
            ++count;
        }
    }
    sum = vec_scale(sum, 1.0 / count);
    return i == 0 ? vec(0, sum.y, sum.z) : sum;
}

static void place_points(head_mesh *mesh, grid *net)
{
    for (int k = 0; k + 1 < net->z.count; ++k) {
        for (int j = 0; j + 1 < net->y.count; ++j) {
            for (int i = 0; i + 1 < net->x.count; ++i) {
                int sheet[12];
                const int sheets = find_sheets(net, node(net, i, j, k), sheet);
                net->point[node(net, i, j, k)] = mesh->point_count;
                for (int s = 0; s < sheets; ++s) {
                    head_mesh_add_point(mesh, sheet_point(net, i, j, k, sheet, s));
                }
            }
        }
    }
}

// The quad around one grid edge, facing outwards. The four cells are given in turning order, and
// the edge by its number in each of them.
static void add_quad(head_mesh *mesh, const grid *net, const size_t cell[4], const int edge[4],
                     int forwards)
{
    head_face face = {{0}, 0};

    for (int c = 0; c < 4; ++c) {
        const int n = forwards ? c : 3 - c;
        int sheet[12];
        find_sheets(net, cell[n], sheet);
        face.corner[c] = net->point[cell[n]] + sheet[edge[n]];
    }
    head_mesh_add_face(mesh, face);
}

static void lay_quads(head_mesh *mesh, const grid *net)
{
    static const int x_edge[4] = {3, 1, 0, 2}, y_edge[4] = {7, 5, 4, 6}, z_edge[4] = {11, 9, 8, 10};

    for (int k = 1; k + 1 < net->z.count; ++k) {
        for (int j = 1; j + 1 < net->y.count; ++j) {
            for (int i = 1; i + 1 < net->x.count; ++i) {
                const int here = net->value[node(net, i, j, k)] < 0.0f;
                const size_t c000 = node(net, i, j, k), c100 = node(net, i - 1, j, k),
                             c010 = node(net, i, j - 1, k), c001 = node(net, i, j, k - 1),
                             c110 = node(net, i - 1, j - 1, k), c011 = node(net, i, j - 1, k - 1),
                             c101 = node(net, i - 1, j, k - 1);

                if (here != (net->value[node(net, i + 1, j, k)] < 0.0f)) {
                    add_quad(mesh, net, (size_t[4]){c011, c010, c000, c001}, x_edge, !here);
                }
                if (here != (net->value[node(net, i, j + 1, k)] < 0.0f)) {
                    add_quad(mesh, net, (size_t[4]){c101, c100, c000, c001}, y_edge, here);
                }
                if (here != (net->value[node(net, i, j, k + 1)] < 0.0f)) {
                    add_quad(mesh, net, (size_t[4]){c110, c100, c000, c010}, z_edge, !here);
                }
            }
        }
    }
}

void head_net_build(head_mesh *mesh, const head_sculpture *sculpture)
{
    grid net;

    *mesh = (head_mesh){0};
    grid_init(&net);
    sample(&net, sculpture);
    place_points(mesh, &net);
    lay_quads(mesh, &net);
    free(net.value);
    free(net.point);
}
