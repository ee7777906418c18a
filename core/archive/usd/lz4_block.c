// LZ4 block format: sequences of literals and copies of earlier output.
//
// A token byte holds the number of literals (high four bits) and of copied bytes less 4 (low four
// bits), 15 is continued in bytes up to one below 255; literals, then the 16-bit distance of the
// copy. The last sequence ends after its literals.
#include "core/archive/usd/lz4_block.h"

#include <string.h>

// Adds continuation bytes to a length of 15.
static bool read_length(size_t *length, const unsigned char **at, const unsigned char *end)
{
    unsigned char byte = 255;
    while (*length >= 15 && byte == 255) {
        if (*at == end) {
            return false;
        }
        byte = *(*at)++;
        *length += byte;
    }
    return true;
}

bool coif_lz4_decompress(void *data, size_t capacity, size_t *size, const void *block,
                         size_t block_size)
{
    const unsigned char *at = block, *end = at + block_size;
    unsigned char *out = data;
    size_t used = 0;
    while (at < end) {
        const unsigned char token = *at++;
        size_t literals = token >> 4, copied = token & 15;
        if (!read_length(&literals, &at, end) || literals > (size_t)(end - at) ||
            literals > capacity - used) {
            return false;
        }
        memcpy(out + used, at, literals);
        used += literals;
        at += literals;
        if (at == end) {
            break;
        }
        if (end - at < 2) {
            return false;
        }
        const size_t distance = at[0] | (size_t)at[1] << 8;
        at += 2;
        if (!read_length(&copied, &at, end) || distance == 0 || distance > used ||
            copied + 4 > capacity - used) {
            return false;
        }
        copied += 4;
        for (size_t i = 0; i < copied; ++i, ++used) { // source and target may overlap
            out[used] = out[used - distance];
        }
    }
    *size = used;
    return true;
}
