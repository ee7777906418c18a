// USD crate (.usdc): the binary form of a layer, versions 0.0.1 to 0.x.
//
// A table of contents names six sections: TOKENS (texts), STRINGS (tokens used as strings), FIELDS
// (pairs of token and value), FIELDSETS (lists of fields), PATHS (a tree of tokens) and SPECS
// (path, field set and type: prim, attribute). Since 0.4.0 sections are compressed with LZ4,
// integers with a coding of differences before that.
#ifndef COIF_CORE_ARCHIVE_USD_USD_CRATE_H
#define COIF_CORE_ARCHIVE_USD_USD_CRATE_H

#include "core/archive/usd/usd_layer.h"

// Tables of an open crate, for values.
typedef struct coif_crate {
    int version; // 100 * minor + patch
    const char **tokens;
    uint64_t token_count;
    const uint32_t *strings; // tokens
    uint64_t string_count;
} coif_crate;

// Position in the file; reading past its end is COIF_ERR_FORMAT with the offset.
typedef struct coif_crate_cursor {
    const coif_bytes *bytes;
    uint64_t at;
    coif_error *error;
} coif_crate_cursor;

coif_status coif_crate_fail(const coif_crate_cursor *cursor, const char *what);
coif_status coif_crate_take(coif_crate_cursor *cursor, uint64_t size, const void **data);
coif_status coif_crate_u32(coif_crate_cursor *cursor, uint32_t *value);
coif_status coif_crate_u64(coif_crate_cursor *cursor, uint64_t *value);

// Decompresses a block of known size, which begins with its compressed size (u64).
coif_status coif_crate_decompress(coif_crate_cursor *cursor, uint64_t size, coif_arena *arena,
                                  void **data);

// Decompresses count integers of 4 or 8 bytes, which begin with their compressed size (u64).
coif_status coif_crate_integers(coif_crate_cursor *cursor, uint64_t count, size_t width,
                                coif_arena *arena, void **values);

// Types of values that the reader of layers uses.
enum {
    COIF_CRATE_TOKEN = 11,
    COIF_CRATE_SPECIFIER = 42,
    COIF_CRATE_TIME_SAMPLES = 46,
    COIF_CRATE_DOUBLE_VECTOR = 48,
    COIF_CRATE_VALUE_BLOCK = 51
};
static inline int coif_crate_type(coif_usd_handle value)
{
    return (int)(value >> 48 & 0xff);
}
static inline uint64_t coif_crate_payload(coif_usd_handle value)
{
    return value & 0xffffffffffffu;
}

coif_status coif_usd_crate_parse(coif_usd_layer *layer, const coif_bytes *bytes, coif_arena *arena,
                                 coif_error *error);

// Decodes a value; the type is that of the file.
coif_usd_decode coif_usd_crate_decode;

#endif
