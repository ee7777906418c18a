// expand: all strands of a frame from the simulated ones.
#ifndef COIF_CORE_EXPAND_H
#define COIF_CORE_EXPAND_H

#include "core/groom.h"
#include "core/mesh.h"

// Simulated strands are copied; a child keeps its rest shape in the moving frame of its root, adds
// the weighted departure of its guides from their own rest shapes, and gets its segment lengths
// back. Body is the mesh the groom grew on, posed at this frame, with the topology of mesh_digest.
coif_status coif_strands_expand(coif_strands *all, const coif_strands *simulated,
                                const coif_groom *groom, const coif_mesh *body, coif_arena *arena,
                                coif_jobs *jobs, coif_error *error);

#endif
