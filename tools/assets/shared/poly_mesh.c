// mesh: growing arrays, the list of edges, and the mirror.
#include "tools/assets/shared/poly_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *head_allocate(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        fprintf(stderr, "coif_head: no memory for %zu times %zu bytes\n", count, size);
        exit(7);
    }
    return memory;
}

static void *grow(void *old, int count, int room, size_t size)
{
    void *memory = head_allocate((size_t)room, size);
    if (count > 0) {
        memcpy(memory, old, (size_t)count * size);
    }
    free(old);
    return memory;
}

int head_mesh_add_point(head_mesh *mesh, head_vec p)
{
    if (mesh->point_count == mesh->point_room) {
        mesh->point_room = 2 * mesh->point_room + 1024;
        mesh->point = grow(mesh->point, mesh->point_count, mesh->point_room, sizeof *mesh->point);
        mesh->border =
            grow(mesh->border, mesh->point_count, mesh->point_room, sizeof *mesh->border);
    }
    mesh->point[mesh->point_count] = p;
    mesh->border[mesh->point_count] = 0;
    return mesh->point_count++;
}

void head_mesh_add_face(head_mesh *mesh, head_face face)
{
    if (mesh->face_count == mesh->face_room) {
        mesh->face_room = 2 * mesh->face_room + 1024;
        mesh->face = grow(mesh->face, mesh->face_count, mesh->face_room, sizeof *mesh->face);
    }
    mesh->face[mesh->face_count++] = face;
}

void head_mesh_free(head_mesh *mesh)
{
    free(mesh->point);
    free(mesh->border);
    free(mesh->face);
    *mesh = (head_mesh){0};
}

static int compare_edges(const void *left, const void *right)
{
    const head_edge *a = left, *b = right;

    if (a->a != b->a) {
        return a->a < b->a ? -1 : 1;
    }
    if (a->b != b->b) {
        return a->b < b->b ? -1 : 1;
    }
    return a->face[0] < b->face[0] ? -1 : a->face[0] > b->face[0];
}

void head_edges_build(head_edges *edges, const head_mesh *mesh)
{
    head_edge *all = head_allocate((size_t)mesh->face_count * 4, sizeof *all);
    int used = 0, kept = 0;

    for (int f = 0; f < mesh->face_count; ++f) {
        const int size = head_face_size(&mesh->face[f]);
        for (int k = 0; k < size; ++k) {
            const int a = mesh->face[f].corner[k], b = mesh->face[f].corner[(k + 1) % size];
            all[used++] = (head_edge){a < b ? a : b, a < b ? b : a, {f, -1}, 1};
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
    *edges = (head_edges){kept, all};
}

const head_edge *head_edges_find(const head_edges *edges, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    int first = 0, last = edges->count - 1;

    while (first <= last) {
        const int middle = (first + last) / 2;
        const head_edge *edge = &edges->edge[middle];
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

void head_edges_free(head_edges *edges)
{
    free(edges->edge);
    *edges = (head_edges){0};
}

// The smaller of the two areas when the quad is cut from corner k.
static double smaller_half(const head_mesh *mesh, const int *corner, int k)
{
    const head_vec p = mesh->point[corner[k]];
    const head_vec a = vec_sub(mesh->point[corner[(k + 1) % 4]], p);
    const head_vec b = vec_sub(mesh->point[corner[(k + 2) % 4]], p);
    const head_vec c = vec_sub(mesh->point[corner[(k + 3) % 4]], p);

    return fmin(vec_length(vec_cross(a, b)), vec_length(vec_cross(b, c)));
}

void head_mesh_turn_quads(head_mesh *mesh)
{
    for (int f = 0; f < mesh->face_count; ++f) {
        int *c = mesh->face[f].corner;
        if (c[3] >= 0 && smaller_half(mesh, c, 1) > 4.0 * smaller_half(mesh, c, 0)) {
            const int first = c[0];
            c[0] = c[1];
            c[1] = c[2];
            c[2] = c[3];
            c[3] = first;
        }
    }
}

void head_mesh_mirror(head_mesh *whole, const head_mesh *half, int *twin)
{
    *whole = (head_mesh){0};
    for (int i = 0; i < half->point_count; ++i) {
        head_mesh_add_point(whole, half->point[i]);
    }
    for (int i = 0; i < half->point_count; ++i) {
        const head_vec p = half->point[i];
        twin[i] = p.x == 0.0 ? i : head_mesh_add_point(whole, vec(-p.x, p.y, p.z));
    }
    for (int f = 0; f < half->face_count; ++f) {
        head_mesh_add_face(whole, half->face[f]);
    }
    for (int f = 0; f < half->face_count; ++f) {
        head_face face = half->face[f];
        const int size = head_face_size(&face);
        for (int k = 0; k < size; ++k) {
            // The first corner stays first, so both sides are cut along the same diagonal.
            face.corner[k] = twin[half->face[f].corner[(size - k) % size]];
        }
        head_mesh_add_face(whole, face);
    }
}
