// grow_guides: curves that say how hair lies; strands between them lie between.
//
// A guide belongs where the scalp is nearest to its first point. A strand takes the directions of
// up to four guides that are nearest to its root and of its own region, each turned as the scalp
// turns from guide to root, weighted so that nothing jumps where guides change (modified inverse
// distances; Franke and Nielson 1980):
//
//   w_i = ((R - d_i) / (R d_i))^2,   R the distance of the fifth
//
// Directions are blended segment by segment and lengths on their own, so that strands between
// guides that part are not shortened.
#ifndef COIF_SIM_GROOM_GUIDE_CURVES_H
#define COIF_SIM_GROOM_GUIDE_CURVES_H

#include "sim/groom/modifiers.h"
#include "sim/groom/scalp_closest_point.h"

typedef struct coif_guides_desc {
    const char *path; // see formats/strand_file.h
    float scale;      // metres per unit
    bool z_up;
    int32_t points; // segments and one, that every guide is redrawn with; more if a guide has more
    int32_t points_most;
    const coif_scalp_locator *scalp;
} coif_guides_desc;

// A guide, found by where its root is.
typedef struct coif_guide_at {
    float x;
    int32_t guide;
} coif_guide_at;

typedef struct coif_guides {
    int32_t count, points;
    coif_surface_point *roots; // per guide: where it is on the scalp
    int32_t *region;           // per guide
    float *length;             // per guide, metres
    coif_vec3 *steps;          // points - 1 per guide: unit directions of its even segments
    coif_guide_at *by_x;       // ascending
    int32_t group_count;       // of the file
} coif_guides;

// Regions are the groups of the file until somebody sets others. Guides that begin far from the
// scalp are COIF_ERR_FORMAT.
coif_status coif_guides_load(coif_guides *guides, const coif_guides_desc *desc, coif_arena *arena,
                             coif_error *error);

// What strands take from guides. Each array may be NULL: not wanted.
typedef struct coif_guides_resample_request {
    const float *share; // per strand: times the length of the guides
    bool shape;         // strands get the points of the guides
    bool regions;       // strands get the region of the nearest guide
    float *flow;        // 3 per strand: where the guides go, from root to tip
    int32_t *region;    // per strand
} coif_guides_resample_request;

// Returns how many strands found no guide in their region: those stay as they are.
int32_t coif_guides_apply(coif_strand_buffer *growth, const coif_guides *guides,
                          const coif_guides_resample_request *wish, coif_jobs *jobs);

#endif
