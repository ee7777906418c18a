// uv_box: box projection of the cub, packed on shelves.
#include "tools/assets/shared/uv_pack.h"
#include "tools/assets/tiger_cub/cub_mesh.h"

enum { AXES = 6 };

static const coif_vec3d AXIS[AXES] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                      {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

// Projection along an axis, in millimetres, seen from outside.
static void project(int axis, coif_vec3d p, double uv[2])
{
    uv[0] = axis < 2 ? (axis == 0 ? -p.z : p.z) : axis == 5 ? -p.x : p.x;
    uv[1] = axis < 2 || axis > 3 ? p.y : axis == 2 ? -p.z : p.z;
}

// Each face starts with the axis closest to its normal. Majority votes of the neighbours then
// smooth the borders, which would otherwise leave many small islands.
static void choose_axes(const poly_mesh *mesh, const poly_edges *edges, int *axis)
{
    for (int f = 0; f < mesh->face_count; ++f) {
        const coif_vec3d n = poly_face_normal(mesh, f);
        axis[f] = 0;
        for (int a = 1; a < AXES; ++a) {
            axis[f] = coif_vec3d_dot(n, AXIS[a]) > coif_vec3d_dot(n, AXIS[axis[f]]) ? a : axis[f];
        }
    }
    int(*votes)[AXES] = coif_arena_alloc(mesh->arena, (size_t)mesh->face_count, sizeof *votes);
    for (int iteration = 0; iteration < 12; ++iteration) {
        for (int f = 0; f < mesh->face_count; ++f) {
            for (int a = 0; a < AXES; ++a) {
                votes[f][a] = a == axis[f];
            }
        }
        for (int e = 0; e < edges->count; ++e) {
            const int a = edges->edge[e].face[0], b = edges->edge[e].face[1];
            if (b >= 0) {
                ++votes[a][axis[b]];
                ++votes[b][axis[a]];
            }
        }
        for (int f = 0; f < mesh->face_count; ++f) {
            const coif_vec3d n = poly_face_normal(mesh, f);
            for (int a = 0; a < AXES; ++a) {
                if (votes[f][a] > votes[f][axis[f]] && coif_vec3d_dot(n, AXIS[a]) > 0.3) {
                    axis[f] = a;
                }
            }
        }
    }
}

// Numbers the islands; returns their number.
static int number_islands(const poly_mesh *mesh, const poly_edges *edges, const int *axis,
                          int *island)
{
    int *component = coif_arena_new(mesh->arena, mesh->face_count, int);
    int count = 0;
    poly_mesh_components(mesh, edges, axis, component);
    for (int f = 0; f < mesh->face_count; ++f) {
        if (component[f] == f) {
            island[f] = count++;
        }
    }
    for (int f = 0; f < mesh->face_count; ++f) {
        island[f] = island[component[f]];
    }
    return count;
}

double *cub_uv_build(const poly_mesh *mesh, double gap)
{
    const size_t faces = (size_t)mesh->face_count;
    int *axis = coif_arena_new(mesh->arena, faces, int);
    int *island = coif_arena_new(mesh->arena, faces, int);
    double *uv = coif_arena_new(mesh->arena, 8 * faces, double);
    const poly_edges edges = poly_edges_build(mesh);
    choose_axes(mesh, &edges, axis);
    const int count = number_islands(mesh, &edges, axis, island);

    uv_bounds *bounds = coif_arena_new(mesh->arena, count, uv_bounds);
    uv_placement *placements = coif_arena_new(mesh->arena, count, uv_placement);
    for (int i = 0; i < count; ++i) {
        bounds[i] = uv_bounds_empty();
    }
    for (size_t i = 0; i < 4 * faces; ++i) {
        const size_t f = i / 4;
        project(axis[f], mesh->point[mesh->face[f].corner[i % 4]], &uv[2 * i]);
        uv_bounds_add(&bounds[island[f]], &uv[2 * i]);
    }
    uv_pack_shelves(placements, bounds, count, gap, mesh->arena);
    for (size_t i = 0; i < 8 * faces; ++i) {
        const double placed = uv_place(&placements[island[i / 8]], (int)(i % 2), uv[i]);
        uv[i] = round(placed * 1e5) / 1e5;
    }
    return uv;
}
