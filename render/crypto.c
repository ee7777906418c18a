#include "render/crypto.h"

#include "render/aov.h"

#include <string.h>

static uint32_t rotate(uint32_t x, int by)
{
    return (x << by) | (x >> (32 - by));
}

static uint32_t scramble(uint32_t k)
{
    return rotate(k * 0xcc9e2d51u, 15) * 0x1b873593u;
}

uint32_t coif_murmur3(const char *text, uint32_t seed)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t length = strlen(text), whole = length / 4 * 4;
    uint32_t h = seed;
    for (size_t i = 0; i < whole; i += 4) {
        const uint32_t k = (uint32_t)bytes[i] | (uint32_t)bytes[i + 1] << 8 |
                           (uint32_t)bytes[i + 2] << 16 | (uint32_t)bytes[i + 3] << 24;
        h = rotate(h ^ scramble(k), 13) * 5u + 0xe6546b64u;
    }
    uint32_t tail = 0;
    for (size_t i = length; i > whole; --i) {
        tail = tail << 8 | bytes[i - 1];
    }
    h ^= scramble(tail) ^ (uint32_t)length;
    h = (h ^ h >> 16) * 0x85ebca6bu;
    h = (h ^ h >> 13) * 0xc2b2ae35u;
    return h ^ h >> 16;
}

uint32_t coif_crypto_bits(const char *name)
{
    const uint32_t hash = coif_murmur3(name, 0), exponent = hash >> 23 & 255u;
    return exponent == 0 || exponent == 255 ? hash ^ (1u << 23) : hash;
}

float coif_crypto_id(const char *name)
{
    const uint32_t bits = coif_crypto_bits(name);
    float id;
    memcpy(&id, &bits, sizeof id);
    return id;
}

void coif_ranks_add(double *sums, float id, float share)
{
    for (int i = 0; i < COIF_RANKS_GATHERED; ++i) {
        double *pair = sums + 2 * i;
        if (pair[1] == 0.0) {
            pair[0] = (double)id;
        }
        if (pair[0] == (double)id) {
            pair[1] += (double)share;
            return;
        }
    }
}

void coif_ranks_sort(const double *sums, int32_t n, float *values)
{
    bool taken[COIF_RANKS_GATHERED] = {false};
    for (int rank = 0; rank < COIF_RANKS; ++rank) {
        int best = -1;
        for (int i = 0; i < COIF_RANKS_GATHERED; ++i) {
            if (!taken[i] && sums[2 * i + 1] > (best < 0 ? 0.0 : sums[2 * best + 1])) {
                best = i;
            }
        }
        if (best < 0 || n < 1) {
            return; // the rest is zero already
        }
        taken[best] = true;
        values[2 * rank] = (float)sums[2 * best];
        values[2 * rank + 1] = (float)(sums[2 * best + 1] / n);
    }
}
