// frozen: live hair as it is at this moment, as a cache that pictures are made from: all strands of
// the groom follow those that move, and the other grooms stand at rest.
#ifndef COIF_TOOLS_STUDIO_FROZEN_H
#define COIF_TOOLS_STUDIO_FROZEN_H

#include "core/fs.h"
#include "tools/studio/thin.h"

// Fills the folder; frame gets which one of the cache it is. Takes the studio's lock.
coif_status coif_frozen_make(int *frame, const char *folder, coif_studio *studio,
                             const coif_sets *sets, coif_jobs *jobs, coif_error *error);

#endif
