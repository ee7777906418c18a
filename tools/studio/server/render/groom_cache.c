#include "tools/studio/server/render/groom_cache.h"

#include "core/base/hash64.h"
#include "sim/groom/groom_generate.h"
#include "sim/run/simulate.h"

#include <string.h>

// Strands of each groom, and from how many on there is a sketch at all.
enum { SKETCH_STRANDS = 2500, SKETCH_ABOVE = 6000 };

// Of its longer side, in pixels: developing a large picture takes longer than its first rays.
static const double SKETCH_SIDE = 512.0;

// Of a head; only to guess how many strands a number per area will give.
static const double SCALP_CM2 = 600.0;

// Thicker, but not by as much as strands are fewer: they would be ropes.
static double thickened(double radius, double share)
{
    const double wanted = radius * (share > 0.3 ? 1.0 : 0.3 / share);
    return wanted < 8e-4 ? wanted : radius > 8e-4 ? radius : 8e-4;
}

static int32_t add_size(const char **items, const coif_scene *whole, coif_arena *arena)
{
    const coif_values *image = &coif_node_at(whole->root, "image")->values;
    const double width = coif_values_find(image, "width")->numbers[0];
    const double height = coif_values_find(image, "height")->numbers[0];
    const double side = width > height ? width : height;
    if (side <= SKETCH_SIDE) {
        return 0;
    }
    const double scale = SKETCH_SIDE / side;
    items[0] = coif_arena_print(arena, "image/width=%d", (int)(scale * width + 0.5));
    items[1] = coif_arena_print(arena, "image/height=%d", (int)(scale * height + 0.5));
    return 2;
}

bool coif_groom_cache_sketch(coif_sets *sets, const coif_scene *whole, const coif_sets *wanted,
                             bool any_size, coif_arena *arena)
{
    const coif_node *grooms = coif_node_at(whole->root, "grooms");
    const char **items =
        coif_arena_new(arena, wanted->count + 3 * grooms->child_count + 3, const char *);
    int32_t count = 0;
    for (int32_t i = 0; i < wanted->count; ++i) {
        items[count++] = wanted->items[i];
    }
    bool any = false;
    for (int32_t g = 0; g < grooms->child_count; ++g) {
        coif_groom_params params;
        coif_node_read(&grooms->children[g], 0.0, &params);
        const double strands = params.strands_per_cm2 > 0.0f
                                   ? (double)params.strands_per_cm2 * SCALP_CM2
                                   : params.count;
        if (strands > SKETCH_STRANDS) {
            const coif_sets thin = coif_strand_limit_overrides(g, SKETCH_STRANDS, arena);
            items[count++] = thin.items[0];
            items[count++] = thin.items[1];
            items[count++] =
                coif_arena_print(arena, "grooms/%d/radius=%.6g", g,
                                 thickened((double)params.radius, SKETCH_STRANDS / strands));
        }
        any |= strands > SKETCH_ABOVE;
    }
    items[count++] = "image/samples=2";
    count += any_size ? add_size(items + count, whole, arena) : 0;
    *sets = (coif_sets){items, count};
    return any;
}

uint64_t coif_groom_cache_key(const coif_scene *scene, coif_studio *studio, int frame)
{
    static const char *const elsewhere[] = {"camera", "lights", "image", NULL};
    const uint64_t words[2] = {coif_node_digest(scene->root, elsewhere), (uint64_t)frame};
    uint64_t key = coif_hash64(words, sizeof words);
    pthread_mutex_lock(&studio->lock);
    for (int32_t i = 0; i < studio->layer_count; ++i) {
        key = coif_hash64_extend(key, &studio->layers[i].revision, sizeof(uint64_t));
    }
    pthread_mutex_unlock(&studio->lock);
    return key != 0 ? key : 1;
}

coif_status coif_groom_cache_grow(coif_groom_cache *stage, const coif_scene *scene, uint64_t key,
                                  int frame, coif_jobs *jobs, coif_progress *progress,
                                  coif_error *error)
{
    if (stage->key == key) {
        return COIF_OK;
    }
    stage->key = 0;
    COIF_TRY(coif_path_make_directory(stage->folder, error));
    const coif_simulate_desc grow = {.scene = scene, .folder = stage->folder, .moment = &frame};
    COIF_TRY(coif_simulate_groom(&grow, jobs, progress, error));
    stage->key = key;
    return COIF_OK;
}

coif_status coif_groom_cache_make_ready(coif_groom_cache stages[COIF_STAGES], coif_studio *studio,
                                        const int *frame, coif_jobs *jobs, coif_progress *progress,
                                        coif_arena *scratch, coif_error *error)
{
    const coif_sets none = {NULL, 0};
    coif_sets sets;
    pthread_mutex_lock(&studio->lock);
    const int when = frame != NULL ? *frame : coif_timeline_of(&studio->scene).first;
    const bool few = coif_groom_cache_sketch(&sets, &studio->scene, &none, true, scratch);
    pthread_mutex_unlock(&studio->lock);
    coif_scene scene;
    COIF_TRY(coif_studio_snapshot(&scene, NULL, studio, few ? &sets : &none, scratch, error));
    const uint64_t key = coif_groom_cache_key(&scene, studio, when);
    return coif_groom_cache_grow(&stages[few ? COIF_STAGE_SKETCH : COIF_STAGE_WHOLE], &scene, key,
                                 when, jobs, progress, error);
}
