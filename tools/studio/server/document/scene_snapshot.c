#include "tools/studio/server/document/scene_snapshot.h"

coif_overrides coif_strand_limit_overrides(int32_t groom, int32_t strands, coif_arena *arena)
{
    const char **items = coif_arena_new(arena, 2, const char *);
    items[0] = coif_arena_print(arena, "grooms/%d/count=%d", groom, strands);
    items[1] = coif_arena_print(arena, "grooms/%d/strands_per_cm2=0", groom);
    return (coif_overrides){items, 2};
}

coif_status coif_studio_snapshot(coif_scene *scene, uint64_t *revision, coif_studio *studio,
                                 const coif_overrides *overrides, coif_arena *arena,
                                 coif_error *error)
{
    coif_image_overrides *images = coif_arena_new(arena, 1, coif_image_overrides);
    pthread_mutex_lock(&studio->lock);
    coif_paint_maps_snapshot(images, &studio->maps, arena);
    if (revision != NULL) {
        *revision = studio->text_revision;
    }
    const coif_status status =
        coif_studio_scene(scene, studio, overrides->items, overrides->count, images, arena, error);
    pthread_mutex_unlock(&studio->lock);
    return status;
}
