// roots_view: which roots grow under what is painted, kept up to date stroke by stroke.
//
// Candidates of a groom stand still; a stroke only asks the density anew where it touched texels.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_ROOT_PREVIEW_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_ROOT_PREVIEW_H

#include "core/mesh/mesh.h"
#include "tools/studio/server/document/paint_map.h"

struct coif_studio;
typedef struct coif_roots_view coif_roots_view;

coif_roots_view *coif_roots_view_new(coif_arena *arena);

// Forgets all candidates: the body is another one, or the studio ends.
void coif_roots_view_reset(coif_roots_view *view);

// A tile of a layer has changed.
void coif_roots_view_touch(coif_roots_view *view, const coif_paint_map *layer,
                           const coif_tile_texels *tile);

typedef struct coif_roots_state {
    int32_t candidates;
    const coif_surface_point *points; // of the candidates
    const uint8_t *grows;             // per candidate
    int32_t count;                    // of those that grow
    double area;                      // m2 of the ground they stand on
    int64_t asked;                    // how many candidates were asked anew for this answer
} coif_roots_state;

coif_status coif_roots_view_update(coif_roots_state *state, struct coif_studio *studio,
                                   int32_t groom, coif_error *error);

#endif
