// Reversible filter before compression: linear prediction, zigzag coding and byte planes.
//
// Neighbouring points of a strand are nearly collinear. Each value is replaced by its residual to
// the linear extrapolation of the two before it, residuals are zigzag coded, and bytes of equal
// significance are stored together, so that the high planes become runs of zeros. Integer
// arithmetic on bit patterns makes it exact for every pattern, NaN included.
#ifndef COIF_CORE_PACK_PACK_FILTER_H
#define COIF_CORE_PACK_PACK_FILTER_H

#include "core/base/base.h"

// Layout of the values: elements of `components` words of `word` bytes (1, 2, 4, 8).
typedef struct coif_byte_filter {
    int32_t components;
    int32_t word;
    bool sign_magnitude; // words are IEEE floats or doubles
} coif_byte_filter;

// Planes and values have the same number of bytes and must not overlap.
void coif_byte_filter_apply(const coif_byte_filter *filter, const void *values, int64_t count,
                            void *planes);
void coif_byte_filter_undo(const coif_byte_filter *filter, const void *planes, int64_t count,
                           void *values);

// Range of one component of a quantised block, as stored in the file:
// value = origin + step * q, q in 0 to 65535.
typedef struct coif_quantum {
    double origin, step;
} coif_quantum;

// Sets one quantum per component; stride is in bytes. Returns false when a value is not finite.
bool coif_quantise_range(coif_quantum *quanta, int32_t components, const void *values,
                         int64_t stride, int64_t count);
void coif_quantise(uint16_t *steps, const coif_quantum *quanta, int32_t components,
                   const float *values, int64_t count);
void coif_dequantise(float *values, const coif_quantum *quanta, int32_t components,
                     const uint16_t *steps, int64_t count);

#endif
