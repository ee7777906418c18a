#include "sim/run/surface_anchor.h"

#include "core/base/arena.h"
#include "core/collision/collider.h"

void coif_surface_anchors_find(coif_surface_anchor *anchors, const coif_mesh *mesh,
                               const coif_vec3 *points, int32_t count)
{
    COIF_SCOPED_ARENA(scratch, "anchors");
    coif_collider collider;
    coif_collider_build(&collider, mesh, &scratch);
    int32_t hint = -1;
    for (int32_t i = 0; i < count; ++i) {
        const coif_closest_point_query query = {
            .position = points[i], .max_distance = INFINITY, .hint = hint};
        coif_closest_point nearest;
        coif_collider_closest_point(&nearest, &collider, &query);
        anchors[i] =
            (coif_surface_anchor){nearest.triangle, nearest.weights[0], nearest.weights[1]};
        hint = nearest.triangle;
    }
}

coif_anchor_frame coif_surface_anchor_frame(const coif_mesh *mesh,
                                            const coif_surface_anchor *anchor)
{
    const int32_t *corner = mesh->indices + 3 * (int64_t)anchor->triangle;
    const coif_vec3 a = mesh->positions[corner[0]];
    const coif_vec3 ab = coif_sub(mesh->positions[corner[1]], a);
    const coif_vec3 ac = coif_sub(mesh->positions[corner[2]], a);
    const coif_vec3 along = coif_normalize(ab);
    const coif_vec3 normal = coif_normalize(coif_cross(ab, ac));
    return (coif_anchor_frame){.origin = coif_mad(coif_mad(a, anchor->b1, ab), anchor->b2, ac),
                               .axes = {{along, coif_cross(normal, along), normal}}};
}
