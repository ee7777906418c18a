// groom_cache: generated hair of the renders, in folders of groom files. A cache stays valid while
// its inputs are unchanged: another camera or light needs no new hair.
#ifndef COIF_TOOLS_STUDIO_SERVER_RENDER_GROOM_CACHE_H
#define COIF_TOOLS_STUDIO_SERVER_RENDER_GROOM_CACHE_H

#include "tools/studio/server/document/studio.h"

typedef enum coif_groom_cache_kind {
    COIF_CACHE_DRAFT, // fewer, thicker strands
    COIF_CACHE_FULL,
    COIF_CACHE_LIVE_DRAFT, // see live_snapshot.h
    COIF_CACHE_LIVE,
    COIF_CACHES,
} coif_groom_cache_kind;

typedef struct coif_groom_cache {
    char folder[4096];
    uint64_t key; // digest of the inputs; 0: empty
} coif_groom_cache;

// Overrides for a draft on top of those requested: fewer, thicker strands, two samples, and with
// resize a smaller image. False when the scene is small enough without. Call with the studio's
// lock.
bool coif_groom_cache_draft(coif_overrides *draft, const coif_studio *studio,
                            const coif_scene *scene, const coif_overrides *requested, bool resize,
                            coif_arena *arena);

// Digest of the inputs of the hair at a frame. Revisions are those of the snapshot.
uint64_t coif_groom_cache_key(const coif_scene *scene, const coif_revisions *revisions, int frame);

// Generates the hair unless the cache has the key.
coif_status coif_groom_cache_update(coif_groom_cache *cache, const coif_scene *scene, uint64_t key,
                                    int frame, coif_jobs *jobs, coif_progress *progress,
                                    coif_error *error);

// Generates the hair of the next preview in advance: the draft, or the full groom where there is no
// draft. Frame NULL: the first one. Scratch gets a copy of the scene. Locks the studio.
coif_status coif_groom_cache_prefetch(coif_groom_cache caches[COIF_CACHES], coif_studio *studio,
                                      const int *frame, coif_jobs *jobs, coif_progress *progress,
                                      coif_arena *scratch, coif_error *error);

#endif
