// crypto: Cryptomatte, mattes for everything that has a name (Friedman and Jones 2015).
//
// A name becomes a 32-bit float through MurmurHash3; a pixel lists the names that cover it, the
// most first, as pairs of number and share. Sums on the film are COIF_RANKS_GATHERED such pairs in
// the order in which names were met; when more than that meet in one pixel, later ones are lost.
#ifndef COIF_RENDER_CRYPTO_H
#define COIF_RENDER_CRYPTO_H

#include "core/base.h"

// MurmurHash3 for 32 bits (Appleby, public domain).
uint32_t coif_murmur3(const char *text, uint32_t seed);

// The number of a name: its hash with an exponent that keeps it away from NaN, infinity, zero and
// denormals.
uint32_t coif_crypto_bits(const char *name);
float coif_crypto_id(const char *name);

// Adds a share of one sample to a name's sum.
void coif_ranks_add(double *sums, float id, float share);

// COIF_RANKS pairs of number and share of n samples, largest share first.
void coif_ranks_sort(const double *sums, int32_t n, float *values);

#endif
