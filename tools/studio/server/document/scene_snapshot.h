// scene_snapshot: a copy of the scene and its paint maps for work without the document lock.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_SCENE_SNAPSHOT_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_SCENE_SNAPSHOT_H

#include "tools/studio/server/document/studio.h"

// "PATH=VALUE" as for --set.
typedef struct coif_overrides {
    const char *const *items;
    int32_t count;
} coif_overrides;

// Limits one groom to a number of strands.
coif_overrides coif_strand_limit_overrides(int32_t groom, int32_t strands, coif_arena *arena);

// Copies the current scene to arena. Locks the studio. Revision may be NULL; it gets that of the
// scene text.
coif_status coif_studio_snapshot(coif_scene *scene, uint64_t *revision, coif_studio *studio,
                                 const coif_overrides *overrides, coif_arena *arena,
                                 coif_error *error);

#endif
