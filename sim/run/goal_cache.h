// goal_cache: positions that the strands of a groom track: frames of a cache, or strand files.
#ifndef COIF_SIM_RUN_GOAL_CACHE_H
#define COIF_SIM_RUN_GOAL_CACHE_H

#include "core/base/arena.h"
#include "core/hair/groom.h"

typedef struct coif_goal_cache {
    const char *pattern; // of the files of frames; NULL: no cache
    const coif_groom *groom;
    coif_groom *cached;        // the groom of a cache; NULL: strand files
    int32_t *cached_simulated; // per simulated strand: that of the cache
    coif_vec3 *begin, *end;    // positions of simulated strands at both ends of a frame
    double fps;
    int first, last; // frames with a file
    int frame;       // of end
    bool loaded;
} coif_goal_cache;

// Path: a folder of frames NAME.0001.strands with their groom NAME.groom, or strand files
// hair.####.hair without gaps, or an archive with the time samples of all frames; NULL or empty:
// none. A cache of another groom must have the same
// strands.
coif_status coif_goal_cache_open(coif_goal_cache *cache, const char *path, const char *name,
                                 const coif_groom *groom, double fps, coif_arena *arena,
                                 coif_error *error);

// Loads the positions of a frame and of the one before it. Before the first file and after the last
// one the goal stands still.
coif_status coif_goal_cache_set_frame(coif_goal_cache *cache, int frame, coif_error *error);

#endif
