// subdivide: adaptive refinement at small features.
//
// A marked face is split into quads around its centre. Its neighbours take up the midpoints on
// their edges: one midpoint gives a triangle fan, two on opposite edges give two quads. A neighbour
// with any other pattern is marked as well.
#include "tools/assets/mannequin/mannequin.h"

typedef struct zone {
    coif_vec3d center, radii;
} zone;

static const zone FIRST_PASS[] = {
    {{31, 10.5, 84}, {20, 12.5, 22}}, // eye
    {{8, -30, 100}, {15, 13, 20}},    // tip and wing of the nose
    {{8, -61, 94}, {21, 12.5, 24}},   // lips
};

static bool in_first_pass(const head_sdf *sdf, coif_vec3d p)
{
    for (size_t i = 0; i < COIF_COUNT_OF(FIRST_PASS); ++i) {
        if (sdf_ellipsoid(p, FIRST_PASS[i].center, FIRST_PASS[i].radii) < 0.0) {
            return true;
        }
    }
    const coif_vec3d q = ear_sdf_local(&sdf->ear, p);
    return sdf_ellipsoid(q, xyz(10.5, -1, 1.5), xyz(21, 38, 9)) < 0.0;
}

// Lids with their fold, lips and nostrils.
static bool in_second_pass(coif_vec3d p)
{
    const double rim = eye_opening_distance(p);
    const bool lid = rim > -2.5 && rim < (p.y > 9.0 ? 7.0 : 2.5) && fabs(p.x - 31.0) < 20.0;
    const double lips = sdf_ellipsoid(p, xyz(0, -61, 94), xyz(27, 11, 26));
    const double nostril = sdf_ellipsoid(p, xyz(8, -34, 98), xyz(9, 6, 11));
    return p.z > 60.0 && (lid || fmin(lips, nostril) < 0.0);
}

static coif_vec3d face_center(const poly_mesh *mesh, const poly_face *face)
{
    const int size = poly_face_size(face);
    coif_vec3d sum = {0};
    for (int k = 0; k < size; ++k) {
        sum = coif_vec3d_mad(sum, 1.0 / size, mesh->point[face->corner[k]]);
    }
    return sum;
}

// Bit mask of the edges of a face that border a marked face.
static int marked_edges(const poly_mesh *mesh, const poly_edges *edges, const bool *marked, int f)
{
    const int size = poly_face_size(&mesh->face[f]);
    int mask = 0;
    for (int k = 0; k < size; ++k) {
        const int *corner = mesh->face[f].corner;
        const poly_edge *edge = poly_edges_find(edges, corner[k], corner[(k + 1) % size]);
        const int other = edge->face[0] == f ? edge->face[1] : edge->face[0];
        if (other >= 0 && marked[other]) {
            mask |= 1 << k;
        }
    }
    return mask;
}

static void mark_faces(const poly_mesh *mesh, const poly_edges *edges, const head_sdf *sdf,
                       int pass, bool *marked)
{
    for (int f = 0; f < mesh->face_count; ++f) {
        const coif_vec3d p = face_center(mesh, &mesh->face[f]);
        marked[f] = pass == 0 ? in_first_pass(sdf, p) : in_second_pass(p);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (int f = 0; f < mesh->face_count; ++f) {
            const int mask = marked_edges(mesh, edges, marked, f);
            const bool quad = poly_face_size(&mesh->face[f]) == 4;
            const bool simple = (mask & (mask - 1)) == 0 || (quad && (mask == 5 || mask == 10));
            if (!marked[f] && !simple) {
                marked[f] = true;
                changed = true;
            }
        }
    }
}

static void add(poly_mesh *mesh, int a, int b, int c, int d)
{
    poly_mesh_add_face(mesh, (poly_face){{a, b, c, d}, 0});
}

static void split_around_center(poly_mesh *mesh, int f, const int mid[4])
{
    const poly_face old = mesh->face[f];
    const int size = poly_face_size(&old);
    const int *c = old.corner;
    const int m = poly_mesh_add_point(mesh, face_center(mesh, &old));
    mesh->face[f] = (poly_face){{c[0], mid[0], m, mid[size - 1]}, 0};
    for (int k = 1; k < size; ++k) {
        add(mesh, c[k], mid[k], m, mid[k - 1]);
    }
}

// Replaces face f by its parts; mid[k] is the midpoint of edge k, -1 for none.
static void split_face(poly_mesh *mesh, int f, bool marked, const int mid[4])
{
    if (marked) {
        split_around_center(mesh, f, mid);
        return;
    }
    const poly_face old = mesh->face[f];
    const int size = poly_face_size(&old);
    const int *c = old.corner;
    for (int k = 0; k < size; ++k) {
        const int c0 = c[k], c1 = c[(k + 1) % size], c2 = c[(k + 2) % size];
        const int c3 = c[(k + 3) % size], opposite = size == 4 ? mid[(k + 2) % 4] : -1;
        if (mid[k] < 0) {
            continue;
        }
        if (opposite >= 0) {
            mesh->face[f] = (poly_face){{c0, mid[k], opposite, c3}, 0};
            add(mesh, mid[k], c1, c2, opposite);
        } else {
            mesh->face[f] = (poly_face){{mid[k], c1, c2, -1}, 0};
            add(mesh, mid[k], c2, size == 4 ? c3 : c0, -1);
            if (size == 4) {
                add(mesh, mid[k], c3, c0, -1);
            }
        }
        return;
    }
}

void head_subdivide(poly_mesh *mesh, const head_sdf *sdf, int pass)
{
    const int face_count = mesh->face_count;
    bool *marked = coif_arena_new(mesh->arena, face_count, bool);
    const poly_edges edges = poly_edges_build(mesh);
    mark_faces(mesh, &edges, sdf, pass, marked);

    int *midpoint = coif_arena_new(mesh->arena, edges.count, int);
    for (int e = 0; e < edges.count; ++e) {
        const poly_edge *edge = &edges.edge[e];
        const bool split = marked[edge->face[0]] || (edge->face[1] >= 0 && marked[edge->face[1]]);
        const coif_vec3d p = coif_vec3d_lerp(mesh->point[edge->a], mesh->point[edge->b], 0.5);
        midpoint[e] = split ? poly_mesh_add_point(mesh, p) : -1;
    }
    for (int f = 0; f < face_count; ++f) {
        const int size = poly_face_size(&mesh->face[f]);
        int mid[4] = {-1, -1, -1, -1};
        for (int k = 0; k < size; ++k) {
            const int *corner = mesh->face[f].corner;
            const poly_edge *edge = poly_edges_find(&edges, corner[k], corner[(k + 1) % size]);
            mid[k] = midpoint[edge - edges.edge];
        }
        split_face(mesh, f, marked[f], mid);
    }
}
