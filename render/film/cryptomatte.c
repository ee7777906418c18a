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

void coif_cryptomatte_add(double *sums, float id, bool hair, float share)
{
    sums[3 * COIF_CRYPTO_SLOTS + (hair ? 0 : 1)] += (double)share;
    for (int i = 0; i < COIF_CRYPTO_SLOTS && id != 0.0f; ++i) {
        double *name = sums + 3 * i;
        if (name[1] == 0.0) {
            name[0] = (double)id;
            name[2] = hair ? 1.0 : 0.0;
        }
        if (name[0] == (double)id) {
            name[1] += (double)share;
            return;
        }
    }
}

void coif_cryptomatte_sort(const double *sums, const double scales[2], float *values)
{
    double shares[COIF_CRYPTO_SLOTS];
    for (int i = 0; i < COIF_CRYPTO_SLOTS; ++i) {
        shares[i] = sums[3 * i + 1] * scales[sums[3 * i + 2] != 0.0 ? 0 : 1];
    }
    for (int rank = 0; rank < COIF_CRYPTO_RANKS; ++rank) {
        int best = 0;
        for (int i = 1; i < COIF_CRYPTO_SLOTS; ++i) {
            best = shares[i] > shares[best] ? i : best;
        }
        if (!(shares[best] > 0.0)) {
            return; // the rest is zero already
        }
        values[2 * rank] = (float)sums[3 * best];
        values[2 * rank + 1] = (float)shares[best];
        shares[best] = 0.0;
    }
}
