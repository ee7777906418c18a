// crypto: Cryptomatte, mattes for everything that has a name (Friedman and Jones 2015).
//
// A name becomes a 32-bit float through MurmurHash3; a pixel lists the names that cover it, the
// most first, as pairs of number and share. Sums on the film are for COIF_CRYPTO_SLOTS
// names, in the order in which they were met, the number, the share and whether it is hair; when
// more meet in one pixel, later ones are lost. Two more are the shares of all hair and of all
// bodies.
#ifndef COIF_RENDER_FILM_CRYPTOMATTE_H
#define COIF_RENDER_FILM_CRYPTOMATTE_H

#include "render/film/aov.h"

// MurmurHash3 for 32 bits (Appleby, public domain).
uint32_t coif_murmur3(const char *text, uint32_t seed);

// The number of a name: its hash with an exponent that keeps it away from NaN, infinity, zero and
// denormals.
uint32_t coif_cryptomatte_hash(const char *name);
float coif_cryptomatte_id(const char *name);

// Adds a share of one sample to a name's sum; a number of 0 is that of something without a name.
void coif_cryptomatte_add(double *sums, float id, bool hair, float share);

// What hair and bodies have together.
static inline const double *coif_cryptomatte_coverage(const double *sums)
{
    return sums + 3 * COIF_CRYPTO_SLOTS;
}

// COIF_CRYPTO_RANKS pairs of number and share, largest share first. Scales: what shares of hair and
// those of bodies are to be multiplied by.
void coif_cryptomatte_sort(const double *sums, const double scales[2], float *values);

#endif
