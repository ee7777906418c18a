// live_snapshot: the current state of the live simulation as a one-frame strand cache for the
// renderer. All strands of the simulated groom are interpolated from the simulated ones; other
// grooms are in their rest shape on the posed body.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SNAPSHOT_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_SNAPSHOT_H

#include "core/base/fs.h"
#include "tools/studio/server/live/live_sim.h"

typedef struct coif_live_snapshot {
    int frame;           // of the cache
    coif_body_drag drag; // for the rendered scene; the body's name is in arena
} coif_live_snapshot;

// Fills the folder. Locks the studio.
coif_status coif_live_snapshot_make(coif_live_snapshot *snapshot, const char *folder,
                                    coif_live_sim *sim, coif_studio *studio,
                                    const coif_overrides *overrides, coif_jobs *jobs,
                                    coif_arena *arena, coif_error *error);

#endif
