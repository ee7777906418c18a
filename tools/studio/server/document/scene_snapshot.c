#include "tools/studio/server/document/scene_snapshot.h"

#include "tools/studio/server/document/paint_maps.h"

coif_sets coif_strand_limit_overrides(int32_t groom, int32_t strands, coif_arena *arena)
{
    const char **items = coif_arena_new(arena, 2, const char *);
    items[0] = coif_arena_print(arena, "grooms/%d/count=%d", groom, strands);
    items[1] = coif_arena_print(arena, "grooms/%d/strands_per_cm2=0", groom);
    return (coif_sets){items, 2};
}

coif_status coif_studio_snapshot(coif_scene *scene, uint64_t *revision, coif_studio *studio,
                                 const coif_sets *sets, coif_arena *arena, coif_error *error)
{
    coif_image_overrides *pictures = coif_arena_new(arena, 1, coif_image_overrides);
    pthread_mutex_lock(&studio->lock);
    coif_paint_maps_snapshot(pictures, studio, arena);
    if (revision != NULL) {
        *revision = studio->text_revision;
    }
    const coif_status status =
        coif_studio_scene(scene, studio, sets->items, sets->count, pictures, arena, error);
    pthread_mutex_unlock(&studio->lock);
    return status;
}
