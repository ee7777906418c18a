// net: surface nets on an even grid, then points slide along the surface to even out.
#include "tools/head/cub/mesh.h"

#include <stdlib.h>

static const head_vec LOW = {-112, -12, -486}, HIGH = {136, 476, 352};
static const double STEP = 5.2;

typedef struct grid {
    int x, y, z;
    float *value;
    int *point;
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
                net->point[node(net, i, j, k)] = -1;
            }
        }
    }
}

// The mean of the places where the surface crosses the edges of a cell.
static int cell_point(const grid *net, int i, int j, int k, head_vec *mean)
{
    head_vec sum = {0};
    int count = 0;

    for (int axis = 0; axis < 3; ++axis) {
        for (int n = 0; n < 4; ++n) {
            const int a = n & 1, b = n >> 1;
            const int at[3] = {axis == 0 ? 0 : a,
                               axis == 1   ? 0
                               : axis == 0 ? a
                                           : b,
                               axis == 2 ? 0 : b};
            const int i0 = i + at[0], j0 = j + at[1], k0 = k + at[2];
            const int i1 = i0 + (axis == 0), j1 = j0 + (axis == 1), k1 = k0 + (axis == 2);
            const double v0 = net->value[node(net, i0, j0, k0)];
            const double v1 = net->value[node(net, i1, j1, k1)];
            if ((v0 < 0) != (v1 < 0)) {
                sum = vec_add(sum, vec_mix(place(i0, j0, k0), place(i1, j1, k1), v0 / (v0 - v1)));
                ++count;
            }
        }
    }
    *mean = count > 0 ? vec_scale(sum, 1.0 / count) : sum;
    return count;
}

static void add_quad(head_mesh *mesh, const grid *net, const int cell[4][3], int forwards)
{
    head_face face = {{0}, CUB_COAT};

    for (int c = 0; c < 4; ++c) {
        const int *at = cell[forwards ? c : 3 - c];
        face.corner[c] = net->point[node(net, at[0], at[1], at[2])];
    }
    head_mesh_add_face(mesh, face);
}

static void lay_quads(head_mesh *mesh, const grid *net)
{
    for (int k = 1; k + 1 < net->z; ++k) {
        for (int j = 1; j + 1 < net->y; ++j) {
            for (int i = 1; i + 1 < net->x; ++i) {
                const int here = net->value[node(net, i, j, k)] < 0;
                const int x[4][3] = {{i, j - 1, k - 1}, {i, j, k - 1}, {i, j, k}, {i, j - 1, k}};
                const int y[4][3] = {{i - 1, j, k - 1}, {i - 1, j, k}, {i, j, k}, {i, j, k - 1}};
                const int z[4][3] = {{i - 1, j - 1, k}, {i, j - 1, k}, {i, j, k}, {i - 1, j, k}};

                if (here != (net->value[node(net, i + 1, j, k)] < 0)) {
                    add_quad(mesh, net, x, here);
                }
                if (here != (net->value[node(net, i, j + 1, k)] < 0)) {
                    add_quad(mesh, net, y, here);
                }
                if (here != (net->value[node(net, i, j, k + 1)] < 0)) {
                    add_quad(mesh, net, z, here);
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

void cub_net_build(head_mesh *mesh, const cub *body)
{
    grid net;

    *mesh = (head_mesh){0};
    sample(&net, body);
    for (int k = 0; k + 1 < net.z; ++k) {
        for (int j = 0; j + 1 < net.y; ++j) {
            for (int i = 0; i + 1 < net.x; ++i) {
                head_vec p;
                if (cell_point(&net, i, j, k, &p) > 0) {
                    net.point[node(&net, i, j, k)] = head_mesh_add_point(mesh, p);
                }
            }
        }
    }
    lay_quads(mesh, &net);
    free(net.value);
    free(net.point);
    relax(mesh, body, 3);
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
                                        angle > 0.34 && angle < 1.5 ? CUB_EYE : CUB_PUPIL};
                head_mesh_add_face(mesh, face);
            }
        }
    }
}
