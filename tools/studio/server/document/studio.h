// studio: one scene in the hands of one artist: its text, the layers that are painted, what was
// done and what can be undone.
//
// All of it is guarded by one lock, which routes hold while they answer. Long work (growing,
// moving, rendering) takes a copy of what it needs and goes on without the lock.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_STUDIO_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_STUDIO_H

#include "core/body/body.h"
#include "core/scene/scene.h"
#include "plugins/host/host.h"
#include "tools/studio/server/document/history.h"
#include "tools/studio/server/document/journal.h"
#include "tools/studio/server/http/http.h"

#include <pthread.h>

enum { COIF_MOST_LAYERS = 64 };

typedef struct coif_studio {
    const char *path;   // of the scene file
    const char *folder; // of the scene file: nothing is written elsewhere
    const char *cache;  // folder of frames to play back, or NULL
    const coif_section *tree;
    coif_plugin_lookup plugins;
    coif_jobs *jobs; // for work under the lock
    coif_http *http;

    pthread_mutex_t lock;
    pthread_mutex_t saving; // one at a time; taken before the lock
    uint64_t revision;      // grows with every change of text or layers

    char *text;                // of the scene as it is in the page
    coif_arena text_arenas[2]; // the present text's and the next one's, in turn
    int text_turn;
    uint64_t text_revision;
    uint64_t saved;      // digest of the file as it was read or written last
    uint64_t saved_text; // digest of the text then
    coif_scene scene;    // the text, checked
    coif_image_overrides pictures;

    coif_body *bodies;
    int32_t body_count;
    uint64_t bodies_digest;    // of what the scene said of them when they were loaded
    coif_arena body_arenas[2]; // likewise
    int body_turn;

    coif_paint_map layers[COIF_MOST_LAYERS]; // by number; none ever goes away
    int32_t layer_count;

    coif_history history;
    coif_journal journal;
    int32_t replayed;
    bool replaying; // deeds come from the journal: they are not written to it again

    struct coif_roots_view *roots;   // see roots_view.h
    struct coif_live_sim *motion;    // see motion.h
    struct coif_render_job *picture; // see picture.h
    struct coif_playback *playback;  // see playback.h
} coif_studio;

typedef struct coif_studio_desc {
    const char *path;
    const coif_section *tree;
    coif_plugin_lookup plugins;
    coif_jobs *jobs;
    const char *cache; // folder of frames to play back, or NULL
} coif_studio_desc;

// Loads the scene and replays what was not saved.
coif_status coif_studio_open(coif_studio *studio, const coif_studio_desc *desc, coif_arena *arena,
                             coif_error *error);
void coif_studio_close(coif_studio *studio);

// The functions below are called with the lock held.

// Takes a new text of the scene if it is right; the old one stays otherwise. Stroke joins changes
// to one step of the history, "" for a step of its own.
coif_status coif_studio_set_text(coif_studio *studio, const char *text, const char *stroke,
                                 coif_error *error);

// Values of it, by their places; a value is JSON, NULL takes it out. All or none are taken.
typedef struct coif_edit {
    const char *place, *value;
} coif_edit;
coif_status coif_studio_edit(coif_studio *studio, const coif_edit *edits, int32_t count,
                             const char *stroke, coif_error *error);

// Puts tiles into a layer.
coif_status coif_studio_paint(coif_studio *studio, coif_paint_map *layer, const char *stroke,
                              const coif_bytes *tiles, coif_error *error);

// False when there is nothing to take back or to do again.
coif_status coif_studio_undo(coif_studio *studio, bool *done, coif_error *error);
coif_status coif_studio_redo(coif_studio *studio, bool *done, coif_error *error);

bool coif_studio_dirty(const coif_studio *studio);

// Into the journal, unless it came from there.
coif_status coif_studio_journal_append(coif_studio *studio, coif_journal_op deed, const char *data,
                                       size_t size, coif_error *error);

// Takes the lock itself and gives it back while it writes. Writes the layers that changed and then
// the scene; each file is whole or as it was. Where somebody else has changed one of them
// meanwhile, which sets foreign, or taken the scene away, nothing is written but with force.
coif_status coif_studio_save(coif_studio *studio, bool force, bool *foreign, coif_error *error);

// Tells every page how things are.
void coif_studio_broadcast_state(coif_studio *studio);

// Tells every page what went wrong in work that nobody waits for. Needs no lock.
void coif_studio_report_error(coif_studio *studio, const coif_error *error);

// The scene as a program of its own would see it, for work without the lock: loaded from a copy of
// the text, with sets as of --set. Everything lives in arena.
coif_status coif_studio_scene(coif_scene *scene, const coif_studio *studio, const char *const *sets,
                              int32_t set_count, const coif_image_overrides *pictures,
                              coif_arena *arena, coif_error *error);

#endif
