// Digests of the inputs of groom generation and simulation, stored in output files and compared to
// detect stale caches.
#ifndef COIF_CORE_BODY_INPUT_DIGEST_H
#define COIF_CORE_BODY_INPUT_DIGEST_H

#include "core/body/body.h"

// Digest of the rest mesh and of the content of every file named by the groom, its maps and its
// modifiers. The parameters themselves are covered by coif_groom_settings_digest.
uint64_t coif_groom_input_digest(const coif_node *groom, const coif_mesh *rest);

typedef struct coif_sim_input_digest {
    const coif_scene *scene;
    const coif_body *bodies;
    int32_t body_count;
    const coif_node *node; // the entry of "grooms"
    uint64_t groom;        // digest of the groom
} coif_sim_input_digest;

// Digest of everything the simulation of a groom depends on, except later files of body sequences:
// "sim" without the frame range, "forces" with the content of their files, bodies without
// materials, and the maps of the groom when a map drives a simulation parameter.
uint64_t coif_sim_settings_digest(const coif_sim_input_digest *inputs);

#endif
