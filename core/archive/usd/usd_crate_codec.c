// USD crate: reading bytes, decompression, integer coding.
#include "core/archive/usd/lz4_block.h"
#include "core/archive/usd/usd_crate.h"
#include "core/base/arena.h"
#include "core/base/error.h"

#include <inttypes.h>
#include <string.h>

coif_status coif_crate_fail(const coif_crate_cursor *cursor, const char *what)
{
    return coif_fail(cursor->error, COIF_ERR_FORMAT, "%s: byte %" PRIu64 ": %s",
                     cursor->bytes->name, cursor->at, what);
}

coif_status coif_crate_take(coif_crate_cursor *cursor, uint64_t size, const void **data)
{
    *data = NULL;
    if (cursor->at > cursor->bytes->size || size > cursor->bytes->size - cursor->at) {
        return coif_fail(cursor->error, COIF_ERR_FORMAT,
                         "%s: byte %" PRIu64 ": expected %" PRIu64
                         " more bytes, the file ends at %zu",
                         cursor->bytes->name, cursor->at, size, cursor->bytes->size);
    }
    *data = (const char *)cursor->bytes->data + cursor->at;
    cursor->at += size;
    return COIF_OK;
}

coif_status coif_crate_u32(coif_crate_cursor *cursor, uint32_t *value)
{
    const void *data;
    COIF_TRY(coif_crate_take(cursor, sizeof *value, &data));
    memcpy(value, data, sizeof *value);
    return COIF_OK;
}

coif_status coif_crate_u64(coif_crate_cursor *cursor, uint64_t *value)
{
    const void *data;
    COIF_TRY(coif_crate_take(cursor, sizeof *value, &data));
    memcpy(value, data, sizeof *value);
    return COIF_OK;
}

// A byte with the number of chunks, 0 for one block; chunks have their size before them.
static bool decompress_chunks(unsigned char *data, size_t capacity, size_t *size,
                              const unsigned char *from, size_t from_size)
{
    *size = 0;
    if (from_size == 0) {
        return true;
    }
    if (from[0] == 0) {
        return coif_lz4_decompress(data, capacity, size, from + 1, from_size - 1);
    }
    size_t at = 1, used;
    for (int chunk = 0; chunk < from[0]; ++chunk) {
        int32_t chunk_size;
        if (from_size - at < sizeof chunk_size) {
            return false;
        }
        memcpy(&chunk_size, from + at, sizeof chunk_size);
        at += sizeof chunk_size;
        if (chunk_size < 0 || (size_t)chunk_size > from_size - at ||
            !coif_lz4_decompress(data + *size, capacity - *size, &used, from + at,
                                 (size_t)chunk_size)) {
            return false;
        }
        at += (size_t)chunk_size;
        *size += used;
    }
    return true;
}

// Decompresses least to most bytes. LZ4 makes at most 255 bytes of one: a size beyond that is
// damage and takes no memory.
static coif_status decompress(coif_crate_cursor *cursor, uint64_t least, uint64_t most,
                              coif_arena *arena, void **data, size_t *size)
{
    uint64_t compressed;
    const void *from;
    COIF_TRY(coif_crate_u64(cursor, &compressed));
    COIF_TRY(coif_crate_take(cursor, compressed, &from));
    if (least / 256 > compressed) {
        return coif_crate_fail(cursor, "the compressed data before it are too short");
    }
    const uint64_t bound = 256 * compressed < most ? 256 * compressed : most;
    *data = coif_arena_alloc(arena, (size_t)bound + 1, 1);
    return decompress_chunks(*data, (size_t)bound, size, from, (size_t)compressed) && *size >= least
               ? COIF_OK
               : coif_crate_fail(cursor, "the compressed data before it are damaged");
}

coif_status coif_crate_decompress(coif_crate_cursor *cursor, uint64_t size, coif_arena *arena,
                                  void **data)
{
    size_t used;
    return decompress(cursor, size, size, arena, data, &used);
}

static int64_t read_signed(const unsigned char *from, size_t width)
{
    int64_t value = 0;
    memcpy(&value, from, width);
    const int shift = 64 - 8 * (int)width;
    return (int64_t)((uint64_t)value << shift) >> shift;
}

// Differences of consecutive integers: the most common one, a code of two bits for each, and those
// with codes 1 to 3 in 1, 2 or 4 bytes (2, 4 or 8 of wide integers).
coif_status coif_crate_integers(coif_crate_cursor *cursor, uint64_t count, size_t width,
                                coif_arena *arena, void **values)
{
    if (count > UINT32_MAX) {
        return coif_crate_fail(cursor, "too many integers");
    }
    void *data = NULL;
    size_t size;
    const uint64_t codes = (2 * count + 7) / 8;
    COIF_TRY(decompress(cursor, count > 0 ? width + codes : 0, width + codes + width * count, arena,
                        &data, &size));
    unsigned char *to = coif_arena_alloc(arena, count, width);
    *values = to;
    if (count == 0) {
        return COIF_OK;
    }
    const unsigned char *encoded = data, *code = encoded + width, *at = code + codes;
    const int64_t common = read_signed(encoded, width);
    uint64_t value = 0;
    for (uint64_t i = 0; i < count; ++i) {
        const int kind = code[i / 4] >> (2 * (i % 4)) & 3;
        const size_t bytes = kind == 0 ? 0 : (width / 4) << (kind - 1);
        if (bytes > (size_t)(encoded + size - at)) {
            return coif_crate_fail(cursor, "the compressed integers before it end early");
        }
        value += (uint64_t)(kind == 0 ? common : read_signed(at, bytes));
        at += bytes;
        memcpy(to + i * width, &value, width);
    }
    return COIF_OK;
}
