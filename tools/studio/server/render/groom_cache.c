#include "tools/studio/server/render/groom_cache.h"

#include "core/base/hash64.h"
#include "sim/run/simulate.h"

// Strands of each groom in a draft, and the number above which there is one.
enum { DRAFT_STRANDS = 2500, DRAFT_ABOVE = 6000 };

// Longer side of a draft in pixels: encoding a large image takes longer than its first rays.
static const double DRAFT_SIZE = 512.0;

// Thicker, but by less than the reduction of strands, which would look like ropes.
static double draft_radius(double radius, double strand_fraction)
{
    const double scaled = radius * (strand_fraction > 0.3 ? 1.0 : 0.3 / strand_fraction);
    return scaled < 8e-4 ? scaled : radius > 8e-4 ? radius : 8e-4;
}

static int32_t add_size(const char **items, const coif_scene *scene, coif_arena *arena)
{
    const coif_values *image = &coif_node_at(scene->root, "image")->values;
    const double width = coif_values_find(image, "width")->numbers[0];
    const double height = coif_values_find(image, "height")->numbers[0];
    const double side = width > height ? width : height;
    if (side <= DRAFT_SIZE) {
        return 0;
    }
    const double scale = DRAFT_SIZE / side;
    items[0] = coif_arena_print(arena, "image/width=%d", (int)(scale * width + 0.5));
    items[1] = coif_arena_print(arena, "image/height=%d", (int)(scale * height + 0.5));
    return 2;
}

bool coif_groom_cache_draft(coif_overrides *draft, const coif_studio *studio,
                            const coif_scene *scene, const coif_overrides *requested, bool resize,
                            coif_arena *arena)
{
    const coif_node *grooms = coif_node_at(scene->root, "grooms");
    const char **items =
        coif_arena_new(arena, requested->count + 3 * grooms->child_count + 3, const char *);
    int32_t count = 0;
    for (int32_t i = 0; i < requested->count; ++i) {
        items[count++] = requested->items[i];
    }
    bool any = false;
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        coif_growth_surface surface;
        if (coif_studio_growth_surface(&surface, studio, &grooms->children[g], NULL) != COIF_OK) {
            continue;
        }
        const double strands = coif_growth_surface_max_roots(&surface);
        if (strands > DRAFT_STRANDS) {
            const coif_overrides limit = coif_strand_limit_overrides(g, DRAFT_STRANDS, arena);
            items[count++] = limit.items[0];
            items[count++] = limit.items[1];
            items[count++] = coif_arena_print(
                arena, "grooms/%d/radius=%.6g", g,
                draft_radius((double)surface.params.radius, DRAFT_STRANDS / strands));
        }
        any |= strands > DRAFT_ABOVE;
    }
    items[count++] = "image/samples=2";
    count += resize ? add_size(items + count, scene, arena) : 0;
    *draft = (coif_overrides){items, count};
    return any;
}

uint64_t coif_groom_cache_key(const coif_scene *scene, const coif_revisions *revisions, int frame)
{
    static const char *const ignored[] = {"camera", "lights", "image", NULL};
    const uint64_t inputs[] = {coif_node_digest(scene->root, ignored), revisions->maps,
                               revisions->hair, (uint64_t)frame};
    const uint64_t key = coif_hash64(inputs, sizeof inputs);
    return key != 0 ? key : 1;
}

coif_status coif_groom_cache_update(coif_groom_cache *cache, const coif_scene *scene, uint64_t key,
                                    int frame, coif_jobs *jobs, coif_progress *progress,
                                    coif_error *error)
{
    if (cache->key == key) {
        return COIF_OK;
    }
    cache->key = 0;
    COIF_TRY(coif_path_make_directory(cache->folder, error));
    const coif_simulate_desc desc = {.scene = scene, .folder = cache->folder, .moment = &frame};
    COIF_TRY(coif_simulate_groom(&desc, jobs, progress, error));
    cache->key = key;
    return COIF_OK;
}

coif_status coif_groom_cache_prefetch(coif_groom_cache caches[COIF_CACHES], coif_studio *studio,
                                      const int *frame, coif_jobs *jobs, coif_progress *progress,
                                      coif_arena *scratch, coif_error *error)
{
    const coif_overrides none = {NULL, 0};
    coif_overrides overrides;
    pthread_mutex_lock(&studio->lock);
    const int at = frame != NULL ? *frame : coif_timeline_of(&studio->scene).first;
    const bool draft =
        coif_groom_cache_draft(&overrides, studio, &studio->scene, &none, true, scratch);
    pthread_mutex_unlock(&studio->lock);
    coif_scene scene;
    coif_revisions revisions;
    COIF_TRY(coif_studio_snapshot(&scene, &revisions, studio, draft ? &overrides : &none, scratch,
                                  error));
    const uint64_t key = coif_groom_cache_key(&scene, &revisions, at);
    return coif_groom_cache_update(&caches[draft ? COIF_CACHE_DRAFT : COIF_CACHE_FULL], &scene, key,
                                   at, jobs, progress, error);
}
