#include "tools/assets/shared/poly_mesh.h"

#include "core/base/array_grow.h"

#include <stdlib.h>

void poly_mesh_init(poly_mesh *mesh, coif_arena *arena)
{
    *mesh = (poly_mesh){.arena = arena};
}

int poly_mesh_add_point(poly_mesh *mesh, coif_vec3d p)
{
    const size_t count = (size_t)mesh->point_count;
    mesh->point = coif_array_grow(mesh->point, count, 1, &mesh->point_capacity, sizeof *mesh->point,
                                  mesh->arena);
    mesh->border = coif_array_grow(mesh->border, count, 1, &mesh->border_capacity,
                                   sizeof *mesh->border, mesh->arena);
    mesh->point[count] = p;
    mesh->border[count] = 0;
    return mesh->point_count++;
}

void poly_mesh_add_face(poly_mesh *mesh, poly_face face)
{
    mesh->face = coif_array_grow(mesh->face, (size_t)mesh->face_count, 1, &mesh->face_capacity,
                                 sizeof *mesh->face, mesh->arena);
    mesh->face[mesh->face_count++] = face;
}

coif_vec3d poly_face_normal(const poly_mesh *mesh, int f)
{
    const int *c = mesh->face[f].corner;
    const int last = c[3] < 0 ? c[2] : c[3];
    const coif_vec3d a = coif_vec3d_sub(mesh->point[c[2]], mesh->point[c[0]]);
    const coif_vec3d b = coif_vec3d_sub(mesh->point[last], mesh->point[c[1]]);
    return coif_vec3d_normalize(coif_vec3d_cross(a, b));
}

static int compare_edges(const void *left, const void *right)
{
    const poly_edge *a = left, *b = right;
    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    if (a->b != b->b) {
        return a->b < b->b ? -1 : 1;
    }
    return a->face[0] < b->face[0] ? -1 : a->face[0] > b->face[0];
}

poly_edges poly_edges_build(const poly_mesh *mesh)
{
    poly_edge *all = coif_arena_new(mesh->arena, 4 * (size_t)mesh->face_count, poly_edge);
    int used = 0, kept = 0;
    for (int f = 0; f < mesh->face_count; ++f) {
        const int size = poly_face_size(&mesh->face[f]);
        for (int k = 0; k < size; ++k) {
            const int a = mesh->face[f].corner[k], b = mesh->face[f].corner[(k + 1) % size];
            all[used++] = (poly_edge){a < b ? a : b, a < b ? b : a, {f, -1}, 1};
        }
    }
    qsort(all, (size_t)used, sizeof *all, compare_edges);
    for (int i = 0; i < used; ++i) {
        if (kept > 0 && all[kept - 1].a == all[i].a && all[kept - 1].b == all[i].b) {
            all[kept - 1].face[1] = all[i].face[0];
            ++all[kept - 1].uses;
        } else {
            all[kept++] = all[i];
        }
    }
    return (poly_edges){kept, all};
}

const poly_edge *poly_edges_find(const poly_edges *edges, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    int first = 0, last = edges->count - 1;
    while (first <= last) {
        const int middle = (first + last) / 2;
        const poly_edge *edge = &edges->edge[middle];
        if (edge->a == low && edge->b == high) {
            return edge;
        }
        if (edge->a < low || (edge->a == low && edge->b < high)) {
            first = middle + 1;
        } else {
            last = middle - 1;
        }
    }
    return NULL;
}

// Root of f in the union-find forest, with path halving.
static int find_root(int *parent, int f)
{
    while (parent[f] != f) {
        f = parent[f] = parent[parent[f]];
    }
    return f;
}

void poly_mesh_components(const poly_mesh *mesh, const poly_edges *edges, const int *label,
                          int *component)
{
    for (int f = 0; f < mesh->face_count; ++f) {
        component[f] = f;
    }
    for (int e = 0; e < edges->count; ++e) {
        const int a = edges->edge[e].face[0], b = edges->edge[e].face[1];
        if (b >= 0 && label[a] == label[b]) {
            component[find_root(component, a)] = find_root(component, b);
        }
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        component[f] = find_root(component, f);
    }
}

// Twice the smaller of the two triangle areas when the quad is split from corner k.
static double smaller_triangle(const poly_mesh *mesh, const int *corner, int k)
{
    const coif_vec3d p = mesh->point[corner[k]];
    const coif_vec3d a = coif_vec3d_sub(mesh->point[corner[(k + 1) % 4]], p);
    const coif_vec3d b = coif_vec3d_sub(mesh->point[corner[(k + 2) % 4]], p);
    const coif_vec3d c = coif_vec3d_sub(mesh->point[corner[(k + 3) % 4]], p);
    return fmin(coif_vec3d_length(coif_vec3d_cross(a, b)),
                coif_vec3d_length(coif_vec3d_cross(b, c)));
}

void poly_mesh_choose_diagonals(poly_mesh *mesh)
{
    for (int f = 0; f < mesh->face_count; ++f) {
        int *c = mesh->face[f].corner;
        if (c[3] >= 0 && smaller_triangle(mesh, c, 1) > 4.0 * smaller_triangle(mesh, c, 0)) {
            const int first = c[0];
            c[0] = c[1];
            c[1] = c[2];
            c[2] = c[3];
            c[3] = first;
        }
    }
}

void poly_mesh_mirror(poly_mesh *whole, const poly_mesh *half, int *twin)
{
    poly_mesh_init(whole, half->arena);
    for (int i = 0; i < half->point_count; ++i) {
        poly_mesh_add_point(whole, half->point[i]);
    }
    for (int i = 0; i < half->point_count; ++i) {
        const coif_vec3d p = half->point[i];
        twin[i] = p.x == 0.0 ? i : poly_mesh_add_point(whole, (coif_vec3d){-p.x, p.y, p.z});
        twin[twin[i]] = i;
    }
    for (int f = 0; f < half->face_count; ++f) {
        poly_mesh_add_face(whole, half->face[f]);
    }
    for (int f = 0; f < half->face_count; ++f) {
        poly_face face = half->face[f];
        const int size = poly_face_size(&face);
        for (int k = 0; k < size; ++k) {
            // The first corner stays first, so both sides have mirrored diagonals.
            face.corner[k] = twin[half->face[f].corner[(size - k) % size]];
        }
        poly_mesh_add_face(whole, face);
    }
}
