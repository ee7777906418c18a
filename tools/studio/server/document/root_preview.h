// root_preview: the roots that grow with the current maps, updated after every stroke.
//
// The root candidates of a groom are fixed; a stroke re-evaluates the density only of candidates
// near changed texels.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_ROOT_PREVIEW_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_ROOT_PREVIEW_H

#include "core/mesh/mesh.h"
#include "tools/studio/server/document/growth_surface.h"
#include "tools/studio/server/document/paint_map.h"

typedef struct coif_root_preview coif_root_preview;

coif_root_preview *coif_root_preview_new(coif_arena *arena);

// Drops all candidates: the bodies have changed, or the studio is closed.
void coif_root_preview_reset(coif_root_preview *preview);

// A tile of a map has changed.
void coif_root_preview_invalidate(coif_root_preview *preview, const coif_paint_map *map,
                                  const coif_tile_texels *tile);

typedef struct coif_root_preview_query {
    const coif_growth_surface *surface;
    const coif_node *groom;
    int32_t groom_index;
    const char *scene_path;  // for messages
    uint64_t bodies_digest;  // of the "bodies" section
    uint64_t scene_revision; // another one re-evaluates all candidates
    coif_jobs *jobs;
} coif_root_preview_query;

typedef struct coif_root_preview_state {
    int32_t candidates;
    const coif_surface_point *points; // of the candidates
    const uint8_t *grows;             // per candidate
    int32_t count;                    // of growing roots
    double area;                      // of the growth surface, m2
    int64_t evaluated;                // candidates evaluated by this update
} coif_root_preview_state;

// The candidates that a page displays: growing ones and, up to the limit, a share of the others, so
// that a groom that covers a small part of its body is shown in full. Indices into the points,
// ascending. The page chooses an id above 0; the oldest selection is dropped.
typedef struct coif_root_selection {
    uint32_t id;
    int32_t limit, count;
    int32_t *indices;
} coif_root_selection;
const coif_root_selection *coif_root_preview_select(coif_root_preview *preview, uint32_t id,
                                                    int32_t limit);

// The selection of that id, NULL when it was dropped.
const coif_root_selection *coif_root_preview_selection(const coif_root_preview *preview,
                                                       uint32_t id);

// Candidates per growing root at the last update, at least 1; 1 for another groom.
double coif_root_preview_ratio(const coif_root_preview *preview, int32_t groom_index);

coif_status coif_root_preview_update(coif_root_preview_state *state, coif_root_preview *preview,
                                     const coif_root_preview_query *query, coif_error *error);

#endif
