#include "tools/assets/shared/smooth.h"

#include "tools/assets/shared/sdf.h"

#include <string.h>

static const double STEP = 0.6; // fraction of the tangential Laplacian

// Sum and number of the edge neighbours of each point. On a border curve only neighbours on the
// same curve count. On the symmetry plane a neighbour off the plane also stands for its mirror
// image.
static void add_neighbours(const poly_mesh *mesh, const poly_edges *edges, bool half,
                           coif_vec3d *sum, int *count)
{
    for (int e = 0; e < edges->count; ++e) {
        const int end[2] = {edges->edge[e].a, edges->edge[e].b};
        const bool on_plane[2] = {half && mesh->point[end[0]].x == 0.0,
                                  half && mesh->point[end[1]].x == 0.0};
        for (int k = 0; k < 2; ++k) {
            const int self = end[k], other = end[1 - k];
            const int curve = mesh->border[self];
            if (curve != 0 && mesh->border[other] != curve && mesh->border[other] != -1) {
                continue;
            }
            const bool twice = on_plane[k] && !on_plane[1 - k];
            const coif_vec3d p = mesh->point[other];
            sum[self] = coif_vec3d_add(sum[self], twice ? xyz(0.0, 2.0 * p.y, 2.0 * p.z) : p);
            count[self] += twice ? 2 : 1;
        }
    }
}

void smooth_mesh(poly_mesh *mesh, const smooth_surface *surface, int iterations)
{
    const size_t points = (size_t)mesh->point_count;
    coif_vec3d *sum = coif_arena_new(mesh->arena, points, coif_vec3d);
    int *count = coif_arena_new(mesh->arena, points, int);
    const poly_edges edges = poly_edges_build(mesh);
    for (int iteration = 0; iteration < iterations; ++iteration) {
        memset(sum, 0, points * sizeof *sum);
        memset(count, 0, points * sizeof *count);
        add_neighbours(mesh, &edges, surface->half, sum, count);
        for (size_t i = 0; i < points; ++i) {
            if (mesh->border[i] != 0 || count[i] == 0) {
                continue;
            }
            const coif_vec3d p = mesh->point[i], normal = surface->normal(surface->object, p);
            const coif_vec3d laplacian =
                coif_vec3d_sub(coif_vec3d_scale(sum[i], 1.0 / count[i]), p);
            const coif_vec3d tangential =
                coif_vec3d_mad(laplacian, -coif_vec3d_dot(laplacian, normal), normal);
            coif_vec3d moved = coif_vec3d_mad(p, STEP, tangential);
            if (surface->half && p.x == 0.0) {
                moved.x = 0.0;
            }
            mesh->point[i] = surface->project(surface->object, moved);
        }
    }
}
