// force_region: where a force acts, on which grooms and how strongly.
//
// What a plugin adds to the velocity of the air and to the acceleration of a point is scaled by
//
//   amount * mask(root) * ramp(t) * region(x)
//
// A force with a parent is evaluated in the rest space of that body: positions and velocities of
// points are transformed to it, and what the plugin adds is rotated back.
//
// A force with the defaults of all of these is called directly, with its results added in place.
#ifndef COIF_SIM_RUN_FORCE_REGION_H
#define COIF_SIM_RUN_FORCE_REGION_H

#include "core/body/attachment.h"
#include "core/hair/groom.h"
#include "plugins/host/host.h"
#include "sim/run/force_params.h"
#include "sim/solver/strand_block.h"

// A force of the scene.
typedef struct coif_force_region {
    const coif_node *node;    // its entry of "forces"
    coif_force_params params; // at the current frame
    bool direct;              // unscaled at every frame
    bool animated;            // the parameters are keyed, or it has a parent
    coif_attachment attachment;
    coif_affine step[2]; // with a parent: its motion at both ends of the current step
    coif_affine motion;  // and now
} coif_force_region;

// An unknown parent is an error.
coif_status coif_force_region_open(coif_force_region *region, const coif_node *node, double frame,
                                   const coif_body *bodies, int32_t body_count, coif_arena *arena,
                                   coif_error *error);

// Poses of all bodies at both ends of the next step.
void coif_force_region_begin_step(coif_force_region *region, const coif_mesh *begin,
                                  const coif_mesh *end);

// Evaluates the parameters at a fractional frame, which is this fraction of the step. Before any
// worker call.
void coif_force_region_set_time(coif_force_region *region, double frame, float fraction);

// How a force acts on one groom.
typedef struct coif_force_mask {
    bool excluded;          // not at all
    float *per_strand;      // per simulated strand; NULL: that of the params
    const coif_value *ramp; // along the strand; NULL: 1
} coif_force_mask;

typedef struct coif_force_masks_desc {
    const coif_scene *scene;
    const coif_node *groom_node;
    const coif_groom *groom;
    const coif_mesh *rest;
    const coif_body *body; // with this rest mesh; NULL: it stays at rest
    double frame;
} coif_force_masks_desc;

// Evaluates the maps of a groom that forces name, one mask per force; digest is extended by their
// values.
coif_status coif_force_masks_open(coif_force_mask **masks, uint64_t *digest,
                                  const coif_force_region *regions, int32_t count,
                                  const coif_force_masks_desc *desc, coif_arena *arena,
                                  coif_error *error);

// Evaluates the maps of masks that have keys at the frame of the desc.
coif_status coif_force_masks_update(coif_force_mask *masks, const coif_force_region *regions,
                                    int32_t count, const coif_force_masks_desc *desc,
                                    coif_error *error);

// [worker] Adds the force at the points of a block, or at points of no strand (NULL), where masks
// are 1. Mask NULL: none. As coif_plugin_eval_force.
bool coif_force_region_eval(const coif_force_region *region, const coif_force_mask *mask,
                            const coif_plugin_instance *force, const coif_force_batch *batch,
                            const coif_strand_block *block);

#endif
