// cache: the strands of one frame on disk, NAME.0042.strands.
//
// A frame holds the simulated strands of one groom: positions, velocities, and radius and colours
// where they differ from the groom's; of hair that grows, all strands at rest as well. Offsets are
// not repeated: the frame names its groom by digest.
//
// Quantised frames are for rendering: positions are off by at most the extent of the hair / 131070
// per axis (0.5 m: 4 micrometres), velocities by their range / 131070.
#ifndef COIF_CORE_HAIR_FRAME_CACHE_H
#define COIF_CORE_HAIR_FRAME_CACHE_H

#include "core/hair/groom.h"

// How the simulation of a frame went: the same on every machine, so that files stay the same.
typedef struct coif_frame_stats {
    double stretch;    // the largest error of a segment's length, as a share of it
    double contacts;   // points that a body pushed
    double not_finite; // strands put back because a number was not finite
} coif_frame_stats;

typedef struct coif_frame_cache_desc {
    int frame;
    double time;   // seconds
    bool quantise; // 16-bit positions and velocities instead of exact floats
    // Strands put back to the last good frame because their numbers went wrong.
    int32_t reset_count;
    coif_frame_stats stats;
    const char *metadata; // lines of key=value; borrowed
    coif_jobs *jobs;      // save: packs in parallel, same bytes; may be NULL
} coif_frame_cache_desc;

// Strands must be shaped like the simulated ones of groom, and every number finite.
coif_status coif_frame_cache_save(const coif_strands *strands, const coif_groom *groom,
                                  const coif_frame_cache_desc *desc, const char *path,
                                  coif_error *error);

// Strands are the simulated strands of groom. A frame of another groom is COIF_ERR_FORMAT. Desc may
// be NULL; jobs in it stays NULL.
coif_status coif_frame_cache_load(coif_strands *strands, coif_frame_cache_desc *desc,
                                  const coif_groom *groom, const char *path, coif_arena *arena,
                                  coif_error *error);

// Whether path holds a whole, undamaged frame of this groom. No message when it does not.
bool coif_frame_cache_is_valid(const coif_groom *groom, const char *path, coif_arena *scratch);

// FOLDER/NAME.groom, FOLDER/NAME.0042.strands, FOLDER/NAME.0040.state
char *coif_groom_file_path(const char *folder, const char *name, coif_arena *arena);
char *coif_frame_file_path(const char *folder, const char *name, int frame, coif_arena *arena);
char *coif_state_file_path(const char *folder, const char *name, int frame, coif_arena *arena);

#endif
