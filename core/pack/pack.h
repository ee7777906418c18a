// Pack files: named, typed, compressed blocks with digests. Grooms, strand frames, solver states
// and render checkpoints are packs, so one reader validates them all and `coif info` lists them
// all.
//
// On disk, little endian: a 64-byte header, a table of 64-byte entries, then the compressed blocks
// (specification: docs/reference/file_formats.md). The header holds a digest of header and table,
// each entry a digest of its compressed bytes, so every altered bit is detected. Files contain no
// time stamp, host name or path: equal content gives equal bytes.
//
// New blocks, metadata keys, kinds, types and codecs need no new format version: a reader ignores
// blocks it does not use and fails only when it needs a block of an unknown codec. The version
// rises only when the layout of header or table changes.
#ifndef COIF_CORE_PACK_PACK_H
#define COIF_CORE_PACK_PACK_H

#include "core/base/fs.h"

// Format version written, and the highest one read.
#define COIF_PACK_VERSION 1

// Maximum length of a block name.
#define COIF_PACK_NAME 15

typedef enum coif_pack_kind {
    COIF_PACK_GROOM = 1,
    COIF_PACK_STRANDS = 2,
    COIF_PACK_STATE = 3,
    COIF_PACK_CHECKPOINT = 4,
    COIF_PACK_GUIDES = 5,
    COIF_PACK_DENOISE = 6
} coif_pack_kind;

typedef enum coif_pack_type {
    COIF_PACK_BYTE = 1,
    COIF_PACK_INT32 = 2,
    COIF_PACK_FLOAT = 3,
    COIF_PACK_DOUBLE = 4,
    COIF_PACK_INT64 = 5
} coif_pack_type;

typedef enum coif_pack_codec {
    COIF_CODEC_RAW = 0,      // uncompressed
    COIF_CODEC_ZSTD = 1,     // zstd of the values
    COIF_CODEC_LOSSLESS = 2, // linear prediction residuals, byte planes, zstd; exact
    COIF_CODEC_QUANTISED = 3 // floats as 16-bit fractions of the range of each component over the
                             // block, then as LOSSLESS: error at most half a step, range / 131070
                             // (and the rounding to float); finite values only
} coif_pack_codec;

typedef struct coif_pack_block {
    const char *name; // at most COIF_PACK_NAME characters, unique in its file
    coif_pack_type type;
    int32_t components;    // values per element, 3 for a vector; predicted per component
    coif_pack_codec codec; // blocks that do not shrink are stored RAW
    int64_t count;         // number of elements
    const void *data;      // write: source; read: decoded values, or NULL
    int64_t stride;        // write: bytes between elements, 0 when contiguous
    int64_t packed_bytes;  // read: compressed size in the file
} coif_pack_block;

typedef struct coif_pack {
    coif_pack_kind kind;
    uint64_t digest; // of every block but "metadata", independent of the codec; read: verified
    int32_t block_count;
    coif_pack_block *blocks;
    int32_t version;    // read
    int64_t file_bytes; // read
    coif_jobs *jobs;    // write: compresses in parallel, same bytes; may be NULL
} coif_pack;

// Writes atomically and sets digest.
coif_status coif_pack_save(coif_pack *pack, const char *path, coif_error *error);

// Reads and verifies a whole file of the expected kind (0: any). A truncated, altered or foreign
// file is COIF_ERR_FORMAT with the reason; every size is validated before use. Blocks of an unknown
// type or codec have data NULL.
coif_status coif_pack_load(coif_pack *pack, const char *path, coif_pack_kind expected,
                           coif_arena *arena, coif_error *error);
coif_status coif_pack_read(coif_pack *pack, const coif_bytes *bytes, coif_pack_kind expected,
                           coif_arena *arena, coif_error *error);

// Reads and verifies header and table only, without decoding blocks: data is NULL, and damage
// inside the blocks is not detected.
coif_status coif_pack_peek(coif_pack *pack, const char *path, coif_arena *arena, coif_error *error);

// Computes the digest that saving would store; of QUANTISED blocks the decoded values count.
coif_status coif_pack_digest(coif_pack *pack, coif_error *error);

// The decoded block of that name, type and components, or NULL.
const coif_pack_block *coif_pack_find(const coif_pack *pack, const char *name, coif_pack_type type,
                                      int32_t components);

// As find, but a missing block, another type or another count than expected (below 0: any) is an
// error that names path.
coif_status coif_pack_need(const coif_pack_block **block, const coif_pack *pack, const char *path,
                           const coif_pack_block *expected, coif_error *error);

// As need, but for an optional block: NULL when the file has none of that name.
coif_status coif_pack_accept(const coif_pack_block **block, const coif_pack *pack, const char *path,
                             const coif_pack_block *expected, coif_error *error);

// As need for each of the expected blocks; copies the values to their data pointers with their
// strides. The same block list can describe saving and loading.
coif_status coif_pack_copy(const coif_pack *pack, const char *path, const coif_pack_block *expected,
                           int32_t expected_count, coif_error *error);

// Text of a block of key=value lines, by convention "metadata"; "" when there is none.
const char *coif_pack_metadata(const coif_pack *pack, const char *name, coif_arena *arena);

// Value of a key in key=value lines, NULL when absent.
char *coif_metadata_value(const char *lines, const char *key, coif_arena *arena);

// "a groom", "strands of a frame", ...; "float", ...; "lossless", ...
const char *coif_pack_kind_name(coif_pack_kind kind);
const char *coif_pack_type_name(coif_pack_type type);
const char *coif_pack_codec_name(coif_pack_codec codec);

// Bytes of one value; 0 for an unknown type.
size_t coif_pack_type_size(coif_pack_type type);

#endif
