// inputs: digests of what hair was grown from and moved by. Those who make it write them into their
// files, those who show it compare: has anything changed since?
#ifndef COIF_CORE_SCENE_INPUT_DIGEST_H
#define COIF_CORE_SCENE_INPUT_DIGEST_H

#include "core/mesh/body.h"

// The mesh at rest and the content of every file that the groom, its maps and its modifiers name.
// What the scene says of the groom itself is coif_node_growth.
uint64_t coif_growth_inputs(const coif_node *groom, const coif_mesh *rest);

typedef struct coif_motion_inputs {
    const coif_scene *scene;
    const coif_body *bodies;
    int32_t body_count;
    const coif_node *node; // the entry of "grooms"
    uint64_t groom;        // digest of the groom
} coif_motion_inputs;

// Everything that the motion of a groom depends on, but later files of bodies that are sequences:
// "sim" without what says how much to do, "forces" with the content of their files, bodies without
// their looks, and where a map drives the simulation, the maps of the groom.
uint64_t coif_motion_digest(const coif_motion_inputs *inputs);

#endif
