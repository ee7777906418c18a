// guide_curves: guide curves that strands are interpolated from.
//
// The root of a guide is the point of the scalp closest to its first point. A strand blends the
// segment directions of up to four guides closest to its root and in its region, each rotated
// from the normal of the guide to that of the root. The weights are continuous where the set of
// guides changes (modified inverse distance weighting; Franke and Nielson 1980):
//
//   w_i = ((R - d_i) / (R d_i))^2,   R the distance of the fifth guide
//
// Directions are blended per segment and lengths separately, so that strands between diverging
// guides are not shortened.
#ifndef COIF_SIM_GROOM_GUIDE_CURVES_H
#define COIF_SIM_GROOM_GUIDE_CURVES_H

#include "sim/groom/scalp_closest_point.h"
#include "sim/groom/strand_buffer.h"

typedef struct coif_guides_desc {
    const char *path; // see formats/strand_file.h
    float scale;      // metres per unit
    bool z_up;
    int32_t points; // points that guides are resampled to; more if a guide has more
    int32_t max_points;
    const coif_scalp_locator *scalp;
} coif_guides_desc;

// Guide sorted by the x coordinate of its root.
typedef struct coif_guide_at {
    float x;
    int32_t guide;
} coif_guide_at;

typedef struct coif_guides {
    int32_t count, points;
    coif_surface_point *roots; // per guide: closest point of the scalp
    int32_t *region;           // per guide
    float *length;             // per guide, metres
    coif_vec3
        *steps; // points - 1 per guide: unit directions of its segments, which are equally long
    coif_guide_at *by_x; // ascending
    int32_t group_count; // of the file
} coif_guides;

// Regions are the groups of the file until replaced. Guides that begin far from the scalp are
// COIF_ERR_FORMAT.
coif_status coif_guides_load(coif_guides *guides, const coif_guides_desc *desc, coif_arena *arena,
                             coif_error *error);

// What to compute; each array may be NULL.
typedef struct coif_guides_resample_request {
    const float *length_scale; // per strand: factor of the guide length
    bool shape;                // interpolate the points of the guides
    bool regions;              // assign the region of the nearest guide
    float *guide_direction;    // 3 per strand: mean direction of the guides, root to tip
    int32_t *region;           // per strand
} coif_guides_resample_request;

// Returns the number of strands without a guide in their region; those are unchanged.
int32_t coif_guides_apply(coif_strand_buffer *buffer, const coif_guides *guides,
                          const coif_guides_resample_request *request, coif_jobs *jobs);

#endif
