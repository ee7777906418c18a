// cache_edit: corrected copies of simulated caches; `coif cache`.
//
// A corrected frame holds the metadata of the frame it was made of, without the digest of the
// simulation's settings, and a line "corrected=" with all corrections. The renderer accepts it as
// long as the inputs of the simulation are the same; the simulation never takes it for its own.
#ifndef COIF_SIM_CACHE_CACHE_EDIT_H
#define COIF_SIM_CACHE_CACHE_EDIT_H

#include "core/scene/scene.h"
#include "sim/cache/cache_plan.h"

typedef struct coif_cache_edit_desc {
    const coif_scene *scene;
    const char *sources[2]; // folders of the input; the second is for COIF_CACHE_BLEND
    const char *folder;     // of the output; not one of the sources
    coif_cache_params params;
    coif_frame_range frames; // to write; none given: all that the operation makes
    const char *groom;       // NULL: all; the frames of the others are copied
    const char *map; // name of a scalp map: 0 keeps the input, 1 is the operation; NULL: none
    const char *description; // for the metadata: "smooth radius=2"
} coif_cache_edit_desc;

// Writes NAME.groom and NAME.0001.strands, ... of the grooms of the scene. Velocities of strands
// that have changed are central differences of the new positions.
coif_status coif_cache_edit(const coif_cache_edit_desc *desc, coif_jobs *jobs,
                            coif_progress *progress, coif_error *error);

#endif
