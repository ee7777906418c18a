#include "sim/groom/scalp_closest_point.h"

#include "core/base/arena.h"

#include <string.h>

void coif_scalp_locator_open(coif_scalp_locator *scalp, const coif_mesh *mesh, const char *group,
                             coif_arena *arena)
{
    const bool whole = group == NULL || group[0] == '\0';
    const int32_t number = whole ? -1 : coif_mesh_find_group(mesh, group);
    *scalp = (coif_scalp_locator){.mesh = mesh,
                                  .part = *mesh,
                                  .numbers = coif_arena_new(arena, mesh->triangle_count, int32_t)};
    coif_mesh *part = &scalp->part;
    part->triangle_count = 0;
    part->indices = coif_arena_new(arena, 3 * (int64_t)mesh->triangle_count, int32_t);
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        if (whole || mesh->groups[t] == number) {
            scalp->numbers[part->triangle_count] = t;
            memcpy(part->indices + 3 * (int64_t)part->triangle_count++,
                   mesh->indices + 3 * (int64_t)t, 3 * sizeof(int32_t));
        }
    }
    coif_collider_build(&scalp->collider, part, arena);
}

bool coif_scalp_locator_closest(coif_scalp_location *found, const coif_scalp_locator *scalp,
                                coif_vec3 position)
{
    const coif_closest_point_query query = {.position = position, .max_distance = 1e6f, .hint = -1};
    coif_closest_point nearest;
    if (!coif_collider_closest_point(&nearest, &scalp->collider, &query)) {
        return false;
    }
    found->triangle = scalp->numbers[nearest.triangle];
    memcpy(found->weights, nearest.weights, sizeof found->weights);
    found->distance = fabsf(nearest.distance);
    return true;
}
