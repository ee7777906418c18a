// refine: a finer net where the sculpture has small features.
//
// A marked face is split into quads around its middle. A face beside a marked one takes up the new
// points on its edges: one as a fan, two on opposite sides as two quads; with more, or in a
// triangle with two, it is simply marked too.
#include "tools/assets/shared/surface_nets.h"

#include <stdlib.h>

typedef struct zone {
    head_vec centre, radii;
} zone;

// Where the first round splits.
static const zone COARSE[] = {
    {{31, 10.5, 84}, {20, 12.5, 22}}, // eye
    {{8, -30, 100}, {15, 13, 20}},    // tip and wing of the nose
    {{8, -61, 94}, {21, 12.5, 24}},   // lips
};

// Where the second round splits again: the lids with their fold, the lips, the nostrils.
static int wants_finest(head_vec p)
{
    const double rim = head_eye_opening(p);
    const int lid = rim > -2.5 && rim < (p.y > 9.0 ? 7.0 : 2.5) && fabs(p.x - 31.0) < 20.0;

    const double lips = clay_ellipsoid(p, vec(0, -61, 94), vec(27, 11, 26));
    const double nostril = clay_ellipsoid(p, vec(8, -34, 98), vec(9, 6, 11));

    return p.z > 60.0 && (lid || fmin(lips, nostril) < 0.0);
}

static int wants_detail(const head_sculpture *sculpture, head_vec p, int round)
{
    const head_vec q = head_ear_local(&sculpture->ear, p);

    if (round > 0) {
        return wants_finest(p);
    }
    for (size_t i = 0; i < sizeof COARSE / sizeof COARSE[0]; ++i) {
        if (clay_ellipsoid(p, COARSE[i].centre, COARSE[i].radii) < 0.0) {
            return 1;
        }
    }
    return clay_ellipsoid(q, vec(10.5, -1, 1.5), vec(21, 38, 9)) < 0.0;
}

static head_vec middle(const head_mesh *mesh, const head_face *face)
{
    const int size = head_face_size(face);
    head_vec sum = {0};

    for (int k = 0; k < size; ++k) {
        sum = vec_along(sum, mesh->point[face->corner[k]], 1.0 / size);
    }
    return sum;
}

// Which edges of a face touch a marked face.
static int split_edges(const head_mesh *mesh, const head_edges *edges, const char *marked, int f)
{
    const int size = head_face_size(&mesh->face[f]);
    int mask = 0;

    for (int k = 0; k < size; ++k) {
        const int *corner = mesh->face[f].corner;
        const head_edge *edge = head_edges_find(edges, corner[k], corner[(k + 1) % size]);
        const int other = edge->face[0] == f ? edge->face[1] : edge->face[0];
        if (other >= 0 && marked[other]) {
            mask |= 1 << k;
        }
    }
    return mask;
}

static void mark_faces(const head_mesh *mesh, const head_edges *edges,
                       const head_sculpture *sculpture, int round, char *marked)
{
    int changed = 1;

    for (int f = 0; f < mesh->face_count; ++f) {
        marked[f] = (char)wants_detail(sculpture, middle(mesh, &mesh->face[f]), round);
    }
    while (changed) {
        changed = 0;
        for (int f = 0; f < mesh->face_count; ++f) {
            const int mask = split_edges(mesh, edges, marked, f);
            const int quad = head_face_size(&mesh->face[f]) == 4;
            const int simple = (mask & (mask - 1)) == 0 || (quad && (mask == 5 || mask == 10));
            if (!marked[f] && !simple) {
                marked[f] = 1;
                changed = 1;
            }
        }
    }
}

static void add(head_mesh *mesh, int a, int b, int c, int d)
{
    head_mesh_add_face(mesh, (head_face){{a, b, c, d}, 0});
}

// Replaces face f by its pieces; half[k] is the point on edge k, -1 where there is none.
static void split_face(head_mesh *mesh, int f, int marked, const int half[4])
{
    const head_face old = mesh->face[f];
    const int size = head_face_size(&old);
    const int *c = old.corner;

    if (marked) {
        const int m = head_mesh_add_point(mesh, middle(mesh, &old));
        mesh->face[f] = (head_face){{c[0], half[0], m, half[size - 1]}, 0};
        for (int k = 1; k < size; ++k) {
            add(mesh, c[k], half[k], m, half[k - 1]);
        }
        return;
    }
    for (int k = 0; k < size; ++k) {
        const int c0 = c[k], c1 = c[(k + 1) % size], c2 = c[(k + 2) % size];
        const int c3 = c[(k + 3) % size], far = size == 4 ? half[(k + 2) % 4] : -1;
        if (half[k] < 0) {
            continue;
        }
        if (far >= 0) {
            mesh->face[f] = (head_face){{c0, half[k], far, c3}, 0};
            add(mesh, half[k], c1, c2, far);
        } else {
            mesh->face[f] = (head_face){{half[k], c1, c2, -1}, 0};
            add(mesh, half[k], c2, size == 4 ? c3 : c0, -1);
            if (size == 4) {
                add(mesh, half[k], c3, c0, -1);
            }
        }
        return;
    }
}

void head_net_refine(head_mesh *mesh, const head_sculpture *sculpture, int round)
{
    const int face_count = mesh->face_count;
    char *marked = head_allocate((size_t)face_count, sizeof *marked);
    head_edges edges;

    head_edges_build(&edges, mesh);
    mark_faces(mesh, &edges, sculpture, round, marked);

    int *halfway = head_allocate((size_t)edges.count, sizeof *halfway);
    for (int e = 0; e < edges.count; ++e) {
        const head_edge *edge = &edges.edge[e];
        const int split = marked[edge->face[0]] || (edge->face[1] >= 0 && marked[edge->face[1]]);
        const head_vec p = vec_mix(mesh->point[edge->a], mesh->point[edge->b], 0.5);
        halfway[e] = split ? head_mesh_add_point(mesh, p) : -1;
    }
    for (int f = 0; f < face_count; ++f) {
        const int size = head_face_size(&mesh->face[f]);
        int half[4] = {-1, -1, -1, -1};
        for (int k = 0; k < size; ++k) {
            const int *corner = mesh->face[f].corner;
            const head_edge *edge = head_edges_find(&edges, corner[k], corner[(k + 1) % size]);
            half[k] = halfway[edge - edges.edge];
        }
        split_face(mesh, f, marked[f], half);
    }
    free(halfway);
    free(marked);
    head_edges_free(&edges);
}
