// net: surface nets on an even grid, then points slide along the surface to even out.
#include "tools/assets/tiger_cub/cub_mesh.h"

#include <stdlib.h>

static const head_vec LOW = {-112, -12, -486}, HIGH = {136, 476, 352};
static const double STEP = 5.2;

typedef struct grid {
    int x, y, z;
    float *value;
    int (*point)[8]; // of a cell, by the first corner of the sheet it lies on
} grid;

static size_t node(const grid *net, int i, int j, int k)
{
    return ((size_t)k * (size_t)net->y + (size_t)j) * (size_t)net->x + (size_t)i;
}

static head_vec place(int i, int j, int k)
{
    return vec(LOW.x + STEP * i, LOW.y + STEP * j, LOW.z + STEP * k);
}

static void sample(grid *net, const cub *body)
{
    net->x = (int)((HIGH.x - LOW.x) / STEP) + 1;
    net->y = (int)((HIGH.y - LOW.y) / STEP) + 1;
    net->z = (int)((HIGH.z - LOW.z) / STEP) + 1;

    const size_t count = (size_t)net->x * (size_t)net->y * (size_t)net->z;
    net->value = head_allocate(count, sizeof *net->value);
    net->point = head_allocate(count, sizeof *net->point);
    for (int k = 0; k < net->z; ++k) {
        for (int j = 0; j < net->y; ++j) {
            for (int i = 0; i < net->x; ++i) {
                net->value[node(net, i, j, k)] = (float)cub_field(body, place(i, j, k));
            }
        }
    }
}

// The first corner of a cell that is inside together with the given one, along edges of the cell:
// corners apart lie behind sheets of their own, which keeps the net from pinching.
static int sheet_of(const grid *net, int i, int j, int k, int corner)
{
    int inside = 0, reached = 1 << corner, before = 0;

    for (int c = 0; c < 8; ++c) {
        inside |= (net->value[node(net, i + (c & 1), j + (c >> 1 & 1), k + (c >> 2))] < 0) << c;
    }
    while (reached != before) {
        before = reached;
        for (int c = 0; c < 8; ++c) {
            const int around = 1 << (c ^ 1) | 1 << (c ^ 2) | 1 << (c ^ 4);
            reached |= (inside >> c & 1) && (reached & around) != 0 ? 1 << c : 0;
        }
    }
    for (int c = 0; c < corner; ++c) {
        if (reached >> c & 1) {
            return c;
        }
    }
    return corner;
}

// The mean of the places where a sheet crosses the edges of a cell.
static int cell_point(const grid *net, int i, int j, int k, int sheet, head_vec *mean)
{
    head_vec sum = {0};
    int count = 0;

    for (int c = 0; c < 8; ++c) {
        const int i0 = i + (c & 1), j0 = j + (c >> 1 & 1), k0 = k + (c >> 2);
        const double v0 = net->value[node(net, i0, j0, k0)];
        if (v0 >= 0 || sheet_of(net, i, j, k, c) != sheet) {
            continue;
        }
        for (int bit = 1; bit < 8; bit <<= 1) {
            const int n = c ^ bit, i1 = i + (n & 1), j1 = j + (n >> 1 & 1), k1 = k + (n >> 2);
            const double v1 = net->value[node(net, i1, j1, k1)];
            if (v1 >= 0) {
                sum = vec_add(sum, vec_mix(place(i0, j0, k0), place(i1, j1, k1), v0 / (v0 - v1)));
                ++count;
            }
        }
    }
    *mean = count > 0 ? vec_scale(sum, 1.0 / count) : sum;
    return count;
}

// Around an edge whose inner end is the node (i, j, k).
static void add_quad(head_mesh *mesh, const grid *net, const int cell[4][3], const int inner[3],
                     int forwards)
{
    head_face face = {{0}, CUB_COAT};

    for (int c = 0; c < 4; ++c) {
        const int *at = cell[forwards ? c : 3 - c];
        const int corner = (inner[0] - at[0]) | (inner[1] - at[1]) << 1 | (inner[2] - at[2]) << 2;
        const int sheet = sheet_of(net, at[0], at[1], at[2], corner);
        face.corner[c] = net->point[node(net, at[0], at[1], at[2])][sheet];
    }
    head_mesh_add_face(mesh, face);
}

static void lay_quads(head_mesh *mesh, const grid *net)
{
    for (int k = 1; k + 1 < net->z; ++k) {
        for (int j = 1; j + 1 < net->y; ++j) {
            for (int i = 1; i + 1 < net->x; ++i) {
                const int here = net->value[node(net, i, j, k)] < 0, own[3] = {i, j, k};
                const int x[4][3] = {{i, j - 1, k - 1}, {i, j, k - 1}, {i, j, k}, {i, j - 1, k}};
                const int y[4][3] = {{i - 1, j, k - 1}, {i - 1, j, k}, {i, j, k}, {i, j, k - 1}};
                const int z[4][3] = {{i - 1, j - 1, k}, {i, j - 1, k}, {i, j, k}, {i - 1, j, k}};

                if (here != (net->value[node(net, i + 1, j, k)] < 0)) {
                    add_quad(mesh, net, x, here ? own : (int[3]){i + 1, j, k}, here);
                }
                if (here != (net->value[node(net, i, j + 1, k)] < 0)) {
                    add_quad(mesh, net, y, here ? own : (int[3]){i, j + 1, k}, here);
                }
                if (here != (net->value[node(net, i, j, k + 1)] < 0)) {
                    add_quad(mesh, net, z, here ? own : (int[3]){i, j, k + 1}, here);
                }
            }
        }
    }
}

