// body_sequence: one OBJ file per frame, as other programs write them out.
#ifndef COIF_CORE_MESH_BODY_SEQUENCE_H
#define COIF_CORE_MESH_BODY_SEQUENCE_H

#include "core/mesh/body.h"

// Whether the name of the file (not of its folders) has a run of #.
bool coif_body_sequence_is_pattern(const char *path);

// The path with the run of # in its name replaced by a frame number.
char *coif_body_sequence_path(const char *path, int frame, coif_arena *arena);

// First and last number for which there is a file; a gap between them is an error that names the
// first missing file.
coif_status coif_body_sequence_find(int *first, int *last, const char *path, coif_arena *scratch,
                                    coif_error *error);

// Of the bytes of the file for a whole frame; beyond the ends that of the last file is held.
coif_status coif_body_sequence_digest(uint64_t *digest, const coif_body *body, int frame,
                                      coif_error *error);

// Points and corner normals of the body at a frame, before its motion.
coif_status coif_body_sequence_pose(coif_mesh *mesh, const coif_body *body, double frame,
                                    coif_error *error);

#endif
