// png: a picture as PNG, packed with the simplest codes the format has: runs, and fixed Huffman
// tables (RFC 1951, 3.2.6). Larger than what others write, and needs no library.
#include "tools/head/cub/mesh.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct sink {
    unsigned char *bytes;
    size_t count;
    uint32_t bits;
    int held;
} sink;

static void put_bits(sink *out, uint32_t value, int count)
{
    out->bits |= value << out->held;
    out->held += count;
    while (out->held >= 8) {
        out->bytes[out->count++] = (unsigned char)out->bits;
        out->bits >>= 8;
        out->held -= 8;
    }
}

// Huffman codes go in from their highest bit.
static void put_code(sink *out, uint32_t code, int count)
{
    uint32_t turned = 0;

    for (int i = 0; i < count; ++i) {
        turned |= (code >> i & 1u) << (count - 1 - i);
    }
    put_bits(out, turned, count);
}

static void put_symbol(sink *out, int symbol)
{
    if (symbol < 144) {
        put_code(out, 0x30u + (uint32_t)symbol, 8);
    } else if (symbol < 256) {
        put_code(out, 0x190u + (uint32_t)symbol - 144u, 9);
    } else if (symbol < 280) {
        put_code(out, (uint32_t)symbol - 256u, 7);
    } else {
        put_code(out, 0xc0u + (uint32_t)symbol - 280u, 8);
    }
}

// The last byte again, 3 to 258 times.
static void put_run(sink *out, int length)
{
    static const int base[29] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};
    int k = 28;

    while (base[k] > length) {
        --k;
    }
    put_symbol(out, 257 + k);
    if (k >= 8 && k < 28) {
        put_bits(out, (uint32_t)(length - base[k]), (k - 4) / 4);
    }
    put_code(out, 0, 5);
}

static uint32_t adler(const unsigned char *bytes, size_t count)
{
    uint32_t a = 1, b = 0;

    for (size_t i = 0; i < count; ++i) {
        a = (a + bytes[i]) % 65521u;
        b = (b + a) % 65521u;
    }
    return b << 16 | a;
}

static void put_word(sink *out, uint32_t word)
{
    for (int shift = 24; shift >= 0; shift -= 8) {
        out->bytes[out->count++] = (unsigned char)(word >> shift);
    }
}

static void pack(sink *out, const unsigned char *bytes, size_t count)
{
    out->bytes[out->count++] = 0x78;
    out->bytes[out->count++] = 0x01;
    put_bits(out, 3, 3);
    for (size_t i = 0; i < count;) {
        size_t run = 0;
        while (i > 0 && run < 258 && i + run < count && bytes[i + run] == bytes[i - 1]) {
            ++run;
        }
        if (run >= 3) {
            put_run(out, (int)run);
            i += run;
        } else {
            put_symbol(out, bytes[i++]);
        }
    }
    put_symbol(out, 256);
    put_bits(out, 0, 7); // to the end of the byte
    put_word(out, adler(bytes, count));
}

static uint32_t crc(const unsigned char *bytes, size_t count)
{
    uint32_t value = 0xffffffffu;

    for (size_t i = 0; i < count; ++i) {
        value ^= bytes[i];
        for (int bit = 0; bit < 8; ++bit) {
            value = value >> 1 ^ (value & 1u ? 0xedb88320u : 0u);
        }
    }
    return ~value;
}

static void put_chunk(sink *out, const char *name, const unsigned char *bytes, size_t count)
{
    put_word(out, (uint32_t)count);
    const size_t begin = out->count;
    memcpy(out->bytes + out->count, name, 4);
    if (count > 0) {
        memcpy(out->bytes + out->count + 4, bytes, count);
    }
    out->count += 4 + count;
    put_word(out, crc(out->bytes + begin, 4 + count));
}

int cub_image_save(const cub_image *image, const char *path)
{
    const size_t row = (size_t)image->size * (size_t)image->channels;
    const size_t count = (row + 1) * (size_t)image->size;
    unsigned char *lines = head_allocate(count, 1);
    sink packed = {head_allocate(count + count / 4 + 64, 1), 0, 0, 0};
    sink file = {head_allocate(count + count / 4 + 256, 1), 0, 0, 0};

    // Each line as its difference from the one above: even ground becomes runs of zeros.
    for (int j = 0; j < image->size; ++j) {
        unsigned char *line = lines + (row + 1) * (size_t)j;
        const unsigned char *from = image->bytes + row * (size_t)j;
        line[0] = 2;
        for (size_t i = 0; i < row; ++i) {
            line[i + 1] = (unsigned char)(from[i] - (j > 0 ? *(from + i - row) : 0));
        }
    }
    pack(&packed, lines, count);

    sink head = {(unsigned char[16]){0}, 0, 0, 0};
    put_word(&head, (uint32_t)image->size);
    put_word(&head, (uint32_t)image->size);
    head.bytes[8] = 8;
    head.bytes[9] = image->channels == 1 ? 0 : 2;
    memcpy(file.bytes, "\x89PNG\r\n\x1a\n", 8);
    file.count = 8;
    put_chunk(&file, "IHDR", head.bytes, 13);
    put_chunk(&file, "IDAT", packed.bytes, packed.count);
    put_chunk(&file, "IEND", NULL, 0);

    FILE *out = fopen(path, "wb");
    int good = out != NULL && fwrite(file.bytes, 1, file.count, out) == file.count;
    good = out != NULL && fclose(out) == 0 && good;
    if (!good) {
        fprintf(stderr, "coif_cub: %s: could not be written\n", path);
    }
    free(lines);
    free(packed.bytes);
    free(file.bytes);
    return good;
}
