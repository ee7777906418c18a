// relax: evens out a net without letting it leave the surface.
#include "tools/assets/shared/surface_nets.h"

#include <stdlib.h>

// For each point the mean of its neighbours, seen along edges. On a border curve only neighbours on
// the same curve count, so that the curve keeps its shape.
static void neighbour_means(const head_mesh *mesh, const head_edges *edges, head_vec *mean,
                            int *count)
{
    for (int e = 0; e < edges->count; ++e) {
        const int end[2] = {edges->edge[e].a, edges->edge[e].b};
        const int on_seam = mesh->point[end[0]].x == 0.0 && mesh->point[end[1]].x == 0.0;

        for (int k = 0; k < 2; ++k) {
            const int self = end[k], other = end[1 - k];
            const int curve = mesh->border[self];
            if (curve != 0 && mesh->border[other] != curve && mesh->border[other] != -1) {
                continue;
            }
            // A neighbour off the seam stands for its mirror image as well.
            const int twice = mesh->point[self].x == 0.0 && !on_seam;
            head_vec p = mesh->point[other];
            if (twice) {
                p = vec(0.0, 2.0 * p.y, 2.0 * p.z);
            }
            mean[self] = vec_add(mean[self], p);
            count[self] += twice ? 2 : 1;
        }
    }
}

void head_net_relax(head_mesh *mesh, const head_sculpture *sculpture, int rounds)
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
        neighbour_means(mesh, &edges, mean, count);
        for (int i = 0; i < mesh->point_count; ++i) {
            if (mesh->border[i] != 0 || count[i] == 0) {
                continue;
            }
            const head_vec p = mesh->point[i];
            const head_vec normal = head_sculpture_normal(sculpture, p);
            const head_vec pull = vec_sub(vec_scale(mean[i], 1.0 / count[i]), p);
            const head_vec slide = vec_along(pull, normal, -vec_dot(pull, normal));
            head_vec moved = vec_along(p, slide, 0.6);
            if (p.x == 0.0) {
                moved.x = 0.0;
            }
            mesh->point[i] = head_sculpture_project(sculpture, moved);
        }
    }
    head_edges_free(&edges);
    free(mean);
    free(count);
}