static head_vec project(const cub *body, head_vec p)
{
    for (int round = 0; round < 2; ++round) {
        p = vec_along(p, cub_normal(body, p), -clay_clamp(cub_field(body, p), -2, 2));
    }
    return p;
}

static void relax(head_mesh *mesh, const cub *body, int rounds)
{
    head_vec *mean = head_allocate((size_t)mesh->point_count, sizeof *mean);
    int *count = head_allocate((size_t)mesh->point_count, sizeof *count);
    head_edges edges;

    head_edges_build(&edges, mesh);
    for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < mesh->point_count; ++i) {
            mean[i] = vec(0, 0, 0);
            count[i] = 0;
        }
        for (int e = 0; e < edges.count; ++e) {
            const int a = edges.edge[e].a, b = edges.edge[e].b;
            mean[a] = vec_add(mean[a], mesh->point[b]);
            mean[b] = vec_add(mean[b], mesh->point[a]);
            ++count[a];
            ++count[b];
        }
        for (int i = 0; i < mesh->point_count; ++i) {
            const head_vec p = mesh->point[i], normal = cub_normal(body, p);
            const head_vec pull = vec_sub(vec_scale(mean[i], 1.0 / count[i]), p);
            mesh->point[i] =
                project(body, vec_along(p, vec_along(pull, normal, -vec_dot(pull, normal)), 0.6));
        }
    }
    head_edges_free(&edges);
    free(mean);
    free(count);
}

// Points near the rim of the nose move onto it, so that leather ends in a line and not in steps.
static void find_rim(head_mesh *mesh, const cub *body)
{
    for (int i = 0; i < mesh->point_count; ++i) {
        for (int round = 0; round < 3; ++round) {
            const head_vec p = mesh->point[i];
            const double away = cub_nose(body, p), h = 0.1;
            if (fabs(away) > 0.5 * STEP) {
                break;
            }
            const head_vec slope = vec((cub_nose(body, vec(p.x + h, p.y, p.z)) - away) / h,
                                       (cub_nose(body, vec(p.x, p.y + h, p.z)) - away) / h,
                                       (cub_nose(body, vec(p.x, p.y, p.z + h)) - away) / h);
            const double steep = fmax(vec_dot(slope, slope), 0.2);
            mesh->point[i] = project(body, vec_along(p, slope, -0.9 * away / steep));
        }
    }
}

void cub_net_build(head_mesh *mesh, const cub *body)
{
    grid net;

    *mesh = (head_mesh){0};
    sample(&net, body);
    for (int k = 0; k + 1 < net.z; ++k) {
        for (int j = 0; j + 1 < net.y; ++j) {
            for (int i = 0; i + 1 < net.x; ++i) {
                for (int c = 0; c < 8; ++c) {
                    head_vec p;
                    if (cell_point(&net, i, j, k, c, &p) > 0) {
                        net.point[node(&net, i, j, k)][c] = head_mesh_add_point(mesh, p);
                    }
                }
            }
        }
    }
    lay_quads(mesh, &net);
    free(net.value);
    free(net.point);
    relax(mesh, body, 3);
    find_rim(mesh, body);
    for (int f = 0; f < mesh->face_count; ++f) {
        head_vec sum = {0};
        for (int c = 0; c < 4; ++c) {
            sum = vec_along(sum, mesh->point[mesh->face[f].corner[c]], 0.25);
        }
        mesh->face[f].group = cub_is_leather(body, sum) ? CUB_SKIN : CUB_COAT;
    }
}

// A ball of rings about the way it looks: pupil, iris and dark rim.
void cub_eyes_add(head_mesh *mesh, const cub *body)
{
    enum { AROUND = 40, RINGS = 22 };
    const double turn = 6.283185307179586 / AROUND, radius = cub_eye_radius();

    for (int side = -1; side <= 1; side += 2) {
        const int first = mesh->point_count;
        for (int r = 0; r <= RINGS; ++r) {
            // Fine in front, where it is looked at; the outermost ring closes on a point nobody
            // sees.
            const double angle = 0.002 + 2.4 * pow((double)r / RINGS, 1.4);
            for (int a = 0; a < AROUND; ++a) {
                const head_vec n =
                    vec(sin(angle) * cos(a * turn), sin(angle) * sin(a * turn), cos(angle));
                const head_vec look = vec(n.x + 0.10 * side * n.z, n.y, n.z - 0.10 * side * n.x);
                const head_vec at = vec_along(cub_eye(side), vec_unit(look), radius);
                head_mesh_add_point(mesh, cub_from_head(body, at));
            }
        }
        for (int r = 0; r < RINGS; ++r) {
            const double angle = 2.4 * pow((r + 0.5) / RINGS, 1.4);
            for (int a = 0; a < AROUND; ++a) {
                const int b = (a + 1) % AROUND, row = first + r * AROUND;
                const head_face face = {{row + a, row + AROUND + a, row + AROUND + b, row + b},
                                        angle > 0.27 && angle < 0.98 ? CUB_EYE : CUB_PUPIL};
                head_mesh_add_face(mesh, face);
            }
        }
    }
}
