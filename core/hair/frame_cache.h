// Frame cache: the simulated strands of one frame on disk, NAME.0042.strands.
//
// A frame holds positions and velocities of the simulated strands, radius and colours where they
// differ from the groom, and for animated grooms the rest points of all strands. Offsets are not
// stored: the frame refers to its groom by digest.
//
// Quantised frames are for rendering: the error of positions is at most the extent of the hair /
// 131070 per axis (0.5 m: 4 micrometres), that of velocities their range / 131070.
#ifndef COIF_CORE_HAIR_FRAME_CACHE_H
#define COIF_CORE_HAIR_FRAME_CACHE_H

#include "core/hair/groom.h"

// Simulation statistics of a frame, equal on every machine.
typedef struct coif_frame_stats {
    double stretch;    // maximum relative error of a segment length
    double contacts;   // points in contact with a body
    double not_finite; // strands reset because of a non-finite number
} coif_frame_stats;

typedef struct coif_frame_cache_desc {
    int frame;
    double time;   // seconds
    bool quantise; // 16-bit positions and velocities instead of exact floats
    // Diverged strands that were reset.
    int32_t reset_count;
    coif_frame_stats stats;
    const char *metadata; // key=value lines; borrowed
    coif_jobs *jobs;      // save: compresses in parallel, same bytes; may be NULL
} coif_frame_cache_desc;

// Strands must have the topology of the simulated strands of groom and finite numbers.
coif_status coif_frame_cache_save(const coif_strands *strands, const coif_groom *groom,
                                  const coif_frame_cache_desc *desc, const char *path,
                                  coif_error *error);

// Loads the simulated strands of groom. A frame of another groom is COIF_ERR_FORMAT. Desc may be
// NULL.
coif_status coif_frame_cache_load(coif_strands *strands, coif_frame_cache_desc *desc,
                                  const coif_groom *groom, const char *path, coif_arena *arena,
                                  coif_error *error);

// FOLDER/NAME.groom, FOLDER/NAME.0042.strands, FOLDER/NAME.0040.state
char *coif_groom_file_path(const char *folder, const char *name, coif_arena *arena);
char *coif_frame_file_path(const char *folder, const char *name, int frame, coif_arena *arena);
char *coif_state_file_path(const char *folder, const char *name, int frame, coif_arena *arena);

#endif
