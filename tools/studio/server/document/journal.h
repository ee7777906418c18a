// journal: everything done since the last save, on the disk before anybody is told that it is done.
//
// A file beside the scene, .NAME.journal. It begins with the digest of the scene file it belongs
// to; then one record per deed. A record that is cut off or damaged ends it: what came before is
// whole.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_JOURNAL_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_JOURNAL_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef enum coif_journal_op {
    COIF_DEED_BASE,   // digest of the scene file
    COIF_DEED_SCENE,  // the scene's whole text
    COIF_DEED_STROKE, // name of the stroke, name of the layer, both ending in a zero byte; tiles
    COIF_DEED_UNDO,
    COIF_DEED_REDO,
    COIF_DEED_LAYER // a layer as it began, see layers.h
} coif_journal_op;

typedef struct coif_journal {
    int descriptor; // -1: none is kept
    uint64_t base;  // digest of the scene file it belongs to
    bool aside;     // one that was left behind, or its end, is kept as PATH.old
    char path[4096];
} coif_journal;

// Records of a journal that was left behind, in order; returns how many. Replay stops when it
// returns an error; what is left is then kept as PATH.old, as is a journal of another scene file.
typedef struct coif_replay {
    uint64_t base; // digest of the scene file as it is
    coif_status (*deed)(void *context, coif_journal_op deed, const char *data, size_t size,
                        coif_error *error);
    void *context;
} coif_replay;
coif_status coif_journal_open(coif_journal *journal, const char *path, const coif_replay *replay,
                              int32_t *replayed, coif_error *error);

coif_status coif_journal_add(coif_journal *journal, coif_journal_op deed, const char *data,
                             size_t size, coif_error *error);

// After a save: begins anew.
coif_status coif_journal_restart(coif_journal *journal, uint64_t base, coif_error *error);

// Empty journals are removed.
void coif_journal_close(coif_journal *journal, bool remove);

#endif
