// frozen: live hair as it is at this moment, as a cache that pictures are made from: all strands of
// the groom follow those that move, and the other grooms stand at rest on the body as it is held.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SNAPSHOT_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SNAPSHOT_H

#include "core/base/fs.h"
#include "tools/studio/server/document/scene_snapshot.h"

typedef struct coif_live_snapshot {
    int frame;           // which one of the cache it is
    coif_body_drag hand; // for the scene that the picture is made of
} coif_live_snapshot;

// Fills the folder; the name of the body is in the arena. Takes the studio's lock.
coif_status coif_live_snapshot_make(coif_live_snapshot *frozen, const char *folder,
                                    coif_studio *studio, const coif_sets *sets, coif_jobs *jobs,
                                    coif_arena *arena, coif_error *error);

#endif
