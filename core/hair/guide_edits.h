// guide_edits: guides of a groom before and after brushes. Strands of the groom follow the
// difference (sim/groom/guide_deform.h), so that edits apply to generated and to imported strands,
// and stay when the groom below them changes.
//
// A .guides file is a pack; read as a strand file it gives the edited guides.
#ifndef COIF_CORE_HAIR_GUIDE_EDITS_H
#define COIF_CORE_HAIR_GUIDE_EDITS_H

#include "core/base/fs.h"
#include "core/hair/formats/strand_file.h"
#include "core/hair/strands.h"

enum {
    COIF_GUIDE_DELETED = 1, // strands nearest to it do not grow
    COIF_GUIDE_PINNED = 2,  // brushes leave it as it is
    COIF_GUIDE_ADDED = 4,   // drawn: a strand of its own beside those of the groom
    COIF_GUIDE_FLAGS = 7
};

// A drawn guide that was deleted acts on no strand.
static inline bool coif_guide_acts(uint8_t flags)
{
    return (flags & (COIF_GUIDE_ADDED | COIF_GUIDE_DELETED)) !=
           (COIF_GUIDE_ADDED | COIF_GUIDE_DELETED);
}

// Whether the guide is a strand of the groom by itself.
static inline bool coif_guide_is_strand(uint8_t flags)
{
    return (flags & COIF_GUIDE_ADDED) != 0 && coif_guide_acts(flags);
}

typedef struct coif_guide_edits {
    coif_strands edited; // with root_uv
    coif_vec4 *rest;     // per point: before the brushes, cut like the edited guide
    coif_vec3 *normals;  // per guide: of the scalp at its root
    float *kept;         // per guide: fraction of the length that cutting left
    uint8_t *flags;      // per guide
} coif_guide_edits;

// Memory of guides of the given lengths; kept is 1, everything else 0.
coif_status coif_guide_edits_init(coif_guide_edits *edits, const int32_t *lengths, int32_t count,
                                  coif_arena *arena, coif_error *error);

// Deep copy.
void coif_guide_edits_copy(coif_guide_edits *copy, const coif_guide_edits *edits,
                           coif_arena *arena);

// Deep copy followed by one more guide with `points` points, which are 0; kept is 1.
coif_status coif_guide_edits_extend(coif_guide_edits *copy, const coif_guide_edits *edits,
                                    int32_t points, coif_arena *arena, coif_error *error);

coif_status coif_guide_edits_save(const coif_guide_edits *edits, const char *path,
                                  coif_error *error);

// All numbers of the file are validated.
coif_status coif_guide_edits_load(coif_guide_edits *edits, const char *path, coif_arena *arena,
                                  coif_error *error);
coif_status coif_guide_edits_read(coif_guide_edits *edits, const coif_bytes *bytes,
                                  coif_arena *arena, coif_error *error);

// The edited guides that are not deleted, as a strand format.
coif_status coif_guides_read(coif_strand_file *file, const coif_bytes *bytes,
                             const coif_hair_import *import, coif_arena *arena, coif_error *error);

// Edits in memory that replace files: those of an editor that are not saved yet. Find returns NULL
// for other paths.
typedef struct coif_guide_overrides {
    void *data;
    const coif_guide_edits *(*find)(void *data, const char *path);
} coif_guide_overrides;

#endif
