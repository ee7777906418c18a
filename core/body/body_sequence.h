// Body animation from a sequence of OBJ files, one per frame, or from an archive.
#ifndef COIF_CORE_BODY_BODY_SEQUENCE_H
#define COIF_CORE_BODY_BODY_SEQUENCE_H

#include "core/body/body_archive.h"
#include "core/mesh/mesh.h"

typedef struct coif_body_sequence {
    const char *pattern;              // "head.####.obj", or one file for all frames
    const coif_body_archive *archive; // NULL: files
    int first, last;                  // frame numbers
    float scale;                      // metres per unit of the files
    bool z_up;                        // of the files
    const coif_mesh *rest;            // bind pose, scaled; gives topology and triangulation
    int rest_frame;                   // frame whose file is the rest mesh; -1: none
    const char *rest_path;            // its file
} coif_body_sequence;

// Whether the file name (not its directory) contains #.
bool coif_body_sequence_is_pattern(const char *path);

// The path with # in its file name replaced by a frame number.
char *coif_body_sequence_path(const char *path, int frame, coif_arena *arena);

// First and last frame with a file; a gap is an error that names the first missing file.
coif_status coif_body_sequence_find(int *first, int *last, const char *path, coif_arena *scratch,
                                    coif_error *error);

// Digest of the file of a frame, clamped to the range of the sequence; of an archive, of polygons
// and positions at the frame.
coif_status coif_body_sequence_digest(uint64_t *digest, const coif_body_sequence *sequence,
                                      int frame, coif_error *error);

// Positions and corner normals of the sequence at a frame, before the keyed motion.
coif_status coif_body_sequence_pose(coif_mesh *mesh, const coif_body_sequence *sequence,
                                    double frame, coif_error *error);

#endif
