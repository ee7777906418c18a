// Digests of the inputs of groom generation and simulation, stored in output files and compared to
// detect stale caches.
#ifndef COIF_CORE_BODY_INPUT_DIGEST_H
#define COIF_CORE_BODY_INPUT_DIGEST_H

#include "core/body/body.h"

// Digest of the rest mesh and of the content of every file named by the groom, its maps and its
// modifiers. The parameters themselves are covered by coif_groom_settings_digest.
uint64_t coif_groom_input_digest(const coif_node *groom, const coif_mesh *rest);

// Files of the goal of a simulation: a pattern with # for the frame number, of the frames of a
// cache where path is a folder, or path itself; NULL where it is empty.
const char *coif_goal_cache_pattern(const char *path, const char *groom_name, coif_arena *arena);

typedef struct coif_sim_input_digest {
    const coif_scene *scene;
    const coif_body *bodies;
    int32_t body_count;
    const coif_node *node; // the entry of "grooms"
    uint64_t groom;        // digest of the groom
} coif_sim_input_digest;

// Digest of everything the simulation of a groom depends on, except later files of body sequences:
// "sim" of the groom without the frame range, "forces" with the content of their files, bodies
// without materials, the maps of the groom when a map drives a simulation parameter, and the files
// of an animated goal.
uint64_t coif_sim_settings_digest(const coif_sim_input_digest *inputs);

#endif
