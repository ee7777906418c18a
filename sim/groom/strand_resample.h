// strand_resample: refines strands so that segments are short enough for a modifier.
#ifndef COIF_SIM_GROOM_STRAND_RESAMPLE_H
#define COIF_SIM_GROOM_STRAND_RESAMPLE_H

#include "sim/groom/strand_buffer.h"

typedef struct coif_resample_request {
    const float *max_segment; // per strand: longest segment; 0: any
    int32_t max_points;       // of a strand
} coif_resample_request;

// Points that the most demanding strand would have needed, and got.
typedef struct coif_resample_result {
    int32_t needed, given;
} coif_resample_result;

// Resamples strands with too long segments, with evenly spaced points on the Catmull-Rom spline
// through the old ones (Catmull and Rom 1974); other strands keep their bits. Point counts are
// multiples of eight, so that strands of similar length share SIMD blocks. New arrays live in
// the arena of the buffer.
coif_resample_result coif_strand_buffer_refine(coif_strand_buffer *buffer,
                                               const coif_resample_request *request,
                                               coif_jobs *jobs);

// Resamples strands to the given point counts; more than COIF_MAX_POINTS in all is COIF_ERR_SCENE.
coif_status coif_strand_buffer_resample(coif_strand_buffer *buffer, const int32_t *counts,
                                        coif_jobs *jobs, coif_error *error);

#endif
