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
//
// In nearest mode a strand follows the one nearest guide instead: its points are those of the
// guide, displaced by the offset of its root from that of the guide. The offset is carried along
// the guide by parallel transport, so that the strands of a lock keep their order around it. A
// shorter strand ends earlier on the guide.
#ifndef COIF_SIM_GROOM_GUIDE_CURVES_H
#define COIF_SIM_GROOM_GUIDE_CURVES_H

#include "core/base/point_grid.h"
#include "core/hair/formats/strand_file.h"
#include "sim/groom/scalp_closest_point.h"
#include "sim/groom/strand_buffer.h"
#include "sim/groom/varying_params.h"

typedef struct coif_guides_desc {
    const char *path; // see formats/strand_file.h
    coif_hair_import import;
    bool own_regions; // every guide is a region; else the groups of the file
    int32_t points;   // points that guides are resampled to; more if a guide has more
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
    coif_guide_at *by_x;       // ascending
    int32_t group_count;       // of the file, or of guides where each is a region
    coif_point_grid root_grid; // of the roots, see coif_guides_distance
} coif_guides;

// Regions are the groups of the file until replaced. Guides that begin far from the scalp are
// COIF_ERR_FORMAT.
coif_status coif_guides_load(coif_guides *guides, const coif_guides_desc *desc, coif_arena *arena,
                             coif_error *error);

enum { COIF_NEAREST_GUIDES = 4 };

// In ascending distance from a root; the fifth only sets the radius of the weights.
typedef struct coif_nearest_guides {
    int32_t count;
    int32_t guide[COIF_NEAREST_GUIDES + 1];
    float distance[COIF_NEAREST_GUIDES + 1]; // squared
    float weight[COIF_NEAREST_GUIDES];       // add up to 1; only after compute_weights
} coif_nearest_guides;

// Of the roots, regions and by_x of the guides; region below 0: any.
void coif_guides_find_nearest(coif_nearest_guides *found, const coif_guides *guides,
                              const coif_surface_point *root, int32_t region);
void coif_guides_compute_weights(coif_nearest_guides *found);

// Guides sorted by x, in arena.
coif_guide_at *coif_guides_sort(const coif_surface_point *roots, int32_t count, coif_arena *arena);

// What to compute; each array may be NULL.
typedef struct coif_guides_resample_request {
    const float *length_scale;       // per strand: factor of the guide length
    bool shape;                      // interpolate the points of the guides
    bool nearest;                    // follow the nearest guide instead
    const coif_param_values *spread; // nearest: factor on the offset from the guide
    bool regions;                    // assign the region of the nearest guide
    float *guide_direction;          // 3 per strand: mean direction of the guides, root to tip
    int32_t *region;                 // per strand
} coif_guides_resample_request;

// Distance of a position from the nearest root of a guide.
float coif_guides_distance(const coif_guides *guides, coif_vec3 position);

// Returns the number of strands without a guide in their region; those are unchanged.
int32_t coif_guides_apply(coif_strand_buffer *buffer, const coif_guides *guides,
                          const coif_guides_resample_request *request, coif_jobs *jobs);

#endif
