// inputs: digests of what hair was grown from and moved by. Those who make it write them into their
// files, those who show it compare: has anything changed since?
#ifndef COIF_CORE_SCENE_INPUT_DIGEST_H
#define COIF_CORE_SCENE_INPUT_DIGEST_H

#include "core/mesh/body.h"

// The mesh at rest and the content of every file that the groom, its maps and its modifiers name.
// What the scene says of the groom itself is coif_groom_settings_digest.
uint64_t coif_groom_input_digest(const coif_node *groom, const coif_mesh *rest);

typedef struct coif_sim_input_digest {
    const coif_scene *scene;
    const coif_body *bodies;
    int32_t body_count;
    const coif_node *node; // the entry of "grooms"
    uint64_t groom;        // digest of the groom
} coif_sim_input_digest;

// Everything that the motion of a groom depends on, but later files of bodies that are sequences:
// "sim" without what says how much to do, "forces" with the content of their files, bodies without
// their looks, and where a map drives the simulation, the maps of the groom.
uint64_t coif_sim_settings_digest(const coif_sim_input_digest *inputs);

#endif
