// thin: a copy of the scene to work from without the lock, with fewer strands where that is wanted.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_SCENE_SNAPSHOT_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_SCENE_SNAPSHOT_H

#include "tools/studio/server/document/studio.h"

// As of --set.
typedef struct coif_sets {
    const char *const *items;
    int32_t count;
} coif_sets;

// So many strands of one groom.
coif_sets coif_strand_limit_overrides(int32_t groom, int32_t strands, coif_arena *arena);

// The scene as it is now, with its layers copied; all of it lives in arena. Takes the lock;
// revision, which may be NULL, gets that of the text.
coif_status coif_studio_snapshot(coif_scene *scene, uint64_t *revision, coif_studio *studio,
                                 const coif_sets *sets, coif_arena *arena, coif_error *error);

#endif
