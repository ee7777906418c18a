// cryptomatte: identifier mattes with coverage (Friedman and Jones 2015).
//
// A name becomes a 32-bit float through MurmurHash3; a pixel lists the identifiers that cover it as
// pairs of (id, coverage), largest coverage first. The film keeps COIF_CRYPTO_SLOTS triples (id,
// coverage, is hair) in order of first appearance; further identifiers of a pixel are dropped. Two
// more sums are the coverage of all hair and of all meshes.
#ifndef COIF_RENDER_FILM_CRYPTOMATTE_H
#define COIF_RENDER_FILM_CRYPTOMATTE_H

#include "render/film/aov.h"

// MurmurHash3 for 32 bits (Appleby, public domain).
uint32_t coif_murmur3(const char *text, uint32_t seed);

// The identifier of a name: its hash, with an exponent that excludes NaN, infinity, zero and
// denormals.
uint32_t coif_cryptomatte_hash(const char *name);
float coif_cryptomatte_id(const char *name);

// Adds the coverage of one sample; id 0: unnamed.
void coif_cryptomatte_add(double *sums, float id, bool hair, float coverage);

// Coverage of all hair and of all meshes.
static inline const double *coif_cryptomatte_coverage(const double *sums)
{
    return sums + 3 * COIF_CRYPTO_SLOTS;
}

// COIF_CRYPTO_RANKS pairs of id and coverage, largest coverage first. Scales: factors on the
// coverage of hair and of meshes.
void coif_cryptomatte_sort(const double *sums, const double scales[2], float *values);

#endif
