#include "render/film/cryptomatte.h"

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

uint32_t coif_cryptomatte_hash(const char *name)
{
    const uint32_t hash = coif_murmur3(name, 0), exponent = hash >> 23 & 255u;
    return exponent == 0 || exponent == 255 ? hash ^ (1u << 23) : hash;
}

float coif_cryptomatte_id(const char *name)
{
    const uint32_t bits = coif_cryptomatte_hash(name);
    float id;
    memcpy(&id, &bits, sizeof id);
    return id;
}

void coif_cryptomatte_add(double *sums, float id, bool hair, float coverage)
{
    sums[3 * COIF_CRYPTO_SLOTS + (hair ? 0 : 1)] += (double)coverage;
    for (int i = 0; i < COIF_CRYPTO_SLOTS && id != 0.0f; ++i) {
        double *slot = sums + 3 * i;
        if (slot[1] == 0.0) {
            slot[0] = (double)id;
            slot[2] = hair ? 1.0 : 0.0;
        }
        if (slot[0] == (double)id) {
            slot[1] += (double)coverage;
            return;
        }
    }
}

void coif_cryptomatte_sort(const double *sums, const double scales[2], float *values)
{
    double coverage[COIF_CRYPTO_SLOTS];
    for (int i = 0; i < COIF_CRYPTO_SLOTS; ++i) {
        coverage[i] = sums[3 * i + 1] * scales[sums[3 * i + 2] != 0.0 ? 0 : 1];
    }
    for (int rank = 0; rank < COIF_CRYPTO_RANKS; ++rank) {
        int best = 0;
        for (int i = 1; i < COIF_CRYPTO_SLOTS; ++i) {
            best = coverage[i] > coverage[best] ? i : best;
        }
        if (!(coverage[best] > 0.0)) {
            return; // the remaining ranks are zero
        }
        values[2 * rank] = (float)sums[3 * best];
        values[2 * rank + 1] = (float)coverage[best];
        coverage[best] = 0.0;
    }
}
