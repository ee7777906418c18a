// studio: the document: scene text, paint maps, undo history and journal of one scene.
//
// One lock guards all of it; requests hold it while they are handled. Long work (generating hair,
// simulating, rendering) uses coif_studio_snapshot instead.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_STUDIO_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_STUDIO_H

#include "core/body/body.h"
#include "core/scene/map_query.h"
#include "core/scene/scene.h"
#include "plugins/host/host.h"
#include "tools/studio/server/document/broadcast.h"
#include "tools/studio/server/document/growth_surface.h"
#include "tools/studio/server/document/hair_edits.h"
#include "tools/studio/server/document/history.h"
#include "tools/studio/server/document/journal.h"
#include "tools/studio/server/document/map_stack.h"
#include "tools/studio/server/document/paint_maps.h"
#include "tools/studio/server/document/root_preview.h"

#include <pthread.h>

typedef struct coif_studio {
    const char *path;   // of the scene file
    const char *folder; // of the scene file: nothing is written outside it
    const char *cache;  // folder of a strand cache to play back, or NULL
    const coif_section *tree;
    coif_plugin_lookup plugins;
    coif_map_callback eval_map; // scalp maps of "hair" parameters
    coif_jobs *jobs;            // for work with the lock held
    coif_broadcast broadcast;   // set before the first request

    pthread_mutex_t lock;
    pthread_mutex_t saving; // one save at a time; locked before `lock`
    uint64_t revision;      // incremented by every change of text or maps

    char *text;                // of the scene
    coif_arena text_arenas[2]; // of the current text and of the next one, alternating
    int text_index;
    uint64_t text_revision;
    uint64_t file_digest; // of the scene file when it was last read or written
    uint64_t text_digest; // of the text then
    coif_scene scene;     // the parsed text
    coif_image_overrides images;
    coif_guide_overrides guides;

    coif_body *bodies;
    int32_t body_count;
    uint64_t bodies_digest;    // of the "bodies" section they were loaded from
    coif_arena body_arenas[2]; // alternating as above
    int body_index;

    coif_paint_maps maps;
    coif_map_stacks stacks; // of the current text
    coif_hair_edits hair;
    coif_brush_surfaces *brush_surfaces; // see coif_studio_brush; NULL: none
    uint64_t brush_surfaces_key;
    coif_arena brush_arena;
    coif_history history;
    coif_journal journal;
    int32_t replayed; // operations restored from the journal
    bool replaying;   // operations come from the journal and are not appended to it again
    coif_root_preview *roots;
} coif_studio;

typedef struct coif_studio_desc {
    const char *path;
    const coif_section *tree;
    coif_plugin_lookup plugins;
    coif_map_callback eval_map;
    coif_jobs *jobs;
    const char *cache; // folder of a strand cache to play back, or NULL
} coif_studio_desc;

// Loads the scene and replays the journal.
coif_status coif_studio_open(coif_studio *studio, const coif_studio_desc *desc, coif_arena *arena,
                             coif_error *error);
void coif_studio_close(coif_studio *studio);

// The functions below are called with the lock held, unless they say otherwise.

// Changes of values by JSON pointer: JSON text, or NULL to remove. All or none are applied. Changes
// with the same stroke id are one undo step; "" is always a new step.
typedef struct coif_edit {
    const char *pointer, *value;
} coif_edit;
coif_status coif_studio_edit(coif_studio *studio, const coif_edit *edits, int32_t count,
                             const char *stroke, coif_error *error);

// Applies tile records to a map.
coif_status coif_studio_paint(coif_studio *studio, coif_paint_map *map, const char *stroke,
                              const coif_bytes *tiles, coif_error *error);

// Brushes on hair (studio_hair.c): applies a part of a stroke to the guides of a groom, which must
// have some.
coif_status coif_studio_brush(coif_studio *studio, int32_t groom, const char *stroke,
                              const coif_hair_stroke *part, coif_error *error);

// Gives a groom edited guides, made of strands without edits, as a part of a stroke.
coif_status coif_studio_add_guides(coif_studio *studio, int32_t groom, const char *stroke,
                                   const coif_groom *strands, coif_error *error);

// The edited guides of a groom, or NULL.
coif_edited_guides *coif_studio_edited_guides(coif_studio *studio, const coif_node *groom);

// Journal records of strokes on hair.
coif_status coif_studio_replay_brush(coif_studio *studio, const coif_bytes *record,
                                     coif_error *error);
coif_status coif_studio_replay_guides(coif_studio *studio, const coif_bytes *record,
                                      coif_error *error);
coif_status coif_studio_journal_guides(coif_studio *studio, const coif_edited_guides *edited,
                                       const char *stroke, uint64_t since, coif_error *error);

// *done is false when there is no step.
coif_status coif_studio_undo(coif_studio *studio, bool *done, coif_error *error);
coif_status coif_studio_redo(coif_studio *studio, bool *done, coif_error *error);

bool coif_studio_dirty(const coif_studio *studio);

// Does nothing during replay.
coif_status coif_studio_journal_append(coif_studio *studio, coif_journal_op op, const char *data,
                                       size_t size, coif_error *error);

// Locks the studio itself and releases it while writing (save.c). Writes the dirty maps, then the
// scene, each atomically. Without force nothing is written when a file was modified externally,
// which sets *modified.
coif_status coif_studio_save(coif_studio *studio, bool force, bool *modified, coif_error *error);

// The groom with an index, and its growth surface.
coif_status coif_studio_groom(const coif_node **groom, const coif_studio *studio, int64_t index,
                              coif_error *error);
coif_status coif_studio_growth_surface(coif_growth_surface *surface, const coif_studio *studio,
                                       const coif_node *groom, coif_error *error);

// Of a new scene text: an edit that gives a groom a group that its body does not have is refused.
// One that was there before, or that a change of the body leaves behind, is reported with the
// state.
coif_status coif_studio_check_groups(const coif_studio *studio, const char *text,
                                     coif_error *error);

coif_status coif_studio_update_roots(coif_root_preview_state *state, coif_studio *studio,
                                     int32_t groom, coif_error *error);

// Digest of the revisions of all edited guides in use.
uint64_t coif_studio_hair_revision(const coif_studio *studio);

// Sends the "state" event.
void coif_studio_broadcast_state(coif_studio *studio);

// Sends the error of background work as a "failure" event. Needs no lock.
void coif_studio_report_error(coif_studio *studio, const coif_error *error);

// {"error": "..."} in arena. A message that was cut to fit coif_error ends at a character and "
// ...".
const char *coif_error_json(const coif_error *error, coif_arena *arena);

// "PATH=VALUE" as for --set.
typedef struct coif_overrides {
    const char *const *items;
    int32_t count;
} coif_overrides;

// Limits one groom to a number of strands.
coif_overrides coif_strand_limit_overrides(int32_t groom, int32_t strands, coif_arena *arena);

// Loads the current text with overrides, for use with the lock held.
coif_status coif_studio_scene(coif_scene *scene, const coif_studio *studio,
                              const coif_overrides *overrides, coif_arena *arena,
                              coif_error *error);

// Copies the current scene and its painted maps to arena, for work without the lock. Locks the
// studio. Revisions may be NULL.
typedef struct coif_revisions {
    uint64_t text, maps; // of the scene text; digest of those of all maps
    uint64_t hair;       // digest of those of all edited guides
} coif_revisions;
coif_status coif_studio_snapshot(coif_scene *scene, coif_revisions *revisions, coif_studio *studio,
                                 const coif_overrides *overrides, coif_arena *arena,
                                 coif_error *error);

#endif
