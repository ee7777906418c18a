// png: a picture as PNG, packed with runs and one table of Huffman codes made for it (RFC 1951,
// 3.2.7). Larger than what others write, and needs no library.
#include "tools/assets/shared/raster.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOLS = 286, END = 256, LONGEST_CODE = 15, LONGEST_RUN = 258, RUNS = 29 };

typedef struct sink {
    unsigned char *bytes;
    size_t count;
    uint32_t bits;
    int held;
} sink;

typedef struct codes {
    int length[SYMBOLS]; // in bits; 0: it does not occur
    uint32_t code[SYMBOLS];
} codes;

// Lengths of runs share a symbol; the bits below tell them apart.
static const int RUN_BASE[RUNS] = {3,  4,  5,  6,  7,  8,  9,  10, 11,  13,  15,  17,  19,  23, 27,
                                   31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258};

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

static int run_kind(int length)
{
    int k = RUNS - 1;

    while (RUN_BASE[k] > length) {
        --k;
    }
    return k;
}

// How often the byte before comes again here; runs of less than three are not worth it.
static int run_at(const unsigned char *bytes, size_t i, size_t count)
{
    int run = 0;

    while (i > 0 && run < LONGEST_RUN && i + (size_t)run < count &&
           bytes[i + (size_t)run] == bytes[i - 1]) {
        ++run;
    }
    return run >= 3 ? run : 0;
}

static void count_symbols(double weight[SYMBOLS], const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count;) {
        const int run = run_at(bytes, i, count);
        weight[run > 0 ? 257 + run_kind(run) : bytes[i]] += 1.0;
        i += run > 0 ? (size_t)run : 1;
    }
    weight[END] = 1.0;
}

// Huffman 1952: the two lightest become one, again and again. Returns the longest code.
static int measure(codes *own, const double weight[SYMBOLS])
{
    int above[2 * SYMBOLS] = {0}, nodes = SYMBOLS, longest = 0;
    double left[2 * SYMBOLS] = {0};

    memcpy(left, weight, SYMBOLS * sizeof *weight);
    for (;;) {
        int a = -1, b = -1;
        for (int i = 0; i < nodes; ++i) {
            if (left[i] > 0.0 && (a < 0 || left[i] < left[a])) {
                b = a;
                a = i;
            } else if (left[i] > 0.0 && (b < 0 || left[i] < left[b])) {
                b = i;
            }
        }
        if (b < 0) {
            break;
        }
        left[nodes] = left[a] + left[b];
        left[a] = left[b] = 0.0;
        above[a] = above[b] = nodes++;
    }
    for (int s = 0; s < SYMBOLS; ++s) {
        own->length[s] = 0;
        for (int node = s; weight[s] > 0.0 && above[node] > 0; node = above[node]) {
            ++own->length[s];
        }
        longest = own->length[s] > longest ? own->length[s] : longest;
    }
    return longest;
}

static void make_codes(codes *own, double weight[SYMBOLS])
{
    uint32_t next = 0;

    // Weights that are more alike give shorter longest codes.
    while (measure(own, weight) > LONGEST_CODE) {
        for (int s = 0; s < SYMBOLS; ++s) {
            weight[s] = sqrt(weight[s]);
        }
    }
    for (int length = 1; length <= LONGEST_CODE; ++length) {
        for (int s = 0; s < SYMBOLS; ++s) {
            if (own->length[s] == length) {
                own->code[s] = next++;
            }
        }
        next <<= 1;
    }
}

// The table: lengths as codes of four bits each, and one distance, which is 1.
static void put_table(sink *out, const codes *own)
{
    static const int order[19] = {16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15};

    put_bits(out, 5, 3); // the last block, with a table
    put_bits(out, SYMBOLS - 257, 5);
    put_bits(out, 0, 5);
    put_bits(out, 19 - 4, 4);
    for (int i = 0; i < 19; ++i) {
        put_bits(out, order[i] < 16 ? 4 : 0, 3);
    }
    for (int s = 0; s < SYMBOLS; ++s) {
        put_code(out, (uint32_t)own->length[s], 4);
    }
    put_code(out, 1, 4);
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
    double weight[SYMBOLS] = {0};
    codes own;

    count_symbols(weight, bytes, count);
    make_codes(&own, weight);
    out->bytes[out->count++] = 0x78;
    out->bytes[out->count++] = 0x01;
    put_table(out, &own);
    for (size_t i = 0; i < count;) {
        const int run = run_at(bytes, i, count);
        const int kind = run_kind(run > 0 ? run : RUN_BASE[0]);
        const int symbol = run > 0 ? 257 + kind : bytes[i];
        put_code(out, own.code[symbol], own.length[symbol]);
        if (run > 0 && kind >= 8 && kind < RUNS - 1) {
            put_bits(out, (uint32_t)(run - RUN_BASE[kind]), (kind - 4) / 4);
        }
        if (run > 0) {
            put_code(out, 0, 1);
        }
        i += run > 0 ? (size_t)run : 1;
    }
    put_code(out, own.code[END], own.length[END]);
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

int head_picture_save(const head_picture *picture, const char *path)
{
    const size_t row = (size_t)picture->size * (size_t)picture->channels;
    const size_t count = (row + 1) * (size_t)picture->size;
    unsigned char *lines = head_allocate(count, 1);
    sink packed = {head_allocate(2 * count + 512, 1), 0, 0, 0};
    sink file = {head_allocate(2 * count + 1024, 1), 0, 0, 0};

    // Each line as its difference from the one above: even ground becomes runs of zeros.
    for (int j = 0; j < picture->size; ++j) {
        unsigned char *line = lines + (row + 1) * (size_t)j;
        const unsigned char *from = picture->bytes + row * (size_t)j;
        line[0] = 2;
        for (size_t i = 0; i < row; ++i) {
            line[i + 1] = (unsigned char)(from[i] - (j > 0 ? *(from + i - row) : 0));
        }
    }
    pack(&packed, lines, count);

    sink head = {(unsigned char[16]){0}, 0, 0, 0};
    put_word(&head, (uint32_t)picture->size);
    put_word(&head, (uint32_t)picture->size);
    head.bytes[8] = 8;
    head.bytes[9] = picture->channels == 1 ? 0 : 2;
    memcpy(file.bytes, "\x89PNG\r\n\x1a\n", 8);
    file.count = 8;
    put_chunk(&file, "IHDR", head.bytes, 13);
    put_chunk(&file, "IDAT", packed.bytes, packed.count);
    put_chunk(&file, "IEND", NULL, 0);

    FILE *out = fopen(path, "wb");
    int good = out != NULL && fwrite(file.bytes, 1, file.count, out) == file.count;
    good = out != NULL && fclose(out) == 0 && good;
    if (!good) {
        fprintf(stderr, "%s: could not be written\n", path);
    }
    free(lines);
    free(packed.bytes);
    free(file.bytes);
    return good;
}
