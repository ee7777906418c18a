// cache_plan: which frames of the input, with which weights, make a frame of a corrected cache.
//
// Every operation is a weighted sum of strands (strand_combine.h); the plan is pure arithmetic on
// frame numbers.
#ifndef COIF_SIM_CACHE_CACHE_PLAN_H
#define COIF_SIM_CACHE_CACHE_PLAN_H

#include "core/base/fs.h"
#include "sim/cache/frame_keys.h"

typedef enum coif_cache_operation {
    COIF_CACHE_BLEND,
    COIF_CACHE_SMOOTH,
    COIF_CACHE_DAMP,
    COIF_CACHE_OFFSET,
    COIF_CACHE_RETIME,
    COIF_CACHE_LOOP,
    COIF_CACHE_PUSH_OUT,
    COIF_CACHE_OPERATIONS
} coif_cache_operation;

enum { COIF_CACHE_MAX_RADIUS = 32, COIF_CACHE_MAX_TERMS = 2 * COIF_CACHE_MAX_RADIUS + 1 };

typedef struct coif_cache_params {
    coif_cache_operation operation;
    coif_frame_keys weight;   // blend: of the second cache
    coif_frame_keys amount;   // damp: 0 to 1
    int32_t radius;           // smooth: frames
    int32_t shift;            // offset: frames
    float translate[3];       // offset: metres
    double speed;             // retime: input frames per output frame; 0: time_map
    coif_frame_keys time_map; // retime: output frame to input frame
    bool with_body;           // retime: the body is retimed as well
    coif_frame_range cycle;   // loop: input frames; not given: all
    int32_t overlap, repeat;  // loop: blended frames, number of cycles
    float distance;           // push-out: metres
} coif_cache_params;

// Sources of a term: the first cache, the second, the rest shape.
enum { COIF_CACHE_FIRST = 0, COIF_CACHE_SECOND = 1, COIF_CACHE_REST = 2 };

typedef struct coif_cache_term {
    int32_t source;
    int frame;
    float weight;
} coif_cache_term;

typedef struct coif_cache_plan {
    coif_cache_term terms[COIF_CACHE_MAX_TERMS]; // weights sum to 1; the first is of a cache
    int32_t count;
    double pose; // frame of the body that the result is on
    double rate; // input frames per output frame; velocities of the input scale with it
} coif_cache_plan;

// Frames that the operation makes of an input.
coif_status coif_cache_plan_range(coif_frame_range *output, const coif_cache_params *params,
                                  coif_frame_range input, coif_error *error);

// Terms without weight are left out. A sample outside of the input is an error.
coif_status coif_cache_plan_frame(coif_cache_plan *plan, const coif_cache_params *params,
                                  coif_frame_range input, int frame, coif_error *error);

#endif
