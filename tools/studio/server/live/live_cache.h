// live_cache: what snapshots and takes of the live simulation have in common: the scene whose
// strands get the simulated state, and frames of the grooms that are not simulated.
#ifndef COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_CACHE_H
#define COIF_TOOLS_STUDIO_SERVER_LIVE_LIVE_CACHE_H

#include "core/hair/groom.h"
#include "tools/studio/server/document/studio.h"

// The current scene with up to 3,000 strands of the groom simulated. Locks the studio.
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
