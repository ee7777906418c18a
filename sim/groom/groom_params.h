// groom_params: parameters of an entry of "grooms", and the inputs of its generation.
#ifndef COIF_SIM_GROOM_GROOM_PARAMS_H
#define COIF_SIM_GROOM_GROOM_PARAMS_H

#include "core/body/body.h"
#include "core/hair/groom.h"
#include "sim/groom/scalp_maps.h"

typedef struct coif_groom_params {
    const char *name;
    const char *tags; // words by which forces and colliders address the groom
    const char *body;
    const char *group;       // of the body's mesh; "" for all of it
    const char *file;        // strand file to load instead of generating strands; "": none
    float file_scale;        // metres per unit of that file and of guides
    int32_t file_push_out;   // penetration of strands of a file is resolved
    float root_tolerance;    // largest distance of first points of a file from the body, m
    float lock_distance;     // of strands of one lock of a file, m; 0: no locks
    int32_t file_up_axis;    // 0: y, 1: z
    const char *file_object; // curves of an archive; NULL or "": all
    int32_t file_frame;      // of an archive; -1: its first samples
    const char *guides;      // curves that strands are interpolated from; "": none
    const char *edits;       // guides edited by brushes; "": none
    float guide_length;      // factor on the length of the guides, mappable
    int32_t guide_shape;   // strands are interpolated from the guides; else only modifiers use them
    int32_t guide_mode;    // COIF_GUIDE_...
    float guide_spread;    // factor on the offset from the nearest guide, mappable, ramp
    float guide_radius;    // metres around the roots of guides where strands grow; 0: everywhere
    int32_t guide_regions; // COIF_GUIDE_REGIONS_...
    float region;          // region number, mappable; clumps and guides do not reach across regions
    int32_t count;         // roots at density 1
    int32_t max_strands;   // of the first strands are kept; 0: all
    float strands_per_cm2; // instead of count; 0: unused
    int32_t scatter;       // coif_sequence_kind
    int32_t points;        // per strand
    int32_t max_points;    // upper limit where modifiers refine strands
    int32_t seed;
    float density;            // mappable
    float length;             // metres, mappable
    float length_variation;   // mappable
    float radius;             // metres, mappable, ramp
    float clearance;          // metres between hair and body
    float simulated_fraction; // fraction of strands that are simulated, mappable
} coif_groom_params;

enum { COIF_GUIDE_INTERPOLATE, COIF_GUIDE_NEAREST };
enum { COIF_GUIDE_REGIONS_GROUPS, COIF_GUIDE_REGIONS_GUIDES };

extern const coif_param COIF_GROOM_PARAMS[];
extern const uint32_t COIF_GROOM_PARAM_COUNT;
extern const coif_applies_to COIF_GROOM_APPLIES_TO[];
extern const coif_section COIF_MAPS_SECTION;      // "maps": named scalp maps of a groom
extern const coif_section COIF_MODIFIERS_SECTION; // "modifiers": groom plugins, in order

// Simulated strands and the children that follow them, beside the groom's own fraction.
typedef struct coif_child_params {
    float simulated_fraction;
    bool clump; // a child copies one simulated strand, else it interpolates several
    float clump_variation;
    coif_param_ref clump_variation_param; // may be mapped
} coif_child_params;

typedef struct coif_groom_generate_desc {
    const coif_scene *scene;
    const coif_node *node;             // the entry of "grooms"
    const coif_body *body;             // the one it names
    const coif_child_params *children; // NULL: only the groom's own fraction is simulated
    double frame;                      // keyed values are evaluated at this frame
    coif_progress *progress;           // polled for cancellation between stages; may be NULL
    int32_t max_strands;               // generates only this prefix of the strands; 0: all
    const struct coif_collider *body_collider; // of the rest pose; NULL: built here
    int32_t *total_count;    // receives the number of strands without max_strands; may be NULL
    const coif_groom *reuse; // roots, point counts and guide binding come from this groom, the same
                             // strands at another frame; NULL: a new groom
} coif_groom_generate_desc;

#endif
