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

// Parts of it, also for recordings. The scene with enough strands of the groom simulated:
coif_status coif_live_full_scene(coif_scene *scene, coif_studio *studio,
                                 const coif_overrides *overrides, int32_t groom, coif_arena *arena,
                                 coif_error *error);

// A groom without simulated strands, all of which follow their roots, and a cache frame of it.
coif_status coif_live_rest_groom(coif_groom *groom, const coif_scene *scene, const coif_node *node,
                                 const coif_body *body, int frame, coif_arena *arena,
                                 coif_jobs *jobs, coif_error *error);
coif_status coif_live_rest_frame_save(const coif_groom *groom, const char *name, int frame,
                                      const char *folder, coif_jobs *jobs, coif_error *error);

#endif
