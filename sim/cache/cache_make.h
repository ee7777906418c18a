// cache_make: one frame of a corrected cache, from the frames and weights of its plan.
#ifndef COIF_SIM_CACHE_CACHE_MAKE_H
#define COIF_SIM_CACHE_CACHE_MAKE_H

#include "sim/cache/cache_input.h"
#include "sim/cache/cache_plan.h"
#include "sim/cache/push_out.h"
#include "sim/run/body_playback.h"

typedef struct coif_cache_make_desc {
    const coif_cache_params *params;
    coif_cache_input *input;
    coif_frame_range input_range; // what the input has
    const float *mask;            // per simulated strand; NULL: 1
    coif_sim_scene *sim_scene;
    const coif_node *groom;       // the entry of "grooms"
    coif_body_playback *playback; // poses of the colliders; push-out only
} coif_cache_make_desc;

typedef struct coif_cache_output {
    coif_arena arena;
    bool made;
    int frame;
    coif_strands strands; // velocities of changed strands are 0
    bool *changed;        // per strand: has not the bits of a frame of the input
    coif_frame_cache_desc info;
    coif_push_out_stats pushed;
} coif_cache_output;

// Arena, which is empty, and frame are given.
coif_status coif_cache_make(coif_cache_output *out, const coif_cache_make_desc *desc,
                            coif_error *error);

#endif
