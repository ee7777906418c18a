// frame_keys: a number that changes over frames, as given on the command line: 0.5, or
// 10:0,20:1 for frame:value pairs, linear between them and constant outside.
#ifndef COIF_SIM_CACHE_FRAME_KEYS_H
#define COIF_SIM_CACHE_FRAME_KEYS_H

#include "core/base/base.h"

typedef struct coif_frame_keys {
    int32_t count;                 // 0: not given; 1: constant
    const double *frames, *values; // frames ascend
} coif_frame_keys;

coif_status coif_frame_keys_parse(coif_frame_keys *keys, const char *text, coif_arena *arena,
                                  coif_error *error);
double coif_frame_keys_at(const coif_frame_keys *keys, double frame);

#endif
