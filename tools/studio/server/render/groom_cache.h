// stage: the hair of a picture on its way to all of it: first a few thick strands, then the whole.
// Each stage is grown into a folder of its own and stays there for as long as nothing that it is
// made from changes, so that another camera or light needs no growing.
#ifndef COIF_TOOLS_STUDIO_SERVER_RENDER_GROOM_CACHE_H
#define COIF_TOOLS_STUDIO_SERVER_RENDER_GROOM_CACHE_H

#include "tools/studio/server/document/scene_snapshot.h"

typedef enum coif_groom_cache_kind {
    COIF_STAGE_SKETCH,
    COIF_STAGE_WHOLE,
    COIF_STAGE_LIVE_SKETCH, // see frozen.h
    COIF_STAGE_LIVE,
    COIF_STAGES,
} coif_groom_cache_kind;

typedef struct coif_groom_cache {
    char folder[4096];
    uint64_t key; // digest of what the hair there was made from; 0: none is there
} coif_groom_cache;

// What is set for a sketch on top of what is wanted: fewer strands, thicker by as much, in two
// samples, and no larger than it need be if any size will do. False when a sketch is not worth its
// while for this scene.
bool coif_groom_cache_sketch(coif_sets *sets, const coif_scene *whole, const coif_sets *wanted,
                             bool any_size, coif_arena *arena);

// What the hair of a scene at rest at a frame is made from; call with the studio's lock free.
uint64_t coif_groom_cache_key(const coif_scene *scene, coif_studio *studio, int frame);

// Grows the hair into the stage's folder unless it is there.
coif_status coif_groom_cache_grow(coif_groom_cache *stage, const coif_scene *scene, uint64_t key,
                                  int frame, coif_jobs *jobs, coif_progress *progress,
                                  coif_error *error);

// Grows what the first picture of the scene as it is now will show, while nobody waits for it: a
// sketch, or the whole where there is none. Frame is the first one for NULL; a copy of the scene is
// in scratch.
coif_status coif_groom_cache_make_ready(coif_groom_cache stages[COIF_STAGES], coif_studio *studio,
                                        const int *frame, coif_jobs *jobs, coif_progress *progress,
                                        coif_arena *scratch, coif_error *error);

#endif
