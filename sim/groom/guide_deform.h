// guide_deform: strands follow edited guides.
//
// A strand takes the changes of up to four guides near its root, weighted as in guide_curves. For
// each segment of a guide, the rotation from its direction before to that after the brushes is
// carried from root to tip by parallel transport; a strand rotates its own segments by the blended
// rotations of the same fraction of length, after it was cut, and scales them by the blended
// factors of length. So curls, clumps and noise of the strand stay, segments of combed strands keep
// their lengths, and strands near unchanged guides keep their bits. Moved strands are pushed out of
// the body.
#ifndef COIF_SIM_GROOM_GUIDE_DEFORM_H
#define COIF_SIM_GROOM_GUIDE_DEFORM_H

#include "core/hair/guide_edits.h"
#include "sim/groom/guide_curves.h"
#include "sim/groom/strand_brush.h"

// Unit quaternion.
typedef struct coif_rotation {
    float x, y, z, w;
} coif_rotation;

typedef struct coif_guide_deform {
    const coif_guide_edits *edits;
    coif_guides roots;        // roots, region and by_x of the guides that act
    coif_rotation *rotations; // per point of the guides: of the segment that ends there
    float *length_scale;      // per guide: of the edited one against rest
    uint8_t *edited;          // per guide: it differs from rest
} coif_guide_deform;

// Guides that act on a strand.
typedef struct coif_guide_weights {
    int32_t guide[COIF_NEAREST_GUIDES]; // the first is the nearest, -1: none
    float weight[COIF_NEAREST_GUIDES];
    float reach2; // squared distance from the root beyond which a guide changes nothing here
} coif_guide_weights;

// The edits must outlive the deformation. Call again when guides were added or drawn guides were
// deleted.
void coif_guide_deform_init(coif_guide_deform *deform, const coif_guide_edits *edits,
                            coif_arena *arena);

// Call when a guide has changed.
void coif_guide_deform_update(coif_guide_deform *deform, int32_t guide);

void coif_guide_deform_bind(coif_guide_weights *weights, const coif_guide_deform *deform,
                            coif_vec3 root, coif_vec3 normal);

// Whether the strand does not grow because its nearest guide is deleted.
bool coif_guide_deform_deletes(const coif_guide_deform *deform, const coif_guide_weights *weights);

// Points of the strand, from those before the edits; both have count points. False: no guide of it
// was edited, and the points are those before. Scratch: count points.
bool coif_guide_deform_strand(coif_vec4 *points, const coif_vec4 *before, int32_t count,
                              const coif_guide_deform *deform, const coif_guide_weights *weights,
                              const coif_brush_body *body, coif_vec4 *scratch);

// All strands of a groom; normals are those of root_frame.
void coif_guide_deform_groom(coif_groom *groom, const coif_guide_deform *deform,
                             const coif_brush_body *body, coif_arena *scratch, coif_jobs *jobs);

#endif
