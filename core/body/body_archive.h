// Meshes of archives (Alembic, USD) as bodies: static, or animated with samples at any time.
#ifndef COIF_CORE_BODY_BODY_ARCHIVE_H
#define COIF_CORE_BODY_BODY_ARCHIVE_H

#include "core/archive/archive.h"
#include "core/mesh/obj.h"

typedef struct coif_body_archive {
    const coif_archive *archive;
    int32_t object;
    double fps; // of the scene: frame f is at f / fps seconds
} coif_body_archive;

// Opens the mesh of that name, "" or NULL for the only one. Import may be NULL.
coif_status coif_body_archive_open(coif_body_archive *body, const char *path, const char *object,
                                   const coif_archive_import *import, double fps, coif_arena *arena,
                                   coif_error *error);

// Frames at and before the first sample, at and after the last.
void coif_body_archive_frames(int *first, int *last, const coif_body_archive *body);

// Whether samples are closer than frames.
bool coif_body_archive_has_subframes(const coif_body_archive *body);

// The polygons at a frame, which may be fractional; positions and normals are interpolated between
// samples of equal topology and constant beyond the first and the last.
coif_status coif_body_archive_read(coif_obj *obj, const coif_body_archive *body, double frame,
                                   coif_arena *arena, coif_error *error);

#endif
