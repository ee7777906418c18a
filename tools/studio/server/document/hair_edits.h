// hair_edits: edited guides of the grooms of a scene while brushes act on them.
//
// A groom gets its guides at the first stroke: some of its own strands, which strands then follow
// (core/hair/guide_edits.h), so that nothing moves. Their file is written at once, unchanged, so
// that the scene can refer to it; later changes are written by a save.
//
// Wire format of a dab, little endian, 76 bytes: u32 tool, u32 flags (1 invert, 2 mirror, then the
// mirror axis in the next two bits), float position x, y, z, view x, y, z, front, drag x, y, z,
// normal x, y, z, radius, strength, hardness, f32 unused. All dabs of a request have one tool. The
// positions of draw dabs form a line: a guide is added along it, or, inverted, hair with roots
// within the radius of its first point follows it.
#ifndef COIF_TOOLS_STUDIO_SERVER_DOCUMENT_HAIR_EDITS_H
#define COIF_TOOLS_STUDIO_SERVER_DOCUMENT_HAIR_EDITS_H

#include "core/body/body.h"
#include "core/hair/groom.h"
#include "core/hair/guide_edits.h"
#include "core/scene/scene.h"
#include "sim/groom/scalp_closest_point.h"
#include "sim/groom/strand_brush.h"
#include "tools/studio/server/document/paint_map.h"

// Guides made from strands of a groom, and with those that are drawn.
enum { COIF_MAX_EDIT_GUIDES = 4096, COIF_MAX_GUIDES_OF_GROOM = 16384 };
enum { COIF_MAX_EDITED_GROOMS = 64, COIF_DAB_BYTES = 76 };

// Tools beside those of strand_brush.h.
enum { COIF_BRUSH_PIN = COIF_BRUSH_TOOLS, COIF_BRUSH_DRAW, COIF_HAIR_TOOLS };

typedef struct coif_edited_guides {
    const char *path; // as resolved by the scene
    coif_guide_edits guides;
    float *segments;     // per point: length of the segment that ends there
    uint64_t *revisions; // per guide: of the last change
    uint64_t revision;   // of the last change
    coif_file_stamp stamp;
    bool referenced;     // by the scene; unreferenced guides may return by undo
    bool outside_folder; // of the scene: never written
    bool unsaved_new;    // a file that no saved scene refers to yet
    bool dirty;          // differs from the file
    coif_arena arena;
} coif_edited_guides;

typedef struct coif_hair_edits {
    const char *folder;                               // of the scene
    coif_edited_guides items[COIF_MAX_EDITED_GROOMS]; // never removed
    int32_t count;
} coif_hair_edits;

// State of a guide, for undo.
typedef struct coif_guide_state {
    coif_vec4 *edited, *rest; // rest NULL: unchanged
    float kept;
    uint8_t flags;
} coif_guide_state;

// A part of a stroke: dabs of the wire format and weights of the guides from a mask, or NULL.
typedef struct coif_hair_stroke {
    const void *dabs;
    size_t size;
    const uint8_t *mask; // per guide, 0 or 1
} coif_hair_stroke;

coif_edited_guides *coif_hair_edits_find(coif_hair_edits *edits, const char *path);

// Path relative to the folder of the scene, for the journal, and its inverse.
const char *coif_hair_edits_name(const coif_hair_edits *edits, const coif_edited_guides *guides);
coif_edited_guides *coif_hair_edits_find_name(coif_hair_edits *edits, const char *name);

// Loads the files that a scene refers to and marks them as referenced.
coif_status coif_hair_edits_load_referenced(coif_hair_edits *edits, const coif_scene *scene,
                                            coif_error *error);

// Guides from strands of a groom, unchanged; none of a groom without hair. Writes the file and adds
// them.
coif_status coif_hair_edits_add(coif_hair_edits *edits, const char *path, const coif_groom *groom,
                                coif_error *error);

// The body at rest, and the part of it that hair grows on.
typedef struct coif_brush_surfaces {
    coif_collider body;
    coif_sdf sdf; // of the body
    bool has_sdf;
    coif_scalp_locator scalp;
} coif_brush_surfaces;

// What guides grow on and stay out of.
typedef struct coif_hair_surface {
    coif_brush_body body;
    const coif_scalp_locator *scalp;
    int32_t points; // of a strand without others
    float radius;   // of it, m
} coif_hair_surface;

// Applies a part of a stroke; *changed gets 1 for each guide that has changed or was added, in
// arena. Malformed dabs change nothing.
coif_status coif_edited_guides_brush(uint8_t **changed, coif_edited_guides *guides,
                                     const coif_hair_stroke *stroke,
                                     const coif_hair_surface *surface, uint64_t revision,
                                     coif_arena *arena, coif_jobs *jobs, coif_error *error);

// Appends a guide with points at 0.
coif_status coif_edited_guides_extend(coif_edited_guides *guides, int32_t points,
                                      coif_error *error);

// Lengths of the segments of a guide from its points.
void coif_edited_guides_measure(coif_edited_guides *guides, int32_t guide);

// The current state, which refers to the guides, and back.
coif_guide_state coif_edited_guides_state(const coif_edited_guides *guides, int32_t guide);
void coif_edited_guides_write(coif_edited_guides *guides, int32_t guide,
                              const coif_guide_state *state, uint64_t revision);

// Records of guides that changed after a revision, for the journal: u32 guide, u32 flags, float
// kept, then edited and rest points. Apply reads all of them before anything is written.
void coif_edited_guides_pack(const coif_edited_guides *guides, uint64_t since, coif_strbuf *out);
typedef void coif_guide_visit(void *context, int32_t guide, const coif_guide_state *state);
coif_status coif_edited_guides_unpack(const coif_edited_guides *guides, const coif_bytes *records,
                                      coif_guide_visit *visit, void *context, coif_error *error);

// Of everything that a save writes.
uint64_t coif_edited_guides_digest(const coif_edited_guides *guides);

// 1 for each guide whose root has a texel of a map.
uint8_t *coif_edited_guides_mask(const coif_edited_guides *guides, const coif_paint_map *map,
                                 uint16_t texel, coif_arena *arena);

bool coif_edited_guides_modified_file(const coif_edited_guides *guides);
coif_status coif_edited_guides_save(coif_edited_guides *guides, coif_error *error);

// Loads NAME.previous.guides instead when that has the digest: a save was interrupted after the
// guides and before the journal.
bool coif_edited_guides_restore_previous(coif_edited_guides *guides, uint64_t digest);

// Files of unsaved new guides that the scene does not refer to are removed.
void coif_hair_edits_remove_unsaved(const coif_hair_edits *edits);
void coif_hair_edits_mark_saved(coif_hair_edits *edits);
void coif_hair_edits_free(coif_hair_edits *edits);

// Copies of all referenced guides in arena, for work without the document lock.
void coif_hair_edits_snapshot(coif_guide_overrides *overrides, const coif_hair_edits *edits,
                              coif_arena *arena);
const coif_guide_edits *coif_hair_edits_override(void *edits, const char *path);

#endif
