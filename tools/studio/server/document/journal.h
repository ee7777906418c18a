// journal: write-ahead log of all changes since the last save, for recovery after a crash.
//
// The file .NAME.journal beside the scene starts with the digest of the scene file, followed by one
// record per operation. A truncated or damaged record ends it; earlier records are valid. Before a
// save replaces the scene file, it adds the digest of the new one: everything before it is then in
// files.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_JOURNAL_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_JOURNAL_H

#include "core/base/arena.h"
#include "core/base/error.h"

typedef enum coif_journal_op {
    COIF_OP_BASE,   // digest of the scene file
    COIF_OP_SCENE,  // the whole scene text, a step of its own
    COIF_OP_STROKE, // stroke id, zero byte, name of the map, zero byte, tile records
    COIF_OP_UNDO,
    COIF_OP_REDO,
    COIF_OP_NEW_MAP, // see paint_maps.h
    COIF_OP_EDIT,    // stroke id, zero byte, the whole scene text
    COIF_OP_BRUSH,   // see studio_hair.c
    COIF_OP_GUIDES   // stroke id, zero byte, name of the guides, zero byte, records of guides
} coif_journal_op;

typedef struct coif_journal {
    int descriptor;   // -1: closed
    uint64_t base;    // digest of the scene file
    bool quarantined; // an unusable journal, or its rest, was kept as PATH.old
    char path[4096];
} coif_journal;

typedef struct coif_replay {
    uint64_t base; // digest of the scene file now
    coif_status (*apply)(void *context, coif_journal_op op, const char *data, size_t size,
                         coif_error *error);
    void *context;
} coif_replay;

// Opens the journal and applies the records of an earlier session; replayed gets their number. When
// one fails, the whole journal is kept as PATH.old, as is one that belongs to another scene file.
coif_status coif_journal_open(coif_journal *journal, const char *path, const coif_replay *replay,
                              int32_t *replayed, coif_error *error);

// On disk when it returns; a record that could not be written completely is removed again.
coif_status coif_journal_add(coif_journal *journal, coif_journal_op op, const char *data,
                             size_t size, coif_error *error);

// After a save: removes all records.
coif_status coif_journal_restart(coif_journal *journal, uint64_t base, coif_error *error);

// With remove, also deletes the file.
void coif_journal_close(coif_journal *journal, bool remove);

#endif
